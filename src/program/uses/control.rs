//! Instructions that direct the wave.

use super::{Gather, Other};
use crate::isa::does::{Condition, Control};
use crate::isa::regs;
use crate::isa::symbols::hwreg::{self, id};
use crate::isa::symbols::sendmsg;
use crate::isa::traps::{self, Told};
use crate::isa::{Gen, Target};
use crate::program::place::slot;
use crate::program::{FORKS, Step};

/// EXEC as a pair, whatever the width of the wave.
const EXEC: u32 = slot::EXEC as u32;

impl Gather<'_> {
    pub(super) fn control(&mut self, control: Control) {
        let Step { src, dst, .. } = *self.step;
        let target = self.program.target;
        let m0 = u32::from(regs::m0_code(target.generation()));
        let mask = self.mask();
        let uses = &mut self.uses;
        let (reads, writes) = (&mut uses.reads, &mut uses.writes);
        let mode = Other::MODE;
        let handled = self.program.handler.is_some();
        match control {
            Control::End | Control::CodeEnd => {}
            Control::Halt | Control::Trap | Control::TrapReturn if !handled => {}
            Control::Halt => {
                reads.other |= Other::HWREGS;
                writes.other |= Other::HWREGS;
            }
            Control::Trap => {
                reads.other |= Other::HWREGS;
                writes.other |= Other::HWREGS;
                writes.scalar(regs::ttmp_base(target.generation()).into(), 2);
                if traps::told(target.generation()) == Told::Registers {
                    reads.scalar(traps::TBA as u32, 2);
                }
            }
            Control::TrapReturn => {
                reads.scalar(src[0], 2);
                reads.other |= Other::HWREGS;
                writes.other |= Other::HWREGS;
            }
            Control::Barrier | Control::BarrierSignal { asks_first: false } => {}
            Control::BarrierSignal { asks_first: true } => writes.other |= Other::SCC,
            Control::BarrierState => writes.scalar(dst, 1),
            Control::Branch(Condition::Always | Condition::Debugger) => {}
            Control::Branch(Condition::Scc(_)) => reads.other |= Other::SCC,
            Control::Branch(Condition::VccZero(_)) => reads.scalar(slot::VCC as u32, mask),
            Control::Branch(Condition::ExecZero(_)) => reads.scalar(EXEC, mask),
            Control::BarrierLeave => writes.other |= Other::SCC,
            Control::Send | Control::SendAndHalt => {
                reads.scalar(m0, 1);
                writes.other |= Other::MESSAGES;
                if control == Control::SendAndHalt && handled {
                    reads.other |= Other::HWREGS;
                    writes.other |= Other::HWREGS;
                }
                if sendmsg::answers_in_exec(target.generation(), self.step.imm) {
                    writes.scalar(EXEC, 2);
                }
            }
            Control::SendReturn { wide } => {
                reads.scalar(m0, 1);
                reads.other |= Other::CLOCK;
                writes.other |= Other::MESSAGES | Other::CLOCK;
                writes.scalar(dst, if wide { 2 } else { 1 });
            }
            Control::GetPc | Control::Call => writes.scalar(dst, 2),
            Control::SetPc => reads.scalar(src[0], 2),
            Control::SwapPc => {
                reads.scalar(src[0], 2);
                writes.scalar(dst, 2);
            }
            Control::MoveRelativeSource { words } | Control::MoveRelativeDestination { words } => {
                reads.scalar(src[0], words.into());
                reads.scalar(m0, 1);
                writes.scalar(dst, words.into());
                uses.moved = true;
            }
            Control::MoveRelativeBoth => {
                reads.scalar(src[0], 1);
                reads.scalar(m0, 1);
                writes.scalar(dst, 1);
                uses.moved = true;
            }
            Control::GetReg => {
                let (read, scalars) = register(hwreg::unpack(self.step.imm).0, target, handled);
                reads.other |= read;
                reads.scalars |= scalars;
                writes.other |= read & Other::CLOCK;
                writes.scalar(dst, 1);
            }
            Control::SetReg => {
                // The first source is the number of the register.
                let number = hwreg::unpack(self.step.imm).0;
                let (written, scalars) = register(number, target, handled);
                // A handler may write what is kept in STATUS.
                let read_only = scalars != 0 && !handled || written == Other::CLOCK;
                reads.scalar(src[1], 1);
                if !read_only {
                    reads.other |= written;
                    writes.other |= written;
                }
            }
            Control::RoundMode | Control::DenormMode | Control::GprIndexOff => {
                reads.other |= mode;
                writes.other |= mode;
            }
            Control::SetVskip => {
                reads.scalar(src[0], 1);
                reads.scalar(src[1], 1);
                reads.other |= mode;
                writes.other |= mode;
            }
            Control::GprIndexOn => {
                reads.scalar(src[0], 1);
                reads.scalar(m0, 1);
                reads.other |= mode;
                writes.scalar(m0, 1);
                writes.other |= mode;
            }
            Control::GprIndex => {
                reads.scalar(src[0], 1);
                reads.scalar(m0, 1);
                writes.scalar(m0, 1);
            }
            Control::GprIndexMode => {
                reads.scalar(m0, 1);
                writes.scalar(m0, 1);
            }
            Control::ForkToRegister | Control::ForkToLabel => {
                match control {
                    Control::ForkToLabel => reads.scalar(dst, 2),
                    _ => {
                        reads.scalar(src[0], 2);
                        reads.scalar(src[1], 2);
                    }
                }
                reads.scalar(EXEC, 2);
                reads.other |= Other::FORKS;
                // An entry of the stack, which lies in the first registers.
                writes.scalar(0, 4 * FORKS);
                writes.scalar(EXEC, 2);
                writes.other |= Other::FORKS;
            }
            Control::Join => {
                reads.scalar(src[0], 1);
                reads.scalar(0, 4 * FORKS);
                reads.other |= Other::FORKS;
                writes.scalar(EXEC, 2);
                writes.other |= Other::FORKS;
            }
            Control::SubvectorBegin | Control::SubvectorEnd => {
                reads.scalar(src[0], 1);
                reads.scalar(EXEC, 2);
                writes.scalar(src[0], 1);
                writes.scalar(EXEC, 2);
            }
        }
    }
}

/// What a hardware register is made of: parts of the state, and scalar registers.
fn register(number: u32, target: Target, handled: bool) -> (Other, u128) {
    let g = target.generation();
    let kept = if handled { Other::HWREGS } else { Other::empty() };
    match number {
        id::MODE if g <= Gen::Gfx9 => (Other::MODE | Other::FORKS, 0),
        id::MODE => (Other::MODE, 0),
        id::STATUS if g >= Gen::Gfx12 => (kept, 3 << slot::VCC | 3 << slot::EXEC),
        id::STATUS => (Other::SCC | kept, 3 << slot::VCC | 3 << slot::EXEC),
        id::STATE_PRIV if g >= Gen::Gfx12 => (Other::SCC | kept, 0),
        id::EXCP_FLAG_PRIV | id::EXCP_FLAG_USER if g >= Gen::Gfx12 => (Other::TRAPSTS, 0),
        id::TRAPSTS => (Other::TRAPSTS, 0),
        id::FLAT_SCRATCH_LO | id::FLAT_SCRATCH_HI if g >= Gen::Gfx10 => (Other::SCRATCH, 0),
        id::SHADER_CYCLES if g >= Gen::Gfx10 => (Other::CLOCK, 0),
        id::SHADER_CYCLES_HI if g >= Gen::Gfx12 => (Other::CLOCK, 0),
        _ => (Other::HWREGS, 0),
    }
}
