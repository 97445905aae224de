//! Issue classes: the unit that an instruction goes to, and the clocks for which it keeps this unit from the next one of its kind.
//!
//! The clocks are those of the [table of machines](super::machine) where they were measured in public:
//!
//! * gfx906: rates of an MI50 for a wave of 64 lanes on one SIMD, which its author published with gcnasm.
//! * gfx1100 and gfx1200: the classes that traces of a wave of 32 lanes name, and the least clocks to the next issue, as tinygrad's
//!   examples recorded them. The f64 unit is called one of 16 clocks on gfx1100, and the next instruction comes after 32 on both. Of
//!   scalar products and floats and of matrices the clocks are those in the class's name: no two of them followed each other there.
//!
//! Of another processor nothing is said here: the model has figures for it, and says that they are not silicon's.
//! Where a row goes follows from its family, its types and what it [does](Does); only rows of which these do not tell stand in a
//! [list](LISTED).

use super::machine::{MEASURED, Machine, Source};
use crate::isa::Target;
use crate::isa::does::{Control, Does, Idle, Lanes, Way};
use crate::isa::operand::Ty;
use crate::isa::row::{Family, Inst};
use crate::isa::sem::signature;
use crate::program::{Program, Step};

/// What executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// None: it is done as it is issued.
    Immediate,
    /// The end of the wave.
    End,
    /// Scalar arithmetic, moves, bits and branches that are not calls.
    Scalar,
    /// Scalar products of 32 bits.
    ScalarMultiply,
    /// Scalar products of 64 bits.
    ScalarMultiplyWide,
    /// Scalar floats.
    ScalarFloat,
    /// A call.
    Call,
    /// Scalar loads.
    ScalarMemory,
    /// The vector unit at its full rate.
    Plain,
    /// Shifts and comparisons of 64 bits.
    Wide,
    /// Two results at once.
    Swap,
    /// Products of 32 bits, and sums of byte differences that are as slow.
    Multiply,
    /// Conversions of 32 bits and fewer, which only GCN tells from the plain ones.
    Convert,
    /// f64 but for its comparisons, and for what follows.
    Double,
    /// Sums, minima and maxima of f64, which only GCN tells from the others.
    DoubleAdd,
    /// Conversions from and to f64, which only GCN tells from the others.
    DoubleConvert,
    /// Roots, reciprocals, exponentials, logarithms, sines.
    Transcendental,
    /// The same with a scalar result.
    ScalarTranscendental,
    /// Interpolation.
    Interpolation,
    /// Matrices of 16-bit floats.
    MatrixOfHalves,
    /// Matrices of bytes and smaller.
    MatrixOfBytes,
    /// Reads of LDS, and lanes' exchanges which send no more than a read.
    LdsRead,
    /// Everything else in LDS.
    LdsWrite,
    /// Loads.
    MemoryRead,
    /// Stores and atomics.
    MemoryWrite,
}

/// What is known of how an instruction is issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The unit.
    pub unit: Unit,
    /// Clocks until the unit takes the next instruction of a wave; nothing where no public source says.
    pub clocks: Option<u8>,
    /// Vector registers of a lane that go to memory or LDS with it, addresses and data; one at least.
    pub words: u32,
}

