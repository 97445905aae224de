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
//! All results of a group that has its own copies are made together ([`Sums`]), row by row; on gfx12 all that there are.
//!
//! NEG_LO and NEG_HI negate even and odd elements of A and B; of C they are the sign and the absolute value. For integers NEG_LO
//! says that A or B is signed.

use super::{indices, kept};
use crate::each::each;
use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::soft::dot::rows::{COLUMNS, DEPTH, Factors, IN_ORDER, Line, Order, Row, Sums};
use crate::emu::soft::fused::Kind;
use crate::emu::soft::{Adder, BF16, F16, Fp8};
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Element, Product};
use crate::program::Modifiers;
use std::cell::Cell;

impl Element {
    /// What kind of a float a factor is, if it is one.
    fn float(self) -> Option<Kind> {
        match self {
            Element::F16 => Some(Kind::Half(F16)),
            Element::Bf16 => Some(Kind::Half(BF16)),
            Element::Fp8 => Some(Kind::Small(Fp8::E4m3)),
            Element::Bf8 => Some(Kind::Small(Fp8::E5m2)),
            _ => None,
        }
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

    /// Where a group has an element of the result.
    fn place(self, result: Element, (group, element): (u32, u32), modifiers: Modifiers) -> Place {
        let bits = result.bits();
        if bits == 16 && !self.gfx12 {
            let first = if modifiers.high() && !planted!(MatrixHalfLow) { 16 } else { 0 };
            return Place { register: element, group, first, bits };
        }
        Place::of(bits, (group, element))
    }
}

/// A row of elements: those of sixteen lanes, of so many bits.
#[derive(Clone, Copy)]
struct Place {
    register: u32,
    group: u32,
    first: u32,
    bits: u32,
}

impl Place {
    /// Where a lane of a group has element `element` of so many bits.
    fn of(bits: u32, (group, element): (u32, u32)) -> Place {
        Place { register: element * bits / 32, group, first: element * bits % 32, bits }
    }

    #[inline(always)]
    fn cells(self, wave: &Wave, at: u32) -> &[Cell<u32>] {
        let first = (at + self.register * STRIDE as u32 + 16 * self.group) as usize;
        &wave.file[first..first + COLUMNS]
    }

    fn mask(self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    #[inline(always)]
    fn read(self, wave: &Wave, at: u32) -> Row<u32> {
        let mut row = [0; COLUMNS];
        for (to, cell) in row.iter_mut().zip(self.cells(wave, at)) {
            *to = cell.get() >> self.first & self.mask();
        }
        row
    }

    #[inline(always)]
    fn write(self, wave: &Wave, at: u32, row: &Row<u32>) {
        let mask = self.mask() << self.first;
        let cells = self.cells(wave, at);
        // Words of their own: of cells the compiler does not know whether they are the row.
        let mut words = *row;
        for (word, cell) in words.iter_mut().zip(cells) {
            *word = cell.get() & !mask | *word << self.first & mask;
        }
        for (cell, word) in cells.iter().zip(&words) {
            cell.set(*word);
        }
    }
}

/// The most rows of B.
const ROWS: usize = 2 * DEPTH;

/// The words of a matrix, by `k`.
struct Matrix {
    depth: usize,
    rows: [Row<u32>; ROWS],
}

impl Matrix {
    const NONE: Matrix = Matrix { depth: 0, rows: [[0; COLUMNS]; ROWS] };

    /// Becomes what the lanes have, from where its elements lie; signs are changed where the instruction says so.
    #[inline(always)]
    fn read(
        &mut self,
        wave: &Wave,
        step: &Step,
        source: usize,
        (kind, depth): (Element, u32),
        place: impl Fn(u32) -> (u32, u32),
    ) {
        let bits = kind.bits();
        self.depth = (depth as usize).min(ROWS);
        for (k, row) in (0..depth).zip(&mut self.rows) {
            let (group, element) = place(k);
            let negate = bits == 16 && Modifiers(step.imm).negates(source as u32, element & 1);
            let sign = if negate { 1 << (bits - 1) } else { 0 };
            *row = each(&Place::of(bits, (group, element)).read(wave, step.src[source]), |v| v ^ sign);
        }
    }

    #[inline(always)]
    fn rows(&self) -> &[Row<u32>] {
        &self.rows[..self.depth.min(ROWS)]
    }

