//! Vector instructions whose text is wrong, written from what has been measured.

use super::eval::{Machine, Result};
use super::exact::{Exact, F16, F32, F64, Format, Rounding};
use super::float;
use super::scalar::put;
use super::value::{Ty, Value, mask};

impl Machine<'_> {
    /// An operand as a float, with its denormals as the mode has them.
    pub fn float(&self, operand: usize, format: Format) -> u64 {
        self.mode.taken(format, self.raw(operand, format))
    }
    /// An operand as a float, untouched.
    pub fn raw(&self, operand: usize, format: Format) -> u64 {
        (self.s[operand] & mask(format.width())) as u64
    }
    pub fn put_float(&mut self, format: Format, bits: u64) {
        put(self, Value::float(format, bits));
    }
}

pub fn subrev_borrow(machine: &mut Machine) -> Result<()> {
    let lane = machine.inputs.lane;
    let [a, b] = [0, 1].map(|i| machine.s[i] & mask(32));
    let taken = a + u128::from(machine.vcc >> lane & 1);
    put(machine, Value::new(Ty::U(32), b.wrapping_sub(taken)));
    machine.vcc = machine.vcc & !(1 << lane) | u64::from(taken > b) << lane;
    Ok(())
}

pub fn lerp(machine: &mut Machine) -> Result<()> {
    let byte = |operand: usize, i: u32| machine.s[operand] >> (8 * i) & 0xff;
    let result = (0..4).map(|i| (byte(0, i) + byte(1, i) + (byte(2, i) & 1)) >> 1 << (8 * i)).sum();
    put(machine, Value::new(Ty::U(32), result));
    Ok(())
}

/// The class test of a double: what its nine bits ask for, of bits that are not flushed.
pub fn class_f64(machine: &mut Machine, to_exec: bool) -> Result<()> {
    let bits = machine.raw(0, F64);
    let sided = |positive: u32, negative: u32| if F64.negative(bits) { negative } else { positive };
    let which = if F64.is_signalling(bits) {
        0
    } else if F64.is_nan(bits) {
        1
    } else if F64.is_infinite(bits) {
        sided(9, 2)
    } else if F64.is_zero(bits) {
        sided(6, 5)
    } else if F64.is_denormal(bits) {
        sided(7, 4)
    } else {
        sided(8, 3)
    };
    let (lane, set) = (machine.inputs.lane, machine.s[1] >> which & 1);
    if to_exec {
        machine.exec = machine.exec & !(1 << lane) | (set as u64) << lane;
    } else {
        machine.d0 = machine.d0 & !(1 << lane) | set << lane;
        machine.d0_mask |= 1 << lane;
        machine.d0_ty = Ty::U(1);
    }
    Ok(())
}

/// NaNs are quieted whatever MODE.IEEE is (ALU_FACTS 7).
pub fn cvt_pk_rtz(machine: &mut Machine) -> Result<()> {
    let mut mode = machine.mode;
    mode.round64 = Rounding::Zero;
    mode.ieee = true;
    let [low, high] = [0, 1].map(|i| float::convert(F32, F16, machine.float(i, F32), &mode));
    put(machine, Value::new(Ty::B(32), u128::from(high << 16 | low)));
    Ok(())
}

/// Two f16 side by side, as floats: flushed and quieted as MODE says.
pub fn pack_f16(machine: &mut Machine) -> Result<()> {
    let flushed = |bits| match F16.is_denormal(bits) && machine.mode.flushes_output(F16) {
        true => F16.zero(F16.negative(bits)),
        false => bits,
    };
    let [low, high] = [0, 1].map(|i| flushed(machine.mode.quieted(F16, machine.float(i, F16))));
    put(machine, Value::new(Ty::B(32), u128::from(high << 16 | low)));
    Ok(())
}

