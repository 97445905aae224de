//! Instructions that read other lanes, where the text is wrong.

use super::eval::{Machine, Result};
use super::exact::{F16, F32, Format};
use super::float;
use super::value::{Ty, Value};

/// A parameter that another lane of the quad holds.
fn parameter(machine: &Machine, operand: usize, of_quad: u32, format: Format) -> Result<(Format, u64)> {
    let lane = (machine.inputs.lane & !3) + of_quad;
    let bits = u64::from(machine.inputs.vgpr(lane, machine.inputs.src[operand])?);
    let bits = if format == F16 { bits & 0xffff } else { bits };
    Ok((format, machine.mode.taken(format, bits)))
}

/// `P10 * I + P0`: the first from lane 1 of the quad, the last from lane 0; always an f32 result.
pub fn interp_p10(machine: &mut Machine, format: Format) -> Result<()> {
    let p10 = parameter(machine, 0, 1, format)?;
    let p0 = parameter(machine, 2, 0, format)?;
    let i = (F32, machine.float(1, F32));
    let result = float::fma_scaled([p10, i, p0], F32, |_| 0, &machine.mode);
    machine.put_float(F32, result);
    Ok(())
}

/// `P20 * J + D`: the first from lane 2 of the quad; the result has the parameter's format.
pub fn interp_p2(machine: &mut Machine, format: Format) -> Result<()> {
    let p20 = parameter(machine, 0, 2, format)?;
    let others = [1, 2].map(|i| (F32, machine.float(i, F32)));
    let result = float::fma_scaled([p20, others[0], others[1]], format, |_| 0, &machine.mode);
    machine.put_float(format, result);
    Ok(())
}

/// Each lane of a row takes the lane its nibble of {S2, S1} names, of its own row or of the row beside it. A source that is switched off
/// is read with FI, gives 0 with BOUND_CTRL, and leaves the destination alone otherwise.
pub fn permlane16(machine: &mut Machine, beside: u32) -> Result<()> {
    let inputs = machine.inputs;
    let (fetch_inactive, bound_control) = (inputs.opsel & 1 == 1, inputs.opsel >> 1 & 1 == 1);
    let select = machine.s[2] << 32 | machine.s[1] & 0xffff_ffff;
    for lane in (0..inputs.wave_size).filter(|lane| inputs.exec >> lane & 1 == 1) {
        let row = (lane >> 4) ^ beside;
        let from = row << 4 | (select >> (4 * (lane & 15)) & 15) as u32;
        let value = match inputs.exec >> from & 1 == 1 || fetch_inactive {
            true => inputs.vgpr(from, inputs.src[0])?,
            false if bound_control => 0,
            false => continue,
        };
        machine.vgprs.push((lane, inputs.vdst, Value::new(Ty::U(32), value.into()).bits as u32));
    }
    Ok(())
}
