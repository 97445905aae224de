//! Products of CDNA: D = A * B + C, of one or of several blocks, in waves of 64. EXEC has no say, nor has the mode register.
//!
//! Where elements lie says [`Cdna`], how they are added [`Core`]. A lane may take A and B from other lanes than its own (CBSZ, ABID and BLGP); f64 of
//! gfx940 has signs there instead.

use super::{indices, kept};
use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::soft::fused::{self, COLUMNS, Core, Kind, Row};
use crate::emu::soft::{BF16, F16, Fp8};
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::Target;
use crate::isa::does::{Does, Element, Product};
use crate::program::{Adder, Cdna, Modifiers, Redirect};
use std::cell::Cell;
use std::slice;

/// What makes the sums of a product; nothing of f64.
fn core(product: &Product, on: &Target) -> Option<Core> {
    let kind = |element| match element {
        Element::F16 => Kind::Half(F16),
        Element::Bf16 => Kind::Half(BF16),
        Element::Fp8 => Kind::Small(Fp8::E4m3Fnuz),
        Element::Bf8 => Kind::Small(Fp8::E5m2Fnuz),
        _ => Kind::Xf32,
    };
    let half = if product.a == Element::F16 { F16 } else { BF16 };
    Some(match Adder::of(product, on) {
        Adder::Chain if product.a == Element::F64 => return None,
        Adder::Chain => Core::Chain,
        Adder::Exact(at_once) => Core::Exact(half, at_once as usize),
        Adder::Flushing(at_once) => Core::Flushing(half, at_once as usize),
        Adder::Cut(at_once) => Core::Cut(kind(product.a), kind(product.b), at_once as usize),
        Adder::Integers => Core::Bytes,
    })
}

/// The words of a register, from a lane on.
#[inline(always)]
fn lanes(wave: &Wave, at: u32, register: u32, first: u32) -> &[Cell<u32>] {
    &wave.file[(at + register * STRIDE as u32) as usize..][first as usize..STRIDE]
}

/// A matrix as the lanes have it, by `k`, then by row of A or column of B; `word` is the half of what has 64 bits. The sign bit is changed where the
/// instruction says so.
#[inline(always)]
fn matrix(
    wave: &Wave,
    step: &Step,
    product: &Product,
    (source, word): (usize, u32),
    block: u32,
    from: Redirect,
) -> Vec<Row<u32>> {
    let layout = Cdna::of(product);
    let (kind, depth) = [(product.a, product.kept()), (product.b, product.depth)][source];
    let (bits, at) = (kind.bits().min(32), step.src[source]);
    let last = word + 1 == kind.bits().div_ceil(32);
    let sign = if last && Modifiers(step.imm).negates(source as u32, 0) { 1 << (bits - 1) } else { 0 };
    let mut all = vec![[0; COLUMNS]; depth as usize];
    for (k, row) in (0..).zip(&mut all) {
        let (first, number) = layout.source(depth, k);
        let first = first + layout.row(block, 0);
        let (register, shift) = (number * kind.bits() / 32 + word, number * bits % 32);
        let factor = |cell: &Cell<u32>| (cell.get() >> shift & u32::MAX >> (32 - bits)) ^ sign;
        if from == Redirect::NONE {
            let cells = &lanes(wave, at, register, first)[..product.size as usize];
            for (to, cell) in row.iter_mut().zip(cells) {
                *to = factor(cell);
            }
        } else {
            let cells = lanes(wave, at, register, 0);
            let lanes = (first..first + product.size).map(|lane| from.of(lane) as usize);
            row.iter_mut().zip(lanes).for_each(|(to, lane)| *to = factor(&cells[lane]));
        }
    }
    all
}

/// The numbers of the rows of B that belong to the elements of a row of A that are there.
fn chosen(wave: &Wave, step: &Step, product: &Product, i: u32) -> Vec<usize> {
    let (layout, depth) = (Cdna::of(product), product.kept());
    let of_lane = layout.of_lane(depth);
    let row = |n: u32| {
        let (lanes, e) = layout.source(depth, n);
        kept(indices(wave, step, of_lane, lanes + layout.row(0, i)), n, e) as usize
    };
    (0..depth).map(row).collect()
}

/// A product with the vector instructions of the level.
pub(super) fn product(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    wave.level.run(
        #[inline(always)]
        || all_blocks(wave, step),
    );
    step.next
}

