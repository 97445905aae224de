//! ALU clauses executed: groups one after the other, all lanes of an operation at once.

use super::alu::{Clause, Effect, Group, Op, SLOTS, TRANS};
use super::kernel::{Kernel, LANES, Lanes, MAX_SOURCES};
use super::mistakes::Mistake;
use super::ready::{Input, PREVIOUS, Ready, Task};
use super::trace::Part;
use super::{Fault, Run, Stage};

/// Room for a group.
#[derive(Debug)]
pub(super) struct Room<'a> {
    /// Results by slot.
    out: [&'a mut Lanes; SLOTS],
    /// What a result changes places with while more is done to it.
    spare: &'a mut Lanes,
    /// Sources that lie nowhere.
    made: [&'a mut Lanes; MAX_SOURCES],
    /// What kernels tell, by slot.
    bits: [u64; SLOTS],
}

static ZERO: Lanes = Lanes::splat(0);
/// What OMOD multiplies with.
static FACTORS: [Lanes; 4] =
    [Lanes::splat(0x3f80_0000), Lanes::splat(0x4000_0000), Lanes::splat(0x4080_0000), Lanes::splat(0x3f00_0000)];

impl<'a> Room<'a> {
    /// How many lanes it takes.
    pub(super) const SIZE: usize = SLOTS + 1 + MAX_SOURCES;

    /// Room in so many lanes.
    pub(super) fn new(lanes: &'a mut [Lanes; Room::SIZE]) -> Room<'a> {
        let [a, b, c, d, e, spare, made @ ..] = lanes;
        Room { out: [a, b, c, d, e], spare, made: made.each_mut(), bits: [0; SLOTS] }
    }
}

/// Which lanes execute, and what groups do to that.
struct Masks {
    active: u64,
    predicate: u64,
    execute: u64,
}

impl<'a> Run<'a> {
    /// Executes a clause for the lanes of a mask: the execute mask that it leaves.
    pub(super) fn clause(&mut self, clause: &Clause, active: u64) -> Result<u64, Fault> {
        let mut masks = Masks { active, predicate: active, execute: active };
        let missing = self.spread(clause);
        // Nothing is kept from clause to clause.
        if clause.ready.begins_with_previous {
            self.file[PREVIOUS..PREVIOUS + SLOTS].iter_mut().for_each(|lanes| lanes.0.fill(0));
        }
        if clause.ready.reads_address {
            self.address.iter_mut().for_each(|lanes| lanes.0.fill(0));
        }
        let Some(mut room) = self.room.take() else { return Ok(active) };
        for (n, (group, ready)) in clause.groups.iter().zip(&clause.ready.groups).enumerate() {
            self.spend()?;
            if let Some((_, fault)) = missing.as_ref().filter(|(group, _)| *group == n) {
                return Err(fault.clone());
            }
            if self.watcher.is_some() {
                self.reads(clause, n, masks.active);
            }
            if self.setup.has(Mistake::GroupInOrder) {
                self.compute_in_order(clause, group, ready, &mut room)?;
            } else {
                self.compute(clause, &ready.tasks, group.reduce, masks.active, &mut room)?;
            }
            if ready.simple {
                for task in &ready.tasks {
                    self.place(task, masks.active, &mut room);
                }
            } else {
                self.commit(group, ready, &mut masks, &mut room);
            }
            if self.watcher.is_some() {
                self.done(Part::Group(n), masks.active);
            }
            if self.setup.has(Mistake::MaskAtOnce) {
                masks.active = masks.execute;
            }
        }
        self.room = Some(room);
        Ok(masks.execute)
    }

    /// The results of operations.
    #[inline(always)]
    fn compute(
        &self,
        clause: &Clause,
        tasks: &[Task],
        reduce: Option<&Kernel>,
        active: u64,
        room: &mut Room<'_>,
    ) -> Result<(), Fault> {
        for task in tasks {
            let src = match task.at {
                Some(at) => at.map(|at| &*self.file[at]),
                None => self.inputs(clause, task, &mut room.made)?,
            };
            room.bits[task.slot] = task.kernel.run(&self.host, src, active, room.out[task.slot]);
            if reduce.is_none() {
                self.shape(task, active, room);
            }
        }
        if let Some(kernel) = reduce {
            let last = if self.setup.has(Mistake::DotWithoutW) { 2 } else { 3 };
            for n in 1..=last {
                kernel.run(&self.host, [&*room.out[0], &*room.out[n], &ZERO], active, room.spare);
                std::mem::swap(&mut room.out[0], &mut room.spare);
            }
            let (sum, rest) = room.out.split_at_mut(1);
            for task in tasks {
                let wanted = task.kept || task.written;
                if let Some(to) = rest[..3].get_mut(task.slot.wrapping_sub(1)).filter(|_| wanted) {
                    to.clone_from(sum[0]);
                }
            }
            for task in tasks {
                self.shape(task, active, room);
            }
        }
        Ok(())
    }

    /// The sources of an operation of which some do not lie in the file.
    fn inputs<'r>(
        &'r self,
        clause: &Clause,
        task: &Task,
        room: &'r mut [&mut Lanes; MAX_SOURCES],
    ) -> Result<[&'r Lanes; MAX_SOURCES], Fault> {
        let mut src = [&ZERO; MAX_SOURCES];
        for ((to, input), room) in src.iter_mut().zip(&task.inputs).zip(room) {
            *to = match input {
                Input::At(at) => &*self.file[*at],
                Input::Signed(at, signs) => {
                    room.sign_by(self.host.level, &*self.file[*at], *signs);
                    room
                }
                Input::Made(source) => {
                    self.made(clause, source, room)?;
                    room
                }
            };
        }
        Ok(src)
    }

    /// Scales and clamps a result.
    #[inline(always)]
    fn shape(&self, task: &Task, active: u64, room: &mut Room<'_>) {
        if let Some((kernel, factor)) = task.shape {
            let out = &mut room.out[task.slot];
            kernel.run(&self.host, [&**out, &FACTORS[factor], &ZERO], active, room.spare);
            std::mem::swap(out, &mut room.spare);
        }
    }

    /// The mistake that operations of a group see what those before wrote.
    fn compute_in_order(
        &mut self,
        clause: &Clause,
        group: &Group,
        ready: &Ready,
        room: &mut Room<'_>,
    ) -> Result<(), Fault> {
        let ops = group.ops.iter().filter(|op| op.kernel.is_some());
        for (n, op) in ops.enumerate() {
            let tasks = if group.reduce.is_some() { &ready.tasks[..] } else { &ready.tasks[n..=n] };
            self.compute(clause, tasks, group.reduce, self.flow.lanes, room)?;
            if op.write && op.index.is_none() {
                self.write(op, room.out[op.slot], self.flow.lanes & self.flow.active);
            }
        }
        Ok(())
    }

    /// Puts the result of an operation where it belongs, if that is a register and nothing else.
    #[inline(always)]
    fn place(&mut self, task: &Task, active: u64, room: &mut Room<'a>) {
        let out = &mut room.out[task.slot];
        let previous = PREVIOUS + task.slot;
        match task.to {
            Some(to) if active == self.flow.lanes => {
                std::mem::swap(&mut self.file[to], out);
                if task.kept {
                    let [from, to] = self.file.get_disjoint_mut([to, previous]).expect("two places");
                    to.clone_from(from);
                }
                return;
            }
            Some(to) => self.file[to].put_by(self.host.level, out, active),
            None => {}
        }
        // Inactive lanes read nothing of it.
        if task.kept {
            std::mem::swap(&mut self.file[previous], out);
        }
    }

    /// Puts the results of a group where they belong.
    fn commit(&mut self, group: &Group, ready: &Ready, masks: &mut Masks, room: &mut Room<'a>) {
        let active = masks.active;
        let before = masks.predicate;
        let ops = group.ops.iter().filter(|op| op.kernel.is_some());
        for (op, task) in ops.zip(&ready.tasks) {
            if op.simply.is_some() {
                self.place(task, active, room);
                continue;
            }
            let now = if self.setup.has(Mistake::PredicateAtOnce) { masks.predicate } else { before };
            let lanes = match op.when {
                None => active,
                Some(when) if when != self.setup.has(Mistake::PredicateInverted) => active & now,
                Some(_) => active & !now,
            };
            let (out, bits) = (&*room.out[op.slot], room.bits[op.slot]);
            match op.effect {
                Effect::None => {}
                Effect::Predicate { predicate, execute } => {
                    if predicate {
                        masks.predicate = (masks.predicate & !lanes) | (bits & lanes);
                    }
                    if execute {
                        masks.execute = (masks.execute & !lanes) | (bits & lanes);
                    }
                }
                Effect::Kill => {
                    if self.setup.stage == Stage::Ps {
                        self.flow.valid &= !(bits & lanes);
                    }
                }
                Effect::Address => {
                    self.address[op.slot & 3].put_by(self.host.level, out, lanes);
                    continue;
                }
            }
            if op.write {
                self.write(op, out, lanes);
            }
            if op.slot == TRANS && op.write && self.setup.has(Mistake::VectorSeesTrans) {
                self.file[PREVIOUS + (op.dst.1 as usize & 3)].put(out, lanes);
            }
            if !task.kept || self.setup.has(Mistake::MaskedKeepsPrevious) && !op.write {
                continue;
            }
            let previous = &mut self.file[PREVIOUS + op.slot];
            if op.when.is_none() {
                // Inactive lanes read nothing of it.
                std::mem::swap(previous, &mut room.out[op.slot]);
            } else {
                previous.put_by(self.host.level, out, lanes);
            }
        }
    }

    fn write(&mut self, op: &Op, out: &Lanes, lanes: u64) {
        let (gpr, element) = op.dst;
        match op.index {
            None => {
                if self.has(gpr) {
                    // Lanes that there are not may hold anything.
                    let lanes = if lanes == self.flow.lanes { u64::MAX } else { lanes };
                    let to = &mut self.file[(gpr * 4 + element) as usize];
                    to.put_by(self.host.level, out, lanes);
                }
            }
            // Lanes that go to one register go there together.
            Some(index) if let Some(by) = self.same(index, true) => {
                if let Some(gpr) = self.beside(gpr, by) {
                    self.file[(gpr * 4 + element) as usize].put_by(self.host.level, out, lanes);
                }
            }
            Some(index) => {
                for lane in 0..LANES {
                    if lanes >> lane & 1 != 0
                        && let Some(gpr) = self.moved(gpr, index, true, lane)
                    {
                        self.file[(gpr * 4 + element) as usize].0[lane] = out.0[lane];
                    }
                }
            }
        }
    }
}
