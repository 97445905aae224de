//! What waves export: positions, parameters, primitives, colours.
//!
//! An instruction exports up to four elements of the active lanes to a target. A wave may export to a target more than once; what the rest of the
//! machine takes of that is not modelled, so every export is kept, in the order of the wave. A case asks what a target was given last:
//! [`Exported`] names an element, and [`Exports`] answers for a lane.

use crate::isa::symbols::export;
use std::fmt;

/// What a wave exported by one instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Export {
    /// The group of the wave.
    pub group: [u32; 3],
    /// Its number in the group.
    pub wave: u32,
    /// The instruction, in bytes from the start of the text.
    pub pc: u64,
    /// The target, as encoded.
    pub target: u8,
    /// The row of the target that M0 chose, where the instruction exports to one (gfx11 and later).
    pub row: Option<u32>,
    /// The elements that were exported, x in bit 0.
    pub enabled: u8,
    /// Elements have 16 bits: an export that was compressed.
    pub half: bool,
    /// It said that it is the last one.
    pub done: bool,
    /// It said that the active lanes are the valid ones.
    pub valid: bool,
    /// The active lanes.
    pub exec: u64,
    /// The elements by lane; zero where a lane was not active or an element not exported.
    pub lanes: Vec<[u32; 4]>,
}

impl Export {
    /// The target as the assembler writes it, with its row.
    #[must_use]
    pub fn name(&self) -> String {
        target_name(self.target, self.row)
    }

    /// The letters of the elements.
    #[must_use]
    pub fn elements(&self) -> String {
        self.letters().map(|(_, letter)| letter).collect()
    }

    /// The elements that were exported, with their letters.
    fn letters(&self) -> impl Iterator<Item = (usize, char)> {
        LETTERS.into_iter().enumerate().filter(|(n, _)| self.enabled >> n & 1 != 0)
    }

    /// The elements by name, with the lanes that exported them and their values.
    pub fn values(&self) -> impl Iterator<Item = (String, Vec<(u64, u32)>)> {
        self.letters().map(|(n, letter)| {
            let lanes = (0..).zip(&self.lanes).filter(|(lane, _)| self.exec >> lane & 1 != 0);
            (format!("export {}.{letter}", self.name()), lanes.map(|(lane, elements)| (lane, elements[n])).collect())
        })
    }
}

impl fmt::Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Export { group: [x, y, z], wave, pc, half, done, valid, exec, .. } = self;
        write!(f, "export of {}.{}", self.name(), self.elements())?;
        for (flag, word) in [(half, "16-bit"), (done, "done"), (valid, "valid")] {
            if *flag {
                write!(f, " {word}")?;
            }
        }
        write!(f, " by lanes {exec:#x} of group ({x}, {y}, {z}) wave {wave} at {pc:#06x}")
    }
}

/// The elements of a target.
pub const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// What is asked of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// An element: 0 to 3 are x to w.
    Element(u8),
    /// Which elements were exported, x in bit 0.
    Mask,
    /// Whether the last export said that it is the last one.
    Done,
}

/// Something that lanes exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exported {
    /// The target, as encoded.
    pub target: u8,
    /// Its row, if it has rows.
    pub row: Option<u32>,
    /// What of it.
    pub part: Part,
}

impl fmt::Display for Exported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "export {}.", target_name(self.target, self.row))?;
        match self.part {
            Part::Element(n) => write!(f, "{}", LETTERS[usize::from(n & 3)]),
            Part::Mask => f.write_str("mask"),
            Part::Done => f.write_str("done"),
        }
    }
}

fn target_name(target: u8, row: Option<u32>) -> String {
    let name = export::name_of(target.into());
    row.map_or(name.clone(), |row| format!("{name}[{row}]"))
}

/// The exports of one wave.
#[derive(Clone, Copy)]
pub struct Exports<'o>(&'o [Export]);

impl<'o> Exports<'o> {
    /// Those of a wave, among all of a dispatch, which stand in the order of groups (x fastest) and waves.
    #[must_use]
    pub fn of(all: &'o [Export], group: [u32; 3], wave: u32) -> Exports<'o> {
        let place = |[x, y, z]: [u32; 3], wave: u32| (z, y, x, wave);
        let mine = place(group, wave);
        let first = all.partition_point(|export| place(export.group, export.wave) < mine);
        let behind = all.partition_point(|export| place(export.group, export.wave) <= mine);
        Exports(&all[first..behind])
    }

    /// What a lane exported last; nothing where it did not.
    #[must_use]
    pub fn get(&self, what: Exported, lane: u32) -> Option<u32> {
        let to =
            |export: &&Export| (export.target, export.row) == (what.target, what.row) && export.exec >> lane & 1 != 0;
        let mut mine = self.0.iter().rev().filter(to);
        match what.part {
            Part::Element(n) => mine
                .find(|export| export.enabled >> n & 1 != 0)
                .and_then(|export| export.lanes.get(lane as usize)?.get(usize::from(n)).copied()),
            Part::Mask => Some(mine.fold(0, |all, export| all | u32::from(export.enabled))),
            Part::Done => Some(mine.next().is_some_and(|export| export.done).into()),
        }
    }

    /// The lanes that the last export which said so called valid.
    #[must_use]
    pub fn valid(&self) -> Option<u64> {
        self.0.iter().rev().find(|export| export.valid).map(|export| export.exec)
    }
}
