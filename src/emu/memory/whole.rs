//! Short ways for all lanes of a wave at once: aligned items, all of them in range and in one region.
//!
//! Addresses are computed and judged for all lanes first, in loops without branches that the compiler makes vector code of; then the items
//! move, in [guest memory](guest) or in the [data share](share); lanes [in a row](row) need not even addresses. An inactive lane has the address of the first active one, so that nothing
//! asks for it. Whatever is not as plain as that is left to the lanes one by one: these functions then have done nothing and say so.
//!
//! They are compiled for each size of wave and for the vector instructions of the host: see [`with_lanes`]. What is not inlined there is not,
//! so closures say that they are to be, and loops are `for`, not `map` or `fold`.

pub(super) mod guest;
pub(super) mod row;
pub(super) mod share;

use super::common::{File, STRIDE};
use crate::each::each;
use crate::isa::does::{Half, Item};
use crate::memory::guest::{Memory, canonical};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Most lanes a wave has.
pub(super) const LANES: usize = 64;

/// The lanes of a wave, of which at least one is active.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a, const L: usize> {
    pub(super) file: File<'a>,
    pub(super) exec: u64,
}

/// Does something with the [`Lanes`] of a wave, compiled for the vector instructions of the host; nothing where none is active, or where
/// [the level](crate::emu::kernel::Level::is_quick) asks for the long ways.
macro_rules! with_lanes {
    ($wave:expr, |$lanes:ident| $do:expr) => {{
        let (wave, exec) = ($wave, $wave.exec());
        if exec == 0 || !wave.level.is_quick() {
            None
        } else {
            wave.level.run(
                #[inline(always)]
                || match wave.lanes {
                    32 => {
                        let $lanes = &$crate::emu::memory::whole::Lanes::<32> { file: File(&wave.file), exec };
                        $do
                    }
                    _ => {
                        let $lanes = &$crate::emu::memory::whole::Lanes::<64> { file: File(&wave.file), exec };
                        $do
                    }
                },
            )
        }
    }};
}
pub(super) use with_lanes;

impl<'a, const L: usize> Lanes<'a, L> {
    /// Whether all are active.
    #[inline(always)]
    fn are_all(&self) -> bool {
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
    fn fill<T: Copy>(&self, of: &mut [T; L]) {
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

    /// The first of the offsets in a register, if all lanes are active and each has so many bytes more than the one before.
    #[inline(always)]
    pub(super) fn row(&self, at: u32, n: u32, step: u32) -> Option<u32> {
        let register = self.register(at, n).filter(|_| self.are_all())?;
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

/// One register in so many lanes.
#[inline(always)]
pub(super) fn lanes_of<const L: usize>(file: File<'_>, at: u32, n: u32) -> Option<&[Cell<u32>; L]> {
    file.0.get((at + n * STRIDE) as usize..)?.first_chunk()
}

/// The words of a region in which all lanes have `N`, and which of them are the first ones.
#[inline(always)]
pub(super) fn words_at<'m, const N: usize, const L: usize>(
    memory: &'m Memory,
    addresses: &[u64; L],
) -> Option<(&'m [AtomicU32], [usize; L])> {
    let size = 4 * N as u64;
    let region = memory.resolve(canonical(addresses[0])?, size)?;
    let (base, last) = (region.base(), region.len() - size);
    let bad = |address: u64| address.wrapping_sub(base) > last || address & 3 != 0;
    if addresses.iter().fold(false, |any, address| any | bad(*address)) {
        return None;
    }
    let start = base & !3;
    Some((region.words(), each(addresses, |address| (address.wrapping_sub(start) / 4) as usize)))
}

/// Words by their numbers. Where four lanes have four words in a row, they are looked for once.
#[inline(always)]
pub(super) fn gathered<const L: usize>(words: &[AtomicU32], at: &[usize; L]) -> [u32; L] {
    const RUN: usize = 4;
    let mut all = [0; L];
    for (to, at) in all.as_chunks_mut::<RUN>().0.iter_mut().zip(at.as_chunks::<RUN>().0) {
        let mut in_a_row = true;
        for n in 1..RUN {
            in_a_row &= at[n] == at[0].wrapping_add(n);
        }
        if in_a_row && let Some(words) = words.get(at[0]..).and_then(|words| words.first_chunk::<RUN>()) {
            for n in 0..RUN {
                to[n] = words[n].load(Ordering::Relaxed);
            }
        } else {
            for n in 0..RUN {
                // In range: the other value never comes.
                to[n] = words.get(at[n]).map_or(0, |word| word.load(Ordering::Relaxed));
            }
        }
    }
    all
}
