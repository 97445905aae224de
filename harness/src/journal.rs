//! The journal of a conformance run: what was asked, then what came of it, one JSON object a line.
//!
//! ```text
//! {"kind":"header", ...}     what runs: suites, processors, engines with their drivers, seed, shard
//! {"kind":"unit", ...}       one unit on one engine: how many cases of each row passed, and all that did not, with both values
//! {"kind":"end", ...}        the run came to its end, or was stopped
//! ```
//!
//! Lines are written whole and flushed, so that a run that is killed loses at most the unit under way; a last line without an end is dropped when a
//! journal is read. A run that was resumed has several headers and ends; a unit is there once for each engine. Everything else about a run, the
//! summary on the terminal, HTML, JUnit and comparisons, is made from this file.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use wavediff::engine::Status;

/// The format of the lines; another one is refused.
pub const FORMAT: u32 = 1;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// What runs.
    Header(Header),
    /// What came of a unit.
    Unit(Unit),
    /// The run is over.
    End(End),
}

/// What a run is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// What the units depend on, as a digest: a journal is continued only by a run of the same plan.
    pub plan: String,
    /// How many units this run has (of its shard).
    pub units: u64,
    /// The suites.
    pub suites: Vec<String>,
    /// The processors.
    pub archs: Vec<String>,
    /// The engines; the first is what the others are compared with.
    pub engines: Vec<EngineInfo>,
    /// What chance starts from.
    pub seed: u64,
    /// Which part of all units, counted from 1, and of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<[u32; 2]>,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// The command line.
    pub command: Vec<String>,
    /// What was left out, and why: `no Vulkan loader`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// An engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInfo {
    /// `emu`, `vulkan:llvmpipe (LLVM 15.0.6, 256 bits)`
    pub name: String,
    /// The driver and its version; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub driver: String,
}

/// What came of a unit on an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// `alu/gfx1100-w64/0012`: the same in every run of the same plan.
    pub unit: String,
    /// The suite.
    pub suite: String,
    /// The processor.
    pub arch: String,
    /// Lanes of a wave.
    pub lanes: u32,
    /// The engine that was compared with the first one.
    pub engine: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Cases by row (or by name, where a case is a file) and status.
    pub rows: BTreeMap<String, BTreeMap<String, u64>>,
    /// Every case that did not pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<CaseResult>,
}

/// A case that did not pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case: the unit's name and a number or name in it.
    pub case: String,
    /// Its row.
    pub row: String,
    /// The instruction as text, or the case's file.
    pub text: String,
    /// The name of a [`Status`].
    pub status: String,
    /// Why; for what is unsupported, what it needs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// How many cases of the unit this stands for: all input sets of an instruction that is unsupported are one line.
    pub count: u64,
    /// Where the engines differ first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Shown>,
    /// The command that shows it again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub again: String,
}

/// A difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// `v3 lane 5`, `vcc`, `out[0x10]`
    pub place: String,
    /// What the first engine left.
    pub expected: String,
    /// What the other left.
    pub got: String,
}

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Somebody stopped it.
    pub interrupted: bool,
    /// How long it ran.
    pub seconds: f64,
}

impl CaseResult {
    /// The verdict.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        status(&self.status)
    }
}

/// A status by its name.
#[must_use]
pub fn status(name: &str) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status.name() == name)
}

impl Unit {
    /// How many cases have a status.
    #[must_use]
    pub fn count(&self, status: Status) -> u64 {
        self.rows.values().filter_map(|row| row.get(status.name())).sum()
    }

    /// How many cases there are.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.rows.values().flat_map(BTreeMap::values).sum()
    }

    /// Counts cases of a row.
    pub fn add(&mut self, row: &str, status: Status, count: u64) {
        if count > 0 {
            *self.rows.entry(row.to_owned()).or_default().entry(status.name().to_owned()).or_default() += count;
        }
    }
}

/// A journal that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// The header; of a run that was resumed, the first one.
    pub header: Header,
    /// The units, in the order in which they came.
    pub units: Vec<Unit>,
    /// The end; nothing if the run was cut off.
    pub end: Option<End>,
    /// How many bytes of the file are whole lines.
    pub whole: u64,
}

