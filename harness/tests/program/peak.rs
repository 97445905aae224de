//! How much memory a process takes at most, as Linux counts it.

use std::process::{Child, ExitStatus};
use std::time::Duration;

/// Waits for the end of a process, and gives what it took at most, in kilobytes: the last that is told of it.
pub fn ended(child: &mut Child) -> (ExitStatus, u64) {
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = line.and_then(|kilobytes| kilobytes.parse().ok()).unwrap_or(0).max(most);
        if let Some(ended) = child.try_wait().expect("a status") {
            return (ended, most);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
