//! What a wave begins with: its walk, and registers full of values of all classes.
//!
//! Values are those of the [case format](crate::case::random), so that a wave can be written down as a case. A pool has a palette of them;
//! a wave's registers take random entries of it. The registers which the first instruction of a walk reads take
//! classes in turn, so that every source soon meets all of them.

use super::operand::{LANE, SCALARS, VECTORS};
use super::pool::{LANES, LEFT, LONGEST, NEXT, Pool, Read};
use crate::case::random::{Class, random};
use crate::case::{Init, Place, Value, value};
use crate::engine::registers::Registers;
use crate::isa::operand as isa;
use crate::isa::types::Ty;
use crate::isa::{Gen, Target, regs};
use crate::laws::Chance;
use crate::program::place::slot;

/// Values of a type and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Values {
    ty: Ty,
    class: Class,
    seed: u64,
    /// Two halves in a register.
    packed: bool,
}

impl Values {
    fn at(self, n: u64) -> u64 {
        let low = random(self.ty, self.class, self.seed, n);
        if self.packed { low | random(self.ty, self.class, !self.seed, n) << 16 } else { low }
    }

    /// Registers of an element.
    fn dwords(self) -> u32 {
        self.ty.bytes().div_ceil(4)
    }

    fn value(self) -> Value {
        let one = |seed| Value::Random(self.ty, seed, self.class);
        if self.packed { Value::Pack(Box::new(one(self.seed)), Box::new(one(!self.seed))) } else { one(self.seed) }
    }

    /// The number of type and class.
    fn class(self) -> u8 {
        self.ty as u8 * Class::ALL.len() as u8 + self.class as u8
    }
}

/// The values of a pool.
pub(super) struct Palette {
    values: Vec<Values>,
    /// Words of each lane, by entry: a register, or two.
    words: Vec<Vec<[u32; 64]>>,
}

/// How far the lanes' own places in memory are apart.
const APART: u32 = 16;
/// How often each type and class is in a palette.
const EACH: u64 = 3;

impl Palette {
    pub fn new(chance: &mut Chance) -> Palette {
        let types = [Ty::F32, Ty::F64, Ty::F16, Ty::U32, Ty::I32, Ty::U64, Ty::U16, Ty::I16, Ty::Bf16];
        let mut values = Vec::new();
        for ty in types {
            for class in Class::ALL.into_iter().filter(|class| class.suits(ty)) {
                for _ in 0..EACH {
                    // A seed is short in the text of a case.
                    values.push(Values { ty, class, seed: chance.next_u64() >> 40, packed: ty.bytes() == 2 });
                }
            }
        }
        let words = values.iter().map(|values| {
            let dword = |half: u32| std::array::from_fn(|lane| (values.at(lane as u64) >> (32 * half)) as u32);
            (0..values.dwords()).map(dword).collect()
        });
        Palette { words: words.collect(), values }
    }

    /// The entries of the types as which a place reads its register.
    fn suiting(&self, ty: isa::Ty) -> Vec<u16> {
        let fits = |v: &Values| match ty {
            isa::Ty::F32 => v.ty == Ty::F32,
            isa::Ty::F16 | isa::Ty::PF16 | isa::Ty::BothF16 | isa::Ty::F16x(_) => v.ty == Ty::F16,
            isa::Ty::Bf16 | isa::Ty::PBf16 | isa::Ty::BothBf16 | isa::Ty::Bf16x(_) => v.ty == Ty::Bf16,
            isa::Ty::F64 => v.ty == Ty::F64,
            isa::Ty::DF32 | isa::Ty::F32x(_) => v.ty == Ty::F32,
            isa::Ty::B16 | isa::Ty::P16 => matches!(v.ty, Ty::U16 | Ty::I16),
            isa::Ty::B64 | isa::Ty::Mask => v.ty == Ty::U64,
            _ => matches!(v.ty, Ty::U32 | Ty::I32),
        };
        (0..).zip(&self.values).filter(|(_, v)| fits(v)).map(|(n, _)| n).collect()
    }
}

/// A register of a start: where it is, and the entry of the palette.
type Filled = (u32, u16);

/// What a wave begins with.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The snippets that it executes.
    pub walk: Vec<u8>,
    vectors: Vec<Filled>,
    scalars: [u32; SCALARS as usize],
    vcc: u64,
    exec: u64,
    scc: bool,
    m0: u32,
    mode: u32,
    /// Classes of values that sources of the first snippet meet.
    pub classes: Vec<(u8, u8)>,
}

impl Start {
    /// The `n`th start of a pool: it begins at the `n`th snippet, counted round and round.
    pub fn new(pool: &Pool, palette: &Palette, n: usize, chance: &mut Chance) -> Start {
        let count = pool.snippets.len();
        let first = n % count;
        let mut walk = vec![first as u8];
        walk.extend((1..2 + chance.below(LONGEST - 1)).map(|_| chance.below(count) as u8));
        let mut start = Start {
            walk,
            vectors: Vec::new(),
            scalars: [0; SCALARS as usize],
            vcc: mask(chance),
            exec: if chance.below(2) == 0 { u64::MAX } else { mask(chance) },
            scc: chance.below(2) != 0,
            m0: chance.below(8) as u32,
            mode: mode(pool.target, chance),
            classes: Vec::new(),
        };
        let mut at = 0;
        while at < LANE {
            let entry = chance.below(palette.values.len());
            start.vectors.push((at, entry as u16));
            at += palette.values[entry].dwords();
        }
        let mut at = 0;
        while at < SCALARS {
            let values = palette.values[chance.below(palette.values.len())];
            start.put_scalar(at, values, chance.below(1 << 16) as u64);
            at += values.dwords();
        }
        for read in &pool.snippets[first].reads {
            start.direct(palette, *read, n / count, chance);
        }
        start
    }

