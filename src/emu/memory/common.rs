//! What all memory instructions share: what a lane moves, and where to.
//!
//! A lane moves an [`Item`] (a byte, a half,
//! some words) between its registers and [`Bytes`]: guest memory, LDS, or scratch memory, whose words are interleaved. Lanes go one
//! after another, from the lowest; the first that fails stops the wave, and what the lanes below it did stays done. A lane reads its
//! address before it writes its data, so that a load may overwrite its own address.

use crate::emu::group::{self, Group};
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::engine::{Cause, TrapKind};
use crate::fault::planted;
use crate::isa::Target;
use crate::isa::does::{Half, Item};
use crate::isa::row::Family;
use crate::memory::atomic::float::FloatRules;
use crate::memory::atomic::{Atomic, Width};
use crate::memory::buffer::Unsupported;
use crate::memory::format::FormatError;
use crate::memory::guest::{Fault, View};
use crate::memory::lds::{Lds, Rules};
use std::cell::Cell;

/// Words from one register to the next in the vector file.
pub(super) const STRIDE: u32 = crate::emu::kernel::STRIDE as u32;

/// Why an instruction was not done.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Memory did not allow it.
    Fault(Fault),
    /// A descriptor or format that this engine does not know.
    Unsupported(String),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

impl From<Unsupported> for Trouble {
    fn from(reason: Unsupported) -> Trouble {
        Trouble::Unsupported(reason.to_string())
    }
}

impl From<FormatError> for Trouble {
    fn from(reason: FormatError) -> Trouble {
        Trouble::Unsupported(reason.to_string())
    }
}

/// What failed, and in which lane.
pub(super) type Done = Result<(), (Trouble, u32)>;

/// Goes on, or stops the wave with a trap.
#[inline(always)]
pub(super) fn finish(wave: &mut Wave, step: &Step, _: &Group<'_>, done: Done) -> u32 {
    match done {
        Ok(()) => step.next,
        Err((trouble, lane)) => stop(wave, step, trouble, lane),
    }
}

#[cold]
fn stop(wave: &mut Wave, step: &Step, trouble: Trouble, lane: u32) -> u32 {
    // Scalar accesses have no lane.
    let lane = step.family().is_none_or(|family| family != Family::Smem).then_some(lane);
    let cause = match trouble {
        Trouble::Fault(fault) => Cause::memory(&fault, lane),
        Trouble::Unsupported(needs) => TrapKind::Unsupported { needs }.into(),
    };
    group::trap(wave, cause)
}

/// Does something for each lane of a mask, from the lowest.
#[inline(always)]
pub(super) fn lanes<E: Into<Trouble>>(mut mask: u64, mut each: impl FnMut(u32) -> Result<(), E>) -> Done {
    while mask != 0 {
        let lane = if planted!(LanesDescend) { mask.ilog2() } else { mask.trailing_zeros() };
        mask &= if planted!(LanesDescend) { !(1 << lane) } else { mask - 1 };
        if let Err(trouble) = each(lane) {
            return Err((trouble.into(), lane));
        }
    }
    Ok(())
}

/// The vector file, for reading and writing single words.
#[derive(Clone, Copy)]
pub(super) struct File<'a>(pub(super) &'a [Cell<u32>]);

impl File<'_> {
    /// Word `n` of a tuple of registers, in a lane.
    #[inline(always)]
    pub(super) fn get(self, at: u32, n: u32, lane: u32) -> u32 {
        self.0[(at + n * STRIDE + lane) as usize].get()
    }

    /// Writes word `n` of a tuple.
    #[inline(always)]
    pub(super) fn set(self, at: u32, n: u32, lane: u32, v: u32) {
        self.0[(at + n * STRIDE + lane) as usize].set(v);
    }

    /// Two registers.
    #[inline(always)]
    pub(super) fn get64(self, at: u32, lane: u32) -> u64 {
        u64::from(self.get(at, 0, lane)) | u64::from(self.get(at, 1, lane)) << 32
    }

    /// Writes part of a register.
    #[inline(always)]
    pub(super) fn set_half(self, at: u32, lane: u32, half: Half, v: u32) {
        let cell = &self.0[(at + lane) as usize];
        cell.set(match half {
            Half::Whole => v,
            Half::Low | Half::High if planted!(HalfLoadClears) => {
                if half == Half::Low {
                    v & 0xffff
                } else {
                    v << 16
                }
            }
            Half::Low => cell.get() & 0xffff_0000 | v & 0xffff,
            Half::High if planted!(HighLoadedLow) => cell.get() & 0xffff_0000 | v & 0xffff,
            Half::High => cell.get() & 0xffff | v << 16,
        });
    }
}

