//! Atomic operations as data: what a read-modify-write is, and which operands it takes.
//!
//! The operations of DS, buffer, flat, global and scalar memory are the same, whatever their names. What they compute is in
//! [`crate::memory::atomic`].

use crate::isa::Gen;

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
    /// Of 64 bits only, a number and a value: where the number is that of data, it goes on to the next, and data's value is added.
    OrderedAdd,
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

impl Width {
    /// Bytes of it.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Width::W32 => 4,
            Width::W64 => 8,
        }
    }
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
    /// An atomic of memory at one address, which returns what was there if its cache policy says so.
    #[must_use]
    pub const fn new(op: Op, width: Width) -> Atomic {
        Atomic { op, width, returns: Returns::Policy, shape: Shape::One, compare_first: false }
    }

    /// What it is in a generation: from gfx12 on minima and maxima ignore every NaN.
    #[must_use]
    pub const fn in_generation(self, generation: Gen) -> Atomic {
        if (generation as u8) < Gen::Gfx12 as u8 {
            return self;
        }
        match self.op {
            Op::FMin => Atomic { op: Op::FMinNum, ..self },
            Op::FMax => Atomic { op: Op::FMaxNum, ..self },
            _ => self,
        }
    }

    /// Whether it computes with floats, so that the modes of the wave have a say.
    #[must_use]
    pub const fn is_float(&self) -> bool {
        use Op::*;
        matches!(self.op, FCmpSwap | FMin | FMax | FMinNum | FMaxNum | FAdd | PkAddF16 | PkAddBf16)
    }

    /// Data operands at each address.
    #[must_use]
    pub const fn operands(&self) -> u32 {
        match (self.op, self.shape) {
            (Op::CmpSwap | Op::FCmpSwap | Op::Wrap | Op::MskOr, _) => 2,
            (_, Shape::Source | Shape::Wave) => 0,
            _ => 1,
        }
    }
}
