//! The transcendental unit of gfx11 and gfx12, without a branch: [`soft::silicon`](crate::emu::soft::silicon) for all lanes at once.
//!
//! Where that has a case for some arguments, here all cases are made, or one whose widths depend on the argument, and one is chosen. A row of
//! a table is two words of 64 bits, which are gathered. Arguments may be anything; what comes of NaNs and negative ones does not matter, nor
//! does the root of a zero.

use crate::emu::soft::silicon::{kept, nearest, product, value};
use crate::isa::silicon::*;

const FRACTION: u32 = (1 << 23) - 1;
const ONE: u32 = 127 << 23;
const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;

/// A row: constant and linear coefficient, then quadratic and cubic one.
type Packed = [u64; 2];

const fn packed(row: Row) -> Packed {
    [row.constant as u64 | (row.linear as u64) << 32, row.quadratic as u64 | (row.cubic as u64) << 32]
}

/// A table into which others are put, from some places on.
const fn table<const N: usize>(parts: &[(usize, &[Row])]) -> [Packed; N] {
    let mut all = [[0; 2]; N];
    let mut part = 0;
    while part < parts.len() {
        let (first, rows) = parts[part];
        let mut n = 0;
        while n < rows.len() {
            all[first + n] = packed(rows[n]);
            n += 1;
        }
        part += 1;
    }
    all
}

/// Where the rows next to one are in the table of logarithms: above, then below.
const NEXT_TO_ONE: (u32, u32) = (40, 44);

static EXP: [Packed; 32] = table(&[(0, EXP_CURVE.rows)]);
static RCP: [Packed; 32] = table(&[(0, RCP_CURVE.rows)]);
static RSQ: [Packed; 64] = table(&[(0, RSQ_CURVE.rows)]);
static SQRT: [Packed; 32] = table(&[(0, SQRT_CURVE.rows)]);
static TURNS: [Packed; 32] = table(&[(0, &SINE), (16, &COSINE)]);
static LOG: [Packed; 64] = table(&[
    (0, LOG_CURVE.rows),
    (NEXT_TO_ONE.0 as usize, &[ABOVE_ONE[0].row, ABOVE_ONE[1].row, ABOVE_ONE[2].row]),
    (NEXT_TO_ONE.1 as usize, &[BELOW_ONE[0].row, BELOW_ONE[1].row]),
]);

/// The row of a number, which is below that of the rows: a power of two.
#[inline(always)]
fn row<const N: usize>(table: &[Packed; N], n: u32) -> Row {
    let [low, high] = table[n as usize & (N - 1)];
    Row { constant: low as u32, linear: (low >> 32) as u32, quadratic: high as u32, cubic: (high >> 32) as u32 }
}

/// The significand of a curve at an argument.
#[inline(always)]
fn significand<const N: usize>(curve: &Curve, table: &[Packed; N], argument: u32) -> u32 {
    let x = argument & ((1 << curve.offset) - 1);
    nearest(value(curve, row(table, argument >> curve.offset), u64::from(x)), curve.beyond) as u32
}

/// `2^a`
#[inline(always)]
pub(super) fn exp2(a: u32) -> u32 {
    let (magnitude, minus) = (a & !SIGN, a >> 31 != 0);
    let field = magnitude >> 23;
    let sig = u64::from(magnitude & FRACTION | 1 << 23);
    // Of the fields for which this is no number of bits nothing is taken.
    let fixed = sig << 18 >> (139u32.wrapping_sub(field) & 63);
    let fixed = if minus { !fixed } else { fixed };
    let whole = (fixed >> 29) as u32;
    let sig = significand(&EXP_CURVE, &EXP, fixed as u32 & ((1 << 29) - 1));
    let normal = (whole.wrapping_add(126) << 23).wrapping_add(sig);
    let normal = if field < 103 { ONE } else { normal };
    let normal = if !minus & (magnitude >= 0x4300_0000) { INFINITY } else { normal };
    if minus & (magnitude > 0x42fc_0000) { 0 } else { normal }
}