impl Journal {
    /// Reads a journal.
    pub fn read(path: &Path) -> Result<Journal> {
        let name = path.display();
        let text = std::fs::read(path).with_context(|| format!("{name} can not be read"))?;
        Journal::parse(&text).with_context(|| format!("{name} is no journal of a conformance run"))
    }

    /// Reads the bytes of a journal. What stands behind the last end of line was cut off while it was written.
    pub fn parse(bytes: &[u8]) -> Result<Journal> {
        let mut journal = Journal::default();
        let mut headers = 0;
        for (n, line) in (1..).zip(bytes.split_inclusive(|b| *b == b'\n')) {
            if !line.ends_with(b"\n") {
                break;
            }
            journal.whole += line.len() as u64;
            match serde_json::from_slice(line).with_context(|| format!("line {n}"))? {
                Line::Header(header) if header.format != FORMAT => {
                    bail!("line {n}: format {}, and this program knows {FORMAT}", header.format)
                }
                Line::Header(header) => {
                    headers += 1;
                    journal.end = None;
                    if headers == 1 {
                        journal.header = header;
                    }
                }
                Line::Unit(unit) => journal.units.push(unit),
                Line::End(end) => journal.end = Some(end),
            }
        }
        if headers == 0 {
            bail!("there is no header");
        }
        Ok(journal)
    }
}

/// A journal that is written.
pub struct Writer {
    file: BufWriter<File>,
}

impl Writer {
    /// Begins a journal.
    pub fn create(path: &Path, header: &Header) -> Result<Writer> {
        let file = File::create(path).with_context(|| format!("{} can not be written", path.display()))?;
        let mut writer = Writer { file: BufWriter::new(file) };
        writer.line(&Line::Header(header.clone()))?;
        Ok(writer)
    }

    /// Goes on behind the whole lines of a journal.
    pub fn resume(path: &Path, whole: u64, header: &Header) -> Result<Writer> {
        let open = || -> std::io::Result<File> {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.set_len(whole)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().with_context(|| format!("{} can not be continued", path.display()))?;
        let mut writer = Writer { file: BufWriter::new(file) };
        writer.line(&Line::Header(header.clone()))?;
        Ok(writer)
    }

    /// Writes a line, and sees that it is in the file.
    pub fn line(&mut self, line: &Line) -> Result<()> {
        serde_json::to_writer(&mut self.file, line)?;
        self.file.write_all(b"\n")?;
        self.file.flush()?;
        self.file.get_ref().sync_data().context("the journal can not be written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str) -> Unit {
        let mut unit = Unit { unit: name.to_owned(), engine: "emu".to_owned(), ..Unit::default() };
        unit.add("v_add_f32", Status::Pass, 8);
        unit.add("v_add_f32", Status::Fail, 1);
        unit
    }

    #[test]
    fn a_journal_that_was_cut_off_keeps_its_whole_lines() {
        let folder = std::env::temp_dir().join(format!("wavediff-journal-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("run.jsonl");
        let header = Header { format: FORMAT, units: 3, ..Header::default() };
        let mut writer = Writer::create(&path, &header).expect("a file");
        for name in ["a", "b"] {
            writer.line(&Line::Unit(unit(name))).expect("a line");
        }
        drop(writer);
        let mut bytes = std::fs::read(&path).expect("a file");
        let last = bytes.len();
        bytes.truncate(last - 7);
        std::fs::write(&path, &bytes).expect("a file");
        let journal = Journal::read(&path).expect("a journal");
        assert_eq!(journal.units, [unit("a")]);
        // It goes on where the whole lines end.
        let mut writer = Writer::resume(&path, journal.whole, &header).expect("a file");
        writer.line(&Line::Unit(unit("b"))).expect("a line");
        writer.line(&Line::End(End { interrupted: false, seconds: 1.5 })).expect("a line");
        let journal = Journal::read(&path).expect("a journal");
        assert_eq!(journal.units, [unit("a"), unit("b")]);
        assert_eq!(journal.end, Some(End { interrupted: false, seconds: 1.5 }));
        assert_eq!(journal.units[0].count(Status::Fail), 1);
        assert_eq!(journal.units[0].cases(), 9);
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn what_is_no_journal_is_refused() {
        for text in ["", "{}\n", "{\"kind\":\"end\",\"interrupted\":false,\"seconds\":1}\n", "nothing\n"] {
            assert!(Journal::parse(text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
