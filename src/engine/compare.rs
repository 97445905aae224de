//! What two engines left, side by side.
//!
//! Everything is compared to the bit, except where the case expects a value by a wider rule: then the engines may be as far apart as either may
//! be from what is expected. Differences come in the order in which a reader wants them: traps, then scalar state, then vector
//! registers by number and lane, then memory.

use super::{Memory, Outcome, Trap, WaveState};
use crate::case::value::{File, Place};
use crate::case::{Case, Export, Message, What};
use crate::engine::KernelOutcome;
use crate::engine::TrapKind;
use crate::isa::Target;
use crate::isa::types::Ty;

/// One place where two outcomes differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `v3`, `vcc`, `out[0x10]`, `trap`
    pub place: String,
    /// The group and the wave in it; nothing for memory.
    pub wave: Option<([u32; 3], u32)>,
    /// The lane of a vector register.
    pub lane: Option<u32>,
    /// What each engine left.
    pub values: [u64; 2],
    /// Said instead of values, where there are none.
    pub text: Option<[String; 2]>,
    /// The type in which a case looks at the place.
    pub ty: Option<Ty>,
}

impl Difference {
    /// Whether one of several others, as of [races](crate::emu::engine::Emulator::races), is at the same place.
    #[must_use]
    pub fn is_among(&self, others: &[Difference]) -> bool {
        others.iter().any(|other| (&self.place, self.wave, self.lane) == (&other.place, other.wave, other.lane))
    }

    /// The difference as a line, with the names of the engines.
    #[must_use]
    pub fn show(&self, a: &str, b: &str) -> String {
        let lane = self.lane.map_or(String::new(), |lane| format!(" lane {lane}"));
        let wave = match self.wave {
            Some(([x, y, z], wave)) if (x, y, z, wave) != (0, 0, 0, 0) => {
                format!(" of group ({x}, {y}, {z}) wave {wave}")
            }
            _ => String::new(),
        };
        let place = format!("{}{lane}{wave}", self.place);
        if let Some([x, y]) = &self.text {
            return format!("{place}: {a} {x}, {b} {y}");
        }
        let [x, y] = self.values;
        // Without a type, 32 bits of a register may well be a float.
        let ty = self.ty.or((x <= u32::MAX.into() && y <= u32::MAX.into()).then_some(Ty::F32));
        let typed = |v: u64| ty.map_or(String::new(), |ty| format!(" ({} as {ty})", ty.show(v)));
        let apart = ty.and_then(|ty| ty.ulps(x, y)).map_or(String::new(), |n| format!(", {n} ulp apart"));
        format!("{place}: {a} {x:#x}{}, {b} {y:#x}{}{apart}", typed(x), typed(y))
    }
}

/// Where the outcomes of a case differ.
///
/// Two runs that both came to the end of their budget, or of their time, are equal: how far a wave comes by then is chance. Where both ended in the
/// same trap, so is what waves behind that one have done, and with it memory: waves up to it are compared, and all if it is the last one.
#[must_use]
pub fn outcomes(case: &Case, target: Target, a: &Outcome, b: &Outcome) -> Vec<Difference> {
    let mut all = differences(a, b, &|file, n, values| rule(case, target, file, n, values));
    let types = case.types(target);
    for difference in all.iter_mut().filter(|difference| difference.wave.is_none() && difference.text.is_none()) {
        // Memory is compared by words.
        let name = difference.place.split('[').next().unwrap_or_default();
        let ty = types.find(&Place::Buffer(name.to_owned(), 0));
        difference.ty = ty.filter(|ty| ty.bytes() == 4);
    }
    if let (Some(x), Some(y)) = (&a.trap, &b.trap) {
        let spent = |trap: &Trap| matches!(trap.kind, TrapKind::Budget { .. } | TrapKind::Watchdog(_));
        if spent(x) && spent(y) {
            all.clear();
        } else if x == y && last_wave(case, target) != Some((x.group, x.wave)) {
            let number = |([x, y, z], wave): ([u32; 3], u32)| (z, y, x, wave);
            let trapped = number((x.group, x.wave));
            all.retain(|difference| difference.wave.is_some_and(|wave| number(wave) <= trapped));
        }
    }
    all
}

