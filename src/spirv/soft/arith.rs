//! Sums and products, rounded once or twice.

use super::round::{Operand, operand, pass, round, signed};
use super::word::full_product;
use super::{F32, Format, Int, Modes, Narrow, Rules, Wide, Word};

/// The first NaN of some operands, or something else where there is none.
pub(super) fn first_nan<K: Int, S: Word<K>>(
    k: &K,
    f: Format,
    r: &Rules<K>,
    operands: &[Operand<K, S>],
    other: S::T,
) -> S::T {
    let Some((last, before)) = operands.split_last() else { return other };
    let mut any = last.nan(k, f);
    let mut first = last.bits;
    for a in before.iter().rev() {
        let nan = a.nan(k, f);
        first = S::sel(k, nan, a.bits, first);
        any = k.either(any, nan);
    }
    S::sel(k, any, pass::<K, S>(k, f, r, first), other)
}

/// `a + b` under rules.
pub(super) fn add_under<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, a: S::T, b: S::T) -> S::T {
    sum(k, f, r, operand::<K, S>(k, f, r, a), operand::<K, S>(k, f, r, b))
}

/// The sum of operands.
fn sum<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, a: Operand<K, S>, b: Operand<K, S>) -> S::T {
    let less = S::lt(k, a.abs, b.abs);
    let large =
        Operand::<K, S> { bits: a.bits, sign: k.sel_c(less, b.sign, a.sign), abs: S::sel(k, less, b.abs, a.abs) };
    let small = Operand::<K, S> { abs: S::sel(k, less, a.abs, b.abs), ..large };
    let apart = k.differ(a.sign, b.sign);

    // One place is left for the carry above the significand, at least five for what is shifted out below: a difference that cancels by more than one
    // place has lost nothing.
    let up = k.w(S::BITS - 4 - f.man);
    let ((field, high), (lower, low)) = (large.plain(k, f), small.plain(k, f));
    let distance = k.min_u(k.sub(field, lower), k.w(S::BITS - 1));
    let (high, low) = (S::shl(k, high, up), S::jam(k, S::shl(k, low, up), distance));
    let total = S::sel(k, apart, S::sub(k, high, low), S::add(k, high, low));
    let zeros = S::clz(k, total);
    let sig = S::shl(k, total, k.addi(zeros, -2));
    let rounded = round::<K, S>(k, f, r, large.sign, k.sub(k.addi(field, 3), zeros), sig);
    let minus = k.sel_c(apart, k.eqi(r.round, 2), large.sign);
    let finite = S::sel(k, S::zero(k, total), signed::<K, S>(k, f, minus, S::of(k, 0)), rounded);

    let infinite = S::sel(
        k,
        k.both(apart, small.inf(k, f)),
        S::of(k, f.default_nan()),
        signed::<K, S>(k, f, large.sign, large.abs),
    );
    let a_nan = a.nan(k, f);
    let nan = pass::<K, S>(k, f, r, S::sel(k, a_nan, a.bits, b.bits));
    let special = S::sel(k, large.nan(k, f), nan, infinite);
    S::sel(k, large.special(k, f), special, finite)
}

/// `a + b`
pub fn add<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T) -> S::T {
    add_under::<K, S>(k, f, &m.rules(k, f), a, b)
}

/// `a - b`: the sum with `b` negated, also where it is a NaN.
pub fn sub<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T) -> S::T {
    add::<K, S>(k, m, f, a, negated::<K, S>(k, f, b))
}

/// With the other sign.
pub(super) fn negated<K: Int, S: Word<K>>(k: &K, f: Format, a: S::T) -> S::T {
    S::with_top(k, a, k.xor(S::top(k, a), k.w(f.top(f.sign()))))
}

/// `a * b` of operands.
pub(super) fn product_of<K: Int, S: Word<K>>(
    k: &K,
    f: Format,
    r: &Rules<K>,
    a: Operand<K, S>,
    b: Operand<K, S>,
) -> S::T {
    let minus = k.differ(a.sign, b.sign);
    let ((fa, x), (fb, y)) = (a.normal(k, f), b.normal(k, f));
    // The product of numbers from 1 to 2 is from 1 to 4.
    let high = S::product(k, x, S::shr(k, y, k.w(2)));
    let two = k.shri(S::top(k, high), 29);
    let sig = S::shl(k, high, k.sub(k.w(1), two));
    let field = k.addi(k.add(k.add(fa, fb), two), -f.bias());
    let zero = S::zero(k, high);
    let finite = round::<K, S>(k, f, r, minus, k.sel(zero, k.w(0), field), sig);

    let inf = signed::<K, S>(k, f, minus, S::of(k, f.inf()));
    let special = S::sel(k, zero, S::of(k, f.default_nan()), inf);
    let special = first_nan(k, f, r, &[a, b], special);
    S::sel(k, k.either(a.special(k, f), b.special(k, f)), special, finite)
}

