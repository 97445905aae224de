//! The state of a wave.
//!
//! Scalar registers lie under their operand codes, so that an operand is an index: s0 and up, VCC at 106, the trap temporaries, M0 and EXEC.
//! Behind the 128 codes follow slots that plans refer to: a sink for what is written nowhere, the values that are computed on demand
//! (VCCZ, EXECZ, SCC, apertures), and the constants of the program.
//!
//! Vector registers lie in one file of words, 64 a register, whatever the width of the wave. Behind them follow the accumulation
//! registers, where the processor has them, temporaries for operands with modifiers, and the constants of the program, each spread over
//! all lanes. So a source of a kernel is an offset into the file, whatever it is.

use super::alg::Env;
use super::kernel::{self, Blend, STRIDE};
use super::plan::Program;
use super::trap::Stop;
use crate::fault::planted;
use crate::isa::{Gen, Target};
use std::cell::Cell;

/// Where the named scalar registers and the slots behind them lie.
pub mod slot {
    /// VCC, two words.
    pub const VCC: usize = 106;
    /// EXEC, two words.
    pub const EXEC: usize = 126;
    /// What is written here is lost. As wide as the widest scalar result.
    pub const SINK: usize = 128;
    /// Masks that kernels leave to those who finish their results: of an instruction's first operation, and of its second.
    pub const RESULT: [usize; 2] = [SINK + 16, SINK + 18];
    /// Zeros, as wide as the widest scalar source.
    pub const ZERO: usize = SINK + 20;
    /// Whether VCC is zero, and a zero above.
    pub const VCCZ: usize = ZERO + 16;
    /// Whether EXEC is zero, and a zero above.
    pub const EXECZ: usize = VCCZ + 2;
    /// SCC, and a zero above.
    pub const SCC: usize = EXECZ + 2;
    /// The shared aperture: base, then limit.
    pub const SHARED: usize = SCC + 2;
    /// The private aperture: base, then limit.
    pub const PRIVATE: usize = SHARED + 4;
    /// The first constant of the program.
    pub const CONSTANTS: usize = PRIVATE + 4;
}

/// How many accumulation registers CDNA has.
const AGPRS: u32 = 256;
/// How many vector registers a wave can name.
pub const VGPRS: u32 = 256;
/// Temporaries: four registers for each of four sources, four for the result, and one for that of a second operation.
const TEMPS: u32 = 21;

/// Where things lie in the vector file, in words.
pub mod file {
    use super::{AGPRS, STRIDE, TEMPS, VGPRS};

    /// The first accumulation register.
    pub const AGPR: u32 = VGPRS * STRIDE as u32;
    /// The temporary of source `n`.
    #[must_use]
    pub const fn source(n: usize) -> u32 {
        AGPR + (AGPRS + 4 * n as u32) * STRIDE as u32
    }
    /// The temporaries of the results: of an instruction's first operation, and of its second, which has one register.
    pub const RESULT: [u32; 2] = [source(4), source(4) + 4 * STRIDE as u32];
    /// The first constant.
    pub const CONSTANTS: u32 = AGPR + (AGPRS + TEMPS) * STRIDE as u32;
}

/// The vector file: its words, of which the first lies at the beginning of a cache line, so that vector instructions meet no second one.
pub struct File(Vec<Line>);

/// A cache line of words, which is also the widest vector register of hosts.
#[derive(Clone)]
#[repr(C, align(64))]
struct Line([Cell<u32>; Line::WORDS]);

impl Line {
    const WORDS: usize = 16;
}

impl File {
    /// Zeros, and the constants behind them.
    fn new(constants: &[u32]) -> File {
        let words = file::CONSTANTS as usize + constants.len() * STRIDE;
        let file = File(vec![Line([const { Cell::new(0) }; Line::WORDS]); words / Line::WORDS]);
        for (to, word) in file[file::CONSTANTS as usize..].chunks_exact(STRIDE).zip(constants) {
            to.iter().for_each(|cell| cell.set(*word));
        }
        file
    }
}

impl std::ops::Deref for File {
    type Target = [Cell<u32>];

    #[inline(always)]
    #[allow(unsafe_code, reason = "lines are words")]
    fn deref(&self) -> &[Cell<u32>] {
        // SAFETY: a line is an array of so many words and nothing else.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * Line::WORDS) }
    }
}

