//! Guest memory, buffer descriptors and data formats: shared by every machine.
//!
//! - [`guest`]: the memory waves share, a set of named regions of bytes at 48-bit addresses. Every fault is a value.
//! - [`buffer`]: buffer descriptors, the addresses they give, and what is in range.
//! - [`format`]: what the bytes of typed and formatted accesses mean.
//! - [`choices`]: what the books leave open, and what is done here.

pub mod buffer;
pub mod choices;
pub mod format;
pub mod guest;
