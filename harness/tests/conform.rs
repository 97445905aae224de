//! Conformance runs as processes: what is killed goes on, shards make a whole, and what a run says is so.

use serde_json::Value;
use std::collections::BTreeMap;
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
        "8",
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
        let name = line["unit"].as_str().expect("a name").to_owned();
        assert!(all.insert(name.clone(), line).is_none(), "{name} is there twice");
    }
    all
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[cfg(unix)]
fn kill(pid: &str) {
    let _ = Command::new("kill").args(["-9", pid]).stderr(Stdio::null()).status();
}

/// The children of a process.
#[cfg(target_os = "linux")]
fn children(parent: &Child) -> Vec<String> {
    let list = format!("/proc/{0}/task/{0}/children", parent.id());
    std::fs::read_to_string(list).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_killed_at_random_goes_on_and_ends_alike() {
    let folder = Folder::new("kill");
    let whole = folder.file("whole.jsonl");
    assert!(conform(&["--jsonl", path(&whole)]).status().expect("a run").success());
    let expected = units(&whole);
    assert!(expected.len() > 10, "{} units are too few to be killed among", expected.len());

    let journal = folder.file("killed.jsonl");
    let mut chance = wavediff::laws::Chance::new(std::process::id().into());
    let (mut parents, mut workers, mut finished) = (0, 0, 0);
    for round in 0..20 {
        let begin = !journal.exists() || std::fs::metadata(&journal).is_ok_and(|m| m.len() == 0);
        let how = if begin { "--jsonl" } else { "--resume" };
        let mut run = conform(&[how, path(&journal)]).spawn().expect("a run");
        std::thread::sleep(Duration::from_millis(20 + chance.next_u64() % 700));
        if round % 2 == 0 {
            workers += children(&run).iter().map(|pid| kill(pid)).count();
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
    println!("{parents} runs and {workers} workers were killed, {finished} runs came to their ends before");
    let how =
        if journal.exists() && std::fs::metadata(&journal).is_ok_and(|m| m.len() > 0) { "--resume" } else { "--jsonl" };
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
