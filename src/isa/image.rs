//! What image addresses and image data are made of, and so how many registers they take.
//!
//! An image address is a list of values in vector registers, always in this order: texel offset, bias, depth to compare with,
//! gradients, coordinates, and one of level of detail, clamp and mip level. A row says which of them its instruction takes; the
//! dimension says how many coordinates and gradients there are; A16 packs coordinates in pairs. The number of registers follows
//! and is nowhere written down. It is a rule of the assembler from gfx10 on, where the instruction says its dimension; older
//! processors learn it from the resource, and there any width is accepted that one of the dimensions could have.
//!
//! The data are as many registers as DMASK has bits; a gather always has four; D16 packs two values into a register (not on
//! gfx801-805); TFE and LWE add a status register.

use super::arch::{Gen, Target, Variants};
use super::form::{Form, Kind};
use super::format::Span;
use super::operand::{Class, Part};
use super::row::{Inst, Traits};
use bitflags::bitflags;

bitflags! {
    /// The parts of an image address.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Address: u16 {
        /// Texel offsets, six bits each.
        const OFFSET      = 1 << 0;
        /// Bias of the level of detail.
        const BIAS        = 1 << 1;
        /// The value to compare with.
        const COMPARE     = 1 << 2;
        /// Gradients: two for each coordinate that has one.
        const GRADIENTS   = 1 << 3;
        /// Gradients of 16 bits, packed for each direction.
        const GRADIENTS16 = 1 << 4;
        /// Coordinates, array slice, face, sample.
        const COORDS      = 1 << 5;
        /// Level of detail.
        const LOD         = 1 << 6;
        /// Least level of detail.
        const CLAMP       = 1 << 7;
        /// Mip level.
        const MIP         = 1 << 8;
        /// A ray: node, extent, origin, direction, inverse direction.
        const RAY         = 1 << 9;
        /// The node of a ray is a 64-bit address.
        const NODE64      = 1 << 10;
        /// A ray that meets two nodes: tree, extent and mask, origin, direction, two offsets of nodes.
        const DUAL        = 1 << 11;
        /// A ray that meets a node of eight: as [`Address::DUAL`], with one offset.
        const WIDE        = 1 << 12;
        /// Nothing: the level of detail is 0.
        const ZERO        = 1 << 13;
    }
}

/// Coordinates and gradients of the eight dimensions; the row is the number (see [`super::symbols::dim`]).
static DIMS: [(u8, u8); 8] = [(1, 2), (2, 4), (3, 6), (3, 4), (2, 2), (3, 4), (3, 4), (4, 4)];

impl Address {
    /// The union of parts.
    #[must_use]
    pub const fn of(parts: &[Address]) -> Address {
        let mut all = Address::empty();
        let mut i = 0;
        while i < parts.len() {
            all = all.union(parts[i]);
            i += 1;
        }
        all
    }

    /// Offset, bias and comparison value: a register each.
    const fn extra(self) -> u8 {
        self.intersection(Address::of(&[Address::OFFSET, Address::BIAS, Address::COMPARE])).bits().count_ones() as u8
    }

    /// Level of detail, clamp or mip level: one value at most.
    const fn last(self) -> u8 {
        self.intersection(Address::of(&[Address::LOD, Address::CLAMP, Address::MIP])).bits().count_ones() as u8
    }

    /// How many coordinates a dimension has, and how many gradients in each of two directions.
    #[must_use]
    pub fn of_dim(dim: u8) -> (u8, u8) {
        let (coordinates, gradients) = DIMS[usize::from(dim & 7)];
        (coordinates, gradients / 2)
    }

    /// The parts of a ray in registers each; 0 for a part that is not there. A16 packs the directions.
    #[must_use]
    pub fn ray(self, a16: bool) -> [u8; 5] {
        if self.contains(Address::DUAL) {
            [2, 2, 3, 3, 2]
        } else if self.contains(Address::WIDE) {
            [2, 2, 3, 3, 1]
        } else {
            [1 + u8::from(self.contains(Address::NODE64)), 1, 3, 3, if a16 { 0 } else { 3 }]
        }
    }

