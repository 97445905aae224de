//! Formats at run time: from the words of an element to components and back, in integers.
//!
//! The functions take the format as words, since a descriptor may bring it. Rounding needs no division: `n / (2^w - 1)` in binary is the
//! `w` bits of n again and again, which never end in a tie.

use super::Lower;
use super::helper::Helper;
use crate::isa::sem::Alg;
use crate::memory::format::Kind;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault;

pub(super) const COMPONENTS: Helper = Helper { name: "format_load", results: 4, body: components };
pub(super) const ELEMENT: Helper = Helper { name: "format_store", results: 4, body: element };
pub(super) const HALF: Helper = Helper { name: "f16_toward_zero", results: 1, body: half };
pub(super) const WIDE: Helper = Helper { name: "f32_of_f16_bits", results: 1, body: wide };
const VALUE: Helper = Helper { name: "format_value", results: 1, body: value };
const FIELD: Helper = Helper { name: "format_field", results: 1, body: field };

/// The number of a kind, in functions.
pub(in crate::spirv) fn number(kind: Kind) -> u32 {
    match kind {
        Kind::Unorm => 0,
        Kind::Snorm => 1,
        Kind::Uscaled => 2,
        Kind::Sscaled => 3,
        Kind::Uint => 4,
        Kind::Sint => 5,
        Kind::SnormOgl => 6,
        _ => 7,
    }
}

/// Does something for each component of a format, in a loop of the device: with its number, its first bit, and its width.
fn each_component(l: &Lower<'_>, widths: Word, body: impl FnOnce(Word, Word, Word)) {
    let k = l.alg(Word::Known(0));
    let start = l.var(k.w(0));
    l.times(k.w(4), |n| {
        let first = l.get(start);
        let width = k.mask(k.shr(widths, k.shli(n, 3)), 0xff);
        l.when(k.nz(width), || body(n, first, width));
        l.put(start, k.add(first, width));
    });
}

/// Widths (a byte each), kind, whether W is unsigned, the element (four): the components.
fn components(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let results = [(); 4].map(|()| l.var(k.w(0)));
    each_component(l, a[0], |n, start, width| {
        let bits = k.shr(pick(&k, &a[3..7], k.shri(start, 5)), k.mask(start, 31));
        let bits = k.and(bits, ones(&k, width));
        // The signed kinds come behind the unsigned ones.
        let kind = k.sel(k.eq(n, k.w(3)), k.sub(a[1], a[2]), a[1]);
        let v = l.call(VALUE, 0, &[kind, bits, width])[0];
        for (at, result) in (0..).zip(results) {
            l.put_if(k.eq(n, k.w(at)), result, v);
        }
    });
    results.map(|result| l.get(result)).to_vec()
}

/// Widths, kind, the components (four): the element.
fn element(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let words = [(); 4].map(|()| l.var(k.w(0)));
    each_component(l, a[0], |n, start, width| {
        let bits = l.call(FIELD, 0, &[a[1], pick(&k, &a[2..6], n), width])[0];
        let bits = k.shl(bits, k.mask(start, 31));
        for (at, word) in (0..).zip(words) {
            let own = k.sel(k.eq(k.shri(start, 5), k.w(at)), bits, k.w(0));
            l.put(word, k.or(l.get(word), own));
        }
    });
    words.map(|word| l.get(word)).to_vec()
}

/// Word `n` of several; the first one where there is none.
pub(super) fn pick(k: &Spirv<'_>, words: &[Word], n: Word) -> Word {
    (1..).zip(&words[1..]).fold(words[0], |v, (at, word)| k.sel(k.eq(n, k.w(at)), *word, v))
}

/// Whether an f32 is no number.
pub(super) fn is_nan(k: &Spirv<'_>, v: Word) -> Truth {
    k.lt_u(k.w(0x7f80_0000), k.mask(v, 0x7fff_ffff))
}

/// The low bits; the width is 1 to 32.
fn ones(k: &Spirv<'_>, width: Word) -> Word {
    k.shr(k.w(u32::MAX), k.sub(k.w(32), width))
}

/// A float whose significand is in the upper bits of a word, the highest one set, exact: `exponent` is that of the highest bit.
fn float_of(k: &Spirv<'_>, significand: Word, exponent: Word) -> Word {
    k.or(k.shli(exponent, 23), k.mask(k.shri(significand, 8), 0x7f_ffff))
}

/// An integer below 2^24 as f32.
pub(super) fn exact(k: &Spirv<'_>, v: Word) -> Word {
    let zeros = k.clz(v);
    let float = float_of(k, k.shl(v, zeros), k.sub(k.w(158), zeros));
    k.sel(k.eq(v, k.w(0)), k.w(0), float)
}

