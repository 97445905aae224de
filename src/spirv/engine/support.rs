//! What of a program the translation carries out, before it runs anywhere.

use crate::case::Case;
use crate::engine::stage::case::program as staged;
use crate::engine::{self, Support, Unsupported};
use crate::isa::Target;
use crate::program::Program;
use crate::spirv::lanes::Model;
use crate::spirv::lower::{Missing, Options as Translate, translate};
use std::collections::BTreeSet;

/// Waves of a group, where it is not known how many: some instructions are translated for waves that are alone in theirs.
pub const SEVERAL: u32 = 2;

/// How well a case is carried out, on whatever device.
#[must_use]
pub fn support_of(case: &Case, target: Target, model: Model) -> Support {
    let (Ok(assembled), Ok(initial)) = (case.program(target), case.initial(target)) else { return Support::Exact };
    let program = staged(&assembled, &initial);
    support(&program, model, initial.wave_size, initial.waves_of_group())
}

/// How well a program is carried out in groups of so many waves: by its instructions one behind the other, whether they are reached or not.
#[must_use]
pub fn support(program: &Program, model: Model, lanes: u32, waves: u32) -> Support {
    let base = engine::support(program);
    let missing = missing(program, model, lanes, waves);
    if missing.is_empty() {
        return base;
    }
    let unsupported = |m: &Missing| Unsupported {
        instruction: program.steps[m.step as usize]
            .row
            .map_or("", |row| row.name_in(program.target.generation()))
            .to_owned(),
        needs: m.needs.clone(),
    };
    let mut all: Vec<Unsupported> = missing.iter().map(unsupported).collect();
    if let Support::No(more) = base {
        all.extend(more);
    }
    all.sort_by(|a, b| a.instruction.cmp(&b.instruction));
    all.dedup();
    Support::No(all)
}

/// The instructions of a program that have no translation in groups of so many waves, one behind the other, whether they are reached or not.
#[must_use]
pub fn missing(program: &Program, model: Model, lanes: u32, waves: u32) -> Vec<Missing> {
    let mut at = 0;
    let mut entries = BTreeSet::new();
    while let Some(step) = program.steps.get(at as usize) {
        entries.insert(at);
        at = step.next.max(at + 1);
    }
    translate(program, &Translate { entries, waves, ..Translate::new(program.target, model, lanes) }).missing
}
