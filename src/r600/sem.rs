//! What the instructions of the ALU mean: expressions over the [algebra](crate::isa::sem::Alg) of all machines, by mnemonic.
//!
//! A meaning is what happens to one lane in one slot, between the modifiers of its sources and those of its result. The kinds say where
//! modifiers apply: a negation or an absolute value to sources that are floats, a factor and the clamp to results that are.
//!
//! Instructions that have an effect beside their result give a bit: those that set a predicate whether the pixel goes on, those that kill
//! whether it dies. Those that load the address register give its value. The reductions are cut into what a slot does by itself and
//! what is done with the values of the slots ([`reduce`]); CUBE has a meaning for each slot, of the three coordinates.
//!
//! Where two meanings differ by chip, the name has ` turns` behind it: sine and cosine take radians on R600 and turns on R700.

use crate::isa::sem::{Class, Cmp, Meaning, Shape, Visitor, meanings};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The largest finite number.
const MAX: u32 = 0x7f7f_ffff;
/// 1.0.
const ONE: u32 = 0x3f80_0000;
/// 2.0.
const TWO: u32 = 0x4000_0000;
/// 4.0.
const FOUR: u32 = 0x4080_0000;
/// 0.5.
const HALF: u32 = 0x3f00_0000;
/// A radian in turns: 1 / (2 pi).
const TURN: u32 = 0x3e22_f983;
/// 2^32 as a double.
const TWO_32: u64 = 0x41f0_0000_0000_0000;
/// 2^31 as a double.
const TWO_31: u64 = 0x41e0_0000_0000_0000;

