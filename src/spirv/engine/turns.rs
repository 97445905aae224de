//! Waves that take [turns](crate::spirv::turns), and what the host does for them meanwhile.
//!
//! One wave is on the device at a time, the one that would run in the emulator: the waves of a group come in the order of their numbers, each as
//! far as it comes, and again as long as a barrier opens for them or they are let out of a queue; then those of the group that is let
//! go first, else of the next one. All groups are in one batch.

use super::Run;
use crate::engine::across::{self, Asks, Sync, Who, Words};
use crate::engine::barrier::Split;
use crate::engine::dispatch::Dispatch;
use crate::isa::does::{Control, Does};
use crate::isa::regs;
use crate::memory::lds::Lds;
use crate::program::barrier::Barrier;
use crate::program::place::slot;
use crate::spirv::state::{self, Layout, head, status, trap};
use crate::vulkan::{self, Buffer};
use std::collections::{BTreeMap, VecDeque};

/// What the host keeps of waves that take turns.
pub(super) struct Table {
    sync: Sync,
    /// The global data share, if there is one.
    pub(super) gds: Option<Lds>,
    /// The barriers of the groups, from gfx12 on.
    splits: Vec<Option<Split>>,
    /// Up to which completion of its group's barrier each wave has waited.
    passed: Vec<u64>,
    /// What is missing for what waves asked for, by their numbers.
    refused: BTreeMap<u32, &'static str>,
    /// The group at work, and those of its waves that are still to come, the one at work first.
    group: usize,
    pass: VecDeque<usize>,
}

impl Table {
    /// At the start of a dispatch.
    pub(super) fn new(dispatch: &Dispatch<'_>) -> Table {
        let groups = dispatch.count() as usize;
        Table {
            sync: Sync::default(),
            gds: across::share_of(dispatch.memory),
            splits: vec![Split::of(dispatch.program, dispatch.waves); groups],
            passed: vec![0; groups * dispatch.waves as usize],
            refused: BTreeMap::new(),
            group: 0,
            pass: VecDeque::new(),
        }
    }

    /// What is missing for what a wave asked for.
    pub(super) fn refused(&self, wave: u32) -> Option<&'static str> {
        self.refused.get(&wave).copied()
    }
}

/// The vector registers of a record.
struct Registers<'a> {
    record: &'a mut [u32],
    layout: Layout,
}

impl Words for Registers<'_> {
    fn get(&self, at: u32, lane: u32) -> u32 {
        self.record[(self.layout.register(at) + lane) as usize]
    }

    fn set(&mut self, at: u32, behind: u32, lane: u32, v: u32) {
        self.record[(self.layout.register(at + behind) + lane) as usize] = v;
    }
}

fn stands(r: &[u32], at: u32) -> bool {
    r[head::STATUS as usize] == at
}

