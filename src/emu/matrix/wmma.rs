//! D = A * B + C of 16 by 16 elements, of gfx11 and gfx12. EXEC has no say, nor has the mode register.
//!
//! Where elements lie ([`Layout`]): the lanes are groups of sixteen. Lane `i` of a group holds elements of row `i` of A and of column `i` of B, and of
//! column `i` of C and D.
//!
//! - On gfx11 each group holds all of A and B: the program has copied them. A result is made from the copies of its own group, so that copies
//!   which differ are seen. The rows of C and D go round the groups; results of 16 bits take one half of a register, which OP_SEL chooses,
//!   and leave the other.
//! - On gfx12 the groups share A and B; rows of C and D are in blocks, and results of 16 bits are packed.
//!
//! Floats are summed as the dot instructions do it: on gfx11 two products at a time, on gfx12 four, rounded to the result's format each time.
//! Integers are exact; the sum is cut to 32 bits, or with CLAMP brought into their range.
//!
//! Sparse products of gfx12 (`v_swmmac_*`) keep what there is of A as a dense product of half the depth keeps it, and are added in its order.
//!
//! NEG_LO and NEG_HI negate even and odd elements of A and B; of C they are the sign and the absolute value. For integers NEG_LO
//! says that A or B is signed.

use super::{field, indices, kept};
use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::soft::{self, Adder, BF16, F16, F32, Format, Fp8};
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Element, Product};
use crate::program::Modifiers;

impl Element {
    /// The format, where it is a float of at least 16 bits.
    fn format(self) -> Option<Format> {
        match self {
            Element::F32 => Some(F32),
            Element::F16 => Some(F16),
            Element::Bf16 => Some(BF16),
            _ => None,
        }
    }

    fn fp8(self) -> Fp8 {
        if self == Element::Bf8 { Fp8::E5m2 } else { Fp8::E4m3 }
    }
}

/// Where elements lie.
#[derive(Clone, Copy)]
struct Layout {
    gfx12: bool,
    wide: bool,
}

impl Layout {
    /// The group that holds element `k` of a row of A or a column of B, and its number in the lane; `own` is the group of the result.
    fn source(self, bits: u32, depth: u32, own: u32, k: u32) -> (u32, u32) {
        if !self.gfx12 {
            return (own, k);
        }
        let bit = |n: u32| k >> n & 1;
        match (bits, depth, self.wide) {
            (16, _, false) => (bit(2), (k >> 3) * 4 + (k & 3)),
            (16, _, true) => (bit(2) + 2 * bit(3), k & 3),
            (8, _, true) => (bit(3) + 2 * bit(2), k & 3),
            (4, 32, false) => (k >> 4, k & 15),
            (4, 32, true) => (bit(4) + 2 * bit(3), k & 7),
            _ => (k >> 3, k & 7),
        }
    }

    /// The same for element `k` of a column of B where A is sparse: with each element of A that is there lie both that it may be multiplied with.
    fn partner(self, bits: u32, depth: u32, own: u32, k: u32) -> (u32, u32) {
        if (bits, depth, self.wide) == (4, 32, true) {
            return self.source(bits, depth, own, k);
        }
        let (group, element) = self.source(bits, depth / 2, own, k / 2);
        (group, 2 * element + k % 2)
    }

    /// The group that holds row `i` of C and D, and its number in the lane.
    fn result(self, i: u32) -> (u32, u32) {
        match (self.gfx12, self.wide) {
            (false, false) if planted!(MatrixRowsInOrder) => (i / 8, i % 8),
            (false, false) => (i % 2, i / 2),
            (false, true) => (i % 4, i / 4),
            (true, false) => (i / 8, i % 8),
            (true, true) => ((i >> 3) + 2 * (i >> 2 & 1), i % 4),
        }
    }

    /// The register of a result's element, and its first bit there.
    fn place(self, result: Element, element: u32, modifiers: Modifiers) -> (u32, u32) {
        match (result.bits(), self.gfx12) {
            (16, true) => (element / 2, 16 * (element % 2)),
            (16, false) => (element, if modifiers.high() && !planted!(MatrixHalfLow) { 16 } else { 0 }),
            _ => (element, 0),
        }
    }
}

/// An element of A or B: its lane is of this group, and the row of A or column of B in it.
fn factor(wave: &Wave, step: &Step, n: usize, kind: Element, (group, element): (u32, u32), index: u32) -> u32 {
    let bits = kind.bits();
    let (register, first) = (element * bits / 32, element * bits % 32);
    let v = field(wave, step.src[n], register, 16 * group + index, first, bits);
    let negate = kind.format().filter(|_| Modifiers(step.imm).negates(n as u32, element & 1));
    v ^ negate.map_or(0, |_| 1 << (bits - 1))
}

