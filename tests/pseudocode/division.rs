//! The helpers of a division, and the reduction of a large angle.

use super::builtin::scaled;
use super::eval::{Machine, Result};
use super::exact::{Exact, F16, F32, F64, Format};
use super::float;
use super::scalar::put;
use super::value::Value;
use num_bigint::BigUint;

/// How far an operand is scaled, and from which distance of the exponents on.
struct Scaling {
    by: i64,
    distance: i64,
    tiny: i64,
}

fn scaling(format: Format) -> Scaling {
    if format == F32 {
        Scaling { by: 64, distance: 96, tiny: 24 }
    } else {
        Scaling { by: 128, distance: 768, tiny: 53 }
    }
}

/// S0 is the operand to scale, S1 the denominator, S2 the numerator. The bit of VCC says that the quotient has to be scaled back.
pub fn scale(machine: &mut Machine, format: Format) -> Result<()> {
    let [value, denominator, numerator] = [0, 1, 2].map(|i| machine.float(i, format));
    if value != denominator && value != numerator {
        return Err("S0 is neither numerator nor denominator".into());
    }
    let Scaling { by, distance, tiny } = scaling(format);
    let (d, n) = (format.raw_exponent(denominator), format.raw_exponent(numerator));
    let delta = n - d;
    let huge = d >= 2 * format.bias() - 1;
    // The powers for the denominator and the numerator, and the bit.
    let (for_d, for_n, bit) = if delta >= distance {
        (by, 0, true)
    } else if d == 0 {
        (by, by, false)
    } else if huge && delta <= -distance {
        (-by, 0, true)
    } else if huge {
        (-by, -by, false)
    } else if delta <= -distance {
        (0, by, true)
    } else if n <= tiny {
        (by, by, false)
    } else {
        (0, 0, false)
    };
    let power = if value == denominator { for_d } else { for_n };
    let result = if format.is_zero(denominator) || format.is_zero(numerator) {
        machine.nan_any = true;
        format.default_nan()
    } else if format.is_nan(value) || format.is_infinite(value) {
        value | if format.is_nan(value) { format.quiet_bit() } else { 0 }
    } else {
        // Once times a power of two, be it one: flushed like every result.
        scaled(format, value, power, &machine.mode)
    };
    machine.put_float(format, result);
    let lane = machine.inputs.lane;
    machine.vcc = machine.vcc & !(1 << lane) | u64::from(bit) << lane;
    Ok(())
}

/// `fma`, scaled back by a power of two that the addend's size decides, with one rounding at the end. Operands are not flushed.
pub fn fmas(machine: &mut Machine, format: Format) -> Result<()> {
    let operands = [0, 1, 2].map(|i| (format, machine.raw(i, format)));
    let set = machine.vcc >> machine.inputs.lane & 1 == 1;
    let by = scaling(format).by;
    let power = |c: u64| match set {
        false => 0,
        true if format.raw_exponent(c) > format.bias() => by,
        true => -by,
    };
    let result = float::fma_scaled(operands, format, power, &machine.mode);
    machine.put_float(format, result);
    Ok(())
}

/// S0 is the estimate of the quotient, S1 the denominator, S2 the numerator.
pub fn fixup(machine: &mut Machine, format: Format) -> Result<()> {
    let (quotient, d, n) = (machine.raw(0, format), machine.float(1, format), machine.float(2, format));
    let negative = format.negative(d) != format.negative(n);
    let packing = machine.mode.packing(format);
    let distance = format.raw_exponent(n) - format.raw_exponent(d);
    let least = format.bias() + i64::from(format.fraction);
    let result = if format.is_nan(n) {
        n | format.quiet_bit()
    } else if format.is_nan(d) {
        d | format.quiet_bit()
    } else if format.is_zero(d) && format.is_zero(n) || format.is_infinite(d) && format.is_infinite(n) {
        format.default_nan()
    } else if format.is_zero(d) || format.is_infinite(n) {
        format.infinity(negative)
    } else if format.is_infinite(d) || format.is_zero(n) {
        format.zero(negative)
    } else if format != F16 && distance < -least {
        Exact::new(negative, 1u32, -2 * least).pack(format, packing)
    } else if format.is_nan(quotient) || format.is_infinite(quotient) {
        Exact::new(negative, 1u32, 2 * format.bias()).pack(format, packing)
    } else {
        format.zero(negative) | quotient & !format.sign_bit()
    };
    // A denormal estimate is passed on as it is: measured on gfx1100 and gfx1201.
    machine.put_float(format, result);
    Ok(())
}

/// 53 bits of 2/pi at a place that the exponent of S0 and the segment in S1 choose, as a float.
pub fn trig_preop(machine: &mut Machine) -> Result<()> {
    let bits = machine.raw(0, F64);
    if F64.is_nan(bits) {
        machine.put_float(F64, bits | F64.quiet_bit());
        return Ok(());
    }
    if F64.is_infinite(bits) {
        return Err("what an infinity gives is not known".into());
    }
    let exponent = F64.raw_exponent(bits);
    let segment = (machine.s[1] & 31) as i64;
    let shift = segment * 53 + (exponent - 1077).max(0);
    // Where LLVM's constant folding says that hardware's table ends.
    let window = if shift >= 1120 {
        BigUint::ZERO
    } else {
        (two_over_pi(1300) >> (1300 - shift - 53) as usize) & BigUint::from((1u64 << 53) - 1)
    };
    let power = -53 - shift + if exponent >= 1968 { 128 } else { 0 };
    let packing = machine.mode.packing(F64);
    let result = Exact::new(false, window, power).pack(F64, packing);
    put(machine, Value::float(F64, result));
    Ok(())
}

/// `floor(2^bits * 2/pi)`, by Machin's formula with bits to spare.
pub fn two_over_pi(bits: usize) -> BigUint {
    let one = BigUint::from(1u32) << (bits + 64);
    let arctan = |n: u32| {
        let (mut power, mut sum, mut k) = (&one / n, BigUint::ZERO, 1u32);
        let mut negative = BigUint::ZERO;
        while power != BigUint::ZERO {
            let term = &power / k;
            if k % 4 == 1 {
                sum += term
            } else {
                negative += term
            }
            power /= n * n;
            k += 2;
        }
        sum - negative
    };
    let pi = (arctan(5) * 4u32 - arctan(239)) * 4u32;
    (one << (bits + 1)) / pi
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_over_pi_begins_as_published() {
        let words = [0xa2f9_836eu32, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041];
        let published = words.iter().fold(BigUint::ZERO, |all, &w| (all << 32usize) + w);
        assert_eq!(two_over_pi(192), published);
    }
}
