//! Trap handlers at run time.
//!
//! A wave enters the handler of its program by `s_trap`, or behind an instruction that raised an exception, and leaves it by
//! `s_rfe`. Exceptions are levels, not events: as long as one stands in TRAPSTS and is enabled, a wave outside of the handler
//! goes there instead of on. Inside of the handler (PRIV in STATUS) nothing enters it again.
//!
//! Programs with a handler run in the loops that look at every step ([`traced`](super::traced)); those without one pay nothing.

use super::group::{Group, refuse, trap};
use super::plan::Step;
use super::salu::go;
use super::traced;
use super::wave::Wave;
use crate::engine::{Stop, TrapKind};
use crate::fault::planted;
use crate::isa::symbols::hwreg::id;
use crate::isa::traps::{self, Saved, Told, raised, status};
use crate::isa::{Gen, regs};
use crate::program::{OUTSIDE_OF_A_HANDLER, STOP};

/// `s_trap`.
pub(super) fn requested(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let number = if planted!(TrapNumberLost) { 0 } else { step.imm };
    let handled = group.program.handler.is_some();
    if handled && !wave.is_privileged() {
        return enter(wave, group, if planted!(TrapSavesNext) { step.next } else { step.at }, number, 0);
    }
    if handled && traps::is_nop_inside(group.program.target.generation(), step.imm & 0xff) {
        return step.next;
    }
    trap(wave, TrapKind::Software(number as u8))
}

/// Goes to the handler, with a step as the place to come back to.
fn enter(wave: &mut Wave, group: &Group<'_>, at: u32, number: u32, rewind: u32) -> u32 {
    let program = group.program;
    let generation = program.target.generation();
    let pc = program.address_of(at);
    let saved = Saved::of(if planted!(TrapIdOfGfx11) { Gen::Gfx11 } else { generation });
    let ttmp = usize::from(regs::ttmp_base(generation));
    let rewind = if planted!(TrapRewindLost) { 0 } else { rewind };
    wave.set_pair(ttmp, u64::from(pc as u32) | u64::from(saved.high(pc, number, rewind)) << 32);
    wave.keep_status(status::PRIV, !planted!(TrapWithoutPriv));
    let base = match traps::told(generation) {
        Told::Registers if !planted!(TbaIgnored) => wave.pair(traps::TBA),
        _ => program.handler_address(),
    };
    go(wave, group, base)
}

/// `s_rfe_b64`.
pub(super) fn leave(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if !wave.is_privileged() {
        return refuse(wave, OUTSIDE_OF_A_HANDLER);
    }
    let to = wave.pair(step.src[0] as usize);
    wave.keep_status(status::PRIV, planted!(RfeKeepsPriv));
    if wave.hwregs[id::STATUS as usize] & status::HALT != 0 {
        return trap(wave, TrapKind::Halt);
    }
    go(wave, group, to)
}

/// `s_sethalt`.
pub(super) fn halt(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    if step.imm & 1 != 0 {
        return halt_at(wave, step.next);
    }
    if wave.is_privileged() {
        wave.keep_status(status::HALT, false);
    }
    step.next
}

/// Halts before the step `next`. Nobody resumes a halted wave here; in the handler it halts when it has left it.
pub(super) fn halt_at(wave: &mut Wave, next: u32) -> u32 {
    if !wave.is_privileged() {
        return trap(wave, TrapKind::Halt);
    }
    wave.keep_status(status::HALT, true);
    next
}

/// Executes a step of a program that has a handler, and enters that where an exception stands behind it.
pub(super) fn guarded(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let inside = wave.is_privileged();
    let before = wave.whole_trapsts();
    let mut next = traced::in_turns(wave, step, group);
    if next == STOP {
        let Some(at) = violated(wave, step, group, inside) else { return STOP };
        next = at;
    }
    if wave.is_privileged() {
        return next;
    }
    if steps(wave, group) && !inside {
        wave.trapsts |= traps::stepped(&group.program.target);
    } else if pending(wave, group) == 0 {
        return next;
    }
    // Where the exception is older, the wave has gone on from elsewhere.
    let new = wave.whole_trapsts() & !before & (raised::MASKABLE | raised::MEMORY) != 0;
    enter(wave, group, next, 0, if new { step.next - step.at } else { 0 })
}

/// Where a wave goes on, or would, that came to grief at a step: nothing where that is no exception of its generation.
fn violated(wave: &mut Wave, step: &Step, group: &Group<'_>, inside: bool) -> Option<u32> {
    let Some(Stop::Trap(cause)) = &wave.stop else { return None };
    let (flag, next) = match cause.kind {
        TrapKind::BadAddress { .. } | TrapKind::Misaligned { .. } => (raised::MEMORY, step.next),
        TrapKind::IllegalInstruction(_) => (raised::ILLEGAL, step.at),
        _ => return None,
    };
    if inside || traps::unmasked(group.program.target.generation()) & flag == 0 {
        return None;
    }
    wave.trapsts |= flag;
    wave.stop = None;
    Some(next)
}

/// The exceptions that stand and trap.
fn pending(wave: &Wave, group: &Group<'_>) -> u32 {
    let generation = group.program.target.generation();
    let (_, first) = traps::enables(generation);
    let enabled = enabling(wave, group) >> first & raised::MASKABLE;
    let enabled = if planted!(ExceptionsAllEnabled) { raised::MASKABLE } else { enabled };
    wave.whole_trapsts() & (enabled | traps::unmasked(generation))
}

/// Whether every instruction traps.
fn steps(wave: &Wave, group: &Group<'_>) -> bool {
    enabling(wave, group) & traps::stepping(group.program.target.generation()) != 0
}

/// The register that enables exceptions.
fn enabling(wave: &Wave, group: &Group<'_>) -> u32 {
    match traps::enables(group.program.target.generation()) {
        (id::MODE, _) => wave.mode,
        (register, _) => wave.hwregs[register as usize & 63],
    }
}