    /// How many registers the address takes.
    #[must_use]
    pub fn registers(self, dim: u32, a16: bool) -> u8 {
        if self.contains(Address::RAY) {
            return self.ray(a16).iter().sum();
        }
        let (coords, gradients) = DIMS[(dim & 7) as usize];
        let values = self.last() + if self.contains(Address::COORDS) { coords } else { 0 };
        let gradients = if self.contains(Address::GRADIENTS) {
            gradients
        } else if self.contains(Address::GRADIENTS16) {
            (gradients / 2).next_multiple_of(2)
        } else {
            0
        };
        self.extra() + gradients + if a16 { values.div_ceil(2) } else { values }
    }

    /// The fewest and the most registers that the address of a sample or gather takes, over all dimensions and with or without A16.
    #[must_use]
    pub const fn range(self) -> (u8, u8) {
        let (low, high) = if self.contains(Address::GRADIENTS) {
            (2, 9)
        } else if self.contains(Address::GRADIENTS16) {
            (2, 7)
        } else {
            (1, 3)
        };
        (low + self.extra(), high + self.last() + self.extra())
    }
}

/// How an image instruction reads its address and its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The parts of the address.
    pub address: Address,
    /// Whether it has a sampler.
    pub sampler: bool,
    /// Registers of a value: two for compare-and-swap; of the whole result for rays.
    pub value: u8,
    /// The row's traits.
    pub traits: Traits,
}

impl Shape {
    /// The shape of an image row.
    #[must_use]
    #[inline]
    pub fn of(row: &Inst) -> Shape {
        let mut shape = Shape { address: Address::empty(), sampler: false, value: 1, traits: row.traits };
        if row.traits.contains(Traits::BVH) {
            shape.value = row.dst.ty.dwords();
        }
        for opnd in row.src {
            match opnd.class {
                Class::Part(Part::Image(address)) => shape.address = address,
                Class::Part(Part::Samp) => shape.sampler = true,
                Class::Part(Part::Data) => shape.value = opnd.ty.dwords(),
                _ => {}
            }
        }
        shape
    }

    /// Whether the instruction has the format `VSAMPLE` on gfx12.
    #[must_use]
    pub fn vsample(&self) -> bool {
        self.sampler || self.traits.contains(Traits::MSAA)
    }

    /// Registers of data, as DMASK, D16 and TFE say; LWE alone adds none.
    #[must_use]
    pub fn data(&self, dmask: u32, d16: bool, tfe: bool, target: &Target) -> u8 {
        let values = if self.traits.contains(Traits::GATHER) { 4 } else { dmask.count_ones().max(1) as u8 };
        let packed = d16 && !target.is(Variants::G80);
        u8::from(tfe) + if packed { values.div_ceil(2) } else { values }
    }

    /// The widths of data that exist, as a set of bits `1 << width`. Atomics have one or two values, and a status.
    #[must_use]
    pub fn data_widths(&self) -> u32 {
        let set = |widths: &[u8]| widths.iter().fold(0u32, |set, w| set | 1 << w);
        if self.traits.contains(Traits::ATOMIC) {
            if self.value == 2 { set(&[2, 3, 4, 5]) } else { set(&[1, 2, 3, 5]) }
        } else if self.traits.contains(Traits::BVH) {
            set(&[self.value])
        } else if self.traits.contains(Traits::GATHER) {
            if self.sampler { set(&[2, 4, 5]) } else { set(&[2, 3, 4, 5]) }
        } else {
            set(&[1, 2, 3, 4, 5])
        }
    }

    /// The widths of one range of address registers that exist, as a set of bits `1 << width`.
    #[must_use]
    pub fn address_widths(&self) -> u32 {
        if self.address.contains(Address::RAY) {
            let node = u32::from(self.address.contains(Address::NODE64));
            return 1 << (8 + node) | 1 << (11 + node);
        }
        if !self.sampler {
            return 0b11110;
        }
        let (low, high) = self.address.range();
        let mut set = 0;
        for width in low..=high.min(12) {
            set |= match width {
                // A range of four also holds three, and one of eight also holds five to seven.
                3 => 1 << 3 | 1 << 4,
                5..=7 => 1 << width | 1 << 8,
                _ => 1 << width,
            };
        }
        set
    }

