//! How much is tried where there is always more to try: little for who is new here, more in CI.

/// `few`, or `all` where `WAVEDIFF_THOROUGH` is set.
pub fn tries<N>(few: N, all: N) -> N {
    if std::env::var_os("WAVEDIFF_THOROUGH").is_some() { all } else { few }
}
