//! Singles at work: a batch of them is one program, every input a group of one wave that begins at its own instruction.
//!
//! The program is the instructions, each with an `s_endpgm` behind it. All state that a wave leaves is what counts: registers, EXEC and its like, MODE,
//! where it stopped, its LDS, its memory, its trap. An engine ends a run with the first trap, so what stands behind is run again without it.

use super::Suite;
use super::draw::{Single, for_programs};
use super::stage::{Place, Stage, Variant};
use crate::case::Export;
use crate::emu::grid::Hooks;
use crate::emu::group::Drive;
use crate::emu::plan::Plan;
use crate::emu::traced::record::{Event, Filter, Recorder};
use crate::emu::{self, traced};
use crate::engine::compare::{self, Difference, said};
use crate::engine::dispatch::Limits;
use crate::engine::dispatch::{Dispatch, FillLds};
use crate::engine::ground::Ground;
use crate::engine::keep::{Reported, Wanted, state};
use crate::engine::registers::Registers;
use crate::engine::{EngineError, Memory, Trap, Unsupported, WaveState};
use crate::engine::{Job, Ran, Runner};
use crate::isa::Target;
use crate::isa::form::Table;
use crate::memory::guest::{MapError, Region};
use crate::program::Program;
use crate::program::named::registers;
use std::sync::{Mutex, PoisonError};

/// Where the program lies.
const BASE: u64 = 0x7000_0000_0000;
/// Instructions that a wave may execute: its own and two behind.
const BUDGET: u64 = 100;
/// Vector registers of units whose instructions name only low ones.
pub const FEW: u32 = 32;

/// Some singles with their inputs.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Their suite.
    pub suite: Suite,
    /// The processor.
    pub target: Target,
    /// Lanes of a wave.
    pub lanes: u32,
    /// What chance starts from.
    pub seed: u64,
    /// How many inputs each has.
    pub inputs: u32,
    /// The instructions.
    pub singles: Vec<Single>,
}

/// A batch that is ready to run.
pub struct Ready<'b> {
    /// The batch.
    pub batch: &'b Batch,
    /// Its program.
    pub program: Program,
    /// Where the singles begin in it.
    pub starts: Vec<u32>,
    /// Where its memory lies.
    pub ground: Ground,
}

/// What an input left behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Left {
    /// Registers; nothing if the wave did not start.
    pub wave: Option<WaveState>,
    /// Its LDS and its memory.
    pub memory: Vec<Memory>,
    /// What it exported.
    pub exports: Vec<Export>,
    /// What ended it.
    pub trap: Option<Trap>,
}

impl Batch {
    /// The same with ordinary registers in place of the machine's own: what a card runs.
    #[must_use]
    pub fn for_programs(&self) -> Batch {
        let tamed = |single: &Single| {
            let words = for_programs(self.target, &single.words);
            Single::new(self.target, single.name.clone(), words).unwrap_or_else(|| single.clone())
        };
        Batch { singles: self.singles.iter().map(tamed).collect(), ..self.clone() }
    }

    /// How many vector registers its instructions need: few, or all.
    #[must_use]
    pub fn vgprs(&self) -> u32 {
        if self.singles.iter().all(|single| Batch::vgprs_of(self.target, &single.words) <= FEW) { FEW } else { 256 }
    }

    /// How many vector registers an instruction names; all where it finds them by a register.
    #[must_use]
    pub fn vgprs_of(target: Target, words: &[u32]) -> u32 {
        let program = Program::new(target, words, BASE);
        let step = &program.steps[0];
        if step.moves.is_some() || step.row.is_some_and(|row| row.does.is_relative()) {
            return 256;
        }
        let named = registers(&program.text(0), &program.target);
        if named.agprs > 0 { 256 } else { named.vgprs }
    }

