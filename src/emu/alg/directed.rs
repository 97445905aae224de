//! The host's floats in all modes: any rounding, denormals flushed on one side or on both, overflow that saturates.
//!
//! The host rounds to nearest. What that lost is known: a sum of two floats lacks another float, and of f32 the exact result is a sum of two f64. So the
//! result goes one step up or down where what it lacks and the direction say so ([`Direction`]). f16 are computed in f32 rounded to odd, which can be
//! rounded again to any side. What the modes are is the same for all lanes: numbers and masks, no branches.

use super::fast::half::{fma_lost, lost_f32, lost_f64, to_odd, toward_zero};
use super::{Env, Fast, Machine, Quick, Unit, compare, integers, one_line};
use crate::emu::soft::{Round, Rules, half, nearest_half};
use crate::isa::sem::{Alg, Cmp};

const TOP: u32 = 1 << 31;
const TOP_64: u64 = 1 << 63;

/// A direction of rounding: by how much a magnitude grows if it lacks something, and shrinks if it has too much; of positive numbers, then of negative ones.
#[derive(Clone, Copy, Debug)]
struct Direction {
    grows: [u32; 2],
    shrinks: [u32; 2],
    /// The sign of a sum of numbers of both signs that is zero.
    zero: u32,
}

impl Direction {
    fn of(round: Round) -> Direction {
        let (grows, shrinks) = match round {
            Round::Even => ([0, 0], [0, 0]),
            Round::Up => ([1, 0], [0, 1]),
            Round::Down => ([0, 1], [1, 0]),
            Round::Zero => ([0, 0], [1, 1]),
        };
        Direction { grows, shrinks, zero: if round == Round::Down { TOP } else { 0 } }
    }

    /// The step from what is rounded to nearest. Both words have a sign in the top bit: of the result, and of what it lacks.
    #[inline(always)]
    fn step(&self, sign: u32, lost: u32) -> u32 {
        let negative = sign & TOP != 0;
        let grows = if negative { self.grows[1] } else { self.grows[0] };
        let shrinks = if negative { self.shrinks[1] } else { self.shrinks[0] };
        if (sign ^ lost) & TOP == 0 { grows } else { shrinks.wrapping_neg() }
    }
}

/// What an f32 lacks that was rounded to nearest. Of what is not finite nothing is lost.
#[derive(Clone, Copy)]
struct Lost {
    /// Its sign, in the top bit.
    sign: u32,
    /// Whether it is anything.
    any: bool,
}

impl Lost {
    #[inline(always)]
    fn of(lost: f64) -> Lost {
        // That of a number which is not finite is a NaN.
        Lost { sign: (lost.to_bits() >> 32) as u32, any: lost.abs() > 0.0 }
    }
}

/// What becomes of denormals, in numbers: of a truth value for all lanes the compiler makes narrow masks, and widens these for every vector.
#[derive(Clone, Copy, Debug)]
struct Denormals {
    /// The bits that stay of one.
    keep: u32,
    /// Where they are flushed the smallest normal magnitude, else what is no magnitude.
    least: u32,
    /// How many magnitudes are flushed, from the smallest on that is not zero.
    flushed: u32,
}

impl Denormals {
    /// Of the format that has a sign and a smallest normal number.
    const fn of(flushes: bool, sign: u32, least: u32) -> Denormals {
        if flushes {
            Denormals { keep: sign, least, flushed: least - 1 }
        } else {
            Denormals { keep: u32::MAX, least: u32::MAX, flushed: 0 }
        }
    }

    const fn single(flushes: bool) -> Denormals {
        Denormals::of(flushes, TOP, 0x0080_0000)
    }

    const fn half(flushes: bool) -> Denormals {
        Denormals::of(flushes, 0x8000, 0x400)
    }

    /// An f32 without the denormals that are flushed.
    #[inline(always)]
    fn of_single(self, a: u32) -> u32 {
        if a & 0x7f80_0000 == 0 { a & self.keep } else { a }
    }

    /// The same of an f16.
    #[inline(always)]
    fn of_half(self, a: u32) -> u32 {
        if a & 0x7c00 == 0 { a & self.keep } else { a }
    }

