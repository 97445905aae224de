//! Between formats, and between numbers and integers.

use super::round::{abs, operand, pass, round, sign, signed};
use super::{F16, F32, F64, Format, Int, Modes, Narrow, Rules, Wide, Word};
use crate::isa::Gen;

/// An infinity or a NaN of f16 or f32 in another of these formats: the leading bits of the payload stay; where none is left the NaN is quiet.
pub(super) fn special_narrow<K: Int>(k: &K, from: Format, to: Format, r: &Rules<K>, a: K::W) -> K::W {
    let minus = sign::<K, Narrow>(k, from, a);
    let abs = abs::<K, Narrow>(k, from, a);
    let nan = k.lt_u(k.w(from.inf() as u32), abs);
    let payload = k.andi(abs, from.fraction() as u32);
    let payload = k.or(payload, k.pick(k.both(nan, r.quiet), from.quiet() as u32, 0));
    let payload = if to.man >= from.man {
        k.shli(payload, to.man - from.man)
    } else {
        let short = k.shri(payload, from.man - to.man);
        k.sel(k.both(nan, k.eqi(short, 0)), k.w(to.quiet() as u32), short)
    };
    signed::<K, Narrow>(k, to, minus, k.ori(payload, to.inf() as u32))
}

/// A word of f32 as f16 under rules.
pub(super) fn narrowed<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let field = x.field(k, F32);
    // What is denormal in f32 vanishes in f16, so that its significand need not be normal.
    let leading = k.shli(k.min_u(field, k.w(1)), 29);
    let sig = k.or(k.shri(k.shli(x.abs, 9), 3), leading);
    let field = k.addi(field, F16.bias() - F32.bias());
    let finite = round::<K, Narrow>(k, F16, r, x.sign, field, sig);
    k.sel(x.special(k, F32), special_narrow(k, F32, F16, r, a), finite)
}

/// An f16 as f32, flushed as the rules say; of the result nothing is.
pub(super) fn widened<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F16, r, a);
    let (field, sig) = x.normal(k, F16);
    let base = k.shli(k.addi(field, F32.bias() - F16.bias() - 1), 23);
    let number = k.sel(x.zero(k), k.w(0), k.add(base, k.shri(sig, 8)));
    let finite = signed::<K, Narrow>(k, F32, x.sign, number);
    k.sel(x.special(k, F16), special_narrow(k, F16, F32, r, a), finite)
}

/// Widened.
pub fn f32_of_f16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    let flush_in = if m.generation < Gen::Gfx8 { k.c(false) } else { m.half(k).flush_in };
    widened(k, &Rules { flush_in, ..m.single(k) }, a)
}

/// An f16 source of mixed precision as f32.
pub fn widen<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    widened(k, &Rules { flush_in: m.half(k).flush_in, ..m.single(k) }, a)
}

/// Rounded by the mode of 16-bit floats; on gfx6 and gfx7 by that of 32-bit floats, denormals kept.
pub fn f16_of_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    let single = m.single(k);
    let rules = if m.generation < Gen::Gfx8 {
        Rules { flush_out: k.c(false), ..single }
    } else {
        Rules { flush_in: single.flush_in, ..m.half(k) }
    };
    narrowed(k, &rules, a)
}

/// Rounded towards zero.
pub fn f16_of_f32_rtz<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    let half = m.half(k).unbounded(k);
    narrowed(k, &Rules { round: k.w(3), quiet: k.c(true), flush_in: m.single(k).flush_in, ..half }, a)
}

/// [`mad`](super::arith::mad) of f32, rounded again, to f16, denormals flushed.
pub fn mad_f16_of_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, c: K::W) -> K::W {
    narrowed(k, &m.half(k).flushing(k, true), super::arith::mad(k, m, F32, a, b, c))
}

/// An f16, flushed and quieted.
pub fn canonical_f16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    super::choose::canonical(k, F16, &m.half(k), a)
}

/// Widened.
pub fn f64_of_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::D {
    let r = Rules { flush_in: m.single(k).flush_in, ..m.double(k) };
    let x = operand::<K, Narrow>(k, F32, &r, a);
    let (field, sig) = x.normal(k, F32);
    let base = k.shli(k.addi(field, F64.bias() - F32.bias() - 1), 20);
    let number = k.pair(k.shli(sig, 21), k.add(base, k.shri(sig, 11)));
    let number = k.sel_d(x.zero(k), k.d(0), number);
    let quiet = pass::<K, Narrow>(k, F32, &r, x.abs);
    let special = k.sel(x.nan(k, F32), quiet, x.abs);
    let special = k.pair(k.shli(special, 29), k.ori(k.shri(special, 3), F64.top(F64.inf())));
    signed::<K, Wide>(k, F64, x.sign, k.sel_d(x.special(k, F32), special, number))
}

