//! Verdicts: what the emulator makes of a unit against what another engine makes of it, or made of it once.
//!
//! Cases are named by what they are: `alu/gfx1100-w32/v_add_f32_e64:7` is input 7 of an instruction, without the `:7` all its inputs.
//!
//! The emulator goes first. Of a single that traps, the first input that does is kept and the others are left out: a trap ends a run on a device, and the
//! same trap again says nothing new. What does not trap is one run on the device.

mod vliw;

use super::contest::contested;
use super::effects::{self, Effects};
use super::plan::{contents, stem};
use super::single::{Batch, Left, Ready};
use super::stage::Place;
use super::{Content, Processor, Suite, Unit};
use crate::case::{Case, wave_size};
use crate::emu::engine::Emulator;
use crate::emu::traced::record::{Event, Item, Shown};
use crate::engine::compare::{Difference, outcomes, said};
use crate::engine::ground::Ground;
use crate::engine::{Engine, EngineError, Status, TrapKind};
use crate::isa::Target;
use crate::laws::{self, Trial};
use crate::native::Injecting;
use crate::program::Program;
use crate::spirv::engine::{Vulkan, missing};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What cases changed, by their names.
pub type Changes = BTreeMap<String, Effects>;

/// What the emulator is compared with.
#[derive(Clone, Copy)]
pub enum Other<'a> {
    /// A device.
    Device(&'a Vulkan),
    /// A card, which runs machine code as it is.
    Native(&'a dyn Injecting),
    /// What was recorded of a unit, nothing where it was not; of a card it was recorded with memory where a driver puts it.
    Recording {
        /// What cases change.
        changes: Option<&'a Changes>,
        /// Whether of a card.
        of_card: bool,
    },
    /// Nothing: whether the emulator comes to an outcome, and the same one twice.
    Itself,
}

impl Other<'_> {
    /// Whether cases are as a card runs them: with memory where a driver puts it, and without what would end their wave.
    fn is_on_card(self) -> bool {
        matches!(self, Other::Native(_) | Other::Recording { of_card: true, .. })
    }
}

/// A case that did not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Its name: `alu/gfx1100-w32/v_add_f32_e64:7` is input 7 of an instruction, without the number it is all of them.
    pub case: String,
    /// Its row, or the name of the file.
    pub row: String,
    /// The instruction, or what ran.
    pub text: String,
    /// How it ended.
    pub status: Status,
    /// Why; for what is unsupported, what it needs.
    pub reason: String,
    /// For how many cases this stands.
    pub count: u64,
    /// Where the engines differ, in the types in which the instruction looks at these places.
    pub differences: Vec<Difference>,
    /// What the instruction read; of the first input that differs.
    pub reads: Vec<Item>,
}

/// What came of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// How many cases passed, by row.
    pub passed: BTreeMap<String, u64>,
    /// All others.
    pub verdicts: Vec<Verdict>,
    /// What cases changed on a device, where that was asked for.
    pub changes: Changes,
}

/// Which part of a unit is judged, and what is kept of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part<'a> {
    /// Only these singles.
    pub only: Option<&'a [u32]>,
    /// Only this input of each.
    pub input: Option<u32>,
    /// Keep what cases change on a device.
    pub record: bool,
}

impl Judged {
    fn pass(&mut self, row: &str) {
        match self.passed.get_mut(row) {
            Some(count) => *count += 1,
            None => _ = self.passed.insert(row.to_owned(), 1),
        }
    }

    /// All cases.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.passed.values().sum::<u64>() + self.verdicts.iter().map(|v| v.count).sum::<u64>()
    }
}

/// Judges a unit, or a part of it.
///
/// # Errors
/// An engine goes down, or a file is no case any more.
pub fn judge(unit: &Unit, other: Other<'_>, part: Part<'_>) -> Result<Judged, EngineError> {
    match &unit.content {
        Content::Singles(batch) => singles(&Names { group: unit.group(), batch }, other, part),
        Content::Rows(rows) => vliw::rows(rows, unit, other, part),
        Content::File(path) => match unit.on {
            Processor::Waves(target, lanes) => file(path, unit, (target, lanes), other, part.record),
            Processor::Groups(machine) => vliw::file(path, machine, unit, other),
        },
        Content::Program(seed) => match unit.on {
            Processor::Waves(target, _) => program(*seed, unit, target, other, part.record),
            Processor::Groups(machine) => Ok(vliw::program(*seed, machine, unit, other)),
        },
    }
}

