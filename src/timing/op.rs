//! What an instruction asks of the machine, as far as its words tell: its unit, its registers, the counters that it moves, what it waits for.

use super::issue::Unit;
use super::machine::{Figure, Machine};
use crate::isa::Gen;
use crate::isa::does::{Control, Does};
use crate::isa::row::Family;
use crate::isa::symbols::waitcnt;
use crate::program::place::file;
use crate::program::uses::{Other, Set};
use crate::program::{Flags, From, Program, Source, Step};
use std::ops::Deref;

/// The counters of a wave. Before gfx12 some of them are one and the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Counter {
    /// Loads; before gfx10 all vector memory.
    Load,
    /// Stores, from gfx10 on.
    Store,
    /// The local data share; before gfx12 scalar memory and messages too.
    Lds,
    /// Scalar memory and messages, from gfx12 on.
    Scalar,
    /// Exports.
    Export,
    /// Loads with a sampler, from gfx12 on.
    Sample,
    /// Rays, from gfx12 on.
    Rays,
}

/// How many there are.
pub const COUNTERS: usize = 7;

impl Counter {
    /// Where scalar memory is counted.
    fn of_scalar(generation: Gen) -> Counter {
        if generation >= Gen::Gfx12 { Counter::Scalar } else { Counter::Lds }
    }

    /// Where stores are counted.
    fn of_stores(generation: Gen) -> Counter {
        if generation >= Gen::Gfx10 { Counter::Store } else { Counter::Load }
    }
}

/// What a wait waits for: until no more than so many are outstanding of each counter, and of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    counters: [u8; COUNTERS],
    /// Vector instructions that may be on their way.
    pub vector: Option<u8>,
}

impl Waits {
    /// No counter counts so far.
    const ANY: u8 = u8::MAX;

    /// Waits for counters.
    fn of(waits: impl IntoIterator<Item = (Counter, u32)>) -> Waits {
        let mut counters = [Waits::ANY; COUNTERS];
        waits.into_iter().for_each(|(counter, n)| counters[counter as usize] = n as u8);
        Waits { counters, vector: None }
    }

    /// The counters that are waited for, by number, and how many of each may be outstanding.
    pub fn counters(&self) -> impl Iterator<Item = (usize, usize)> {
        self.counters.iter().map(|n| usize::from(*n)).enumerate().filter(|(_, n)| *n != usize::from(Waits::ANY))
    }
}

/// What an instruction does in the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Goes to the vector unit.
    Vector,
    /// Goes to a scalar unit.
    Scalar,
    /// A branch.
    Branch,
    /// Goes to memory by the scalar path.
    ScalarMemory,
    /// Goes to the local data share.
    Lds,
    /// Goes to memory by the vector path; what is no load is written.
    Memory {
        /// Whether something comes back.
        loads: bool,
    },
    /// Sends a message, and may get an answer.
    Message,
    /// Waits for counters, and for all vector instructions but so many.
    Wait(Waits),
    /// Does nothing for some clocks.
    Nop(u32),
    /// Sleeps for some clocks.
    Sleep(u32),
    /// Says what the next instructions depend on.
    Delay(u32),
    /// Waits for the other waves of the group.
    Barrier,
    /// Ends the wave.
    End,
    /// Is done as it is issued.
    Immediate,
}

/// Where each kind of instruction is issued: one a clock through each port of a SIMD.
pub const PORTS: usize = 5;

