//! Timing: what the machine's clock does while instructions run.
//!
//! So far [`issue`] alone: which unit an instruction goes to, and for how many clocks it keeps it. Latencies, dependencies, counters and
//! memory come behind it.

pub mod issue;

pub use issue::{Issue, Unit};
