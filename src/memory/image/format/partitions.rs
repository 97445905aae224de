//! What BC6 and BC7 share: which texels belong to which pair of end points, where their indices stand, and the weights.
//!
//! Each subset has an anchor, a texel whose index lacks the highest bit (it is 0). That of subset 0 is texel 0; tables have the others.
//! Tables are those of the Khronos Data Format specification.

/// Bits, the lowest first.
pub(super) struct Bits(pub u128);

impl Bits {
    /// The next ones, 31 at most.
    pub fn take(&mut self, count: u32) -> u32 {
        let bits = self.0 as u32 & ((1 << count) - 1);
        self.0 >>= count;
        bits
    }
}

/// The subsets of two: a bit for each texel.
#[rustfmt::skip]
pub(super) static TWO: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
    0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
    0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
    0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
    0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
    0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
    0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
    0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];

/// The subsets of three: two bits for each texel.
#[rustfmt::skip]
pub(super) static THREE: [u32; 64] = [
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
];

/// The anchor of the second of two subsets.
#[rustfmt::skip]
pub(super) static ANCHOR_TWO: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15,  2,  8,  2,  2,  8,  8, 15,  2,  8,  2,  2,  8,  8,  2,  2,
    15, 15,  6,  8,  2,  8, 15, 15,  2,  8,  2,  2,  2, 15, 15,  6,
     6,  2,  6,  8, 15, 15,  2,  2, 15, 15, 15, 15, 15,  2,  2, 15,
];

/// The anchor of the second of three subsets.
#[rustfmt::skip]
pub(super) static ANCHOR_THREE: [u8; 64] = [
     3,  3, 15, 15,  8,  3, 15, 15,  8,  8,  6,  6,  6,  5,  3,  3,
     3,  3,  8, 15,  3,  3,  6, 10,  5,  8,  8,  6,  8,  5, 15, 15,
     8, 15,  3,  5,  6, 10,  8, 15, 15,  3, 15,  5, 15, 15, 15, 15,
     3, 15,  5,  5,  5,  8,  5, 10,  5, 10,  8, 13, 15, 12,  3,  3,
];

/// The anchor of the third of three subsets.
#[rustfmt::skip]
pub(super) static ANCHOR_THIRD: [u8; 64] = [
    15,  8,  8,  3, 15, 15,  3,  8, 15, 15, 15, 15, 15, 15, 15,  8,
    15,  8, 15,  3, 15,  8, 15,  8,  3, 15,  6, 10, 15, 15, 10,  8,
    15,  3, 15, 10, 10,  8,  9, 10,  6, 15,  8, 15,  3,  6,  6,  8,
    15,  3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  3, 15, 15,  8,
];

/// Weights of the second end point, by the bits of an index.
pub(super) static WEIGHTS_2: [i32; 4] = [0, 21, 43, 64];
pub(super) static WEIGHTS_3: [i32; 8] = [0, 9, 18, 27, 37, 46, 55, 64];
pub(super) static WEIGHTS_4: [i32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

/// A block's division into 1 to 3 subsets.
#[derive(Clone, Copy)]
pub(super) struct Division {
    pub subsets: u32,
    /// 0 to 63.
    pub partition: usize,
}

impl Division {
    /// The subset of a texel.
    pub fn subset(self, texel: u32) -> usize {
        match self.subsets {
            1 => 0,
            2 => usize::from(TWO[self.partition] >> texel & 1),
            _ => (THREE[self.partition] >> (2 * texel) & 3) as usize,
        }
    }

    /// The anchors behind the first.
    fn anchors(self) -> [u32; 2] {
        // Where there is none: one behind the last texel.
        let [second, third] = match self.subsets {
            1 => [16, 16],
            2 => [ANCHOR_TWO[self.partition], 16],
            _ => [ANCHOR_THREE[self.partition], ANCHOR_THIRD[self.partition]],
        };
        [u32::from(second), u32::from(third)]
    }

    /// The index of a texel, of `width` bits where it is no anchor.
    pub fn index(self, indices: u128, width: u32, texel: u32) -> u32 {
        let [second, third] = self.anchors();
        let before = u32::from(texel > 0) + u32::from(texel > second) + u32::from(texel > third);
        let anchor = texel == 0 || texel == second || texel == third;
        Bits(indices >> (width * texel - before)).take(width - u32::from(anchor))
    }
}

/// The value between two end points at an index of `width` bits.
pub(super) fn interpolate(a: i32, b: i32, index: u32, width: u32) -> i32 {
    let weight = match width {
        2 => WEIGHTS_2[index as usize],
        3 => WEIGHTS_3[index as usize],
        _ => WEIGHTS_4[index as usize],
    };
    ((64 - weight) * a + weight * b + 32) >> 6
}