/// `1 / a`
#[inline(always)]
pub(super) fn rcp(a: u32) -> u32 {
    let field = a >> 23 & 0xff;
    let sig = significand(&RCP_CURVE, &RCP, a & FRACTION);
    let abs = (252u32.wrapping_sub(field) << 23).wrapping_add(sig) as i32;
    // Infinity has the largest field.
    let abs = if abs < 1 << 23 { 0 } else { abs as u32 };
    a & SIGN | if field == 0 { INFINITY } else { abs }
}

/// The parity of the exponent above the fraction, and half of the exponent.
#[inline(always)]
fn halved(a: u32) -> (u32, u32) {
    let exponent = (a >> 23).wrapping_sub(127);
    ((exponent & 1) << 23 | a & FRACTION, (exponent as i32 >> 1) as u32)
}

/// `sqrt(a)` of a positive number.
#[inline(always)]
pub(super) fn sqrt(a: u32) -> u32 {
    let (argument, half) = halved(a);
    (half.wrapping_add(126) << 23).wrapping_add(significand(&SQRT_CURVE, &SQRT, argument))
}

/// `1 / sqrt(a)` of a positive number.
#[inline(always)]
pub(super) fn rsq(a: u32) -> u32 {
    let (argument, half) = halved(a);
    (125u32.wrapping_sub(half) << 23).wrapping_add(significand(&RSQ_CURVE, &RSQ, argument))
}

/// A magnitude in units of `2^-unit` as f32 without sign, rounded towards zero or away from it: an f64 has all of its bits, and loses 29.
///
/// It is below 2^52, and so makes the f64 that is as much more than 2^52: AVX2 has no conversion of words of 64 bits.
#[inline(always)]
fn float(magnitude: u64, unit: u32, up: bool) -> u32 {
    const LARGE: f64 = (1u64 << 52) as f64;
    let exact = f64::from_bits(LARGE.to_bits() | magnitude) - LARGE;
    let bits = exact.to_bits() + if up { (1 << 29) - 1 } else { 0 };
    ((bits >> 29) as u32).wrapping_sub((unit + 1023 - 127) << 23)
}

/// How many bits a number has, or, of one with more than 24, one more.
#[inline(always)]
fn bits(v: u32) -> u32 {
    ((v as i32 as f32).to_bits() >> 23).wrapping_sub(126)
}

/// What `bits` lack of others, in steps of four.
#[inline(always)]
fn lacking(bits: u32, of: u32) -> u32 {
    of.saturating_sub(bits) & !3
}

/// `log2(a)` of a positive number.
#[inline(always)]
pub(super) fn log2(a: u32) -> u32 {
    let near = a.wrapping_sub(ONE - NEAR) < 2 * NEAR;
    let (below, distance, fraction) = (a < ONE, a.abs_diff(ONE), a & FRACTION);
    let (split, first) = LOG_SPLIT;
    let far_row = if fraction >> 17 == first >> 17 { split } else { fraction >> LOG_CURVE.offset };
    let late = u32::from(distance >= 1 << 17);
    let (above_one, below_one) = NEXT_TO_ONE;
    let near_row = if below { below_one + late } else { above_one + late + u32::from(distance >= 1 << 16) };
    let row = row(&LOG, if near { near_row } else { far_row });

    let x = u64::from(fraction & ((1 << LOG_CURVE.offset) - 1));
    let fixed = ((i64::from(a >> 23) - 127) << 35) + value(&LOG_CURVE, row, x) as i64;
    let minus = fixed < 0;
    let far = u32::from(minus) << 31 | float(fixed.unsigned_abs(), 35, minus);

    let up = lacking(bits(distance), NEAR_BITS);
    let (d, moved) = (u64::from(distance), u64::from(distance << (up & 31)));
    let line = product(u64::from(row.linear), moved) >> 13;
    let square = product(moved, d) >> 12;
    let quadratic = u64::from(row.quadratic) << 22;
    let cubic = product(u64::from(row.cubic), if below { d.wrapping_sub(1) } else { 2 * d + 1 });
    let factor = nearest(if below { quadratic + cubic } else { quadratic.wrapping_sub(cubic) }, 22);
    let bend = product(factor, square);
    let constant = u64::from(row.constant);
    let magnitude = if below {
        (line + bend.div_ceil(1 << 26)).wrapping_sub(constant)
    } else {
        (constant + (line << 2)).wrapping_sub(kept(bend, SQUARED_AT))
    };
    let abs = float(magnitude, up + if below { 34 } else { 35 }, below);
    let next = if below { abs | SIGN } else { abs.wrapping_add(1) };
    let r = if near { next } else { far };
    if a == ONE { 0 } else { r }
}

