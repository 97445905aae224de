//! Which instruction did it: the step in which states come apart, looked at on the emulator.

use super::{Point, Subject};
use crate::emu::engine::Emulator;
use crate::emu::group::{self, Drive};
use crate::emu::traced::record::{Event, Filter, Item, Place, Recorder};
use crate::emu::traced::wave as traced;
use crate::engine::Options;
use crate::engine::compare::{Difference, states};
use crate::engine::{EngineError, Outcome};
use crate::isa::operand;
use crate::isa::row::Inst;
use crate::isa::sem::formula::{Formula, formula};
use crate::isa::types::Ty;
use crate::program::Program;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A wave: its group and its number in it.
type Who = ([u32; 3], u32);

/// The instruction whose effect differs.
#[derive(Clone, Debug)]
pub struct Culprit {
    /// The group of the wave.
    pub group: [u32; 3],
    /// The number of the wave in it.
    pub wave: u32,
    /// How many instructions the wave had executed before.
    pub number: u64,
    /// Where it stands, in bytes from the start of the text.
    pub pc: u64,
    /// Its words.
    pub words: Vec<u32>,
    /// Its text.
    pub text: String,
    /// Its row; none for bits that are no instruction.
    pub row: Option<&'static Inst>,
    /// What becomes of its sources.
    pub formula: Option<Formula>,
    /// The lanes that were on.
    pub exec: u64,
    /// What it read.
    pub reads: Vec<Item>,
    /// Where it went in memory, and what was there.
    pub touched: Vec<Place>,
    /// What differs behind it, in its type.
    pub values: Vec<Value>,
    /// The order of lanes decides: in another one the emulator leaves something else in all these places.
    pub race: bool,
}

/// A place where the two sides differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// `v3`, `v[2:3]`, `vcc`, `out[0x10]`, `trap`
    pub place: String,
    /// The lane of a vector register.
    pub lane: Option<u32>,
    /// What each side has.
    pub bits: [u64; 2],
    /// Said instead, where there are no values.
    pub text: Option<[String; 2]>,
    /// The type of the result.
    pub ty: Ty,
}

/// Says which instruction a point is about.
///
/// # Errors
/// The emulator cannot run it.
pub fn blame(subject: &dyn Subject, options: &Options, point: &Point) -> Result<Culprit, EngineError> {
    let program = subject.program()?;
    let culprit = culprit(&program, subject, options, point)?;
    // Lanes take turns in memory alone.
    let memory = program.steps.get((culprit.pc / 4) as usize).is_some_and(|step| step.memory.is_some());
    Ok(Culprit { race: memory && race(subject, options, point)?, ..culprit })
}

fn culprit(program: &Program, subject: &dyn Subject, options: &Options, point: &Point) -> Result<Culprit, EngineError> {
    let events = events(subject, options, point)?;
    let current: Vec<&Event> = events.iter().filter(|(now, _)| *now).map(|(_, event)| event).collect();
    let Some(who) = suspect(point, &current) else {
        // Nobody executed anything: whatever differs is nobody's.
        return Ok(at(program, 0, Who::default(), point));
    };
    let of_wave = |e: &&Event| (e.group, e.wave) == who;
    let last = events.iter().filter(|(now, _)| !now).map(|(_, event)| event).find(of_wave);
    let event = current.iter().copied().find(of_wave);
    // A side that stays where it is waits: if the other one does not, the barrier did it.
    let pc = |o: &Outcome| o.wave(who.0, who.1).map(|w| w.pc);
    let waits = point.after.iter().any(|after| pc(after) == pc(&point.before));
    let event = match last {
        Some(last) if last.instruction.starts_with("s_barrier") && (waits || event.is_none()) => Some(last),
        _ => event,
    };
    let Some(event) = event else {
        let number = last.map_or(0, |last| last.number + 1);
        return Ok(Culprit { number, ..at(program, pc(&point.before).unwrap_or(0), who, point) });
    };
    Ok(Culprit {
        number: event.number,
        exec: event.exec,
        reads: event.reads.clone(),
        touched: event.touched.clone(),
        ..at(program, event.pc, who, point)
    })
}

