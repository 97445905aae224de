//! Why a program ends without a result.

use ash::vk;
use std::fmt;

/// Why a program ends without a result.
#[derive(Debug)]
pub enum Stop {
    /// The device has not what the program needs.
    Lacks(String),
    /// A call failed, or what came back contradicts a law.
    Failed(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Lacks(what) => write!(f, "feature {what} missing"),
            Stop::Failed(why) => f.write_str(why),
        }
    }
}

/// A result or a reason.
pub type Done<T> = Result<T, Stop>;

/// What a program gives: words to be compared.
pub type Words = Done<Vec<u32>>;

/// Names the Vulkan call that failed.
pub trait Call<T> {
    /// The value, or the name of the call with its result.
    fn call(self, name: &str) -> Done<T>;
}

impl<T> Call<T> for Result<T, vk::Result> {
    fn call(self, name: &str) -> Done<T> {
        self.map_err(|result| Stop::Failed(format!("{name}: {result:?}")))
    }
}

/// A law that must hold.
pub fn law(holds: bool, what: impl FnOnce() -> String) -> Done<()> {
    if holds { Ok(()) } else { Err(Stop::Failed(what())) }
}
