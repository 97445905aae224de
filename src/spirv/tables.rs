//! What shaders look up about images: formats, swizzle modes and tile tables of a processor, in a buffer of words.
//!
//! A descriptor is known when a wave comes to an instruction, and names formats and modes by numbers. The rows behind these are the data of
//! [`crate::memory::image`]; here they become words, and [`Tables`] says where. Only translations that look something up get them.

use crate::isa::{Gen, Target};
use crate::memory::format::Kind;
use crate::memory::image::chip;
use crate::memory::image::format::{Shape, TexelError, TexelFormat, blocks, srgb};
use crate::memory::image::sample::half_logarithm;
use crate::memory::image::tiling::{Chip, Columns, TAIL_PLACES};
use crate::spirv::lower::kind_number;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Where the tables of a processor lie in the buffer.
#[derive(Debug, Default)]
pub struct Tables {
    /// The buffer.
    pub words: Vec<u32>,
    /// Formats by number, [`FORMAT`] words each; up to gfx9 the numeric format is above the six bits of the data format.
    pub formats: u32,
    /// Formats that there are numbers for.
    pub format_count: u32,
    /// Where the row of a mode is, by mode, whether it is of a volume, bytes and samples: 0 where there is none. Up to gfx8 by tile index,
    /// bytes, samples, and [variant].
    pub modes: u32,
    /// Up to gfx8, [`tile`]s by their index.
    pub tiles: u32,
    /// The linear values of sRGB bytes.
    pub srgb: u32,
    /// The least linear value of each sRGB byte.
    pub srgb_steps: u32,
    /// The least f64 (two words), from 1 to 2, of each step of half its logarithm in 256ths; behind the last one the largest.
    pub log_steps: u32,
    /// Partitions of blocks: 64 words of two subsets, 64 of three, 64 with their anchors, a byte each.
    pub partitions: u32,
    /// Weights of end points, of two, three and four bits.
    pub weights: u32,
    /// Modes of BC7: eight counts, a nibble each, and two flags.
    pub modes_of_7: u32,
    /// Modes of BC6 by number: what there is and what it has, and where its fields are.
    pub modes_of_6: u32,
}

/// Words of a format: the bits of its fields, a byte each, and what [the module](mod@format) packs.
pub const FORMAT: u32 = 2;

/// Places in the second word of a format: the lowest bit and how many there are.
pub mod format {
    /// The kind of its components.
    pub const KIND: (u32, u32) = (0, 3);
    /// W is unsigned although the kind is signed.
    pub const UNSIGNED_ALPHA: (u32, u32) = (3, 1);
    /// See [`super::UNBOUND`] and [`super::REFUSED`].
    pub const STATE: (u32, u32) = (4, 2);
    /// See [`super::coding`].
    pub const CODING: (u32, u32) = (6, 3);
    /// Bytes of an element.
    pub const BYTES: (u32, u32) = (9, 5);
    /// The logarithm of the side of a block of texels.
    pub const BLOCK: (u32, u32) = (14, 2);
    /// It can be stored.
    pub const STORABLE: (u32, u32) = (16, 1);
    /// Bytes of an atomic.
    pub const ATOMIC: (u32, u32) = (17, 4);
    /// References of comparisons are clamped.
    pub const CLAMPS: (u32, u32) = (21, 1);
    /// Which coding of blocks it is: 1 to 7.
    pub const BLOCK_CODING: (u32, u32) = (22, 3);
    /// Whether that is sRGB, or signed.
    pub const BLOCK_VARIANT: (u32, u32) = (25, 1);
}

/// The format is INVALID: there is no image.
pub const UNBOUND: u32 = 1;
/// It is not executed.
pub const REFUSED: u32 = 2;

