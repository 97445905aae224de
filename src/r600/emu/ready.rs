//! Clauses made ready for lanes: where sources lie, what has to be kept, how results get to where they belong.
//!
//! The emulator has a file of lanes: the elements of all registers, PV and PS behind them, and behind those the
//! constants of the clause that is executed, spread over the lanes as it begins. So most sources are places in the
//! file.
//!
//! An operation computes into room of its own, which then changes places with the register that it writes: nothing is
//! copied where all lanes execute. PV and PS are that register for the next group, if nothing else of the group writes
//! it; what is read later, or has no register, is kept in the places of PV and PS, and what nobody reads is not kept at
//! all.

use super::alu::{Effect, Group, Index, Op, Place, SLOTS, Source};
use super::kernel::{Kernel, MAX_SOURCES};
use super::mistakes::Mistake;
use super::{GPRS, Setup};

/// Where PV and PS lie in the file: behind four elements of each register.
pub(super) const PREVIOUS: usize = 4 * GPRS as usize;
/// Where constants lie in the file.
pub(super) const CONSTANTS: usize = PREVIOUS + SLOTS;

/// Where an operation finds a source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input {
    /// In the file.
    At(usize),
    /// In the file, with its sign changed: the bits that are kept, then those that are turned.
    Signed(usize, [u32; 2]),
    /// It is made for each lane.
    Made(Source),
}

/// An operation with a result.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// What it computes.
    pub kernel: &'static Kernel,
    /// Where it runs.
    pub slot: usize,
    /// Its sources; those it does not have are anything.
    pub inputs: [Input; MAX_SOURCES],
    /// The same where all of them lie in the file.
    pub at: Option<[usize; MAX_SOURCES]>,
    /// What is done to the result, and the number of the factor.
    pub shape: Option<(&'static Kernel, usize)>,
    /// The place in the file that is written, where nothing more is to be done than that.
    pub to: Option<usize>,
    /// Whether a register is written, simply or not.
    pub written: bool,
    /// Whether a later group reads the result from the place of PV or PS.
    pub kept: bool,
}

/// Operations that are executed at once.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    /// Those that have a result, in the order of the slots.
    pub tasks: Vec<Task>,
    /// Whether all that they do is to write registers.
    pub simple: bool,
}

/// A constant of the clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constant {
    /// What it is.
    pub source: Source,
    /// The first group that reads it.
    pub group: usize,
}

/// A clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Clause {
    /// Its groups.
    pub groups: Vec<Ready>,
    /// Its constants, as they lie in the file.
    pub constants: Vec<Constant>,
    /// Whether PV or PS is read before it is written.
    pub begins_with_previous: bool,
    /// Whether the address register is read.
    pub reads_address: bool,
}

impl Clause {
    /// Makes groups ready.
    pub fn new(groups: &[Group], setup: &Setup) -> Clause {
        let mut clause = Clause::default();
        for (n, group) in groups.iter().enumerate() {
            // What may be missing is asked for in the order of the sources, so that the same fault is found first.
            let in_order = sources(group).any(|source| matches!(source.place, Place::Cache { index: Some(_), .. }));
            let ops = group.ops.iter().filter_map(|op| Some((op, op.kernel?)));
            let tasks = ops.map(|(op, kernel)| {
                let mut inputs = [Input::At(0); MAX_SOURCES];
                for (input, source) in inputs.iter_mut().zip(&op.src[..op.sources]) {
                    *input = clause.input(groups, n, source, in_order, setup);
                }
                Task {
                    kernel,
                    slot: op.slot,
                    inputs,
                    at: all_at(&inputs),
                    shape: shape(op, kernel, setup),
                    to: op.simply,
                    written: op.write,
                    kept: setup.mistake.is_some(),
                }
            });
            let tasks = tasks.collect();
            clause.reads_address |= group.ops.iter().any(reads_address);
            clause.groups.push(Ready { tasks, simple: setup.mistake.is_none() && group.ops.iter().all(is_simple) });
        }
        clause
    }

