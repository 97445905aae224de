//! The transcendental unit of gfx11 and gfx12 on finite numbers: the figures of [`silicon`](crate::isa::silicon) evaluated in 64 bits.
//!
//! Patterns of f32 go in and come out; arguments are normal numbers, the special cases are those of [`rdna3`](super::rdna3).

use crate::isa::silicon::*;

const FRACTION: u32 = (1 << 23) - 1;
const ONE: u32 = 127 << 23;

/// `value / 2^bits`, to nearest even.
#[inline(always)]
pub(in crate::emu) fn nearest(value: u64, bits: u32) -> u64 {
    let odd = value >> bits & 1;
    (value + (1 << (bits - 1)) - 1 + odd) >> bits
}

/// A product of numbers of 32 bits, which is an instruction for vectors.
#[inline(always)]
pub(in crate::emu) fn product(a: u64, b: u64) -> u64 {
    u64::from(a as u32) * u64::from(b as u32)
}

/// A product with the significant bits that are kept, in units of `2^at`.
#[inline(always)]
pub(in crate::emu) fn kept(product: u64, at: u32) -> u64 {
    if product >> (at + KEPT) == 0 { nearest(product, at) } else { nearest(product, at + 1) << 1 }
}

/// The value of a row.
#[inline(always)]
pub(in crate::emu) fn value(curve: &Curve, row: Row, x: u64) -> u64 {
    let [constant, linear, quadratic, cubic] = [row.constant, row.linear, row.quadratic, row.cubic].map(u64::from);
    let line = match curve.linear {
        Linear::Added(at, lost) => ((constant << lost) + kept(product(linear, x), at)) >> lost,
        Linear::Subtracted(at, lost) => ((constant << lost) - kept(product(linear, x), at)) >> lost,
        Linear::Cut(at) => constant + (product(linear, x) >> at),
    };
    let [unseen, lost] = curve.square;
    let factor = match curve.cubic {
        Cubic::Added(unseen, more) => nearest((quadratic << more) + product(cubic, x >> unseen), more),
        Cubic::Subtracted(up, more) => nearest((quadratic << more) - product(cubic, (x << up) + 1), more),
    };
    let bend = kept(product(factor, product(x >> unseen, x >> unseen) >> lost), SQUARED_AT);
    if curve.bends_up { (line << curve.below) + bend } else { (line << curve.below) - bend }
}

/// The significand of a curve at an argument: row and offset.
#[inline]
fn significand(curve: &Curve, argument: u32) -> u32 {
    let row = curve.rows[(argument >> curve.offset) as usize];
    let x = argument & ((1 << curve.offset) - 1);
    nearest(value(curve, row, u64::from(x)), curve.beyond) as u32
}

/// `2^a`; beyond the range of normal numbers zero or infinity.
pub(super) fn exp2(a: u32) -> u32 {
    let (magnitude, minus) = (a & !(1 << 31), a >> 31 != 0);
    // From 128 on it overflows; less than -126 is not normal any more.
    if !minus && magnitude >= 0x4300_0000 {
        return 0x7f80_0000;
    }
    if minus && magnitude > 0x42fc_0000 {
        return 0;
    }
    let field = magnitude >> 23;
    // Below 2^-24 all is one, also what is a little less.
    if field < 103 {
        return ONE;
    }
    // In units of 2^-29; of negative numbers the complement.
    let sig = u64::from(magnitude & FRACTION | 1 << 23);
    let fixed = if field >= 121 { sig << (field - 121) } else { sig >> (121 - field) };
    let fixed = if minus { !fixed } else { fixed };
    let whole = (fixed as i64 >> 29) as u32;
    let sig = significand(&EXP_CURVE, fixed as u32 & ((1 << 29) - 1));
    // The leading bit of the significand makes one more of the field.
    (whole.wrapping_add(126) << 23).wrapping_add(sig)
}

