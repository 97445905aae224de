//! The registers of a wave, as every engine has them: what a launch writes before the first instruction, and what is read
//! behind the last.
//!
//! Scalar registers lie at their [places](crate::program::place), so that an operand is an index: s0 and up, VCC at 106, the
//! trap temporaries, M0 and EXEC. Behind the 128 codes engines may have what they like. Vector registers lie in one file of
//! words, 64 a register, whatever the width of the wave, with the accumulation registers and what else an engine wants
//! behind them.

use super::stop::Stop;
use crate::fault::planted;
use crate::isa::symbols::hwreg::id;
use crate::isa::traps::status;
use crate::isa::{Gen, Target, regs};
use crate::program::extent::Extent;
use crate::program::place::{file, slot};
use std::cell::Cell;

/// Words of a vector register: one a lane.
pub const STRIDE: usize = 64;

/// The vector file: its words, of which the first lies at the beginning of a cache line, so that vector instructions meet no
/// second one.
pub struct File(Vec<Line>);

/// A cache line of words, which is also the widest vector register of hosts.
#[derive(Clone)]
#[repr(C, align(64))]
struct Line([Cell<u32>; Line::WORDS]);

impl Line {
    const WORDS: usize = 16;
}

impl File {
    /// Zeros.
    fn new(registers: usize) -> File {
        let mut file = File(Vec::new());
        file.resize(registers);
        file
    }

