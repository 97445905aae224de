//! Journals from outside: what is there stays, two runs do not share one, damage is told and repaired.

use super::sealed::{is_whole, sealed};
use super::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// A run on the emulator alone: some units, done in a second or two.
fn conform(more: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["conform", "control", "lds", "--arch", "gfx1100", "--engines", "emu", "--every", "4"]);
    command.args(["--jobs", "1", "--inputs", "2"]).args(more).stdin(Stdio::null());
    // The machine of the tests may itself be one of many.
    for name in ["CI_NODE_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    command
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The units of a journal without times, each once; lines that are damaged are passed over.
fn units(bytes: &[u8]) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for line in lines(bytes) {
        let Ok(mut value) = serde_json::from_slice::<Value>(line) else { continue };
        if value["kind"] != "unit" || !is_whole(line) {
            continue;
        }
        value["seconds"] = Value::Null;
        value["crc"] = Value::Null;
        let name = value["unit"].as_str().expect("a name").to_owned();
        assert!(all.insert(name.clone(), value).is_none(), "{name} is there twice");
    }
    all
}

/// A whole journal.
fn whole(folder: &Folder) -> (String, Vec<u8>) {
    let path = folder.path("run.jsonl");
    output(conform(&["--jsonl", &path]));
    let bytes = folder.read("run.jsonl");
    assert!(units(&bytes).len() > 5, "{} units are too few", units(&bytes).len());
    (path, bytes)
}

#[test]
fn a_journal_that_is_there_stays() {
    let folder = Folder::new("there");
    let (path, bytes) = whole(&folder);
    let again = ended(conform(&["--jsonl", &path]));
    again.failed_with("--resume");
    again.failed_with("--force");
    assert_eq!(folder.read("run.jsonl"), bytes);
    output(conform(&["--jsonl", &path, "--force"]));
    assert_eq!(units(&folder.read("run.jsonl")), units(&bytes));
    // Nor is any other file written over.
    let notes = folder.put("notes.txt", "all my notes\n");
    ended(conform(&["--jsonl", &notes])).failed_with("is there already");
    assert_eq!(folder.read("notes.txt"), b"all my notes\n");
}