/// Rounded.
pub fn f32_of_f64<K: Int>(k: &K, m: &Modes<K>, a: K::D) -> K::W {
    let r = Rules { flush_in: m.double(k).flush_in, ..m.single(k) };
    let x = operand::<K, Wide>(k, F64, &r, a);
    let field = x.field(k, F64);
    // What is denormal in f64 vanishes in f32.
    let leading = k.shli(k.min_u(field, k.w(1)), 29);
    let (low, high) = (k.lo(x.abs), k.hi(x.abs));
    let fraction = k.or(k.shri(k.shli(high, 12), 3), k.shri(low, 23));
    let sticky = k.bit(k.nz(k.shli(low, 9)));
    let sig = k.or(k.or(leading, fraction), sticky);
    let finite = round::<K, Narrow>(k, F32, &r, x.sign, k.addi(field, F32.bias() - F64.bias()), sig);
    // The payload of a NaN keeps its leading bits.
    let nan = x.nan(k, F64);
    let payload = k.or(k.andi(k.shli(high, 3), 0x007f_ffff), k.shri(low, 29));
    let payload = k.or(payload, k.pick(k.both(nan, r.quiet), F32.quiet() as u32, 0));
    let payload = k.sel(k.both(nan, k.eqi(payload, 0)), k.w(F32.quiet() as u32), payload);
    let special = signed::<K, Narrow>(k, F32, x.sign, k.ori(payload, F32.inf() as u32));
    k.sel(x.special(k, F64), special, finite)
}

/// A magnitude as f16 or f32, rounded.
fn of_magnitude<K: Int>(k: &K, f: Format, r: &Rules<K>, minus: K::C, a: K::W) -> K::W {
    let zeros = k.clz(a);
    let top = k.shl(a, zeros);
    let sig = k.or(k.shri(top, 2), k.bit(k.nz(k.andi(top, 3))));
    let field = k.sel(k.eqi(a, 0), k.w(0), k.sub(k.w((f.bias() + 31) as u32), zeros));
    round::<K, Narrow>(k, f, r, minus, field, sig)
}

/// A signed word as f32.
pub fn f32_of_i32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    let minus = k.lessi(a, 0);
    of_magnitude(k, F32, &m.single(k), minus, k.sel(minus, k.sub(k.w(0), a), a))
}

/// An unsigned word as f32.
pub fn f32_of_u32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    of_magnitude(k, F32, &m.single(k), k.c(false), a)
}

/// The low 16 bits, signed, as f16.
pub fn f16_of_i16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    let a = k.sari(k.shli(a, 16), 16);
    let minus = k.lessi(a, 0);
    of_magnitude(k, F16, &m.half(k), minus, k.sel(minus, k.sub(k.w(0), a), a))
}

/// The low 16 bits as f16.
pub fn f16_of_u16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    of_magnitude(k, F16, &m.half(k), k.c(false), k.andi(a, 0xffff))
}

/// A magnitude as f64, exactly.
fn f64_of_magnitude<K: Int>(k: &K, minus: K::C, a: K::W) -> K::D {
    let zeros = k.clz(a);
    let sig = k.shl(a, zeros);
    // The leading bit raises the exponent by one.
    let base = k.shli(k.sub(k.w((F64.bias() + 30) as u32), zeros), 20);
    let number = k.pair(k.shli(sig, 21), k.add(base, k.shri(sig, 11)));
    signed::<K, Wide>(k, F64, minus, k.sel_d(k.eqi(a, 0), k.d(0), number))
}

/// A signed word as f64.
pub fn f64_of_i32<K: Int>(k: &K, a: K::W) -> K::D {
    let minus = k.lessi(a, 0);
    f64_of_magnitude(k, minus, k.sel(minus, k.sub(k.w(0), a), a))
}

/// An unsigned word as f64.
pub fn f64_of_u32<K: Int>(k: &K, a: K::W) -> K::D {
    f64_of_magnitude(k, k.c(false), a)
}

/// How a number becomes an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// Towards zero; a NaN is 0.
    Trunc,
    /// Down; a NaN saturates by its sign.
    Floor,
    /// The floor of `a + 1/2`; a NaN saturates by its sign.
    Nearest,
}