/// How elements are coded.
pub mod coding {
    /// Fields.
    pub const FIELDS: u32 = 0;
    /// Bytes on the curve of sRGB.
    pub const SRGB: u32 = 1;
    /// Depth and stencil.
    pub const DEPTH_STENCIL: u32 = 2;
    /// A shared exponent.
    pub const SHARED: u32 = 3;
    /// Blocks.
    pub const BLOCK: u32 = 4;
}

/// Words of a mode, by place.
pub mod mode {
    /// The logarithms of the sides of a block and of its bytes, a byte each.
    pub const BLOCK: u32 = 0;
    /// 0: XORs, 1: thick, 2 and 3: the logarithm of the bytes of a block modulo 3.
    pub const FLAGS: u32 = 1;
    /// Width and height of the largest level in a tail, a half each.
    pub const TAIL: u32 = 2;
    /// Its depth, and how many levels there may be.
    pub const TAIL_DEPTH: u32 = 3;
    /// Where the matrix is.
    pub const MATRIX: u32 = 4;
    /// Places in a tail.
    pub const PLACES: u32 = 5;
}

/// Words of a tile mode, by place.
pub mod tile {
    /// As of a [mode](super::mode::BLOCK).
    pub const BLOCK: u32 = 0;
    /// A nibble each: array mode, whether it is small, bits of the pipe, bits of the bank, slices of parts as a logarithm.
    pub const FLAGS: u32 = 1;
    /// Where the matrix is.
    pub const MATRIX: u32 = 2;
}

/// Columns of a matrix: bits of x, y, z and the sample.
pub const COLUMNS: [u32; 4] = [12, 12, 8, 4];
/// Bytes of elements of modes: powers of two, up to 16.
pub const SIZES: u32 = 5;
/// Samples of modes: powers of two, up to 8.
pub const SAMPLES: u32 = 4;
/// Modes, and tile indices.
pub const MODES: u32 = 32;
/// Forms of a tile mode in lower levels: as thick as it is, 4, 1; each as it is, and with tiles one behind the other.
pub const VARIANTS: u32 = 6;

/// The number of a form of a tile mode.
#[must_use]
pub fn variant(thickness: u32, simple: bool) -> u32 {
    2 * thickness + u32::from(simple)
}

impl Tables {
    /// The tables of a processor.
    #[must_use]
    pub fn of(target: &Target) -> Arc<Tables> {
        static ALL: Mutex<Option<HashMap<&'static str, Arc<Tables>>>> = Mutex::new(None);
        let mut all = ALL.lock().unwrap_or_else(|e| e.into_inner());
        let all = all.get_or_insert_with(HashMap::new);
        all.entry(target.arch.name).or_insert_with(|| Arc::new(Tables::new(target))).clone()
    }

    fn new(target: &Target) -> Tables {
        let mut tables = Tables::default();
        // No table is at 0.
        tables.words.push(0);
        tables.put_formats(target);
        let chip = chip(target);
        if target.generation() <= Gen::Gfx8 {
            tables.put_tiles(chip);
        } else {
            tables.put_modes(chip);
        }
        tables.srgb = tables.end();
        tables.words.extend((0..=u8::MAX).map(srgb::linear));
        tables.srgb_steps = tables.end();
        tables.words.extend((0..=u8::MAX).map(least));
        tables.put_blocks();
        tables.log_steps = tables.end();
        tables.words.extend((1..=256).map(log_step).flat_map(|bits| [bits as u32, (bits >> 32) as u32]));
        tables
    }

    fn end(&self) -> u32 {
        self.words.len() as u32
    }

    fn put_formats(&mut self, target: &Target) {
        let pairs = target.generation() <= Gen::Gfx9;
        self.formats = self.end();
        self.format_count = if pairs { 64 * 16 } else { 512 };
        for number in 0..self.format_count {
            let format = match pairs {
                true => TexelFormat::decode_pair(number & 63, number >> 6, target),
                false => TexelFormat::decode(number, target),
            };
            self.words.extend(format_words(format));
        }
    }

