//! Programs whose waves take turns.
//!
//! What groups share beside memory ([`across`](crate::engine::across)), and how many waves have come to a barrier of gfx12, depends on who comes first.
//! So waves of a program that asks for these are on the device one at a time, in the order in which the emulator runs them; and the
//! instructions of the wave sync, and the signals of a barrier whose signals are asked for, are the host's: a wave stops at one as it
//! does at a barrier.

use crate::isa::does::{Control, Does};
use crate::program::{Program, Step};

/// Whether waves of a program take turns, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Groups share more than memory.
    across: bool,
    /// A wave asks who has signalled.
    signals: bool,
}

impl Turns {
    /// Of a program in groups of so many waves. One that is alone has no barrier.
    #[must_use]
    pub fn of(program: &Program, waves: u32) -> Turns {
        let asks = |step: &Step| {
            matches!(
                step.does(),
                Some(Does::Control(Control::BarrierSignal { asks_first: true } | Control::BarrierState))
            )
        };
        Turns { across: program.across, signals: waves > 1 && program.steps.iter().any(asks) }
    }

    /// Whether they do.
    #[must_use]
    pub fn any(self) -> bool {
        self.across || self.signals
    }

    /// Whether the host carries a step out.
    #[must_use]
    pub fn asks_host(self, step: &Step) -> bool {
        match step.does().filter(|_| step.executes) {
            Some(Does::Across(_)) => true,
            Some(Does::Control(Control::BarrierSignal { .. } | Control::BarrierState)) => self.signals,
            _ => false,
        }
    }
}
