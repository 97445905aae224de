//! The loop around the blocks of a program.
//!
//! Every round looks at whether the wave goes on and carries out one block, or one segment of one where blocks are [cut](crate::spirv::segments); a
//! block leaves the number of the next one behind.

use super::super::cfg;
use super::super::lanes::DONT_UNROLL;
use super::super::segments::{Case, Cutter, SITES};
use super::super::state::{head, push, status, trap};
use super::{Cut, Lower, Lowered, Missing};
use crate::isa::sem::Alg;
use crate::program::Step;
use crate::spirv::alg::Word;
use rspirv::spirv::Op;
use std::collections::BTreeSet;

/// The case that stops the wave for a fault of a lane.
const FAULTS: u32 = SITES;

/// What has been written.
pub(super) struct Blocks {
    /// The steps that blocks begin at.
    pub(super) blocks: BTreeSet<u32>,
    /// Cases of the switch.
    pub(super) cases: usize,
    pub(super) missing: Vec<Missing>,
    /// Lanes wait so often that blocks are best cut there.
    pub(super) waits: bool,
}

impl Lower<'_> {
    /// The loop around the blocks.
    pub(super) fn blocks(&self) -> Blocks {
        let m = &self.m;
        let k = self.alg(Word::Known(0));
        let steps = self.options.steps.clone();
        let by = (self.options.model, self.turns);
        let mut leaders = cfg::leaders(self.program, &self.options.entries, by, self.options.pausing);
        // No block goes on behind the last step.
        leaders.insert(steps.end);
        let blocks: BTreeSet<u32> = leaders.range(steps).copied().collect();
        let mut missing = Vec::new();
        let (fuel, site) = (m.variable(m.int()), m.variable(m.int()));
        self.fuel.set(fuel);
        self.site.set(site);
        let [header, check, select, merge, cont, exit] = [(); 6].map(|()| m.id());
        self.out.set(merge);
        let mut cases = Vec::new();
        for at in &blocks {
            let mark = m.mark();
            self.block(*at, &leaders, &mut missing);
            cases.push(Case { number: *at, label: m.id(), words: m.take(mark) });
        }
        if self.exchange.faults() {
            let mark = m.mark();
            self.stop_for_lane();
            cases.push(Case { number: FAULTS, label: m.id(), words: m.take(mark) });
        }
        let entry = m.lay_aside();
        self.write_helpers();
        self.functions.write(m, self.target);
        m.take_up(entry);
        let (mut waits, mut round) = (false, 1);
        if self.options.cut != Cut::Never {
            let cutter = Cutter::new(m, &cases, merge, site);
            // A driver that carries out all cases in every round goes once through every loop.
            round += cutter.loops as u32;
            waits = cutter.waits;
            if self.cuts {
                cases = cutter.cut(cases);
                *self.passing.borrow_mut() = cutter.words();
            }
        }
        let sites = cases.iter().any(|case| case.number >= SITES);

        m.store(fuel, k.id(self.pushed(push::FUEL)));
        m.store(site, m.constant(0));
        m.branch(header);
        m.label(header);
        m.effect(Op::LoopMerge, &[exit, cont, DONT_UNROLL]);
        m.branch(check);
        m.label(check);
        if waits && self.cuts {
            self.barrier();
        }
        let left = Word::Id(m.load(fuel));
        let mut goes = k.lt_s(k.w(0), left);
        if self.options.pausing {
            goes = k.both(goes, k.lt_u(self.cell(head::STEPS), self.cell(head::PAUSE)));
        }
        let at = Word::Id(m.load(site));
        if sites {
            // Within a block nothing stops the wave.
            goes = k.either(goes, k.nz(at));
        }
        let goes = k.both(k.eq(self.cell(head::STATUS), k.w(status::RUNS)), goes);
        m.store(fuel, k.id(k.sub(left, k.w(round))));
        m.effect(Op::BranchConditional, &[k.truth_id(goes), select, exit]);
        m.label(select);
        let mut number = self.cell(head::PC);
        if sites {
            number = k.sel(k.nz(at), at, number);
            m.store(site, m.constant(0));
        }
        let lost = m.id();
        let mut switch = vec![k.id(number), lost];
        switch.extend(cases.iter().flat_map(|case| [case.number, case.label]));
        m.effect(Op::SelectionMerge, &[merge, 0]);
        m.effect(Op::Switch, &switch);
        let count = cases.len();
        for case in cases {
            m.label(case.label);
            m.put(m.place(), case.words);
        }
        m.label(lost);
        self.set_cell(head::STATUS, k.w(status::LOST));
        m.branch(merge);
        m.label(merge);
        m.branch(cont);
        m.label(cont);
        m.branch(header);
        m.label(exit);
        Blocks { blocks, cases: count, missing, waits }
    }

    /// Leaves the block for the case that stops the wave at a step, where a lane has written down why.
    pub(in crate::spirv) fn lane_fails(&self, step: &Step) {
        self.m.store(self.site.get(), self.m.constant(FAULTS));
        self.goto(Word::Known(step.at));
    }

    /// Says which step comes next, where that is wanted.
    pub(super) fn line(&self, step: u32) {
        if let Some(source) = self.source.get() {
            self.m.effect(Op::Line, &[source, step, 0]);
        }
    }

    /// The steps of a block, to where it is left.
    fn block(&self, first: u32, leaders: &BTreeSet<u32>, missing: &mut Vec<Missing>) {
        let mut at = first;
        self.steps.set(0);
        self.rounds.set(0);
        self.active.borrow_mut().clear();
        self.m.begin_straight();
        loop {
            if at != first && leaders.contains(&at) || at as usize >= self.program.steps.len() {
                self.goto(Word::Known(at));
                return;
            }
            let step = &self.program.steps[at as usize];
            self.rounds.set(self.rounds.get() + cfg::rounds(step, self.options.model));
            if let Some(run) = self.run_from(at, leaders) {
                self.steps.set(self.steps.get() + run.steps);
                self.go_through(&run.members);
                at = run.next;
                continue;
            }
            self.steps.set(self.steps.get() + 1);
            let mark = self.m.mark();
            self.line(at);
            if let Err(needs) = self.step(step) {
                self.m.take(mark);
                self.active.borrow_mut().clear();
                self.trap_here(step, trap::UNSUPPORTED);
                missing.push(Missing { step: at, needs });
                return;
            }
            if step.breaks_flow() {
                return;
            }
            if self.turns.asks_host(step) {
                // Only a wave that skips it comes here.
                return self.goto(Word::Known(step.next));
            }
            at = step.next;
        }
    }

    /// One step. What breaks the flow leaves the block.
    fn step(&self, step: &Step) -> Lowered {
        use crate::isa::row::Family::*;
        let Some(row) = step.row else {
            self.trap_here(step, trap::ILLEGAL);
            return Ok(());
        };
        if !step.executes {
            return Err(crate::program::coverage::needs(row).to_owned());
        }
        match row.family {
            Sop1 | Sop2 | Sopk | Sopc | Sopp => self.scalar(step, row),
            _ => self.moved(step, |lower| match row.family {
                Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd | Mai | Vinterp | Vintrp | Vop3Interp | Ldsdir => {
                    lower.vector(step, row)
                }
                Exp => lower.exports(step),
                _ => lower.access(step, row),
            }),
        }
    }
}
