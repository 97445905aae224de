//! Values where mistakes live, by the type an instruction reads.

use super::exact::Format;
use super::types::Operand;
use super::value::{Ty, mask};

/// Edge values of a type, as bits.
pub fn edges(ty: Ty) -> Vec<u64> {
    let mut out = match ty {
        Ty::F(format) => floats(format),
        _ => integers(ty.width().min(64)),
    };
    out.sort_unstable();
    out.dedup();
    out
}

/// Edge values of an operand: packed ones carry different edges in their halves.
pub fn operand_edges(operand: Operand) -> Vec<u64> {
    let values = edges(operand.ty);
    if !operand.packed {
        return values;
    }
    let turned = values.iter().cycle().skip(values.len() / 3);
    // Two halves that are alike come first: zeros, and ones.
    let one = if let Ty::F(format) = operand.ty { (format.bias() as u64) << format.fraction } else { 1 };
    let alike = [0, one << 16 | one];
    alike.into_iter().chain(values.iter().zip(turned).map(|(low, high)| high << 16 | low)).collect()
}

/// Operands as an instruction may be given them: the value that V_DIV_SCALE scales is one of the other two.
pub fn arranged(name: &str, mut s: [u64; 3]) -> [u64; 3] {
    if name.starts_with("V_DIV_SCALE") {
        s[0] = s[1 + (s[0].count_ones() & 1) as usize];
    }
    s
}

fn floats(format: Format) -> Vec<u64> {
    let one = (format.bias() as u64) << format.fraction;
    let step = 1 << format.fraction;
    let infinity = format.infinity(false);
    let quiet = format.quiet_bit();
    let positive = [
        0,
        // The smallest and the largest denormal, and those around the smallest normal number.
        1,
        2,
        quiet,
        step - 1,
        step,
        step + 1,
        // Around one half, one, two, three, and halves between integers.
        one - step,
        one - step - 1,
        one - 1,
        one,
        one + 1,
        one + quiet,
        one + step,
        one + step + quiet / 2,
        one + step + quiet,
        // Small and large, and near the largest integer that has a fraction.
        one - 3 * step,
        one + 7 * step + 5,
        one + u64::from(format.fraction - 1) * step + 1,
        one + u64::from(format.fraction) * step + 1,
        one + 31.min(format.bias() as u64) * step,
        infinity - step,
        infinity - 1,
        infinity,
        // Quiet and signalling NaNs, with and without payload.
        infinity | quiet,
        infinity | quiet | 5,
        infinity | 1,
        infinity | (quiet - 1),
    ];
    positive.iter().flat_map(|&bits| [bits, bits | format.sign_bit()]).collect()
}

fn integers(width: u32) -> Vec<u64> {
    let top = 1u64 << (width - 1);
    let all = mask(width) as u64;
    let values = [
        0,
        1,
        2,
        3,
        7,
        8,
        15,
        16,
        17,
        31,
        32,
        33,
        63,
        64,
        65,
        127,
        128,
        0xff,
        0x100,
        0x7fff,
        0x8000,
        0xffff,
        0x10000,
        0x7f_ffff,
        0x80_0000,
        0xff_ffff,
        0x0102_0304,
        0x8040_2010,
        0x5555_5555,
        0xaaaa_aaaa,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x1_0000_0000,
        0x0123_4567_89ab_cdef,
        0x20_0007,
        0x1f_001f,
        0x40_0003,
        top,
        top - 1,
        top + 1,
        all,
        all - 1,
    ];
    values.iter().map(|&v| v & all).collect()
}

#[cfg(test)]
mod tests {
    use super::super::exact::{F16, F32, F64};
    use super::*;

    #[test]
    fn floats_have_every_kind() {
        for format in [F16, F32, F64] {
            let all = edges(Ty::F(format));
            assert!(all.iter().all(|&bits| bits & !(mask(format.width()) as u64) == 0));
            let kinds: [&dyn Fn(u64) -> bool; 6] = [
                &|b| format.is_zero(b),
                &|b| format.is_denormal(b),
                &|b| format.is_infinite(b),
                &|b| format.is_signalling(b),
                &|b| format.is_nan(b) && !format.is_signalling(b),
                &|b| b & !format.sign_bit() == format.largest(false),
            ];
            for (i, kind) in kinds.iter().enumerate() {
                let signs = all.iter().filter(|&&b| kind(b)).map(|&b| format.negative(b));
                assert!(signs.clone().any(|s| s) && signs.clone().any(|s| !s), "kind {i} of {format:?}");
            }
        }
    }

    #[test]
    fn integers_have_their_ends() {
        let all = edges(Ty::I(32));
        for value in [0, 1, 31, 32, 33, 63, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff] {
            assert!(all.contains(&value), "{value:#x}");
        }
        assert!(edges(Ty::U(16)).iter().all(|&v| v < 0x10000));
        let packed = operand_edges(Operand { ty: Ty::F(F16), packed: true });
        assert!(packed.iter().any(|v| v >> 16 != v & 0xffff));
    }
}
