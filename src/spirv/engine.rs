//! Cases and kernels on a Vulkan device: records go in, records come out.
//!
//! The [staged dispatch](crate::engine::Job) of a case or kernel is the same that the emulator's loops get. Here its waves become
//! [records](super::state), guest memory becomes one buffer with a table of its regions, and the [translation](super::lower) is dispatched until
//! every wave has stopped. Between two dispatches the host opens barriers, and translates again where a wave came to a
//! place without a block. Groups go in batches that fit the device's buffers; a batch is on the device as a whole, so that its waves meet.

mod cause;
mod collect;
mod failed;
mod pause;
mod pieces;
mod record;
mod support;
mod token;
mod turns;

pub use support::{SEVERAL, missing, support, support_of};

use super::fault::Fault;
use super::lanes::Model;
use super::lower::{Cut, FUEL};
use super::module::Size;
use super::state::{self, Layout, head, status, trap};
use super::tables::Tables;
use super::turns::Turns;
use crate::case::Case;
use crate::engine::across;
use crate::engine::dispatch::Dispatch;
use crate::engine::keep::Keeper;
use crate::engine::registers::Registers;
use crate::engine::stage::case::run_case;
use crate::engine::{Engine, EngineError, Job, Options, Outcome, Ran, Runner, Stop, Support, TrapKind, Unsupported};
use crate::isa::Target;
use crate::memory::guest;
use crate::memory::lds::Lds;
use crate::vulkan::caps::Kind;
use crate::vulkan::{self, Buffer, Device};
use cause::TRAPPED_EXCEPTIONS;
use collect::{FIRST_EXPORT, MESSAGES, room_of_exports};
use pause::Kept;
use pieces::Piece;
use std::cell::{Cell, RefCell, RefMut};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The share of rounds that the first dispatch gets. How long a round takes is not known before: a driver may carry out all blocks in each.
const FIRST_FUEL: u32 = 256;
/// A dispatch that takes longer halves the next one's share; else it is doubled.
const LONG: Duration = Duration::from_secs(1);
/// How long a dispatch may take, which is short by design: a device that takes longer is lost.
const DISPATCH: Duration = Duration::from_secs(120);
/// The first one with a pipeline may take longer: llvmpipe compiles there, with as much of the machine as others leave it.
const COMPILE: Duration = Duration::from_secs(600);
/// The most words of records on the device at once.
const RECORDS: usize = 16 << 20;

/// Waves on the device at once: the host has each of them too, and uses them again for those that come next.
const WAVES: usize = 1024;

/// How many programs a device compiles before a fresh one takes its place. Drivers may keep something of each until the device is closed: with
/// llvmpipe of Mesa 22.3 a process of 100 random programs grew from 93 MiB to 283, and never shrank; with a fresh device now and then it goes back
/// to some 200. What is high is the compiler of the largest program: one alone can take 180 MiB, of which closing the device gives 50 back. The
/// same small program compiled 256 times stays flat, and so do all of them where their code comes from the driver's cache on disk (160 MiB).
const PROGRAMS: u32 = 32;

/// A Vulkan device as an engine.
///
/// A device that is lost fails the run that it was lost in; the next one opens it again.
pub struct Vulkan {
    name: String,
    device: RefCell<Device>,
    /// Pipelines that the device has made.
    made: Cell<u32>,
    /// After how many pipelines a fresh device takes the place of the one in use.
    pub renew: u32,
    /// How lanes are carried out.
    pub model: Model,
    /// Which blocks are [cut](super::segments): large ones suit the drivers of CPU devices, which write everything out.
    pub cut: Cut,
    /// What a pipeline may come to: larger programs run in several, as suits the compilers of CPU devices.
    pub large: Size,
    /// How to run.
    pub options: Options,
    /// What goes wrong in translations on purpose; nothing, but for tests.
    pub fault: Option<Fault>,
    /// What the last run cost.
    costs: RefCell<Costs>,
    /// What the last run with pauses was translated to: the next one, which pauses elsewhere, is likely to need it again.
    kept: RefCell<Option<Kept>>,
    /// What the last dispatch looked up: of a processor, or nothing.
    tables: RefCell<Option<(&'static str, Buffer)>>,
}

/// What a run cost, apart from the device's time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Translating.
    pub translate: Duration,
    /// The driver's compiler.
    pub compile: Duration,
    /// Dispatches, as the host saw them.
    pub host: Duration,
    /// Dispatches, as the device saw them; nothing where it has no clock.
    pub device: Duration,
    /// How many there were.
    pub dispatches: u32,
    /// Words of SPIR-V that it compiled.
    pub words: usize,
}

