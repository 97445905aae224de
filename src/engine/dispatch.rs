//! What is to be run: a grid of groups of waves, over guest memory.

use super::TrapKind;
use super::order::Order;
use super::registers::Registers;
use crate::launch::Apertures;
use crate::memory::guest::Memory;
use crate::program::Program;

/// What to run.
pub struct Dispatch<'a> {
    /// The code.
    pub program: &'a Program,
    /// Guest memory.
    pub memory: &'a Memory,
    /// Groups in each dimension.
    pub groups: [u32; 3],
    /// Waves of a group.
    pub waves: u32,
    /// Lanes of a wave: 32 or 64.
    pub lanes: u32,
    /// Vector registers that a wave is given, where accumulation registers are among them with these: it depends on them how many
    /// waves run at once. What a wave may write is the program's to say.
    pub vgprs: u32,
    /// Bytes of the local data share of a group.
    pub lds: u32,
    /// Where shared memory and scratch appear in the flat address space.
    pub apertures: Apertures,
    /// Bytes of scratch memory that a lane has.
    pub scratch_per_lane: u32,
    /// Limits of each wave.
    pub limits: Limits,
    /// The order of waves and lanes.
    pub order: Order,
    /// How many threads.
    pub threads: usize,
    /// Nobody else reads or writes the memory while it runs: where it runs on one thread, atomics need not be any to the host then.
    pub alone: bool,
    /// Gives a wave its first state.
    pub setup: &'a Setup<'a>,
}

/// Gives a wave its first state: the group, the wave's number in it, its registers. A wave which the group lacks, being a
/// partial one, is ended here ([`Stop::End`](super::Stop::End)).
pub type Setup<'a> = dyn Fn([u32; 3], u32, &mut Registers) + Sync + 'a;

/// Gives the local data share of a group its first contents.
pub type FillLds<'a> = dyn Fn([u32; 3], &mut [u32]) + Sync + 'a;

impl<'a> Dispatch<'a> {
    /// One wave of so many lanes on one thread, without LDS and scratch memory, given all registers that it may name.
    #[must_use]
    pub fn of_one(program: &'a Program, memory: &'a Memory, lanes: u32, setup: &'a Setup<'a>) -> Dispatch<'a> {
        Dispatch {
            program,
            memory,
            groups: [1; 3],
            waves: 1,
            lanes,
            vgprs: program.vgprs,
            lds: 0,
            apertures: Apertures::default(),
            scratch_per_lane: 0,
            limits: Limits::default(),
            order: Order::default(),
            threads: 1,
            alone: false,
            setup,
        }
    }

    /// How many groups there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.groups.iter().map(|n| u64::from(*n)).product()
    }

    /// The group with a number.
    #[must_use]
    pub fn group(&self, n: u64) -> [u32; 3] {
        let [x, y, _] = self.groups.map(u64::from);
        [(n % x) as u32, (n / x % y) as u32, (n / x / y) as u32]
    }

    /// The number of a group.
    #[must_use]
    pub fn number(&self, [gx, gy, gz]: [u32; 3]) -> u64 {
        let [x, y, _] = self.groups.map(u64::from);
        (u64::from(gz) * y + u64::from(gy)) * x + u64::from(gx)
    }
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions that a wave may execute.
    pub instructions: u64,
    /// After how many ticks every wave is paused, where it has not stopped before: the state after a prefix. A tick is an
    /// instruction of the wave; the time at a barrier counts as that of the wave which came last, so that from tick to tick a
    /// wave executes one instruction at most.
    pub pause: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { instructions: 1 << 32, pause: None }
    }
}

/// The most messages of a dispatch: they are kept, and a program can send as many as it has time for.
pub const MAX_MESSAGES: usize = 1 << 20;

/// The most exports of a dispatch, for the same reason.
pub const MAX_EXPORTS: usize = 1 << 16;

/// What a run with more exports comes to.
#[must_use]
pub fn too_many_exports() -> TrapKind {
    TrapKind::Unsupported { needs: format!("more than {MAX_EXPORTS} exports") }
}

/// What a run with more messages comes to.
#[must_use]
pub fn too_many_messages() -> TrapKind {
    TrapKind::Unsupported { needs: format!("more than {MAX_MESSAGES} messages") }
}
