//! The transcendental functions of f32 with the bits of gfx11 and gfx12.
//!
//! The figures are those of [`silicon`](crate::isa::silicon), which the emulator reads too; how they are evaluated is written a second time here, and so
//! are the limits. Products of up to 64 bits are pairs, everything else is words. Of the cases in a function all are computed.

use super::arith::mul_under;
use super::exp::{logarithms, look_up, powers};
use super::root::{halved, inverted, rooted};
use super::round::{Operand, operand, signed};
use super::trig::angles;
use super::{F32, Int, Narrow, Rules, Wide, Word};
use crate::isa::silicon::{
    ABOVE_ONE, BELOW_ONE, COSINE, Cubic, Curve, EXP_CURVE, FLAT, KEPT, LOG_CURVE, LOG_SPLIT, Linear, NEAR, NEAR_BITS,
    NEARLY_TWO_PI, Near, RCP_CURVE, RSQ_CURVE, Row, SINE, SMALL_ANGLE, SQRT_CURVE, SQUARED_AT,
};

/// The coefficients of a row that is chosen when the program runs.
struct Chosen<W> {
    constant: W,
    linear: W,
    quadratic: W,
    cubic: W,
}

impl<W: Copy> Chosen<W> {
    fn of<K: Int<W = W>>(k: &K, rows: &[Row], index: W) -> Self {
        let column = |of: fn(&Row) -> u32| {
            let column: Vec<u64> = rows.iter().map(|row| u64::from(of(row))).collect();
            look_up::<K, Narrow>(k, &column, index)
        };
        Chosen {
            constant: column(|row| row.constant),
            linear: column(|row| row.linear),
            quadratic: column(|row| row.quadratic),
            cubic: column(|row| row.cubic),
        }
    }

    /// The last row that begins at a distance or before it.
    fn near<K: Int<W = W>>(k: &K, rows: &[Near], distance: W) -> Self {
        let column = |of: fn(&Row) -> u32| {
            rows.iter().skip(1).fold(k.w(of(&rows[0].row)), |before, near| {
                k.sel(k.lt_u(distance, k.w(near.from)), before, k.w(of(&near.row)))
            })
        };
        Chosen {
            constant: column(|row| row.constant),
            linear: column(|row| row.linear),
            quadratic: column(|row| row.quadratic),
            cubic: column(|row| row.cubic),
        }
    }
}

fn left<K: Int>(k: &K, a: K::D, n: u32) -> K::D {
    k.shl_d(a, k.w(n))
}

fn right<K: Int>(k: &K, a: K::D, n: u32) -> K::D {
    k.shr_d(a, k.w(n))
}

/// Rounded to nearest even without the lowest `n` bits, one at least.
fn nearest<K: Int>(k: &K, a: K::D, n: K::W) -> K::D {
    let half = k.shl_d(k.d(1), k.addi(n, -1));
    let odd = k.and_d(k.shr_d(a, n), k.d(1));
    k.shr_d(k.add_d(a, k.sub_d(k.add_d(half, odd), k.d(1))), n)
}

/// A product with 24 significant bits, in units of `2^at`.
fn kept<K: Int>(k: &K, product: K::D, at: u32) -> K::D {
    let fits = Wide::zero(k, right(k, product, at + KEPT));
    let wide = left(k, nearest(k, product, k.w(at + 1)), 1);
    k.sel_d(fits, nearest(k, product, k.w(at)), wide)
}

/// `quadratic * 2^more + cubic * a`, or minus that, rounded to nearest even without these `more` bits.
fn factor<K: Int>(k: &K, row: &Chosen<K::W>, a: K::W, more: u32, adds: bool) -> K::W {
    let (start, change) = (left(k, k.zext(row.quadratic), more), k.mul_wide_u(row.cubic, a));
    let sum = if adds { k.add_d(start, change) } else { k.sub_d(start, change) };
    k.lo(nearest(k, sum, k.w(more)))
}

