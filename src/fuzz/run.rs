//! A pool on two engines, and which of its waves differ.

use super::memory::LDS;
use super::operand::VECTORS;
use super::pool::Pool;
use super::start::{Palette, Start};
use crate::case::{Case, Export, wave_size};
use crate::engine::compare;
use crate::engine::dispatch::Dispatch;
use crate::engine::dispatch::Limits;
use crate::engine::ground::Ground;
use crate::engine::keep::{Reported, Wanted};
use crate::engine::registers::Registers;
use crate::engine::{EngineError, WaveState};
use crate::engine::{Job, Ran, Runner};
use crate::laws::Chance;
use crate::memory::guest::{MapError, Memory};
use std::collections::BTreeMap;

/// Instructions of a wave, beyond any that there are.
const BUDGET: u64 = 1 << 16;

/// A pool and its waves.
pub struct Round {
    /// The pool.
    pub pool: Pool,
    /// Where memory lies: wherever there is room, unless said otherwise.
    pub ground: Ground,
    palette: Palette,
    starts: Vec<Start>,
}

/// A wave that ended differently.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The wave.
    pub wave: usize,
    /// What differs first.
    pub what: String,
}

impl Round {
    /// So many waves of a pool.
    #[must_use]
    pub fn new(pool: Pool, waves: usize, seed: u64) -> Round {
        let mut chance = Chance::new(seed ^ 0x5eed ^ pool.number << 20);
        let palette = Palette::new(&mut chance);
        let waves = if pool.snippets.is_empty() { 0 } else { waves.max(pool.snippets.len()) };
        let starts = (0..waves).map(|n| Start::new(&pool, &palette, n, &mut chance)).collect();
        Round { ground: Ground::usual(pool.target.arch), pool, palette, starts }
    }

    /// How many waves there are.
    #[must_use]
    pub fn waves(&self) -> usize {
        self.starts.len()
    }

    /// Runs both engines.
    ///
    /// # Errors
    /// An engine fails.
    pub fn run(&self, a: &dyn Runner, b: &dyn Runner) -> Result<Vec<Finding>, EngineError> {
        if self.starts.is_empty() {
            return Ok(Vec::new());
        }
        let ((a, left), (b, right)) = (self.on(a)?, self.on(b)?);
        let mut all = differences(&a, &b);
        if let (true, Some(contents)) = (all.is_empty(), self.pool.contents) {
            let window = contents.window() as usize;
            let windows = left.chunks(window).zip(right.chunks(window)).enumerate();
            all.extend(windows.filter_map(|(wave, (left, right))| {
                let at = left.iter().zip(right).position(|(a, b)| a != b)?;
                Some(Finding { wave, what: format!("memory at {at:#x}: {:#x} and {:#x}", left[at], right[at]) })
            }));
        }
        Ok(all)
    }

    /// What an engine leaves, in registers and in memory.
    ///
    /// # Errors
    /// The engine fails.
    pub fn on(&self, runner: &dyn Runner) -> Result<(Ran, Vec<u8>), EngineError> {
        let mut memory = Memory::new();
        if let Some(contents) = self.pool.contents {
            let failed = |e: MapError| EngineError::Crash {
                device: "memory".to_owned(),
                doing: "mapping guest memory",
                reason: e.to_string(),
            };
            memory
                .map_bytes("windows", self.ground.first, &contents.windows(self.starts.len()), true)
                .map_err(failed)?;
        }
        let setup = |group: [u32; 3], _: u32, wave: &mut Registers| {
            if let Some(start) = self.starts.get(group[0] as usize) {
                start.fill(&self.pool, &self.palette, wave);
                if let Some(contents) = self.pool.contents {
                    contents.fill(self.ground.first, group[0].into(), wave);
                }
            }
        };
        let lds = |_: [u32; 3], words: &mut [u32]| {
            if let Some(contents) = self.pool.contents {
                contents.lds(words);
            }
        };
        let dispatch = Dispatch {
            groups: [self.starts.len() as u32, 1, 1],
            lds: if self.pool.contents.is_some() { LDS } else { 0 },
            apertures: self.ground.apertures,
            limits: Limits { instructions: BUDGET, pause: None },
            alone: true,
            ..Dispatch::of_one(&self.pool.program, &memory, wave_size(self.pool.target), &setup)
        };
        let keep = Wanted::States(Reported { vgprs: VECTORS, agprs: 0 });
        let ran = runner.run(&Job { dispatch: &dispatch, lds: Some(&lds), keep, timeout: None })?;
        let left = memory.regions().iter().flat_map(|region| region.to_bytes()).collect();
        Ok((ran, left))
    }

