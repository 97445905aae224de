//! Programs of tests, built by tests that run them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds the named test programs of a package, in the profile of this one; where they lie, by name.
pub fn build(package: &Path, names: &[&str]) -> Result<BTreeMap<String, PathBuf>, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let profile = own.parent().and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--no-run", "--message-format=json", "--manifest-path"]);
    cargo.arg(package.join("Cargo.toml"));
    match profile {
        Some("debug") => {}
        Some(name) => _ = cargo.args(["--profile", name]),
        None => return Err("no profile".to_owned()),
    }
    cargo.args(names.iter().flat_map(|name| ["--test", name]));
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err("the tests do not build".to_owned());
    }
    let mut paths = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if let (Some(name), Some(path)) = (message["target"]["name"].as_str(), message["executable"].as_str()) {
            paths.insert(name.to_owned(), PathBuf::from(path));
        }
    }
    match names.iter().find(|name| !paths.contains_key(**name)) {
        Some(missing) => Err(format!("no program {missing}")),
        None => Ok(paths),
    }
}
