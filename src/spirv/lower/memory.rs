//! Memory instructions.
//!
//! The [`Access`] of the program says which registers and bits an instruction has; what it does its row says. By what
//! is addressed: [scalar memory](smem), the [data share](ds) and what [crosses lanes](cross) through its hardware, [buffers](buffer)
//! plain and [formatted], [images](image), and [flat, global and scratch memory](flat). Below them lie [guest memory](guest) and [LDS](lds) as bytes,
//! [atomics](atomic), and the [order of lanes](lanes).

mod atomic;
mod buffer;
mod components;
mod convert;
mod cross;
mod descriptor;
mod ds;
mod flat;
mod formatted;
mod guest;
mod helper;
mod image;
mod lanes;
mod lds;
mod plane;
mod rays;
mod smem;
mod stack;
mod transposed;

use super::{Lower, Lowered};
use crate::isa::does::{Does, Half, Item};
use crate::isa::row::{Family, Inst};
use crate::isa::sem::Alg;
use crate::program::Step;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::lanes::Lane;
use crate::spirv::state::Layout;

pub(crate) use convert::component;
pub(in crate::spirv) use convert::number as kind_number;
pub(in crate::spirv) use helper::{Helper, Helpers};

impl Lower<'_> {
    /// A memory instruction.
    pub(super) fn access(&self, step: &Step, row: &'static Inst) -> Lowered {
        let Some(access) = step.memory.as_deref() else { return Err(format!("a translation of {}", row.name)) };
        if let Does::Ray(against) = row.does {
            return self.rays(step, access, against);
        }
        match row.family {
            Family::Smem => self.scalar_memory_access(step, row, access),
            Family::Ds => self.data_share(step, row, access),
            Family::Mubuf | Family::Mtbuf => self.buffer(step, row, access),
            Family::Flat | Family::Global | Family::Scratch => self.flat(step, row, access),
            Family::Mimg => self.image(step, row, access),
            _ => Err(format!("a translation of {}", row.name)),
        }
    }

    /// A value in LDS at M0, which says where (15:0) and what (18:16).
    pub(super) fn lds_word_at_m0(&self) -> Word {
        let k = self.alg(Word::Known(0));
        let m0 = self.m0();
        let (at, what) = (k.zx16(m0), k.mask(k.shri(m0, 16), 7));
        let share = self.share_unlimited();
        let loads = |item: Item| share.load(self, at, item)[0];
        let mut v = loads(Item::Words(1));
        for (code, item) in [(0, Item::U8), (1, Item::U16), (4, Item::I8), (5, Item::I16)] {
            v = k.sel(k.eq(what, k.w(code)), loads(item), v);
        }
        v
    }

    /// Whether there is a register at a vector place: a tuple may end behind the last one.
    fn has_register(&self, n: u32) -> bool {
        n < 256 || n - 256 < Layout::whole(self.generation()).agprs
    }

    /// Word `n` of a tuple of registers.
    fn tuple(&self, at: u32, n: u32, lane: Lane) -> Word {
        let at = at + n;
        if self.has_register(at) { self.v(at, lane) } else { Word::Known(0) }
    }

    /// Two registers.
    fn tuple64(&self, at: u32, n: u32, lane: Lane) -> Pair {
        (self.tuple(at, n, lane), self.tuple(at, n + 1, lane))
    }

    /// Writes word `n` of a tuple where a condition holds.
    fn set_tuple(&self, at: u32, n: u32, lane: Lane, c: Truth, v: Word) {
        let at = at + n;
        if self.has_register(at) {
            self.set_v_if(at, lane, c, v);
        }
    }

    /// Writes part of a register.
    fn set_half(&self, at: u32, n: u32, lane: Lane, c: Truth, half: Half, v: Word) {
        let k = self.alg(Word::Known(0));
        let old = |mask: u32| k.mask(self.tuple(at, n, lane), mask);
        let v = match half {
            Half::Whole => v,
            Half::Low if self.has(Fault::HalfLoadClears) => k.zx16(v),
            Half::High if self.has(Fault::HalfLoadClears) => k.shli(v, 16),
            Half::Low => k.or(old(0xffff_0000), k.zx16(v)),
            Half::High => k.or(old(0xffff), k.shli(v, 16)),
        };
        self.set_tuple(at, n, lane, c, v);
    }

    /// Writes what a load gave.
    fn set_loaded(&self, at: u32, half: Half, item: Item, lane: Lane, c: Truth, words: &[Word]) {
        match item {
            Item::Words(_) => {
                for (n, v) in (0..).zip(words) {
                    self.set_tuple(at, n, lane, c, *v);
                }
            }
            _ => {
                let lost = self.has(Fault::LoadSignLost);
                let v = if lost { self.alg(lane.number).mask(words[0], mask(item)) } else { words[0] };
                self.set_half(at, 0, lane, c, half, v);
            }
        }
    }

    /// The words that a lane stores.
    fn stored(&self, at: u32, half: Half, item: Item, lane: Lane) -> Vec<Word> {
        let k = self.alg(Word::Known(0));
        match item {
            Item::Words(count) => (0..count.min(4).into()).map(|n| self.tuple(at, n, lane)).collect(),
            _ if half == Half::High && !self.has(Fault::HighStoredLow) => vec![k.shri(self.tuple(at, 0, lane), 16)],
            _ => vec![self.tuple(at, 0, lane)],
        }
    }
}

/// The algebra of floats that instructions compute by rules of their own: to nearest even, denormals are kept, NaNs are quieted.
fn floats<'m>(l: &'m Lower<'_>) -> Spirv<'m> {
    l.floats_by(Word::Known(0x2f0), Word::Known(0))
}

/// The bits that a lane moves at a time, as a mask.
fn mask(item: Item) -> u32 {
    match item {
        Item::U8 | Item::I8 => 0xff,
        Item::U16 | Item::I16 => 0xffff,
        Item::Words(_) => u32::MAX,
    }
}

/// Bytes of a component: of a byte, a half, or a word.
fn unit(item: Item) -> u32 {
    match item {
        Item::U8 | Item::I8 => 1,
        Item::U16 | Item::I16 => 2,
        Item::Words(_) => 4,
    }
}

/// How many components a lane moves.
fn units(item: Item) -> u32 {
    if let Item::Words(count) = item { count.min(4).into() } else { 1 }
}

/// Extends what was loaded.
fn extended(k: &impl Alg<W = Word>, item: Item, v: Word) -> Word {
    match item {
        Item::U8 => k.mask(v, 0xff),
        Item::I8 => k.sx(v, 8),
        Item::U16 => k.mask(v, 0xffff),
        Item::I16 => k.sx(v, 16),
        Item::Words(_) => v,
    }
}
