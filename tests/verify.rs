//! A sample of what `wavediff verify` runs: every operation, in every mode that it depends on, against LLVM's software floats.

#[path = "../harness/src/verify/check/mod.rs"]
mod check;
#[path = "support/thorough.rs"]
mod thorough;

use check::inputs::{Kind, Random};
use check::reference::{self, Format, Machine, Op, S};
use check::{Bench, Operation, Tally, operations, other_modes, seed_of, usual_modes};
use thorough::tries;
use wavediff::emu::kernel::Level;
use wavediff::fault;
use wavediff::isa::{Arch, Target};

fn verify(gpu: &str) {
    verify_at(Level::of_host(), gpu);
}

/// Each level that the host is not on by itself.
#[test]
fn other_levels() {
    for level in Level::all().filter(|level| *level != Level::of_host()) {
        verify_at(level, "gfx900");
        verify_at(level, "gfx1100");
    }
}

fn verify_at(level: Level, gpu: &str) {
    let target = Target::new(Arch::find(gpu).expect(gpu));
    // Operands of an operation in the usual modes, and in all the others together.
    let (usual, others) = tries((1024, 4096), (2048, 8192));
    let mut executed = 0;
    let mut wrong = String::new();
    for operation in operations::all() {
        let Some(bench) = Bench::at(level, operation, target) else { continue };
        if !bench.rows().any(|row| fault::concerns(row, target.arch)) {
            continue;
        }
        executed += 1;
        let mut tally = Tally::default();
        let other = other_modes(operation, target);
        let few = others / (other.len() as u64).max(1);
        let modes = usual_modes().map(|mode| (mode, usual)).into_iter().chain(other.iter().map(|mode| (*mode, few)));
        for (mode, count) in modes {
            let seed = seed_of(7, operation.name, mode, 0);
            tally.add(bench.run(mode, count, seed).unwrap_or_else(|trap| panic!("{}: {trap}", operation.name)));
        }
        for m in &tally.first {
            wrong += &format!(
                "{} in mode {:#x}: {:#x?}: expected {:#x}, got {:#x}\n",
                operation.name, m.mode, m.operands, m.expected, m.got
            );
        }
        if fault::mutant().is_some() && !wrong.is_empty() {
            // Of a planted mistake the first operation that shows it is enough.
            break;
        }
    }
    assert!(wrong.is_empty(), "{gpu}, {level:?}:\n{wrong}");
    assert!(executed > 30 || fault::is_narrow(), "only {executed} operations");
}

#[test]
fn oldest() {
    verify("gfx600");
}

#[test]
fn unfused_and_fused() {
    verify("gfx900");
}

/// The processors whose units are those of a neighbour above, on which rows have other names and forms.
#[test]
fn between() {
    ["gfx700", "gfx803", "gfx90a", "gfx940", "gfx1030"].into_iter().for_each(verify);
}

#[test]
fn rdna3() {
    verify("gfx1100");
}

#[test]
fn newest() {
    verify("gfx1200");
}

fn bench(name: &str) -> (&'static Operation, Bench) {
    let target = Target::new(Arch::find("gfx1100").expect("gfx1100"));
    let operation = operations::all().find(|operation| operation.name == name).expect(name);
    (operation, Bench::new(operation, target).expect(name))
}

/// A reference in another mode must be noticed: rounding, flushing of operands, of results, IEEE, FP16_OVFL.
#[test]
fn another_mode_differs() {
    for (name, bits) in
        [("v_add_f16", 2), ("v_fma_f32", 0), ("v_mul_f64", 2), ("v_ldexp_f32", 0), ("v_div_fmas_f64", 2)]
    {
        let (_, bench) = bench(name);
        for flip in [1 << bits, 2 << bits, 3 << bits, 1 << (4 + bits), 2 << (4 + bits), 1 << 9] {
            // Operands of div_fmas are never flushed.
            let same = name.starts_with("v_div_fmas") && flip == 1 << (4 + bits);
            let tally = bench.run_as(0x3f0, 0x3f0 ^ flip, 20_000, 1).expect(name);
            assert_eq!(tally.mismatches == 0, same, "{name}: {flip:#x}");
        }
    }
    let (_, bench) = bench("v_mul_f16");
    assert!(bench.run_as(0x3f0, 0x8003f0, 20_000, 1).expect("a run").mismatches > 0);
}

/// Among the operands are those whose product is tiny, though it is rounded up to the smallest normal number.
#[test]
fn products_are_tiny_by_a_hair() {
    let kinds = [Kind::Float(Format::F32), Kind::Float(Format::F32)];
    let (keep, flush) = (Machine::new(11, 0x3f0), Machine::new(11, 0x3d0));
    let mut random = Random(3);
    let found = (0..400_000).filter(|_| {
        let [a, b, ..] = random.operands(&kinds);
        let product = |m| Format::F32.abs(reference::arith::<S>(m, Op::Mul, [a, b, 0]));
        product(&keep) == Format::F32.min_normal() && product(&flush) == 0
    });
    assert!(found.count() > 0);
}
