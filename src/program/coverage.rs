//! What engines execute, and how well.
//!
//! Nothing is listed by hand that can be asked: an instruction is executed if its [step](super::Step::executes) says so, and a row is if that holds
//! for an example of each of its forms ([`of`]). A table says what is approximate on hardware ([`RULES`]), so that the correctly rounded result
//! which is computed here may differ.

pub mod scan;

use super::{Program, barrier};
use crate::disasm::{self, Executed};
use crate::isa::does::{Control, Does, Texels};
use crate::isa::examples::{Density, instructions as examples};
use crate::isa::form::{Form, Kind, Table};
use crate::isa::row::{Family, Inst};
use crate::isa::{Gen, Target, rules, silicon};
use std::collections::BTreeMap;

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
    /// The rows, by the names of their oldest generations.
    pub rows: &'static [&'static str],
    /// Units in the last place; nothing where the bound is none of these.
    pub ulp: Option<u64>,
    /// The bound, and who says so.
    pub text: &'static str,
}

/// What is approximate on hardware and correctly rounded here; on gfx11 and gfx12 it is of f64 alone, the other bits are
/// [known](crate::isa::silicon).
#[rustfmt::skip]
pub static RULES: &[Rule] = &[
    Rule { ulp: Some(1), text: "1 ulp, as the manuals claim; denormals are flushed whatever MODE says", rows: &[
        "v_rcp_f32", "v_rcp_iflag_f32", "v_rcp_clamp_f32", "v_rcp_legacy_f32", "v_rsq_f32", "v_rsq_clamp_f32", "v_rsq_legacy_f32",
        "v_sqrt_f32", "v_exp_f32", "v_exp_legacy_f32", "v_log_f32", "v_log_clamp_f32", "v_log_legacy_f32",
        "v_s_rcp_f32", "v_s_rsq_f32", "v_s_sqrt_f32", "v_s_exp_f32", "v_s_log_f32",
    ] },
    Rule { ulp: Some(1), text: "0.51 ulp, as the manuals claim", rows: &[
        "v_rcp_f16", "v_rsq_f16", "v_sqrt_f16", "v_exp_f16", "v_log_f16", "v_sin_f16", "v_cos_f16",
        "v_s_rcp_f16", "v_s_rsq_f16", "v_s_sqrt_f16", "v_s_exp_f16", "v_s_log_f16",
    ] },
    Rule { ulp: Some(1 << 29), text: "2^29 ulp, about 24 good bits, as the manuals claim", rows: &[
        "v_rcp_f64", "v_rcp_clamp_f64", "v_rsq_f64", "v_rsq_clamp_f64", "v_sqrt_f64",
    ] },
    Rule { ulp: None, text: "no bound is published; the argument is reduced to 31 bits of a turn", rows: &["v_sin_f32", "v_cos_f32"] },
];

/// The rule of a row, where it is approximate on the hardware of a generation.
#[must_use]
pub fn rule(row: &Inst, generation: Gen) -> Option<&'static Rule> {
    let rule = RULES.iter().find(|rule| rule.rows.contains(&row.name));
    rule.filter(|_| !silicon::to_the_bit(row.name, generation))
}

/// How the result of a row relates to that of the hardware of a generation, where the manuals allow it to be inexact.
#[must_use]
pub fn precision(row: &Inst, generation: Gen) -> Option<String> {
    if silicon::to_the_bit(row.name, generation) {
        return Some("the bits of the silicon (measured on a gfx1100 and a gfx1201)".to_owned());
    }
    rule(row, generation).map(|rule| format!("correctly rounded; the hardware: {}", rule.text))
}

/// What a row that is not executed would need, in a few fixed words.
#[must_use]
pub fn needs(row: &Inst) -> &'static str {
    match row.does {
        Does::Unknown(missing) => missing,
        Does::Texels(Texels::GatherRow) => "which texels those of a row are: no public source says",
        Does::Control(Control::Barrier | Control::BarrierSignal { .. } | Control::BarrierState) => barrier::NAMED,
        _ => "an instruction that is not executed yet",
    }
}

/// What the instruction at a step would need.
#[must_use]
pub fn needs_at(program: &Program, step: u32) -> &'static str {
    program.executed(step).map_or("an instruction", |executed| needs(executed.decoded.form.row))
}

/// The instructions of a program one behind the other: the step, the form, how well it is executed. Words that are none are left out.
pub fn instructions(program: &Program) -> impl Iterator<Item = (u32, &'static Form, Fidelity)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            program.words.get(at as usize)?;
            let here = at;
            match program.executed(at) {
                Ok(Executed { decoded, .. }) => {
                    at += u32::from(decoded.len.max(1));
                    return Some((here, decoded.form, fidelity(program, here, decoded.form.row)));
                }
                Err(_) => at += 1,
            }
        }
    })
}

/// How well the instruction at a step is executed.
#[must_use]
pub fn fidelity(program: &Program, step: u32, row: &Inst) -> Fidelity {
    if program.steps.get(step as usize).is_none_or(|s| !s.executes) {
        return Fidelity::Unsupported(needs(row));
    }
    rule(row, program.target.generation()).map_or(Fidelity::Exact, Fidelity::Approximate)
}

