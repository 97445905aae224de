//! Short ways for all lanes of a wave at once: aligned items, all of them in range and in one region.
//!
//! Addresses are computed and judged for all lanes first, in loops without branches that the compiler makes vector code of; then the items
//! move, in [guest memory](guest) or in the [data share](share); lanes [in a row](row) need not even addresses. An inactive lane has the address of the first active one, so that nothing
//! asks for it. Whatever is not as plain as that is left to the lanes one by one: these functions then have done nothing and say so.
//!
//! They are compiled for each size of wave and for the vector instructions of the host: see [`with_lanes`]. What is not inlined there is not,
//! so closures say that they are to be, and loops are `for`, not `map` or `fold`.

pub(super) mod guest;
pub(super) mod moved;
pub(super) mod row;
pub(super) mod share;

use super::common::{File, STRIDE};
use crate::emu::kernel::Short;
use crate::isa::does::{Half, Item};
use std::cell::Cell;

/// Most lanes a wave has.
pub(super) const LANES: usize = 64;

/// How lanes lie to each other, of whom all are active. Programs with tiles have rows of eight or more, or one place for them.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// Their items follow each other: where the first begins.
    Row(u32),
    /// Those of each eight do, or are at one place.
    Eights(Eights),
    /// None of that, or not all lanes are active.
    Apart,
}

/// Eights of lanes.
#[derive(Clone, Copy)]
pub(super) struct Eights {
    /// Their items follow each other; else they are at one place.
    pub(super) rows: bool,
    /// Where they begin; where there are no more of them, the first again.
    pub(super) first: [u32; LANES / 8],
    /// Where the last lane is.
    pub(super) most: u32,
    /// The bits that any lane has.
    pub(super) bits: u32,
}

/// The lanes of a wave, of which at least one is active.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a, const L: usize> {
    pub(super) file: File<'a>,
    pub(super) exec: u64,
    pub(super) level: Short,
}

/// Does something with the [`Lanes`] of a wave; nothing where none is active, or where [the level](crate::emu::kernel::Level::short) has no
/// short ways. What is done is compiled for each size of wave: what is worth it has [the level](Lanes::run) run pieces of it.
macro_rules! with_lanes_in_pieces {
    ($wave:expr, |$lanes:ident| $do:expr) => {{
        let wave = $wave;
        match wave.level.short() {
            Some(level) => $crate::emu::memory::whole::with_lanes_of!(wave, level, |$lanes| $do),
            None => None,
        }
    }};
}
pub(super) use with_lanes_in_pieces;

/// The same in one piece: all of it is compiled for the vector instructions of the host.
macro_rules! with_lanes {
    ($wave:expr, |$lanes:ident| $do:expr) => {{
        let whole = $wave;
        match whole.level.short() {
            Some(level) => level.run(
                #[inline(always)]
                || $crate::emu::memory::whole::with_lanes_of!(whole, level, |$lanes| $do),
            ),
            None => None,
        }
    }};
}
pub(super) use with_lanes;

/// The same at a level that is known.
macro_rules! with_lanes_of {
    ($wave:expr, $level:expr, |$lanes:ident| $do:expr) => {{
        let (wave, exec, level) = ($wave, $wave.exec(), $level);
        if exec == 0 {
            None
        } else if wave.lanes == 32 {
            let $lanes = &$crate::emu::memory::whole::Lanes::<32> { file: File(&wave.file), exec, level };
            $do
        } else {
            let $lanes = &$crate::emu::memory::whole::Lanes::<64> { file: File(&wave.file), exec, level };
            $do
        }
    }};
}
pub(super) use with_lanes_of;

impl<'a, const L: usize> Lanes<'a, L> {
    /// Does a piece of work with the vector instructions of the host. Pieces are functions of their own: what they leave goes through
    /// memory, of which compilers make better code than of many arrays that are all alive.
    #[inline(always)]
    pub(super) fn run<R>(&self, piece: impl FnOnce() -> R) -> R {
        self.level.run(piece)
    }

    /// Whether all are active.
    #[inline(always)]
    pub(super) fn are_all(&self) -> bool {
        self.exec == u64::MAX >> (LANES - L)
    }

