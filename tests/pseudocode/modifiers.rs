//! What happens to a result after the operation: OMOD, then CLAMP. The saturation of integers is part of the sum (`Ty::Wide`).

use super::eval::Machine;
use super::exact::{Exact, Format, Packing};
use super::value::{Ty, mask};

/// Integer instructions whose CLAMP saturates.
const SATURATING: &[&str] = &[
    "V_ADD_NC_U32",
    "V_SUB_NC_U32",
    "V_SUBREV_NC_U32",
    "V_ADD_NC_I32",
    "V_SUB_NC_I32",
    "V_ADD_NC_U16",
    "V_SUB_NC_U16",
    "V_ADD_NC_I16",
    "V_SUB_NC_I16",
    "V_MAD_U16",
    "V_MAD_I16",
    "V_MAD_I32_I24",
    "V_MAD_U32_U24",
    "V_MAD_U32_U16",
    "V_MAD_I32_I16",
    "V_PK_ADD_U16",
    "V_PK_SUB_U16",
    "V_PK_ADD_I16",
    "V_PK_SUB_I16",
    "V_PK_MAD_U16",
    "V_PK_MAD_I16",
    "V_SAD_U8",
    "V_SAD_U16",
    "V_SAD_U32",
    "V_MSAD_U8",
    "V_DOT4_I32_IU8",
    "V_DOT4_U32_U8",
    "V_DOT8_I32_IU4",
    "V_DOT8_U32_U4",
];

pub fn saturates(name: &str) -> bool {
    SATURATING.contains(&name)
}

/// Applies OMOD and CLAMP to what was written.
pub fn apply(name: &str, machine: &mut Machine) -> Result<(), String> {
    let (clamp, omod) = (machine.inputs.clamp, machine.inputs.omod);
    let carry = name.contains("_CO_") && !name.contains("CMP");
    if clamp && carry {
        // An unsigned sum that carries is the largest, a difference that borrows is none.
        if machine.vcc >> machine.inputs.lane & 1 == 1 {
            machine.d0 = if name.starts_with("V_ADD") { machine.d0_mask } else { 0 };
        }
        return Ok(());
    }
    let Ty::F(format) = machine.d0_ty else {
        let covered = omod == 0 && (!clamp || saturates(name) || name.starts_with("V_WMMA_I32"));
        return if covered { Ok(()) } else { Err("an output modifier of an integer instruction".into()) };
    };
    if (name.contains("_DOT2") || name.contains("_WMMA")) && (clamp || omod != 0) {
        return Err("output modifiers of dot products are ignored or not known".into());
    }
    let packed = name.contains("_PK_") || name.contains("_MIX");
    let width = format.width();
    for low in (0..64).step_by(width as usize) {
        if machine.d0_mask >> low & mask(width) != mask(width) {
            continue;
        }
        let mut bits = (machine.d0 >> low & mask(width)) as u64;
        if omod != 0 && !packed && !machine.mode.ieee && machine.mode.flushes_output(format) {
            bits = multiplied(format, bits, omod, machine);
        }
        if clamp {
            bits = clamped(format, bits, machine);
        }
        machine.d0 = machine.d0 & !(mask(width) << low) | u128::from(bits) << low;
    }
    Ok(())
}

/// OMOD 1 doubles, 2 multiplies by four, 3 halves; zeros lose their sign, what halving makes too small keeps it.
fn multiplied(format: Format, bits: u64, omod: u8, machine: &Machine) -> u64 {
    if format.is_nan(bits) || format.is_infinite(bits) {
        return bits;
    }
    if format.raw_exponent(bits) == 0 {
        return 0;
    }
    let by = [0, 1, 2, -1][usize::from(omod & 3)];
    let packing = Packing { flush: true, ..machine.mode.packing(format) };
    Exact::unpack(format, bits).scaled(by).pack(format, packing)
}

fn clamped(format: Format, bits: u64, machine: &Machine) -> u64 {
    let one = (format.bias() as u64) << format.fraction;
    if format.is_nan(bits) {
        if machine.mode.dx10_clamp { 0 } else { bits }
    } else if format.negative(bits) {
        0
    } else {
        bits.min(one)
    }
}
