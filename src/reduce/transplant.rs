//! The guilty instruction alone, in the state that it met: of a case ([`transplant`]), or of a kernel ([`from_kernel`]), which becomes a case by it.
//!
//! A kernel's memory is too large for a case. What the instruction touched is known, and only that is taken along, at the addresses where it was.

use super::body;
use crate::bisect::{Culprit, Point, lines};
use crate::case::isa::{Isa, Select};
use crate::case::value::{File, Lit, Place, Value};
use crate::case::{Buffer, Case, Init, Initial, wave_size};
use crate::emu::memory::TouchedSpace;
use crate::emu::traced::record::Place as Touch;
use crate::engine::WaveState;
use crate::isa::Target;
use crate::isa::operand::Class;
use crate::isa::types::Ty;
use crate::laws::Laws;
use crate::memory::guest::canonical;
use std::collections::{BTreeMap, BTreeSet};

/// More bytes are not copied into a case.
const MOST: usize = 4096;

/// A case of one wave that has nothing but the instruction, with the registers, LDS and buffers that it met. A first guess, nothing more: whether
/// it shows the same is for a run to say. There is none where memory is too large to be written down.
#[must_use]
pub fn transplant(case: &Case, target: Target, point: &Point, culprit: &Culprit) -> Option<Case> {
    let wave = point.before.wave(culprit.group, culprit.wave)?;
    let initial = case.initial(target).ok()?;
    let mut one = Case {
        name: case.name.clone(),
        isa: Isa::only(target.arch),
        waves: if target.arch.has_wave32() { vec![wave_size(target)] } else { Vec::new() },
        mattr: case.mattr.clone(),
        mode: case.mode.clone(),
        buffers: case.buffers.clone(),
        scratch: case.scratch,
        ..Case::default()
    };
    if wave.mode != initial.mode || case.rsrc.is_some() {
        one.mode.whole = Some(wave.mode);
        one.mode.fields.clear();
    }
    for (n, now) in point.before.buffers.iter().enumerate() {
        if initial.buffers.get(n)?.bytes != now.bytes {
            (now.bytes.len() <= MOST).then_some(())?;
            one.buffers[n].size = Some(now.bytes.len() as u32);
            one.buffers[n].contents = Some(bytes(&now.bytes));
        }
    }
    let alone = initial.waves.len() == 1;
    let mut writer = Writer { initial: &initial, wave, keep: alone, init: Vec::new() };
    writer.registers(culprit);
    one.init = writer.init;
    let lds = initial.waves.firsts().position(|first| first.group == wave.group).and_then(|n| point.before.lds.get(n));
    if let Some(lds) = lds.filter(|lds| !lds.bytes.is_empty()) {
        one.lds = Some(lds.bytes.len() as u32);
        if lds.bytes.iter().any(|b| *b != 0) {
            (lds.bytes.len() <= MOST).then_some(())?;
            one.init.push(Init { select: Select::default(), place: Place::Lds(0), value: bytes(&lds.bytes) });
        }
    }
    // The line as written, which assembles as the case says; else what its assembler makes the words of.
    let line = lines(case, target).into_iter().rev().find(|line| line.pc == culprit.pc);
    let written = line.and_then(|line| body::parse(&line.text).into_iter().rfind(|line| line.code));
    let written = written.map(|line| line.text).filter(|text| !text.starts_with('.'));
    let spelled = || {
        let mattr = case.mattr.as_deref().unwrap_or("");
        Laws::of(target.with_mattr(mattr).unwrap_or(target)).source(&culprit.words)
    };
    one.body.text = text(culprit, &written.unwrap_or_else(spelled));
    (!body::parse(&one.body.text).is_empty()).then_some(one)
}

/// Why a step of a kernel cannot stand in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The wave was not there before the step.
    #[error("the wave that did it had not begun")]
    NoWave,
    /// What stands there is no instruction.
    #[error("what it executed is no instruction")]
    NoInstruction,
    /// The instruction touches more than a case should hold.
    #[error("it touches more than {MOST_TOUCHED} bytes of memory")]
    Memory,
    /// A case begins with scratch memory that is zero.
    #[error("it uses scratch memory, which holds nothing when a case begins")]
    Scratch,
    /// The state is none that a case can begin with.
    #[error("a case can not begin with its state")]
    State,
}