impl Vulkan {
    /// An engine on a device.
    ///
    /// In debug builds the environment variable `WAVEDIFF_FAULT` names a [`Fault`] that every translation has; a name that is none is reported
    /// and has no effect.
    #[must_use]
    pub fn new(device: Device, model: Model) -> Vulkan {
        let cpu = device.caps().kind == Kind::Cpu;
        Vulkan {
            name: format!("vulkan:{}", device.name()),
            cut: if cpu { Cut::Large } else { Cut::Never },
            large: if cpu { pieces::LARGE } else { Size::MAX },
            device: RefCell::new(device),
            made: Cell::new(0),
            renew: PROGRAMS,
            model,
            options: Options::default(),
            fault: fault(),
            costs: RefCell::default(),
            kept: RefCell::default(),
            tables: RefCell::default(),
        }
    }

    /// The device that runs at the moment.
    #[must_use]
    pub fn device(&self) -> Device {
        self.device.borrow().clone()
    }

    /// The device for a run: a fresh one where the last one is lost, or has made many pipelines.
    fn ready(&self) -> Result<Device, EngineError> {
        let mut device = self.device.borrow_mut();
        if device.is_lost() || self.made.get() >= self.renew {
            // What was made on the old one goes with it.
            *self.kept.borrow_mut() = None;
            *self.tables.borrow_mut() = None;
            *device = device.open_again().map_err(|e| self.failed(e))?;
            self.made.set(0);
        }
        Ok(device.clone())
    }

    /// The tables of a processor on the device.
    fn tables(&self, device: &Device, target: &Target) -> Result<RefMut<'_, Buffer>, EngineError> {
        let name = target.arch.name;
        let mut kept = self.tables.borrow_mut();
        let now = match kept.take().filter(|(of, _)| *of == name) {
            Some(last) => last,
            None => {
                let tables = Tables::of(target);
                (name, device.buffer("tables", &tables.words).map_err(|e| self.failed(e))?)
            }
        };
        Ok(RefMut::map(kept, |kept| &mut kept.insert(now).1))
    }

    /// What the last run cost.
    #[must_use]
    pub fn costs(&self) -> Costs {
        *self.costs.borrow()
    }

    fn failed(&self, e: vulkan::Error) -> EngineError {
        e.on(&self.name)
    }
}

/// The fault that the environment asks for.
#[cfg(debug_assertions)]
fn fault() -> Option<Fault> {
    let name = std::env::var("WAVEDIFF_FAULT").ok()?;
    name.parse().inspect_err(|e| eprintln!("WAVEDIFF_FAULT: {e}")).ok()
}

#[cfg(not(debug_assertions))]
fn fault() -> Option<Fault> {
    None
}

impl Engine for Vulkan {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, case: &Case, target: Target) -> Support {
        support_of(case, target, self.model)
    }

    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError> {
        run_case(self, &self.options, case, target)
    }
}

