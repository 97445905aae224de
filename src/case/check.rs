//! Expectations against an outcome.
//!
//! A value is compared by its rule, in its type, as wide as its type: `u8` and `f16` values of registers say nothing of the upper bits. Lanes
//! that carry no work-item are not looked at; those which EXEC switches off are. In waves of 32 lanes only the lower half of VCC and EXEC counts.
//!
//! An unexpected trap is the only mismatch of its outcome: the state it left is not the one that was expected.
//!
//! What is expected is compared, or it is a mismatch: each expectation counts the values that it was held against, and one that comes to none,
//! or whose list has an element that no lane, wave or byte corresponds to, fails by itself ([`Mismatch::Unchecked`]).

mod mismatch;
mod rule;

pub use mismatch::Mismatch;
pub use rule::Rule;

use super::eval::{At, eval, scalar_element};
use super::export::{Exported, Exports};
use super::initial::Initial;
use super::value::{File, Place, ScratchWord, Value};
use super::{Case, CaseError, What};
use crate::case::{Outcome, State, Status, Trap, TrapKind};
use crate::isa::Target;
use crate::isa::types::Ty;
use std::collections::HashMap;

/// The verdict that mismatches mean. An engine that gives up on its way is not wrong.
#[must_use]
pub fn verdict(mismatches: &[Mismatch]) -> Status {
    match mismatches {
        [] => Status::Pass,
        [Mismatch::Trap { got: Some(Trap { kind: TrapKind::Unsupported { .. }, .. }), .. }, ..] => Status::Unsupported,
        [Mismatch::Trap { got: Some(_), .. }, ..] => Status::Trap,
        _ => Status::Fail,
    }
}

/// More mismatches of one outcome are not collected.
pub const MAX_MISMATCHES: usize = 1000;

impl Case {
    /// Compares an outcome with what is expected on a target. For engines that put buffers elsewhere than [`Case::initial`] does, see
    /// [`Initial::check`].
    ///
    /// # Errors
    /// As [`Case::initial`]; and as [`Case::program`] if a trap is expected at a label.
    pub fn check(&self, target: Target, outcome: &Outcome) -> Result<Vec<Mismatch>, CaseError> {
        self.initial(target)?.check(outcome)
    }
}

/// A value found somewhere.
struct Found<'a> {
    place: &'a dyn Fn() -> String,
    wave: Option<([u32; 3], u32)>,
    lane: Option<u32>,
    got: Option<u128>,
}

struct Checker<'i> {
    initial: &'i Initial<'i>,
    outcome: &'i Outcome,
    rule: Rule,
    /// What the expectation at hand was held against.
    seen: Seen,
    found: Vec<Mismatch>,
}

/// What of one expectation has been compared. Only [`Checker::bits`], which compares, adds to it, so that an expectation that
/// somebody forgot to look at is found out when it is [closed](Checker::close), whatever the reason.
#[derive(Default)]
struct Seen {
    /// How many values.
    values: u64,
    /// The element of a list that is compared at the moment.
    element: usize,
    /// Which elements of a list were.
    elements: Vec<bool>,
    /// Whether a value was among them that the rule tells from zero.
    told: bool,
}

impl Initial<'_> {
    /// Compares an outcome with what is expected.
    ///
    /// # Errors
    /// As [`Case::program`] if a trap is expected at a label.
    pub fn check(&self, outcome: &Outcome) -> Result<Vec<Mismatch>, CaseError> {
        let mut checker =
            Checker { initial: self, outcome, rule: Rule::default(), seen: Seen::default(), found: Vec::new() };
        if checker.trap()? {
            checker.values();
        }
        Ok(checker.found)
    }
}