meanings! {
    float (F32, F32) -> F32 {
        "ADD"                = |k, a, b| k.add_f32(a, b);
        "MUL"                = |k, a, b| k.mul_legacy_f32(a, b);
        "MUL_IEEE"           = |k, a, b| k.mul_f32(a, b);
        "MAX"                = |k, a, b| k.sel(k.cmp_f32(Cmp::Ge, a, b), a, b);
        "MIN"                = |k, a, b| k.sel(k.cmp_f32(Cmp::Lt, a, b), a, b);
        "MAX_DX10"           = |k, a, b| k.max_f32(a, b);
        "MIN_DX10"           = |k, a, b| k.min_f32(a, b);
        // What a factor and CLAMP do together.
        "MUL_IEEE CLAMP"     = |k, a, b| k.clamped(k.mul_f32(a, b));
        "SETE"               = |k, a, b| k.sel(k.cmp_f32(Cmp::Eq, a, b), k.w(ONE), k.w(0));
        "SETGT"              = |k, a, b| k.sel(k.cmp_f32(Cmp::Gt, a, b), k.w(ONE), k.w(0));
        "SETGE"              = |k, a, b| k.sel(k.cmp_f32(Cmp::Ge, a, b), k.w(ONE), k.w(0));
        "SETNE"              = |k, a, b| k.sel(k.cmp_f32(Cmp::Neq, a, b), k.w(ONE), k.w(0));
        // What a slot does of a sum of products, and what is done with the products.
        "DOT4"               = |k, a, b| k.mul_legacy_f32(a, b);
        "DOT4_IEEE"          = |k, a, b| k.mul_f32(a, b);
        // How far a pixel is from its neighbour.
        "SLOPE"              = |k, a, b| k.sub_f32(a, b);
        "DOT4 reduce"        = |k, a, b| k.add_f32(a, b);
        "MAX4 reduce"        = |k, a, b| k.sel(k.cmp_f32(Cmp::Ge, a, b), a, b);
    }
    float (F32, F32) -> U32 {
        "SETE_DX10"          = |k, a, b| k.sel(k.cmp_f32(Cmp::Eq, a, b), k.w(u32::MAX), k.w(0));
        "SETGT_DX10"         = |k, a, b| k.sel(k.cmp_f32(Cmp::Gt, a, b), k.w(u32::MAX), k.w(0));
        "SETGE_DX10"         = |k, a, b| k.sel(k.cmp_f32(Cmp::Ge, a, b), k.w(u32::MAX), k.w(0));
        "SETNE_DX10"         = |k, a, b| k.sel(k.cmp_f32(Cmp::Neq, a, b), k.w(u32::MAX), k.w(0));
    }
    float F32 -> F32 {
        "MOV"                = |k, a| a;
        // What CLAMP does to a result.
        "CLAMP"              = |k, a| k.clamped(a);
        "MAX4"               = |k, a| a;
        // A coordinate of a face, which comes from 1 to 2, from 0 to 1.
        "FACE"               = |k, a| k.sub_f32(a, k.w(ONE));
        "FRACT"              = |k, a| k.fract_f32(a);
        "TRUNC"              = |k, a| k.trunc_f32(a);
        "CEIL"               = |k, a| k.ceil_f32(a);
        "RNDNE"              = |k, a| k.rndne_f32(a);
        "FLOOR"              = |k, a| k.floor_f32(a);
        "EXP_IEEE"           = |k, a| k.exp_f32(a);
        "LOG_IEEE"           = |k, a| k.log_f32(a);
        // Only the infinity of zero is made finite.
        "LOG_CLAMPED"        = |k, a| {
            let r = k.log_f32(a);
            k.sel(k.eq(r, k.w(0xff80_0000)), k.w(MAX | 1 << 31), r)
        };
        "RECIP_IEEE"         = |k, a| k.rcp_f32(a);
        "RECIP_CLAMPED"      = |k, a| k.finite_f32(k.rcp_f32(a));
        "RECIP_FF"           = |k, a| k.inf_to_zero_f32(k.rcp_f32(a));
        "RECIPSQRT_IEEE"     = |k, a| k.rsq_f32(a);
        "RECIPSQRT_CLAMPED"  = |k, a| k.finite_f32(k.rsq_f32(a));
        "RECIPSQRT_FF"       = |k, a| k.inf_to_zero_f32(k.rsq_f32(a));
        "SQRT_IEEE"          = |k, a| k.sqrt_f32(a);
        "SIN"                = |k, a| k.sin_f32(k.mul_f32(a, k.w(TURN)));
        "COS"                = |k, a| k.cos_f32(k.mul_f32(a, k.w(TURN)));
        "SIN turns"          = |k, a| k.sin_f32(a);
        "COS turns"          = |k, a| k.cos_f32(a);
    }
    float (F32, F32, F32) -> U32 {
        // The texel of a coordinate: times a size, and so many texels further.
        "TEXEL"              = |k, a, size, offset| k.i32_of_f32_floor(k.add_f32(k.mul_f32(a, size), offset));
    }
    float F32 -> U32 {
        // The layer of a coordinate.
        "LAYER"              = |k, a| k.i32_of_f32(k.rndne_f32(a));
        // The low bits of what does not fit: the mantissa shifted by its exponent.
        "FLT_TO_INT"         = |k, a| {
            let exponent = k.mask(k.shri(a, 23), 0xff);
            let beyond = k.sub(exponent, k.w(150));
            let mantissa = k.or(k.mask(a, 0x007f_ffff), k.w(0x0080_0000));
            let low = k.sel(k.lt_u(beyond, k.w(32)), k.shl(mantissa, beyond), k.w(0));
            let sign = k.sari(a, 31);
            let large = k.sub(k.xor(low, sign), sign);
            k.sel(k.lt_u(exponent, k.w(158)), k.i32_of_f32(a), large)
        };
        "FLT_TO_UINT"        = |k, a| k.u32_of_f32(a);
        // Addresses: from -256 to 255, and what lies outside is -256.
        "MOVA"               = |k, a| {
            let i = k.i32_of_f32_nearest(a);
            k.sel(k.lt_u(k.add(i, k.w(256)), k.w(512)), i, k.w(0xffff_ff00))
        };
        "MOVA_FLOOR"         = |k, a| {
            let i = k.i32_of_f32_floor(a);
            k.sel(k.lt_u(k.add(i, k.w(256)), k.w(512)), i, k.w(0xffff_ff00))
        };
    }
    int U32 -> U32 {
        "MOVA_INT"           = |k, a| k.sel(k.lt_u(k.add(a, k.w(256)), k.w(512)), a, k.w(0xffff_ff00));
        "NOT_INT"            = |k, a| k.not(a);
        // 2^32 over the number, without its fraction; of a signed number 2^31.
        "RECIP_UINT"         = |k, a| k.u32_of_f64(k.mul_d_f64(a));
        "RECIP_INT"          = |k, a| k.i32_of_f64(k.mul_f64(k.d(TWO_31), k.rcp_f64(k.f64_of_i32(a))));
    }
    float U32 -> F32 {
        "INT_TO_FLT"         = |k, a| k.f32_of_i32(a);
        "UINT_TO_FLT"        = |k, a| k.f32_of_u32(a);
    }
    int (U32, U32) -> U32 {
        "AND_INT"            = |k, a, b| k.and(a, b);
        "OR_INT"             = |k, a, b| k.or(a, b);
        "XOR_INT"            = |k, a, b| k.xor(a, b);
        "ADD_INT"            = |k, a, b| k.add(a, b);
        "SUB_INT"            = |k, a, b| k.sub(a, b);
        "MAX_INT"            = |k, a, b| k.max_s(a, b);
        "MIN_INT"            = |k, a, b| k.min_s(a, b);
        "MAX_UINT"           = |k, a, b| k.max_u(a, b);
        "MIN_UINT"           = |k, a, b| k.min_u(a, b);
        "SETE_INT"           = |k, a, b| k.sel(k.eq(a, b), k.w(u32::MAX), k.w(0));
        "SETGT_INT"          = |k, a, b| k.sel(k.lt_s(b, a), k.w(u32::MAX), k.w(0));
        "SETGE_INT"          = |k, a, b| k.sel(k.lt_s(a, b), k.w(0), k.w(u32::MAX));
        "SETNE_INT"          = |k, a, b| k.sel(k.eq(a, b), k.w(0), k.w(u32::MAX));
        "SETGT_UINT"         = |k, a, b| k.sel(k.lt_u(b, a), k.w(u32::MAX), k.w(0));
        "SETGE_UINT"         = |k, a, b| k.sel(k.lt_u(a, b), k.w(0), k.w(u32::MAX));
        // By the low five bits of the count.
        "ASHR_INT"           = |k, a, b| k.sar(a, b);
        "LSHR_INT"           = |k, a, b| k.shr(a, b);
        "LSHL_INT"           = |k, a, b| k.shl(a, b);
        "MULLO_INT"          = |k, a, b| k.mul(a, b);
        "MULLO_UINT"         = |k, a, b| k.mul(a, b);
        "MULHI_INT"          = |k, a, b| k.mulhi_s(a, b);
        "MULHI_UINT"         = |k, a, b| k.mulhi_u(a, b);
    }
    float (F32, F32) -> (F32, Bit) {
        "PRED_SETE"          = |k, a, b| k.goes_on(k.cmp_f32(Cmp::Eq, a, b));
        "PRED_SETGT"         = |k, a, b| k.goes_on(k.cmp_f32(Cmp::Gt, a, b));
        "PRED_SETGE"         = |k, a, b| k.goes_on(k.cmp_f32(Cmp::Ge, a, b));
        "PRED_SETNE"         = |k, a, b| k.goes_on(k.cmp_f32(Cmp::Neq, a, b));
        "PRED_SETE_PUSH"     = |k, a, b| k.counts(a, k.cmp_f32(Cmp::Eq, b, k.w(0)));
        "PRED_SETGT_PUSH"    = |k, a, b| k.counts(a, k.cmp_f32(Cmp::Gt, b, k.w(0)));
        "PRED_SETGE_PUSH"    = |k, a, b| k.counts(a, k.cmp_f32(Cmp::Ge, b, k.w(0)));
        "PRED_SETNE_PUSH"    = |k, a, b| k.counts(a, k.cmp_f32(Cmp::Neq, b, k.w(0)));
        "PRED_SET_POP"       = |k, a, b| {
            let c = k.cmp_f32(Cmp::Le, a, b);
            (k.sel(c, k.w(0), k.sub_f32(a, b)), c)
        };
        "KILLE"              = |k, a, b| k.dies(k.cmp_f32(Cmp::Eq, a, b));
        "KILLGT"             = |k, a, b| k.dies(k.cmp_f32(Cmp::Gt, a, b));
        "KILLGE"             = |k, a, b| k.dies(k.cmp_f32(Cmp::Ge, a, b));
        "KILLNE"             = |k, a, b| k.dies(k.cmp_f32(Cmp::Neq, a, b));
    }
    float F32 -> (F32, Bit) {
        "PRED_SET_INV"       = |k, a| {
            let c = k.cmp_f32(Cmp::Eq, a, k.w(ONE));
            let zero = k.cmp_f32(Cmp::Eq, a, k.w(0));
            (k.sel(c, k.w(0), k.sel(zero, k.w(ONE), a)), c)
        };
        "PRED_SET_RESTORE"   = |k, a| {
            let c = k.cmp_f32(Cmp::Eq, a, k.w(0));
            (k.sel(c, k.w(0), a), c)
        };
    }
    float () -> (F32, Bit) {
        "PRED_SET_CLR"       = |k| (k.w(MAX), k.c(false));
    }
    int (U32, U32) -> (F32, Bit) {
        "PRED_SETE_INT"      = |k, a, b| k.goes_on(k.eq(a, b));
        "PRED_SETGT_INT"     = |k, a, b| k.goes_on(k.lt_s(b, a));
        "PRED_SETGE_INT"     = |k, a, b| k.goes_on(k.negate(k.lt_s(a, b)));
        "PRED_SETNE_INT"     = |k, a, b| k.goes_on(k.negate(k.eq(a, b)));
        "PRED_SETLT_INT"     = |k, a, b| k.goes_on(k.lt_s(a, b));
        "PRED_SETLE_INT"     = |k, a, b| k.goes_on(k.negate(k.lt_s(b, a)));
        "KILLE_INT"          = |k, a, b| k.dies(k.eq(a, b));
        "KILLGT_INT"         = |k, a, b| k.dies(k.lt_s(b, a));
        "KILLGE_INT"         = |k, a, b| k.dies(k.negate(k.lt_s(a, b)));
        "KILLNE_INT"         = |k, a, b| k.dies(k.negate(k.eq(a, b)));
    }
    float (F32, U32) -> (F32, Bit) {
        "PRED_SETE_PUSH_INT"  = |k, a, b| k.counts(a, k.eq(b, k.w(0)));
        "PRED_SETGT_PUSH_INT" = |k, a, b| k.counts(a, k.lt_s(k.w(0), b));
        "PRED_SETGE_PUSH_INT" = |k, a, b| k.counts(a, k.negate(k.lt_s(b, k.w(0))));
        "PRED_SETNE_PUSH_INT" = |k, a, b| k.counts(a, k.nz(b));
        "PRED_SETLT_PUSH_INT" = |k, a, b| k.counts(a, k.lt_s(b, k.w(0)));
        "PRED_SETLE_PUSH_INT" = |k, a, b| k.counts(a, k.negate(k.lt_s(k.w(0), b)));
    }
    float (F32, F32, F32) -> F32 {
        "MUL_LIT"            = |k, a, b, c| k.mullit_f32(a, b, c);
        "MUL_LIT_M2"         = |k, a, b, c| k.mul_f32(k.mullit_f32(a, b, c), k.w(TWO));
        "MUL_LIT_M4"         = |k, a, b, c| k.mul_f32(k.mullit_f32(a, b, c), k.w(FOUR));
        "MUL_LIT_D2"         = |k, a, b, c| k.mul_f32(k.mullit_f32(a, b, c), k.w(HALF));
        // The product is rounded, then the sum.
        "MULADD"             = |k, a, b, c| k.add_f32(k.mul_legacy_f32(a, b), c);
        "MULADD_M2"          = |k, a, b, c| k.mul_f32(k.add_f32(k.mul_legacy_f32(a, b), c), k.w(TWO));
        "MULADD_M4"          = |k, a, b, c| k.mul_f32(k.add_f32(k.mul_legacy_f32(a, b), c), k.w(FOUR));
        "MULADD_D2"          = |k, a, b, c| k.mul_f32(k.add_f32(k.mul_legacy_f32(a, b), c), k.w(HALF));
        "MULADD_IEEE"        = |k, a, b, c| k.add_f32(k.mul_f32(a, b), c);
        "MULADD_IEEE_M2"     = |k, a, b, c| k.mul_f32(k.add_f32(k.mul_f32(a, b), c), k.w(TWO));
        "MULADD_IEEE_M4"     = |k, a, b, c| k.mul_f32(k.add_f32(k.mul_f32(a, b), c), k.w(FOUR));
        "MULADD_IEEE_D2"     = |k, a, b, c| k.mul_f32(k.add_f32(k.mul_f32(a, b), c), k.w(HALF));
        "CNDE"               = |k, a, b, c| k.sel(k.cmp_f32(Cmp::Eq, a, k.w(0)), b, c);
        "CNDGT"              = |k, a, b, c| k.sel(k.cmp_f32(Cmp::Gt, a, k.w(0)), b, c);
        "CNDGE"              = |k, a, b, c| k.sel(k.cmp_f32(Cmp::Ge, a, k.w(0)), b, c);
        // Of x, y and z, by slot.
        "CUBE x"             = |k, x, y, z| k.cubetc_f32(x, y, z);
        "CUBE y"             = |k, x, y, z| k.cubesc_f32(x, y, z);
        "CUBE z"             = |k, x, y, z| k.cubema_f32(x, y, z);
    }
    float (F32, F32, F32) -> U32 {
        // Neither a factor nor the clamp applies to it.
        "CUBE w"             = |k, x, y, z| k.cubeid_f32(x, y, z);
    }
    int (U32, U32, U32) -> U32 {
        "CNDE_INT"           = |k, a, b, c| k.sel(k.eq(a, k.w(0)), b, c);
        "CNDGT_INT"          = |k, a, b, c| k.sel(k.lt_s(k.w(0), a), b, c);
        "CNDGE_INT"          = |k, a, b, c| k.sel(k.lt_s(a, k.w(0)), c, b);
    }
}

