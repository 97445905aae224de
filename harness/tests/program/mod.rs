//! The program as a user runs it, and folders with files for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the program.
pub fn wavediff(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavediff")).args(args).output().expect("the program starts")
}

/// Its exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

/// What it printed.
pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What it complained of.
pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of its own for each test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", env!("CARGO_CRATE_NAME")));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Writes a file; gives its path.
pub fn file(folder: &Path, name: &str, contents: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a file");
    path.to_string_lossy().into_owned()
}
