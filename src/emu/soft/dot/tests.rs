//! Rows of sums against sums that are made one by one in integers.

use super::rows::{COLUMNS, DEPTH, Factors, IN_ORDER, Line, Order, Row, Sums};
use super::{Adder, BF16, F16, Fp8, dot_f32, dot_packed, dot4_fp8};
use crate::emu::kernel::Level;
use crate::emu::soft::draw::Draw;
use crate::emu::soft::fused::Kind;
use crate::emu::step::step;

/// Bits of exponent and fraction.
type Shape = (u32, u32);

/// Around which field exponents lie, how far to both sides, and how many of a hundred numbers are anything.
#[derive(Clone, Copy)]
struct Spread {
    middle: u32,
    reach: u32,
    odd_ones: u32,
}

impl Spread {
    fn any(draw: &mut Draw, (exp, _): Shape) -> Spread {
        let last = (1 << exp) - 1;
        Spread {
            middle: draw.below(last),
            reach: draw.below(2 + last / 2),
            odd_ones: [0, 0, 2, 30][draw.below(4) as usize],
        }
    }

    fn number(self, draw: &mut Draw, (exp, man): Shape) -> u32 {
        let (last, fraction) = ((1 << exp) - 1, draw.next() as u32 & ((1 << man) - 1));
        let sign = draw.below(2) << (exp + man);
        if draw.below(100) >= self.odd_ones {
            let field = (self.middle + draw.below(2 * self.reach + 1)).saturating_sub(self.reach).min(last - 1);
            // Few bits leave sums that are ties, or nothing.
            let fraction = if draw.below(3) == 0 { fraction >> (man - 1) << (man - 1) } else { fraction };
            return sign | field << man | fraction;
        }
        match draw.below(6) {
            0 | 1 => sign,
            2 => sign | fraction,
            3 => sign | last << man,
            4 => sign | last << man | fraction,
            _ => sign | (last - 1) << man | ((1 << man) - 1),
        }
    }
}

fn shape(kind: Kind) -> Shape {
    match kind {
        Kind::Half(f) => (f.exp, f.man),
        Kind::Small(fp8) => (fp8.format().exp, fp8.format().man),
        Kind::Xf32 => (8, 23),
    }
}

/// A sum, step by step.
fn one(adder: Adder, kinds: [Kind; 2], packed: bool, a: &[u32], b: &[u32], c: u32) -> u32 {
    let at_once = if adder == Adder::Gfx11 { 2 } else { 4 };
    let steps = a.chunks(at_once).zip(b.chunks(at_once));
    steps.fold(u64::from(c), |c, (a, b)| {
        let products: Vec<_> = a.iter().zip(b).map(|(a, b)| (u64::from(*a), u64::from(*b))).collect();
        let four = |v: &[u32]| std::array::from_fn(|i| v[i] as u8);
        match kinds {
            [Kind::Small(k), Kind::Small(l)] => dot4_fp8((k, four(a)), (l, four(b)), c),
            [Kind::Half(f), _] if packed => dot_packed(adder, f, &products, c, false),
            [Kind::Half(f), _] => dot_f32(adder, f, &products, c),
            _ => c,
        }
    }) as u32
}

fn compare(adder: Adder, kinds: [Kind; 2], packed: bool, trials: usize, seed: u64) {
    let mut draw = Draw::new(seed);
    let sums = Sums::new(adder, kinds, packed);
    let sum_shape = if packed { shape(kinds[0]) } else { (8, 23) };
    for trial in 0..trials {
        let spreads = kinds.map(|kind| Spread::any(&mut draw, shape(kind)));
        let mut c_spread = Spread::any(&mut draw, sum_shape);
        if trial % 2 == 0 && !packed {
            // About as large as the products.
            let middle = (0..2).map(|n| spreads[n].middle as i32 - (1 << (shape(kinds[n]).0 - 1)) + 1).sum::<i32>();
            c_spread = Spread { middle: (middle + 127).clamp(0, 254) as u32, reach: draw.below(30), ..c_spread };
        }
        let depth = [4, 8, 16, 32][draw.below(4) as usize];
        let [a, b] = [0, 1].map(|n| -> Vec<Row<u32>> {
            let kind = shape(kinds[n]);
            (0..depth).map(|_| [0; COLUMNS].map(|_| spreads[n].number(&mut draw, kind))).collect()
        });
        let c = [[0; COLUMNS]; COLUMNS].map(|row| row.map(|_: u32| c_spread.number(&mut draw, sum_shape)));
        let mut order: Order = IN_ORDER;
        if trial % 3 == 0 {
            for k in &mut order[..depth.min(DEPTH)] {
                *k = draw.below(depth as u32) as u8;
            }
        }
        for level in Level::all() {
            let mut lines: Vec<_> = c.iter().zip(0..).map(|(&sums, row)| Line { row, order: &order, sums }).collect();
            level.run(
                #[inline(always)]
                || {
                    let (mut of_a, mut of_b) = (Factors::NONE, Factors::NONE);
                    sums.take(0, &a, &mut of_a);
                    sums.take(1, &b, &mut of_b);
                    sums.add(&of_a, &of_b, &mut lines);
                },
            );
            for (i, line) in lines.iter().enumerate() {
                for j in 0..COLUMNS {
                    let column = |rows: &[Row<u32>], at: usize| rows.iter().map(|row| row[at]).collect::<Vec<_>>();
                    let chosen: Vec<_> = (0..depth).map(|k| b[usize::from(order[k])][j]).collect();
                    let row = column(&a, i);
                    let want = one(adder, kinds, packed, &row, &chosen, c[i][j]);
                    let name = level.name();
                    assert_eq!(line.sums[j], want, "{name} {sums:?} {row:x?} {chosen:x?} {:#x}", c[i][j]);
                }
            }
        }
    }
}

/// Trials of a plain run.
const SOME: usize = 150;

/// Trials of one that takes minutes; `STEP` leaves some out, but for ten times those of a plain run.
fn many() -> usize {
    (20_000 / step()).max(10 * SOME)
}

fn halves(adder: Adder, seed: u64, trials: usize) {
    for kinds in [F16, BF16].map(|f| [Kind::Half(f); 2]) {
        for packed in [false, true] {
            compare(adder, kinds, packed, trials, seed);
        }
    }
}

fn bytes(trials: usize) {
    let small = [Kind::Small(Fp8::E4m3), Kind::Small(Fp8::E5m2)];
    for kinds in [[0, 0], [0, 1], [1, 0], [1, 1]].map(|of| of.map(|n| small[n])) {
        compare(Adder::Gfx12, kinds, false, trials, 13);
    }
}

#[test]
fn some() {
    halves(Adder::Gfx11, 11, SOME);
    halves(Adder::Gfx12, 12, SOME);
    bytes(SOME);
}

// Apart, so that they run at once.

#[test]
#[ignore = "takes minutes"]
fn many_halves_of_gfx11() {
    halves(Adder::Gfx11, 11, many());
}

#[test]
#[ignore = "takes minutes"]
fn many_halves_of_gfx12() {
    halves(Adder::Gfx12, 12, many());
}

#[test]
#[ignore = "takes minutes"]
fn many_bytes() {
    bytes(many());
}
