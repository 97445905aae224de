//! The barrier of a group from gfx12 on: waves say that they have come, and wait until all have, in two instructions.

use crate::fault::planted;
use crate::isa::Gen;
use crate::program::Program;
use crate::program::barrier::Barrier;

/// A barrier that waves signal and wait for apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Split {
    /// How many waves have signalled since it was complete.
    pub signals: u32,
    /// How often it was complete.
    pub completed: u64,
}

impl Split {
    /// The barrier of a group, where its processor has such ones, and the group more than one wave.
    #[must_use]
    pub fn of(program: &Program, waves: u32) -> Option<Split> {
        (program.target.generation() >= Gen::Gfx12 && waves > 1).then(Split::default)
    }

    /// A wave of a group in which so many have not ended has come; whether it is the first.
    pub fn signal(&mut self, live: u32) -> bool {
        let first = self.signals == 0;
        if !planted!(BarrierSignalLost) {
            self.signals += 1;
            self.check(live);
        }
        first
    }

    /// How many have come, how many there are, and whether that is known yet. The trap handler's barrier is not the program's.
    #[must_use]
    pub fn state(&self, number: Barrier, live: u32) -> u32 {
        let signals = if number == Barrier::Group { self.signals } else { 0 };
        let at = if planted!(BarrierStateShifted) { 12 } else { 16 };
        signals << at | live << 4 | 1
    }

    /// Completes it if all of so many waves have signalled.
    pub fn check(&mut self, live: u32) {
        let live = if planted!(BarrierCountsEnded) { live + 1 } else { live };
        if self.signals > 0 && self.signals >= live {
            self.signals = 0;
            self.completed += 1;
        }
    }
}
