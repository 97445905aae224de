//! The matrix products, which the text only has in words: D = A * B + C of 16 by 16 elements, over the registers of the whole wave.
//!
//! A lane holds a row of A and a column of B, in consecutive elements; each group of sixteen lanes has its own copy. C and D: register
//! `v`, lane `l` is row `v * groups + l / 16`, column `l % 16`. A float sum is made of eight steps of the dot product of two pairs.

use super::dot;
use super::eval::{Machine, Result};
use super::exact::{F32, Format};
use super::value::{Ty, Value};

/// Reads `bits` of element `k` of the row or column that a lane holds.
fn element(machine: &Machine, operand: usize, lane: u32, bits: u32, k: u32) -> Result<u64> {
    let per_register = 32 / bits;
    let word = machine.inputs.vgpr(lane, machine.inputs.src[operand] + k / per_register)?;
    Ok(u64::from(word >> (bits * (k % per_register))) & ((1 << bits) - 1))
}

/// Every element of D, from its lane's group, row and column, and C.
fn product(machine: &mut Machine, cell: impl Fn(&Machine, u32, u32, u32) -> Result<u32>) -> Result<()> {
    let groups = machine.inputs.wave_size / 16;
    for lane in 0..machine.inputs.wave_size {
        for register in 0..16 / groups {
            let row = register * groups + lane / 16;
            let c = machine.inputs.vgpr(lane, machine.inputs.src[2] + register)?;
            let value = cell(machine, lane / 16 * 16 + row, lane, c)?;
            machine.vgprs.push((lane, machine.inputs.vdst + register, value));
        }
    }
    Ok(())
}

pub fn floats(machine: &mut Machine, of: Format) -> Result<()> {
    let (neg, neg_hi) = (machine.inputs.neg, machine.inputs.neg_hi);
    product(machine, |machine, a_lane, b_lane, c| {
        let sign = F32.sign_bit() as u32;
        let c = if neg_hi >> 2 & 1 == 1 { c & !sign } else { c };
        let mut sum = u64::from(if neg >> 2 & 1 == 1 { c ^ sign } else { c });
        for k in (0..16).step_by(2) {
            let pair = |operand: usize, lane: u32| -> Result<[u64; 2]> {
                let read = |at: u32, negate: u32| -> Result<u64> {
                    let bits = element(machine, operand, lane, 16, k + at)?;
                    Ok(if negate >> operand & 1 == 1 { bits ^ of.sign_bit() } else { bits })
                };
                Ok([read(0, neg)?, read(1, neg_hi)?])
            };
            sum = dot::step(of, pair(0, a_lane)?, pair(1, b_lane)?, sum)?;
        }
        Ok(sum as u32)
    })
}

pub fn integers(machine: &mut Machine, bits: u32) -> Result<()> {
    let (neg, clamp) = (machine.inputs.neg, machine.inputs.clamp);
    product(machine, |machine, a_lane, b_lane, c| {
        let mut sum = i64::from(c as i32);
        for k in 0..16 {
            let factor = |operand: usize, lane: u32| -> Result<i64> {
                let raw = element(machine, operand, lane, bits, k)?;
                let ty = if neg >> operand & 1 == 1 { Ty::I(bits) } else { Ty::U(bits) };
                Ok(Value::new(ty, raw.into()).number() as i64)
            };
            sum += factor(0, a_lane)? * factor(1, b_lane)?;
        }
        let sum = if clamp { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
        Ok(sum as u32)
    })
}