/// Memory that a lane reads and writes at byte addresses.
pub(super) trait Bytes {
    fn load_u8(&mut self, at: u64) -> Result<u8, Fault>;
    fn load_u16(&mut self, at: u64) -> Result<u16, Fault>;
    fn load_words(&mut self, at: u64, out: &mut [u32]) -> Result<(), Fault>;
    fn store_u8(&mut self, at: u64, v: u8) -> Result<(), Fault>;
    fn store_u16(&mut self, at: u64, v: u16) -> Result<(), Fault>;
    fn store_words(&mut self, at: u64, words: &[u32]) -> Result<(), Fault>;
    /// Applies an operation to 32 or 64 bits, and gives what they were.
    fn modify(&mut self, at: u64, atomic: &Atomic, operands: (u64, u64), floats: FloatRules) -> Result<u64, Trouble>;

    /// Loads what a lane moves into its registers. Words are all read before the first is written.
    #[inline(always)]
    fn load(&mut self, at: u64, item: Item, half: Half, file: File<'_>, dst: u32, lane: u32) -> Result<(), Fault> {
        let Item::Words(count) = item else {
            let v = self.load_narrow(at, item)?;
            file.set_half(dst, lane, half, v);
            return Ok(());
        };
        let mut words = [0; 4];
        let words = &mut words[..usize::from(count.min(4))];
        self.load_words(at, words)?;
        for (n, word) in (0..).zip(words) {
            file.set(dst, n, lane, *word);
        }
        Ok(())
    }

    /// Loads a byte or a half, extended. (Or a word.)
    #[inline(always)]
    fn load_narrow(&mut self, at: u64, item: Item) -> Result<u32, Fault> {
        Ok(match item {
            Item::U8 => u32::from(self.load_u8(at)?),
            Item::I8 if planted!(LoadSignLost) => u32::from(self.load_u8(at)?),
            Item::I8 => self.load_u8(at)? as i8 as u32,
            Item::U16 => u32::from(self.load_u16(at)?),
            Item::I16 if planted!(LoadSignLost16) => u32::from(self.load_u16(at)?),
            Item::I16 => self.load_u16(at)? as i16 as u32,
            Item::Words(_) => {
                let mut word = [0];
                self.load_words(at, &mut word)?;
                word[0]
            }
        })
    }

    /// Stores what a lane moves from its registers.
    #[inline(always)]
    fn store(&mut self, at: u64, item: Item, half: Half, file: File<'_>, data: u32, lane: u32) -> Result<(), Fault> {
        let first = file.get(data, 0, lane);
        let v = if half == Half::High && !planted!(HighStoredLow) { first >> 16 } else { first };
        match item {
            Item::U8 | Item::I8 => self.store_u8(at, v as u8),
            Item::U16 | Item::I16 => self.store_u16(at, v as u16),
            Item::Words(count) => {
                let words: [u32; 4] =
                    std::array::from_fn(|n| if n < usize::from(count) { file.get(data, n as u32, lane) } else { 0 });
                self.store_words(
                    at,
                    &words[..usize::from(if count == 3 && planted!(ThreeWordsFour) { 4 } else { count.min(4) })],
                )
            }
        }
    }
}

impl Bytes for View<'_> {
    #[inline(always)]
    fn load_u8(&mut self, at: u64) -> Result<u8, Fault> {
        View::load_u8(self, at)
    }
    #[inline(always)]
    fn load_u16(&mut self, at: u64) -> Result<u16, Fault> {
        View::load_u16(self, at)
    }
    #[inline(always)]
    fn load_words(&mut self, at: u64, out: &mut [u32]) -> Result<(), Fault> {
        // Two words which a 64-bit atomic may write are read as one.
        if let (&mut [ref mut low, ref mut high], true) = (&mut *out, at & 7 == 0) {
            let both = View::load_u64(self, at)?;
            (*low, *high) = (both as u32, (both >> 32) as u32);
            return Ok(());
        }
        View::load_words(self, at, out)
    }
    #[inline(always)]
    fn store_u8(&mut self, at: u64, v: u8) -> Result<(), Fault> {
        View::store_u8(self, at, v)
    }
    #[inline(always)]
    fn store_u16(&mut self, at: u64, v: u16) -> Result<(), Fault> {
        View::store_u16(self, at, v)
    }
    #[inline(always)]
    fn store_words(&mut self, at: u64, words: &[u32]) -> Result<(), Fault> {
        if let (&[low, high], true) = (words, at & 7 == 0) {
            return View::store_u64(self, at, u64::from(low) | u64::from(high) << 32);
        }
        View::store_words(self, at, words)
    }
    #[inline(always)]
    fn modify(&mut self, at: u64, atomic: &Atomic, operands: (u64, u64), floats: FloatRules) -> Result<u64, Trouble> {
        let (data, other) = atomic.order(operands.0, operands.1);
        Ok(atomic.op.run(atomic.width, self, at, data, other, floats)?)
    }
}

