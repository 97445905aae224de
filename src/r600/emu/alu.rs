//! ALU clauses: groups of up to five operations.
//!
//! All operations of a group read before any writes. The results of the four vector slots and of the trans slot, behind factor and clamp,
//! are PV and PS for the next group; registers are written after that, the trans slot last. What a group does to the predicate, to the
//! valid pixels and to the address register holds from the next group on; what it does to the execute mask from the end of the clause on.

use super::kernel::{Kernel, MAX_SOURCES};
use super::{Setup, ready};

/// The vector slots and the trans slot.
pub const SLOTS: usize = 5;
/// The number of the trans slot.
pub const TRANS: usize = 4;

/// Which index is added to an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// An element of the address register. Registers know X only.
    Address(u8),
    /// The index of the loop.
    Loop,
}

/// Where the value of a source comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// An element of a register, as four times its number and its own: one that the program has.
    Gpr(usize),
    /// A register with an index.
    Indexed {
        /// Its number.
        gpr: u32,
        /// Its element.
        element: u32,
        /// What is added to the number.
        index: Index,
    },
    /// A constant of the file.
    File {
        /// Its number.
        number: u32,
        /// Its element.
        element: u32,
        /// What is added to the number.
        index: Option<Index>,
    },
    /// A constant of the cache.
    Cache {
        /// Which of the two sets of lines.
        set: u32,
        /// Its number in the set.
        number: u32,
        /// Its element.
        element: u32,
        /// What is added to the number.
        index: Option<Index>,
    },
    /// A constant of the instruction.
    Value(u32),
    /// A result of the group before: PV, or PS as element 4.
    Previous(u32),
}

/// A source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Where it comes from.
    pub place: Place,
    /// The sign is cleared.
    pub abs: bool,
    /// Then the sign is turned.
    pub neg: bool,
}

impl Source {
    /// The source that an instruction does not have.
    pub const NONE: Source = Source { place: Place::Value(0), abs: false, neg: false };
}

/// What an operation does besides its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Its bit becomes the predicate, the execute mask, or both.
    Predicate {
        /// UPDATE_PRED.
        predicate: bool,
        /// UPDATE_EXECUTE_MASK.
        execute: bool,
    },
    /// Its bit kills.
    Kill,
    /// Its result goes to the address register and nowhere else.
    Address,
}

/// An operation of a group.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// What it computes; none for NOP.
    pub kernel: Option<&'static Kernel>,
    /// Where it runs.
    pub slot: usize,
    /// Its sources.
    pub src: [Source; MAX_SOURCES],
    /// How many of them there are.
    pub sources: usize,
    /// The register and the element that is written.
    pub dst: (u32, u32),
    /// What is added to the number of the register.
    pub index: Option<Index>,
    /// Whether a register is written.
    pub write: bool,
    /// The element that is written by all lanes that execute, as four times the number of the register and its own, where there is nothing
    /// more to be done than that.
    pub simply: Option<usize>,
    /// The value of the predicate with which it is executed.
    pub when: Option<bool>,
    /// OMOD.
    pub factor: u32,
    /// CLAMP.
    pub clamp: bool,
    /// What else it does.
    pub effect: Effect,
}

/// Operations that are executed at once.
#[derive(Clone, Debug)]
pub struct Group {
    /// In the order of the slots.
    pub ops: Vec<Op>,
    /// What is done with the values of the vector slots: each gets the result.
    pub reduce: Option<&'static Kernel>,
    /// Its address in the program, for messages.
    pub at: u32,
}

/// Lines of the constant cache that a clause locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// The constant buffer.
    pub bank: u32,
    /// How: not, one line, two lines, two lines behind those that the loop index passes.
    pub mode: u32,
    /// The first line.
    pub line: u32,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its groups.
    pub groups: Vec<Group>,
    /// The lines it locks.
    pub lines: [Lines; 2],
    /// The groups as they are executed.
    pub(super) ready: ready::Clause,
}

impl Clause {
    /// A clause of groups that locks lines.
    #[must_use]
    pub fn new(groups: Vec<Group>, lines: [Lines; 2], setup: &Setup) -> Clause {
        let ready = ready::Clause::new(&groups, setup);
        Clause { groups, lines, ready }
    }
}
