//! Work of twice the length: how much longer it takes, on every path through the library.
//!
//! `cargo bench --bench doubling` prints a line a path and fails where twice the input takes more than [`MOST`] times as long. Times are the best of some,
//! and a path that is over the mark is measured again, for the machine has other things to do as well. Arguments choose paths by their
//! names; `--length N` multiplies all lengths.

use std::process::ExitCode;
use std::time::{Duration, Instant};

#[path = "../tests/support/paths.rs"]
mod paths;

/// Twice the input may take so much longer.
const MOST: f64 = 2.3;
/// How often a time is taken, and how often a path is measured before it counts as slow.
const TIMES: usize = 5;
const TRIES: usize = 6;

fn best(work: &paths::Work) -> Duration {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..TIMES).map(|_| once()).min().unwrap_or_default()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let factor = arguments.iter().position(|a| a == "--length").and_then(|at| arguments.get(at + 1)?.parse().ok());
    let chosen: Vec<&String> = arguments.iter().take_while(|a| *a != "--length").collect();
    paths::warm_up();
    println!("{:36} {:>9} {:>10} {:>10}  ratio", "path", "length", "once", "twice");
    let mut slow = 0;
    for path in paths::PATHS {
        if !chosen.is_empty() && !chosen.iter().any(|part| path.name.contains(part.as_str())) {
            continue;
        }
        let length = path.length * factor.unwrap_or(1usize);
        let (once, twice) = ((path.work)(length), (path.work)(2 * length));
        let mut least = (f64::INFINITY, Duration::ZERO, Duration::ZERO);
        for _ in 0..TRIES {
            let (a, b) = (best(&once), best(&twice));
            let ratio = b.as_secs_f64() / a.as_secs_f64().max(1e-9);
            if ratio < least.0 {
                least = (ratio, a, b);
            }
            if ratio <= MOST {
                break;
            }
        }
        let (ratio, a, b) = least;
        let mark = if ratio > MOST { "  more than linear" } else { "" };
        slow += u32::from(ratio > MOST);
        println!("{:36} {length:9} {a:10.2?} {b:10.2?}  {ratio:5.2}{mark}", path.name);
    }
    if slow > 0 {
        println!("{slow} paths take more than {MOST} times as long for twice the input");
    }
    ExitCode::from(u8::from(slow > 0))
}
