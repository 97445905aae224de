//! Containers of machine code: ELF code objects and their kernel descriptors.
//!
//! - [`module`]: what the assembler hands over and what an object file is written from.

pub mod module;

pub use module::{KernelBlock, Module, Section, Symbol};
