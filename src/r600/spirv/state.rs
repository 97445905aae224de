//! The two buffers of a module: the record of a thread group, which a dispatch reads and writes, and what a program finds, which it reads.
//!
//! A record is a run of words: a head, the registers, what was exported to each target that the program names, a log of what goes to
//! streams, rings and primitives, the stack, the reduction buffer, and the scratch buffers of the lanes. Registers and what belongs to
//! lanes lie with the lanes of a word side by side.
//!
//! A dispatch takes the group from where its record says to where it stops: at its end, at a fault, when its share of rounds is used up,
//! or when the log is full. So no dispatch is long, and there is room for every program.

use crate::r600::emu::Target;

/// Why a group does not go on, in [`head::STATUS`].
pub mod status {
    /// It goes on.
    pub const RUNS: u32 = 0;
    /// It has ended.
    pub const ENDED: u32 = 1;
    /// The program is wrong; [`super::head::CODE`] says how.
    pub const FAULT: u32 = 2;
    /// The site is none: a mistake of the translation.
    pub const LOST: u32 = 3;
}

/// The words of the head. Masks are two words.
pub mod head {
    /// See [`super::status`].
    pub const STATUS: u32 = 0;
    /// The site to go on at: a number of the translation.
    pub const SITE: u32 = 1;
    /// Instructions of control flow, groups and fetches so far.
    pub const STEPS: u32 = 2;
    /// Which fault, by the numbers of the translation, from 1 on.
    pub const CODE: u32 = 3;
    /// What the fault has to say.
    pub const OPERAND: u32 = 4;
    /// Pixels that execute.
    pub const ACTIVE: u32 = 5;
    /// Pixels that have left the iteration of the innermost loop.
    pub const CONTINUED: u32 = 7;
    /// Pixels that have left the innermost loop.
    pub const BROKEN: u32 = 9;
    /// Pixels covered and not killed.
    pub const VALID: u32 = 11;
    /// The index of loops.
    pub const INDEX: u32 = 13;
    /// How deep calls are nested, as their instructions count it.
    pub const DEPTH: u32 = 14;
    /// Entries on the stack.
    pub const TOP: u32 = 15;
    /// Those that are pushes.
    pub const PUSHES: u32 = 16;
    /// Those that are loops.
    pub const LOOPS: u32 = 17;
    /// Those that are calls, but of the fetch program.
    pub const CALLS: u32 = 18;
    /// Those that are calls of the fetch program.
    pub const FETCHES: u32 = 19;
    /// The entry of the innermost loop, counted from 1; 0 outside of loops.
    pub const INNERMOST: u32 = 20;
    /// Entries of the log in use.
    pub const LOGGED: u32 = 21;
    /// Rounds of loops that are left of the dispatch.
    pub const FUEL: u32 = 22;
    /// Instructions of control flow to come, where the run stops before its end.
    pub const FLOWS: u32 = 23;
    /// Up to here words change.
    pub const CHANGING: u32 = 24;
    /// Instructions that it may execute.
    pub const BUDGET: u32 = 24;
    /// Entries of the stack as the program declares them; all bits where it does not.
    pub const LIMIT: u32 = 25;
    /// How many lanes there are.
    pub const COUNT: u32 = 26;
    /// The lanes that there are.
    pub const LANES: u32 = 27;
    /// Elements of the scratch buffer of a lane.
    pub const SCRATCH: u32 = 29;
    /// Elements of the reduction buffer.
    pub const REDUCTION: u32 = 30;
    /// How many there are.
    pub const WORDS: u32 = 32;
}

