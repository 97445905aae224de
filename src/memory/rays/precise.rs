//! Boxes of gfx12 with short mantissas, four in 64 bytes.
//!
//! All planes of a direction share an exponent; a plane has a sign and 17 bits of mantissa, the first of which is no longer implied. What was
//! cut off when it was made, a plane gets back: lower planes are rounded down, upper ones up. Children lie one behind the other
//! from the first on.

use super::boxes::Child;
use super::vector::V3;
use super::{INSTANCE, INVALID, bits};
use crate::fault::planted;

/// Kind 2: no child.
pub const NO_CHILD: u32 = 2;
/// Kinds that take two units: eight boxes, instances.
pub const TWO_UNITS: [u32; 2] = [3, INSTANCE];

/// A plane: its sign and mantissa, the exponent of all, whether it is an upper one.
fn plane(block: u32, exponent: u32, upper: bool) -> f32 {
    let (negative, mantissa) = (block >> 17 & 1, block & 0x1_ffff);
    let away = (upper == (negative == 0)) && !planted!(RayPreciseCut);
    let magnitude = match mantissa.checked_ilog2() {
        Some(first) => {
            let below = (16 - first).min(exponent);
            let own = exponent - below;
            let lost = if away && own != 0xff { (1 << (7 + below)) - 1 } else { 0 };
            own << 23 | (mantissa << (7 + below) | lost) & 0x7f_ffff
        }
        None if away => exponent.saturating_sub(17) << 23 | 0x7f_ffff,
        None => 0,
    };
    f32::from_bits(negative << 31 | magnitude)
}

/// The boxes of a node.
#[must_use]
pub fn boxes(words: &[u32; 16]) -> [Child; 4] {
    let first = words[0] & 0x1fff_ffff;
    let kinds = [words[0] >> 29, bits(words, 32, 3), bits(words, 35, 3), bits(words, 38, 3)];
    let exponents = [bits(words, 56, 8), bits(words, 64, 8), bits(words, 72, 8)];
    let mut unit = first;
    std::array::from_fn(|n| {
        let kind = kinds[n];
        let pointer = if kind == NO_CHILD { INVALID } else { unit << 3 | kind };
        unit = unit.wrapping_add(if TWO_UNITS.contains(&kind) { 2 } else { 1 });
        let side = |upper: bool| -> V3 {
            let at = 80 + 18 * (6 * n as u32 + if upper { 3 } else { 0 });
            std::array::from_fn(|m| plane(bits(words, at + 18 * m as u32, 18), exponents[m], upper))
        };
        // The last child has no bit that says whether programs intersect all in it.
        let only = bits(words, 41 + 4 * n as u32, if n < 3 { 4 } else { 3 }) as u8;
        Child { pointer, min: side(false), max: side(true), only, mask: u8::MAX }
    })
}

#[cfg(test)]
mod tests {
    use super::plane;

    /// Worked by hand: with the exponent 127 the mantissa counts 2^-16.
    #[test]
    fn planes_are_rounded_away_from_the_box() {
        // 1.5 and 0.75, exact where they are rounded toward the box.
        assert_eq!(plane(0x1_8000, 127, false), 1.5);
        assert_eq!(plane(0x0_c000, 127, false), 0.75);
        // What was cut off is at most one unit of the mantissa.
        let upper = plane(0x1_8000, 127, true);
        assert!(upper > 1.5 && upper < 1.5 + 1.0 / 65536.0, "{upper}");
        let lower = plane(1 << 17 | 0x1_8000, 127, false);
        assert!(lower < -1.5 && lower > -1.5 - 1.0 / 65536.0, "{lower}");
        assert_eq!(plane(1 << 17 | 0x1_8000, 127, true), -1.5);
        // Nothing is left of the mantissa: less than its last bit.
        assert_eq!(plane(0, 127, false), 0.0);
        let least = plane(0, 127, true);
        assert!(least > 0.0 && least < 1.0 / 65536.0, "{least}");
    }
}
