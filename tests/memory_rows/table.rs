//! The rows: what each name means. Names are those of the oldest generation that has the row.

/// The part of a register that a byte or a half goes to, or comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Whole,
    Low,
    High,
}

/// What a lane moves: so many components of so many bytes.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub bytes: u32,
    pub count: u32,
    pub signed: bool,
    pub part: Part,
}

impl Moved {
    pub fn total(self) -> u32 {
        self.bytes * self.count
    }
}

const fn moved(bytes: u32, count: u32) -> Moved {
    Moved { bytes, count, signed: false, part: Whole }
}
const fn narrow(bytes: u32, signed: bool, part: Part) -> Moved {
    Moved { bytes, count: 1, signed, part }
}

use Part::{High, Low, Whole};

/// Loads and stores by what stands behind `load_`, `store_`, `read_` or `write_`, and behind
/// `lds_`.
const MOVED: &[(&[&str], Moved)] = &[
    (&["ubyte", "u8"], narrow(1, false, Whole)),
    (&["sbyte", "i8"], narrow(1, true, Whole)),
    (&["ushort", "u16"], narrow(2, false, Whole)),
    (&["sshort", "i16"], narrow(2, true, Whole)),
    (&["byte", "b8"], narrow(1, false, Whole)),
    (&["short", "b16"], narrow(2, false, Whole)),
    (&["ubyte_d16", "u8_d16"], narrow(1, false, Low)),
    (&["sbyte_d16", "i8_d16"], narrow(1, true, Low)),
    (&["short_d16", "u16_d16"], narrow(2, false, Low)),
    (&["ubyte_d16_hi", "u8_d16_hi"], narrow(1, false, High)),
    (&["sbyte_d16_hi", "i8_d16_hi"], narrow(1, true, High)),
    (&["short_d16_hi", "u16_d16_hi", "b16_d16_hi"], narrow(2, false, High)),
    (&["byte_d16_hi", "b8_d16_hi"], narrow(1, false, High)),
    (&["dword", "b32"], moved(4, 1)),
    (&["dwordx2", "b64"], moved(4, 2)),
    (&["dwordx3", "b96"], moved(4, 3)),
    (&["dwordx4", "b128"], moved(4, 4)),
    (&["dwordx8"], moved(4, 8)),
    (&["dwordx16"], moved(4, 16)),
];

/// What a word at the end of a name moves.
pub fn item(name: &str) -> Option<Moved> {
    MOVED.iter().find(|(names, _)| names.contains(&name)).map(|(_, moved)| *moved)
}

/// What an atomic does to what is in memory, with its data, and for some a second operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Swap,
    /// The data where memory is equal to the second operand.
    CmpSwap,
    Add,
    Sub,
    /// The data minus memory.
    RSub,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    /// Zero where memory is the data or more, else one more.
    Inc,
    /// The data where memory is zero or more than the data, else one less.
    Dec,
    /// The difference, or zero where it is negative.
    SubClamp,
    /// The difference, where it is not negative.
    CondSub,
    /// The difference where it is not negative, else memory plus the second operand.
    Wrap,
    /// Without the bits of the data, with those of the second operand.
    MskOr,
    /// Each word of the data whose upper bit is set replaces that of memory, without that bit.
    CondXchg,
    /// Where the lower word is the data's, the data's upper one is added to the upper word, and the lower one goes on: 12 bits of it.
    OrderedAdd,
    FAdd,
    FMin,
    FMax,
    FCmpSwap,
    /// Two sums of f16.
    PkAddF16,
    /// Two sums of bf16.
    PkAddBf16,
}

impl Op {
    /// Whether expected values come from software floats.
    pub fn is_float(self) -> bool {
        matches!(self, Op::FAdd | Op::FMin | Op::FMax | Op::FCmpSwap | Op::PkAddF16 | Op::PkAddBf16)
    }

    /// Whether there is a second operand.
    pub fn takes_two(self) -> bool {
        matches!(self, Op::CmpSwap | Op::FCmpSwap | Op::Wrap | Op::MskOr)
    }
}

/// An atomic: the two parts of its name in DS (between which stands `rtn` or `src2`), its names in
/// memory, what it does to how many bits.
pub struct Atomic {
    pub ds: (&'static str, &'static str),
    pub memory: &'static [&'static str],
    pub op: Op,
    pub bits: u32,
    /// The first operand is what is compared, the second what is stored.
    pub compare_first: bool,
}

const fn atomic(ds: (&'static str, &'static str), memory: &'static [&'static str], op: Op, bits: u32) -> Atomic {
    Atomic { ds, memory, op, bits, compare_first: false }
}

