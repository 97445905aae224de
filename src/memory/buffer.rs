//! Buffer descriptors: the four words of a V#, the address of an access, and which of its bytes are in range.
//!
//! A lane's access has an *index* (of a record) and an *offset* (into the record, or into the whole buffer). They give a *buffer
//! offset*, linear (`stride * index + offset`) or swizzled (records of neighbouring lanes interleaved), and that is added to base and
//! soffset. Whether the access is in range is another question with another answer in every generation, and it is mostly not asked
//! about the address at all: see [`Descriptor::in_range`].
//!
//! What is out of range is no fault: loads return 0, stores are dropped. An address in range may still be unmapped, which is one.
//!
//! Alignment is that which Linux drivers program (`SH_MEM_CONFIG` mode unaligned from gfx7, gfx6 has no modes).
//! Tried and dropped: a table of range rules by (generation, mode). They share too little; one `match` reads better.

mod common;

pub use common::Common;

use super::format::Select;
use super::guest::ADDRESS_MASK;
use crate::fault::planted;
use crate::isa::arch::{Gen, Target, Variants};

/// A descriptor whose effect is not known well enough to execute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// gfx12 scales the stride.
    #[error("STRIDE_SCALE {0} of a buffer descriptor is not supported")]
    StrideScale(u32),
    /// A reserved value of the swizzle field of gfx11.
    #[error("swizzle mode {0} of a buffer descriptor is reserved")]
    Swizzle(u32),
}

/// `OOB_SELECT` of gfx10 and later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OobSelect {
    /// 0: the index against the records, the offset against the stride.
    StructuredOffset,
    /// 1: the index against the records.
    Structured,
    /// 2: everything is in range if there are records.
    NotEmpty,
    /// 3: the offset against bytes.
    Raw,
}

/// What a generation compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    /// gfx6 and gfx7: a stride makes records.
    Gfx6,
    /// gfx8: a stride makes records where it is swizzled.
    Gfx8,
    /// gfx9: a stride makes records for accesses with an index.
    Gfx9,
    /// gfx10: as selected, first bytes only.
    Gfx10(OobSelect),
    /// gfx11 and gfx12: as selected, whole payload.
    Gfx11(OobSelect),
}

/// What alignment an access is forced to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Alignment {
    untyped: bool,
    formatted: bool,
}

/// A decoded V#.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// 48 bits.
    pub base: u64,
    /// Bytes from record to record for vector memory: 14 bits, 18 with `add_tid` on gfx8 and gfx9.
    pub stride: u32,
    /// Bytes or records: see [`Descriptor::in_range`].
    pub num_records: u32,
    /// The element size, where the buffer is swizzled.
    pub swizzle: Option<u32>,
    /// Records a swizzled block has: 8, 16, 32 or 64.
    pub index_stride: u32,
    /// The lane number is added to the index.
    pub add_tid: bool,
    /// Where the components of a formatted load come from.
    pub dst_sel: [Select; 4],
    /// The format as MTBUF would name it: `dfmt | nfmt << 4` up to gfx9, unified from gfx10.
    pub format: u32,
    /// Two bits: 0 for a buffer.
    pub kind: u32,
    /// A cache hint of gfx6-10.
    pub cache_swizzle: bool,
    /// The rule chosen on gfx10 and later.
    pub oob_select: Option<OobSelect>,
    /// gfx6 and gfx7 let a soffset beyond `num_records` pass. Off: code must avoid it. Switch it on to see whether code does.
    pub soffset_wraps: bool,
    /// All four words are zero.
    null: bool,
    /// 14 bits always: scalar loads know no `add_tid`.
    scalar_stride: u32,
    bounds: Bounds,
    align: Alignment,
}

/// How components are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// Each by itself: untyped loads and stores, dword by dword.
    Each,
    /// All or nothing: formatted accesses.
    Formatted,
    /// All or nothing: atomics.
    Atomic,
}

/// What one lane asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The index register's value, if the instruction has `idxen`.
    pub index: Option<u32>,
    /// The offset register's value, 0 without `offen`.
    pub offset: u32,
    /// The offset in the instruction.
    pub instruction: u32,
    /// The scalar offset.
    pub soffset: u32,
    /// The lane number in the wave.
    pub lane: u32,
    /// Bytes of one component: 1, 2 or 4. Of a packed format, the whole element.
    pub component: u32,
    /// How many components are moved: at most 8.
    pub count: u32,
    /// How they are judged.
    pub judge: Judge,
}

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first byte, 48 bits. Further components follow it unless the buffer is swizzled: see [`Descriptor::address`].
    pub address: u64,
    /// Bit n: component n is in range.
    pub valid: u8,
}

