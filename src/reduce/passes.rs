//! What is tried on a case.

use super::body::{self, Line};
use super::values::simpler;
use super::{Search, ddmin};
use crate::case::isa::Select;
use crate::case::mode::{Field, Mode};
use crate::case::value::{Id, Lit, Place, Value};
use crate::case::{Case, Init};
use crate::isa::types::Ty;

/// Makes a case smaller, if it can.
pub(super) type Pass<E> = fn(&mut Case, &mut Search<'_, E>) -> Result<(), E>;

/// The passes, in this order: first what makes every later check cheaper.
pub(super) fn all<E>() -> [Pass<E>; 10] {
    [waves, instructions, conditions, starts, settings, buffers, lanes, numbers, constants, labels]
}

/// One wave instead of many; one group; fewer groups.
fn waves<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    if case.grid.is_none() && case.group.is_none() {
        return Ok(());
    }
    let lanes = crate::case::wave_size(search.target);
    let mut candidates = vec![Case { grid: None, group: None, ..case.clone() }];
    if let Some(group) = case.group {
        candidates.push(Case { grid: None, ..case.clone() });
        candidates.push(Case { grid: None, group: Some([2 * lanes, 1, 1]), ..case.clone() });
        candidates.push(Case { grid: None, group: Some([group[0], 1, 1]), ..case.clone() });
    }
    search.take(case, candidates).map(|_| ())
}

/// Which instructions are needed.
fn instructions<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    let lines = body::parse(&case.body.text);
    let code: Vec<usize> = (0..lines.len()).filter(|n| lines[*n].code).collect();
    let with = |kept: &[usize]| -> Case {
        let stays = |n: &usize| !lines[*n].code || kept.iter().any(|k| code[*k] == *n);
        let some: Vec<Line> = (0..lines.len()).filter(stays).map(|n| lines[n].clone()).collect();
        let mut one = case.clone();
        one.body.text = body::print(&some);
        one
    };
    let needed = ddmin(code.len(), &mut |lists: &[Vec<usize>]| {
        let candidates: Vec<Case> = lists.iter().map(|list| with(list)).collect();
        search.first(&candidates)
    })?;
    *case = with(&needed);
    Ok(())
}

/// A condition at the start instead of the comparison that makes it. Waves may differ in it.
fn conditions<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    let one = Value::Lit(Lit { ty: Ty::U32, bits: 1 });
    for n in (0..body::parse(&case.body.text).len()).rev() {
        let mut lines = body::parse(&case.body.text);
        if !lines.get(n).is_some_and(|line| line.code && line.text.starts_with("s_cmp")) {
            continue;
        }
        lines.remove(n);
        let with = |value: Value| {
            let mut other = case.clone();
            other.body.text = body::print(&lines);
            other.init.push(Init { select: Select::default(), place: Place::Scc, value });
            other
        };
        let candidates = vec![with(one.clone()), with(Value::Id(Id::Wave))];
        search.take(case, candidates)?;
    }
    Ok(())
}

/// Which values at the start are needed; the others are zero.
fn starts<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    let all = case.init.clone();
    let with = |kept: &[usize]| Case { init: kept.iter().map(|n| all[*n].clone()).collect(), ..case.clone() };
    let needed = ddmin(all.len(), &mut |lists: &[Vec<usize>]| {
        let candidates: Vec<Case> = lists.iter().map(|list| with(list)).collect();
        search.first(&candidates)
    })?;
    *case = with(&needed);
    Ok(())
}

/// Settings that may go, one by one. What the assembler is told stays: the target has it besides.
fn settings<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    let drops: [fn(&mut Case); 8] = [
        |c| c.mode = Mode::default(),
        |c| c.lds = None,
        |c| c.entry = None,
        |c| c.trap_handler = None,
        |c| c.trap_handler.iter_mut().for_each(|handler| handler.memory = None),
        |c| c.budget = None,
        |c| c.timeout = None,
        |c| c.lds = c.lds.map(|bytes| bytes / 2),
    ];
    for drop in drops {
        let mut one = case.clone();
        drop(&mut one);
        search.take(case, vec![one])?;
    }
    if case.mode.whole.is_some() {
        let bits = case.mode.bits(search.target);
        let value = |field: Field| bits >> field.bits().0 & ((1 << field.bits().1) - 1);
        let fields = Field::ALL.into_iter().filter(|field| field.exists(search.target.generation()));
        let fields = fields.map(|field| (field, value(field))).filter(|(field, value)| *value != field.default());
        let mode = Mode { whole: None, fields: fields.collect() };
        search.take(case, vec![Case { mode, ..case.clone() }])?;
    }
    for n in (0..case.mode.fields.len()).rev() {
        let mut one = case.clone();
        one.mode.fields.remove(n);
        search.take(case, vec![one])?;
    }
    Ok(())
}

/// Buffers that may go, or be smaller, or empty.
fn buffers<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    for n in (0..case.buffers.len()).rev() {
        let mut without = case.clone();
        without.buffers.remove(n);
        let mut empty = case.clone();
        empty.buffers[n].size = empty.buffers[n].size.or(Some(4));
        empty.buffers[n].contents = None;
        if search.take(case, vec![without, empty])? && n >= case.buffers.len() {
            continue;
        }
        while let Some(size) = case.buffers.get(n).and_then(|b| b.size).filter(|size| *size > 4) {
            let with = |bytes: u32| {
                let mut one = case.clone();
                one.buffers[n].size = Some(bytes);
                one
            };
            let candidates = [4, 16, size / 4, size / 2].into_iter().filter(|bytes| (1..size).contains(bytes));
            let candidates = candidates.map(|bytes| with(bytes.next_multiple_of(4))).collect();
            if !search.take(case, candidates)? {
                break;
            }
        }
    }
    Ok(())
}

