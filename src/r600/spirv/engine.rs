//! The host's part: a record goes in, a record comes out, until the group has ended.

use super::mistakes::Mistake;
use super::state::{self, GPRS, LANES, REGISTERS, head, input, log, status};
use super::{Lanes, Refused, Translation, refused, translate};
use crate::r600::emu::plan::Plan;
use crate::r600::emu::{self, Exported, Outcome, Primitive, Resource, Setup, Target};
use crate::spirv::lanes::Model;
use crate::vulkan::{self, Device, Job, Pipeline, Shader};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rounds of loops of the first dispatch; how long a round takes is not known before.
const FIRST_FUEL: u32 = 1 << 12;
/// llvmpipe of Mesa 22.3 ends all loops of an invocation when they have gone round 65,535 times; the longest block stays below with this.
const FUEL: u32 = 1 << 15;
/// A dispatch that takes longer halves the next one's share; else it is doubled.
const LONG: Duration = Duration::from_secs(1);
/// How long a dispatch may take; the first one of a pipeline may be where a driver compiles.
const DISPATCH: Duration = Duration::from_secs(120);
const COMPILE: Duration = Duration::from_secs(600);
/// Pipelines that are kept, and how many a device makes before a fresh one takes its place: drivers keep something of each.
const KEPT: usize = 64;
const PIPELINES: u32 = 256;

