//! `wavediff gpu` as a user meets it: what it lists and refuses, that the program it starts is the one that was asked for, and RADV
//! on it where RADV is. `RADV_ICD` names the driver's file; `WAVEDIFF_REQUIRE_RADV=1` makes its absence a failure.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "not every test needs all of it")]
mod program;

use program::{code, err, file, folder, out, wavediff};
use std::process::{Command, Output};

/// RADV's file, where it is said.
fn driver() -> Option<String> {
    let found = std::env::var("RADV_ICD").ok().filter(|path| !path.is_empty());
    assert!(found.is_some() || std::env::var_os("WAVEDIFF_REQUIRE_RADV").is_none(), "RADV_ICD is not set");
    if found.is_none() {
        println!("skipped: RADV_ICD is not set");
    }
    found
}

/// A program on a card. Any file will do as a driver where the program does not look for one.
fn on(chips: &[&str], driver: &str, more: &[&str], program: &[&str]) -> Output {
    let mut args = vec!["gpu", "--driver", driver];
    args.extend(chips.iter().flat_map(|chip| ["--chip", chip]));
    args.extend(more);
    args.push("--");
    args.extend(program);
    wavediff(&args)
}

#[test]
fn chips_are_listed() {
    let table = out(&wavediff(&["gpu", "--list"]));
    assert_eq!(table.lines().count(), 16, "{table}");
    assert!(table.lines().any(|line| line == "polaris10   gfx803     0x67df"), "{table}");
    let json: serde_json::Value = serde_json::from_str(&out(&wavediff(&["gpu", "--list", "--json"]))).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(15));
}

#[test]
fn what_cannot_be_is_refused_with_a_hint() {
    for (args, said) in [
        (&["gpu"][..], "what is to run?"),
        (&["gpu", "--chip", "navi13", "--", "true"], "there is no chip `navi13` (did you mean `navi10`?)"),
        (&["gpu", "--driver", "/nowhere.json", "--", "true"], "there is no driver's file /nowhere.json"),
    ] {
        let refused = wavediff(args);
        assert!(code(&refused) == 2 && err(&refused).contains(said), "{args:?}: {}", err(&refused));
    }
    let missing = on(&["navi31"], "/dev/null", &[], &["true"]);
    assert!(err(&missing).contains("there is no driver's file"), "a device is no file: {}", err(&missing));
    let empty = folder("gpu-no-driver");
    let missing = on(&["navi31"], &empty.to_string_lossy(), &[], &["true"]);
    let said = format!("there is no driver's file {}", empty.display());
    assert!(code(&missing) == 2 && err(&missing).contains(&said), "a folder is no file: {}", err(&missing));
    let driver = file(&folder("gpu-missing"), "icd.json", "{}");
    let missing = on(&["navi31"], &driver, &[], &["wavediff-has-no-such-program"]);
    assert!(code(&missing) == 2 && err(&missing).contains("there is no program"), "{}", err(&missing));
}

/// The program's own exit code, output and arguments.
#[test]
fn the_program_is_left_alone() {
    let driver = file(&folder("gpu-alone"), "icd.json", "{}");
    let ran = on(&["navi31"], &driver, &[], &["sh", "-c", "echo \"$0 $1\"; exit 7", "a b", "--list"]);
    assert_eq!((code(&ran), out(&ran).as_str(), err(&ran).as_str()), (7, "a b --list\n", ""));
}

/// Random programs run on the card that they are for; on another one none does, which is not a success.
#[test]
fn fuzz_runs_on_the_card_that_it_is_for() {
    let Some(driver) = driver() else { return };
    let fuzz = |chip: &str, arch: &str, more: &[&str]| {
        let me = env!("CARGO_BIN_EXE_wavediff");
        let args = [me, "fuzz", "--engines", "emu,native", "--arch", arch, "--cases", "200", "--share", "64"];
        on(&[chip], &driver, &[], &[&args[..], more].concat())
    };
    for (chip, arch) in [("tahiti", "gfx600"), ("navi31", "gfx1100")] {
        let ran = fuzz(chip, arch, &["--json"]);
        let found: serde_json::Value =
            serde_json::from_str(&out(&ran)).unwrap_or_else(|e| panic!("{e}: {}", err(&ran)));
        assert!(code(&ran) == 0 && found["programs"].as_u64() >= Some(200), "{chip}: {found} {}", err(&ran));
    }
    let refused = fuzz("navi31", "gfx600", &[]);
    assert!(out(&refused).contains("left out, needs a card of that processor"), "{}", out(&refused));
    assert_eq!(code(&refused), 3, "{}", err(&refused));
    assert!(err(&refused).contains("nothing was compared: no program ran on both engines"), "{}", err(&refused));
    let jobs = fuzz("navi31", "gfx1100", &["--jobs", "2"]);
    assert!(code(&jobs) == 2 && err(&jobs).contains("--jobs with native is 1"), "{}", err(&jobs));
}