/// An instruction.
#[derive(Clone, Debug)]
pub struct Op {
    /// What it does.
    pub kind: Kind,
    /// Its port.
    pub port: u8,
    /// Whether it goes to the transcendental unit, which works beside the others.
    pub transcendental: bool,
    /// How long it keeps its unit, and when its result is there.
    pub figure: Figure,
    /// Clocks from its issue to the next one of its wave.
    pub interval: u16,
    /// Clocks from its issue to the next one through its port.
    pub busy: u16,
    /// For how long no other vector instruction starts: one that goes to the transcendental unit only passes through.
    pub passes: u16,
    /// Registers that it reads, as far as instructions write them, by their numbers in [`Ops`]. Scalar ones stand first.
    pub reads: Registers,
    /// How many of them are scalar ones.
    scalars: u16,
    /// Registers that it writes by itself, as far as instructions ask for them; what comes from memory is waited for with counters.
    pub writes: Registers,
    /// Of a vector instruction, how many of them, which stand first, others have to know when they are issued.
    announced: u16,
    /// Whether it reads a vector register, written or not.
    pub reads_vectors: bool,
    /// The counters that it moves.
    pub counts: Box<[Counter]>,
    /// The step behind it.
    pub next: u32,
    /// Whether a wave does it [by itself](by_itself).
    pub by_itself: bool,
    /// The same, and nothing is to be looked at before it is issued: `s_nop` may oversleep.
    pub(super) goes_at_once: bool,
    /// How many instructions a wave does by itself from here on.
    pub run: u32,
}

/// Registers by number: scalar ones by their codes, SCC, vector ones.
mod register {
    use super::file;

    /// SCC.
    pub const SCC: u16 = 128;
    /// The first vector register.
    pub const VECTORS: u16 = 129;
    /// How many there are.
    pub const ALL: usize = VECTORS as usize + file::NOWHERE as usize;
}

/// How many registers an [`Op`] can name.
pub const REGISTERS: usize = register::ALL;

/// The first vector register among them.
pub const VECTORS: u16 = register::VECTORS;

/// Numbers of registers. The few that most instructions have lie in the instruction itself.
#[derive(Clone, Debug)]
pub struct Registers(List);

#[derive(Clone, Debug)]
enum List {
    Few(u8, [u16; List::FEW]),
    Many(Box<[u16]>),
}

impl List {
    /// As many as do not make it larger.
    const FEW: usize = 11;
}

impl FromIterator<u16> for Registers {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> Registers {
        let all: Box<[u16]> = numbers.into_iter().collect();
        let mut few = [0; List::FEW];
        Registers(match few.get_mut(..all.len()) {
            Some(there) => {
                there.copy_from_slice(&all);
                List::Few(all.len() as u8, few)
            }
            None => List::Many(all),
        })
    }
}

impl Deref for Registers {
    type Target = [u16];

    #[inline(always)]
    fn deref(&self) -> &[u16] {
        match &self.0 {
            List::Few(len, few) => &few[..usize::from(*len).min(List::FEW)],
            List::Many(all) => all,
        }
    }
}

/// The registers of a set.
fn registers(set: &Set) -> Registers {
    let scc = set.other.contains(Other::SCC).then_some(register::SCC);
    let scalars = set.scalars().map(|n| n as u16);
    scalars.chain(scc).chain(set.vectors().map(|n| n as u16 + register::VECTORS)).collect()
}

/// Those that are among others, by number.
fn among(registers: &Registers, others: &[bool; REGISTERS]) -> Registers {
    registers.iter().copied().filter(|n| others[usize::from(*n)]).collect()
}

/// Marks registers.
fn mark<'a>(registers: impl Iterator<Item = &'a u16>) -> [bool; REGISTERS] {
    let mut marked = [false; REGISTERS];
    registers.for_each(|n| marked[usize::from(*n)] = true);
    marked
}

/// The instructions of a program.
pub struct Ops {
    all: Vec<Op>,
    /// How many registers they name; these are numbered without gaps.
    pub(super) registers: usize,
}

impl Deref for Ops {
    type Target = [Op];

    fn deref(&self) -> &[Op] {
        &self.all
    }
}