pub(super) fn multiply(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let Some(Does::Product(product)) = step.row.map(|row| row.does) else { return step.next };
    let modifiers = Modifiers(step.imm);
    let layout = Layout { gfx12: wave.env.target.generation() >= Gen::Gfx12, wide: wave.lanes == 64 };
    let (bits, depth) = (product.a.bits(), product.kept());
    let mut results = Vec::with_capacity(256);
    for i in 0..16 {
        let (group, element) = layout.result(i);
        let (register, first) = layout.place(product.sum, element, modifiers);
        let places: Vec<(u32, u32)> = (0..depth).map(|k| layout.source(bits, depth, group, k)).collect();
        let mut a = [0; 32];
        a.iter_mut().zip(&places).for_each(|(to, at)| *to = factor(wave, step, 0, product.a, *at, i));
        let partners: Vec<(u32, u32)> = if product.sparse {
            let of_lane = 1 + places.iter().map(|(_, element)| *element).max().unwrap_or(0);
            let numbers = (0..)
                .zip(&places)
                .map(|(n, &(group, element))| kept(indices(wave, step, of_lane, 16 * group + i), n, element));
            numbers.map(|k| layout.partner(bits, product.depth, group, k)).collect()
        } else {
            places
        };
        for j in 0..16 {
            let lane = 16 * group + j;
            let mut b = [0; 32];
            b.iter_mut().zip(&partners).for_each(|(to, at)| *to = factor(wave, step, 1, product.b, *at, j));
            let c = accumulator(wave, step, &product, (register, lane, first));
            results.push((register, lane, first, sum(&product, layout, modifiers, &a, &b, c)));
        }
    }
    let bits = product.sum.bits();
    for (register, lane, first, v) in results {
        let cell = &wave.file[(step.dst + register * STRIDE as u32 + lane) as usize];
        let mask = u32::MAX >> (32 - bits) << first;
        cell.set(cell.get() & !mask | v << first & mask);
    }
    step.next
}

/// An element of C: absolute value, then sign. Where A is sparse it is the one of D, as it is.
fn accumulator(wave: &Wave, step: &Step, product: &Product, (register, lane, first): (u32, u32, u32)) -> u32 {
    let (at, result) = (step.src[2], product.sum);
    let bits = result.bits();
    if product.sparse {
        return field(wave, step.dst, register, lane, first, bits);
    }
    let constant = at >= file::CONSTANTS;
    let c = if constant { field(wave, at, 0, lane, 0, bits) } else { field(wave, at, register, lane, first, bits) };
    let modifiers = Modifiers(step.imm);
    if result == Element::I32 {
        return c;
    }
    let sign = 1 << (bits - 1);
    let c = if modifiers.negates(2, 1) { c & !sign } else { c };
    if modifiers.negates(2, 0) { c ^ sign } else { c }
}

/// An element of D.
fn sum(product: &Product, layout: Layout, modifiers: Modifiers, a: &[u32; 32], b: &[u32; 32], c: u32) -> u32 {
    let depth = product.kept() as usize;
    let (a, b) = (&a[..depth], &b[..depth]);
    let c = u64::from(c);
    match product.a {
        Element::F16 | Element::Bf16 => {
            let f = if product.a == Element::F16 { F16 } else { BF16 };
            let (adder, at_once) = if layout.gfx12 { (Adder::Gfx12, 4) } else { (Adder::Gfx11, 2) };
            let steps = a.chunks(at_once).zip(b.chunks(at_once));
            steps.fold(c, |c, (a, b)| {
                let mut products = [(0, 0); 4];
                for ((to, a), b) in products.iter_mut().zip(a).zip(b) {
                    *to = (u64::from(*a), u64::from(*b));
                }
                let products = &products[..at_once];
                match product.sum {
                    Element::F32 => soft::dot_f32(adder, f, products, c),
                    _ => soft::dot_packed(adder, f, products, c, false),
                }
            }) as u32
        }
        Element::Fp8 | Element::Bf8 => {
            let four = |v: &[u32]| std::array::from_fn(|i| v[i] as u8);
            let steps = a.chunks(4).zip(b.chunks(4));
            steps.fold(c, |c, (a, b)| soft::dot4_fp8((product.a.fp8(), four(a)), (product.b.fp8(), four(b)), c)) as u32
        }
        _ => {
            let bits = product.a.bits();
            let number = |source: u32, v: u32| {
                let negative =
                    modifiers.negates(source, 0) && v >> (bits - 1) & 1 != 0 && !planted!(MatrixIntegersUnsigned);
                i64::from(v) - if negative { 1 << bits } else { 0 }
            };
            let products = a.iter().zip(b).map(|(a, b)| number(0, *a) * number(1, *b));
            let sum = i64::from(c as u32 as i32) + products.sum::<i64>();
            let clamped = sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
            (if modifiers.clamps() && !planted!(MatrixClampIgnored) { clamped } else { sum }) as u32
        }
    }
}
