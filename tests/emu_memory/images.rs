//! Images: short ways for whole waves against the long ones, as [`levels`](super::levels) has it for other memory.
//!
//! Descriptors, samplers and coordinates are those that [`suite::images`](wavediff::suite::images) draws, about the sides of the image; in
//! some tries lanes have some of the values in common, or lie in a row, and half of the tries have inactive lanes. In some the memory ends
//! before the image does. Whole registers, the memory and the trap are compared, and where the instruction says that it goes.

use crate::coverage::{Random, words_of};
use crate::thorough::tries;
use crate::{target, with_wave};
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};
use wavediff::disasm;
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::group::{Drive, Group};
use wavediff::emu::kernel::Level;
use wavediff::emu::memory::{Touched, addresses, touched};
use wavediff::emu::plan::{Plan, Step};
use wavediff::emu::traced::{self, Watch};
use wavediff::emu::wave::Wave;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::isa::Target;
use wavediff::isa::does::{Does, Texels};
use wavediff::isa::form::{Form, Table};
use wavediff::isa::row::{Family, Inst};
use wavediff::memory::guest::Memory;
use wavediff::memory::image::Dim;
use wavediff::memory::image::fields::{Field, Fields};
use wavediff::memory::image::format::TexelFormat;
use wavediff::program::Program;
use wavediff::suite::images::{BYTES, has_room, put};

const BASE: u64 = 0x10_0000_0000;
/// Behind the last texel an element may begin that is not its own.
const MARGIN: u64 = 64;

/// A small float, one that is no number, or anything.
fn word(random: &mut Random) -> u32 {
    let word = random.next();
    match word % 5 {
        0 | 1 => (word as f32 / 4e9).to_bits(),
        // Infinities and what is no number, each its own.
        2 => 0x7f80_0000 | word & 0x807f_0001,
        _ => word,
    }
}

/// What memory holds.
static CONTENTS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut random = Random(0x5eed_5eed_5eed);
    (0..(BYTES + MARGIN) / 4).flat_map(|_| word(&mut random).to_le_bytes()).collect()
});

fn memory(contents: &[u8]) -> Memory {
    let mut memory = Memory::new();
    memory.map_bytes("texels", BASE, contents, true).expect("memory");
    memory
}

/// What an instruction leaves: registers, memory, the trap.
#[derive(PartialEq)]
struct Left {
    registers: Vec<u32>,
    memory: Vec<Vec<u8>>,
    trap: Option<String>,
    /// Where it said before that it goes.
    touched: Vec<Touched>,
}

/// Asks an instruction where it goes, lane by lane, and in short if there is a way to say it.
struct Asks<'a>(&'a Mutex<Vec<Touched>>);

impl Watch for Asks<'_> {
    fn before(&mut self, wave: &Wave, step: &Step, group: &Group<'_>) {
        let mut all = self.0.lock().expect("no thread panics");
        touched(wave, step, group, |at| all.push(at));
        if let Some(short) = addresses(wave, step, group) {
            let lanes = (0..wave.lanes).filter(|lane| short.lanes >> lane & 1 != 0);
            let at = |lane: u32| short.base.wrapping_add(short.offsets[lane as usize].into());
            let short: Vec<_> = lanes.map(|lane| (Some(lane), at(lane), short.bytes)).collect();
            let long: Vec<_> = all.iter().map(|at| (at.lane, at.address, at.bytes)).collect();
            assert_eq!(short, long, "{}", group.program.text(step.at));
        }
    }

    fn after(&mut self, _: &Wave, _: &Step, _: &Group<'_>) {}
}