impl<'i> Checker<'i> {
    /// Compares the trap; false if nothing else means anything.
    fn trap(&mut self) -> Result<bool, CaseError> {
        let Initial { case, target, .. } = self.initial;
        let expects = case.expect.iter().rev().filter(|e| e.select.matches(*target));
        let expected = expects.map(|e| &e.what).find(|what| matches!(what, What::Trap { .. }));
        let got = self.outcome.trap.as_ref();
        let Some(expected) = expected else {
            if let Some(got) = got {
                self.found.push(Mismatch::Trap { expected: None, got: Some(got.clone()) });
            }
            return Ok(got.is_none());
        };
        let What::Trap { kind, number, at } = expected else { return Ok(true) };
        let pc = match at {
            None => None,
            Some(label) => {
                let missing = || CaseError::Label { case: case.name.clone(), label: label.clone() };
                Some(case.program(*target)?.label(label).ok_or_else(missing)?)
            }
        };
        let same = got.is_some_and(|got| expected.is_trap(&got.kind) && pc.is_none_or(|pc| pc == got.pc));
        if !same {
            let number = number.map_or(String::new(), |n| format!(" {n}"));
            let place = at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            let expected = Some(format!("{kind}{number}{place}"));
            self.found.push(Mismatch::Trap { expected, got: got.cloned() });
        }
        Ok(same)
    }

    fn values(&mut self) {
        let Initial { case, target, .. } = self.initial;
        // A line that no target of the case is held against would be read by nobody.
        for dead in case.expect.iter().filter(|e| !case.is_meant(&e.select)) {
            self.found.push(Mismatch::Dead { expect: dead.clone() });
        }
        let mine = case.expect.iter().filter(|e| e.select.matches(*target));
        let mine: Vec<(&Place, &Value, Rule)> = mine
            .filter_map(|e| match &e.what {
                What::Value { place, value, rule } => Some((place, value, *rule)),
                What::Trap { .. } => None,
            })
            .collect();
        // A later line for a place replaces an earlier one.
        let last: HashMap<&Place, usize> = mine.iter().enumerate().map(|(n, (place, ..))| (*place, n)).collect();
        for (n, (place, value, rule)) in mine.iter().enumerate() {
            if last.get(place) != Some(&n) {
                continue;
            }
            self.rule = *rule;
            self.seen = Seen::default();
            let before = self.found.len();
            match place {
                Place::Buffer(name, offset) => {
                    let bytes = self.outcome.buffer(name);
                    self.memory(place, bytes, *offset, value, None, At::default());
                }
                Place::Lds(offset) => self.lds(place, *offset, value),
                Place::Regs { file, first, count } => self.registers(*file, *first, *count, value),
                Place::Export(what) => self.exports(*what, value),
                _ => self.singles(place, value),
            }
            if self.found.len() == before && before < MAX_MISMATCHES {
                self.close(place, value);
            }
        }
    }

    /// An expectation without a mismatch has compared all that it says, or that is the mismatch.
    fn close(&mut self, place: &Place, value: &Value) {
        // A list that takes anything says so itself.
        if matches!(value, Value::List(list) if list.iter().all(|v| *v == Value::Any)) {
            return;
        }
        let place = place.to_string();
        let compared = |n: usize| self.seen.elements.get(n).is_some_and(|seen| *seen);
        let left = match value {
            Value::List(list) => (0..list.len()).find(|&n| list[n] != Value::Any && !compared(n)),
            _ => None,
        };
        if self.seen.values == 0 {
            self.found.push(Mismatch::Unchecked { place, element: None });
        } else if left.is_some() {
            self.found.push(Mismatch::Unchecked { place, element: left });
        } else if !self.seen.told {
            self.found.push(Mismatch::Loose { place, rule: self.rule });
        }
    }

    fn lds(&mut self, place: &Place, offset: u32, value: &Value) {
        for (n, wave) in self.initial.waves.firsts().enumerate() {
            if self.found.len() >= MAX_MISMATCHES {
                return;
            }
            let bytes = self.outcome.lds_of(n);
            let at = self.initial.at(wave.number, 0);
            self.memory(place, bytes, offset, value, Some((wave.group, 0)), at);
        }
    }