/// What the singles of a batch are called.
struct Names<'b> {
    group: String,
    batch: &'b Batch,
}

impl Names<'_> {
    fn single(&self, single: u32) -> String {
        format!("{}/{}", self.group, self.batch.singles[single as usize].name)
    }

    fn place(&self, place: Place) -> String {
        format!("{}:{}", self.single(place.single), place.input)
    }

    /// What all inputs of a single share.
    fn verdict(&self, single: u32, status: Status, reason: String) -> Verdict {
        let one = &self.batch.singles[single as usize];
        let (case, row, text) = (self.single(single), one.row.to_owned(), self.batch.text(one));
        Verdict { case, row, text, status, reason, count: 1, differences: Vec::new(), reads: Vec::new() }
    }
}

/// Bytes of vector registers of the cases that a device runs at once: it wants many, but not more than memory has room for.
const ON_A_DEVICE: usize = 16 << 20;
/// And of those that the emulator runs at once: it is quickest with what stays in the processor's cache and what the allocator keeps.
const ON_THE_EMULATOR: usize = 64 << 10;

fn singles(names: &Names<'_>, other: Other<'_>, part: Part<'_>) -> Result<Judged, EngineError> {
    let tamed;
    let names = if other.is_on_card() {
        tamed = names.batch.for_programs();
        &Names { group: names.group.clone(), batch: &tamed }
    } else {
        names
    };
    let (mut judged, batch) = (Judged::default(), names.batch);
    let mut places = batch.places();
    places.retain(|place| {
        part.only.is_none_or(|only| only.contains(&place.single)) && part.input.is_none_or(|input| input == place.input)
    });
    let lacking = match other {
        Other::Device(device) => untranslated(batch, device),
        Other::Native(card) => inadmissible(batch, card),
        Other::Recording { .. } | Other::Itself => BTreeMap::new(),
    };
    if !lacking.is_empty() {
        for (single, needs) in &lacking {
            let count = places.iter().filter(|place| place.single == *single).count() as u64;
            if count > 0 {
                judged.verdicts.push(Verdict { count, ..names.verdict(*single, Status::Unsupported, needs.clone()) });
            }
        }
        places.retain(|place| !lacking.contains_key(&place.single));
    }
    let ready = if other.is_on_card() { batch.ready_on(Ground::of_driver(batch.target.arch)) } else { batch.ready() };
    let bytes = 4 * ready.program.vgprs as usize * batch.lanes as usize;
    let at_once =
        if matches!(other, Other::Device(_) | Other::Native(_)) { ON_A_DEVICE } else { ON_THE_EMULATOR } / bytes.max(1);
    let mut round = Round {
        names,
        ready: &ready,
        other,
        record: part.record,
        trapped: BTreeSet::new(),
        explained: BTreeSet::new(),
    };
    for places in places.chunks(at_once.max(1)) {
        round.judge(places, &mut judged)?;
    }
    Ok(judged)
}

/// Some inputs at a time.
struct Round<'b> {
    names: &'b Names<'b>,
    ready: &'b Ready<'b>,
    other: Other<'b>,
    record: bool,
    /// The singles of which an input has trapped before.
    trapped: BTreeSet<u32>,
    /// Those of which an input that differs was looked at closely.
    explained: BTreeSet<u32>,
}