/// `a * b` under rules.
pub(super) fn mul_under<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, a: S::T, b: S::T) -> S::T {
    product_of(k, f, r, operand::<K, S>(k, f, r, a), operand::<K, S>(k, f, r, b))
}

/// `a * b`
pub fn mul<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, b: S::T) -> S::T {
    mul_under::<K, S>(k, f, &m.rules(k, f), a, b)
}

/// Under rules, `a * b`, where zero times anything is +0.
pub(super) fn mul_legacy_under<K: Int>(k: &K, r: &Rules<K>, a: K::W, b: K::W) -> K::W {
    let (a, b) = (operand::<K, Narrow>(k, F32, r, a), operand::<K, Narrow>(k, F32, r, b));
    let zero = k.either(a.zero(k), b.zero(k));
    k.sel(zero, k.w(0), product_of(k, F32, r, a, b))
}

/// `a * b`, where zero times anything is +0.
pub fn mul_legacy<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W) -> K::W {
    mul_legacy_under(k, &m.single(k), a, b)
}

/// The product rounded, then the sum. f32 flushes throughout in every mode.
pub fn mad<K: Int>(k: &K, m: &Modes<K>, f: Format, a: K::W, b: K::W, c: K::W) -> K::W {
    let rules = m.rules(k, f);
    let rules = if f == F32 { rules.flushing(k, true) } else { rules };
    add_under::<K, Narrow>(k, f, &rules, mul_under::<K, Narrow>(k, f, &rules, a, b), c)
}

/// [`mad`] of f32, where zero times anything is +0.
pub fn mad_legacy<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, c: K::W) -> K::W {
    let rules = m.single(k).flushing(k, true);
    add_under::<K, Narrow>(k, F32, &rules, mul_legacy_under(k, &rules, a, b), c)
}

/// `a * b + c` of f32, flushed throughout, where zero times anything is +0, to which `c` is added.
pub fn fma_legacy<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, c: K::W) -> K::W {
    let rules = m.single(k).flushing(k, true);
    let (x, y) = (operand::<K, Narrow>(k, F32, &rules, a), operand::<K, Narrow>(k, F32, &rules, b));
    let zero = k.either(x.zero(k), y.zero(k));
    let (a, b) = (k.sel(zero, k.w(0), a), k.sel(zero, k.w(0), b));
    fma_into(k, F32, F32, &rules, [a, b, c])
}

/// `a * b + c` with one rounding, of f16 and f32.
pub fn fma<K: Int>(k: &K, m: &Modes<K>, f: Format, a: K::W, b: K::W, c: K::W) -> K::W {
    fma_into(k, f, f, &m.rules(k, f), [a, b, c])
}

/// `a * b + c` of f64 with one rounding.
pub fn fma_f64<K: Int>(k: &K, m: &Modes<K>, a: K::D, b: K::D, c: K::D) -> K::D {
    fma_wide(k, &m.double(k), [a, b, c], k.w(0))
}

/// `a * b + c` of f32, rounded once, to f16.
pub fn fma_f16_of_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, c: K::W) -> K::W {
    let rules = Rules { flush_in: m.single(k).flush_in, ..m.half(k) };
    fma_into(k, F32, super::F16, &rules, [a, b, c])
}

/// What a fused operation gives where an operand is infinite or a NaN: an invalid product goes before NaNs.
fn fma_special<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, [a, b, c]: [Operand<K, S>; 3], zero: K::C) -> S::T {
    let minus = k.differ(a.sign, b.sign);
    let infinite = k.either(a.inf(k, f), b.inf(k, f));
    let against = k.both(c.inf(k, f), k.differ(minus, c.sign));
    let inf = signed::<K, S>(k, f, k.sel_c(infinite, minus, c.sign), S::of(k, f.inf()));
    let default = S::of(k, f.default_nan());
    let rest = S::sel(k, k.both(infinite, against), default, inf);
    let rest = first_nan(k, f, r, &[a, b, c], rest);
    S::sel(k, k.both(infinite, zero), default, rest)
}

/// A fused operation on f16 or f32 under rules, the result in any of the two.
pub(super) fn fma_into<K: Int>(k: &K, from: Format, to: Format, r: &Rules<K>, operands: [K::W; 3]) -> K::W {
    fma_scaled(k, from, to, r, operands, k.w(0))
}