    /// So many registers; those that are new are zero.
    fn resize(&mut self, registers: usize) {
        self.0.resize(registers * STRIDE / Line::WORDS, Line([const { Cell::new(0) }; Line::WORDS]));
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

/// The registers of a wave, and where it stands.
pub struct Registers {
    /// The processor.
    pub target: Target,
    /// Scalar registers by operand code.
    pub s: Vec<u32>,
    /// Vector registers.
    pub file: File,
    /// The scalar condition.
    pub scc: bool,
    /// The step to execute next.
    pub pc: u32,
    /// Lanes: 32 or 64.
    pub lanes: u32,
    /// MODE, without the depth of the stack of forks.
    pub mode: u32,
    /// Trap status: sticky exceptions and what else a trap leaves.
    pub trapsts: u32,
    /// Why the wave stopped, where it did.
    pub stop: Option<Stop>,
    /// Its number in the group.
    pub index: u32,
    /// Hardware registers that programs set and read back without further effect; of STATUS, [what is kept](status::KEPT) for
    /// trap handlers.
    pub hwregs: [u32; 64],
    /// Where scratch memory of the wave begins.
    pub scratch: u64,
    /// Steps executed, as of the last time the wave stopped.
    pub steps: u64,
    /// Entries on the stack of forks, as MODE.CSP.
    pub fork_depth: u32,
    /// The number of the thread that runs it, for what every thread has of its own.
    pub thread: u32,
    /// How far the vector registers reach that may hold something: the others are zero.
    held: Cell<Extent>,
}

impl Registers {
    /// As many vector registers as a wave can name, accumulation registers among them; all zero, and all lanes active.
    #[must_use]
    pub fn new(target: Target, lanes: u32) -> Registers {
        Registers::with(target, lanes, slot::CONSTANTS, file::NOWHERE as usize)
    }

    /// Registers with room for what an engine puts behind them: so many scalar words and vector registers in all.
    pub(crate) fn with(target: Target, lanes: u32, scalars: usize, vectors: usize) -> Registers {
        let mut registers = Registers {
            target,
            s: vec![0; scalars],
            file: File::new(vectors),
            scc: false,
            pc: 0,
            lanes,
            mode: default_mode(target),
            trapsts: 0,
            stop: None,
            index: 0,
            hwregs: [0; 64],
            scratch: 0,
            steps: 0,
            fork_depth: 0,
            thread: 0,
            held: Cell::new(Extent::default()),
        };
        registers.set_exec(u64::MAX);
        registers
    }

    /// Makes them those of a wave of another target, as [`Registers::with`] does.
    pub(crate) fn renew(&mut self, target: Target, lanes: u32, scalars: usize, vectors: usize) {
        (self.target, self.lanes) = (target, lanes);
        self.s.resize(scalars, 0);
        if planted!(SpareVectorsKept) {
            self.held.take();
        }
        self.reset();
        self.file.resize(vectors);
    }

    /// Bytes that they take.
    #[must_use]
    pub fn bytes() -> u64 {
        Registers::bytes_with(slot::CONSTANTS, file::NOWHERE as usize)
    }

    /// Bytes of so many of them.
    pub(crate) fn bytes_with(scalars: usize, vectors: usize) -> u64 {
        (size_of::<Registers>() + 4 * (vectors * STRIDE + scalars)) as u64
    }

    /// Makes them as new, for another group.
    pub fn reset(&mut self) {
        self.s[..slot::CONSTANTS].fill(0);
        let Extent { vectors, accumulators } = self.held.take();
        for (first, count) in [(0, vectors), (file::AGPR, accumulators)] {
            let cells = &self.file[first as usize * STRIDE..][..count as usize * STRIDE];
            cells.iter().for_each(|cell| cell.set(0));
        }
        self.scc = false;
        self.pc = 0;
        self.mode = default_mode(self.target);
        self.trapsts = 0;
        self.stop = None;
        self.hwregs = [0; 64];
        self.scratch = 0;
        self.steps = 0;
        self.fork_depth = 0;
        self.set_exec(u64::MAX);
    }

    /// The lanes that are active.
    #[inline(always)]
    #[must_use]
    pub fn exec(&self) -> u64 {
        self.mask_at(slot::EXEC)
    }

    /// Sets the active lanes.
    pub fn set_exec(&mut self, mask: u64) {
        self.set_mask(slot::EXEC, mask);
    }

    /// A lane mask in a scalar register or pair.
    #[inline(always)]
    #[must_use]
    pub fn mask_at(&self, at: usize) -> u64 {
        if self.lanes == 64 { self.mask_of::<64>(at) } else { self.mask_of::<32>(at) }
    }

    /// As [`Registers::mask_at`], where the number of lanes is known.
    #[inline(always)]
    #[must_use]
    pub(crate) fn mask_of<const N: usize>(&self, at: usize) -> u64 {
        if N == 64 { self.pair(at) } else { u64::from(self.s[at]) }
    }

    /// As [`Registers::set_mask`], where the number of lanes is known.
    #[inline(always)]
    pub(crate) fn set_mask_of<const N: usize>(&mut self, at: usize, mask: u64) {
        if N == 64 { self.set_pair(at, mask) } else { self.s[at] = mask as u32 }
    }

    /// Writes a lane mask: one word where waves have 32 lanes.
    #[inline(always)]
    pub fn set_mask(&mut self, at: usize, mask: u64) {
        if self.lanes == 64 { self.set_mask_of::<64>(at, mask) } else { self.set_mask_of::<32>(at, mask) }
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

    /// A lane's word of a vector register; accumulation registers follow from 256 on.
    #[inline(always)]
    #[must_use]
    pub fn vgpr(&self, register: usize, lane: usize) -> u32 {
        self.file[register * STRIDE + lane].get()
    }

    /// Writes a lane's word of a vector register.
    #[inline(always)]
    pub fn set_vgpr(&self, register: usize, lane: usize, v: u32) {
        self.file[register * STRIDE + lane].set(v);
        self.may_hold(Extent::of(register as u32));
    }

    /// Writes vector registers, from one on.
    pub fn set_vgprs(&self, first: usize, registers: &[[u32; STRIDE]]) {
        let Some(last) = (first + registers.len()).checked_sub(1) else { return };
        let cells = self.file[first * STRIDE..].chunks_exact(STRIDE);
        for (cells, words) in cells.zip(registers) {
            cells.iter().zip(words).for_each(|(cell, word)| cell.set(*word));
        }
        self.may_hold(Extent::of(last as u32));
    }

    /// So many vector registers may hold something from now on: a program may write them.
    #[inline(always)]
    pub fn may_hold(&self, extent: Extent) {
        self.held.set(self.held.get().and(extent));
    }

    /// All lanes there are, as a mask.
    #[inline(always)]
    #[must_use]
    pub fn all_lanes(&self) -> u64 {
        if self.lanes == 64 { u64::MAX } else { u64::from(u32::MAX) }
    }

    /// Sets what `src_shared_base` and its like read: 4 GiB from each base.
    pub fn set_apertures(&mut self, shared: u64, private: u64) {
        for (at, base) in [(slot::SHARED, shared), (slot::PRIVATE, private)] {
            self.set_pair(at, base);
            self.set_pair(at + 2, base | 0xffff_ffff);
        }
    }

    /// M0.
    #[inline(always)]
    #[must_use]
    pub fn m0(&self) -> u32 {
        self.s[usize::from(regs::m0_code(self.target.generation()))]
    }

    /// MODE as programs read it, with the depth of the stack of forks where there is one.
    #[must_use]
    pub fn whole_mode(&self) -> u32 {
        let has_forks = self.target.generation() <= Gen::Gfx9;
        if has_forks { self.mode & 0x1fff_ffff | self.fork_depth << 29 } else { self.mode }
    }

    /// Whether the wave is in the trap handler.
    #[inline]
    #[must_use]
    pub fn is_privileged(&self) -> bool {
        self.hwregs[id::STATUS as usize] & status::PRIV != 0
    }

    /// Sets or clears a bit that STATUS keeps.
    pub fn keep_status(&mut self, bit: u32, set: bool) {
        let kept = &mut self.hwregs[id::STATUS as usize];
        *kept = if set { *kept | bit } else { *kept & !bit };
    }

    /// STATUS: what follows from the state of the wave, in a group of so many.
    #[must_use]
    pub fn status(&self, waves: u32) -> u32 {
        let bit = |set: bool, at: u32| u32::from(set) << at;
        const VALID: u32 = 1 << 16;
        bit(self.scc && !planted!(StatusWithoutScc), 0)
            | bit(self.exec() == 0, 9)
            | bit(self.mask_at(slot::VCC) == 0, 10)
            | bit(waves > 1, 11)
            | VALID
            | self.hwregs[id::STATUS as usize] & status::KEPT
    }
}

/// MODE as compute kernels find it where nothing else is said: round to nearest, f32 denormals flushed, others kept, DX10
/// clamp and IEEE on.
#[must_use]
pub fn default_mode(target: Target) -> u32 {
    let floats = if planted!(DefaultKeepsDenormals) { 0b1111_0000 } else { 0b1100_0000 };
    if target.generation() >= Gen::Gfx12 { floats } else { floats | 1 << 8 | 1 << 9 }
}
