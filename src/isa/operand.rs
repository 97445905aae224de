//! Operands as rows name them: a class (what may stand there) and a type (how wide, and how constants are read).

use super::image::Address;

/// How the bits of an operand are read: its width, and which constants have a short form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "B is bits or integers, F floats, P pairs in one register, D pairs of registers")]
pub enum Ty {
    B16,
    F16,
    Bf16,
    B32,
    F32,
    B64,
    F64,
    /// Two 16-bit integers in one register.
    P16,
    /// Two f16 in one register.
    PF16,
    /// Two bf16 in one register.
    PBf16,
    /// Two f16 in one register; inline constants stand in both, as silicon has it of some dot products.
    BothF16,
    /// Two bf16 in one register; inline constants stand in both.
    BothBf16,
    /// Two 32-bit integers in two registers.
    D32,
    /// Two f32 in two registers.
    DF32,
    B96,
    B128,
    B160,
    B192,
    B224,
    B256,
    B288,
    B320,
    B352,
    B384,
    B512,
    B1024,
    /// Matrix operands: as many registers as said, constants as for one element of the float type.
    F32x(u8),
    F64x(u8),
    F16x(u8),
    Bf16x(u8),
    /// A lane mask: one register in wave32, two in wave64.
    Mask,
}

impl Ty {
    /// Registers of 32 bits; a mask counts as two.
    #[must_use]
    pub const fn dwords(self) -> u8 {
        match self {
            Ty::B16 | Ty::F16 | Ty::Bf16 | Ty::B32 | Ty::F32 => 1,
            Ty::P16 | Ty::PF16 | Ty::PBf16 | Ty::BothF16 | Ty::BothBf16 => 1,
            Ty::B64 | Ty::F64 | Ty::D32 | Ty::DF32 | Ty::Mask => 2,
            Ty::B96 => 3,
            Ty::B128 => 4,
            Ty::B160 => 5,
            Ty::B192 => 6,
            Ty::B224 => 7,
            Ty::B256 => 8,
            Ty::B288 => 9,
            Ty::B320 => 10,
            Ty::B352 => 11,
            Ty::B384 => 12,
            Ty::B512 => 16,
            Ty::B1024 => 32,
            Ty::F32x(n) | Ty::F64x(n) | Ty::F16x(n) | Ty::Bf16x(n) => n,
        }
    }

    /// Whether float modifiers (neg, abs) make sense.
    #[must_use]
    pub const fn is_float(self) -> bool {
        let packed = self.is_pair() && !matches!(self, Ty::P16);
        packed || matches!(self, Ty::F16 | Ty::Bf16 | Ty::F32 | Ty::F64 | Ty::DF32)
    }

    /// Whether the operand is two halves of one register.
    #[must_use]
    pub const fn is_pair(self) -> bool {
        matches!(self, Ty::P16 | Ty::PF16 | Ty::PBf16 | Ty::BothF16 | Ty::BothBf16)
    }

    /// Whether the operand is one half of a register.
    #[must_use]
    pub const fn is_16(self) -> bool {
        matches!(self, Ty::B16 | Ty::F16 | Ty::Bf16)
    }

    /// The untyped type of `n` registers.
    ///
    /// # Panics
    /// In constant evaluation, for a count that no instruction has.
    #[must_use]
    pub const fn of_dwords(n: u8) -> Ty {
        match n {
            1 => Ty::B32,
            2 => Ty::B64,
            3 => Ty::B96,
            4 => Ty::B128,
            5 => Ty::B160,
            6 => Ty::B192,
            7 => Ty::B224,
            8 => Ty::B256,
            9 => Ty::B288,
            10 => Ty::B320,
            11 => Ty::B352,
            12 => Ty::B384,
            16 => Ty::B512,
            _ => Ty::B1024,
        }
    }
}