/// The words of an entry of the stack; the first says what it is.
pub mod entry {
    /// The state of pixels: the active ones.
    pub const PIXELS: u32 = 1;
    /// A loop.
    pub const LOOP: u32 = 2;
    /// A call.
    pub const CALL: u32 = 3;
    /// Of all three: the pixels that were active.
    pub const ACTIVE: u32 = 1;
    /// Of a loop: those of the loop around that had left its iteration.
    pub const CONTINUED: u32 = 3;
    /// Of a loop: those that had left it.
    pub const BROKEN: u32 = 5;
    /// Of a loop: those that entered.
    pub const ENTERED: u32 = 7;
    /// Of a loop: iterations to come with this one.
    pub const COUNT: u32 = 9;
    /// Of a loop: bit 0 if iterations are counted, bit 1 if it moves the index.
    pub const KIND: u32 = 10;
    /// Of a loop: what is added to the index.
    pub const STEP: u32 = 11;
    /// Of a loop: the index of the loop around.
    pub const INDEX: u32 = 12;
    /// Of a loop: the entry of the loop around.
    pub const OUTER: u32 = 13;
    /// Of a loop: [`PUSHES`](super::head::PUSHES), calls and calls of the fetch program below it.
    pub const BELOW: u32 = 14;
    /// Of a call: the depth before it.
    pub const DEPTH: u32 = 3;
    /// Of a call: the site behind it in the program, then that in the fetch program.
    pub const BACK: u32 = 4;
    /// Of a call: whether it calls the fetch program.
    pub const FETCH: u32 = 6;
    /// How many there are.
    pub const WORDS: u32 = 17;
}

/// What an entry of the log is, for each lane: the number of a stream from 0 on, or one of these.
pub mod log {
    /// Words of the ring.
    pub const RING: u32 = 0x100;
    /// A vertex.
    pub const EMIT: u32 = 0x101;
    /// The end of a strip.
    pub const CUT: u32 = 0x102;
    /// Set in the word that says what it is, where the lane wrote anything; below are four bits of the words that it wrote.
    pub const WRITTEN: u32 = 1 << 31;
    /// Words of an entry: what it is (and [`WRITTEN`]), the address, four words.
    pub const WORDS: u32 = 6;
    /// Entries.
    pub const ENTRIES: u32 = 64;
}

/// Registers.
pub const GPRS: u32 = 128;
/// Lanes that there is room for.
pub const LANES: u32 = 64;
/// Entries of the stack.
pub const STACK: u32 = 4096;
/// What is kept of an export of a lane: four words, and which of them were written, with bit 4 for the export itself.
pub const EXPORT: u32 = 5;
/// The first register.
pub const REGISTERS: u32 = head::WORDS;
const EXPORTS: u32 = REGISTERS + GPRS * 4 * LANES;

/// Where the parts of a record lie that depend on the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The targets of exports that the program names.
    pub targets: Vec<Target>,
    /// Whether there is a log.
    pub logs: bool,
}

impl Layout {
    /// The first word of a target.
    #[must_use]
    pub fn export(&self, n: u32) -> u32 {
        EXPORTS + n * EXPORT * LANES
    }

    /// The first word of the log.
    #[must_use]
    pub fn log(&self) -> u32 {
        self.export(self.targets.len() as u32)
    }

    /// The first word of the stack.
    #[must_use]
    pub fn stack(&self) -> u32 {
        self.log() + if self.logs { log::ENTRIES * log::WORDS * LANES } else { 0 }
    }

    /// The first word of the reduction buffer, behind which the scratch buffers lie.
    #[must_use]
    pub fn reduction(&self) -> u32 {
        self.stack() + STACK * entry::WORDS
    }
}

/// The words of what a program finds.
pub mod input {
    /// Boolean constants.
    pub const BOOLS: u32 = 0;
    /// Added to the index of vertex fetches: of vertices, then of instances.
    pub const OFFSETS: u32 = 1;
    /// Integer constants: count, first, step of each.
    pub const LOOPS: u32 = 8;
    /// How many there are.
    pub const LOOP_CONSTANTS: u32 = 32;
    /// The constant file, then banks, then resources: [`PART`] words each.
    pub const PARTS: u32 = LOOPS + 3 * LOOP_CONSTANTS;
    /// Words that say where something lies: the first word; how many words, or bytes, or vectors there are; three more of resources.
    pub const PART: u32 = 5;
}

/// Bindings of the two buffers.
pub mod binding {
    /// The record.
    pub const STATE: u32 = 0;
    /// What the program finds.
    pub const INPUT: u32 = 1;
}
