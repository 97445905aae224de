//! What the text of an instruction names: registers, read from the text itself, which cannot disagree with what a reader sees.

use super::place::file;
use crate::isa::Target;
use crate::isa::regs::{self, Bank};

/// `v7`, or `a7` behind the numbered ones.
pub(crate) fn vector_name(n: usize) -> String {
    let agpr = file::AGPR as usize;
    if n < agpr { format!("v{n}") } else { format!("a{}", n - agpr) }
}

/// A register or range that an operand names.
pub(crate) struct Named {
    /// In the vector file: the first register. Else the first scalar.
    pub(crate) vector: bool,
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// The operands of a text, without their modifiers.
pub(crate) fn operands(text: &str) -> impl Iterator<Item = &str> {
    let (_, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut depth = 0i32;
    rest.split(move |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        // A colon of a dual instruction begins another name; white space begins the modifiers.
        c == ',' && depth == 0
    })
    .map(|operand| operand.trim().split(' ').next().unwrap_or(""))
}

/// What a text names, if it is a register.
pub(crate) fn named(operand: &str, target: &Target) -> Option<Named> {
    let bare = operand.trim_start_matches(['-', '|']).trim_end_matches('|');
    let bare =
        bare.strip_prefix("sext(").or_else(|| bare.strip_prefix("abs(")).map_or(bare, |b| b.trim_end_matches(')'));
    let bare = bare.strip_suffix(".l").or_else(|| bare.strip_suffix(".h")).unwrap_or(bare);
    let range = |text: &str| -> Option<(usize, usize)> {
        match text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            Some(inner) => {
                let (first, last) = inner.split_once(':').unwrap_or((inner, inner));
                let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
                (last >= first).then(|| (first, last - first + 1))
            }
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let agpr = file::AGPR as usize;
    let ttmp = usize::from(regs::ttmp_base(target.generation()));
    let found = [("ttmp", false, ttmp), ("v", true, 0), ("a", true, agpr), ("s", false, 0)]
        .into_iter()
        .find_map(|(letters, vector, base)| Some((vector, base, range(bare.strip_prefix(letters)?)?)));
    let (vector, first, count) = match found {
        Some((vector, base, (first, count))) => (vector, base + first, count),
        None => {
            let reg = regs::special(bare, target).filter(|reg| reg.bank == Bank::Special && reg.code < 128)?;
            (false, usize::from(reg.code), usize::from(reg.dwords))
        }
    };
    let limit = if vector { file::NOWHERE as usize } else { 256 };
    (first + count <= limit).then_some(Named { vector, first, count })
}

/// How many registers of each kind a text names: one past the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// Numbered scalar registers.
    pub sgprs: u32,
    /// Vector registers.
    pub vgprs: u32,
    /// Accumulation registers.
    pub agprs: u32,
}

impl Registers {
    /// As many as either needs.
    pub fn include(&mut self, other: Registers) {
        self.sgprs = self.sgprs.max(other.sgprs);
        self.vgprs = self.vgprs.max(other.vgprs);
        self.agprs = self.agprs.max(other.agprs);
    }
}

/// The registers that the text of an instruction names.
#[must_use]
pub fn registers(text: &str, target: &Target) -> Registers {
    let mut all = Registers::default();
    let agpr = file::AGPR as usize;
    let sgprs = usize::from(regs::sgpr_count(target.generation()));
    for operand in text.split(" :: ").flat_map(operands) {
        let Some(Named { vector, first, count }) = named(operand, target) else { continue };
        let end = (first + count) as u32;
        match vector {
            true if first >= agpr => all.agprs = all.agprs.max(end - agpr as u32),
            true => all.vgprs = all.vgprs.max(end),
            false if first + count <= sgprs => all.sgprs = all.sgprs.max(end),
            false => {}
        }
    }
    all
}
