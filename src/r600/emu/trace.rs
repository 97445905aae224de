//! A run that is watched: each instruction with what it read and wrote.
//!
//! An instruction is one of control flow, a group or a fetch. What it wrote is found by comparing the registers before and behind it, so
//! that nothing has to say what it writes; a value that stays is no write. What a group read are the sources of its operations.

use super::alu::{Clause, Index, Place, Source};
use super::kernel::Lanes;
use super::plan::{Action, Step};
use super::ready::{Input, PREVIOUS};
use super::setup::{Exported, Target};
use super::{Outcome, Run};
use std::collections::BTreeMap;
use std::fmt;

/// What was read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// An element of a register.
    Register(u32, u32),
    /// A register whose number has an index.
    Indexed(u32, u32),
    /// A constant of one of the two sets of lines that the clause locks.
    Cache(u32, u32, u32),
    /// A constant of the file.
    File(u32, u32),
    /// A result of the group before; element 4 is PS.
    Previous(u32),
    /// An element of an export.
    Export(Target, u32),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = |n: &u32| ["x", "y", "z", "w"][*n as usize & 3];
        match self {
            Item::Register(n, e) => write!(f, "R{n}.{}", element(e)),
            Item::Indexed(n, e) => write!(f, "R[{n}+].{}", element(e)),
            Item::Cache(set, n, e) => write!(f, "KC{set}[{n}].{}", element(e)),
            Item::File(n, e) => write!(f, "C[{n}].{}", element(e)),
            Item::Previous(4) => f.write_str("PS"),
            Item::Previous(e) => write!(f, "PV.{}", element(e)),
            Item::Export(to, e) => write!(f, "{to}.{}", element(e)),
        }
    }
}

/// Words of lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    /// Where.
    pub item: Item,
    /// The lanes, each with its word.
    pub lanes: Vec<(u32, u32)>,
}

/// Which part of an instruction of control flow it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The instruction itself.
    Flow,
    /// A group of its clause.
    Group(usize),
    /// A fetch of its clause.
    Fetch(usize),
}

/// An instruction that was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its number, from 0.
    pub number: u64,
    /// The instruction of control flow, as its pair of words.
    pub at: u32,
    /// Whether it stands in the fetch program.
    pub fetch: bool,
    /// Which part of it.
    pub part: Part,
    /// The lanes that are active behind it.
    pub active: u64,
    /// The lanes that are valid behind it.
    pub valid: u64,
    /// What it read.
    pub reads: Vec<Touched>,
    /// What it wrote.
    pub writes: Vec<Touched>,
}

/// Who sees events.
pub type See<'s> = &'s mut dyn FnMut(Event);

/// What is kept of a run that is watched.
pub(super) struct Watcher<'s> {
    see: See<'s>,
    gprs: Vec<Lanes>,
    exports: BTreeMap<Target, Vec<Exported>>,
    reads: Vec<Touched>,
    number: u64,
    at: (u32, bool),
}

impl<'s> Watcher<'s> {
    pub(super) fn new(see: See<'s>, file: &[&mut Lanes]) -> Watcher<'s> {
        let gprs = file[..PREVIOUS].iter().map(|lanes| (**lanes).clone()).collect();
        Watcher { see, gprs, exports: BTreeMap::new(), reads: Vec::new(), number: 0, at: (0, false) }
    }
}

fn begins_clause(step: &Step) -> bool {
    matches!(step.action, Action::Alu(..) | Action::Fetch(..))
}

/// The lanes of a mask with their words.
fn lanes_of(lanes: &Lanes, mask: u64) -> Vec<(u32, u32)> {
    (0..64).filter(|lane| mask >> lane & 1 != 0).map(|lane| (lane, lanes.0[lane as usize])).collect()
}

impl Run<'_> {
    /// An instruction of control flow comes; one that begins a clause is seen before what is in it.
    pub(super) fn comes(&mut self, at: u32, fetch: bool, step: &Step) {
        if let Some(watcher) = &mut self.watcher {
            watcher.at = (at, fetch);
            if begins_clause(step) {
                self.done(Part::Flow, self.flow.active);
            }
        }
    }

