//! Every row executes, except those that are named here; and nothing that decodes ever panics.

use crate::{BASE, Machine, PROCESSORS, set_m0, target, with_wave};
use proptest::prelude::*;
use wavediff::disasm;
use wavediff::emu::group::{self, Group};
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::dispatch::Limits;
use wavediff::engine::{Stop, TrapKind};
use wavediff::isa::Target;
use wavediff::isa::form::{Form, Table};
use wavediff::isa::row::Family;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;

pub(super) fn is_memory(family: Family) -> bool {
    use Family::*;
    matches!(family, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch)
}

/// A small generator: the same numbers in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}

/// Words that decode as the form; fields are random, rarely set at first.
pub(super) fn words_of(table: &'static Table, form: &Form, random: &mut Random, sparse: bool) -> Option<[u32; 4]> {
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
    let program = Program::new(target, words, 0x8000);
    let plan = Plan::new(&program);
    let mut wave = Wave::new(&plan, if target.wave32() { 32 } else { 64 });
    setup(&mut wave);
    let mut group = Group { scratch_per_lane: 16, ..Group::of_one(&plan, &machine.memory, Lds::new(1000)) };
    group::wave(&mut wave, &mut group, Limits { instructions: 1, ..Limits::default() });
    wave.stop.take()
}

#[test]
fn every_row_executes() {
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
            // The bit of GDS is a reason of its own: a wave alone has no global data share.
            let text = Program::new(target, &words, 0).text(0);
            assert_eq!(unsupported, text.ends_with(" gds"), "{name}: {text}: {stop:?}");
            rows += 1;
        }
        assert!(rows > 100, "{name}: {rows}");
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

/// Instructions that have a short way for whole waves, with addresses in v[2:3] and v4, data in v[8:15].
const WHOLE: &[(&str, &[&str])] = &[
    ("ds_read_b32 v8, v4", &[]),
    ("ds_read_b64 v[4:5], v4 offset:8", &[]),
    ("ds_read_b128 v[4:7], v4", &["gfx600"]),
    ("ds_read2_b32 v[4:5], v4 offset0:3 offset1:1", &[]),
    ("ds_read2_b64 v[4:7], v4 offset0:0 offset1:5", &[]),
    ("ds_write_b32 v4, v8", &[]),
    ("ds_write_b64 v4, v[8:9]", &[]),
    ("ds_write_b128 v4, v[8:11] offset:16", &["gfx600"]),
    ("ds_write2_b32 v4, v8, v9 offset0:0 offset1:1", &[]),
    ("ds_write2_b64 v4, v[8:9], v[10:11] offset0:1 offset1:1", &[]),
    ("buffer_load_dword v4, v4, s[4:7], s8 offen offset:4", &[]),
    ("buffer_load_dwordx4 v[4:7], v4, s[4:7], s8 offen", &[]),
    ("buffer_store_dword v8, v4, s[4:7], s8 offen offset:4", &[]),
    ("buffer_store_dwordx4 v[8:11], v4, s[4:7], s8 offen", &[]),
    ("flat_load_dword v3, v[2:3]", &["gfx600"]),
    ("flat_load_dwordx4 v[2:5], v[2:3]", &["gfx600"]),
    ("flat_store_dword v[2:3], v8", &["gfx600"]),
    ("flat_store_dwordx4 v[2:3], v[8:11]", &["gfx600"]),
    ("global_load_dword v3, v[2:3], off offset:4", &["gfx600", "gfx700", "gfx803"]),
    ("global_load_dwordx3 v[2:4], v[2:3], off", &["gfx600", "gfx700", "gfx803"]),
    ("global_load_dwordx4 v[4:7], v4, s[10:11]", &["gfx600", "gfx700", "gfx803"]),
    ("global_store_dword v[2:3], v8, off", &["gfx600", "gfx700", "gfx803"]),
    ("global_store_dwordx4 v4, v[8:11], s[10:11]", &["gfx600", "gfx700", "gfx803"]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A whole wave does what its lower and its upper lanes do one after another.
    #[test]
    fn whole_waves_are_lanes(seed in 1u64.., which in 0..PROCESSORS.len(), step in 0u32..3, range in 100u32..1200) {
        let name = PROCESSORS[which];
        for (text, without) in WHOLE.iter().filter(|(_, without)| !without.contains(&name)) {
            let mut whole = Machine::new(target(name), 256);
            let mut parts = Machine::new(target(name), 256);
            let all = if whole.lanes == 64 { u64::MAX } else { u64::from(u32::MAX) };
            prop_assert!(without.len() < 8);
            let split = (1u64 << (seed % u64::from(whole.lanes))) - 1;
            let set = |exec: u64| move |wave: &mut Wave| {
                let mut random = Random(seed);
                let mut offset = |lane: u32| match step {
                    0 => lane * 4,
                    1 => (random.next() % range) & !3,
                    _ => random.next() % range,
                };
                for lane in 0..wave.lanes {
                    let at = offset(lane);
                    let address = BASE + u64::from(at);
                    wave.set_vgpr(2, lane as usize, address as u32);
                    wave.set_vgpr(3, lane as usize, (address >> 32) as u32);
                    wave.set_vgpr(4, lane as usize, at);
                    (8..16).for_each(|n| wave.set_vgpr(n, lane as usize, lane << 8 | n as u32));
                }
                crate::buffer::raw(1000).put(wave);
                wave.set_pair(10, BASE);
                wave.set_exec(exec);
            };
            let first = whole.run(text, set(all));
            let low = parts.run(text, set(all & split));
            let high = parts.run(text, set(all & !split));
            if first.stop == Some(Stop::End) {
                for register in 2..16 {
                    for lane in 0..whole.lanes as usize {
                        let part = if split >> lane & 1 != 0 { &low } else { &high };
                        prop_assert_eq!(first.vgpr(register, lane), part.vgpr(register, lane), "{} {}", name, text);
                    }
                }
                prop_assert_eq!(whole.lds.words(), parts.lds.words(), "{} {}", name, text);
                prop_assert_eq!(whole.bytes(BASE, 1024), parts.bytes(BASE, 1024), "{} {}", name, text);
            } else {
                prop_assert!(low.stop != Some(Stop::End) || high.stop != Some(Stop::End), "{} {}", name, text);
            }
        }
    }
}
