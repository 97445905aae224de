//! What atomic operations do to the value in memory.
//!
//! Which [`Op`] an instruction applies, and which operands that takes, its row says ([`crate::isa::does`]).
//!
//! What an atomic returns is always the value before. Order of lanes and the access itself are the caller's.

use super::guest::{Fault, View};
use crate::fault::planted;
use crate::isa::arch::{Target, Variants};

pub mod float;

pub use crate::isa::does::atomic::{Atomic, Op, Returns, Shape, Width};
use float::FloatRules;

/// The memory an atomic works on: it decides what becomes of denormals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// The local data share.
    Lds,
    /// Buffers, images, flat and global memory.
    Memory,
}

impl Atomic {
    /// `data` and `other` of [`Op::apply_u32`], from operands in the order of the instruction.
    #[must_use]
    pub fn order<T>(&self, first: T, second: T) -> (T, T) {
        if self.compare_first && !planted!(CmpstNewOrder)
            || self.operands() == 2 && !self.compare_first && planted!(CmpstoreOldOrder)
        {
            (second, first)
        } else {
            (first, second)
        }
    }

    /// What floats do. `keep_in`, `keep_out`: MODE keeps denormals of this width, as operands and as results.
    #[must_use]
    pub fn float_rules(&self, target: &Target, space: Space, keep_in: bool, keep_out: bool) -> FloatRules {
        let keep = |both: bool| FloatRules { flush_in: !both, flush_out: !both };
        match (self.op, self.width, space) {
            (Op::FAdd, Width::W32, Space::Lds) => FloatRules {
                flush_in: !keep_in && !planted!(FaddIgnoresMode),
                flush_out: !keep_out && !planted!(FaddIgnoresMode),
            },
            (Op::FAdd, Width::W32, Space::Memory) => keep(
                !target.is(Variants::G908.union(Variants::G90A)) && !planted!(FaddFlushesMemory)
                    || planted!(FaddKeepsOld),
            ),
            (Op::FAdd, Width::W64, _) | (Op::PkAddF16 | Op::PkAddBf16, _, _) => keep(true),
            _ => FloatRules { flush_in: !keep_in, flush_out: false },
        }
    }
}

/// The integer operations are the same in both widths.
macro_rules! integer {
    ($op:expr, $mem:ident, $data:ident, $other:ident: $unsigned:ty, $signed:ty; $($float:tt)*) => {
        match $op {
            Op::Swap => $data,
            Op::CmpSwap if planted!(CmpSwapSwapped) => if $mem == $data { $other } else { $mem },
            Op::CmpSwap => if $mem == $other { $data } else { $mem },
            Op::Add => $mem.wrapping_add($data),
            Op::Sub if planted!(SubReversed) => $data.wrapping_sub($mem),
            Op::Sub => $mem.wrapping_sub($data),
            Op::RSub if planted!(RsubPlain) => $mem.wrapping_sub($data),
            Op::RSub => $data.wrapping_sub($mem),
            Op::SMin if planted!(SminUnsigned) => $mem.min($data),
            Op::SMin => ($mem as $signed).min($data as $signed) as $unsigned,
            Op::UMin if planted!(UminSigned) => ($mem as $signed).min($data as $signed) as $unsigned,
            Op::UMin => $mem.min($data),
            Op::SMax if planted!(SmaxUnsigned) => $mem.max($data),
            Op::SMax => ($mem as $signed).max($data as $signed) as $unsigned,
            Op::UMax if planted!(UmaxSigned) => ($mem as $signed).max($data as $signed) as $unsigned,
            Op::UMax => $mem.max($data),
            Op::And => $mem & $data,
            Op::Or => $mem | $data,
            Op::Xor => $mem ^ $data,
            Op::Inc => if $mem > $data || $mem == $data && !planted!(IncGreater) { 0 } else { $mem.wrapping_add(1) },
            Op::Dec => if $mem == 0 && !planted!(DecZero) || $mem > $data || $mem == $data && planted!(DecEqual) { $data } else { $mem.wrapping_sub(1) },
            Op::SubClamp => if planted!(SubClampWraps) { $mem.wrapping_sub($data) } else { $mem.saturating_sub($data) },
            Op::CondSub => if $mem > $data || $mem == $data && !planted!(CondSubGreater) { $mem - $data } else { $mem },
            Op::Wrap => if $mem > $data || $mem == $data && !planted!(WrapGreater) { $mem - $data } else { $mem.wrapping_add(if planted!(WrapAdds) { $data } else { $other }) },
            Op::MskOr if planted!(MskorKeeps) => $mem | $other,
            Op::MskOr => $mem & !$data | $other,
            $($float)*
        }
    };
}