/// The last wave of a case.
fn last_wave(case: &Case, target: Target) -> Option<([u32; 3], u32)> {
    let initial = case.initial(target).ok()?;
    initial.waves.iter().next_back().map(|wave| (wave.group, wave.index))
}

/// Where two states differ, to the bit.
#[must_use]
pub fn states(a: &Outcome, b: &Outcome) -> Vec<Difference> {
    differences(a, b, &|_, _, _| (None, false))
}

/// Says of a vector register and two values of a lane in which type they are looked at, and whether one is taken for the other.
type Accepts<'r> = dyn Fn(File, u32, [u64; 2]) -> (Option<Ty>, bool) + 'r;

fn differences(a: &Outcome, b: &Outcome, accepts: &Accepts<'_>) -> Vec<Difference> {
    let mut all = Vec::new();
    if a.trap != b.trap {
        let text = |o: &Outcome| o.trap.as_ref().map_or("no trap".to_owned(), ToString::to_string);
        all.push(said("trap", [text(a), text(b)]));
    }
    if a.waves.len() != b.waves.len() {
        all.push(said("waves", [a.waves.len().to_string(), b.waves.len().to_string()]));
    }
    for (x, y) in a.waves.iter().zip(&b.waves) {
        wave(x, y, &mut all, accepts);
    }
    for (x, y) in a.buffers.iter().zip(&b.buffers).chain(a.lds.iter().zip(&b.lds)) {
        memory(x, y, &mut all);
    }
    all.extend(messages(&a.messages, &b.messages));
    all.extend(exports(&a.exports, &b.exports));
    all
}

/// The first export in which two runs differ.
#[must_use]
pub fn exports(a: &[Export], b: &[Export]) -> Option<Difference> {
    if a == b {
        return None;
    }
    let n = a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    let sides = [a, b];
    if let [Some(a), Some(b)] = sides.map(|side| side.get(n)) {
        let heads = [a, b].map(ToString::to_string);
        if heads[0] != heads[1] {
            return Some(said("exports", heads.map(|head| format!("export {n}: {head}"))));
        }
        // Only elements differ: the first lane with one that does.
        let lane = a.lanes.iter().zip(&b.lanes).position(|(x, y)| x != y).unwrap_or(0);
        return Some(said(
            "exports",
            [a, b].map(|e| {
                let elements = e.lanes.get(lane).copied().unwrap_or_default().map(|word| format!("{word:#010x}"));
                format!("export {n}, {}, lane {lane}: {}", e.name(), elements.join(" "))
            }),
        ));
    }
    Some(said("exports", sides.map(|side| format!("{} exports", side.len()))))
}

/// Where the outcomes of a kernel differ.
#[must_use]
pub fn kernels(a: &KernelOutcome, b: &KernelOutcome) -> Vec<Difference> {
    let mut all = Vec::new();
    if a.trap != b.trap {
        let text = |o: &KernelOutcome| o.trap.as_ref().map_or("no trap".to_owned(), ToString::to_string);
        all.push(said("trap", [text(a), text(b)]));
    }
    for ((output, x), (_, y)) in a.buffers.iter().zip(&b.buffers) {
        let named = |bytes: &[u8]| Memory { name: format!("argument {}", output.argument), bytes: bytes.to_vec() };
        memory(&named(x), &named(y), &mut all);
    }
    all.extend(messages(&a.messages, &b.messages));
    all.extend(exports(&a.exports, &b.exports));
    all
}

/// The first message that only one side has sent so.
fn messages(a: &[Message], b: &[Message]) -> Option<Difference> {
    let first = a.iter().zip(b).position(|(x, y)| x != y);
    let first = first.or_else(|| (a.len() != b.len()).then(|| a.len().min(b.len())))?;
    let text = |messages: &[Message]| match messages.get(first) {
        Some(m) => format!("message {first}: {:#x} with m0 {:#x} at {:#06x}", m.message, m.m0, m.pc),
        None => format!("{} messages", messages.len()),
    };
    Some(said("messages", [text(a), text(b)]))
}

