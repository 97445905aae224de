//! Rays and stacks of nodes on a Vulkan device against the emulator: drawn descriptors, rays and nodes; drawn registers and words of LDS, a lane's
//! stack beside the others'.
//!
//! What they should leave is in `tests/rays` and in the cases, which run here too: both engines must say the same.
//!
//! A plain run takes each case and each kind of ray in one lane model, `--include-ignored` in all three. Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/cases.rs"]
mod cases;
#[path = "spirv/setup.rs"]
mod setup;

use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::{Arc, Mutex};
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::case::{Case, wave_size};
use wavediff::emu::engine::Emulator;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::keep::{Reported, Wanted};
use wavediff::engine::registers::Registers;
use wavediff::engine::{Job, Ran, Runner};
use wavediff::isa::{Arch, Gen, Target};
use wavediff::laws::Chance;
use wavediff::memory::guest::Memory;
use wavediff::memory::image::fields::Fields;
use wavediff::memory::rays::fields::TreeField;
use wavediff::program::Program;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;

/// Instructions: v1 is the register of the stack, v2 the node that was visited, the nodes begin at v3. Offsets give sizes, pairs and ranges.
#[rustfmt::skip]
static STACKS: &[(&str, u32, &str)] = &[
    ("gfx1100", 32, "ds_bvh_stack_rtn_b32 v0, v1, v2, v[3:6]"),
    ("gfx1100", 64, "ds_bvh_stack_rtn_b32 v0, v1, v2, v[3:6] offset:8192"),
    ("gfx1200", 32, "ds_bvh_stack_push4_pop1_rtn_b32 v0, v1, v2, v[3:6] offset:4"),
    ("gfx1200", 64, "ds_bvh_stack_push8_pop1_rtn_b32 v0, v1, v2, v[3:10] offset:7"),
    ("gfx1200", 32, "ds_bvh_stack_push8_pop1_rtn_b32 v0, v1, v2, v[3:10] offset:536"),
    ("gfx1200", 64, "ds_bvh_stack_push8_pop2_rtn_b64 v[12:13], v1, v2, v[3:10] offset:31"),
    ("gfx1200", 32, "ds_bvh_stack_push8_pop2_rtn_b64 v[12:13], v1, v2, v[3:10] offset:773"),
    ("gfx1200", 32, "ds_bvh_stack_push8_pop2_rtn_b64 v[1:2], v1, v2, v[3:10] offset:256"),
];

/// Waves of each, with a group for each.
const WAVES: u32 = 256;
/// Bytes of LDS: two halves of a wave, each with up to 32 words of 32 lanes.
const LDS: u32 = 2 * 32 * 128;

fn program(target: Target, text: &str) -> Program {
    let module = assemble("one.s", &format!("{text}\ns_endpgm\n"), &Assembler::new(target), target).expect("assembly");
    let text = module.sections.iter().find(|s| s.name == ".text").map(|s| &s.bytes[..]).unwrap_or_default();
    let code: Vec<u32> = text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Program::new(target, &code, 0x1000)
}

/// Few nodes of each kind, so that one is met again; those that stand for no node and say more.
fn node(chance: &mut Chance) -> u32 {
    match chance.below(3) {
        0 => u32::MAX - chance.below(8) as u32,
        _ => (chance.below(3) as u32) << 3 | chance.below(16) as u32,
    }
}

/// The registers of a lane: any, or such as lead into its own words.
fn lane(chance: &mut Chance, arch: &str, lane: u32, anywhere: bool, wave: &mut Registers) {
    let base = lane / 32 * (LDS / 2) + lane % 32 * 4;
    let drawn = chance.next_u64() as u32;
    let register = match arch {
        _ if anywhere => drawn,
        "gfx1100" => (base >> 2 << 18) | (drawn % 70),
        _ => base >> 2 << 15 | drawn & 0xe000_7fff,
    };
    let nodes: [u32; 8] = std::array::from_fn(|_| node(chance));
    let visited = if chance.below(2) == 0 { nodes[chance.below(8)] } else { node(chance) };
    for (n, v) in [register, visited].into_iter().chain(nodes).enumerate() {
        wave.set_vgpr(n + 1, lane as usize, v);
    }
}