    /// Whether a magnitude is flushed, and no zero.
    #[inline(always)]
    fn has(self, magnitude: u32) -> bool {
        magnitude.wrapping_sub(1) < self.flushed
    }
}

/// How results of 16 bits are rounded.
#[derive(Clone, Copy, Debug)]
struct Narrowing {
    direction: Direction,
    nearest: bool,
    denormals: Denormals,
    /// The largest magnitude that a finite number becomes.
    largest: u32,
}

/// What the modes say.
#[derive(Clone, Copy, Debug)]
pub struct Modes {
    machine: Machine,
    single: Direction,
    double: Direction,
    half: Narrowing,
    /// As it is for what is converted to f16.
    converted: Narrowing,
    /// Denormals of operands and of results: f32.
    single_in: Denormals,
    single_out: Denormals,
    /// Those of f16 operands.
    half_in: Denormals,
    /// Whether operands and results of f64 are flushed.
    flush_64: [bool; 2],
}

/// One lane in any mode; see the [module](self).
pub struct Directed {
    fast: Fast<false>,
    modes: Modes,
}

impl Quick for Directed {
    type Modes = Modes;
    const ALL_SIZES: bool = true;

    #[inline(always)]
    fn modes(env: &Env) -> Modes {
        env.directions
    }
    #[inline(always)]
    fn beside(modes: Modes, unit: Unit) -> Modes {
        Modes { machine: Machine { unit, ..modes.machine }, ..modes }
    }
    #[inline(always)]
    fn of(lane: u32, modes: Modes) -> Self {
        Directed { fast: Fast::of(lane, modes.machine), modes }
    }
    #[inline(always)]
    fn oddness(&self) -> u32 {
        self.fast.oddness()
    }
}

impl Modes {
    /// Those of a machine: the rules of f32, and of all else.
    pub(super) fn of(machine: Machine, single: Rules, other: Rules) -> Modes {
        let of = |round, flushes, saturates| Narrowing {
            direction: Direction::of(round),
            nearest: round == Round::Even,
            denormals: Denormals::half(flushes),
            largest: if saturates { 0x7bff } else { 0x7c00 },
        };
        let half = of(other.round, other.flush_out, other.saturate);
        // Up to gfx7 conversions go by the mode of f32, and f16 denormals are kept.
        Modes {
            machine,
            single: Direction::of(single.round),
            double: Direction::of(other.round),
            half,
            converted: if machine.old_halves { of(single.round, false, false) } else { half },
            single_in: Denormals::single(single.flush_in),
            single_out: Denormals::single(single.flush_out),
            half_in: Denormals::half(other.flush_in),
            flush_64: [other.flush_in, other.flush_out],
        }
    }
}

impl Directed {
    /// An f32 operand.
    #[inline(always)]
    fn s(&self, a: u32) -> u32 {
        self.modes.single_in.of_single(a)
    }

    /// An f32 result: rounded to nearest, and what that lacks, in sign.
    #[inline(always)]
    fn rs(&self, r: f32, lost: f64) -> u32 {
        self.rounded(r, Lost::of(lost), 0, self.modes.single_out)
    }

    /// As [`Directed::rs`], of a sum: a zero has the sign that the mode gives it, where `signs` of its terms are not positive.
    #[inline(always)]
    fn rounded(&self, r: f32, lost: Lost, signs: u32, denormals: Denormals) -> u32 {
        self.fast.odd_nan(r);
        let zero = if r == 0.0 && !lost.any { self.modes.single.zero } else { 0 };
        let bits = r.to_bits() | signs & zero;
        let step = self.modes.single.step(bits, lost.sign);
        let bits = if lost.any { bits.wrapping_add(step) } else { bits };
        // What rounds up to the smallest normal may have been tiny.
        self.fast.odd_if(bits & !TOP == denormals.least);
        denormals.of_single(bits)
    }

    #[inline(always)]
    fn sum(&self, a: u32, b: u32, denormals: Denormals) -> u32 {
        // The larger one first: then what a sum beyond all numbers lacks has its sign too.
        let larger = a & !TOP > b & !TOP;
        let (x, y) = (f32::from_bits(if larger { a } else { b }), f32::from_bits(if larger { b } else { a }));
        let r = x + y;
        let lost = y - (r - x);
        self.rounded(r, Lost { sign: lost.to_bits(), any: lost.abs() > 0.0 }, a | b, denormals)
    }

