//! From a case or a kernel to a dispatch that a [`Runner`](super::run::Runner) carries out, and back to an outcome.
//!
//! A [case] becomes a [`Program`](crate::program::Program), guest memory with its buffers, and a
//! [dispatch](super::dispatch) whose waves start with the case's registers. A [kernel] of a code object comes as a
//! [launch](crate::launch), which knows the same things from another source. How much memory all of it takes is added up
//! before the run ([`room`](super::room)).

pub mod case;
pub mod kernel;
