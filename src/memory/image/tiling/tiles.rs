//! The tile tables of gfx6 to gfx8, and the matrices that follow from them.
//!
//! There a descriptor names an entry of `GB_TILE_MODE`, and what it amounts to depends on the element too. An entry has an *array mode*
//! (linear; 1D: 8x8 tiles one after the other; 2D and 3D: macro tiles, spread over pipes and banks; partly resident: macro tiles of 64 KB,
//! each for itself) and an order of the elements in a tile. A macro tile is made so, from the lowest bit of the offset up:
//!
//! 1. A tile (8x8 elements, of thick modes 4 or 8 deep, all samples) up to the *tile split*; what a tile has beyond lies elsewhere: see 5.
//! 2. The tiles of one bank: `bank_width` by `bank_height`. Of 1 and 2, the bits from 8 up come after the pipe and the bank.
//! 3. The pipe, from bit 8: bits of x and y, given by `PIPE_CONFIG`.
//! 4. The bank: XORs of the tile coordinates in units of what lies in one pipe and bank.
//! 5. The split: not an offset in the macro tile, but which of several slices the macro tile lies in. It turns the bank as well.

use super::matrix::{Axis, Columns, Row, bit, row};

/// What a tile table has in `ARRAY_MODE`, apart from the thickness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    Linear,
    /// Tiles one after the other.
    Tiles,
    /// Macro tiles, the bank turns from slice to slice.
    Macro2d,
    /// Macro tiles, the pipe turns from slice to slice.
    Macro3d,
    /// Macro tiles that know nothing of each other.
    Resident,
}

/// `GB_TILE_MODE`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    pub index: u32,
    pub array: Array,
    /// Slices in a tile: 1, 4 or 8.
    pub thickness: u32,
    /// Samples lie together, not the pixels of a sample.
    pub depth: bool,
    order: &'static str,
    config: u32,
    split: Split,
    /// On gfx6.
    bank: Option<Bank>,
}

/// Which bytes of a tile stay together.
#[derive(Clone, Copy, Debug)]
enum Split {
    Bytes(u32),
    /// One sample times this, at least 256 bytes.
    Samples(u32),
}

/// `GB_MACROTILE_MODE`.
#[derive(Clone, Copy, Debug)]
struct Bank {
    banks: u32,
    width: u32,
    height: u32,
    aspect: u32,
}

impl Tile {
    /// The same as a level has it that is too thin for its tiles, or (`simple`) too small for macro tiles.
    pub fn lower(&self, thickness: u32, simple: bool) -> Tile {
        let (array, most) = if simple { (Array::Tiles, 4) } else { (self.array, thickness) };
        Tile { array, thickness: thickness.min(most), ..*self }
    }
}

/// The tables of a chip.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Bytes of a row of the memory: no split is larger.
    row_size: u32,
    tiles: Vec<Tile>,
    macros: Vec<(u32, Bank)>,
    /// By `PIPE_CONFIG`.
    pipes: Vec<(u32, Vec<Row>)>,
    /// By name and bytes of an element.
    orders: Vec<(&'static str, u32, Vec<Row>)>,
}

/// How an array mode lays out elements of some size.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub array: Array,
    /// Width, height and depth of a block as powers of two.
    pub block: [u32; 3],
    /// Bytes of a block as a power of two.
    pub log2: u32,
    /// Slices the parts of a deep tile lie in.
    pub splits: u32,
    /// As powers of two; 0 where pipes and banks do not matter.
    pub pipes: u32,
    pub banks: u32,
    /// Too little for the pipes and banks: levels below the first are then 1D.
    pub small: bool,
    pub columns: Columns,
}

/// Reads an array mode.
fn array(text: &str) -> Option<(Array, u32)> {
    let (kind, rest) = text.split_once('_')?;
    let array = match kind {
        "LINEAR" => Array::Linear,
        "1D" => Array::Tiles,
        "2D" => Array::Macro2d,
        "3D" => Array::Macro3d,
        "PRT" => Array::Resident,
        _ => return None,
    };
    Some((array, if rest.ends_with("XTHICK") { 8 } else { 1 + 3 * u32::from(rest.ends_with("THICK")) }))
}

/// Reads `16 1 4 2`.
fn bank(words: &[&str]) -> Option<Bank> {
    let n = |i: usize| words.get(i)?.parse::<u32>().ok().filter(|n| n.is_power_of_two());
    Some(Bank { banks: n(0)?, width: n(1)?, height: n(2)?, aspect: n(3)? })
}

/// Reads the bits behind the colon.
fn rows(text: &str) -> Option<Vec<Row>> {
    text.split_ascii_whitespace().map(row).collect()
}

