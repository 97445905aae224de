//! Why a wave stops.

/// Why a wave does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached the end of its program.
    End,
    /// It waits at a barrier.
    Barrier,
    /// Something went wrong: a value, not an error of the tool.
    Trap(TrapKind),
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrapKind {
    /// An instruction that the processor does not have.
    #[error("illegal instruction: {0}")]
    Illegal(String),
    /// An instruction that this engine does not execute.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The program counter left the code.
    #[error("no code at {0:#x}")]
    NoCode(u64),
    /// A memory access that failed.
    #[error("{what} at {address:#x}, lane {lane}")]
    Memory {
        /// What failed.
        what: String,
        /// The guest address.
        address: u64,
        /// The lane; 0 for scalar accesses.
        lane: u32,
    },
    /// `s_sethalt`.
    #[error("halted")]
    Halted,
    /// `s_trap`.
    #[error("s_trap {0}")]
    Requested(u32),
    /// The wave executed more instructions than it may.
    #[error("more than {0} instructions: an endless loop?")]
    Budget(u64),
    /// Waves wait at barriers that the others will never reach.
    #[error("deadlock at a barrier")]
    Deadlock,
}
