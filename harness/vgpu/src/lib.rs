//! A virtual AMD GPU: what stands in for the kernel's amdgpu driver, and for the card behind it.
//!
//! A Vulkan driver that knows nothing of it opens its device files, asks what it is, maps memory, submits command buffers and
//! waits for fences. Two halves answer:
//!
//! - the [`kernel`]: device files and their ioctls: objects, addresses, fences, a thread for each ring;
//! - the [`card`]: what the command processor does with the packets of a ring, and what the shaders do, which the emulator runs.
//!
//! The kernel knows no packet and no shader, the card no ioctl and no file: between them stand [`card::Ib`], [`card::Space`] and
//! [`card::Lost`].
//!
//! Nothing here is exported under a name of the C library: that is the preloaded library's part.

pub mod card;
pub mod chips;
pub mod fault;
pub mod kernel;
pub mod laws;
pub mod settings;
