//! From a kernel of a code object to the registers its waves start with.
//!
//! A launch has three steps, and each yields plain data; nothing here knows how waves are executed.
//!
//! 1. [`Loaded`]: a code object laid out in guest memory: segments at a base address, relocations applied, kernels by name.
//! 2. [`Dispatch`]: one kernel over one grid with its arguments: what the runtime writes (argument segment, dispatch packet,
//!    queue, scratch memory, buffers), as [`Mapping`]s beside those of the code object.
//! 3. [`Initial`]: what the hardware writes: the registers of one wave, from [`Dispatch::wave`].
//!
//! Who does what on a real machine decides where it is found here: the compiler's wishes are in the kernel descriptor
//! ([`Kernel`]), the runtime's part is in [`Dispatch`], and the order of registers is the command processor's (`wave`).
//! [`compute`] takes a dispatch from the registers of a command processor.
//! [`radv`] stages shaders of the Vulkan driver RADV as its driver does; behind it everything is as for kernels.
//!
//! Addresses, sizes of what has no natural size, and what undefined registers hold are [`Options`].
//!
//! ```
//! use wavediff::launch::{Arg, LaunchError, Value};
//! let arg: Arg = "u32:5".parse()?;
//! assert_eq!(arg.value()?, Value::u32(5));
//! # Ok::<(), LaunchError>(())
//! ```

mod arg;
pub mod compute;
mod dispatch;
mod error;
mod geometry;
mod kernarg;
mod kernel;
mod linkable;
mod load;
mod options;
mod queue;
pub mod radv;
mod scratch;
mod wave;

pub use crate::object::start::mode;
pub use arg::{Arg, ArgError, Buffer, MAX_BUFFERS, Scalar, Value, zeroes};
pub use dispatch::{Dispatch, Output, Resources};
pub use error::LaunchError;
pub use geometry::Geometry;
pub use kernarg::{Content, HIDDEN, Hidden};
pub use kernel::{Kernel, USER_SGPRS, UserContent, UserRow};
pub use load::{CODE_PADDING, Loaded, MAX_IMAGE};
pub use options::{Apertures, Fill, Layout, Options, apertures};
pub use queue::{PACKET_SIZE, QUEUE_SIZE};
pub use scratch::Scratch;
pub use wave::Initial;

/// A piece of guest memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// What it is, for messages: `code`, `kernarg`, `arg 0`.
    pub name: String,
    /// Its guest address.
    pub base: u64,
    /// What it holds at the start.
    pub bytes: Vec<u8>,
    /// Whether the program may write to it.
    pub writable: bool,
}

impl Mapping {
    /// The address behind the last byte.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.base.saturating_add(self.bytes.len() as u64)
    }
}

/// Little-endian numbers in a block of memory whose offsets are constants: what does not fit is left out.
fn put(block: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(field) = at.checked_add(bytes.len()).and_then(|end| block.get_mut(at..end)) {
        field.copy_from_slice(bytes);
    }
}