    /// Every input of every single.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let inputs = self.inputs;
        (0..self.singles.len() as u32)
            .flat_map(|single| (0..inputs).map(move |input| Place { single, input }))
            .collect()
    }

    /// The program, with memory in the usual places.
    #[must_use]
    pub fn ready(&self) -> Ready<'_> {
        self.ready_on(Ground::usual(self.target.arch))
    }

    /// The program, with memory on some ground.
    #[must_use]
    pub fn ready_on(&self, ground: Ground) -> Ready<'_> {
        let end =
            Table::of(self.target).forms.iter().find(|form| form.row.name == "s_endpgm").map_or(0, |form| form.base[0]);
        let (mut words, mut starts) = (Vec::new(), Vec::new());
        for single in &self.singles {
            starts.push(words.len() as u32);
            words.extend(&single.words);
            words.push(end);
        }
        let mut program = Program::new(self.target, &words, BASE);
        if self.vgprs() == FEW {
            program.vgprs = FEW;
        }
        Ready { batch: self, program, starts, ground }
    }

    /// The text of a single.
    #[must_use]
    pub fn text(&self, single: &Single) -> String {
        Program::new(self.target, &single.words, BASE).text(0)
    }
}

impl Ready<'_> {
    /// Runs some inputs on an engine; what came of them, in their order. Each trap costs another run.
    ///
    /// # Errors
    /// The engine cannot do it, or fails.
    pub fn run(&self, runner: &dyn Runner, places: &[Place]) -> Result<Vec<Left>, EngineError> {
        self.run_so(runner, places, Variant::default())
    }

    /// Runs some inputs changed in a way.
    ///
    /// # Errors
    /// The engine cannot do it, or fails.
    pub fn run_so(&self, runner: &dyn Runner, places: &[Place], variant: Variant) -> Result<Vec<Left>, EngineError> {
        let mut all = Vec::with_capacity(places.len());
        while all.len() < places.len() {
            let rest = places[all.len()..].to_vec();
            let stage = Stage::new(self, rest, variant).map_err(too_much)?;
            let mut left = self.run_once(runner, &stage)?;
            if left.is_empty() {
                // An engine that runs nothing would have us here for ever.
                left.push(Left::default());
            }
            all.append(&mut left);
        }
        Ok(all)
    }

    /// The state in which inputs begin.
    ///
    /// # Errors
    /// There are more inputs than guest memory has room for.
    pub fn before(&self, places: &[Place]) -> Result<Vec<Left>, EngineError> {
        let Ready { batch, program, starts, .. } = self;
        let stage = Stage::new(self, places.to_vec(), Variant::default()).map_err(too_much)?;
        let begin = |group: usize| {
            let mut wave = Registers::new(program.target, batch.lanes);
            stage.set_up(program, starts, group, &mut wave);
            let mut left =
                Left { wave: Some(state(&wave, [0; 3], batch.target, 1, reported(&stage))), ..Left::default() };
            if stage.lds() > 0 {
                let mut words = vec![0; stage.lds() as usize / 4];
                stage.fill_lds(group as u32, &mut words);
                let bytes = words.into_iter().flat_map(u32::to_le_bytes).collect();
                left.memory.push(Memory { name: "lds".to_owned(), bytes });
            }
            left.memory.extend(stage.regions(group).map(named));
            left
        };
        Ok((0..places.len()).map(begin).collect())
    }

    /// Where a single begins in the program and how far it goes with the `s_endpgm` behind it, in bytes.
    #[must_use]
    pub fn extent(&self, single: u32) -> (u64, u64) {
        let words = self.batch.singles[single as usize].words.len() as u64 + 1;
        (4 * u64::from(self.starts[single as usize]), 4 * words)
    }

    /// What an input reads and writes on the emulator, instruction by instruction; the first is its own.
    ///
    /// # Errors
    /// There is no room for its memory.
    pub fn events(&self, place: Place) -> Result<Vec<Event>, EngineError> {
        let stage = Stage::new(self, vec![place], Variant::default()).map_err(too_much)?;
        let all = Mutex::new(Vec::new());
        self.dispatched(&stage, |dispatch, fill| {
            let make = |_| -> Box<Drive<'_>> {
                Box::new(|wave, group, limits| {
                    let mut put = |event: Event| all.lock().unwrap_or_else(PoisonError::into_inner).push(event);
                    traced::wave(wave, group, limits, &mut Recorder::new(Filter::default(), &mut put));
                })
            };
            let hooks = Hooks { lds: Some(fill), drive: Some(&make), ..Hooks::default() };
            let _ = emu::grid::run(dispatch, &Plan::new(dispatch.program), &hooks);
        });
        Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs the inputs of a stage up to the first trap.
    fn run_once(&self, runner: &dyn Runner, stage: &Stage<'_>) -> Result<Vec<Left>, EngineError> {
        let keep = Wanted::States(reported(stage));
        let ran = self
            .dispatched(stage, |dispatch, fill| runner.run(&Job { dispatch, lds: Some(fill), keep, timeout: None }))?;
        Ok(leave(stage, ran))
    }

    /// Does something with what a stage is as a dispatch, and with what fills its LDS.
    fn dispatched<R>(&self, stage: &Stage<'_>, run: impl FnOnce(&Dispatch<'_>, &FillLds<'_>) -> R) -> R {
        let Ready { batch, program, starts, .. } = self;
        let set_up = |id: [u32; 3], _: u32, wave: &mut Registers| stage.set_up(program, starts, id[0] as usize, wave);
        let fill = |id: [u32; 3], words: &mut [u32]| stage.fill_lds(id[0], words);
        let dispatch = Dispatch {
            groups: [stage.places.len() as u32, 1, 1],
            lds: stage.lds(),
            apertures: stage.ground.apertures,
            limits: Limits { instructions: BUDGET, pause: None },
            alone: true,
            ..Dispatch::of_one(program, &stage.memory, batch.lanes, &set_up)
        };
        run(&dispatch, &fill)
    }
}