    /// Gives a register that the first instruction reads the class whose turn it is.
    fn direct(&mut self, palette: &Palette, read: Read, turn: usize, chance: &mut Chance) {
        let suiting = palette.suiting(read.ty);
        // Sources take their turns at different speeds, so that their classes meet each other.
        let turn =
            turn + turn / suiting.len().max(1) * usize::from(read.source) + chance.below(2) * usize::from(read.source);
        let Some(&entry) = suiting.get(turn % suiting.len().max(1)) else { return };
        let values = palette.values[usize::from(entry)];
        match read.code {
            256.. => self.vectors.push((read.code - 256, entry)),
            0..SCALARS => self.put_scalar(read.code, values, chance.below(1 << 16) as u64),
            106 => self.vcc = values.at(chance.below(1 << 16) as u64),
            _ => return,
        }
        self.classes.push((read.source, values.class()));
    }

    fn put_scalar(&mut self, at: u32, values: Values, n: u64) {
        let bits = values.at(n);
        for half in 0..values.dwords() {
            if let Some(s) = self.scalars.get_mut((at + half) as usize) {
                *s = (bits >> (32 * half)) as u32;
            }
        }
    }

    /// Gives a wave of the pool all this.
    pub fn fill(&self, pool: &Pool, palette: &Palette, wave: &mut Registers) {
        for &(register, entry) in &self.vectors {
            for (n, words) in (register..LANE).zip(&palette.words[usize::from(entry)]) {
                for (lane, word) in words.iter().enumerate().take(wave.lanes as usize) {
                    wave.set_vgpr(n as usize, lane, *word);
                }
            }
        }
        for lane in 0..wave.lanes {
            wave.set_vgpr(LANE as usize, lane as usize, lane * APART);
        }
        wave.s[..SCALARS as usize].copy_from_slice(&self.scalars);
        wave.set_pair(NEXT as usize, 0);
        wave.set_pair(LEFT as usize, Pool::numbers(&self.walk));
        wave.set_pair(LANES as usize, self.exec);
        wave.set_pair(slot::VCC, self.vcc);
        wave.set_exec(self.exec);
        wave.scc = self.scc;
        wave.s[usize::from(regs::m0_code(pool.target.generation()))] = self.m0;
        wave.mode = self.mode;
        wave.pc = self.walk.first().map_or(0, |first| pool.step(*first));
    }

    /// The same as values of a case.
    pub fn init(&self, palette: &Palette) -> (Vec<Init>, u32) {
        let word = |bits: u64, ty| Value::Lit(value::Lit { ty, bits });
        let regs = |file, first, count| Place::Regs { file, first, count };
        let mut all: Vec<(Place, Value)> = Vec::new();
        // A register that was filled again has its last values only: a case says each once.
        let mut owner = [usize::MAX; VECTORS as usize];
        let count = |entry: u16| palette.values[usize::from(entry)].dwords();
        for (n, &(register, entry)) in self.vectors.iter().enumerate() {
            (register..register + count(entry)).filter(|r| *r < LANE).for_each(|r| owner[r as usize] = n);
        }
        for (n, &(register, entry)) in self.vectors.iter().enumerate() {
            let own = |r: &u32| owner.get(*r as usize) == Some(&n);
            let registers = register..register + count(entry);
            if registers.clone().all(|r| own(&r)) {
                let value = palette.values[usize::from(entry)].value();
                all.push((regs(value::File::Vector, register, count(entry)), value));
                continue;
            }
            // What is left of a pair is written as the words that it has.
            for r in registers.filter(own) {
                let words = &palette.words[usize::from(entry)][(r - register) as usize];
                let lanes = words.iter().map(|w| word((*w).into(), Ty::U32));
                all.push((regs(value::File::Vector, r, 1), Value::List(lanes.collect())));
            }
        }
        let ramp = |bits| value::Lit { ty: Ty::U32, bits };
        all.push((regs(value::File::Vector, LANE, 1), Value::Ramp(ramp(0), ramp(APART.into()))));
        let scalars = self.scalars.iter().map(|s| word((*s).into(), Ty::U32)).collect();
        all.push((regs(value::File::Scalar, 0, SCALARS), Value::List(scalars)));
        all.push((regs(value::File::Scalar, LANES, 2), word(self.exec, Ty::U64)));
        all.push((Place::Vcc, word(self.vcc, Ty::U64)));
        all.push((Place::Exec, word(self.exec, Ty::U64)));
        all.push((Place::Scc, word(self.scc.into(), Ty::U32)));
        all.push((Place::M0, word(self.m0.into(), Ty::U32)));
        let init = |(place, value)| Init { select: crate::case::isa::Select::default(), place, value };
        (all.into_iter().map(init).collect(), self.mode)
    }
}

/// Lanes: all, none, half of them, some at random.
fn mask(chance: &mut Chance) -> u64 {
    let any = chance.next_u64();
    [any, any, u64::MAX, 1, 0xaaaa_aaaa_5555_5555, 1 << 63 | 1, any & 0xffff_ffff, any << 32, 0][chance.below(9)]
}

/// Rounding and denormals, IEEE and clamp, `FP16_OVFL`, at random.
fn mode(target: Target, chance: &mut Chance) -> u32 {
    let any = chance.next_u64() as u32;
    let overflow = if target.generation() >= Gen::Gfx9 { 1 << 23 } else { 0 };
    // Often as programs have it.
    if any & 0x3000_0000 == 0 { 0x3c0 | any & 0x30 } else { any & (0x3ff | overflow) }
}
