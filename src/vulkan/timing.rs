//! Two clocks of a run: the device's, which sees the dispatch alone, and the host's, which sees everything.

use super::caps::Time;
use std::time::Duration;

/// How long a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The dispatch, by the device's timestamps; nothing where it has none.
    pub device: Option<Duration>,
    /// From the submission to the moment when the host knew that it was done, with all copies.
    pub host: Duration,
}

/// The time between two timestamps. Only the lower bits count, and they wrap.
pub(super) fn between([start, end]: [u64; 2], time: &Time) -> Duration {
    let mask = if time.bits >= 64 { u64::MAX } else { (1 << time.bits) - 1 };
    let ticks = end.wrapping_sub(start) & mask;
    Duration::from_nanos((ticks as f64 * f64::from(time.period)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_wrap_in_the_bits_that_count() {
        let time = Time { period: 40.0, bits: 36, ..Time::default() };
        assert_eq!(between([100, 105], &time), Duration::from_nanos(200));
        assert_eq!(between([(1 << 36) - 2, 3], &time), Duration::from_nanos(200));
        // What lies above the bits that count is noise.
        assert_eq!(between([0xf0_0000_0000, 5], &time), Duration::from_nanos(200));
        let time = Time { period: 1.0, bits: 64, ..Time::default() };
        assert_eq!(between([u64::MAX, 1], &time), Duration::from_nanos(2));
    }
}