/// Why a program did not run to its end.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Failure {
    /// The program is wrong, or does what is not emulated: what the emulator says.
    #[error(transparent)]
    Program(#[from] emu::Error),
    /// The translation does not carry it out.
    #[error("not translated: {0}")]
    Refused(#[from] Refused),
    /// The device.
    #[error(transparent)]
    Device(#[from] vulkan::Error),
    /// The program takes longer than it may.
    #[error("the program has not ended within {0:?}")]
    Timeout(Duration),
    /// The device left what no module writes.
    #[error("the device left a record that means nothing: status {status}, code {code}")]
    Record {
        /// What it says of the group.
        status: u32,
        /// What it says of the fault.
        code: u32,
    },
}

/// What the last run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Translating.
    pub translate: Duration,
    /// The driver's compiler.
    pub compile: Duration,
    /// Dispatches, as the host saw them.
    pub host: Duration,
    /// How many there were.
    pub dispatches: u32,
    /// Words of SPIR-V of the module.
    pub words: usize,
}

/// A Vulkan device as an engine.
pub struct Vulkan {
    device: RefCell<Device>,
    made: Cell<u32>,
    /// How lanes are carried out.
    pub lanes: Lanes,
    /// How long a program may take.
    pub timeout: Duration,
    /// What goes wrong on purpose, in debug builds.
    pub mistake: Option<Mistake>,
    pipelines: RefCell<HashMap<Vec<u32>, Arc<Pipeline>>>,
    costs: Cell<Costs>,
}

impl Vulkan {
    /// An engine on a device.
    #[must_use]
    pub fn new(device: Device, lanes: Lanes) -> Vulkan {
        Vulkan {
            device: RefCell::new(device),
            made: Cell::new(0),
            lanes,
            timeout: Duration::from_secs(600),
            mistake: None,
            pipelines: RefCell::default(),
            costs: Cell::default(),
        }
    }

    /// What the last run cost.
    #[must_use]
    pub fn costs(&self) -> Costs {
        self.costs.get()
    }

    /// Executes a program: what it leaves is what [`emu::run`] says, to the bit.
    ///
    /// # Errors
    /// What is wrong with the program is the emulator's error; else see [`Failure`].
    pub fn run(&self, words: &[u32], setup: &Setup) -> Result<Outcome, Failure> {
        self.costs.set(Costs::default());
        if !(1..=LANES).contains(&setup.lanes) {
            let fault = emu::Fault::LaneCount { lanes: setup.lanes };
            return Err(emu::Error { at: 0, fetch: false, fault }.into());
        }
        if let Some(refused) = refused(setup) {
            return Err(refused.into());
        }
        let start = Instant::now();
        // The emulator's mistakes are its own.
        let setup = &Setup { mistake: None, ..setup.clone() };
        let plan = Plan::new(setup.machine, words, setup);
        let fetch = Plan::new(setup.machine, &setup.fetch, setup);
        let translation = translate(&plan, &fetch, setup, self.lanes, self.mistake)?;
        let costs = Costs { translate: start.elapsed(), words: translation.words.len(), ..Costs::default() };
        self.costs.set(costs);
        self.execute(&translation, setup)
    }

    /// The device for a run: a fresh one where the last one is lost, or has made many pipelines.
    fn ready(&self) -> Result<Device, vulkan::Error> {
        let mut device = self.device.borrow_mut();
        if device.is_lost() || self.made.get() >= PIPELINES {
            self.pipelines.borrow_mut().clear();
            *device = device.open_again()?;
            self.made.set(0);
        }
        let model = match self.lanes {
            Lanes::Serial => Model::Serial,
            Lanes::Workgroup => Model::Workgroup,
        };
        let lacks = device.caps().model_lacks(model, LANES);
        if !lacks.is_empty() {
            let needs = format!("{} for lanes as {}", lacks.join(", "), self.lanes.name());
            return Err(vulkan::Error::Missing { device: device.name().to_owned(), needs });
        }
        Ok(device.clone())
    }

    fn pipeline(&self, device: &Device, words: &[u32]) -> Result<Arc<Pipeline>, vulkan::Error> {
        if let Some(pipeline) = self.pipelines.borrow().get(words) {
            return Ok(pipeline.clone());
        }
        let made = Arc::new(device.pipeline(&Shader { buffers: 2, ..Shader::new("r600", words) })?);
        self.made.set(self.made.get() + 1);
        let mut kept = self.pipelines.borrow_mut();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(words.to_vec(), made.clone());
        self.costs.set(Costs { compile: made.compiled(), ..self.costs.get() });
        Ok(made)
    }

    fn execute(&self, translation: &Translation, setup: &Setup) -> Result<Outcome, Failure> {
        let device = self.ready()?;
        let start = Instant::now();
        let most = u64::from(device.caps().limits.storage_range / 4);
        let fits = |what: &'static str, words: u64| {
            if words > most { Err(Refused::Room { what, words, most }) } else { Ok(()) }
        };
        fits("record", record_words(translation, setup))?;
        let found = found(translation, setup);
        fits("input", found.len() as u64)?;
        let mut record = record(translation, setup);
        let pipeline = self.pipeline(&device, &translation.words)?;
        let input = device.buffer("input", &found)?;
        let mut state = device.buffer("record", &record)?;
        let mut leaves = Leaves::new(setup);
        let mut fuel = FIRST_FUEL;
        let mut patience = COMPILE;
        let mut cleared = false;
        loop {
            record[head::FUEL as usize] = fuel;
            let changed = if cleared { record.len() } else { head::WORDS as usize };
            state.write(0, &record[..changed])?;
            let bind = [&state, &input];
            let times = device.run(&Job { timeout: patience, ..Job::new(&pipeline, &bind) })?;
            patience = DISPATCH;
            fuel = if times.host > LONG { (fuel / 2).max(1) } else { (fuel * 2).min(FUEL) };
            let mut costs = self.costs.get();
            costs.host += times.host;
            costs.dispatches += 1;
            self.costs.set(costs);
            record = state.read(0, record.len())?;
            cleared = leaves.read_log(translation, &mut record);
            match record[head::STATUS as usize] {
                status::RUNS if start.elapsed() < self.timeout => {}
                status::RUNS => return Err(Failure::Timeout(self.timeout)),
                status::ENDED => return Ok(leaves.finish(translation, setup, &record)),
                status => return Err(failure(translation, setup, &record, status)),
            }
        }
    }
}

/// What a record says is wrong.
fn failure(translation: &Translation, setup: &Setup, record: &[u32], status: u32) -> Failure {
    let code = record[head::CODE as usize];
    let fault = (code as usize).checked_sub(1).and_then(|n| translation.faults.get(n));
    match fault {
        Some(((at, fetch), raised)) if status == status::FAULT => {
            let fault = raised.fault(record[head::OPERAND as usize], setup);
            emu::Error { at: *at, fetch: *fetch, fault }.into()
        }
        _ => Failure::Record { status, code },
    }
}

