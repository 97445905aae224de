//! Disks that are full: the old file stays, the message names the file, and nothing is left lying about.
//!
//! A limit of zero bytes on the size of files does what a full disk does, where nobody may mount one: each write fails. `/dev/full` is one more.

use super::bombs::object;
use super::sealed::sealed;
use super::*;
use serde_json::json;

/// The program on a disk on which there is no room for a single byte.
fn full(args: &[&str]) -> Ran {
    shell("trap '' XFSZ; ulimit -f 0 && exec \"$@\"", args)
}

fn journal(folder: &Folder) -> String {
    let rows = json!({"v_add_f32": {"pass": 8}});
    let lines = [
        json!({"kind": "header", "format": 2, "version": "0.1.0", "plan": "p", "units": 1, "suites": ["alu"], "archs": ["gfx600"],
            "engines": [{"name": "emu"}, {"name": "golden:x"}], "seed": 1, "began": 0, "command": []}),
        json!({"kind": "unit", "unit": "alu/gfx600-w64/0000", "suite": "alu", "arch": "gfx600", "lanes": 64, "engine": "golden:x",
            "seconds": 0.5, "rows": rows}),
        json!({"kind": "end", "interrupted": false, "seconds": 1.0}),
    ];
    folder.put("run.jsonl", lines.iter().map(sealed).collect::<String>())
}

