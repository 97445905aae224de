//! The CPU emulator.
//!
//! A [program](crate::program) is [planned](plan) once: each step gets a function, and the offsets at which its operands lie. A [`wave`] is scalar
//! registers under their operand codes and vector registers as arrays of lanes. Vector instructions run [kernels](kernel), which are the
//! [meanings](crate::isa::sem) of the rows carried out on 32 lanes at a time with the [algebra](alg) of the host, and lane by lane in
//! [integers](soft) where the host's floats are not the hardware's.
//!
//! Who calls whom: the [engine] gets a dispatch that is staged, plans its program and hands it to the [grid], which deals groups to threads; a
//! [group] gives its waves their turns, each in the bare loop, or in one that [looks at every step](traced);
//! or all waves of a compute unit take their turns as a [model of the machine's clock](timed) has them. What groups share beside memory is
//! [across] them.

pub mod across;
pub mod alg;
pub mod choices;
pub mod dpp;
pub mod engine;
mod export;
pub mod grid;
pub mod group;
mod hwreg;
pub mod kernel;
mod lanes;
mod matrix;
pub mod memory;
pub mod modes;
pub mod plan;
pub(crate) mod salu;
pub mod soft;
mod spoil;
#[cfg(test)]
#[path = "../../tests/support/step.rs"]
mod step;
pub mod timed;
pub mod traced;
mod traps;
pub mod unchecked;
mod vector;
pub mod wave;
