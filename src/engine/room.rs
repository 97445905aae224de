//! How much memory a run would need, added up before it begins, and how much it may have.
//!
//! What a case asks for is kept to the byte, so that the sum is known: what is observed of every wave, local memory, buffers and scratch memory, the
//! waves that run at the same time. A run that would need more than it may have is an error which says so ([`EngineError::Memory`]), not a
//! process that the system ends. Programs that send messages or make their translations grow have limits of their own.

use super::EngineError;
use std::fmt;

/// What a run may take where the machine does not say what it has.
const UNKNOWN: u64 = 2 << 30;
/// What every machine has: for less nobody is asked.
const LITTLE: u64 = 64 << 20;

/// What a run needs, part by part.
#[derive(Clone, Debug, Default)]
pub struct Need {
    parts: Vec<(String, u64)>,
}

impl Need {
    /// Adds a part.
    pub fn add(&mut self, bytes: u64, what: impl Into<String>) {
        self.parts.push((what.into(), bytes));
    }

    /// All of it.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts.iter().fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes))
    }

    /// Whether it fits: into so many bytes, or into half of what the machine has left.
    ///
    /// # Errors
    /// [`EngineError::Memory`] if it does not.
    pub fn fits(&self, asked: Option<u64>) -> Result<(), EngineError> {
        let needs = self.bytes();
        if asked.is_none() && needs <= LITTLE {
            return Ok(());
        }
        let limit = limit(asked, free);
        if needs <= limit {
            return Ok(());
        }
        let most = self.parts.iter().max_by_key(|(_, bytes)| *bytes).map_or("", |(what, _)| what);
        Err(EngineError::Memory { needs, limit, most: most.to_owned() })
    }
}

/// How much a run may take: what was asked for, or half of what is left, which is found out only then.
fn limit(asked: Option<u64>, free: impl FnOnce() -> Option<u64>) -> u64 {
    asked.unwrap_or_else(|| free().map_or(UNKNOWN, |free| free / 2))
}

/// A number of bytes for people: `512 B`, `16.0 GiB`.
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((name, size)) = [("EiB", 60), ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
            .into_iter()
            .find(|(_, n)| self.0 >> n > 0)
        else {
            return write!(f, "{} B", self.0);
        };
        write!(f, "{:.1} {name}", self.0 as f64 / (1u64 << size) as f64)
    }
}

/// How much memory is left for processes here; nothing where the system does not say: only Linux does, which also knows the limits of containers.
#[must_use]
pub fn free() -> Option<u64> {
    left(|path| std::fs::read_to_string(path).ok())
}

/// What is left by the texts of the system's files: to the machine, or to the container where that is less.
fn left(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let machine = read("/proc/meminfo").and_then(|text| line_of(&text, "MemAvailable:"))?;
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let groups = [
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ];
    let left = groups.into_iter().filter_map(|(most, now)| Some(number(most)?.saturating_sub(number(now)?)));
    left.chain([machine]).min()
}

/// How much memory the machine has; nothing where the system does not say.
#[must_use]
pub fn total() -> Option<u64> {
    line_of(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// `MemAvailable:    8048 kB`
fn line_of(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_says_what_it_needs() {
        let mut need = Need::default();
        need.add(3 << 30, "buffers");
        need.add(16 << 30, "the state of 524288 waves");
        assert!(need.fits(Some(19 << 30)).is_ok());
        let error = need.fits(Some((19 << 30) - 1)).expect_err("too much");
        assert_eq!(
            error.to_string(),
            "the run needs 19.0 GiB of memory, most of it for the state of 524288 waves, and may have 19.0 GiB (--memory)"
        );
        need.add(u64::MAX, "more");
        assert!(need.fits(None).is_err());
        assert!(Need::default().fits(Some(0)).is_ok());
    }

    #[test]
    fn a_run_may_take_half_of_what_is_left() {
        assert_eq!(limit(Some(7), || panic!("who is told does not ask")), 7);
        assert_eq!(limit(None, || Some(6 << 30)), 3 << 30);
        assert_eq!(limit(None, || Some(0)), 0);
        assert_eq!(limit(None, || None), UNKNOWN);
        // Nobody is asked about a little.
        let mut need = Need::default();
        need.add(LITTLE, "buffers");
        assert!(need.fits(None).is_ok() && need.fits(Some(LITTLE)).is_ok() && need.fits(Some(LITTLE - 1)).is_err());
    }

    #[test]
    fn bytes_for_people() {
        for (bytes, text) in
            [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (200 << 20, "200.0 MiB"), (u64::MAX, "16.0 EiB")]
        {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }

    /// A machine with 2 GiB left, and what it says of containers.
    #[test]
    fn containers_have_less_than_the_machine() {
        let left_with = |files: &[(&str, &str)]| {
            left(|path| match path {
                "/proc/meminfo" => Some("MemTotal: 8388608 kB\nMemAvailable: 2097152 kB\n".to_owned()),
                _ => files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned()),
            })
        };
        let (most, now) = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
        let (old_most, old_now) =
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes");
        let gib: u64 = 1 << 30;
        for (files, wanted) in [
            (&[][..], 2 * gib),
            (&[(most, "1073741824\n"), (now, "1000\n")], gib - 1000),
            (&[(old_most, "1073741824\n"), (old_now, "1000\n")], gib - 1000),
            // No limit, or one that the machine does not have, or one that is exceeded.
            (&[(most, "max\n"), (now, "1000\n")], 2 * gib),
            (&[(old_most, "9223372036854771712\n"), (old_now, "0\n")], 2 * gib),
            (&[(most, "1073741824\n"), (now, "1073741825\n")], 0),
            // A limit of which nobody knows how much is used.
            (&[(most, "1073741824\n")], 2 * gib),
        ] {
            assert_eq!(left_with(files), Some(wanted), "{files:?}");
        }
        assert_eq!(left(|_| None), None, "where there is no such file nothing is known");
    }

    #[test]
    fn what_linux_says() {
        let text = "MemTotal:       24601824 kB\nMemFree:         1 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(line_of(text, "MemAvailable:"), Some(2 << 20));
        assert_eq!(line_of("MemTotal: 5 kB\n", "MemAvailable:"), None);
        #[cfg(target_os = "linux")]
        assert!(free().is_some_and(|free| total().is_some_and(|total| 0 < free && free <= total)));
    }
}
