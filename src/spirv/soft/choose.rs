//! Comparisons, classes, the lesser and the greater.

use super::round::{Operand, abs, operand, pass, sign, signed};
use super::{F32, Format, Int, Modes, Narrow, Rules, Word};
use crate::isa::Gen;
use crate::isa::sem::Cmp;

/// Whether `a` lies below `b`, -0 below +0; neither is a NaN.
fn below<K: Int, S: Word<K>>(k: &K, a: &Operand<K, S>, b: &Operand<K, S>) -> K::C {
    // Of two negative numbers the larger magnitude lies below; signs that differ decide alone.
    let (x, y) = (S::sel(k, a.sign, b.abs, a.abs), S::sel(k, a.sign, a.abs, b.abs));
    k.sel_c(k.differ(a.sign, b.sign), a.sign, S::lt(k, x, y))
}

/// Less, equal, greater; all three false where one is a NaN. Zeros are equal.
fn order<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, a: S::T, b: S::T) -> [K::C; 3] {
    let (a, b) = (operand::<K, S>(k, f, r, a), operand::<K, S>(k, f, r, b));
    let nan = k.either(a.nan(k, f), b.nan(k, f));
    let same = S::eq(k, a.abs, b.abs);
    let equal = k.both(same, k.either(a.zero(k), k.negate(k.differ(a.sign, b.sign))));
    let less = below(k, &a, &b);
    let number = k.negate(nan);
    [k.both(k.but_not(less, equal), number), k.both(equal, number), k.both(k.negate(k.either(less, equal)), number)]
}

/// A comparison of flushed sources.
pub fn cmp<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, op: Cmp, a: S::T, b: S::T) -> K::C {
    let [less, equal, greater] = order::<K, S>(k, f, &m.rules(k, f), a, b);
    let apart = || k.either(less, greater);
    match op {
        Cmp::F => k.c(false),
        Cmp::Lt => less,
        Cmp::Eq => equal,
        Cmp::Le => k.either(less, equal),
        Cmp::Gt => greater,
        Cmp::Lg => apart(),
        Cmp::Ge => k.either(greater, equal),
        Cmp::O => k.either(apart(), equal),
        Cmp::U => k.negate(k.either(apart(), equal)),
        Cmp::Nge => k.negate(k.either(greater, equal)),
        Cmp::Nlg => k.negate(apart()),
        Cmp::Ngt => k.negate(greater),
        Cmp::Nle => k.negate(k.either(less, equal)),
        Cmp::Neq => k.negate(equal),
        Cmp::Nlt => k.negate(less),
        Cmp::T => k.c(true),
    }
}

/// Whether `a`, unflushed, is of one of the classes in a mask.
pub fn class<K: Int, S: Word<K>>(k: &K, f: Format, a: S::T, mask: K::W) -> K::C {
    let (minus, abs) = (sign::<K, S>(k, f, a), abs::<K, S>(k, f, a));
    let from = |bits: u64| k.negate(S::lt(k, abs, S::of(k, bits)));
    // 0 zero, 1 denormal, 2 normal, 3 infinite: up from +0 at 6, down from -0 at 5.
    let rank = k.add(k.bit(from(1)), k.add(k.bit(from(f.step())), k.bit(from(f.inf()))));
    let number = k.sel(minus, k.sub(k.w(5), rank), k.addi(rank, 6));
    let nan = k.bit(from(f.inf() | f.quiet()));
    let bit = k.sel(from(f.inf() + 1), nan, number);
    k.nz(k.andi(k.shr(mask, bit), 1))
}

/// What a choice makes of NaNs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Nans {
    /// Numbers go before NaNs; up to gfx11 in IEEE mode, signalling NaNs before numbers.
    Number,
    /// NaNs go before numbers.
    Propagate,
}

/// The lesser or the greater of flushed operands.
fn extremum<K: Int, S: Word<K>>(
    k: &K,
    m: &Modes<K>,
    f: Format,
    nans: Nans,
    larger: bool,
    [a, b]: [Operand<K, S>; 2],
) -> S::T {
    let second = if larger { below(k, &a, &b) } else { below(k, &b, &a) };
    let (a_nan, b_nan) = (a.nan(k, f), b.nan(k, f));
    let (x, y) = (a.value(k, f), b.value(k, f));
    let quiet = |c: K::C, v: S::T| S::or_top(k, v, k.pick(c, f.top(f.quiet()), 0));
    match nans {
        Nans::Propagate => {
            let second = k.sel_c(k.either(a_nan, b_nan), k.negate(a_nan), second);
            quiet(k.either(a_nan, b_nan), S::sel(k, second, y, x))
        }
        Nans::Number => {
            // The second if the first is a NaN and the second is not; the first if only the second is.
            let second = k.sel_c(a_nan, k.negate(b_nan), k.but_not(second, b_nan));
            let both = k.both(a_nan, b_nan);
            if m.gfx12() {
                return quiet(both, S::sel(k, second, y, x));
            }
            let ieee = m.ieee(k);
            let signalling = |a: &Operand<K, S>, nan: K::C| {
                let loud = k.eqi(k.andi(S::top(k, a.abs), f.top(f.quiet())), 0);
                k.both(ieee, k.both(nan, loud))
            };
            let (a_loud, b_loud) = (signalling(&a, a_nan), signalling(&b, b_nan));
            let second = k.but_not(k.either(b_loud, second), a_loud);
            // Two quiet NaNs are quiet already.
            quiet(k.either(a_loud, b_loud), S::sel(k, second, y, x))
        }
    }
}

