//! Numbers of samples: fixed point, logarithms, sums.
//!
//! Coordinates and levels of detail are whole numbers of 256ths in 64 bits, as [`crate::memory::image::sample`] has them; sums are f64.

use super::super::Lower;
use super::super::convert::{is_nan, pick};
use super::super::floats;
use super::super::helper::Helper;
use crate::isa::sem::Alg;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::tables::Tables;
use rspirv::spirv::Op;

/// An f32 as a whole number: see [`Point`].
const FIX: Helper = Helper { name: "image_fixed", results: 2, body: fix };
/// Six gradients, three sizes, axes: half the logarithm of the longer one in 256ths.
const LENGTH: Helper = Helper { name: "image_length", results: 2, body: length };
/// What there was (three: none yet or 1, and f64), an f32, a weight (two), 0 for a sum, 1 for the least, 2 for the greatest: what there is.
const ADD: Helper = Helper { name: "image_add", results: 2, body: add };
/// A texel (two), the size, the clamp: the texel that stands for it, and whether that is the border.
pub(super) const INSIDE: Helper = Helper { name: "image_inside", results: 2, body: inside };

/// Whole numbers of what, and how they are rounded.
#[derive(Clone, Copy)]
pub(super) enum Point {
    /// 256ths, to nearest even.
    Fixed = 2,
    /// Ones, to nearest even.
    Nearest = 0,
    /// Ones, down.
    Floor = 1,
}

const MIN: Pair = (Word::Known(0), Word::Known(1 << 31));
const MAX: Pair = (Word::Known(u32::MAX), Word::Known(u32::MAX >> 1));

impl Lower<'_> {
    /// An f32 as a whole number; NaN is 0, what is too large is the largest.
    pub(super) fn fixed(&self, v: Word, point: Point) -> Pair {
        let r = self.call(FIX, point as u32, &[v]);
        (r[0], r[1])
    }

    /// See [`LENGTH`].
    pub(super) fn length(&self, gradients: &[Word], sizes: [Word; 3], axes: Word) -> Pair {
        let mut args = gradients.to_vec();
        args.extend(sizes);
        args.push(axes);
        let r = self.call(LENGTH, 0, &args);
        (r[0], r[1])
    }

    /// See [`ADD`].
    pub(super) fn add_value(&self, any: Word, old: Pair, v: Word, weight: Pair, reduce: Word) -> Pair {
        let r = self.call(ADD, 0, &[any, old.0, old.1, v, weight.0, weight.1, reduce]);
        (r[0], r[1])
    }

    /// The remainder by a number that is not 0.
    fn remainder(&self, v: Word, by: Word) -> Word {
        let k = self.alg(Word::Known(0));
        Word::Id(self.m.word_op(Op::UMod, &[k.id(v), k.id(by)]))
    }
}

/// A sum that stays within 64 bits.
pub(super) fn saturated(k: &Spirv<'_>, a: Pair, b: Pair) -> Pair {
    let sum = k.add_d(a, b);
    let same = k.not(k.xor(a.1, b.1));
    let lost = k.lt_s(k.and(same, k.xor(a.1, sum.1)), k.w(0));
    k.sel_d(lost, k.sel_d(k.lt_s(a.1, k.w(0)), MIN, MAX), sum)
}

/// Between two words.
pub(super) fn between(k: &Spirv<'_>, v: Pair, low: Word, high: Word) -> Word {
    let below = k.lts_d(v, k.sext(low));
    let above = k.lts_d(k.sext(high), v);
    k.sel(below, low, k.sel(above, high, v.0))
}

fn fix(l: &Lower<'_>, config: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let floor = config == Point::Floor as u32;
    let point = if config == Point::Fixed as u32 { 8 } else { 0 };
    let negative = k.lt_s(a[0], k.w(0));
    let absolute = k.mask(a[0], u32::MAX >> 1);
    let field = k.shri(absolute, 23);
    let significand = k.or(k.mask(absolute, 0x7f_ffff), k.sel(k.nz(field), k.w(0x80_0000), k.w(0)));
    let shift = k.sub(k.max_u(field, k.w(1)), k.w(150 - point));
    let right = k.lt_s(shift, k.w(0));
    let large = k.lt_s(k.w(39), shift);
    let up = k.shl_d(k.zext(significand), k.sel(right, k.w(0), k.min_s(shift, k.w(39))));
    let by = k.sel(right, k.min_s(k.sub(k.w(0), shift), k.w(31)), k.w(1));
    let whole = k.shr(significand, by);
    let rest = k.and(significand, k.sub(k.shl(k.w(1), by), k.w(1)));
    let more = if floor {
        k.both(negative, k.nz(rest))
    } else {
        let half = k.shl(k.w(1), k.sub(by, k.w(1)));
        k.either(k.lt_u(half, rest), k.both(k.eq(rest, half), k.nz(k.mask(whole, 1))))
    };
    let down = k.zext(k.add(whole, k.bit(more)));
    let v = k.sel_d(right, down, up);
    let v = k.sel_d(negative, k.sub_d(k.d(0), v), v);
    let v = k.sel_d(large, k.sel_d(negative, MIN, MAX), v);
    let v = k.sel_d(is_nan(&k, a[0]), k.d(0), v);
    vec![v.0, v.1]
}