/// Every block, with sums of 32 bits, or chains of f64. D is written when all sums are made, since it may lie where A, B or C do.
#[inline(always)]
fn all_blocks(wave: &Wave, step: &Step) {
    let Some(Does::Product(product)) = step.row.map(|row| row.does) else { return };
    let (product, core) = (&product, core(&product, &wave.env.target));
    let modifiers = Modifiers(step.imm);
    let layout = Cdna::of(product);
    let (size, words) = (product.size as usize, product.sum.bits() as usize / 32);
    let from = |own: bool, of: Redirect| if product.sparse || own { Redirect::NONE } else { of };
    let of_a = from(planted!(MatrixBlocksOwn), modifiers.of_a(product.size));
    let of_b = from(planted!(MatrixLanesOwn), modifiers.of_b());
    // C: a constant, or registers as those of D, which are C themselves where A is sparse.
    let at = if product.sparse { step.dst } else { step.src[2] };
    let constant = at >= file::CONSTANTS;
    let sign = if !product.sparse && modifiers.negates(2, 0) { 1 << 31 } else { 0 };
    // The sums of a row lie side by side.
    let place = |block: u32, i: u32| {
        let row = if planted!(MatrixRunsTogether) { i ^ 4 & (product.size - 1) } else { i };
        layout.place(block, row, 0)
    };
    let mut places = Vec::with_capacity(size * product.blocks as usize);
    for block in 0..product.blocks {
        for i in 0..product.size {
            places.push(place(block, i));
        }
    }
    // What becomes the sums: C.
    let mut results = vec![[0; COLUMNS]; words * places.len()];
    for (rows, (number, lane)) in results.chunks_exact_mut(words).zip(&places) {
        for (word, row) in (0..).zip(rows) {
            let register = if constant { word } else { number * words as u32 + word };
            let sign = if word as usize + 1 == words { sign } else { 0 };
            fill(row, &lanes(wave, at, register, *lane)[..size], sign);
        }
    }
    for (block, sums) in (0..).zip(results.chunks_exact_mut(words * size)) {
        let a = matrix(wave, step, product, (0, 0), block, of_a);
        let b = matrix(wave, step, product, (1, 0), block, of_b);
        let Some(core) = core else {
            let a = wide(&a, &matrix(wave, step, product, (0, 1), block, of_a));
            let b = wide(&b, &matrix(wave, step, product, (1, 1), block, of_b));
            for (i, [low, high]) in sums.as_chunks_mut().0.iter_mut().enumerate() {
                let mut sums = wide(&[*low], &[*high])[0];
                fused::chain_f64(&a, i, &b, &mut sums);
                [*low, *high] = [0, 32].map(|shift| sums.map(|sum| (sum >> shift) as u32));
            }
            continue;
        };
        let (a, b) = (core.factors(false, a, size), core.factors(true, b, size));
        if product.sparse {
            // Each row of A chooses from the rows of B.
            for (i, sums) in (0..).zip(sums) {
                let b = b.chosen(&chosen(wave, step, product, i));
                core.add(&a, i as usize, &b, slice::from_mut(sums));
            }
        } else {
            core.add(&a, 0, &b, sums);
        }
    }
    for (rows, (number, lane)) in results.chunks_exact(words).zip(&places) {
        for (word, row) in (0..).zip(rows) {
            let cells = &lanes(wave, step.dst, number * words as u32 + word, *lane)[..size];
            for (cell, sum) in cells.iter().zip(row) {
                cell.set(*sum);
            }
        }
    }
}

/// Fills a row with the words of some lanes, with signs that are changed.
#[inline(always)]
fn fill(row: &mut Row<u32>, cells: &[Cell<u32>], sign: u32) {
    for (to, cell) in row.iter_mut().zip(cells) {
        *to = cell.get() ^ sign;
    }
}

/// Lower and upper words as numbers.
#[inline(always)]
fn wide(low: &[Row<u32>], high: &[Row<u32>]) -> Vec<Row<u64>> {
    let mut all = vec![[0; COLUMNS]; low.len()];
    for (row, (low, high)) in all.iter_mut().zip(low.iter().zip(high)) {
        for (to, (low, high)) in row.iter_mut().zip(low.iter().zip(high)) {
            *to = u64::from(*low) | u64::from(*high) << 32;
        }
    }
    all
}
