//! The emulator under the clock: waves execute in the order in which a [model](crate::timing::model) of the machine issues their instructions.
//!
//! What a wave does by itself (`Op::by_itself`) no other wave sees, and how long it takes does not depend on what comes of it. The model
//! issues that alone, and the emulator is behind: it [catches up](catch_up) before it executes what goes to memory, reads the clock, meets other
//! waves or decides where the wave goes on.
//!
//! Groups are dealt to the compute units of the processor in turn. Each unit takes as many at a time as its registers, its local data share and
//! its places for waves allow, the next one when one has ended, and is a run of its own, on a thread. A program that has no race leaves what
//! it leaves in any order; here its clock (`s_memtime` and its like) is that of the model.

use super::grid::{Finished, Hooks, Ledger, Running};
use super::group::{self, Group};
use super::memory::{Addresses, Places, TouchedSpace, addresses, places, touched};
use super::plan::{Plan, Step};
use super::traced::execute;
use super::wave::Wave;
use crate::engine::dispatch::Dispatch;
use crate::engine::{Stop, TrapKind};
use crate::isa::row::Family;
use crate::program::STOP;
use crate::timing::machine::Machine;
use crate::timing::model::{ComputeUnit, Went};
use crate::timing::op::{Kind, Ops};
use crate::timing::recall::Recall;
use crate::timing::report::Report;
use crate::timing::traffic::Traffic;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Instructions between two looks at the watch.
const CHUNK: u64 = 1 << 14;

/// When a run is over time: then, and after how long.
pub type Deadline = Option<(Instant, Duration)>;

/// Runs a dispatch under the clock; also says what it took, with so many events of each compute unit.
#[must_use]
pub fn run<'d>(
    dispatch: &Dispatch<'d>,
    plan: &Plan<'d>,
    hooks: &Hooks<'d>,
    deadline: Deadline,
    events: usize,
) -> (Finished, Report) {
    let arch = dispatch.program.target.arch;
    let machine = Machine::of(arch);
    let known = plan.clocked();
    let timed =
        Timed { running: Running { dispatch, plan, hooks, shared: None }, machine, ops: &known.ops, deadline, events };
    let count = dispatch.count();
    let units = u64::from(Machine::units(arch)).min(count).max(1);
    let (ledger, next) = (Ledger::new(count), AtomicU32::new(0));
    let reports = Mutex::new(Vec::new());
    let put = |unit, report| reports.lock().unwrap_or_else(PoisonError::into_inner).push((unit, report));
    let units_of = |recall: &mut Recall| {
        let mut spare = Vec::new();
        loop {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            if u64::from(unit) >= units {
                break;
            }
            put(unit, timed.unit(unit, units, &ledger, &mut spare, recall));
        }
        put(u32::MAX, recall.tell(known.ops.len()));
    };
    let work = || known.with(units_of);
    match dispatch.threads.clamp(1, units as usize) {
        1 => work(),
        threads => std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work))),
    }
    let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    reports.sort_by_key(|(unit, _)| *unit);
    let mut all = Report::default();
    reports.into_iter().for_each(|(_, report)| all.merge(report));
    let executed: u64 = all.steps.iter().map(|time| time.count).sum();
    all.left_out = executed - all.events.len() as u64;
    (ledger.close(), all)
}

/// A run on its way.
struct Timed<'a, 'd> {
    running: Running<'a, 'd>,
    machine: &'static Machine,
    ops: &'a Ops,
    deadline: Deadline,
    events: usize,
}

/// A group that a compute unit has.
struct Resident<'a> {
    n: u64,
    group: Group<'a>,
    waves: Vec<Wave>,
    /// The numbers of its waves in the model.
    slots: Vec<usize>,
    trapped: Option<u32>,
}