/// A wave.
pub struct Wave {
    /// Scalar registers by operand code, and the slots behind them.
    pub s: Vec<u32>,
    /// Vector registers, temporaries, constants.
    pub file: File,
    /// The scalar condition.
    pub scc: bool,
    /// The step to execute next.
    pub pc: u32,
    /// Lanes: 32 or 64.
    pub lanes: u32,
    /// The modes, as the algebras want them.
    pub env: Env,
    /// Which variant of the kernels the modes and the number of lanes ask for.
    pub variant: usize,
    /// Selects between two registers by a mask.
    blend: Blend,
    /// Whether exceptions are watched: kernels that do not see them are not used.
    watched: bool,
    /// Trap status: sticky exceptions and what else a trap leaves.
    pub trapsts: u32,
    /// Why the wave stopped, where it did.
    pub stop: Option<Stop>,
    /// Its number in the group.
    pub index: u32,
    /// Hardware registers that programs set and read back without further effect.
    pub hwregs: [u32; 64],
    /// Where scratch memory of the wave begins.
    pub scratch: u64,
    /// Steps executed, as of the last time the wave stopped.
    pub steps: u64,
    /// Ticks spent at barriers, where waves are paused: see [`Limits::pause`](super::run::Limits::pause).
    pub idle: u64,
    /// How often the clock was read.
    clock: Cell<u64>,
    /// Set by `s_cbranch_g_fork` and its like: entries on the stack, as MODE.CSP.
    pub fork_depth: u32,
    /// The number of the thread that runs it, for what every thread has of its own.
    pub thread: u32,
}

impl Wave {
    /// A wave of a program, with all registers zero and all lanes active.
    #[must_use]
    pub fn new(program: &Program, lanes: u32) -> Wave {
        let mut s = vec![0; slot::CONSTANTS];
        s.extend_from_slice(&program.scalar_constants);
        let file = File::new(&program.vector_constants);
        let mut wave = Wave {
            s,
            file,
            scc: false,
            pc: 0,
            lanes,
            env: Env::new(program.target),
            variant: kernel::variant(kernel::KEEP, lanes),
            blend: program.level.blend(),
            watched: program.reads_exceptions,
            trapsts: 0,
            stop: None,
            index: 0,
            hwregs: [0; 64],
            scratch: 0,
            steps: 0,
            idle: 0,
            clock: Cell::new(0),
            fork_depth: 0,
            thread: 0,
        };
        wave.set_exec(u64::MAX);
        wave.set_mode(default_mode(program.target));
        wave
    }

    /// Bytes that a wave of a program takes.
    #[must_use]
    pub fn bytes(program: &Program) -> u64 {
        let vectors = file::CONSTANTS as usize + program.vector_constants.len() * STRIDE;
        let scalars = slot::CONSTANTS + program.scalar_constants.len();
        (size_of::<Wave>() + 4 * (vectors + scalars)) as u64
    }

    /// Makes the wave as new, for another group.
    pub fn reset(&mut self, program: &Program) {
        self.s[..slot::CONSTANTS].fill(0);
        let registers = if program.vgprs < VGPRS { program.vgprs } else { VGPRS + AGPRS };
        self.file[..registers as usize * STRIDE].iter().for_each(|cell| cell.set(0));
        self.scc = false;
        self.pc = 0;
        self.trapsts = 0;
        self.stop = None;
        self.hwregs = [0; 64];
        self.scratch = 0;
        self.steps = 0;
        self.idle = 0;
        self.clock.set(0);
        self.fork_depth = 0;
        self.env = Env::new(program.target);
        self.set_exec(u64::MAX);
        self.set_mode(default_mode(program.target));
    }

    /// Gives the lanes of a mask what another register has.
    #[inline(always)]
    #[allow(unsafe_code, reason = "kernels are compiled for vector instructions; the table holds those the host has")]
    pub(super) fn blend(&self, from: u32, to: u32, lanes: u64) {
        // SAFETY: the kernel is of a level, and levels are the host's.
        unsafe { (self.blend)(&self.file, from, to, lanes) };
    }

    /// The lanes that are active.
    #[inline(always)]
    #[must_use]
    pub fn exec(&self) -> u64 {
        self.mask_at(slot::EXEC)
    }