/// The most bytes of memory that a step of a kernel brings along.
pub const MOST_TOUCHED: usize = 32 << 10;

/// Bytes that are this near to each other become one buffer.
const NEAR: u64 = 64;

/// A case of one wave that has nothing but the guilty instruction of a kernel, with what it met: registers, the memory that it touched, LDS as far as it went.
/// As with [`transplant`], whether it shows the same is for a run to say.
///
/// # Errors
/// Why there is no such case.
pub fn from_kernel(name: &str, target: Target, point: &Point, culprit: &Culprit) -> Result<Case, Obstacle> {
    let wave = point.before.wave(culprit.group, culprit.wave).ok_or(Obstacle::NoWave)?;
    let mut one = Case {
        name: name.to_owned(),
        isa: Isa::only(target.arch),
        waves: if target.arch.has_wave32() { vec![wave_size(target)] } else { Vec::new() },
        ..Case::default()
    };
    one.mode.whole = Some(wave.mode);
    if culprit.touched.iter().any(|place| place.at.space == TouchedSpace::Scratch) {
        return Err(Obstacle::Scratch);
    }
    one.buffers = buffers(&culprit.touched)?;
    let shared = culprit.touched.iter().filter(|place| place.at.space == TouchedSpace::Lds);
    let end = shared.map(|place| place.at.address + u64::from(place.at.bytes)).max();
    let group = point.before.waves.iter().map(|w| w.group).collect::<BTreeSet<[u32; 3]>>();
    // Groups are in their order, z first.
    let mut groups: Vec<[u32; 3]> = group.into_iter().collect();
    groups.sort_by_key(|[x, y, z]| (*z, *y, *x));
    let lds = groups.iter().position(|group| *group == wave.group).and_then(|n| point.before.lds.get(n));
    let mut inits = Vec::new();
    if let Some(lds) = lds.filter(|lds| !lds.bytes.is_empty()) {
        one.lds = Some(lds.bytes.len() as u32);
        let used = end.map_or(0, |end| usize::try_from(end).unwrap_or(usize::MAX).min(lds.bytes.len()));
        if used > MOST_TOUCHED {
            return Err(Obstacle::Memory);
        }
        let some = &lds.bytes[..used.next_multiple_of(4).min(lds.bytes.len())];
        if some.iter().any(|b| *b != 0) {
            inits.push(Init { select: Select::default(), place: Place::Lds(0), value: bytes(some) });
        }
    }
    // The case itself says what a wave starts with that nothing is said of.
    let skeleton = one.clone();
    let initial = skeleton.initial(target).map_err(|_| Obstacle::State)?;
    let mut writer = Writer { initial: &initial, wave, keep: false, init: Vec::new() };
    writer.registers(culprit);
    one.init = writer.init;
    one.init.extend(inits);
    one.body.text = text(culprit, &Laws::of(target).source(&culprit.words));
    if body::parse(&one.body.text).is_empty() {
        return Err(Obstacle::NoInstruction);
    }
    Ok(one)
}

