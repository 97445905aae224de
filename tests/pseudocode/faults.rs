//! Where the text is wrong, silent or not known to be right, and what is run instead. An entry that makes no difference for any edge
//! value fails a test, so this is the exact list of what one may not copy from the manual.

use super::eval::{Machine, Result};
use super::exact::{BF16, F16, F32, F64};
use super::{division, dot, lanes, matrix, natives, scalar};

/// What stands in for the text of an entry.
#[derive(Clone, Copy)]
pub enum Fix {
    /// Another text, written for this file.
    Text(&'static str),
    /// A function.
    Native(fn(&mut Machine) -> Result<()>),
    /// Nothing: the result is not known.
    Unknown,
}

pub struct Fault {
    pub name: &'static str,
    pub why: &'static str,
    pub fix: Fix,
}

const fn fault(name: &'static str, why: &'static str, fix: Fix) -> Fault {
    Fault { name, why, fix }
}

use Fix::{Native, Text, Unknown};

const OFFSET: &str = "the offset is multiplied in 16 bits, and loses its sign there";
const ROUND: &str = "floor(x + 0.5) loses -0 and rounds twice";
const FREXP: &str = "gives -bias + 1 for zeros and denormals";
const QUIET: &str = "passes a signalling NaN although MODE.IEEE is set";
const FRACT: &str = "infinities, and results that round to 1.0";
const LDEXP: &str = "2**n is no float for large n; there is one rounding";
const CUBE: &str = "denormals count as zero for the face whatever MODE says, and operands are moved, not computed";
const MED3: &str = "== on the largest picks the wrong zero";
const SCALE: &str = "no default, the whole VCC is written, and denormals are compared with ==";
const FMAS: &str = "2**32 and 2**64 do not undo what V_DIV_SCALE did";
const FIXUP: &str = "the constants of under- and overflow are not defined, and a NaN quotient is not covered";
const CLASS: &str = "infinity has the exponent 2047, not 1023";
const DX9: &str = "the sum still happens after a zero product, and MODE does not keep denormals";
const DOT2: &str = "the sum has an alignment of its own";
const INTERP: &str = "the lane of the parameter is counted from the lane, not from its quad; the sum is fused";
const WORDS: &str = "a matrix in words";
const PERMUTE: &str = "FI and BOUND_CTRL are left out";
const TIE: &str = "whether SCC is set for equal operands is not known (> in the manual, >= later)";

#[rustfmt::skip]
pub const FAULTS: &[Fault] = &[
    fault("S_BFE_U64", "the mask is made in 32 bits", Native(scalar::bfe_u64)),
    fault("S_BCNT0_I32_B64", "SCC of 64 bits of a result that has 32", Native(scalar::bcnt0)),
    fault("S_BCNT1_I32_B64", "SCC of 64 bits of a result that has 32", Native(scalar::bcnt1)),
    fault("S_QUADMASK_B64", "writes the low half of a result of 64 bits", Native(scalar::quadmask)),
    fault("S_MAX_I32", TIE, Native(scalar::max_i32)),
    fault("S_MAX_U32", TIE, Native(scalar::max_u32)),
    fault("S_SETREG_B32", "the mask is not moved to the offset", Native(scalar::setreg)),
    fault("S_SETREG_IMM32_B32", "the mask is not moved to the offset", Native(scalar::setreg_imm)),
    fault("S_BRANCH", OFFSET, Text("PC = PC + signext(SIMM16.i16) * 4LL + 4LL")),
    fault("S_CALL_B64", OFFSET, Text("D0.i64 = PC + 4LL; PC = PC + signext(SIMM16.i16) * 4LL + 4LL")),
    fault("S_CBRANCH_SCC0", OFFSET, Native(|m| scalar::branch(m, |m| !m.scc))),
    fault("S_CBRANCH_SCC1", OFFSET, Native(|m| scalar::branch(m, |m| m.scc))),
    fault("S_CBRANCH_VCCZ", OFFSET, Native(|m| scalar::branch(m, |m| scalar::in_wave(m, m.vcc) == 0))),
    fault("S_CBRANCH_VCCNZ", OFFSET, Native(|m| scalar::branch(m, |m| scalar::in_wave(m, m.vcc) != 0))),
    fault("S_CBRANCH_EXECZ", OFFSET, Native(|m| scalar::branch(m, |m| scalar::in_wave(m, m.exec) == 0))),
    fault("S_CBRANCH_EXECNZ", OFFSET, Native(|m| scalar::branch(m, |m| scalar::in_wave(m, m.exec) != 0))),
    fault("V_SUBREV_CO_CI_U32", "the borrow compares the operands the wrong way round", Native(natives::subrev_borrow)),
    fault("V_CNDMASK_B16", "reads bit 0 of VCC for every lane", Text("D0.u16 = VCC.u64[laneId] ? S1.u16 : S0.u16")),
    fault("V_LERP_U8", "sums of bytes need nine bits", Native(natives::lerp)),
    fault("V_CMP_CLASS_F64", CLASS, Native(|m| natives::class_f64(m, false))),
    fault("V_CMPX_CLASS_F64", CLASS, Native(|m| natives::class_f64(m, true))),
    fault("V_CVT_PK_RTZ_F16_F32", "only the comment says toward zero", Native(natives::cvt_pk_rtz)),
    fault("V_PACK_B32_F16", "is a float operation and no copy (ALU_FACTS 4): a signalling NaN is quieted", Native(natives::pack_f16)),
    fault("V_CVT_OFF_F32_I4", "the table is not printed", Native(natives::cvt_off)),
    fault("V_CVT_NEAREST_I32_F32", "the sum is exact, and a NaN saturates by its sign", Native(|m| natives::cvt_down(m, true))),
    fault("V_CVT_FLOOR_I32_F32", "a NaN saturates by its sign", Native(|m| natives::cvt_down(m, false))),
    fault("V_RNDNE_F16", ROUND, Text("D0.f16 = rndne(S0.f16)")),
    fault("V_RNDNE_F32", ROUND, Text("D0.f = rndne(S0.f)")),
    fault("V_RNDNE_F64", ROUND, Text("D0.f64 = rndne(S0.f64)")),
    fault("V_FRACT_F16", FRACT, Native(|m| natives::fract(m, F16))),
    fault("V_FRACT_F32", FRACT, Native(|m| natives::fract(m, F32))),
    fault("V_FRACT_F64", FRACT, Native(|m| natives::fract(m, F64))),
    fault("V_FREXP_EXP_I16_F16", FREXP, Native(|m| natives::frexp_exp(m, F16))),
    fault("V_FREXP_EXP_I32_F32", FREXP, Native(|m| natives::frexp_exp(m, F32))),
    fault("V_FREXP_EXP_I32_F64", FREXP, Native(|m| natives::frexp_exp(m, F64))),
    fault("V_FREXP_MANT_F16", QUIET, Text("D0.f16 = mantissa(S0.f16)")),
    fault("V_FREXP_MANT_F32", QUIET, Text("D0.f = mantissa(S0.f)")),
    fault("V_FREXP_MANT_F64", QUIET, Text("D0.f64 = mantissa(S0.f64)")),
    fault("V_LDEXP_F16", LDEXP, Text("D0.f16 = ldexp(S0.f16, S1.i16)")),
    fault("V_LDEXP_F32", LDEXP, Text("D0.f = ldexp(S0.f, S1.i)")),
    fault("V_LDEXP_F64", LDEXP, Text("D0.f64 = ldexp(S0.f64, S1.i)")),
    fault("V_CUBEID_F32", CUBE, Native(natives::cube_id)),
    fault("V_CUBESC_F32", CUBE, Native(natives::cube_sc)),
    fault("V_CUBETC_F32", CUBE, Native(natives::cube_tc)),
    fault("V_CUBEMA_F32", CUBE, Native(natives::cube_ma)),
    fault("V_MED3_F16", MED3, Native(|m| natives::med3(m, F16, "V_MIN3_F16"))),
    fault("V_MED3_F32", MED3, Native(|m| natives::med3(m, F32, "V_MIN3_F32"))),
    fault("V_FMA_DX9_ZERO_F32", DX9, Native(|m| natives::fma_dx9(m, false))),
    fault("V_FMAC_DX9_ZERO_F32", DX9, Native(|m| natives::fma_dx9(m, true))),
    fault("V_MULLIT_F32", "prose and text disagree on the product with a zero", Native(natives::mullit)),
    fault("V_FMA_MIXLO_F16", "one rounding, from the exact sum to f16", Native(|m| natives::fma_mix(m, 0))),
    fault("V_FMA_MIXHI_F16", "one rounding, from the exact sum to f16", Native(|m| natives::fma_mix(m, 16))),
    fault("V_DIV_SCALE_F32", SCALE, Native(|m| division::scale(m, F32))),
    fault("V_DIV_SCALE_F64", SCALE, Native(|m| division::scale(m, F64))),
    fault("V_DIV_FMAS_F32", FMAS, Native(|m| division::fmas(m, F32))),
    fault("V_DIV_FMAS_F64", FMAS, Native(|m| division::fmas(m, F64))),
    fault("V_DIV_FIXUP_F16", FIXUP, Native(|m| division::fixup(m, F16))),
    fault("V_DIV_FIXUP_F32", FIXUP, Native(|m| division::fixup(m, F32))),
    fault("V_DIV_FIXUP_F64", FIXUP, Native(|m| division::fixup(m, F64))),
    fault("V_TRIG_PREOP_F64", "needs 1201 bits of 2/pi", Native(division::trig_preop)),
    fault("V_DOT2_F32_F16", DOT2, Native(|m| dot::dot2(m, F16, false))),
    fault("V_DOT2_F32_BF16", DOT2, Native(|m| dot::dot2(m, BF16, false))),
    fault("V_DOT2ACC_F32_F16", DOT2, Native(|m| dot::dot2(m, F16, true))),
    fault("V_DOT2_F16_F16", DOT2, Native(|m| dot::exact_half(m, F16))),
    fault("V_DOT2_BF16_BF16", DOT2, Native(|m| dot::exact_half(m, BF16))),
    fault("V_WMMA_F32_16X16X16_F16", WORDS, Native(|m| matrix::floats(m, F16))),
    fault("V_WMMA_F32_16X16X16_BF16", WORDS, Native(|m| matrix::floats(m, BF16))),
    fault("V_WMMA_F16_16X16X16_F16", WORDS, Unknown),
    fault("V_WMMA_BF16_16X16X16_BF16", WORDS, Unknown),
    fault("V_WMMA_I32_16X16X16_IU8", WORDS, Native(|m| matrix::integers(m, 8))),
    fault("V_WMMA_I32_16X16X16_IU4", WORDS, Native(|m| matrix::integers(m, 4))),
    fault("V_INTERP_P10_F32", INTERP, Native(|m| lanes::interp_p10(m, F32))),
    fault("V_INTERP_P2_F32", INTERP, Native(|m| lanes::interp_p2(m, F32))),
    fault("V_INTERP_P10_F16_F32", INTERP, Native(|m| lanes::interp_p10(m, F16))),
    fault("V_INTERP_P2_F16_F32", INTERP, Native(|m| lanes::interp_p2(m, F16))),
    fault("V_PERMLANE16_B32", PERMUTE, Native(|m| lanes::permlane16(m, 0))),
    fault("V_PERMLANEX16_B32", PERMUTE, Native(|m| lanes::permlane16(m, 1))),
];

pub fn find(name: &str) -> Option<&'static Fault> {
    FAULTS.iter().find(|f| f.name == name)
}