impl Runner for Vulkan {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        *self.costs.borrow_mut() = Costs::default();
        let start = Instant::now();
        let dispatch = job.dispatch;
        if dispatch.program.handler.is_some_and(|handler| handler.exceptions) {
            let instruction = "the program".to_owned();
            return Err(Unsupported { instruction, needs: TRAPPED_EXCEPTIONS.to_owned() }.into());
        }
        if dispatch.program.reads_exceptions {
            return Err(
                Unsupported { instruction: "s_getreg_b32".to_owned(), needs: "float exceptions".to_owned() }.into()
            );
        }
        let deadline = job.timeout.and_then(|t| Some((start.checked_add(t)?, t)));
        let mut run = Run::new(self, job, deadline)?;
        let count = dispatch.count();
        let per_batch = run.groups_at_once();
        if run.turns.any() {
            if count > per_batch {
                let needs = format!("all groups on the device at once: {count}, where there is room for {per_batch}");
                return Err(Unsupported { instruction: "the program".to_owned(), needs }.into());
            }
            run.table = Some(turns::Table::new(dispatch));
        }
        let mut ran = Ran::default();
        let keeper = Keeper::new(job.keep, dispatch);
        let mut first = 0;
        while first < count && (ran.trap.is_none() || dispatch.limits.pause.is_some()) {
            let last = (first + per_batch).min(count);
            run.batch(first..last, &keeper, &mut ran)?;
            first = last;
        }
        run.write_back()?;
        if let Some(gds) = run.gds() {
            across::put_back(gds, dispatch.memory);
        }
        let trapped = ran.trap.as_ref().filter(|_| dispatch.limits.pause.is_none()).map(|trap| trap.group);
        keeper.end(trapped.map(|group| (dispatch.number(group), group)), &mut ran);
        ran.stats.seconds = match self.costs().device {
            Duration::ZERO => start.elapsed().as_secs_f64(),
            device => device.as_secs_f64(),
        };
        Ok(ran)
    }

    fn working(&self, dispatch: &Dispatch<'_>, guest: u64) -> u64 {
        // Waves of a batch, their records on both sides, and the guest's memory on its way there and there.
        let waves =
            u64::from(dispatch.waves).max(WAVES as u64).min(dispatch.count().saturating_mul(dispatch.waves.into()));
        let groups = waves.div_ceil(dispatch.waves.max(1).into());
        let program = dispatch.program;
        let whole = Layout::whole(program.target.generation());
        // As many registers as the program names, or all where it reaches them by numbers.
        let record = 4 * u64::from(Layout { vgprs: program.vgprs.min(whole.vgprs), ..whole }.words());
        waves * (Registers::bytes() + 2 * record) + 3 * groups * u64::from(dispatch.lds) + 2 * guest
    }
}

/// One dispatch of the staging, in as many dispatches of the device as it takes.
struct Run<'r> {
    engine: &'r Vulkan,
    device: Device,
    job: &'r Job<'r>,
    /// The registers that records have room for: those that the translation names.
    layout: Layout,
    entries: BTreeSet<u32>,
    /// The program, in one piece or several.
    pieces: Vec<Piece>,
    /// The piece that was on the device last.
    turn: usize,
    /// Whether waves take turns, and what the host keeps of them then.
    turns: Turns,
    table: Option<turns::Table>,
    memory: Buffer,
    /// The first word of each region in the buffer of guest memory.
    places: Vec<u32>,
    regions: Buffer,
    /// How many exports of a wave there is room for.
    exports: u32,
    /// Rounds of loops of the next dispatch.
    fuel: u32,
    deadline: Option<(Instant, Duration)>,
    /// Waves of a batch that is over, for the next one.
    spare: Vec<Registers>,
}

/// A wave of a batch.
struct Member {
    group: u64,
    id: [u32; 3],
    wave: Registers,
}

impl<'r> Run<'r> {
    fn new(
        engine: &'r Vulkan,
        job: &'r Job<'r>,
        deadline: Option<(Instant, Duration)>,
    ) -> Result<Run<'r>, EngineError> {
        let dispatch = job.dispatch;
        let device = engine.ready()?;
        let lacks = device.caps().model_lacks(engine.model, dispatch.lanes);
        if !lacks.is_empty() {
            let needs = format!("{} for the lane model {}", lacks.join(", "), engine.model.name());
            return Err(engine.failed(vulkan::Error::Missing { device: device.name().to_owned(), needs }));
        }
        let (mut words, mut table, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for region in dispatch.memory.regions() {
            let first = u32::try_from(words.len()).unwrap_or(u32::MAX);
            places.push(first);
            let (base, len) = (region.base(), region.len());
            table.extend([
                base as u32,
                (base >> 32) as u32,
                len as u32,
                (len >> 32) as u32,
                first,
                u32::from(region.writable()),
            ]);
            words.extend(region.words().iter().map(|w| w.load(std::sync::atomic::Ordering::Relaxed)));
        }
        // A buffer has something in it, whatever there is to hold.
        words.push(0);
        table.resize(table.len().max(state::REGION as usize), 0);
        let failed = |e| engine.failed(e);
        let memory = device.buffer("guest memory", &words).map_err(failed)?;
        let regions = device.buffer("regions", &table).map_err(failed)?;
        let turns = Turns::of(dispatch.program, dispatch.waves);
        let mut run = Run {
            engine,
            device,
            job,
            layout: Layout::default(),
            entries: BTreeSet::from([first_step(dispatch)]),
            pieces: Vec::new(),
            turn: 0,
            turns,
            table: None,
            memory,
            places,
            regions,
            exports: room_of_exports(dispatch),
            fuel: FIRST_FUEL,
            deadline,
            spare: Vec::new(),
        };
        if !run.has_kept() {
            run.translate();
        }
        Ok(run)
    }