impl Op {
    /// The 32 bits that replace `mem`.
    #[must_use]
    #[inline]
    pub fn apply_u32(self, mem: u32, data: u32, other: u32, rules: FloatRules) -> u32 {
        let wide = |new: u64| new as u32;
        let (m, d, o) = (u64::from(mem), u64::from(data), u64::from(other));
        integer!(self, mem, data, other: u32, i32;
            Op::CondXchg => exchange(mem, data),
            // There is no such form.
            Op::OrderedAdd => mem,
            Op::FCmpSwap => wide(float::cmpswap(float::F32, rules, m, d, o)),
            Op::FMin | Op::FMax | Op::FMinNum | Op::FMaxNum => wide(float::min_max(float::F32, rules, self, m, d)),
            Op::FAdd => wide(float::add(float::F32, rules, m, d)),
            Op::PkAddF16 => float::pk_add(mem, data, float::add_f16),
            Op::PkAddBf16 if planted!(PkAddFormat) => float::pk_add(mem, data, float::add_f16),
            Op::PkAddBf16 => float::pk_add(mem, data, float::add_bf16),
        )
    }

    /// The 64 bits that replace `mem`. Packed 16-bit operations have no such form; they leave the value as it is.
    #[must_use]
    #[inline]
    pub fn apply_u64(self, mem: u64, data: u64, other: u64, rules: FloatRules) -> u64 {
        integer!(self, mem, data, other: u64, i64;
            Op::CondXchg => u64::from(exchange((mem >> 32) as u32, (data >> 32) as u32)) << 32
                | if planted!(XchgPairCarries) { mem & 0xffff_ffff } else { exchange(mem as u32, data as u32).into() },
            Op::OrderedAdd => ordered_add(mem, data),
            Op::FCmpSwap => float::cmpswap(float::F64, rules, mem, data, other),
            Op::FMin | Op::FMax | Op::FMinNum | Op::FMaxNum => float::min_max(float::F64, rules, self, mem, data),
            Op::FAdd => float::add(float::F64, rules, mem, data),
            Op::PkAddF16 | Op::PkAddBf16 => mem,
        )
    }

    /// Applies it to guest memory and returns the value before; 32-bit operands are in the low halves.
    ///
    /// # Errors
    /// The address faults, or is not aligned.
    #[inline]
    pub fn run(
        self,
        width: Width,
        view: &mut View<'_>,
        address: u64,
        data: u64,
        other: u64,
        rules: FloatRules,
    ) -> Result<u64, Fault> {
        match width {
            Width::W32 => {
                let (data, other) = (data as u32, other as u32);
                let new = |mem| self.apply_u32(mem, data, other, rules);
                let old = view.rmw_u32(address, new)?;
                Ok(u64::from(if planted!(AtomicReturnsNewMemory) { new(old) } else { old }))
            }
            Width::W64 => view.rmw_u64(address, |mem| self.apply_u64(mem, data, other, rules)),
        }
    }
}

/// The numbers of [`Op::OrderedAdd`] go round: VGT_GS_MAX_WAVE_ID has twelve bits.
pub const ORDERED_NUMBERS: u32 = 0xfff;

/// [`Op::OrderedAdd`]: the number is below, the value above.
fn ordered_add(mem: u64, data: u64) -> u64 {
    let (number, value) = (mem as u32, (mem >> 32) as u32);
    if number != data as u32 && !planted!(OrderedAddAlways) {
        return mem;
    }
    let next = number.wrapping_add(1) & if planted!(OrderedAddUnmasked) { u32::MAX } else { ORDERED_NUMBERS };
    u64::from(value.wrapping_add((data >> 32) as u32)) << 32 | u64::from(next)
}

/// One half of [`Op::CondXchg`].
fn exchange(mem: u32, data: u32) -> u32 {
    if data >> 31 != 0 { if planted!(CondXchgKeepsFlag) { data } else { data & 0x7fff_ffff } } else { mem }
}

#[cfg(test)]
mod tests;
