//! A wave of the emulator: its [registers](crate::engine::registers), and what its kernels want beside them.
//!
//! Behind the 128 codes of scalar registers follow slots that steps refer to: a sink for what is written nowhere, the values
//! that are computed on demand (VCCZ, EXECZ, SCC, apertures), and the constants of the program. Behind the vector registers
//! follow temporaries for operands with modifiers, and the constants of the program, each spread over all lanes. So a source
//! of a kernel is an offset into the file, whatever it is.

use super::alg::Env;
use super::kernel::{self, Blend, Exchange, Level, STRIDE};
use super::plan::Plan;
use crate::engine::registers::Registers;
use crate::fault::planted;
use crate::program::Program;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Where scalar places lie: at their numbers.
pub mod slot {
    pub use crate::program::place::slot::*;

    /// Masks that kernels leave to those who finish their results: of an instruction's first operation, and of its second.
    pub const RESULT: [usize; 2] = [SINK + 16, SINK + 18];
}

/// Temporaries: four registers for each of four sources, four for the result, and one for that of a second operation.
const TEMPS: u32 = 21;

/// Where things lie in the vector file, in words.
pub mod file {
    use super::{STRIDE, TEMPS};
    use crate::program::place::file as place;

    /// The first accumulation register.
    pub const AGPR: u32 = place::AGPR * STRIDE as u32;
    /// How many registers there are, accumulation registers among them.
    pub const REGISTERS: u32 = place::NOWHERE;
    /// The temporary of source `n`.
    #[must_use]
    pub const fn source(n: usize) -> u32 {
        (REGISTERS + 4 * n as u32) * STRIDE as u32
    }
    /// The temporaries of the results: of an instruction's first operation, and of its second, which has one register.
    pub const RESULT: [u32; 2] = [source(4), source(4) + 4 * STRIDE as u32];
    /// The first constant.
    pub const CONSTANTS: u32 = (REGISTERS + TEMPS) * STRIDE as u32;

    /// Where a vector place lies.
    #[must_use]
    pub const fn of(at: u32) -> u32 {
        match at {
            place::NOWHERE => RESULT[0],
            place::CONSTANTS.. => CONSTANTS + (at - place::CONSTANTS) * STRIDE as u32,
            _ => at * STRIDE as u32,
        }
    }
}

/// A wave.
pub struct Wave {
    /// Its registers.
    registers: Registers,
    /// The modes, as the algebras want them.
    pub env: Env,
    /// Which variant of the kernels the modes and the number of lanes ask for.
    pub variant: usize,
    /// The vector instructions of its kernels.
    pub(super) level: Level,
    /// Selects between two registers by a mask.
    blend: Blend,
    /// Whether exceptions are watched: what does not see them is not used.
    pub(super) watched: bool,
    /// Ticks spent at barriers, where waves are paused: see [`Limits::pause`](crate::engine::dispatch::Limits::pause).
    pub idle: u64,
    /// Up to which completion of its group's barrier it has waited (gfx12).
    pub passed: u64,
    /// The clock, where a model of the machine has one.
    pub now: Option<u64>,
    /// How often the clock was read, where none has.
    clock: Cell<u64>,
}

/// Whether a program sees the exceptions that float operations raise: it reads them, or they enter its trap handler.
fn watches(program: &Program) -> bool {
    program.reads_exceptions || program.handler.is_some_and(|handler| handler.exceptions)
}

/// Waves that nobody needs just now. To make one takes longer than to run a short program; whoever runs many keeps them here
/// in between.
#[derive(Default)]
pub struct Spare(Mutex<Vec<Wave>>);

impl Spare {
    /// The most that are kept: some megabytes.
    const MOST: usize = 64;

    /// A wave as [`Wave::new`] makes it.
    pub(super) fn wave(&self, plan: &Plan<'_>, lanes: u32) -> Wave {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match spare {
            Some(mut wave) => {
                wave.renew(plan, lanes);
                wave
            }
            None => Wave::new(plan, lanes),
        }
    }

    /// Takes waves back.
    pub(super) fn put(&self, waves: Vec<Wave>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = Spare::MOST.saturating_sub(spare.len());
        spare.extend(waves.into_iter().take(room));
    }
}

impl Deref for Wave {
    type Target = Registers;

    #[inline(always)]
    fn deref(&self) -> &Registers {
        &self.registers
    }
}

impl DerefMut for Wave {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Registers {
        &mut self.registers
    }
}

impl Wave {
    /// A wave of a program, with all registers zero and all lanes active.
    #[must_use]
    pub fn new(plan: &Plan<'_>, lanes: u32) -> Wave {
        let program = plan.program;
        let (scalars, vectors) = Wave::size(program);
        let mut wave = Wave {
            registers: Registers::with(program.target, lanes, scalars, vectors),
            env: Env::new(program.target),
            variant: 0,
            level: plan.bound.level,
            blend: plan.bound.level.blend(),
            watched: watches(program),
            idle: 0,
            passed: 0,
            now: None,
            clock: Cell::new(0),
        };
        wave.put_constants(program);
        wave.set_mode(wave.mode);
        wave
    }

