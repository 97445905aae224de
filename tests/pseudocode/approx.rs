//! Functions whose bits are not public: the host's value, and how far hardware may be from it. Zeros, infinities and NaNs are exact.

use super::Tolerance;
use super::eval::{Machine, Result};
use super::exact::{Exact, F16, F32, F64, Format, Packing, Rounding};
use super::float;
use std::f64::consts::TAU;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Exp,
    Log,
    Rcp,
    Rsq,
    Sqrt,
    Sin,
    Cos,
}

/// The function and the format of an instruction that is one.
fn function(name: &str) -> Option<(Function, Format)> {
    let name = name.strip_prefix("V_S_").or(name.strip_prefix("V_"))?;
    let (stem, format) = name.rsplit_once('_')?;
    let format = match format {
        "F16" => F16,
        "F32" => F32,
        "F64" => F64,
        _ => return None,
    };
    let function = match stem {
        "EXP" => Function::Exp,
        "LOG" => Function::Log,
        "RCP" | "RCP_IFLAG" => Function::Rcp,
        "RSQ" => Function::Rsq,
        "SQRT" => Function::Sqrt,
        "SIN" => Function::Sin,
        "COS" => Function::Cos,
        _ => return None,
    };
    Some((function, format))
}

/// Runs such an instruction, or gives `None` for another.
pub fn run(name: &str, machine: &mut Machine) -> Option<Result<()>> {
    let (function, format) = function(name)?;
    Some(result(function, format, machine).map(|bits| machine.put_float(format, bits)))
}

fn result(function: Function, format: Format, machine: &mut Machine) -> Result<u64> {
    // The f32 forms flush whatever MODE says; rounding is always to nearest.
    let mut mode = machine.mode;
    // But for the sine, which is a product for small angles (ALU_FACTS 9).
    if format == F32 && function != Function::Sin {
        (mode.denorm32_in, mode.denorm32_out) = (false, false);
    }
    let raw = machine.raw(0, format);
    if format == F64 && format.is_denormal(raw) {
        return Err("denormals of the f64 functions".into());
    }
    let bits = mode.taken(format, raw);
    if format.is_nan(bits) {
        return Ok(mode.quieted(format, bits));
    }
    if let Some(special) = special(function, format, bits) {
        let saturated = format == F16 && mode.fp16_ovfl && format.is_infinite(special) && !format.is_infinite(bits);
        return Ok(if saturated { format.largest(format.negative(special)) } else { special });
    }
    let x = f64::from_bits(float::convert_raw(format, F64, bits, &mode));
    let y = match function {
        Function::Exp => x.exp2(),
        Function::Log => x.log2(),
        Function::Rcp => 1.0 / x,
        Function::Rsq => 1.0 / x.sqrt(),
        Function::Sqrt => x.sqrt(),
        Function::Sin => (x.fract() * TAU).sin(),
        Function::Cos => (x.fract() * TAU).cos(),
    };
    machine.approx = Some(tolerance(function, format));
    // The host's own range ends where a double's does.
    if format == F64 {
        return if y.is_normal() {
            Ok(y.to_bits())
        } else {
            Err("results of the f64 functions beyond their range".into())
        };
    }
    if y == 0.0 {
        return Ok(format.zero(y.is_sign_negative()));
    }
    if y.is_infinite() {
        return Ok(format.infinity(y < 0.0));
    }
    let packing = Packing { rounding: Rounding::Nearest, ..mode.packing(format) };
    // Where the nearest results are the smallest normal number and zero, one unit decides everything.
    let lowest = 2f64.powi(1 - format.bias() as i32);
    let edge = (y.abs() - lowest).abs() <= lowest * 2f64.powi(2 - format.fraction as i32);
    if packing.flush && edge {
        return Err("a result on the edge of the denormals".into());
    }
    Ok(Exact::unpack(F64, y.to_bits()).pack(format, packing))
}

fn tolerance(function: Function, format: Format) -> Tolerance {
    let trigonometric = matches!(function, Function::Sin | Function::Cos);
    // The angle is cut to 31 bits of a turn, and the result is good to about 2^-22 absolutely.
    let absolute = if trigonometric { 2f64.powi(-22) } else { 0.0 };
    let ulp = if format == F64 {
        1 << 29
    } else if trigonometric {
        4
    } else {
        1
    };
    Tolerance { format, ulp, absolute }
}

fn special(function: Function, format: Format, bits: u64) -> Option<u64> {
    let (zero, infinite, negative) = (format.is_zero(bits), format.is_infinite(bits), format.negative(bits));
    let one = (format.bias() as u64) << format.fraction;
    let nan = format.default_nan();
    match function {
        Function::Exp if zero => Some(one),
        Function::Exp if infinite => Some(if negative { 0 } else { bits }),
        Function::Log if zero => Some(format.infinity(true)),
        Function::Rcp | Function::Rsq if zero => Some(format.infinity(negative)),
        Function::Sqrt if zero => Some(bits),
        Function::Sin if zero => Some(bits),
        Function::Cos if zero => Some(one),
        Function::Sin | Function::Cos if infinite => Some(nan),
        Function::Log | Function::Rsq | Function::Sqrt if negative => Some(nan),
        Function::Log | Function::Sqrt if infinite => Some(bits),
        Function::Rcp | Function::Rsq if infinite => Some(format.zero(negative)),
        _ => None,
    }
}
