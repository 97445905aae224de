//! What single rows have of their own, and no column says: found by name, here and nowhere else.

use super::Gen;
use super::row::{Family, Inst, Traits};

/// Whether the 64-bit sources of a row are signed, so that a literal is extended by its sign: `s_ashr_i64`, `v_mad_i64_i32`.
#[must_use]
pub fn extends_literals(row: &Inst) -> bool {
    row.name.ends_with("_i64") || row.name.ends_with("_i32")
}

/// Whether a compare writes EXEC.
#[must_use]
pub fn compares_to_exec(row: &Inst) -> bool {
    row.name.starts_with("v_cmpx") || row.name.starts_with("v_cmpsx")
}

/// Whether a row has integer sources whose signs the instruction says.
#[must_use]
pub fn chooses_signs(row: &Inst) -> bool {
    row.name.contains("_iu")
}

/// Whether gfx9 leaves the upper half of a register alone where a 16-bit result goes to the lower one: what accumulates does, the mix instructions, and
/// what is VOP3 only and has halves to select. (LLVM lists those that clear it, by experiment, and no such VOP3 instruction is among them; ACO relies
/// on all of them keeping it.)
#[must_use]
pub fn keeps_upper_half_on_gfx9(row: &Inst) -> bool {
    let accumulates = row.traits.contains(Traits::TIED) || row.name.contains("madak") || row.name.contains("madmk");
    let selects = row.family == Family::Vop3 && row.traits.contains(Traits::OP_SEL);
    accumulates || selects || row.traits.contains(Traits::MIX)
}

/// Whether it is one of the "legacy" multiply-adds of gfx9, which clear the upper half as gfx8 did.
#[must_use]
pub fn is_legacy_on_gfx9(row: &Inst) -> bool {
    matches!(
        row.name_in(Gen::Gfx9),
        "v_mad_legacy_f16" | "v_mad_legacy_u16" | "v_mad_legacy_i16" | "v_interp_p2_legacy_f16"
    )
}

/// Whether a mix instruction flushes the denormals of its f16 sources.
#[must_use]
pub fn flushes_halves(row: &Inst) -> bool {
    row.name.starts_with("v_mad_mix")
}

/// Which half of a register a mix instruction writes: the upper one or not; nothing where it writes all of it.
#[must_use]
pub fn mixes_to(row: &Inst) -> Option<bool> {
    match row.name {
        name if name.ends_with("mixlo_f16") => Some(false),
        name if name.ends_with("mixhi_f16") => Some(true),
        _ => None,
    }
}

/// Whether what it computes is of the numbers of lanes.
#[must_use]
pub fn counts_lanes(row: &Inst) -> bool {
    row.name.starts_with("v_mbcnt")
}

/// The number formats beyond integers and f32 that a row has to do with, and dot products.
pub fn number_formats(row: &Inst) -> impl Iterator<Item = &'static str> {
    const PARTS: [(&str, &str); 6] = [
        ("_f64", "f64"),
        ("_f16", "f16"),
        ("_bf16", "bf16"),
        ("_fp8", "fp8"),
        ("_bf8", "fp8"),
        ("v_dot", "dot products"),
    ];
    PARTS.into_iter().filter(|(part, _)| row.name.contains(part)).map(|(_, feature)| feature)
}

/// The row of a half of a dual instruction, by the name that forms have of it.
#[must_use]
pub fn second_half(name: &str, generation: Gen) -> Option<&'static Inst> {
    super::gcn::rows().find(|row| row.family == Family::Vopd && row.name_in(generation) == name)
}