/// Rows whose family and types do not tell their unit, by the names of their oldest generations.
#[rustfmt::skip]
const LISTED: &[(Unit, &[&str])] = &[
    (Unit::Immediate, &["s_version", "v_permlane64_b32"]),
    (Unit::ScalarMultiply, &["s_mul_i32", "s_mul_hi_i32", "s_mul_hi_u32", "s_mulk_i32"]),
    (Unit::ScalarMultiplyWide, &["s_mul_u64"]),
    // Two f32, whose pair of registers has the type of an f64.
    (Unit::Plain, &["v_cvt_pk_f32_fp8", "v_cvt_pk_f32_bf8"]),
    (Unit::Wide, &["v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64"]),
    (Unit::Swap, &["v_swap_b32", "v_swap_b16", "v_swaprel_b32"]),
    (Unit::Multiply, &[
        "v_mul_lo_u32", "v_mul_hi_u32", "v_mul_hi_i32", "v_mad_u64_u32", "v_mad_i64_i32",
        "v_qsad_pk_u16_u8", "v_mqsad_pk_u16_u8", "v_mqsad_u32_u8",
    ]),
    (Unit::Transcendental, &[
        "v_exp_f32", "v_log_f32", "v_rcp_f32", "v_rcp_iflag_f32", "v_rsq_f32", "v_sqrt_f32", "v_sin_f32", "v_cos_f32",
        "v_exp_f16", "v_log_f16", "v_rcp_f16", "v_rsq_f16", "v_sqrt_f16", "v_sin_f16", "v_cos_f16",
    ]),
    (Unit::ScalarTranscendental, &[
        "v_s_exp_f32", "v_s_log_f32", "v_s_rcp_f32", "v_s_rsq_f32", "v_s_sqrt_f32",
        "v_s_exp_f16", "v_s_log_f16", "v_s_rcp_f16", "v_s_rsq_f16", "v_s_sqrt_f16",
    ]),
    (Unit::MatrixOfHalves, &[
        "v_wmma_f32_16x16x16_f16", "v_wmma_f32_16x16x16_bf16", "v_wmma_f16_16x16x16_f16", "v_wmma_bf16_16x16x16_bf16",
        "v_swmmac_f32_16x16x32_f16", "v_swmmac_f32_16x16x32_bf16", "v_swmmac_f16_16x16x32_f16", "v_swmmac_bf16_16x16x32_bf16",
    ]),
];