impl Round<'_> {
    fn judge(&mut self, places: &[Place], judged: &mut Judged) -> Result<(), EngineError> {
        let Round { names, ready, other, .. } = *self;
        let mut expected: Vec<(Place, Left)> =
            places.iter().copied().zip(ready.run(&Emulator::default(), places)?).collect();
        // What the emulator meets at run time and does not execute, as a format in a descriptor: with these inputs, and not with others.
        let mut refused: BTreeMap<(u32, String), u64> = BTreeMap::new();
        for (place, left) in &expected {
            if let Some(needs) = refusal(left) {
                *refused.entry((place.single, needs)).or_default() += 1;
            }
        }
        for ((single, needs), count) in refused {
            let verdict = names.verdict(single, Status::Unsupported, format!("emu: {needs}"));
            judged.verdicts.push(Verdict { count, ..verdict });
        }
        expected.retain(|(place, left)| {
            refusal(left).is_none() && (left.trap.is_none() || self.trapped.insert(place.single))
        });
        if other.is_on_card() {
            self.calm(&mut expected, judged)?;
        }
        let places: Vec<Place> = expected.iter().map(|(place, _)| *place).collect();
        match other {
            Other::Device(device) => self.compare(&expected, on_device(ready, device, &expected)?, judged),
            Other::Native(card) => {
                let got = on_a_card(ready, card, &mut expected, names, judged)?;
                self.compare(&expected, got, judged)
            }
            Other::Itself => {
                let again = ready.run(&Emulator::default(), &places)?;
                self.compare(&expected, again.into_iter().map(Some).collect(), judged)
            }
            Other::Recording { changes, .. } => {
                let before = ready.before(&places)?;
                for ((place, left), before) in expected.iter().zip(before) {
                    let effects = effects::of_single(&before, left, ready.extent(place.single));
                    let verdict = names.verdict(place.single, Status::Pass, String::new());
                    let case = names.place(*place);
                    as_recorded(changes.and_then(|all| all.get(&case)), &effects, Verdict { case, ..verdict }, judged);
                }
                Ok(())
            }
        }
    }

    /// Leaves out inputs that trap, for a card does not tell what a wave was that went wrong: until those that run together, and no
    /// others, end well. An offset that leads far away may meet the memory of another one.
    fn calm(&self, expected: &mut Vec<(Place, Left)>, judged: &mut Judged) -> Result<(), EngineError> {
        loop {
            let before = expected.len();
            for (place, left) in expected.iter() {
                let Some(trap) = &left.trap else { continue };
                let reason = format!("the state at a trap: {}", trap.kind.name());
                let verdict = self.names.verdict(place.single, Status::Unsupported, reason);
                judged.verdicts.push(Verdict { case: self.names.place(*place), ..verdict });
            }
            expected.retain(|(_, left)| left.trap.is_none());
            if expected.len() == before || !matches!(self.names.batch.suite, Suite::Memory | Suite::Image) {
                return Ok(());
            }
            let places: Vec<Place> = expected.iter().map(|(place, _)| *place).collect();
            let again = self.ready.run(&Emulator::default(), &places)?;
            *expected = places.into_iter().zip(again).collect();
        }
    }

    /// Compares what another engine left.
    fn compare(
        &mut self,
        expected: &[(Place, Left)],
        got: Vec<Option<Left>>,
        judged: &mut Judged,
    ) -> Result<(), EngineError> {
        let Round { names, ready, record, .. } = *self;
        let places: Vec<Place> = expected.iter().map(|(place, _)| *place).filter(|_| record).collect();
        let mut before = ready.before(&places)?.into_iter();
        for ((place, left), got) in expected.iter().zip(got) {
            let before = before.next();
            let failed = |reason: &str, differences| Verdict {
                case: names.place(*place),
                differences,
                ..names.verdict(place.single, Status::Fail, reason.to_owned())
            };
            let Some(got) = got else {
                judged.verdicts.push(failed("no outcome", Vec::new()));
                continue;
            };
            let differences = left.differences(&got);
            let same = differences.is_empty();
            if !same && contested(ready, *place, left, &got)? {
                // Nothing says what a device leaves there next time.
                judged.pass(names.batch.singles[place.single as usize].row);
                continue;
            }
            if let Some(before) = before {
                let effects = effects::of_single(&before, &got, ready.extent(place.single));
                judged.changes.insert(names.place(*place), effects);
            }
            if same {
                judged.pass(names.batch.singles[place.single as usize].row);
                continue;
            }
            let mut verdict = failed("", differences);
            if self.explained.insert(place.single) {
                explain(&mut verdict, ready.events(*place)?);
            }
            judged.verdicts.push(verdict);
        }
        Ok(())
    }
}

/// Adds what the instruction read, and the types of what it wrote.
fn explain(verdict: &mut Verdict, events: Vec<Event>) {
    let Some(event) = events.into_iter().next() else { return };
    for difference in &mut verdict.differences {
        let item = event.writes.iter().find(|item| item.place == difference.place);
        if let Some(Shown::One(ty)) = item.and_then(|item| item.ty).filter(|_| difference.ty.is_none()) {
            difference.ty = Some(ty);
        }
    }
    verdict.reads = event.reads;
}

