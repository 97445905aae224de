//! Trap handlers: a trap is a jump that leaves its place in trap temporaries, the way back a jump to registers.
//!
//! What STATUS keeps of traps lies among the hardware registers of the record. Exceptions that enter a handler are not
//! translated: the [engine](crate::spirv::engine) refuses runs in which they may, or do.

use super::Lower;
use crate::isa::regs;
use crate::isa::sem::Alg;
use crate::isa::symbols::hwreg::id;
use crate::isa::traps::{self, Saved, Told, state_priv, status as kept};
use crate::program::Step;
use crate::spirv::alg::{Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::state::{head, trap};

/// Where what STATUS keeps lies in the record.
const KEPT: u32 = head::HWREGS + id::STATUS;

/// The bits of a hardware register that a handler may write.
pub(super) struct Status {
    scc: u32,
    halt: u32,
}

impl Status {
    /// Up to gfx11.
    pub(super) const STATUS: Status = Status { scc: 1, halt: kept::HALT };
    /// Of gfx12.
    pub(super) const STATE_PRIV: Status = Status { scc: state_priv::SCC, halt: state_priv::HALT };
}

impl Lower<'_> {
    /// Whether a bit is set that STATUS keeps.
    fn keeps(&self, bit: u32) -> Truth {
        let k = self.alg(Word::Known(0));
        k.nz(k.mask(self.cell(KEPT), bit))
    }

    /// Sets or clears it.
    fn keep(&self, bit: u32, set: Truth) {
        let k = self.alg(Word::Known(0));
        let v = k.sel(set, k.w(bit), k.w(0));
        self.set_cell(KEPT, k.or(k.mask(self.cell(KEPT), !bit), v));
    }

    /// What STATUS keeps, as gfx12 has it and as all others do. Nothing, where there is no handler.
    pub(super) fn kept_status(&self) -> (Word, Word) {
        let k = self.alg(Word::Known(0));
        if self.program.handler.is_none() {
            return (k.w(0), k.w(0));
        }
        let all = self.cell(KEPT);
        (k.mask(all, kept::KEPT & !kept::HALT), k.mask(all, kept::KEPT))
    }

    /// STATE_PRIV of gfx12.
    pub(super) fn state_priv(&self) -> Word {
        let k = self.alg(Word::Known(0));
        let scc = k.sel(self.scc(), k.w(state_priv::SCC), k.w(0));
        if self.program.handler.is_none() {
            return scc;
        }
        k.or(scc, k.sel(self.keeps(kept::HALT), k.w(state_priv::HALT), k.w(0)))
    }

    /// Writes bits of STATUS or STATE_PRIV, which only a handler does.
    pub(super) fn set_status(&self, mask: u32, v: Word, bits: Status) {
        let k = self.alg(Word::Known(0));
        let inside = self.keeps(kept::PRIV);
        if mask & bits.scc != 0 && !self.has(Fault::StatusSccKept) {
            let (new, old) = (k.nz(k.mask(v, bits.scc)), self.scc());
            self.set_scc(k.either(k.both(inside, new), k.both(k.negate(inside), old)));
        }
        if mask & bits.halt != 0 {
            let (new, old) = (k.nz(k.mask(v, bits.halt)), self.keeps(kept::HALT));
            self.keep(kept::HALT, k.either(k.both(inside, new), k.both(k.negate(inside), old)));
        }
    }

    /// `s_trap`.
    pub(super) fn request(&self, step: &Step) {
        let k = self.alg(Word::Known(0));
        if self.program.handler.is_none() {
            return self.trap_here(step, trap::SOFTWARE);
        }
        let generation = self.generation();
        self.leave_if(self.keeps(kept::PRIV), || {
            if traps::is_nop_inside(generation, step.imm & 0xff) {
                self.goto(k.w(step.next));
            } else {
                self.trap_here(step, trap::SOFTWARE);
            }
        });
        let pc = self.program.address_of(if self.has(Fault::TrapSavesNext) { step.next } else { step.at });
        let number = if self.has(Fault::TrapNumberLost) { 0 } else { step.imm };
        let ttmp = u32::from(regs::ttmp_base(generation));
        self.set_s(ttmp, k.w(pc as u32));
        self.set_s(ttmp + 1, k.w(Saved::of(generation).high(pc, number, 0)));
        self.keep(kept::PRIV, Truth::Known(true));
        match (traps::told(generation), self.program.handler) {
            (Told::HardwareRegisters | Told::Messages, Some(handler)) => self.goto(k.w(handler.step)),
            _ => self.jump(step, self.s64(traps::TBA as u32)),
        }
    }

    /// The way back from a handler.
    pub(super) fn trap_return(&self, step: &Step) {
        let k = self.alg(Word::Known(0));
        if self.program.handler.is_none() {
            return self.trap_here(step, trap::OUTSIDE);
        }
        let to = self.s64(step.src[0]);
        self.leave_if(k.negate(self.keeps(kept::PRIV)), || self.trap_here(step, trap::OUTSIDE));
        self.keep(kept::PRIV, Truth::Known(self.has(Fault::TrapReturnKeepsPriv)));
        self.leave_if(self.keeps(kept::HALT), || self.trap_here(step, trap::HALT));
        self.jump(step, to);
    }

    /// `s_sethalt`: in a handler it halts the wave when that has left it.
    pub(super) fn halt(&self, step: &Step, halts: bool) {
        let k = self.alg(Word::Known(0));
        if self.program.handler.is_some() {
            self.leave_if(self.keeps(kept::PRIV), || {
                self.keep(kept::HALT, Truth::Known(halts));
                self.goto(k.w(step.next));
            });
        }
        if halts { self.trap_here(step, trap::HALT) } else { self.goto(k.w(step.next)) }
    }
}
