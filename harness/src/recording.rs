//! Recordings: what an engine once left, so that others can be compared with it where it is not there.
//!
//! A recording is a folder: `index.txt` says on what it was made and when, and has a line for each unit with a digest of what it is made of, the number of its
//! cases and a digest of their digests; beside it lies for each suite and processor one compressed file of lines `unit case digest`. All is sorted, so that the same results are
//! the same bytes, and the difference of two recordings can be read in their indexes.

use crate::conform::task::Numbers;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use wavediff::suite::judge::Digests;
use wavediff::suite::single::Digest;

/// The first line of an index.
const FIRST: &str = "wavediff recording 2";

/// What was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The name of its folder.
    pub name: String,
    /// The engine.
    pub engine: String,
    /// Its driver.
    pub driver: String,
    /// Whatever else says where it comes from: `date`, `host`, `command`, `version`.
    pub provenance: BTreeMap<String, String>,
    /// The numbers of its plan.
    pub numbers: Numbers,
    /// What was recorded by unit.
    pub units: BTreeMap<String, Recorded>,
}

/// What was recorded of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// What the unit was made of: see [`wavediff::suite::Unit::digest`]. A unit that is made of something else now has its name only.
    pub made_of: u64,
    /// Digests of results by case.
    pub digests: Digests,
}

impl Recording {
    /// All recordings in a folder, by name.
    pub fn all(folder: &Path) -> Result<Vec<Recording>> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> =
            entries.map(|e| e.path()).filter(|path| path.join("index.txt").is_file()).collect();
        folders.sort();
        folders.iter().map(|path| Recording::load(path)).collect()
    }

    /// Reads one.
    pub fn load(folder: &Path) -> Result<Recording> {
        let index = folder.join("index.txt");
        let text = std::fs::read_to_string(&index).with_context(|| format!("{} can not be read", index.display()))?;
        let mut recording =
            Recording::parse(&text).with_context(|| format!("{} is no index of a recording", index.display()))?;
        recording.name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let listed = std::mem::take(&mut recording.units);
        let groups: std::collections::BTreeSet<String> = listed.keys().map(|unit| payload(unit)).collect();
        for group in groups {
            let path = folder.join(group);
            let read = || -> Result<String> {
                let bytes = std::fs::read(&path)?;
                Ok(String::from_utf8(zstd::decode_all(&bytes[..])?)?)
            };
            for line in read().with_context(|| format!("{} can not be read", path.display()))?.lines() {
                let parts: Vec<&str> = line.split(' ').collect();
                let [unit, case, digest] = parts[..] else { bail!("{}: `{line}`", path.display()) };
                let digest =
                    u64::from_str_radix(digest, 16).with_context(|| format!("{}: `{line}`", path.display()))?;
                recording.units.entry(unit.to_owned()).or_default().digests.insert(case.to_owned(), digest);
            }
        }
        for (unit, Recorded { made_of, digests }) in &listed {
            let Some(found) =
                recording.units.get_mut(unit).filter(|found| digests.get("") == Some(&sum(&found.digests)))
            else {
                bail!("{}: what is recorded of {unit} does not fit its line in the index", index.display());
            };
            found.made_of = *made_of;
        }
        Ok(recording)
    }

    /// Reads an index: the units have the digests of their digests under an empty name.
    fn parse(text: &str) -> Result<Recording> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST) {
            bail!("it does not begin with `{FIRST}`");
        }
        let mut facts = BTreeMap::new();
        let mut units = BTreeMap::new();
        for line in lines.filter(|line| !line.is_empty()) {
            if let Some((key, value)) = line.split_once(": ") {
                facts.insert(key.to_owned(), value.to_owned());
                continue;
            }
            let parts: Vec<&str> = line.split_whitespace().collect();
            let [unit, made_of, _, digest] = parts[..] else { bail!("`{line}`") };
            let number = |text: &str| u64::from_str_radix(text, 16).with_context(|| format!("`{line}`"));
            let digests = Digests::from([(String::new(), number(digest)?)]);
            units.insert(unit.to_owned(), Recorded { made_of: number(made_of)?, digests });
        }
        let mut take = |key: &str| facts.remove(key).with_context(|| format!("`{key}` is missing"));
        let (engine, driver, plan) = (take("engine")?, take("driver")?, take("plan")?);
        let numbers = serde_json::from_str(&plan).context("`plan`")?;
        Ok(Recording { name: String::new(), engine, driver, provenance: facts, numbers, units })
    }

    /// Writes it to a folder.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).with_context(|| format!("{} can not be written", path.display()))
        };
        std::fs::create_dir_all(folder).with_context(|| format!("{} can not be made", folder.display()))?;
        let mut index = format!("{FIRST}\nengine: {}\ndriver: {}\n", self.engine, self.driver);
        for (key, value) in &self.provenance {
            let _ = writeln!(index, "{key}: {value}");
        }
        let _ = writeln!(index, "plan: {}\n", serde_json::to_string(&self.numbers)?);
        let mut payloads: BTreeMap<String, String> = BTreeMap::new();
        let width = self.units.keys().map(String::len).max().unwrap_or(0);
        for (unit, Recorded { made_of, digests }) in &self.units {
            let _ = writeln!(index, "{unit:width$} {made_of:016x} {:6} {:016x}", digests.len(), sum(digests));
            let lines = payloads.entry(payload(unit)).or_default();
            for (case, digest) in digests {
                let _ = writeln!(lines, "{unit} {case} {digest:016x}");
            }
        }
        for (name, lines) in payloads {
            write(&name, &zstd::encode_all(lines.as_bytes(), 19)?)?;
        }
        write("index.txt", index.as_bytes())
    }
}

/// The file that has the cases of a unit: `alu-gfx1100-w64.zst`.
fn payload(unit: &str) -> String {
    let mut parts = unit.split('/');
    let (suite, group) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    format!("{suite}-{group}.zst")
}

/// A digest of digests.
fn sum(digests: &Digests) -> u64 {
    let mut all = Digest::default();
    for (case, digest) in digests {
        all.bytes(case.as_bytes());
        all.word(*digest);
    }
    all.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = std::env::temp_dir().join(format!("wavediff-recording-{}", std::process::id()));
        let digests = |n: u64| Digests::from([("0.0".to_owned(), n), ("0.1".to_owned(), u64::MAX - n)]);
        let units = [("alu/gfx600-w64/0000", 1), ("alu/gfx600-w64/0001", 2), ("lds/gfx900-w64/0000", 3)];
        let recording = Recording {
            name: folder.file_name().expect("a name").to_string_lossy().into_owned(),
            engine: "vulkan:some device".to_owned(),
            driver: "a driver".to_owned(),
            provenance: BTreeMap::from([("date".to_owned(), "2026-11-22".to_owned())]),
            numbers: Numbers { mixed: 1, inputs: 2, seed: 3, programs: 4 },
            units: units
                .into_iter()
                .map(|(name, n)| (name.to_owned(), Recorded { made_of: !n, digests: digests(n) }))
                .collect(),
        };
        recording.save(&folder).expect("a folder");
        assert_eq!(Recording::load(&folder).expect("a recording"), recording);
        // A digest that does not fit is noticed.
        let index = folder.join("index.txt");
        let text = std::fs::read_to_string(&index).expect("an index");
        let changed = text.replace(&format!("{:016x}", sum(&digests(2))), &format!("{:016x}", sum(&digests(5))));
        assert_ne!(text, changed);
        std::fs::write(&index, changed).expect("an index");
        assert!(Recording::load(&folder).is_err());
        std::fs::remove_dir_all(&folder).expect("the folder");
    }
}