impl Ops {
    /// What the steps of a program ask of a machine.
    #[must_use]
    pub fn of(program: &Program, machine: &Machine) -> Ops {
        let mut ops: Vec<Op> = program.steps.iter().map(|step| Op::of(program, step, machine)).collect();
        // Nobody waits for what nobody writes.
        let written = mark(ops.iter().flat_map(|op| op.writes.iter()));
        for op in &mut ops {
            op.reads = among(&op.reads, &written);
            op.scalars = op.reads.iter().take_while(|n| **n < VECTORS).count() as u16;
        }
        for at in (0..ops.len()).rev() {
            if !ops[at].by_itself {
                continue;
            }
            ops[at].run = 1 + ops.get(ops[at].next as usize).map_or(0, |op| op.run);
        }
        let asked = mark(ops.iter().flat_map(Op::asks));
        let wanted = mark(ops.iter().flat_map(|op| op.reads.iter().chain(op.asks())));
        for op in &mut ops {
            let (first, rest): (Vec<u16>, _) =
                among(&op.writes, &wanted).iter().partition(|n| op.kind == Kind::Vector && asked[usize::from(**n)]);
            op.announced = first.len() as u16;
            op.writes = first.into_iter().chain(rest).collect();
        }
        let named = mark(ops.iter().flat_map(|op| op.reads.iter().chain(op.writes.iter())));
        let mut numbers = [0; REGISTERS];
        let named = numbers.iter_mut().zip(named).filter(|(_, named)| *named).map(|(number, _)| number);
        let registers = named.zip(0..).map(|(number, n)| *number = n).count();
        for op in &mut ops {
            for all in [&mut op.reads, &mut op.writes] {
                *all = all.iter().map(|n| numbers[usize::from(*n)]).collect();
            }
        }
        Ops { all: ops, registers }
    }
}

impl Op {
    /// What a step asks of a machine, whatever stands around it.
    #[must_use]
    pub fn of(program: &Program, step: &Step, machine: &Machine) -> Op {
        let generation = program.target.generation();
        let unit = step.row.and_then(Unit::of);
        let kind = kind(program, step, unit);
        let vector = kind == Kind::Vector;
        let mut figure = machine.figure(unit.unwrap_or(if vector { Unit::Plain } else { Unit::Immediate }));
        let passes = machine.passes(&program.target);
        if vector {
            let more = figure.clocks * (passes - 1);
            figure.clocks += more;
            figure.latency += more;
        }
        let transcendental = unit == Some(Unit::Transcendental) && machine.queue.is_some();
        let uses = program.uses(step);
        let at_once = matches!(kind, Kind::Vector | Kind::Scalar | Kind::Branch);
        let reads = registers(&uses.reads);
        let interval = u16::from(machine.interval);
        let whole = figure.clocks.max(interval);
        let starts = vector && machine.queue.is_none();
        let by_itself = by_itself(program, step, &kind);
        Op {
            port: port(&kind),
            transcendental,
            figure,
            interval: if starts { whole } else { interval },
            busy: if starts || matches!(kind, Kind::Scalar | Kind::Branch) { whole } else { interval },
            passes: if transcendental { passes } else { figure.clocks },
            reads_vectors: reads.iter().any(|n| *n >= VECTORS),
            writes: if at_once { registers(&uses.writes) } else { Registers::from_iter([]) },
            reads,
            scalars: 0,
            announced: 0,
            counts: counts(step, &kind, generation),
            next: step.next,
            by_itself,
            goes_at_once: by_itself && !(machine.queue.is_some() && matches!(kind, Kind::Nop(_))),
            run: 0,
            kind,
        }
    }

    /// When its result is there, if it starts at a clock.
    #[inline]
    pub(super) fn done(&self, start: u64) -> u64 {
        start + u64::from(self.figure.latency)
    }

    /// The registers that have to be known when it is issued on a machine with a queue.
    fn asks(&self) -> impl Iterator<Item = &u16> {
        let queued = self.kind == Kind::Vector;
        let (reads, writes) = if queued { (self.scalars(), &[][..]) } else { (&*self.reads, &*self.writes) };
        reads.iter().chain(writes)
    }

    /// The scalar registers among those that it reads.
    #[inline]
    pub(super) fn scalars(&self) -> &[u16] {
        &self.reads[..usize::from(self.scalars)]
    }