/// What may stand in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Class {
    /// No operand.
    None,
    /// Destination or source as its place allows: a vector register as a vector destination; anything as first source of a
    /// vector instruction or any source of a VOP3; a vector register as second source of VOP2; a scalar in scalar instructions.
    Plain,
    /// A vector register in every form.
    Vgpr,
    /// An accumulation register in every form.
    Agpr,
    /// A scalar register: destination of `v_readlane_b32`, source of `s_movrels_b32`.
    Sgpr,
    /// A scalar register or constant: the lane of `v_readlane_b32`.
    Scalar,
    /// A scalar register or any constant: the lane selects of `v_permlane16_b32`.
    AnyScalar,
    /// A vector register, or the LDS direct value: source of `v_readfirstlane_b32`.
    VgprOrLds,
    /// A scalar, or the LDS direct value: source of `v_writelane_b32`.
    ScalarOrLds,
    /// A matrix operand in vector or accumulation registers.
    Matrix,
    /// As [`Class::Matrix`], or an inline constant.
    MatrixOrInline,
    /// A carry or compare mask that is written: `vcc` in short forms, any pair in VOP3.
    MaskOut,
    /// A carry or select mask that is read.
    MaskIn,
    /// The destination read as an accumulator: not written in text.
    Tied,
    /// A literal constant that is part of the instruction.
    Literal,
    /// SIMM16 as a signed number.
    Simm16,
    /// SIMM16 as an unsigned number, printed in hexadecimal as [`Class::Simm16`] is.
    Uimm16,
    /// SIMM16 as a plain number: small ones are printed in decimal.
    Plain16,
    /// SIMM16 as a number which is left out where it is 0.
    OptImm16,
    /// SIMM16 as a branch target.
    Target,
    /// SIMM16 in a symbolic form.
    Symbolic(Symbol),
    /// SSRC0 as a message number (`s_sendmsg_rtn`).
    Message,
    /// SSRC0 as a barrier number: an inline constant or `m0`.
    Barrier,
    /// SDATA as a plain number (`s_atc_probe`).
    Number,
    /// Part of a memory, image, export or interpolation instruction; the family's forms say where it lies.
    Part(Part),
}

/// The symbolic forms of immediates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Symbol {
    /// `hwreg(...)`
    Hwreg,
    /// `sendmsg(...)`
    SendMsg,
    /// `vmcnt(...) ...`
    WaitCnt,
    /// `instid0(...) ...`
    DelayAlu,
    /// `depctr_...(...)`
    DepCtr,
    /// `gpr_idx(...)`
    GprIdx,
}

/// Places of memory, image, export and interpolation instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "the manual's field names")]
pub enum Part {
    Vdst,
    Addr,
    Data,
    Data1,
    Rsrc,
    Samp,
    Offset,
    Soffset,
    Saddr,
    Sbase,
    Sdata,
    Number,
    Attr,
    Slot,
    ExpTarget,
    ExpSource,
    /// The address of an image instruction: what it is made of.
    Image(Address),
}

/// One operand of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opnd {
    /// What may stand there.
    pub class: Class,
    /// How it is read.
    pub ty: Ty,
}

impl Opnd {
    const fn of(class: Class, ty: Ty) -> Opnd {
        Opnd { class, ty }
    }
}

/// The names rows use.
#[allow(missing_docs, reason = "each is a class and a type; see `Class` and `Ty`")]
pub mod names {
    use super::{Address, Class, Opnd, Part, Symbol, Ty};

    pub const NO: Opnd = Opnd::of(Class::None, Ty::B32);
    pub const B16: Opnd = Opnd::of(Class::Plain, Ty::B16);
    pub const F16: Opnd = Opnd::of(Class::Plain, Ty::F16);
    pub const BF16: Opnd = Opnd::of(Class::Plain, Ty::Bf16);
    pub const B32: Opnd = Opnd::of(Class::Plain, Ty::B32);
    pub const F32: Opnd = Opnd::of(Class::Plain, Ty::F32);
    pub const B64: Opnd = Opnd::of(Class::Plain, Ty::B64);
    pub const F64: Opnd = Opnd::of(Class::Plain, Ty::F64);
    pub const B128: Opnd = Opnd::of(Class::Plain, Ty::B128);
    pub const P16: Opnd = Opnd::of(Class::Plain, Ty::P16);
    pub const PF16: Opnd = Opnd::of(Class::Plain, Ty::PF16);
    pub const PBF16: Opnd = Opnd::of(Class::Plain, Ty::PBf16);
    pub const RF16: Opnd = Opnd::of(Class::Plain, Ty::BothF16);
    pub const RBF16: Opnd = Opnd::of(Class::Plain, Ty::BothBf16);
    pub const D32: Opnd = Opnd::of(Class::Plain, Ty::D32);
    pub const DF32: Opnd = Opnd::of(Class::Plain, Ty::DF32);