    /// The numbers of the snippets of a wave's walk, in order.
    pub fn numbers(&self, wave: usize) -> impl Iterator<Item = usize> + '_ {
        self.starts[wave].walk.iter().map(|n| usize::from(*n))
    }

    /// The rows of a wave's walk, in order.
    #[must_use]
    pub fn walk(&self, wave: usize) -> Vec<&'static str> {
        self.numbers(wave).map(|n| self.pool.snippets[n].row).collect()
    }

    /// The first snippets of a wave's walk as a case of its own.
    #[must_use]
    pub fn case(&self, wave: usize, snippets: usize) -> Case {
        super::flat::case(&self.pool, &self.palette, (&self.starts[wave], wave as u64), snippets)
    }

    /// Takes what was tried as tried.
    pub fn note(&self, coverage: &mut super::Coverage) {
        for start in &self.starts {
            for n in &start.walk {
                let snippet = &self.pool.snippets[usize::from(*n)];
                coverage.reach(&snippet.pairs);
            }
            let first = &self.pool.snippets[usize::from(start.walk[0])];
            for (source, class) in &start.classes {
                coverage.value(first.shape, *source, *class);
            }
        }
    }
}

fn differences(a: &Ran, b: &Ran) -> Vec<Finding> {
    let mut all = Vec::new();
    // A program of a pool does not trap: where both do, it was not made as it should be.
    if a.trap.is_some() || b.trap.is_some() {
        let text = |ran: &Ran| ran.trap.as_ref().map_or("no trap".to_owned(), ToString::to_string);
        let group = a.trap.as_ref().or(b.trap.as_ref()).map_or(0, |trap| trap.group[0] as usize);
        all.push(Finding { wave: group, what: format!("trap: {} and {}", text(a), text(b)) });
    }
    for (n, (x, y)) in a.lds.iter().zip(&b.lds).enumerate() {
        if let Some(at) = x.bytes.iter().zip(&y.bytes).position(|(a, b)| a != b) {
            all.push(Finding { wave: n, what: format!("LDS at {at:#x}: {:#x} and {:#x}", x.bytes[at], y.bytes[at]) });
        }
    }
    all.extend(of_exports(&a.exports, &b.exports));
    for (n, (x, y)) in a.waves.iter().zip(&b.waves).enumerate() {
        if let Some(what) = difference(x, y) {
            all.push(Finding { wave: n, what });
        }
    }
    all
}

/// The waves that exported other things.
fn of_exports(a: &[Export], b: &[Export]) -> impl Iterator<Item = Finding> {
    let mut groups: BTreeMap<u32, [Vec<Export>; 2]> = BTreeMap::new();
    for (side, exports) in [a, b].into_iter().enumerate() {
        for export in exports {
            groups.entry(export.group[0]).or_default()[side].push(export.clone());
        }
    }
    groups.into_iter().filter_map(|(group, [a, b])| {
        let said = compare::exports(&a, &b)?.text.unwrap_or_default();
        Some(Finding { wave: group as usize, what: said.join(" and ") })
    })
}

/// What differs first between two waves.
fn difference(a: &WaveState, b: &WaveState) -> Option<String> {
    let pairs = a.sgprs.iter().zip(&b.sgprs).enumerate();
    if let Some((n, (x, y))) = pairs.into_iter().find(|(_, (x, y))| x != y) {
        return Some(format!("s{n}: {x:#x} and {y:#x}"));
    }
    for (n, (x, y)) in a.vgprs.iter().zip(&b.vgprs).enumerate() {
        if x != y {
            let lane = (0..64).find(|lane| x[*lane] != y[*lane]).unwrap_or(0);
            return Some(format!("v{n} lane {lane}: {:#x} and {:#x}", x[lane], y[lane]));
        }
    }
    let head = |w: &WaveState| (w.vcc, w.exec, w.scc, w.m0, w.mode, w.pc);
    (head(a) != head(b)).then(|| format!("vcc, exec, scc, m0, mode, pc: {:x?} and {:x?}", head(a), head(b)))
}
