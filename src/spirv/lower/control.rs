//! Scalar instructions that direct the wave: branches, the end, barriers, messages, modes, the program counter.

use super::traps::Status;
use super::{Lower, Lowered};
use crate::isa::does::{Condition, Control, Does};
use crate::isa::row::Inst;
use crate::isa::sem::Alg;
use crate::isa::symbols::hwreg::id;
use crate::isa::symbols::hwreg::mode::{GPR_INDEX, VSKIP};
use crate::isa::symbols::sendmsg;
use crate::isa::{Gen, regs};
use crate::program::Step;
use crate::program::barrier::Barrier;
use crate::program::place::slot;
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::lanes::{DEVICE, RELAXED};
use crate::spirv::state::{self, head, push, status, trap};
use rspirv::spirv::Op;

impl Lower<'_> {
    /// A scalar instruction without a meaning of its own.
    pub(super) fn control(&self, step: &Step, row: &'static Inst) -> Lowered {
        let k = self.alg(Word::Known(0));
        let mask_is_zero =
            |mask: Pair, fault: Fault| self.is_zero(if self.has(fault) { (mask.0, k.w(0)) } else { mask });
        let vcc = || mask_is_zero(self.mask_at(slot::VCC as u32), Fault::VcczLowOnly);
        let exec = || mask_is_zero(self.exec(), Fault::ExeczLowOnly);
        let scc = || if self.has(Fault::BranchInverted) { k.negate(self.scc()) } else { self.scc() };
        let control = match row.does {
            Does::Control(control) => control,
            Does::Idle(_) => return Ok(()),
            _ => return Err(format!("a translation of {}", row.name)),
        };
        match control {
            Control::End => self.stop(status::ENDED, step.next),
            Control::CodeEnd => self.left(step, self.address_of(step.at)),
            Control::Branch(condition) => match condition {
                Condition::Always => self.branch(step, Truth::Known(true)),
                Condition::Scc(false) => self.branch(step, k.negate(scc())),
                Condition::Scc(true) => self.branch(step, scc()),
                Condition::VccZero(true) => self.branch(step, vcc()),
                Condition::VccZero(false) => self.branch(step, k.negate(vcc())),
                Condition::ExecZero(true) => self.branch(step, exec()),
                Condition::ExecZero(false) => self.branch(step, k.negate(exec())),
                // No debugger: its conditions are false.
                Condition::Debugger => self.goto(Word::Known(step.next)),
            },
            Control::Barrier => match Barrier::of_wait(self.generation(), step.imm) {
                Barrier::Group => self.wait(step),
                _ => self.goto(Word::Known(step.next)),
            },
            Control::BarrierSignal { .. } | Control::BarrierState
                if self.turns.asks_host(step) && !self.has(Fault::SignalsLost) =>
            {
                self.ask_host(step);
            }
            // The wait does all of it.
            Control::BarrierSignal { asks_first: false } => {}
            // A wave that is alone in its group has no barrier.
            Control::BarrierSignal { asks_first: true } => self.set_scc(Truth::Known(false)),
            Control::BarrierState => self.set_s(step.dst, k.w(0)),
            Control::BarrierLeave => self.set_scc(Truth::Known(false)),
            Control::Halt => self.halt(step, step.imm & 1 != 0),
            Control::Trap => self.request(step),
            Control::TrapReturn => self.trap_return(step),
            Control::Send => self.send(step),
            Control::SendAndHalt => {
                self.send(step);
                self.halt(step, true);
            }
            Control::SendReturn { wide } => self.send_return(step, wide),
            Control::GetPc => {
                let at = if self.has(Fault::GetpcOff) { step.at } else { step.next };
                self.set_s64(step.dst, k.d(self.program.read_pc(at)));
            }
            Control::SetPc => self.jump(step, self.s64(step.src[0])),
            Control::SwapPc => {
                let to = self.s64(step.src[0]);
                self.set_s64(step.dst, self.return_address(step));
                self.jump(step, to);
            }
            Control::Call => {
                self.set_s64(step.dst, self.return_address(step));
                self.branch(step, Truth::Known(true));
            }
            Control::GetReg => return self.getreg(step),
            Control::SetReg => return self.setreg(step),
            Control::RoundMode => self.set_mode_bits(0xf, k.w(step.imm & 0xf)),
            Control::DenormMode => self.set_mode_bits(0xf0, k.w((step.imm & 0xf) << 4)),
            Control::SubvectorBegin => self.subvector_begin(step),
            Control::SubvectorEnd => self.subvector_end(step),
            Control::MoveRelativeSource { words } => self.movrels(step, words.into()),
            Control::MoveRelativeDestination { words } => self.movreld(step, words.into()),
            Control::MoveRelativeBoth => self.movrelsd_2(step),
            Control::ForkToRegister => self.fork(step, self.s64(step.src[0]), self.s64(step.src[1])),
            Control::ForkToLabel => {
                let offset = (i64::from(step.imm as i32) * 4) as u64;
                let target = k.d(self.program.address_of(step.next).wrapping_add(offset));
                self.fork(step, self.s64(step.dst), target);
            }
            Control::Join => self.join(step),
            Control::SetVskip => {
                let skip = k.nz(k.mask(k.shr(self.s(step.src[0]), self.s(step.src[1])), 1));
                // Not as bits of two words: LLVM up to 2026 may make a wrong `vpternlog` of these (docs/vulkan.md).
                let (set, clear) = (self.mode_with(1 << VSKIP, k.w(1 << VSKIP)), self.mode_with(1 << VSKIP, k.w(0)));
                self.set_cell(head::MODE, k.sel(skip, set, clear));
            }
            Control::GprIndexOn => {
                let index = k.or(k.mask(self.s(step.src[0]), 0xff), k.w((step.imm & 0xf) << 12));
                self.set_m0_bits(0xf0ff, index);
                self.set_mode_bits(1 << GPR_INDEX, k.w(1 << GPR_INDEX));
            }
            Control::GprIndexOff => self.set_mode_bits(1 << GPR_INDEX, k.w(0)),
            Control::GprIndex => self.set_m0_bits(0xff, k.mask(self.s(step.src[0]), 0xff)),
            Control::GprIndexMode => self.set_m0_bits(0xf000, k.w((step.imm & 0xf) << 12)),
        }
        Ok(())
    }

    /// The guest address of a step.
    fn address_of(&self, step: u32) -> Pair {
        self.alg(Word::Known(0)).d(self.program.address_of(step))
    }

    /// Where a call returns to.
    fn return_address(&self, step: &Step) -> Pair {
        self.address_of(step.next + u32::from(self.has(Fault::CallReturnsBeyond)))
    }

    /// Leaves the block with a trap: there is no code where the wave wants to go.
    fn left(&self, step: &Step, address: Pair) {
        self.note_trap(trap::LEFT, Word::Known(state::NO_LANE), address, Word::Known(0));
        self.stop(status::TRAPPED, step.at);
    }

    fn branch(&self, step: &Step, taken: Truth) {
        let k = self.alg(Word::Known(0));
        match Self::known_target(step) {
            Some(target) if (target as usize) < self.program.steps.len() => {
                self.goto(k.sel(taken, k.w(target), k.w(step.next)));
            }
            _ => {
                let offset = (i64::from(step.imm as i32) * 4) as u64;
                let address = k.d(self.program.address_of(step.next).wrapping_add(offset));
                match taken {
                    Truth::Known(true) => self.left(step, address),
                    taken => {
                        self.leave_if(taken, || self.left(step, address));
                        self.goto(k.w(step.next));
                    }
                }
            }
        }
    }

    /// Goes to an address in registers.
    pub(super) fn jump(&self, step: &Step, address: Pair) {
        let k = self.alg(Word::Known(0));
        let to = self.step_at(address);
        self.leave_if(k.eq(to, k.w(crate::program::STOP)), || self.left(step, address));
        self.goto(to);
    }

    /// A barrier; a wave alone in its group does not wait.
    fn wait(&self, step: &Step) {
        if self.options.waves <= 1 || self.has(Fault::BarrierPassed) {
            return self.goto(Word::Known(step.next));
        }
        self.stop(status::BARRIER, step.next);
    }

    fn send(&self, step: &Step) {
        // Nobody hears this one: it tells the hardware that the vector registers are free.
        const DEALLOC_VGPRS: u32 = 3;
        if self.generation() < Gen::Gfx11 || step.imm & 0xff != DEALLOC_VGPRS {
            self.record_message(step);
        }
        if sendmsg::answers_in_exec(self.generation(), step.imm) {
            // There is no queue: its doorbell has the number 0.
            self.set_mask(slot::EXEC as u32, (Word::Known(0), Word::Known(0)));
        }
    }

    /// Asks for a value: every answer is 0 but the clock, and what a trap handler is told.
    fn send_return(&self, step: &Step, wide: bool) {
        const REALTIME: u32 = 0x83;
        self.record_message(step);
        let answer = match self.program.told_by_message(step.imm) {
            Some(told) => self.alg(Word::Known(0)).d(told),
            None if step.imm & 0xff == REALTIME => self.clock(),
            None => (Word::Known(0), Word::Known(0)),
        };
        self.set_s(step.dst, answer.0);
        if wide {
            self.set_s64(step.dst, answer);
        }
    }

    /// Writes a message down where there is room; the count goes on, so that the host sees what was lost.
    fn record_message(&self, step: &Step) {
        let m = &self.m;
        let k = self.alg(Word::Known(0));
        let first = self.leads();
        let m0 = if self.has(Fault::MessageWithoutM0) { k.w(0) } else { self.m0() };
        let number = self.cell(head::NUMBER);
        self.when(first, || {
            let count = self.word_of(self.messages, k.w(0));
            let one = [count, m.constant(DEVICE), m.constant(RELAXED), m.constant(1)];
            let n = Word::Id(m.word_op(Op::AtomicIAdd, &one));
            self.when(k.lt_u(n, self.pushed(push::MESSAGES)), || {
                let at = k.add(k.mul(n, k.w(state::MESSAGE)), k.w(1));
                let words = [number, k.w(step.at), k.w(step.imm), m0];
                for (offset, word) in (0..).zip(words) {
                    m.store(self.word_of(self.messages, k.add(at, k.w(offset))), k.id(word));
                }
            });
        });
    }

    /// A clock that no machine has: it moves on whenever it is read.
    pub(super) fn clock(&self) -> Pair {
        const TICK: u32 = 64;
        let k = self.alg(Word::Known(0));
        let clock = k.add(self.cell(head::CLOCK), k.w(TICK));
        self.set_cell(head::CLOCK, clock);
        k.zext(clock)
    }

    fn set_m0_bits(&self, mask: u32, v: Word) {
        let k = self.alg(Word::Known(0));
        let m0 = u32::from(regs::m0_code(self.generation()));
        self.set_s(m0, k.or(k.mask(self.s(m0), !mask), v));
    }

    fn set_mode_bits(&self, mask: u32, v: Word) {
        self.set_cell(head::MODE, self.mode_with(mask, v));
    }

    fn mode_with(&self, mask: u32, v: Word) -> Word {
        let k = self.alg(Word::Known(0));
        k.or(k.mask(self.cell(head::MODE), !mask), v)
    }

    /// A hardware register.
    fn read_hwreg(&self, id: u32) -> Result<Word, String> {
        let k = self.alg(Word::Known(0));
        let g = self.generation();
        Ok(match id {
            id::MODE if g <= Gen::Gfx9 => {
                k.or(k.mask(self.cell(head::MODE), 0x1fff_ffff), k.shli(self.cell(head::FORKS), 29))
            }
            id::MODE => self.cell(head::MODE),
            id::STATUS => {
                const VALID: u32 = 1 << 16;
                let flag = |c: Truth, at: u32| k.shli(k.bit(c), at);
                let several = u32::from(self.options.waves > 1) << 11;
                let zero = [(self.exec(), 9), (self.mask_at(slot::VCC as u32), 10)];
                let zero = zero.map(|(mask, at)| flag(self.is_zero(mask), at));
                let status = k.or(k.w(several | VALID), k.or(zero[0], zero[1]));
                let kept = self.kept_status();
                if g >= Gen::Gfx12 { k.or(status, kept.0) } else { k.or(k.or(status, self.cell(head::SCC)), kept.1) }
            }
            id::STATE_PRIV if g >= Gen::Gfx12 => self.state_priv(),
            id::EXCP_FLAG_USER | id::EXCP_FLAG_PRIV if g >= Gen::Gfx12 => return Err("float exceptions".to_owned()),
            id::TRAPSTS => return Err("float exceptions".to_owned()),
            id::SH_MEM_BASES if g >= Gen::Gfx9 => {
                let apertures = self.options.apertures;
                k.w((apertures.shared >> 48 << 16) as u32 | (apertures.private >> 48) as u32)
            }
            id::FLAT_SCRATCH_LO if g >= Gen::Gfx10 => self.cell(head::SCRATCH),
            id::FLAT_SCRATCH_HI if g >= Gen::Gfx10 => self.cell(head::SCRATCH + 1),
            id::SHADER_CYCLES if g >= Gen::Gfx12 => self.clock().0,
            id::SHADER_CYCLES if g >= Gen::Gfx10 => k.mask(self.clock().0, 0xf_ffff),
            id::SHADER_CYCLES_HI if g >= Gen::Gfx12 => self.clock().1,
            n => self.cell(head::HWREGS + (n & 63)),
        })
    }

    fn getreg(&self, step: &Step) -> Lowered {
        let k = self.alg(Word::Known(0));
        let (id, first, width) = field(step.imm);
        let first = if self.has(Fault::GetregUnshifted) { 0 } else { first };
        let v = self.read_hwreg(id)?;
        self.set_s(step.dst, k.mask(k.shri(v, first), ones(width)));
        Ok(())
    }

    fn setreg(&self, step: &Step) -> Lowered {
        let k = self.alg(Word::Known(0));
        let Word::Known(simm) = self.s(step.src[0]) else { return Err("a known hardware register".to_owned()) };
        let (id, first, width) = field(simm);
        let first = if self.has(Fault::SetregUnshifted) { 0 } else { first };
        let mask = ones(width) << first;
        let v = k.mask(k.shli(self.s(step.src[1]), first), mask);
        let g = self.generation();
        let merge = |old: Word| k.or(k.mask(old, !mask), v);
        match id {
            id::MODE => {
                let new = merge(self.read_hwreg(id)?);
                if g <= Gen::Gfx9 {
                    self.set_cell(head::FORKS, k.shri(new, 29));
                }
                self.set_cell(head::MODE, new);
            }
            id::STATUS if self.program.handler.is_some() && g < Gen::Gfx12 => {
                self.set_status(mask, v, Status::STATUS);
            }
            id::STATE_PRIV if g >= Gen::Gfx12 => {
                if self.program.handler.is_some() {
                    self.set_status(mask, v, Status::STATE_PRIV);
                }
            }
            id::EXCP_FLAG_USER | id::EXCP_FLAG_PRIV if g >= Gen::Gfx12 => return Err("float exceptions".to_owned()),
            id::STATUS | id::SH_MEM_BASES | id::SHADER_CYCLES | id::SHADER_CYCLES_HI => {}
            id::TRAPSTS => return Err("float exceptions".to_owned()),
            id::FLAT_SCRATCH_LO if g >= Gen::Gfx10 => {
                self.set_cell(head::SCRATCH, merge(self.cell(head::SCRATCH)));
            }
            id::FLAT_SCRATCH_HI if g >= Gen::Gfx10 => {
                self.set_cell(head::SCRATCH + 1, merge(self.cell(head::SCRATCH + 1)));
            }
            n => self.set_cell(head::HWREGS + (n & 63), merge(self.cell(head::HWREGS + (n & 63)))),
        }
        Ok(())
    }

    /// The two halves of a wave of 64 lanes run a loop one after the other.
    fn subvector_begin(&self, step: &Step) {
        let k = self.alg(Word::Known(0));
        let (low, high) = self.s64(slot::EXEC as u32);
        let none = k.eq(k.or(low, high), k.w(0));
        let no_low = k.eq(low, k.w(0));
        let old = self.s(step.src[0]);
        let saved = if self.has(Fault::SubvectorUnsaved) { k.w(0) } else { high };
        self.set_s(step.src[0], k.sel(none, old, k.sel(no_low, k.w(0), saved)));
        self.set_s(slot::EXEC as u32 + 1, k.sel(no_low, high, k.w(0)));
        self.branch(step, none);
    }

    fn subvector_end(&self, step: &Step) {
        let k = self.alg(Word::Known(0));
        let (low, high) = self.s64(slot::EXEC as u32);
        let saved = self.s(step.src[0]);
        let second = k.nz(high);
        let again = k.both(k.negate(second), k.nz(saved));
        self.set_s(slot::EXEC as u32, k.sel(second, saved, k.sel(again, k.w(0), low)));
        self.set_s(slot::EXEC as u32 + 1, k.sel(again, saved, high));
        self.set_s(step.src[0], k.sel(again, low, saved));
        self.branch(step, again);
    }
}

/// The field of a hardware register that SIMM16 names: number, first bit, width.
fn field(simm: u32) -> (u32, u32, u32) {
    (simm & 0x3f, simm >> 6 & 0x1f, (simm >> 11 & 0x1f) + 1)
}

fn ones(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}