impl Tables {
    /// Reads a line into the tables of a chip.
    fn read(&mut self, line: &'static str, chip: &str) -> Option<()> {
        let (head, bits) = line.split_once(" : ").unwrap_or((line, ""));
        let words: Vec<&'static str> = head.split_ascii_whitespace().collect();
        match words[..] {
            ["pipes", config, _] => self.pipes.push((config.parse().ok()?, rows(bits)?)),
            ["micro", name, sizes] => {
                for bytes in sizes.split(',') {
                    self.orders.push((name, bytes.parse().ok()?, rows(bits)?));
                }
            }
            [_, other, ..] if other != chip => {}
            ["row", _, bytes] => self.row_size = bytes.parse().ok()?,
            ["macro", _, index, ref rest @ ..] => self.macros.push((index.parse().ok()?, bank(rest)?)),
            ["tile", _, index, mode, order, config, ref rest @ ..] => {
                let (array, thickness) = array(mode)?;
                let split = match rest.first() {
                    None => Split::Bytes(0),
                    Some(text) => match text.strip_prefix('x') {
                        Some(times) => Split::Samples(times.parse().ok()?),
                        None => Split::Bytes(text.parse().ok()?),
                    },
                };
                self.tiles.push(Tile {
                    index: index.parse().ok()?,
                    array,
                    thickness,
                    depth: order == "DEPTH",
                    order: if order == "DEPTH" { "NONDISP" } else { order },
                    config: config.parse().unwrap_or(0),
                    split,
                    bank: rest.get(1..).and_then(bank),
                });
            }
            _ => return None,
        }
        Some(())
    }

    /// The tables of a chip by a text of rows.
    pub fn new(text: &'static str, chip: &str) -> Self {
        let mut tables = Tables::default();
        for line in text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
            let read = tables.read(line, chip);
            debug_assert!(read.is_some(), "a row of tiles: {line}");
        }
        tables
    }

    /// The entry a descriptor names.
    pub fn tile(&self, index: u32) -> Option<&Tile> {
        self.tiles.iter().find(|t| t.index == index)
    }

    /// The bits of an element in its tile, from those inside the element up.
    fn order(&self, tile: &Tile, bytes: u32, samples: u32) -> Option<Vec<Row>> {
        let (_, _, pixels) = self.orders.iter().find(|(name, size, _)| *name == tile.order && *size == bytes)?;
        let mut bits = vec![0; bytes.checked_ilog2()? as usize];
        let sample = (0..samples.checked_ilog2()?).map(|n| bit(Axis::Sample, n));
        if tile.depth {
            bits.extend(sample.clone());
        }
        bits.extend(pixels);
        // The orders of thin modes serve thick ones too, slice by slice.
        let have = pixels.len() as u32 - 6;
        bits.extend((have..tile.thickness.ilog2()).map(|n| bit(Axis::Z, n)));
        if !tile.depth {
            bits.extend(sample);
        }
        Some(bits)
    }

    /// How the tiles of an entry lie for elements of so many bytes (a power of two) and samples.
    pub fn layout(&self, tile: &Tile, bytes: u32, samples: u32) -> Option<Macro> {
        // Evidence is there for samples in 2D thin modes and for depth of up to four bytes.
        let plain = tile.array == Array::Macro2d && tile.thickness == 1;
        if (samples > 1 && !plain) || (tile.depth && bytes > 4) {
            return None;
        }
        let order = self.order(tile, bytes, samples)?;
        if order.len() as u32 != (64 * tile.thickness * bytes * samples).ilog2() {
            return None;
        }
        match tile.array {
            Array::Linear => None,
            Array::Tiles => Some(Macro {
                array: tile.array,
                block: [3, 3, tile.thickness.ilog2()],
                log2: order.len() as u32,
                splits: 1,
                pipes: 0,
                banks: 0,
                small: false,
                columns: Columns::new(&order),
            }),
            _ => self.spread(tile, bytes, samples, &order),
        }
    }

    /// Spreads tiles over pipes and banks.
    fn spread(&self, tile: &Tile, bytes: u32, samples: u32, order: &[Row]) -> Option<Macro> {
        let (_, pipe) = self.pipes.iter().find(|(config, _)| *config == tile.config)?;
        let pipes = 1 << pipe.len();
        let whole = 64 * tile.thickness * bytes * samples;
        let limit = match tile.split {
            Split::Bytes(n) => n,
            Split::Samples(n) => (64 * tile.thickness * bytes * n).max(256),
        };
        let together = whole.min(limit.min(self.row_size));
        let resident = tile.array == Array::Resident;
        let index = together.checked_ilog2()?.checked_sub(6)? + if resident { 8 } else { 0 };
        let mut bank = match tile.bank {
            Some(bank) => bank,
            None => self.macros.iter().find(|(n, _)| *n == index)?.1,
        };
        bank.height = bank.height.max(256 / (together * bank.width));
        if samples == 1 {
            bank.aspect = bank.aspect.max(256 / (together * pipes * bank.width));
        }
        while together * bank.width * bank.height > self.row_size && bank.width > 1 {
            bank.width /= 2;
        }
        while together * bank.width * bank.height > self.row_size && bank.height > 1 {
            bank.height /= 2;
        }
        let splits = whole / together;
        // Tall or wide beyond what exists, or thick tiles that are split: no such entry is known.
        if bank.banks * bank.height < bank.aspect || (tile.thickness > 1 && splits > 1) {
            return None;
        }
        let block = [
            3 + (bank.width * pipes * bank.aspect).ilog2(),
            3 + (bank.height * bank.banks / bank.aspect).ilog2(),
            tile.thickness.ilog2(),
        ];

        let (inside, beyond) = order.split_at(together.ilog2() as usize);
        let mut body = inside.to_vec();
        let column = 3 + pipes.ilog2();
        body.extend((0..bank.width.ilog2()).map(|n| bit(Axis::X, column + n)));
        body.extend((0..bank.height.ilog2()).map(|n| bit(Axis::Y, 3 + n)));
        let mut spread = pipe.clone();
        spread.extend(banks(bank, column + bank.width.ilog2(), 3 + bank.height.ilog2()));
        if resident {
            // Nothing outside the macro tile takes part.
            let within = |axis, log2| (0..log2).fold(0, |all, n| all | bit(axis, n));
            let mask = within(Axis::X, block[0]) | within(Axis::Y, block[1]);
            spread.iter_mut().for_each(|row| *row &= mask);
        }
        turn(&mut spread[pipe.len()..], beyond);
        let mut bits = body.get(..8)?.to_vec();
        bits.extend(spread);
        bits.extend(&body[8..]);
        let log2 = bits.len() as u32;
        if resident && log2 != 16 {
            return None;
        }
        bits.extend(beyond);
        Some(Macro {
            array: tile.array,
            block,
            log2,
            splits,
            pipes: pipes.ilog2(),
            banks: bank.banks.ilog2(),
            small: tile.thickness == 1
                && (together * bank.width * bank.height < 256 || together * pipes * bank.width * bank.aspect < 256),
            columns: Columns::new(&bits),
        })
    }
}

