//! Verdicts: what the emulator makes of a unit against what another engine makes of it, or made of it once.
//!
//! The emulator goes first. Of a single that traps, the first input that does is kept and the others are left out: a trap ends a run on a device, and the
//! same trap again says nothing new. What does not trap is one run on the device.

use super::contest::contested;
use super::single::{Batch, Digest, Left, Ready};
use super::stage::Place;
use super::{Content, Unit};
use crate::case::{Case, wave_size};
use crate::emu::engine::Emulator;
use crate::emu::plan::Program;
use crate::engine::compare::{Difference, outcomes};
use crate::engine::{Engine, EngineError, Outcome, Status, TrapKind};
use crate::isa::Target;
use crate::laws;
use crate::spirv::engine::{Vulkan, missing};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Digests of results by the name of the case in its unit.
pub type Digests = BTreeMap<String, u64>;

/// What the emulator is compared with.
#[derive(Clone, Copy)]
pub enum Other<'a> {
    /// A device.
    Device(&'a Vulkan),
    /// What was recorded of a unit; nothing where it was not.
    Recording(Option<&'a Digests>),
    /// Nothing: whether the emulator comes to an outcome, and the same one twice.
    Itself,
}

/// A case that did not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Its name in the unit: `3.7` is input 7 of instruction 3.
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
    /// Where the engines differ.
    pub differences: Vec<Difference>,
}

/// What came of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// How many cases passed, by row.
    pub passed: BTreeMap<String, u64>,
    /// All others.
    pub verdicts: Vec<Verdict>,
    /// Digests of what the other engine left, where it ran.
    pub digests: Digests,
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

/// Judges a unit; of one of singles only some of them, where that is said.
///
/// # Errors
/// An engine goes down, or a file is no case any more.
pub fn judge(unit: &Unit, other: Other<'_>, only: Option<&[u32]>) -> Result<Judged, EngineError> {
    match &unit.content {
        Content::Singles(batch) => singles(batch, other, only),
        Content::File(path) => file(path, unit, other),
        Content::Program(seed) => program(*seed, unit, other),
    }
}

fn verdict(batch: &Batch, single: u32, status: Status, reason: String) -> Verdict {
    let one = &batch.singles[single as usize];
    Verdict {
        case: single.to_string(),
        row: one.row.to_owned(),
        text: batch.text(one),
        status,
        reason,
        count: 1,
        differences: Vec::new(),
    }
}

/// Bytes of vector registers of the cases that a device runs at once: it wants many, but not more than memory has room for.
const ON_A_DEVICE: usize = 16 << 20;
/// And of those that the emulator runs at once: it is quickest with what stays in the processor's cache and what the allocator keeps.
const ON_THE_EMULATOR: usize = 64 << 10;

fn singles(batch: &Batch, other: Other<'_>, only: Option<&[u32]>) -> Result<Judged, EngineError> {
    let mut judged = Judged::default();
    let mut places = batch.places();
    if let Some(only) = only {
        places.retain(|place| only.contains(&place.single));
    }
    if let Other::Device(device) = other {
        let lacking = untranslated(batch, device);
        for (single, needs) in &lacking {
            let count = places.iter().filter(|place| place.single == *single).count() as u64;
            if count > 0 {
                judged.verdicts.push(Verdict { count, ..verdict(batch, *single, Status::Unsupported, needs.clone()) });
            }
        }
        places.retain(|place| !lacking.contains_key(&place.single));
    }
    let ready = batch.ready();
    let bytes = 4 * ready.program.vgprs as usize * batch.lanes as usize;
    let at_once = if matches!(other, Other::Device(_)) { ON_A_DEVICE } else { ON_THE_EMULATOR } / bytes.max(1);
    let mut trapped = BTreeSet::new();
    for places in places.chunks(at_once.max(1)) {
        some(&ready, other, places, &mut trapped, &mut judged)?;
    }
    Ok(judged)
}