    fn memory(
        &mut self,
        place: &Place,
        bytes: Option<&[u8]>,
        offset: u32,
        value: &Value,
        wave: Option<([u32; 3], u32)>,
        at: At,
    ) {
        let Some(bytes) = bytes else {
            self.found.push(Mismatch::Missing { place: place.to_string(), wave });
            return;
        };
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        if let Value::File(ty, name) = value {
            return self.file(place, rest, (*ty, name), wave);
        }
        let list = if let Value::List(list) = value { Some(list) } else { None };
        let mut start = 0;
        for n in 0.. {
            let element = match list {
                Some(list) => list.get(n),
                None => (start < rest.len()).then_some(value),
            };
            let Some(element) = element else { return };
            let end = start + value.element_bytes(element) as usize;
            let name = || place_at(place, start);
            let at = At { position: n as u64, ..at };
            self.seen.element = n;
            // The last element of a pattern may end behind the memory: then its first bytes are there.
            if list.is_none() && end > rest.len() {
                let expected = eval(element, &at, self.initial).unwrap_or(0).to_le_bytes();
                let left = rest[start..].iter().zip(expected);
                for (got, expected) in left {
                    let found = Found { place: &name, wave, lane: None, got: Some((*got).into()) };
                    self.bits(Ty::U8, expected.into(), found.got.map(|got| got as u64), &found);
                }
                return;
            }
            let got = rest.get(start..end).map(little);
            if !self.compare(element, &at, &Found { place: &name, wave, lane: None, got }) {
                return;
            }
            start = end;
        }
    }

    /// Memory and a file: to the last byte, in elements of a type.
    fn file(&mut self, place: &Place, got: &[u8], file: (Ty, &str), wave: Option<([u32; 3], u32)>) {
        let (ty, name) = file;
        let bytes = self.initial.file(name);
        if bytes.len() != got.len() {
            let (place, file) = (place.to_string(), name.to_owned());
            self.found.push(Mismatch::Size { place, file, bytes: bytes.len(), got: got.len() });
            return;
        }
        let wide = ty.bytes() as usize;
        let whole = got.len() / wide * wide;
        let elements = (0..whole).step_by(wide).map(|at| (at, wide, ty));
        let tail = (whole..got.len()).map(|at| (at, 1, Ty::U8));
        for (start, wide, ty) in elements.chain(tail) {
            let name = || place_at(place, start);
            let (expected, got) = (little(&bytes[start..start + wide]), little(&got[start..start + wide]));
            let found = Found { place: &name, wave, lane: None, got: Some(got) };
            if !self.bits(ty, expected as u64, Some(got as u64), &found) {
                return;
            }
        }
    }

    fn registers(&mut self, file: File, first: u32, count: u32, value: &Value) {
        let initial = self.initial;
        for wave in &initial.waves {
            let state = self.outcome.state(&wave);
            let whose = Some((wave.group, wave.index));
            let mut offset = 0;
            while offset < count {
                let (element, position, width) = if file.is_per_lane() {
                    (value, 0, value.dwords())
                } else {
                    let Some((element, position, _)) = scalar_element(value, offset) else { break };
                    (element, position, value.element_bytes(element).div_ceil(4))
                };
                let place = || Place::Regs { file, first: first + offset, count: width }.to_string();
                let lanes = if file.is_per_lane() { wave.lanes(initial.wave_size) } else { 1 };
                for lane in 0..lanes {
                    let mut at = initial.at(wave.number, lane);
                    if file.is_per_lane() {
                        at.element = u64::from(offset / width.max(1));
                    } else {
                        at.position = position.into();
                        self.seen.element = position as usize;
                    }
                    let got = state.and_then(|state| gather(&state, file, first + offset, width, lane));
                    let lane = file.is_per_lane().then_some(lane);
                    if !self.compare(element, &at, &Found { place: &place, wave: whose, lane, got }) {
                        return;
                    }
                }
                offset += width.max(1);
            }
        }
    }

    /// What every lane with a work-item exported; one that did not is a mismatch, but where anything is taken.
    fn exports(&mut self, what: Exported, value: &Value) {
        let initial = self.initial;
        let place = || Place::Export(what).to_string();
        for wave in &initial.waves {
            let mine = Exports::of(&self.outcome.exports, wave.group, wave.index);
            let whose = Some((wave.group, wave.index));
            for lane in 0..wave.lanes(initial.wave_size) {
                let got = mine.get(what, lane).map(u128::from);
                let at = initial.at(wave.number, lane);
                if !self.compare(value, &at, &Found { place: &place, wave: whose, lane: Some(lane), got }) {
                    return;
                }
            }
        }
    }