fn at(program: &Program, pc: u64, who: Who, point: &Point) -> Culprit {
    let at = (pc / 4) as usize;
    let step = program.steps.get(at);
    let end = step.map_or(at, |step| (step.next as usize).clamp(at + 1, program.words.len().max(at + 1)));
    let row = step.and_then(|step| step.row);
    Culprit {
        group: who.0,
        wave: who.1,
        number: 0,
        pc,
        words: program.words.get(at..end).unwrap_or_default().to_vec(),
        text: program.text(at as u32),
        row,
        formula: step.and_then(|step| formula(step.meaning?.name)),
        exec: point.before.wave(who.0, who.1).map_or(0, |w| w.exec),
        reads: Vec::new(),
        touched: Vec::new(),
        values: values(&program.text(at as u32), row, who, point),
        race: false,
    }
}

/// Whether the last step, and none before it, leaves something else on the emulator in all places that differ when lanes come in another order.
fn race(subject: &dyn Subject, options: &Options, point: &Point) -> Result<bool, EngineError> {
    let races_at = |ticks| {
        let emulator = Emulator { options: Options { pause: Some(ticks), stats: false, ..*options } };
        emulator.races(|e| subject.run(&e, &e.options), states)
    };
    let races = races_at(point.tick)?;
    let all = point.differences.iter().all(|difference| difference.is_among(&races));
    Ok(all && races_at(point.tick - 1)?.is_empty())
}

/// What every wave executed in the last tick, marked as such, and what it had executed before that.
fn events(subject: &dyn Subject, options: &Options, point: &Point) -> Result<Vec<(bool, Event)>, EngineError> {
    let steps: Mutex<HashMap<Who, u64>> = Mutex::default();
    let pause = |ticks| Options { pause: Some(ticks), stats: false, ..*options };
    let count = |_| -> Box<Drive<'_>> {
        Box::new(|wave, group, limits| {
            group::wave(wave, group, limits);
            let mut steps = steps.lock().unwrap_or_else(PoisonError::into_inner);
            steps.insert((group.id, wave.index), wave.steps);
        })
    };
    subject.watch(&pause(point.tick - 1), &count)?;
    let steps = steps.into_inner().unwrap_or_else(PoisonError::into_inner);
    let all = Mutex::new(Vec::new());
    let record = |_| -> Box<Drive<'_>> {
        Box::new(|wave, group, limits| {
            let now = steps.get(&(group.id, wave.index)).copied().unwrap_or(0);
            let mut put = |event: Event| {
                all.lock().unwrap_or_else(PoisonError::into_inner).push((event.number >= now, event));
            };
            let filter = Filter { from: now.saturating_sub(1), ..Filter::default() };
            traced(wave, group, limits, &mut Recorder::new(filter, &mut put));
        })
    };
    subject.watch(&pause(point.tick), &record)?;
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|(_, e): &(bool, Event)| (e.group[2], e.group[1], e.group[0], e.wave));
    Ok(all)
}

