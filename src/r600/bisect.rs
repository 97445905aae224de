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
    let mut point = Point {
        number: high,
        at: here.at,
        fetch: here.fetch,
        group: None,
        text: String::new(),
        differences: found,
        alone: None,
    };
    point.text = text(case, machine, &point)?;
    in_clause(case, machine, engines, &before, &mut point)?;
    Ok(Found::At(Box::new(point)))
}

/// The state before the last instruction of a run that stops, and that instruction.
fn last(case: &Case, machine: Machine, number: u32) -> Result<Option<(Before, Event)>, EngineError> {
    let ready = case.ready(machine)?;
    let before = emu::Setup { stop: Some(number - 1), ..ready.setup.clone() };
    let mut here = None;
    let (mut active, mut valid) = (before.valid & lanes_of(case), before.valid & lanes_of(case));
    let mut flows = 0;
    let setup = emu::Setup { stop: Some(number), ..ready.setup.clone() };
    // What is wrong in it is one of the differences.
    let _ = emu::watched(&ready.words, &setup, &mut |event| {
        if event.part == Part::Flow {
            flows += 1;
            if flows < number {
                (active, valid) = (event.active, event.valid);
            } else {
                here = Some(event);
            }
        } else if flows < number {
            (active, valid) = (event.active, event.valid);
        }
    });
    let Ok(outcome) = emu::run(&ready.words, &before) else { return Ok(None) };
    Ok(here.map(|event| (Before { gprs: outcome.gprs, active, valid }, event)))
}

/// What a clause finds.
struct Before {
    gprs: Vec<Vec<[u32; 4]>>,
    active: u64,
    valid: u64,
}

fn lanes_of(case: &Case) -> u64 {
    u64::MAX >> (64 - case.lanes.clamp(1, 64))
}

/// The text of the instruction, with its groups where there is no single one.
fn text(case: &Case, machine: Machine, point: &Point) -> Result<String, EngineError> {
    let (words, fetch) = case.words(machine)?;
    let program = Program::decode(machine, if point.fetch { &fetch } else { &words });
    let mut text = String::new();
    let Some(flow) = program.flow.iter().find(|flow| flow.at == point.at) else { return Ok(text) };
    flow_text(machine, &flow.inst, &mut text);
    Ok(text)
}

/// Looks into a clause: the groups that it takes to differ.
fn in_clause(
    case: &Case,
    machine: Machine,
    engines: Pair<'_>,
    before: &Before,
    point: &mut Point,
) -> Result<(), EngineError> {
    let (words, fetch) = case.words(machine)?;
    let program = Program::decode(machine, if point.fetch { &fetch } else { &words });
    let flow = program.flow.iter().find(|flow| flow.at == point.at);
    let clause = flow.and_then(|flow| Some((flow, program.clauses.get(flow.clause?)?)));
    let Some((flow, clause)) = clause else { return Ok(()) };
    let count = match &clause.body {
        Body::Alu(groups) => groups.len(),
        Body::Fetch(fetches) => fetches.len(),
    };
    let mut head = String::new();
    flow_text(machine, &flow.inst, &mut head);
    let cut = |count: usize| -> Case {
        let mut text = plain(&head);
        match &clause.body {
            Body::Alu(groups) => {
                for (n, group) in groups.iter().take(count).enumerate() {
                    group_text(machine, group, n as u32, &mut text);
                }
            }
            Body::Fetch(fetches) => {
                for fetch in fetches.iter().take(count) {
                    fetch_text(fetch, &mut text);
                    text.push('\n');
                }
            }
        }
        text.push_str("NOP EOP\n");
        alone(case, machine, before, format!(".unchecked\n{text}"))
    };
    let differs = |count: usize| match compare(&cut(count), machine, engines) {
        Ok(found) => Ok(!found.is_empty()),
        // Loop indices and constants of a set that moves are not those of the whole program.
        Err(EngineError::Case(_)) => Ok(false),
        Err(error) => Err(error),
    };
    if !differs(count)? {
        return Ok(());
    }
    let (mut low, mut high) = (0, count);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if differs(middle)? { high = middle } else { low = middle }
    }
    point.group = Some(high - 1);
    point.text = String::new();
    match &clause.body {
        Body::Alu(groups) => group_text(machine, &groups[high - 1], high as u32 - 1, &mut point.text),
        Body::Fetch(fetches) => fetch_text(&fetches[high - 1], &mut point.text),
    }
    point.alone = Some(cut(high));
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
    alone.valid = Some(before.active & before.valid);
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
