//! Programs of tests, built by tests that run them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds test programs, each the name of one in a package's folder, in the profile of this one; where they lie, by name.
///
/// Cargo looks for them in the whole workspace, as who runs all tests has it do: of other packages than these it would unite other wishes for
/// what they depend on, and build that again. Packages may have programs of one name.
pub fn build(programs: &[(&Path, &str)]) -> Result<BTreeMap<String, PathBuf>, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let profile = own.parent().and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--workspace", "--no-run", "--message-format=json"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    match profile {
        Some("debug") => {}
        Some(name) => _ = cargo.args(["--profile", name]),
        None => return Err("no profile".to_owned()),
    }
    cargo.args(programs.iter().flat_map(|(_, name)| ["--test", name]));
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err("the tests do not build".to_owned());
    }
    let mut paths = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let of = |key: &str| message[key].as_str().map(Path::new);
        let (Some(name), Some(manifest), Some(path)) =
            (message["target"]["name"].as_str(), of("manifest_path"), of("executable"))
        else {
            continue;
        };
        if programs.iter().any(|(folder, wanted)| *wanted == name && manifest.parent() == Some(*folder)) {
            paths.insert(name.to_owned(), path.to_owned());
        }
    }
    match programs.iter().find(|(_, name)| !paths.contains_key(*name)) {
        Some((folder, missing)) => Err(format!("no program {missing} in {}", folder.display())),
        None => Ok(paths),
    }
}
