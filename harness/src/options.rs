//! Options in a file: `@FILE` on the command line stands for the lines of the file, an option with its value on each.
//!
//! ```text
//! # What our CI runs.
//! --arch gfx900,gfx1100
//! --require vulkan
//! ```
//!
//! What stands behind the first blank of a line is the value, blanks and all. Files name no other files, and `@@x` on the command line is
//! the value `@x`.

use crate::files;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::Path;

/// The most that a file of options may have.
const MOST: u64 = 1 << 20;

/// The command line with the options of files in their places.
pub fn expand(args: impl Iterator<Item = OsString>) -> Result<Vec<OsString>> {
    let mut all = Vec::new();
    for arg in args {
        match arg.to_str().and_then(|arg| arg.strip_prefix('@')).filter(|file| !file.is_empty()) {
            Some(value) if value.starts_with('@') => all.push(value.into()),
            Some(file) => all.extend(read(file)?),
            None => all.push(arg),
        }
    }
    Ok(all)
}

fn read(file: &str) -> Result<Vec<OsString>> {
    Ok(lines(&files::read_text(Path::new(file), MOST).context("options can not be read from a file")?))
}

fn lines(text: &str) -> Vec<OsString> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words = lines.flat_map(|line| {
        let (option, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        [option, value.trim()].into_iter().filter(|word| !word.is_empty())
    });
    words.map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_option_and_its_value() {
        let text = "# for CI\n--arch gfx900\n\n  --filter v_add_f32 | x \n--all\nalu\n";
        assert_eq!(lines(text), ["--arch", "gfx900", "--filter", "v_add_f32 | x", "--all", "alu"]);
    }

    #[test]
    fn two_signs_are_a_value_that_begins_with_one() {
        let args = ["conform", "--filter", "@@x"].map(OsString::from);
        assert_eq!(expand(args.into_iter()).expect("no file"), ["conform", "--filter", "@x"]);
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let args = ["conform", "@no/such/file"].map(OsString::from);
        assert!(format!("{:#}", expand(args.into_iter()).expect_err("no file")).contains("no/such/file"));
    }
}