/// Buffers with the bytes that were touched, at their addresses.
fn buffers(touched: &[Touch]) -> Result<Vec<Buffer>, Obstacle> {
    let address = |place: &Touch| place.at.guest.and_then(canonical).filter(|_| !place.before.is_empty());
    let mut known: BTreeMap<u64, (u8, &Touch)> = BTreeMap::new();
    for place in touched {
        let Some(start) = address(place) else { continue };
        for (at, byte) in (start..).zip(&place.before) {
            known.insert(at, (*byte, place));
        }
        if known.len() > MOST_TOUCHED {
            return Err(Obstacle::Memory);
        }
    }
    let mut all: Vec<Buffer> = Vec::new();
    let mut pieces: Vec<(u64, Vec<u8>, &Touch)> = Vec::new();
    for (at, (byte, place)) in known {
        let region = |place: &Touch| place.region.as_ref().map(|(name, _)| name.clone());
        let gap = |start: u64, bytes: &[u8]| at - (start + bytes.len() as u64);
        match pieces.last_mut() {
            Some((start, bytes, first)) if gap(*start, bytes) <= NEAR && region(first) == region(place) => {
                // What lies between was not looked at.
                bytes.resize((at - *start) as usize, 0);
                bytes.push(byte);
            }
            _ => pieces.push((at, vec![byte], place)),
        }
    }
    for (start, some, place) in pieces {
        let region = place.region.as_ref().map_or("memory", |(name, _)| name);
        let plain: String = region.chars().filter(char::is_ascii_alphanumeric).collect();
        let taken = all.iter().filter(|b| b.name == plain || b.name.starts_with(&format!("{plain}_"))).count();
        let name = if taken == 0 { plain } else { format!("{plain}_{taken}") };
        let contents = if some.len().is_multiple_of(4) { bytes(&some) } else { single_bytes(&some) };
        let (size, at) = (Some(some.len() as u32), Some(start));
        all.push(Buffer { name, size, writable: place.writable, behind: false, at, contents: Some(contents) });
    }
    Ok(all)
}

/// Bytes as a list of bytes.
fn single_bytes(all: &[u8]) -> Value {
    Value::List(all.iter().map(|byte| Value::Lit(Lit { ty: Ty::U8, bits: (*byte).into() })).collect())
}

/// The instruction. A branch gets somewhere to go.
fn text(culprit: &Culprit, written: &str) -> String {
    let branches = culprit.row.is_some_and(|row| row.src.iter().any(|source| source.class == Class::Target));
    if !branches || written.starts_with('.') {
        return written.to_owned();
    }
    let end = written.rfind([' ', ',']).map_or(written.len(), |n| n + 1);
    format!("{}elsewhere\ns_nop 0\nelsewhere:", &written[..end])
}

/// Bytes as a list of words.
fn bytes(all: &[u8]) -> Value {
    let mut words: Vec<u64> =
        all.chunks(4).map(|c| c.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))).collect();
    let used = words.iter().rposition(|w| *w != 0).map_or(1, |n| n + 1);
    words.truncate(used);
    Value::List(words.into_iter().map(|bits| Value::Lit(Lit { ty: Ty::U32, bits })).collect())
}

struct Writer<'w> {
    initial: &'w Initial<'w>,
    wave: &'w WaveState,
    /// Values as written stay where they are still right; they mean something else if the wave was one of many.
    keep: bool,
    init: Vec<Init>,
}