/// A signed nibble in sixteenths.
pub fn cvt_off(machine: &mut Machine) -> Result<()> {
    let nibble = Value::new(Ty::I(4), machine.s[0]).number();
    let exact = Exact::integer(nibble).scaled(-4);
    let packing = machine.mode.packing(F32);
    machine.put_float(F32, exact.pack(F32, packing));
    Ok(())
}

/// The floor of the exact `x + 0.5`, or of `x`.
pub fn cvt_down(machine: &mut Machine, nearest: bool) -> Result<()> {
    let bits = machine.float(0, F32);
    let (low, high) = (i128::from(i32::MIN), i128::from(i32::MAX));
    let number = if F32.is_nan(bits) || F32.is_infinite(bits) {
        if F32.negative(bits) { low } else { high }
    } else {
        let half = Exact::new(false, u32::from(nearest), -1);
        let sum = Exact::unpack(F32, bits).plus(&half, Rounding::Nearest);
        sum.rounded_to(0, Rounding::Down).to_integer().clamp(low, high)
    };
    put(machine, Value::new(Ty::I(32), number as u128));
    Ok(())
}

pub fn fract(machine: &mut Machine, format: Format) -> Result<()> {
    let bits = machine.float(0, format);
    let packing = machine.mode.packing(format);
    let result = if format.is_nan(bits) {
        machine.mode.quieted(format, bits)
    } else if format.is_infinite(bits) {
        format.default_nan()
    } else {
        let x = Exact::unpack(format, bits);
        let rest = x.plus(&x.rounded_to(0, Rounding::Down).negated(), Rounding::Nearest);
        // The largest number below one has the fraction of `largest` and the exponent below that of one.
        let below = Exact::new(false, (1u64 << (format.fraction + 1)) - 1, -i64::from(format.fraction) - 1);
        if rest.is_zero() { 0 } else { rest.pack(format, packing).min(below.pack(format, packing)) }
    };
    machine.put_float(format, result);
    Ok(())
}

pub fn frexp_exp(machine: &mut Machine, format: Format) -> Result<()> {
    let bits = machine.float(0, format);
    let special = format.is_nan(bits) || format.is_infinite(bits) || format.is_zero(bits);
    let exponent = if special { 0 } else { Exact::unpack(format, bits).leading() + 1 };
    let ty = Ty::I(if format == F16 { 16 } else { 32 });
    put(machine, Value::new(ty, exponent as u128));
    Ok(())
}

/// The face of a cube map: 0 and 1 for +x and -x, then y, then z; the operand it is named after.
fn face(machine: &Machine) -> (u32, usize) {
    let flushed = |i: usize| {
        let bits = machine.raw(i, F32);
        if F32.is_denormal(bits) { 0 } else { bits }
    };
    let size = |i: usize| flushed(i) & !F32.sign_bit();
    let at_least = |i: usize, j: usize| float::compare(F32, size(i), size(j)).is_some_and(|o| o.is_ge());
    let axis = if at_least(2, 0) && at_least(2, 1) {
        2
    } else if at_least(1, 0) {
        1
    } else {
        0
    };
    let below = float::compare(F32, flushed(axis), 0).is_some_and(|o| o.is_lt());
    (2 * axis as u32 + u32::from(below), axis)
}

pub fn cube_id(machine: &mut Machine) -> Result<()> {
    let (face, _) = face(machine);
    let packing = machine.mode.packing(F32);
    machine.put_float(F32, Exact::integer(face.into()).pack(F32, packing));
    Ok(())
}

fn moved(machine: &mut Machine, operand: usize, negate: bool) -> Result<()> {
    let bits = machine.raw(operand, F32) ^ if negate { F32.sign_bit() } else { 0 };
    let bits = machine.mode.quieted(F32, bits);
    machine.put_float(F32, bits);
    Ok(())
}

pub fn cube_sc(machine: &mut Machine) -> Result<()> {
    match face(machine).0 {
        2..=4 => moved(machine, 0, false),
        5 => moved(machine, 0, true),
        0 => moved(machine, 2, true),
        _ => moved(machine, 2, false),
    }
}