    /// Words of LDS of a group.
    fn lds_words(&self) -> usize {
        self.job.dispatch.lds.div_ceil(4) as usize
    }

    /// The global data share, if there is one.
    fn gds(&self) -> Option<&Lds> {
        self.table.as_ref().and_then(|table| table.gds.as_ref())
    }

    /// How many groups the device holds at once.
    fn groups_at_once(&self) -> u64 {
        let dispatch = self.job.dispatch;
        let limit = self.device.caps().limits.storage_range as usize / 4;
        let words = RECORDS.min(limit);
        let exports = self.exports * state::export::WORDS;
        let of_group = (self.layout.words() + exports) as usize * dispatch.waves.max(1) as usize;
        let by_lds = if dispatch.lds == 0 { usize::MAX } else { words / self.lds_words() };
        let by_slots = if dispatch.scratch_per_lane > 0 { dispatch.threads } else { usize::MAX };
        let by_waves = WAVES / dispatch.waves.max(1) as usize;
        (words / of_group).min(by_lds).min(by_slots).min(by_waves).max(1) as u64
    }

    /// Runs some groups to their ends.
    fn batch(&mut self, groups: std::ops::Range<u64>, keeper: &Keeper<'_>, ran: &mut Ran) -> Result<(), EngineError> {
        let dispatch = self.job.dispatch;
        let mut members = Vec::new();
        let mut lds: Vec<Lds> = Vec::new();
        let mut spare = std::mem::take(&mut self.spare);
        for n in groups.clone() {
            let id = dispatch.group(n);
            for index in 0..dispatch.waves {
                let mut wave = match spare.pop() {
                    Some(mut wave) => {
                        wave.reset();
                        wave
                    }
                    None => Registers::new(dispatch.program.target, dispatch.lanes),
                };
                wave.index = index;
                wave.thread = (n - groups.start) as u32;
                wave.set_apertures(dispatch.apertures.shared, dispatch.apertures.private);
                (dispatch.setup)(id, index, &mut wave);
                members.push(Member { group: n, id, wave });
            }
            let mut share = Lds::new(dispatch.lds);
            if let Some(fill) = self.job.lds {
                fill(id, share.words_mut());
            }
            lds.push(share);
        }
        if let Some((_, timeout)) =
            self.deadline.filter(|(deadline, _)| groups.start > 0 && Instant::now() >= *deadline)
            && let Some(member) = members.first_mut()
        {
            member.wave.stop = Some(Stop::Trap(Box::new(TrapKind::Watchdog(timeout).into())));
            self.collect(&members, &lds, groups.start, keeper, ran);
            return Ok(());
        }
        let entries = self.entries.len();
        self.entries.extend(members.iter().map(|member| member.wave.pc));
        if self.entries.len() > entries {
            self.translate();
        }
        let mut record = self.layout.words() as usize;
        let mut records = vec![0u32; record * members.len()];
        for (n, (member, to)) in (0..).zip(members.iter().zip(records.chunks_mut(record))) {
            self.encode(member, to);
            to[head::NUMBER as usize] = n;
            to[head::LDS as usize] = ((member.group - groups.start) as usize * self.lds_words()) as u32;
        }
        let (device, engine) = (self.device.clone(), self.engine);
        let failed = |e| engine.failed(e);
        let mut state = device.buffer("records", &records).map_err(failed)?;
        let mut shared: Vec<u32> = lds.iter().flat_map(|l| l.words()[..self.lds_words()].to_vec()).collect();
        shared.extend(self.gds().map_or(&[][..], Lds::words));
        shared.push(0);
        let mut share = device.buffer("LDS", &shared).map_err(failed)?;
        let words = FIRST_EXPORT + members.len() * self.exports as usize * state::export::WORDS as usize;
        let messages = device.zeroed("messages", 4 * words).map_err(failed)?;
        let mut alone = self.whose_turn(&mut records, record);
        loop {
            let waves = self.take_turn(&records, record, alone);
            self.dispatch([&state, &share, &messages], &waves, lds.len())?;
            records = state.read(0, records.len()).map_err(failed)?;
            if let Some(wave) = alone {
                self.answer(wave, &mut records, record, &mut share).map_err(failed)?;
            }
            let entries = self.entries.len();
            if !self.go_on(&mut records, record) {
                break;
            }
            alone = self.whose_turn(&mut records, record);
            if alone.is_none() && self.table.is_some() {
                break;
            }
            let layout = self.layout;
            if self.entries.len() > entries {
                self.translate();
            }
            if self.layout == layout {
                state.write(0, &records).map_err(failed)?;
            } else {
                records = self.widen(&records, layout, &members);
                record = self.layout.words() as usize;
                state = device.buffer("records", &records).map_err(failed)?;
            }
        }
        for (member, from) in members.iter_mut().zip(records.chunks(record)) {
            self.decode(member, from);
        }
        let shared: Vec<u32> = share.read(0, shared.len()).map_err(failed)?;
        for (share, words) in lds.iter_mut().zip(shared.chunks(self.lds_words().max(1))) {
            let len = self.lds_words();
            share.words_mut()[..len].copy_from_slice(&words[..len]);
        }
        let first_gds = self.first_gds(lds.len());
        if let Some(gds) = self.table.as_mut().and_then(|table| table.gds.as_mut()) {
            let len = gds.words().len();
            gds.words_mut().copy_from_slice(&shared[first_gds..][..len]);
        }
        self.collect_messages(&messages, &members, ran)?;
        self.collect_exports(&messages, &members, &records, ran)?;
        self.collect(&members, &lds, groups.start, keeper, ran);
        self.spare = members.into_iter().map(|member| member.wave).collect();
        Ok(())
    }

