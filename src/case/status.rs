//! Verdicts.

use std::fmt;

/// The verdict on one case, target and engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// As expected.
    Pass,
    /// An observed value differs.
    Fail,
    /// The program trapped, and was not expected to.
    Trap,
    /// The engine went down.
    Crash,
    /// The engine did not come back in time.
    Timeout,
    /// The engine cannot run it, and says why.
    Unsupported,
    /// Once so, once so.
    Flake,
    /// It passes, and a list says that it fails.
    UnexpectedPass,
}

impl Status {
    /// Every status, in the order of reports.
    pub const ALL: [Status; 8] = [
        Status::Pass,
        Status::Fail,
        Status::Trap,
        Status::Crash,
        Status::Timeout,
        Status::Unsupported,
        Status::Flake,
        Status::UnexpectedPass,
    ];

    /// `unexpected-pass`
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Trap => "trap",
            Status::Crash => "crash",
            Status::Timeout => "timeout",
            Status::Unsupported => "unsupported",
            Status::Flake => "flake",
            Status::UnexpectedPass => "unexpected-pass",
        }
    }

    /// Whether a suite with such a case is not green. Failures that are listed as expected are no longer failures when this is asked.
    #[must_use]
    pub fn is_bad(self) -> bool {
        !matches!(self, Status::Pass | Status::Unsupported)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