fn run(program: &Program, level: Level, lanes: u32, contents: &[u8], setup: &(dyn Fn(&mut Registers) + Sync)) -> Left {
    let (plan, memory) = (Plan::at(level, program), memory(contents));
    let setup = |_: [u32; 3], _: u32, wave: &mut Registers| setup(wave);
    let dispatch = Dispatch::of_one(program, &memory, lanes, &setup);
    let asked = Mutex::default();
    let drive =
        |_| -> Box<Drive<'_>> { Box::new(|wave, group, limits| traced::wave(wave, group, limits, &mut Asks(&asked))) };
    let mut finished = grid::run(&dispatch, &plan, &Hooks { keep: true, drive: Some(&drive), ..Hooks::default() });
    let group = finished.groups.pop().expect("the group");
    let wave = &group.waves[0];
    let registers = (0..256).flat_map(|n| (0..lanes).map(move |lane| wave.vgpr(n, lane as usize))).collect();
    let bytes = memory.regions().iter().map(|region| region.to_bytes()).collect();
    let trap = group.trap.map(|(_, cause)| format!("{cause:?}"));
    Left { registers, memory: bytes, trap, touched: asked.into_inner().expect("no thread panics") }
}

/// The words of a form whose descriptors have room, and an end.
fn words(target: Target, table: &'static Table, form: &Form, random: &mut Random) -> Option<Vec<u32>> {
    let end = crate::bench::words(target, "s_endpgm").expect("an end");
    (0..40).find_map(|n| {
        let words = words_of(table, form, random, n % 2 == 0)?;
        let len = disasm::decode(table, &words).map_or(0, |decoded| usize::from(decoded.len));
        let words = [&words[..len], &end].concat();
        let program = Program::new(target, &words, 0);
        let access = program.steps.first().filter(|step| step.executes)?.memory.as_deref()?;
        // Without a component there is hardly anything to see.
        let shows = access.image.as_ref().is_some_and(|image| image.dmask != 0) || random.next().is_multiple_of(8);
        (has_room(access) && shows).then_some(words)
    })
}

/// Gives lanes values in common, numbers that follow each other, or places in tiles of eight by eight.
fn align(wave: &mut Registers, places: &[u32], random: &mut Random) {
    let tiles = random.next().is_multiple_of(4);
    for (n, place) in places.iter().enumerate().filter(|_| tiles) {
        let first = wave.vgpr((place / 64) as usize, 0) % 4;
        for lane in 0..wave.lanes {
            let v = [lane % 8, lane / 8].get(n).copied().unwrap_or(first);
            wave.set_vgpr((place / 64) as usize, lane as usize, v);
        }
    }
    if tiles {
        return;
    }
    for place in places {
        let register = (place / 64) as usize;
        let first = wave.vgpr(register, 0);
        let step = match random.next() % 6 {
            0 | 1 => 0,
            2 if first < 0x1000 => 1,
            _ => continue,
        };
        for lane in 0..wave.lanes {
            wave.set_vgpr(register, lane as usize, first + step * lane);
        }
    }
}

/// An instruction that was drawn, and what its wave begins with.
struct Drawn<'a> {
    row: &'static Inst,
    program: &'a Program,
    lanes: u32,
    /// Bytes of memory.
    len: u64,
    seed: u32,
    /// Sets all that the seed says.
    setup: &'a (dyn Fn(&mut Registers) + Sync),
}

/// Draws images for the rows of some processors.
fn each(names: &[&str], tries: u32, mut with: impl FnMut(&str, &Drawn<'_>)) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for name in names {
        for lanes in [32, 64] {
            let target = with_wave(target(name), lanes);
            if target.wave32() != (lanes == 32) {
                continue;
            }
            let table = Table::of(Program::new(target, &[], 0).target);
            for form in table.forms.iter().filter(|form| form.row.family == Family::Mimg) {
                // Most rows are ways to sample: the others get as many tries together.
                let is_sample = matches!(form.row.does, Does::Texels(Texels::Sample | Texels::Gather | Texels::Level));
                for n in 0..if is_sample { tries } else { 8 * tries } {
                    let Some(words) = words(target, table, form, &mut random) else { continue };
                    let program = Program::new(target, &words, 0x8000);
                    let access = program.steps[0].memory.as_deref().expect("an access");
                    let Some(image) = access.image.as_deref() else { continue };
                    let seed = random.next();
                    let setup = |wave: &mut Registers| {
                        let mut random = Random(u64::from(seed) | 1 << 40);
                        // What is stored, and what atomics do.
                        for (register, lane) in (0..256).flat_map(|n| (0..lanes).map(move |lane| (n, lane))) {
                            let v = word(&mut random);
                            wave.set_vgpr(register, lane as usize, v);
                        }
                        put(wave, form.row, access, lanes, BASE, seed);
                        let words = wave.s[access.base as usize..].first_chunk_mut::<8>().expect("a descriptor");
                        let g = target.generation();
                        match seed % 8 {
                            // A volume's slices are its layers then.
                            3 => [(Field::Slices, 1), (Field::BaseArray, 1)]
                                .into_iter()
                                .for_each(|(f, v)| f.set(words, g, v)),
                            // Ones, and components in another order.
                            4 | 5 => Field::DstSel.set(words, g, 0o5164),
                            _ => {}
                        }
                        align(wave, &image.registers, &mut random);
                        let some = u64::from(random.next()) << 32 | u64::from(random.next());
                        wave.set_exec(if seed.is_multiple_of(2) { u64::MAX >> (64 - lanes) } else { some });
                    };
                    let len = if n % 8 == 7 { 0x800 } else { BYTES + MARGIN };
                    with(name, &Drawn { row: form.row, program: &program, lanes, len, seed, setup: &setup });
                }
            }
        }
    }
}