/// Judges some inputs. `trapped` are the singles of which an input has trapped before.
fn some(
    ready: &Ready<'_>,
    other: Other<'_>,
    places: &[Place],
    trapped: &mut BTreeSet<u32>,
    judged: &mut Judged,
) -> Result<(), EngineError> {
    let batch = ready.batch;
    let mut expected: Vec<(Place, Left)> =
        places.iter().copied().zip(ready.run(&Emulator::default(), places)?).collect();
    // What the emulator meets at run time and does not execute.
    let refused: HashMap<u32, String> =
        expected.iter().filter_map(|(place, left)| Some((place.single, refusal(left)?))).collect();
    for (single, needs) in &refused {
        let count = expected.iter().filter(|(place, _)| place.single == *single).count() as u64;
        judged
            .verdicts
            .push(Verdict { count, ..verdict(batch, *single, Status::Unsupported, format!("emu: {needs}")) });
    }
    expected.retain(|(place, left)| {
        !refused.contains_key(&place.single) && (left.trap.is_none() || trapped.insert(place.single))
    });
    let got = match other {
        Other::Device(device) => on_device(ready, device, &expected)?,
        Other::Itself => {
            let places: Vec<Place> = expected.iter().map(|(place, _)| *place).collect();
            ready.run(&Emulator::default(), &places)?.into_iter().map(Some).collect()
        }
        Other::Recording(_) => vec![None; expected.len()],
    };
    for ((place, left), got) in expected.iter().zip(got) {
        let row = batch.singles[place.single as usize].row;
        let case = || format!("{}.{}", place.single, place.input);
        let failed = |status, reason: &str, differences| Verdict {
            case: case(),
            differences,
            ..verdict(batch, place.single, status, reason.to_owned())
        };
        match (got, other) {
            (Some(got), _) => {
                if matches!(other, Other::Device(_)) {
                    judged.digests.insert(case(), got.digest());
                }
                let differences = left.differences(&got);
                if differences.is_empty() || contested(ready, *place, left, &got)? {
                    judged.pass(row);
                } else {
                    judged.verdicts.push(failed(Status::Fail, "", differences));
                }
            }
            (None, Other::Recording(recorded)) => match recorded.and_then(|digests| digests.get(&case())) {
                Some(digest) if *digest == left.digest() => judged.pass(row),
                Some(_) => judged.verdicts.push(failed(
                    Status::Fail,
                    "the emulator leaves something else than was recorded",
                    Vec::new(),
                )),
                None => judged.verdicts.push(failed(Status::Unsupported, "a recording", Vec::new())),
            },
            (None, _) => judged.verdicts.push(failed(Status::Fail, "no outcome", Vec::new())),
        }
    }
    Ok(())
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

/// What of a batch a device's translation lacks.
fn untranslated(batch: &Batch, device: &Vulkan) -> BTreeMap<u32, String> {
    let needs = |single: &super::draw::Single| {
        let program = Program::plan(batch.target, &single.words, 0);
        missing(&program, device.model, batch.lanes).first().map(|missing| missing.needs.clone())
    };
    (0..).zip(&batch.singles).filter_map(|(n, single)| Some((n, needs(single)?))).collect()
}

fn refusal(left: &Left) -> Option<String> {
    match &left.trap.as_ref()?.kind {
        TrapKind::Unsupported { needs } => Some(needs.clone()),
        _ => None,
    }
}

fn file(path: &Path, unit: &Unit, other: Other<'_>) -> Result<Judged, EngineError> {
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let lost = |reason: String| EngineError::Absent { device: path.display().to_string(), reason };
    let text = std::fs::read_to_string(path).map_err(|e| lost(e.to_string()))?;
    let case = Case::parse(&text, &path.to_string_lossy()).map_err(|e| lost(e.to_string()))?;
    let target =
        case.targets().into_iter().find(|t| t.arch.name == unit.target.arch.name && wave_size(*t) == unit.lanes);
    Ok(whole(&name, &case, target.unwrap_or(unit.target), other))
}

/// Bytes that a program by chance is made of.
const BYTES: usize = 2048;

fn program(seed: u64, unit: &Unit, other: Other<'_>) -> Result<Judged, EngineError> {
    let mut chance = laws::Chance::new(seed);
    let bytes: Vec<u8> = (0..BYTES).map(|_| chance.next_u64() as u8).collect();
    let (trial, _) = laws::settled_on(&bytes, unit.target);
    Ok(whole("program", &trial.case, trial.target, other))
}

/// Judges a whole case.
fn whole(name: &str, case: &Case, target: Target, other: Other<'_>) -> Judged {
    let mut judged = Judged::default();
    let fail = |status, reason: String, differences| Verdict {
        case: "0".to_owned(),
        row: name.to_owned(),
        text: name.to_owned(),
        status,
        reason,
        count: 1,
        differences,
    };
    let error = |who: &str, e: &EngineError| match e {
        EngineError::Unsupported(unsupported) => fail(Status::Unsupported, unsupported.needs.clone(), Vec::new()),
        e => fail(e.status(), format!("{who}: {e}"), Vec::new()),
    };
    let emulator = Emulator::default();
    let expected = match emulator.run(case, target) {
        Ok(expected) => expected,
        Err(e) => {
            judged.verdicts.push(error("emu", &e));
            return judged;
        }
    };
    let wrong = match case.check(target, &expected) {
        // A program by chance expects nothing, not even that it ends well.
        _ if case.expect.is_empty() => None,
        Ok(found) => found.first().map(ToString::to_string),
        Err(e) => Some(e.to_string()),
    };
    if let Some(wrong) = wrong {
        judged.verdicts.push(fail(Status::Fail, format!("emu: {wrong}"), Vec::new()));
        return judged;
    }
    let got = match other {
        Other::Device(device) => device.run(case, target),
        Other::Itself => emulator.run(case, target),
        Other::Recording(recorded) => {
            match recorded.and_then(|digests| digests.get("0")) {
                Some(digest) if *digest == digest_of(&expected) => judged.pass(name),
                Some(_) => judged.verdicts.push(fail(
                    Status::Fail,
                    "the emulator leaves something else than was recorded".to_owned(),
                    Vec::new(),
                )),
                None => judged.verdicts.push(fail(Status::Unsupported, "a recording".to_owned(), Vec::new())),
            }
            return judged;
        }
    };
    match got {
        Ok(got) => {
            judged.digests.insert("0".to_owned(), digest_of(&got));
            let differences = outcomes(case, target, &expected, &got);
            if differences.is_empty() {
                judged.pass(name);
            } else {
                judged.verdicts.push(fail(Status::Fail, String::new(), differences));
            }
        }
        Err(e) => judged.verdicts.push(error("", &e)),
    }
    judged
}

/// A digest of an outcome.
fn digest_of(outcome: &Outcome) -> u64 {
    let mut digest = Digest::default();
    if let Some(trap) = &outcome.trap {
        digest.bytes(trap.to_string().as_bytes());
    }
    outcome.waves.iter().for_each(|wave| digest.wave(wave));
    for memory in outcome.buffers.iter().chain(&outcome.lds) {
        digest.bytes(&memory.bytes);
    }
    digest.bytes(format!("{:?}", outcome.messages).as_bytes());
    digest.value()
}