/// Compares what a case changes on the emulator with what was recorded.
fn as_recorded(recorded: Option<&Effects>, effects: &Effects, verdict: Verdict, judged: &mut Judged) {
    let Some(recorded) = recorded else {
        judged.verdicts.push(Verdict { status: Status::Unsupported, reason: "a recording".to_owned(), ..verdict });
        return;
    };
    let apart = effects::apart(effects, recorded);
    if apart.is_empty() {
        return judged.pass(&verdict.row);
    }
    let digest = |effects: &Effects, place: &str| {
        effects.get(place).map_or("unchanged".to_owned(), |digest| format!("digest {digest:08x}"))
    };
    let differences =
        apart.iter().map(|place| said(place, [digest(effects, place), digest(recorded, place)])).collect();
    let reason = format!("the emulator leaves something else than was recorded in {}", apart.join(", "));
    judged.verdicts.push(Verdict { status: Status::Fail, reason, differences, ..verdict });
}

/// What a device leaves: those that do not trap in one run, each other one alone.
fn on_device(ready: &Ready<'_>, device: &Vulkan, expected: &[(Place, Left)]) -> Result<Vec<Option<Left>>, EngineError> {
    let mut all = vec![None; expected.len()];
    let calm: Vec<usize> = (0..expected.len()).filter(|n| expected[*n].1.trap.is_none()).collect();
    let places: Vec<Place> = calm.iter().map(|n| expected[*n].0).collect();
    for (n, left) in calm.into_iter().zip(ready.run(device, &places)?) {
        all[n] = Some(left);
    }
    for (n, (place, _)) in expected.iter().enumerate().filter(|(_, (_, left))| left.trap.is_some()) {
        all[n] = ready.run(device, &[*place])?.pop();
    }
    Ok(all)
}

/// What a card leaves: all in one run, or where their programs do not go together, each single alone. Those that it does not take
/// are among the verdicts then.
fn on_a_card(
    ready: &Ready<'_>,
    card: &dyn Injecting,
    expected: &mut Vec<(Place, Left)>,
    names: &Names<'_>,
    judged: &mut Judged,
) -> Result<Vec<Option<Left>>, EngineError> {
    let places: Vec<Place> = expected.iter().map(|(place, _)| *place).collect();
    match ready.run(card, &places) {
        Ok(all) => return Ok(all.into_iter().map(Some).collect()),
        Err(EngineError::Unsupported(_)) => {}
        Err(e) => return Err(e),
    }
    let (mut all, mut refused) = (Vec::new(), BTreeSet::new());
    for places in places.chunk_by(|a, b| a.single == b.single) {
        match ready.run(card, places) {
            Ok(left) => all.extend(left.into_iter().map(Some)),
            Err(EngineError::Unsupported(unsupported)) => {
                refused.insert(places[0].single);
                let verdict = names.verdict(places[0].single, Status::Unsupported, unsupported.needs);
                judged.verdicts.push(Verdict { count: places.len() as u64, ..verdict });
            }
            Err(e) => return Err(e),
        }
    }
    expected.retain(|(place, _)| !refused.contains(&place.single));
    Ok(all)
}

/// What of a batch a card does not take.
fn inadmissible(batch: &Batch, card: &dyn Injecting) -> BTreeMap<u32, String> {
    let needs = |single: &super::draw::Single| {
        let program = Program::new(batch.target, &single.words, 0);
        card.admits(&program, &[0]).err().map(|missing| missing.needs)
    };
    (0..).zip(&batch.singles).filter_map(|(n, single)| Some((n, needs(single)?))).collect()
}

/// What of a batch a device's translation lacks.
fn untranslated(batch: &Batch, device: &Vulkan) -> BTreeMap<u32, String> {
    let needs = |single: &super::draw::Single| {
        let program = Program::new(batch.target, &single.words, 0);
        missing(&program, device.model, batch.lanes, 1).first().map(|missing| missing.needs.clone())
    };
    (0..).zip(&batch.singles).filter_map(|(n, single)| Some((n, needs(single)?))).collect()
}

fn refusal(left: &Left) -> Option<String> {
    match &left.trap.as_ref()?.kind {
        TrapKind::Unsupported { needs } => Some(needs.clone()),
        _ => None,
    }
}

