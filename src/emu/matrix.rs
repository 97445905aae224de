//! Matrix instructions: products of small matrices whose elements are spread over the lanes of a wave.
//!
//! Here are the dense products of RDNA, [`wmma`]. The sparse ones (`v_swmmac_*`) and those of CDNA (`v_mfma_*`, `v_smfmac_*`) have their place beside
//! it, but no step yet: programs with them stop as unsupported.

mod wmma;

use super::plan::{Code, Planner, Step};

/// The step of a matrix instruction.
pub(super) fn plan(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let name = code.form.row.name;
    match name.split('_').nth(1)? {
        "wmma" => wmma::plan(planner, code),
        // Later: "swmmac", "mfma", "smfmac".
        _ => None,
    }
}
