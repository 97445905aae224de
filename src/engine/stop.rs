//! Why a wave stops.

use super::TrapKind;
use crate::memory::guest::{Fault, Why};
use std::fmt;

/// Why a wave does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached the end of its program.
    End,
    /// It waits at a barrier.
    Barrier,
    /// It stands in a queue that any wave of the dispatch may let it out of.
    Queued,
    /// It has executed as much as it was to: see [`Limits::pause`](super::dispatch::Limits::pause).
    Paused,
    /// Something went wrong: a value, not an error of the tool.
    Trap(Box<Cause>),
}

/// What went wrong, as far as the wave knows: where it happened, the wave's program counter says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What.
    pub kind: TrapKind,
    /// The first lane that did it, where one lane did.
    pub lane: Option<u32>,
    /// The address, where there is one.
    pub address: Option<u64>,
}

impl From<TrapKind> for Cause {
    fn from(kind: TrapKind) -> Cause {
        Cause { kind, lane: None, address: None }
    }
}

impl Cause {
    /// An access to memory that failed; scalar accesses have no lane.
    #[must_use]
    pub fn memory(fault: &Fault, lane: Option<u32>) -> Cause {
        let bytes = u32::try_from(fault.size).unwrap_or(u32::MAX);
        let kind = match fault.why {
            Why::Misaligned => TrapKind::Misaligned { access: fault.access, align: bytes },
            Why::Unmapped | Why::ReadOnly | Why::NotCanonical => TrapKind::BadAddress { access: fault.access, bytes },
        };
        Cause { kind, lane, address: Some(fault.address) }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        if let Some(address) = self.address {
            write!(f, " at {address:#x}")?;
        }
        match self.lane {
            Some(lane) => write!(f, ", lane {lane}"),
            None => Ok(()),
        }
    }
}
