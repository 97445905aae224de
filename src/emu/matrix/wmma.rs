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
//! NEG_LO and NEG_HI negate even and odd elements of A and B; of C they are the sign and the absolute value. For integers NEG_LO
//! says that A or B is signed.

use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::{Run, Step};
use crate::emu::soft::{self, Adder, BF16, F16, F32, Format, Fp8};
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Element, Product};
use crate::program::place::file as place;
use crate::program::{self, Modifiers};

impl Element {
    const fn bits(self) -> u32 {
        match self {
            Element::F32 | Element::I32 => 32,
            Element::F16 | Element::Bf16 => 16,
            Element::I8 | Element::Fp8 | Element::Bf8 => 8,
            Element::I4 => 4,
        }
    }

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

/// The function of a product. What is multiplied its row says.
pub(in crate::emu) fn run(step: &program::Step) -> Run {
    if step.dst == place::NOWHERE { skip } else { multiply }
}

fn skip(_: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    step.next
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

/// `bits` of a register's lane, from bit `first` on.
fn field(wave: &Wave, at: u32, register: u32, lane: u32, first: u32, bits: u32) -> u32 {
    let word = wave.file[(at + register * STRIDE as u32 + lane) as usize].get();
    word >> first & (u32::MAX >> (32 - bits))
}

fn multiply(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let Some(Does::Product(product)) = step.row.map(|row| row.does) else { return step.next };
    let modifiers = Modifiers(step.imm);
    let layout = Layout { gfx12: wave.env.target.generation() >= Gen::Gfx12, wide: wave.lanes == 64 };
    let mut results = Vec::with_capacity(256);
    for i in 0..16 {
        let (group, element) = layout.result(i);
        let (register, first) = layout.place(product.sum, element, modifiers);
        for j in 0..16 {
            let lane = 16 * group + j;
            let row = |n: usize, kind: Element, index: u32| {
                let bits = kind.bits();
                let mut all = [0; 32];
                for k in 0..product.depth {
                    let (group, element) = layout.source(bits, product.depth, group, k);
                    let (register, first) = (element * bits / 32, element * bits % 32);
                    let v = field(wave, step.src[n], register, 16 * group + index, first, bits);
                    let negate = kind.format().filter(|_| modifiers.negates(n as u32, element & 1));
                    all[k as usize] = v ^ negate.map_or(0, |_| 1 << (bits - 1));
                }
                all
            };
            let (a, b) = (row(0, product.a, i), row(1, product.b, j));
            let c = accumulator(wave, step, product.sum, (register, lane, first));
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

/// An element of C: absolute value, then sign.
fn accumulator(wave: &Wave, step: &Step, result: Element, (register, lane, first): (u32, u32, u32)) -> u32 {
    let at = step.src[2];
    let bits = result.bits();
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
    let depth = product.depth as usize;
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
