//! Vertex fetches: records of a buffer through a format.
//!
//! A record begins at index times stride; the element at the offset of the instruction behind it. Bytes beyond the buffer are zero, each
//! element as a whole. The formats are layouts of [`memory::format`](crate::memory::format) under this machine's numbers.

use super::Fault;
use super::kernel::{LANES, each};
use crate::memory::format::{Format, Kind, LAYOUTS, Layout};

/// Records of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// What lies in it.
    pub bytes: Vec<u8>,
    /// Bytes from a record to the next.
    pub stride: u32,
    /// The format for instructions that name none (USE_CONST_FIELDS).
    pub format: Option<Element>,
}

/// A format as instructions and constants name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Element {
    /// DATA_FORMAT.
    pub data: u32,
    /// NUM_FORMAT_ALL: normalised, integer, scaled.
    pub number: u32,
    /// FORMAT_COMP_ALL.
    pub signed: bool,
    /// SRF_MODE_ALL: signed normalised numbers have no zero.
    pub no_zero: bool,
    /// ENDIAN_SWAP: none, bytes of 16 bits, bytes of 32 bits.
    pub swap: u32,
}

static BYTES_3: Layout = Layout { bits: [8, 8, 8, 0] };
static HALVES_3: Layout = Layout { bits: [16, 16, 16, 0] };
static BITS_565: Layout = Layout { bits: [5, 6, 5, 0] };
static BITS_1555: Layout = Layout { bits: [5, 5, 5, 1] };
static BITS_4444: Layout = Layout { bits: [4, 4, 4, 4] };

impl Element {
    /// The format: layout and kind.
    ///
    /// # Errors
    /// No format of buffers has this number.
    pub fn format(self) -> Result<Format, Fault> {
        // By number: the layout, and whether its components are floats. Numbers are those of the drivers; the manual has none.
        let (layout, float) = match self.data {
            1 => (&LAYOUTS[1], false),
            5 => (&LAYOUTS[2], false),
            6 => (&LAYOUTS[2], true),
            7 => (&LAYOUTS[3], false),
            8 => (&BITS_565, false),
            10 => (&BITS_1555, false),
            11 => (&BITS_4444, false),
            13 => (&LAYOUTS[4], false),
            14 => (&LAYOUTS[4], true),
            15 => (&LAYOUTS[5], false),
            16 => (&LAYOUTS[5], true),
            25 => (&LAYOUTS[9], false),
            26 => (&LAYOUTS[10], false),
            29 => (&LAYOUTS[11], false),
            30 => (&LAYOUTS[11], true),
            31 => (&LAYOUTS[12], false),
            32 => (&LAYOUTS[12], true),
            34 => (&LAYOUTS[14], false),
            35 => (&LAYOUTS[14], true),
            44 => (&BYTES_3, false),
            45 => (&HALVES_3, false),
            46 => (&HALVES_3, true),
            47 => (&LAYOUTS[13], false),
            48 => (&LAYOUTS[13], true),
            number => return Err(Fault::Format { number }),
        };
        let kind = match (float, self.number, self.signed) {
            (true, ..) => Kind::Float,
            (_, 0, false) => Kind::Unorm,
            (_, 0, true) if self.no_zero => Kind::SnormOgl,
            (_, 0, true) => Kind::Snorm,
            (_, 1, false) => Kind::Uint,
            (_, 1, true) => Kind::Sint,
            (_, 2, false) => Kind::Uscaled,
            (_, 2, true) => Kind::Sscaled,
            _ => return Err(Fault::Unsupported { what: "number format 3 of a fetch" }),
        };
        Ok(Format { layout, kind, unsigned_alpha: false })
    }
}

impl Buffer {
    /// The components of elements at byte addresses, one for each lane of a mask; zeros where any byte of an element
    /// lies beyond the buffer.
    #[must_use]
    pub fn elements(&self, format: &Format, swap: u32, lanes: u64, at: impl Fn(usize) -> u64) -> [[u32; LANES]; 4] {
        elements(&self.bytes, format, swap, lanes, |lane| Some(at(lane))).0
    }
}

/// The components of elements at byte addresses, one for each lane of a mask; then the lanes that have none there, and
/// zeros.
pub(super) fn elements(
    bytes: &[u8],
    format: &Format,
    swap: u32,
    lanes: u64,
    at: impl Fn(usize) -> Option<u64>,
) -> ([[u32; LANES]; 4], u64) {
    let count = format.bytes() as usize;
    let mut words = [[0; LANES]; 4];
    let mut beyond = 0;
    for lane in each(lanes) {
        let from = at(lane).and_then(|at| usize::try_from(at).ok());
        let Some(from) = from.and_then(|from| bytes.get(from..from.checked_add(count)?)) else {
            beyond |= 1 << lane;
            continue;
        };
        let mut raw = [0; 16];
        raw[..count].copy_from_slice(from);
        match swap {
            1 => raw.chunks_exact_mut(2).for_each(<[u8]>::reverse),
            2 => raw.chunks_exact_mut(4).for_each(<[u8]>::reverse),
            _ => {}
        }
        for (words, raw) in words.iter_mut().zip(raw.as_chunks().0) {
            words[lane] = u32::from_le_bytes(*raw);
        }
    }
    let mut all = format.load_each(&words);
    for lane in each(beyond) {
        all.iter_mut().for_each(|words| words[lane] = 0);
    }
    (all, beyond)
}