    fn input(&mut self, groups: &[Group], n: usize, source: &Source, in_order: bool, setup: &Setup) -> Input {
        match source.place {
            Place::Gpr(at) => signed(at, source),
            Place::Previous(slot) => signed(self.previous(groups, slot as usize % SLOTS, setup), source),
            Place::Cache { index: None, .. } if in_order => Input::Made(*source),
            Place::Value(_) | Place::File { index: None, .. } | Place::Cache { index: None, .. } => {
                let known = self.constants.iter().position(|constant| constant.source == *source);
                let number = known.unwrap_or(self.constants.len());
                if known.is_none() {
                    self.constants.push(Constant { source: *source, group: n });
                }
                Input::At(CONSTANTS + number)
            }
            _ => Input::Made(*source),
        }
    }

    /// Where PV or PS lies for the group that comes next.
    fn previous(&mut self, groups: &[Group], slot: usize, setup: &Setup) -> usize {
        if let Some(last) = self.groups.last()
            && setup.mistake.is_none()
            && last.simple
            && let Some(n) = last.tasks.iter().position(|task| task.slot == slot)
            && let Some(to) = last.tasks[n].to
            && last.tasks[n + 1..].iter().all(|task| task.to != Some(to))
        {
            return to;
        }
        for (group, ready) in groups.iter().zip(&mut self.groups).rev() {
            let writer = group.ops.iter().find(|op| op.slot == slot && op.effect != Effect::Address);
            let Some(task) = ready.tasks.iter_mut().find(|task| task.slot == slot) else { continue };
            let Some(op) = writer else { continue };
            task.kept = true;
            // With a predicate, lanes keep what was there before.
            if op.when.is_none() {
                return PREVIOUS + slot;
            }
        }
        self.begins_with_previous = true;
        PREVIOUS + slot
    }
}

fn sources(group: &Group) -> impl Iterator<Item = &Source> {
    group.ops.iter().flat_map(|op| &op.src[..op.sources])
}

fn reads_address(op: &Op) -> bool {
    let of = |source: &Source| match source.place {
        Place::Indexed { index, .. } => Some(index),
        Place::File { index, .. } | Place::Cache { index, .. } => index,
        _ => None,
    };
    op.src.iter().filter_map(of).chain(op.index).any(|index| matches!(index, Index::Address(_)))
}

/// Whether an operation writes a register in all lanes, or nothing.
fn is_simple(op: &Op) -> bool {
    op.simply.is_some() || op.kernel.is_none() || !op.write && op.effect == Effect::None && op.when.is_none()
}

fn all_at(inputs: &[Input; MAX_SOURCES]) -> Option<[usize; MAX_SOURCES]> {
    let mut all = [0; MAX_SOURCES];
    for (to, input) in all.iter_mut().zip(inputs) {
        let Input::At(at) = input else { return None };
        *to = *at;
    }
    Some(all)
}

/// A place in the file with the sign as the source says.
fn signed(at: usize, source: &Source) -> Input {
    if source.abs || source.neg { Input::Signed(at, signs(source)) } else { Input::At(at) }
}

/// The bits that a source keeps, then those that it turns.
pub(super) fn signs(source: &Source) -> [u32; 2] {
    [if source.abs { 0x7fff_ffff } else { u32::MAX }, if source.neg { 0x8000_0000 } else { 0 }]
}

/// What is done to the result of an operation, and with which factor.
fn shape(op: &Op, kernel: &Kernel, setup: &Setup) -> Option<(&'static Kernel, usize)> {
    let scaled = op.factor != 0 && !setup.has(Mistake::NoFactor);
    let clamped = op.clamp && !setup.has(Mistake::NoClamp);
    let name = match (scaled, clamped) {
        (true, true) => "MUL_IEEE CLAMP",
        (true, false) => "MUL_IEEE",
        (false, true) => "CLAMP",
        (false, false) => return None,
    };
    let shape = Kernel::of(name).filter(|_| kernel.gives_float())?;
    Some((shape, op.factor as usize & 3))
}
