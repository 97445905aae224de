//! A folder with all that is below it.

use std::path::{Path, PathBuf};

/// The files below a folder, in order, without what is hidden and what cargo builds.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let builds = folder.join("Cargo.toml").is_file();
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("a file");
        let name = entry.file_name();
        if name.to_string_lossy().starts_with('.') || (builds && name == "target") {
            continue;
        }
        if entry.file_type().expect("a file").is_dir() {
            all.extend(files(&entry.path()));
        } else {
            all.push(entry.path());
        }
    }
    all.sort();
    all
}
