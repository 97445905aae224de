//! Journals that are cut, damaged, mixed, written by two: whatever happens to a file, nothing that is wrong counts, and nothing that is whole is lost.

use super::line::{crc32, decode, encode};
use super::writer::Writer;
use super::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn unit(name: &str) -> Unit {
    let mut unit = Unit { unit: name.to_owned(), engine: "emu".to_owned(), ..Unit::default() };
    unit.add("v_add_f32", Status::Pass, 8);
    unit.add("v_add_f32", Status::Fail, 1);
    unit
}

fn header() -> Header {
    let engines = vec![EngineInfo { name: "emu".to_owned(), driver: String::new() }];
    Header { format: FORMAT, version: "1.2.3".to_owned(), plan: "p".to_owned(), units: 3, engines, ..Header::default() }
}

const UNITS: [&str; 3] = ["a", "b", "c"];

fn units() -> HashSet<&'static str> {
    UNITS.into_iter().collect()
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("wavediff-journal-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("run.jsonl")
    }

    /// A whole journal, and its bytes.
    fn whole(&self) -> Vec<u8> {
        let mut writer = Writer::create(&self.file(), true, &header()).expect("a file");
        UNITS.into_iter().for_each(|name| writer.line(&Line::Unit(unit(name))).expect("a line"));
        writer.line(&Line::End(End { interrupted: false, seconds: 1.5 })).expect("a line");
        std::fs::read(self.file()).expect("a file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Goes on with a journal until all units are there, each once. Gives the journal as it is then.
fn finished(path: &Path) -> Journal {
    let (mut writer, journal) = Writer::resume(path, &header(), &units()).expect("a journal");
    let journal = journal.unwrap_or_default();
    for name in UNITS.into_iter().filter(|name| !journal.units.iter().any(|unit| unit.unit == *name)) {
        writer.line(&Line::Unit(unit(name))).expect("a line");
    }
    drop(writer);
    let journal = Journal::read(path).expect("a journal");
    let mut names: Vec<&str> = journal.units.iter().map(|unit| unit.unit.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, UNITS);
    journal
}

#[test]
fn the_checksum_is_that_of_zip_files() {
    assert_eq!((crc32(b""), crc32(b"123456789")), (0, 0xcbf4_3926));
    let bytes = encode(&Line::Unit(unit("a"))).expect("a line");
    let (end, line) = bytes.split_last().expect("bytes");
    assert_eq!((*end, decode(line)), (b'\n', Some(Line::Unit(unit("a")))));
    let object: serde_json::Value = serde_json::from_slice(line).expect("JSON, for other programs");
    assert_eq!(object["unit"], "a");
}

/// However long the piece is that a kill leaves.
#[test]
fn a_journal_that_was_cut_off_anywhere_goes_on() {
    let folder = Folder::new("cut");
    let bytes = folder.whole();
    for len in 0..=bytes.len() {
        std::fs::write(folder.file(), &bytes[..len]).expect("a file");
        if let Ok(journal) = Journal::parse(&bytes[..len]) {
            assert_eq!(journal.cut, bytes[len - 1] != b'\n', "{len} bytes");
            let lines = bytes[..len].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(journal.units.len(), lines.saturating_sub(2).min(3), "{len} bytes");
        }
        assert_eq!(finished(&folder.file()).damaged, [0; 0], "{len} bytes");
    }
    // What some file systems leave of a first line that was never written.
    std::fs::write(folder.file(), [0; 100]).expect("a file");
    finished(&folder.file());
}

/// Every bit of the file: it is noticed, the rest of the lines counts, and what was lost is run again.
#[test]
fn a_flipped_bit_costs_its_line() {
    let folder = Folder::new("flipped");
    let bytes = folder.whole();
    for bit in 0..bytes.len() * 8 {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        let journal = Journal::parse(&other).unwrap_or_else(|e| panic!("bit {bit}: {e:#}"));
        assert!(!journal.damaged.is_empty() || journal.cut, "bit {bit} is not noticed");
        assert!(journal.units.len() >= 2 && journal.header == header(), "bit {bit}: {} units", journal.units.len());
        for found in &journal.units {
            assert_eq!(*found, unit(&found.unit), "bit {bit}");
        }
        // Each time with files would take long; every bit of every eleventh byte does.
        if bit / 8 % 11 == 0 {
            std::fs::write(folder.file(), &other).expect("a file");
            let damage = journal.damage().is_some();
            assert_eq!(finished(&folder.file()).damage().is_some(), damage, "bit {bit}");
        }
    }
}

/// Where the end of a line is damaged, neither of the two lines is.
#[test]
fn lines_that_run_into_each_other_are_told_apart() {
    let folder = Folder::new("joined");
    let bytes = folder.whole();
    for (at, _) in bytes.iter().enumerate().filter(|(at, byte)| **byte == b'\n' && at + 1 < bytes.len()) {
        let mut other = bytes.clone();
        other[at] = b'?';
        let journal = Journal::parse(&other).expect("a journal");
        assert_eq!((journal.units.len(), journal.damaged.len()), (3, 1));
        assert!(journal.end.is_some());
    }
}

#[test]
fn the_damaged_lines_are_named() {
    let folder = Folder::new("named");
    let mut bytes = folder.whole();
    let at = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(2).expect("a line").0;
    bytes[at + 20] ^= 4;
    std::fs::write(folder.file(), &bytes).expect("a file");
    let journal = Journal::read(&folder.file()).expect("a journal");
    assert_eq!(journal.damaged, [4]);
    let told = journal.header.left_out.join("\n");
    assert!(told.contains("run.jsonl: line 4 is damaged and does not count"), "{told}");
}

#[test]
fn what_is_there_is_not_written_over() {
    let folder = Folder::new("there");
    let bytes = folder.whole();
    let error = Writer::create(&folder.file(), false, &header()).map(|_| ()).expect_err("it is there").to_string();
    assert!(error.contains("--resume") && error.contains("--force"), "{error}");
    assert_eq!(std::fs::read(folder.file()).expect("a file"), bytes);
    // An empty file has nothing to lose.
    std::fs::write(folder.file(), "").expect("a file");
    drop(Writer::create(&folder.file(), false, &header()).expect("a journal"));
    drop(Writer::create(&folder.file(), true, &header()).expect("a journal"));
}

#[test]
fn a_second_writer_is_refused() {
    let folder = Folder::new("lock");
    let bytes = folder.whole();
    let (first, _) = Writer::resume(&folder.file(), &header(), &units()).expect("a journal");
    for error in [
        Writer::resume(&folder.file(), &header(), &units()).map(|_| ()).expect_err("it is locked"),
        Writer::create(&folder.file(), true, &header()).map(|_| ()).expect_err("it is locked"),
    ] {
        assert!(error.to_string().contains("is being written by another run"), "{error:#}");
    }
    assert!(std::fs::read(folder.file()).expect("a file").starts_with(&bytes));
    drop(first);
    Writer::resume(&folder.file(), &header(), &units()).expect("nobody writes it any more");
}

/// What is changed, and what is said of it.
type Change = (&'static str, fn(&mut Header));

/// Also where the checksums are right.
#[test]
fn journals_of_other_runs_are_not_continued() {
    let folder = Folder::new("other");
    let changes: [Change; 6] = [
        ("version", |header| header.version = "1.2.4".to_owned()),
        ("another run", |header| header.plan = "q".to_owned()),
        ("another run", |header| header.seed = 5),
        ("another run", |header| header.engines.clear()),
        ("see --shard", |header| header.shard = Some([1, 2])),
        ("of 4 units, and this run is of 3", |header| header.units = 4),
    ];
    for (says, change) in changes {
        let mut other = header();
        change(&mut other);
        drop(Writer::create(&folder.file(), true, &other).expect("a file"));
        let before = std::fs::read(folder.file()).expect("a file");
        let error = Writer::resume(&folder.file(), &header(), &units()).map(|_| ()).expect_err(says).to_string();
        assert!(error.contains(says), "{says}: {error}");
        assert_eq!(std::fs::read(folder.file()).expect("a file"), before);
    }
    for (name, engine) in [("d", "emu"), ("a", "vulkan")] {
        let mut writer = Writer::create(&folder.file(), true, &header()).expect("a file");
        writer.line(&Line::Unit(Unit { engine: engine.to_owned(), ..unit(name) })).expect("a line");
        drop(writer);
        let error = Writer::resume(&folder.file(), &header(), &units()).map(|_| ()).expect_err(name).to_string();
        assert!(error.contains("which this run does not have"), "{error}");
    }
    // Two runs in one file.
    let mut bytes = folder.whole();
    bytes.extend(encode(&Line::Header(Header { seed: 9, ..header() })).expect("a line"));
    let error = format!("{:#}", Journal::parse(&bytes).expect_err("two runs"));
    assert!(error.contains("another seed: two runs are mixed"), "{error}");
}

#[test]
fn what_is_no_journal_is_refused() {
    let end = encode(&Line::End(End::default())).expect("a line");
    for bytes in [&b""[..], b"{}\n", &end, b"nothing\n", b"{\"kind\":\"header\"\n"] {
        assert!(Journal::parse(bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
    }
    let old = b"{\"kind\":\"header\",\"format\":1,\"version\":\"0.1.0\"}\n";
    let error = Journal::parse(old).expect_err("an old one").to_string();
    assert!(error.contains("format 1, and this program knows 2"), "{error}");
    let folder = Folder::new("none");
    for text in ["# Notes\n", "{\"kind\"", "{\"kind\":\"head?"] {
        std::fs::write(folder.file(), text).expect("a file");
        let refused = Writer::resume(&folder.file(), &header(), &units()).is_err();
        assert_eq!(refused, text != "{\"kind\"", "{text}");
    }
}
