//! Matrix instructions: products of small matrices whose elements are spread over the lanes of a wave.
//!
//! Here are the dense products of RDNA, [`wmma`]. The sparse ones (`v_swmmac_*`) and those of CDNA (`v_mfma_*`, `v_smfmac_*`) have their place beside
//! it, but no step yet: programs with them stop as unsupported.

mod wmma;

pub(super) use wmma::run;