/// A number as an integer of `bits` bits, 32 at most, saturating.
pub fn integer<K: Int, S: Word<K>>(
    k: &K,
    m: &Modes<K>,
    f: Format,
    a: S::T,
    bits: u32,
    signed: bool,
    how: Whole,
) -> K::W {
    let x = operand::<K, S>(k, f, &m.rules(k, f), a);
    let field = x.field(k, f);
    // The highest word of the significand, as of a number from 2^31 on; what is lost of f64 lies below one.
    let leading = k.pick(k.nz(field), 1 << 31, 0);
    let sig = k.or(S::top(k, S::shl(k, x.abs, k.w(S::BITS - 1 - f.man))), leading);
    let down = k.sub(k.w((f.bias() + 31) as u32), field);
    let fits = k.min_u(down, k.w(31));
    let whole = k.shr(sig, fits);
    let whole = k.sel(k.lt_u(k.w(31), down), k.w(0), whole);
    let magnitude = match how {
        Whole::Trunc => whole,
        Whole::Floor | Whole::Nearest => {
            // The fraction, from 1/2 on in the highest bit; it is sticky where the number is less than 1/2.
            let rest = k.shl(sig, k.sub(k.w(0), down));
            let rest = k.sel(k.lt_u(k.w(32), down), k.bit(k.negate(x.zero(k))), rest);
            let rest = k.sel(k.eqi(down, 0), k.w(0), rest);
            let rest = k.sel(k.eqi(down, 32), sig, rest);
            let raise = if how == Whole::Floor {
                k.both(x.sign, k.nz(rest))
            } else {
                // Upwards a half is enough, downwards it is not.
                k.lt_u(k.sel(x.sign, k.w(1 << 31), k.w((1 << 31) - 1)), rest)
            };
            k.add(whole, k.bit(raise))
        }
    };
    let nan = x.nan(k, f);
    let (most, least) = if signed { (u32::MAX >> (33 - bits), 1 << (bits - 1)) } else { (u32::MAX >> (32 - bits), 0) };
    let limit = k.pick(x.sign, least, most);
    // From 2^32 on the shift is negative; infinities and NaNs are larger still.
    let over = k.either(k.lessi(down, 0), k.lt_u(limit, magnitude));
    let number = if signed { k.sel(x.sign, k.sub(k.w(0), magnitude), magnitude) } else { magnitude };
    let bound = if signed { k.pick(x.sign, 0u32.wrapping_sub(least), most) } else { limit };
    let number = k.sel(over, bound, number);
    if how == Whole::Trunc { k.sel(nan, k.w(0), number) } else { number }
}

/// f32 as a byte: the fraction is cut off.
pub fn u8_of_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    integer::<K, Narrow>(k, m, F32, a, 8, false, Whole::Trunc)
}

/// A number clamped to [-1, 1] or [0, 1] and times the largest integer of 16 bits, to the nearest even.
pub fn norm16<K: Int>(k: &K, m: &Modes<K>, f: Format, a: K::W, signed: bool) -> K::W {
    let x = operand::<K, Narrow>(k, f, &m.rules(k, f), a);
    let largest = if signed { 0x7fff } else { 0xffff };
    let (field, sig) = x.normal(k, f);
    // From 2^46 to 2^48 for a number from 1 to 2.
    let (high, low) = (k.mulhi_u(sig, k.w(largest << 16)), k.mul(sig, k.w(largest << 16)));
    let high = k.or(k.shri(high, 2), k.bit(k.nz(k.or(k.andi(high, 3), low))));
    // In units of 2^-13 from 1 on, of 2^-14 from 1/2 on ...; beyond 31 places all are less than a half.
    let down = k.min_u(k.sub(k.w((f.bias() + 13) as u32), field), k.w(31));
    let whole = k.shr(high, down);
    let rest = k.shl(high, k.sub(k.w(0), down));
    let half = k.sub(k.w(1 << 31), k.andi(whole, 1));
    let whole = k.add(whole, k.bit(k.lt_u(half, rest)));
    let one = k.negate(k.lt_u(x.abs, k.w(f.one() as u32)));
    let whole = k.sel(one, k.w(largest), whole);
    let nan = x.nan(k, f);
    if signed {
        let value = k.andi(k.sel(x.sign, k.sub(k.w(0), whole), whole), 0xffff);
        k.sel(nan, k.w(0), value)
    } else {
        k.sel(k.either(nan, x.sign), k.w(0), whole)
    }
}

/// The low four bits, signed, over 16, as f32.
pub fn f32_of_i4_off<K: Int>(k: &K, a: K::W) -> K::W {
    let a = k.sari(k.shli(a, 28), 28);
    let minus = k.lessi(a, 0);
    let a = k.sel(minus, k.sub(k.w(0), a), a);
    let zeros = k.clz(a);
    // The leading bit raises the exponent by one; a sixteenth takes four.
    let base = k.shli(k.sub(k.w((F32.bias() + 30 - 4) as u32), zeros), 23);
    let number = k.add(base, k.shri(k.shl(a, zeros), 8));
    signed::<K, Narrow>(k, F32, minus, k.sel(k.eqi(a, 0), k.w(0), number))
}
