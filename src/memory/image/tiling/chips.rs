//! The chips whose memory layout is known, and their tables, read from the rows of `data` when first used.

use super::modes::{Mode, modes};
use super::registers::Registers;
use super::tiles::Tables;
use std::sync::OnceLock;

/// Generations that differ in how levels are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Generation {
    Gfx6,
    Gfx7,
    Gfx8,
    Gfx9,
    Gfx10,
    Gfx10_3,
    Gfx11,
    Gfx12,
}

/// The rows a generation's chips are in.
#[derive(Debug)]
enum Rows {
    Tiles(OnceLock<Tables>),
    Modes(OnceLock<Vec<Mode>>),
}

/// A processor's memory layout: its generation, and how its pipes and banks are configured.
///
/// Names that end in `_gb0` are chips with `GB_ADDR_CONFIG` 0, which a virtual device may choose: the XORs become simpler then.
#[derive(Debug)]
pub struct Chip {
    name: &'static str,
    pub(super) generation: Generation,
    rows: Rows,
}

const fn tiles(name: &'static str, generation: Generation) -> Chip {
    Chip { name, generation, rows: Rows::Tiles(OnceLock::new()) }
}

const fn swizzles(name: &'static str, generation: Generation) -> Chip {
    Chip { name, generation, rows: Rows::Modes(OnceLock::new()) }
}

#[rustfmt::skip]
static CHIPS: [Chip; 14] = [
    //                     GB_ADDR_CONFIG
    tiles("tahiti",            Generation::Gfx6),    // 0x12011003
    tiles("bonaire",           Generation::Gfx7),    // 0x12010001
    tiles("polaris10",         Generation::Gfx8),    // 0x22011003
    swizzles("vega10",         Generation::Gfx9),    // 0x2a114042
    swizzles("raven",          Generation::Gfx9),    // 0x24000042
    swizzles("vega10_gb0",     Generation::Gfx9),    // 0
    swizzles("navi10",         Generation::Gfx10),   // 0x00100044
    swizzles("navi10_gb0",     Generation::Gfx10),   // 0
    swizzles("navi21",         Generation::Gfx10_3), // 0x00000444
    swizzles("navi21_gb0",     Generation::Gfx10_3), // 0
    swizzles("navi31",         Generation::Gfx11),   // 0x00000545
    swizzles("gfx1150",        Generation::Gfx11),   // 0x00000242
    swizzles("navi31_gb0",     Generation::Gfx11),   // 0
    swizzles("gfx1201",        Generation::Gfx12),   // without influence
];

impl Chip {
    /// All chips there are.
    #[must_use]
    pub fn all() -> &'static [Chip] {
        &CHIPS
    }

    /// A chip by its name, `navi10` or `navi10_gb0`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Chip> {
        CHIPS.iter().find(|c| c.name == name)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What drivers read of it.
    #[must_use]
    pub fn registers(&self) -> Registers {
        Registers::of(self.name)
    }

    /// The swizzle modes; none of gfx6 to gfx8.
    pub(super) fn modes(&self) -> &[Mode] {
        let Rows::Modes(cell) = &self.rows else { return &[] };
        let text = match self.generation {
            Generation::Gfx10 | Generation::Gfx10_3 => include_str!("data/gfx10.txt"),
            Generation::Gfx11 => include_str!("data/gfx11.txt"),
            Generation::Gfx12 => include_str!("data/gfx12.txt"),
            _ => include_str!("data/gfx9.txt"),
        };
        cell.get_or_init(|| modes(text, self.name))
    }

    /// The tile tables of gfx6 to gfx8.
    pub(super) fn tables(&self) -> Option<&Tables> {
        let Rows::Tiles(cell) = &self.rows else { return None };
        Some(cell.get_or_init(|| Tables::new(include_str!("data/gfx6.txt"), self.name)))
    }
}