    /// Integers of so many bits become words: NEG_LO says that they have signs.
    #[inline(always)]
    fn widen(&mut self, modifiers: Modifiers, source: u32, bits: u32) {
        let signed = modifiers.negates(source, 0) && !planted!(MatrixIntegersUnsigned);
        let up = if signed { 32 - bits } else { 0 };
        for v in self.rows[..self.depth.min(ROWS)].as_flattened_mut() {
            *v = ((*v << up) as i32 >> up) as u32;
        }
    }
}

/// Which rows of B belong to the elements of each row of a sparse A, of which there are so many at these places.
fn orders(wave: &Wave, step: &Step, depth: u32, place: impl Fn(u32) -> (u32, u32)) -> [Order; COLUMNS] {
    let of_lane = 1 + (0..depth).map(|n| place(n).1).max().unwrap_or(0);
    let mut orders = [IN_ORDER; COLUMNS];
    for n in 0..depth {
        let (group, element) = place(n);
        for (lane, order) in (16 * group..).zip(&mut orders) {
            order[n as usize % DEPTH] = kept(indices(wave, step, of_lane, lane), n, element) as u8;
        }
    }
    orders
}

/// A product with the vector instructions of the level.
pub(super) fn product(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    wave.level.run(
        #[inline(always)]
        || multiply(wave, step),
    );
    step.next
}

/// Floats or integers.
#[inline(always)]
fn multiply(wave: &Wave, step: &Step) {
    let Some(Does::Product(product)) = step.row.map(|row| row.does) else { return };
    let gfx12 = wave.env.target.generation() >= Gen::Gfx12;
    if let Some((a, b)) = product.a.float().zip(product.b.float()) {
        let adder = if gfx12 { Adder::Gfx12 } else { Adder::Gfx11 };
        let sums = Sums::new(adder, [a, b], product.sum != Element::F32);
        let (mut of_a, mut of_b) = (Factors::NONE, Factors::NONE);
        each_group(
            wave,
            step,
            &product,
            #[inline(always)]
            |a, b, lines| {
                sums.take(0, a.rows(), &mut of_a);
                sums.take(1, b.rows(), &mut of_b);
                sums.add(&of_a, &of_b, lines);
            },
        );
    } else {
        let (modifiers, bits) = (Modifiers(step.imm), product.a.bits());
        each_group(
            wave,
            step,
            &product,
            #[inline(always)]
            |a, b, lines| {
                a.widen(modifiers, 0, bits);
                b.widen(modifiers, 1, bits);
                add_integers(a, b, modifiers, lines);
            },
        );
    }
}

/// Has the sums of each group that has matrices of its own added to its accumulators. D is written when all are made, since it may lie where A,
/// B or C do.
#[inline(always)]
fn each_group(
    wave: &Wave,
    step: &Step,
    product: &Product,
    mut add: impl FnMut(&mut Matrix, &mut Matrix, &mut [Line<'_>]),
) {
    let layout = Layout { gfx12: wave.env.target.generation() >= Gen::Gfx12, wide: wave.lanes == 64 };
    let (bits, depth) = (product.a.bits(), product.kept());
    let groups = if layout.gfx12 { 1 } else { wave.lanes / 16 };
    // Sparse ones are of gfx12 alone, where all is in one group.
    let orders = if product.sparse {
        orders(wave, step, depth, |k| layout.source(bits, depth, 0, k))
    } else {
        [IN_ORDER; COLUMNS]
    };
    let mut lines = [Line { row: 0, order: &IN_ORDER, sums: [0; COLUMNS] }; COLUMNS];
    let mut places = [Place::of(32, (0, 0)); COLUMNS];
    let (mut a, mut b) = (Matrix::NONE, Matrix::NONE);
    let mut count = 0;
    for own in 0..groups {
        let first = count;
        // The rows of which this group has the results.
        for (i, order) in (0..).zip(&orders) {
            let (group, element) = layout.result(i);
            if layout.gfx12 || group == own {
                let place = layout.place(product.sum, (group, element), Modifiers(step.imm));
                places[count] = place;
                lines[count] = Line { row: i as usize, order, sums: accumulators(wave, step, product, place) };
                count += 1;
            }
        }
        let source = |k| layout.source(bits, depth, own, k);
        a.read(wave, step, 0, (product.a, depth), source);
        if product.sparse {
            let partner = |k| layout.partner(bits, product.depth, own, k);
            b.read(wave, step, 1, (product.b, product.depth), partner);
        } else {
            b.read(wave, step, 1, (product.b, depth), source);
        }
        add(&mut a, &mut b, &mut lines[first..count]);
    }
    for (place, line) in places.iter().zip(&lines) {
        place.write(wave, step.dst, &line.sums);
    }
}

/// A row of C: absolute values, then signs. Where A is sparse it is that of D, as it is.
#[inline(always)]
fn accumulators(wave: &Wave, step: &Step, product: &Product, place: Place) -> Row<u32> {
    if product.sparse {
        return place.read(wave, step.dst);
    }
    let at = step.src[2];
    let constant = at >= file::CONSTANTS;
    let c = if constant { Place { register: 0, first: 0, ..place } } else { place }.read(wave, at);
    let modifiers = Modifiers(step.imm);
    if product.sum == Element::I32 {
        return c;
    }
    let sign = 1 << (place.bits - 1);
    let keep = if modifiers.negates(2, 1) { !sign } else { u32::MAX };
    let turn = if modifiers.negates(2, 0) { sign } else { 0 };
    each(&c, |c| c & keep ^ turn)
}

/// The products of integers are so small that their sum is exact.
///
/// The loop over the lines is the inner one: of one over `k` the compiler makes vectors of elements that it has to gather.
#[inline(always)]
fn add_integers(a: &Matrix, b: &Matrix, modifiers: Modifiers, lines: &mut [Line<'_>]) {
    let mut all = [[0u32; COLUMNS]; COLUMNS];
    for (k, a) in a.rows().iter().enumerate() {
        for (line, sums) in lines.iter().zip(&mut all) {
            let (a, b) = (a[line.row.min(COLUMNS - 1)], &b.rows[usize::from(line.order[k % DEPTH]) % ROWS]);
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = sum.wrapping_add(a.wrapping_mul(*b));
            }
        }
    }
    let clamps = modifiers.clamps() && !planted!(MatrixClampIgnored);
    for (line, sums) in lines.iter_mut().zip(&all) {
        for (c, sum) in line.sums.iter_mut().zip(sums) {
            let clamped = (*c as i32).saturating_add(*sum as i32) as u32;
            *c = if clamps { clamped } else { c.wrapping_add(*sum) };
        }
    }
}