/// [`fma_into`], times a power of two.
pub(super) fn fma_scaled<K: Int>(
    k: &K,
    from: Format,
    to: Format,
    r: &Rules<K>,
    operands: [K::W; 3],
    scale: K::W,
) -> K::W {
    let [a, b, c] = operands.map(|a| operand::<K, Narrow>(k, from, r, a));
    let minus = k.differ(a.sign, b.sign);
    let apart = k.differ(minus, c.sign);
    let ((fa, x), (fb, y), (fc, z)) = (a.normal(k, from), b.normal(k, from), c.normal(k, from));

    // Both terms have their highest bit at place 61, the product of numbers below two one lower.
    let product = k.mul_wide_u(x, k.shri(y, 2));
    let addend = k.pair(k.w(0), k.shri(z, 2));
    // A term that is zero must not be what the other is aligned to.
    let nothing = k.w(-4096i32 as u32);
    let zero = k.either(a.zero(k), b.zero(k));
    let fp = k.sel(zero, nothing, k.addi(k.add(fa, fb), 1 - from.bias()));
    let fc = k.sel(c.zero(k), nothing, fc);
    let smaller = k.lt_s(fp, fc);
    let high = k.sel_d(smaller, addend, product);
    let low = k.sel_d(smaller, product, addend);
    let distance = k.sub(k.max_s(fp, fc), k.min_s(fp, fc));
    let low = Wide::jam(k, low, k.min_u(distance, k.w(63)));
    let total = k.sel_d(apart, k.sub_d(high, low), k.add_d(high, low));
    let beyond = k.lessi(k.hi(total), 0);
    let total = k.sel_d(beyond, k.sub_d(k.d(0), total), total);
    let sign = k.differ(k.sel_c(smaller, c.sign, minus), beyond);

    let none = Wide::zero(k, total);
    let sign = k.sel_c(none, k.sel_c(apart, k.eqi(r.round, 2), minus), sign);
    let zeros = k.clz_d(total);
    let sig = k.shl_d(total, zeros);
    let below = k.or(k.lo(sig), k.andi(k.hi(sig), 3));
    let sig = k.or(k.shri(k.hi(sig), 2), k.bit(k.nz(below)));
    let field = k.sub(k.addi(k.max_s(fp, fc), 2 + to.bias() - from.bias()), zeros);
    let field = k.sel(none, k.w(0), k.add(field, scale));
    let finite = round::<K, Narrow>(k, to, r, sign, field, sig);

    let special = k.either(k.either(a.special(k, from), b.special(k, from)), c.special(k, from));
    let result = fma_special(k, from, r, [a, b, c], zero);
    let result = if from == to { result } else { super::convert::special_narrow(k, from, to, r, result) };
    k.sel(special, result, finite)
}

/// Four words, the lowest first.
type Quad<W> = [W; 4];

/// Right by less than 128; what is lost sets the lowest bit.
fn jam_quad<K: Int>(k: &K, a: Quad<K::W>, n: K::W) -> Quad<K::W> {
    let zero = k.w(0);
    let by = |bit: u32| k.nz(k.andi(n, bit));
    let two = by(64);
    let lost = k.sel(two, k.or(a[0], a[1]), zero);
    let a = [k.sel(two, a[2], a[0]), k.sel(two, a[3], a[1]), k.sel(two, zero, a[2]), k.sel(two, zero, a[3])];
    let one = by(32);
    let lost = k.or(lost, k.sel(one, a[0], zero));
    let a = [k.sel(one, a[1], a[0]), k.sel(one, a[2], a[1]), k.sel(one, a[3], a[2]), k.sel(one, zero, a[3])];
    let back = k.not(n);
    // Left by 32 - n, which may be 32.
    let over = |word| k.shl(k.shli(word, 1), back);
    let lost = k.or(lost, over(a[0]));
    let low = k.or(k.or(k.shr(a[0], n), over(a[1])), k.bit(k.nz(lost)));
    [low, k.or(k.shr(a[1], n), over(a[2])), k.or(k.shr(a[2], n), over(a[3])), k.shr(a[3], n)]
}

/// With the highest bit moved to the top: the higher pair, sticky, and by how many places.
fn normal_quad<K: Int>(k: &K, a: Quad<K::W>) -> (K::D, K::W) {
    let zero = k.w(0);
    let two = k.eqi(k.or(a[2], a[3]), 0);
    let a = [k.sel(two, zero, a[0]), k.sel(two, zero, a[1]), k.sel(two, a[0], a[2]), k.sel(two, a[1], a[3])];
    let one = k.eqi(a[3], 0);
    let a = [k.sel(one, zero, a[0]), k.sel(one, a[0], a[1]), k.sel(one, a[1], a[2]), k.sel(one, a[2], a[3])];
    let n = k.clz(a[3]);
    let back = k.not(n);
    let over = |word| k.shr(k.shri(word, 1), back);
    let rest = k.or(a[0], k.shl(a[1], n));
    let high = k.or(k.shl(a[3], n), over(a[2]));
    let low = k.or(k.or(k.shl(a[2], n), over(a[1])), k.bit(k.nz(rest)));
    (k.pair(low, high), k.add(n, k.add(k.pick(two, 64, 0), k.pick(one, 32, 0))))
}