/// `1 / a`; a result below the normal numbers is a zero.
pub(super) fn rcp(a: u32) -> u32 {
    let sign = a & 1 << 31;
    let sig = significand(&RCP_CURVE, a & FRACTION);
    let abs = ((252 - (a >> 23 & 0xff) as i32) << 23) + sig as i32;
    sign | if abs < 1 << 23 { 0 } else { abs as u32 }
}

/// The parity of the exponent above the fraction, and half of the exponent.
fn halved(a: u32) -> (u32, i32) {
    let exponent = (a >> 23) as i32 - 127;
    ((exponent as u32 & 1) << 23 | a & FRACTION, exponent >> 1)
}

/// `sqrt(a)` of a positive number.
pub(super) fn sqrt(a: u32) -> u32 {
    let (argument, half) = halved(a);
    (((half + 126) << 23) as u32).wrapping_add(significand(&SQRT_CURVE, argument))
}

/// `1 / sqrt(a)` of a positive number.
pub(super) fn rsq(a: u32) -> u32 {
    let (argument, half) = halved(a);
    (((125 - half) << 23) as u32).wrapping_add(significand(&RSQ_CURVE, argument))
}

/// A magnitude in units of `2^-unit` as f32 without sign, rounded towards zero or away from it.
fn float(magnitude: u64, unit: u32, up: bool) -> u32 {
    let top = 63 - magnitude.leading_zeros();
    let sig = if top < 23 {
        magnitude << (23 - top)
    } else {
        let beyond = top - 23;
        (magnitude + if up { (1 << beyond) - 1 } else { 0 }) >> beyond
    };
    ((top + 126 - unit) << 23) + sig as u32
}

/// `log2(a)` of a positive number other than one.
pub(super) fn log2(a: u32) -> u32 {
    if a.wrapping_sub(ONE - NEAR) < 2 * NEAR {
        return log2_near_one(a);
    }
    let fraction = a & FRACTION;
    let (split, first) = LOG_SPLIT;
    let x = u64::from(fraction & ((1 << LOG_CURVE.offset) - 1));
    let row = if fraction >> 17 == first >> 17 { split } else { fraction >> LOG_CURVE.offset };
    let fixed = ((i64::from(a >> 23) - 127) << 35) + value(&LOG_CURVE, LOG_CURVE.rows[row as usize], x) as i64;
    let minus = fixed < 0;
    u32::from(minus) << 31 | float(fixed.unsigned_abs(), 35, minus)
}

/// `log2(a)` for an argument between 31/32 and 33/32.
fn log2_near_one(a: u32) -> u32 {
    let below = a < ONE;
    let distance = a.abs_diff(ONE);
    let rows: &[Near] = if below { &BELOW_ONE } else { &ABOVE_ONE };
    let near = rows.iter().rev().find(|near| near.from <= distance).unwrap_or(&rows[0]);
    let [constant, linear, quadratic, cubic] =
        [near.row.constant, near.row.linear, near.row.quadratic, near.row.cubic].map(u64::from);
    let up = NEAR_BITS.saturating_sub(32 - distance.leading_zeros()) & !3;
    let d = u64::from(distance);
    let line = (linear * (d << up)) >> 13;
    let square = ((d << up) * d) >> 12;
    if below {
        let factor = nearest((quadratic << 22) + cubic * (d - 1), 22);
        let bend = (factor * square).div_ceil(1 << 26);
        1 << 31 | float(line + bend - constant, 34 + up, true)
    } else {
        let factor = nearest((quadratic << 22) - cubic * (2 * d + 1), 22);
        let fixed = constant + (line << 2) - kept(factor * square, SQUARED_AT);
        float(fixed, 35 + up, false) + 1
    }
}

