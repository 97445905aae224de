//! The two ends of every operation: operands are taken apart, results are rounded and put together.
//!
//! A significand to be rounded has its highest bit two below the top of its word, so that a format keeps at least six bits more than its
//! own; the lowest of them is sticky. With it goes the exponent field that the number would have if there were no limits: below 1 it is tiny,
//! at [`Format::special`] and above it overflows.

use super::{Format, Int, Rules, Word};

/// An operand: its pattern as it came, its sign, and its magnitude after flushing.
pub(super) struct Operand<K: Int, S: Word<K>> {
    pub bits: S::T,
    pub sign: K::C,
    pub abs: S::T,
}

impl<K: Int, S: Word<K>> Clone for Operand<K, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K: Int, S: Word<K>> Copy for Operand<K, S> {}

/// The sign of a pattern.
pub(super) fn sign<K: Int, S: Word<K>>(k: &K, f: Format, a: S::T) -> K::C {
    let top = S::top(k, a);
    let up = if f.man > 31 { 0 } else { 31 - f.exp - f.man };
    k.lessi(if up == 0 { top } else { k.shli(top, up) }, 0)
}

/// The pattern without its sign and without what lies above the format.
pub(super) fn abs<K: Int, S: Word<K>>(k: &K, f: Format, a: S::T) -> S::T {
    S::with_top(k, a, k.andi(S::top(k, a), f.top(f.magnitude())))
}

/// An operand taken apart, flushed as the rules say.
pub(super) fn operand<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, a: S::T) -> Operand<K, S> {
    let plain = abs::<K, S>(k, f, a);
    let tiny = k.lt_u(S::top(k, plain), k.w(f.top(f.step())));
    let abs = S::sel(k, k.both(r.flush_in, tiny), S::of(k, 0), plain);
    Operand { bits: a, sign: sign::<K, S>(k, f, a), abs }
}

impl<K: Int, S: Word<K>> Operand<K, S> {
    /// The exponent field.
    pub fn field(&self, k: &K, f: Format) -> K::W {
        k.shri(S::top(k, self.abs), f.top_man())
    }
    /// A NaN.
    pub fn nan(&self, k: &K, f: Format) -> K::C {
        S::lt(k, S::of(k, f.inf()), self.abs)
    }
    /// Infinity.
    pub fn inf(&self, k: &K, f: Format) -> K::C {
        S::eq(k, self.abs, S::of(k, f.inf()))
    }
    /// Zero.
    pub fn zero(&self, k: &K) -> K::C {
        S::zero(k, self.abs)
    }
    /// Infinity or NaN.
    pub fn special(&self, k: &K, f: Format) -> K::C {
        k.negate(k.lt_u(S::top(k, self.abs), k.w(f.top(f.inf()))))
    }
    /// The pattern after flushing.
    pub fn value(&self, k: &K, f: Format) -> S::T {
        signed::<K, S>(k, f, self.sign, self.abs)
    }
    /// The exponent field that the number would have if it were normal, and the significand with its highest bit at the top. Of zero the significand
    /// is zero.
    pub fn normal(&self, k: &K, f: Format) -> (K::W, S::T) {
        let field = self.field(k, f);
        // The shift drops the sign and all of the exponent but its lowest bit, which is where the leading bit goes.
        let sig = S::shl(k, self.abs, k.w(S::BITS - 1 - f.man));
        let leading = k.sel(k.nz(field), k.w(1 << 31), k.w(0));
        let sig = S::or_top(k, sig, leading);
        let zeros = S::clz(k, sig);
        (k.sub(k.max_u(field, k.w(1)), zeros), S::shl(k, sig, zeros))
    }
    /// The exponent field, 1 at least, and the significand as it is, with the leading bit of normal numbers at `man`.
    pub fn plain(&self, k: &K, f: Format) -> (K::W, S::T) {
        let field = self.field(k, f);
        let leading = k.shli(k.min_u(field, k.w(1)), f.top_man());
        let fraction = k.andi(S::top(k, self.abs), f.top(f.fraction()));
        (k.max_u(field, k.w(1)), S::with_top(k, self.abs, k.or(fraction, leading)))
    }
}

