//! Cases.

use crate::case::value::File;
use crate::case::{self, Case, Initial};
use crate::engine::dispatch::{Dispatch, Limits};
use crate::engine::keep::{Reported, Wanted};
use crate::engine::registers::Registers;
use crate::engine::room::Need;
use crate::engine::run::{BUDGET, Job, Keep, Options, Ran, Runner, TIMEOUT};
use crate::engine::{Columns, EngineError, Memory, Outcome, Stop};
use crate::fault::planted;
use crate::isa::symbols::hwreg::id;
use crate::isa::traps::{self, Told};
use crate::isa::{Gen, Target, Variants, regs};
use crate::launch;
use crate::memory::guest;
use crate::memory::lds::put_words;
use crate::program::Program;
use crate::program::place::{file, slot};
use std::time::Duration;

/// Where the code of a case lies: far below its buffers.
pub const BASE: u64 = 1 << 20;

/// Stages a case and lets a runner carry it out.
///
/// # Errors
/// As [`Engine::run`](crate::engine::Engine::run).
pub fn run_case(runner: &dyn Runner, options: &Options, case: &Case, target: Target) -> Result<Outcome, EngineError> {
    let assembled = case.program(target)?;
    let initial = case.initial(target)?;
    let program = program(&assembled, &initial);
    let groups = [0, 1, 2].map(|i| initial.grid[i].div_ceil(initial.group[i]));
    let waves = initial.waves_of_group();
    let entry = u32::try_from(assembled.entry / 4).unwrap_or(u32::MAX);
    let counts = Counts::of(&initial, target);
    let handled = Handled::of(&program, &initial);
    let setup = |group: [u32; 3], index: u32, wave: &mut Registers| match initial.waves.find(group, index) {
        Some(start) => {
            fill(&initial, &counts, start.number, wave);
            handled.iter().for_each(|handled| handled.fill(wave));
            wave.pc = entry;
        }
        None => wave.stop = Some(Stop::End),
    };
    let lds = |group: [u32; 3], words: &mut [u32]| {
        let Some(start) = initial.waves.find(group, 0) else { return };
        put_words(words, &initial.lds(start.number));
    };
    // Nothing is mapped before it is known to fit.
    let (none, mut memory) = (guest::Memory::new(), guest::Memory::new());
    let reported = Reported { vgprs: assembled.vgprs.max(counts.vgprs), agprs: counts.agprs };
    let mut dispatch = Dispatch {
        program: &program,
        memory: &none,
        groups,
        waves,
        lanes: initial.wave_size,
        vgprs: given(&initial, reported),
        lds: initial.lds_size,
        apertures: launch::apertures(target.arch),
        scratch_per_lane: initial.scratch.map_or(0, |scratch| scratch.lane_bytes),
        limits: Limits { instructions: options.budget.or(case.budget).unwrap_or(BUDGET), pause: options.pause },
        order: options.order,
        threads: options.threads,
        alone: true,
        setup: &setup,
    };
    let timeout = options.timeout.or(case.timeout.map(Duration::from_millis)).unwrap_or(TIMEOUT);
    let columns;
    let keep = if options.keep == Keep::Observed && options.pause.is_none() {
        columns = Columns::of(&initial);
        Wanted::Columns(&columns, &initial.waves)
    } else {
        Wanted::States(reported)
    };
    let mut need = Need::default();
    let guest = kept(&mut need, &initial, keep);
    need.add(runner.working(&dispatch, guest), "the waves that run at the same time");
    need.fits(options.memory)?;
    map(&mut memory, &initial, &assembled.text)?;
    dispatch.memory = &memory;
    let job = Job { dispatch: &dispatch, lds: Some(&lds), keep, timeout: Some(timeout) };
    let Ran { waves, observed, lds, messages, exports, trap, stats } = runner.run(&job)?.supported()?;
    let buffers = initial.buffers.iter().map(|region| {
        let bytes = memory.region_at(region.address).map_or_else(Vec::new, guest::Region::to_bytes);
        Memory { name: region.name.clone(), bytes }
    });
    Ok(Outcome { waves, observed, buffers: buffers.collect(), lds, messages, exports, trap, stats })
}

/// The program of a case, where a run of it has it.
#[must_use]
pub fn program(assembled: &case::Program, initial: &Initial<'_>) -> Program {
    let program = Program::new(assembled.target, &assembled.words(), BASE).beginning_with(initial.mode);
    match assembled.handler {
        Some(at) => {
            let in_mode = traps::enables(program.target.generation()).0 == id::MODE;
            let enabled = if in_mode { initial.mode } else { initial.trap_control() };
            program.handled_by((at / 4) as u32, initial.handler_memory(), enabled)
        }
        None => program,
    }
}

/// What a wave has that knows a trap handler.
struct Handled {
    generation: Gen,
    tba: u64,
    tma: u64,
    /// The exceptions that are enabled, where MODE does not say it.
    enabled: u32,
}

impl Handled {
    fn of(program: &Program, initial: &Initial<'_>) -> Option<Handled> {
        let (generation, memory) = (program.target.generation(), program.handler?.memory);
        let tma = if planted!(TmaInBytes) { memory } else { traps::tma(generation, memory) };
        let tba = traps::tba(generation, program.handler_address());
        Some(Handled { generation, tba, tma, enabled: initial.trap_control() })
    }

