//! Exports of a wave: what its registers hold at that moment goes to the list of its group.

use super::group::Group;
use super::group::trap;
use super::kernel::STRIDE;
use super::plan::{Run, Step};
use super::wave::{Wave, file};
use crate::case::Export;
use crate::engine::dispatch::{MAX_EXPORTS, too_many_exports};
use crate::fault::planted;
use crate::program;

/// The function of an export.
pub(super) fn run(step: &program::Step) -> Option<Run> {
    step.export.as_ref().map(|_| export as Run)
}

fn export(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(of) = step.export.as_deref() else { return step.next };
    if group.exports.len() >= MAX_EXPORTS {
        return trap(wave, too_many_exports());
    }
    let exec = if planted!(ExportIgnoresExec) { wave.all_lanes() } else { wave.exec() };
    let mut lanes = vec![[0; 4]; wave.lanes as usize];
    for n in 0..4 {
        let Some((register, high)) = of.element(n) else { continue };
        let high = high != planted!(ExportHalvesSwapped);
        let at = file::of(register) as usize;
        for (lane, (to, word)) in lanes.iter_mut().zip(&wave.file[at..at + STRIDE]).enumerate() {
            if exec >> lane & 1 != 0 {
                to[n as usize] = of.value(word.get(), high);
            }
        }
    }
    group.exports.push(Export {
        group: group.id,
        wave: wave.index,
        pc: u64::from(step.at) * 4,
        target: of.target,
        row: of.row.then(|| if planted!(ExportRowFirst) { 0 } else { wave.m0() }),
        enabled: of.enabled,
        half: of.half,
        done: of.done,
        valid: of.valid,
        exec,
        lanes,
    });
    step.next
}
