//! What an instruction asks of the machine, as far as its words tell: its unit, its registers, the counters that it moves, what it waits for.

use super::issue::Unit;
use super::machine::{Figure, Machine};
use crate::isa::Gen;
use crate::isa::does::{Control, Does};
use crate::isa::row::Family;
use crate::isa::symbols::waitcnt;
use crate::program::place::file;
use crate::program::uses::{Other, Set};
use crate::program::{Flags, Program, Step};

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
    /// For how long no other vector instruction starts: one that goes to the transcendental unit only passes through.
    pub passes: u16,
    /// Registers that it reads: see [`register`].
    pub reads: Box<[u16]>,
    /// Registers that it writes by itself; what comes from memory is waited for with counters.
    pub writes: Box<[u16]>,
    /// Whether a vector register is among those that it reads.
    pub reads_vectors: bool,
    /// The counters that it moves.
    pub counts: Vec<Counter>,
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

/// The registers of a set.
fn registers(set: &Set) -> Box<[u16]> {
    let scc = set.other.contains(Other::SCC).then_some(register::SCC);
    let scalars = set.scalars().map(|n| n as u16);
    scalars.chain(scc).chain(set.vectors().map(|n| n as u16 + register::VECTORS)).collect()
}

impl Op {
    /// What a step asks of a machine.
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
        let by_itself = matches!(kind, Kind::Vector | Kind::Scalar | Kind::Branch);
        let reads = registers(&uses.reads);
        Op {
            port: port(&kind),
            transcendental,
            figure,
            passes: if transcendental { passes } else { figure.clocks },
            reads_vectors: reads.iter().any(|n| *n >= VECTORS),
            writes: if by_itself { registers(&uses.writes) } else { Box::default() },
            reads,
            counts: counts(step, &kind, generation),
            kind,
        }
    }
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
        (_, Does::Control(Control::Send | Control::SendReturn { .. })) => return Kind::Message,
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
fn counts(step: &Step, kind: &Kind, generation: Gen) -> Vec<Counter> {
    match kind {
        Kind::ScalarMemory => vec![Counter::of_scalar(generation)],
        Kind::Message if step.family() == Some(Family::Exp) => vec![Counter::Export],
        Kind::Message => vec![Counter::of_scalar(generation)],
        Kind::Lds => vec![Counter::Lds],
        Kind::Memory { loads } => {
            let rays = generation >= Gen::Gfx12 && matches!(step.does(), Some(Does::Ray(_)));
            let mut all = vec![match *loads {
                _ if rays => Counter::Rays,
                true => Counter::Load,
                false => Counter::of_stores(generation),
            }];
            if step.family() == Some(Family::Flat) {
                all.push(Counter::Lds);
            }
            all
        }
        _ => Vec::new(),
    }
}
