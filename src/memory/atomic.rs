//! Atomic operations as data: what a read-modify-write does to the value in memory.
//!
//! The operations of DS, buffer, flat, global, image and scalar memory are the same; their names differ by family and generation
//! (`buffer_atomic_smin`, `global_atomic_min_i32`, `ds_min_rtn_i32`). [`Atomic::from_name`] reads all of them, so that an engine finds
//! out once, when it plans a program, what [`Op`] it has to apply and which operands that takes.
//!
//! What an atomic returns is always the value before. Order of lanes and the access itself are the caller's.

use super::guest::{Fault, View};
use crate::fault::planted;
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::row::{Inst, Traits};

pub mod float;
mod name;

use float::FloatRules;

/// What is done to a value `mem`, with `data` and, for some, a second operand `other`. Where a comment has no formula, the name is it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// data
    Swap,
    /// mem == other ? data : mem
    CmpSwap,
    /// As [`Op::CmpSwap`], compared as floats: NaN is never equal, the zeros are.
    FCmpSwap,
    /// mem + data
    Add,
    /// mem - data
    Sub,
    /// data - mem
    RSub,
    /// Signed.
    SMin,
    /// Unsigned.
    UMin,
    /// Signed.
    SMax,
    /// Unsigned.
    UMax,
    /// mem & data
    And,
    /// mem | data
    Or,
    /// mem ^ data
    Xor,
    /// mem >= data ? 0 : mem + 1
    Inc,
    /// mem == 0 || mem > data ? data : mem - 1
    Dec,
    /// max(mem - data, 0)
    SubClamp,
    /// mem >= data ? mem - data : mem
    CondSub,
    /// mem >= data ? mem - data : mem + other
    Wrap,
    /// mem & ~data | other
    MskOr,
    /// Each dword with the sign bit set in data is replaced by it, without that bit.
    CondXchg,
    /// The minimum of gfx6-11: a signalling NaN wins, a quiet one loses.
    FMin,
    /// The maximum of gfx6-11.
    FMax,
    /// minimumNumber of gfx12: every NaN loses.
    FMinNum,
    /// maximumNumber of gfx12.
    FMaxNum,
    /// Rounded to nearest even, whatever the mode.
    FAdd,
    /// Two halves of f16.
    PkAddF16,
    /// Two halves of bf16.
    PkAddBf16,
}

/// Bits of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// One register.
    W32,
    /// Two registers.
    W64,
}

/// Whether the value before goes to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Returns {
    /// There is no such form.
    Never,
    /// The name or the hardware says so.
    Always,
    /// The cache policy of the instruction says so: `glc`, `sc0`, the return hint of gfx12.
    Policy,
}

/// Where the operation happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// At one address a lane.
    One,
    /// At two, with two data and two offsets, which count elements (or 64 of them).
    Two {
        /// Offsets count 64 elements.
        stride64: bool,
    },
    /// At one, with data from a second one: the `src2` forms.
    Source,
    /// Once a wave, with the number of its active lanes: append and consume.
    Wave,
}

/// The memory an atomic works on: it decides what becomes of denormals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// The local data share.
    Lds,
    /// Buffers, images, flat and global memory.
    Memory,
}

/// An atomic instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Atomic {
    /// What it does.
    pub op: Op,
    /// To how many bits. (Images: 32; the mask of the instruction decides.)
    pub width: Width,
    /// What becomes of the value before.
    pub returns: Returns,
    /// Where.
    pub shape: Shape,
    /// The first data operand is what is compared, the second what is stored: `ds_cmpst` of gfx6-10. Everywhere else it is the other
    /// way round.
    pub compare_first: bool,
}

impl Atomic {
    /// What the instruction of this name is, in whatever generation has it. `None` if it is no atomic, or one that is not modelled: GDS
    /// registers and ordered count, global wave sync, ordered add, BVH stacks.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Atomic> {
        name::parse(name)
    }

    /// What a row is in a generation: as [`Atomic::from_name`], and knows about forms that cannot return.
    #[must_use]
    pub fn from_row(row: &Inst, generation: Gen) -> Option<Atomic> {
        let atomic = Atomic::from_name(row.name_in(generation))?;
        Some(if row.traits.contains(Traits::NO_RET) { Atomic { returns: Returns::Never, ..atomic } } else { atomic })
    }

    /// Data operands at each address.
    #[must_use]
    pub fn operands(&self) -> u32 {
        match self.op {
            Op::CmpSwap | Op::FCmpSwap | Op::Wrap | Op::MskOr => 2,
            _ if self.shape == Shape::Source || self.shape == Shape::Wave => 0,
            _ => 1,
        }
    }

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

/// One half of [`Op::CondXchg`].
fn exchange(mem: u32, data: u32) -> u32 {
    if data >> 31 != 0 { if planted!(CondXchgKeepsFlag) { data } else { data & 0x7fff_ffff } } else { mem }
}

#[cfg(test)]
mod tests;