    /// Gives it to a wave.
    fn fill(&self, wave: &mut Registers) {
        wave.keep_status(traps::status::TRAP_EN, true);
        match traps::told(self.generation) {
            Told::Registers => {
                wave.set_pair(traps::TBA, self.tba);
                wave.set_pair(traps::TMA, self.tma);
            }
            Told::HardwareRegisters => {
                let words = [(id::TBA_LO, self.tba), (id::TMA_LO, self.tma)];
                for (first, v) in words.map(|(first, v)| (first as usize, v)) {
                    wave.hwregs[first] = v as u32;
                    wave.hwregs[first + 1] = (v >> 32) as u32;
                }
            }
            // As answers to messages.
            Told::Messages => {}
        }
        if traps::enables(self.generation).0 == id::TRAP_CTRL {
            wave.hwregs[id::TRAP_CTRL as usize] = self.enabled;
        }
    }
}

/// What the guest's memory and the outcome of a case take; how many bytes the guest has.
fn kept(need: &mut Need, initial: &Initial<'_>, keep: Wanted<'_>) -> u64 {
    let buffers: u64 = initial.buffers.iter().map(|b| b.bytes.len() as u64).sum();
    // At the start, in the guest's memory, at the end, and in what the end is compared with.
    need.add(4 * buffers, "buffers");
    let scratch = initial.scratch_region().map_or(0, |(_, bytes)| bytes);
    need.add(scratch, "scratch memory");
    let (waves, groups) = (initial.waves.len() as u64, initial.waves.groups());
    match keep {
        Wanted::Nothing => {}
        Wanted::States(reported) => {
            need.add(waves.saturating_mul(reported.bytes(initial.target)), format!("the registers of {waves} waves"));
            need.add(groups.saturating_mul(initial.lds_size.into()), format!("the local memory of {groups} groups"));
        }
        Wanted::Columns(columns, _) => {
            need.add(columns.bytes(waves, 0), format!("what is observed of {waves} waves"));
            need.add(columns.bytes(0, groups), format!("what is observed of the local memory of {groups} groups"));
        }
    }
    buffers + scratch
}

/// Maps the buffers of a case, and its code for those who read it.
fn map(memory: &mut guest::Memory, initial: &Initial<'_>, text: &[u8]) -> Result<(), EngineError> {
    let failed = |e: guest::MapError| EngineError::Crash {
        device: "emu".to_owned(),
        doing: "mapping guest memory",
        reason: e.to_string(),
    };
    if !text.is_empty() {
        memory.map_bytes("code", BASE, text, false).map_err(failed)?;
    }
    for region in initial.buffers.iter().filter(|region| !region.bytes.is_empty()) {
        memory.map_bytes(&region.name, region.address, &region.bytes, region.writable).map_err(failed)?;
    }
    if let Some((base, bytes)) = initial.scratch_region() {
        memory.map("scratch", base, bytes, true).map_err(failed)?;
    }
    Ok(())
}

/// The vector registers that a wave is given: what the compute registers say, where the case has them; else those that its text and
/// its header name; all, where there is only machine code.
fn given(initial: &Initial<'_>, named: Reported) -> u32 {
    match initial.allocated() {
        Some(vgprs) => vgprs,
        None if initial.case.code.is_some() => file::VGPRS,
        None if Variants::CDNA2.contains(initial.target.arch.variant) => named.vgprs.next_multiple_of(4) + named.agprs,
        None => named.vgprs,
    }
}

/// How many registers of each file the case speaks of and the processor has.
struct Counts {
    vgprs: u32,
    agprs: u32,
    sgprs: u32,
    ttmps: u32,
    ttmp_base: usize,
    m0: usize,
}

impl Counts {
    fn of(initial: &Initial<'_>, target: Target) -> Counts {
        let generation = target.generation();
        Counts {
            vgprs: initial.count(File::Vector).min(256),
            agprs: initial.count(File::Accumulation).min(256),
            sgprs: initial.count(File::Scalar).min(regs::sgpr_count(generation).into()),
            ttmps: initial.count(File::Trap).min(regs::ttmp_count(generation).into()),
            ttmp_base: regs::ttmp_base(generation).into(),
            m0: regs::m0_code(generation).into(),
        }
    }
}

/// Gives a wave the registers that the case says.
fn fill(initial: &Initial<'_>, counts: &Counts, number: u32, wave: &mut Registers) {
    for n in 0..counts.sgprs {
        wave.s[n as usize] = initial.sgpr(n, number);
    }
    for n in 0..counts.ttmps {
        wave.s[counts.ttmp_base + n as usize] = initial.ttmp(n, number);
    }
    let agpr = file::AGPR as usize;
    for lane in 0..initial.wave_size {
        for n in 0..counts.vgprs {
            wave.set_vgpr(n as usize, lane as usize, initial.vgpr(n, lane, number));
        }
        for n in 0..counts.agprs {
            wave.set_vgpr(agpr + n as usize, lane as usize, initial.agpr(n, lane, number));
        }
    }
    wave.s[counts.m0] = initial.m0(number);
    wave.set_pair(slot::VCC, initial.vcc(number));
    wave.set_exec(initial.exec(number));
    wave.scc = initial.scc(number);
    wave.trapsts = initial.trapsts(number);
    wave.scratch = initial.flat_scratch(number);
    wave.mode = initial.mode;
}
