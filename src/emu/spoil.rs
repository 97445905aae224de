//! Steps as a debug build executes them: what they do is recorded, and made wrong where the
//! [mutant](crate::fault) of the process is a row.
//!
//! What a step did is found out by comparing the wave before and behind it, whatever kind of
//! instruction it is. A wrong value has a bit changed in every word that the step wrote; where it
//! wrote what was there already, in those of its destination.

use super::group::Group;
use super::kernel::STRIDE;
use super::plan::Step;
use super::wave::{Wave, file, slot};
use crate::engine::{Stop, TrapKind};
use crate::fault::coverage::{self, Item};
use crate::fault::spoil::{BIT, spoiling};
use crate::fault::{self, Mutant, Part};
use crate::isa::Variants;
use crate::isa::does::Does;
use crate::isa::row::{Family, Inst};
use crate::program::place::file::VGPRS;
use crate::program::{self, STOP};
use std::cell::Cell;
use std::collections::HashMap;

/// How often a row is looked at in a test, until what it does is known: at first always, later now and then, for tables have
/// what returns a value behind what does not.
const LOOKS: u32 = 12;
const LATER: std::ops::Range<u32> = LOOKS..3400;
const EVERY: u32 = 17;
/// How often a row is spoiled in a process: enough for whatever looks at results.
const SPOILED: u32 = 1 << 14;

/// What a wave is before a step.
struct Before {
    s: Vec<u32>,
    file: Vec<u32>,
    exec: u64,
    scc: bool,
    state: State,
    sent: usize,
    exported: usize,
}

/// The state of a wave beside its registers.
#[derive(Clone, PartialEq)]
struct State {
    mode: u32,
    trapsts: u32,
    hwregs: [u32; 64],
    scratch: u64,
    forks: u32,
}

impl State {
    fn of(wave: &Wave) -> State {
        let (mode, trapsts, hwregs) = (wave.env.mode, wave.trapsts, wave.hwregs);
        State { mode, trapsts, hwregs, scratch: wave.scratch, forks: wave.fork_depth }
    }
}

/// The registers that programs name: not the temporaries behind them.
fn registers(wave: &Wave) -> &[Cell<u32>] {
    let files = if wave.env.target.is(Variants::CDNA) { 2 } else { 1 };
    &wave.file[..(files * VGPRS) as usize * STRIDE]
}

impl Before {
    fn of(wave: &Wave, group: &Group<'_>) -> Before {
        Before {
            s: wave.s[..slot::SINK].to_vec(),
            file: registers(wave).iter().map(Cell::get).collect(),
            exec: wave.exec(),
            scc: wave.scc,
            state: State::of(wave),
            sent: group.messages.len(),
            exported: group.exports.len(),
        }
    }
}

/// Whether a row's result is a mask of lanes, besides or instead of a register.
fn writes_mask(step: &Step) -> bool {
    step.mask_dst != slot::SINK as u32
}

/// Whether a scalar register is part of the mask that a step writes.
fn is_mask(step: &Step, at: usize, wave: &Wave) -> bool {
    let first = step.mask_dst as usize;
    let has_exec = step.vector.as_ref().is_some_and(|v| v.post.exec);
    let words = if wave.lanes == 64 { 2 } else { 1 };
    writes_mask(step) && (first..first + words).contains(&at) || has_exec && (slot::EXEC..slot::EXEC + 2).contains(&at)
}

/// Executes a step.
pub(super) fn execute(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(row) = step.row else { return step.run.run(wave, step, group) };
    if coverage::is_on() {
        return watched(wave, step, row, group);
    }
    match fault::mutant() {
        Some(Mutant::Row { row: name, part, .. }) if fault::is_wrong_on(wave.env.target.arch) => {
            match name_of_second(step) {
                Some(second) if *part == Part::Value && second == name => spoiled(wave, step, group, *part, true),
                _ if row.name == name => spoiled(wave, step, group, *part, false),
                _ => step.run.run(wave, step, group),
            }
        }
        _ => step.run.run(wave, step, group),
    }
}

/// Whether what a row does is not in its wave: what groups share, which has no part of its own.
fn is_across(row: &Inst) -> bool {
    matches!(row.does, Does::Across(_))
}

/// The row of the second operation of a dual instruction.
fn second(step: &Step) -> Option<&Step> {
    step.vector.as_ref()?.more.as_deref().filter(|more| more.row.is_some())
}

fn name_of_second(step: &Step) -> Option<&'static str> {
    Some(second(step)?.row?.name)
}