/// The value of a row.
fn value<K: Int>(k: &K, curve: &Curve, row: &Chosen<K::W>, x: K::W) -> K::D {
    let (constant, product) = (k.zext(row.constant), k.mul_wide_u(row.linear, x));
    let line = match curve.linear {
        Linear::Added(at, lost) => right(k, k.add_d(left(k, constant, lost), kept(k, product, at)), lost),
        Linear::Subtracted(at, lost) => right(k, k.sub_d(left(k, constant, lost), kept(k, product, at)), lost),
        Linear::Cut(at) => k.add_d(constant, right(k, product, at)),
    };
    let [unseen, lost] = curve.square;
    let seen = k.shri(x, unseen);
    let square = k.lo(right(k, k.mul_wide_u(seen, seen), lost));
    let factor = match curve.cubic {
        Cubic::Added(unseen, more) => factor(k, row, k.shri(x, unseen), more, true),
        Cubic::Subtracted(up, more) => factor(k, row, k.addi(k.shli(x, up), 1), more, false),
    };
    let bend = kept(k, k.mul_wide_u(factor, square), SQUARED_AT);
    let line = left(k, line, curve.below);
    if curve.bends_up { k.add_d(line, bend) } else { k.sub_d(line, bend) }
}

/// The significand of a curve at an argument, which is row and offset.
fn significand<K: Int>(k: &K, curve: &Curve, argument: K::W) -> K::W {
    let row = Chosen::of(k, curve.rows, k.shri(argument, curve.offset));
    let x = k.andi(argument, (1 << curve.offset) - 1);
    k.lo(nearest(k, value(k, curve, &row, x), k.w(curve.beyond)))
}

/// The pattern without sign of a magnitude in units of `2^-unit`, rounded away from zero or towards it.
fn float<K: Int>(k: &K, magnitude: K::D, unit: K::W, away: K::C) -> K::W {
    let zeros = k.clz_d(magnitude);
    let all = k.shl_d(magnitude, zeros);
    let rest = k.nz(k.or(k.lo(all), k.andi(k.hi(all), 0xff)));
    let sig = k.add(k.shri(k.hi(all), 8), k.bit(k.both(rest, away)));
    // The leading bit is part of the significand and counts one more in the field.
    let field = k.sub(k.sub(k.w(F32.bias() as u32 + 63 - 1), zeros), unit);
    k.add(k.shli(field, F32.man), sig)
}

fn fraction<K: Int>(k: &K, x: &Operand<K, Narrow>) -> K::W {
    k.andi(x.abs, F32.fraction() as u32)
}

/// The significand, of normal numbers.
fn whole<K: Int>(k: &K, x: &Operand<K, Narrow>) -> K::W {
    k.ori(fraction(k, x), F32.step() as u32)
}

/// `1 / a`
pub(super) fn rcp<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let field = k.sub(k.w(2 * F32.bias() as u32 - 2), x.field(k, F32));
    let abs = k.add(k.shli(field, F32.man), significand(k, &RCP_CURVE, fraction(k, &x)));
    let abs = k.sel(k.lessi(abs, F32.step() as i32), k.w(0), abs);
    inverted::<K, Narrow>(k, F32, r, x, signed::<K, Narrow>(k, F32, x.sign, abs))
}

/// The parity of the exponent above the fraction, and half of the exponent.
fn under_root<K: Int>(k: &K, x: &Operand<K, Narrow>) -> (K::W, K::W) {
    let (half, odd) = halved(k, F32, x.field(k, F32));
    (k.or(k.shli(k.bit(odd), F32.man), fraction(k, x)), half)
}

/// `sqrt(a)`
pub(super) fn sqrt<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (argument, half) = under_root(k, &x);
    let field = k.addi(half, F32.bias() - 1);
    let number = k.add(k.shli(field, F32.man), significand(k, &SQRT_CURVE, argument));
    rooted::<K, Narrow>(k, F32, r, x, [0, F32.inf()], number)
}

