//! Memory instructions.
//!
//! An [`Access`] is an instruction taken apart: what a lane moves, which registers hold data and address, which bits are
//! set. The functions of the steps do the rest, by what is addressed: [scalar memory](smem), the [data share](ds) and what
//! [crosses lanes](cross) through its hardware, [buffers](buffer), [images](image), [rays], and [flat, global and scratch memory](flat). Guest memory, LDS, buffer
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
mod image;
mod rays;
mod smem;
mod touched;
mod whole;

use super::group::Group;
use super::kernel::STRIDE;
use super::plan::{Run, Step};
use super::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Item, Lanes};
use crate::isa::row::Family;
use crate::memory::atomic::Atomic;
use crate::memory::atomic::Space;
use crate::memory::atomic::float::FloatRules;
use crate::memory::plane::Parameter;
use crate::program;

pub use touched::{Addresses, Places, Space as TouchedSpace, Touched, addresses, places, touched};

use crate::program::{Access, Flags};

/// The function of a memory instruction; none where there is none.
pub(super) fn run(step: &program::Step) -> Option<Run> {
    let (row, access) = (step.row?, step.memory.as_deref()?);
    match row.family {
        Family::Smem => smem::run(row),
        Family::Ds => ds::run(row.does, access).or_else(|| rays::run(row.does)),
        Family::Mubuf | Family::Mtbuf => buffer::run(row, access),
        Family::Flat | Family::Global | Family::Scratch => flat::run(row, access),
        Family::Mimg => image::run(row).or_else(|| rays::run(row.does)),
        _ => None,
    }
}

/// Which lane each lane reads, of an instruction that says so itself.
pub(super) fn sources(step: &program::Step, generation: Gen) -> Option<[u32; STRIDE]> {
    let access = step.memory.as_deref()?;
    (step.does() == Some(Does::Lanes(Lanes::Swizzle))).then(|| cross::swizzle_sources(access.offset as u32, generation))
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

/// A parameter in LDS, of the primitive that a lane is of; zero where LDS has ended.
pub(super) fn parameter(wave: &Wave, group: &mut Group<'_>, parameter: Parameter, lane: u32) -> u32 {
    use common::Bytes;
    let mut share = common::Share::unlimited(&mut group.lds, &wave.env.target);
    let at = parameter.address(wave.m0(), lane);
    at.and_then(|at| share.load_narrow(at.into(), Item::Words(1)).ok()).unwrap_or(0)
}

/// Nothing happens: cache control.
fn nothing(_: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    step.next
}

/// How floats behave in an atomic.
fn float_rules(wave: &Wave, atomic: &Atomic, space: Space) -> FloatRules {
    use crate::memory::atomic::Width;
    let shift = if atomic.width == Width::W32 { 4 } else { 6 };
    let bit = |n: u32| wave.env.mode >> n & 1 != 0;
    atomic.float_rules(&wave.env.target, space, bit(shift), bit(shift + 1))
}
