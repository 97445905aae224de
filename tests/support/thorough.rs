//! How many tries a test makes that could go on for ever: few for who is new here, all in CI.

/// `few`, or `all` where `WAVEDIFF_THOROUGH` is set.
pub fn tries<N>(few: N, all: N) -> N {
    if std::env::var_os("WAVEDIFF_THOROUGH").is_some() { all } else { few }
}
