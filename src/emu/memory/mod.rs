//! Memory instructions.
//!
//! [`plan`] takes an instruction apart once, into an [`Access`]: what a lane moves, which registers hold data and address, which bits are
//! set. The functions of the steps do the rest, by what is addressed: [scalar memory](smem), the [data share](ds) and what
//! [crosses lanes](cross) through its hardware, [buffers](buffer), and [flat, global and scratch memory](flat). Guest memory, LDS, buffer
//! descriptors, formats and the operations of atomics are in [`crate::memory`]; here is which of them an instruction asks for.
//!
//! An instruction that waits for nothing is done when its step ends, so that the counters are always zero and no cache is ever
//! stale: cache control does nothing.

mod buffer;
mod common;
mod cross;
mod ds;
mod flat;
mod formatted;
mod smem;
mod touched;
mod whole;

use super::plan::{Action, Code, Planner, Run, STOP, Step};
use super::run::Group;
use super::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::does::Item;
use crate::isa::form::{Kind, Mod, Slot};
use crate::isa::operand::{Part, Ty};
use crate::isa::row::{Family, Traits};
use crate::isa::symbols::cpol::ATOMIC_RETURN;
use crate::memory::atomic::float::FloatRules;
use crate::memory::atomic::{Atomic, Returns, Space};

pub use common::{Access, Flags};
pub use touched::{Space as TouchedSpace, Touched, touched};

/// The step of a memory instruction; `None` where this engine does not execute it.
pub(super) fn plan(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    match code.form.row.family {
        Family::Smem => smem::plan(planner, code),
        Family::Ds => ds::plan(planner, code),
        Family::Mubuf | Family::Mtbuf => buffer::plan(planner, code),
        Family::Flat | Family::Global | Family::Scratch => flat::plan(planner, code),
        _ => None,
    }
}

/// What LDS_DIRECT reads: M0 says where (15:0) and what (18:16).
pub(super) fn lds_direct(wave: &mut Wave, group: &mut Group<'_>) -> u32 {
    use common::Bytes;
    let m0 = wave.m0();
    let item = match m0 >> 16 & 7 {
        0 => Item::U8,
        1 => Item::U16,
        4 if !planted!(LdsDirectUnsigned) => Item::I8,
        5 if !planted!(LdsDirectUnsigned) => Item::I16,
        _ => Item::Words(1),
    };
    let mut share = common::Share::unlimited(&mut group.lds, &wave.env.target);
    share.load_narrow(u64::from(m0 & 0xffff), item).unwrap_or(0)
}

/// A step that does `run` with `access`.
fn step(code: &Code<'_>, run: Run, access: Access) -> Step {
    let mut step = Step::new(run, code.at, STOP);
    step.memory = Some(Box::new(access));
    step
}

/// A step for which scalar operands must be computed first, where they are of that kind.
fn with_operands(mut step: Step, slots: &[u32]) -> Step {
    if slots.iter().any(|at| Planner::is_on_demand(*at)) {
        step.inner = step.run;
        step.run = Action::always(super::run::refreshed);
    }
    step
}

/// All lanes are active: gives their number.
#[inline(always)]
fn all_lanes(wave: &Wave) -> Option<usize> {
    (wave.exec() == wave.all_lanes()).then_some(wave.lanes as usize)
}

/// Nothing happens: cache control.
fn nothing(_: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    step.next
}

/// The place of an operand.
fn place<'c>(code: &Code<'c>, part: Part) -> Option<&'c Slot> {
    code.form.slots.iter().find(|slot| slot.kind == Kind::Memory(part))
}

/// The value of an operand's field.
fn field(code: &Code<'_>, part: Part) -> Option<u32> {
    place(code, part).map(|slot| slot.span.get(code.words))
}

/// The value of a modifier's field; 0 where there is none.
fn modifier(code: &Code<'_>, id: Mod) -> u32 {
    code.form.mods.iter().find(|m| m.id == id).map_or(0, |m| m.span.get(code.words))
}

/// The place of a scalar register.
fn scalar(planner: &mut Planner, operand: u32) -> u32 {
    planner.scalar_source(operand, Ty::B32, false, 0)
}

/// The place of a vector or accumulation register.
fn vector(number: u32, accumulation: bool) -> u32 {
    let first = if accumulation { file::AGPR } else { 0 };
    first + (number & 0xff) * common::STRIDE
}

/// Whether an instruction has a trait.
fn has(code: &Code<'_>, traits: Traits) -> bool {
    code.form.row.traits.contains(traits)
}

/// Makes an access that of an atomic. Whether this one returns, its row or its cache policy says.
fn atomic(planner: &Planner, code: &Code<'_>, atomic: Atomic, access: &mut Access) -> Atomic {
    let atomic = atomic.in_generation(planner.target.generation());
    let returns = match atomic.returns {
        Returns::Never => false,
        Returns::Always if code.form.row.family == Family::Ds => true,
        // Encodings ask for the result even where there always is one: without, its register stays.
        Returns::Always | Returns::Policy => code.form.memory.policy(code.words) & ATOMIC_RETURN != 0,
    };
    access.atomic = Some(atomic);
    access.flags.set(Flags::RETURNS, returns);
    atomic
}

/// How floats behave in an atomic.
fn float_rules(wave: &Wave, atomic: &Atomic, space: Space) -> FloatRules {
    use crate::memory::atomic::Width;
    let shift = if atomic.width == Width::W32 { 4 } else { 6 };
    let bit = |n: u32| wave.env.mode >> n & 1 != 0;
    atomic.float_rules(&wave.env.target, space, bit(shift), bit(shift + 1))
}