/// A magnitude with a sign.
pub(super) fn signed<K: Int, S: Word<K>>(k: &K, f: Format, sign: K::C, abs: S::T) -> S::T {
    S::or_top(k, abs, k.pick(sign, f.top(f.sign()), 0))
}

/// A NaN on its way through.
pub(super) fn pass<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, a: S::T) -> S::T {
    S::or_top(k, a, k.pick(r.quiet, f.top(f.quiet()), 0))
}

/// Whether magnitudes that are not exact are rounded away from zero, in other modes than to nearest.
fn away<K: Int>(k: &K, r: &Rules<K>, sign: K::C) -> K::C {
    k.eq(r.round, k.pick(sign, 2, 1))
}

/// The magnitude of what overflows.
pub(super) fn overflow<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, sign: K::C) -> S::T {
    let to_inf = k.either(k.eqi(r.round, 0), away(k, r, sign));
    S::sel(k, k.but_not(to_inf, r.saturate), S::of(k, f.inf()), S::of(k, f.max()))
}

/// The magnitude of a number closer to zero than half of the smallest denormal.
pub(super) fn tiniest<K: Int, S: Word<K>>(k: &K, r: &Rules<K>, sign: K::C) -> S::T {
    S::zext(k, k.bit(k.but_not(away(k, r, sign), r.flush_out)))
}

/// Rounds a magnitude: `sig` has its highest bit at the third place from the top, or is zero, and then `field` is 1 or less.
/// Fields of tiny numbers may be too small by any amount, and so may their significands.
pub(super) fn round_abs<K: Int, S: Word<K>>(
    k: &K,
    f: Format,
    r: &Rules<K>,
    sign: K::C,
    field: K::W,
    sig: S::T,
) -> S::T {
    let unit = S::BITS - 3 - f.man;
    // Denormals keep fewer bits. Where they are flushed it is rounded to full precision, which says whether the result is tiny.
    let most = k.pick(r.flush_out, 0, f.man + 2);
    let fewer = k.min_u(k.max_s(k.sub(k.w(1), field), k.w(0)), most);
    let drop = k.addi(fewer, unit as i32);
    let kept = S::shr(k, sig, drop);
    let rest = S::shl(k, sig, k.sub(k.w(0), drop));
    // Raised if the rest is greater than the threshold: a half, or a little less for odd numbers; nothing; everything.
    let half = S::sub(k, S::of(k, 1 << (S::BITS - 1)), S::zext(k, k.andi(S::low(k, kept), 1)));
    let directed = S::sel(k, away(k, r, sign), S::of(k, 0), S::of(k, u64::MAX));
    let threshold = S::sel(k, k.eqi(r.round, 0), half, directed);
    let whole = S::add_c(k, kept, S::lt(k, threshold, rest));
    // A carry out of the significand.
    let rounded = k.add(field, k.shri(S::top(k, whole), f.top_man() + 1));
    // Where tiny numbers are flushed, field 0 is met by those that the carry makes normal.
    let least = k.pick(r.flush_out, u32::MAX, 0);
    let base = k.shli(k.max_s(k.addi(field, -1), least), f.top_man());
    let bits = S::with_top(k, whole, k.add(S::top(k, whole), base));
    let over = k.morei(rounded, f.special() - 1);
    let bits = S::sel(k, over, overflow::<K, S>(k, f, r, sign), bits);
    let tiny = k.both(r.flush_out, k.lessi(rounded, 1));
    S::sel(k, tiny, S::of(k, 0), bits)
}

/// [`round_abs`], with the sign.
pub(super) fn round<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, sign: K::C, field: K::W, sig: S::T) -> S::T {
    signed::<K, S>(k, f, sign, round_abs::<K, S>(k, f, r, sign, field, sig))
}