/// The sum of both offsets, as range checks see it.
#[inline(always)]
fn offsets(wraps: bool, offset: u32, instruction: u32) -> u64 {
    if wraps { u64::from(offset.wrapping_add(instruction)) } else { u64::from(offset) + u64::from(instruction) }
}

const fn bits(word: u32, low: u32, count: u32) -> u32 {
    word >> low & ((1 << count) - 1)
}

/// The address bits below an aligned component: those of a dword at most.
const fn low_bits(size: u32) -> u64 {
    match size {
        0 | 1 => 0,
        2 => 1,
        _ => 3,
    }
}

impl Descriptor {
    /// Takes the words apart as a processor does.
    ///
    /// # Errors
    /// The words ask for something whose effect is not known.
    pub fn decode(words: [u32; 4], target: &Target) -> Result<Descriptor, Unsupported> {
        let generation = target.generation();
        let [w0, w1, w2, w3] = words;
        let add_tid = bits(w3, 23, 1) != 0;
        let scalar_stride = bits(w1, 16, 14);
        // The format's place holds the upper bits of the stride there.
        let wide_stride = add_tid && matches!(generation, Gen::Gfx8 | Gen::Gfx9);
        let oob_select = (generation >= Gen::Gfx10).then(|| match bits(w3, 28, 2) {
            0 => OobSelect::StructuredOffset,
            1 => OobSelect::Structured,
            2 => OobSelect::NotEmpty,
            _ => OobSelect::Raw,
        });
        let selected = oob_select.unwrap_or(OobSelect::Raw);
        let swizzle = match generation {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => (w1 >> 31 != 0).then_some(2 << bits(w3, 19, 2)),
            Gen::Gfx9 | Gen::Gfx10 => (w1 >> 31 != 0).then_some(4),
            Gen::Gfx11 | Gen::Gfx12 => match w1 >> 30 {
                0 => None,
                1 => Some(4),
                3 => Some(if planted!(SwizzleElementGfx11) { 4 } else { 16 }),
                reserved => return Err(Unsupported::Swizzle(reserved)),
            },
        };
        let format = match generation {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 if wide_stride => bits(w3, 12, 3) << 4,
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 => bits(w3, 15, 4) | bits(w3, 12, 3) << 4,
            Gen::Gfx10 => bits(w3, 12, 7),
            Gen::Gfx11 | Gen::Gfx12 => bits(w3, 12, 6),
        };
        if generation == Gen::Gfx12 && bits(w3, 18, 2) != 0 {
            return Err(Unsupported::StrideScale(bits(w3, 18, 2)));
        }
        Ok(Descriptor {
            base: u64::from(w0) | u64::from(w1 & if planted!(BaseNarrow) { 0 } else { 0xffff }) << 32,
            stride: scalar_stride | if wide_stride && !planted!(StrideNarrow) { bits(w3, 15, 4) << 14 } else { 0 },
            num_records: w2,
            swizzle,
            index_stride: 8 << bits(w3, 21, 2),
            add_tid,
            dst_sel: std::array::from_fn(|n| Select::decode(bits(w3, 3 * n as u32, 3))),
            format,
            kind: w3 >> 30,
            cache_swizzle: generation <= Gen::Gfx10 && bits(w1, 30, 1) != 0,
            oob_select,
            soffset_wraps: false,
            null: words == [0; 4],
            scalar_stride,
            bounds: match generation {
                Gen::Gfx6 | Gen::Gfx7 => Bounds::Gfx6,
                Gen::Gfx8 => Bounds::Gfx8,
                Gen::Gfx9 => Bounds::Gfx9,
                Gen::Gfx10 => Bounds::Gfx10(selected),
                Gen::Gfx11 | Gen::Gfx12 => Bounds::Gfx11(selected),
            },
            align: Alignment {
                untyped: target.is(Variants::G6),
                formatted: generation == Gen::Gfx6 || generation >= Gen::Gfx10,
            },
        })
    }

