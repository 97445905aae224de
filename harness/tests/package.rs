//! What is given to others: the crates can be packaged, with what belongs to them and nothing else, and say what they are.
//!
//! Nothing is built of the packages, which would take as long as all else. What a build could miss is looked for in the sources: the files that
//! they name.

mod tree;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cargo(args: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(args).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// What is published, and where it lies.
const PUBLISHED: [(&str, &str, &str); 4] = [
    ("wavediff", "", "src/lib.rs"),
    ("wavediff-harness", "harness", "src/main.rs"),
    ("wavediff-vgpu", "harness/vgpu", "src/lib.rs"),
    ("wavediff-preload", "harness/vgpu/preload", "src/lib.rs"),
];

/// The packages of the workspace that are published, as cargo reads them.
fn packages() -> Vec<Value> {
    let text = cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    let all = metadata["packages"].as_array().expect("packages").clone();
    all.into_iter().filter(|package| package["publish"].is_null()).collect()
}

#[test]
fn packages_hold_the_sources_and_what_a_reader_needs() {
    let mut named = 0;
    for (name, folder, source) in PUBLISHED {
        let text = cargo(&["package", "--list", "--allow-dirty", "--offline", "-p", name]);
        let files: Vec<&str> = text.lines().collect();
        for file in ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT", source] {
            assert!(files.contains(&file), "{name} lacks {file}: {files:?}");
        }
        let foreign = |file: &&&str| {
            let known = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
            !file.starts_with("src/")
                && !file.starts_with("Cargo.")
                && !known.contains(*file)
                && **file != ".cargo_vcs_info.json"
        };
        let foreign: Vec<_> = files.iter().filter(foreign).collect();
        assert!(foreign.is_empty(), "{name} carries {foreign:?}");
        // Every file of the sources is there: a table that is read at run time or while building would be missed by nobody else.
        let folder = root().join(folder);
        for path in tree::files(&folder.join("src")) {
            let own = path.strip_prefix(&folder).expect("below").to_string_lossy().into_owned();
            assert!(files.contains(&own.as_str()), "{name} lacks {own}");
            if own.ends_with(".rs") {
                for other in named_in(&std::fs::read_to_string(&path).expect("a source")) {
                    let other =
                        beside(&own, &other).unwrap_or_else(|| panic!("{name}: {own} names {other}, which is outside"));
                    assert!(files.contains(&other.as_str()), "{name} lacks {other}, which {own} names");
                    named += 1;
                }
            }
        }
    }
    assert!(named > 10, "{named} names");
}

/// The files that a source takes in, but for tests.
fn named_in(source: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut before = "";
    for line in source.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
        for start in ["#[path = \"", "include_str!(\"", "include_bytes!(\"", "include!(\""] {
            let names = line.split(start).skip(1).filter_map(|rest| rest.split('"').next());
            all.extend(names.filter(|_| before != "#[cfg(test)]").map(str::to_owned));
        }
        before = line;
    }
    all
}

/// A file named in another one, from the top of the package; nothing where that is left.
fn beside(file: &str, named: &str) -> Option<String> {
    let mut path: Vec<&str> = file.split('/').collect();
    path.pop();
    for part in named.split('/') {
        if part == ".." {
            path.pop()?;
        } else {
            path.push(part);
        }
    }
    Some(path.join("/"))
}

#[test]
fn what_is_given_to_others_is_built_for_it() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect("a file");
    let image = read("docs/ci/Dockerfile");
    assert!(
        image.contains("\nRUN cargo build --profile dist\n") && image.contains(" /src/target/dist/wavediff "),
        "{image}"
    );
    assert!(read("docs/start.md").contains("`cargo install --profile dist --path harness`"));
}

#[test]
fn packages_say_what_they_are() {
    let packages = packages();
    assert_eq!(packages.len(), PUBLISHED.len());
    let version = packages[0]["version"].as_str().expect("a version").to_owned();
    for package in &packages {
        let name = package["name"].as_str().expect("a name");
        assert_eq!(package["version"], version.as_str(), "{name}");
        for key in ["description", "license", "readme", "rust_version"] {
            assert!(package[key].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {key}");
        }
        for (key, most) in [("keywords", 5), ("categories", 5)] {
            let count = package[key].as_array().map_or(0, Vec::len);
            assert!((1..=most).contains(&count), "{name} has {count} {key}");
        }
        // What a package depends on is found by its version where the folder is not there.
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            assert_ne!(dependency["req"], "*", "{name} takes any {}", dependency["name"]);
            if dependency["name"] == "wavediff" {
                assert_eq!(dependency["req"], format!("^{version}"));
            }
        }
    }
    let changes = std::fs::read_to_string(root().join("CHANGELOG.md")).expect("the changelog");
    assert!(changes.contains(&format!("\n## {version}")), "the changelog has no entry of {version}");
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let read = |path: PathBuf| std::fs::read_to_string(path).expect("a licence");
        for (name, folder, _) in PUBLISHED {
            assert_eq!(read(root().join(licence)), read(root().join(folder).join(licence)), "{name}: {licence}");
        }
    }
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let (_, dist) = manifest.split_once("[profile.dist]").expect("the profile");
    assert!(dist.split("\n[").next().is_some_and(|dist| dist.contains("strip = \"symbols\"")), "{dist}");
}