    fn singles(&mut self, place: &Place, value: &Value) {
        let initial = self.initial;
        let lanes = u64::MAX >> (64 - initial.wave_size);
        for wave in &initial.waves {
            let state = self.outcome.state(&wave);
            let is_mask = matches!(place, Place::Vcc | Place::Exec | Place::Valid);
            let got = match place {
                Place::Valid => Exports::of(&self.outcome.exports, wave.group, wave.index).valid(),
                _ => state.and_then(|state| state.single(place)),
            };
            let got = got.map(|bits| if is_mask { bits & lanes } else { bits });
            let at = At { position: wave.number.into(), ..initial.at(wave.number, 0) };
            let whose = Some((wave.group, wave.index));
            let name = || place.to_string();
            let found = Found { place: &name, wave: whose, lane: None, got: got.map(u128::from) };
            if !is_mask {
                if !self.compare(value, &at, &found) {
                    return;
                }
                continue;
            }
            let Some(expected) = eval(value, &at, initial) else { continue };
            self.seen.element = wave.number as usize;
            if !self.bits(Ty::U64, expected as u64 & lanes, found.got.map(|got| got as u64), &found) {
                return;
            }
        }
    }

    /// Compares one element; false if there is no room for another mismatch.
    fn compare(&mut self, value: &Value, at: &At, found: &Found<'_>) -> bool {
        match value {
            Value::List(list) => match usize::try_from(at.position).ok().and_then(|n| list.get(n)) {
                Some(element) => {
                    self.seen.element = at.position as usize;
                    self.compare(element, at, found)
                }
                None => true,
            },
            Value::Pack(low, high) => {
                let half = |shift: u32| Found { got: found.got.map(|got| got >> shift & 0xffff), ..*found };
                self.compare(low, at, &half(0)) && self.compare(high, at, &half(16))
            }
            // Of images, what is looked at is no longer than four registers.
            Value::Descriptor(_)
            | Value::Image(_)
            | Value::Sampler(_)
            | Value::Bvh(_)
            | Value::Scratch(ScratchWord::Resource) => {
                let Some(expected) = eval(value, at, self.initial) else { return true };
                let part = |bits: u128, n: u32| (bits >> (32 * n)) as u64 & 0xffff_ffff;
                (0..4).all(|n| self.bits(Ty::U32, part(expected, n), found.got.map(|got| part(got, n)), found))
            }
            _ => match eval(value, at, self.initial) {
                Some(expected) => self.bits(value.ty(), expected as u64, found.got.map(|got| got as u64), found),
                None => true,
            },
        }
    }

    fn bits(&mut self, ty: Ty, expected: u64, got: Option<u64>, found: &Found<'_>) -> bool {
        let (place, wave, lane, rule) = (found.place, found.wave, found.lane, self.rule);
        let Some(got) = got else {
            let missing = Mismatch::Missing { place: place(), wave };
            if self.found.last() != Some(&missing) {
                self.found.push(missing);
            }
            return self.found.len() < MAX_MISMATCHES;
        };
        let (expected, got) = (expected & ty.mask(), got & ty.mask());
        let Seen { values, element, elements, told } = &mut self.seen;
        *values += 1;
        *told |= rule.tells(ty, expected);
        elements.resize(elements.len().max(*element + 1), false);
        elements[*element] = true;
        if !rule.accepts(ty, expected, got) {
            self.found.push(Mismatch::Value { place: place(), wave, lane, ty, expected, got, rule });
        }
        self.found.len() < MAX_MISMATCHES
    }
}

/// Memory some bytes behind a place.
fn place_at(place: &Place, bytes: usize) -> String {
    match place {
        Place::Buffer(name, offset) => Place::Buffer(name.clone(), offset + bytes as u32).to_string(),
        Place::Lds(offset) => Place::Lds(offset + bytes as u32).to_string(),
        _ => place.to_string(),
    }
}

/// Up to 16 bytes as a number.
fn little(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte))
}

/// The bits of registers side by side, the first lowest.
fn gather(state: &State<'_>, file: File, first: u32, count: u32, lane: u32) -> Option<u128> {
    (0..count.min(4)).rev().try_fold(0, |all, n| Some(all << 32 | u128::from(state.register(file, first + n, lane)?)))
}