    /// Of a vector instruction, the registers that others have to know when it is issued.
    #[inline]
    pub(super) fn announces(&self) -> &[u16] {
        &self.writes[..usize::from(self.announced)]
    }
}

/// Whether a wave does it by itself: it goes on to the step behind, no other wave sees that, and neither what it does nor
/// how long it takes depends on another wave, on memory or on the clock.
fn by_itself(program: &Program, step: &Step, kind: &Kind) -> bool {
    let computes = match step.does() {
        Some(Does::Computes | Does::CombinesExec { .. }) => step.meaning.is_some(),
        Some(Does::Idle(_) | Does::Lanes(_) | Does::Product(_)) => true,
        _ => false,
    };
    let sends = matches!(
        kind,
        Kind::Branch | Kind::ScalarMemory | Kind::Lds | Kind::Memory { .. } | Kind::Message | Kind::Barrier | Kind::End
    );
    // A handler may be entered from anywhere.
    computes && !sends && step.executes && step.memory.is_none() && !reads_lds(step) && program.handler.is_none()
}

/// Whether a vector instruction has an operand in the local data share.
fn reads_lds(step: &Step) -> bool {
    let lies_there = |source: &Source| matches!(source.from, From::LdsDirect | From::Parameter(_));
    step.reads_lds
        || step.vector.as_ref().is_some_and(|vector| vector.sources.iter().any(lies_there))
        || step.second().is_some_and(reads_lds)
}

/// The port of a kind.
fn port(kind: &Kind) -> u8 {
    match kind {
        Kind::Vector => 0,
        Kind::Scalar | Kind::ScalarMemory => 1,
        Kind::Lds => 2,
        Kind::Memory { .. } => 3,
        _ => 4,
    }
}

/// Where it goes.
fn kind(program: &Program, step: &Step, unit: Option<Unit>) -> Kind {
    let Some(row) = step.row else { return Kind::Immediate };
    let imm = program.words.get(step.at as usize).copied().unwrap_or(0) & 0xffff;
    match (row.name, row.does) {
        ("s_nop", _) => return Kind::Nop(imm & if program.target.generation() >= Gen::Gfx10 { 0xff } else { 0xf }),
        ("s_sleep", _) => return Kind::Sleep(64 * (imm & 0x7f)),
        ("s_delay_alu", _) => return Kind::Delay(imm),
        ("s_waitcnt", _) => return Kind::Wait(packed(imm, program.target.generation())),
        ("s_waitcnt_depctr", _) => {
            return Kind::Wait(Waits { vector: Some((imm >> 12 & 15) as u8), ..Waits::of([]) });
        }
        ("s_wait_idle", _) => {
            let all = [Counter::Load, Counter::Store, Counter::Lds, Counter::Scalar, Counter::Export];
            return Kind::Wait(Waits { vector: Some(0), ..Waits::of(all.map(|counter| (counter, 0))) });
        }
        (_, Does::Control(Control::Barrier)) => return Kind::Barrier,
        (_, Does::Control(Control::End)) => return Kind::End,
        (_, Does::Control(Control::Send | Control::SendAndHalt | Control::SendReturn { .. })) => {
            return Kind::Message;
        }
        (_, Does::Control(Control::BarrierSignal { .. } | Control::BarrierLeave | Control::Halt)) => {
            return Kind::Immediate;
        }
        (_, Does::Control(Control::MoveRelativeSource { .. } | Control::MoveRelativeDestination { .. })) => {
            return Kind::Scalar;
        }
        (_, Does::Control(Control::GetPc)) => return Kind::Scalar,
        (_, Does::Control(_))
            if matches!(row.family, Family::Sop1 | Family::Sopk | Family::Sopp) && step.target != u32::MAX =>
        {
            return Kind::Branch;
        }
        (
            _,
            Does::Control(Control::SetPc | Control::TrapReturn | Control::SwapPc | Control::Call | Control::Branch(_)),
        ) => {
            return Kind::Branch;
        }
        _ => {}
    }
    if let Some((_, counters)) = WAITS.iter().find(|(name, _)| *name == row.name) {
        let fields: &[u32] = if counters.len() == 2 { &[imm >> 8 & 0x3f, imm & 0x3f] } else { &[imm & 0x3f] };
        return Kind::Wait(Waits::of(counters.iter().copied().zip(fields.iter().copied())));
    }
    match (row.family, unit) {
        (Family::Sop1 | Family::Sopk | Family::Sopp | Family::Smem, Some(Unit::Immediate)) => Kind::Immediate,
        (Family::Smem, _) => Kind::ScalarMemory,
        (Family::Ds, _) => Kind::Lds,
        (Family::Flat | Family::Global | Family::Scratch | Family::Mubuf | Family::Mtbuf | Family::Mimg, _) => {
            let returns = step.memory.as_ref().is_some_and(|access| access.flags.contains(Flags::RETURNS));
            Kind::Memory { loads: row.does.loads() || returns }
        }
        (Family::Exp, _) => Kind::Message,
        (Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp, _) => Kind::Scalar,
        _ => Kind::Vector,
    }
}