#[test]
fn the_old_file_stays_where_a_new_one_has_no_room() {
    let folder = Folder::new("full");
    let journal = journal(&folder);
    let source = folder.put("add.s", ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add_f32 v1, v0, v0\ns_endpgm\n");
    let words = folder.put("words.bin", 0xbf81_0000u32.to_le_bytes().repeat(4));
    let object = object(&folder);
    let before = folder.names();
    // Each goes to what stands behind its last word.
    let run = ["conform", "control", "--arch", "gfx1100", "--engines", "emu", "--every", "9", "--inputs", "2"];
    let writers: [(&str, Vec<&str>); 8] = [
        ("a page", vec!["report", "html", &journal, "-o"]),
        ("JUnit", vec!["report", "junit", &journal, "-o"]),
        ("a merged journal", vec!["report", "merge", &journal, "-o"]),
        ("machine code", vec!["asm", "--arch", "gfx900", &source, "-o"]),
        ("a code object", vec!["asm", "--elf", &source, "-o"]),
        ("a listing", vec!["disasm", "--arch", "gfx900", &words, "-o"]),
        ("a listing of an object", vec!["disasm", &object, "-o"]),
        ("a page of a run", [&run[..], &["--html"]].concat()),
    ];
    for (what, args) in writers {
        let target = folder.put("target", "what was there before");
        let args = [&args[..], &[target.as_str()]].concat();
        full(&args).failed_with(&format!("`{target}` can not be written"));
        assert_eq!(folder.read("target"), b"what was there before", "{what}");
        // Where there was nothing, there is nothing.
        std::fs::remove_file(&target).expect("a file");
        full(&args).failed_with(&format!("`{target}` can not be written"));
        assert_eq!(folder.names(), before, "{what}");
        // And with room it is written.
        folder.put("target", "what was there before");
        let ran = wavediff(&args);
        assert_eq!(ran.code, Some(0), "{what}: {}", ran.err);
        assert!(folder.read("target").len() > 4 && folder.read("target") != b"what was there before", "{what}");
        std::fs::remove_file(&target).expect("a file");
        if Path::new("/dev/full").exists() {
            let args = [&args[..args.len() - 1], &["/dev/full"]].concat();
            wavediff(&args).failed_with("`/dev/full` can not be written");
        }
    }
}

#[test]
fn a_journal_on_a_full_disk_is_named() {
    let folder = Folder::new("journal");
    let path = folder.path("run.jsonl");
    let args = ["conform", "control", "--arch", "gfx1100", "--engines", "emu", "--every", "9", "--jsonl", &path];
    full(&args).failed_with(&format!("the journal {path} can not be written"));
    // What there was room for can be gone on with.
    let some = shell("trap '' XFSZ; ulimit -f 1 && exec \"$@\"", &args.map(|arg| if arg == "9" { "1" } else { arg }));
    some.failed_with("the journal");
    let mut again: Vec<&str> = args.iter().map(|arg| if *arg == "9" { "1" } else { arg }).collect();
    again[8] = if folder.read("run.jsonl").is_empty() { "--jsonl" } else { "--resume" };
    let ran = wavediff(&again);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

/// Cases and lists are written like everything else.
#[test]
fn cases_and_lists_stay_as_they_were() {
    let folder = Folder::new("cases");
    let case = "; isa: gfx900\n; v0 = 1.5\n; expect: v1 = 3.0\nv_add_f32 v1, v0, v0\n";
    let case = folder.put("add.s", case);
    let trace = folder.put("add.trace", "an older trace");
    let args = ["golden", "trace", &case, "--engine", "emu", "-o", &trace];
    full(&args).failed_with(&format!("`{trace}` can not be written"));
    assert_eq!(folder.read("add.trace"), b"an older trace");
    // A line of a case that there is not is what `--update-expect` takes out.
    let journal = folder.path("run.jsonl");
    let run = ["conform", "control", "--arch", "gfx1100", "--engines", "emu", "--every", "9", "--inputs", "2"];
    assert_eq!(wavediff(&[&run[..], &["--jsonl", &journal]].concat()).code, Some(0));
    let text = String::from_utf8(folder.read("run.jsonl")).expect("text");
    let units = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let unit = units.filter_map(|line| Some(line["unit"].as_str()?.to_owned())).next().expect("a unit");
    // The first case of the unit, which is called after it, has no such input.
    let case = unit.split('+').next().expect("a name");
    let list = format!("# what nobody needs\n{case}:999\tit is gone\n");
    let path = folder.put("expect/emu-fails.txt", &list);
    let expect = folder.path("expect");
    let args = [&run[..], &["--expect", &expect, "--update-expect"]].concat();
    full(&args).failed_with(&format!("`{path}` can not be written"));
    assert_eq!(folder.read("expect/emu-fails.txt"), list.as_bytes());
    let ran = wavediff(&args);
    assert_eq!(folder.read("expect/emu-fails.txt"), b"# what nobody needs\n", "{}{}", ran.out, ran.err);
}

/// Lanes that store to the same words of LDS: which one wins nobody says, and the emulator and a device need no planted fault to differ.
const RACE: &str = "; isa: gfx900\n; lds: 512\n; observe: lds\n; v1 = ramp(0, 4)\n; v2 = ramp(0x100, 1)\n; v3 = ramp(0x200, 1)\n\
                    ; v4 = ramp(0x300, 1)\nds_write_b96 v1, v[2:4]\ns_waitcnt lgkmcnt(0)\n";

/// The guilty instruction as a case.
#[test]
fn a_case_that_was_found_is_written_whole_or_not_at_all() {
    let folder = Folder::new("found");
    let race = folder.put("race.s", RACE);
    let bisect = ["bisect", &race, "--lanes", "workgroup"];
    let found = wavediff(&bisect);
    if found.code == Some(2) && std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none() {
        println!("skipped: no device");
        return;
    }
    if found.code == Some(0) {
        assert!(!found.out.contains("llvmpipe"), "llvmpipe takes lanes in another order: {}", found.out);
        println!("skipped: the device takes lanes as the emulator does");
        return;
    }
    assert_eq!(found.code, Some(1), "{}{}", found.out, found.err);
    let target = folder.put("target", "what was there before");
    let before = folder.names();
    let into = |run: fn(&[&str]) -> Ran, target: &str| run(&[&bisect[..], &["-o", target]].concat());
    if Path::new("/dev/full").exists() {
        into(wavediff, "/dev/full").failed_with("`/dev/full` can not be written");
    }
    // A driver that keeps its memory in a file has none on such a disk.
    if full(&bisect).out.contains("ds_write_b96") {
        into(full, &target).failed_with(&format!("`{target}` can not be written"));
        assert_eq!((folder.read("target"), folder.names()), (b"what was there before".to_vec(), before));
    }
    let ran = into(wavediff, &target);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let text = String::from_utf8(folder.read("target")).expect("text");
    assert!(text.contains("ds_write_b96 v1, v[2:4]"), "{text}");
}
