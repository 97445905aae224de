//! Blocks: where straight runs of steps begin.
//!
//! Control flow of a wave is scalar, so that all its lanes are in the same block. A block begins where a branch leads, behind whatever may go
//! elsewhere or stop, and where the host says that waves go on. It ends before the next one begins. Jumps whose targets are in registers
//! are not followed: a wave that comes to a place without a block stops, and the host translates again with a block there.

use crate::emu::plan::{Program, STOP, Step};
use crate::isa::row::Family;
use std::collections::BTreeSet;

/// What a step does to the flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It goes on behind itself.
    On,
    /// It may go elsewhere, or stop the wave on purpose.
    Breaks,
}

/// What a step does to the flow, by the name of its row.
#[must_use]
pub fn flow(step: &Step) -> Flow {
    let Some(row) = step.row else { return Flow::Breaks };
    if !matches!(row.family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopp) {
        return Flow::On;
    }
    let breaks = ["s_cbranch_", "s_endpgm", "s_barrier", "s_subvector_loop_"].iter().any(|p| row.name.starts_with(p))
        || matches!(
            row.name,
            "s_branch" | "s_setpc_b64" | "s_swappc_b64" | "s_call_b64" | "s_trap" | "s_sethalt" | "s_code_end"
        );
    if breaks && row.name != "s_barrier_signal" { Flow::Breaks } else { Flow::On }
}

/// The first steps of the blocks that can be reached from `entries`.
#[must_use]
pub fn leaders(program: &Program, entries: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut leaders = BTreeSet::new();
    let mut seen = vec![false; program.steps.len()];
    let mut open: Vec<u32> = entries.iter().copied().collect();
    leaders.extend(entries.iter().copied().filter(|at| (*at as usize) < seen.len()));
    while let Some(mut at) = open.pop() {
        while let Some(step) = program.steps.get(at as usize) {
            if std::mem::replace(&mut seen[at as usize], true) {
                break;
            }
            if flow(step) == Flow::Breaks {
                for next in [step.target, step.next] {
                    if next != STOP && (next as usize) < seen.len() && leaves(step, next) {
                        leaders.insert(next);
                        open.push(next);
                    }
                }
                break;
            }
            at = step.next;
        }
    }
    leaders
}

/// Whether a step that breaks the flow may go on at `next`.
fn leaves(step: &Step, next: u32) -> bool {
    let name = step.row.map_or("", |row| row.name);
    let ends = name.starts_with("s_endpgm") || matches!(name, "s_code_end" | "s_trap" | "s_setpc_b64" | "");
    // What stands behind a jump or the end is reached from elsewhere, if at all.
    !(ends || name == "s_branch" && next == step.next)
}
