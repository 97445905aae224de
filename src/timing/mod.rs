//! Timing: what the machine's clock does while instructions run.
//!
//! [`issue`] says which unit an instruction goes to, and for how many clocks it keeps it. A [`machine`] is what a compute unit of a
//! generation has, as data. An [`op`] is what an instruction asks of it, and the [`model`] lets the waves of a compute unit issue and start
//! their instructions clock by clock; [`traffic`] is its part in memory. The emulator executes what is issued, in that order
//! ([`crate::emu::timed`]). A [`report`] says what a run took, and a [`probe`] is a program that measures an instruction on any engine:
//! a [`mod@bench`] runs it.

pub mod bench;
pub mod issue;
pub mod machine;
pub mod model;
pub mod op;
pub mod probe;
pub mod recall;
pub mod report;
mod simd;
mod state;
mod tally;
pub mod traffic;
mod wave;

pub use issue::{Issue, Unit};
pub use machine::Machine;
pub use report::{Event, Report, StepTime, WaveTime, Why};