/// `a + b`, or `a - b`.
fn add_quad<K: Int>(k: &K, a: Quad<K::W>, b: Quad<K::W>, minus: K::C) -> Quad<K::W> {
    let flip = k.pick(minus, u32::MAX, 0);
    let mut carry = k.bit(minus);
    let mut sum = a;
    for (sum, b) in sum.iter_mut().zip(b) {
        let b = k.xor(b, flip);
        let first = k.add(*sum, b);
        let total = k.add(first, carry);
        carry = k.bit(k.either(k.lt_u(first, b), k.lt_u(total, carry)));
        *sum = total;
    }
    sum
}

/// A fused operation on f64 under rules, times a power of two.
pub(super) fn fma_wide<K: Int>(k: &K, r: &Rules<K>, operands: [K::D; 3], scale: K::W) -> K::D {
    let f = super::F64;
    let [a, b, c] = operands.map(|a| operand::<K, Wide>(k, f, r, a));
    let minus = k.differ(a.sign, b.sign);
    let apart = k.differ(minus, c.sign);
    let ((fa, x), (fb, y), (fc, z)) = (a.normal(k, f), b.normal(k, f), c.normal(k, f));

    // As with the shorter formats, in 128 bits.
    let two = k.w(2);
    let (p, q) = full_product(k, x, k.shr_d(y, two));
    let z = k.shr_d(z, two);
    let nothing = k.w(-0x4000i32 as u32);
    let zero = k.either(a.zero(k), b.zero(k));
    let fp = k.sel(zero, nothing, k.addi(k.add(fa, fb), 1 - f.bias()));
    let fc = k.sel(c.zero(k), nothing, fc);
    let smaller = k.lt_s(fp, fc);
    let product = [k.lo(q), k.hi(q), k.lo(p), k.hi(p)];
    let addend = [k.w(0), k.w(0), k.lo(z), k.hi(z)];
    let choose = |t: Quad<K::W>, f: Quad<K::W>| std::array::from_fn(|i| k.sel(smaller, t[i], f[i]));
    let (high, low): (Quad<K::W>, Quad<K::W>) = (choose(addend, product), choose(product, addend));
    let distance = k.sub(k.max_s(fp, fc), k.min_s(fp, fc));
    let low = jam_quad(k, low, k.min_u(distance, k.w(127)));
    let total = add_quad(k, high, low, apart);
    let beyond = k.lessi(total[3], 0);
    let total = add_quad(k, [k.w(0); 4], total, beyond);
    let sign = k.differ(k.sel_c(smaller, c.sign, minus), beyond);

    let none = k.eqi(k.or(k.or(total[0], total[1]), k.or(total[2], total[3])), 0);
    let sign = k.sel_c(none, k.sel_c(apart, k.eqi(r.round, 2), minus), sign);
    let (sig, zeros) = normal_quad(k, total);
    let lost = k.nz(k.andi(k.lo(sig), 3));
    let sig = Wide::or_c(k, k.shr_d(sig, two), lost);
    let field = k.sub(k.addi(k.max_s(fp, fc), 2), zeros);
    let field = k.sel(none, k.w(0), k.add(field, scale));
    let finite = round::<K, Wide>(k, f, r, sign, field, sig);

    let special = k.either(k.either(a.special(k, f), b.special(k, f)), c.special(k, f));
    k.sel_d(special, fma_special(k, f, r, [a, b, c], zero), finite)
}

/// `a * 2^n` under rules.
pub(super) fn ldexp_under<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, a: S::T, n: K::W) -> S::T {
    let a = operand::<K, S>(k, f, r, a);
    let (field, sig) = a.normal(k, f);
    // No number stays finite or above zero beyond that.
    let n = k.min_s(k.max_s(n, k.w(-8192i32 as u32)), k.w(8192));
    let field = k.sel(a.zero(k), k.w(0), k.add(field, n));
    let finite = round::<K, S>(k, f, r, a.sign, field, S::shr(k, sig, k.w(2)));
    let special = S::sel(k, a.nan(k, f), pass::<K, S>(k, f, r, a.bits), a.bits);
    S::sel(k, a.special(k, f), special, finite)
}

/// `a * 2^n`, rounded once; f16 takes the low 16 bits of `n`.
pub fn ldexp<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, n: K::W) -> S::T {
    let n = if f == super::F16 { k.sari(k.shli(n, 16), 16) } else { n };
    ldexp_under::<K, S>(k, f, &m.rules(k, f), a, n)
}
