//! Which numbers are asked for, where a number makes a program.

use std::ops::Range;

/// The range that an environment variable gives (`1000..1100`), or the usual one.
pub fn numbers(variable: &str, usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var(variable) else { return usual };
    let range = text.split_once("..").and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?));
    // Of none, all would be well.
    let some = range.filter(|range: &Range<u64>| !range.is_empty());
    some.unwrap_or_else(|| panic!("{variable} is a range of some numbers, as 1000..1100"))
}
