//! Elements of one texel, where they are not fields of a buffer format or where a shorter way gives the same.

use crate::fault::planted;
use crate::memory::format::{Format, Kind, Layout};

/// `n / 255` for each byte, correctly rounded.
pub(super) static UNORM8: [u32; 256] = {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        table[n] = (n as f32 / 255.0).to_bits();
        n += 1;
    }
    table
};

/// Fields of 32 bits as they are.
pub(super) fn words_of(layout: &Layout, element: &[u32; 4]) -> [u32; 4] {
    std::array::from_fn(|n| if layout.bits[n] == 0 { 0 } else { element[n] })
}

/// Fields of 8 bits.
pub(super) fn bytes_of(layout: &Layout, element: &[u32; 4]) -> [u8; 4] {
    let bytes = element[0].to_le_bytes();
    std::array::from_fn(|n| if layout.bits[n] == 0 { 0 } else { bytes[n] })
}

/// Unorm fields of 8 bits; one which is not there is 0 as a byte of 0 is.
pub(super) fn unorm8(layout: &Layout, element: &[u32; 4]) -> [u32; 4] {
    bytes_of(layout, element).map(unorm8_value)
}

/// A unorm byte.
pub(super) fn unorm8_value(byte: u8) -> u32 {
    UNORM8[usize::from(byte)]
}

/// `X24_8_32`: a word of depth, which no kind converts, and the lowest byte of the next, which is stencil.
pub(super) fn depth_stencil(element: &[u32; 4]) -> [u32; 4] {
    [element[0], element[1] & 0xff, 0, 0]
}

/// Half floats.
pub(super) fn halves(halves: [u16; 3]) -> [u32; 4] {
    static HALVES: Layout = Layout { bits: [16, 16, 16, 0] };
    let [x, y, z] = halves.map(u32::from);
    Format { layout: &HALVES, kind: Kind::Float, unsigned_alpha: false }.load([x | y << 16, z, 0, 0])
}

/// Bits of a mantissa, the bias of the exponent, and the largest exponent of `5_9_9_9`. A mantissa is a fraction without a hidden bit.
const MANTISSA: u32 = 9;
const BIAS: i32 = 15;
const LARGEST: i32 = 31;

/// `2^exponent`, of the exponents that have a normal f32.
fn power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// `5_9_9_9`: three mantissas of nine bits, X lowest, and the exponent above them. Exact: a mantissa times a power of two.
pub(super) fn shared_exponent(word: u32) -> [u32; 4] {
    let unit = power((word >> 27) as i32 - BIAS - MANTISSA as i32 + i32::from(planted!(TexelSharedBias)));
    let value = |n: u32| ((word >> (MANTISSA * n) & 0x1ff) as f32 * unit).to_bits();
    [value(0), value(1), value(2), 0]
}

/// Back, as Vulkan and OpenGL define it: clamped to what there is, NaN as 0, and each mantissa rounded to nearest with ties up.
pub(super) fn shared_exponent_bits(components: [u32; 4]) -> u32 {
    let top = f64::from((1 << MANTISSA) - 1) / f64::from(1 << MANTISSA) * f64::from(1 << (LARGEST - BIAS));
    let [x, y, z, _] = components.map(|bits| {
        let value = f64::from(f32::from_bits(bits));
        // NaN is not greater.
        if value > 0.0 { value.min(top) } else { 0.0 }
    });
    let most = x.max(y).max(z);
    // An f64 that came from an f32 above 0 is normal, so that its exponent is in its bits.
    let log = if most == 0.0 { -BIAS - 1 } else { (most.to_bits() >> 52) as i32 - 1023 };
    let mut exponent = log.max(-BIAS - 1) + 1 + BIAS;
    // All is exact in f64: products with powers of two, and sums whose fractions matter down to a half.
    let mantissa = |value: f64, exponent: i32| {
        let unit = f64::from(power(BIAS + MANTISSA as i32 - exponent));
        (value * unit + 0.5).floor() as u32
    };
    if mantissa(most, exponent) == 1 << MANTISSA {
        exponent += 1;
    }
    let [x, y, z] = [x, y, z].map(|value| mantissa(value, exponent));
    x | y << MANTISSA | z << (2 * MANTISSA) | (exponent as u32) << (3 * MANTISSA)
}