    pub const VB16: Opnd = Opnd::of(Class::Vgpr, Ty::B16);
    pub const VF16: Opnd = Opnd::of(Class::Vgpr, Ty::F16);
    pub const VB32: Opnd = Opnd::of(Class::Vgpr, Ty::B32);
    pub const VF32: Opnd = Opnd::of(Class::Vgpr, Ty::F32);
    pub const VB64: Opnd = Opnd::of(Class::Vgpr, Ty::B64);
    pub const VB128: Opnd = Opnd::of(Class::Vgpr, Ty::B128);
    pub const AB32: Opnd = Opnd::of(Class::Agpr, Ty::B32);
    pub const SG32: Opnd = Opnd::of(Class::Sgpr, Ty::B32);
    pub const SG64: Opnd = Opnd::of(Class::Sgpr, Ty::B64);
    pub const SC32: Opnd = Opnd::of(Class::Scalar, Ty::B32);
    pub const SS32: Opnd = Opnd::of(Class::AnyScalar, Ty::B32);
    pub const SF32: Opnd = Opnd::of(Class::AnyScalar, Ty::F32);
    pub const SF16: Opnd = Opnd::of(Class::AnyScalar, Ty::F16);
    pub const SC64: Opnd = Opnd::of(Class::Scalar, Ty::B64);
    pub const VL32: Opnd = Opnd::of(Class::VgprOrLds, Ty::B32);
    pub const SL32: Opnd = Opnd::of(Class::ScalarOrLds, Ty::B32);
    pub const CO: Opnd = Opnd::of(Class::MaskOut, Ty::Mask);
    pub const CI: Opnd = Opnd::of(Class::MaskIn, Ty::Mask);
    pub const DST: Opnd = Opnd::of(Class::Tied, Ty::B32);
    pub const K16: Opnd = Opnd::of(Class::Literal, Ty::F16);
    pub const K32: Opnd = Opnd::of(Class::Literal, Ty::F32);
    pub const KB32: Opnd = Opnd::of(Class::Literal, Ty::B32);

    pub const S16: Opnd = Opnd::of(Class::Simm16, Ty::B16);
    pub const H16: Opnd = Opnd::of(Class::Uimm16, Ty::B16);
    pub const U16: Opnd = Opnd::of(Class::Plain16, Ty::B16);
    pub const OPT16: Opnd = Opnd::of(Class::OptImm16, Ty::B16);
    pub const TARGET: Opnd = Opnd::of(Class::Target, Ty::B16);
    pub const HWREG: Opnd = Opnd::of(Class::Symbolic(Symbol::Hwreg), Ty::B16);
    pub const SENDMSG: Opnd = Opnd::of(Class::Symbolic(Symbol::SendMsg), Ty::B16);
    pub const WAITCNT: Opnd = Opnd::of(Class::Symbolic(Symbol::WaitCnt), Ty::B16);
    pub const DELAY: Opnd = Opnd::of(Class::Symbolic(Symbol::DelayAlu), Ty::B16);
    pub const DEPCTR: Opnd = Opnd::of(Class::Symbolic(Symbol::DepCtr), Ty::B16);
    pub const GPRIDX: Opnd = Opnd::of(Class::Symbolic(Symbol::GprIdx), Ty::B16);
    pub const MSG: Opnd = Opnd::of(Class::Message, Ty::B32);
    pub const BARRIER: Opnd = Opnd::of(Class::Barrier, Ty::B32);

    /// A matrix operand of `ty`.
    #[must_use]
    pub const fn mx(ty: Ty) -> Opnd {
        Opnd::of(Class::Matrix, ty)
    }
    /// A matrix operand or inline constant of `ty`.
    #[must_use]
    pub const fn mxi(ty: Ty) -> Opnd {
        Opnd::of(Class::MatrixOrInline, ty)
    }
    /// An image address made of `parts`; its width is computed.
    #[must_use]
    pub const fn at(parts: &[Address]) -> Opnd {
        Opnd::of(Class::Part(Part::Image(Address::of(parts))), Ty::B32)
    }
    /// A part of a memory instruction, `n` registers wide.
    #[must_use]
    pub const fn part(part: Part, n: u8) -> Opnd {
        Opnd::of(Class::Part(part), Ty::of_dwords(n))
    }
}
