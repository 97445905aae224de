//! The first instruction of control flow in which two engines differ, and in its clause the first group.
//!
//! A case that stops behind n instructions of control flow runs on both engines; once they have come to differ they are taken to stay
//! different, so that a binary search finds the n that matters. Of a clause the state before it makes a case of its own: the registers
//! and the lanes that are active, and the clause cut off behind a group; a second search finds the group.

use super::case::{Case, Elements, Init, Place, Select, What};
use super::emu::trace::{Event, Part};
use super::emu::{self, Stage};
use super::engine::differences;
use super::print::{fetch_text, flow_text, group_text};
use super::{Body, Program};
use crate::case::Body as Text;
use crate::case::value::{Lit, Value};
use crate::engine::compare::Difference;
use crate::engine::{Engine, EngineError};
use crate::isa::r600::Machine;
use crate::isa::types::Ty;
use std::fmt::Write as _;

/// Longer runs are not searched.
const LONGEST: u32 = 1 << 24;

/// Where two engines come apart.
#[derive(Clone, Debug)]
pub struct Point {
    /// After so many instructions of control flow they differ; after one less they are equal.
    pub number: u32,
    /// The instruction of control flow, as its pair of words, and whether it stands in the fetch program.
    pub at: u32,
    /// Whether it stands in the fetch program.
    pub fetch: bool,
    /// The group of its clause, where it could be told.
    pub group: Option<usize>,
    /// The instruction, or the group, as text.
    pub text: String,
    /// What differs behind it.
    pub differences: Vec<Difference>,
    /// A case of the clause alone, which differs too.
    pub alone: Option<Case>,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// Nothing differs.
    Equal,
    /// They come apart here.
    At(Box<Point>),
    /// They differ at the end, and nowhere before.
    Whole(Vec<Difference>),
}

/// Two engines.
pub type Pair<'e> = [&'e dyn Engine<Case>; 2];

/// What differs between two engines over a case.
///
/// # Errors
/// An engine does not run it.
pub fn compare(case: &Case, machine: Machine, [a, b]: Pair<'_>) -> Result<Vec<Difference>, EngineError> {
    Ok(differences(case, machine, &a.run(case, machine)?, &b.run(case, machine)?))
}

/// Finds where two engines come apart.
///
/// # Errors
/// An engine does not run it.
pub fn find(case: &Case, machine: Machine, engines: Pair<'_>) -> Result<Found, EngineError> {
    let whole = compare(case, machine, engines)?;
    if whole.is_empty() {
        return Ok(Found::Equal);
    }
    let after = |n: u32| compare(&Case { stop: Some(n), ..case.clone() }, machine, engines);
    let (mut low, mut high) = (0, 1);
    let mut found = loop {
        let found = after(high)?;
        if !found.is_empty() {
            break found;
        }
        if high >= LONGEST {
            return Ok(Found::Whole(whole));
        }
        (low, high) = (high, high * 2);
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match after(middle)? {
            differences if differences.is_empty() => low = middle,
            differences => (high, found) = (middle, differences),
        }
    }
    let Some((before, here)) = last(case, machine, high)? else { return Ok(Found::Whole(whole)) };
    let (words, fetch) = case.words(machine)?;
    let program = Program::decode(machine, if here.fetch { &fetch } else { &words });
    let mut point = Point {
        number: high,
        at: here.at,
        fetch: here.fetch,
        group: None,
        text: String::new(),
        differences: found,
        alone: None,
    };
    if let Some(flow) = program.flow.iter().find(|flow| flow.at == here.at) {
        flow_text(machine, &flow.inst, &mut point.text);
        if let Some(clause) = flow.clause.and_then(|n| program.clauses.get(n)) {
            let cut = Cut { case, machine, before: &before, head: plain(&point.text), body: &clause.body };
            in_clause(&cut, engines, &mut point)?;
        }
    }
    Ok(Found::At(Box::new(point)))
}

/// The state before the last instruction of a run that stops, and that instruction. One that begins a clause is seen before what is
/// in it: the lanes that are active then are those that find it.
fn last(case: &Case, machine: Machine, number: u32) -> Result<Option<(Before, Event)>, EngineError> {
    let ready = case.ready(machine)?;
    let stopped = |stop: u32| emu::Setup { stop: Some(stop), ..ready.setup.clone() };
    let (mut flows, mut here) = (0, None);
    // What is wrong in it is one of the differences.
    let _ = emu::watched(&ready.words, &stopped(number), &mut |event| {
        if event.part == Part::Flow {
            flows += 1;
            here = Some(event).filter(|_| flows == number).or(here.take());
        }
    });
    let Ok(outcome) = emu::run(&ready.words, &stopped(number - 1)) else { return Ok(None) };
    Ok(here.map(|event| (Before { gprs: outcome.gprs, lanes: event.active & event.valid }, event)))
}

