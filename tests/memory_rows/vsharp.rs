//! Buffer descriptors, the addresses of buffers and their ranges: MEMORY_FACTS 1 to 3.

use crate::chip::Chip;
use crate::state::{BASE, Spot, State};

/// A descriptor, as its fields.
#[derive(Clone, Copy)]
pub struct Vsharp {
    pub stride: u32,
    pub records: u32,
    /// The two bits of gfx11, one of which was there before: 1 swizzles elements of 4 bytes.
    pub swizzle: u32,
    /// Up to gfx8: elements of 2 << this.
    pub element: u32,
    /// 8 << this records are interleaved.
    pub index_stride: u32,
    pub add_tid: bool,
    /// From gfx10 on: what is compared.
    pub oob: u32,
    /// `dfmt | nfmt << 4`, or the number of gfx10 and later.
    pub format: u32,
    pub dst_sel: u32,
    /// All four words are zero.
    pub null: bool,
}

/// So many bytes.
pub const fn raw(records: u32) -> Vsharp {
    Vsharp {
        stride: 0,
        records,
        swizzle: 0,
        element: 1,
        index_stride: 0,
        add_tid: false,
        oob: 3,
        format: u32::MAX,
        dst_sel: 0xfac,
        null: false,
    }
}

/// What a lane asks a buffer for.
#[derive(Clone, Copy)]
pub struct Ask {
    pub index: Option<u32>,
    pub offset: u32,
    pub instruction: u32,
    pub soffset: u32,
    pub lane: u32,
    /// Bytes of what is judged by itself, and how many of these there are.
    pub component: u32,
    pub count: u32,
    /// All is done or nothing.
    pub together: bool,
}

impl Vsharp {
    /// The words of it.
    pub fn words(self, chip: Chip) -> [u32; 4] {
        if self.null {
            return [0; 4];
        }
        let g = chip.generation;
        let swizzle = if g >= 11 { self.swizzle << 30 } else { self.swizzle << 31 };
        // 32_FLOAT. With ADD_TID the place belongs to the stride on gfx8 and gfx9.
        let format = match (g, self.format) {
            (8 | 9, _) if self.add_tid => (self.stride >> 14 & 15) << 15,
            (10.., u32::MAX) => 22 << 12,
            (10.., format) => format << 12,
            (_, u32::MAX) => 4 << 15 | 7 << 12,
            (_, format) => (format & 15) << 15 | format >> 4 << 12,
        };
        let element = if g <= 8 { self.element << 19 } else { 0 };
        let oob = if g >= 10 { self.oob << 28 } else { 0 };
        let add_tid = u32::from(self.add_tid) << 23;
        [
            BASE as u32,
            (BASE >> 32) as u32 | (self.stride & 0x3fff) << 16 | swizzle,
            self.records,
            self.dst_sel | format | element | self.index_stride << 21 | add_tid | oob,
        ]
    }

    fn swizzled(self) -> bool {
        self.swizzle != 0
    }

    /// The stride that vector memory sees.
    fn pitch(self, chip: Chip) -> u32 {
        if self.add_tid && matches!(chip.generation, 8 | 9) { self.stride & 0x3_ffff } else { self.stride & 0x3fff }
    }

    fn index(self, ask: Ask) -> u32 {
        ask.index.unwrap_or(0).wrapping_add(if self.add_tid { ask.lane } else { 0 })
    }

    /// The bytes from the base to a byte of a record.
    fn distance(self, chip: Chip, index: u32, offset: u64) -> u64 {
        let stride = self.pitch(chip);
        if !self.swizzled() {
            return u64::from(index.wrapping_mul(stride)) + offset;
        }
        let element: u64 = match (chip.generation, self.swizzle) {
            (..=8, _) => 2 << self.element,
            (11.., 3) => 16,
            _ => 4,
        };
        let records = 8u32 << self.index_stride;
        let block = u64::from((index / records).wrapping_mul(stride)) + offset / element * element;
        block * u64::from(records) + u64::from(index % records) * element + offset % element
    }

    /// Whether the component at some byte of an access is in range.
    fn covers(self, chip: Chip, ask: Ask, byte: u32) -> bool {
        if self.null {
            return false;
        }
        let index = self.index(ask);
        // The sum of both offsets wraps, but for swizzled buffers up to gfx8 (a choice).
        let sum = if self.swizzled() && chip.generation <= 8 {
            u64::from(ask.offset) + u64::from(ask.instruction)
        } else {
            ask.offset.wrapping_add(ask.instruction).into()
        };
        let (offset, stride) = (sum + u64::from(byte), self.pitch(chip));
        let (in_records, in_stride) = (index < self.records, offset < stride.into());
        // The scalar offset makes the buffer smaller (a choice).
        let bytes = u64::from(self.records.saturating_sub(ask.soffset));
        let end = offset + u64::from(ask.component);
        let indexed = ask.index.is_some();
        match (chip.generation, self.oob) {
            (6 | 7, _) if stride == 0 => offset < bytes,
            (6 | 7, _) => in_records && (!indexed && !self.add_tid || in_stride),
            (8, _) if self.swizzled() && stride != 0 => in_records && (!indexed && !self.add_tid || in_stride),
            (9, _) if indexed && stride != 0 => in_records,
            (9, _) if stride == 0 && self.records == 0 => true,
            (8 | 9, _) => self.distance(chip, index, offset) < bytes,
            (10, 0) => in_records && in_stride,
            (10, 3) if self.swizzled() => self.distance(chip, index, offset) < bytes,
            (10, 3) => offset < bytes,
            (_, 1) => in_records,
            (_, 2) => self.records != 0,
            (_, 3) if !self.swizzled() || stride == 0 => end <= bytes,
            _ => in_records && end <= stride.into(),
        }
    }

    /// The bytes of an access.
    pub fn spots(self, chip: Chip, ask: Ask) -> Vec<Spot> {
        let inside = |n: u32| self.covers(chip, ask, n * ask.component);
        let all = (0..ask.count).all(inside);
        let part = |n: u32| -> Vec<Spot> {
            if !inside(n) || ask.together && !all {
                return vec![None; ask.component as usize];
            }
            let offset = u64::from(ask.offset.wrapping_add(ask.instruction)) + u64::from(n * ask.component);
            let at = BASE + u64::from(ask.soffset) + self.distance(chip, self.index(ask), offset);
            State::guest(aligned(chip, at, ask.component), ask.component)
        };
        (0..ask.count).flat_map(part).collect()
    }
}

/// gfx6 drops the low bits of an address, those of a word at most.
pub fn aligned(chip: Chip, at: u64, component: u32) -> u64 {
    if chip.generation == 6 { at - at % u64::from(component.min(4)) } else { at }
}