/// The sine or the cosine of `a` turns, a finite number.
#[inline(always)]
pub(super) fn turned(a: u32, cosine: bool) -> u32 {
    let (magnitude, minus) = (a & !SIGN, a >> 31 != 0);
    let field = magnitude >> 23;
    let sig = magnitude & FRACTION | 1 << 23;
    let (left, right) = (field.wrapping_sub(119), 119u32.wrapping_sub(field));
    let phase = if field >= 119 { sig << (left & 31) } else { sig >> if right < 31 { right } else { 31 } };
    let phase = if field >= 150 { 0 } else { phase & !SIGN };
    let (quarter, within) = (phase >> 29, phase & ((1 << 29) - 1));
    let back = within >= 1 << 28;
    let rest = if back { (1 << 29) - within } else { within };
    let flat = cosine ^ (quarter & 1 != 0) ^ back;
    let at = rest.wrapping_sub(u32::from(back));
    // Whatever the angle is: what is made of some lanes only becomes a branch.
    let arc = arc(rest, at, back, flat);
    let abs = if flat & (at < FLAT) { ONE } else { arc };
    let turned_back = (quarter >> 1 != 0) ^ (cosine & (quarter & 1 != 0)) ^ (!cosine & minus);
    let signed = u32::from(turned_back) << 31 | abs;
    let r = if !flat & (rest == 0) { 0 } else { signed };
    let small = (f32::from_bits(a) * f32::from_bits(NEARLY_TWO_PI)).to_bits();
    if !cosine & (magnitude < SMALL_ANGLE) { small } else { r }
}

/// A sine or a cosine up to an eighth of a turn. The sines of the first two rows keep more bits; of the first the more, the smaller they are.
#[inline(always)]
fn arc(rest: u32, at: u32, back: bool, flat: bool) -> u32 {
    let index = at >> 24 & 15;
    let row = row(&TURNS, index | u32::from(flat) << 4);
    let (first, second) = (!flat & (index == 0), !flat & (index == 1));
    let small = first | second;
    let x = at & 0x00ff_ffff;
    let count = bits(rest);
    let up = if first { lacking(count, 24) } else { 0 };
    let up_line = lacking(count, 25);
    // What the line sees of the offset.
    let full = back & (rest << (up & 31) & 0x000f_ffff == 0);
    let of_first = (rest << (up_line & 31)).wrapping_sub(u32::from(full));
    let (two, four) = ((x + 2) >> 2, (x + 8) >> 4);
    let limit = (x >> 22 << 20) + 0x000f_ffff;
    let of_second = if two < limit { two } else { limit } << 2;
    let of_others = if four < 0x000f_ffff { four } else { 0x000f_ffff } << 4;
    let seen = if first {
        of_first
    } else if second {
        of_second
    } else {
        of_others
    };
    let line = product(u64::from(row.linear), u64::from(seen));
    let line_small = (line >> if first { 18 + up_line - up } else { 20 }) << if first { 2 } else { 4 };
    let line = if small { line_small } else { kept(line, 21) };
    // The factor of the square: for cosines the cubic part grows towards the beginning of the row.
    let offset = if flat { !x & 0x00ff_ffff } else { x };
    let factor = nearest((u64::from(row.quadratic) << 18) + product(u64::from(row.cubic), u64::from(offset >> 6)), 11);
    let half = u64::from(x >> 7);
    let lost = 10u32.saturating_sub(up);
    let bend = product(factor, product(half, half) >> lost);
    // Of the bits of the square, which are 24 and `up` more, but no more than 34, all but `up` are lost, and one.
    let bend_small = nearest(bend, 33 - lost - up);
    let bend = if small { bend_small } else { kept(bend, SQUARED_AT).div_ceil(64) << 1 };
    let constant = u64::from(row.constant) << if small { 8 } else { 3 };
    let sum = if flat { constant.wrapping_sub(line) } else { constant + line };
    float(sum.wrapping_sub(bend), if small { 34 + up } else { 29 }, false)
}
