//! R600 and R700: the VLIW machines as data.
//!
//! A program is a list of control-flow instructions of two words each. Some of them begin a clause somewhere else in the program: a
//! run of ALU groups, or of fetches. An ALU group is one to five instructions which execute at once, in the slots x, y, z, w and t,
//! with up to four literals behind them. Words have no bits which say what they are: it follows from where they stand.
//!
//! - [`rows`]: all instructions, one line each;
//! - [`mod@format`]: bit layouts, the only place with bit numbers;
//! - [`does`]: what an instruction does, for engines;
//! - [`fetch`]: formats of vertex data.
//!
//! Sources: manual 002 (revision 0.31 of R600's, a draft of the first chip), and what compilers emit, which wins where they differ.
//! Evergreen and Cayman, which followed, are not here: their formats differ in every control-flow word.

pub mod does;
pub mod fetch;
pub mod format;
pub mod rows;

pub use format::Format;
pub use rows::{Class, Place, ROWS, Row, Units};

use std::sync::LazyLock;

/// What chips differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chip {
    /// R600, RV610, RV630, RV670, RS780, RS880.
    R600,
    /// RV770, RV730, RV710, RV740.
    R700,
}

/// Whose opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcodes {
    /// Those of hardware and of all compilers.
    Hardware,
    /// Those that revision 0.31 of the manual prints; some of control flow and two predicate tests are not what chips have.
    Manual,
}

/// What a program is assembled, decoded or run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Machine {
    /// The chip.
    pub chip: Chip,
    /// The column of opcodes.
    pub opcodes: Opcodes,
}

/// Names by which a machine is known: the first is LLVM's.
const NAMES: &[(Chip, &[&str])] = &[
    (Chip::R600, &["r600", "r630", "rs880", "rv670", "rv610", "rv620", "rv630", "rv635", "rs780"]),
    (Chip::R700, &["rv770", "rv710", "rv730", "rv740", "rv790", "r700"]),
];

impl Machine {
    /// R600 as compilers know it.
    pub const R600: Machine = Machine { chip: Chip::R600, opcodes: Opcodes::Hardware };
    /// R700 as compilers know it.
    pub const RV770: Machine = Machine { chip: Chip::R700, opcodes: Opcodes::Hardware };

    /// Finds a machine by name. A name with `-manual` behind it has the opcodes that the manual prints.
    #[must_use]
    pub fn find(name: &str) -> Option<Machine> {
        let (chip, opcodes) = match name.strip_suffix("-manual") {
            Some(chip) => (chip, Opcodes::Manual),
            None => (name, Opcodes::Hardware),
        };
        let (chip, _) = NAMES.iter().find(|(_, names)| names.contains(&chip))?;
        Some(Machine { chip: *chip, opcodes })
    }

    /// The name by which cases and options know it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.chip, self.opcodes) {
            (Chip::R600, Opcodes::Hardware) => "r600",
            (Chip::R700, Opcodes::Hardware) => "rv770",
            (Chip::R600, Opcodes::Manual) => "r600-manual",
            (Chip::R700, Opcodes::Manual) => "rv770-manual",
        }
    }

    /// The instruction with this opcode.
    #[inline]
    #[must_use]
    pub fn row(self, class: Class, code: u32) -> Option<&'static Row> {
        let table = &TABLES[self.index()];
        table.get(class as usize * CODES + code as usize).copied().flatten().filter(|_| (code as usize) < CODES)
    }

    /// The instruction of this name in control flow, in ALU clauses or in fetch clauses. Case does not matter; the manual's names are
    /// known too.
    #[must_use]
    pub fn named(self, place: Place, name: &str) -> Option<&'static Row> {
        let row = NAMED[place as usize].get(&Name::new(name)?)?;
        row.code(self).is_some().then_some(row)
    }

    /// The names that [`Machine::named`] knows.
    pub fn names(self, place: Place) -> impl Iterator<Item = &'static str> {
        ROWS.iter().filter(move |row| row.class.place() == place && row.code(self).is_some()).map(|row| row.name)
    }

    fn index(self) -> usize {
        self.chip as usize * 2 + self.opcodes as usize
    }

    /// The layout of ALU instructions with up to two sources.
    #[must_use]
    pub fn op2(self) -> &'static Format {
        match self.chip {
            Chip::R600 => &format::alu_op2::FORMAT,
            Chip::R700 => &format::alu_op2_r700::FORMAT,
        }
    }

    /// The layout of plain control-flow instructions.
    #[must_use]
    pub fn cf(self) -> &'static Format {
        match self.chip {
            Chip::R600 => &format::cf::FORMAT,
            Chip::R700 => &format::cf_r700::FORMAT,
        }
    }

    /// The most instructions of a fetch clause.
    #[must_use]
    pub fn fetches(self) -> u32 {
        match self.chip {
            Chip::R600 => 8,
            Chip::R700 => 16,
        }
    }
}

/// Longer than any name.
const LONGEST: usize = 32;

/// A name in capitals, with zeros behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Name([u64; LONGEST / 8]);

impl Name {
    /// Nothing if it is longer than any that is known.
    fn new(name: &str) -> Option<Name> {
        let mut upper = [0; LONGEST];
        upper.get_mut(..name.len())?.copy_from_slice(name.as_bytes());
        upper.make_ascii_uppercase();
        let mut words = [0; LONGEST / 8];
        words.iter_mut().zip(upper.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        Some(Name(words))
    }

    /// A number that names share as seldom as any.
    fn hash(&self) -> usize {
        let mix = |hash: u64, word: &u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (self.0.iter().fold(0, mix) >> 32) as usize
    }
}

/// Rows by name: each stands at the place that its name leads to, or at the next one that was free.
struct Names([Option<(Name, &'static Row)>; Names::PLACES]);

impl Names {
    /// Some times as many as there are names.
    const PLACES: usize = 1024;

    /// Where a name stands, or would stand.
    fn place(&self, name: &Name) -> usize {
        let mut place = name.hash() % Names::PLACES;
        while self.0[place].is_some_and(|(other, _)| other != *name) {
            place = (place + 1) % Names::PLACES;
        }
        place
    }

    fn get(&self, name: &Name) -> Option<&'static Row> {
        self.0[self.place(name)].map(|(_, row)| row)
    }
}

/// Rows by name, for each place.
static NAMED: LazyLock<[Names; 3]> = LazyLock::new(|| {
    let mut named = [const { Names([None; Names::PLACES]) }; 3];
    for row in ROWS {
        for name in [row.name, row.manual_name()] {
            let names = &mut named[row.class.place() as usize];
            if let Some(name) = Name::new(name) {
                names.0[names.place(&name)] = Some((name, row));
            }
        }
    }
    named
});

/// More than the largest opcode of any class.
const CODES: usize = 256;

/// Rows by class and opcode, for each machine.
static TABLES: LazyLock<[Vec<Option<&'static Row>>; 4]> = LazyLock::new(|| {
    let mut tables = [const { Vec::new() }; 4];
    for chip in [Chip::R600, Chip::R700] {
        for opcodes in [Opcodes::Hardware, Opcodes::Manual] {
            let machine = Machine { chip, opcodes };
            let table = &mut tables[machine.index()];
            table.resize(Class::ALL.len() * CODES, None);
            for row in ROWS {
                if let Some(code) = row.code(machine) {
                    table[row.class as usize * CODES + code as usize] = Some(row);
                }
            }
        }
    }
    tables
});