/// Compositions of this machine.
trait Compose: crate::isa::sem::Alg {
    /// What an instruction that sets a predicate leaves: 0.0 where the pixel goes on, 1.0 where it skips.
    #[inline(always)]
    fn goes_on(&self, c: Self::C) -> (Self::W, Self::C) {
        (self.sel(c, self.w(0), self.w(ONE)), c)
    }
    /// A branch counter: a pixel goes on if it is zero and the condition holds, else the counter is one more.
    #[inline(always)]
    fn counts(&self, counter: Self::W, c: Self::C) -> (Self::W, Self::C) {
        let c = self.both(c, self.cmp_f32(Cmp::Eq, counter, self.w(0)));
        (self.sel(c, self.w(0), self.add_f32(counter, self.w(ONE))), c)
    }
    /// What lies from 0 to 1; what lies beyond is the nearer of the two.
    #[inline(always)]
    fn clamped(&self, a: Self::W) -> Self::W {
        let below = self.sel(self.cmp_f32(Cmp::Lt, a, self.w(ONE)), a, self.w(ONE));
        self.sel(self.cmp_f32(Cmp::Gt, a, self.w(0)), below, self.w(0))
    }
    /// What an instruction that kills leaves: 1.0 where the pixel dies.
    #[inline(always)]
    fn dies(&self, c: Self::C) -> (Self::W, Self::C) {
        (self.sel(c, self.w(ONE), self.w(0)), c)
    }
    /// 2^32 over an unsigned number.
    #[inline(always)]
    fn mul_d_f64(&self, a: Self::W) -> Self::D {
        self.mul_f64(self.d(TWO_32), self.rcp_f64(self.f64_of_u32(a)))
    }
}
impl<A: crate::isa::sem::Alg> Compose for A {}

/// What is done with the values of the four slots of a reduction, from the first on; none of other instructions.
#[must_use]
pub fn reduce(name: &str) -> Option<&'static str> {
    match name {
        "DOT4" | "DOT4_IEEE" => Some("DOT4 reduce"),
        "MAX4" => Some("MAX4 reduce"),
        _ => None,
    }
}

/// A meaning by its name, with the kinds of its sources and results.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Its number, in the order of [`visit`].
    pub number: usize,
    /// The kinds of the sources.
    pub args: &'static [Class],
    /// The kinds of the results: a word, and a bit where there is one.
    pub ret: &'static [Class],
}

/// The meaning of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Signature> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Table::default();
        visit(&mut table);
        table
    });
    table.0.get(name)
}

#[derive(Default)]
struct Table(HashMap<&'static str, Signature>);

impl Visitor for Table {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        let number = self.0.len();
        let before = self.0.insert(name, Signature { number, args: M::Args::CLASSES, ret: M::Ret::CLASSES });
        debug_assert!(before.is_none(), "two meanings of {name}");
    }
}