    /// Whether there is a buffer at all. Without one loads return 0, stores and atomics do nothing. `typed`: the instruction (MTBUF)
    /// brings its format along.
    #[must_use]
    pub fn bound(&self, typed: bool) -> bool {
        let invalid = match self.bounds {
            Bounds::Gfx6 | Bounds::Gfx8 | Bounds::Gfx9 => self.format & 15 == 0,
            Bounds::Gfx10(_) | Bounds::Gfx11(_) => self.format == 0,
        };
        self.kind == 0
            && (!self.null || planted!(NullBound))
            && (typed || !invalid || self.add_tid || planted!(InvalidBound))
    }

    /// Where an access goes and what of it is in range.
    #[must_use]
    #[inline]
    pub fn place(&self, access: &Access) -> Place {
        Place { address: self.address(access, 0), valid: self.in_range(access) }
    }

    /// The record: what the lane supplies, and the lane itself.
    #[inline]
    fn index(&self, access: &Access) -> u32 {
        let lane = if self.add_tid && !planted!(AddTidIgnored) { access.lane } else { 0 };
        access.index.unwrap_or(0).wrapping_add(lane)
    }

    /// The bytes from base and soffset to a byte at `offset` in or behind record `index`.
    #[inline]
    fn buffer_offset(&self, index: u32, offset: u64) -> u64 {
        let Some(element) = self.swizzle.filter(|_| !planted!(SwizzleIgnored)) else {
            return u64::from(index.wrapping_mul(self.stride)) + offset;
        };
        let half = u32::from(planted!(SwizzleBlockHalf));
        let (block, element) = (u64::from(self.index_stride >> half), u64::from(element));
        let (index_msb, index_lsb) = (index / self.index_stride, u64::from(index % self.index_stride));
        let outer = u64::from(index_msb.wrapping_mul(self.stride))
            + offset / element * if planted!(SwizzleElementFour) { 4 } else { element };
        outer * block + index_lsb * element + offset % element
    }

    /// The address of byte `byte` of an access, 48 bits, with the low bits dropped that this processor ignores.
    #[must_use]
    #[inline]
    pub fn address(&self, access: &Access, byte: u32) -> u64 {
        let offset = u64::from(access.offset.wrapping_add(access.instruction)) + u64::from(byte);
        let address = self.base + u64::from(access.soffset) + self.buffer_offset(self.index(access), offset);
        let forced = match access.judge {
            Judge::Each | Judge::Atomic => self.align.untyped,
            Judge::Formatted => self.align.formatted,
        };
        let drop = if forced { low_bits(access.component) } else { 0 };
        address & ADDRESS_MASK & !drop
    }

    /// The components in range, as bits.
    #[must_use]
    #[inline]
    pub fn in_range(&self, access: &Access) -> u8 {
        let count = access.count.min(8);
        let all = ((1u32 << count) - 1) as u8;
        let mut valid = 0;
        for n in 0..count {
            valid |= u8::from(self.component_in_range(access, n * access.component)) << n;
        }
        match access.judge {
            Judge::Each if valid != all && planted!(UntypedWhole) => 0,
            Judge::Each => valid,
            Judge::Formatted if planted!(FormattedInPart) => valid,
            Judge::Formatted | Judge::Atomic if valid == all => all,
            Judge::Formatted | Judge::Atomic => 0,
        }
    }

    /// Whether a negative offset register and a positive offset in the instruction may meet in range. They may from gfx9. Before, it is
    /// the check of swizzled buffers that fails, which is what scratch is to LLVM; ACO folds offsets of others on every generation.
    #[inline]
    fn wraps(&self) -> bool {
        self.swizzle.is_none() || !matches!(self.bounds, Bounds::Gfx6 | Bounds::Gfx8) || planted!(WrapsEverywhere)
    }

