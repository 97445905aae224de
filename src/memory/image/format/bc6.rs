//! BC6: fourteen modes of three half floats, exact by its specification.
//!
//! End points are integers of 6 to 16 bits, which are stretched to 16 bits, interpolated, and scaled so that the bits are those of a
//! half. Signed ones may give minus infinity, none gives a NaN.

use super::blocks::ModeOf6;
use super::packed::halves;
use super::partitions::{Bits, Division, interpolate};
use crate::fault::planted;

/// Bits of an end point's component, of which some are given: from the one to the other, the first named is the highest. Where the
/// first is the lower one, they stand in reverse.
type Field = (usize, u32, u32);

/// A component of an end point.
const R0: usize = 0;
const G0: usize = 1;
const B0: usize = 2;
const R1: usize = 3;
const G1: usize = 4;
const B1: usize = 5;
const R2: usize = 6;
const G2: usize = 7;
const B2: usize = 8;
const R3: usize = 9;
const G3: usize = 10;
const B3: usize = 11;

struct Mode {
    /// Two bits below 2, else five.
    number: u32,
    /// Whether end points behind the first are differences to it.
    differences: bool,
    /// Bits of an end point.
    width: u32,
    /// Bits of what is given of those behind the first, for each component.
    given: [u32; 3],
    /// In the order of the block, behind the number.
    fields: &'static [Field],
}

const fn mode(number: u32, differences: bool, width: u32, given: [u32; 3], fields: &'static [Field]) -> Mode {
    Mode { number, differences, width, given, fields }
}

impl Mode {
    /// Modes which name four end points have two subsets.
    fn subsets(&self) -> u32 {
        if matches!(self.number, 3 | 7 | 11 | 15) { 1 } else { 2 }
    }
}

#[rustfmt::skip]
static MODES: [Mode; 14] = [
    //  number, differences, width, given, fields
    mode( 0, true , 10, [ 5,  5,  5], &[(G2,4,4), (B2,4,4), (B3,4,4), (R0,9,0), (G0,9,0), (B0,9,0), (R1,4,0), (G3,4,4), (G2,3,0), (G1,4,0), (B3,0,0), (G3,3,0), (B1,4,0), (B3,1,1), (B2,3,0), (R2,4,0), (B3,2,2), (R3,4,0), (B3,3,3)]),
    mode( 1, true ,  7, [ 6,  6,  6], &[(G2,5,5), (G3,4,4), (G3,5,5), (R0,6,0), (B3,0,0), (B3,1,1), (B2,4,4), (G0,6,0), (B2,5,5), (B3,2,2), (G2,4,4), (B0,6,0), (B3,3,3), (B3,5,5), (B3,4,4), (R1,5,0), (G2,3,0), (G1,5,0), (G3,3,0), (B1,5,0), (B2,3,0), (R2,5,0), (R3,5,0)]),
    mode( 2, true , 11, [ 5,  4,  4], &[(R0,9,0), (G0,9,0), (B0,9,0), (R1,4,0), (R0,10,10), (G2,3,0), (G1,3,0), (G0,10,10), (B3,0,0), (G3,3,0), (B1,3,0), (B0,10,10), (B3,1,1), (B2,3,0), (R2,4,0), (B3,2,2), (R3,4,0), (B3,3,3)]),
    mode( 3, false, 10, [10, 10, 10], &[(R0,9,0), (G0,9,0), (B0,9,0), (R1,9,0), (G1,9,0), (B1,9,0)]),
    mode( 6, true , 11, [ 4,  5,  4], &[(R0,9,0), (G0,9,0), (B0,9,0), (R1,3,0), (R0,10,10), (G3,4,4), (G2,3,0), (G1,4,0), (G0,10,10), (G3,3,0), (B1,3,0), (B0,10,10), (B3,1,1), (B2,3,0), (R2,3,0), (B3,0,0), (B3,2,2), (R3,3,0), (G2,4,4), (B3,3,3)]),
    mode( 7, true , 11, [ 9,  9,  9], &[(R0,9,0), (G0,9,0), (B0,9,0), (R1,8,0), (R0,10,10), (G1,8,0), (G0,10,10), (B1,8,0), (B0,10,10)]),
    mode(10, true , 11, [ 4,  4,  5], &[(R0,9,0), (G0,9,0), (B0,9,0), (R1,3,0), (R0,10,10), (B2,4,4), (G2,3,0), (G1,3,0), (G0,10,10), (B3,0,0), (G3,3,0), (B1,4,0), (B0,10,10), (B2,3,0), (R2,3,0), (B3,1,1), (B3,2,2), (R3,3,0), (B3,4,4), (B3,3,3)]),
    mode(11, true , 12, [ 8,  8,  8], &[(R0,9,0), (G0,9,0), (B0,9,0), (R1,7,0), (R0,10,11), (G1,7,0), (G0,10,11), (B1,7,0), (B0,10,11)]),
    mode(14, true ,  9, [ 5,  5,  5], &[(R0,8,0), (B2,4,4), (G0,8,0), (G2,4,4), (B0,8,0), (B3,4,4), (R1,4,0), (G3,4,4), (G2,3,0), (G1,4,0), (B3,0,0), (G3,3,0), (B1,4,0), (B3,1,1), (B2,3,0), (R2,4,0), (B3,2,2), (R3,4,0), (B3,3,3)]),
    mode(15, true , 16, [ 4,  4,  4], &[(R0,9,0), (G0,9,0), (B0,9,0), (R1,3,0), (R0,10,15), (G1,3,0), (G0,10,15), (B1,3,0), (B0,10,15)]),
    mode(18, true ,  8, [ 6,  5,  5], &[(R0,7,0), (G3,4,4), (B2,4,4), (G0,7,0), (B3,2,2), (G2,4,4), (B0,7,0), (B3,3,3), (B3,4,4), (R1,5,0), (G2,3,0), (G1,4,0), (B3,0,0), (G3,3,0), (B1,4,0), (B3,1,1), (B2,3,0), (R2,5,0), (R3,5,0)]),
    mode(22, true ,  8, [ 5,  6,  5], &[(R0,7,0), (B3,0,0), (B2,4,4), (G0,7,0), (G2,5,5), (G2,4,4), (B0,7,0), (G3,5,5), (B3,4,4), (R1,4,0), (G3,4,4), (G2,3,0), (G1,5,0), (G3,3,0), (B1,4,0), (B3,1,1), (B2,3,0), (R2,4,0), (B3,2,2), (R3,4,0), (B3,3,3)]),
    mode(26, true ,  8, [ 5,  5,  6], &[(R0,7,0), (B3,1,1), (B2,4,4), (G0,7,0), (B2,5,5), (G2,4,4), (B0,7,0), (B3,5,5), (B3,4,4), (R1,4,0), (G3,4,4), (G2,3,0), (G1,4,0), (B3,0,0), (G3,3,0), (B1,5,0), (B2,3,0), (R2,4,0), (B3,2,2), (R3,4,0), (B3,3,3)]),
    mode(30, false,  6, [ 6,  6,  6], &[(R0,5,0), (G3,4,4), (B3,0,0), (B3,1,1), (B2,4,4), (G0,5,0), (G2,5,5), (B2,5,5), (B3,2,2), (G2,4,4), (B0,5,0), (G3,5,5), (B3,3,3), (B3,5,5), (B3,4,4), (R1,5,0), (G2,3,0), (G1,5,0), (G3,3,0), (B1,5,0), (B2,3,0), (R2,5,0), (R3,5,0)]),
];