fn file(
    path: &Path,
    unit: &Unit,
    (target, lanes): (Target, u32),
    other: Other<'_>,
    record: bool,
) -> Result<Judged, EngineError> {
    let lost = |reason: String| EngineError::Absent { device: path.display().to_string(), reason };
    let bytes = contents(path).map_err(|e| lost(e.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|e| lost(e.to_string()))?;
    let case = Case::parse(&text, &path.to_string_lossy()).map_err(|e| lost(e.to_string()))?;
    let of_case = case.targets().into_iter().find(|t| t.arch.name == target.arch.name && wave_size(*t) == lanes);
    Ok(whole(&stem(path), unit, (&case, of_case.unwrap_or(target)), other, record))
}

/// Bytes that a random program is made of.
const BYTES: usize = 2048;

/// A random program that is always the same for a seed.
#[must_use]
pub fn random(seed: u64, target: Target) -> Trial {
    let mut chance = laws::Chance::new(seed);
    let bytes: Vec<u8> = (0..BYTES).map(|_| chance.next_u64() as u8).collect();
    laws::settled_on(&bytes, target).0
}

fn program(seed: u64, unit: &Unit, target: Target, other: Other<'_>, record: bool) -> Result<Judged, EngineError> {
    let trial = random(seed, target);
    Ok(whole("program", unit, (&trial.case, trial.target), other, record))
}

/// Judges a whole case.
fn whole(name: &str, unit: &Unit, (case, target): (&Case, Target), other: Other<'_>, record: bool) -> Judged {
    let mut judged = Judged::default();
    let fail = |status, reason: String, differences| Verdict {
        case: unit.name.clone(),
        row: name.to_owned(),
        text: name.to_owned(),
        status,
        reason,
        count: 1,
        differences,
        reads: Vec::new(),
    };
    let error = |who: &str, e: &EngineError| match e {
        EngineError::Unsupported(unsupported) => fail(Status::Unsupported, unsupported.needs.clone(), Vec::new()),
        e => fail(e.status(), format!("{who}: {e}"), Vec::new()),
    };
    let emulator = Emulator::default();
    let pinned;
    let unmoved = case;
    let case = if other.is_on_card() {
        let ground = Ground::of_driver(target.arch);
        match case.pinned(target, ground.first, ground.case_scratch()) {
            Ok(moved) => {
                pinned = moved;
                &pinned
            }
            Err(e) => {
                judged.verdicts.push(error("emu", &EngineError::Case(e)));
                return judged;
            }
        }
    } else {
        case
    };
    let expected = match emulator.run(case, target) {
        Ok(expected) => expected,
        Err(e) => {
            judged.verdicts.push(error("emu", &e));
            return judged;
        }
    };
    let wrong = match case.check(target, &expected) {
        // A random program expects nothing, not even that it ends well.
        _ if case.expect.is_empty() => None,
        Ok(found) => found.first().map(ToString::to_string),
        Err(e) => Some(e.to_string()),
    };
    if let Some(wrong) = wrong {
        let usual =
            || emulator.run(unmoved, target).is_ok_and(|left| unmoved.check(target, &left).is_ok_and(|w| w.is_empty()));
        if other.is_on_card() && usual() {
            let reason = "its memory where it usually lies".to_owned();
            judged.verdicts.push(fail(Status::Unsupported, reason, Vec::new()));
            return judged;
        }
        judged.verdicts.push(fail(Status::Fail, format!("emu: {wrong}"), Vec::new()));
        return judged;
    }
    let got = match other {
        Other::Device(device) => device.run(case, target),
        Other::Native(card) => match &expected.trap {
            Some(trap) => {
                let reason = format!("the state at a trap: {}", trap.kind.name());
                judged.verdicts.push(fail(Status::Unsupported, reason, Vec::new()));
                return judged;
            }
            None => Engine::run(card, case, target),
        },
        Other::Itself => emulator.run(case, target),
        Other::Recording { changes, .. } => {
            let recorded = changes.and_then(|all| all.get(&unit.name));
            let verdict = fail(Status::Pass, String::new(), Vec::new());
            as_recorded(recorded, &effects::of_outcome(&expected), verdict, &mut judged);
            return judged;
        }
    };
    match got {
        Ok(got) => {
            if record {
                judged.changes.insert(unit.name.clone(), effects::of_outcome(&got));
            }
            let differences = outcomes(case, target, &expected, &got);
            if differences.is_empty() {
                judged.pass(name);
            } else if case.expect.is_empty() && emulator.order_decides(case, target, &expected, &differences) {
                let reason = format!("a race: the order of lanes or waves decides {}", differences[0].place);
                judged.verdicts.push(fail(Status::Unsupported, reason, Vec::new()));
            } else {
                judged.verdicts.push(fail(Status::Fail, String::new(), differences));
            }
        }
        Err(e) => judged.verdicts.push(error("", &e)),
    }
    judged
}
