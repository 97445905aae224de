//! Every row executes, except those that are named here; and nothing that decodes ever panics.

use crate::{BASE, Machine, PROCESSORS, set_m0, target, with_wave};
use proptest::prelude::*;
use wavediff::disasm;
use wavediff::emu::plan::Program;
use wavediff::emu::run::{self, Apertures, Group, Limits};
use wavediff::emu::trap::{Stop, TrapKind};
use wavediff::emu::wave::Wave;
use wavediff::isa::Target;
use wavediff::isa::form::{Form, Table};
use wavediff::isa::row::Family;
use wavediff::memory::lds::Lds;

/// What is not executed yet: the beginning of the name, and why.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("ds_gws_", "global wave sync"),
    ("ds_ordered_count", "ordered count"),
    ("ds_add_gs_reg_rtn", "registers of the geometry pipeline"),
    ("ds_sub_gs_reg_rtn", "registers of the geometry pipeline"),
    ("ds_bvh_stack_", "the layout of the stack in LDS is not published"),
    ("global_load_tr_", "how a matrix is spread over lanes is not published"),
    ("global_atomic_ordered_add_b64", "waves in order"),
];

fn is_memory(family: Family) -> bool {
    use Family::*;
    matches!(family, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch)
}

/// A small generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}

/// Words that decode as the form; fields are random, rarely set at first.
fn words_of(table: &'static Table, form: &Form, random: &mut Random, sparse: bool) -> Option<[u32; 4]> {
    (0..2000).find_map(|round| {
        let mut words = [0u32; 4];
        for (word, (base, known)) in words.iter_mut().zip(form.base.iter().zip(&form.known)) {
            let noise = match (round, sparse) {
                (0, true) => 0,
                (_, true) => random.next() & random.next() & random.next(),
                (_, false) => random.next() & random.next(),
            };
            *word = base | noise & known;
        }
        let decoded = disasm::decode(table, &words).ok()?;
        (std::ptr::eq(decoded.form.row, form.row)).then_some(words)
    })
}

fn execute(target: Target, words: &[u32], setup: impl FnOnce(&mut Wave)) -> Option<Stop> {
    let machine = Machine::new(target, 256);
    let program = Program::plan(target, words, 0x8000);
    let mut wave = Wave::new(&program, if target.wave32() { 32 } else { 64 });
    setup(&mut wave);
    let mut group = Group {
        program: &program,
        memory: &machine.memory,
        lds: Lds::new(1000),
        messages: Vec::new(),
        waves: 1,
        id: [0; 3],
        apertures: Apertures::default(),
        scratch_per_lane: 16,
    };
    run::wave(&mut wave, &mut group, Limits { instructions: 1 });
    wave.stop
}

#[test]
fn every_row_executes() {
    let mut used = vec![false; UNSUPPORTED.len()];
    let mut random = Random(0x1234_5678_9abc_def1);
    for name in PROCESSORS {
        let target = target(name);
        let table = Table::of(target);
        let mut rows = 0;
        for form in table.forms.iter().filter(|form| is_memory(form.row.family)) {
            let words = words_of(table, form, &mut random, true);
            let words = words.unwrap_or_else(|| panic!("{name}: no words for {}", form.name));
            let stop = execute(target, &words, |wave| wave.set_exec(0));
            let unsupported =
                matches!(&stop, Some(Stop::Trap(cause)) if matches!(cause.kind, TrapKind::Unsupported { .. }));
            let exception = UNSUPPORTED.iter().position(|(prefix, _)| form.row.name.starts_with(prefix));
            // The bit of GDS is a reason of its own.
            let text = Program::plan(target, &words, 0).text(0);
            assert_eq!(unsupported, exception.is_some() || text.ends_with(" gds"), "{name}: {text}: {stop:?}");
            if let Some(n) = exception {
                used[n] = true;
            }
            rows += 1;
        }
        assert!(rows > 100, "{name}: {rows}");
    }
    for ((prefix, reason), used) in UNSUPPORTED.iter().zip(used) {
        assert!(used, "{prefix}: no row ({reason})");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Each case runs every form of a processor with random fields and registers full of small numbers, addresses and descriptors.
    #[test]
    fn nothing_panics(seed in 1u64.., which in 0..PROCESSORS.len(), wide in any::<bool>()) {
        let target = target(PROCESSORS[which]);
        let target = with_wave(target, if wide { 64 } else { 32 });
        let table = Table::of(target);
        let mut random = Random(seed);
        for form in table.forms.iter().filter(|form| is_memory(form.row.family)) {
            let Some(words) = words_of(table, form, &mut random, false) else { continue };
            let value = |random: &mut Random| match random.next() % 6 {
                0 => random.next(),
                1 => BASE as u32,
                2 => (BASE >> 32) as u32,
                3 => 0x0002_7fac | random.next() << 20,
                4 => 0x1_0000 << (random.next() % 2),
                _ => random.next() % 300,
            };
            execute(target, &words, |wave| {
                for n in 0..126 {
                    wave.s[n] = value(&mut random);
                }
                for register in 0..256 {
                    let v = value(&mut random);
                    for lane in 0..wave.lanes as usize {
                        wave.set_vgpr(register, lane, v.wrapping_add(lane as u32 * 4));
                    }
                }
                set_m0(wave, value(&mut random));
                let exec = u64::from(random.next()) << 32 | u64::from(random.next());
                wave.set_exec(if exec & 3 == 0 { u64::MAX } else { exec });
            });
        }
    }
}