/// The modes for others.
pub(super) fn modes() -> Vec<ModeOf6> {
    let mode = |m: &Mode| ModeOf6 {
        number: m.number,
        differences: m.differences,
        subsets: m.subsets(),
        width: m.width,
        given: m.given,
        fields: m.fields,
    };
    MODES.iter().map(mode).collect()
}

/// Sign-extends.
fn signed_field(value: i32, width: u32) -> i32 {
    if planted!(TexelFieldUnsigned) { value } else { value << (32 - width) >> (32 - width) }
}

/// An end point of `width` bits stretched to 16, or to 15 and a sign.
fn stretch(value: i32, width: u32, signed: bool) -> i32 {
    // Magnitudes have a bit less where there is a sign.
    let (magnitude, bits, all) = if signed { (value.abs(), width - 1, 0x7fff) } else { (value, width, 0xffff) };
    let stretched = match magnitude {
        _ if width >= 15 + u32::from(signed) => magnitude,
        0 => 0,
        top if top >= (1 << bits) - 1 => all,
        _ => ((magnitude << 15) + 0x4000) >> (width - 1),
    };
    if value < 0 { -stretched } else { stretched }
}

/// The bits of a half from a value of 16 bits, or of 15 and a sign.
fn half_bits(value: i32, signed: bool) -> u16 {
    match (signed, value < 0) {
        (false, _) => ((value * 31) >> 6) as u16,
        (true, false) => ((value * 31) >> 5) as u16,
        (true, true) => ((-value * 31) >> 5) as u16 | 0x8000,
    }
}

/// A texel by its place in the block.
pub(super) fn load(block: u128, texel: u32, signed: bool) -> [u32; 4] {
    let mut bits = Bits(block);
    let mut number = bits.take(2);
    if number >= 2 {
        number |= bits.take(3) << 2;
    }
    // Reserved: 0, which the specification asks for.
    let Some(mode) = MODES.iter().find(|mode| mode.number == number) else { return [0; 4] };

    let mut ends = [0i32; 12];
    for &(part, from, to) in mode.fields {
        let (low, count) = (from.min(to), from.abs_diff(to) + 1);
        let taken = bits.take(count);
        let ordered = if from < to { taken.reverse_bits() >> (32 - count) } else { taken };
        ends[part] |= (ordered << low) as i32;
    }
    let subsets = mode.subsets();
    let partition = if subsets == 2 { bits.take(5) as usize } else { 0 };
    let division = Division { subsets, partition };

    let width = if subsets == 2 { 3 } else { 4 };
    let index = division.index(bits.0, width, texel);
    let pair = 2 * division.subset(texel);
    let end = |number: usize, component: usize| {
        let mut value = ends[3 * number + component];
        if mode.differences && number > 0 {
            let difference = signed_field(value, mode.given[component]);
            value = (ends[component] + difference) & ((1 << mode.width) - 1);
        }
        stretch(if signed { signed_field(value, mode.width) } else { value }, mode.width, signed)
    };
    halves([0, 1, 2].map(|component| {
        let value = interpolate(end(pair, component), end(pair + 1, component), index, width);
        half_bits(value, signed)
    }))
}
