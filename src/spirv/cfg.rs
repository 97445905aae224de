//! Blocks: where straight runs of steps begin.
//!
//! Control flow of a wave is scalar, so that all its lanes are in the same block. A block begins where a branch leads, behind whatever may go
//! elsewhere or stop, and where the host says that waves go on. It ends before the next one begins. Jumps whose targets are in registers
//! are not followed: a wave that comes to a place without a block stops, and the host translates again with a block there.
//!
//! Where waves are to pause after any number of steps, every step is a block of its own.

use crate::isa::does::Way;
use crate::isa::row::Family;
use crate::program::{Program, Step};
use crate::spirv::lanes::Model;
use crate::spirv::turns::Turns;
use std::collections::BTreeSet;

/// Rounds of loops that a step takes, about: in models in which an invocation has several lanes, these once or twice, and more where memory is
/// searched. Subgroups are taken to be small.
#[must_use]
pub fn rounds(step: &Step, model: Model) -> u32 {
    const SEARCH: u32 = 16;
    const BLOCK: u32 = 32;
    // Levels, columns of a matrix, words and components; of samples, those of each texel of two footprints.
    const TEXEL: u32 = 96;
    const TEXELS: u32 = 768;
    let lanes = match model {
        Model::Serial => 64,
        Model::Subgroup => 8,
        Model::Workgroup => 1,
    };
    let Some(family) = step.family() else { return 0 };
    let memory = !is_scalar(family) && !is_arithmetic(family) || family == Family::Smem;
    match (model, memory) {
        (_, true) if family == Family::Smem => SEARCH,
        // Each word is looked for by itself, and once more when it is stored.
        (_, true) if is_block(step) => lanes * BLOCK * 2 * SEARCH,
        (_, true) if family == Family::Mimg => {
            let sampled =
                step.memory.as_ref().and_then(|access| access.image.as_ref()).is_some_and(|i| i.sampler.is_some());
            lanes * if sampled { TEXELS } else { TEXEL }
        }
        // So are components that are not side by side.
        (_, true) if matches!(family, Family::Mubuf | Family::Mtbuf) => lanes * 2 * SEARCH,
        (_, true) => lanes * SEARCH,
        (Model::Serial | Model::Subgroup, false) if !is_scalar(family) => 2 * lanes,
        _ => 0,
    }
}

/// Rounds of the loop around the blocks that a step takes at most where its block is cut into segments, about.
fn segments(step: &Step, model: Model) -> u32 {
    match step.family() {
        Some(family) if model == Model::Serial || is_scalar(family) => 2,
        // Each element is a call.
        Some(Family::Mai | Family::Vop3p) if step.meaning.is_none() => 512,
        Some(family) if is_arithmetic(family) => 32,
        Some(_) => 128,
        None => 2,
    }
}

/// Blocks have no more rounds, unless they are one step.
const ROUNDS: u32 = 1 << 12;

/// Whether a step moves a block of registers to or from memory.
fn is_block(step: &Step) -> bool {
    step.memory.as_ref().is_some_and(|access| access.way == Way::Block)
}

fn is_scalar(family: Family) -> bool {
    matches!(family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp)
}

fn is_arithmetic(family: Family) -> bool {
    use Family::{Mai, Vinterp, Vop1, Vop2, Vop3, Vop3p, Vopc, Vopd};
    matches!(family, Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd | Mai | Vinterp)
}

/// The first steps of the blocks that can be reached from `entries`; with `all`, every step that can be reached.
///
/// Behind what the host does for a wave that takes its turn, a block begins as well.
#[must_use]
pub fn leaders(program: &Program, entries: &BTreeSet<u32>, (model, turns): (Model, Turns), all: bool) -> BTreeSet<u32> {
    let mut leaders = BTreeSet::new();
    let mut seen = vec![false; program.steps.len()];
    let handler = program.handler.map(|handler| handler.step);
    let entries: BTreeSet<u32> = entries.iter().copied().chain(handler).collect();
    let mut open: Vec<u32> = entries.iter().copied().collect();
    leaders.extend(entries.iter().copied().filter(|at| (*at as usize) < seen.len()));
    while let Some(mut at) = open.pop() {
        let mut taken = 0;
        while let Some(step) = program.steps.get(at as usize) {
            if std::mem::replace(&mut seen[at as usize], true) {
                break;
            }
            let cost = rounds(step, model) + segments(step, model);
            if all || taken > 0 && taken + cost > ROUNDS {
                taken = 0;
                leaders.insert(at);
            }
            taken += cost;
            if step.breaks_flow() || turns.asks_host(step) {
                for next in step.exits().steps().filter(|next| (*next as usize) < program.steps.len()) {
                    leaders.insert(next);
                    open.push(next);
                }
                break;
            }
            at = step.next;
        }
    }
    leaders
}
