//! The names that stand for numbers inside operands and modifiers: hardware registers, messages, counters, formats.
//!
//! Each file is one such language: a table, and `print`, which writes a value as LLVM writes it. The readers of the same
//! tables are in [`crate::asm::symbols`], under the same file names. What `print` writes is what `parse` reads: for a
//! modifier the text behind `name:`.
//!
//! Some values have no text of their own (unused bits, reserved names). LLVM then prints a number, a comment, or drops the
//! bits; `print` does the same, since its text is compared with LLVM's, and each file says which values are lost.

pub mod cpol;
pub mod delay_alu;
pub mod depctr;
pub mod dim;
pub mod dpp;
pub mod export;
pub mod format;
pub mod gpr_idx;
pub mod hwreg;
pub mod interp;
pub mod sdwa;
pub mod sendmsg;
pub mod swizzle;
pub mod waitcnt;

use super::arch::{Gen, Target, Variants};

/// A name, its number, and the processors that know it. One name may have several rows, and so may one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As written.
    pub name: &'static str,
    /// What it stands for.
    pub value: u16,
    /// Where.
    pub on: Variants,
}

/// A row of a table.
#[must_use]
pub const fn sym(name: &'static str, value: u16, on: Variants) -> Symbol {
    Symbol { name, value, on }
}

/// All generations from one to another, both included.
#[must_use]
pub const fn gens(first: Gen, last: Gen) -> Variants {
    let mut set = Variants::empty();
    let mut i = first as usize;
    while i <= last as usize {
        let part = match Gen::ALL[i] {
            Gen::Gfx8 => Variants::G8,
            Gen::Gfx9 => Variants::G9,
            Gen::Gfx10 => Variants::G10,
            Gen::Gfx11 => Variants::G11,
            one @ (Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx12) => Variants::of_gen(one),
        };
        set = set.union(part);
        i += 1;
    }
    set
}

/// The outcome of looking a name up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Its number on this processor.
    Here(u32),
    /// Only these processors know it.
    Elsewhere(Variants),
    /// No processor knows it.
    Unknown,
}

/// Looks a name up.
#[must_use]
pub fn find(table: &[Symbol], name: &str, target: &Target) -> Found {
    let mut elsewhere = Variants::empty();
    for row in table.iter().filter(|row| row.name == name) {
        if target.is(row.on) {
            return Found::Here(u32::from(row.value));
        }
        elsewhere |= row.on;
    }
    if elsewhere.is_empty() { Found::Unknown } else { Found::Elsewhere(elsewhere) }
}

/// The name of a number: the first row that has it.
#[must_use]
pub fn name_of(table: &[Symbol], value: u32, target: &Target) -> Option<&'static str> {
    table.iter().find(|row| u32::from(row.value) == value && target.is(row.on)).map(|row| row.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::ARCHS;

    #[test]
    fn a_name_has_one_number_on_a_processor() {
        let tables = [
            hwreg::REGISTERS,
            sendmsg::MESSAGES,
            sendmsg::SYS_OPS,
            sendmsg::GS_OPS,
            delay_alu::INST_IDS,
            delay_alu::INST_SKIPS,
            sdwa::SELECTORS,
            sdwa::UNUSED,
            dim::DIMS,
            gpr_idx::MODES,
            interp::SLOTS,
        ];
        for target in ARCHS.iter().map(Target::new) {
            for table in tables {
                for row in table.iter().filter(|r| target.is(r.on)) {
                    assert_eq!(find(table, row.name, &target), Found::Here(u32::from(row.value)), "{}", row.name);
                    assert_eq!(table.iter().filter(|r| r.name == row.name && target.is(r.on)).count(), 1);
                }
            }
        }
    }

    #[test]
    fn ranges_of_generations() {
        assert_eq!(gens(Gen::Gfx6, Gen::Gfx12), Variants::all());
        assert_eq!(gens(Gen::Gfx9, Gen::Gfx10), Variants::G9 | Variants::G10);
    }
}