/// The second one is refused while the first one runs; when that is killed, the lock is gone, and the journal goes on.
#[test]
fn two_runs_do_not_share_a_journal() {
    let folder = Folder::new("two");
    let (over, expected) = whole(&folder);
    let path = folder.path("other.jsonl");
    let mut first = conform(&["--jsonl", &path]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run");
    // It holds its journal from before the first line.
    while std::fs::metadata(&path).map_or(0, |about| about.len()) == 0 {
        assert!(first.try_wait().expect("a process").is_none(), "it ended without a journal");
        std::thread::sleep(Duration::from_millis(2));
    }
    // Stopped, it can not end too early for this test.
    let signal = |name: &str| output_of("kill", &[name, &first.id().to_string()]);
    signal("-STOP");
    for how in [&["--resume", &path][..], &["--jsonl", &path, "--force"]] {
        ended(conform(how)).failed_with("is being written by another run");
    }
    // Nor does anything else take its place: another journal, a page, the page of another run.
    let there = folder.read("other.jsonl");
    for report in ["merge", "html"] {
        wavediff(&["report", report, &over, "-o", &path]).failed_with("is being written by another run");
    }
    ended(conform(&["--html", &path])).failed_with("is being written by another run");
    assert_eq!(folder.read("other.jsonl"), there);
    signal("-KILL");
    first.wait().expect("a process");
    output(conform(&["--resume", &path]));
    assert_eq!(units(&folder.read("other.jsonl")), units(&expected));
}

fn output_of(program: &str, args: &[&str]) {
    let mut command = Command::new(program);
    command.args(args);
    output(command);
}

#[test]
fn a_damaged_line_is_named_and_its_unit_run_again() {
    let folder = Folder::new("damaged");
    let (path, bytes) = whole(&folder);
    let expected = units(&bytes);
    let mut other = bytes.clone();
    // A count of what passed, in the sixth line: still JSON, and wrong.
    let (begin, line) = (lines(&bytes)[..5].concat().len(), lines(&bytes)[5]);
    let at = String::from_utf8_lossy(line).find("\"pass\":").expect("a count") + "\"pass\":".len();
    other[begin + at] ^= 1;
    assert!(serde_json::from_slice::<Value>(lines(&other)[5]).is_ok());
    std::fs::write(&path, &other).expect("a file");
    let show = wavediff(&["report", "show", &path]);
    assert_eq!(show.code, Some(0), "{}", show.err);
    assert!(show.err.contains("warning") && show.err.contains("line 6 is damaged and does not count"), "{}", show.err);
    assert!(show.out.contains("line 6 is damaged"), "{}", show.out);
    let units_told = format!("{} of {} units are done", expected.len() - 1, expected.len());
    assert!(show.out.contains(&units_told), "{units_told}: {}", show.out);
    let page = folder.path("run.html");
    assert_eq!(wavediff(&["report", "html", &path, "-o", &page]).code, Some(0));
    assert!(String::from_utf8_lossy(&folder.read("run.html")).contains("line 6 is damaged"));
    wavediff(&["report", "merge", &path, "-o", &folder.path("merged.jsonl")]).failed_with("missing");
    output(conform(&["--resume", &path]));
    assert_eq!(units(&folder.read("run.jsonl")), expected);
}

/// Also twice: before its first line is whole, and before that was anything at all.
#[test]
fn a_journal_that_was_cut_inside_its_header_goes_on() {
    let folder = Folder::new("header");
    let (path, bytes) = whole(&folder);
    for len in [0, 1, 20, lines(&bytes)[0].len() - 1, lines(&bytes)[0].len() + 5] {
        std::fs::write(&path, &bytes[..len]).expect("a file");
        output(conform(&["--resume", &path]));
        assert_eq!(units(&folder.read("run.jsonl")), units(&bytes), "{len} bytes");
    }
    std::fs::write(&path, &bytes[..20]).expect("a file");
    wavediff(&["report", "show", &path]).failed_with("cut off inside its header");
}

/// With checksums that are right.
#[test]
fn edited_journals_are_not_continued() {
    let folder = Folder::new("edited");
    let (path, bytes) = whole(&folder);
    let edited = |change: &dyn Fn(&mut Value)| -> String {
        let change = |line: &&[u8]| {
            let mut value: Value = serde_json::from_slice(line).expect("JSON");
            change(&mut value);
            sealed(&value)
        };
        lines(&bytes).iter().map(change).collect()
    };
    assert!(lines(&bytes).into_iter().all(is_whole), "the checksums of this test are those of the program");
    std::fs::write(&path, edited(&|_| {})).expect("a file");
    output(conform(&["--resume", &path]));
    let of_header = |key: &'static str, new: Value| {
        edited(&move |line: &mut Value| {
            if line["kind"] == "header" {
                line[key] = new.clone();
            }
        })
    };
    let other_unit = edited(&|line: &mut Value| {
        if line["kind"] == "unit" {
            line["unit"] = format!("{}x", line["unit"].as_str().expect("a name")).into();
        }
    });
    let cases = [
        (of_header("version", "0.0.9".into()), "is of version 0.0.9, and this run is of"),
        (of_header("plan", "0123456789abcdef".into()), "is of another run"),
        (of_header("units", 1_000_000.into()), "is of 1000000 units, and this run is of"),
        (of_header("format", 3.into()), "format 3, and this program knows 2"),
        (other_unit, "which this run does not have"),
    ];
    for (text, says) in cases {
        std::fs::write(&path, &text).expect("a file");
        ended(conform(&["--resume", &path])).failed_with(says);
        assert_eq!(folder.read("run.jsonl"), text.as_bytes(), "{says}");
    }
}
