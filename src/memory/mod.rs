//! Guest memory, descriptors of buffers and images, data formats: shared by every machine.
//!
//! - [`guest`]: the memory waves share, a set of named regions of bytes at 48-bit addresses. Every fault is a value.
//! - [`buffer`]: buffer descriptors, the addresses they give, and what is in range.
//! - [`mod@format`]: what the bytes of typed and formatted accesses mean.
//! - [`image`]: image descriptors, and where the texel at some coordinates lies.
//! - [`rays`]: trees of boxes and triangles, and what a ray meets in them.
//! - [`lds`]: the local data share of a workgroup.
//! - [`scratch`]: scratch memory, and the words in which programs learn of it.
//! - [`atomic`]: what atomic operations do to a value.
//! - [`choices`]: what the books leave open, and what is done here.

pub mod atomic;
pub mod buffer;
pub mod choices;
pub mod format;
pub mod guest;
pub mod image;
pub mod lds;
pub mod plane;
pub mod rays;
pub mod scratch;