    fn put_blocks(&mut self) {
        self.partitions = self.end();
        self.words.extend(blocks::partitions().concat());
        let anchors = |n| (0..).zip(blocks::anchors(n)).fold(0, |all, (n, v): (u32, u32)| all | v << (8 * n));
        self.words.extend((0..64).map(anchors));
        self.weights = self.end();
        self.words.extend(blocks::weights());
        self.modes_of_7 = self.end();
        for mode in blocks::modes_of_7() {
            let counts = (0..).zip(mode.counts).fold(0, |all, (n, v): (u32, u32)| all | v << (4 * n));
            self.words.extend([counts, u32::from(mode.each_end) | u32::from(mode.each_subset) << 1]);
        }
        self.modes_of_6 = self.end();
        self.words.resize(self.words.len() + 2 * 32, 0);
        for mode in blocks::modes_of_6() {
            let at = (self.modes_of_6 + 2 * mode.number) as usize;
            let given = (0..).zip(mode.given).fold(0, |all, (n, v): (u32, u32)| all | v << (12 + 4 * n));
            let flags = 1 | u32::from(mode.differences) << 1 | u32::from(mode.subsets == 2) << 2;
            self.words[at] = flags | mode.width << 4 | given | (mode.fields.len() as u32) << 24;
            self.words[at + 1] = self.end();
            self.words.extend(mode.fields.iter().map(|&(component, from, to)| {
                let (low, count) = (from.min(to), from.abs_diff(to) + 1);
                component as u32 | low << 4 | count << 9 | u32::from(from < to) << 14
            }));
        }
    }

    /// Puts a matrix, unless it is there.
    fn matrix(&mut self, columns: &Columns, known: &mut HashMap<Vec<u32>, u32>) -> u32 {
        let Columns { x, y, z, sample } = columns;
        let all: Vec<u32> = x.iter().chain(y).chain(z).chain(sample).copied().collect();
        if let Some(at) = known.get(&all) {
            return *at;
        }
        let at = self.end();
        self.words.extend(&all);
        known.insert(all, at);
        at
    }

    fn put_modes(&mut self, chip: &Chip) {
        self.modes = self.end();
        self.words.resize(self.words.len() + (MODES * 2 * SIZES * SAMPLES) as usize, 0);
        let mut known = HashMap::new();
        // The first row that serves is the one.
        for row in chip.mode_rows().iter().rev() {
            let matrix = self.matrix(&row.columns, &mut known);
            let at = self.end();
            let [width, height, depth] = row.tail;
            self.words.extend([
                block_word(row.block, row.log2),
                u32::from(row.xors) | u32::from(row.thick) << 1 | (row.log2 % 3) << 2,
                width | height << 16,
                depth | row.tail_levels << 16,
                matrix,
            ]);
            let places: [[u32; 2]; TAIL_PLACES] = row.tail_places;
            let gfx9 = |[x, y]: [u32; 2]| if y == 0 { x } else { x | y << 16 };
            self.words.extend(places.map(gfx9));
            for volume in [false, true] {
                if if volume { row.volume } else { row.flat } {
                    let n = mode_number(row.mode, volume, row.bytes, row.samples);
                    self.words[(self.modes + n) as usize] = at;
                }
            }
        }
    }