fn run(engine: &dyn Runner, program: &Program, arch: &str, lanes: u32) -> Result<Ran, Failed> {
    let setup = |group: [u32; 3], _: u32, wave: &mut Registers| {
        let mut chance = Chance::new(u64::from(group[0]) + 77);
        // A stack that lies anywhere is one lane's alone: else lanes would meet.
        let anywhere = group[0] % 4 == 3;
        wave.set_exec(if anywhere { 1 << chance.below(lanes as usize) } else { chance.next_u64() | 1 });
        (0..lanes).for_each(|n| lane(&mut chance, arch, n, anywhere, wave));
    };
    let lds = |group: [u32; 3], words: &mut [u32]| {
        let mut chance = Chance::new(u64::from(group[0]) << 20);
        words.fill_with(|| node(&mut chance));
    };
    let memory = Memory::new();
    let mut dispatch = Dispatch::of_one(program, &memory, lanes, &setup);
    dispatch.groups[0] = WAVES;
    dispatch.lds = LDS;
    let keep = Wanted::States(Reported { vgprs: 16, agprs: 0 });
    Ok(engine.run(&Job { dispatch: &dispatch, lds: Some(&lds), keep, timeout: None })?)
}

fn target(arch: &str, lanes: u32) -> Target {
    let target = Target::new(Arch::find(arch).expect("a processor"));
    target.wave(lanes).unwrap_or(target)
}

/// Registers and LDS of all waves must be the same.
fn same(expected: &Ran, got: &Ran, lanes: u32) -> Result<(), Failed> {
    let trap = |ran: &Ran| ran.trap.as_ref().map(ToString::to_string);
    assert_eq!(trap(expected), trap(got));
    assert_eq!([expected.waves.len(), got.waves.len()], [WAVES as usize; 2]);
    for (n, (a, b)) in expected.waves.iter().zip(&got.waves).enumerate() {
        for (r, (a, b)) in a.vgprs.iter().zip(&b.vgprs).enumerate() {
            if let Some(lane) = (0..lanes as usize).find(|lane| a[*lane] != b[*lane]) {
                return Err(format!("wave {n}: v{r} lane {lane}: {:#x}, emulator {:#x}", b[lane], a[lane]).into());
            }
        }
    }
    assert_eq!(expected.lds.len(), got.lds.len());
    for (n, (a, b)) in expected.lds.iter().zip(&got.lds).enumerate() {
        if let Some(at) = a.bytes.iter().zip(&b.bytes).position(|(a, b)| a != b) {
            return Err(format!("wave {n}: LDS at {at:#x}: {:#x}, emulator {:#x}", b.bytes[at], a.bytes[at]).into());
        }
    }
    Ok(())
}

fn compare(engine: &Vulkan, arch: &str, lanes: u32, text: &str) -> Result<(), Failed> {
    let program = program(target(arch, lanes), text);
    let (expected, got) = (run(&Emulator::default(), &program, arch, lanes)?, run(engine, &program, arch, lanes)?);
    assert_eq!(expected.lds.len(), WAVES as usize);
    same(&expected, &got, lanes)
}

/// An instruction that holds rays against nodes: whether pointers have 64 bits, and where extent, origin, direction and its inverse begin.
struct Line {
    arch: &'static str,
    lanes: u32,
    text: &'static str,
    wide: bool,
    at: [usize; 4],
}