    /// Whether the component that begins at byte `byte` is in range. Sums over components are taken in 64 bits: they never wrap into range.
    fn component_in_range(&self, access: &Access, byte: u32) -> bool {
        let offset = offsets(self.wraps(), access.offset, access.instruction) + u64::from(byte);
        let end = offset + u64::from(access.component);
        let (records, stride) = (u64::from(self.num_records), u64::from(self.stride));
        let index = self.index(access);
        let bytes = self.bytes_left(access.soffset);
        let record = index < self.num_records;
        // An access with neither index nor lane has no record to leave.
        let inside = access.index.is_none() && !self.add_tid || offset < stride;
        match self.bounds {
            Bounds::Gfx6 if stride == 0 => offset < bytes,
            Bounds::Gfx6 if planted!(Gfx6BytesChecked) => offset < bytes,
            Bounds::Gfx6 => record && inside,
            Bounds::Gfx8 if stride != 0 && self.swizzle.is_some() && !planted!(Gfx8SwizzleBytes) => record && inside,
            Bounds::Gfx8 => self.buffer_offset(index, offset) < bytes,
            // Silicon: this pair switches the check off.
            Bounds::Gfx9 if stride == 0 && records == 0 && !planted!(Gfx9EmptyChecked) => true,
            Bounds::Gfx9 if stride == 0 || access.index.is_none() => self.buffer_offset(index, offset) < bytes,
            Bounds::Gfx9 => record && (offset < stride || !planted!(Gfx9OffsetChecked)),
            Bounds::Gfx10(OobSelect::NotEmpty) if planted!(NotEmptyNever) => false,
            Bounds::Gfx10(select) => match select {
                OobSelect::StructuredOffset => record && (offset < stride || planted!(StructuredOffsetUnchecked)),
                OobSelect::Structured => record,
                OobSelect::NotEmpty => records != 0,
                OobSelect::Raw if self.swizzle.is_some() => self.buffer_offset(index, offset) < bytes,
                OobSelect::Raw if planted!(Gfx10Payload) => end <= bytes,
                OobSelect::Raw if planted!(Gfx10RawIndexed) => self.buffer_offset(index, offset) < bytes,
                OobSelect::Raw => offset < bytes,
            },
            Bounds::Gfx11(OobSelect::NotEmpty) if planted!(NotEmptyNever) => false,
            Bounds::Gfx11(select) => match select {
                OobSelect::StructuredOffset => record && (end <= stride || planted!(StructuredOffsetUnchecked11)),
                OobSelect::Structured => record,
                OobSelect::NotEmpty => records != 0,
                OobSelect::Raw if self.swizzle.is_some() && stride != 0 => record && end <= stride,
                OobSelect::Raw => end <= bytes || offset < bytes && planted!(Gfx11FirstByte),
            },
        }
    }

    /// The bytes behind base and soffset, where records are bytes.
    #[inline]
    fn bytes_left(&self, soffset: u32) -> u64 {
        let left = match self.bounds {
            Bounds::Gfx6 if self.soffset_wraps => self.num_records.wrapping_sub(soffset),
            Bounds::Gfx6 | Bounds::Gfx8 | Bounds::Gfx9 | Bounds::Gfx10(_) | Bounds::Gfx11(_) => {
                if planted!(SoffsetUnchecked) { self.num_records } else { self.num_records.saturating_sub(soffset) }
            }
        };
        u64::from(left)
    }

    /// As an access without an index sees it: from gfx9 on, it is linear where lanes have no numbers either (see
    /// [`choices`](super::choices)).
    #[inline(always)]
    pub fn without_index(&mut self, generation: Gen) {
        if generation >= Gen::Gfx9 && !self.add_tid {
            self.swizzle = None;
        }
    }

    /// The address of `addr64` (gfx6 and gfx7) for components of `size` bytes: no range, no swizzle. All 64 bits: a pointer may be
    /// non-canonical.
    #[must_use]
    pub fn address64(&self, pointer: u64, offset: u32, soffset: u32, size: u32) -> u64 {
        let base = ((self.base << 16) as i64 >> 16) as u64;
        let address = base.wrapping_add(pointer).wrapping_add(u64::from(offset)).wrapping_add(u64::from(soffset));
        if self.align.untyped { address & !low_bits(size) } else { address }
    }

    /// The address of part `n` of a scalar load of `size` bytes a part, `None` if it is out of range and reads 0. Base and offset lose
    /// their low bits each; the stride matters for the bound only.
    #[must_use]
    pub fn scalar(&self, offset: u32, size: u32, n: u32) -> Option<u64> {
        let drop = low_bits(size);
        let offset = (u64::from(offset) & !drop) + u64::from(n) * u64::from(size);
        let limit = u64::from(if planted!(ScalarStrideIgnored) { 1 } else { self.scalar_stride.max(1) })
            * u64::from(self.num_records);
        (offset < limit || planted!(ScalarUnbounded)).then_some(((self.base & !drop) + offset) & ADDRESS_MASK)
    }
}

#[cfg(test)]
mod tests;