/// A row on a processor.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The row.
    pub row: &'static Inst,
    /// Its name there.
    pub name: &'static str,
    /// How well it is executed: as badly as the worst of its forms.
    pub fidelity: Fidelity,
    /// Of each form that is not executed, what it is and what it would need.
    pub missing: Vec<Missing>,
}

/// A form that an engine does not execute.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The text of an example.
    pub example: String,
    /// What the engine would need.
    pub needs: String,
}

/// How many rows are executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows that are executed to the bit.
    pub exact: usize,
    /// Rows that are correctly rounded where the hardware is not.
    pub approximate: usize,
    /// Rows that are not executed.
    pub unsupported: usize,
}

impl Counts {
    /// The counts of a list.
    #[must_use]
    pub fn of(rows: &[Covered]) -> Counts {
        let mut counts = Counts::default();
        for row in rows {
            *match row.fidelity {
                Fidelity::Exact => &mut counts.exact,
                Fidelity::Approximate(_) => &mut counts.approximate,
                Fidelity::Unsupported(_) => &mut counts.unsupported,
            } += 1;
        }
        counts
    }

    /// Rows that are executed.
    #[must_use]
    pub fn executed(&self) -> usize {
        self.exact + self.approximate
    }

    /// Rows that there are.
    #[must_use]
    pub fn all(&self) -> usize {
        self.executed() + self.unsupported
    }
}

/// Every row of a processor, in every wave size that it has, in the order of the names.
#[must_use]
pub fn of(target: Target) -> Vec<Covered> {
    of_engine(target, &|_| None)
}

/// As [`of`], for an engine that can do less than the emulator: what it is given is a program of one instruction, which the emulator can
/// execute, and what it gives is what it needs and has not.
#[must_use]
pub fn of_engine(target: Target, lacks: &dyn Fn(&Program) -> Option<String>) -> Vec<Covered> {
    let sizes = [target.wave(64), target.wave(32)];
    let mut all: BTreeMap<(&'static str, &'static str), Covered> = BTreeMap::new();
    let targets: Vec<Target> = sizes.into_iter().flatten().collect();
    for target in if targets.is_empty() { vec![target] } else { targets } {
        // As programs are executed.
        let target = Program::new(target, &[], 0).target;
        for form in &Table::of(target).forms {
            let missing = missing(target, form, lacks);
            for row in rows_of(form, target.generation()) {
                let name = row.name_in(target.generation());
                let fresh = || Covered {
                    row,
                    name,
                    fidelity: rule(row, target.generation()).map_or(Fidelity::Exact, Fidelity::Approximate),
                    missing: Vec::new(),
                };
                let covered = all.entry((name, family_name(row.family))).or_insert_with(fresh);
                if let Some(missing) = &missing {
                    covered.fidelity = Fidelity::Unsupported(needs(row));
                    covered.missing.push(missing.clone());
                }
            }
        }
    }
    all.into_values().collect()
}

/// The name of a family, as the manuals write it but for its case.
fn family_name(family: Family) -> &'static str {
    use Family::*;
    match family {
        Sop1 => "SOP1",
        Sop2 => "SOP2",
        Sopk => "SOPK",
        Sopc => "SOPC",
        Sopp => "SOPP",
        Smem => "SMEM",
        Vop1 => "VOP1",
        Vop2 => "VOP2",
        Vopc => "VOPC",
        Vop3 => "VOP3",
        Vop3p => "VOP3P",
        Mai => "MAI",
        Vinterp => "VINTERP",
        Vop3Interp => "VOP3INTERP",
        Vopd => "VOPD",
        Vintrp => "VINTRP",
        Ldsdir => "LDSDIR",
        Ds => "DS",
        Mubuf => "MUBUF",
        Mtbuf => "MTBUF",
        Mimg => "MIMG",
        Flat => "FLAT",
        Global => "GLOBAL",
        Scratch => "SCRATCH",
        Exp => "EXP",
    }
}

impl Covered {
    /// The family's name.
    #[must_use]
    pub fn family(&self) -> &'static str {
        family_name(self.row.family)
    }
}

/// The rows of a form: dual instructions have two.
pub fn rows_of(form: &Form, generation: Gen) -> impl Iterator<Item = &'static Inst> {
    let second = form.slots.iter().find_map(|slot| match slot.kind {
        Kind::Dual(name) => Some(name),
        _ => None,
    });
    let second = second.and_then(|name| rules::second_half(name, generation));
    std::iter::once(form.row).chain(second)
}

/// An example of a form that is not executed; nothing if it is.
fn missing(target: Target, form: &Form, lacks: &dyn Fn(&Program) -> Option<String>) -> Option<Missing> {
    let table = Table::of(target);
    let mut found: Option<Vec<u32>> = None;
    examples(form, Density { full: false, mixed: 0, seed: 1 }, &mut |words| {
        if found.is_none() && disasm::decode(table, words).is_ok_and(|d| std::ptr::eq(d.form, form)) {
            found = Some(words.to_vec());
        }
    });
    // A form that other forms hide altogether can not be met.
    let program = Program::new(target, &found?, 0);
    let executes = program.steps.first().is_some_and(|step| step.executes);
    let needs = if executes { lacks(&program)? } else { needs(form.row).to_owned() };
    Some(Missing { example: program.text(0), needs })
}
