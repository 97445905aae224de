//! Programs with a trap handler: code of the same program that waves enter by `s_trap` and by exceptions.

use super::{Program, Step};
use crate::isa::does::{Control, Does};
use crate::isa::symbols::hwreg;
use crate::isa::traps;

/// What `s_rfe` needs, and does not have everywhere.
pub const OUTSIDE_OF_A_HANDLER: &str = "a trap handler to return from: nobody says what it does elsewhere";

/// A trap handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handler {
    /// Its first step.
    pub step: u32,
    /// The address that TMA has: of memory that is the handler's.
    pub memory: u64,
    /// Whether exceptions may be enabled, by what waves begin with or by an instruction.
    pub exceptions: bool,
}

impl Program {
    /// The same program with a trap handler at a step. `memory` is what TMA has, `enabled` what waves begin with in the register that
    /// [enables](traps::enables) exceptions.
    #[must_use]
    pub fn handled_by(mut self, step: u32, memory: u64, enabled: u32) -> Program {
        let (register, first) = traps::enables(self.target.generation());
        let bits = traps::raised::MASKABLE << first | traps::stepping(self.target.generation());
        let begins = enabled & bits != 0;
        let sets = |step: &Step| {
            let (id, first, width) = hwreg::unpack(step.imm);
            let field = (u64::MAX >> (64 - width)) << first;
            step.does() == Some(Does::Control(Control::SetReg)) && id == register && field as u32 & bits != 0
        };
        let exceptions = begins || self.steps.iter().any(sets);
        for trap in self.steps.iter_mut().filter(|step| step.does() == Some(Does::Control(Control::Trap))) {
            trap.target = step;
        }
        self.handler = Some(Handler { step, memory, exceptions });
        self
    }

    /// The address of the trap handler; nothing where there is none.
    #[must_use]
    pub fn handler_address(&self) -> u64 {
        self.handler.map_or(0, |handler| self.address_of(handler.step))
    }

    /// What a handler is told by `s_sendmsg_rtn`: nothing where it is told otherwise, or where that is not what is asked for.
    #[must_use]
    pub fn told_by_message(&self, message: u32) -> Option<u64> {
        let generation = self.target.generation();
        let handler = self.handler.filter(|_| traps::told(generation) == traps::Told::Messages)?;
        match message & 0xff {
            traps::message::TBA => Some(traps::tba(generation, self.handler_address())),
            traps::message::TMA => Some(traps::tma(generation, handler.memory)),
            _ => None,
        }
    }
}