/// Choices are flushed from gfx9 on; results never are.
fn flushed_choice<K: Int>(k: &K, m: &Modes<K>, f: Format) -> Rules<K> {
    let rules = m.rules(k, f);
    let flush_in = if m.generation >= Gen::Gfx9 { rules.flush_in } else { k.c(false) };
    Rules { flush_in, ..rules }
}

fn chosen<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T) -> Operand<K, S> {
    operand::<K, S>(k, f, &flushed_choice(k, m, f), a)
}

/// The operand of a result that is chosen from again.
fn again<K: Int, S: Word<K>>(k: &K, f: Format, a: S::T) -> Operand<K, S> {
    Operand { bits: a, sign: sign::<K, S>(k, f, a), abs: abs::<K, S>(k, f, a) }
}

/// The lesser.
pub fn min<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T) -> S::T {
    extremum(k, m, f, Nans::Number, false, [chosen::<K, S>(k, m, f, a), chosen(k, m, f, b)])
}

/// The greater.
pub fn max<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T) -> S::T {
    extremum(k, m, f, Nans::Number, true, [chosen::<K, S>(k, m, f, a), chosen(k, m, f, b)])
}

/// The lesser, or the first NaN.
pub fn minimum<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T) -> S::T {
    let r = m.rules(k, f);
    extremum(k, m, f, Nans::Propagate, false, [operand::<K, S>(k, f, &r, a), operand(k, f, &r, b)])
}

/// The greater, or the first NaN.
pub fn maximum<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T) -> S::T {
    let r = m.rules(k, f);
    extremum(k, m, f, Nans::Propagate, true, [operand::<K, S>(k, f, &r, a), operand(k, f, &r, b)])
}

/// The median; with a NaN the least of three.
pub fn med3<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T, c: S::T) -> S::T {
    let [a, b, c] = [a, b, c].map(|a| chosen::<K, S>(k, m, f, a));
    let (ab, ac, bc) = (below(k, &a, &b), below(k, &a, &c), below(k, &b, &c));
    let [x, y, z] = [a, b, c].map(|a| a.value(k, f));
    // Between the two others, in one order or the other.
    let middle = S::sel(k, k.differ(ab, ac), x, S::sel(k, k.differ(ab, bc), z, y));
    let least = extremum(k, m, f, Nans::Number, false, [a, b]);
    let least = extremum(k, m, f, Nans::Number, false, [again(k, f, least), c]);
    let nan = k.either(k.either(a.nan(k, f), b.nan(k, f)), c.nan(k, f));
    S::sel(k, nan, least, middle)
}

/// `a < b ? a : b` of f32; `b` where either is a NaN.
pub fn min_legacy<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W) -> K::W {
    legacy(k, m, a, b, |[less, _, _]| less)
}

/// `a >= b ? a : b` of f32; `b` where either is a NaN.
pub fn max_legacy<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W) -> K::W {
    legacy(k, m, a, b, |[_, equal, greater]| k.either(equal, greater))
}

fn legacy<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, first: impl Fn([K::C; 3]) -> K::C) -> K::W {
    let r = flushed_choice(k, m, F32);
    let takes = first(order::<K, Narrow>(k, F32, &r, a, b));
    let [a, b] = [a, b].map(|a| operand::<K, Narrow>(k, F32, &r, a).value(k, F32));
    k.sel(takes, a, b)
}

/// An f16 or f32 with denormals flushed and NaNs quieted as the rules say.
pub(super) fn canonical<K: Int>(k: &K, f: Format, r: &Rules<K>, a: K::W) -> K::W {
    let r = Rules { flush_in: k.either(r.flush_in, r.flush_out), ..*r };
    let a = operand::<K, Narrow>(k, f, &r, a);
    let value = signed::<K, Narrow>(k, f, a.sign, a.abs);
    k.sel(a.nan(k, f), pass::<K, Narrow>(k, f, &r, value), value)
}
