//! Products of CDNA: D = A * B + C, of one or of several blocks, in waves of 64. EXEC has no say, nor has the mode register.
//!
//! Where elements lie says [`Cdna`], how they are added [`Core`]. A lane may take A and B from other lanes than its own (CBSZ, ABID and BLGP); f64 of
//! gfx940 has signs there instead.

use super::{field, indices, kept};
use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::soft::fused::{Core, Kind};
use crate::emu::soft::{BF16, F16, F32, F64, Fp8};
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::does::{Does, Element, Product};
use crate::isa::{Target, Variants};
use crate::program::{Cdna, Modifiers, Redirect};

/// How a product is added up on a processor.
fn core(product: &Product, on: Target, row: &str) -> Core {
    let half = |f| match () {
        () if on.is(Variants::G908) => Core::Exact(f, if f == F16 { 4 } else { 2 }),
        // bf16 in one register instead of two is that of gfx908 still.
        () if on.is(Variants::G90A) => Core::Flushing(f, if f == F16 || row.ends_with("_1k") { 4 } else { 2 }),
        () => Core::Cut(Kind::Half(f), Kind::Half(f), 8),
    };
    let small = |element| Kind::Small(if element == Element::Bf8 { Fp8::E5m2Fnuz } else { Fp8::E4m3Fnuz });
    match product.a {
        Element::F64 => Core::Chain(F64),
        Element::F32 => Core::Chain(F32),
        Element::Xf32 => Core::Cut(Kind::Xf32, Kind::Xf32, 4),
        Element::F16 => half(F16),
        Element::Bf16 => half(BF16),
        Element::Fp8 | Element::Bf8 => Core::Cut(small(product.a), small(product.b), 16),
        Element::I32 | Element::I8 | Element::I4 => Core::Bytes,
    }
}

/// An element of a lane, of so many bits.
fn element(wave: &Wave, at: u32, lane: u32, number: u32, bits: u32) -> u64 {
    if bits == 64 {
        let half = |n| u64::from(field(wave, at, 2 * number + n, lane, 0, 32));
        return half(0) | half(1) << 32;
    }
    let first = number * bits;
    u64::from(field(wave, at, first / 32, lane, first % 32, bits))
}

/// A matrix of factors as the lanes have it, by `k`, then by row of A or column of B. The sign bit is changed where the instruction says so.
fn matrix(wave: &Wave, step: &Step, product: &Product, source: usize, block: u32, from: Redirect) -> Vec<u64> {
    let layout = Cdna::of(product);
    let (kind, depth) = [(product.a, product.kept()), (product.b, product.depth)][source];
    let bits = kind.bits();
    let sign = if Modifiers(step.imm).negates(source as u32, 0) { 1 << (bits - 1) } else { 0 };
    let mut all = Vec::with_capacity((depth * product.size) as usize);
    for k in 0..depth {
        let (lanes, number) = layout.source(depth, k);
        let lanes = (0..product.size).map(|i| from.of(lanes + layout.row(block, i)));
        all.extend(lanes.map(|lane| element(wave, step.src[source], lane, number, bits) ^ sign));
    }
    all
}

/// The rows of B that belong to the elements of a row of A that are there.
fn chosen(wave: &Wave, step: &Step, product: &Product, i: u32, b: &[u64]) -> Vec<u64> {
    let (layout, depth, size) = (Cdna::of(product), product.kept(), product.size as usize);
    let of_lane = layout.of_lane(depth);
    let row = |n: u32| {
        let (lanes, e) = layout.source(depth, n);
        kept(indices(wave, step, of_lane, lanes + layout.row(0, i)), n, e) as usize * size
    };
    (0..depth).flat_map(|n| b[row(n)..][..size].iter().copied()).collect()
}

/// An element of C, of 32 or 64 bits: a constant, or a register like the one of D, which is C itself where A is sparse.
fn accumulator(wave: &Wave, step: &Step, product: &Product, (number, lane): (u32, u32)) -> u64 {
    let at = if product.sparse { step.dst } else { step.src[2] };
    let bits = product.sum.bits();
    let number = if at >= file::CONSTANTS { 0 } else { number };
    let sign = if !product.sparse && Modifiers(step.imm).negates(2, 0) { 1 << (bits - 1) } else { 0 };
    element(wave, at, lane, number, bits) ^ sign
}

pub(super) fn multiply(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let Some(row) = step.row else { return step.next };
    let Does::Product(product) = row.does else { return step.next };
    let modifiers = Modifiers(step.imm);
    let layout = Cdna::of(&product);
    let core = core(&product, wave.env.target, row.name);
    let (size, depth) = (product.size as usize, product.kept() as usize);
    let from = |own: bool, of: Redirect| if product.sparse || own { Redirect::NONE } else { of };
    let of_a = from(planted!(MatrixBlocksOwn), modifiers.of_a(product.size));
    let of_b = from(planted!(MatrixLanesOwn), modifiers.of_b());
    let mut results = Vec::with_capacity(64 * layout.results() as usize);
    for block in 0..product.blocks {
        let a = matrix(wave, step, &product, 0, block, of_a);
        let b = matrix(wave, step, &product, 1, block, of_b);
        let a = core.factors(false, depth, size, a);
        let dense = (!product.sparse).then(|| core.factors(true, depth, size, b.clone()));
        for i in 0..product.size {
            let row = if planted!(MatrixRunsTogether) { i ^ 4 & (product.size - 1) } else { i };
            let places = || (0..product.size).map(move |j| layout.place(block, row, j));
            let mut sums: Vec<u64> = places().map(|at| accumulator(wave, step, &product, at)).collect();
            match &dense {
                Some(b) => core.add(&a, i as usize, b, &mut sums),
                None => {
                    let b = core.factors(true, depth, size, chosen(wave, step, &product, i, &b));
                    core.add(&a, i as usize, &b, &mut sums);
                }
            }
            results.extend(places().zip(sums));
        }
    }
    let words = product.sum.bits() / 32;
    for ((number, lane), v) in results {
        for word in 0..words {
            let cell = &wave.file[(step.dst + (number * words + word) * STRIDE as u32 + lane) as usize];
            cell.set((v >> (32 * word)) as u32);
        }
    }
    step.next
}
