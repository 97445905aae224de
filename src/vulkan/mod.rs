//! Vulkan: SPIR-V words, bytes and buffers go in, bytes and times come out.
//!
//! This layer knows nothing of AMD's instructions. It loads the [`loader`] at run time, so that a machine without one is a reason to skip and
//! no failure; lists the devices with everything that a translator has to know of them ([`Caps`]); and runs compute pipelines over [`Buffer`]s:
//!
//! ```no_run
//! use wavediff::vulkan::{Choice, Job, Options, Shader, Vulkan};
//! # let words: Vec<u32> = Vec::new();
//! let vulkan = Vulkan::load(&Options { validate: true, ..Options::default() })?;
//! let device = vulkan.choose(&Choice::parse("llvmpipe"))?.open()?;
//! let pipeline = device.pipeline(&Shader { buffers: 1, ..Shader::new("square", &words) })?;
//! let numbers = device.buffer("numbers", &[1u32, 2, 3, 4])?;
//! let times = device.run(&Job::new(&pipeline, &[&numbers]))?;
//! println!("{:?} after {:?}", numbers.read::<u32>(0, 4)?, times.device);
//! # Ok::<(), wavediff::vulkan::Error>(())
//! ```
//!
//! What is made keeps what it is made of: buffers and pipelines their device, a device its instance, the instance its loader. So nothing is ever
//! freed too early, and nothing is left when the last of them goes. The exception is a device that hangs, which [`Error::Timeout`] tells of.
//!
//! [Objects](object) are pipelines whose code comes as bytes of the driver's; memory may lie [where it is wanted](Device::chosen).

// Vulkan is a C interface whose rules the compiler can not see: who may use an object when, and what must live as long as what. They are kept
// here, in this module and nowhere else; each block says which rule it follows and why it holds.
#![allow(unsafe_code)]

mod buffer;
mod cache;
pub mod caps;
mod chosen;
mod device;
mod error;
mod instance;
pub mod loader;
mod log;
pub mod object;
mod pipeline;
mod probe;
mod record;
mod run;
mod timing;

pub use buffer::Buffer;
pub use caps::Caps;
pub use chosen::Chosen;
pub use device::{Device, Opening};
pub use error::Error;
pub use instance::{Choice, Gpu, Options, Vulkan};
pub use log::Log;
pub use pipeline::{Constant, Pipeline, Shader};
pub use probe::{Measured, MeasuredFloat};
pub use run::Job;
pub use timing::Times;
