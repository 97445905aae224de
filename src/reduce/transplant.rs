//! The guilty instruction alone, in the state that it met.

use super::body;
use crate::bisect::{Culprit, Point, lines};
use crate::case::isa::{Isa, Select};
use crate::case::types::Ty;
use crate::case::value::{File, Lit, Place, Value};
use crate::case::{Case, Init, Initial, wave_size};
use crate::engine::WaveState;
use crate::isa::Target;
use crate::isa::operand::Class;
use crate::laws::Laws;

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
    let mut groups: Vec<[u32; 3]> = initial.waves.iter().map(|w| w.group).collect();
    groups.dedup();
    let lds = groups.iter().position(|group| *group == wave.group).and_then(|n| point.before.lds.get(n));
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
        let found = self.initial.waves.iter().find(|w| (w.group, w.index) == (self.wave.group, self.wave.index));
        found.map_or(0, |w| w.number)
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
