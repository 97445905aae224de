//! Short ways for whole waves against the long ones: every memory form on all levels, of which the plainest takes no short way.
//!
//! Registers hold offsets and upper halves of addresses in turns, scalar ones descriptors, so that most instructions find memory; lanes lie
//! in a row, apart, on each other, unaligned, in several regions, out of range. What is compared is all that an instruction leaves, also where
//! it traps in the middle.
//!
//! A debug build has one level, and nothing to compare.

use crate::bench::Place;
use crate::coverage::{Random, is_memory, words_of};
use crate::thorough::tries;
use crate::{counting, set_m0, target, with_wave};
use wavediff::disasm;
use wavediff::emu::kernel::Level;
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::{Wave, file};
use wavediff::engine::Stop;
use wavediff::isa::Gen;
use wavediff::isa::form::Table;
use wavediff::launch::Apertures;
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;

/// Where memory begins, and its pieces behind each other: their bytes, and whether they may be written.
const BASE: u64 = 0x10_0000_0000;
const PIECES: [(&str, u64, bool); 3] = [("a", 0x1800, true), ("b", 0x402, true), ("c", 0x800, false)];

const APERTURES: Apertures = Apertures { shared: 0x11_0000_0000, private: 0x12_0000_0000 };

fn memory() -> Memory {
    let mut memory = Memory::new();
    let mut at = BASE;
    for (name, len, writable) in PIECES {
        let bytes: Vec<u8> = (0..len as u32).flat_map(|n| counting(n).to_le_bytes()).take(len as usize).collect();
        memory.map_bytes(name, at, &bytes, writable).expect("a region");
        at += len;
    }
    memory
}

/// One of some values.
fn one_of<T: Copy, const N: usize>(random: &mut Random, of: [T; N]) -> T {
    of[random.next() as usize % N]
}

/// An offset of each lane.
fn offsets(random: &mut Random) -> impl FnMut(&mut Random, u32) -> u32 + use<> {
    let kind = random.next() % 10;
    let step = one_of(random, [1, 2, 4, 4, 8, 12, 16, 20]);
    let apart = one_of(random, [32, 36, 64, 66, 128]);
    let first = one_of(random, [0, 0x400, 0x7f0, 0x1800 - 128]);
    let wild = random.next().is_multiple_of(8);
    move |random, lane| match kind {
        _ if wild && random.next() % 32 == 0 => random.next(),
        0 => first,
        1..=3 => first + lane * step,
        4 => (random.next() % 0x1000) & !15,
        5 => (random.next() % 0x1000) & !3,
        6 => (random.next() % 64) & !3,
        7 => first + lane / 8 * apart + lane % 8 * step,
        8 => first + lane / 8 * apart,
        _ => random.next() % 0x1000,
    }
}

fn set(wave: &mut Wave, seed: u64) {
    let random = &mut Random(seed);
    for group in wave.s[..104].chunks_mut(4) {
        group[0] = one_of(random, [0, 0, 0x100, 0x17f0]);
        group[1] = 0x10 | one_of(random, [0, 0, 4, 16, 20]) << 16 | one_of(random, [0, 0, 0, 1, 2, 3]) << 30;
        group[2] = one_of(random, [0x2000, 0x2000, 0x200, 64, 0]);
        group[3] = one_of(random, [0x0002_7fac, 0x3101_6fac, 0x3001_6fac, random_format(seed)]);
    }
    let home = one_of(random, [0x10, 0x10, 0x10, 0x11, 0x12]);
    for register in (0..256).step_by(2) {
        let (mut offset, upper) = (offsets(random), one_of(random, [0x10, home, home, home]));
        let (mixed, turned) = (random.next().is_multiple_of(16), one_of(random, [0, 0, 0, 1, 20, 63]));
        for lane in 0..wave.lanes as usize {
            // In some the largest is not that of the last lane.
            let v = offset(random, (lane as u32 ^ turned) % wave.lanes);
            wave.set_vgpr(register, lane, v);
            let other = if mixed { one_of(random, [0x10, 0x11, 0x12]) } else { upper };
            wave.set_vgpr(register + 1, lane, other);
        }
    }
    let m0 = one_of(random, [u32::MAX, u32::MAX, 0x1000, 0x1_0040]);
    set_m0(wave, m0);
    wave.scratch = BASE;
    if wave.env.target.arch.name == "gfx900" {
        wave.set_pair(102, BASE);
    }
    let (some, shift) = (u64::from(random.next()) << 32 | u64::from(random.next()), random.next() % 64);
    wave.set_exec(one_of(random, [u64::MAX, u64::MAX, some, u64::MAX >> shift, 1 << shift]));
    let mode = random.next() & 0x3ff;
    wave.set_mode(mode);
}

