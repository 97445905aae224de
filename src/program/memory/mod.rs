//! Memory instructions: what a lane moves, which registers hold data and address, which bits are set.
//!
//! An [`Access`] is an instruction taken apart: [scalar memory](smem), the [data share](ds) and what crosses lanes through its
//! hardware, [buffers](buffer), [images](image), and [flat, global and scratch memory](flat). Where an address leads, and what becomes of it
//! there, is the business of those who execute it, and of [`crate::memory`].

mod buffer;
mod ds;
mod flat;
pub mod image;
mod smem;
pub mod transposed;

use super::Step;
use super::build::{Builder, Code};
use super::place::{file, slot};
use crate::isa::Target;
use crate::isa::does::{Does, Half, Item, Way};
use crate::isa::form::{Kind, Slot};
use crate::isa::operand::{Part, Ty};
use crate::isa::row::{Family, Traits};
use crate::isa::symbols::cpol::ATOMIC_RETURN;
use crate::memory::atomic::{Atomic, Returns, Shape, Width};
use crate::memory::format::{Format, FormatError, packs_d16};
use bitflags::bitflags;
use image::Image;

bitflags! {
    /// What the bits of an instruction ask for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u16 {
        /// An atomic returns the value before.
        const RETURNS = 1;
        /// A status word follows the data.
        const TFE     = 2;
        /// The data goes to LDS.
        const LDS     = 4;
        /// An offset register.
        const OFFEN   = 8;
        /// An index register.
        const IDXEN   = 16;
        /// A 64-bit address in registers, without a check (gfx6, gfx7).
        const ADDR64  = 32;
        /// A vector address.
        const VADDR   = 64;
        /// A scalar address.
        const SADDR   = 128;
        /// The data is 16 bits a component.
        const D16     = 512;
        /// Inactive lanes are read as well.
        const FETCH_INACTIVE = 4096;
        /// Lanes take no turns: they give each other values, or act as one.
        const TOGETHER = 8192;
        /// It is of the global data share, not of LDS.
        const GDS = 16384;
    }
}

/// A memory instruction taken apart. Registers are [places](super::place): vector places, but for the data of scalar memory; a
/// field that the instruction has no use for is zero, a scalar place a zero.
#[derive(Clone, Debug)]
pub struct Access {
    /// What a lane moves.
    pub item: Item,
    /// Which part of a register.
    pub half: Half,
    /// How it goes through memory.
    pub way: Way,
    /// What bits ask for.
    pub flags: Flags,
    /// The first register of the data: of what is stored, or of a result.
    pub data: u32,
    /// The first register of the second data.
    pub data1: u32,
    /// Where a result goes.
    pub dst: u32,
    /// The first register of the vector address.
    pub addr: u32,
    /// The first scalar place of the address: a pointer, or a descriptor.
    pub base: u32,
    /// The scalar offset.
    pub soffset: u32,
    /// By how many bits it is shifted to the left: what it counts.
    pub soffset_shift: u8,
    /// The offset of the instruction.
    pub offset: i64,
    /// The second one, of instructions with two.
    pub offset1: u32,
    /// The operation of an atomic.
    pub atomic: Option<Atomic>,
    /// Components of a formatted access.
    pub components: u8,
    /// The format, where the instruction brings it along.
    pub format: Option<Result<Format, FormatError>>,
    /// What only images have.
    pub image: Option<Box<Image>>,
}

impl Access {
    /// What a row says.
    fn of(does: Does) -> Access {
        let (item, half, way) = match does {
            Does::Load(moved) | Does::Store(moved) => (moved.item, moved.half, moved.way),
            Does::Atomic(atomic) => {
                let words = if atomic.width == Width::W64 { 2 } else { 1 };
                let way = match atomic.shape {
                    Shape::Two { stride64 } => Way::Two { stride: if stride64 { 64 } else { 1 } },
                    Shape::One | Shape::Source | Shape::Wave => Way::Plain,
                };
                (Item::Words(words), Half::Whole, way)
            }
            _ => (Item::Words(1), Half::Whole, Way::Plain),
        };
        Access {
            item,
            half,
            way,
            flags: Flags::empty(),
            data: 0,
            data1: 0,
            dst: 0,
            addr: 0,
            base: slot::ZERO as u32,
            soffset: slot::ZERO as u32,
            soffset_shift: 0,
            offset: 0,
            offset1: 0,
            atomic: None,
            components: 0,
            format: None,
            image: None,
        }
    }

    /// How many registers the components of a formatted access take: with D16 two share one, but on the first gfx8 processors.
    #[must_use]
    pub fn component_registers(&self, target: &Target) -> u32 {
        let components = u32::from(self.components);
        if self.has(Flags::D16) && packs_d16(target) { components.div_ceil(2) } else { components }
    }

    /// Whether a bit is set.
    #[inline(always)]
    #[must_use]
    pub fn has(&self, flags: Flags) -> bool {
        self.flags.contains(flags)
    }
}

/// The step of a memory instruction; `None` where it is not known what it does.
pub(super) fn step(builder: &mut Builder, code: &Code<'_>) -> Option<Step> {
    let mut access = Access::of(code.form.row.does);
    match code.form.row.family {
        Family::Smem => smem::take(builder, code, &mut access),
        Family::Ds => ds::take(builder, code, &mut access),
        Family::Mubuf | Family::Mtbuf => buffer::take(builder, code, &mut access),
        Family::Flat | Family::Global | Family::Scratch => flat::take(builder, code, &mut access),
        Family::Mimg => image::take(builder, code, &mut access),
        _ => None,
    }?;
    Some(Step { memory: Some(Box::new(access)), ..Step::new(code.at) })
}

/// The operand that is a part of a memory instruction.
fn place<'c>(code: &Code<'c>, part: Part) -> Option<&'c Slot> {
    code.form.slots.iter().find(|slot| slot.kind == Kind::Memory(part))
}

/// The value of an operand's field.
fn field(code: &Code<'_>, part: Part) -> Option<u32> {
    place(code, part).map(|slot| slot.span.get(code.words))
}

/// The place of a scalar register.
fn scalar(builder: &mut Builder, operand: u32) -> u32 {
    builder.scalar_source(operand, Ty::B32, false, 0)
}

/// The place of a vector or accumulation register.
fn vector(number: u32, accumulation: bool) -> u32 {
    let first = if accumulation { file::AGPR } else { 0 };
    first + (number & 0xff)
}

/// Whether an instruction has a trait.
fn has(code: &Code<'_>, traits: Traits) -> bool {
    code.form.row.traits.contains(traits)
}

/// Makes an access that of an atomic. Whether this one returns, its row or its cache policy says.
fn atomic(builder: &Builder, code: &Code<'_>, atomic: Atomic, access: &mut Access) -> Atomic {
    let atomic = atomic.in_generation(builder.generation());
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
