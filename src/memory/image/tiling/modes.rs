//! The modes of gfx9 to gfx12, from the rows of `data`.
//!
//! A mode is one row: its number and name, whether it is for 2D or 3D images, bytes of an element, samples, the block, and the matrix.
//! Which modes a chip has is what the rows have; all else is refused.

use super::matrix::{Columns, row};

/// What a row says.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    /// `SW_MODE`.
    pub number: u32,
    /// The name the books give it, `64KB_D_X`.
    pub name: &'static str,
    /// For 2D and 1D images.
    pub flat: bool,
    /// For 3D images.
    pub volume: bool,
    pub bytes: u32,
    pub samples: u32,
    /// Width, height and depth of a block as powers of two.
    pub block: [u32; 3],
    /// Bytes of a block as a power of two.
    pub log2: u32,
    pub columns: Columns,
}

impl Mode {
    /// Bytes and samples.
    fn sizes(&self) -> [u32; 2] {
        [self.bytes, self.samples]
    }

    /// The pipe and bank bits of the base address are XORed to the offset in the block.
    pub fn xors(&self) -> bool {
        self.name.ends_with("_X") || self.name.ends_with("_T")
    }

    /// The order of depth buffers.
    pub fn depth(&self) -> bool {
        self.name.contains("_Z")
    }

    /// Blocks have depth.
    pub fn thick(&self) -> bool {
        self.block[2] > 0
    }
}

/// The power of two a number is.
fn log2(text: &str) -> Option<u32> {
    text.parse::<u32>().ok().filter(|n| n.is_power_of_two()).map(u32::ilog2)
}

/// `64x32` or `16x8x8`.
fn block(text: &str) -> Option<[u32; 3]> {
    let mut sides = text.split('x');
    let block = [log2(sides.next()?)?, log2(sides.next()?)?, sides.next().map_or(Some(0), log2)?];
    sides.next().is_none().then_some(block)
}

/// Reads the bits of a matrix, or finds the mode that has the same.
fn columns(text: &str, mode: &Mode, before: &[Mode]) -> Option<Columns> {
    if let Some(other) = text.strip_prefix("as ") {
        let same = |m: &&Mode| {
            m.name == other && (m.flat && mode.flat || m.volume && mode.volume) && m.sizes() == mode.sizes()
        };
        return Some(before.iter().find(same)?.columns);
    }
    let mut rows = vec![0; mode.bytes.ilog2() as usize];
    for bits in text.split(' ') {
        rows.push(row(bits)?);
    }
    (rows.len() == mode.log2 as usize).then(|| Columns::new(&rows))
}

/// Reads a line; `before` are the modes of the lines before it.
fn mode(words: [&'static str; 6], bits: &str, before: &[Mode]) -> Option<Mode> {
    let [number, name, dimension, bytes, samples, sides] = words;
    let (bytes, samples) = (1 << log2(bytes)?, 1 << log2(samples)?);
    let block = block(sides)?;
    let mut mode = Mode {
        number: number.parse().ok()?,
        name,
        flat: dimension.starts_with("2D"),
        volume: dimension.ends_with("3D"),
        bytes,
        samples,
        block,
        log2: block.iter().sum::<u32>() + bytes.ilog2() + samples.ilog2(),
        columns: Columns::default(),
    };
    mode.columns = columns(bits, &mode, before)?;
    Some(mode)
}

/// The modes a chip has by a text of rows.
pub(super) fn modes(text: &'static str, chip: &str) -> Vec<Mode> {
    let mut modes = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let (head, bits) = line.split_once(" : ").unwrap_or((line, ""));
        let mut words = head.split_ascii_whitespace();
        let fields = std::array::from_fn(|_| words.next().unwrap_or(""));
        let chips = words.next().unwrap_or("");
        if chips == "*" || chips.split(',').any(|c| c == chip) {
            let read = mode(fields, bits, &modes);
            debug_assert!(read.is_some(), "a row of modes: {line}");
            modes.extend(read);
        }
    }
    modes
}
