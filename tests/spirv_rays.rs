//! Stacks of nodes on a Vulkan device against the emulator: drawn registers, nodes and words of LDS, a lane's stack beside the others'.
//!
//! What stacks should leave is in `tests/rays/stacks.rs` (lists) and in the cases, which run here too: both engines must say the same.
//!
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

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
use wavediff::isa::{Arch, Target};
use wavediff::laws::Chance;
use wavediff::memory::guest::Memory;
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
        "gfx1100" => base >> 2 << 18 | drawn % 70,
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

fn compare(engine: &Vulkan, arch: &str, lanes: u32, text: &str) -> Result<(), Failed> {
    let target = Target::new(Arch::find(arch).expect("a processor"));
    let program = program(target.wave(lanes).unwrap_or(target), text);
    let (expected, got) = (run(&Emulator::default(), &program, arch, lanes)?, run(engine, &program, arch, lanes)?);
    assert_eq!([expected.waves.len(), got.waves.len(), expected.lds.len(), got.lds.len()], [WAVES as usize; 4]);
    for (n, (a, b)) in expected.waves.iter().zip(&got.waves).enumerate() {
        for (r, (a, b)) in a.vgprs.iter().zip(&b.vgprs).enumerate() {
            if let Some(lane) = (0..lanes as usize).find(|lane| a[*lane] != b[*lane]) {
                return Err(format!("wave {n}: v{r} lane {lane}: {:#x}, emulator {:#x}", b[lane], a[lane]).into());
            }
        }
    }
    for (n, (a, b)) in expected.lds.iter().zip(&got.lds).enumerate() {
        if let Some(at) = a.bytes.iter().zip(&b.bytes).position(|(a, b)| a != b) {
            return Err(format!("wave {n}: LDS at {at:#x}: {:#x}, emulator {:#x}", b.bytes[at], a.bytes[at]).into());
        }
    }
    let trap = |ran: &Ran| ran.trap.as_ref().map(ToString::to_string);
    assert_eq!(trap(&expected), trap(&got));
    Ok(())
}

/// The cases of stacks.
fn translated() -> Vec<(String, Case)> {
    let folder = cases::folder().with_file_name("rays");
    let named = cases::files(&folder).into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, cases::read(&path))
    });
    named.filter(|(name, _)| name.starts_with("stack") || name.starts_with("ring")).collect()
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
        for (path, case) in translated() {
            for target in case.targets() {
                let (engine, case) = (engine.clone(), case.clone());
                let title = format!("{}::{path}::{}-wave{}", model.name(), target.arch.name, wave_size(target));
                let run = move || match &*engine.lock().unwrap_or_else(|e| e.into_inner()) {
                    Some(engine) => cases::run(engine, &case, target),
                    None => Ok(()),
                };
                trials.push(Trial::test(title, run).with_ignored_flag(gpu.is_none()));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit();
}