/// The bits of the bank: x counts up, y down, and the highest y is in the second bit too.
fn banks(bank: Bank, x: u32, y: u32) -> Vec<Row> {
    let count = bank.banks.ilog2();
    let second = |n| if n == 1 && count > 2 { bit(Axis::Y, y + count - 1) } else { 0 };
    (0..count).map(|n| bit(Axis::X, x + n) ^ bit(Axis::Y, y + count - 1 - n) ^ second(n)).collect()
}

/// Split n turns the bank by `n * (banks / 2 + 1)`, XORed. Modulo the banks that is n with its lowest bit in the highest place too.
fn turn(bank: &mut [Row], split: &[Row]) {
    for (bits, by) in bank.iter_mut().zip(split) {
        *bits ^= by;
    }
    if let (Some(last), Some(by)) = (bank.last_mut(), split.first()) {
        *last ^= by;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Chip, registers::Registers};
    use super::{Array, Split};

    /// The rows are what the registers say.
    #[test]
    fn rows_are_the_registers() {
        for (name, first) in [("tahiti", 0), ("bonaire", 22), ("polaris10", 22)] {
            let registers = Registers::of(name);
            let tables = Chip::find(name).and_then(Chip::tables).expect(name);
            for tile in &tables.tiles {
                let word = registers.tiles[tile.index as usize];
                let modes: &[u32] = match (tile.array, tile.thickness) {
                    (Array::Linear, _) => &[1],
                    (Array::Tiles, 1) => &[2],
                    (Array::Tiles, _) => &[3],
                    (Array::Macro2d, 1) => &[4],
                    (Array::Macro2d, 4) => &[7],
                    (Array::Macro2d, _) => &[8],
                    (Array::Macro3d, 1) => &[12],
                    (Array::Macro3d, 4) => &[13],
                    (Array::Macro3d, _) => &[14],
                    (Array::Resident, 1) => &[5, 6],
                    (Array::Resident, _) => &[9],
                };
                let at = format!("{name} {}", tile.index);
                assert!(modes.contains(&(word >> 2 & 15)), "{at}: {:?}", tile.array);
                assert_eq!(tile.depth, word >> first & 3 == 2, "{at}");
                if matches!(tile.array, Array::Macro2d | Array::Macro3d | Array::Resident) {
                    assert_eq!(tile.config, word >> 6 & 31, "{at}");
                    match tile.split {
                        Split::Bytes(bytes) => assert_eq!(bytes, 64 << (word >> 11 & 7), "{at}"),
                        Split::Samples(samples) => assert_eq!(samples, 1 << (word >> 25 & 3), "{at}"),
                    }
                }
            }
            for (index, bank) in &tables.macros {
                let word = registers.macros[*index as usize];
                let fields = [bank.width, bank.height, bank.aspect, bank.banks / 2].map(u32::ilog2);
                assert_eq!(fields, [word & 3, word >> 2 & 3, word >> 4 & 3, word >> 6 & 3], "{name} {index}");
            }
        }
    }
}