    /// Some of them; nothing where these are none.
    #[inline(always)]
    pub(super) fn only(&self, exec: u64) -> Option<Lanes<'a, L>> {
        (exec != 0).then_some(Lanes { exec, ..*self })
    }

    /// Does something for each active lane, from the lowest.
    #[inline(always)]
    pub(super) fn each(&self, mut with: impl FnMut(usize)) {
        if self.are_all() {
            for lane in 0..L {
                with(lane);
            }
        } else {
            let mut rest = self.exec;
            while rest != 0 {
                with(rest.trailing_zeros() as usize % L);
                rest &= rest - 1;
            }
        }
    }

    /// Whether something is so in an active lane. The values of the others are computed too.
    #[inline(always)]
    pub(super) fn any(&self, is: impl Fn(usize) -> bool) -> bool {
        let mut any = false;
        if self.are_all() {
            for lane in 0..L {
                any |= is(lane);
            }
        } else {
            for lane in 0..L {
                any |= is(lane) & (self.exec >> lane & 1 != 0);
            }
        }
        any
    }

    /// Gives the inactive lanes what the first active one has.
    #[inline(always)]
    pub(super) fn fill<T: Copy>(&self, of: &mut [T; L]) {
        if !self.are_all() {
            let first = of[self.exec.trailing_zeros() as usize % L];
            for (lane, of) in of.iter_mut().enumerate() {
                *of = if self.exec >> lane & 1 != 0 { *of } else { first };
            }
        }
    }

    /// A register in all lanes: one that stands so many behind another.
    #[inline(always)]
    pub(super) fn register(&self, at: u32, n: u32) -> Option<&'a [Cell<u32>; L]> {
        self.file.0.get((at + n * STRIDE) as usize..)?.first_chunk()
    }

    /// Registers that follow each other.
    #[inline(always)]
    pub(super) fn registers<const N: usize>(&self, at: u32) -> Option<[&'a [Cell<u32>; L]; N]> {
        let mut all = [self.register(at, 0)?; N];
        for (n, register) in (0..).zip(&mut all) {
            *register = self.register(at, n)?;
        }
        Some(all)
    }

    /// The words of a register.
    #[inline(always)]
    pub(super) fn words(&self, at: u32, n: u32) -> Option<[u32; L]> {
        let mut words = [0; L];
        for (word, cell) in words.iter_mut().zip(self.register(at, n)?) {
            *word = cell.get();
        }
        Some(words)
    }

    /// The same where there is a register; else zeros.
    #[inline(always)]
    pub(super) fn words_where(&self, there: bool, at: u32) -> Option<[u32; L]> {
        if there { self.words(at, 0) } else { Some([0; L]) }
    }

    /// The numbers that pairs of registers hold.
    #[inline(always)]
    pub(super) fn pairs(&self, at: u32) -> Option<[u64; L]> {
        let [low, high] = self.registers::<2>(at)?;
        let mut pairs = [0; L];
        for (lane, pair) in pairs.iter_mut().enumerate() {
            *pair = joined(low[lane].get(), high[lane].get());
        }
        Some(pairs)
    }

    /// The numbers that pairs of registers hold, if all active lanes have the same high word: that word, and the low ones.
    #[inline(always)]
    pub(super) fn pairs_by_high(&self, at: u32) -> Option<(u32, [u32; L])> {
        let high = self.register(at, 1)?;
        let first = high[self.exec.trailing_zeros() as usize % L].get();
        let differ = self.any(
            #[inline(always)]
            |lane| high[lane].get() != first,
        );
        if differ { None } else { Some((first, self.words(at, 0)?)) }
    }

    /// The first of the offsets in a register, if all lanes are active and each has so many bytes more than the one before.
    #[inline(always)]
    pub(super) fn row(&self, at: u32, n: u32, step: u32) -> Option<u32> {
        self.row_of(self.register(at, n)?, step)
    }

    #[inline(always)]
    fn row_of(&self, register: &[Cell<u32>; L], step: u32) -> Option<u32> {
        if !self.are_all() {
            return None;
        }
        let (first, mut apart) = (register[0].get(), 0);
        for (lane, cell) in (0..).zip(register) {
            apart |= cell.get() ^ first.wrapping_add(lane * step);
        }
        let wraps = first.checked_add(L as u32 * step).is_none();
        (apart == 0 && !wraps).then_some(first)
    }

    /// The same of addresses in pairs of registers.
    #[inline(always)]
    pub(super) fn row_of_pairs(&self, at: u32, step: u32) -> Option<u64> {
        Some(joined(self.row(at, 0, step)?, self.row(at, 1, 0)?))
    }

    /// How the lanes lie to each other, whose items have so many bytes. The first two say which question is worth asking.
    #[inline(always)]
    pub(super) fn shape(&self, at: &[Cell<u32>; L], size: u32) -> Shape {
        let first = at[0].get();
        let step = at[1].get().wrapping_sub(first);
        if !self.are_all() || step != 0 && step != size {
            return Shape::Apart;
        }
        let last = first.wrapping_add((L as u32 - 1) * size);
        if step == size
            && at[L - 1].get() == last
            && let Some(row) = self.row_of(at, size)
        {
            return Shape::Row(row);
        }
        let Some((most, bits)) = moved::eights(self, at, step) else { return Shape::Apart };
        if most.checked_add(8 * size).is_none() {
            // One that ends so far up may begin again at the bottom.
            return Shape::Apart;
        }
        let mut eights = Eights { rows: step == size, first: [first; LANES / 8], most, bits };
        for (first, at) in eights.first.iter_mut().zip(at.as_chunks::<8>().0) {
            *first = at[0].get();
        }
        Shape::Eights(eights)
    }

    /// Puts bytes or halves into a register, or into half of it; `bits` are those of a lane with others above them.
    #[inline(always)]
    fn put_narrow(&self, (item, half): (Item, Half), at: u32, bits: impl Fn(usize) -> u32) -> Option<()> {
        let to = self.register(at, 0)?;
        match item {
            Item::U8 => self.put_half(
                half,
                to,
                #[inline(always)]
                |lane| bits(lane) & 0xff,
            ),
            Item::I8 => self.put_half(
                half,
                to,
                #[inline(always)]
                |lane| bits(lane) as i8 as u32,
            ),
            Item::U16 => self.put_half(
                half,
                to,
                #[inline(always)]
                |lane| bits(lane) & 0xffff,
            ),
            Item::I16 => self.put_half(
                half,
                to,
                #[inline(always)]
                |lane| bits(lane) as i16 as u32,
            ),
            Item::Words(_) => return None,
        }
        Some(())
    }

    /// Puts words that lie in an array into a register: one that stands so many behind another.
    #[inline(always)]
    pub(super) fn put_words(&self, at: u32, n: u32, words: &[u32; L]) -> Option<()> {
        if !self.are_all() {
            return self.put(Half::Whole, at, n, words);
        }
        moved::put(self, words, self.register(at, n)?);
        Some(())
    }

    /// Puts words, or halves, into a register: one that stands so many behind another.
    #[inline(always)]
    pub(super) fn put(&self, half: Half, at: u32, n: u32, values: &[u32; L]) -> Option<()> {
        self.put_half(
            half,
            self.register(at, n)?,
            #[inline(always)]
            |lane| values[lane],
        );
        Some(())
    }

    /// Puts zeros where something would be loaded.
    #[inline(always)]
    pub(super) fn clear(&self, (item, half): (Item, Half), at: u32) -> Option<()> {
        let Item::Words(count) = item else {
            return self.put_narrow(
                (item, half),
                at,
                #[inline(always)]
                |_| 0,
            );
        };
        for n in 0..count.into() {
            self.put_half(
                Half::Whole,
                self.register(at, n)?,
                #[inline(always)]
                |_| 0,
            );
        }
        Some(())
    }

    #[inline(always)]
    fn put_half(&self, half: Half, to: &[Cell<u32>; L], value: impl Fn(usize) -> u32) {
        match half {
            Half::Whole => self.each(
                #[inline(always)]
                |lane| to[lane].set(value(lane)),
            ),
            Half::Low => self.each(
                #[inline(always)]
                |lane| to[lane].set(to[lane].get() & 0xffff_0000 | value(lane) & 0xffff),
            ),
            Half::High => self.each(
                #[inline(always)]
                |lane| to[lane].set(to[lane].get() & 0xffff | value(lane) << 16),
            ),
        }
    }
}

/// Zeros what lanes have that are not in a mask.
#[inline(always)]
pub(super) fn clear_others<const L: usize>(of: &mut [u32; L], mask: u64) {
    for (lane, v) in of.iter_mut().enumerate() {
        *v = if mask >> lane & 1 != 0 { *v } else { 0 };
    }
}

/// How many bytes an item has that is moved, and how they must be aligned: words may lie at any.
#[inline(always)]
pub(super) fn aligned(item: Item) -> (u32, u32) {
    (item.bytes(), item.bytes().min(4))
}

/// Two words as one number.
#[inline(always)]
fn joined(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Does something for an operation of an atomic, in code of its own for those that programs use much.
macro_rules! by_operation {
    ($of:expr, |$op:ident| $do:expr) => {
        by_operation!($of, |$op| $do; Swap CmpSwap Add Sub SMin UMin SMax UMax And Or Xor Inc Dec FAdd FMin FMax)
    };
    ($of:expr, |$op:ident| $do:expr; $($name:ident)*) => {
        match $of {
            $(Op::$name => {
                let $op = Op::$name;
                $do
            })*
            $op => $do,
        }
    };
}
use by_operation;
