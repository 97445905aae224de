//! The record of a wave in device memory: what the host writes before a dispatch and reads after it.
//!
//! A record is a run of words: a head, the scalar registers under their operand codes, the vector registers with 64 words each, and behind them the
//! accumulation registers, where the program uses them. A dispatch takes every wave from where its record says to where it stops, and writes
//! it back: at its end, at a barrier, at a trap, when its share of steps is used up, or where it wants to go on at a place that the
//! translation has no block for. So barriers need nothing of the device, and no dispatch is long.

use crate::isa::Gen;

/// Why a wave does not go on, in [`head::STATUS`].
pub mod status {
    /// It goes on.
    pub const RUNS: u32 = 0;
    /// It has ended.
    pub const ENDED: u32 = 1;
    /// It waits at a barrier.
    pub const BARRIER: u32 = 2;
    /// It trapped; the head says why.
    pub const TRAPPED: u32 = 3;
    /// The program counter is at a place that no block begins at.
    pub const LOST: u32 = 4;
    /// It is at an instruction that the host carries out.
    pub const ASKS: u32 = 5;
    /// It stands in a queue of the wave sync, behind its instruction.
    pub const QUEUED: u32 = 6;
}

/// The words of the head.
pub mod head {
    /// See [`super::status`].
    pub const STATUS: u32 = 0;
    /// The step to go on with.
    pub const PC: u32 = 1;
    /// The scalar condition: 0 or 1.
    pub const SCC: u32 = 2;
    /// MODE, without the depth of forks.
    pub const MODE: u32 = 3;
    /// Trap status.
    pub const TRAPSTS: u32 = 4;
    /// Entries on the stack of forks.
    pub const FORKS: u32 = 5;
    /// Where scratch memory begins: two words.
    pub const SCRATCH: u32 = 6;
    /// What trapped: see [`super::trap`].
    pub const TRAP: u32 = 8;
    /// The lane that did, or [`super::NO_LANE`].
    pub const LANE: u32 = 9;
    /// The address: two words.
    pub const ADDRESS: u32 = 10;
    /// The size of the access, or what else the trap has to say.
    pub const DETAIL: u32 = 12;
    /// Instructions executed: two words.
    pub const STEPS: u32 = 13;
    /// How often the clock was read.
    pub const CLOCK: u32 = 15;
    /// The number of the wave in its group.
    pub const INDEX: u32 = 16;
    /// The first word of the group's LDS.
    pub const LDS: u32 = 17;
    /// The number of the wave in the dispatch, for messages.
    pub const NUMBER: u32 = 18;
    /// The steps after which it is to pause, in translations that [pause](crate::spirv::lower::Options::pausing).
    pub const PAUSE: u32 = 19;
    /// Exports of the wave.
    pub const EXPORTS: u32 = 20;
    /// The hardware registers that are only kept: 64 words.
    pub const HWREGS: u32 = 64;
}

/// What trapped.
pub mod trap {
    /// A load from nowhere.
    pub const LOAD: u32 = 1;
    /// A store to nowhere.
    pub const STORE: u32 = 2;
    /// An atomic nowhere.
    pub const ATOMIC: u32 = 3;
    /// A misaligned access; [`super::head::DETAIL`] has the alignment, and above it the kind: 1 to 3.
    pub const MISALIGNED: u32 = 4;
    /// `s_trap`.
    pub const SOFTWARE: u32 = 5;
    /// `s_sethalt`.
    pub const HALT: u32 = 6;
    /// The program counter left the program; the address says where to.
    pub const LEFT: u32 = 7;
    /// An instruction that is none.
    pub const ILLEGAL: u32 = 8;
    /// An instruction that is not translated.
    pub const UNSUPPORTED: u32 = 9;
    /// The stack of forks is full.
    pub const FORKS: u32 = 10;
    /// More instructions than a wave may execute.
    pub const BUDGET: u32 = 11;
    /// More time than the run may take.
    pub const WATCHDOG: u32 = 12;
    /// A return from a trap handler outside of one.
    pub const OUTSIDE: u32 = 13;
    /// A wait for what nobody does; [`super::head::DETAIL`] has how many wait.
    pub const DEADLOCK: u32 = 14;
}

