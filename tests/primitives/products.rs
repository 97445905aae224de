//! Sums of the matrix cores of CDNA, which no primitive of the algebra is: against MMA-Sim's sums, which its authors hold against silicon, and against the
//! emulator's where those do not go.

use super::Machine;
use super::operands::Random;
use super::sums::Sum;
use wavediff::emu::alg::Exact;
use wavediff::emu::soft::{self as emulator, Fp8, fused};
use wavediff::isa::{Arch, Target};
use wavediff::spirv::soft::{Core, Modes, Numbers, add_products};

/// How a type is added on a processor: in the translation, in the emulator, and how many products at once.
fn how(arch: &str, kind: &str) -> Option<(Core, Numbers, fused::Core, usize)> {
    use fused::{Core as Emulated, Kind};
    let small = |name: &str| if name == "bf8" { Fp8::E5m2Fnuz } else { Fp8::E4m3Fnuz };
    let two = if arch != "gfx940" && kind == "bf16" { 2 } else { 4 };
    let (numbers, format) = if kind == "f16" { (Numbers::F16, emulator::F16) } else { (Numbers::Bf16, emulator::BF16) };
    Some(match (arch, kind) {
        (_, "f32" | "f64") => return None,
        ("gfx908", _) => (Core::Exact, numbers, Emulated::Exact(format, two), two),
        ("gfx90a", _) => (Core::Flushing, numbers, Emulated::Flushing(format, two), two),
        (_, "xf32") => (Core::Cut, Numbers::Xf32, Emulated::Cut(Kind::Xf32, Kind::Xf32, 4), 4),
        (_, "f16" | "bf16") => (Core::Cut, numbers, Emulated::Cut(Kind::Half(format), Kind::Half(format), 8), 8),
        (_, both) => {
            let (a, b) = both.split_once('_').expect("two kinds");
            let numbers = Numbers::Small([a == "bf8", b == "bf8"]);
            (Core::Cut, numbers, Emulated::Cut(Kind::Small(small(a)), Kind::Small(small(b)), 16), 16)
        }
    })
}

/// The sum as the translation makes it.
fn sum(
    arch: &str,
    (core, numbers, _, at_once): (Core, Numbers, fused::Core, usize),
    a: &[u64],
    b: &[u64],
    c: u32,
) -> u32 {
    let machine = Machine::new(if arch == "gfx940" { "gfx942" } else { arch });
    let k = Exact::new(&machine.env, 0);
    let modes = Modes { mode: 0, generation: Target::new(Arch::find("gfx908").expect("a processor")).generation() };
    let each = (32 / numbers.bits()) as usize;
    let words = |v: &[u64]| -> Vec<u32> {
        let word = |some: &[u64]| (0..).zip(some).fold(0, |word, (n, v)| word | (*v as u32) << (n * numbers.bits()));
        v.chunks(each).map(word).collect()
    };
    a.chunks(at_once)
        .zip(b.chunks(at_once))
        .fold(c, |c, (a, b)| add_products(&k, &modes, core, numbers, &words(a), &words(b), c))
}

#[test]
fn products_of_cdna() {
    let mut random = Random::new(0x5eed_0011);
    let (mut count, mut failures) = (0, Vec::new());
    for case in Sum::all() {
        let Some(how) = how(&case.arch, &case.kind) else { continue };
        let Sum { arch, kind, a, b, .. } = &case;
        let c = case.c as u32;
        count += 1;
        let got = sum(arch, how, a, b, c);
        if !case.is(got.into()) {
            failures.push(format!("{case:x?}: {got:08x}"));
        }
        // And the emulator, to the bit, with other accumulators and the factors of the case in another order.
        for _ in 0..4 {
            let turn = random.below(a.len() as u64) as usize;
            let (mut a, mut b) = (a.clone(), b.clone());
            a.rotate_left(turn);
            let other = (random.below(4) as usize * 5 + turn) % b.len();
            b.rotate_left(other);
            let c = if random.below(2) == 0 { c ^ 1 << random.below(32) } else { random.next() as u32 };
            let one = |v: &[u64]| -> Vec<fused::Row<u32>> {
                v.iter().map(|v| std::array::from_fn(|j| if j == 0 { *v as u32 } else { 0 })).collect()
            };
            let (a_factors, b_factors) = (how.2.factors(false, one(&a), 1), how.2.factors(true, one(&b), 1));
            let mut want = [0; fused::COLUMNS];
            want[0] = c;
            how.2.add(&a_factors, 0, &b_factors, std::slice::from_mut(&mut want));
            let got = sum(arch, how, &a, &b, c);
            if got != want[0] {
                failures.push(format!("{arch} {kind}: {a:x?} {b:x?} {c:x}: {got:x}, the emulator {:x}", want[0]));
            }
        }
    }
    println!("{count} sums");
    let some = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {count}:\n{some}", failures.len());
    assert!(count > 7000, "{count}");
}