/// A program with a loop and a barrier is bisected on the card: every prefix is there. Its time is told in seconds and in ticks.
#[test]
fn a_card_is_bisected_and_timed() {
    let Some(driver) = driver() else { return };
    let (me, folder) = (env!("CARGO_BIN_EXE_wavediff"), folder("gpu-bisected"));
    for (chip, arch) in [("polaris10", "gfx803"), ("navi31", "gfx1100")] {
        let text = format!(
            "; isa: {arch}\n; wave: 64\n; grid: 128\n; group: 128\n; lds: 512\n; s0 = 3\n; v0 = lane * 4 + wave * 256\n\
             ; expect: s0 = 0\ns_mov_b32 m0, -1\nagain:\ns_barrier\nv_mov_b32 v1, s0\nv_sub_f32 v2, v1, v1\n\
             v_mov_b32 v1, 3\nds_write_b32 v0, v1\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 again\n"
        );
        let case = file(&folder, "loop.s", &text);
        let ran = on(&[chip], &driver, &[], &[me, "bisect", "--engines", "emu,native", &case]);
        let equal = out(&ran).contains("equal on emu and native:AMD Radeon Graphics") && code(&ran) == 0;
        assert!(equal && out(&ran).contains("instruction by instruction"), "{chip}: {}{}", out(&ran), err(&ran));
        let ran = on(&[chip], &driver, &[], &[me, "run", "--engine", "native", "--stats", "--json", &case]);
        let said: serde_json::Value = serde_json::from_str(&out(&ran)).unwrap_or_else(|e| panic!("{e}: {}", err(&ran)));
        let stats = &said["runs"][0]["stats"];
        assert!(stats["seconds"].as_f64() > Some(0.0) && stats["ticks"].as_u64() > Some(0), "{chip}: {stats}");
    }
}

/// What a card leaves is recorded, and the emulator is compared with it where no card is: on the ground that the card had, without which
/// memory lies elsewhere and instructions that would end a wave are others.
#[test]
fn a_card_is_recorded() {
    let Some(driver) = driver() else { return };
    let (me, folder) = (env!("CARGO_BIN_EXE_wavediff"), folder("gpu-recorded"));
    let recording = folder.join("card");
    let kept = recording.to_string_lossy();
    let record = ["golden", "record", "modes", "memory", "--engine", "native", "--arch", "gfx1100", "--every", "200"];
    let ran = on(&["navi31"], &driver, &[], &[&[me], &record[..], &["-o", &kept]].concat());
    assert!(code(&ran) == 0 && out(&ran).ends_with("; 0 differ from the emulator, left out\n"), "{}", err(&ran));
    let index = recording.join("index.txt");
    let text = std::fs::read_to_string(&index).expect("an index");
    assert!(text.contains("engine: native:AMD Radeon Graphics (RADV NAVI31)\n"), "{text}");
    let checked = wavediff(&["golden", "check", &kept]);
    let cases = out(&checked).split(' ').nth(1).and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
    assert!(code(&checked) == 0 && cases > 100, "{}", out(&checked));
    std::fs::write(&index, text.replace("engine: native:", "engine: vulkan:")).expect("an index");
    let elsewhere = wavediff(&["golden", "check", &kept]);
    assert!(
        code(&elsewhere) == 1 && out(&elsewhere).contains("the emulator leaves something else"),
        "{}",
        out(&elsewhere)
    );
    let none = wavediff(&["golden", "record", "--engine", "emu", "-o", &kept]);
    assert!(code(&none) == 2 && err(&none).contains("is no evidence: --engine vulkan or native"), "{}", err(&none));
}

/// Every chip is there under its driver's name, several are several devices, and a case runs on them.
#[test]
fn radv_finds_the_card() {
    let Some(driver) = driver() else { return };
    let me = env!("CARGO_BIN_EXE_wavediff");
    let named = |ran: &Output| -> Vec<String> {
        let all: serde_json::Value = serde_json::from_str(&out(ran)).unwrap_or_else(|e| panic!("{e}: {}", err(ran)));
        let devices = all["vulkan"]["devices"].as_array().cloned().unwrap_or_default();
        devices.iter().map(|device| device["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let two = named(&on(&["tahiti", "navi31"], &driver, &[], &[me, "devices", "--json"]));
    assert_eq!(two.len(), 2, "{two:?}");
    for chip in ["TAHITI", "NAVI31"] {
        assert!(two.iter().any(|name| name.contains(&format!("RADV {chip}"))), "{chip}: {two:?}");
    }
    let folder = folder("gpu-radv");
    let case = file(
        &folder,
        "add.s",
        "; isa: gfx1100\n; v0 = f32 ramp(1, 1)\n; expect: v1 = f32 ramp(2, 2)\nv_add_f32 v1, v0, v0\n",
    );
    let log = folder.join("log.jsonl").to_string_lossy().into_owned();
    let _ = std::fs::remove_file(&log);
    let ran = on(&["polaris10"], &driver, &["--log", &log], &[me, "diff", &case, "--engines", "emu,vulkan"]);
    assert!(code(&ran) == 0 && out(&ran).contains("RADV POLARIS10"), "{}{}", out(&ran), err(&ran));
    let explained = out(&wavediff(&["gpu", "--explain", &log]));
    for word in ["polaris10 gfx 0 at", "SET_SH_REG", "DISPATCH_DIRECT", "instructions", "user data"] {
        assert!(explained.contains(word), "{word}: {explained}");
    }
}

/// A shell, Python and cargo behave as without: `harness/vgpu/preload/tests` has more of that.
#[test]
fn programs_without_vulkan_behave_as_without() {
    let driver = file(&folder("gpu-without"), "icd.json", "{}");
    for program in [&["cargo", "--version"][..], &["sh", "-c", "ls /; cat /proc/self/comm; type cd"]] {
        let alone = Command::new(program[0]).args(&program[1..]).output().expect("it starts");
        let ran = on(&["vega10", "tahiti"], &driver, &[], program);
        assert_eq!((code(&ran), out(&ran), err(&ran)), (0, out(&alone), err(&alone)), "{program:?}");
    }
}