#[rustfmt::skip]
static RAYS: &[Line] = &[
    Line { arch: "gfx1030", lanes: 32, wide: false, at: [1, 2, 5, 8],  text: "image_bvh_intersect_ray v[20:23], v[0:10], s[0:3]" },
    Line { arch: "gfx1030", lanes: 64, wide: true,  at: [2, 3, 6, 9],  text: "image_bvh64_intersect_ray v[20:23], v[0:11], s[0:3]" },
    Line { arch: "gfx1030", lanes: 32, wide: true,  at: [2, 3, 6, 6],  text: "image_bvh64_intersect_ray v[20:23], v[0:8], s[0:3] a16" },
    Line { arch: "gfx1100", lanes: 32, wide: false, at: [2, 4, 7, 10], text: "image_bvh_intersect_ray v[20:23], [v0, v2, v[4:6], v[7:9], v[10:12]], s[0:3]" },
    Line { arch: "gfx1100", lanes: 64, wide: true,  at: [2, 4, 7, 10], text: "image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]" },
    Line { arch: "gfx1100", lanes: 32, wide: true,  at: [2, 4, 7, 7],  text: "image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[4:6], v[7:9]], s[0:3] a16" },
    Line { arch: "gfx1200", lanes: 64, wide: true,  at: [2, 4, 7, 10], text: "image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]" },
    Line { arch: "gfx1200", lanes: 32, wide: true,  at: [2, 4, 7, 13], text: "image_bvh_dual_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v[10:11]], s[0:3]" },
    Line { arch: "gfx1200", lanes: 32, wide: true,  at: [2, 4, 7, 13], text: "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]" },
    Line { arch: "gfx1200", lanes: 64, wide: true,  at: [2, 4, 7, 13], text: "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]" },
];

impl Line {
    /// Whether pointers stand behind the ray, of a tree with a pointer of its own.
    fn is_inside(&self) -> bool {
        !self.text.contains("bvh64") && !self.text.contains("bvh_intersect")
    }
}

const BASE: u64 = 0x10_0000_0000;
/// Units of 64 bytes, and behind them room for a node of two that begins in the last one.
const UNITS: u64 = 64;

/// The kind of node that a unit holds: triangles, boxes of f16, a half of boxes of f32.
fn unit_kind(unit: u64) -> u32 {
    [0, 4, 5, 5][unit as usize % 4]
}

/// A float: mostly a small one of few bits, so that rays meet corners and planes.
fn float(chance: &mut Chance) -> f32 {
    match chance.below(24) {
        0 => [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e30, f32::MAX, 1e-40, 0.0][chance.below(8)],
        1..=4 => f32::from_bits((chance.next_u64() as u32 & 0x80ff_ffff) + (0x7b << 23)),
        _ => (chance.below(65) as f32 - 32.0) / 8.0,
    }
}

/// An f16: mostly a small number.
fn half(chance: &mut Chance) -> u32 {
    let drawn = (chance.next_u64() & 0xffff) as u32;
    if chance.below(12) == 0 { drawn } else { drawn & 0x83c0 | (0x3800 + (drawn & 0xc00)) }
}

