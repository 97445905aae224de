//! Floats of eight bits.
//!
//! Of the two families one (FNUZ, gfx940) has no infinities, no -0 and one NaN in its place; the other (OCP, gfx12) has -0, and its format with five
//! exponent bits has infinities.

use super::round::signed;
use super::{F32, Int, Modes, Narrow};

/// One of the four formats.
#[derive(Clone, Copy)]
pub(super) struct Small {
    pub man: u32,
    pub bias: i32,
    pub fnuz: bool,
    /// The largest finite pattern.
    pub max: u32,
    /// What overflows becomes this, with its sign where there is one.
    pub over: u32,
}

impl Small {
    pub fn of<K: Int>(m: &Modes<K>, bf8: bool) -> Small {
        match (m.gfx12(), bf8) {
            (false, false) => Small { man: 3, bias: 8, fnuz: true, max: 0x7f, over: 0x80 },
            (false, true) => Small { man: 2, bias: 16, fnuz: true, max: 0x7f, over: 0x80 },
            (true, false) => Small { man: 3, bias: 7, fnuz: false, max: 0x7e, over: 0x7f },
            (true, true) => Small { man: 2, bias: 15, fnuz: false, max: 0x7b, over: 0x7c },
        }
    }

    /// Whether a byte is a NaN.
    pub fn nan<K: Int>(self, k: &K, byte: K::W) -> K::C {
        if self.fnuz { k.eqi(byte, 0x80) } else { k.lt_u(k.w(self.inf()), k.andi(byte, 0x7f)) }
    }

    /// Whether a byte is an infinity.
    pub fn infinite<K: Int>(self, k: &K, byte: K::W) -> K::C {
        if self.has_inf() { k.eqi(k.andi(byte, 0x7f), self.over) } else { k.c(false) }
    }

    pub fn has_inf(self) -> bool {
        self.over == 0x7c
    }

    /// The largest pattern that is no NaN.
    fn inf(self) -> u32 {
        if self.has_inf() { self.over } else { self.max }
    }
}

/// Widened.
pub fn f32_of_fp8<K: Int>(k: &K, m: &Modes<K>, a: K::W, bf8: bool) -> K::W {
    let s = Small::of(m, bf8);
    let byte = k.andi(a, 0xff);
    let minus = k.nz(k.andi(byte, 0x80));
    let abs = k.andi(byte, 0x7f);
    let field = k.shri(abs, s.man);
    let normal = k.add(k.shli(abs, 23 - s.man), k.w(((F32.bias() - s.bias) as u32) << 23));
    // Of a denormal the highest bit is moved to where the leading bit belongs.
    let zeros = k.clz(abs);
    let base = k.sub(k.w((F32.bias() - s.bias - s.man as i32 + 31) as u32), zeros);
    let denormal = k.add(k.shli(base, 23), k.shr(k.shl(abs, zeros), k.w(8)));
    let denormal = k.sel(k.eqi(abs, 0), k.w(0), denormal);
    let number = k.sel(k.eqi(field, 0), denormal, normal);
    let number = k.sel(s.infinite(k, byte), k.w(F32.inf() as u32), number);
    let quiet = k.w((F32.inf() | F32.quiet()) as u32);
    let nan = if s.has_inf() { k.or(quiet, k.shli(k.andi(byte, 3), 21)) } else { quiet };
    signed::<K, Narrow>(k, F32, minus, k.sel(s.nan(k, byte), nan, number))
}

/// An f32 as a byte; `cut` says what a significand of 24 bits becomes without so many bits, 31 at most.
fn narrowed<K: Int>(k: &K, m: &Modes<K>, a: K::W, bf8: bool, cut: impl Fn(K::W, K::W) -> K::W) -> K::W {
    let s = Small::of(m, bf8);
    let sign = k.andi(k.shri(a, 24), 0x80);
    let abs = k.andi(a, F32.magnitude() as u32);
    let field = k.shri(abs, 23);
    // What is denormal in f32 is far below the smallest number.
    let leading = k.shli(k.min_u(field, k.w(1)), 23);
    let sig = k.or(k.andi(abs, F32.fraction() as u32), leading);
    let small = k.addi(field, s.bias - F32.bias());
    let more = k.max_s(k.sub(k.w(1), small), k.w(0));
    let kept = cut(sig, k.addi(more, 23 - s.man as i32));
    let base = k.shli(k.max_s(k.addi(small, -1), k.w(0)), s.man);
    let bits = k.add(kept, base);
    let over = k.either(k.lt_u(k.w(s.max), bits), k.eqi(abs, F32.inf() as u32));
    let signed = |v: u32| k.or(sign, k.w(v));
    let beyond = if s.fnuz { k.w(s.over) } else { signed(s.over) };
    let beyond = k.sel(m.fp16_ovfl(k), signed(s.max), beyond);
    let number = k.or(sign, bits);
    let number = if s.fnuz { k.sel(k.eqi(bits, 0), k.w(0), number) } else { number };
    let nan = if s.fnuz { k.w(0x80) } else { signed(0x7f) };
    let is_nan = k.lt_u(k.w(F32.inf() as u32), abs);
    k.sel(is_nan, nan, k.sel(over, beyond, number))
}

/// Rounded to nearest even.
pub fn fp8_of_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W, bf8: bool) -> K::W {
    narrowed(k, m, a, bf8, |sig, drop| {
        let drop = k.min_u(drop, k.w(31));
        let kept = k.shr(sig, drop);
        let rest = k.shl(sig, k.sub(k.w(0), drop));
        let half = k.sub(k.w(1 << 31), k.andi(kept, 1));
        k.add(kept, k.bit(k.lt_u(half, rest)))
    })
}

/// The top bits of the seed are added to those that are cut off.
pub fn fp8_of_f32_sr<K: Int>(k: &K, m: &Modes<K>, a: K::W, seed: K::W, bf8: bool) -> K::W {
    narrowed(k, m, a, bf8, |sig, drop| {
        // From 32 on the seed is added further up; only a carry out of 32 bits can reach the result.
        let near = k.lt_u(drop, k.w(32));
        let low = k.shr(k.add(sig, k.shr(seed, k.sub(k.w(0), drop))), drop);
        let up = k.sub(drop, k.w(32));
        let moved = k.shr(sig, k.min_u(up, k.w(31)));
        let carry = k.bit(k.lt_u(k.not(seed), moved));
        k.sel(near, low, carry)
    })
}
