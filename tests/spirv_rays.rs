//! Rays and stacks of nodes on a Vulkan device against the emulator: drawn descriptors, rays and nodes; drawn registers and words of LDS, a lane's
//! stack beside the others'.
//!
//! What they should leave is in `tests/rays` and in the cases, which run here too: both engines must say the same.
//!
//! CI takes each stack, each kind of ray and each case in one lane model, a case on one of its processors, a plain run every second of them. Nodes of
//! eight boxes take drivers minutes to compile: CI takes half of them, in workgroups, and what is refused of them. `--include-ignored` takes all.
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/cases.rs"]
mod cases;
#[path = "spirv/engines.rs"]
mod engines;
#[path = "support/quickly.rs"]
mod quickly;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use engines::Engines;
use libtest_mimic::{Arguments, Failed};
use quickly::compile_quickly;
use std::path::Path;
use thorough::tries;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::case::{Case, wave_size};
use wavediff::emu::engine::Emulator;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::keep::{Reported, Wanted};
use wavediff::engine::registers::Registers;
use wavediff::engine::{Job, Ran, Runner};
use wavediff::isa::does::Does;
use wavediff::isa::row::Inst;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::laws::Chance;
use wavediff::memory::guest::Memory;
use wavediff::memory::image::fields::Fields;
use wavediff::memory::rays::fields::TreeField;
use wavediff::program::{Access, Program};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::suite::rays;

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

fn run(engine: &dyn Runner, program: &Program, lanes: u32) -> Result<Ran, Failed> {
    let (access, row) = what(program);
    let Does::Stack(stack) = row.does else { return Err("no stack".into()) };
    let setup = |group: [u32; 3], _: u32, wave: &mut Registers| {
        let mut chance = Chance::new(u64::from(group[0]) + 77);
        // A stack that lies anywhere is one lane's alone: else lanes would meet.
        let anywhere = group[0] % 4 == 3;
        wave.set_exec(if anywhere { 1 << chance.below(lanes as usize) } else { chance.next_u64() | 1 });
        for lane in 0..lanes {
            let base = lane / 32 * (LDS / 2) + lane % 32 * 4;
            rays::put_stack(wave, (access, stack), lane, (!anywhere).then_some(base), &mut chance);
        }
    };
    let lds = |group: [u32; 3], words: &mut [u32]| {
        let mut chance = Chance::new(u64::from(group[0]) << 20);
        words.fill_with(|| rays::stacked(&mut chance));
    };
    let memory = Memory::new();
    let mut dispatch = Dispatch::of_one(program, &memory, lanes, &setup);
    dispatch.groups[0] = WAVES;
    dispatch.lds = LDS;
    let keep = Wanted::States(Reported { vgprs: 16, agprs: 0 });
    Ok(engine.run(&Job { dispatch: &dispatch, lds: Some(&lds), keep, timeout: None })?)
}

/// What the first instruction of a program asks of memory.
fn what(program: &Program) -> (&Access, &'static Inst) {
    let step = &program.steps[0];
    (step.memory.as_deref().expect("an instruction of memory"), step.row.expect("a row"))
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
    let (expected, got) = (run(&Emulator::default(), &program, lanes)?, run(engine, &program, lanes)?);
    assert_eq!(expected.lds.len(), WAVES as usize);
    same(&expected, &got, lanes)
}

/// An instruction that holds rays against nodes: its result begins at v20.
struct Line {
    arch: &'static str,
    lanes: u32,
    text: &'static str,
}

#[rustfmt::skip]
static RAYS: &[Line] = &[
    Line { arch: "gfx1030", lanes: 32, text: "image_bvh_intersect_ray v[20:23], v[0:10], s[0:3]" },
    Line { arch: "gfx1030", lanes: 64, text: "image_bvh64_intersect_ray v[20:23], v[0:11], s[0:3]" },
    Line { arch: "gfx1030", lanes: 32, text: "image_bvh64_intersect_ray v[20:23], v[0:8], s[0:3] a16" },
    Line { arch: "gfx1100", lanes: 32, text: "image_bvh_intersect_ray v[20:23], [v0, v2, v[4:6], v[7:9], v[10:12]], s[0:3]" },
    Line { arch: "gfx1100", lanes: 64, text: "image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]" },
    Line { arch: "gfx1100", lanes: 32, text: "image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[4:6], v[7:9]], s[0:3] a16" },
    Line { arch: "gfx1200", lanes: 64, text: "image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]" },
    Line { arch: "gfx1200", lanes: 32, text: "image_bvh_dual_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v[10:11]], s[0:3]" },
    Line { arch: "gfx1200", lanes: 32, text: "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]" },
    Line { arch: "gfx1200", lanes: 64, text: "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]" },
];

