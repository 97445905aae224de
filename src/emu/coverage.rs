//! What the emulator executes, and how well.

use super::plan::Program;
use crate::disasm;
use crate::isa::form::Table;
use crate::isa::row::{Family, Inst};

/// What an instruction that is not executed would need, in a few fixed words.
#[must_use]
pub fn needs(program: &Program, step: u32) -> &'static str {
    let words = program.words.get(step as usize..).unwrap_or_default();
    disasm::decode(Table::of(program.target), words).map_or("an instruction", |decoded| row_needs(decoded.form.row))
}

/// The same for a row.
#[must_use]
pub fn row_needs(row: &Inst) -> &'static str {
    match row.family {
        Family::Mimg => "images",
        Family::Exp => "exports",
        Family::Vinterp | Family::Vop3Interp | Family::Vintrp | Family::Ldsdir => "interpolation",
        Family::Mai => "matrix instructions",
        _ => "an instruction that is not executed yet",
    }
}

/// How well an instruction is executed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fidelity {
    /// To the bit.
    Exact,
    /// Correctly rounded, where the hardware is only within a bound.
    Approximate(&'static Rule),
    /// Not at all, because of this.
    Unsupported(&'static str),
}

/// How far the hardware may be from the exact result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The row, by the name of its oldest generation.
    pub name: &'static str,
    /// Units in the last place.
    pub ulp: f32,
    /// What the books say.
    pub text: &'static str,
}

/// The instructions of a program one behind the other: the step, the row, how well it is executed. Words that are none are left out.
pub fn instructions(program: &Program) -> impl Iterator<Item = (u32, &'static Inst, Fidelity)> + '_ {
    let table = Table::of(program.target);
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let words = program.words.get(at as usize..).filter(|words| !words.is_empty())?;
            let here = at;
            match disasm::decode(table, words) {
                Ok(decoded) => {
                    at += u32::from(decoded.len.max(1));
                    let row = decoded.form.row;
                    return Some((here, row, fidelity(program, here, row)));
                }
                Err(_) => at += 1,
            }
        }
    })
}

/// How well the instruction at a step is executed.
#[must_use]
pub fn fidelity(program: &Program, step: u32, row: &Inst) -> Fidelity {
    let unsupported = program.steps.get(step as usize).is_none_or(|s| !s.executes);
    if unsupported { Fidelity::Unsupported(row_needs(row)) } else { Fidelity::Exact }
}
