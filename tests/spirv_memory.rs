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

#[path = "spirv_memory/compare.rs"]
mod compare;
#[path = "spirv_memory/stage.rs"]
mod stage;

use compare::{alone, device, emulate, examples, is_memory, program};
use stage::{Sample, Stage};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use wavediff::emu::plan::Program;
use wavediff::isa::form::{Form, Table};
use wavediff::isa::{Arch, Gen, Target};
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
    engines: [Vulkan; 3],
    ran: usize,
    traps: usize,
    skipped: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// A number from the environment.
fn setting(name: &str, usual: u32) -> u32 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual).max(1)
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
            for words in examples(table, form, setting("MEMORY_EXAMPLES", 2) as usize) {
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
