//! From a row to its meaning.
//!
//! A meaning is looked up by the name of its row, with what distinguishes the use behind it: `v_mad_u64_u32 co clamp`, `v_dot4_i32_iu8 su`.
//! Besides what the row lists, a meaning may ask for the old destination ([`reads_dst`]) and then for a bit ([`bit`]); in this order.

use super::packed::{PACKED, PACKED32};
use super::{convert, scalar};
use crate::isa::arch::{Arch, Gen};
use crate::isa::does::Does;
use crate::isa::operand::Class;
use crate::isa::row::{Family, Inst, Traits};

/// How often the meaning is applied to one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Once.
    Whole,
    /// To each half of a register.
    Halves,
    /// To each register of a pair.
    Words,
    /// No meaning: each word of the result is chosen from a pair.
    Moved,
}

/// How often the meaning of a row is applied to a lane.
#[must_use]
pub fn packing(row: &Inst) -> Packing {
    match packed(row) {
        Some((packing, _)) => packing,
        None if row.name == "v_pk_mov_b32" => Packing::Moved,
        None => Packing::Whole,
    }
}

fn packed(row: &Inst) -> Option<(Packing, &'static str)> {
    let of =
        |list: &[(&str, &'static str)]| list.iter().find(|(name, _)| *name == row.name).map(|(_, meaning)| *meaning);
    of(PACKED).map(|m| (Packing::Halves, m)).or_else(|| of(PACKED32).map(|m| (Packing::Words, m)))
}

/// The bit a meaning reads as its last source, which no operand of the row stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bit {
    /// SCC.
    Scc,
    /// The lane's bit of VCC.
    Vcc,
}

/// Which bit the meaning of a row reads besides its operands.
#[must_use]
pub fn bit(row: &Inst) -> Option<Bit> {
    if scalar::READS_SCC.contains(&row.name) {
        Some(Bit::Scc)
    } else {
        row.traits.contains(Traits::READS_VCC).then_some(Bit::Vcc)
    }
}

/// Whether the meaning of a row takes the old destination.
#[must_use]
pub fn reads_dst(row: &Inst) -> bool {
    row.traits.contains(Traits::TIED)
        || row.src.iter().any(|o| o.class == Class::Tied)
        || scalar::READS_DST.contains(&row.name)
        || convert::READS_DST.contains(&row.name)
        || super::packed::READS_DST.contains(&row.name)
}

/// Whether the meaning of a row combines its source with EXEC, which is given as a second source; the result is the new EXEC.
#[must_use]
pub fn reads_exec(row: &Inst) -> bool {
    matches!(row.does, Does::CombinesExec { .. })
}

/// The name under which a row's meaning stands, without what distinguishes uses.
///
/// Compares that write EXEC or signal compute the same bit as those which do not; a half of a dual instruction is the instruction.
#[must_use]
pub fn base(row: &Inst) -> String {
    if let Some((_, name)) = packed(row) {
        return name.to_owned();
    }
    let name = match row.family {
        Family::Vopc => {
            row.name.split_once('_').and_then(|(_, rest)| rest.split_once('_')).map(|(_, rest)| ("v_cmp_", rest))
        }
        Family::Vopd => row.name.strip_prefix("v_dual_").map(|rest| ("v_", rest)),
        _ => None,
    };
    match name {
        Some((prefix, rest)) => format!("{prefix}{rest}"),
        None if row.src.iter().any(|o| o.class == Class::MaskOut) => format!("{} co", row.name),
        None => row.name.to_owned(),
    }
}

/// The words which tell the uses of a row apart that have meanings of their own: whether `a` and `b` are signed where negation bits say
/// so, the byte that is written. One empty word where nothing does.
#[must_use]
pub fn uses(row: &Inst) -> &'static [&'static str] {
    match row.name {
        "v_dot4_i32_iu8" | "v_dot8_i32_iu4" => &["uu", "us", "su", "ss"],
        "v_cvt_sr_fp8_f32" | "v_cvt_sr_bf8_f32" => &["byte0", "byte1", "byte2", "byte3"],
        _ => &[""],
    }
}

/// The keys of a row's meaning on a processor, the first that exists being the one. `word` is one of [`uses`]; `clamp` asks for a result
/// that saturates, which is no matter where no integer could.
pub fn candidates(row: &Inst, arch: &Arch, word: &str, clamp: bool) -> impl Iterator<Item = String> {
    let mut key = base(row);
    if !word.is_empty() {
        key.push(' ');
        key.push_str(word);
    }
    let clamped = clamp.then(|| format!("{key} clamp"));
    let newest = arch.generation as usize;
    clamped.into_iter().chain([key]).flat_map(move |key| {
        let generations = Gen::ALL[1..=newest].iter().rev().map(|g| format!("{key}@{}", g.name())).collect::<Vec<_>>();
        generations.into_iter().chain([key])
    })
}
