//! Machine code to SPIR-V.
pub mod alg;
pub mod cfg;
pub mod engine;
pub mod fault;
pub mod lanes;
pub mod lower;
pub mod meaning;
pub mod module;
pub mod soft;
pub mod state;