fn images(names: &[&str], tries: u32) {
    let levels: Vec<Level> = Level::all().collect();
    if levels.len() == 1 {
        return;
    }
    let (mut wrong, mut compared, mut ended) = (Vec::new(), BTreeMap::new(), 0);
    each(names, tries, |name, drawn| {
        let Drawn { program, lanes, len, seed, setup, .. } = *drawn;
        let contents = &CONTENTS[..len as usize];
        let all: Vec<Left> = levels.iter().map(|level| run(program, *level, lanes, contents, setup)).collect();
        *compared.entry(name.to_owned()).or_insert(0) += 1;
        ended += u32::from(all[0].trap.is_none());
        if let Some((level, left)) = levels.iter().zip(&all).find(|(_, left)| **left != all[0]) {
            let first = left.registers.iter().zip(&all[0].registers).position(|(a, b)| a != b);
            let first = first.map(|n| (n / lanes as usize, n % lanes as usize));
            let (memory, touched) = (left.memory != all[0].memory, left.touched != all[0].touched);
            let traps = (&left.trap, &all[0].trap);
            let text = program.text(0);
            wrong.push(format!(
                "{name}, {lanes} lanes, seed {seed:#x}: {text} on {level:?}: {first:?} {memory} {touched} {traps:?}"
            ));
        }
    });
    let count: u32 = compared.values().sum();
    assert!(wrong.is_empty(), "{} of {compared:?}:\n{:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(ended * 2 > count, "only {ended} of {count} ended");
    assert!(compared.values().all(|count| *count > 100), "{compared:?}");
}

/// What an instruction leaves depends on the bytes to which it says that it goes, and on no other ones.
#[test]
fn what_is_not_touched_does_not_count() {
    let level = Level::all().last().expect("a level");
    let (mut random, mut kinds) = (Random(0x1234_5678_9abc_def1), BTreeMap::<String, [u32; 2]>::new());
    each(&["gfx600", "gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200"], tries(1, 2), |name, drawn| {
        let Drawn { row, program, lanes, len, seed, setup } = *drawn;
        let contents = &CONTENTS[..len as usize];
        let left = run(program, level, lanes, contents, setup);
        if left.trap.is_some() {
            return;
        }
        let what = || format!("{name}, {lanes} lanes, seed {seed:#x}: {}", program.text(0));
        let places = |of: &Touched| (of.address - BASE) as usize..(of.address - BASE) as usize + of.bytes as usize;
        // All the others are inverted, and should be so afterwards.
        let mut others: Vec<u8> = contents.iter().map(|byte| !byte).collect();
        left.touched.iter().map(places).for_each(|at| others[at.clone()].copy_from_slice(&contents[at]));
        let mut after = run(program, level, lanes, &others, setup);
        for (at, byte) in after.memory[0].iter_mut().enumerate() {
            *byte ^= contents[at] ^ others[at];
        }
        assert!(after == left, "{}", what());
        // One of them is, and the lane that goes there sees it.
        // What stores and atomics leave is never what was there.
        if left.touched.is_empty() || matches!(row.does, Does::Texels(Texels::Store(_)) | Does::Atomic(_)) {
            return;
        }
        let touched = left.touched[random.next() as usize % left.touched.len()];
        let mut one = contents.to_vec();
        one[places(&touched)].iter_mut().for_each(|byte| *byte = !*byte);
        let seen = run(program, level, lanes, &one, setup) != Left { memory: vec![one], ..left };
        let kind = match row.does {
            Does::Texels(texels) => format!("{texels:?}"),
            _ => "others".to_owned(),
        };
        kinds.entry(kind).or_default()[usize::from(seen)] += 1;
    });
    // Of a texel one component may be left out, or its weight may be small.
    assert!(kinds.len() > 5 && kinds.values().all(|[no, yes]| no + yes > 10 && 2 * yes > *no), "{kinds:?}");
}

/// The plainest loads, of which few are drawn: all lanes inside a plane, and one component of each texel.
#[test]
fn single_components() {
    let levels: Vec<Level> = Level::all().collect();
    let mut compared = 0;
    for (name, mode) in [("gfx1030", 0), ("gfx1030", 27), ("gfx1100", 0), ("gfx1100", 27)] {
        for (lanes, format) in [32, 64].into_iter().flat_map(|lanes| {
            ["32_float", "32_uint", "8_8_8_8_unorm", "16_16_float", "2_10_10_10_uint"].map(|format| (lanes, format))
        }) {
            let target = with_wave(target(name), lanes);
            let (number, _) = TexelFormat::numbers(format, &target).expect(format);
            for (mask, d16) in [1, 2, 4, 8].into_iter().flat_map(|mask| [(mask, ""), (mask, " d16")]) {
                let line = format!("image_load v8, v[0:1], s[0:7] dmask:{mask} dim:SQ_RSRC_IMG_2D{d16}\ns_endpgm\n");
                let words: Vec<u32> =
                    line.lines().flat_map(|line| crate::bench::words(target, line).expect("a line")).collect();
                let program = Program::new(target, &words, 0x8000);
                // As they are, in another order with ones and zeros, and the first one everywhere.
                for selects in [0o7654, 0o5164, 0o4444] {
                    let setup = |wave: &mut Registers| {
                        for (register, lane) in (0..16).flat_map(|n| (0..lanes).map(move |lane| (n, lane))) {
                            wave.set_vgpr(register, lane as usize, 0xdead_0000 + lane);
                        }
                        let descriptor = wave.s.first_chunk_mut::<8>().expect("a descriptor");
                        for (field, value) in [
                            (Field::Base, BASE >> 8),
                            (Field::Format, number.into()),
                            (Field::Width, 31),
                            (Field::Height, 31),
                            (Field::DstSel, selects),
                            (Field::Mode, mode),
                            (Field::Type, 8 + u64::from(Dim::D2.number())),
                        ] {
                            field.set(descriptor, target.generation(), value);
                        }
                        for lane in 0..lanes {
                            wave.set_vgpr(0, lane as usize, 3 + lane % 16);
                            wave.set_vgpr(1, lane as usize, 5 + lane / 16);
                        }
                    };
                    let all: Vec<Left> =
                        levels.iter().map(|level| run(&program, *level, lanes, &CONTENTS, &setup)).collect();
                    assert_eq!(all[0].trap, None, "{name} {format} {line}");
                    assert!(all.iter().all(|left| *left == all[0]), "{name} mode {mode} {format} {selects:o} {line}");
                    compared += all.len() - 1;
                }
            }
        }
    }
    assert!(compared >= 960 * (levels.len() - 1), "{compared}");
}

#[test]
fn gcn() {
    images(&["gfx600", "gfx700", "gfx803", "gfx900"], tries(4, 8));
}

#[test]
fn rdna() {
    images(&["gfx1030", "gfx1100", "gfx1200"], tries(4, 8));
}

/// Many more.
#[test]
#[ignore = "takes minutes"]
fn many() {
    images(&["gfx600", "gfx700", "gfx801", "gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1200"], 80);
}
