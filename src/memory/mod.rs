//! Guest memory, buffer descriptors and data formats: shared by every machine.
//!
//! - [`guest`]: the memory waves share, a set of named regions of bytes at 48-bit addresses. Every fault is a value.

pub mod guest;
