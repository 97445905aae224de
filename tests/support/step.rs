//! How much of what is counted through a long test takes.

/// One of so many is taken: all but where `STEP` in the environment says otherwise.
pub fn step() -> usize {
    std::env::var("STEP").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}