    #[inline(always)]
    fn product(&self, a: u32, b: u32, denormals: Denormals) -> u32 {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let r = x * y;
        self.rounded(r, Lost::of(f64::from(x) * f64::from(y) - f64::from(r)), 0, denormals)
    }

    #[inline(always)]
    fn fused(&self, a: u32, b: u32, c: u32) -> u32 {
        let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
        let r = x.mul_add(y, z);
        let lost = Lost::of(fma_lost(x, y, z, r));
        self.rounded(r, lost, (a ^ b) | c, self.modes.single_out)
    }

    /// An f64 that becomes an f32.
    #[inline(always)]
    fn narrowed(&self, a: f64) -> u32 {
        let r = a as f32;
        self.rs(r, a - f64::from(r))
    }

    /// An f16 operand as an f32.
    #[inline(always)]
    fn h(&self, a: u32) -> f32 {
        half(self.modes.half_in.of_half(a))
    }

    /// An f16 operand that a choice flushes or not: a denormal is odd where it may be.
    #[inline(always)]
    fn unflushed(&self, a: u32) -> u32 {
        self.fast.odd_if(self.modes.half_in.has(a & 0x7fff));
        a
    }

    /// As [`Directed::unflushed`].
    #[inline(always)]
    fn unflushed_32(&self, a: u32) -> u32 {
        self.fast.odd_if(self.modes.single_in.has(a & !TOP));
        a
    }

    /// An f32 that is exact, or rounded to odd, as an f16.
    #[inline(always)]
    fn rh(&self, r: f32, how: Narrowing) -> u32 {
        self.fast.odd_nan(r);
        let bits = r.to_bits();
        let magnitude = bits & !TOP;
        let cut = toward_zero(magnitude);
        let grows = if bits & TOP != 0 { how.direction.grows[1] } else { how.direction.grows[0] };
        let directed = if half(cut).to_bits() != magnitude { cut + grows } else { cut };
        let result = if how.nearest { nearest_half(magnitude) } else { directed };
        let result = if magnitude < 0x7f80_0000 { result.min(how.largest) } else { result };
        self.fast.odd_if(result == how.denormals.least);
        how.denormals.of_half(result | bits >> 16 & 0x8000)
    }

    #[inline(always)]
    fn sum_16(&self, a: f32, b: f32) -> u32 {
        let sum = a + b;
        let lost = lost_f32(a, b, sum);
        let r = self.rh(to_odd(sum, lost.to_bits(), lost.abs() > 0.0), self.modes.half);
        let zero = if sum == 0.0 { self.modes.half.direction.zero } else { 0 };
        r | ((a.to_bits() | b.to_bits()) & zero) >> 16
    }

    #[inline(always)]
    fn fused_16(&self, a: u32, b: u32, c: u32) -> u32 {
        self.sum_16(self.h(a) * self.h(b), self.h(c))
    }

    /// An f64 operand.
    #[inline(always)]
    fn d(&self, a: u64) -> f64 {
        let denormal = a & 0x7ff << 52 == 0;
        f64::from_bits(if self.modes.flush_64[0] & denormal { a & TOP_64 } else { a })
    }

    /// An f64 result, as [`Directed::rs`]. Near the denormals, where what is lost is too, it is odd.
    #[inline(always)]
    fn rd(&self, r: f64, lost: f64) -> u64 {
        let bits = r.to_bits();
        self.fast.odd_if(!r.is_finite() | !lost.is_finite());
        let step = self.modes.double.step((bits >> 32) as u32, (lost.to_bits() >> 32) as u32);
        let bits = if lost != 0.0 { bits.wrapping_add(i64::from(step as i32) as u64) } else { bits };
        self.fast.odd_if(self.modes.flush_64[1] & (bits & !TOP_64 <= 1 << 52) & (bits & !TOP_64 != 0));
        bits
    }

