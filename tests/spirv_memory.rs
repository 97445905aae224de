//! Every memory row on a Vulkan device, in every lane model, against the emulator.
//!
//! Instructions are made from the tables ([`wavediff::laws::instructions`]). Each runs in a group of its own, with registers that make
//! sense for it ([`stage`]): addresses in its own two regions of memory or in LDS, descriptors of buffers that are there, now and then
//! something unaligned, shared between lanes, or out of range. A batch of such groups is one program, so that a module is compiled once
//! for many. Those that trap run alone. Registers, LDS and memory must be equal.
//!
//! A driver takes its time to compile that much memory access, so that one in `MEMORY_EVERY` instructions is tried: 1 tries all.
//! `MEMORY_EXAMPLES` says how many examples of each form there are. `MEMORY_PROCESSOR` picks one processor, an
//! argument instructions by their names.

#[path = "spirv_memory/stage.rs"]
mod stage;

use stage::{Sample, Stage};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::disasm;
use wavediff::emu::dispatch::{Dispatch, Hooks};
use wavediff::emu::engine::{Job, Reported, Runner, state};
use wavediff::emu::plan::Program;
use wavediff::emu::trap::TrapKind;
use wavediff::engine::{EngineError, WaveState};
use wavediff::isa::form::{Form, Table};
use wavediff::isa::row::Family;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::laws::{Density, instructions};
use wavediff::memory::atomic::{Atomic, Op};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::spirv::lower::{Options, translate};
use wavediff::vulkan;

/// Instructions of a batch. Compilers take far longer for large programs than for several small ones.
const BATCH: usize = 2;
/// Traps that are tried of each family and processor.
const TRAPS: usize = 3;
/// Whether sums of floats are computed: their functions belong to another part.
const SUMS: bool = true;

fn main() {
    let loaded = vulkan::Vulkan::load(&vulkan::Options::default());
    let gpu = match loaded.and_then(|v| v.choose(&vulkan::Choice::parse("0")).cloned()) {
        Ok(gpu) => gpu,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let engines = Model::ALL.map(|model| Vulkan::new(gpu.open().expect("a device"), model));
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    let processor = std::env::var("MEMORY_PROCESSOR").ok();
    let mut check = Check { engines, ran: 0, traps: 0, skipped: BTreeMap::new(), failures: Vec::new() };
    for name in ["gfx600", "gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200"] {
        if processor.as_deref().is_some_and(|p| p != name) {
            continue;
        }
        check.processor(Target::new(Arch::find(name).expect("a processor")), only.as_deref());
    }
    println!("{} instructions, {} traps, in {} models each", check.ran, check.traps, Model::ALL.len());
    for (why, count) in &check.skipped {
        println!("not compared: {count} of {why}");
    }
    assert!(check.failures.is_empty(), "{} differences", check.failures.len());
}

struct Check {
    engines: [Vulkan; 2],
    ran: usize,
    traps: usize,
    skipped: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// A number from the environment.
fn setting(name: &str, usual: u32) -> u32 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual).max(1)
}

/// Whether an instruction is one of memory.
fn is_memory(form: &Form) -> bool {
    use Family::*;
    matches!(form.row.family, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch)
}

/// Examples of a form: the plain one, and some by chance.
fn examples(table: &'static Table, form: &'static Form) -> Vec<Vec<u32>> {
    let most = setting("MEMORY_EXAMPLES", 2) as usize;
    let mut all: Vec<Vec<u32>> = Vec::new();
    instructions(form, Density { full: false, mixed: 40, seed: 7 }, &mut |words| {
        if let Ok(decoded) = disasm::decode(table, words)
            && std::ptr::eq(decoded.form, form)
        {
            all.push(words[..usize::from(decoded.len)].to_vec());
        }
    });
    let Some(plain) = all.first().cloned() else { return all };
    // From the end, where the mixed ones are.
    all.reverse();
    all.dedup();
    all.truncate(most.saturating_sub(1));
    all.insert(0, plain);
    all
}

/// Whether the result depends on a sum of floats.
fn sums(form: &Form, generation: Gen) -> bool {
    Atomic::from_row(form.row, generation).is_some_and(|a| matches!(a.op, Op::FAdd | Op::PkAddF16 | Op::PkAddBf16))
}

impl Check {
    fn skip(&mut self, why: &str) {
        *self.skipped.entry(why.to_owned()).or_default() += 1;
    }

