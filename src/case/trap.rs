//! How a program comes to a bad end.

use crate::disasm::Reason;
use crate::memory::guest::Access;
use std::fmt;
use std::time::Duration;

/// How a program came to a bad end: a value, not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// What happened.
    pub kind: TrapKind,
    /// The group of the wave.
    pub group: [u32; 3],
    /// The number of the wave in its group.
    pub wave: u32,
    /// The instruction, in bytes from the start of the text.
    pub pc: u64,
    /// The instruction as text; its words in hex where it is none.
    pub instruction: String,
    /// The first lane that did it, where one lane did.
    pub lane: Option<u32>,
    /// The address, where there is one.
    pub address: Option<u64>,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.group;
        write!(
            f,
            "{} at {:#06x} `{}`, group ({x}, {y}, {z}) wave {}",
            self.kind, self.pc, self.instruction, self.wave
        )?;
        if let Some(lane) = self.lane {
            write!(f, " lane {lane}")?;
        }
        if let Some(address) = self.address {
            write!(f, ", address {address:#x}")?;
        }
        Ok(())
    }
}

/// Why a wave stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrapKind {
    /// An access outside all buffers, or a store to one that is read-only.
    #[error("bad address: {access} of {bytes} bytes")]
    BadAddress {
        /// What for.
        access: Access,
        /// How much.
        bytes: u32,
    },
    /// An access that is not aligned where the hardware insists on it.
    #[error("misaligned {access}: {align} bytes needed")]
    Misaligned {
        /// What for.
        access: Access,
        /// The alignment that is needed.
        align: u32,
    },
    /// Bits that are no instruction of this processor.
    #[error("illegal instruction: {0}")]
    IllegalInstruction(Reason),
    /// A register beyond those that the wave has, where the generation makes that a fault.
    #[error("no such register: {0}")]
    BadRegister(String),
    /// The program counter left the program.
    #[error("the program counter left the program")]
    BadPc,
    /// More instructions than the budget allows: an endless loop.
    #[error("endless loop: more than {limit} instructions")]
    Budget {
        /// The budget of one wave.
        limit: u64,
    },
    /// More time than the watchdog allows.
    #[error("the watchdog stopped it after {0:?}")]
    Watchdog(Duration),
    /// `s_trap N`
    #[error("s_trap {0}")]
    Software(u8),
    /// An exception that MODE enables; the bits are those of TRAPSTS.
    #[error("exception {0:#x}")]
    Exception(u32),
    /// `s_sethalt`, and nobody there to wake it.
    #[error("halted for ever")]
    Halt,
    /// All waves of the group that still run wait for something that none of them will do, nor any other wave.
    #[error(
        "deadlock: {waiting} of {waves} waves wait at a barrier or for waves of any group, the others have ended or wait elsewhere"
    )]
    Deadlock {
        /// How many wait so.
        waiting: u32,
        /// How many waves the group has.
        waves: u32,
    },
    /// An instruction that the engine met on its way and cannot execute.
    #[error("unsupported instruction: needs {needs}")]
    Unsupported {
        /// What is missing, as in [`Unsupported`](crate::engine::Unsupported).
        needs: String,
    },
}

impl TrapKind {
    /// Every name that [`TrapKind::name`] gives.
    pub const NAMES: [&'static str; 12] = [
        "bad_address",
        "misaligned",
        "illegal_instruction",
        "bad_register",
        "bad_pc",
        "budget",
        "watchdog",
        "s_trap",
        "exception",
        "halt",
        "deadlock",
        "unsupported",
    ];

    /// The word for it in case files: `expect: trap bad_address`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            TrapKind::BadAddress { .. } => "bad_address",
            TrapKind::Misaligned { .. } => "misaligned",
            TrapKind::IllegalInstruction(_) => "illegal_instruction",
            TrapKind::BadRegister(_) => "bad_register",
            TrapKind::BadPc => "bad_pc",
            TrapKind::Budget { .. } => "budget",
            TrapKind::Watchdog(_) => "watchdog",
            TrapKind::Software(_) => "s_trap",
            TrapKind::Exception(_) => "exception",
            TrapKind::Halt => "halt",
            TrapKind::Deadlock { .. } => "deadlock",
            TrapKind::Unsupported { .. } => "unsupported",
        }
    }
}