/// `n / (2^w - 1)` as f32, for n up to the divisor and w up to 16.
fn fraction(k: &Spirv<'_>, n: Word, width: Word) -> Word {
    // The bits again and again, from the top of 64.
    let mut all: Pair = (k.w(0), k.shl(n, k.sub(k.w(32), width)));
    let mut by = width;
    for _ in 0..6 {
        // Twice as many each time; shifts from 64 on bring nothing.
        let more = k.shr_d(all, by);
        let far = k.lt_u(k.w(63), by);
        all = k.or_d(all, k.sel_d(far, k.d(0), more));
        by = k.shli(by, 1);
    }
    let zeros = k.clz(all.1);
    let top = k.shl_d(all, zeros).1;
    let round = k.mask(k.shri(top, 7), 1);
    let float = k.add(float_of(k, top, k.sub(k.w(126), zeros)), round);
    k.sel(k.eq(n, k.w(0)), k.w(0), float)
}

/// Whether an integer is negative, and its magnitude.
pub(super) fn magnitude(k: &Spirv<'_>, v: Word) -> (Truth, Word) {
    let negative = k.lt_s(v, k.w(0));
    (negative, k.sel(negative, k.sub(k.w(0), v), v))
}

/// A float with a sign.
pub(super) fn with_sign(k: &Spirv<'_>, negative: Truth, v: Word) -> Word {
    k.or(v, k.sel(negative, k.w(1 << 31), k.w(0)))
}

/// Mantissa bits of a float field.
fn mantissa(k: &Spirv<'_>, width: Word) -> Word {
    k.sel(k.eq(width, k.w(16)), k.w(10), k.sub(width, k.w(5)))
}

/// A float field of 10, 11 or 16 bits as f32: exact, a NaN keeps its bits.
fn float_value(k: &Spirv<'_>, bits: Word, width: Word) -> Word {
    let m = mantissa(k, width);
    let sign = k.sel(k.eq(width, k.w(16)), k.shli(k.mask(bits, 0x8000), 16), k.w(0));
    let exponent = k.mask(k.shr(bits, m), 31);
    let fraction = k.and(bits, k.sub(k.shl(k.w(1), m), k.w(1)));
    let placed = k.shl(fraction, k.sub(k.w(23), m));
    // An integer times 2^(-14 - m).
    let zeros = k.clz(fraction);
    let small = float_of(k, k.shl(fraction, zeros), k.sub(k.sub(k.w(158 - 14), m), zeros));
    let small = k.sel(k.eq(fraction, k.w(0)), k.w(0), small);
    let normal = k.or(k.shli(k.add(exponent, k.w(127 - 15)), 23), placed);
    let special = k.or(placed, k.w(0x7f80_0000));
    let v = k.sel(k.eq(exponent, k.w(0)), small, k.sel(k.eq(exponent, k.w(31)), special, normal));
    k.or(sign, v)
}

/// The register of a component: of a kind, from its bits.
pub(crate) fn component(k: &Spirv<'_>, kind: Kind, bits: Word, width: u32) -> Word {
    of_field(k, kind, bits, k.w(width))
}

fn of_field(k: &Spirv<'_>, kind: Kind, bits: Word, width: Word) -> Word {
    let shift = k.sub(k.w(32), width);
    let signed = || k.sar(k.shl(bits, shift), shift);
    match kind {
        Kind::Unorm => fraction(k, bits, width),
        Kind::Snorm => {
            let (negative, absolute) = magnitude(k, signed());
            let below = k.max_u(k.sub(width, k.w(1)), k.w(1));
            // The lowest number is -1 as well.
            let limited = k.min_u(absolute, ones(k, below));
            with_sign(k, negative, fraction(k, limited, below))
        }
        Kind::SnormOgl => {
            let (negative, odd) = magnitude(k, k.add(k.shli(signed(), 1), k.w(1)));
            with_sign(k, negative, fraction(k, odd, width))
        }
        Kind::Uscaled => exact(k, bits),
        Kind::Sscaled => {
            let (negative, absolute) = magnitude(k, signed());
            with_sign(k, negative, exact(k, absolute))
        }
        Kind::Uint => bits,
        Kind::Sint => signed(),
        _ => k.sel(k.eq(width, k.w(32)), bits, float_value(k, bits, width)),
    }
}

/// Kind, bits, width: the register.
fn value(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (kind, bits, width) = (a[0], a[1], a[2]);
    let kinds = [Kind::Snorm, Kind::Uscaled, Kind::Sscaled, Kind::Uint, Kind::Sint, Kind::SnormOgl, Kind::Float];
    vec![kinds.into_iter().fold(of_field(&k, Kind::Unorm, bits, width), |v, n| {
        k.sel(k.eq(kind, k.w(number(n))), of_field(&k, n, bits, width), v)
    })]
}

