//! Containers of machine code: ELF code objects and their kernel descriptors.
//!
//! - [`module`]: what the assembler hands over and what an object file is written from;
//! - [`target_id`]: a processor with the settings a loader must match;
//! - [`descriptor`]: the 64 bytes beside every kernel.

pub mod descriptor;
pub mod module;
pub mod target_id;

pub use module::{KernelBlock, Module, Section, Symbol};
