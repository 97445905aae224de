//! What the script of the page works on: instructions, lanes, and the numbers of events. Records are arrays; `timeline.js` names their fields.

use crate::timing::kind::Kind;
use crate::timing::{executed, place};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wavediff::program::Program;
use wavediff::timing::{Event, Report, Why};

/// Everything.
#[derive(Serialize)]
pub struct Data {
    clocks: u64,
    /// What kinds of instructions are called; the classes of their colours are `k0`, `k1`.
    kinds: [&'static str; Kind::ALL.len()],
    /// The same of reasons to wait: `w0`, `w1`.
    whys: [&'static str; Why::ALL.len()],
    /// Instructions: first word, place, text, kind.
    steps: Vec<(u32, String, String, usize)>,
    /// Waves by compute unit and SIMD.
    lanes: Vec<Lane>,
    /// The numbers of instructions among these, by their first words.
    #[serde(skip)]
    numbers: HashMap<u32, usize>,
}

/// Compute unit, SIMD, group, wave, begin, end, instructions, events; the first two and the three behind the wave are zero of a wave that is not
/// listed, which the last field says.
#[derive(Serialize)]
struct Lane(u32, u32, [u32; 3], u32, u64, u64, u64, Vec<i64>, bool);

/// The number of a kind.
pub fn number_of(kind: Kind) -> usize {
    Kind::ALL.iter().position(|other| *other == kind).unwrap_or(0)
}

impl Data {
    /// The data of a run.
    pub fn of(report: &Report, program: &Program) -> Data {
        let mut named: BTreeSet<u32> =
            executed(report).flat_map(|(step, time)| [Some(step), time.on]).flatten().collect();
        named.extend(report.events.iter().flat_map(|event| [Some(event.step), event.on]).flatten());
        let steps =
            named.iter().map(|step| (*step, place(*step), program.text(*step), number_of(Kind::of(program, *step))));
        let mut data = Data {
            clocks: report.clocks,
            kinds: Kind::ALL.map(Kind::name),
            whys: Why::ALL.map(Why::name),
            steps: steps.collect(),
            lanes: Vec::new(),
            numbers: named.iter().copied().zip(0..).collect(),
        };
        data.lanes = data.lanes_of(report);
        data
    }

    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The number of an instruction.
    pub fn number(&self, step: u32) -> Option<usize> {
        self.numbers.get(&step).copied()
    }

    /// The first words of the instructions.
    pub fn steps(&self) -> impl Iterator<Item = u32> {
        self.steps.iter().map(|step| step.0)
    }

    fn lanes_of(&self, report: &Report) -> Vec<Lane> {
        let mut events: BTreeMap<([u32; 3], u32), Vec<i64>> = BTreeMap::new();
        for event in &report.events {
            events.entry((event.group, event.wave)).or_default().extend(self.numbers_of(event));
        }
        let mut lanes: Vec<Lane> = Vec::new();
        for wave in &report.waves {
            let mine = events.remove(&(wave.group, wave.wave)).unwrap_or_default();
            let (unit, simd, count) = (wave.unit, wave.simd, wave.instructions);
            lanes.push(Lane(unit, simd, wave.group, wave.wave, wave.begin, wave.end, count, mine, true));
        }
        lanes.sort_by_key(|lane| (lane.0, lane.1, lane.4, lane.2, lane.3));
        lanes.extend(events.into_iter().map(|((group, wave), mine)| Lane(0, 0, group, wave, 0, 0, 0, mine, false)));
        lanes
    }

    /// Instruction, issue, start and done (as clocks behind the issue), reason or -1, clocks waited, instruction waited for or -1.
    fn numbers_of(&self, event: &Event) -> [i64; 7] {
        let behind = |clock: u64| clock as i64 - event.issue as i64;
        let number = |step: Option<u32>| step.and_then(|step| self.number(step)).map_or(-1, |n| n as i64);
        let (why, waited) = event.why.map_or((-1, 0), |(why, clocks)| (why as i64, i64::from(clocks)));
        let issue = event.issue as i64;
        [number(Some(event.step)), issue, behind(event.start), behind(event.done), why, waited, number(event.on)]
    }
}
