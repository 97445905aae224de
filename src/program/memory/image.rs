//! Images: MIMG, VIMAGE and VSAMPLE.
//!
//! The address is a list of values, each in a register or, with A16, two in one. From gfx10 on the instruction says of which
//! dimension the image is, and so how many there are; before that only the descriptor does, and the registers are those that the
//! largest dimension would have.

use super::{Access, Flags, scalar, vector};
use crate::fault::planted;
use crate::isa::does::atomic::Width;
use crate::isa::does::{Does, Texels};
use crate::isa::form::{Kind, Mod, NO_BIT};
use crate::isa::image::{self, Address, Shape};
use crate::isa::row::Inst;
use crate::isa::{Gen, Target};
use crate::memory::image::Resource;
use crate::memory::image::format::TexelFormat;
use crate::memory::image::sampler::Sampler;
use crate::memory::rays::Tree;
use crate::program::build::{Builder, Code};
use bitflags::bitflags;

bitflags! {
    /// What the bits of an image instruction ask for, beside those of all memory instructions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Bits: u8 {
        /// Coordinates count texels.
        const UNORM = 1;
        /// There is a layer or a face among the coordinates (up to gfx9).
        const ARRAY = 2;
        /// Values of the address have 16 bits.
        const A16   = 4;
        /// The descriptor has four words.
        const R128  = 8;
        /// A warning about the level of detail follows the data.
        const LWE   = 16;
    }
}

/// What only image instructions have.
#[derive(Clone, Debug)]
pub struct Image {
    /// What the address is made of.
    pub parts: Address,
    /// The registers of the address: vector places.
    pub registers: Vec<u32>,
    /// The number of the dimension, where the instruction says it.
    pub dim: Option<u8>,
    /// The components that have a register.
    pub dmask: u8,
    /// What bits ask for.
    pub bits: Bits,
    /// The first scalar place of the sampler, if there is one.
    pub sampler: Option<u32>,
}

impl Image {
    /// Whether lanes of a quad look at each other's coordinates: samples of which nothing else says the level of detail.
    fn compares_lanes(&self) -> bool {
        let said = Address::LOD.union(Address::ZERO).union(Address::GRADIENTS).union(Address::GRADIENTS16);
        self.sampler.is_some() && !self.parts.intersects(said)
    }

    /// Where the parts of the address are, for a dimension.
    #[must_use]
    pub fn places(&self, dim: u8, generation: Gen) -> Places {
        let mut next = 0;
        let mut one = |part| {
            let there = self.parts.contains(part);
            next += u8::from(there);
            there.then(|| next - 1)
        };
        let (offset, bias, compare) = (one(Address::OFFSET), one(Address::BIAS), one(Address::COMPARE));
        let (_, count) = Address::of_dim(dim);
        let a16 = self.has(Bits::A16);
        // On gfx9, gradients have as many bits as coordinates.
        let short = self.parts.contains(Address::GRADIENTS16) || a16 && generation == Gen::Gfx9;
        let there = self.parts.intersects(Address::GRADIENTS.union(Address::GRADIENTS16));
        let each = if short { count.div_ceil(2) } else { count };
        let gradients = there.then_some([next, next + each].map(|register| Run { register, short }));
        next += if there { 2 * each } else { 0 };
        Places { offset, bias, compare, gradients, body: Run { register: next, short: a16 } }
    }

    /// The registers of the origin and the direction of a ray, where the instruction may write them.
    #[must_use]
    pub fn moved_ray(&self) -> &[u32] {
        let moves = self.parts.intersects(Address::DUAL.union(Address::WIDE));
        self.registers.get(4..10).filter(|_| moves).unwrap_or(&[])
    }

    /// Whether a bit is set.
    #[must_use]
    #[inline]
    pub fn has(&self, bits: Bits) -> bool {
        self.bits.contains(bits)
    }
}

impl Access {
    /// Why what an image instruction asks for is refused, as far as its row and its descriptors say, whose words are in scalar places.
    #[must_use]
    pub fn refused(&self, row: &Inst, target: &Target, words: &dyn Fn(u32, u32) -> u32) -> Option<String> {
        let image = self.image.as_deref()?;
        if let Does::Ray(_) = row.does {
            let words = std::array::from_fn(|n| words(self.base, n as u32));
            return Tree::decode(&words, target).err().map(|reason| reason.to_string());
        }
        let short = image.has(Bits::R128);
        let of_image = |n: usize| if short && n >= 4 { 0 } else { words(self.base, n as u32) };
        let resource = match Resource::decode(&std::array::from_fn(of_image), target) {
            Err(reason) => return Some(reason.to_string()),
            Ok(resource) => resource,
        };
        if let Some(at) = image.sampler {
            return match Sampler::decode(&std::array::from_fn(|n| words(at, n as u32)), target) {
                Err(reason) => Some(reason.to_string()),
                Ok(sampler) => sampler.border_table.map(|reason| reason.to_string()),
            };
        }
        let format = resource?.format;
        match (row.does, &self.atomic) {
            (_, Some(atomic)) => Some(unfit(atomic.width, format)),
            (Does::Texels(Texels::Store(_)), _) => format.store([0; 4]).err().map(|reason| reason.to_string()),
            _ => None,
        }
    }
}

