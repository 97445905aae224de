//! The functions the text calls without defining them.

use super::eval::{Result, floor, format_of};
use super::exact::{Exact, F16, F32, F64, Format, Rounding};
use super::float::{self, Mode};
use super::value::{Ty, Value};

/// The result of a function, or `None` when the name is not one of them.
pub fn call(name: &str, arguments: &[Value], mode: &Mode) -> Option<Result<Value>> {
    Some(match *arguments {
        [x] => return one(name, x, mode),
        [x, y] => match name {
            "signextFromBit" | "signext_from_bit" => sign_extend_from(x, y),
            "ldexp" => ldexp(x, y.number(), mode),
            _ => return None,
        },
        [x, y, z] if name == "fma" => fused(x, y, z, mode),
        _ => return None,
    })
}

fn one(name: &str, x: Value, mode: &Mode) -> Option<Result<Value>> {
    if let Some((from, to)) = name.split_once("_to_") {
        return Some(conversion(from, to, x, mode));
    }
    if let Some(result) = integer(name, x) {
        return Some(result);
    }
    let Ok((format, bits)) = x.as_float() else {
        return FLOAT_NAMES.contains(&name).then(|| Err(format!("{name} of {x:?}")));
    };
    let float = |bits| Ok(Value::float(format, bits));
    Some(match name {
        "isNAN" => Ok(Value::bit(format.is_nan(bits))),
        "isSignalNAN" => Ok(Value::bit(format.is_signalling(bits))),
        "isQuietNAN" => Ok(Value::bit(format.is_nan(bits) && !format.is_signalling(bits))),
        "cvtToQuietNAN" => float(bits | format.quiet_bit()),
        "abs" => float(bits & !format.sign_bit()),
        "sign" => Ok(Value::bit(format.negative(bits))),
        "exponent" => Ok(Value::int(format.raw_exponent(bits))),
        "mantissa" => float(mantissa(format, bits, mode)),
        "trunc" => float(float::integral(format, bits, Rounding::Zero, mode)),
        "floor" => float(floor(format, bits, mode)),
        "rndne" => float(float::integral(format, bits, Rounding::Nearest, mode)),
        "v_cvt_i16_f32" => Ok(whole(format, bits, Ty::I(16))),
        "v_cvt_u16_f32" => Ok(whole(format, bits, Ty::U(16))),
        _ => return None,
    })
}

const FLOAT_NAMES: [&str; 6] = ["isNAN", "abs", "sign", "exponent", "trunc", "floor"];

fn integer(name: &str, x: Value) -> Option<Result<Value>> {
    Some(Ok(match name {
        "signext" => Value::new(Ty::I(64), Value::new(Ty::I(x.ty.width()), x.bits).number() as u128),
        "s_ff1_i32_b32" | "s_ff1_i32_b64" => {
            let first = if x.bits == 0 { -1 } else { i64::from(x.bits.trailing_zeros()) };
            Value::int(first)
        }
        _ => return None,
    }))
}

/// The low `count` bits with their highest one repeated above; nothing of none.
fn sign_extend_from(x: Value, count: Value) -> Result<Value> {
    let count = count.index()?;
    let ty = Ty::I(x.ty.width());
    Ok(match count {
        0 => Value::new(ty, 0),
        n if n >= x.ty.width() => Value::new(ty, x.bits),
        n => Value::new(ty, Value::new(Ty::I(n), x.bits).number() as u128),
    })
}

fn fused(x: Value, y: Value, z: Value, mode: &Mode) -> Result<Value> {
    let ((format, a), (second, b), (third, c)) = (x.as_float()?, y.as_float()?, z.as_float()?);
    if format != second || format != third {
        return Err("fma of different formats".into());
    }
    Ok(Value::float(format, float::fma(format, a, b, c, mode)))
}

fn ldexp(x: Value, by: i128, mode: &Mode) -> Result<Value> {
    let (format, bits) = x.as_float()?;
    Ok(Value::float(format, scaled(format, bits, by as i64, mode)))
}

/// `bits * 2^by` with one rounding.
pub fn scaled(format: Format, bits: u64, by: i64, mode: &Mode) -> u64 {
    if format.is_nan(bits) || format.is_infinite(bits) || format.is_zero(bits) {
        return mode.quieted(format, bits);
    }
    // Beyond this every result over- or underflows, and the integers stay small.
    let by = by.clamp(-5000, 5000);
    Exact::unpack(format, bits).scaled(by).pack(format, mode.packing(format))
}

/// The significand in [0.5, 1), with the sign; zeros stay.
fn mantissa(format: Format, bits: u64, mode: &Mode) -> u64 {
    if format.is_zero(bits) || format.is_nan(bits) || format.is_infinite(bits) {
        return mode.quieted(format, bits);
    }
    let exact = Exact::unpack(format, bits);
    let leading = exact.leading();
    let all = Mode { denorm32_out: true, denorm64_out: true, ..Mode::default() };
    exact.scaled(-1 - leading).pack(format, all.packing(format))
}

