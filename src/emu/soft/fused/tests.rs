//! Rows of sums against sums that are made one by one in integers, as the models have them.

use super::cut::tests::one_cut;
use super::exact::tests::one_exact;
use super::{BF16, COLUMNS, Core, F16, Fp8, Kind, Row};
use crate::emu::kernel::Level;
use crate::emu::soft::draw::Draw;

/// How a float is laid out: bits of exponent and fraction.
fn shape(kind: Kind) -> (u32, u32) {
    match kind {
        Kind::Half(f) => (f.exp, f.man),
        Kind::Xf32 => (8, 23),
        Kind::Small(fp8) => (fp8.format().exp, fp8.format().man),
    }
}

/// How exponents of a trial lie: around one of their fields, so far to both sides; and how many of
/// a hundred numbers are none such.
#[derive(Clone, Copy)]
struct Spread {
    middle: u32,
    reach: u32,
    odd_ones: u32,
}

/// A number of a spread, or an edge.
fn number(draw: &mut Draw, (exp, man): (u32, u32), spread: Spread) -> u32 {
    let (last, fraction) = ((1 << exp) - 1, draw.next() as u32 & ((1 << man) - 1));
    let sign = draw.below(2) << (exp + man);
    if draw.below(100) >= spread.odd_ones {
        let field = (spread.middle + draw.below(2 * spread.reach + 1)).saturating_sub(spread.reach).clamp(1, last - 1);
        // Few bits leave sums that are ties, or nothing.
        let fraction = if draw.below(3) == 0 { fraction >> (man - 1) << (man - 1) } else { fraction };
        return sign | field << man | fraction;
    }
    match draw.below(8) {
        0 | 1 => sign,
        2 => sign | fraction,
        3 => sign | 1,
        4 => sign | last << man,
        5 => sign | last << man | fraction,
        6 => sign | (last - 1) << man | ((1 << man) - 1),
        _ => draw.next() as u32 & (u32::MAX >> (31 - exp - man)),
    }
}

/// Compares rows of sums with single ones, for spreads of all kinds.
fn compare(core: Core, kinds: [Kind; 2], one: impl Fn(&[u32], &[u32], u32) -> u32) {
    let mut draw = Draw::new(core_seed(core));
    for trial in 0..400 {
        let spreads = kinds.map(|kind| {
            let last = (1 << shape(kind).0) - 1;
            let odd_ones = [0, 0, 3, 30][draw.below(4) as usize];
            Spread { middle: 1 + draw.below(last - 1), reach: draw.below(2 + last / 2), odd_ones }
        });
        let columns = [4, 16, 32][trial % 3];
        let depth = [4, 8, 16, 32][draw.below(4) as usize];
        let [mut a, mut b] = [0, 1].map(|n| -> Vec<Row<u32>> {
            (0..depth).map(|_| [0; COLUMNS].map(|_| number(&mut draw, shape(kinds[n]), spreads[n]))).collect()
        });
        // Pairs that leave nothing.
        if trial % 5 == 0 {
            let (exp, man) = shape(kinds[1]);
            for k in (0..depth).step_by(4) {
                (a[k + 2], b[k + 2]) = (a[k], b[k].map(|bits| bits ^ 1 << (exp + man)));
            }
        }
        let biases = spreads.iter().zip(kinds).map(|(spread, kind)| spread.middle as i32 - (1 << (shape(kind).0 - 1)));
        let middle = (127 + biases.sum::<i32>()).clamp(0, 254) as u32;
        let of_sums = Spread { middle, reach: draw.below(70), odd_ones: [0, 5, 40][draw.below(3) as usize] };
        let mut sums = vec![[0; COLUMNS]; columns];
        for sum in sums.as_flattened_mut() {
            *sum = number(&mut draw, (8, 23), of_sums);
        }
        let before = sums.clone();
        Level::of_host().run(|| {
            let (a, b) = (core.factors(false, a.clone(), columns), core.factors(true, b.clone(), columns));
            core.add(&a, 0, &b, &mut sums);
        });
        for (i, row) in sums.iter().enumerate() {
            for j in 0..columns {
                let (a, b): (Vec<_>, Vec<_>) = a.iter().zip(&b).map(|(a, b)| (a[i], b[j])).unzip();
                let (c, got) = (before[i][j], row[j]);
                let want = one(&a, &b, c);
                assert_eq!(got, want, "{core:?}: {a:x?} {b:x?} {c:x}: {got:x}, not {want:x}");
            }
        }
    }
}

/// Each adder has numbers of its own.
fn core_seed(core: Core) -> u64 {
    format!("{core:?}").bytes().fold(0, |seed, byte| seed * 31 % 0xffff_fffb + u64::from(byte))
}

#[test]
fn exact_sums() {
    for (f, at_once) in [(F16, 4), (F16, 2), (BF16, 2), (BF16, 4)] {
        let one = |a: &[u32], b: &[u32], c| one_exact(f, at_once, a, b, c);
        compare(Core::Exact(f, at_once), [Kind::Half(f); 2], one);
    }
}

#[test]
fn sums_that_are_cut() {
    let [f16, bf16] = [F16, BF16].map(Kind::Half);
    let [fp8, bf8] = [Fp8::E4m3Fnuz, Fp8::E5m2Fnuz].map(Kind::Small);
    for (a, b, at_once) in [
        (f16, f16, 4),
        (f16, f16, 8),
        (bf16, bf16, 4),
        (bf16, bf16, 8),
        (Kind::Xf32, Kind::Xf32, 4),
        (fp8, fp8, 16),
        (fp8, bf8, 16),
        (bf8, fp8, 16),
        (bf8, bf8, 16),
    ] {
        compare(Core::Cut(a, b, at_once), [a, b], |x, y, c| one_cut([a, b], at_once, x, y, c));
    }
}

/// Beside the smallest exponent a sum of products has 31 places, not 32: what the last one has
/// decides nothing, what the one before it has does.
#[test]
fn the_smallest_exponent_has_fewer_places() {
    let bf16 = Kind::Half(BF16);
    let core = Core::Cut(bf16, bf16, 4);
    let power = |exp: i32| ((exp + 127) as u32) << 7;
    for (last, want) in [(-158, 0), (-157, 1)] {
        // A tie between zero and the smallest subnormal, and a bit behind it.
        let a = [power(-75), power(-75), 0, 0];
        let b = [power(-75), power(last + 75), 0, 0];
        let mut sums = [[0; COLUMNS]];
        let rows = |v: [u32; 4]| v.map(|v| [v; COLUMNS]).to_vec();
        core.add(&core.factors(false, rows(a), 4), 0, &core.factors(true, rows(b), 4), &mut sums);
        assert_eq!(sums[0][0], want, "{last}");
        assert_eq!(one_cut([bf16; 2], 4, &a, &b, 0), want, "{last}");
    }
}
