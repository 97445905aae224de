//! Options of a run that choose: how many failures end it, what is left out, whose cases they are; and what its workers may take.

use super::*;

/// A folder with cases of gfx900 that expect a value of `v0`, which is 0.
fn cases(folder: &Folder, expected: &[(&str, u32)]) -> String {
    for (name, value) in expected {
        let file = folder.file("cases").join(name);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(file, format!("; isa: gfx900\n; expect: v0 = {value}\ns_nop 0\n")).expect("a case");
    }
    path(&folder.file("cases")).to_owned()
}

/// A run of a folder's cases on the emulator, which is enough to find that one does not leave what it expects.
fn run_of(cases: &str, more: &[&str]) -> (i32, String) {
    let args = ["cases", "--cases", cases, "--arch", "gfx900", "--engines", "emu", "--all", "--jobs", "1"];
    said(&[&args[..], more].concat())
}

#[test]
fn a_run_stops_after_so_many_failures() {
    const ALL: u32 = 100;
    let folder = Folder::new("max-fail");
    let names: Vec<String> = (0..ALL).map(|n| format!("wrong{n:02}.s")).collect();
    let cases = cases(&folder, &names.iter().map(|name| (name.as_str(), 1)).collect::<Vec<_>>());
    let (code, text) = run_of(&cases, &["--max-fail", "1"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("stopped: 1 case") && text.contains("(--max-fail)"), "{text}");
    let done = text.lines().find_map(|line| line.strip_prefix("the run was stopped: ")?.split_once(" of 100 units"));
    let done: u32 = done.and_then(|(done, _)| done.parse().ok()).unwrap_or_else(|| panic!("{text}"));
    // The worker may have done some more before the first result was looked at.
    assert!((1..ALL).contains(&done), "{done} units are done: {text}");
    let (code, text) = run_of(&cases, &["--max-fail", "101"]);
    assert!(code == 1 && !text.contains("stopped"), "{text}");
    assert!(text.contains("100 of 100 cases not as expected"), "{text}");
}

#[test]
fn what_is_excluded_leaves_the_others() {
    let list = |more: &[&str]| -> BTreeSet<String> {
        let args = ["--list", "alu", "--arch", "gfx900", "--engines", "emu", "--filter", "^v_(add|sub)_f32$"];
        let (code, text) = said(&[&args[..], more].concat());
        assert_eq!(code, 0, "{text}");
        text.lines().map(str::to_owned).collect()
    };
    let (all, rest) = (list(&[]), list(&["--exclude", "^v_add_f32$"]));
    let left_out: Vec<&String> = all.difference(&rest).collect();
    assert!(rest.is_subset(&all) && !rest.is_empty() && !left_out.is_empty(), "{all:?} {rest:?}");
    assert!(left_out.iter().all(|name| name.contains("/v_add_f32_")), "{left_out:?}");
    assert!(rest.iter().all(|name| name.contains("/v_sub_f32_")), "{rest:?}");
}

#[test]
fn the_cases_of_a_folder_are_its_files() {
    let folder = Folder::new("cases");
    let cases = cases(&folder, &[("one.s", 0), ("below/two.s", 0), ("notes.txt", 1)]);
    let journal = folder.file("run.jsonl");
    let (code, text) = run_of(&cases, &["--jsonl", path(&journal)]);
    assert_eq!(code, 0, "{text}");
    let units = units(&journal);
    assert_eq!(units.keys().collect::<Vec<_>>(), ["cases/gfx900-w64/one", "cases/gfx900-w64/two"], "{text}");
    assert!(units.values().all(|unit| unit["results"].is_null()), "{units:?}");
}

/// Files are named in more than one way, and each is written for one thing.
#[test]
fn a_report_is_not_written_over_the_journal() {
    let folder = Folder::new("one-file");
    let cases = cases(&folder, &[("one.s", 0)]);
    let file = folder.file("run.jsonl");
    let detour = folder.file("cases/../run.jsonl");
    for (a, b) in [("--jsonl", "--html"), ("--resume", "--junit"), ("--jsonl", "--md"), ("--html", "--junit")] {
        for other in [&file, &detour] {
            let (code, text) = run_of(&cases, &[a, path(&file), b, path(other)]);
            assert!(code == 2 && text.contains("are one file"), "{a} {b}: {code} {text}");
            assert!(!file.exists(), "{a} {b}");
        }
    }
    let (code, text) = run_of(&cases, &["--jsonl", path(&file), "--html", path(&folder.file("run.html"))]);
    assert_eq!(code, 0, "{text}");
    let before = std::fs::read(&file).expect("a journal");
    for format in ["html", "junit"] {
        let report = Command::new(env!("CARGO_BIN_EXE_wavediff"))
            .args(["report", format, path(&file), "-o", path(&detour)])
            .output()
            .expect("the program starts");
        let text = String::from_utf8_lossy(&report.stderr);
        assert!(report.status.code() == Some(2) && text.contains("are one file"), "{format}: {text}");
    }
    assert_eq!(std::fs::read(&file).expect("a journal"), before);
}

/// All memory of the machine, and room for what is mapped and not touched. The run is stopped while its worker is looked at.
#[cfg(target_os = "linux")]
#[test]
fn workers_have_a_limit_also_where_nothing_is_said() {
    use processes::{address_space, children, mapped, signal, wait_for};
    let text = std::fs::read_to_string("/proc/meminfo").expect("Linux");
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.parse().ok());
    let total: u64 = total.expect("how much memory there is");
    // A limit that the tests have themselves is that of the worker, if it is less.
    let limit = (total * 1024 + mapped()).min(address_space(std::process::id()).unwrap_or(u64::MAX));
    let mut run = conform(&[]).spawn().expect("a run");
    let worker = wait_for(|| children(run.id()).first().copied());
    let stopped = signal("-STOP", run.id());
    // It limits itself when it begins.
    let found = worker.and_then(|pid| wait_for(|| address_space(pid).filter(|bytes| *bytes == limit)));
    let last = worker.and_then(address_space);
    run.kill().expect("a process");
    run.wait().expect("a process");
    assert!(worker.is_some() && stopped, "no worker was seen");
    assert_eq!(found, Some(limit), "{last:?} in the end");
}
