//! Large programs in pieces, each a pipeline of its own.
//!
//! The compilers of CPU devices take a time that grows with the square of what they get and more: `crypto/aes` of the corpus, which did not end in four
//! minutes, takes one in pieces. A piece has the blocks of some steps; a wave that leaves it stops as at any place without a block, and the
//! next dispatch is of a piece in which a wave can go on, in turn, so that waves which wait for each other all come forward. A piece that no
//! wave comes to is never compiled. Cards get the whole program, as far as a module may have as many blocks.

use super::{Kept, Run};
use crate::engine::EngineError;
use crate::spirv::cfg;
use crate::spirv::lanes::Model;
use crate::spirv::lower::{Cut, MOST_CASES, Options, Translation, UNCUT, translate};
use crate::spirv::module::{Size, written_out};
use crate::spirv::state::{self, head, status};
use crate::vulkan::{Pipeline, Shader};
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::{Deref, Range};
use std::sync::Arc;
use std::time::Instant;

/// What a pipeline may come to on a CPU device where lanes are invocations: registers are in memory then, and what is between two branches is long.
pub(super) const LARGE: Size = Size { branches: 700, words: 10_000 };

/// Some steps of a program.
#[derive(Clone)]
pub(super) struct Piece {
    steps: Range<u32>,
    /// Its module.
    pub(super) translation: Translation,
    /// What the device has made of it.
    pub(super) pipeline: Option<Arc<Pipeline>>,
}

impl Run<'_> {
    /// Translates what can be reached from the entries, with records that have room for all that it names.
    pub(super) fn translate(&mut self) {
        let start = Instant::now();
        // Other values at the start, or another prefix, need no other pipeline; nor does another piece that has changed.
        let kept = self.engine.kept.borrow_mut().take().filter(|_| self.pauses());
        let old: Vec<Piece> =
            self.pieces.drain(..).chain(kept.into_iter().flat_map(|kept: Kept| kept.pieces)).collect();
        let steps = 0..u32::MAX;
        let whole = loop {
            let whole = self.translation(&steps);
            let layout = self.layout.join(whole.used);
            if layout == self.layout {
                break whole;
            }
            self.layout = layout;
        };
        let mut pieces = Vec::new();
        let reachable = LazyCell::new(|| {
            cfg::leaders(self.job.dispatch.program, &self.entries, (self.engine.model, self.turns), true)
        });
        self.cut_up(Piece { steps, translation: whole, pipeline: None }, &reachable, &mut pieces);
        self.pieces = pieces;
        for piece in &mut self.pieces {
            let same =
                old.iter().find(|old| old.pipeline.is_some() && old.translation.words == piece.translation.words);
            piece.pipeline = same.and_then(|old| old.pipeline.clone());
        }
        if self.pieces.iter().any(|piece| piece.pipeline.is_some()) {
            self.keep();
        }
        self.engine.costs.borrow_mut().translate += start.elapsed();
    }

    /// Translates some steps.
    fn translation(&self, steps: &Range<u32>) -> Translation {
        let (dispatch, engine) = (self.job.dispatch, self.engine);
        let mut entries = self.entries.clone();
        if steps.start > 0 {
            entries.insert(steps.start);
        }
        translate(
            dispatch.program,
            &Options {
                pausing: self.pauses(),
                layout: self.layout,
                entries,
                steps: steps.clone(),
                apertures: dispatch.apertures,
                waves: dispatch.waves,
                cut: if engine.model == Model::Subgroup { Cut::Never } else { engine.cut },
                subgroup: self.device.caps().subgroup_for(dispatch.lanes).unwrap_or(dispatch.lanes),
                fault: engine.fault,
                ..Options::new(dispatch.program.target, engine.model, dispatch.lanes)
            },
        )
    }

    /// Whether a pipeline may be made of it.
    fn fits(&self, translation: &Translation) -> bool {
        if translation.cases > MOST_CASES || self.engine.large == Size::MAX {
            return translation.cases <= MOST_CASES;
        }
        let large = match self.engine.model {
            Model::Workgroup if !translation.cut => UNCUT,
            Model::Workgroup => self.engine.large,
            // Registers are variables there, in blocks of any length.
            Model::Serial | Model::Subgroup => Size { words: usize::MAX, ..self.engine.large },
        };
        written_out(&translation.words).fits(&large)
    }

    /// Halves a piece as long as it is too much for one. `reachable` are the instructions that waves can come to.
    fn cut_up(&self, piece: Piece, reachable: &impl Deref<Target = BTreeSet<u32>>, to: &mut Vec<Piece>) {
        if self.fits(&piece.translation) {
            to.push(piece);
            return;
        }
        let Range { start, end } = piece.steps;
        let inside = || reachable.range(start..end);
        // One instruction has no middle.
        let Some(&middle) = inside().nth(inside().count() / 2).filter(|middle| Some(*middle) != inside().next()) else {
            to.push(piece);
            return;
        };
        for steps in [start..middle, middle..end] {
            let translation = self.translation(&steps);
            self.cut_up(Piece { steps, translation, pipeline: None }, reachable, to);
        }
    }

    /// Whether a block begins at a step.
    pub(super) fn has_block(&self, step: u32) -> bool {
        self.pieces.iter().any(|piece| piece.translation.blocks.contains(&step))
    }

    /// Gives the next piece in which a wave can go on its turn; says which waves can. Where waves take turns, one does.
    pub(super) fn take_turn(&mut self, records: &[u32], record: usize, alone: Option<usize>) -> Vec<bool> {
        if let Some(alone) = alone {
            let pc = records[alone * record + head::PC as usize];
            self.turn = self.pieces.iter().position(|piece| piece.steps.contains(&pc)).unwrap_or(0);
            return (0..records.len() / record).map(|wave| wave == alone).collect();
        }
        let waves_of = |piece: &Piece| -> Vec<bool> {
            let runs =
                |r: &[u32]| r[head::STATUS as usize] == status::RUNS && piece.steps.contains(&r[head::PC as usize]);
            records.chunks(record).map(runs).collect()
        };
        let count = self.pieces.len();
        for turn in (self.turn + 1..).map(|n| n % count).take(count) {
            let waves = waves_of(&self.pieces[turn]);
            if waves.contains(&true) {
                self.turn = turn;
                return waves;
            }
        }
        // Nobody runs: all have stopped before they began.
        self.turn = 0;
        waves_of(&self.pieces[0])
    }

    /// The pipeline of the piece whose turn it is.
    pub(super) fn pipeline(&mut self) -> Result<Arc<Pipeline>, EngineError> {
        let piece = &self.pieces[self.turn];
        if let Some(pipeline) = &piece.pipeline {
            return Ok(pipeline.clone());
        }
        let (engine, translation) = (self.engine, &piece.translation);
        let shader = Shader {
            subgroup_size: translation.subgroup,
            full_subgroups: translation.subgroup.is_some(),
            buffers: state::binding::COUNT,
            push_bytes: 4 * state::push::COUNT,
            ..Shader::new("translation", &translation.words)
        };
        engine.made.set(engine.made.get() + 1);
        let pipeline = Arc::new(self.device.pipeline(&shader).map_err(|e| engine.failed(e))?);
        {
            let mut costs = engine.costs.borrow_mut();
            costs.compile += pipeline.compiled();
            costs.words += translation.words.len();
        }
        self.pieces[self.turn].pipeline = Some(pipeline.clone());
        self.keep();
        Ok(pipeline)
    }
}