/// The sine or the cosine of `a` turns, but for the sines of small angles. Zeros are positive.
pub(super) fn turned(a: u32, cosine: bool) -> u32 {
    let (magnitude, minus) = (a & !(1 << 31), a >> 31 != 0);
    let field = magnitude >> 23;
    // The fraction of the turn in units of 2^-31; from 2^23 on there is none.
    let sig = u64::from(magnitude & FRACTION | 1 << 23);
    let phase = match field {
        0..87 | 150.. => 0,
        87..119 => sig >> (119 - field),
        _ => sig << (field - 119),
    };
    let phase = phase as u32 & !(1 << 31);
    let quarter = phase >> 29;
    let within = phase & ((1 << 29) - 1);
    // Beyond an eighth it is the other function of what is left to the quarter.
    let back = within >= 1 << 28;
    let rest = if back { (1 << 29) - within } else { within };
    let flat = cosine ^ (quarter & 1 != 0) ^ back;
    // Seen from behind the end of a row belongs to it.
    let at = rest - u32::from(back);
    let abs = match (flat, rest) {
        (true, _) if at < FLAT => ONE,
        (false, 0) => return 0,
        (false, _) if at >> 24 < 2 => small_sine(rest, at, back),
        _ => arc(at, flat),
    };
    let turned_back = (quarter >> 1 != 0) ^ (cosine && quarter & 1 != 0) ^ (!cosine && minus);
    u32::from(turned_back) << 31 | abs
}

/// The factor of the square: for cosines the cubic part grows towards the beginning of the row. In units of 2^-33.
fn factor(row: Row, x: u32, flat: bool) -> u64 {
    let x = if flat { !x & 0x00ff_ffff } else { x };
    nearest((u64::from(row.quadratic) << 18) + u64::from(row.cubic) * u64::from(x >> 6), 11)
}

/// A sine of two rows on to an eighth of a turn, or a cosine up to an eighth.
fn arc(at: u32, flat: bool) -> u32 {
    let row = if flat { COSINE[(at >> 24) as usize] } else { SINE[(at >> 24) as usize] };
    let x = at & 0x00ff_ffff;
    // The line sees 20 bits of the offset, rounded but not into the next row.
    let seen = ((x + 8) >> 4).min(0x000f_ffff) << 4;
    let line = kept(u64::from(row.linear) * u64::from(seen), 21);
    let square = (u64::from(x >> 7) * u64::from(x >> 7)) >> 10;
    // The square counts in units of 2^-28, the rest of 2^-29.
    let bend = kept(factor(row, x, flat) * square, SQUARED_AT).div_ceil(64) << 1;
    let constant = u64::from(row.constant) << 3;
    float(if flat { constant - line } else { constant + line } - bend, 29, false)
}

/// A sine of the first two rows, where it is nearly as small as its argument.
fn small_sine(rest: u32, at: u32, back: bool) -> u32 {
    let index = at >> 24;
    let row = SINE[index as usize];
    let x = at & 0x00ff_ffff;
    let linear = u64::from(row.linear);
    let half = u64::from(x >> 7);
    if index == 1 {
        // The line sees 22 bits of the offset, rounded but not into the next quarter of the row.
        let seen = ((x + 2) >> 2).min((x >> 22 << 20) + 0x000f_ffff) << 2;
        let line = (linear * u64::from(seen)) >> 20;
        let bend = nearest(factor(row, x, false) * ((half * half) >> 10), 23);
        return float((u64::from(row.constant) << 8) + (line << 4) - bend, 34, false);
    }
    let bits = 32 - rest.leading_zeros();
    let up = 24u32.saturating_sub(bits) & !3;
    let up_line = 25u32.saturating_sub(bits) & !3;
    let full = back && (u64::from(rest) << up) & 0x000f_ffff == 0;
    let seen = (u64::from(rest) << up_line) - u64::from(full);
    let line = (linear * seen) >> (18 + up_line - up);
    let square_unit = (24 + up).min(34);
    let square = (half * half) >> (34 - square_unit);
    let bend = nearest(factor(row, x, false) * square, square_unit - up - 1);
    float((line << 2) - bend, 34 + up, false)
}
