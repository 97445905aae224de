//! Vectors of three f32: products and sums are rounded one by one, but for those of a matrix, which are fused.

/// A vector.
pub type V3 = [f32; 3];

/// `a - b`
#[must_use]
pub fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The cross product.
#[must_use]
pub fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The scalar product, summed from x to z.
#[must_use]
pub fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `1 / a`, component by component.
#[must_use]
pub fn inverse(a: V3) -> V3 {
    a.map(|x| 1.0 / x)
}

/// A row of a matrix by a vector, on top of a sum, from z to x.
#[must_use]
pub fn row(of: [f32; 3], a: V3, sum: f32) -> f32 {
    of[0].mul_add(a[0], of[1].mul_add(a[1], of[2].mul_add(a[2], sum)))
}

/// Three words as a vector.
#[must_use]
pub fn v3(words: [u32; 3]) -> V3 {
    words.map(f32::from_bits)
}