/// What a clause finds.
struct Before {
    gprs: Vec<Vec<[u32; 4]>>,
    /// The lanes that execute it and live.
    lanes: u64,
}

/// A clause by itself, with what it finds.
struct Cut<'c> {
    case: &'c Case,
    machine: Machine,
    before: &'c Before,
    /// What begins it.
    head: String,
    body: &'c Body,
}

impl Cut<'_> {
    /// How many instructions it has.
    fn count(&self) -> usize {
        match self.body {
            Body::Alu(groups) => groups.len(),
            Body::Fetch(fetches) => fetches.len(),
        }
    }

    /// The text of an instruction.
    fn text(&self, n: usize) -> String {
        let mut text = String::new();
        match self.body {
            Body::Alu(groups) => group_text(self.machine, &groups[n], n as u32, &mut text),
            Body::Fetch(fetches) => {
                fetch_text(&fetches[n], &mut text);
                text.push('\n');
            }
        }
        text
    }

    /// A case of its first instructions.
    fn first(&self, count: usize) -> Case {
        let body: String = (0..count).map(|n| self.text(n)).collect();
        alone(self.case, self.machine, self.before, format!(".unchecked\n{}{body}NOP EOP\n", self.head))
    }
}

/// Looks into a clause: the instruction behind which it begins to differ, if it does so by itself.
fn in_clause(cut: &Cut<'_>, engines: Pair<'_>, point: &mut Point) -> Result<(), EngineError> {
    let differs = |count: usize| match compare(&cut.first(count), cut.machine, engines) {
        Ok(found) => Ok(!found.is_empty()),
        // Loop indices and constants of a set that moves are not those of the whole program.
        Err(EngineError::Case(_)) => Ok(false),
        Err(error) => Err(error),
    };
    let (mut low, mut high) = (0, cut.count());
    if !differs(high)? {
        return Ok(());
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if differs(middle)? { high = middle } else { low = middle }
    }
    point.group = Some(high - 1);
    point.text = cut.text(high - 1);
    point.alone = Some(cut.first(high));
    Ok(())
}

/// The instruction that begins a clause as one that does nothing else, with what it locks.
fn plain(head: &str) -> String {
    let name = head.split([':', ' ']).next().unwrap_or("");
    let kind = if name.starts_with("ALU") { "ALU" } else { name };
    let caches: Vec<&str> = head.split_whitespace().filter(|word| word.starts_with("KCACHE")).collect();
    format!("{kind}: {}\n", caches.join(" "))
}

/// A case that begins in a state.
fn alone(case: &Case, machine: Machine, before: &Before, text: String) -> Case {
    let mut alone = case.clone();
    alone.machines = vec![machine];
    alone.source = Some(format!("cut out of {}", case.name));
    alone.stage = if case.stage == Stage::Fs { Stage::Vs } else { case.stage };
    alone.valid = Some(before.lanes);
    alone.stop = None;
    alone.code = None;
    alone
        .expect
        .retain(|expect| matches!(expect.what, What::Value { ref rule, .. } if *rule != crate::case::Rule::default()));
    alone.body = Text { text, line: 1 };
    alone.init.clear();
    for (n, lanes) in (0..).zip(&before.gprs) {
        for element in 0..4 {
            let words: Vec<u32> = lanes.iter().map(|lane| lane[element]).collect();
            if words.iter().all(|word| *word == 0) {
                continue;
            }
            let lit = |word: &u32| Value::Lit(Lit { ty: Ty::U32, bits: (*word).into() });
            let value = match words.iter().all(|word| *word == words[0]) {
                true => lit(&words[0]),
                false => Value::List(words.iter().map(lit).collect()),
            };
            let place = Place::Register(n, Elements(1 << element));
            alone.init.push(Init { select: Select::default(), place, value });
        }
    }
    alone
}

impl Point {
    /// The place as people name it: `02`, `02, group 3`.
    #[must_use]
    pub fn place(&self) -> String {
        let mut text = String::new();
        let _ = write!(text, "{:02}", self.at);
        if self.fetch {
            text.push_str(" of the fetch program");
        }
        if let Some(group) = self.group {
            let _ = write!(text, ", instruction {group} of its clause");
        }
        text
    }
}

/// How many instructions a case has: of control flow, in slots, fetches.
#[must_use]
pub fn instructions(case: &Case, machine: Machine) -> usize {
    let Ok((words, _)) = case.words(machine) else { return 0 };
    let program = Program::decode(machine, &words);
    let of = |body: &Body| match body {
        Body::Alu(groups) => groups.iter().map(|group| group.insts().len()).sum(),
        Body::Fetch(fetches) => fetches.len(),
    };
    program.flow.len() + program.clauses.iter().map(|clause| of(&clause.body)).sum::<usize>()
}