impl Unit {
    /// What it is called in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Immediate => "none",
            Unit::End => "end of the wave",
            Unit::Scalar => "scalar",
            Unit::ScalarMultiply => "scalar product",
            Unit::ScalarMultiplyWide => "scalar product of 64 bits",
            Unit::ScalarFloat => "scalar float",
            Unit::Call => "call",
            Unit::ScalarMemory => "scalar memory",
            Unit::Plain => "vector",
            Unit::Wide => "vector, 64 bits",
            Unit::Swap => "vector, two results",
            Unit::Multiply => "vector product of 32 bits",
            Unit::Convert => "vector, conversion",
            Unit::Double => "f64",
            Unit::DoubleAdd => "f64, sum",
            Unit::DoubleConvert => "f64, conversion",
            Unit::Transcendental => "transcendental",
            Unit::ScalarTranscendental => "transcendental, scalar",
            Unit::Interpolation => "interpolation",
            Unit::MatrixOfHalves => "matrix of 16-bit floats",
            Unit::MatrixOfBytes => "matrix of bytes",
            Unit::LdsRead => "LDS, read",
            Unit::LdsWrite => "LDS, write",
            Unit::MemoryRead => "memory, read",
            Unit::MemoryWrite => "memory, write",
        }
    }

    /// Where a row goes; nothing for what takes part in no public trace: exports, images.
    #[must_use]
    pub fn of(row: &Inst) -> Option<Unit> {
        if let Some((unit, _)) = LISTED.iter().find(|(_, rows)| rows.contains(&row.name)) {
            return Some(*unit);
        }
        Some(match (row.does, row.family) {
            (Does::Control(Control::End), _) => Unit::End,
            (Does::Control(Control::Call), _) => Unit::Call,
            (Does::Idle(Idle::Prefetch), Family::Smem) => Unit::Immediate,
            (Does::Idle(_), Family::Sopp | Family::Sopk) => Unit::Immediate,
            (_, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp) => {
                if is_scalar_float(row) {
                    Unit::ScalarFloat
                } else {
                    Unit::Scalar
                }
            }
            (_, Family::Smem) => Unit::ScalarMemory,
            (Does::Product(_), Family::Vop3p) => Unit::MatrixOfBytes,
            (_, Family::Vopc) if types(row).any(|ty| ty.dwords() == 2 && ty != Ty::Mask) => Unit::Wide,
            (_, Family::Vop1 | Family::Vop2 | Family::Vop3) if types(row).any(|ty| ty == Ty::F64) => match row.name {
                name if name.starts_with("v_cvt_") => Unit::DoubleConvert,
                "v_add_f64" | "v_min_f64" | "v_max_f64" => Unit::DoubleAdd,
                _ => Unit::Double,
            },
            (_, Family::Vop1) if row.name.starts_with("v_cvt_") => Unit::Convert,
            (_, Family::Vinterp) => Unit::Interpolation,
            (_, Family::Vop1 | Family::Vop2 | Family::Vopc | Family::Vop3 | Family::Vop3p | Family::Vopd) => {
                Unit::Plain
            }
            (Does::Load(_) | Does::Lanes(Lanes::Swizzle), Family::Ds) => Unit::LdsRead,
            (_, Family::Ds) => Unit::LdsWrite,
            (does, Family::Flat | Family::Global | Family::Scratch | Family::Mubuf | Family::Mtbuf) => match does {
                Does::Load(_) => Unit::MemoryRead,
                Does::Store(_) | Does::Atomic(_) => Unit::MemoryWrite,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Clocks on a processor; nothing where no public source says.
    #[must_use]
    pub fn clocks(self, target: &Target) -> Option<u8> {
        let figure = Machine::of(target.arch).figure(self);
        let measured = MEASURED.contains(&target.arch.name) && figure.clocks_from == Source::Silicon;
        measured.then_some(figure.clocks as u8)
    }
}

/// The types of a row's operands.
fn types(row: &Inst) -> impl Iterator<Item = Ty> + '_ {
    std::iter::once(row.dst.ty).chain(row.src.iter().map(|operand| operand.ty))
}

/// Whether it computes floats, or of floats. Comparisons and conversions have types of bits in their rows, and floats in their meanings.
fn is_scalar_float(row: &Inst) -> bool {
    let by_meaning = signature::scalar(row.name).is_some_and(signature::Signature::knows_floats);
    by_meaning || types(row).any(Ty::is_float)
}

impl Issue {
    /// How a step is issued; nothing for a word that is no instruction, and for what takes part in no public trace.
    #[must_use]
    pub fn of(program: &Program, step: &Step) -> Option<Issue> {
        let row = step.row?;
        let unit = Unit::of(row)?;
        Some(Issue { unit, clocks: unit.clocks(&program.target), words: words(program, step) })
    }
}

/// The vector registers that a memory instruction sends. A load into a half keeps the other half of its result, which is not sent; a store
/// to memory by the number of the lane has no register for an address and sends one all the same, which one to LDS does not.
fn words(program: &Program, step: &Step) -> u32 {
    let (result, address) = match (step.does(), &step.memory) {
        (Some(Does::Load(_)), Some(access)) if access.dst != access.addr => (Some(access.dst), 0),
        (Some(Does::Store(_)), Some(access)) => {
            (None, u32::from(access.way == Way::LaneNumber && step.family() != Some(Family::Ds)))
        }
        _ => (None, 0),
    };
    let sent = program.uses(step).reads.vectors().filter(|n| Some(*n) != result).count();
    (sent as u32 + address).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::gcn;
    use std::collections::BTreeSet;

    /// A name that no row has would be listed for nothing; one that stands twice would have its second line ignored.
    #[test]
    fn listed_rows_exist_once() {
        let mut seen = BTreeSet::new();
        for name in LISTED.iter().flat_map(|(_, names)| *names) {
            assert!(gcn::rows().any(|row| row.name == *name), "{name}");
            assert!(seen.insert(name), "{name} stands twice");
        }
    }
}
