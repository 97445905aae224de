//! The integers that floats are computed in.
//!
//! [`Int`] is the part of [`Alg`] without floats: what a function of this module may use, and nothing else, as the compiler sees to. Every
//! [`Alg`] is an [`Int`]; what builds function bodies, or counts, or explains, can be an [`Int`] alone.

use crate::isa::sem::Alg;

macro_rules! ints {
    ($($(#[$doc:meta])* $name:ident ($($a:ident: $t:ident),*) -> $r:ident;)*) => {
        /// Words, pairs of words, truth values, and what can be done with them; shift counts are taken modulo the width.
        pub trait Int {
            /// 32 bits.
            type W: Copy;
            /// 64 bits.
            type D: Copy;
            /// A truth value.
            type C: Copy;

            /// A constant.
            fn w(&self, v: u32) -> Self::W;
            /// A constant.
            fn d(&self, v: u64) -> Self::D;
            /// A constant.
            fn c(&self, v: bool) -> Self::C;
            $(
                $(#[$doc])*
                fn $name(&self, $($a: Self::$t),*) -> Self::$r;
            )*

            /// Sum with a constant.
            #[inline(always)]
            fn addi(&self, a: Self::W, n: i32) -> Self::W {
                self.add(a, self.w(n as u32))
            }
            /// And with a constant.
            #[inline(always)]
            fn andi(&self, a: Self::W, m: u32) -> Self::W {
                self.and(a, self.w(m))
            }
            /// Or with a constant.
            #[inline(always)]
            fn ori(&self, a: Self::W, m: u32) -> Self::W {
                self.or(a, self.w(m))
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
            /// Equal to a constant.
            #[inline(always)]
            fn eqi(&self, a: Self::W, v: u32) -> Self::C {
                self.eq(a, self.w(v))
            }
            /// Whether a signed number is less than a constant.
            #[inline(always)]
            fn lessi(&self, a: Self::W, v: i32) -> Self::C {
                self.lt_s(a, self.w(v as u32))
            }
            /// Whether a signed number is greater than a constant.
            #[inline(always)]
            fn morei(&self, a: Self::W, v: i32) -> Self::C {
                self.lt_s(self.w(v as u32), a)
            }
            /// One of two constants.
            #[inline(always)]
            fn pick(&self, c: Self::C, t: u32, f: u32) -> Self::W {
                self.sel(c, self.w(t), self.w(f))
            }
            /// One of two truth values.
            #[inline(always)]
            fn sel_c(&self, c: Self::C, t: Self::C, f: Self::C) -> Self::C {
                self.either(self.both(c, t), self.both(self.negate(c), f))
            }
            /// `a` and not `b`.
            #[inline(always)]
            fn but_not(&self, a: Self::C, b: Self::C) -> Self::C {
                self.both(a, self.negate(b))
            }
        }

        impl<A: Alg> Int for A {
            type W = A::W;
            type D = A::D;
            type C = A::C;

            #[inline(always)]
            fn w(&self, v: u32) -> Self::W {
                Alg::w(self, v)
            }
            #[inline(always)]
            fn d(&self, v: u64) -> Self::D {
                Alg::d(self, v)
            }
            #[inline(always)]
            fn c(&self, v: bool) -> Self::C {
                Alg::c(self, v)
            }
            $(
                #[inline(always)]
                fn $name(&self, $($a: Self::$t),*) -> Self::$r {
                    Alg::$name(self, $($a),*)
                }
            )*
        }
    };
}

ints! {
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
    /// Zeros above the highest set bit; 32 for zero.
    clz(a: W) -> W;
    /// Zeros below the lowest set bit; 32 for zero.
    ctz(a: W) -> W;
    /// Unsigned minimum.
    min_u(a: W, b: W) -> W;
    /// Unsigned maximum.
    max_u(a: W, b: W) -> W;
    /// Signed minimum.
    min_s(a: W, b: W) -> W;
    /// Signed maximum.
    max_s(a: W, b: W) -> W;
    /// Whether a word is not zero.
    nz(a: W) -> C;
    /// 1 or 0.
    bit(c: C) -> W;
    /// Unsigned product of 64 bits.
    mul_wide_u(a: W, b: W) -> D;
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
    /// Equal.
    eq_d(a: D, b: D) -> C;
    /// Unsigned less.
    ltu_d(a: D, b: D) -> C;
    /// One of two.
    sel_d(c: C, t: D, f: D) -> D;
    /// Zeros above the highest set bit; 64 for zero.
    clz_d(a: D) -> W;
    /// Zeros below the lowest set bit; 64 for zero.
    ctz_d(a: D) -> W;
    /// `{hi, lo}`.
    pair(lo: W, hi: W) -> D;
    /// The low half.
    lo(a: D) -> W;
    /// The high half.
    hi(a: D) -> W;
    /// Zero-extended to 64 bits.
    zext(a: W) -> D;
    /// Both.
    both(a: C, b: C) -> C;
    /// One or both.
    either(a: C, b: C) -> C;
    /// Exactly one.
    differ(a: C, b: C) -> C;
    /// Not.
    negate(a: C) -> C;
}
