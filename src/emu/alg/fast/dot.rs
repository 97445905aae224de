//! Dot products of small floats: chains of fused multiply-adds, or the adders of gfx11 and gfx12, [whose rules](crate::emu::soft) are those of the
//! exact body. Their terms have so few bits that aligned to a common grid they are words, and their sum times a power of two is an f64, which is rounded once.
//! What is not finite is left to the exact body.

use super::half::{nearest, to_odd};
use super::{Fast, TOP};
use crate::emu::soft::{Adder, half};

/// What a result is narrowed to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    F32,
    F16,
    Bf16,
}

/// Below all exponents.
const NONE: i32 = -2000;
/// The units in which terms come lie so far below their highest places.
const PRODUCT: i32 = 24;
const ACCUMULATOR: i32 = 26;

/// A factor: its significand, the exponent of its highest place, its sign in the top bit.
#[derive(Clone, Copy)]
struct Factor {
    significand: u32,
    place: i32,
    sign: u32,
}

/// A term: a magnitude in units of two to the power of `unit`, its sign as all bits or none.
#[derive(Clone, Copy)]
struct Term {
    magnitude: i32,
    unit: i32,
    sign: i32,
}

/// Formats of factors: the width of the fraction, the bias, the highest field.
#[derive(Clone, Copy)]
pub(super) struct Narrow {
    man: u32,
    bias: i32,
    special: u32,
    sign: u32,
}

pub(super) const F16: Narrow = Narrow { man: 10, bias: 15, special: 31, sign: 1 << 15 };
pub(super) const BF16: Narrow = Narrow { man: 7, bias: 127, special: 255, sign: 1 << 15 };

impl Narrow {
    /// A factor, with zero for subnormals if `flush`.
    #[inline(always)]
    fn factor(self, a: u32, flush: bool) -> Factor {
        let field = (a & (self.sign - 1)) >> self.man;
        let fraction = a & ((1 << self.man) - 1);
        let subnormal = if flush { 0 } else { fraction };
        let significand = if field == 0 { subnormal } else { fraction | 1 << self.man };
        let sign = if a & self.sign != 0 { TOP } else { 0 };
        Factor { significand, place: field.max(1) as i32 - self.bias, sign }
    }

    #[inline(always)]
    fn is_special(self, a: u32) -> bool {
        (a & (self.sign - 1)) >> self.man == self.special
    }
}

impl Term {
    /// A product whose factors have so many bits behind the point together.
    #[inline(always)]
    fn product(a: Factor, b: Factor, fraction: u32) -> Term {
        let magnitude = ((a.significand * b.significand) << (PRODUCT as u32 - fraction)) as i32;
        let unit = if magnitude == 0 { NONE } else { a.place + b.place - PRODUCT };
        Term { magnitude, unit, sign: (a.sign ^ b.sign) as i32 >> 31 }
    }

    /// An accumulator.
    #[inline(always)]
    fn accumulator(c: u32) -> Term {
        let field = c >> 23 & 0xff;
        let significand = c & 0x007f_ffff | if field == 0 { 0 } else { 0x0080_0000 };
        let unit = field.max(1) as i32 - 127 - ACCUMULATOR;
        Term { magnitude: (significand << 3) as i32, unit, sign: c as i32 >> 31 }
    }

    /// The magnitude on a coarser grid, cut.
    #[inline(always)]
    fn cut(self, grid: i32) -> i32 {
        self.magnitude >> grid.wrapping_sub(self.unit).clamp(0, 31)
    }

    /// The value on a coarser grid, rounded down.
    #[inline(always)]
    fn floor(self, grid: i32) -> i32 {
        ((self.magnitude ^ self.sign) - self.sign) >> (grid - self.unit).clamp(0, 31)
    }
}

/// An integer in units of two to the power of `grid`.
#[inline(always)]
fn real(sum: i32, grid: i32) -> f64 {
    f64::from(sum) * f64::from_bits(((grid.clamp(-1000, 1000) + 1023) as u64) << 52)
}

/// Whether a value is below the normals of f32 even if it is rounded first.
#[inline(always)]
fn is_tiny(v: f64) -> bool {
    /// Half a unit below the smallest normal.
    const LEAST: f64 = f64::from_bits(0x380f_ffff_f000_0000);
    v.abs() < LEAST
}

/// The sum as gfx11 makes it.
#[inline(always)]
fn gfx11<const N: usize>(to: To, products: [Term; N], c: Term) -> f64 {
    let zero = if to == To::F16 { -14 - ACCUMULATOR } else { NONE };
    let c_unit = if c.magnitude == 0 { zero } else { c.unit.max(zero) };
    let grid = products.iter().fold(c_unit, |grid, p| grid.max(p.unit));
    let terms = products.iter().fold(c.cut(grid), |sum, p| sum + (p.cut(grid) ^ (p.sign ^ c.sign)));
    let v = real((terms ^ c.sign) - c.sign, grid);
    if to != To::F16 && is_tiny(v) { 0.0 } else { v }
}