/// Words of a record.
fn record_words(translation: &Translation, setup: &Setup) -> u64 {
    let (scratch, reduction) = (setup.scratch_elements(), setup.reduction_elements());
    u64::from(translation.layout.reduction()) + 4 * (u64::from(reduction) + u64::from(scratch) * u64::from(LANES))
}

/// A record at the start.
fn record(translation: &Translation, setup: &Setup) -> Vec<u32> {
    let mut record = vec![0u32; record_words(translation, setup) as usize];
    let lanes = u64::MAX >> (LANES - setup.lanes);
    let valid = setup.valid & lanes;
    let mut set = |at: u32, v: u32| record[at as usize] = v;
    for (at, mask) in [(head::ACTIVE, valid), (head::VALID, valid), (head::LANES, lanes)] {
        set(at, mask as u32);
        set(at + 1, (mask >> 32) as u32);
    }
    set(head::BUDGET, setup.budget as u32);
    set(head::FLOWS, setup.stop.unwrap_or(0));
    if setup.stop == Some(0) {
        set(head::STATUS, status::ENDED);
    }
    set(head::LIMIT, setup.nstack.unwrap_or(u32::MAX));
    set(head::COUNT, setup.lanes);
    set(head::SCRATCH, setup.scratch_elements());
    set(head::REDUCTION, setup.reduction_elements());
    for (&gpr, values) in setup.gprs.iter().filter(|(gpr, _)| **gpr < GPRS) {
        for (lane, value) in (0..setup.lanes).zip(values) {
            for (element, word) in (0..).zip(value) {
                set(register(gpr, element, lane), *word);
            }
        }
    }
    record
}

/// Where an element of a register of a lane lies.
fn register(gpr: u32, element: u32, lane: u32) -> u32 {
    REGISTERS + (gpr * 4 + element) * LANES + lane
}

/// What the program finds.
fn found(translation: &Translation, setup: &Setup) -> Vec<u32> {
    let parts = 1 + translation.banks.len() + translation.resources.len();
    let mut words = vec![0; input::PARTS as usize + parts * input::PART as usize];
    words[input::BOOLS as usize] = setup.bools;
    words[input::OFFSETS as usize] = setup.vertex_offset;
    words[input::OFFSETS as usize + 1] = setup.instance_offset;
    for (n, constant) in setup.loops.iter().filter(|(n, _)| **n < input::LOOP_CONSTANTS) {
        let at = (input::LOOPS + 3 * n) as usize;
        words[at..at + 3].copy_from_slice(&[constant.count, constant.first as u32, constant.step as u32]);
    }
    let mut next = input::PARTS as usize;
    let mut part = |words: &mut Vec<u32>, contents: &[u32], count: usize, more: [u32; 3]| {
        let first = words.len() as u32;
        words[next..next + 2].copy_from_slice(&[first, count as u32]);
        words[next + 2..next + 5].copy_from_slice(&more);
        words.extend_from_slice(contents);
        next += input::PART as usize;
    };
    part(&mut words, setup.file.as_flattened(), setup.file.len(), [0; 3]);
    for bank in &translation.banks {
        let bank = setup.banks.get(bank).map_or(&[][..], Vec::as_slice);
        part(&mut words, bank, bank.len(), [0; 3]);
    }
    for number in &translation.resources {
        let (bytes, more) = match setup.resources.get(number) {
            Some(Resource::Buffer(buffer)) => (&buffer.bytes[..], [buffer.stride, 0, 0]),
            Some(Resource::Image(image)) => (&image.bytes[..], image.size),
            None => (&[][..], [0; 3]),
        };
        let whole: Vec<u32> = bytes.chunks(4).map(word).collect();
        part(&mut words, &whole, bytes.len(), more);
    }
    // An element may begin in the last word, and what is behind it is loaded too.
    words.extend([0; 8]);
    words
}

