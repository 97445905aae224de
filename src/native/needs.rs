//! What a program needs of the machine, found without running it: what cannot be had natively, which vector registers it has,
//! and which scalar registers it leaves to the frame.

use crate::engine::{self, Support, Unsupported};
use crate::isa::does::{Control, Does, Lanes};
use crate::isa::row::Family;
use crate::isa::symbols::hwreg::{self, id};
use crate::isa::{Gen, Target, regs};
use crate::program::place::{file, slot};
use crate::program::uses::Other;
use crate::program::{Flags, From, Program, Step};

/// Scalar registers that the frame has for itself, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// Four, from a multiple of four: the descriptor of the wave's block.
    pub block: u32,
    /// Two, from a multiple of two: the address of the block, and later EXEC.
    pub pair: u32,
    /// The number of the wave in its group; where it ended.
    pub end: u32,
    /// SCC, and what is at hand.
    pub scc: u32,
    /// MODE.
    pub mode: u32,
    /// An offset of accesses to the block.
    pub offset: u32,
}

impl Reserved {
    /// A bit for each of them.
    #[must_use]
    pub fn mask(&self) -> u128 {
        0xf << self.block | 3 << self.pair | 1 << self.end | 1 << self.scc | 1 << self.mode | 1 << self.offset
    }

    fn of(free: &mut Free) -> Option<Reserved> {
        let mut take = |count| free.take(count);
        let (block, pair) = (take(4)?, take(2)?);
        Some(Reserved { block, pair, end: take(1)?, scc: take(1)?, mode: take(1)?, offset: take(1)? })
    }
}

/// Scalar registers that are anyone's: a bit for each.
#[derive(Clone, Copy, Debug)]
pub struct Free(u128);

impl Free {
    /// So many of them from a multiple of that, the highest ones.
    pub fn take(&mut self, count: u32) -> Option<u32> {
        let mask = (1u128 << count) - 1;
        let at = (0..slot::VCC as u32).rev().find(|n| n.is_multiple_of(count) && self.0 >> n & mask == mask)?;
        self.0 &= !(mask << at);
        Some(at)
    }
}

/// What a program needs.
#[derive(Clone, Debug)]
pub struct Needs {
    /// Vector registers that it names; all, where it finds them by numbers.
    pub vgprs: u32,
    /// What the frame keeps.
    pub reserved: Reserved,
    /// What neither has.
    pub free: Free,
    /// The steps at which it ends, with where waves are then: behind them.
    pub ends: Vec<(u32, u32)>,
    /// It reads FLAT_SCRATCH, or reaches scratch memory by it.
    pub flat_scratch: bool,
    /// It asks where LDS and scratch appear in the flat address space.
    pub apertures: Option<u32>,
}

/// The steps of a program that waves can reach from some steps.
pub fn reached<'p>(program: &'p Program, entries: &[u32]) -> impl Iterator<Item = &'p Step> {
    program.blocks(entries.iter().copied()).into_values().flat_map(move |block| {
        let mut next = Some(block.first);
        std::iter::from_fn(move || {
            let at = next?;
            let step = &program.steps[at as usize];
            next = (at != block.last).then_some(step.next);
            Some(step)
        })
    })
}

impl Needs {
    /// What a program needs from where waves begin.
    ///
    /// # Errors
    /// The first thing that cannot be had.
    pub fn of(program: &Program, entries: &[u32]) -> Result<Needs, Unsupported> {
        let generation = program.target.generation();
        let sgprs = regs::sgpr_count(generation);
        let (mut vgprs, mut ends, mut used, mut flat_scratch) = (1, Vec::new(), 0u128, false);
        let mut apertures = None;
        if program.handler.is_some() {
            return Err(handler());
        }
        if let Support::No(missing) = engine::support(program)
            && let Some(first) = missing.into_iter().next()
        {
            return Err(first);
        }
        for step in reached(program, entries) {
            let refused = |needs: &str| Unsupported { instruction: program.text(step.at), needs: needs.to_owned() };
            let uses = program.uses(step);
            if generation >= Gen::Gfx11 && step.family() == Some(Family::Scratch) {
                return Err(refused("scratch memory of the driver's"));
            }
            if let Some(needs) = refusal(program, step) {
                return Err(refused(needs));
            }
            let scalars = uses.reads.scalars | uses.writes.scalars;
            used |= scalars;
            if let Some(needs) = machine(program.target, scalars) {
                return Err(refused(needs));
            }
            flat_scratch |= uses.reads.other.contains(Other::SCRATCH) || scalars & flat(generation) != 0;
            apertures = apertures.or(asks_for_apertures(step).then_some(step.at));
            let highest = uses.reads.vectors().chain(uses.writes.vectors()).filter(|n| *n < file::VGPRS).max();
            vgprs = vgprs.max(highest.map_or(0, |n| n + 1));
            if uses.moved {
                vgprs = file::VGPRS;
            }
            if uses.reads.vectors().chain(uses.writes.vectors()).any(|n| n >= file::AGPR) {
                return Err(refused("accumulation registers"));
            }
            if step.does() == Some(Does::Control(Control::End)) {
                ends.push((step.at, step.at + 1));
            }
        }
        // On gfx6 and gfx7 the last ones may be VCC and FLAT_SCRATCH by other names.
        let sgprs = if generation <= Gen::Gfx7 { 100 } else { sgprs };
        let mut free = Free(!used & ((1 << sgprs) - 1));
        let reserved = Reserved::of(&mut free).ok_or_else(|| Unsupported {
            instruction: "the program".to_owned(),
            needs: "ten scalar registers that it leaves to the frame".to_owned(),
        })?;
        Ok(Needs { vgprs, reserved, free, ends, flat_scratch, apertures })
    }
}