/// Where the registers of two waves differ, to the bit.
#[must_use]
pub fn waves(a: &WaveState, b: &WaveState) -> Vec<Difference> {
    let mut all = Vec::new();
    wave(a, b, &mut all, &|_, _, _| (None, false));
    all
}

/// Where two pieces of memory differ.
#[must_use]
pub fn memories(a: &Memory, b: &Memory) -> Vec<Difference> {
    let mut all = Vec::new();
    memory(a, b, &mut all);
    all
}

/// A difference that is said in words.
#[must_use]
pub fn said(place: &str, text: [String; 2]) -> Difference {
    Difference { place: place.to_owned(), wave: None, lane: None, values: [0; 2], text: Some(text), ty: None }
}

fn wave(a: &WaveState, b: &WaveState, all: &mut Vec<Difference>, accepts: &Accepts<'_>) {
    let wave = Some((a.group, a.index));
    let mut put = |place: String, lane: Option<u32>, values: [u64; 2], ty: Option<Ty>| {
        if values[0] != values[1] {
            all.push(Difference { place, wave, lane, values, text: None, ty });
        }
    };
    let whole = if a.wave_size == 32 { u64::from(u32::MAX) } else { u64::MAX };
    put("pc".to_owned(), None, [a.pc, b.pc], None);
    put("exec".to_owned(), None, [a.exec & whole, b.exec & whole], None);
    put("vcc".to_owned(), None, [a.vcc, b.vcc], None);
    put("scc".to_owned(), None, [a.scc.into(), b.scc.into()], None);
    put("m0".to_owned(), None, [a.m0.into(), b.m0.into()], None);
    put("mode".to_owned(), None, [a.mode.into(), b.mode.into()], None);
    put("status".to_owned(), None, [a.status.into(), b.status.into()], None);
    for (n, (x, y)) in a.sgprs.iter().zip(&b.sgprs).enumerate() {
        put(format!("s{n}"), None, [u64::from(*x), u64::from(*y)], None);
    }
    for (n, (x, y)) in a.ttmps.iter().zip(&b.ttmps).enumerate() {
        put(format!("ttmp{n}"), None, [u64::from(*x), u64::from(*y)], None);
    }
    for (letter, file, x, y) in [('v', File::Vector, &a.vgprs, &b.vgprs), ('a', File::Accumulation, &a.agprs, &b.agprs)]
    {
        for (n, (x, y)) in x.iter().zip(y).enumerate() {
            for (lane, (x, y)) in x.iter().zip(y).enumerate().take(a.wave_size as usize).filter(|(_, (x, y))| x != y) {
                let values = [u64::from(*x), u64::from(*y)];
                let (ty, accepted) = accepts(file, n as u32, values);
                if !accepted {
                    put(format!("{letter}{n}"), Some(lane as u32), values, ty);
                }
            }
        }
    }
}

/// The type in which a case looks at a register, and whether its rule takes one value for the other.
fn rule(case: &Case, target: Target, file: File, n: u32, [a, b]: [u64; 2]) -> (Option<Ty>, bool) {
    let covers = |place: &Place| match place {
        Place::Regs { file: f, first, count } => *f == file && (*first..first + count).contains(&n),
        _ => false,
    };
    for expect in case.expect.iter().rev().filter(|e| e.select.matches(target)) {
        if let What::Value { place, value, rule } = &expect.what
            && covers(place)
        {
            return (Some(value.ty()), rule.accepts(value.ty(), a, b));
        }
    }
    let observed = case.observe.iter().find(|observe| covers(&observe.place)).and_then(|observe| observe.ty);
    (observed.filter(|ty| ty.bytes() <= 4), false)
}

fn memory(a: &Memory, b: &Memory, all: &mut Vec<Difference>) {
    if a.bytes.len() != b.bytes.len() {
        let text = |m: &Memory| format!("{} bytes", m.bytes.len());
        all.push(said(&a.name, [text(a), text(b)]));
    }
    for (n, (x, y)) in a.bytes.chunks(4).zip(b.bytes.chunks(4)).enumerate().filter(|(_, (x, y))| x != y) {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
        let place = format!("{}[{:#x}]", a.name, n * 4);
        all.push(Difference { place, wave: None, lane: None, values: [word(x), word(y)], text: None, ty: None });
    }
}