/// The nodes of a tree. Most boxes have their lower planes below zero and their upper ones above.
fn nodes() -> Vec<u8> {
    let mut chance = Chance::new(0x7ee);
    let mut words = Vec::new();
    for unit in 0..UNITS + 2 {
        let kind = unit_kind(unit);
        let behind = if unit % 4 == 3 { 16 } else { 0 };
        for n in 0..16 {
            // Behind the four pointers come planes, three lower and three upper ones of each box.
            let plane = (behind + n + 2) % 6;
            let signed = |sign: u32, plane: u32, v: u32, keeps: bool| {
                let lower = if plane % 6 < 3 { sign } else { 0 };
                if keeps { v } else { v & !sign | lower }
            };
            let keeps = chance.below(8) == 0;
            words.push(match (kind, n) {
                (4 | 5, 0..4) if behind == 0 => {
                    if chance.below(6) == 0 {
                        u32::MAX
                    } else {
                        chance.next_u64() as u32
                    }
                }
                (4, _) => {
                    let [low, high] =
                        [2 * (n + 2), 2 * (n + 2) + 1].map(|at| signed(0x8000, at, half(&mut chance), keeps));
                    low | high << 16
                }
                (5, _) if behind + n < 28 => signed(1 << 31, plane, float(&mut chance).to_bits(), keeps),
                (5, _) | (_, 14 | 15) => chance.next_u64() as u32,
                _ => float(&mut chance).to_bits(),
            });
        }
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Writes bits behind each other.
fn put_bits(words: &mut [u32], at: usize, count: usize, v: u32) {
    for n in 0..count {
        let (word, bit) = ((at + n) / 32, (at + n) % 32);
        words[word] = words[word] & !(1 << bit) | (v >> n & 1) << bit;
    }
}

/// A node of gfx12 of 128 bytes: eight boxes, triangles, an instance.
fn packed_node(chance: &mut Chance, of: usize) -> [u32; 32] {
    let mut words: [u32; 32] = std::array::from_fn(|_| chance.next_u64() as u32);
    match of {
        0 | 2 => {
            let (origin, children) = if of == 0 { (3, 8) } else { (16, 20) };
            // The matrix of an instance.
            words[..if of == 0 { 0 } else { 12 }].fill_with(|| float(chance).to_bits());
            for n in 0..3 {
                words[origin + n] = float(chance).to_bits();
            }
            let exponents = (chance.next_u64() as u32 & 0x0303_0303) + 0x007f_7f7f;
            words[origin + 3] = words[origin + 3] & 0xf000_0000 | exponents & 0x01ff_ffff;
            for child in words[children..].chunks_exact_mut(3) {
                // Lower planes low, upper ones high, and mostly all rays see it.
                child[0] &= 0xf77f_f7ff;
                child[1] = child[1] & 0xff7f_f7ff | 0x0080_0000 | if chance.below(4) == 0 { 0 } else { 0xff00_0000 };
                child[2] |= 0x0080_0800;
            }
        }
        1 if chance.below(3) > 0 => {
            // Corners in full.
            put_bits(&mut words, 0, 15, 0x7fff);
            put_bits(&mut words, 15, 5, 0);
            put_bits(&mut words, 28, 3, 1);
            for n in 0..9 * 3 {
                put_bits(&mut words, 52 + 32 * n, 32, float(chance).to_bits());
            }
            for pair in 1..3 {
                let corners = (0..6).fold(0, |all, _| all << 4 | chance.below(9) as u32);
                put_bits(&mut words, 1024 - 29 * pair + 3, 24, corners);
            }
        }
        _ => {}
    }
    words
}

/// Packed nodes, and between them those of gfx11. No turn and no way to store corners is one that is refused.
fn nodes_of_gfx12() -> Vec<u8> {
    let mut chance = Chance::new(0x12ee);
    let mut bytes = nodes();
    for (n, node) in bytes.chunks_exact_mut(128).enumerate().filter(|(n, _)| n % 5 < 4) {
        let words = packed_node(&mut chance, [0, 1, 2, 0][n % 5]);
        node.chunks_exact_mut(4).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
    }
    for unit in bytes.chunks_exact_mut(64) {
        unit[3] &= 0x7f;
        unit[28] |= if unit[28] & 0x7f >= 104 { 0x7f } else { 0 };
    }
    bytes
}

/// A tree whose fields that choose something are drawn.
fn tree(chance: &mut Chance, target: Target) -> [u32; 4] {
    let mut words = [0; 4];
    for field in TreeField::ALL {
        let drawn = chance.next_u64() & ((1 << field.bits(target.generation()).min(32)) - 1);
        let value = match field {
            TreeField::Base => BASE >> 8,
            TreeField::Size => [UNITS - 1, UNITS - 1, UNITS / 2][chance.below(3)],
            TreeField::Type => 8,
            TreeField::Grow if chance.below(2) == 0 => 0,
            _ => drawn,
        };
        if field.bits(target.generation()) > 0 {
            field.set(&mut words, target.generation(), value);
        }
    }
    words
}

fn meet(engine: &dyn Runner, program: &Program, line: &Line, memory: &Memory) -> Result<Ran, Failed> {
    let setup = |group: [u32; 3], _: u32, wave: &mut Registers| {
        let mut chance = Chance::new(u64::from(group[0]) + 99);
        wave.s[..4].copy_from_slice(&tree(&mut chance, program.target));
        wave.set_exec(if group[0].is_multiple_of(4) { chance.next_u64() } else { u64::MAX });
        for lane in 0..line.lanes as usize {
            let put = |n: usize, v: u32| wave.set_vgpr(n, lane, v);
            let unit = chance.next_u64() % UNITS;
            let kind = if chance.below(8) == 0 {
                chance.below(8) as u32
            } else {
                unit_kind(unit) + if unit.is_multiple_of(4) { chance.below(4) as u32 } else { 0 }
            };
            put(0, (unit as u32) << 3 | kind);
            let [extent, origin, direction, inverse] = line.at;
            put(extent, if chance.below(3) == 0 { float(&mut chance).to_bits() } else { 100f32.to_bits() });
            for n in 0..3 {
                put(origin + n, float(&mut chance).to_bits());
                let along = float(&mut chance);
                put(direction + n, along.to_bits());
                let by = if chance.below(8) == 0 { float(&mut chance) } else { 1.0 / along };
                put(
                    inverse + n,
                    if inverse == direction { half(&mut chance) | half(&mut chance) << 16 } else { by.to_bits() },
                );
            }
            if line.wide {
                put(1, if program.target.generation() == Gen::Gfx10 { 0 } else { (chance.next_u64() as u32) << 22 });
            }
            if line.is_inside() {
                // Flags of a pointer are rare, for most of them leave nothing.
                if chance.below(3) > 0 {
                    put(1, 0);
                }
                put(0, 0);
                put(3, chance.next_u64() as u32 | if chance.below(2) == 0 { 0 } else { 0xff });
                for register in [10, 11] {
                    let unit = chance.next_u64() as u32 % UNITS as u32;
                    let packed = [5, 1, 6, 5, 0][unit as usize / 2 % 5];
                    let kind = if chance.below(3) == 0 { chance.below(8) as u32 } else { packed };
                    let even = if chance.below(4) == 0 { 0 } else { 1 };
                    put(register, (unit & !even) << 3 | kind | if kind == 1 { chance.below(16) as u32 & 9 } else { 0 });
                }
            }
        }
    };
    let mut dispatch = Dispatch::of_one(program, memory, line.lanes, &setup);
    dispatch.groups[0] = WAVES;
    let keep = Wanted::States(Reported { vgprs: 32, agprs: 0 });
    Ok(engine.run(&Job { dispatch: &dispatch, lds: None, keep, timeout: None })?)
}

fn compare_rays(engine: &Vulkan, line: &Line) -> Result<(), Failed> {
    let program = program(target(line.arch, line.lanes), line.text);
    let mut memory = Memory::new();
    let nodes = if line.arch == "gfx1200" { nodes_of_gfx12() } else { nodes() };
    memory.map_bytes("nodes", BASE, &nodes, false).expect("memory");
    let expected = meet(&Emulator::default(), &program, line, &memory)?;
    let got = meet(engine, &program, line, &memory)?;
    if line.is_inside() {
        // What is met leaves other words than none at all.
        let words = expected.waves.iter().flat_map(|wave| wave.vgprs[20..30].iter().flatten());
        let met = words.filter(|v| !matches!(**v, 0 | 0x7f80_0000 | 0x3f80_0000 | u32::MAX)).count();
        assert!(met > 8000, "{met} words");
    } else {
        // Of triangles there is a distance, of boxes a pointer.
        let [mut triangles, mut boxes] = [0; 2];
        for wave in &expected.waves {
            for (pointer, got) in wave.vgprs[0].iter().zip(&wave.vgprs[20]) {
                let of_triangle = pointer & 7 < 4;
                triangles += usize::from(of_triangle && f32::from_bits(*got).is_finite() && *got != 0);
                boxes += usize::from(!of_triangle && *got != u32::MAX && *got != 0);
            }
        }
        assert!(triangles > 10 && boxes > 400, "{triangles} triangles and {boxes} nodes of boxes are met");
    }
    same(&expected, &got, line.lanes)
}

/// What is refused of a tree or a node, by one lane against it: another descriptor, corners in another form, a turn that no table has.
fn refuses(engine: &Vulkan) -> Result<(), Failed> {
    let text = "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]";
    let program = program(target("gfx1200", 32), text);
    // The type of the descriptor, words 0 and 7 of the node, the kind of the pointer, and what the reason names.
    for (ty, first, turn, kind, wanted) in [
        (9, 0, 0, 5, "TYPE 9"),
        (8, 1 << 31, 0, 0, "unorm16"),
        (8, 0, 104, 5, "the turn 104"),
        (8, 0, 126, 5, "the turn 126"),
    ] {
        let mut node = [0u32; 32];
        (node[0], node[7]) = (first, turn);
        let mut memory = Memory::new();
        let bytes: Vec<u8> = node.into_iter().flat_map(u32::to_le_bytes).collect();
        memory.map_bytes("node", BASE, &bytes, false).expect("memory");
        let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
            let fields = [(TreeField::Base, BASE >> 8), (TreeField::Compressed, 1), (TreeField::Type, ty)];
            fields.into_iter().for_each(|(field, v)| field.set(&mut wave.s[..4], Gen::Gfx12, v));
            wave.set_exec(1 << 7);
            wave.set_vgpr(10, 7, kind);
        };
        let dispatch = Dispatch::of_one(&program, &memory, 32, &setup);
        let keep = Wanted::States(Reported { vgprs: 32, agprs: 0 });
        let [expected, got] = [&Emulator::default() as &dyn Runner, engine]
            .map(|engine| engine.run(&Job { dispatch: &dispatch, lds: None, keep, timeout: None }));
        let [expected, got] = [expected?, got?].map(|ran| ran.trap.map(|trap| trap.to_string()));
        assert!(expected.as_ref().is_some_and(|reason| reason.contains(wanted)), "{expected:?}");
        assert_eq!(expected, got);
    }
    Ok(())
}

/// The cases, on their processors.
fn all_cases() -> Vec<(String, Case, Target)> {
    let mut all = Vec::new();
    for path in cases::files(&cases::folder().with_file_name("rays")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let case = cases::read(&path);
        all.extend(case.targets().into_iter().map(|target| (name.clone(), case.clone(), target)));
    }
    all
}

fn main() {
    let mut args = Arguments::from_args();
    args.test_threads = Some(1);
    let gpu = setup::gpu();
    let mut trials = Vec::new();
    for model in Model::ALL {
        let engine = Arc::new(Mutex::new(gpu.as_ref().map(|gpu| Vulkan::new(gpu.open().expect("a device"), model))));
        for (n, (arch, lanes, text)) in STACKS.iter().enumerate() {
            let engine = engine.clone();
            let run = move || match &*engine.lock().unwrap_or_else(|e| e.into_inner()) {
                Some(engine) => compare(engine, arch, *lanes, text),
                None => Ok(()),
            };
            let row = text.split(' ').next().unwrap_or_default();
            let trial = Trial::test(format!("{}::{arch}::{row}_{n}", model.name()), run);
            trials.push(trial.with_ignored_flag(gpu.is_none()));
        }
        for (n, line) in RAYS.iter().enumerate() {
            let engine = engine.clone();
            let run = move || match &*engine.lock().unwrap_or_else(|e| e.into_inner()) {
                Some(engine) => compare_rays(engine, line),
                None => Ok(()),
            };
            let title = format!("{}::{}::rays_{n}", model.name(), line.arch);
            let plain = n % Model::ALL.len() == model as usize;
            trials.push(Trial::test(title, run).with_ignored_flag(gpu.is_none() || !plain));
        }
        let refusing = engine.clone();
        let run = move || match &*refusing.lock().unwrap_or_else(|e| e.into_inner()) {
            Some(engine) => refuses(engine),
            None => Ok(()),
        };
        trials.push(Trial::test(format!("{}::gfx1200::refused", model.name()), run).with_ignored_flag(gpu.is_none()));
        for (n, (name, case, target)) in all_cases().into_iter().enumerate() {
            let engine = engine.clone();
            let title = format!("{}::{name}::{}-wave{}", model.name(), target.arch.name, wave_size(target));
            let run = move || match &*engine.lock().unwrap_or_else(|e| e.into_inner()) {
                Some(engine) => cases::run(engine, &case, target),
                None => Ok(()),
            };
            let plain = n % Model::ALL.len() == model as usize;
            trials.push(Trial::test(title, run).with_ignored_flag(gpu.is_none() || !plain));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}
