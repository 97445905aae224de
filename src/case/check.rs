//! Expectations against an outcome.
//!
//! A value is compared by its rule, in its type, as wide as its type: `u8` and `f16` values of registers say nothing of the upper bits. Lanes
//! that carry no work-item are not looked at; those which EXEC switches off are. In waves of 32 lanes only the lower half of VCC and EXEC counts.
//!
//! An unexpected trap is the only mismatch of its outcome: the state it left is not the one that was expected.

use super::eval::{At, eval, scalar_element};
use super::initial::{Initial, Wave};
use super::types::Ty;
use super::value::{File, Place, Value};
use super::{Case, CaseError, What};
use crate::engine::{Outcome, Status, Trap, TrapKind, WaveState};
use crate::isa::Target;
use std::fmt;

/// How closely a value is met. The default is to the bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rule {
    /// Floats may be so many values apart; both zeros are one value.
    pub ulp: u64,
    /// Any NaN will do where a NaN is expected.
    pub nan_any: bool,
}

impl Rule {
    /// Whether one value does for another.
    #[must_use]
    pub fn accepts(&self, ty: Ty, expected: u64, got: u64) -> bool {
        (expected ^ got) & ty.mask() == 0
            || self.nan_any && ty.is_nan(expected) && ty.is_nan(got)
            || self.ulp > 0 && ty.ulps(expected, got).is_some_and(|apart| apart <= self.ulp)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ulp > 0 {
            write!(f, ", ulp({})", self.ulp)?;
        }
        f.write_str(if self.nan_any { ", nan_any" } else { "" })
    }
}

/// Something that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Another value.
    Value {
        /// The register, or the memory with its offset.
        place: String,
        /// The group and the wave in it; nothing for buffers.
        wave: Option<([u32; 3], u32)>,
        /// The lane of a vector register.
        lane: Option<u32>,
        /// The type in which it is compared.
        ty: Ty,
        /// What was expected.
        expected: u64,
        /// What was found.
        got: u64,
        /// The rule that it breaks.
        rule: Rule,
    },
    /// The engine does not report it.
    Missing {
        /// The register, or the memory with its offset.
        place: String,
        /// The group and the wave in it.
        wave: Option<([u32; 3], u32)>,
    },
    /// Another trap, a trap too many, or none where one was expected.
    Trap {
        /// What was expected, as the case has it.
        expected: Option<String>,
        /// What happened.
        got: Option<Trap>,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = |f: &mut fmt::Formatter<'_>, wave: &Option<([u32; 3], u32)>| match wave {
            Some(([x, y, z], wave)) if (*x, *y, *z, *wave) != (0, 0, 0, 0) => {
                write!(f, " of group ({x}, {y}, {z}) wave {wave}")
            }
            _ => Ok(()),
        };
        match self {
            Mismatch::Value { place, wave, lane, ty, expected, got, rule } => {
                f.write_str(place)?;
                lane.map_or(Ok(()), |lane| write!(f, " lane {lane}"))?;
                whose(f, wave)?;
                let show = |bits| format!("{} ({})", ty.hex(bits), ty.show(bits));
                write!(f, ": expected {ty} {}{rule}, got {}", show(*expected), show(*got))?;
                match ty.ulps(*expected, *got) {
                    Some(apart) => write!(f, ", {apart} ulp apart"),
                    None => Ok(()),
                }
            }
            Mismatch::Missing { place, wave } => {
                f.write_str(place)?;
                whose(f, wave)?;
                f.write_str(" is expected, and the engine does not report it")
            }
            Mismatch::Trap { expected: None, got: Some(got) } => write!(f, "unexpected trap: {got}"),
            Mismatch::Trap { expected, got } => {
                write!(f, "expected trap {}, got ", expected.as_deref().unwrap_or("none"))?;
                match got {
                    Some(got) => got.fmt(f),
                    None => f.write_str("none"),
                }
            }
        }
    }
}

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
    found: Vec<Mismatch>,
}