    fn processor(&mut self, target: Target, only: Option<&str>) {
        let target = Program::plan(target, &[], 0).target;
        let table = Table::of(target);
        let (mut batch, mut traps) = (Vec::new(), BTreeMap::<String, Vec<Sample>>::new());
        let (mut number, every) = (0, setting("MEMORY_EVERY", 64));
        for form in table.forms.iter().filter(|form| is_memory(form)) {
            let name = form.row.name_in(target.generation());
            if only.is_some_and(|only| !name.contains(only)) {
                continue;
            }
            if sums(form, target.generation()) && !SUMS {
                self.skip("sums of floats");
                continue;
            }
            for words in examples(table, form) {
                number += 1;
                if number % every != 0 {
                    continue;
                }
                let sample = Sample { words, kind: number };
                match alone(target, &sample) {
                    Ok(false) => batch.push(sample),
                    Ok(true) => traps.entry(format!("{:?}", form.row.family)).or_default().push(sample),
                    Err(why) => self.skip(&why),
                }
            }
            while batch.len() >= BATCH {
                let rest = batch.split_off(BATCH);
                self.batch(target, &batch);
                batch = rest;
            }
        }
        if !batch.is_empty() {
            self.batch(target, &batch);
        }
        for samples in traps.values() {
            for sample in samples.iter().step_by((samples.len() / TRAPS).max(1)).take(TRAPS) {
                self.traps += 1;
                self.batch(target, std::slice::from_ref(sample));
            }
        }
    }

    fn batch(&mut self, target: Target, samples: &[Sample]) {
        self.ran += samples.len();
        let program = program(target, samples);
        for n in 0..self.engines.len() {
            let engine = &self.engines[n];
            let model = engine.model;
            let start = std::time::Instant::now();
            validate(&program, samples, model);
            let validated = start.elapsed();
            let text = |n: usize| program.0.text(program.1[n]);
            let title = |n: usize| format!("{} {} `{}`", model.name(), target.arch.name, text(n));
            let expected = emulate(&Stage::new(target, samples), samples, &program);
            match device(engine, &Stage::new(target, samples), samples, &program) {
                Ok(got) => {
                    for n in 0..samples.len() {
                        if let Some(difference) = expected.differs(&got, n) {
                            println!("{}: {difference}", title(n));
                            self.failures.push(title(n));
                        }
                    }
                }
                Err(e) => {
                    println!("{}..: {e}", title(0));
                    self.failures.push(title(0));
                }
            }
            if setting("MEMORY_TIMES", 0) > 1 {
                println!("{} {:?} of {:?} {:?}", title(0), validated, start.elapsed(), engine.costs());
            }
        }
    }
}

/// One instruction after the other, each with an end; and where they begin.
fn program(target: Target, samples: &[Sample]) -> (Program, Vec<u32>) {
    let end = Assembler::new(target).encode("s_endpgm", &NoSymbols).expect("the end");
    let (mut words, mut starts) = (Vec::new(), Vec::new());
    for sample in samples {
        starts.push(words.len() as u32);
        words.extend(&sample.words);
        words.extend(&end.words[..usize::from(end.len)]);
    }
    (Program::plan(target, &words, 0x7000_0000_0000), starts)
}

/// What is left of a batch.
struct Left {
    waves: Vec<WaveState>,
    lds: Vec<Vec<u8>>,
    memory: Vec<Vec<u8>>,
    trap: Option<(TrapKind, Option<u32>, Option<u64>)>,
}

impl Left {
    /// What differs in a group.
    fn differs(&self, other: &Left, n: usize) -> Option<String> {
        if self.trap != other.trap {
            return Some(format!("trap {:?}, emulator {:?}", other.trap, self.trap));
        }
        let (Some(a), Some(b)) = (self.waves.get(n), other.waves.get(n)) else {
            return Some(format!("{} waves, emulator {}", other.waves.len(), self.waves.len()));
        };
        let heads = [a, b].map(|w| (w.vcc, w.exec, w.scc, w.m0, w.pc));
        if heads[0] != heads[1] {
            return Some(format!("vcc, exec, scc, m0, pc {:x?}, emulator {:x?}", heads[1], heads[0]));
        }
        if let Some(s) = (0..a.sgprs.len()).find(|s| a.sgprs[*s] != b.sgprs[*s]) {
            return Some(format!("s{s} {:#x}, emulator {:#x}", b.sgprs[s], a.sgprs[s]));
        }
        for (file, a, b) in [("v", &a.vgprs, &b.vgprs), ("a", &a.agprs, &b.agprs)] {
            for (v, (a, b)) in a.iter().zip(b).enumerate() {
                if let Some(lane) = (0..64).find(|lane| a[*lane] != b[*lane]) {
                    return Some(format!("{file}{v} lane {lane} {:#x}, emulator {:#x}", b[lane], a[lane]));
                }
            }
        }
        let bytes = |a: &[u8], b: &[u8]| a.iter().zip(b).position(|(a, b)| a != b);
        if let (Some(a), Some(b)) = (self.lds.get(n), other.lds.get(n))
            && let Some(at) = bytes(a, b)
        {
            return Some(format!("lds byte {at} {:#x}, emulator {:#x}", b[at], a[at]));
        }
        for (region, (a, b)) in self.memory.iter().zip(&other.memory).enumerate() {
            if let Some(at) = bytes(a, b) {
                return Some(format!("region {region} byte {at} {:#x}, emulator {:#x}", b[at], a[at]));
            }
        }
        None
    }
}