/// Waits with a name for each counter. The first of two has the upper field.
#[rustfmt::skip]
const WAITS: &[(&str, &[Counter])] = &[
    ("s_waitcnt_vscnt",       &[Counter::Store]),
    ("s_waitcnt_vmcnt",       &[Counter::Load]),
    ("s_waitcnt_expcnt",      &[Counter::Export]),
    ("s_waitcnt_lgkmcnt",     &[Counter::Lds]),
    ("s_wait_loadcnt",        &[Counter::Load]),
    ("s_wait_storecnt",       &[Counter::Store]),
    ("s_wait_samplecnt",      &[Counter::Sample]),
    ("s_wait_bvhcnt",         &[Counter::Rays]),
    ("s_wait_expcnt",         &[Counter::Export]),
    ("s_wait_dscnt",          &[Counter::Lds]),
    ("s_wait_kmcnt",          &[Counter::Scalar]),
    ("s_wait_loadcnt_dscnt",  &[Counter::Load, Counter::Lds]),
    ("s_wait_storecnt_dscnt", &[Counter::Store, Counter::Lds]),
];

/// The counters of `s_waitcnt`; one at its largest value waits for nothing.
fn packed(imm: u32, generation: Gen) -> Waits {
    let counters = waitcnt::COUNTERS.iter().filter_map(|counter| {
        let n = counter.get(imm, generation);
        let which = match counter.name {
            "vmcnt" => Counter::Load,
            "expcnt" => Counter::Export,
            _ => Counter::Lds,
        };
        (n != counter.max(generation)).then_some((which, n))
    });
    Waits::of(counters)
}

/// The counters that an instruction moves.
fn counts(step: &Step, kind: &Kind, generation: Gen) -> Box<[Counter]> {
    match kind {
        Kind::ScalarMemory => [Counter::of_scalar(generation)].into(),
        Kind::Message if step.family() == Some(Family::Exp) => [Counter::Export].into(),
        Kind::Message => [Counter::of_scalar(generation)].into(),
        Kind::Lds => [Counter::Lds].into(),
        Kind::Memory { loads } => {
            let rays = generation >= Gen::Gfx12 && matches!(step.does(), Some(Does::Ray(_)));
            let own = match *loads {
                _ if rays => Counter::Rays,
                true => Counter::Load,
                false => Counter::of_stores(generation),
            };
            if step.family() == Some(Family::Flat) { [own, Counter::Lds].into() } else { [own].into() }
        }
        _ => Box::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{List, Registers};

    /// The longest list that lies in the instruction, and the next one.
    #[test]
    fn registers_are_what_they_were_made_of() {
        for count in [0, 1, List::FEW, List::FEW + 1, 40] {
            let all: Vec<u16> = (0..count as u16).map(|n| 7 * n).collect();
            assert_eq!(*all.iter().copied().collect::<Registers>(), *all);
        }
        assert_eq!(size_of::<Registers>(), size_of::<Box<[u16]>>() + size_of::<usize>());
    }
}