/// The wave that the differences point to.
fn suspect(point: &Point, events: &[&Event]) -> Option<Who> {
    let trap = |o: &Outcome| o.trap.as_ref().map(|t| (t.group, t.wave));
    let [a, b] = &point.after;
    let known = |who: &Who| events.iter().any(|e| (e.group, e.wave) == *who);
    if a.trap != b.trap
        && let new = [a, b].into_iter().filter(|o| o.trap != point.before.trap).filter_map(trap).collect::<Vec<_>>()
        && let Some(who) = new.iter().find(|who| known(who)).or(new.first())
    {
        return Some(*who);
    }
    if let Some(who) = point.differences.iter().find_map(|d| d.wave) {
        return Some(who);
    }
    // Memory belongs to all: whoever wrote the place, or anything.
    let wrote = |e: &&Event| {
        e.writes.iter().any(|item| {
            item.values.iter().any(|(n, _)| {
                let place = format!("{}[{n:#x}]", item.place);
                point.differences.iter().any(|d| d.place == place)
            })
        })
    };
    let stores = |e: &&Event| e.writes.iter().any(|item| item.index == crate::emu::traced::record::Index::Byte);
    let named = |e: &&Event| ["store", "atomic", "write", "sendmsg"].iter().any(|word| e.instruction.contains(word));
    let all = || events.iter().copied();
    let found = all().find(wrote).or_else(|| all().find(stores)).or_else(|| all().find(named)).or(all().next());
    found.map(|e| (e.group, e.wave))
}

/// The differences of a wave and of memory, in the type of the instruction's result.
fn values(text: &str, row: Option<&'static Inst>, who: Who, point: &Point) -> Vec<Value> {
    let ty = row.map_or(Ty::U32, result);
    let pair = (ty.bytes() == 8).then(|| first_pair(text)).flatten();
    let mut all: Vec<Value> = Vec::new();
    let mine = |d: &&Difference| d.wave.is_none() || d.wave == Some(who);
    for d in point.differences.iter().filter(mine) {
        let narrow = if ty.bytes() == 8 { Ty::U32 } else { ty };
        let wide = matches!(&d.place[..], "vcc" | "exec" | "pc");
        let mut value = Value {
            place: d.place.clone(),
            lane: d.lane,
            bits: d.values,
            text: d.text.clone(),
            ty: if wide { Ty::U64 } else { narrow },
        };
        if let (Some((letter, first)), Some(n)) = (pair, register(&d.place))
            && d.place.starts_with(letter)
            && (n == first || n == first + 1)
            && let [Some(x), Some(y)] = [0, 1].map(|side| wide_value(&point.after[side], who, letter, first, d.lane))
        {
            value = Value { place: format!("{letter}[{first}:{}]", first + 1), bits: [x, y], ty, ..value };
        }
        if !all.iter().any(|known| known.place == value.place && known.lane == value.lane) {
            all.push(value);
        }
    }
    all
}

/// The number of `v7`.
fn register(place: &str) -> Option<u32> {
    place.get(1..)?.parse().ok()
}

/// The first operand, where it is a pair of registers.
fn first_pair(text: &str) -> Option<(char, u32)> {
    let operand = text.split_once(' ')?.1.trim();
    let letter = operand.chars().next().filter(|c| matches!(c, 'v' | 's'))?;
    let (first, last) = operand[1..].strip_prefix('[')?.split_once(']')?.0.split_once(':')?;
    let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
    (last == first + 1).then_some((letter, first))
}

fn wide_value(outcome: &Outcome, who: Who, letter: char, first: u32, lane: Option<u32>) -> Option<u64> {
    let wave = outcome.wave(who.0, who.1)?;
    let half = |n| if letter == 'v' { wave.vgpr(n, lane?) } else { wave.sgpr(n) };
    Some(u64::from(half(first)?) | u64::from(half(first + 1)?) << 32)
}

/// The type in which a result is shown.
fn result(row: &'static Inst) -> Ty {
    let named = |ty: &str| row.name.split('_').any(|part| part == ty);
    match row.dst.ty {
        operand::Ty::F32 | operand::Ty::DF32 => Ty::F32,
        operand::Ty::F64 => Ty::F64,
        operand::Ty::F16 => Ty::F16,
        operand::Ty::Bf16 => Ty::Bf16,
        operand::Ty::B64 if named("i64") => Ty::I64,
        operand::Ty::B64 => Ty::U64,
        operand::Ty::B32 if named("i32") => Ty::I32,
        _ => Ty::U32,
    }
}