    fn put_tiles(&mut self, chip: &Chip) {
        self.tiles = self.end();
        let base = |index| {
            chip.tile_row(index, (4, 1), None, false).map_or(0, |(array, thickness, _)| 1 | array << 4 | thickness << 8)
        };
        self.words.extend((0..MODES).map(base));
        self.modes = self.end();
        self.words.resize(self.words.len() + (MODES * SIZES * SAMPLES * VARIANTS) as usize, 0);
        let mut known = HashMap::new();
        let mut rows: HashMap<[u32; 3], u32> = HashMap::new();
        let each = (0..MODES).flat_map(|index| (0..SIZES).map(move |size| (index, size)));
        for ((index, size), samples) in each.flat_map(|each| (0..SAMPLES).map(move |samples| (each, samples))) {
            for (n, thickness) in (0..).zip([None, Some(4), Some(1)]) {
                for simple in [false, true] {
                    let row = chip.tile_row(index, (1 << size, 1 << samples), thickness, simple);
                    let Some((_, _, Some(row))) = row else { continue };
                    let matrix = self.matrix(&row.columns, &mut known);
                    let flags = [row.array, row.small.into(), row.pipes, row.banks, row.splits.ilog2()];
                    let flags = (0..).zip(flags).fold(0, |all, (n, v)| all | v << (4 * n));
                    let words = [block_word(row.block, row.log2), flags, matrix];
                    let end = self.end();
                    let at = *rows.entry(words).or_insert(end);
                    if at == end {
                        self.words.extend(words);
                    }
                    let number = ((index * SIZES + size) * SAMPLES + samples) * VARIANTS + variant(n, simple);
                    self.words[(self.modes + number) as usize] = at;
                }
            }
        }
    }
}

/// The place of a mode among [`Tables::modes`].
fn mode_number(mode: u32, volume: bool, bytes: u32, samples: u32) -> u32 {
    ((mode * 2 + u32::from(volume)) * SIZES + bytes.ilog2()) * SAMPLES + samples.ilog2()
}

fn block_word([x, y, z]: [u32; 3], log2: u32) -> u32 {
    x | y << 8 | z << 16 | log2 << 24
}

/// The bits of the least f32 whose sRGB byte is so large: larger values have larger bytes.
fn least(byte: u8) -> u32 {
    let (mut low, mut high) = (0, 1.0f32.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        if srgb::byte(f32::from_bits(middle)) < byte { low = middle + 1 } else { high = middle }
    }
    low
}

/// The bits of the least number from 1 to 2 which half the logarithm of is so many 256ths; all ones where there is none.
fn log_step(step: i64) -> u64 {
    let (mut low, mut high) = (1.0f64.to_bits(), 2.0f64.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        if half_logarithm(f64::from_bits(middle)) < step { low = middle + 1 } else { high = middle }
    }
    if low == 2.0f64.to_bits() { u64::MAX } else { low }
}

/// The two words of a format.
fn format_words(format: Result<TexelFormat, TexelError>) -> [u32; FORMAT as usize] {
    let place = |(low, _): (u32, u32), v: u32| v << low;
    let format = match format {
        Ok(format) => format,
        Err(TexelError::Unbound) => return [0, place(format::STATE, UNBOUND)],
        Err(_) => return [0, place(format::STATE, REFUSED)],
    };
    let (coding, bits) = match format.shape() {
        Shape::Fields(bits) => (coding::FIELDS, bits),
        Shape::Srgb(bits) => (coding::SRGB, bits),
        Shape::DepthStencil => (coding::DEPTH_STENCIL, [0; 4]),
        Shape::SharedExponent => (coding::SHARED, [0; 4]),
        Shape::Block(..) => (coding::BLOCK, [0; 4]),
    };
    let (block, variant) = match format.shape() {
        Shape::Block(number, variant) => (number, variant),
        _ => (0, false),
    };
    let kind: Kind = format.kind();
    let info = [
        place(format::KIND, kind_number(kind)),
        place(format::UNSIGNED_ALPHA, format.unsigned_alpha().into()),
        place(format::CODING, coding),
        place(format::BYTES, format.bytes()),
        place(format::BLOCK, format.block().ilog2()),
        place(format::STORABLE, format.is_storable().into()),
        place(format::ATOMIC, format.atomic_bytes().unwrap_or(0)),
        place(format::CLAMPS, format.clamps_reference().into()),
        place(format::BLOCK_CODING, block),
        place(format::BLOCK_VARIANT, variant.into()),
    ];
    [u32::from_le_bytes(bits), info.iter().fold(0, |all, v| all | v)]
}
