//! Containers of machine code: ELF code objects and their kernel descriptors. They are written from what the
//! [assembler hands over](crate::asm::module).
//!
//! - [`target_id`]: a processor with the settings a loader must match;
//! - [`descriptor`]: the 64 bytes beside every kernel;
//! - [`radv`]: compute shaders as the Vulkan driver RADV leaves them;
//! - [`start`]: the registers that a wave finds, as its descriptor asks for them;
//! - [`metadata`]: names and arguments, in [`msgpack`] inside a file and in [`yaml`] in assembly;
//! - [`writer`], [`link`], [`reader`]: ELF files, as an assembler makes them, as a loader takes them, and both read.

pub mod descriptor;
mod elf;
pub mod error;
pub mod link;
pub mod metadata;
pub mod msgpack;
pub mod radv;
pub mod reader;
pub mod start;
pub mod target_id;
pub mod writer;
pub mod yaml;

pub use error::ObjectError;
pub use link::write_shared;
pub use reader::CodeObject;
pub use writer::write;
