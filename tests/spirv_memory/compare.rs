//! Batches of memory instructions on the emulator and on a device.

use crate::stage::{self, Sample, Stage};
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
use wavediff::isa::{Gen, Target};
use wavediff::laws::{Density, instructions};
use wavediff::spirv::engine::Vulkan;

/// Whether an instruction is one of memory.
pub fn is_memory(form: &Form) -> bool {
    use Family::*;
    matches!(form.row.family, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch)
}

/// Examples of a form: the plain one, and some by chance.
pub fn examples(table: &'static Table, form: &'static Form, most: usize) -> Vec<Vec<u32>> {
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

/// One instruction after the other, each with an end; and where they begin.
pub fn program(target: Target, samples: &[Sample]) -> (Program, Vec<u32>) {
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
pub struct Left {
    waves: Vec<WaveState>,
    lds: Vec<Vec<u8>>,
    memory: Vec<Vec<u8>>,
    trap: Option<(TrapKind, Option<u32>, Option<u64>)>,
}

impl Left {
    /// What differs in a group.
    pub fn differs(&self, other: &Left, n: usize) -> Option<String> {
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
        limits: wavediff::emu::run::Limits { instructions: 100, pause: None },
        shuffle: None,
        threads: 1,
        keep: false,
        setup: &setup,
    })
}

fn reported(target: Target) -> Reported {
    Reported { vgprs: 256, agprs: if target.generation() == Gen::Gfx9 { 256 } else { 0 } }
}

pub fn emulate(stage: &Stage, samples: &[Sample], program: &(Program, Vec<u32>)) -> Left {
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

pub fn device(
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
pub fn alone(target: Target, sample: &Sample) -> Result<bool, String> {
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