/// Truncation to an integer type, saturated.
pub fn whole(format: Format, bits: u64, ty: Ty) -> Value {
    let bounds = match ty {
        Ty::I(w) => (-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1),
        _ => (0, (1i128 << ty.width()) - 1),
    };
    Value::new(ty, float::to_integer(format, bits, Rounding::Zero, bounds) as u128)
}

fn conversion(from: &str, to: &str, x: Value, mode: &Mode) -> Result<Value> {
    if to == "snorm" || to == "unorm" {
        let (format, bits) = x.as_float()?;
        return normalised(format, bits, to == "snorm");
    }
    let target = Ty::of_suffix(to).ok_or_else(|| format!("the conversion to {to}"))?;
    match (format_of(from), target) {
        (Some(format), Ty::F(target)) => {
            Ok(Value::float(target, float::convert(format, target, x.as_float()?.1, mode)))
        }
        (Some(format), Ty::U(8)) => {
            // By MODE, to nearest or toward zero: an answer only where they agree, which 128.5 to 128 on a card leaves open.
            let bits = x.as_float()?.1;
            let by = |rounding| float::to_integer(format, bits, rounding, (0, 255));
            let [mode, nearest, zero] = [mode.rounding(format), Rounding::Nearest, Rounding::Zero].map(by);
            let known = mode == nearest && nearest == zero;
            if known { Ok(Value::new(target, zero as u128)) } else { Err("how f32_to_u8 rounds is not known".into()) }
        }
        (Some(format), _) => Ok(whole(format, x.as_float()?.1, target)),
        (None, Ty::F(target)) => {
            let number = x.number();
            Ok(Value::float(target, Exact::integer(number).pack(target, mode.packing(target))))
        }
        // An integer in a narrower one saturates.
        (None, Ty::I(w)) => Ok(Value::new(target, x.number().clamp(-(1 << (w - 1)), (1 << (w - 1)) - 1) as u128)),
        (None, _) => Ok(Value::new(target, x.number().clamp(0, (1 << target.width()) - 1) as u128)),
    }
}

/// A float in [-1, 1] or [0, 1] as a fraction of 32767 or 65535. What happens to a tie has not been measured.
fn normalised(format: Format, bits: u64, signed: bool) -> Result<Value> {
    let (ty, most) = if signed { (Ty::I(16), 32767) } else { (Ty::U(16), 65535) };
    if format.is_nan(bits) {
        return Ok(Value::new(ty, 0));
    }
    let low = if signed { -most } else { 0 };
    let number = if format.is_infinite(bits) {
        if format.negative(bits) { low } else { most }
    } else {
        let product = Exact::unpack(format, bits).times(&Exact::integer(most));
        // Half of 65535 is known, and there the candidates (to even, upward, away from zero) agree.
        let inside = product.to_integer().abs() < most;
        if inside && product.halfway(0) && (product.negative || product.to_integer() & 1 == 0) {
            return Err("how a tie becomes a normalised integer is not known".into());
        }
        product.rounded_to(0, Rounding::Nearest).to_integer().clamp(low, most)
    };
    Ok(Value::new(ty, number as u128))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(name: &str, x: Value) -> u128 {
        one(name, x, &Mode::default()).expect("a function").expect("a value").bits
    }

    #[test]
    fn conversions_saturate_and_nan_is_zero() {
        assert_eq!(bits("f32_to_i32", Value::float(F32, 0x7fc0_0000)), 0);
        assert_eq!(bits("f32_to_i32", Value::float(F32, 0x4f32_d05e)), 0x7fff_ffff);
        assert_eq!(bits("f32_to_u32", Value::float(F32, 0xbf80_0000)), 0);
        assert_eq!(bits("i32_to_i16", Value::int(-70000)), 0x8000);
        assert_eq!(bits("f16_to_u16", Value::float(F16, 0x7bff)), 65504);
        assert_eq!(bits("f64_to_f32", Value::float(F64, 0x3ff0_0000_0000_0000)), 0x3f80_0000);
    }

    #[test]
    fn normalised_integers_are_symmetric() {
        assert_eq!(bits("f32_to_snorm", Value::float(F32, 0xbf80_0000)), 0x8001);
        assert_eq!(bits("f32_to_unorm", Value::float(F32, 0x3f00_0000)), 0x8000);
    }

    #[test]
    fn mantissas_lie_between_a_half_and_one() {
        assert_eq!(bits("mantissa", Value::float(F32, 0xc0c0_0000)), 0xbf40_0000);
        assert_eq!(bits("mantissa", Value::float(F32, 1)), 0x3f00_0000);
    }
}