/// LDS under the rules of one instruction. It never faults.
pub(super) struct Share<'a> {
    pub(super) lds: &'a mut Lds,
    pub(super) rules: Rules,
}

impl Share<'_> {
    /// What instructions which M0 does not limit see: it holds an address for them.
    pub(super) fn unlimited<'a>(lds: &'a mut Lds, target: &Target) -> Share<'a> {
        let rules = Rules::new(target, u32::MAX, lds.bytes());
        Share { lds, rules }
    }
}

impl Bytes for Share<'_> {
    #[inline(always)]
    fn load_u8(&mut self, at: u64) -> Result<u8, Fault> {
        Ok(self.lds.load_u8(&self.rules, at as u32))
    }
    #[inline(always)]
    fn load_u16(&mut self, at: u64) -> Result<u16, Fault> {
        Ok(self.lds.load_u16(&self.rules, at as u32))
    }
    #[inline(always)]
    fn load_words(&mut self, at: u64, out: &mut [u32]) -> Result<(), Fault> {
        match out {
            [word] => *word = self.lds.load_u32(&self.rules, at as u32),
            _ => self.lds.load_words(&self.rules, at as u32, out),
        }
        Ok(())
    }
    #[inline(always)]
    fn store_u8(&mut self, at: u64, v: u8) -> Result<(), Fault> {
        self.lds.store_u8(&self.rules, at as u32, v);
        Ok(())
    }
    #[inline(always)]
    fn store_u16(&mut self, at: u64, v: u16) -> Result<(), Fault> {
        self.lds.store_u16(&self.rules, at as u32, v);
        Ok(())
    }
    #[inline(always)]
    fn store_words(&mut self, at: u64, words: &[u32]) -> Result<(), Fault> {
        match words {
            [word] => self.lds.store_u32(&self.rules, at as u32, *word),
            _ => self.lds.store_words(&self.rules, at as u32, words),
        }
        Ok(())
    }
    #[inline(always)]
    fn modify(&mut self, at: u64, atomic: &Atomic, operands: (u64, u64), floats: FloatRules) -> Result<u64, Trouble> {
        let (at, (data, other)) = (at as u32, atomic.order(operands.0, operands.1));
        Ok(match atomic.width {
            Width::W32 => {
                let new = |mem| atomic.op.apply_u32(mem, data as u32, other as u32, floats);
                let old = self.lds.rmw_u32(&self.rules, at, new)?;
                u64::from(if planted!(AtomicReturnsNew) { new(old) } else { old })
            }
            Width::W64 => self.lds.rmw_u64(&self.rules, at, |mem| atomic.op.apply_u64(mem, data, other, floats))?,
        })
    }
}

/// An operand of an atomic, or its result: one register or two.
#[inline(always)]
pub(super) fn operand(file: File<'_>, at: u32, width: Width, lane: u32) -> u64 {
    match width {
        Width::W32 => u64::from(file.get(at, 0, lane)),
        Width::W64 => file.get64(at, lane),
    }
}

/// Writes the result of an atomic.
#[inline(always)]
pub(super) fn result(file: File<'_>, at: u32, width: Width, lane: u32, v: u64) {
    file.set(at, 0, lane, v as u32);
    if width == Width::W64 && !planted!(WideResultCut) {
        file.set(at, 1, lane, (v >> 32) as u32);
    }
}

/// The operands of a memory atomic, which lie behind each other.
#[inline(always)]
pub(super) fn operands(file: File<'_>, data: u32, atomic: &Atomic, lane: u32) -> (u64, u64) {
    let second = data + if atomic.width == Width::W64 && !planted!(SecondOperandNext) { 2 * STRIDE } else { STRIDE };
    let other = if atomic.operands() > 1 { operand(file, second, atomic.width, lane) } else { 0 };
    (operand(file, data, atomic.width, lane), other)
}
