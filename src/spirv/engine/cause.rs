//! Why a wave has stopped, from its record.

use super::Run;
use crate::engine::across::NO_GDS;
use crate::engine::{Cause, TrapKind};
use crate::isa::symbols::hwreg::id;
use crate::isa::traps;
use crate::memory::guest::Access;
use crate::memory::rays;
use crate::program::{Flags, OUTSIDE_OF_A_HANDLER};
use crate::spirv::state::{self, head, trap};
use std::time::Duration;

/// What a run with a trap handler needs that exceptions enter.
pub(super) const TRAPPED_EXCEPTIONS: &str = "exceptions that enter a trap handler";

impl Run<'_> {
    /// What trapped.
    pub(super) fn cause(&self, from: &[u32]) -> Cause {
        let get = |at: u32| from[at as usize];
        let detail = get(head::DETAIL);
        let address = u64::from(get(head::ADDRESS)) | u64::from(get(head::ADDRESS + 1)) << 32;
        let lane = Some(get(head::LANE)).filter(|lane| *lane != state::NO_LANE);
        let bad = |access| TrapKind::BadAddress { access, bytes: detail };
        let access = |n: u32| match n {
            trap::STORE => Access::Store,
            trap::ATOMIC => Access::Atomic,
            _ => Access::Load,
        };
        let exception = match get(head::TRAP) {
            trap::LOAD..=trap::MISALIGNED => traps::raised::MEMORY,
            trap::ILLEGAL => traps::raised::ILLEGAL,
            _ => 0,
        };
        let inside = get(head::HWREGS + id::STATUS) & traps::status::PRIV != 0;
        let enters = traps::unmasked(self.job.dispatch.program.target.generation()) & exception != 0;
        if self.job.dispatch.program.handler.is_some() && !inside && enters {
            return TrapKind::Unsupported { needs: TRAPPED_EXCEPTIONS.to_owned() }.into();
        }
        let (kind, has_address) = match get(head::TRAP) {
            n @ (trap::LOAD | trap::STORE | trap::ATOMIC) => (bad(access(n)), true),
            trap::MISALIGNED => (TrapKind::Misaligned { access: access(detail >> 16), align: detail & 0xffff }, true),
            trap::SOFTWARE => (TrapKind::Software(detail as u8), false),
            trap::HALT => (TrapKind::Halt, false),
            trap::LEFT => (TrapKind::BadPc, true),
            trap::ILLEGAL => return self.illegal(get(head::PC)),
            trap::FORKS => (TrapKind::BadRegister("the stack of forks is full".to_owned()), false),
            trap::WATCHDOG => (TrapKind::Watchdog(self.deadline.map_or(Duration::ZERO, |(_, timeout)| timeout)), false),
            trap::OUTSIDE => (TrapKind::Unsupported { needs: OUTSIDE_OF_A_HANDLER.to_owned() }, false),
            trap::DEADLOCK => (TrapKind::Deadlock { waiting: detail, waves: self.job.dispatch.waves }, false),
            trap::BUDGET => (TrapKind::Budget { limit: self.job.dispatch.limits.instructions }, false),
            // What is not translated is none of a lane's.
            _ => {
                let kind = TrapKind::Unsupported { needs: self.needs(from) };
                return Cause { kind, lane: None, address: None };
            }
        };
        Cause { kind, lane, address: has_address.then_some(address) }
    }

    /// What the step that a wave stopped at needs, of which there is no translation.
    fn needs(&self, from: &[u32]) -> String {
        let pc = from[head::PC as usize];
        let program = self.job.dispatch.program;
        if let Some(needs) = self.table.as_ref().and_then(|table| table.refused(from[head::NUMBER as usize])) {
            return needs.to_owned();
        }
        let mut missing = self.pieces.iter().flat_map(|piece| &piece.translation.missing);
        let needs = missing.find(|m| m.step == pc).map(|m| m.needs.clone());
        needs.unwrap_or_else(|| match program.steps.get(pc as usize) {
            Some(step) => {
                let words = |at: u32, n: u32| from.get((state::SGPRS + at + n) as usize).copied().unwrap_or(0);
                let of = step.memory.as_deref().zip(step.row);
                let reason = of.and_then(|(access, row)| access.refused(row, &program.target, &words));
                let of_node =
                    || rays::Unsupported::of_code(from[head::DETAIL as usize]).map(|reason| reason.to_string());
                let of_share =
                    || step.memory.as_ref().filter(|access| access.has(Flags::GDS)).map(|_| NO_GDS.to_owned());
                reason
                    .or_else(of_node)
                    .or_else(of_share)
                    .unwrap_or_else(|| "something that is not translated".to_owned())
            }
            None => "code".to_owned(),
        })
    }

    /// The reason why a word is no instruction.
    fn illegal(&self, pc: u32) -> Cause {
        let program = self.job.dispatch.program;
        match program.executed(pc) {
            Err(reason) => TrapKind::IllegalInstruction(reason).into(),
            Ok(_) => {
                let address = Some(program.address_of(pc));
                Cause { kind: TrapKind::BadPc, lane: None, address }
            }
        }
    }
}
