//! Blocks of 4x4 texels on a line between two end points: BC1 to BC5.
//!
//! The books give ideal values (thirds, fifths, sevenths) and a tolerance; what is done here is what cards of the vendor do, as measured
//! on GCN1, GCN2 and RDNA2 (Giesen, "GPU BCn decoding"; the tables of Geldreich from an RX 580 say the same of BC1): the multiplier of
//! BC7, with weights of 64ths. BC1 to BC3 are rounded to 8 bits, as unorm texels are; BC4 and BC5 keep all 14 bits of the sum. Mesa's
//! decoders differ from that, and from one another: `util/format` divides in 8 bits and cuts, lavapipe's compiled code multiplies.

use crate::fault::planted;

/// Weights of the second end point: `round(64k / 3)` and 1/2, `round(64k / 7)`, `round(64k / 5)`.
const THIRDS: [i32; 2] = [21, 43];
const HALF: i32 = 32;
const SEVENTHS: [i32; 6] = [9, 18, 27, 37, 46, 55];
const FIFTHS: [i32; 4] = [13, 26, 38, 51];

/// 64 times the value between two end points.
fn between(a: i32, b: i32, weight: i32) -> i32 {
    (64 - weight) * a + weight * b
}

/// The value between two end points, rounded to nearest.
fn byte_between(a: u8, b: u8, weight: i32) -> u8 {
    ((between(i32::from(a), i32::from(b), weight) + 32) >> 6) as u8
}

/// A colour of 5, 6 and 5 bits (red is the highest) as bytes: top bits fill the bits below.
fn expand(color: u16) -> [u8; 3] {
    let (r, g, b) = (color >> 11, color >> 5 & 63, color & 31);
    [(r << 3 | r >> 2) as u8, (g << 2 | g >> 4) as u8, (b << 3 | b >> 2) as u8]
}

/// The colour of a texel. A block by itself has three colours and transparent black where its first colour is not the larger one.
pub(super) fn color(block: u64, texel: u32, by_itself: bool) -> [u8; 4] {
    let (first, second) = (block as u16, (block >> 16) as u16);
    let (a, b) = (expand(first), expand(second));
    let three = by_itself && first <= second;
    let weight = match (block >> (32 + 2 * texel) & 3, three) {
        (0, _) => 0,
        (1, _) => 64,
        (2, true) => HALF,
        (_, true) => return [0; 4],
        (code, false) if planted!(TexelThirdsSwapped) => THIRDS[3 - code as usize],
        (code, false) => THIRDS[code as usize - 2],
    };
    let [r, g, b] = std::array::from_fn(|n| byte_between(a[n], b[n], weight));
    [r, g, b, 255]
}

/// The alpha of a texel that has four bits of it.
pub(super) fn explicit_alpha(block: u64, texel: u32) -> u8 {
    (block >> (4 * texel) & 15) as u8 * 17
}

/// Where a value lies.
enum Place {
    /// At this weight between the end points.
    Between(i32),
    /// The smallest value there is.
    Lowest,
    /// The largest.
    Highest,
}

/// Where the value of a texel lies in a block of one component.
fn place(block: u64, texel: u32, descending: bool) -> Place {
    match (block >> (16 + 3 * texel) & 7, descending) {
        (0, _) => Place::Between(0),
        (1, _) => Place::Between(64),
        (code, true) => Place::Between(SEVENTHS[code as usize - 2]),
        (6, false) => Place::Lowest,
        (7, false) => Place::Highest,
        (code, false) => Place::Between(FIFTHS[code as usize - 2]),
    }
}

/// The alpha of a texel of BC3.
pub(super) fn alpha(block: u64, texel: u32) -> u8 {
    let (a, b) = (block as u8, (block >> 8) as u8);
    match place(block, texel, a > b) {
        Place::Between(weight) => byte_between(a, b, weight),
        Place::Lowest => 0,
        Place::Highest => 255,
    }
}

/// The value of a texel of BC4, an f32: the sum of 14 bits over its largest, correctly rounded. (Cards were seen to round 13 of all
/// unsigned sums in the wrong direction, by the last bit; that is not done here.)
pub(super) fn single(block: u64, texel: u32, signed: bool) -> u32 {
    // The lowest number is another name for the next one, before the end points are compared.
    let end = |byte: u8| if signed { i32::from(byte as i8).max(-127) } else { i32::from(byte) };
    let (a, b) = (end(block as u8), end((block >> 8) as u8));
    let (lowest, highest) = if signed { (-127, 127) } else { (0, 255) };
    let sum = match place(block, texel, a > b) {
        Place::Between(weight) => between(a, b, weight),
        Place::Lowest => 64 * lowest,
        Place::Highest => 64 * highest,
    };
    (sum as f32 / (64 * highest) as f32).to_bits()
}
