//! The loop around the sites of a program.
//!
//! A site is a place of control flow in the program or in the fetch program to which something leads; a place without an instruction may be
//! one too, and is a fault when the group comes there. A block is what stands from a site to the next one, or to the first instruction
//! that may lead elsewhere. Each round of the loop carries out one block, which leaves the number of the next site behind.

use super::Raised;
use super::lower::Lower;
use super::state::{LANES, head, log, status};
use crate::isa::r600::does::Space;
use crate::isa::sem::Alg;
use crate::r600::emu::plan::{Action, Plan, Step};
use crate::spirv::alg::Word;
use crate::spirv::lanes::DONT_UNROLL;
use crate::spirv::module::Id;
use rspirv::spirv::Op;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The program and the fetch program.
pub(super) type Plans<'p> = [&'p Plan; 2];

/// A place, and whether it is one of the fetch program.
pub(super) type Place = (u32, bool);

/// Where things lead.
#[derive(Default)]
pub(super) struct Sites {
    /// Where blocks end if they come there.
    leaders: BTreeSet<Place>,
    numbers: RefCell<BTreeMap<Place, u32>>,
    wanted: RefCell<Vec<Place>>,
}

impl Sites {
    fn new(plans: Plans<'_>) -> Sites {
        let mut leaders = BTreeSet::new();
        for (plan, fetch) in plans.into_iter().zip([false, true]) {
            for step in plan.steps() {
                if let Some(branch) = step.action.branch() {
                    // A call of the fetch program begins that, and what returns from there goes on in either.
                    leaders.extend([(step.at + 1, false), (step.at + 1, true), (branch.to, fetch), (0, true)]);
                }
            }
        }
        Sites { leaders, ..Sites::default() }
    }

    /// The number of a site.
    pub(super) fn number(&self, place: Place) -> Word {
        let mut numbers = self.numbers.borrow_mut();
        let next = numbers.len() as u32;
        let number = *numbers.entry(place).or_insert_with(|| {
            self.wanted.borrow_mut().push(place);
            next
        });
        Word::Known(number)
    }
}

/// Where control flow goes.
pub(super) enum Onward {
    /// To the instruction behind.
    Next,
    /// To a site.
    To(Word),
    /// Out.
    End,
    /// Nowhere: something is wrong for sure.
    Gone,
}

/// Rounds of loops that a block has at most, but for its last instruction.
const LONGEST: u32 = 4096;

impl Lower<'_> {
    /// The loop, with everything in it.
    pub(super) fn blocks(&self, plans: Plans<'_>) -> usize {
        let (m, k) = (&self.m, self.k());
        let [header, check, select, merge, cont, exit] = [(); 6].map(|()| m.id());
        self.out.set(merge);
        let sites = Sites::new(plans);
        sites.number((0, false));
        let mut cases: Vec<(u32, Id, Vec<u32>)> = Vec::new();
        loop {
            let Some(place) = sites.wanted.borrow_mut().pop() else { break };
            let Word::Known(number) = sites.number(place) else { continue };
            let mark = m.mark();
            self.block(&sites, plans, place);
            cases.push((number, m.id(), m.take(mark)));
        }
        self.write_functions();

        m.branch(header);
        m.label(header);
        m.effect(Op::LoopMerge, &[exit, cont, DONT_UNROLL]);
        m.branch(check);
        m.label(check);
        let fuel = self.get(head::FUEL);
        let goes = k.both(k.eq(self.get(head::STATUS), k.w(status::RUNS)), k.lt_s(k.w(0), fuel));
        // A driver that carries out all cases in every round goes once through every loop.
        self.put(head::FUEL, k.sub(fuel, k.w(1 + self.loops.get())));
        m.effect(Op::BranchConditional, &[k.truth_id(goes), select, exit]);
        m.label(select);
        let lost = m.id();
        let mut switch = vec![k.id(self.get(head::SITE)), lost];
        switch.extend(cases.iter().flat_map(|(number, label, _)| [*number, *label]));
        m.effect(Op::SelectionMerge, &[merge, 0]);
        m.effect(Op::Switch, &switch);
        let count = cases.len();
        for (_, label, words) in cases {
            m.label(label);
            m.put(m.place(), words);
        }
        m.label(lost);
        self.put(head::STATUS, k.w(status::LOST));
        m.branch(merge);
        m.label(merge);
        m.branch(cont);
        m.label(cont);
        m.branch(header);
        m.label(exit);
        count
    }

    /// The instructions from a site on; the last word is a branch out.
    fn block(&self, sites: &Sites, plans: Plans<'_>, (first, fetch): Place) {
        let k = self.k();
        self.rounds.set(0);
        let steps = self.straight(sites, plans[usize::from(fetch)], (first, fetch));
        let entries: u32 = steps.iter().map(|step| logs(&step.action)).sum();
        if entries > 0 {
            // The host reads the log, and comes back to this site.
            let full = k.lt_u(k.w(log::ENTRIES), k.add(self.get(head::LOGGED), k.w(entries)));
            self.when(full, || {
                self.put(head::FUEL, k.w(0));
                self.leave();
            });
        }
        let mut onward = Onward::Next;
        let mut next = first;
        for step in &steps {
            self.place.set((step.at, fetch));
            self.spend(k.w(1));
            onward = self.step(sites, step, fetch);
            if step.ends && !fetch && !matches!(onward, Onward::Gone) {
                onward = Onward::End;
            }
            next = step.at + 1;
            if !matches!(onward, Onward::Next) {
                break;
            }
        }
        self.put(head::FUEL, k.sub(self.get(head::FUEL), k.w(self.rounds.get())));
        match onward {
            Onward::Next if steps.is_empty() => {
                self.place.set((first, fetch));
                self.raise_if(k.c(true), self.code(Raised::Nowhere), k.w(0));
            }
            Onward::Next => self.put(head::SITE, sites.number((next, fetch))),
            Onward::To(site) => self.put(head::SITE, site),
            Onward::End => self.end_if(k.c(true)),
            Onward::Gone => {}
        }
        self.m.branch(self.out.get());
    }

    /// The instructions of the block that begins at a site: none where no instruction stands.
    fn straight<'p>(&self, sites: &Sites, plan: &'p Plan, (first, fetch): Place) -> Vec<&'p Step> {
        let mut steps = Vec::new();
        let (mut entries, mut rounds) = (0, 0);
        let mut at = first;
        while let Some((_, step)) = plan.at(at) {
            entries += logs(&step.action);
            rounds += times(&step.action) * LANES;
            let leads = at != first && sites.leaders.contains(&(at, fetch));
            if !steps.is_empty() && (leads || entries > log::ENTRIES || rounds > LONGEST) {
                break;
            }
            steps.push(step);
            let last = step.ends || step.action.branch().is_some() || matches!(step.action, Action::Bad(_));
            if last {
                break;
            }
            at += 1;
        }
        steps
    }
}

/// Entries of the log that an instruction makes at most.
pub(super) fn logs(action: &Action) -> u32 {
    match action {
        Action::Emit(vertex, cut) => u32::from(*vertex) + u32::from(*cut),
        Action::Memory(memory) if matches!(memory.space, Space::Stream(_) | Space::Ring) => memory.count,
        _ => 0,
    }
}

/// How often an instruction goes through the lanes at most.
fn times(action: &Action) -> u32 {
    match action {
        Action::Alu(..) | Action::Emit(..) => 2,
        Action::Fetch(fetches) => fetches.len() as u32,
        Action::Export(export) => export.count,
        Action::Memory(memory) => memory.count,
        _ => 0,
    }
}