fn random_format(seed: u64) -> u32 {
    Random(seed ^ 0x5555).next() & 0x3eff_ffff
}

/// Bytes of LDS.
const LDS: u32 = 0x1800;

/// What an instruction leaves: registers, LDS, memory, and how the wave stopped.
type Left = (Vec<u32>, Vec<u32>, Vec<u32>, Vec<Vec<u8>>, Option<Stop>);

fn run(program: &Program, level: Level, lanes: u32, set: impl FnOnce(&mut Wave)) -> Left {
    let (plan, memory) = (Plan::at(level, program), memory());
    let mut lds = Lds::new(LDS);
    for (n, word) in (0..).zip(lds.words_mut()) {
        *word = counting(n);
    }
    let mut wave = Wave::new(&plan, lanes);
    set(&mut wave);
    Place { memory: &memory, lds: &mut lds, apertures: APERTURES }.run(&plan, &mut wave);
    let bytes = memory.regions().iter().map(|region| region.to_bytes()).collect();
    let registers = wave.file[..file::AGPR as usize].iter().map(|cell| cell.get()).collect();
    (registers, wave.s[..128].to_vec(), lds.words().to_vec(), bytes, wave.stop.take())
}

fn levels(names: &[&str], tries: u64, seed: u64) {
    let levels: Vec<Level> = Level::all().collect();
    if levels.len() == 1 {
        return;
    }
    let mut random = Random(seed);
    let (mut wrong, mut compared, mut ended) = (Vec::new(), 0, 0);
    for name in names {
        for lanes in [32, 64] {
            let target = with_wave(target(name), lanes);
            if target.wave32() != (lanes == 32) {
                continue;
            }
            let end = crate::bench::words(target, "s_nop 0").expect("an end");
            let table = Table::of(Program::new(target, &[], 0).target);
            for form in table.forms.iter().filter(|form| is_memory(form.row.family)) {
                for n in 0..tries {
                    let Some(words) = words_of(table, form, &mut random, n % 2 == 0) else { continue };
                    let len = disasm::decode(table, &words).map_or(0, |decoded| usize::from(decoded.len));
                    let words = [&words[..len], &end].concat();
                    let program = Program::new(target, &words, 0x8000);
                    let seed = u64::from(random.next()) << 32 | u64::from(random.next()) | 1;
                    let all: Vec<Left> =
                        levels.iter().map(|level| run(&program, *level, lanes, |wave| set(wave, seed))).collect();
                    compared += 1;
                    ended += u32::from(all[0].4 == Some(Stop::End));
                    if let Some((level, _)) = levels.iter().zip(&all).find(|(_, left)| **left != all[0]) {
                        wrong.push(format!("{name}, {lanes} lanes, seed {seed:#x}: {} on {level:?}", program.text(0)));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(ended * 3 > compared, "only {ended} of {compared} ended");
}

const SEED: u64 = 0x1234_5678_9abc_def1;

#[test]
fn gcn() {
    levels(&["gfx600", "gfx700", "gfx803", "gfx900"], tries(8, 16), SEED);
}

#[test]
fn cdna() {
    levels(&["gfx90a", "gfx942"], tries(8, 16), SEED);
}

#[test]
fn rdna() {
    levels(&["gfx1030", "gfx1100", "gfx1200"], tries(8, 16), SEED);
}

/// How lanes lie to each other that short ways look for.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Their items follow each other.
    Row,
    /// Those of each eight do.
    Rows,
    /// Those of each eight are at one place.
    Places,
    /// The same, and the last eight is the lowest.
    Down,
    /// Those of each eight follow each other, but for one lane.
    Broken,
}

impl Shape {
    /// Where a lane is, behind the first, with items of so many bytes.
    fn at(self, lane: u32, size: u32) -> u32 {
        let (eight, apart) = (lane / 8, 8 * size + 16);
        match self {
            Shape::Row => lane * size,
            Shape::Rows => eight * apart + lane % 8 * size,
            Shape::Places => eight * apart,
            Shape::Down => 8 * apart - eight * apart,
            Shape::Broken => eight * apart + lane % 8 * size + if lane == 29 { 4 } else { 0 },
        }
    }
}

/// Whether a program ends, which leaves the same on all levels.
fn ends(levels: &[Level], program: &Program, lanes: u32, what: &str, set: impl Fn(&mut Wave)) -> bool {
    let all: Vec<Left> = levels.iter().map(|level| run(program, *level, lanes, &set)).collect();
    let wrong = levels.iter().zip(&all).find(|(_, left)| **left != all[0]);
    assert_eq!(wrong.map(|(level, _)| level), None, "{what}");
    all[0].4 == Some(Stop::End)
}

/// Lanes that lie in some shape in LDS, aligned or not, and at both of its ends.
#[test]
fn shapes_in_the_share() {
    #[rustfmt::skip]
    const LINES: [(&str, u32); 16] = [
        ("ds_read_u8 v2, v0", 1),         ("ds_write_b8 v0, v4", 1),
        ("ds_read_i16 v2, v0", 2),        ("ds_write_b16 v0, v4", 2),
        ("ds_read_b32 v2, v0", 4),        ("ds_write_b32 v0, v4", 4),
        ("ds_read_b64 v[2:3], v0", 8),    ("ds_write_b64 v0, v[4:5]", 8),
        ("ds_read_b96 v[2:4], v0", 12),   ("ds_write_b96 v0, v[4:6]", 12),
        ("ds_read_b128 v[2:5], v0", 16),  ("ds_write_b128 v0, v[4:7]", 16),
        ("ds_read2_b32 v[0:1], v0", 4),   ("ds_write2_b32 v0, v4, v6", 4),
        ("ds_read2_b64 v[2:5], v0", 8),   ("ds_write2_b64 v0, v[4:5], v[6:7]", 8),
    ];
    let levels: Vec<Level> = Level::all().collect();
    if levels.len() == 1 {
        return;
    }
    let (mut compared, mut ended) = (0, 0);
    for name in crate::PROCESSORS {
        let target = target(name);
        let lanes = if target.wave32() { 32 } else { 64 };
        for (line, size) in LINES {
            if size > 8 && target.generation() < Gen::Gfx7 {
                continue;
            }
            for offset in [0, 1, 4, 8, 20, 0x1400] {
                let offset =
                    if line.contains("2_") { format!("offset1:{}", offset & 0xff) } else { format!("offset:{offset}") };
                let words = crate::bench::words(target, &format!("{line} {offset}")).expect("a program");
                let program = Program::new(target, &words, 0x8000);
                for shape in [Shape::Row, Shape::Rows, Shape::Places, Shape::Broken] {
                    let end = shape.at(lanes - 1, size) + size;
                    // The last is in range by an offset that wraps.
                    let (last, wraps) = (LDS - end, 0u32.wrapping_sub(end + 16));
                    for first in
                        [0, 1, 2, 4, 8, 0x100, last - 20, last - 8, last - 4, last - 1, last, last + 1, last + 4, wraps]
                    {
                        let what = format!("{name}: {line} {offset}, {shape:?} from {first:#x}");
                        let ends = ends(&levels, &program, lanes, &what, |wave| {
                            set_m0(wave, LDS);
                            for lane in 0..lanes {
                                let at = first.wrapping_add(shape.at(lane, size));
                                wave.set_vgpr(0, lane as usize, at);
                                for n in 4..8 {
                                    wave.set_vgpr(n, lane as usize, counting(n as u32 * 64 + lane));
                                }
                            }
                        });
                        compared += 1;
                        ended += u32::from(ends);
                    }
                }
            }
        }
    }
    assert!(ended * 2 > compared, "only {ended} of {compared} ended");
}

/// Lanes that lie in some shape in guest memory, at the ends of its pieces and of what a descriptor covers.
#[test]
fn shapes_in_memory() {
    #[rustfmt::skip]
    const LINES: [&str; 7] = [
        "buffer_load_dword v2, v0, s[4:7], 0 offen",
        "buffer_load_dword v0, v0, s[4:7], s8 offen offset:4",
        "buffer_load_dword v2, v[0:1], s[4:7], 0 idxen offen",
        "global_load_dword v2, v[0:1], off",
        "global_load_dword v0, v[0:1], off offset:20",
        "global_load_dword v2, v0, s[4:5]",
        "flat_load_dword v2, v[0:1]",
    ];
    let levels: Vec<Level> = Level::all().collect();
    if levels.len() == 1 {
        return;
    }
    let (mut compared, mut ended) = (0, 0);
    for name in ["gfx900", "gfx1030", "gfx1100"] {
        let target = target(name);
        let lanes = if target.wave32() { 32 } else { 64 };
        for line in LINES {
            let words = crate::bench::words(target, line).expect("a program");
            let program = Program::new(target, &words, 0x8000);
            for shape in [Shape::Rows, Shape::Places, Shape::Down, Shape::Broken] {
                let end = (0..lanes).map(|lane| shape.at(lane, 4)).max().unwrap_or(0) + 4;
                let behind = |at: u32| [at - end - 4, at - end, at - end + 1, at - end + 4, at - 4, at];
                let firsts = [[0, 1, 2, 4, 0x100, 0x103], behind(0x1000), behind(0x1800), behind(0x1c00)].concat();
                for (first, odd_lane, records) in firsts
                    .iter()
                    .flat_map(|first| [0, 29].map(|lane| [0x1000, 0x4000].map(|n| (*first, lane, n))))
                    .flatten()
                {
                    let what =
                        format!("{name}: {line}, {shape:?} from {first:#x}, lane {odd_lane}, {records:#x} bytes");
                    let ends = ends(&levels, &program, lanes, &what, |wave| {
                        set_m0(wave, LDS);
                        let (stride, format) = if line.contains("idxen") { (4, 0x3101_6fac) } else { (0, 0x3001_6fac) };
                        let words = [BASE as u32, (BASE >> 32) as u32 | stride << 16, records, format];
                        wave.s[4..8].copy_from_slice(&words);
                        wave.s[8] = 8;
                        for lane in 0..lanes {
                            wave.set_vgpr(0, lane as usize, first + shape.at(lane, 4));
                            // The upper half of an address, or an offset behind an index.
                            let upper = if odd_lane != 0 && lane == odd_lane { 0x11 } else { 0x10 };
                            wave.set_vgpr(1, lane as usize, upper);
                        }
                    });
                    compared += 1;
                    ended += u32::from(ends);
                }
            }
        }
    }
    assert!(ended * 2 > compared, "only {ended} of {compared} ended");
}

/// Many more.
#[test]
#[ignore = "takes minutes"]
fn many() {
    for seed in 1..40 {
        levels(&crate::PROCESSORS, 24, SEED.wrapping_mul(2 * seed + 1));
    }
}
