//! Conformance runs as processes: what is killed goes on, shards make a whole, and what a run says is so.

#[path = "conform/honest.rs"]
mod honest;
#[path = "conform/options.rs"]
mod options;
#[cfg(target_os = "linux")]
#[path = "program/processes.rs"]
mod processes;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("wavediff-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A run of some suites on the emulator alone, which needs nothing of the machine.
fn conform(more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavediff"));
    command.args([
        "conform",
        "control",
        "lds",
        "alu",
        "--arch",
        "gfx1100",
        "--engines",
        "emu",
        "--every",
        "4",
        "--jobs",
        "2",
        "--inputs",
        "4",
    ]);
    command.args(more).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    // The machine of the tests may itself be one of many.
    for name in ["CI_NODE_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    command
}

/// What a journal says, without times: units by name, each once.
fn units(path: &Path) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(path).expect("a journal");
    let mut all = BTreeMap::new();
    for line in text.lines() {
        let mut line: Value = serde_json::from_str(line).expect("a line");
        if line["kind"] != "unit" {
            continue;
        }
        line["seconds"] = Value::Null;
        line["crc"] = Value::Null;
        let name = line["unit"].as_str().expect("a name").to_owned();
        assert!(all.insert(name.clone(), line).is_none(), "{name} is there twice");
    }
    all
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// At random at first. Where chance spares the parents or the workers in all rounds, there are more, in which a worker is killed as soon as there is
/// one, and the parent behind it.
#[cfg(target_os = "linux")]
#[test]
fn what_is_killed_at_random_goes_on_and_ends_alike() {
    use processes::{children, signal, wait_for};
    const AT_RANDOM: u32 = 20;
    const MOST: u32 = 40;
    let folder = Folder::new("kill");
    let whole = folder.file("whole.jsonl");
    assert!(conform(&["--jsonl", path(&whole)]).status().expect("a run").success());
    let expected = units(&whole);
    assert!(expected.len() > 10, "{} units are too few to be killed among", expected.len());

    let journal = folder.file("killed.jsonl");
    let mut chance = wavediff::laws::Chance::new(std::process::id().into());
    let (mut parents, mut workers, mut finished) = (0, 0, 0);
    for round in 0..MOST {
        let aims = round >= AT_RANDOM;
        if aims && parents > 0 && workers > 0 {
            break;
        }
        // Also where it was killed before the first line was whole.
        let how = if journal.exists() { "--resume" } else { "--jsonl" };
        let mut run = conform(&[how, path(&journal)]).spawn().expect("a run");
        if aims {
            let ends = |run: &mut Child| run.try_wait().expect("a process").is_some();
            wait_for(|| (ends(&mut run) || !children(run.id()).is_empty()).then_some(()));
        } else {
            std::thread::sleep(Duration::from_millis(20 + chance.next_u64() % 700));
        }
        if aims || round % 2 == 0 {
            workers += children(run.id()).into_iter().filter(|pid| signal("-KILL", *pid)).count();
        }
        if !aims && round % 2 == 0 {
            std::thread::sleep(Duration::from_millis(chance.next_u64() % 300));
        }
        if run.try_wait().expect("a process").is_some() {
            // It was quicker; the next one begins anew.
            finished += 1;
            assert_eq!(units(&journal), expected);
            std::fs::remove_file(&journal).expect("the journal");
            continue;
        }
        run.kill().expect("a process");
        run.wait().expect("a process");
        parents += 1;
    }
    let killed = format!("{parents} runs and {workers} workers were killed, {finished} runs came to their ends before");
    println!("{killed}");
    assert!(parents > 0 && workers > 0, "{killed}");
    let how = if journal.exists() { "--resume" } else { "--jsonl" };
    assert!(conform(&[how, path(&journal)]).status().expect("a run").success());
    assert_eq!(units(&journal), expected);
}

#[test]
fn three_shards_are_the_whole() {
    let folder = Folder::new("shards");
    let whole = folder.file("whole.jsonl");
    assert!(conform(&["--jsonl", path(&whole)]).status().expect("a run").success());
    let mut all = BTreeMap::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part = folder.file(&shard.replace('/', "-"));
        assert!(conform(&["--jsonl", path(&part), "--shard", shard]).status().expect("a run").success());
        for (name, unit) in units(&part) {
            assert!(all.insert(name.clone(), unit).is_none(), "{name} is in two shards");
        }
    }
    assert_eq!(all, units(&whole));
}

#[test]
fn another_run_is_not_continued() {
    let folder = Folder::new("other");
    let journal = folder.file("run.jsonl");
    assert!(conform(&["--jsonl", path(&journal)]).status().expect("a run").success());
    let before = std::fs::read(&journal).expect("a journal");
    for other in [["--seed", "2"], ["--shard", "1/2"]] {
        let status = conform(&["--resume", path(&journal)]).args(other).status().expect("a run");
        assert!(!status.success(), "{other:?}");
    }
    assert_eq!(std::fs::read(&journal).expect("a journal"), before);
}

/// What devices left is what the emulator leaves.
#[test]
fn recordings_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project");
    let entries = std::fs::read_dir(root.join("golden/recorded")).expect("recordings");
    let folders: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    assert!(!folders.is_empty());
    for folder in folders {
        // The suites of files are found from there.
        let mut check = Command::new(env!("CARGO_BIN_EXE_wavediff"));
        let out = check.args(["golden", "check"]).arg(&folder).current_dir(root).output().expect("a run");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
    }
}