/// MEMORY_FACTS 14 has the formulas and the order of what is compared.
#[rustfmt::skip]
pub const ATOMICS: &[Atomic] = &[
    atomic(("wrxchg", "b32"), &["swap"], Op::Swap, 32),
    atomic(("wrxchg", "b64"), &["swap_x2"], Op::Swap, 64),
    // `ds_write_src2`: what is at the other address.
    atomic(("write", "b32"), &[], Op::Swap, 32),
    atomic(("write", "b64"), &[], Op::Swap, 64),
    Atomic { compare_first: true, ..atomic(("cmpst", "b32"), &[], Op::CmpSwap, 32) },
    Atomic { compare_first: true, ..atomic(("cmpst", "b64"), &[], Op::CmpSwap, 64) },
    Atomic { compare_first: true, ..atomic(("cmpst", "f32"), &[], Op::FCmpSwap, 32) },
    Atomic { compare_first: true, ..atomic(("cmpst", "f64"), &[], Op::FCmpSwap, 64) },
    atomic(("cmpstore", "b32"), &["cmpswap"], Op::CmpSwap, 32),
    atomic(("cmpstore", "b64"), &["cmpswap_x2"], Op::CmpSwap, 64),
    atomic(("cmpstore", "f32"), &["fcmpswap"], Op::FCmpSwap, 32),
    atomic(("cmpstore", "f64"), &["fcmpswap_x2"], Op::FCmpSwap, 64),
    atomic(("add", "u32"), &["add"], Op::Add, 32),
    atomic(("add", "u64"), &["add_x2"], Op::Add, 64),
    atomic(("sub", "u32"), &["sub"], Op::Sub, 32),
    atomic(("sub", "u64"), &["sub_x2"], Op::Sub, 64),
    atomic(("rsub", "u32"), &["rsub"], Op::RSub, 32),
    atomic(("rsub", "u64"), &["rsub_x2"], Op::RSub, 64),
    atomic(("min", "i32"), &["smin"], Op::SMin, 32),
    atomic(("min", "i64"), &["smin_x2"], Op::SMin, 64),
    atomic(("min", "u32"), &["umin"], Op::UMin, 32),
    atomic(("min", "u64"), &["umin_x2"], Op::UMin, 64),
    atomic(("max", "i32"), &["smax"], Op::SMax, 32),
    atomic(("max", "i64"), &["smax_x2"], Op::SMax, 64),
    atomic(("max", "u32"), &["umax"], Op::UMax, 32),
    atomic(("max", "u64"), &["umax_x2"], Op::UMax, 64),
    atomic(("and", "b32"), &["and"], Op::And, 32),
    atomic(("and", "b64"), &["and_x2"], Op::And, 64),
    atomic(("or", "b32"), &["or"], Op::Or, 32),
    atomic(("or", "b64"), &["or_x2"], Op::Or, 64),
    atomic(("xor", "b32"), &["xor"], Op::Xor, 32),
    atomic(("xor", "b64"), &["xor_x2"], Op::Xor, 64),
    atomic(("inc", "u32"), &["inc"], Op::Inc, 32),
    atomic(("inc", "u64"), &["inc_x2"], Op::Inc, 64),
    atomic(("dec", "u32"), &["dec"], Op::Dec, 32),
    atomic(("dec", "u64"), &["dec_x2"], Op::Dec, 64),
    atomic(("sub_clamp", "u32"), &["csub", "sub_clamp_u32"], Op::SubClamp, 32),
    atomic(("cond_sub", "u32"), &["cond_sub_u32"], Op::CondSub, 32),
    atomic(("wrap", "b32"), &[], Op::Wrap, 32),
    atomic(("mskor", "b32"), &[], Op::MskOr, 32),
    atomic(("mskor", "b64"), &[], Op::MskOr, 64),
    atomic(("condxchg32", "b64"), &[], Op::CondXchg, 64),
    atomic(("ordered_add", "b64"), &["ordered_add_b64"], Op::OrderedAdd, 64),
    atomic(("add", "f32"), &["add_f32"], Op::FAdd, 32),
    atomic(("add", "f64"), &["add_f64"], Op::FAdd, 64),
    atomic(("min", "f32"), &["fmin"], Op::FMin, 32),
    atomic(("min", "f64"), &["fmin_x2", "min_f64"], Op::FMin, 64),
    atomic(("max", "f32"), &["fmax"], Op::FMax, 32),
    atomic(("max", "f64"), &["fmax_x2", "max_f64"], Op::FMax, 64),
    atomic(("pk_add", "f16"), &["pk_add_f16"], Op::PkAddF16, 32),
    atomic(("pk_add", "bf16"), &["pk_add_bf16"], Op::PkAddBf16, 32),
];

/// Rows that have tests of their own, by the beginning of their names: waves and groups wait for each other, lanes exchange what they load.
pub const TOGETHER: &[&str] = &["ds_gws_", "ds_ordered_count", "ds_add_gs_reg", "ds_sub_gs_reg", "global_load_tr_"];

/// Rows without a result: cache control and hints; clocks that no machine has.
#[rustfmt::skip]
pub const WITHOUT_RESULT: &[&str] = &[
    "ds_nop", "buffer_gl0_inv", "buffer_gl1_inv", "buffer_inv", "buffer_invl2", "buffer_wbinvl1", "buffer_wbinvl1_sc", "buffer_wbinvl1_vol",
    "buffer_wbl2", "global_inv", "global_wb", "global_wbinv", "s_atc_probe", "s_atc_probe_buffer", "s_dcache_discard",
    "s_dcache_discard_x2", "s_dcache_inv", "s_dcache_inv_vol", "s_dcache_wb", "s_dcache_wb_vol", "s_gl1_inv", "s_prefetch_data",
    "s_prefetch_data_pc_rel", "s_prefetch_inst", "s_prefetch_inst_pc_rel", "s_buffer_prefetch_data", "s_memtime", "s_memrealtime",
];
