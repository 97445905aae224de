//! The CPU emulator.
//!
//! A [program](crate::program) is [planned](plan) once: each step gets a function, and the offsets at which its operands lie. A [`wave`] is scalar
//! registers under their operand codes and vector registers as arrays of lanes. Vector instructions run [kernels](kernel), which are the
//! [meanings](crate::isa::sem) of the rows carried out on 32 lanes at a time with the [algebra](alg) of the host, and lane by lane in
//! [integers](soft) where the host's floats are not the hardware's. [Groups](run) of waves share LDS and barriers.

pub mod alg;
pub mod choices;
pub mod dispatch;
pub mod engine;
mod hwreg;
pub mod kernel;
mod lanes;
mod matrix;
pub mod memory;
pub mod modes;
pub mod plan;
pub mod run;
pub(crate) mod salu;
pub mod soft;
mod spoil;
pub mod traced;
pub mod unchecked;
mod vector;
pub mod wave;
