//! Directions of dependence between the folders of `src`: what each knows is a table of `docs/architecture.md`.
//!
//! The table is exact: a folder that knows another one says so there, and what stands there is so. A folder knows only what stands
//! above it, so that there is no circle; and no engine knows another.
//!
//! Planted and noticed: `use crate::emu` in `src/spirv`, a line of the table too many, two lines in the other order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            all.extend(files(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            all.push(entry);
        }
    }
    all
}

/// The folders that a file names behind `crate::`, comments apart.
fn known(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    let names = code.flat_map(|line| line.split("crate::").skip(1));
    names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}

/// The rows of the table: each folder with those that it knows.
fn table(book: &str) -> Vec<(String, BTreeSet<String>)> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = book.lines().skip_while(|line| !line.starts_with("| folder | knows")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let row = cells(line);
            let folder = row[0].trim_matches('`').to_owned();
            (folder, row[1].split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect())
        })
        .collect()
}

#[test]
fn folders_know_what_the_book_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let book = std::fs::read_to_string(root.join("docs/architecture.md")).expect("the book");
    let rows = table(&book);
    let order: Vec<&String> = rows.iter().map(|(folder, _)| folder).collect();
    for (n, (folder, knows)) in rows.iter().enumerate() {
        for other in knows {
            assert!(order[..n].contains(&other), "{folder} knows {other}, which does not stand above it");
        }
    }

    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in std::fs::read_dir(root.join("src")).expect("src").map(|entry| entry.expect("an entry").path()) {
        if !entry.is_dir() {
            continue;
        }
        let folder = entry.file_name().expect("a name").to_string_lossy().into_owned();
        let all = files(&entry).into_iter().flat_map(|file| known(&std::fs::read_to_string(file).expect("a file")));
        let others = all.filter(|name| *name != folder && root.join("src").join(name).is_dir()).collect();
        found.insert(folder, others);
    }
    let said: BTreeMap<String, BTreeSet<String>> = rows.into_iter().collect();
    assert_eq!(found, said, "what folders know (left) is not what docs/architecture.md says (right)");
    assert!(!found["spirv"].contains("emu") && !found["emu"].contains("spirv"));
}

/// The two engines of R600 share what programs are and what is given and left, and no arithmetic.
#[test]
fn the_engines_of_r600_do_not_compute_for_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/r600");
    let code = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a file");
        text.lines().map(|line| line.split("//").next().unwrap_or("").to_owned() + "\n").collect::<String>()
    };
    let computes = ["emu::kernel", "emu::clause", "emu::execute", "emu::run(", "crate::emu::", "Kernel", "Host"];
    let (translation, emulator) = (files(&root.join("spirv")), files(&root.join("emu")));
    assert!(translation.len() > 5 && emulator.len() > 5, "the folders");
    for file in translation {
        let found = computes.iter().find(|name| code(&file).contains(**name));
        assert_eq!(found, None, "{}", file.display());
    }
    for file in emulator {
        assert!(!code(&file).contains("spirv"), "{}", file.display());
    }
}
