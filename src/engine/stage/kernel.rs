//! Kernels of code objects.

use crate::case::Export;
use crate::engine::dispatch::{Dispatch, Limits, Setup};
use crate::engine::keep::{Reported, Wanted};
use crate::engine::registers::{Registers, STRIDE};
use crate::engine::room::Need;
use crate::engine::run::{Job, Options, Ran, Runner};
use crate::engine::{self, EngineError, Message, Stats, Stop, Trap, WaveState};
use crate::isa::{Gen, Target, regs};
use crate::launch::{self, Loaded, Mapping, Output};
use crate::memory::guest::{MapError, Memory, Region};
use crate::memory::scratch;
use crate::program::Program;
use crate::program::place::slot;
use std::ops::Range;

/// The most code that is taken apart at once: a step is made for every word of it.
const MAX_CODE: u64 = 32 << 20;

/// Instructions of one wave of a kernel, where nothing else is said.
const BUDGET: u64 = 1 << 40;

/// Why a kernel was not run.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// Its memory cannot be made.
    #[error("guest memory: {0}")]
    Memory(#[from] MapError),
    /// Its code is too large.
    #[error("{bytes:#x} bytes of code around kernel `{kernel}`; at most {limit:#x} are taken apart at once", limit = MAX_CODE)]
    Code {
        /// The kernel.
        kernel: String,
        /// The bytes.
        bytes: u64,
    },
    /// The engine cannot execute it.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// What came of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelOutcome {
    /// The buffers of its arguments as they were left, with the argument that each belongs to.
    pub buffers: Vec<(Output, Vec<u8>)>,
    /// The waves, where they were paused: see [`Options::pause`].
    pub waves: Vec<WaveState>,
    /// LDS of the groups, where waves were paused.
    pub lds: Vec<engine::Memory>,
    /// What `s_sendmsg` sent.
    pub messages: Vec<Message>,
    /// What was exported.
    pub exports: Vec<Export>,
    /// What ended the run early.
    pub trap: Option<Trap>,
    /// What was executed.
    pub stats: Stats,
    /// Where its code begins, in bytes from the start of the text: program counters count from there too.
    pub entry: u64,
}

/// The code around a kernel: the executable range that it starts in.
fn code(loaded: &Loaded, kernel: &launch::Kernel) -> Range<u64> {
    let start = kernel.start();
    let range = loaded.executable().iter().find(|range| range.contains(&start)).cloned();
    range.map_or(start..start, |range| range.start.next_multiple_of(4)..range.end)
}

/// The program around a kernel of a loaded code object.
///
/// # Errors
/// [`KernelError::Code`] if there is too much of it.
pub fn program(loaded: &Loaded, kernel: &launch::Kernel) -> Result<Program, KernelError> {
    let range = code(loaded, kernel);
    let bytes = range.end.saturating_sub(range.start);
    if bytes > MAX_CODE {
        return Err(KernelError::Code { kernel: kernel.name.clone(), bytes });
    }
    let mapping = loaded.mappings().iter().find(|m| m.base <= range.start && range.end <= m.end());
    let text = mapping.and_then(|m| m.bytes.get((range.start - m.base) as usize..(range.end - m.base) as usize));
    let words: Vec<u32> =
        text.unwrap_or_default().chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Ok(Program::new(loaded.target(kernel), &words, range.start))
}

/// Stages a kernel and lets a runner carry it out. The memory of the dispatch is moved out of it.
///
/// # Errors
/// Its memory cannot be made, or it has an instruction that is not executed. What it does wrong is [`KernelOutcome::trap`].
pub fn run_kernel(
    runner: &dyn Runner,
    options: &Options,
    loaded: &Loaded,
    launch: &mut launch::Dispatch,
) -> Result<KernelOutcome, KernelError> {
    let program = program(loaded, launch.kernel())?;
    let mut memory = Memory::new();
    let mine = launch.take_mappings();
    for Mapping { name, base, bytes, writable } in loaded.mappings().iter().chain(&mine) {
        if !bytes.is_empty() {
            memory.map_bytes(name, *base, bytes, *writable)?;
        }
    }
    drop(mine);
    let launch = &*launch;
    let (geometry, resources) = (*launch.geometry(), *launch.resources());
    let entry = program.step_at(launch.kernel().start());
    let setup = setup(launch, program.target, entry);
    let lds = lds(launch);
    let dispatch = Dispatch { alone: true, ..dispatch(launch, &program, &memory, &setup, options) };
    let agprs = if program.target.generation() == Gen::Gfx9 { 256 } else { 0 };
    let mut need = Need::default();
    let keep = match options.pause {
        None => Wanted::Nothing,
        Some(_) => {
            let waves = geometry.group_count().saturating_mul(geometry.full_waves().into());
            let reported = Reported { vgprs: resources.vgprs, agprs };
            need.add(waves.saturating_mul(reported.bytes(program.target)), format!("the registers of {waves} waves"));
            let lds = geometry.group_count().saturating_mul(resources.lds_allocated.into());
            need.add(lds, format!("the local memory of {} groups", geometry.group_count()));
            Wanted::States(reported)
        }
    };
    let guest = memory.regions().iter().map(Region::len).sum();
    need.add(runner.working(&dispatch, guest), "the waves that run at the same time");
    need.fits(options.memory)?;
    let job = Job { dispatch: &dispatch, lds: Some(&lds), keep, timeout: options.timeout };
    let Ran { waves, lds, messages, exports, trap, stats, .. } = runner.run(&job)?.supported()?;
    let buffer = |output: &Output| {
        let bytes = if output.bytes == 0 { None } else { memory.region_at(output.base) };
        Ok((output.clone(), bytes.map_or_else(|| Ok(Vec::new()), Region::try_to_bytes)?))
    };
    let buffers = launch.outputs().iter().map(buffer).collect::<Result<_, MapError>>()?;
    Ok(KernelOutcome { buffers, waves, lds, messages, exports, trap, stats, entry: u64::from(entry) * 4 })
}