/// `1 / sqrt(a)`
pub(super) fn rsq<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (argument, half) = under_root(k, &x);
    let field = k.sub(k.w(F32.bias() as u32 - 2), half);
    let number = k.add(k.shli(field, F32.man), significand(k, &RSQ_CURVE, argument));
    rooted::<K, Narrow>(k, F32, r, x, [F32.inf(), 0], number)
}

/// `2^a`
pub(super) fn exp<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let field = x.field(k, F32);
    // In units of 2^-29, the complement of what is negative; numbers below 128 leave the sign free.
    let sig = k.zext(whole(k, &x));
    let shift = k.addi(field, -(F32.bias() - 29 + 23));
    let up = k.shl_d(sig, k.min_s(shift, k.w(12)));
    let down = k.shr_d(sig, k.min_s(k.sub(k.w(0), shift), k.w(63)));
    let fixed = k.sel_d(k.lessi(shift, 0), down, up);
    let fixed = k.sel_d(x.sign, k.not_d(fixed), fixed);
    let sig = significand(k, &EXP_CURVE, k.andi(k.lo(fixed), (1 << 29) - 1));
    let power = k.addi(k.lo(right(k, fixed, 29)), F32.bias() - 1);
    let number = k.add(k.shli(power, F32.man), sig);
    let number = k.sel(k.lt_u(field, k.w(F32.bias() as u32 - 24)), k.w(F32.one() as u32), number);
    // 128 and more, and less than -126.
    let over = k.lt_u(k.w(0x42ff_ffff), x.abs);
    let under = k.lt_u(k.w(0x42fc_0000), x.abs);
    let number = k.sel(x.sign, k.sel(under, k.w(0), number), k.sel(over, k.w(F32.inf() as u32), number));
    powers(k, F32, r, x, number)
}

/// `log2(a)`
pub(super) fn log<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let fraction = fraction(k, &x);
    let (split, first) = LOG_SPLIT;
    let index = k.shri(fraction, LOG_CURVE.offset);
    let index = k.sel(k.eqi(k.shri(fraction, 17), first >> 17), k.w(split), index);
    let row = Chosen::of(k, LOG_CURVE.rows, index);
    let part = value(k, &LOG_CURVE, &row, k.andi(fraction, (1 << LOG_CURVE.offset) - 1));
    let power = k.addi(x.field(k, F32), -F32.bias());
    let fixed = k.add_d(k.pair(k.w(0), k.shli(power, 35 - 32)), part);
    let minus = k.lessi(k.hi(fixed), 0);
    let far = k.sel_d(minus, k.sub_d(k.d(0), fixed), fixed);

    let one = F32.one() as u32;
    let below = k.lt_u(x.abs, k.w(one));
    let distance = k.sel(below, k.sub(k.w(one), x.abs), k.addi(x.abs, -(one as i32)));
    let (near, unit) = near_one(k, distance, below);

    let is_near = k.lt_u(k.addi(x.abs, -((one - NEAR) as i32)), k.w(2 * NEAR));
    let minus = k.sel_c(is_near, below, minus);
    let abs = float(k, k.sel_d(is_near, near, far), k.sel(is_near, unit, k.w(35)), minus);
    // Above one the magnitude is cut off and one more.
    let abs = k.add(abs, k.bit(k.but_not(is_near, below)));
    let number = k.sel(k.eqi(x.abs, one), k.w(0), signed::<K, Narrow>(k, F32, minus, abs));
    logarithms(k, F32, r, x, number)
}

