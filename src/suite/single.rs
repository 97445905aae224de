//! Singles at work: a batch of them is one program, every input a group of one wave that begins at its own instruction.
//!
//! The program is the instructions, each with an `s_endpgm` behind it. All state that a wave leaves is what counts: registers, EXEC and its like, MODE,
//! where it stopped, its LDS, its memory, its trap. An engine ends a run with the first trap, so what stands behind is run again without it.

use super::Suite;
use super::draw::Single;
use super::stage::{Place, Stage, Variant};
use crate::emu::dispatch::Dispatch;
use crate::emu::engine::{Job, Ran, Reported, Runner};
use crate::emu::order::Order;
use crate::emu::plan::Program;
use crate::emu::run::Limits;
use crate::emu::traced::record::registers;
use crate::emu::wave::Wave;
use crate::engine::compare::{self, Difference, said};
use crate::engine::{EngineError, Memory, Trap, Unsupported, WaveState};
use crate::isa::form::Table;
use crate::isa::{Gen, Target};
use crate::memory::guest::{MapError, Region};

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
}

/// What an input left behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Left {
    /// Registers; nothing if the wave did not start.
    pub wave: Option<WaveState>,
    /// Its LDS and its memory.
    pub memory: Vec<Memory>,
    /// What ended it.
    pub trap: Option<Trap>,
}

impl Batch {
    /// How many vector registers its instructions need: few, or all.
    #[must_use]
    pub fn vgprs(&self) -> u32 {
        if self.singles.iter().all(|single| vgprs(self.target, &single.words) <= FEW) { FEW } else { 256 }
    }

    /// Every input of every single.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let inputs = self.inputs;
        (0..self.singles.len() as u32)
            .flat_map(|single| (0..inputs).map(move |input| Place { single, input }))
            .collect()
    }

    /// The program.
    #[must_use]
    pub fn ready(&self) -> Ready<'_> {
        let end =
            Table::of(self.target).forms.iter().find(|form| form.row.name == "s_endpgm").map_or(0, |form| form.base[0]);
        let (mut words, mut starts) = (Vec::new(), Vec::new());
        for single in &self.singles {
            starts.push(words.len() as u32);
            words.extend(&single.words);
            words.push(end);
        }
        let mut program = Program::plan(self.target, &words, BASE);
        if self.vgprs() == FEW {
            program.vgprs = FEW;
        }
        Ready { batch: self, program, starts }
    }

    /// The text of a single.
    #[must_use]
    pub fn text(&self, single: &Single) -> String {
        Program::plan(self.target, &single.words, BASE).text(0)
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

    /// Runs the inputs of a stage up to the first trap.
    fn run_once(&self, runner: &dyn Runner, stage: &Stage<'_>) -> Result<Vec<Left>, EngineError> {
        let Ready { batch, program, starts } = self;
        let set_up = |id: [u32; 3], _: u32, wave: &mut Wave| stage.set_up(program, starts, id[0] as usize, wave);
        let fill = |id: [u32; 3], words: &mut [u32]| stage.fill_lds(id[0], words);
        let dispatch = Dispatch {
            program,
            memory: &stage.memory,
            groups: [stage.places.len() as u32, 1, 1],
            waves: 1,
            lanes: batch.lanes,
            lds: stage.lds(),
            apertures: stage.apertures,
            scratch_per_lane: 0,
            limits: Limits { instructions: BUDGET, pause: None },
            order: Order::default(),
            threads: 1,
            keep: false,
            setup: &set_up,
        };
        let agprs = if batch.target.generation() == Gen::Gfx9 && stage.vgprs > FEW { 256 } else { 0 };
        let keep = Some(Reported { vgprs: stage.vgprs, agprs });
        let ran = runner.run(&Job { dispatch: &dispatch, lds: Some(&fill), keep, timeout: None })?;
        Ok(leave(stage, ran))
    }
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
    for (group, left) in all.iter_mut().enumerate() {
        let memory =
            |(name, region): (&'static str, &Region)| Memory { name: name.to_owned(), bytes: region.to_bytes() };
        left.memory.extend(stage.regions(group).map(memory));
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
        all
    }

    /// A digest of everything that is compared.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        if let Some(trap) = &self.trap {
            digest.bytes(format!("{:?} {} {:?} {:?}", trap.kind, trap.pc, trap.lane, trap.address).as_bytes());
        }
        if let Some(wave) = &self.wave {
            digest.wave(wave);
        }
        for memory in &self.memory {
            digest.bytes(&memory.bytes);
        }
        digest.0
    }
}

/// A digest of results: what recordings keep of them. Words are mixed in one after the other (FNV-1a over words of 64 bits, and a last mix).
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds a word.
    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    /// Adds bytes, and how many there are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            self.word(chunk.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)));
        }
    }

    /// Adds the state of a wave, as far as it is compared.
    pub fn wave(&mut self, wave: &WaveState) {
        let whole = if wave.wave_size == 32 { u64::from(u32::MAX) } else { u64::MAX };
        for word in [
            wave.pc,
            wave.exec & whole,
            wave.vcc,
            wave.scc.into(),
            wave.m0.into(),
            wave.mode.into(),
            wave.status.into(),
        ] {
            self.word(word);
        }
        wave.sgprs.iter().chain(&wave.ttmps).for_each(|word| self.word((*word).into()));
        for register in wave.vgprs.iter().chain(&wave.agprs) {
            for pair in register[..wave.wave_size as usize].chunks_exact(2) {
                self.word(u64::from(pair[0]) | u64::from(pair[1]) << 32);
            }
        }
    }

    /// The digest.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0
    }
}

/// How many vector registers an instruction names; all where it finds them by a register.
fn vgprs(target: Target, words: &[u32]) -> u32 {
    let program = Program::plan(target, words, BASE);
    let step = &program.steps[0];
    if step.moves.is_some() || step.row.is_some_and(|row| row.name.contains("movrel")) {
        return 256;
    }
    let named = registers(&program.text(0), &program.target);
    if named.agprs > 0 { 256 } else { named.vgprs }
}

fn too_much(error: MapError) -> EngineError {
    Unsupported { instruction: "memory".to_owned(), needs: error.to_string() }.into()
}
