//! The names of mutants, as the environment has them.

use super::Mistake;
use crate::isa::Arch;
use std::fmt;
use std::str::FromStr;

/// The part of what an instruction does that is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Part {
    /// Registers.
    Value,
    /// SCC, or the active lanes of a mask.
    Bit,
    /// Memory or LDS.
    Memory,
    /// Where the program goes on, what it sends, and the state of the wave beside its registers.
    Control,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 4] = [Part::Value, Part::Bit, Part::Memory, Part::Control];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::Value => "value",
            Part::Bit => "bit",
            Part::Memory => "memory",
            Part::Control => "control",
        }
    }
}

/// One way of being wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mutant {
    /// `v_add_f32@gfx1100/value`: a row gives a wrong bit on a processor, and on all of its variant.
    Row {
        /// The row.
        row: String,
        /// The processor.
        arch: &'static str,
        /// What is wrong.
        part: Part,
    },
    /// `v_sub_f32 = v_add_f32`: a meaning is another one. `v_sub_f32 = v_sub_f32 (10)`: its sources
    /// are read in this order.
    Meaning {
        /// Whose.
        of: String,
        /// What it is taken for.
        by: String,
        /// The source that is read in the place of each.
        order: Option<Vec<usize>>,
    },
    /// A name of [`Mistake`].
    Mistake(Mistake),
    /// `gpu:chain-returns`: a mistake in a program above the library, which knows it by what stands behind the
    /// colon.
    Above(String),
}

/// How the names of [`Mutant::Above`] begin.
const ABOVE: &str = "gpu:";

impl FromStr for Mutant {
    type Err = String;

    fn from_str(text: &str) -> Result<Mutant, String> {
        if let Some((of, by)) = text.split_once(" = ") {
            let (by, order) = match by.strip_suffix(')').and_then(|by| by.rsplit_once(" (")) {
                Some((by, order)) => (by, Some(order)),
                None => (by, None),
            };
            let digit =
                |c: char| c.to_digit(10).map(|n| n as usize).ok_or_else(|| format!("no order of sources: {text}"));
            let order: Option<Vec<usize>> = order.map(|order| order.chars().map(digit).collect()).transpose()?;
            if order.as_ref().is_some_and(|order| order.iter().any(|n| *n >= order.len())) {
                return Err(format!("no order of sources: {text}"));
            }
            return Ok(Mutant::Meaning { of: of.to_owned(), by: by.to_owned(), order });
        }
        if let Some((row, rest)) = text.split_once('@') {
            let (arch, part) = rest.split_once('/').ok_or_else(|| format!("no part of a row: {text}"))?;
            let part = Part::ALL.into_iter().find(|p| p.name() == part).ok_or_else(|| format!("no part: {part}"))?;
            let arch = Arch::find(arch).ok_or_else(|| format!("no processor: {arch}"))?.name;
            return Ok(Mutant::Row { row: row.to_owned(), arch, part });
        }
        if let Some(name) = text.strip_prefix(ABOVE) {
            return Ok(Mutant::Above(name.to_owned()));
        }
        text.parse().map(Mutant::Mistake)
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutant::Row { row, arch, part } => write!(f, "{row}@{arch}/{}", part.name()),
            Mutant::Meaning { of, by, order: None } => write!(f, "{of} = {by}"),
            Mutant::Meaning { of, by, order: Some(order) } => {
                let order: String = order.iter().map(ToString::to_string).collect();
                write!(f, "{of} = {by} ({order})")
            }
            Mutant::Mistake(mistake) => f.write_str(mistake.name()),
            Mutant::Above(name) => write!(f, "{ABOVE}{name}"),
        }
    }
}
