//! Products of the old kind, in which zero times anything is +0; lighting; cube maps.

use super::{Fast, TOP};

impl<const FLUSH: bool> Fast<FLUSH> {
    /// An operand that is flushed in every mode.
    #[inline(always)]
    fn z(a: u32) -> f32 {
        f32::from_bits(Self::zeroed(a))
    }

    /// A product, rounded, then a sum, with denormals flushed throughout.
    #[inline(always)]
    pub(super) fn mad_of_old(&self, a: u32, b: u32, c: u32) -> u32 {
        let (a, b) = (Self::z(a), Self::z(b));
        let zero = a == 0.0 || b == 0.0;
        let product = if zero { 0.0 } else { a * b };
        self.odd_nan(product);
        let sum = f32::from_bits(self.flushed(product)) + Self::z(c);
        self.odd_nan(sum);
        self.flushed(sum)
    }

    /// The same, rounded once.
    #[inline(always)]
    pub(super) fn fma_of_old(&self, a: u32, b: u32, c: u32) -> u32 {
        let (a, b, c) = (Self::z(a), Self::z(b), Self::z(c));
        let r = if a == 0.0 || b == 0.0 { 0.0 + c } else { a.mul_add(b, c) };
        self.odd_nan(r);
        self.flushed(r)
    }

    /// A product, or the lowest number.
    #[inline(always)]
    pub(super) fn lit(&self, a: u32, b: u32, c: u32) -> u32 {
        const LOWEST: u32 = 0xff7f_ffff;
        let light = self.s(c);
        let (x, y) = (self.s(a), self.s(b));
        let zero = x == 0.0 || y == 0.0;
        let product = self.rs(if zero { 0.0 } else { x * y });
        let inside = !f32::from_bits(b).is_nan() && b < LOWEST;
        if inside && light > 0.0 { product } else { LOWEST }
    }

    /// Whether the axis of the largest magnitude is z, or else y.
    #[inline(always)]
    fn axis(x: f32, y: f32, z: f32) -> (bool, bool) {
        (z.abs() >= x.abs() && z.abs() >= y.abs(), y.abs() >= x.abs())
    }

    /// The number of a face.
    #[inline(always)]
    pub(super) fn face(x: u32, y: u32, z: u32) -> u32 {
        let (x, y, z) = (Self::z(x), Self::z(y), Self::z(z));
        let side = |positive: f32, v: f32| if v < 0.0 { positive + 1.0 } else { positive };
        let (is_z, is_y) = Self::axis(x, y, z);
        let other = if is_y { side(2.0, y) } else { side(0.0, x) };
        (if is_z { side(4.0, z) } else { other }).to_bits()
    }

    /// The first coordinate on a face.
    #[inline(always)]
    pub(super) fn first_on_face(&self, x: u32, y: u32, z: u32) -> u32 {
        let (fx, fy, fz) = (Self::z(x), Self::z(y), Self::z(z));
        let (is_z, is_y) = Self::axis(fx, fy, fz);
        let on_x = if fx < 0.0 { z } else { z ^ TOP };
        let on_z = if fz < 0.0 { x ^ TOP } else { x };
        let other = if is_y { x } else { on_x };
        self.coordinate(if is_z { on_z } else { other })
    }

    /// The second coordinate on a face.
    #[inline(always)]
    pub(super) fn second_on_face(&self, x: u32, y: u32, z: u32) -> u32 {
        let (fx, fy, fz) = (Self::z(x), Self::z(y), Self::z(z));
        let (is_z, is_y) = Self::axis(fx, fy, fz);
        let on_y = if fy < 0.0 { z ^ TOP } else { z };
        self.coordinate(if is_y && !is_z { on_y } else { y ^ TOP })
    }

    /// Twice the coordinate of the axis.
    #[inline(always)]
    pub(super) fn twice_the_axis(&self, x: u32, y: u32, z: u32) -> u32 {
        let (x, y, z) = (Self::z(x), Self::z(y), Self::z(z));
        let (is_z, is_y) = Self::axis(x, y, z);
        let other = if is_y { y } else { x };
        self.rs((if is_z { z } else { other }).mul_add(2.0, 0.0))
    }

    /// A coordinate as it is; a NaN is left to the exact body.
    #[inline(always)]
    fn coordinate(&self, a: u32) -> u32 {
        self.odd_nan(f32::from_bits(a));
        a
    }
}