/// The magnitude of a logarithm next to one, and its unit.
fn near_one<K: Int>(k: &K, distance: K::W, below: K::C) -> (K::D, K::W) {
    let up = k.sub(k.w(NEAR_BITS), k.min_u(k.sub(k.w(32), k.clz(distance)), k.w(NEAR_BITS)));
    let up = k.andi(up, !3);
    let moved = k.shl(distance, up);
    let square = k.lo(right(k, k.mul_wide_u(moved, distance), 12));
    let line = |row: &Chosen<K::W>| right(k, k.mul_wide_u(row.linear, moved), 13);

    let row = Chosen::near(k, &BELOW_ONE, distance);
    let bend = k.mul_wide_u(factor(k, &row, k.addi(distance, -1), 22, true), square);
    let bend = right(k, k.add_d(bend, k.d((1 << 26) - 1)), 26);
    let under = k.sub_d(k.add_d(line(&row), bend), k.zext(row.constant));

    let row = Chosen::near(k, &ABOVE_ONE, distance);
    let bend = k.mul_wide_u(factor(k, &row, k.addi(k.shli(distance, 1), 1), 22, false), square);
    let over = k.add_d(k.zext(row.constant), left(k, line(&row), 2));
    let over = k.sub_d(over, kept(k, bend, SQUARED_AT));
    (k.sel_d(below, under, over), k.add(up, k.pick(below, 34, 35)))
}

/// The sine of `a` turns; what is flushed of the smallest follows the rules.
pub(super) fn sin<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let product = mul_under::<K, Narrow>(k, F32, r, a, k.w(NEARLY_TWO_PI));
    let number = k.sel(k.lt_u(x.abs, k.w(SMALL_ANGLE)), product, turned(k, &x, false));
    angles(k, r, x, number)
}

/// The cosine of `a` turns.
pub(super) fn cos<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    angles(k, r, x, turned(k, &x, true))
}

/// An angle below an eighth of a turn within its row.
struct Angle<K: Int> {
    /// The angle, in units of 2^-31 turns.
    rest: K::W,
    /// Whether it is seen from the end of the quarter: then it lies at the end of a row where it could be at the beginning of the next.
    back: K::C,
    /// The offset in the row.
    x: K::W,
    /// The square of the offset without its lowest seven bits.
    square: K::D,
}

/// Sine or cosine of angles that are not small.
fn turned<K: Int>(k: &K, x: &Operand<K, Narrow>, cosine: bool) -> K::W {
    // The fraction of the turn in units of 2^-31.
    let sig = k.zext(k.sel(x.zero(k), k.w(0), whole(k, x)));
    let shift = k.addi(x.field(k, F32), -(F32.bias() - 31 + 23));
    let up = k.shl_d(sig, k.min_s(shift, k.w(63)));
    let down = k.shr_d(sig, k.min_s(k.sub(k.w(0), shift), k.w(63)));
    let phase = k.andi(k.lo(k.sel_d(k.lessi(shift, 0), down, up)), (1 << 31) - 1);

    let quarter = k.shri(phase, 29);
    let within = k.andi(phase, (1 << 29) - 1);
    let back = k.nz(k.andi(within, 1 << 28));
    let rest = k.sel(back, k.sub(k.w(1 << 29), within), within);
    let odd = k.nz(k.andi(quarter, 1));
    let flat = k.differ(if cosine { k.negate(odd) } else { odd }, back);
    let at = k.sub(rest, k.bit(back));
    let index = k.shri(at, 24);
    let rows: Vec<Row> = SINE.into_iter().chain(COSINE).collect();
    let row = Chosen::of(k, &rows, k.or(index, k.pick(flat, 16, 0)));
    let offset = k.andi(at, 0x00ff_ffff);
    let half = k.shri(offset, 7);
    let angle = Angle { rest, back, x: offset, square: k.mul_wide_u(half, half) };

    // Towards the beginning of its row the factor of a cosine grows.
    let seen = k.sel(flat, k.xor(offset, k.w(0x00ff_ffff)), offset);
    let factor = factor_of_angle(k, &row, seen);
    let first = k.but_not(k.eqi(index, 0), flat);
    let second = k.but_not(k.eqi(index, 1), flat);
    let (of_first, unit_of_first) = first_row(k, &row, factor, &angle);
    let other = k.sel_d(second, second_row(k, &row, factor, &angle), other_row(k, &row, factor, &angle, flat));
    let unit = k.sel(first, unit_of_first, k.pick(second, 34, 29));
    let abs = float(k, k.sel_d(first, of_first, other), unit, k.c(false));

    let one = k.both(flat, k.lt_u(at, k.w(FLAT)));
    let none = k.but_not(k.eqi(rest, 0), flat);
    let abs = k.sel(none, k.w(0), k.sel(one, k.w(F32.one() as u32), abs));
    let behind = k.nz(k.andi(quarter, 2));
    let minus = k.differ(behind, if cosine { odd } else { x.sign });
    signed::<K, Narrow>(k, F32, k.but_not(minus, none), abs)
}

