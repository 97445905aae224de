//! What an access to a buffer is for all lanes, which differ in index, offset and number: the short way for a wave.
//!
//! The rules of [`Descriptor::in_range`] come down to three comparisons, of the index, of the offset, and of the buffer offset, each with a
//! limit that follows from the descriptor; one that a generation does not make has a limit which nothing reaches. So the loop over
//! the lanes asks nothing that is the same for all of them.

use super::{Bounds, Descriptor, Judge, OobSelect, low_bits, offsets};
use crate::memory::guest::ADDRESS_MASK;

/// An access to a buffer, without what lanes differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Common {
    /// Where record 0 begins.
    base: u64,
    stride: u32,
    /// The first index out of range.
    indices: u64,
    /// The first offset out of range.
    offsets: u64,
    /// The first buffer offset out of range.
    bytes: u64,
    /// What a lane's number is multiplied by, to be added to the index.
    lane: u32,
    /// The offset in the instruction.
    instruction: u32,
    wraps: bool,
    /// The records of a block, and the bytes of an element, as powers of two, where records are interleaved.
    swizzle: Option<(u32, u32)>,
    /// Low bits of the address that are dropped.
    drop: u64,
}

/// Nothing is out of range.
const ALL: u64 = u64::MAX;

impl Descriptor {
    /// What lanes have in common: the scalar offset, the offset in the instruction, the bytes of a component, how it is judged, and
    /// whether there is an index.
    #[must_use]
    pub fn common(&self, soffset: u32, instruction: u32, component: u32, judge: Judge, indexed: bool) -> Common {
        let (stride, records) = (u64::from(self.stride), u64::from(self.num_records));
        let left = self.bytes_left(soffset);
        // The last first byte of a payload that ends at a limit, plus one.
        let payload = |limit: u64| (limit + 1).saturating_sub(u64::from(component));
        // An access with neither index nor lane has no record to leave.
        let inside = |limit: u64| if indexed || self.add_tid { limit } else { ALL };
        let (indices, offsets, bytes) = match self.bounds {
            Bounds::Gfx6 if stride == 0 => (ALL, left, ALL),
            Bounds::Gfx6 => (records, inside(stride), ALL),
            Bounds::Gfx8 if stride != 0 && self.swizzle.is_some() => (records, inside(stride), ALL),
            Bounds::Gfx8 => (ALL, ALL, left),
            Bounds::Gfx9 if stride == 0 && records == 0 => (ALL, ALL, ALL),
            Bounds::Gfx9 if stride == 0 || !indexed => (ALL, ALL, left),
            // Silicon: the index alone.
            Bounds::Gfx9 => (records, ALL, ALL),
            Bounds::Gfx10(OobSelect::StructuredOffset) => (records, stride, ALL),
            Bounds::Gfx10(OobSelect::Structured) | Bounds::Gfx11(OobSelect::Structured) => (records, ALL, ALL),
            Bounds::Gfx10(OobSelect::NotEmpty) | Bounds::Gfx11(OobSelect::NotEmpty) if records == 0 => (0, ALL, ALL),
            Bounds::Gfx10(OobSelect::NotEmpty) | Bounds::Gfx11(OobSelect::NotEmpty) => (ALL, ALL, ALL),
            Bounds::Gfx10(OobSelect::Raw) if self.swizzle.is_some() => (ALL, ALL, left),
            Bounds::Gfx10(OobSelect::Raw) => (ALL, left, ALL),
            Bounds::Gfx11(OobSelect::StructuredOffset) => (records, payload(stride), ALL),
            Bounds::Gfx11(OobSelect::Raw) if self.swizzle.is_some() && stride != 0 => (records, payload(stride), ALL),
            Bounds::Gfx11(OobSelect::Raw) => (ALL, payload(left), ALL),
        };
        let forced = match judge {
            Judge::Each | Judge::Atomic => self.align.untyped,
            Judge::Formatted => self.align.formatted,
        };
        Common {
            base: self.base + u64::from(soffset),
            stride: self.stride,
            indices,
            offsets,
            bytes,
            lane: u32::from(self.add_tid),
            instruction,
            wraps: self.wraps(),
            swizzle: self.swizzle.map(|element| (self.index_stride.trailing_zeros(), element.trailing_zeros())),
            drop: if forced { low_bits(component) } else { 0 },
        }
    }
}

impl Common {
    /// The address of the component at a byte of a lane's access, and whether it is in range; index and offset are those of registers.
    #[must_use]
    #[inline(always)]
    pub fn at(&self, lane: u32, index: u32, offset: u32, byte: u32) -> (u64, bool) {
        let index = index.wrapping_add(lane * self.lane);
        let judged = offsets(self.wraps, offset, self.instruction) + u64::from(byte);
        let offset = u64::from(offset.wrapping_add(self.instruction)) + u64::from(byte);
        let inside = (u64::from(index) < self.indices)
            & (judged < self.offsets)
            & (self.bytes == ALL || self.buffer_offset(index, judged) < self.bytes);
        ((self.base + self.buffer_offset(index, offset)) & ADDRESS_MASK & !self.drop, inside)
    }

    /// As [`Descriptor`] has it.
    #[inline(always)]
    fn buffer_offset(&self, index: u32, offset: u64) -> u64 {
        let Some((block, element)) = self.swizzle else {
            return u64::from(index.wrapping_mul(self.stride)) + offset;
        };
        let (in_block, in_element) = ((1u32 << block) - 1, (1u64 << element) - 1);
        let outer = u64::from((index >> block).wrapping_mul(self.stride)) + (offset & !in_element);
        (outer << block) + (u64::from(index & in_block) << element) + (offset & in_element)
    }
}