/// The registers that are looked at.
fn reported(stage: &Stage<'_>) -> Reported {
    Reported { vgprs: stage.vgprs, agprs: stage.agprs() }
}

/// What the groups of a run left: up to the one that trapped.
fn leave(stage: &Stage<'_>, ran: Ran) -> Vec<Left> {
    let last = ran.trap.as_ref().map_or(stage.places.len(), |trap| trap.group[0] as usize + 1);
    let mut all: Vec<Left> = vec![Left::default(); last.min(stage.places.len())];
    for wave in ran.waves {
        if let Some(left) = all.get_mut(wave.group[0] as usize) {
            left.wave = Some(wave);
        }
    }
    for (left, lds) in all.iter_mut().zip(ran.lds) {
        left.memory.push(lds);
    }
    for export in ran.exports {
        if let Some(left) = all.get_mut(export.group[0] as usize) {
            left.exports.push(Export { group: [0; 3], ..export });
        }
    }
    for (group, left) in all.iter_mut().enumerate() {
        left.memory.extend(stage.regions(group).map(named));
        if let Some(wave) = &mut left.wave {
            wave.group = [0; 3];
        }
    }
    if let (Some(mut trap), Some(left)) = (ran.trap, all.last_mut()) {
        trap.group = [0; 3];
        left.trap = Some(trap);
    }
    all
}

fn named((name, region): (&'static str, &Region)) -> Memory {
    Memory { name: name.to_owned(), bytes: region.to_bytes() }
}

impl Left {
    /// Where another engine left something else.
    #[must_use]
    pub fn differences(&self, other: &Left) -> Vec<Difference> {
        let mut all = Vec::new();
        // Most are equal, and that is seen quickly.
        if self == other {
            return all;
        }
        if self.trap != other.trap {
            let text = |left: &Left| left.trap.as_ref().map_or("no trap".to_owned(), ToString::to_string);
            all.push(said("trap", [text(self), text(other)]));
        }
        match (&self.wave, &other.wave) {
            (Some(a), Some(b)) => all.extend(compare::waves(a, b)),
            (None, None) => {}
            (a, b) => {
                all.push(said("wave", [a, b].map(|w| if w.is_some() { "ran" } else { "did not run" }.to_owned())))
            }
        }
        for (a, b) in self.memory.iter().zip(&other.memory) {
            all.extend(compare::memories(a, b));
        }
        all.extend(compare::exports(&self.exports, &other.exports));
        all
    }
}

fn too_much(error: MapError) -> EngineError {
    Unsupported { instruction: "memory".to_owned(), needs: error.to_string() }.into()
}
