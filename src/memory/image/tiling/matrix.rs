//! The matrix of a block: which coordinate bits each bit of an offset is the XOR of.
//!
//! The tables write a matrix by its rows, `x4^y7^z1` for each bit of the offset. It is used by its columns: an offset is the XOR of the
//! columns of all coordinate bits that are set. Bits of coordinates above the block take part too in most modes, so whole coordinates
//! go in, not what is left of them inside a block.

use crate::fault::planted;
use std::cell::Cell;

/// Coordinate bits of x and y that can occur; higher ones are in no matrix.
const WIDE: usize = 12;
/// Bits of z that can occur.
const DEEP: usize = 8;
/// Bits of the sample that can occur.
const SAMPLE: usize = 4;

/// A row: the coordinate bits one bit of the offset is the XOR of. Bits 0 to 15 are those of x, then y, z and the sample.
pub(super) type Row = u64;

/// One coordinate bit as a row.
pub(super) const fn bit(axis: Axis, n: u32) -> Row {
    1 << (axis as u32 * 16 + n)
}

/// The coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
    Z,
    Sample,
}

/// Reads `x4^y7^z1`.
pub(super) fn row(text: &str) -> Option<Row> {
    let mut row = 0;
    for term in text.split('^') {
        let mut letters = term.chars();
        let (axis, limit) = match letters.next()? {
            'x' => (Axis::X, WIDE),
            'y' => (Axis::Y, WIDE),
            'z' => (Axis::Z, DEEP),
            's' => (Axis::Sample, SAMPLE),
            _ => return None,
        };
        let n = letters.as_str().parse::<u32>().ok().filter(|&n| (n as usize) < limit)?;
        row ^= bit(axis, n);
    }
    Some(row)
}

/// A matrix by its columns: entry n is what bit n of the coordinate flips in the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Columns {
    /// Of x.
    pub x: [u32; WIDE],
    /// Of y.
    pub y: [u32; WIDE],
    /// Of z.
    pub z: [u32; DEEP],
    /// Of the sample.
    pub sample: [u32; SAMPLE],
}

/// The XOR of the columns of the set bits. Without branches: coordinates of neighbouring texels would be mispredicted.
fn chosen(columns: &[u32], coordinate: u32) -> u32 {
    columns.iter().enumerate().fold(0, |sum, (n, &c)| sum ^ (c & (coordinate >> n & 1).wrapping_neg()))
}

impl Columns {
    /// From rows, the lowest bit of the offset first.
    pub(super) fn new(rows: &[Row]) -> Self {
        let column = |axis, n: usize| {
            let of = bit(axis, n as u32);
            rows.iter().take(32).enumerate().fold(0, |c, (b, row)| c | u32::from(row & of != 0) << b)
        };
        Columns {
            x: std::array::from_fn(|n| column(Axis::X, n)),
            y: std::array::from_fn(|n| column(Axis::Y, n)),
            z: std::array::from_fn(|n| column(Axis::Z, n)),
            sample: std::array::from_fn(|n| column(Axis::Sample, n)),
        }
    }

    /// The product: the offset of an element in its block, and above that (gfx6 to gfx8) in which tile split it lies.
    #[must_use]
    pub fn at(&self, x: u32, y: u32, z: u32, sample: u32) -> u32 {
        let (x, y) = if planted!(ImageMatrixNarrow) { (x & 0x3f, y & 0x3f) } else { (x, y) };
        chosen(&self.x, x) ^ chosen(&self.y, y) ^ chosen(&self.z, z) ^ chosen(&self.sample, sample)
    }

    /// The same along one axis, of many coordinates at once: the XOR over all axes is [`Columns::at`].
    #[must_use]
    #[inline(always)]
    pub fn along<const L: usize>(columns: &[u32], of: &[u32; L]) -> [u32; L] {
        let mut all = [0; L];
        // Most bits of most matrices are in no column.
        for (n, column) in columns.iter().enumerate().filter(|(_, column)| **column != 0) {
            for (to, of) in all.iter_mut().zip(of) {
                *to ^= if of & (1 << n) != 0 { *column } else { 0 };
            }
        }
        all
    }
}

/// What three bits of a coordinate flip in the offset, by the number that they are.
pub type Three = [u32; 8];

/// The columns of x and of y, three in a table, as far as there are any: an instruction of the host looks eight words up.
#[derive(Clone, Debug, Default)]
pub struct Threes {
    /// From the lowest bits of x on.
    pub x: Vec<Three>,
    /// From the lowest bits of y on.
    pub y: Vec<Three>,
}

impl Threes {
    pub(super) fn of(columns: &Columns) -> Threes {
        let tables = |columns: &[u32; WIDE]| {
            let used = columns.iter().rposition(|column| *column != 0).map_or(0, |last| last + 1);
            let three = |columns: &[u32]| std::array::from_fn(|n| chosen(columns, n as u32));
            columns[..used].chunks(3).map(three).collect()
        };
        Threes { x: tables(&columns.x), y: tables(&columns.y) }
    }
}

/// Who looks words up in tables for many lanes at once.
pub trait Lookup {
    /// XORs to each word what its lane has in tables: by its three lowest bits in the first one, by the next three in the second one.
    fn flip<const L: usize>(&self, all: &mut [u32; L], tables: &[Three], of: &[Cell<u32>; L]);
}

/// Any host.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Lookup for Portable {
    #[inline(always)]
    fn flip<const L: usize>(&self, all: &mut [u32; L], tables: &[Three], of: &[Cell<u32>; L]) {
        for (n, table) in tables.iter().enumerate() {
            for (to, of) in all.iter_mut().zip(of) {
                *to ^= table[(of.get() >> (3 * n) & 7) as usize];
            }
        }
    }
}