fn length(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let [sum, longest] = [(); 2].map(|()| l.wide(k.d(0)));
    const INFINITY: u64 = 0x7ff << 52;
    l.times(k.w(6), |n| {
        let second = k.lt_u(k.w(2), n);
        let axis = k.sel(second, k.sub(n, k.w(3)), n);
        l.put_wide_if(k.eq(axis, k.w(0)), sum, k.d(0));
        l.when(k.lt_u(axis, a[9]), || {
            let side = f.mul_f64(f.f64_of_f32(pick(&k, &a[..6], n)), f.f64_of_u32(pick(&k, &a[6..9], axis)));
            l.put_wide(sum, f.add_f64(l.get_wide(sum), f.mul_f64(side, side)));
        });
        let length = l.get_wide(sum);
        // NaN is left out.
        let number = k.negate(k.ltu_d(k.d(INFINITY), length));
        let longer = k.both(k.both(number, k.ltu_d(l.get_wide(longest), length)), k.eq(axis, k.w(2)));
        l.put_wide_if(longer, longest, length);
    });
    let longest = l.get_wide(longest);
    // 128 times the logarithm: of the exponent, and how many steps the rest is above.
    let tables = Tables::of(&l.target);
    let (steps, bit) = (l.var(k.w(0)), l.var(k.w(128)));
    let rest = (longest.0, k.or(k.mask(longest.1, 0xf_ffff), k.w(0x3ff0_0000)));
    l.repeat(|| {
        let more = k.or(l.get(steps), l.get(bit));
        let at = k.add(k.w(tables.log_steps), k.shli(k.sub(more, k.w(1)), 1));
        let step = (l.looked_up(at), l.looked_up(k.add(at, k.w(1))));
        l.put_if(k.negate(k.ltu_d(rest, step)), steps, more);
        l.put(bit, k.shri(l.get(bit), 1));
        k.nz(l.get(bit))
    });
    let exponent = k.sub(k.shri(longest.1, 20), k.w(1023));
    let v = k.sext(k.add(k.shli(exponent, 7), l.get(steps)));
    let v = k.sel_d(k.nz_d(longest), v, MIN);
    let v = k.sel_d(k.ltu_d(longest, k.d(INFINITY)), v, MAX);
    vec![v.0, v.1]
}

fn is_nan_d(k: &Spirv<'_>, v: Pair) -> Truth {
    k.ltu_d(k.d(0x7ff << 52), (v.0, k.mask(v.1, u32::MAX >> 1)))
}

fn add(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let (any, old, reduce) = (k.nz(a[0]), (a[1], a[2]), a[6]);
    let v = f.f64_of_f32(a[3]);
    let weighted = f.mul_f64(v, (a[4], a[5]));
    let sum = k.sel_d(any, f.add_f64(old, weighted), weighted);
    // The least and the greatest leave NaN out, unless there is nothing else.
    let order = |v: Pair| {
        let flipped = k.sub_d((k.w(0), k.w(1 << 31)), v);
        k.sel_d(k.lt_s(v.1, k.w(0)), flipped, v)
    };
    let less = k.lts_d(order(v), order(old));
    let more = k.lts_d(order(old), order(v));
    let c = k.sel(k.eq(reduce, k.w(1)), k.bit(less), k.bit(more));
    let takes = k.either(k.both(k.nz(c), k.negate(is_nan_d(&k, v))), is_nan_d(&k, old));
    let picked = k.sel_d(any, k.sel_d(takes, v, old), v);
    let r = k.sel_d(k.eq(reduce, k.w(0)), sum, picked);
    vec![r.0, r.1]
}

fn inside(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (v, size, clamp) = ((a[0], a[1]), a[2], a[3]);
    let negative = k.lt_s(v.1, k.w(0));
    let magnitude = k.sel_d(negative, k.not_d(v), v);
    let is = |n: u32| k.eq(clamp, k.w(n));
    // The remainder, by 15 bits at a time: the divisor has 17 at most.
    let by = k.sel(is(1), k.shli(size, 1), size);
    let mut rest = l.remainder(magnitude.1, by);
    for (bits, low) in [(15, 17), (15, 2), (2, 0)] {
        let next = k.mask(k.shri(magnitude.0, low), (1 << bits) - 1);
        rest = l.remainder(k.or(k.shli(rest, bits), next), by);
    }
    let rest = k.sel(negative, k.sub(k.sub(by, k.w(1)), rest), rest);
    let mirrored = k.min_u(rest, k.sub(k.sub(by, k.w(1)), rest));
    let last = k.sub(size, k.w(1));
    let small = |v: Pair, most: Word| k.sel(k.ltu_d(k.zext(most), v), most, v.0);
    let edge = k.sel(negative, k.w(0), small(v, last));
    let once = small(magnitude, last);
    let beyond = |v: Pair| k.negate(k.ltu_d(v, k.zext(size)));
    let mirrors = k.either(is(5), is(7));
    let within = k.sel(is(0), rest, k.sel(is(1), mirrored, k.sel(is(2), edge, once)));
    let out = k.sel(mirrors, k.bit(beyond(magnitude)), k.bit(beyond(v)));
    let borders = k.either(mirrors, k.either(is(4), is(6)));
    let within = k.sel(k.both(borders, k.negate(mirrors)), v.0, k.sel(mirrors, magnitude.0, within));
    vec![within, k.sel(borders, out, k.w(0))]
}
