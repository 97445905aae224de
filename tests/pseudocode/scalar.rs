//! Scalar instructions whose text is wrong.

use super::eval::{Machine, Result};
use super::value::{Ty, Value, mask};

/// Writes all of D0.
pub fn put(machine: &mut Machine, value: Value) {
    machine.d0 = machine.d0 & !mask(value.ty.width()) | value.bits;
    machine.d0_mask |= mask(value.ty.width());
    machine.d0_ty = value.ty;
}

/// A field of a register: the offset is masked, a width beyond the register takes all that is left.
pub fn bfe_u64(machine: &mut Machine) -> Result<()> {
    let [source, control] = [0, 1].map(|i| machine.s[i] as u64);
    let width = (control >> 16 & 127) as u32;
    let field = u128::from(source >> (control & 63)) & mask(width);
    put(machine, Value::new(Ty::U(64), field));
    machine.scc = field != 0;
    Ok(())
}

pub fn bcnt0(machine: &mut Machine) -> Result<()> {
    count(machine, (!machine.s[0] as u64).count_ones())
}
pub fn bcnt1(machine: &mut Machine) -> Result<()> {
    count(machine, (machine.s[0] as u64).count_ones())
}
fn count(machine: &mut Machine, ones: u32) -> Result<()> {
    put(machine, Value::int(ones.into()));
    machine.scc = ones != 0;
    Ok(())
}

pub fn quadmask(machine: &mut Machine) -> Result<()> {
    let set = (0..16).filter(|i| machine.s[0] >> (4 * i) & 15 != 0).fold(0u128, |set, i| set | 1 << i);
    put(machine, Value::new(Ty::U(64), set));
    machine.scc = set != 0;
    Ok(())
}

pub fn max_i32(machine: &mut Machine) -> Result<()> {
    max(machine, Ty::I(32))
}
pub fn max_u32(machine: &mut Machine) -> Result<()> {
    max(machine, Ty::U(32))
}
fn max(machine: &mut Machine, ty: Ty) -> Result<()> {
    let [a, b] = [0, 1].map(|i| Value::new(ty, machine.s[i]));
    machine.scc_any = a == b;
    machine.scc = a.number() > b.number();
    put(machine, if machine.scc { a } else { b });
    Ok(())
}

pub fn setreg(machine: &mut Machine) -> Result<()> {
    insert(machine, machine.s[0] as u32)
}
/// The literal is given as S0 here: SIMM32 and SIMM16 are two numbers of one instruction.
pub fn setreg_imm(machine: &mut Machine) -> Result<()> {
    insert(machine, machine.s[0] as u32)
}
fn insert(machine: &mut Machine, value: u32) -> Result<()> {
    let simm = machine.inputs.simm;
    let (offset, size) = (simm >> 6 & 31, (simm >> 11 & 31) + 1);
    let field = ((mask(size) as u64) << offset) as u32;
    machine.hwreg = machine.hwreg & !field | (u64::from(value) << offset) as u32 & field;
    Ok(())
}

/// A mask as the wave sees it: a wave of 32 lanes has no upper half.
pub fn in_wave(machine: &Machine, lanes: u64) -> u64 {
    if machine.inputs.wave_size == 64 { lanes } else { lanes & 0xffff_ffff }
}

pub fn branch(machine: &mut Machine, taken: impl Fn(&Machine) -> bool) -> Result<()> {
    let offset = if taken(machine) { i64::from(machine.inputs.simm as i16) * 4 } else { 0 };
    machine.pc += 4 + offset;
    Ok(())
}