pub fn cube_tc(machine: &mut Machine) -> Result<()> {
    match face(machine).0 {
        2 => moved(machine, 2, false),
        3 => moved(machine, 2, true),
        _ => moved(machine, 1, true),
    }
}

pub fn cube_ma(machine: &mut Machine) -> Result<()> {
    let (_, axis) = face(machine);
    let bits = machine.raw(axis, F32);
    let packing = machine.mode.packing(F32);
    let result = if F32.is_nan(bits) || F32.is_infinite(bits) {
        machine.mode.quieted(F32, bits)
    } else if F32.is_zero(bits) || F32.is_denormal(bits) {
        F32.zero(F32.negative(bits) && packing.rounding == Rounding::Down)
    } else {
        Exact::unpack(F32, bits).scaled(1).pack(F32, packing)
    };
    machine.put_float(F32, result);
    Ok(())
}

/// The median with -0 below +0; with a NaN, what the minimum of three gives.
pub fn med3(machine: &mut Machine, format: Format, min3: &str) -> Result<()> {
    let mut all = [0, 1, 2].map(|i| machine.float(i, format));
    if all.iter().any(|&bits| format.is_nan(bits)) {
        return machine.reference.run_entry(min3, machine);
    }
    let key = |bits: &u64| {
        let size = (bits & !format.sign_bit()) as i64;
        if format.negative(*bits) { -size - 1 } else { size }
    };
    // -1 and 0 are the two zeros; a double's magnitude leaves room for that.
    all.sort_by_key(key);
    machine.put_float(format, all[1]);
    Ok(())
}

pub fn fma_dx9(machine: &mut Machine, accumulate: bool) -> Result<()> {
    machine.mode.denorm32_in = false;
    machine.mode.denorm32_out = false;
    if accumulate {
        machine.s[2] = machine.d0;
    }
    let [a, b, c] = [0, 1, 2].map(|i| machine.float(i, F32));
    let zero = F32.is_zero(a) || F32.is_zero(b);
    let result = if zero { float::add(F32, 0, c, &machine.mode) } else { float::fma(F32, a, b, c, &machine.mode) };
    machine.put_float(F32, result);
    Ok(())
}

pub fn mullit(machine: &mut Machine) -> Result<()> {
    let [a, b, c] = [0, 1, 2].map(|i| machine.float(i, F32));
    let least = F32.largest(true);
    let lit = b == least || b == F32.infinity(true) || F32.is_nan(b) || F32.is_nan(c);
    if lit || float::compare(F32, c, 0).is_some_and(|o| o.is_le()) {
        machine.put_float(F32, least);
    } else if F32.is_zero(a) || F32.is_zero(b) {
        return Err("the product with a zero is not known".into());
    } else {
        let product = float::multiply(F32, a, b, &machine.mode);
        machine.put_float(F32, product);
    }
    Ok(())
}

/// `fma` of operands that are f32 or a half of a register, rounded once to f16 in a half of D0.
pub fn fma_mix(machine: &mut Machine, low: u32) -> Result<()> {
    let operands = [0usize, 1, 2].map(|i| {
        let set = |field: u32| field >> i & 1 == 1;
        if !set(machine.inputs.opsel_hi) {
            return (F32, machine.float(i, F32));
        }
        let half = (machine.s[i] >> if set(machine.inputs.opsel) { 16 } else { 0 }) as u64 & 0xffff;
        (F16, machine.mode.taken(F16, half))
    });
    let bits = float::fma_scaled(operands, F16, |_| 0, &machine.mode);
    machine.d0 = machine.d0 & !(mask(16) << low) | u128::from(bits) << low;
    machine.d0_mask |= mask(16) << low;
    machine.d0_ty = Ty::F(F16);
    Ok(())
}