    /// As [`Directed::signed`].
    #[inline(always)]
    fn signed_64(&self, r: u64, lost: f64, signs: u64) -> u64 {
        let zero = if r & !TOP_64 == 0 && lost == 0.0 { u64::from(self.modes.double.zero) << 32 } else { 0 };
        r | signs & zero
    }

    #[inline(always)]
    fn sum_64(&self, a: f64, b: f64) -> u64 {
        let r = a + b;
        let lost = lost_f64(a, b, r);
        self.signed_64(self.rd(r, lost), lost, a.to_bits() | b.to_bits())
    }

    /// What a product lacks; odd where that may be too small for a number.
    #[inline(always)]
    fn product_64(&self, a: f64, b: f64) -> (f64, f64) {
        /// Below it what a product lacks may be denormal.
        const LEAST: f64 = f64::from_bits(100 << 52);
        let r = a * b;
        self.fast.odd_if((r.abs() < LEAST) & (a != 0.0) & (b != 0.0));
        (r, a.mul_add(b, -r))
    }

    #[inline(always)]
    fn fused_64(&self, a: f64, b: f64, c: f64) -> u64 {
        // The exact result is the sum of three: what it lacks is added up from the smallest (Boldo and Muller).
        let (product, rest) = self.product_64(a, b);
        let r = a.mul_add(b, c);
        let low = c + rest;
        let least = lost_f64(c, rest, low);
        let high = product + low;
        let middle = lost_f64(product, low, high);
        let lost = ((high - r) + middle) + least;
        self.signed_64(self.rd(r, lost), lost, (a.to_bits() ^ b.to_bits()) | c.to_bits())
    }
}

/// Primitives in which the modes have no say.
macro_rules! by_fast {
    ($($name:ident ($($a:ident: $t:ty),*) -> $r:ty;)*) => {$(
        #[inline(always)]
        fn $name(&self, $($a: $t),*) -> $r {
            self.fast.$name($($a),*)
        }
    )*};
}

macro_rules! left_to_exact {
    ($($name:ident ($($a:ident: $t:ty),*) -> $r:ty;)*) => {$(
        #[inline(always)]
        fn $name(&self, $($a: $t),*) -> $r {
            let _ = ($($a,)*);
            self.fast.leave()
        }
    )*};
}

impl Alg for Directed {
    integers!();

    #[inline(always)]
    fn lane(&self) -> u32 {
        self.fast.lane()
    }