    /// The fewest and the most registers in a list of address registers; before gfx11 also of the whole address.
    #[must_use]
    pub fn list(&self) -> (u8, u8) {
        if self.sampler { self.address.range() } else { (1, 4) }
    }
}

/// How many address registers can be named one by one: behind that, the last name is a range. gfx10 has no ranges.
#[must_use]
pub fn list_limit(target: &Target, shape: &Shape) -> u8 {
    match target.generation() {
        Gen::Gfx12 if shape.vsample() => 4,
        Gen::Gfx12 | Gen::Gfx11 => 5,
        _ => 13,
    }
}

/// The list of address registers of gfx10 and gfx11: how many words of it follow the first two.
#[must_use]
#[inline]
pub fn list_words(target: &Target, words: &[u32]) -> u8 {
    match target.generation() {
        Gen::Gfx10 => (words[0] >> 1 & 3) as u8,
        Gen::Gfx11 => (words[0] & 1) as u8,
        _ => 0,
    }
}

/// The number of the `n`th register that an instruction names for its address, counted from 1.
#[must_use]
#[inline]
pub fn named(form: &Form, words: &[u32], n: usize) -> u32 {
    let slot = form.slots.get(n).filter(|s| s.kind == Kind::Vgpr);
    match slot {
        Some(slot) => slot.span.get(words),
        // The lists of gfx10 and gfx11 lie behind the two words.
        None => words.get(2 + (n - 2) / 4).map_or(0, |w| w >> (8 * ((n - 2) % 4)) & 0xff),
    }
}

/// The number of the `n`th register of an address, counted from 0. What is not named follows the last that is.
#[must_use]
pub fn register(target: &Target, form: &Form, words: &[u32], shape: &Shape, n: u8) -> u32 {
    let last = match target.generation() {
        Gen::Gfx12 => list_limit(target, shape).min(4),
        _ => list_limit(target, shape).min(list_names(target, words)),
    };
    let name = n.min(last - 1);
    named(form, words, usize::from(name) + 1) + u32::from(n - name)
}

/// How many registers the words of an instruction of gfx10 or gfx11 name: behind them lies another one.
fn list_names(target: &Target, words: &[u32]) -> u8 {
    1 + 4 * list_words(target, words)
}

/// The number of the `n`th register of a ray, counted from 0. What a list names are its parts; on gfx10 every register by itself.
#[must_use]
pub fn ray_register(target: &Target, form: &Form, words: &[u32], shape: &Shape, a16: bool, n: u8) -> u32 {
    match (target.generation(), list_words(target, words) > 0) {
        (Gen::Gfx10, true) => {
            let name = n.min(list_names(target, words) - 1);
            named(form, words, usize::from(name) + 1) + u32::from(n - name)
        }
        (Gen::Gfx12, _) | (_, true) => {
            let mut left = n;
            for (name, width) in (1..).zip(shape.address.ray(a16)) {
                if left < width {
                    return named(form, words, name) + u32::from(left);
                }
                left -= width;
            }
            0
        }
        _ => named(form, words, 1) + u32::from(n),
    }
}

/// The code of a resource or sampler: fields of five bits count in fours.
#[must_use]
#[inline]
pub fn scalar_code(span: Span, words: &[u32]) -> u32 {
    let code = span.get(words);
    if span.bits() == 5 { code << 2 } else { code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_follow_from_parts_and_dimension() {
        let a = Address::of(&[Address::COMPARE, Address::GRADIENTS, Address::COORDS, Address::CLAMP]);
        assert_eq!(a.registers(2, false), 1 + 6 + 3 + 1);
        assert_eq!(a.registers(2, true), 1 + 6 + 2);
        let a = Address::of(&[Address::OFFSET, Address::GRADIENTS16, Address::COORDS]);
        assert_eq!(a.registers(0, false), 1 + 2 + 1);
        assert_eq!(a.registers(2, false), 1 + 4 + 3);
        let ray = Address::of(&[Address::RAY, Address::NODE64]);
        assert_eq!((ray.registers(0, false), ray.registers(0, true)), (12, 9));
        assert_eq!((Address::RAY.registers(0, false), Address::RAY.registers(0, true)), (11, 8));
    }
}