    /// A lane mask in a scalar register or pair.
    #[inline(always)]
    #[must_use]
    pub fn mask_at(&self, at: usize) -> u64 {
        if self.lanes == 64 { self.mask_of::<64>(at) } else { self.mask_of::<32>(at) }
    }

    /// As [`Wave::mask_at`], where the number of lanes is known.
    #[inline(always)]
    #[must_use]
    pub(super) fn mask_of<const N: usize>(&self, at: usize) -> u64 {
        if N == 64 { self.pair(at) } else { u64::from(self.s[at]) }
    }

    /// As [`Wave::set_mask`], where the number of lanes is known.
    #[inline(always)]
    pub(super) fn set_mask_of<const N: usize>(&mut self, at: usize, mask: u64) {
        if N == 64 { self.set_pair(at, mask) } else { self.s[at] = mask as u32 }
    }

    /// Writes a lane mask: one word where waves have 32 lanes.
    #[inline(always)]
    pub fn set_mask(&mut self, at: usize, mask: u64) {
        if self.lanes == 64 { self.set_mask_of::<64>(at, mask) } else { self.set_mask_of::<32>(at, mask) }
    }

    /// Sets the active lanes.
    pub fn set_exec(&mut self, mask: u64) {
        self.set_mask(slot::EXEC, mask);
    }

    /// A pair of scalar registers.
    #[inline(always)]
    #[must_use]
    pub fn pair(&self, at: usize) -> u64 {
        let pair = &self.s[at..at + 2];
        u64::from(pair[0]) | u64::from(pair[1]) << 32
    }

    /// Writes a pair of scalar registers, in one store: a load of the pair that follows two is slow.
    #[inline(always)]
    pub fn set_pair(&mut self, at: usize, v: u64) {
        self.s[at..at + 2].copy_from_slice(&[v as u32, (v >> 32) as u32]);
    }

    /// A lane's word of a vector register.
    #[inline(always)]
    #[must_use]
    pub fn vgpr(&self, register: usize, lane: usize) -> u32 {
        self.file[register * STRIDE + lane].get()
    }

    /// Writes a lane's word of a vector register.
    #[inline(always)]
    pub fn set_vgpr(&self, register: usize, lane: usize, v: u32) {
        self.file[register * STRIDE + lane].set(v);
    }

    /// All lanes there are, as a mask.
    #[inline(always)]
    #[must_use]
    pub fn all_lanes(&self) -> u64 {
        if self.lanes == 64 { u64::MAX } else { u64::from(u32::MAX) }
    }

    /// Sets MODE, and with it what float operations do.
    pub fn set_mode(&mut self, mode: u32) {
        self.env.set_mode(mode);
        let column = if self.watched { kernel::EXACT } else { self.env.column() };
        self.variant = kernel::variant(column, self.lanes);
    }

    /// Sets what `src_shared_base` and its like read: 4 GiB from each base.
    pub fn set_apertures(&mut self, shared: u64, private: u64) {
        for (at, base) in [(slot::SHARED, shared), (slot::PRIVATE, private)] {
            self.set_pair(at, base);
            self.set_pair(at + 2, base | 0xffff_ffff);
        }
    }

    /// A clock that no machine has: it moves on whenever it is read, so that a program may wait for it, and is the same in every run. Steps
    /// are not in it: the bare loop counts them only when the wave stops.
    #[must_use]
    pub fn clock(&self) -> u64 {
        const TICK: u64 = 64;
        self.clock.set(self.clock.get() + TICK);
        self.clock.get()
    }

    /// M0.
    #[inline(always)]
    #[must_use]
    pub fn m0(&self) -> u32 {
        self.s[usize::from(crate::isa::regs::m0_code(self.env.target.generation()))]
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

/// MODE as compute kernels find it where nothing else is said: round to nearest, f32 denormals flushed, others kept, DX10 clamp and IEEE on.
#[must_use]
pub fn default_mode(target: Target) -> u32 {
    let floats = if planted!(DefaultKeepsDenormals) { 0b1111_0000 } else { 0b1100_0000 };
    if target.generation() >= Gen::Gfx12 { floats } else { floats | 1 << 8 | 1 << 9 }
}
