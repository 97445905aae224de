//! A run is green only if the engines that it must compare with were compared with: neither one that is missing, nor one whose cases were all left
//! out or lost, is made up for by what a recording has. Nothing here needs a device, but for one test that says so where there is none.

use super::*;

/// Two recordings are in the project's folder, of which the lists below speak; `control` is quick.
const CONTROL: [&str; 3] = ["control", "--arch", "gfx1100"];

/// What a run says, with its exit code. The loader looks for drivers where there is none, unless they are wanted.
fn ran(drivers: bool, args: &[&str]) -> (i32, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavediff"));
    command.arg("conform").args(CONTROL).args(args).current_dir(root).stdin(Stdio::null());
    for name in ["CI_NODE_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    for name in ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"].into_iter().filter(|_| !drivers) {
        command.env(name, "/nowhere/icd.json");
    }
    let out = command.output().expect("a run");
    let text = [out.stdout, out.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (out.status.code().expect("no signal"), text)
}

/// A folder with one list of known failures, which is about every case.
fn list_of_all(test: &str, name: &str, reason: &str) -> Folder {
    let folder = Folder::new(test);
    std::fs::write(folder.file(name), format!("*\t{reason}\n")).expect("a list");
    folder
}

/// However the device is asked for: a recording beside it makes nothing good.
#[test]
fn a_required_device_that_is_missing_is_not_green() {
    let ways: [&[&str]; 6] = [
        &[],
        &["--all"],
        &["--engines", "emu,golden"],
        &["--engines", "emu,vulkan"],
        &["--engines", "emu,vulkan,golden"],
        &["--device", "some card"],
    ];
    for way in ways {
        let (code, text) = ran(false, &[way, &["--require", "vulkan"]].concat());
        assert!(code == 3 && text.contains("nothing was compared: --require vulkan: "), "{way:?}: {code} {text}");
    }
    let (code, text) = ran(false, &["--engines", "emu,native", "--require", "native"]);
    assert!(code == 3 && text.contains("nothing was compared: --require native: "), "{code} {text}");
    // That a device is asked for which there is not is a mistake of the command line, as long as nothing says that it must be there.
    for way in [["--engines", "emu,vulkan"], ["--device", "some card"]] {
        let (code, text) = ran(false, &way);
        assert!(code == 2 && text.contains("`wavediff devices` says more"), "{way:?}: {code} {text}");
    }
    // And a recording by itself is something to compare with.
    let (code, text) = ran(false, &[]);
    assert!(code == 0 && text.contains("no device ran"), "{code} {text}");
}

#[test]
fn required_recordings_that_are_missing_are_not_green() {
    let folder = Folder::new("no-recordings");
    let nowhere = ["--engines", "emu,golden", "--golden", path(&folder.0)];
    let (code, text) = ran(false, &[&nowhere[..], &["--require", "golden"]].concat());
    assert!(code == 3 && text.contains("--require golden: Golden: there are no recordings"), "{code} {text}");
    let (code, text) = ran(false, &nowhere);
    assert!(code == 2 && text.contains("Golden: there are no recordings"), "{code} {text}");
}

/// A list leaves out all that one recording has. The other one was compared, and that is all that can be said.
#[test]
fn a_recording_that_a_list_leaves_out_was_not_compared() {
    let folder = list_of_all("left-out", "golden-llvmpipe-skips.txt", "not today");
    let lists = ["--engines", "emu,golden", "--expect", path(&folder.0)];
    let (code, text) = ran(false, &lists);
    assert!(code == 0 && text.contains("emu with the recording llvmpipe-22.3, 0 cases"), "{code} {text}");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("rows ")).collect();
    assert_eq!(rows.len(), 2, "one line of each recording: {text}");
    assert!(!rows[0].starts_with("rows 0 of ") && rows[0].contains(", forms "), "{rows:?}");
    assert!(rows[1].starts_with("rows 0 of ") && rows[1].ends_with(" with the recording llvmpipe-22.3"), "{rows:?}");
    let (code, text) = ran(false, &[&lists[..], &["--require", "golden"]].concat());
    let says = "nothing was compared: --require golden: golden:llvmpipe-22.3 has no case that was compared";
    assert!(code == 3 && text.contains(says), "{code} {text}");
    assert!(!text.contains("golden:h100-580 has no case"), "{text}");
}

/// Where a list leaves out all of everything, no report says that nothing was bad.
#[test]
fn a_run_of_which_all_is_left_out_is_called_so_everywhere() {
    let folder = list_of_all("all-left-out", "golden-skips.txt", "not today");
    let (page, markdown) = (folder.file("run.html"), folder.file("run.md"));
    let reports = ["--html", path(&page), "--md", path(&markdown)];
    let (code, text) = ran(false, &[&["--engines", "emu,golden", "--expect", path(&folder.0)], &reports[..]].concat());
    assert!(code == 3 && text.contains("\nnothing was compared: "), "{code} {text}");
    let page = std::fs::read_to_string(&page).expect("the page");
    let markdown = std::fs::read_to_string(&markdown).expect("the Markdown");
    assert!(page.contains("<h1>nothing was compared</h1>") && page.contains("not today"));
    assert!(markdown.starts_with("### wavediff conform: ⚠️ nothing was compared\n"), "{markdown}");
    for report in [text, page, markdown] {
        assert!(!report.contains("nothing bad"), "{report}");
    }
}

/// Units that have no time do not come back in time; that a list expects this makes it no failure, and no comparison.
#[test]
fn what_did_not_come_back_was_not_compared() {
    let folder = list_of_all("no-time", "golden-fails.txt", "too slow");
    let (code, text) =
        ran(false, &["--engines", "emu,golden", "--timeout", "0", "--expect", path(&folder.0), "--require", "golden"]);
    assert!(text.contains("failed as expected, by reason\n  timeout: too slow"), "{text}");
    assert!(code == 3 && text.contains("--require golden: golden:"), "{code} {text}");
}

/// The device is there, and a list leaves out all of its cases.
#[test]
fn a_device_that_a_list_leaves_out_was_not_compared() {
    let folder = list_of_all("no-device", "vulkan-skips.txt", "not today");
    let engines = ["--engines", "emu,vulkan,golden", "--every", "9", "--expect", path(&folder.0)];
    let (code, text) = ran(true, &engines);
    if code == 2 && std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none() {
        println!("skipped: no device");
        return;
    }
    assert!(code == 0 && text.contains("no device ran"), "{code} {text}");
    let (code, text) = ran(true, &[&engines[..], &["--require", "vulkan"]].concat());
    let says = "nothing was compared: --require vulkan: vulkan:";
    assert!(code == 3 && text.contains(says) && text.contains(" has no case that was compared"), "{code} {text}");
}
