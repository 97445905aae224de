//! Cube maps and lighting: which face a direction hits, and where; V_MULLIT.

use super::{Env, F32, Rules};

/// The faces of one axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
    Z,
}

/// The axis of the largest magnitude, z before y before x, and whether its coordinate is negative. Subnormals count as zeros in every mode.
#[inline]
fn face(x: u64, y: u64, z: u64) -> (Axis, bool) {
    let [x, y, z] = [x, y, z].map(|a| F32.flush(a));
    let at_least = |a: u64, b: u64| !F32.is_nan(a) && !F32.is_nan(b) && F32.abs(a) >= F32.abs(b);
    let below_zero = |a: u64| F32.sign(a) && !F32.is_zero(a) && !F32.is_nan(a);
    if at_least(z, x) && at_least(z, y) {
        (Axis::Z, below_zero(z))
    } else if at_least(y, x) {
        (Axis::Y, below_zero(y))
    } else {
        (Axis::X, below_zero(x))
    }
}

impl Env {
    /// V_CUBEID_F32: the number of the face, as f32.
    pub fn cube_id(&mut self, x: u64, y: u64, z: u64) -> u64 {
        let (axis, negative) = face(x, y, z);
        self.from_u64(F32, 2 * axis as u64 + u64::from(negative))
    }

    /// V_CUBESC_F32: the first coordinate on the face: an operand with its sign or the other, otherwise as it is.
    pub fn cube_sc(&mut self, x: u64, y: u64, z: u64) -> u64 {
        self.coordinate(match face(x, y, z) {
            (Axis::X, false) => F32.neg(z),
            (Axis::X, true) => z,
            (Axis::Y, _) | (Axis::Z, false) => x,
            (Axis::Z, true) => F32.neg(x),
        })
    }

    /// V_CUBETC_F32: the second coordinate on the face.
    pub fn cube_tc(&mut self, x: u64, y: u64, z: u64) -> u64 {
        self.coordinate(match face(x, y, z) {
            (Axis::X | Axis::Z, _) => F32.neg(y),
            (Axis::Y, false) => z,
            (Axis::Y, true) => F32.neg(z),
        })
    }

    fn coordinate(&mut self, a: u64) -> u64 {
        if F32.is_nan(a) { self.pass_nan(F32, a) } else { a }
    }

    /// V_CUBEMA_F32: twice the coordinate of the axis. The zero behaves as if +0 were added.
    pub fn cube_ma(&mut self, x: u64, y: u64, z: u64) -> u64 {
        let major = match face(x, y, z).0 {
            Axis::X => x,
            Axis::Y => y,
            Axis::Z => z,
        };
        let two = F32.one() + F32.min_normal();
        self.under(Rules { flush_in: true, ..self.rules }, |env| env.fma(F32, two, major, 0))
    }

    /// V_MULLIT_F32: `a * b` where zero times anything is +0, but the lowest finite number if `b` is that, -inf or a NaN, or if `c` is not above
    /// zero. open: gfx10 to gfx12 may use another product.
    pub fn mullit(&mut self, a: u64, b: u64, c: u64) -> u64 {
        let lowest = F32.signed(true, F32.max());
        let c = self.input(F32, c);
        if F32.is_nan(b) || F32.sign(b) && F32.abs(b) >= F32.max() || F32.is_nan(c) || F32.sign(c) || F32.is_zero(c) {
            return lowest;
        }
        self.mul_legacy(F32, a, b)
    }
}