impl<'a> Timed<'a, '_> {
    /// Runs the groups of a compute unit.
    fn unit(
        &self,
        number: u32,
        units: u64,
        ledger: &Ledger,
        spare: &mut Vec<Vec<Wave>>,
        recall: &mut Recall,
    ) -> Report {
        let limit = self.running.dispatch.limits.instructions;
        let mut unit = ComputeUnit::new(self.machine, self.ops, number, self.events, limit, recall);
        let mut left = (u64::from(number)..).step_by(units as usize).take_while(|n| !ledger.is_over(*n));
        let mut residents: Vec<Option<Resident<'a>>> = Vec::new();
        // Which group, and which of its waves, has a number in the model.
        let mut owners: Vec<(usize, usize)> = Vec::new();
        let mut traffic = Traffic::default();
        let mut executed = 0u64;
        // A place may be free.
        let mut free = true;
        loop {
            while std::mem::take(&mut free) && self.has_room(&unit, &residents) {
                let Some(n) = left.next() else { break };
                free = true;
                let mut waves = spare.pop().unwrap_or_default();
                let group = self.running.begin(n, number, &mut waves);
                let place = residents.iter().position(Option::is_none).unwrap_or(residents.len());
                let mut slots = Vec::new();
                for (at, wave) in waves.iter_mut().enumerate() {
                    if wave.stop == Some(Stop::End) {
                        slots.push(usize::MAX);
                        continue;
                    }
                    wave.stop = None;
                    let slot = unit.add(group.id, wave.index, wave.pc);
                    owners.resize(owners.len().max(slot + 1), (0, 0));
                    owners[slot] = (place, at);
                    slots.push(slot);
                }
                let resident = Some(Resident { n, group, waves, slots, trapped: None });
                match residents.get_mut(place) {
                    Some(free) => *free = resident,
                    None => residents.push(resident),
                }
                self.close(&mut residents[place], spare, ledger);
            }
            let Some(slot) = unit.next_issue() else { break };
            let (place, at) = owners[slot];
            let Some(resident) = residents.get_mut(place).and_then(Option::as_mut) else { break };
            catch_up(&mut resident.waves[at], &mut resident.group, unit.issued(slot));
            executed += 1;
            if executed.is_multiple_of(CHUNK)
                && let Some((end, timeout)) = self.deadline
                && Instant::now() >= end
            {
                group::trap(&mut resident.waves[at], TrapKind::Watchdog(timeout));
                unit.issue(slot, Went::Ended, &mut traffic);
            } else {
                let completed = resident.group.split.map(|split| split.completed);
                let went = self.step(&mut resident.waves[at], &mut resident.group, unit.now(), &mut traffic);
                unit.issue(slot, went, &mut traffic);
                if completed != resident.group.split.map(|split| split.completed) {
                    resident.open(&mut unit);
                }
            }
            let wave = &resident.waves[at];
            match &wave.stop {
                None => continue,
                Some(Stop::Trap(_)) if resident.trapped.is_none() => {
                    resident.trapped = Some(wave.index);
                    // Behind a trap nobody runs.
                    for (slot, wave) in resident.slots.iter().zip(&mut resident.waves) {
                        if !matches!(wave.stop, Some(Stop::End | Stop::Trap(_))) {
                            catch_up(wave, &mut resident.group, unit.issued(*slot));
                            unit.drop(*slot);
                        }
                    }
                }
                stop => {
                    if *stop == Some(Stop::End) {
                        resident.group.ends();
                    }
                    resident.open(&mut unit);
                }
            }
            self.close(&mut residents[place], spare, ledger);
            free = true;
        }
        // Who still waits, waits for a wave that never comes.
        for place in &mut residents {
            if let Some(mut resident) = place.take() {
                resident.trapped = group::deadlock(&mut resident.waves, &Stop::Barrier);
                self.finish(resident, spare, ledger);
            }
        }
        unit.report()
    }

    /// Whether another group fits.
    fn has_room(&self, unit: &ComputeUnit<'_>, residents: &[Option<Resident<'_>>]) -> bool {
        let dispatch = self.running.dispatch;
        let groups = residents.iter().flatten().count();
        if groups == 0 {
            return true;
        }
        let slots = self.machine.occupancy(&dispatch.program.target, dispatch.vgprs) as usize;
        let waves = slots * usize::from(self.machine.simds);
        let lds = self.machine.lds.checked_div(dispatch.lds).unwrap_or(u32::MAX) as usize;
        unit.resident() + dispatch.waves as usize <= waves && groups < lds
    }

    /// Executes an instruction of a wave, and says what it did.
    fn step(&self, wave: &mut Wave, group: &mut Group<'_>, now: u64, traffic: &mut Traffic) -> Went {
        let limits = self.running.dispatch.limits;
        let program = group.program;
        let Some(step) = group.steps.get(wave.pc as usize) else {
            group::leave(wave, program.address_of(wave.pc));
            return Went::Ended;
        };
        if wave.steps >= limits.instructions {
            group::trap(wave, TrapKind::Budget { limit: limits.instructions });
            return Went::Ended;
        }
        wave.now = Some(now);
        let kind = &self.ops[step.at as usize].kind;
        if matches!(kind, Kind::Memory { .. } | Kind::Lds | Kind::ScalarMemory) {
            self.traffic(wave, step, group, traffic);
        }
        let next = execute(wave, step, group);
        wave.steps += 1;
        if next != STOP {
            wave.pc = next;
            return Went::To { step: next, taken: *kind == Kind::Branch && next != step.next };
        }
        if wave.stop.is_none() {
            group::leave(wave, program.address_of(STOP));
        } else if !matches!(wave.stop, Some(Stop::Trap(_))) {
            // A trap stays at its instruction; a barrier and the end leave it behind.
            wave.pc = step.next;
        }
        if wave.stop == Some(Stop::Barrier) { Went::Barrier(step.next) } else { Went::Ended }
    }

    /// Where an instruction goes in memory.
    fn traffic(&self, wave: &Wave, step: &Step, group: &Group<'_>, traffic: &mut Traffic) {
        let paths = &self.machine.paths;
        traffic.clear();
        traffic.atomic = step.memory.as_ref().is_some_and(|access| access.atomic.is_some());
        let line = if step.family() == Some(Family::Smem) { paths.scalar.line } else { paths.vector.line };
        if let Some(level) = wave.level.short()
            && level.run(
                #[inline(always)]
                || {
                    if let Some(Places { lanes, bases, offsets, count, bytes }) = places(wave, step, group) {
                        traffic.shared(lanes, &bases, &offsets[..count], bytes, paths.banks);
                    } else if let Some(Addresses { lanes, base, offsets, bytes }) = addresses(wave, step, group) {
                        traffic.spread(lanes, base, &offsets, bytes, line);
                    } else {
                        return false;
                    }
                    true
                },
            )
        {
            return;
        }
        touched(
            wave,
            step,
            group,
            #[inline(always)]
            |at| match at.space {
                TouchedSpace::Lds => traffic.lds(at.lane.unwrap_or(0), at.address as u32, at.bytes, paths.banks),
                _ => traffic.memory(at.guest.unwrap_or(at.address), at.bytes, line),
            },
        );
    }

    /// Takes a group away that has come to its end.
    fn close(&self, place: &mut Option<Resident<'a>>, spare: &mut Vec<Vec<Wave>>, ledger: &Ledger) {
        let over = |resident: &mut Resident<'_>| {
            resident.trapped.is_some() || resident.waves.iter().all(|wave| wave.stop == Some(Stop::End))
        };
        if let Some(resident) = place.take_if(over) {
            self.finish(resident, spare, ledger);
        }
    }

    fn finish(&self, resident: Resident<'a>, spare: &mut Vec<Vec<Wave>>, ledger: &Ledger) {
        let Resident { n, group, mut waves, trapped, .. } = resident;
        let (done, steps) = self.running.end(group, &mut waves, trapped);
        ledger.put(&self.running, n, done, steps);
        spare.push(waves);
    }
}