/// The factor of the square, in units of 2^-33: the offset is seen without six bits.
fn factor_of_angle<K: Int>(k: &K, row: &Chosen<K::W>, seen: K::W) -> K::W {
    let change = k.mul_wide_u(row.cubic, k.shri(seen, 6));
    k.lo(nearest(k, k.add_d(left(k, k.zext(row.quadratic), 18), change), k.w(11)))
}

/// In units of 2^-29: all cosines, and sines from the third row on.
fn other_row<K: Int>(k: &K, row: &Chosen<K::W>, factor: K::W, angle: &Angle<K>, flat: K::C) -> K::D {
    let seen = k.min_u(k.shri(k.addi(angle.x, 8), 4), k.w(0x000f_ffff));
    let line = kept(k, k.mul_wide_u(row.linear, k.shli(seen, 4)), 21);
    let bend = kept(k, k.mul_wide_u(factor, k.lo(right(k, angle.square, 10))), SQUARED_AT);
    let bend = left(k, right(k, k.add_d(bend, k.d(63)), 6), 1);
    let constant = left(k, k.zext(row.constant), 3);
    k.sub_d(k.sel_d(flat, k.sub_d(constant, line), k.add_d(constant, line)), bend)
}

/// In units of 2^-34: sines of the second row.
fn second_row<K: Int>(k: &K, row: &Chosen<K::W>, factor: K::W, angle: &Angle<K>) -> K::D {
    let last = k.addi(k.shli(k.shri(angle.x, 22), 20), 0x000f_ffff);
    let seen = k.min_u(k.shri(k.addi(angle.x, 2), 2), last);
    let line = right(k, k.mul_wide_u(row.linear, k.shli(seen, 2)), 20);
    let bend = nearest(k, k.mul_wide_u(factor, k.lo(right(k, angle.square, 10))), k.w(23));
    k.sub_d(k.add_d(left(k, k.zext(row.constant), 8), left(k, line, 4)), bend)
}

/// Sines of the first row, and the unit: 34 bits behind the point and as many more as the angle is moved up.
fn first_row<K: Int>(k: &K, row: &Chosen<K::W>, factor: K::W, angle: &Angle<K>) -> (K::D, K::W) {
    let bits = k.sub(k.w(32), k.clz(angle.rest));
    let towards = |n: u32| k.andi(k.sub(k.w(n), k.min_u(bits, k.w(n))), !3);
    let (up, up_line) = (towards(24), towards(25));
    let full = k.eqi(k.andi(k.shl(angle.rest, up), 0x000f_ffff), 0);
    let seen = k.sub(k.shl(angle.rest, up_line), k.bit(k.both(angle.back, full)));
    let line = k.shr_d(k.mul_wide_u(row.linear, seen), k.sub(k.addi(up_line, 18), up));
    let unit = k.min_u(k.addi(up, 24), k.w(34));
    let square = k.shr_d(angle.square, k.sub(k.w(34), unit));
    let bend = nearest(k, k.mul_d(k.zext(factor), square), k.sub(k.addi(unit, -1), up));
    (k.sub_d(left(k, line, 2), bend), k.addi(up, 34))
}