impl Writer<'_> {
    /// The registers that the instruction names, reads or should write, and what every instruction may read.
    fn registers(&mut self, culprit: &Culprit) {
        if self.keep {
            self.init.extend(self.initial.init.iter().cloned().map(|init| Init { select: Select::default(), ..init }));
        }
        let traps = culprit.reads.iter().filter_map(|item| {
            let n: u32 = item.place.strip_prefix("ttmp")?.parse().ok()?;
            Some((n, *self.wave.ttmps.get(n as usize)?))
        });
        for (n, bits) in traps.collect::<Vec<_>>() {
            let value = Value::Lit(Lit { ty: Ty::U32, bits: bits.into() });
            self.put(Place::Regs { file: File::Trap, first: n, count: 1 }, value);
        }
        let mut vectors: Vec<(File, u32)> = Vec::new();
        let mut scalars: Vec<u32> = Vec::new();
        let places = culprit.reads.iter().map(|item| item.place.as_str());
        for place in places.chain(culprit.values.iter().map(|v| v.place.as_str())) {
            let Some((letter, first, count)) = range(place) else { continue };
            for n in first..first + count {
                match letter {
                    'v' => vectors.push((File::Vector, n)),
                    'a' => vectors.push((File::Accumulation, n)),
                    _ => scalars.push(n),
                }
            }
        }
        vectors.sort_by_key(|(file, n)| (*file as u8, *n));
        vectors.dedup();
        scalars.sort_unstable();
        scalars.dedup();
        vectors.iter().for_each(|(file, n)| self.vector(*file, *n));
        let mut at = 0;
        while let Some(n) = scalars.get(at).copied() {
            at += if scalars.get(at + 1) == Some(&(n + 1)) && self.address(n) { 2 } else { self.scalar(n) };
        }
        let wave = self.wave;
        let whole = u64::MAX >> (64 - wave.wave_size);
        let number = self.number();
        self.single(Place::Vcc, Ty::U64, wave.vcc, self.initial.vcc(number));
        self.single(Place::Exec, Ty::U64, wave.exec & whole, if self.keep { self.initial.exec(number) } else { whole });
        self.single(Place::Scc, Ty::U32, wave.scc.into(), self.initial.scc(number).into());
        self.single(Place::M0, Ty::U32, wave.m0.into(), self.initial.m0(number).into());
    }

    /// The number of the wave.
    fn number(&self) -> u32 {
        self.initial.waves.find(self.wave.group, self.wave.index).map_or(0, |w| w.number)
    }

    fn put(&mut self, place: Place, value: Value) {
        self.init.push(Init { select: Select::default(), place, value });
    }

    fn single(&mut self, place: Place, ty: Ty, now: u64, start: u64) {
        let same = if self.keep || place == Place::Exec { now == start } else { now == 0 };
        if !same {
            self.put(place, Value::Lit(Lit { ty, bits: now }));
        }
    }

    fn vector(&mut self, file: File, n: u32) {
        let registers = if file == File::Vector { &self.wave.vgprs } else { &self.wave.agprs };
        let Some(lanes) = registers.get(n as usize) else { return };
        let lanes = &lanes[..self.wave.wave_size as usize];
        let number = self.number();
        let start = |lane: u32| match file {
            File::Vector => self.initial.vgpr(n, lane, number),
            _ => self.initial.agpr(n, lane, number),
        };
        if self.keep && lanes.iter().zip(0..).all(|(now, lane)| *now == start(lane)) {
            return;
        }
        let lit = |bits: &u32| Value::Lit(Lit { ty: Ty::U32, bits: (*bits).into() });
        let value = match lanes {
            [first, rest @ ..] if rest.iter().all(|v| v == first) => lit(first),
            _ => Value::List(lanes.iter().map(lit).collect()),
        };
        self.put(Place::Regs { file, first: n, count: 1 }, value);
    }

    /// A pair of scalars that is an address in a buffer; says whether it is one.
    fn address(&mut self, n: u32) -> bool {
        let halves = [self.wave.sgpr(n), self.wave.sgpr(n + 1)];
        let [Some(low), Some(high)] = halves else { return false };
        let address = u64::from(low) | u64::from(high) << 32;
        let inside = |b: &&crate::case::initial::Region| {
            (b.address..=b.address + b.bytes.len() as u64).contains(&address) && !b.bytes.is_empty()
        };
        let Some(buffer) = self.initial.buffers.iter().find(inside) else { return false };
        let value = Value::Address(buffer.name.clone(), address - buffer.address);
        if !(self.keep && self.is_as_written(n) && self.is_as_written(n + 1)) {
            self.put(Place::Regs { file: File::Scalar, first: n, count: 2 }, value);
        }
        true
    }

    fn is_as_written(&self, n: u32) -> bool {
        self.wave.sgpr(n) == Some(self.initial.sgpr(n, self.number()))
    }

    /// A scalar; gives the number of registers.
    fn scalar(&mut self, n: u32) -> usize {
        if let Some(bits) = self.wave.sgpr(n).filter(|_| !(self.keep && self.is_as_written(n))) {
            let value = Value::Lit(Lit { ty: Ty::U32, bits: bits.into() });
            self.put(Place::Regs { file: File::Scalar, first: n, count: 1 }, value);
        }
        1
    }
}

/// `v7`, `s[4:5]`: the letter, the first, how many.
fn range(place: &str) -> Option<(char, u32, u32)> {
    let letter = place.chars().next().filter(|c| matches!(c, 'v' | 's' | 'a'))?;
    let rest = &place[1..];
    match rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        Some(inner) => {
            let (first, last) = inner.split_once(':')?;
            let (first, last) = (first.parse().ok()?, last.parse::<u32>().ok()?);
            Some((letter, first, last.checked_sub(first)? + 1))
        }
        None => Some((letter, rest.parse().ok()?, 1)),
    }
}