    /// It is over.
    pub(super) fn over(&mut self, step: &Step) {
        if !begins_clause(step) {
            self.done(Part::Flow, self.flow.active);
        }
    }

    /// What a group is about to read.
    pub(super) fn reads(&mut self, clause: &Clause, n: usize, active: u64) {
        let Some(mut watcher) = self.watcher.take() else { return };
        let mut room = Lanes::splat(0);
        let ops = clause.groups[n].ops.iter().filter(|op| op.kernel.is_some());
        for (op, task) in ops.zip(&clause.ready.groups[n].tasks) {
            for (source, input) in op.src[..op.sources].iter().zip(&task.inputs) {
                let item = match source.place {
                    Place::Gpr(n) => Item::Register(n as u32 / 4, n as u32 & 3),
                    Place::Indexed { gpr, element, .. } => Item::Indexed(gpr, element),
                    Place::Cache { set, number, element, index } => {
                        let moved = if matches!(index, Some(Index::Loop)) { self.flow.index } else { 0 };
                        Item::Cache(set, number.wrapping_add_signed(moved), element)
                    }
                    Place::File { number, element, .. } => Item::File(number, element),
                    Place::Previous(n) => Item::Previous(n),
                    Place::Value(_) => continue,
                };
                let lanes = match input {
                    Input::At(at) | Input::Signed(at, _) => lanes_of(self.file[*at], active),
                    Input::Made(source) => {
                        let plain = Source { abs: false, neg: false, ..*source };
                        // What can not be read is told by the group itself.
                        let Ok(()) = self.made(clause, &plain, &mut room) else { continue };
                        lanes_of(&room, active)
                    }
                };
                let touched = Touched { item, lanes };
                if !watcher.reads.contains(&touched) {
                    watcher.reads.push(touched);
                }
            }
        }
        self.watcher = Some(watcher);
    }

    /// An instruction is done.
    pub(super) fn done(&mut self, part: Part, active: u64) {
        let Some(mut watcher) = self.watcher.take() else { return };
        let mut writes = Vec::new();
        for (n, (before, now)) in watcher.gprs.iter_mut().zip(&self.file).enumerate() {
            if *before != **now {
                // Lanes that there are not hold what nobody sees.
                let there = self.setup.lanes as usize;
                let lanes = before.0.iter().zip(&now.0).take(there).enumerate();
                let changed = lanes.filter(|(_, (before, now))| before != now);
                let lanes: Vec<(u32, u32)> = changed.map(|(lane, (_, now))| (lane as u32, *now)).collect();
                if !lanes.is_empty() {
                    writes.push(Touched { item: Item::Register(n as u32 / 4, n as u32 & 3), lanes });
                }
                before.clone_from(now);
            }
        }
        if watcher.exports != self.outcome.exports {
            exported(&watcher.exports, &self.outcome, &mut writes);
            watcher.exports.clone_from(&self.outcome.exports);
        }
        let (at, fetch) = watcher.at;
        let (number, reads) = (watcher.number, std::mem::take(&mut watcher.reads));
        watcher.number += 1;
        (watcher.see)(Event { number, at, fetch, part, active, valid: self.flow.valid, reads, writes });
        self.watcher = Some(watcher);
    }
}

/// What is exported now and was not before.
fn exported(before: &BTreeMap<Target, Vec<Exported>>, outcome: &Outcome, writes: &mut Vec<Touched>) {
    for (to, lanes) in &outcome.exports {
        let old = before.get(to);
        for element in 0..4u32 {
            let changed = lanes.iter().enumerate().filter(|(lane, now)| {
                let old = old.and_then(|lanes| lanes.get(*lane)).copied().unwrap_or_default();
                let of = |one: &Exported| (one.mask >> element & 1, one.words[element as usize]);
                of(&old) != of(now)
            });
            let words: Vec<(u32, u32)> =
                changed.map(|(lane, now)| (lane as u32, now.words[element as usize])).collect();
            if !words.is_empty() {
                writes.push(Touched { item: Item::Export(*to, element), lanes: words });
            }
        }
    }
}