/// The magnitude of an f32 with five bits of exponent and `m` of mantissa, to nearest even or toward zero.
fn narrow(k: &Spirv<'_>, magnitude: Word, m: Word, nearest: bool) -> Word {
    let infinity = k.shl(k.w(31), m);
    let fraction = k.mask(magnitude, 0x7f_ffff);
    let kept = k.shr(fraction, k.sub(k.w(23), m));
    let lost = k.both(k.nz(fraction), k.eq(kept, k.w(0)));
    let special = k.or(infinity, k.sel(lost, k.w(1), kept));
    let biased = k.shri(magnitude, 23);
    let exponent = k.sub(biased, k.w(127 - 15));
    let significand = k.or(fraction, k.sel(k.nz(biased), k.w(0x80_0000), k.w(0)));
    let shift = k.add(k.sub(k.w(23), m), k.max_s(k.sub(k.w(1), exponent), k.w(0)));
    let far = k.lt_u(k.w(31), shift);
    let whole = k.shr(significand, shift);
    let rest = k.and(significand, k.sub(k.shl(k.w(1), shift), k.w(1)));
    let tie = k.shl(k.w(1), k.sub(shift, k.w(1)));
    let up = if nearest {
        let even = k.both(k.eq(rest, tie), k.nz(k.mask(whole, 1)));
        k.bit(k.either(k.lt_u(tie, rest), even))
    } else {
        k.w(0)
    };
    // The hidden bit counts as one step of the exponent, as does a carry out of the mantissa.
    let steps = k.max_s(k.sub(exponent, k.w(1)), k.w(0));
    let rounded = k.add(k.add(k.shl(steps, m), whole), up);
    let most = if nearest { infinity } else { k.sub(infinity, k.w(1)) };
    let rounded = k.sel(k.lt_u(rounded, infinity), rounded, most);
    let rounded = k.sel(far, k.w(0), rounded);
    k.sel(k.lt_u(magnitude, k.w(0x7f80_0000)), rounded, special)
}

/// An f32 as f16, cut.
fn half(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let v = narrow(&k, k.mask(a[0], 0x7fff_ffff), k.w(10), false);
    vec![k.or(v, k.shli(k.shri(a[0], 31), 15))]
}

/// An f16 as f32.
fn wide(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    vec![float_value(&k, k.zx16(a[0]), k.w(16))]
}

/// An f32 as a normalised field of up to 16 bits: clamped, NaN as 0, rounded to nearest even.
fn norm(k: &Spirv<'_>, v: Word, width: Word, signed: bool, cut: bool) -> Word {
    let negative = k.lt_s(v, k.w(0));
    let absolute = k.mask(v, 0x7fff_ffff);
    let scale = ones(k, if signed { k.max_u(k.sub(width, k.w(1)), k.w(1)) } else { width });
    let biased = k.shri(absolute, 23);
    let significand = k.or(k.mask(absolute, 0x7f_ffff), k.sel(k.nz(biased), k.w(0x80_0000), k.w(0)));
    let product = k.mul_d(k.zext(significand), k.zext(scale));
    // Beyond 63 nothing is left, and less than a half.
    let shift = k.min_u(k.sub(k.w(150), k.max_u(biased, k.w(1))), k.w(63));
    let whole = k.shr_d(product, shift).0;
    let rest = k.shl_d(product, k.sub(k.w(64), shift));
    let tie = k.d(1 << 63);
    let up = k.either(k.ltu_d(tie, rest), k.both(k.eq_d(rest, tie), k.nz(k.mask(whole, 1))));
    let rounded = if cut { whole } else { k.add(whole, k.bit(up)) };
    let rounded = k.sel(k.lt_u(absolute, k.w(0x3f80_0000)), rounded, scale);
    let rounded = k.sel(is_nan(k, v), k.w(0), rounded);
    let below = if signed { k.sub(k.w(0), rounded) } else { k.w(0) };
    k.and(k.sel(negative, below, rounded), ones(k, width))
}

/// Kind, register, width: the bits of the field.
fn field(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (kind, v, width) = (a[0], a[1], a[2]);
    let all = ones(&k, width);
    let top = k.shri(all, 1);
    let sint = k.and(k.max_s(k.min_s(v, top), k.not(top)), all);
    let m = mantissa(&k, width);
    let magnitude = k.mask(v, 0x7fff_ffff);
    let rounded = narrow(&k, magnitude, m, true);
    let negative = k.lt_s(v, k.w(0));
    let of_16 = k.or(rounded, k.shli(k.shri(v, 31), 15));
    let nan = is_nan(&k, v);
    // Without a sign, what is negative becomes 0.
    let unsigned = k.sel(k.both(negative, k.negate(nan)), k.w(0), rounded);
    let float = k.sel(k.eq(width, k.w(16)), of_16, unsigned);
    let float = k.sel(k.eq(width, k.w(32)), v, float);
    let cut = l.has(Fault::NormTruncated);
    let kinds = [
        (Kind::Unorm, norm(&k, v, width, false, cut)),
        (Kind::Snorm, norm(&k, v, width, true, cut)),
        (Kind::Uint, k.min_u(v, all)),
        (Kind::Sint, sint),
        (Kind::Float, float),
    ];
    vec![kinds.into_iter().fold(k.w(0), |bits, (n, v)| k.sel(k.eq(kind, k.w(number(n))), v, bits))]
}
