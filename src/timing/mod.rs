//! Timing: what the machine's clock does while instructions run.
//!
//! [`issue`] says which unit an instruction goes to, and for how many clocks it keeps it. A [`probe`] is a program that measures this on
//! a machine. A [`report`] says what a run took.

pub mod issue;
pub mod probe;
pub mod report;

pub use issue::{Issue, Unit};
pub use report::{Event, Report, StepTime, WaveTime, Why};