/// Executes a step and says what it did.
fn watched(wave: &mut Wave, step: &Step, row: &'static Inst, group: &mut Group<'_>) -> u32 {
    thread_local! {
        static LOOKED: std::cell::RefCell<HashMap<&'static str, u32>> = std::cell::RefCell::default();
    }
    let arch = wave.env.target.arch.name;
    let first = coverage::met(|| Item::Row(row.name, arch, None));
    let looks = LOOKED.with_borrow_mut(|looked| {
        let count = looked.entry(row.name).or_default();
        *count = if first { 0 } else { *count + 1 };
        *count
    });
    if !step.meaning.is_empty() {
        coverage::met(|| Item::Meaning(step.meaning));
    }
    if let Some(more) = step.vector.as_ref().and_then(|v| v.more.as_deref()) {
        coverage::met(|| Item::Meaning(more.meaning));
        if let Some(name) = name_of_second(step) {
            coverage::met(|| Item::Row(name, arch, Some(Part::Value)));
        }
    }
    if looks >= LOOKS && !(LATER.contains(&looks) && looks.is_multiple_of(EVERY)) {
        return step.run.run(wave, step, group);
    }
    let before = Before::of(wave, group);
    let (next, stored) = spoiling(false, || step.run.run(wave, step, group));
    let note = |part, is: bool| {
        if is {
            coverage::met(|| Item::Row(row.name, arch, Some(part)));
        }
    };
    let scalar = (0..slot::SINK).any(|n| wave.s[n] != before.s[n] && !is_mask(step, n, wave));
    let vector = registers(wave).iter().zip(&before.file).any(|(now, old)| now.get() != *old);
    note(Part::Value, scalar || vector || has_destination(step, row));
    note(Part::Bit, wave.scc != before.scc || writes_mask(step));
    note(Part::Memory, stored);
    let elsewhere = next != step.next && !matches!(wave.stop, Some(Stop::End));
    // What an address does, and what is not executed at all, is not where the row goes on.
    let faulted = matches!(&wave.stop, Some(Stop::Trap(cause))
        if step.memory.is_some() || matches!(cause.kind, TrapKind::Unsupported { .. }));
    let sent = group.messages.len() != before.sent || group.exports.len() != before.exported;
    // A branch that is not taken might have been.
    let branches = step.target != STOP;
    note(Part::Control, branches || is_across(row) || elsewhere && !faulted || sent || State::of(wave) != before.state);
    next
}

/// Whether a row names a register for its result.
fn has_destination(step: &Step, row: &Inst) -> bool {
    use crate::isa::operand::Class;
    row.family != Family::Vopc && row.dst.class != Class::None && step.memory.is_none()
}

/// Executes a step and makes a part of what it did wrong.
fn spoiled(wave: &mut Wave, step: &Step, group: &mut Group<'_>, part: Part, second_only: bool) -> u32 {
    thread_local! {
        static DONE: Cell<u32> = const { Cell::new(0) };
    }
    if DONE.get() >= SPOILED {
        return step.run.run(wave, step, group);
    }
    DONE.set(DONE.get() + 1);
    if part == Part::Control && step.row.is_some_and(is_across) {
        return step.next;
    }
    let before = Before::of(wave, group);
    let (next, _) = spoiling(part == Part::Memory, || step.run.run(wave, step, group));
    match part {
        Part::Memory => {}
        Part::Value => value(wave, step, &before, second_only),
        Part::Bit => bit(wave, step, &before),
        Part::Control => return control(wave, step, group, &before, next),
    }
    next
}

/// A wrong bit in what was written.
fn value(wave: &mut Wave, step: &Step, before: &Before, second_only: bool) {
    let dual = step.family() == Some(Family::Vopd);
    if dual {
        let of = if second_only { second(step).unwrap_or(step) } else { step };
        return change(wave, of.dst, before.exec);
    }
    let mut any = false;
    for (cell, old) in registers(wave).iter().zip(&before.file) {
        let changed = cell.get() ^ old;
        if changed != 0 {
            any = true;
            // Of a result in the upper half of a register, a bit of that half.
            cell.set(cell.get() ^ if changed & 0xffff == 0 { BIT << 16 } else { BIT });
        }
    }
    for n in 0..slot::SINK {
        if wave.s[n] != before.s[n] && !is_mask(step, n, wave) {
            any = true;
            wave.s[n] ^= BIT;
        }
    }
    if any || !step.row.is_some_and(|row| has_destination(step, row)) {
        return;
    }
    if step.vectors & program::Step::DST != 0 {
        change(wave, step.dst, before.exec);
    } else if (step.dst as usize) < slot::SINK {
        wave.s[step.dst as usize] ^= BIT;
    }
}

/// A wrong bit in the lanes of a register.
fn change(wave: &Wave, at: u32, lanes: u64) {
    for lane in (0..wave.lanes).filter(|lane| lanes >> lane & 1 != 0) {
        if let Some(cell) = wave.file[..file::CONSTANTS as usize].get((at + lane) as usize) {
            cell.set(cell.get() ^ BIT);
        }
    }
}

/// SCC or the active lanes of a mask, inverted.
fn bit(wave: &mut Wave, step: &Step, before: &Before) {
    if !writes_mask(step) {
        wave.scc = !wave.scc;
        return;
    }
    let at = step.mask_dst as usize;
    let mask = wave.mask_at(at) ^ before.exec;
    wave.set_mask(at, mask);
    if step.vector.as_ref().is_some_and(|v| v.post.exec) {
        let exec = wave.exec() ^ before.exec;
        wave.set_exec(exec);
    }
}

/// Goes another way, sends something else, or leaves the state as it was. (What is done to what groups share is left out: see [`spoiled`].)
fn control(wave: &mut Wave, step: &Step, group: &mut Group<'_>, before: &Before, next: u32) -> u32 {
    if let Some(sent) = group.messages.get_mut(before.sent..).and_then(|sent| sent.last_mut()) {
        sent.m0 ^= BIT;
    }
    if let Some(export) = group.exports.get_mut(before.exported..).and_then(|all| all.last_mut()) {
        export.lanes.iter_mut().flatten().for_each(|word| *word ^= BIT);
    }
    let old = &before.state;
    if State::of(wave) != *old {
        (wave.trapsts, wave.hwregs) = (old.trapsts, old.hwregs);
        (wave.scratch, wave.fork_depth) = (old.scratch, old.forks);
        wave.set_mode(old.mode);
    }
    match wave.stop {
        Some(Stop::End) => next,
        _ if next != step.next => {
            wave.stop = None;
            step.next
        }
        _ if step.target != STOP => step.target,
        _ => next,
    }
}