/// Gives waves their first state, and a step to begin with.
pub fn setup(launch: &launch::Dispatch, target: Target, entry: u32) -> impl Fn([u32; 3], u32, &mut Registers) + Sync {
    let filled = Filled::new(launch.resources());
    move |group, index, wave| {
        match launch.wave_in_slot(group, index, wave.thread) {
            Some(initial) => filled.fill(initial, target, wave),
            None => wave.stop = Some(Stop::End),
        }
        wave.pc = entry;
    }
}

/// Gives LDS its first contents.
pub fn lds(launch: &launch::Dispatch) -> impl Fn([u32; 3], &mut [u32]) + Sync {
    let fill = launch.resources().fill;
    move |_, words| words.iter_mut().zip(0..).for_each(|(word, n)| *word = fill.lds(n))
}

/// A launch as engines take it. No more groups run at once than have scratch memory.
#[must_use]
pub fn dispatch<'a>(
    launch: &launch::Dispatch,
    program: &'a Program,
    memory: &'a Memory,
    setup: &'a Setup<'a>,
    options: &Options,
) -> Dispatch<'a> {
    let (geometry, resources) = (launch.geometry(), launch.resources());
    let has_scratch = launch.scratch().wave_bytes > 0;
    let slots = if has_scratch { launch.scratch().group_slots.max(1) as usize } else { usize::MAX };
    Dispatch {
        program,
        memory,
        groups: geometry.groups(),
        waves: geometry.full_waves(),
        lanes: geometry.wave_size,
        vgprs: resources.vgprs,
        lds: resources.lds_allocated,
        apertures: resources.apertures,
        scratch_per_lane: launch.scratch().lane_bytes,
        limits: Limits { instructions: options.budget.unwrap_or(BUDGET), pause: options.pause },
        order: options.order,
        threads: options.threads.min(slots),
        alone: false,
        setup,
    }
}

/// Registers of waves that nothing is put into.
struct Filled {
    scalars: [u32; slot::EXEC],
    vectors: Vec<[u32; STRIDE]>,
    hidden_private_base: u64,
}

impl Filled {
    fn new(resources: &launch::Resources) -> Filled {
        let fill = resources.fill;
        // Zeroes are there already.
        let vectors = if fill == launch::Fill::Zero { 0 } else { resources.vgprs.min(256) };
        let word = |n, lane: usize| if lane < resources.wave_size as usize { fill.vgpr(n, lane as u32) } else { 0 };
        Filled {
            scalars: std::array::from_fn(|n| fill.sgpr(n as u32)),
            vectors: (0..vectors).map(|n| std::array::from_fn(|lane| word(n, lane))).collect(),
            hidden_private_base: resources.hidden_private_base,
        }
    }

    /// Gives a wave the registers that the launch says; the others hold the fill.
    fn fill(&self, mut initial: launch::Initial, target: Target, wave: &mut Registers) {
        let generation = target.generation();
        wave.s[..slot::EXEC].copy_from_slice(&self.scalars);
        for &(n, value) in &initial.sgprs {
            wave.s[n as usize & 127] = value;
        }
        for &(n, value) in &initial.ttmps {
            wave.s[(usize::from(regs::ttmp_base(generation)) + n as usize) & 127] = value;
        }
        if let Some(null) = regs::null_code(generation) {
            wave.s[usize::from(null)] = 0;
        }
        wave.s[usize::from(regs::m0_code(generation))] = initial.m0;
        wave.set_vgprs(0, &self.vectors);
        initial.vgprs.iter_mut().for_each(|lanes| lanes[wave.lanes as usize..].fill(0));
        wave.set_vgprs(0, &initial.vgprs);
        wave.set_exec(initial.exec);
        wave.mode = initial.mode;
        wave.scratch = scratch::at_start(target.arch, self.hidden_private_base, initial.flat_scratch);
    }
}