/// Executes what a wave has issued by itself, until it has executed as many instructions as it has issued.
fn catch_up(wave: &mut Wave, group: &mut Group<'_>, issued: u64) {
    let steps = group.steps;
    let mut pc = wave.pc;
    for _ in wave.steps..issued {
        let Some(step) = steps.get(pc as usize) else { break };
        pc = step.execute(wave, group);
    }
    wave.pc = pc;
    wave.steps = issued;
}

impl Resident<'_> {
    /// Opens the barrier if all that have not ended wait there; on gfx12 for those whose signals are complete.
    fn open(&mut self, unit: &mut ComputeUnit<'_>) {
        let ended = |wave: &Wave| wave.stop == Some(Stop::End);
        let split = self.group.split;
        let waits = |wave: &Wave| wave.stop == Some(Stop::Barrier);
        if split.is_none() && !self.waves.iter().all(|wave| waits(wave) || ended(wave)) {
            return;
        }
        let goes_on = |wave: &Wave| waits(wave) && split.is_none_or(|split| wave.passed < split.completed);
        let slots: Vec<usize> =
            self.waves.iter().zip(&self.slots).filter(|(wave, _)| goes_on(wave)).map(|(_, slot)| *slot).collect();
        for wave in self.waves.iter_mut().filter(|wave| goes_on(wave)) {
            wave.passed = split.map_or(0, |split| split.completed);
            wave.stop = None;
        }
        unit.release(&slots);
    }
}
