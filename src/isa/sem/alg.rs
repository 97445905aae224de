//! The primitives that meanings are made of.
//!
//! Values: `W` is 32 bits, `D` 64, `Q` 128, `C` a truth value. Floats travel as their bits: an f16 or bf16 in the low half of a `W`, and
//! what lies above it is ignored in a source and may be anything in a result.
//! Shift counts are taken modulo the width.
//!
//! Float primitives follow the modes of the wave and the generation, both of which the algebra knows; which field of MODE rules is decided
//! by the format in the name. Where nothing else is said: denormal sources are flushed to the zero of their sign if the mode says so, the
//! result is rounded once, and flushed if it is tiny after rounding. A product of zero and infinity, or a difference of infinities, is the
//! negative quiet NaN; else the first NaN among the sources is the result, quieted in IEEE mode and from gfx12 on.

/// Comparisons of floats: each is true or false of unordered operands as its name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "the manual's names")]
pub enum Cmp {
    F,
    Lt,
    Eq,
    Le,
    Gt,
    Lg,
    Ge,
    O,
    U,
    Nge,
    Nlg,
    Ngt,
    Nle,
    Neq,
    Nlt,
    T,
}

macro_rules! floats {
    ($($(#[$doc:meta])* $h:ident $s:ident $d:ident ($($a:ident),*);)*) => {$(
        $(#[$doc])*
        fn $h(&self, $($a: Self::W),*) -> Self::W;
        $(#[$doc])*
        fn $s(&self, $($a: Self::W),*) -> Self::W;
        $(#[$doc])*
        fn $d(&self, $($a: Self::D),*) -> Self::D;
    )*};
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident ($($a:ident: $t:ident),*) -> $r:ident;)*) => {$(
        $(#[$doc])*
        fn $name(&self, $($a: Self::$t),*) -> Self::$r;
    )*};
}

/// An algebra: values and what can be done with them.
pub trait Alg {
    /// 32 bits.
    type W: Copy;
    /// 64 bits.
    type D: Copy;
    /// 128 bits.
    type Q: Copy;
    /// A truth value.
    type C: Copy;

    /// A constant.
    fn w(&self, v: u32) -> Self::W;
    /// A constant.
    fn d(&self, v: u64) -> Self::D;
    /// A constant.
    fn c(&self, v: bool) -> Self::C;
    /// The number of the lane the value is computed for; meanings of scalar instructions do not ask.
    fn lane(&self) -> Self::W;

    words! {
        /// Wrapping sum.
        add(a: W, b: W) -> W;
        /// Wrapping difference.
        sub(a: W, b: W) -> W;
        /// Low half of the product.
        mul(a: W, b: W) -> W;
        /// High half of the unsigned product.
        mulhi_u(a: W, b: W) -> W;
        /// High half of the signed product.
        mulhi_s(a: W, b: W) -> W;
        /// Bitwise and.
        and(a: W, b: W) -> W;
        /// Bitwise or.
        or(a: W, b: W) -> W;
        /// Bitwise exclusive or.
        xor(a: W, b: W) -> W;
        /// Complement.
        not(a: W) -> W;
        /// Left by `n` modulo 32.
        shl(a: W, n: W) -> W;
        /// Right by `n` modulo 32, zeros in.
        shr(a: W, n: W) -> W;
        /// Right by `n` modulo 32, signs in.
        sar(a: W, n: W) -> W;
        /// Equal.
        eq(a: W, b: W) -> C;
        /// Unsigned less.
        lt_u(a: W, b: W) -> C;
        /// Signed less.
        lt_s(a: W, b: W) -> C;
        /// One of two.
        sel(c: C, t: W, f: W) -> W;
        /// How many bits are set.
        popcount(a: W) -> W;
        /// Zeros above the highest set bit; 32 for zero.
        clz(a: W) -> W;
        /// Zeros below the lowest set bit; 32 for zero.
        ctz(a: W) -> W;
        /// Bits in reverse order.
        brev(a: W) -> W;

        /// Wrapping sum.
        add_d(a: D, b: D) -> D;
        /// Wrapping difference.
        sub_d(a: D, b: D) -> D;
        /// Low half of the product.
        mul_d(a: D, b: D) -> D;
        /// Bitwise and.
        and_d(a: D, b: D) -> D;
        /// Bitwise or.
        or_d(a: D, b: D) -> D;
        /// Bitwise exclusive or.
        xor_d(a: D, b: D) -> D;
        /// Complement.
        not_d(a: D) -> D;
        /// Left by `n` modulo 64.
        shl_d(a: D, n: W) -> D;
        /// Right by `n` modulo 64, zeros in.
        shr_d(a: D, n: W) -> D;
        /// Right by `n` modulo 64, signs in.
        sar_d(a: D, n: W) -> D;
        /// Equal.
        eq_d(a: D, b: D) -> C;
        /// Unsigned less.
        ltu_d(a: D, b: D) -> C;
        /// Signed less.
        lts_d(a: D, b: D) -> C;
        /// One of two.
        sel_d(c: C, t: D, f: D) -> D;
        /// How many bits are set.
        popcount_d(a: D) -> W;
        /// Zeros above the highest set bit; 64 for zero.
        clz_d(a: D) -> W;
        /// Zeros below the lowest set bit; 64 for zero.
        ctz_d(a: D) -> W;
        /// Bits in reverse order.
        brev_d(a: D) -> D;

        /// `{hi, lo}`.
        pair(lo: W, hi: W) -> D;
        /// The low half.
        lo(a: D) -> W;
        /// The high half.
        hi(a: D) -> W;
        /// Sign-extended to 64 bits.
        sext(a: W) -> D;
        /// Zero-extended to 64 bits.
        zext(a: W) -> D;
        /// Four words, the lowest first.
        quad(a: W, b: W, c: W, d: W) -> Q;

        /// Both.
        both(a: C, b: C) -> C;
        /// One or both.
        either(a: C, b: C) -> C;
        /// Exactly one.
        differ(a: C, b: C) -> C;
        /// Not.
        negate(a: C) -> C;
    }
    /// Word `n` of four.
    fn word(&self, a: Self::Q, n: usize) -> Self::W;

    floats! {
        /// Sum.
        add_f16 add_f32 add_f64(a, b);
        /// Difference.
        sub_f16 sub_f32 sub_f64(a, b);
        /// Product.
        mul_f16 mul_f32 mul_f64(a, b);
        /// `a * b + c` with one rounding.
        fma_f16 fma_f32 fma_f64(a, b, c);
        /// The lesser. Sources are flushed from gfx9 on, results never; -0 is less than +0. Of a NaN and a number the number; of two NaN
        /// the first. In IEEE mode, up to gfx11, the first signalling NaN wins, quieted; on gfx12 two NaN give the first, quieted.
        min_f16 min_f32 min_f64(a, b);
        /// The greater, by the rules of the lesser.
        max_f16 max_f32 max_f64(a, b);
        /// The lesser; the first NaN, quieted, is the result.
        minimum_f16 minimum_f32 minimum_f64(a, b);
        /// The greater; the first NaN, quieted, is the result.
        maximum_f16 maximum_f32 maximum_f64(a, b);
        /// `a` minus its floor: of zeros and integers +0 in every mode, of infinities the negative NaN; what rounds to one is the largest
        /// number below.
        fract_f16 fract_f32 fract_f64(a);
        /// Rounded towards zero; like its three kin exact, with the sign of a zero kept.
        trunc_f16 trunc_f32 trunc_f64(a);
        /// Rounded up.
        ceil_f16 ceil_f32 ceil_f64(a);
        /// Rounded down.
        floor_f16 floor_f32 floor_f64(a);
        /// Rounded to the nearest, ties to even.
        rndne_f16 rndne_f32 rndne_f64(a);
        /// Reciprocal. Of f32, denormals are flushed on both sides and rounding is to nearest in every mode; f16 follows its denormal mode
        /// and rounds the f32 value to nearest even. So it is for all functions up to `cos`.
        rcp_f16 rcp_f32 rcp_f64(a);
        /// Reciprocal of the square root.
        rsq_f16 rsq_f32 rsq_f64(a);
        /// Square root.
        sqrt_f16 sqrt_f32 sqrt_f64(a);
        /// The significand, in [0.5, 1), with the sign; zeros and infinities as they are.
        frexp_mant_f16 frexp_mant_f32 frexp_mant_f64(a);
        /// The quotient of `n` and `d`, where `q` is an estimate of it, which is never flushed. The first that holds: NaN of `n`, NaN of
        /// `d`, 0/0 and inf/inf negative NaN, x/0 and inf/x infinity, 0/x and x/inf zero, exponents too far apart the underflow, `q` without
        /// bounds the overflow of the mode; else the magnitude of `q`. The sign is that of the quotient.
        div_fixup_f16 div_fixup_f32 div_fixup_f64(q, d, n);
        /// The median of three, -0 below +0; with any NaN, the least of three.
        med3_f16 med3_f32 med3_f64(a, b, c);
    }

    words! {
        /// Product rounded, then sum rounded, denormals flushed throughout.
        mad_f32(a: W, b: W, c: W) -> W;
        /// Product rounded, then sum rounded, denormals as the mode says.
        mad_f16(a: W, b: W, c: W) -> W;
        /// Product in which zero (flushed denormals too) times anything is +0.
        mul_legacy_f32(a: W, b: W) -> W;
        /// [`Alg::mul_legacy_f32`], then a rounded sum.
        mad_legacy_f32(a: W, b: W, c: W) -> W;
        /// Fused, with zero times anything +0, to which the sum is still added; denormals flushed throughout.
        fma_legacy_f32(a: W, b: W, c: W) -> W;
        /// `a < b ? a : b`; `b` where either is NaN.
        min_legacy_f32(a: W, b: W) -> W;
        /// `a >= b ? a : b`; `b` where either is NaN.
        max_legacy_f32(a: W, b: W) -> W;
        /// 2 to the power.
        exp_f32(a: W) -> W;
        /// 2 to the power; the exact value is rounded once.
        exp_f16(a: W) -> W;
        /// Logarithm to the base 2.
        log_f32(a: W) -> W;
        /// Logarithm to the base 2; the exact value is rounded once.
        log_f16(a: W) -> W;
        /// Sine of turns.
        sin_f32(a: W) -> W;
        /// Sine of turns.
        sin_f16(a: W) -> W;
        /// Cosine of turns.
        cos_f32(a: W) -> W;
        /// Cosine of turns.
        cos_f16(a: W) -> W;
        /// An infinity becomes the largest number of its sign; all else is kept.
        finite_f32(a: W) -> W;
        /// An infinity becomes the largest number of its sign.
        finite_f64(a: D) -> D;
        /// An infinity becomes the zero of its sign; all else is kept.
        inf_to_zero_f32(a: W) -> W;
        /// The exponent, such that the significand lies in [0.5, 1): 0 of zeros, infinities and NaN, of the latter two -1 on gfx6.
        frexp_exp_f16(a: W) -> W;
        /// The exponent, such that the significand lies in [0.5, 1).
        frexp_exp_f32(a: W) -> W;
        /// The exponent, such that the significand lies in [0.5, 1).
        frexp_exp_f64(a: D) -> W;
        /// `a * 2^n`, rounded once; `n` is signed, and has come sign-extended from 16 bits.
        ldexp_f16(a: W, n: W) -> W;
        /// `a * 2^n`, rounded once; `n` is signed.
        ldexp_f32(a: W, n: W) -> W;
        /// `a * 2^n`; `n` is signed.
        ldexp_f64(a: D, n: W) -> D;
        /// Fused multiply-add, times 2^64 (f64: 2^128) if `scaled` and the magnitude of `c` is 2 or more, by 2^-64 if it is less; rounded once,
        /// at the end. Sources are never flushed.
        div_fmas_f32(a: W, b: W, c: W, scaled: C) -> W;
        /// See [`Alg::div_fmas_f32`].
        div_fmas_f64(a: D, b: D, c: D, scaled: C) -> D;
        /// Segment `segment` modulo 32, of 53 bits, of 2/pi, from where the exponent of `a` says; times 2^128 for large `a`.
        trig_preop_f64(a: D, segment: W) -> D;
        /// The face of a cube map: of the largest magnitude, z before y before x, denormals as zero; its number as a float.
        cubeid_f32(x: W, y: W, z: W) -> W;
        /// S coordinate on the face: a source with its sign bit flipped or not.
        cubesc_f32(x: W, y: W, z: W) -> W;
        /// T coordinate on the face, as [`Alg::cubesc_f32`].
        cubetc_f32(x: W, y: W, z: W) -> W;
        /// Twice the major axis, flushed and with its sign.
        cubema_f32(x: W, y: W, z: W) -> W;
        /// [`Alg::mul_legacy_f32`] of `a` and `b`; the lowest number where `b` is that, -inf or NaN, or `c` is not above zero.
        mullit_f32(a: W, b: W, c: W) -> W;

        /// Widened. Flushed by the mode of 16-bit floats, from gfx8 on.
        f32_of_f16(a: W) -> W;
        /// Rounded by the mode of 16-bit floats. On gfx6 and gfx7 denormals are kept, and rounding is by the mode of 32-bit floats.
        f16_of_f32(a: W) -> W;
        /// Rounded towards zero, to denormals too: what is too large is the largest number, an infinity stays.
        f16_of_f32_rtz(a: W) -> W;
        /// Widened.
        f64_of_f32(a: W) -> D;
        /// Rounded.
        f32_of_f64(a: D) -> W;
        /// Rounded.
        f32_of_i32(a: W) -> W;
        /// Rounded.
        f32_of_u32(a: W) -> W;
        /// Exact.
        f64_of_i32(a: W) -> D;
        /// Exact.
        f64_of_u32(a: W) -> D;
        /// Rounded; of the low 16 bits.
        f16_of_i16(a: W) -> W;
        /// Rounded; of the low 16 bits.
        f16_of_u16(a: W) -> W;
        /// Towards zero, saturating; NaN is 0.
        i32_of_f32(a: W) -> W;
        /// Towards zero, saturating; NaN is 0.
        u32_of_f32(a: W) -> W;
        /// Towards zero, saturating; NaN is 0.
        i32_of_f64(a: D) -> W;
        /// Towards zero, saturating; NaN is 0.
        u32_of_f64(a: D) -> W;
        /// Towards zero, saturating to 16 bits, in the low half.
        i16_of_f16(a: W) -> W;
        /// Towards zero, saturating to 16 bits, in the low half.
        u16_of_f16(a: W) -> W;
        /// Towards zero, saturating to 16 bits, in the low half.
        i16_of_f32(a: W) -> W;
        /// Towards zero, saturating to 16 bits, in the low half.
        u16_of_f32(a: W) -> W;
        /// The floor of the exact `a + 0.5`, saturating; a NaN by its sign.
        i32_of_f32_nearest(a: W) -> W;
        /// The floor, saturating; a NaN by its sign. A negative denormal is -1 unless flushed.
        i32_of_f32_floor(a: W) -> W;
        /// The low four bits, signed, over 16.
        f32_of_i4_off(a: W) -> W;
        /// Clamped to [-1, 1] and times 32767, exactly, then to the nearest even, in the low half; NaN is 0.
        snorm16_of_f32(a: W) -> W;
        /// Clamped to [0, 1] and times 65535, exactly, then to the nearest even; NaN is 0.
        unorm16_of_f32(a: W) -> W;
        /// As [`Alg::snorm16_of_f32`].
        snorm16_of_f16(a: W) -> W;
        /// As [`Alg::unorm16_of_f32`].
        unorm16_of_f16(a: W) -> W;
        /// Cut off towards zero, then saturated to a byte; NaN is 0. What rounding the mode asks for has no say (`emu::choices`).
        u8_of_f32(a: W) -> W;
        /// `a * b + c` of f32 values, rounded once, to f16, by the mode of 16-bit floats.
        fma_f16_of_f32(a: W, b: W, c: W) -> W;
        /// [`Alg::mad_f32`], rounded again, to f16, denormals flushed.
        mad_f16_of_f32(a: W, b: W, c: W) -> W;
        /// An f16 with denormals flushed and NaN quieted as the mode says: what packing does to a half.
        canonical_f16(a: W) -> W;

        /// `a.lo*b.lo + a.hi*b.hi + c` of f16 pairs into f32, in the order and with the widths of the generation's silicon (gfx9 and gfx10:
        /// two fused steps, the low product first). The modes have no say.
        dot2_f32_f16(a: W, b: W, c: W) -> W;
        /// As [`Alg::dot2_f32_f16`] of bf16 pairs.
        dot2_f32_bf16(a: W, b: W, c: W) -> W;
        /// As [`Alg::dot2_f32_f16`] with an f16 accumulator and result.
        dot2_f16_f16(a: W, b: W, c: W) -> W;
        /// As [`Alg::dot2_f16_f16`] of bf16.
        dot2_bf16_bf16(a: W, b: W, c: W) -> W;
    }
    /// Scales an operand of a division, of which `v` is one, so that its steps stay in range; the bit tells the last step. Zero on either side
    /// gives the negative NaN.
    fn div_scale_f32(&self, v: Self::W, d: Self::W, n: Self::W) -> (Self::W, Self::C);
    /// See [`Alg::div_scale_f32`].
    fn div_scale_f64(&self, v: Self::D, d: Self::D, n: Self::D) -> (Self::D, Self::C);
    /// A comparison of flushed sources; -0 equals +0.
    fn cmp_f16(&self, op: Cmp, a: Self::W, b: Self::W) -> Self::C;
    /// A comparison.
    fn cmp_f32(&self, op: Cmp, a: Self::W, b: Self::W) -> Self::C;
    /// A comparison.
    fn cmp_f64(&self, op: Cmp, a: Self::D, b: Self::D) -> Self::C;
    /// Whether `a` is of one of the classes in bits 0 to 9 of the mask: signalling and quiet NaN, -inf, negative normal and denormal, -0, +0,
    /// positive denormal and normal, +inf. Nothing is flushed.
    fn class_f16(&self, a: Self::W, mask: Self::W) -> Self::C;
    /// Whether `a` is of one of the classes in the mask.
    fn class_f32(&self, a: Self::W, mask: Self::W) -> Self::C;
    /// Whether `a` is of one of the classes in the mask.
    fn class_f64(&self, a: Self::D, mask: Self::W) -> Self::C;
    /// `c` plus the products of the bytes of `a` and `b`, from the lowest on: floats of 8 bits, each of its own format as in
    /// [`Alg::f32_of_fp8`]. The products are exact, each sum is rounded to nearest even, denormals are kept; the modes have no say.
    fn dot4_f32_fp8(&self, a: Self::W, b: Self::W, c: Self::W, bf8_a: bool, bf8_b: bool) -> Self::W;
    /// A float of 8 bits (`bf8`: 5 exponent bits) widened. gfx940 has the formats without infinities and -0, gfx12 those of OCP.
    fn f32_of_fp8(&self, a: Self::W, bf8: bool) -> Self::W;
    /// A float of 8 bits, rounded to nearest even; what is too large is NaN, or infinity where there is one, and the largest number if
    /// the mode says so (FP16_OVFL).
    fn fp8_of_f32(&self, a: Self::W, bf8: bool) -> Self::W;
    /// A float of 8 bits: the top bits of the seed are added to those that are cut off.
    fn fp8_of_f32_sr(&self, a: Self::W, seed: Self::W, bf8: bool) -> Self::W;

    // Compositions that many meanings share.

    /// Whether a word is not zero.
    #[inline(always)]
    fn nz(&self, a: Self::W) -> Self::C {
        self.negate(self.eq(a, self.w(0)))
    }
    /// Whether a pair is not zero.
    #[inline(always)]
    fn nz_d(&self, a: Self::D) -> Self::C {
        self.negate(self.eq_d(a, self.d(0)))
    }
    /// Whether a pair is a negative number.
    #[inline(always)]
    fn negative_d(&self, a: Self::D) -> Self::C {
        self.lts_d(a, self.d(0))
    }
    /// Whether the lane is one of the lower 32.
    #[inline(always)]
    fn low_lane(&self) -> Self::C {
        self.lt_u(self.lane(), self.w(32))
    }
    /// 1 or 0.
    #[inline(always)]
    fn bit(&self, c: Self::C) -> Self::W {
        self.sel(c, self.w(1), self.w(0))
    }
    /// And with a constant.
    #[inline(always)]
    fn mask(&self, a: Self::W, m: u32) -> Self::W {
        self.and(a, self.w(m))
    }
    /// Left by a constant.
    #[inline(always)]
    fn shli(&self, a: Self::W, n: u32) -> Self::W {
        self.shl(a, self.w(n))
    }
    /// Right by a constant, zeros in.
    #[inline(always)]
    fn shri(&self, a: Self::W, n: u32) -> Self::W {
        self.shr(a, self.w(n))
    }
    /// Right by a constant, signs in.
    #[inline(always)]
    fn sari(&self, a: Self::W, n: u32) -> Self::W {
        self.sar(a, self.w(n))
    }
    /// The low `n` bits, sign-extended.
    #[inline(always)]
    fn sx(&self, a: Self::W, n: u32) -> Self::W {
        self.sari(self.shli(a, 32 - n), 32 - n)
    }
    /// The low 16 bits, zero-extended.
    #[inline(always)]
    fn zx16(&self, a: Self::W) -> Self::W {
        self.mask(a, 0xffff)
    }
    /// The low 24 bits, zero-extended.
    #[inline(always)]
    fn zx24(&self, a: Self::W) -> Self::W {
        self.mask(a, 0x00ff_ffff)
    }
    /// Byte `n`, zero-extended.
    #[inline(always)]
    fn byte(&self, a: Self::W, n: u32) -> Self::W {
        self.mask(self.shri(a, 8 * n), 0xff)
    }
    /// `{hi, lo}` of 16 bits each.
    #[inline(always)]
    fn pack(&self, lo: Self::W, hi: Self::W) -> Self::W {
        self.or(self.zx16(lo), self.shli(hi, 16))
    }
    /// Unsigned minimum.
    #[inline(always)]
    fn min_u(&self, a: Self::W, b: Self::W) -> Self::W {
        self.sel(self.lt_u(b, a), b, a)
    }
    /// Unsigned maximum.
    #[inline(always)]
    fn max_u(&self, a: Self::W, b: Self::W) -> Self::W {
        self.sel(self.lt_u(a, b), b, a)
    }
    /// Signed minimum.
    #[inline(always)]
    fn min_s(&self, a: Self::W, b: Self::W) -> Self::W {
        self.sel(self.lt_s(b, a), b, a)
    }
    /// Signed maximum.
    #[inline(always)]
    fn max_s(&self, a: Self::W, b: Self::W) -> Self::W {
        self.sel(self.lt_s(a, b), b, a)
    }
    /// Unsigned median.
    #[inline(always)]
    fn med3_u(&self, a: Self::W, b: Self::W, c: Self::W) -> Self::W {
        self.max_u(self.min_u(a, b), self.min_u(self.max_u(a, b), c))
    }
    /// Signed median.
    #[inline(always)]
    fn med3_s(&self, a: Self::W, b: Self::W, c: Self::W) -> Self::W {
        self.max_s(self.min_s(a, b), self.min_s(self.max_s(a, b), c))
    }
    /// Clamped between constants, as signed numbers.
    #[inline(always)]
    fn clamp_s(&self, a: Self::W, low: i32, high: i32) -> Self::W {
        self.min_s(self.max_s(a, self.w(low as u32)), self.w(high as u32))
    }
    /// The distance of unsigned numbers.
    #[inline(always)]
    fn distance(&self, a: Self::W, b: Self::W) -> Self::W {
        self.sub(self.max_u(a, b), self.min_u(a, b))
    }
    /// Unsigned product of 64 bits.
    #[inline(always)]
    fn mul_wide_u(&self, a: Self::W, b: Self::W) -> Self::D {
        self.mul_d(self.zext(a), self.zext(b))
    }
    /// Signed product of 64 bits.
    #[inline(always)]
    fn mul_wide_s(&self, a: Self::W, b: Self::W) -> Self::D {
        self.mul_d(self.sext(a), self.sext(b))
    }
    /// Sum and carry.
    #[inline(always)]
    fn add_carry(&self, a: Self::W, b: Self::W) -> (Self::W, Self::C) {
        let d = self.add(a, b);
        (d, self.lt_u(d, a))
    }
    /// Difference and borrow.
    #[inline(always)]
    fn sub_borrow(&self, a: Self::W, b: Self::W) -> (Self::W, Self::C) {
        (self.sub(a, b), self.lt_u(a, b))
    }
    /// Sum of three with the carry out of both steps.
    #[inline(always)]
    fn add_with(&self, a: Self::W, b: Self::W, c: Self::C) -> (Self::W, Self::C) {
        let (d, first) = self.add_carry(a, b);
        let (d, second) = self.add_carry(d, self.bit(c));
        (d, self.either(first, second))
    }
    /// `a - b - c` with its borrow.
    #[inline(always)]
    fn sub_with(&self, a: Self::W, b: Self::W, c: Self::C) -> (Self::W, Self::C) {
        let (d, first) = self.sub_borrow(a, b);
        let (d, second) = self.sub_borrow(d, self.bit(c));
        (d, self.either(first, second))
    }
    /// A sum with its carry: all ones where there is one.
    #[inline(always)]
    fn at_most(&self, (d, c): (Self::W, Self::C)) -> (Self::W, Self::C) {
        (self.sel(c, self.w(u32::MAX), d), c)
    }
    /// A difference with its borrow: zero where there is one.
    #[inline(always)]
    fn at_least(&self, (d, c): (Self::W, Self::C)) -> (Self::W, Self::C) {
        (self.sel(c, self.w(0), d), c)
    }
    /// Whether `d`, the sum of `a` and `b`, is not what signed numbers sum up to.
    #[inline(always)]
    fn overflow(&self, a: Self::W, b: Self::W, d: Self::W) -> Self::C {
        self.lt_s(self.and(self.xor(a, d), self.xor(b, d)), self.w(0))
    }
    /// As [`Alg::overflow`], of 64 bits.
    #[inline(always)]
    fn overflow_d(&self, a: Self::D, b: Self::D, d: Self::D) -> Self::C {
        self.negative_d(self.and_d(self.xor_d(a, d), self.xor_d(b, d)))
    }
    /// Zeros above the highest set bit; all ones where none is set.
    #[inline(always)]
    fn ffbh_u(&self, a: Self::W) -> Self::W {
        self.sel(self.nz(a), self.clz(a), self.w(u32::MAX))
    }
    /// How many bits from the highest on are alike; all ones where all are.
    #[inline(always)]
    fn ffbh_s(&self, a: Self::W) -> Self::W {
        self.ffbh_u(self.xor(a, self.sari(a, 31)))
    }
    /// Zeros below the lowest set bit; all ones where none is set.
    #[inline(always)]
    fn ffbl(&self, a: Self::W) -> Self::W {
        self.sel(self.nz(a), self.ctz(a), self.w(u32::MAX))
    }
    /// Sum, saturated to what an unsigned word holds.
    #[inline(always)]
    fn add_sat_u(&self, a: Self::W, b: Self::W) -> Self::W {
        let (d, c) = self.add_carry(a, b);
        self.sel(c, self.w(u32::MAX), d)
    }
    /// Difference, not below zero.
    #[inline(always)]
    fn sub_sat_u(&self, a: Self::W, b: Self::W) -> Self::W {
        let (d, c) = self.sub_borrow(a, b);
        self.sel(c, self.w(0), d)
    }
    /// A signed 64-bit number saturated to 32 bits.
    #[inline(always)]
    fn sat_s(&self, a: Self::D) -> Self::W {
        let fits = self.eq_d(self.sext(self.lo(a)), a);
        let limit = self.xor(self.sari(self.hi(a), 31), self.w(0x7fff_ffff));
        self.sel(fits, self.lo(a), limit)
    }
    /// An unsigned 64-bit number saturated to 32 bits.
    #[inline(always)]
    fn sat_u(&self, a: Self::D) -> Self::W {
        self.sel(self.nz(self.hi(a)), self.w(u32::MAX), self.lo(a))
    }
    /// Sum, saturated to what a signed word holds.
    #[inline(always)]
    fn add_sat_s(&self, a: Self::W, b: Self::W) -> Self::W {
        self.sat_s(self.add_d(self.sext(a), self.sext(b)))
    }
    /// Difference, saturated to what a signed word holds.
    #[inline(always)]
    fn sub_sat_s(&self, a: Self::W, b: Self::W) -> Self::W {
        self.sat_s(self.sub_d(self.sext(a), self.sext(b)))
    }
}