impl Run<'_> {
    /// The numbers of the waves of a group in the batch.
    fn waves_of(&self, group: usize) -> std::ops::Range<usize> {
        let waves = self.job.dispatch.waves as usize;
        group * waves..(group + 1) * waves
    }

    /// Whether a wave can go on.
    fn runs(&self, r: &[u32]) -> bool {
        stands(r, status::RUNS) && !self.paused(r)
    }

    /// Does what a wave asks for, if it does. `lds` is the buffer that has the global data share behind the LDS of the groups.
    pub(super) fn answer(
        &mut self,
        wave: usize,
        records: &mut [u32],
        record: usize,
        lds: &mut Buffer,
    ) -> Result<(), vulkan::Error> {
        if !stands(&records[wave * record..], status::ASKS) {
            return Ok(());
        }
        let Some(mut table) = self.table.take() else { return Ok(()) };
        let answered = self.answer_to(&mut table, records, (wave, record), lds);
        self.table = Some(table);
        answered
    }

    fn answer_to(
        &self,
        table: &mut Table,
        records: &mut [u32],
        (n, record): (usize, usize),
        lds: &mut Buffer,
    ) -> Result<(), vulkan::Error> {
        let dispatch = self.job.dispatch;
        let (group, index) = (n / dispatch.waves as usize, n as u32 % dispatch.waves);
        let ended = |wave: &usize| stands(&records[wave * record..], status::ENDED);
        let live = self.waves_of(group).filter(|wave| !ended(wave)).count() as u32;
        let r = &mut records[n * record..(n + 1) * record];
        let Some(step) = dispatch.program.steps.get(r[head::PC as usize] as usize) else { return Ok(()) };
        let went = match step.does() {
            Some(Does::Across(does)) => {
                let Some(access) = step.memory.as_deref() else { return Ok(()) };
                let scalar = |at: usize| u64::from(r[state::SGPRS as usize + at]);
                let high = if dispatch.lanes == 64 { scalar(slot::EXEC + 1) << 32 } else { 0 };
                let target = &dispatch.program.target;
                let (exec, m0) = (scalar(slot::EXEC) | high, scalar(regs::m0_code(target.generation()).into()) as u32);
                let asks = Asks { does, access, target, who: (group as u64, index), exec, m0 };
                let first = 4 * self.first_gds(table.splits.len());
                if let Some(gds) = &mut table.gds {
                    let words = lds.read(first, gds.words().len())?;
                    gds.words_mut().copy_from_slice(&words);
                }
                let mut registers = Registers { record: r, layout: self.layout };
                let went = table.sync.carry_out(&asks, table.gds.as_mut(), &mut registers);
                if let Some(gds) = &table.gds {
                    lds.write(first, gds.words())?;
                }
                went
            }
            Some(Does::Control(control)) => {
                let number = Barrier::of_signal(step.imm);
                let split = &mut table.splits[group];
                if control == Control::BarrierState {
                    // What is no register takes nothing.
                    if (step.dst as usize) < slot::SINK {
                        r[(state::SGPRS + step.dst) as usize] = split.map_or(0, |split| split.state(number, live));
                    }
                } else {
                    let split = split.as_mut().filter(|_| number == Barrier::Group);
                    let first = split.is_some_and(|split| split.signal(live));
                    if control == (Control::BarrierSignal { asks_first: true }) {
                        r[head::SCC as usize] = first.into();
                    }
                }
                Ok(true)
            }
            _ => Ok(true),
        };
        match went {
            Ok(goes_on) => {
                r[head::PC as usize] = step.next;
                r[head::STATUS as usize] = if goes_on { status::RUNS } else { status::QUEUED };
            }
            Err(needs) => {
                table.refused.insert(r[head::NUMBER as usize], needs);
                stop(r, trap::UNSUPPORTED, 0);
            }
        }
        Ok(())
    }

    /// Where the global data share begins in the buffer of LDS, with so many groups.
    pub(super) fn first_gds(&self, groups: usize) -> usize {
        groups * self.lds_words()
    }

    /// Says whose turn it is, and lets those go on who may; nobody where all have stopped.
    pub(super) fn whose_turn(&mut self, records: &mut [u32], record: usize) -> Option<usize> {
        let mut table = self.table.take()?;
        let turn = self.next_turn(&mut table, records, record);
        self.table = Some(table);
        turn
    }

    fn next_turn(&self, table: &mut Table, records: &mut [u32], record: usize) -> Option<usize> {
        let of = |wave: usize| wave * record..(wave + 1) * record;
        if self.is_over(records, record) {
            return None;
        }
        loop {
            while let Some(wave) = table.pass.front() {
                if self.runs(&records[of(*wave)]) {
                    return Some(*wave);
                }
                if stands(&records[of(*wave)], status::ENDED) {
                    self.ended(table, records, record);
                }
                table.pass.pop_front();
            }
            self.let_go(table, records, record);
            self.open_split(table, records, record);
            let runs = |wave: &usize| self.runs(&records[of(*wave)]);
            table.pass = self.waves_of(table.group).filter(runs).collect();
            if !table.pass.is_empty() {
                continue;
            }
            if self.is_over(records, record) {
                return None;
            }
            let gone = |group: u64| self.waves_of(group as usize).any(|n| stands(&records[of(n)], status::QUEUED));
            let gone = table.sync.first_gone(gone).map(|group| group as usize);
            let next = |group: &usize| self.waves_of(*group).any(|n| self.runs(&records[of(n)]));
            match gone.or_else(|| (0..table.splits.len()).find(next)) {
                Some(group) => table.group = group,
                None => break,
            }
        }
        self.give_up(table, records, record);
        None
    }

    /// Whether a trap has ended the run: behind it nobody runs, but where waves pause.
    fn is_over(&self, records: &[u32], record: usize) -> bool {
        !self.pauses() && records.chunks(record).any(|r| stands(r, status::TRAPPED))
    }

    /// A wave of the group at work has ended: the barrier may be complete without it.
    fn ended(&self, table: &mut Table, records: &[u32], record: usize) {
        let live = self.waves_of(table.group).filter(|n| !stands(&records[n * record..], status::ENDED)).count();
        if let Some(split) = &mut table.splits[table.group] {
            split.check(live as u32);
        }
    }

    /// Takes waves of the group at work out of the queues that they were let out of.
    fn let_go(&self, table: &mut Table, records: &mut [u32], record: usize) {
        for n in self.waves_of(table.group) {
            let r = &mut records[n * record..(n + 1) * record];
            let who: Who = (table.group as u64, n as u32 % self.job.dispatch.waves);
            if stands(r, status::QUEUED)
                && let Some(gift) = table.sync.let_go(who)
            {
                r[head::STATUS as usize] = status::RUNS;
                if let Some(gift) = gift {
                    gift.give(&mut Registers { record: r, layout: self.layout });
                }
            }
        }
    }

    /// Opens the barrier of the group at work, if it can be opened. On gfx12 that is where its signals are complete for all who wait; who waits for
    /// what nobody will say any more traps.
    fn open_split(&self, table: &mut Table, records: &mut [u32], record: usize) {
        let waves = self.waves_of(table.group);
        let group = &mut records[waves.start * record..waves.end * record];
        let passed = &mut table.passed[waves];
        if let Some(split) = table.splits[table.group] {
            let stopped = |r: &[u32]| stands(r, status::TRAPPED) || stands(r, status::QUEUED) || self.paused(r);
            if !group.chunks(record).any(|r| stands(r, status::BARRIER)) || group.chunks(record).any(stopped) {
                return;
            }
            let waits = group.chunks(record).map(|r| stands(r, status::BARRIER));
            if waits.zip(&*passed).any(|(waits, passed)| waits && *passed >= split.completed) {
                self.deadlock(group, record, status::BARRIER);
                return;
            }
            for (r, passed) in group.chunks(record).zip(passed) {
                if stands(r, status::BARRIER) {
                    *passed = split.completed;
                }
            }
        }
        self.open_barrier(group, record);
    }

    /// Nobody runs any more: who still waits in a queue is never let go, which is a trap of the first one.
    fn give_up(&self, table: &Table, records: &mut [u32], record: usize) {
        for group in 0..table.splits.len() {
            let waves = self.waves_of(group);
            let group = &mut records[waves.start * record..waves.end * record];
            if self.deadlock(group, record, status::QUEUED) && !self.pauses() {
                return;
            }
        }
    }

    /// Traps the first wave of a group that stands at a barrier or in a queue, for nobody lets it go; says whether there is one.
    fn deadlock(&self, group: &mut [u32], record: usize, at: u32) -> bool {
        let waits = |r: &[u32]| stands(r, status::QUEUED) || stands(r, status::BARRIER);
        let waiting = group.chunks(record).filter(|r| waits(r)).count() as u32;
        let Some(r) = group.chunks_mut(record).find(|r| stands(r, at)) else { return false };
        // It stands behind its instruction: those of the wave sync have two words.
        r[head::PC as usize] -= if at == status::QUEUED { 2 } else { 1 };
        stop(r, trap::DEADLOCK, waiting);
        true
    }
}

/// Stops a wave with a trap that is none of a lane's.
fn stop(r: &mut [u32], kind: u32, detail: u32) {
    r[head::STATUS as usize] = status::TRAPPED;
    r[head::TRAP as usize] = kind;
    r[head::LANE as usize] = state::NO_LANE;
    r[head::DETAIL as usize] = detail;
}