fn with_dispatch<T>(
    stage: &Stage,
    samples: &[Sample],
    program: &(Program, Vec<u32>),
    run: impl FnOnce(&Dispatch<'_>) -> T,
) -> T {
    let setup = |id: [u32; 3], _: u32, wave: &mut _| stage.setup(samples, program, id[0] as usize, wave);
    run(&Dispatch {
        program: &program.0,
        memory: &stage.memory,
        groups: [samples.len() as u32, 1, 1],
        waves: 1,
        lanes: stage.lanes,
        lds: stage::LDS,
        apertures: stage.apertures,
        scratch_per_lane: 0,
        limits: wavediff::emu::run::Limits { instructions: 100 },
        shuffle: None,
        threads: 1,
        keep: false,
        setup: &setup,
    })
}

fn reported(target: Target) -> Reported {
    Reported { vgprs: 256, agprs: if target.generation() == Gen::Gfx9 { 256 } else { 0 } }
}

fn emulate(stage: &Stage, samples: &[Sample], program: &(Program, Vec<u32>)) -> Left {
    with_dispatch(stage, samples, program, |dispatch| {
        let left = Mutex::new((Vec::new(), Vec::new()));
        let finish = |id: [u32; 3], waves: &[wavediff::emu::wave::Wave], group: &wavediff::emu::run::Group<'_>| {
            let mut left = left.lock().expect("no panic");
            left.0.extend(waves.iter().map(|w| state(w, id, program.0.target, 1, reported(program.0.target))));
            left.1.push(group.lds.words().iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>());
        };
        let fill = |id: [u32; 3], words: &mut [u32]| stage::fill(id[0], words);
        let hooks = Hooks { lds: Some(&fill), finish: Some(&finish), ..Hooks::default() };
        let finished = dispatch.run_with(&hooks);
        let trap = finished.groups.iter().find_map(|done| done.trap.clone());
        let trap = trap.map(|(_, cause)| (cause.kind, cause.lane, cause.address));
        let (waves, lds) = left.into_inner().expect("no panic");
        Left { waves, lds, memory: stage.bytes(), trap }
    })
}

fn device(
    engine: &Vulkan,
    stage: &Stage,
    samples: &[Sample],
    program: &(Program, Vec<u32>),
) -> Result<Left, EngineError> {
    with_dispatch(stage, samples, program, |dispatch| {
        let fill = |id: [u32; 3], words: &mut [u32]| stage::fill(id[0], words);
        let keep = Some(reported(program.0.target));
        let ran = engine.run(&Job { dispatch, lds: Some(&fill), keep, timeout: None })?;
        let lds = ran.lds.into_iter().map(|m| m.bytes).collect();
        let trap = ran.trap.map(|t| (t.kind, t.lane, t.address));
        Ok(Left { waves: ran.waves, lds, memory: stage.bytes(), trap })
    })
}

/// Whether an instruction traps on the emulator; an error where it executes nothing that could be compared.
fn alone(target: Target, sample: &Sample) -> Result<bool, String> {
    let samples = std::slice::from_ref(sample);
    let program = program(target, samples);
    let step = &program.0.steps[0];
    if !step.executes {
        return Err("what the emulator does not execute".to_owned());
    }
    match emulate(&Stage::new(target, samples), samples, &program).trap {
        Some((TrapKind::Unsupported { .. }, ..)) => Err("what the emulator refuses at run time".to_owned()),
        trap => Ok(trap.is_some()),
    }
}

/// Has the module of a batch looked at by `spirv-val`, where there is one.
fn validate(program: &(Program, Vec<u32>), samples: &[Sample], model: Model) {
    let target = program.0.target;
    let lanes = if target.generation() >= Gen::Gfx10 { 32 } else { 64 };
    let entries = program.1.iter().copied().collect::<BTreeSet<u32>>();
    let options = Options { entries, waves: 1, ..Options::new(target, model, lanes) };
    let translation = translate(&program.0, &options);
    let missing = translation.missing.first();
    let missing = missing.map(|m| format!("{}: {}", program.0.text(m.step), m.needs));
    assert_eq!(missing, None);
    let bytes: Vec<u8> = translation.words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut command = Command::new("spirv-val");
    command
        .args(["--target-env", "vulkan1.1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return };
    child.stdin.take().expect("a pipe").write_all(&bytes).expect("to write");
    let out = child.wait_with_output().expect("an end");
    let says = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{} instructions from {}: {says}", samples.len(), program.0.text(0));
}