/// What a case with a trap handler of its own needs.
#[must_use]
pub fn handler() -> Unsupported {
    let needs = "a trap handler of its own: that of a card is the driver's".to_owned();
    Unsupported { instruction: "the program".to_owned(), needs }
}

/// Whether a step reads where LDS and scratch appear in the flat address space.
fn asks_for_apertures(step: &Step) -> bool {
    let is_one = |at: u32| (slot::SHARED..slot::CONSTANTS).contains(&(at as usize));
    let by_number =
        step.does() == Some(Does::Control(Control::GetReg)) && hwreg::unpack(step.imm).0 == id::SH_MEM_BASES;
    let scalar = (0..).zip(step.src).any(|(n, at)| step.vectors >> n & 1 == 0 && is_one(at));
    let sources = step.vector.as_ref().map_or(&[][..], |vector| &vector.sources[..]);
    let vector = sources.iter().any(|source| matches!(source.from, From::Scalar(at) if is_one(at)));
    by_number || scalar || vector || step.second().is_some_and(asks_for_apertures)
}

/// The scalar registers that are FLAT_SCRATCH.
#[must_use]
pub fn flat(generation: Gen) -> u128 {
    match generation {
        Gen::Gfx7 => 3 << 104,
        Gen::Gfx8 | Gen::Gfx9 => 3 << 102,
        _ => 0,
    }
}

/// What scalar registers are that only the machine or its trap handler sets.
fn machine(target: Target, scalars: u128) -> Option<&'static str> {
    let generation = target.generation();
    let ttmp = u32::from(regs::ttmp_base(generation));
    let temporaries = ((1u128 << regs::ttmp_count(generation)) - 1) << ttmp;
    let handler = if generation <= Gen::Gfx8 { 0xf << 108 } else { 0 };
    let xnack = if matches!(generation, Gen::Gfx8 | Gen::Gfx9) { 3 << 104 } else { 0 };
    match scalars {
        _ if scalars & temporaries != 0 => Some("trap temporaries, which belong to the trap handler"),
        _ if scalars & handler != 0 => Some("TBA and TMA, which belong to the trap handler"),
        _ if scalars & xnack != 0 => Some("XNACK_MASK, which the machine sets"),
        _ => None,
    }
}

/// What a step does that cannot be had natively.
fn refusal(program: &Program, step: &Step) -> Option<&'static str> {
    let generation = program.target.generation();
    let Some(does) = step.does() else { return Some("a trap: this is no instruction") };
    match does {
        _ if !step.executes => Some("something that nobody executes"),
        Does::Clock => Some("the same clock everywhere"),
        Does::Ray(_) | Does::Stack(_) => Some("ray tracing"),
        Does::Across(_) => Some("the global wave sync, which drivers give to nobody"),
        _ if step.memory.as_ref().is_some_and(|access| access.has(Flags::GDS)) => {
            Some("the global data share, which drivers give to nobody")
        }
        // A compute wave never gets what these wait for.
        Does::Exports => Some("a graphics shader, which may export"),
        Does::Lanes(Lanes::Parameter(_) | Lanes::Direct) => Some("a pixel shader, which has parameters in LDS"),
        Does::Control(control) => match control {
            Control::Trap | Control::TrapReturn => Some("a trap handler"),
            Control::CodeEnd => Some("a trap: this is no instruction"),
            Control::Halt if step.imm & 1 == 1 => Some("a debugger that goes on behind a halt"),
            Control::GetPc | Control::SetPc | Control::SwapPc | Control::Call => Some("addresses of code in registers"),
            Control::ForkToRegister | Control::ForkToLabel | Control::Join => Some("addresses of code in registers"),
            Control::Send | Control::SendAndHalt | Control::SendReturn { .. } => Some("messages to the host"),
            Control::MoveRelativeSource { .. }
            | Control::MoveRelativeDestination { .. }
            | Control::MoveRelativeBoth => Some("scalar registers that M0 chooses, of which the frame has some"),
            Control::GetReg => match hwreg::unpack(step.imm).0 {
                id::MODE | id::STATUS | id::TRAPSTS => None,
                id::SH_MEM_BASES if generation >= Gen::Gfx9 => None,
                id::FLAT_SCRATCH_LO | id::FLAT_SCRATCH_HI if generation == Gen::Gfx10 => None,
                _ => Some("a hardware register that every card sets otherwise"),
            },
            Control::SetReg => match hwreg::unpack(step.imm).0 {
                id::MODE | id::TRAPSTS => None,
                id::FLAT_SCRATCH_LO | id::FLAT_SCRATCH_HI if generation == Gen::Gfx10 => None,
                _ => Some("a hardware register that only the machine sets"),
            },
            _ => None,
        },
        _ => None,
    }
}