    /// Dispatches the piece whose turn it is once. `waves` says which waves are for it.
    fn dispatch(&mut self, bind: [&Buffer; 3], waves: &[bool], groups: usize) -> Result<(), EngineError> {
        let [state, lds, messages] = bind;
        let dispatch = self.job.dispatch;
        let engine = self.engine;
        let mut patience = if self.pieces[self.turn].pipeline.is_none() { COMPILE } else { DISPATCH };
        let pipeline = self.pipeline()?;
        let translation = &self.pieces[self.turn].translation;
        let mut push = [0u32; state::push::COUNT as usize];
        // Waves of a workgroup may go different ways, and a driver that counts rounds counts those of all of them.
        push[state::push::FUEL as usize] = self.fuel.min(FUEL / translation.waves);
        push[state::push::REGIONS as usize] = self.places.len() as u32;
        push[state::push::MESSAGES as usize] = MESSAGES;
        push[state::push::EXPORTS as usize] = self.exports;
        push[state::push::FIRST_EXPORT as usize] = FIRST_EXPORT as u32;
        push[state::push::LDS_BYTES as usize] = dispatch.lds;
        push[state::push::FIRST_GDS as usize] = self.first_gds(groups) as u32;
        push[state::push::GDS_BYTES as usize] = self.gds().map_or(0, Lds::bytes);
        let kept;
        // Where nothing is looked up, what is bound in their place does not matter.
        let tables = if translation.looks_up {
            kept = engine.tables(&self.device, &dispatch.program.target)?;
            &*kept
        } else {
            &self.regions
        };
        let bind = [state, &self.memory, &self.regions, lds, messages, tables];
        // All waves at once, or those that still run one after the other.
        let shares: Vec<(u32, u32)> = if translation.alone {
            (0..).zip(waves).filter(|(_, runs)| **runs).map(|(n, _)| (n, 1)).collect()
        } else {
            vec![(0, waves.len() as u32)]
        };
        let mut longest = Duration::ZERO;
        for (first, count) in shares {
            push[state::push::FIRST as usize] = first;
            push[state::push::WAVES as usize] = count;
            let push: Vec<u8> = push.iter().flat_map(|w| w.to_le_bytes()).collect();
            let job = vulkan::Job {
                push: &push,
                groups: [count.div_ceil(translation.waves), 1, 1],
                timeout: patience,
                ..vulkan::Job::new(&pipeline, &bind)
            };
            let times = self.device.run(&job).map_err(|e| engine.failed(e))?;
            patience = DISPATCH;
            longest = longest.max(times.host);
            let mut costs = engine.costs.borrow_mut();
            costs.host += times.host;
            costs.device += times.device.unwrap_or_default();
            costs.dispatches += 1;
        }
        self.fuel = if longest > LONG { (self.fuel / 2).max(1) } else { (self.fuel * 2).min(FUEL) };
        Ok(())
    }