    one_line! { self;
        add_f32(a: u32, b: u32) -> u32 = self.sum(self.s(a), self.s(b), self.modes.single_out);
        sub_f32(a: u32, b: u32) -> u32 = self.sum(self.s(a), self.s(b) ^ TOP, self.modes.single_out);
        mul_f32(a: u32, b: u32) -> u32 = self.product(self.s(a), self.s(b), self.modes.single_out);
        fma_f32(a: u32, b: u32, c: u32) -> u32 = self.fused(self.s(a), self.s(b), self.s(c));
        trunc_f32(a: u32) -> u32 = self.fast.trunc_f32(self.s(a));
        ceil_f32(a: u32) -> u32 = self.fast.ceil_f32(self.s(a));
        floor_f32(a: u32) -> u32 = self.fast.floor_f32(self.s(a));
        rndne_f32(a: u32) -> u32 = self.fast.rndne_f32(self.s(a));
        min_f32(a: u32, b: u32) -> u32 = self.fast.min_f32(self.unflushed_32(a), self.unflushed_32(b));
        max_f32(a: u32, b: u32) -> u32 = self.fast.max_f32(self.unflushed_32(a), self.unflushed_32(b));
        minimum_f32(a: u32, b: u32) -> u32 = self.fast.minimum_f32(self.s(a), self.s(b));
        maximum_f32(a: u32, b: u32) -> u32 = self.fast.maximum_f32(self.s(a), self.s(b));
        med3_f32(a: u32, b: u32, c: u32) -> u32 = self.fast.med3_f32(self.unflushed_32(a), self.unflushed_32(b), self.unflushed_32(c));
        min_legacy_f32(a: u32, b: u32) -> u32 = self.fast.min_legacy_f32(self.unflushed_32(a), self.unflushed_32(b));
        max_legacy_f32(a: u32, b: u32) -> u32 = self.fast.max_legacy_f32(self.unflushed_32(a), self.unflushed_32(b));
        cmp_f32(op: Cmp, a: u32, b: u32) -> bool = self.fast.cmp_f32(op, self.s(a), self.s(b));
        frexp_mant_f32(a: u32) -> u32 = self.fast.frexp_mant_f32(self.s(a));
        frexp_exp_f32(a: u32) -> u32 = self.fast.frexp_exp_f32(self.s(a));
        ldexp_f32(a: u32, n: u32) -> u32 = self.narrowed(Fast::<false>::scaled_wide(f32::from_bits(self.s(a)), n));
        f32_of_f64(a: u64) -> u32 = self.narrowed(self.d(a));
        f32_of_i32(a: u32) -> u32 = self.narrowed(f64::from(a as i32));
        f32_of_u32(a: u32) -> u32 = self.narrowed(f64::from(a));
        f64_of_f32(a: u32) -> u64 = self.fast.f64_of_f32(self.s(a));
        i32_of_f32_floor(a: u32) -> u32 = self.fast.i32_of_f32_floor(self.s(a));
        i32_of_f32_nearest(a: u32) -> u32 = self.fast.i32_of_f32_nearest(self.s(a));

        add_f16(a: u32, b: u32) -> u32 = self.sum_16(self.h(a), self.h(b));
        sub_f16(a: u32, b: u32) -> u32 = self.sum_16(self.h(a), -self.h(b));
        mul_f16(a: u32, b: u32) -> u32 = self.rh(self.h(a) * self.h(b), self.modes.half);
        fma_f16(a: u32, b: u32, c: u32) -> u32 = self.fused_16(a, b, c);
        mad_f16(a: u32, b: u32, c: u32) -> u32 = self.add_f16(self.mul_f16(a, b), c);
        trunc_f16(a: u32) -> u32 = self.fast.narrow(self.h(a).trunc());
        ceil_f16(a: u32) -> u32 = self.fast.narrow(self.h(a).ceil());
        floor_f16(a: u32) -> u32 = self.fast.narrow(self.h(a).floor());
        rndne_f16(a: u32) -> u32 = self.fast.narrow(self.h(a).round_ties_even());
        min_f16(a: u32, b: u32) -> u32 = self.fast.min_f16(self.unflushed(a), self.unflushed(b));
        max_f16(a: u32, b: u32) -> u32 = self.fast.max_f16(self.unflushed(a), self.unflushed(b));
        minimum_f16(a: u32, b: u32) -> u32 = self.fast.minimum_f16(self.unflushed(a), self.unflushed(b));
        maximum_f16(a: u32, b: u32) -> u32 = self.fast.maximum_f16(self.unflushed(a), self.unflushed(b));
        med3_f16(a: u32, b: u32, c: u32) -> u32 = self.fast.med3_f16(self.unflushed(a), self.unflushed(b), self.unflushed(c));
        frexp_mant_f16(a: u32) -> u32 = self.fast.frexp_mant_f16(self.unflushed(a));
        frexp_exp_f16(a: u32) -> u32 = self.fast.frexp_exp_f16(self.unflushed(a));
        canonical_f16(a: u32) -> u32 = self.fast.canonical_f16(self.modes.half.denormals.of_half(self.modes.half_in.of_half(a)));
        f32_of_f16(a: u32) -> u32 = self.fast.rs_exact(if self.modes.machine.old_halves { half(a) } else { self.h(a) });
        f16_of_f32(a: u32) -> u32 = self.rh(f32::from_bits(self.s(a)), self.modes.converted);
        f16_of_i16(a: u32) -> u32 = self.rh(f32::from(a as i16), self.modes.half);
        f16_of_u16(a: u32) -> u32 = self.rh(f32::from(a as u16), self.modes.half);
        snorm16_of_f16(a: u32) -> u32 = self.fast.snorm16_of_f16(self.unflushed(a));
        unorm16_of_f16(a: u32) -> u32 = self.fast.unorm16_of_f16(self.unflushed(a));

        add_f64(a: u64, b: u64) -> u64 = self.sum_64(self.d(a), self.d(b));
        sub_f64(a: u64, b: u64) -> u64 = self.sum_64(self.d(a), -self.d(b));
        fma_f64(a: u64, b: u64, c: u64) -> u64 = self.fused_64(self.d(a), self.d(b), self.d(c));
        trunc_f64(a: u64) -> u64 = self.fast.trunc_f64(self.d(a).to_bits());
        ceil_f64(a: u64) -> u64 = self.fast.ceil_f64(self.d(a).to_bits());
        floor_f64(a: u64) -> u64 = self.fast.floor_f64(self.d(a).to_bits());
        rndne_f64(a: u64) -> u64 = self.fast.rndne_f64(self.d(a).to_bits());
        cmp_f64(op: Cmp, a: u64, b: u64) -> bool = self.fast.cmp_f64(op, self.d(a).to_bits(), self.d(b).to_bits());
    }