impl Initial<'_> {
    /// Compares an outcome with what is expected.
    ///
    /// # Errors
    /// As [`Case::program`] if a trap is expected at a label.
    pub fn check(&self, outcome: &Outcome) -> Result<Vec<Mismatch>, CaseError> {
        let mut checker = Checker { initial: self, outcome, rule: Rule::default(), found: Vec::new() };
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

    /// The state of a wave: in its place, unless a trap kept others from starting.
    fn state(&self, wave: &Wave) -> Option<&'i WaveState> {
        let here = self.outcome.waves.get(wave.number as usize);
        here.filter(|w| w.group == wave.group && w.index == wave.index)
            .or_else(|| self.outcome.wave(wave.group, wave.index))
    }

    fn values(&mut self) {
        let Initial { case, target, .. } = self.initial;
        let mine = case.expect.iter().filter(|e| e.select.matches(*target));
        let mine: Vec<(&Place, &Value, Rule)> = mine
            .filter_map(|e| match &e.what {
                What::Value { place, value, rule } => Some((place, value, *rule)),
                What::Trap { .. } => None,
            })
            .collect();
        for (n, (place, value, rule)) in mine.iter().enumerate() {
            if mine[n + 1..].iter().any(|(later, ..)| later == place) {
                continue;
            }
            self.rule = *rule;
            match place {
                Place::Buffer(name, offset) => {
                    let bytes = self.outcome.buffer(name);
                    self.memory(place, bytes, *offset, value, None, At::default());
                }
                Place::Lds(offset) => self.lds(place, *offset, value),
                Place::Regs { file, first, count } => self.registers(*file, *first, *count, value),
                _ => self.singles(place, value),
            }
        }
    }

    fn lds(&mut self, place: &Place, offset: u32, value: &Value) {
        let firsts: Vec<_> = self.initial.waves.iter().filter(|w| w.index == 0).copied().collect();
        for (n, wave) in firsts.iter().enumerate() {
            let bytes = self.outcome.lds.get(n).map(|lds| lds.bytes.as_slice());
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
        let list = if let Value::List(list) = value { Some(list) } else { None };
        let mut start = offset as usize;
        for n in 0.. {
            let element = match list {
                Some(list) => list.get(n),
                None => (start < bytes.len()).then_some(value),
            };
            let Some(element) = element else { return };
            let end = start + value.element_bytes(element) as usize;
            // What does not fit behind the last whole element of a pattern belongs to nobody.
            if list.is_none() && end > bytes.len() {
                return;
            }
            let got = bytes.get(start..end).map(|bytes| {
                let mut all = [0; 16];
                all[..bytes.len()].copy_from_slice(bytes);
                u128::from_le_bytes(all)
            });
            let name = || match place {
                Place::Buffer(name, _) => Place::Buffer(name.clone(), start as u32).to_string(),
                _ => Place::Lds(start as u32).to_string(),
            };
            let at = At { position: n as u64, ..at };
            if !self.compare(element, &at, &Found { place: &name, wave, lane: None, got }) {
                return;
            }
            start = end;
        }
    }

    fn registers(&mut self, file: File, first: u32, count: u32, value: &Value) {
        let initial = self.initial;
        for wave in &initial.waves {
            let state = self.state(wave);
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
                    }
                    let got = state.and_then(|state| gather(state, file, first + offset, width, lane));
                    let lane = file.is_per_lane().then_some(lane);
                    if !self.compare(element, &at, &Found { place: &place, wave: whose, lane, got }) {
                        return;
                    }
                }
                offset += width.max(1);
            }
        }
    }

    fn singles(&mut self, place: &Place, value: &Value) {
        let initial = self.initial;
        let lanes = u64::MAX >> (64 - initial.wave_size);
        for wave in &initial.waves {
            let state = self.state(wave);
            let is_mask = matches!(place, Place::Vcc | Place::Exec);
            let got = state.map(|state| match place {
                Place::Vcc => state.vcc & lanes,
                Place::Exec => state.exec & lanes,
                Place::Scc => state.scc.into(),
                Place::M0 => state.m0.into(),
                Place::Mode => state.mode.into(),
                _ => state.trapsts.into(),
            });
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
            if !self.bits(Ty::U64, expected as u64 & lanes, found.got.map(|got| got as u64), &found) {
                return;
            }
        }
    }

    /// Compares one element; false if there is no room for another mismatch.
    fn compare(&mut self, value: &Value, at: &At, found: &Found<'_>) -> bool {
        match value {
            Value::List(list) => match usize::try_from(at.position).ok().and_then(|n| list.get(n)) {
                Some(element) => self.compare(element, at, found),
                None => true,
            },
            Value::Pack(low, high) => {
                let half = |shift: u32| Found { got: found.got.map(|got| got >> shift & 0xffff), ..*found };
                self.compare(low, at, &half(0)) && self.compare(high, at, &half(16))
            }
            Value::Descriptor(_) => {
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
        if !rule.accepts(ty, expected, got) {
            self.found.push(Mismatch::Value { place: place(), wave, lane, ty, expected, got, rule });
        }
        self.found.len() < MAX_MISMATCHES
    }
}

/// The bits of registers side by side, the first lowest.
fn gather(state: &WaveState, file: File, first: u32, count: u32, lane: u32) -> Option<u128> {
    (0..count.min(4)).rev().try_fold(0, |all, n| {
        let n = first + n;
        let dword = match file {
            File::Vector => state.vgpr(n, lane),
            File::Accumulation => state.agprs.get(n as usize).and_then(|lanes| lanes.get(lane as usize)).copied(),
            File::Scalar => state.sgpr(n),
            File::Trap => state.ttmps.get(n as usize).copied(),
        };
        dword.map(|dword| all << 32 | u128::from(dword))
    })
}
