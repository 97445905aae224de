//! Oriented boxes of gfx12: the turns that a node may give its boxes, so that they fit better.
//!
//! A node names one of 104 rotations. The figures are those of AMD's driver, which has the same tables: each rotation has nine times six
//! bits, row by row from the lowest on, of which five choose a magnitude and one is the sign.

use super::vector::{V3, inverse, row};
use super::{Ray, Unsupported};

/// The turns.
#[rustfmt::skip]
pub const TURNS: [u64; 104] = [
    0x162c0ad6000019, 0x16ac02d6000019, 0x11440c51000019, 0x11c40451000019, 0x0b580d8b000019, 0x0bd8058b000019,
    0x00640e40000019, 0x00e40640000019, 0x1602b01900b016, 0x1600b01902b016, 0x11031019011011, 0x11011019031011,
    0x0b03601901600b, 0x0b01601903600b, 0x00039019019000, 0x00019019039000, 0x190000162c0ad6, 0x19000016ac02d6,
    0x19000011440c51, 0x19000011c40451, 0x1900000b580d8b, 0x1900000bd8058b, 0x19000000640e40, 0x19000000e40640,
    0x18066058186996, 0x180460589a6196, 0x140ac09430cb11, 0x1408c094b2c311, 0x101ef1d03cfbcb, 0x101cf1d0bef3cb,
    0x0c33130c451c40, 0x0c31130cc71440, 0x188468581a6996, 0x18866858986196, 0x1488c89432cb11, 0x148ac894b0c311,
    0x109cf9d03efbcb, 0x109ef9d0bcf3cb, 0x0cb11b0c471c40, 0x0cb31b0cc51440, 0x18181996181998, 0x18981196981198,
    0x14302b11302b14, 0x14b02311b02314, 0x103c7bcb3c7bd0, 0x10bc73cbbc73d0, 0x0c44cc4044cc4c, 0x0cc4c440c4c44c,
    0x181a19969a1198, 0x189a11961a1998, 0x14322b11b22314, 0x14b22311322b14, 0x103e7bcbbe73d0, 0x10be73cb3e7bd0,
    0x0c46cc40c6c44c, 0x0cc6c44046cc4c, 0x161a6998046058, 0x16986198066058, 0x1132cb1408c094, 0x11b0c3140ac094,
    0x0b3efbd01cf1d0, 0x0bbcf3d01ef1d0, 0x00471c4c31130c, 0x00c5144c33130c, 0x169a6198846858, 0x16186998866858,
    0x11b2c31488c894, 0x1130cb148ac894, 0x0bbef3d09cf9d0, 0x0b3cfbd09ef9d0, 0x00c7144cb11b0c, 0x00451c4cb31b0c,
    0x171638d71458d7, 0x178c51578e3157, 0x13368a1334da13, 0x13a0d353a28353, 0x0e4a9a4e492a4e, 0x0ea5248ea6948e,
    0x0a56490a55590a, 0x0a91554a92454a, 0x178e51570c3957, 0x171438d79650d7, 0x13a2d353208b53, 0x13348a13b6d213,
    0x0ea7248e249c8e, 0x0e489a4ecb224e, 0x0a93554a104d4a, 0x0a54490ad7510a, 0x170c59570e3957, 0x179630d79450d7,
    0x1320db53228b53, 0x13b68213b4d213, 0x0e252c8e269c8e, 0x0eca924ec9224e, 0x0a115d4a124d4a, 0x0ad6410ad5510a,
    0x179430d71658d7, 0x170e59578c3157, 0x13b4821336da13, 0x1322db53a08353, 0x0ec8924e4b2a4e, 0x0e272c8ea4948e,
    0x0ad4410a57590a, 0x0a135d4a90454a,
];

/// Magnitudes of sines, cosines and what they make together.
#[rustfmt::skip]
pub const MAGNITUDES: [u32; 26] = [
    0x00000000, 0x3d1be50c, 0x3e15f61a, 0x3e484336, 0x3e79df93, 0x3e7c3a3a, 0x3e8a8bd4, 0x3e9e0875,
    0x3e9f0938, 0x3ea7bf1b, 0x3eaaaaab, 0x3ec3ef15, 0x3f000000, 0x3f01814f, 0x3f16a507, 0x3f273d75,
    0x3f30fbc5, 0x3f3504f3, 0x3f3d3a87, 0x3f4e034d, 0x3f5a827a, 0x3f692290, 0x3f6c835e, 0x3f73023f,
    0x3f7641af, 0x3f800000,
];

/// The rows of a turn.
///
/// # Errors
/// The table has none of this number.
fn rows(turn: u32) -> Result<[V3; 3], Unsupported> {
    let packed = *TURNS.get(turn as usize).ok_or(Unsupported::Turn(turn))?;
    let entry = |n: usize| {
        let index = (packed >> (6 * n)) as u32 & 63;
        let magnitude = MAGNITUDES.get(index as usize & 31).copied().unwrap_or(0);
        f32::from_bits(magnitude | index >> 5 << 31)
    };
    Ok([0, 3, 6].map(|first| [first, first + 1, first + 2].map(entry)))
}

/// A ray in the space of turned boxes.
///
/// # Errors
/// There is no such turn.
pub fn turned(ray: &Ray, turn: u32) -> Result<Ray, Unsupported> {
    let rows = rows(turn)?;
    let turned = |v: V3| rows.map(|of| row(of, v, 0.0));
    let direction = turned(ray.direction);
    Ok(Ray { origin: turned(ray.origin), direction, inverse: inverse(direction), ..*ray })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is a rotation: its rows have length one and are at right angles.
    #[test]
    fn every_turn_is_a_rotation() {
        for turn in 0..104 {
            let rows = rows(turn).expect("a turn").map(|row| row.map(f64::from));
            for a in 0..3 {
                for b in 0..3 {
                    let product: f64 = (0..3).map(|n| rows[a][n] * rows[b][n]).sum();
                    let wanted = f64::from(u8::from(a == b));
                    assert!((product - wanted).abs() < 1e-6, "{turn}: {product}");
                }
            }
        }
        assert!(rows(104).is_err() && rows(0x7e).is_err());
    }
}
