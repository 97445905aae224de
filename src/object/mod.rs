//! Containers of machine code: ELF code objects and their kernel descriptors.
//!
//! - [`target_id`]: a processor with the settings a loader must match;
//! - [`descriptor`]: the 64 bytes beside every kernel.

pub mod descriptor;
pub mod target_id;