/// What an atomic needs on texels of a format that it is not for.
#[must_use]
pub fn unfit(width: Width, format: TexelFormat) -> String {
    let bytes = if width == Width::W64 { 8 } else { 4 };
    format!("an atomic of {bytes} bytes on texels of format {}", format.name())
}

/// Values one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first register, counted from that of the address.
    pub register: u8,
    /// Two values share a register, the first one low.
    pub short: bool,
}

/// The parts of an address: registers, counted from its first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Offsets of texels.
    pub offset: Option<u8>,
    /// What is added to the level of detail; with A16 half of a register.
    pub bias: Option<u8>,
    /// What a depth is compared with.
    pub compare: Option<u8>,
    /// Gradients along x and along y.
    pub gradients: Option<[Run; 2]>,
    /// Coordinates, and what follows them: a level, a least level.
    pub body: Run,
}

pub(super) fn take(builder: &mut Builder, code: &Code<'_>, access: &mut Access) -> Option<()> {
    let (form, words, target) = (code.form, code.words, builder.target);
    let shape = Shape::of(form.row);
    let [data, ..] = &form.slots[..] else { return None };
    access.data = vector(data.span.get(words), data.acc != NO_BIT && code.bit(data.acc));
    access.dst = access.data;
    let scalars = form.slots.iter().filter(|slot| slot.kind == Kind::Sgpr).map(|slot| slot.span);
    let mut places = scalars.map(|span| scalar(builder, image::scalar_code(span, words)));
    access.base = places.next()?;
    let sampler = places.next();

    let dim = code.has_modifier(Mod::Dim).then(|| code.modifier(Mod::Dim) as u8);
    let mut bits = Bits::empty();
    for (bit, modifier) in [
        (Bits::UNORM, Mod::Unorm),
        (Bits::ARRAY, Mod::Da),
        (Bits::A16, Mod::A16),
        (Bits::R128, Mod::R128),
        (Bits::LWE, Mod::Lwe),
    ] {
        bits.set(bit, code.modifier(modifier) != 0);
    }
    let a16 = bits.contains(Bits::A16);
    let dims = dim.map_or(0..8, |dim| dim..dim + 1);
    let count = dims.map(|dim| shape.address.registers(dim.into(), a16)).max().unwrap_or(0);
    let register = |n| match shape.address.contains(Address::RAY) {
        true => image::ray_register(&target, form, words, &shape, a16, n),
        false => image::register(&target, form, words, &shape, n),
    };
    let registers = (0..count).map(|n| vector(register(n), false)).collect();
    let dmask = code.modifier(Mod::Dmask) as u8;
    access.flags.set(Flags::TFE, code.modifier(Mod::Tfe) != 0);
    access.flags.set(Flags::D16, code.modifier(Mod::D16) != 0);
    access.components = match form.row.does {
        Does::Texels(Texels::Gather | Texels::GatherRow | Texels::LoadSamples) => 4,
        Does::Ray(_) => shape.value,
        _ => dmask.count_ones().max(1) as u8,
    };
    match form.row.does {
        Does::Atomic(atomic) => {
            let mut atomic = atomic.in_generation(target.generation());
            // The mask says how wide the operands are.
            let words = dmask.count_ones() / atomic.operands().max(1);
            atomic.width = if words == 2 && !planted!(ImageAtomicNarrow) { Width::W64 } else { Width::W32 };
            let returns = match target.generation() {
                Gen::Gfx12 => code.modifier(Mod::Th) & 1,
                _ => code.modifier(Mod::Glc),
            };
            access.flags.set(Flags::RETURNS, returns != 0);
            access.atomic = Some(atomic);
        }
        // Which texels those of a row are is not published.
        Does::Texels(Texels::GatherRow) => return None,
        Does::Texels(_) => {}
        // There is no descriptor of eight words for these.
        Does::Ray(_) => bits.insert(Bits::R128),
        _ => return None,
    }
    // What leaves the register file is no instruction.
    let count = access.component_registers(&target) + u32::from(access.has(Flags::TFE));
    if data.span.get(words) + count > 256 {
        return None;
    }
    let image = Image { parts: shape.address, registers, dim, dmask, bits, sampler };
    access.flags.set(Flags::TOGETHER, image.compares_lanes());
    access.image = Some(Box::new(image));
    Some(())
}