    /// Makes it what [`Wave::new`] makes, whatever it was before.
    fn renew(&mut self, plan: &Plan<'_>, lanes: u32) {
        let program = plan.program;
        let (scalars, vectors) = Wave::size(program);
        self.registers.renew(program.target, lanes, scalars, vectors);
        if !planted!(SpareConstantsKept) {
            self.put_constants(program);
        }
        (self.level, self.blend) = (plan.bound.level, plan.bound.level.blend());
        self.watched = watches(program);
        self.reset_rest(program);
    }

    /// The constants of a program, behind the registers.
    fn put_constants(&mut self, program: &Program) {
        self.registers.s[slot::CONSTANTS..].copy_from_slice(&program.scalar_constants);
        let constants = self.registers.file[file::CONSTANTS as usize..].chunks_exact(STRIDE);
        for (to, word) in constants.zip(&program.vector_constants) {
            to.iter().for_each(|cell| cell.set(*word));
        }
    }

    /// Scalar words and vector registers of a wave of a program.
    fn size(program: &Program) -> (usize, usize) {
        let vectors = file::CONSTANTS as usize / STRIDE + program.vector_constants.len();
        (slot::CONSTANTS + program.scalar_constants.len(), vectors)
    }

    /// Bytes that a wave of a program takes.
    #[must_use]
    pub fn bytes(program: &Program) -> u64 {
        let (scalars, vectors) = Wave::size(program);
        (size_of::<Wave>() - size_of::<Registers>()) as u64 + Registers::bytes_with(scalars, vectors)
    }

    /// Makes the wave as new, for another group.
    pub fn reset(&mut self, program: &Program) {
        self.registers.reset();
        self.reset_rest(program);
    }

    /// What is beside the registers.
    fn reset_rest(&mut self, program: &Program) {
        self.idle = 0;
        self.passed = 0;
        self.now = None;
        self.clock.set(0);
        self.env = Env::new(program.target);
        self.set_mode(self.mode);
    }

    /// Takes the modes from the registers, which have been set, and where it begins.
    pub fn begin(&mut self, plan: &Plan<'_>) {
        self.set_mode(self.mode);
        self.registers.may_hold(plan.extent(self.pc));
    }

    /// Puts into the registers what is kept beside them while the wave runs: the exceptions of float operations.
    pub(super) fn settle(&mut self) {
        self.trapsts = self.whole_trapsts();
        self.env.raised.set(super::soft::Exceptions::empty());
    }

    /// Trap status with the exceptions that float operations have raised since.
    #[must_use]
    pub fn whole_trapsts(&self) -> u32 {
        self.trapsts | u32::from(self.env.raised.get().bits())
    }

    /// Gives the lanes of a mask what another register has.
    #[inline(always)]
    #[allow(unsafe_code, reason = "kernels are compiled for vector instructions; the table holds those the host has")]
    pub(super) fn blend(&self, from: u32, to: u32, lanes: u64) {
        // SAFETY: the kernel is of a level, and levels are the host's.
        unsafe { (self.blend)(&self.file, from, to, lanes) };
    }

    /// The words of a vector register that begins at this word of the file.
    #[inline(always)]
    pub(super) fn values(&self, at: u32) -> [u32; STRIDE] {
        let cells = &self.registers.file[at as usize..][..STRIDE];
        let mut values = [0; STRIDE];
        for (value, cell) in values.iter_mut().zip(cells) {
            *value = cell.get();
        }
        values
    }

    /// Writes all words of a vector register.
    #[inline(always)]
    pub(super) fn put_values(&self, at: u32, values: &[u32; STRIDE]) {
        let cells = &self.registers.file[at as usize..][..STRIDE];
        for (cell, value) in cells.iter().zip(values) {
            cell.set(*value);
        }
    }

    /// Gives lanes what other lanes have.
    #[inline(always)]
    pub(super) fn exchange(&self, moved: &Exchange<'_>) {
        self.level.exchange(&self.registers.file, moved);
    }

    /// The lanes whose sources are active.
    #[inline(always)]
    pub(super) fn active_sources(&self, sources: &[u32; STRIDE]) -> u64 {
        let (exec, all) = (self.exec(), self.all_lanes());
        if exec == all { all } else { self.level.sourced(exec, sources) & all }
    }

    /// Sets MODE, and with it what float operations do.
    pub fn set_mode(&mut self, mode: u32) {
        self.mode = mode;
        self.env.set_mode(mode);
        let column = if self.watched { kernel::EXACT } else { self.env.column() };
        self.variant = kernel::variant(column, self.lanes);
    }

    /// The clock of the model, or one that no machine has: it moves on whenever it is read, so that a program may wait for it, and is the same in every run. Steps
    /// are not in it: the bare loop counts them only when the wave stops.
    #[must_use]
    pub fn clock(&self) -> u64 {
        const TICK: u64 = 64;
        if let Some(now) = self.now {
            return now;
        }
        self.clock.set(self.clock.get() + TICK);
        self.clock.get()
    }

    /// Fills the slots of values that are computed on demand.
    pub fn refresh(&mut self) {
        let exec = self.exec();
        let vcc = self.mask_at(slot::VCC);
        self.s[slot::VCCZ] = u32::from(vcc == 0);
        self.s[slot::EXECZ] = u32::from(exec == 0);
        self.s[slot::SCC] = u32::from(self.scc);
    }
}