/// Up to four bytes as a word.
fn word(bytes: &[u8]) -> u32 {
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    u32::from_le_bytes(four)
}

/// What a program leaves, while it runs.
struct Leaves {
    outcome: Outcome,
    lanes: u32,
}

impl Leaves {
    fn new(setup: &Setup) -> Leaves {
        let count = setup.lanes as usize;
        let outcome =
            Outcome { ring: vec![BTreeMap::new(); count], primitives: vec![Vec::new(); count], ..Outcome::default() };
        Leaves { outcome, lanes: setup.lanes }
    }

    /// Carries out the log, and clears it; whether there was anything.
    fn read_log(&mut self, translation: &Translation, record: &mut [u32]) -> bool {
        let entries = std::mem::take(&mut record[head::LOGGED as usize]);
        if !translation.layout.logs {
            return false;
        }
        let first = translation.layout.log();
        for entry in 0..entries.min(log::ENTRIES) {
            for lane in 0..self.lanes {
                let at = |n: u32| (first + (entry * log::WORDS + n) * LANES + lane) as usize;
                let said = std::mem::take(&mut record[at(0)]);
                if said & log::WRITTEN != 0 {
                    let words = std::array::from_fn(|n| record[at(2 + n as u32)]);
                    self.carry_out(lane as usize, (said & !log::WRITTEN) >> 4, said & 15, record[at(1)], words);
                }
            }
        }
        entries > 0
    }

    fn carry_out(&mut self, lane: usize, what: u32, mask: u32, address: u32, words: [u32; 4]) {
        match what {
            log::EMIT => self.outcome.primitives[lane].push(Primitive::Emit),
            log::CUT => self.outcome.primitives[lane].push(Primitive::Cut),
            log::RING => {
                let written = (0..4).filter(|n| mask >> n & 1 != 0);
                self.outcome.ring[lane].extend(written.map(|n| (address.wrapping_add(n), words[n as usize])));
            }
            stream => self.export(Target::Stream(stream, address), lane, mask, words),
        }
    }

    fn export(&mut self, target: Target, lane: usize, mask: u32, words: [u32; 4]) {
        let count = self.lanes as usize;
        let lanes = self.outcome.exports.entry(target).or_insert_with(|| vec![Exported::default(); count]);
        let exported = &mut lanes[lane];
        exported.mask |= mask as u8 & 15;
        for (n, word) in words.into_iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0) {
            exported.words[n] = word;
        }
    }

    fn finish(mut self, translation: &Translation, setup: &Setup, record: &[u32]) -> Outcome {
        let get = |at: u32| record[at as usize];
        let mask = |at: u32| u64::from(get(at)) | u64::from(get(at + 1)) << 32;
        for (n, target) in (0..).zip(&translation.layout.targets) {
            let first = translation.layout.export(n);
            for lane in 0..self.lanes {
                let word = |n: u32| get(first + n * LANES + lane);
                let written = word(state::EXPORT - 1);
                if written != 0 {
                    self.export(*target, lane as usize, written, std::array::from_fn(|n| word(n as u32)));
                }
            }
        }
        let lanes = 0..self.lanes;
        let four = |at: &dyn Fn(u32) -> u32| std::array::from_fn(|element| get(at(element as u32)));
        let outcome = &mut self.outcome;
        outcome.killed = setup.valid & mask(head::LANES) & !mask(head::VALID);
        outcome.steps = get(head::STEPS).into();
        let vector = |gpr, lane| four(&|element| register(gpr, element, lane));
        outcome.gprs = (0..GPRS).map(|gpr| lanes.clone().map(|lane| vector(gpr, lane)).collect()).collect();
        let first = translation.layout.reduction();
        outcome.reduction = (0..setup.reduction_elements()).map(|n| four(&|element| first + n * 4 + element)).collect();
        let first = first + 4 * setup.reduction_elements();
        let scratch = |n: u32, lane: u32| four(&|element| first + (n * 4 + element) * LANES + lane);
        outcome.scratch = lanes.map(|lane| (0..setup.scratch_elements()).map(|n| scratch(n, lane)).collect()).collect();
        self.outcome
    }
}