/// The sum as gfx12 makes it.
#[inline(always)]
fn gfx12<const N: usize>(to: To, products: [Term; N], c: Term) -> f64 {
    let lowest = if to == To::F16 { -14 } else { -126 };
    let group = products.iter().fold(NONE, |grid, p| grid.max(p.unit));
    let grid = group.max(c.unit.max(lowest - ACCUMULATOR));
    let part = products.iter().fold(0, |sum, p| sum + p.floor(group));
    // What vanishes altogether counts on the finest grids only.
    let vanishes = c.cut(grid) == 0 && grid > lowest;
    let accumulator = if vanishes { 0 } else { c.floor(grid) };
    real(accumulator + (part >> (grid - group).clamp(0, 31)), grid)
}

impl<const FLUSH: bool> Fast<FLUSH> {
    /// An accumulator and the products of the halves of two words, by the adder of the machine.
    #[inline(always)]
    fn added(&self, adder: Adder, of: Narrow, to: To, a: u32, b: u32, c: u32) -> f64 {
        let special = |a: u32| of.is_special(a) | of.is_special(a >> 16);
        self.odd_if(special(a) | special(b) | (c >> 23 & 0xff == 0xff));
        let flush = adder == Adder::Gfx11 && of.man == BF16.man;
        let product = |down: u32| {
            let [a, b] = [a, b].map(|v| of.factor(v >> down, flush));
            Term::product(a, b, 2 * of.man)
        };
        let products = [product(0), product(16)];
        match adder {
            Adder::Gfx11 => gfx11(to, products, Term::accumulator(Self::zeroed(c))),
            Adder::Gfx12 => gfx12(to, products, Term::accumulator(c)),
        }
    }

    /// A chain of fused multiply-adds without denormals, the first product first.
    #[inline(always)]
    fn chained(&self, factor: impl Fn(u32) -> u32, a: u32, b: u32, c: u32) -> u32 {
        let z = |v| f32::from_bits(Self::zeroed(v));
        [0, 16].into_iter().fold(c, |sum, down| {
            let r = z(factor(a >> down)).mul_add(z(factor(b >> down)), z(sum));
            self.odd_nan(r);
            self.flushed(r)
        })
    }

    /// `c` and the products of f16 pairs.
    #[inline(always)]
    pub(super) fn dot_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        match self.machine.adder {
            None => self.chained(|v| half(if v & 0x7c00 == 0 { v & 0x8000 } else { v }).to_bits(), a, b, c),
            Some(adder) => positive(self.added(adder, F16, To::F32, a, b, c) as f32),
        }
    }

    /// `c` and the products of bf16 pairs.
    #[inline(always)]
    pub(super) fn dot_bf16(&self, a: u32, b: u32, c: u32) -> u32 {
        match self.machine.adder {
            None => self.chained(|v| v << 16, a, b, c),
            Some(adder) => positive(self.added(adder, BF16, To::F32, a, b, c) as f32),
        }
    }

    /// An f16 and the products of f16 pairs.
    #[inline(always)]
    pub(super) fn dot_into_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        let adder = self.machine.adder.unwrap_or(Adder::Gfx11);
        let v = self.added(adder, F16, To::F16, a, b, half(c).to_bits());
        let r = v as f32;
        let lost = v - f64::from(r);
        let r = to_odd(r, (lost.to_bits() >> 32) as u32, lost.abs() > 0.0).to_bits();
        let magnitude = nearest(r & !TOP);
        if magnitude == 0 { 0 } else { magnitude | r >> 16 & 0x8000 }
    }

    /// A bf16 and the products of bf16 pairs.
    #[inline(always)]
    pub(super) fn dot_into_bf16(&self, a: u32, b: u32, c: u32) -> u32 {
        let adder = self.machine.adder.unwrap_or(Adder::Gfx11);
        positive(self.added(adder, BF16, To::Bf16, a, b, c << 16) as f32) >> 16
    }

    /// `c` and the products of four floats of eight bits.
    #[inline(always)]
    pub(super) fn dot_bytes(&self, a: u32, b: u32, c: u32, bf8_a: bool, bf8_b: bool) -> u32 {
        let (of_a, of_b) = (byte(bf8_a), byte(bf8_b));
        let special = |bf8: bool, v: u32| if bf8 { v & 0x7c == 0x7c } else { v & 0x7f == 0x7f };
        let odd = [0, 8, 16, 24].iter().any(|n| special(bf8_a, a >> n) | special(bf8_b, b >> n));
        self.odd_if(!self.machine.ocp | odd | (c >> 23 & 0xff == 0xff));
        let products = [0, 8, 16, 24].map(|n| {
            let (a, b) = (of_a.factor(a >> n, false), of_b.factor(b >> n, false));
            Term::product(a, b, of_a.man + of_b.man)
        });
        positive(gfx12(To::F32, products, Term::accumulator(c)) as f32)
    }
}

/// The formats of eight bits of OCP, but for what is not finite.
const fn byte(bf8: bool) -> Narrow {
    if bf8 {
        Narrow { man: 2, bias: 15, special: 31, sign: 1 << 7 }
    } else {
        Narrow { man: 3, bias: 7, special: 15, sign: 1 << 7 }
    }
}

/// All zeros are positive.
#[inline(always)]
fn positive(r: f32) -> u32 {
    if r == 0.0 { 0 } else { r.to_bits() }
}
