//! Waves that pause: the state after a prefix of a run.
//!
//! A translation that pauses serves every prefix, since the records say how long; so what was made for one run is kept for the next.

use super::Run;
use super::pieces::Piece;
use crate::program::Handler;
use crate::spirv::fault::Fault;
use crate::spirv::lanes::Model;
use crate::spirv::state::{Layout, head, status};
use std::collections::BTreeSet;

/// A translation that pauses, ready to run.
pub(super) struct Kept {
    about: About,
    entries: BTreeSet<u32>,
    layout: Layout,
    /// Its modules, and what was made of them.
    pub(super) pieces: Vec<Piece>,
}

/// What a translation depends on, beside the entries and the layout that a run comes to.
#[derive(Clone, PartialEq)]
struct About {
    code: Vec<u32>,
    base: u64,
    arch: &'static str,
    lanes: u32,
    waves: u32,
    model: Model,
    fault: Option<Fault>,
    handler: Option<Handler>,
}

impl Run<'_> {
    /// Whether waves pause.
    pub(super) fn pauses(&self) -> bool {
        self.job.dispatch.limits.pause.is_some()
    }

    fn about(&self) -> About {
        let (dispatch, engine) = (self.job.dispatch, self.engine);
        About {
            code: dispatch.program.words.clone(),
            base: dispatch.program.base,
            arch: dispatch.program.target.arch.name,
            lanes: dispatch.lanes,
            waves: dispatch.waves,
            model: engine.model,
            fault: engine.fault,
            handler: dispatch.program.handler,
        }
    }

    /// Keeps what was made for the next run.
    pub(super) fn keep(&self) {
        if self.pauses() {
            *self.engine.kept.borrow_mut() = Some(Kept {
                about: self.about(),
                entries: self.entries.clone(),
                layout: self.layout,
                pieces: self.pieces.clone(),
            });
        }
    }

    /// Takes what the last run has left, where this one comes to the same places.
    pub(super) fn has_kept(&mut self) -> bool {
        let about = self.about();
        let kept = self.engine.kept.borrow();
        let Some(kept) = kept.as_ref().filter(|kept| self.pauses() && kept.about == about) else { return false };
        self.entries.extend(&kept.entries);
        if self.entries != kept.entries {
            return false;
        }
        self.layout = kept.layout;
        self.pieces.clone_from(&kept.pieces);
        true
    }

    /// Whether a wave has come to where it is to pause.
    pub(super) fn paused(&self, r: &[u32]) -> bool {
        let pausing = self.pauses() && r[head::STATUS as usize] == status::RUNS;
        pausing && r[head::STEPS as usize] >= r[head::PAUSE as usize]
    }

    /// Opens the barriers that nobody is still on the way to.
    pub(super) fn open_barriers(&self, records: &mut [u32], record: usize) {
        for group in records.chunks_mut(record * self.job.dispatch.waves.max(1) as usize) {
            self.open_barrier(group, record);
        }
    }

    /// Opens the barrier of a group if nobody is still on the way to it. One who has trapped never comes.
    ///
    /// Where waves pause, it counts the time that they have waited: see [`Limits::pause`](crate::engine::dispatch::Limits::pause).
    pub(super) fn open_barrier(&self, group: &mut [u32], record: usize) {
        let waits = |r: &[u32]| r[head::STATUS as usize] == status::BARRIER;
        let came = |r: &[u32]| waits(r) || r[head::STATUS as usize] == status::ENDED;
        if !group.chunks(record).all(came) {
            return;
        }
        // What is left until the pause is the same for all behind the barrier: that of the wave which came last.
        let left = |r: &[u32]| r[head::PAUSE as usize].saturating_sub(r[head::STEPS as usize]);
        let last = group.chunks(record).filter(|r| waits(r)).map(left).min().unwrap_or(0);
        for r in group.chunks_mut(record).filter(|r| waits(r)) {
            r[head::PAUSE as usize] = r[head::STEPS as usize].saturating_add(last);
            r[head::STATUS as usize] = status::RUNS;
        }
    }
}