impl Line {
    /// Whether pointers stand behind the ray, of a tree with a pointer of its own.
    fn is_inside(&self) -> bool {
        !self.text.contains("bvh64") && !self.text.contains("bvh_intersect")
    }
}

const BASE: u64 = 0x10_0000_0000;
fn meet(engine: &dyn Runner, program: &Program, line: &Line, memory: &Memory) -> Result<Ran, Failed> {
    let (access, _) = what(program);
    let setup = |group: [u32; 3], _: u32, wave: &mut Registers| {
        let mut chance = Chance::new(u64::from(group[0]) + 99);
        rays::put(wave, access, line.lanes, BASE, group[0]);
        wave.set_exec(if group[0].is_multiple_of(4) { chance.next_u64() } else { u64::MAX });
    };
    let mut dispatch = Dispatch::of_one(program, memory, line.lanes, &setup);
    dispatch.groups[0] = WAVES;
    let keep = Wanted::States(Reported { vgprs: 32, agprs: 0 });
    Ok(engine.run(&Job { dispatch: &dispatch, lds: None, keep, timeout: None })?)
}

fn compare_rays(engine: &Vulkan, line: &Line) -> Result<(), Failed> {
    let program = program(target(line.arch, line.lanes), line.text);
    let mut memory = Memory::new();
    memory.map_bytes("nodes", BASE, &rays::nodes(program.target.generation()), false).expect("memory");
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

/// The cases.
fn all_cases() -> Vec<(String, Case)> {
    let files = cases::files(&cases::folder().with_file_name("rays"));
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), cases::read(path))).collect()
}

/// Whether a case or an instruction is of nodes of eight boxes, whose programs are large.
fn has_eight_boxes(name: &str) -> bool {
    name.contains("bvh8")
}

fn main() {
    compile_quickly();
    let args = Arguments::from_args();
    let gpu = setup::gpu();
    let step = tries(2, 1);
    let mut trials = Vec::new();
    for model in Model::ALL {
        let engines = Engines::new(gpu.as_ref(), model, |_| {});
        // Eight boxes take ten seconds to compile in workgroups, twenty in subgroups, and a minute as single invocations.
        let is_turn = |n: usize, name: &str| match has_eight_boxes(name) {
            true => tries(false, n.is_multiple_of(2) && model == Model::Workgroup),
            false => n.is_multiple_of(step) && n % Model::ALL.len() == model as usize,
        };
        for (n, (arch, lanes, text)) in STACKS.iter().enumerate() {
            let row = text.split(' ').next().unwrap_or_default();
            let title = format!("{}::{arch}::{row}_{n}", model.name());
            trials.push(engines.trial(title, is_turn(n, row), |engine| compare(engine, arch, *lanes, text)));
        }
        for (n, line) in RAYS.iter().enumerate() {
            let title = format!("{}::{}::rays_{n}", model.name(), line.arch);
            trials.push(engines.trial(title, is_turn(n, line.text), |engine| compare_rays(engine, line)));
        }
        let title = format!("{}::gfx1200::refused", model.name());
        let plain = is_turn(0, "bvh8");
        trials.push(engines.trial(title, plain, |engine| refuses(engine)));
        for (n, (name, case)) in all_cases().into_iter().enumerate() {
            let targets = case.targets();
            let turn = is_turn(n, &name).then(|| n % targets.len().max(1));
            for (at, target) in targets.into_iter().enumerate() {
                let title = format!("{}::{name}::{}-wave{}", model.name(), target.arch.name, wave_size(target));
                let case = case.clone();
                trials.push(engines.trial(title, Some(at) == turn, move |engine| cases::run(engine, &case, target)));
            }
        }
    }
    engines::run(args, trials);
}