/// No lane did it alone.
pub const NO_LANE: u32 = u32::MAX;
/// The first scalar register.
pub const SGPRS: u32 = 128;
/// The first vector register.
pub const VGPRS: u32 = SGPRS + 128;
/// Words of a vector register.
pub const STRIDE: u32 = 64;

/// How large records are: as large as the registers want that a program names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Vector registers.
    pub vgprs: u32,
    /// Accumulation registers.
    pub agprs: u32,
}

impl Layout {
    /// All registers that there are.
    #[must_use]
    pub fn whole(generation: Gen) -> Layout {
        Layout { vgprs: 256, agprs: if generation == Gen::Gfx9 { 256 } else { 0 } }
    }

    /// Room for the registers of both.
    #[must_use]
    pub fn join(self, other: Layout) -> Layout {
        Layout { vgprs: self.vgprs.max(other.vgprs), agprs: self.agprs.max(other.agprs) }
    }

    /// With room for the register at a vector place.
    #[must_use]
    pub fn with(self, n: u32) -> Layout {
        self.join(if n >= 256 { Layout { vgprs: 0, agprs: n - 255 } } else { Layout { vgprs: n + 1, agprs: 0 } })
    }

    /// Registers of both kinds.
    #[must_use]
    pub fn registers(self) -> u32 {
        self.vgprs + self.agprs
    }

    /// Words of a record.
    #[must_use]
    pub fn words(self) -> u32 {
        VGPRS + self.registers() * STRIDE
    }

    /// The word of lane 0 of the register at a vector place: accumulation registers from 256 on.
    #[must_use]
    pub fn register(self, n: u32) -> u32 {
        let at = if n >= 256 { self.vgprs + (n - 256) } else { n };
        VGPRS + at * STRIDE
    }
}

/// The buffers of a module, by binding.
pub mod binding {
    /// The records.
    pub const STATE: u32 = 0;
    /// Guest memory.
    pub const MEMORY: u32 = 1;
    /// The regions of guest memory: [`super::REGION`] words each.
    pub const REGIONS: u32 = 2;
    /// LDS of the groups, and behind it the global data share.
    pub const LDS: u32 = 3;
    /// Messages: a count, then [`super::MESSAGE`] words each. Behind them [exports](super::export).
    pub const MESSAGES: u32 = 4;
    /// What is looked up about [images](crate::spirv::tables).
    pub const TABLES: u32 = 5;
    /// How many there are.
    pub const COUNT: u32 = 6;
}

/// Words of a region: the guest address (two), the size in bytes (two), its first word in the buffer, whether it is writable.
pub const REGION: u32 = 6;
/// Words of a message: the wave's number, the step, the message, M0.
pub const MESSAGE: u32 = 4;

/// The words of an export.
pub mod export {
    /// The step.
    pub const STEP: u32 = 0;
    /// The active lanes: two words.
    pub const EXEC: u32 = 1;
    /// M0, where the export is to a row.
    pub const M0: u32 = 3;
    /// Four elements of each lane.
    pub const LANES: u32 = 4;
    /// Elements of a lane.
    pub const ELEMENTS: u32 = 4;
    /// All of it.
    pub const WORDS: u32 = LANES + ELEMENTS * 64;
}

/// The push constants, by word.
pub mod push {
    /// Waves of the dispatch.
    pub const WAVES: u32 = 0;
    /// Blocks that a wave may execute before it comes up for air.
    pub const FUEL: u32 = 1;
    /// Regions of guest memory.
    pub const REGIONS: u32 = 2;
    /// Messages that there is room for.
    pub const MESSAGES: u32 = 3;
    /// Bytes of LDS of a group.
    pub const LDS_BYTES: u32 = 4;
    /// The first wave of the dispatch.
    pub const FIRST: u32 = 5;
    /// Exports of a wave that there is room for.
    pub const EXPORTS: u32 = 6;
    /// The first word of exports, behind the messages.
    pub const FIRST_EXPORT: u32 = 7;
    /// The first word of the global data share, behind the LDS of the groups.
    pub const FIRST_GDS: u32 = 8;
    /// Bytes of it; none where there is no such thing.
    pub const GDS_BYTES: u32 = 9;
    /// How many there are.
    pub const COUNT: u32 = 10;
}