    /// Opens barriers, and makes blocks where waves came to none; says whether a wave goes on.
    fn go_on(&mut self, records: &mut [u32], record: usize) -> bool {
        let limit = self.job.dispatch.limits.instructions;
        let mut goes = false;
        let late = self.deadline.is_some_and(|(deadline, _)| Instant::now() >= deadline);
        if self.table.is_none() {
            self.open_barriers(records, record);
        }
        for r in records.chunks_mut(record) {
            let steps = u64::from(r[head::STEPS as usize]) | u64::from(r[head::STEPS as usize + 1]) << 32;
            match r[head::STATUS as usize] {
                // Also one that has ended, or trapped, beyond.
                _ if steps > limit => {
                    r[head::STATUS as usize] = status::TRAPPED;
                    r[head::TRAP as usize] = trap::BUDGET;
                    r[head::LANE as usize] = state::NO_LANE;
                }
                status::RUNS | status::LOST if late => {
                    r[head::STATUS as usize] = status::TRAPPED;
                    r[head::TRAP as usize] = trap::WATCHDOG;
                    r[head::LANE as usize] = state::NO_LANE;
                }
                status::RUNS => goes |= !self.paused(r),
                // Whoever waits may have been let go.
                status::BARRIER | status::QUEUED => goes |= self.table.is_some(),
                status::LOST => {
                    let pc = r[head::PC as usize];
                    if (pc as usize) < self.job.dispatch.program.steps.len() {
                        if !self.has_block(pc) {
                            self.entries.insert(pc);
                        }
                        r[head::STATUS as usize] = status::RUNS;
                        goes = true;
                    } else {
                        r[head::STATUS as usize] = status::TRAPPED;
                        r[head::TRAP as usize] = trap::LEFT;
                        let address = self.job.dispatch.program.address_of(pc);
                        r[head::ADDRESS as usize] = address as u32;
                        r[head::ADDRESS as usize + 1] = (address >> 32) as u32;
                        r[head::LANE as usize] = state::NO_LANE;
                    }
                }
                _ => {}
            }
        }
        goes
    }

    /// Copies guest memory back to where it came from.
    fn write_back(&self) -> Result<(), EngineError> {
        let regions = self.job.dispatch.memory.regions();
        for (region, first) in regions.iter().zip(&self.places).filter(|(region, _)| region.writable()) {
            let words: Vec<u32> =
                self.memory.read(*first as usize * 4, region.words().len()).map_err(|e| self.engine.failed(e))?;
            for (to, word) in region.words().iter().zip(words) {
                to.store(word, std::sync::atomic::Ordering::Relaxed);
            }
        }
        guest::fence();
        Ok(())
    }
}

/// Where the first wave begins.
fn first_step(dispatch: &Dispatch<'_>) -> u32 {
    if dispatch.count() == 0 {
        return 0;
    }
    let mut wave = Registers::new(dispatch.program.target, dispatch.lanes);
    (dispatch.setup)(dispatch.group(0), 0, &mut wave);
    wave.pc
}