    /// Flushes whatever the mode says, as all of its kind.
    #[inline(always)]
    fn mad_f32(&self, a: u32, b: u32, c: u32) -> u32 {
        let flushed = const { Denormals::single(true) };
        let [a, b, c] = [a, b, c].map(|v| flushed.of_single(v));
        self.sum(self.product(a, b, flushed), c, flushed)
    }

    #[inline(always)]
    fn mul_legacy_f32(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.s(a), self.s(b));
        let zero = a & !TOP == 0 || b & !TOP == 0;
        // Not infinity times zero, which would be odd.
        let (x, y) = if zero { (0, 0) } else { (a, b) };
        self.product(x, y, self.modes.single_out)
    }

    #[inline(always)]
    fn fma_f16_of_f32(&self, a: u32, b: u32, c: u32) -> u32 {
        let [a, b, c] = [a, b, c].map(|v| f32::from_bits(self.s(v)));
        let r = a.mul_add(b, c);
        let lost = fma_lost(a, b, c, r);
        let odd = to_odd(r, (lost.to_bits() >> 32) as u32, lost.abs() > 0.0);
        let result = self.rh(odd, self.modes.half);
        let zero = if r == 0.0 && lost == 0.0 { self.modes.half.direction.zero } else { 0 };
        result | (((a.to_bits() ^ b.to_bits()) | c.to_bits()) & zero) >> 16
    }

    #[inline(always)]
    fn mad_f16_of_f32(&self, a: u32, b: u32, c: u32) -> u32 {
        self.rh(
            f32::from_bits(self.mad_f32(a, b, c)),
            Narrowing { denormals: const { Denormals::half(true) }, ..self.modes.half },
        )
    }

    #[inline(always)]
    fn f16_of_f32_rtz(&self, a: u32) -> u32 {
        self.modes.half.denormals.of_half(self.fast.f16_of_f32_rtz(self.s(a)))
    }

    #[inline(always)]
    fn fract_f32(&self, a: u32) -> u32 {
        let a = f32::from_bits(self.s(a));
        let whole = a.floor();
        self.fast.odd_if(!a.is_finite());
        let r = a - whole;
        let lost = f64::from(lost_f32(a, -whole, r));
        self.rs(r, lost).min(0x3f7f_ffff)
    }

    #[inline(always)]
    fn cmp_f16(&self, op: Cmp, a: u32, b: u32) -> bool {
        let (a, b) = (self.h(a), self.h(b));
        compare(op, a < b, a == b, a > b)
    }

    #[inline(always)]
    fn mul_f64(&self, a: u64, b: u64) -> u64 {
        let (r, lost) = self.product_64(self.d(a), self.d(b));
        self.rd(r, lost)
    }

    #[inline(always)]
    fn dot2_f16_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        self.fast.odd_if(self.modes.half.largest < 0x7c00);
        self.fast.dot2_f16_f16(a, b, c)
    }

    #[inline(always)]
    fn fp8_of_f32(&self, a: u32, bf8: bool) -> u32 {
        self.fast.odd_if(self.modes.half.largest < 0x7c00);
        self.fast.fp8_of_f32(a, bf8)
    }

    #[inline(always)]
    fn fp8_of_f32_sr(&self, a: u32, seed: u32, bf8: bool) -> u32 {
        self.fast.odd_if(self.modes.half.largest < 0x7c00);
        self.fast.fp8_of_f32_sr(a, seed, bf8)
    }

    by_fast! {
        rcp_f32(a: u32) -> u32;
        rsq_f32(a: u32) -> u32;
        sqrt_f32(a: u32) -> u32;
        exp_f32(a: u32) -> u32;
        log_f32(a: u32) -> u32;
        sin_f32(a: u32) -> u32;
        cos_f32(a: u32) -> u32;
        finite_f32(a: u32) -> u32;
        finite_f64(a: u64) -> u64;
        inf_to_zero_f32(a: u32) -> u32;
        cubeid_f32(x: u32, y: u32, z: u32) -> u32;
        cubesc_f32(x: u32, y: u32, z: u32) -> u32;
        cubetc_f32(x: u32, y: u32, z: u32) -> u32;
        f64_of_i32(a: u32) -> u64;
        f64_of_u32(a: u32) -> u64;
        i32_of_f32(a: u32) -> u32;
        u32_of_f32(a: u32) -> u32;
        i32_of_f64(a: u64) -> u32;
        u32_of_f64(a: u64) -> u32;
        i16_of_f16(a: u32) -> u32;
        u16_of_f16(a: u32) -> u32;
        i16_of_f32(a: u32) -> u32;
        u16_of_f32(a: u32) -> u32;
        u8_of_f32(a: u32) -> u32;
        f32_of_i4_off(a: u32) -> u32;
        snorm16_of_f32(a: u32) -> u32;
        unorm16_of_f32(a: u32) -> u32;
        f32_of_fp8(a: u32, bf8: bool) -> u32;
        dot2_f32_f16(a: u32, b: u32, c: u32) -> u32;
        dot2_f32_bf16(a: u32, b: u32, c: u32) -> u32;
        dot2_bf16_bf16(a: u32, b: u32, c: u32) -> u32;
        dot4_f32_fp8(a: u32, b: u32, c: u32, bf8_a: bool, bf8_b: bool) -> u32;
        class_f16(a: u32, mask: u32) -> bool;
        class_f32(a: u32, mask: u32) -> bool;
        class_f64(a: u64, mask: u32) -> bool;
    }

    left_to_exact! {
        min_f64(a: u64, b: u64) -> u64;
        max_f64(a: u64, b: u64) -> u64;
        minimum_f64(a: u64, b: u64) -> u64;
        maximum_f64(a: u64, b: u64) -> u64;
        med3_f64(a: u64, b: u64, c: u64) -> u64;
        fract_f16(a: u32) -> u32;
        fract_f64(a: u64) -> u64;
        rcp_f16(a: u32) -> u32;
        rcp_f64(a: u64) -> u64;
        rsq_f16(a: u32) -> u32;
        rsq_f64(a: u64) -> u64;
        sqrt_f16(a: u32) -> u32;
        sqrt_f64(a: u64) -> u64;
        exp_f16(a: u32) -> u32;
        log_f16(a: u32) -> u32;
        sin_f16(a: u32) -> u32;
        cos_f16(a: u32) -> u32;
        frexp_mant_f64(a: u64) -> u64;
        frexp_exp_f64(a: u64) -> u32;
        ldexp_f16(a: u32, n: u32) -> u32;
        ldexp_f64(a: u64, n: u32) -> u64;
        div_scale_f32(v: u32, d: u32, n: u32) -> (u32, bool);
        div_scale_f64(v: u64, d: u64, n: u64) -> (u64, bool);
        div_fmas_f32(a: u32, b: u32, c: u32, scaled: bool) -> u32;
        div_fmas_f64(a: u64, b: u64, c: u64, scaled: bool) -> u64;
        div_fixup_f16(q: u32, d: u32, n: u32) -> u32;
        div_fixup_f32(q: u32, d: u32, n: u32) -> u32;
        div_fixup_f64(q: u64, d: u64, n: u64) -> u64;
        mad_legacy_f32(a: u32, b: u32, c: u32) -> u32;
        fma_legacy_f32(a: u32, b: u32, c: u32) -> u32;
        mullit_f32(a: u32, b: u32, c: u32) -> u32;
        cubema_f32(x: u32, y: u32, z: u32) -> u32;
        trig_preop_f64(a: u64, segment: u32) -> u64;
    }
}