/// What a run of `wavediff conform` says, with its exit code.
fn said(args: &[&str]) -> (i32, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavediff"));
    command.arg("conform").args(args).current_dir(root).stdin(Stdio::null());
    for name in ["CI_NODE_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    let out = command.output().expect("a run");
    let text = [out.stdout, out.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (out.status.code().expect("no signal"), text)
}

#[test]
fn a_filter_selects_cases_and_nothing_else() {
    let folder = Folder::new("filter");
    let journal = folder.file("run.jsonl");
    let args = ["alu", "--arch", "gfx1100", "--engines", "emu", "--filter", "^v_add_f32$", "--jsonl", path(&journal)];
    let (code, text) = said(&args);
    assert_eq!(code, 0, "{text}");
    let rows: BTreeSet<String> = units(&journal)
        .values()
        .flat_map(|unit| unit["rows"].as_object().expect("rows").keys().cloned().collect::<Vec<_>>())
        .collect();
    assert_eq!(rows.into_iter().collect::<Vec<_>>(), ["v_add_f32"]);
    assert_eq!(said(&[&args[..5], &["--filter", "^no_such_row$"]].concat()).0, 2);
    let (_, rest) = said(&[&args[..5], &["--exclude", "v_|s_", "--list"]].concat());
    assert!(rest.contains("nothing is chosen"), "{rest}");
}

#[test]
fn a_case_is_chosen_by_its_name() {
    let gfx900 = |engine| said(&["--list", "alu", "--arch", "gfx900", "--all", "--engines", engine]);
    let (code, list) = gfx900("emu");
    assert_eq!(code, 0);
    let (code, recorded) = gfx900("golden");
    assert_eq!(code, 0);
    // A recording is of a sample: what it has not, a run with it alone does not compare.
    assert!(!recorded.is_empty() && recorded.len() < list.len(), "{recorded}");
    let all: BTreeSet<&str> = list.lines().collect();
    assert!(recorded.lines().all(|name| all.contains(name)), "{recorded}");
    let list: String =
        list.lines().filter(|name| name.contains("/v_mul_f32_")).map(|name| format!("{name}\n")).collect();
    let names: Vec<&str> = list.lines().collect();
    assert!(names.contains(&"alu/gfx900-w64/v_mul_f32_e32"), "{list}");
    let other = names.iter().find(|name| name.contains('~')).expect("a name with a digest");
    let input = format!("{other}:3");
    for (name, cases) in [(names[0], "16 cases"), (other, "16 cases"), (&input, "1 case")] {
        let (code, text) = said(&["--case", name, "--engines", "emu"]);
        assert!(code == 0 && text.contains(&format!("itself, as was asked for, {cases}")), "{name}: {text}");
    }
    let (code, text) = said(&["--case", "alu/gfx900-w64/v_mul_f32_e33", "--engines", "emu"]);
    assert!(code == 2 && text.contains("did you mean `alu/gfx900-w64/v_mul_f32_e32`"), "{text}");
    let (code, text) = said(&["--case", &format!("{other}:16"), "--engines", "emu"]);
    assert!(code == 2 && text.contains("no input 16"), "{text}");
}

/// Without a device and a recording there is nothing to compare with, and that is not green.
#[test]
fn a_run_that_compares_nothing_says_so() {
    let nowhere = std::env::temp_dir().join("wavediff-no-recordings");
    let no_driver = ("VK_ICD_FILENAMES", "/nowhere/icd.json");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wavediff"));
        command.args(["conform", "control", "--golden", path(&nowhere)]).args(args);
        let out = command.env(no_driver.0, no_driver.1).output().expect("a run");
        (out.status.code(), [out.stdout, out.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat())
    };
    let (code, text) = run(&[]);
    assert!(code == Some(3) && text.contains("nothing was compared"), "{code:?} {text}");
    let (code, text) = run(&["--require", "vulkan", "--engines", "emu"]);
    assert!(code == Some(3) && text.contains("--require vulkan"), "{code:?} {text}");
    // To itself only where that is asked for, and then it is said.
    let (code, text) = run(&["--engines", "emu", "--every", "4"]);
    assert!(code == Some(0) && text.starts_with("compared: emu with itself, as was asked for"), "{code:?} {text}");
}

/// The recording that is committed has every row, so that a machine without Vulkan looks at all of them.
#[test]
fn the_recording_has_every_row() {
    let (code, text) = said(&["--engines", "emu,golden"]);
    let line = text.lines().find(|line| line.starts_with("rows ")).expect("how many rows");
    let rows = line.strip_prefix("rows ").and_then(|rest| rest.split(", forms").next()).expect("rows");
    let (there, all) = rows.split_once(" of ").expect("a fraction");
    assert_eq!((code, there), (0, all), "{text}");
    assert!(text.contains("no device ran"), "{text}");
}

#[test]
fn options_may_stand_in_a_file() {
    let folder = Folder::new("options");
    let file = folder.file("ci.options");
    std::fs::write(&file, "# of our CI\n--engines emu\n--filter ^v_mul_f32$\n--list\n").expect("a file");
    let (code, text) = said(&[&format!("@{}", path(&file)), "alu", "--arch", "gfx900"]);
    assert!(code == 0 && text.lines().all(|line| line.contains("/v_mul_f32_")), "{text}");
}