/// Lanes that may be off, where there are instructions of lanes at all.
fn lanes<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    let code = body::parse(&case.body.text);
    let scalar = code.iter().filter(|l| l.code).all(|l| l.text.starts_with("s_"));
    let exec = |init: &&Init| init.place == Place::Exec;
    let size = crate::case::wave_size(search.target);
    let mut mask = match case.init.iter().rev().find(exec).map(|init| &init.value) {
        _ if scalar => return Ok(()),
        None => u64::MAX >> (64 - size),
        Some(Value::Lit(lit)) => lit.bits,
        // A pattern first becomes a number.
        Some(_) => return Ok(()),
    };
    let with = |case: &Case, mask: u64| {
        let mut one = case.clone();
        one.init.retain(|init| init.place != Place::Exec);
        let value = Value::Lit(Lit { ty: Ty::U64, bits: mask });
        one.init.push(Init { select: Select::default(), place: Place::Exec, value });
        one
    };
    if mask.count_ones() > 1 && search.take(case, vec![with(case, 1)])? {
        return Ok(());
    }
    while mask.count_ones() > 1 {
        let lanes: Vec<u32> = (0..64).filter(|lane| mask >> lane & 1 == 1).collect();
        let half = |lanes: &[u32]| lanes.iter().fold(0u64, |mask, lane| mask | 1 << lane);
        let (low, high) = lanes.split_at(lanes.len() / 2);
        let masks = [half(low), half(high)];
        let candidates: Vec<Case> = masks.iter().map(|mask| with(case, *mask)).collect();
        match search.first(&candidates)? {
            Some(at) => {
                *case = candidates[at].clone();
                mask = masks[at];
            }
            None => break,
        }
    }
    Ok(())
}

/// Simpler values at the start and in buffers.
fn numbers<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    /// A value may be made simpler so often.
    const TIMES: u32 = 200;
    let count = case.init.len() + case.buffers.len();
    for n in 0..count {
        for _ in 0..TIMES {
            let (init, buffer) = (case.init.get(n), n.checked_sub(case.init.len()).and_then(|n| case.buffers.get(n)));
            let value = init.map(|init| &init.value).or(buffer.and_then(|buffer| buffer.contents.as_ref()));
            let Some(value) = value else { break };
            let with = |value: Value| {
                let mut one = case.clone();
                match n.checked_sub(case.init.len()) {
                    None => one.init[n].value = value,
                    Some(n) => one.buffers[n].contents = Some(value),
                }
                one
            };
            let candidates: Vec<Case> = simpler(value).into_iter().map(with).collect();
            if !search.take(case, candidates)? {
                break;
            }
        }
    }
    Ok(())
}

/// Simpler constants in the text, and fewer modifiers.
fn constants<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    let mut at = 0;
    loop {
        let lines = body::parse(&case.body.text);
        let Some(line) = lines.get(at) else { return Ok(()) };
        let with = |text: String| {
            let mut lines = lines.clone();
            lines[at].text = text;
            let mut one = case.clone();
            one.body.text = body::print(&lines);
            one
        };
        let candidates: Vec<Case> =
            if line.code { texts(&line.text).into_iter().map(with).collect() } else { Vec::new() };
        if !search.take(case, candidates)? {
            at += 1;
        }
    }
}

/// An instruction with a simpler constant, or without one of its modifiers.
fn texts(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let Some((name, rest)) = text.split_once(' ').filter(|_| !text.starts_with('.')) else { return all };
    // Modifiers stand behind the last operand, each behind a space.
    let words: Vec<&str> = rest.split(' ').collect();
    let first = words.iter().rposition(|word| word.ends_with(',')).map_or(1, |n| n + 2);
    for n in (first..words.len()).rev() {
        let mut fewer = words.clone();
        fewer.remove(n);
        all.push(format!("{name} {}", fewer.join(" ")));
    }
    // Numbers which are not part of a name or a range.
    let mut from = 0;
    while let Some(start) = rest[from..].find(|c: char| c.is_ascii_digit()).map(|n| n + from) {
        let len = rest[start..].find(|c: char| !(c.is_alphanumeric() || c == '.')).unwrap_or(rest.len() - start);
        let token = &rest[start..start + len];
        let before = rest[..start].chars().next_back();
        let alone = before.is_none_or(|c| c == ' ' || c == ',');
        let number =
            token.strip_prefix("0x").map_or_else(|| token.parse().ok(), |hex| u64::from_str_radix(hex, 16).ok());
        if let Some(number) = number
            && alone
            && number > 1
        {
            for simple in ["0", "1"] {
                all.push(format!("{name} {}{simple}{}", &rest[..start], &rest[start + len..]));
            }
        }
        from = start + len;
    }
    all
}

/// Labels and directives that nothing needs.
fn labels<E>(case: &mut Case, search: &mut Search<'_, E>) -> Result<(), E> {
    let lines = body::parse(&case.body.text);
    for n in (0..lines.len()).filter(|n| !lines[*n].code) {
        let mut others = body::parse(&case.body.text);
        let Some(at) = others.iter().position(|line| *line == lines[n]) else { continue };
        others.remove(at);
        let mut one = case.clone();
        one.body.text = body::print(&others);
        search.take(case, vec![one])?;
    }
    Ok(())
}
