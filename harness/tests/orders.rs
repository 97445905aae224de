//! `wavediff diff` as a user meets it: what it says was compared, and races between waves, which both engines hide.

#[path = "program/objects.rs"]
mod objects;
#[allow(dead_code, reason = "not every test needs all of it")]
mod program;

use objects::{kernel, object};
use program::{code, err, file, folder, out, wavediff};
use std::path::Path;

/// A case of two waves that exchange numbers through LDS, with its barrier or without.
fn exchange(folder: &Path, barrier: bool) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/pass/barrier_exchange.s");
    let text = std::fs::read_to_string(path).expect("a case");
    assert!(text.contains("\ns_barrier\n"), "the case has lost its barrier: {text}");
    let text = if barrier { text } else { text.replace("\ns_barrier\n", "\n") };
    file(folder, if barrier { "barrier.s" } else { "bare.s" }, &text)
}

/// Without its barrier the waves of a group race. One order of them hides it, and two engines that have the same order agree.
#[test]
fn a_missing_barrier_is_a_race() {
    let folder = folder("barrier");
    let (with, without) = (exchange(&folder, true), exchange(&folder, false));
    for engines in ["emu,emu", "emu,vulkan"] {
        let found = wavediff(&["diff", &without, "--arch", "gfx900", "--engines", engines]);
        if code(&found) == 2 && std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none() {
            println!("skipped: no device");
            continue;
        }
        assert_eq!(code(&found), 1, "{engines}: {}{}", out(&found), err(&found));
        let text = out(&found);
        // A device may take the waves as the emulator does, or otherwise.
        if engines == "emu,emu" || !out(&found).contains("bare.s: gfx900: differs\n") {
            assert!(out(&found).contains("bare.s: gfx900: race\n"), "{engines}: {}", out(&found));
            assert!(out(&found).contains("leave the same by chance: the order of waves decides"), "{}", out(&found));
            assert!(out(&found).contains("0 equal, 0 differ, 1 with a race, 0 not run"), "{}", out(&found));
        } else {
            let differences: Vec<&str> = text.lines().filter(|line| line.starts_with("  v")).collect();
            assert!(
                !differences.is_empty() && differences.iter().all(|d| d.ends_with("; the order of waves decides")),
                "{text}"
            );
        }
        let fine = wavediff(&["diff", &with, "--arch", "gfx900", "--engines", engines]);
        assert_eq!(code(&fine), 0, "{engines}: {}{}", out(&fine), err(&fine));
    }
    let json = wavediff(&["diff", &without, "--arch", "gfx900", "--engines", "emu,emu", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let run = &value["runs"][0];
    assert_eq!((code(&json), run["status"].as_str()), (1, Some("race")));
    // The order that it names shows the race to `run` too.
    let order = run["wave_race"]["order"].as_str().expect("an order").to_owned();
    let options: Vec<&str> = order.split(' ').collect();
    let args = ["run", &without, "--arch", "gfx900"];
    let [usual, other] = [wavediff(&args), wavediff(&[&args[..], &options].concat())];
    assert_ne!(out(&usual), out(&other), "{order} shows nothing");
    let same = wavediff(&["diff", &without, "--arch", "gfx900", "--engines", "emu,emu", "--no-orders"]);
    assert_eq!(code(&same), 0, "{}", out(&same));
}

/// The same of a kernel, which leaves a buffer: each wave what the other wrote.
#[test]
fn a_kernel_without_its_barrier_is_a_race() {
    let folder = folder("kernel");
    let body = "\tv_lshlrev_b32 v1, 2, v0\n\tds_write_b32 v1, v0\n\ts_load_dwordx2 s[4:5], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n\
                \ts_barrier\n\tv_xor_b32 v3, 0x100, v1\n\tds_read_b32 v2, v3\n\ts_waitcnt lgkmcnt(0)\n\
                \tglobal_store_dword v1, v2, s[4:5]";
    let with = object(&folder, "barrier", &kernel("gfx900", 512, body));
    let without = object(&folder, "bare", &kernel("gfx900", 512, &body.replace("\ts_barrier\n", "")));
    let left = folder.join("left");
    let buffer = format!("out:{}:512", left.display());
    let launched = |command: &str, object: &str, more: &[&str]| {
        let launch = ["--grid", "128", "--group", "128", "--arg", &buffer];
        wavediff(&[&[command, object], &launch[..], more].concat())
    };
    let run = launched("run", &with, &[]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let exchanged: Vec<u8> = (0..128u32).flat_map(|item| (item ^ 64).to_le_bytes()).collect();
    assert_eq!(std::fs::read(&left).expect("the buffer"), exchanged);
    for (object, status, said, count) in [
        (&with, 0, "barrier.o: k: equal\n", "1 equal, 0 differ, 0 not run"),
        (&without, 1, "bare.o: k: race\n", "0 equal, 0 differ, 1 with a race, 0 not run"),
    ] {
        let found = launched("diff", object, &["--engines", "emu,emu"]);
        assert_eq!(code(&found), status, "{object}: {}{}", out(&found), err(&found));
        let count = format!("one program, compared on emu and emu: {count}");
        assert!(out(&found).contains(said) && out(&found).contains(&count), "{object}: {}", out(&found));
    }
}

/// Each of two waves adds one to a word: loads it, adds, stores it. Whole waves one behind the other hide that a sum may be lost, in any order.
#[test]
fn a_sum_that_is_lost_is_a_race() {
    let folder = folder("sum");
    let body = |add: &str| {
        format!(
            "; isa: gfx9\n; group: 128\n; buffer sum[4] = 0\n; s[0:1] = address(sum)\n; exec = 1\n; v0 = 0\n; expect: buffer sum = 2\n{add}"
        )
    };
    let racing = "global_load_dword v1, v0, s[0:1]\ns_waitcnt vmcnt(0)\nv_add_u32 v1, 1, v1\n\
                  global_store_dword v0, v1, s[0:1]\ns_waitcnt vmcnt(0)\nv_mov_b32 v1, 0\n";
    let racing = file(&folder, "racing.s", &body(racing));
    for order in [&[][..], &["--reverse-waves"], &["--shuffle", "1"]] {
        let hidden = wavediff(&[&["run", &racing, "--arch", "gfx900"], order].concat());
        assert_eq!(code(&hidden), 0, "{order:?}: {}", out(&hidden));
    }
    let lost = wavediff(&["run", &racing, "--arch", "gfx900", "--slice", "1"]);
    assert_eq!(code(&lost), 1, "{}{}", out(&lost), err(&lost));
    let found = wavediff(&["diff", &racing, "--arch", "gfx900", "--engines", "emu,emu"]);
    assert_eq!(code(&found), 1, "{}", out(&found));
    assert!(out(&found).contains("(--slice 1)"), "{}", out(&found));
    let atomic = file(&folder, "atomic.s", &body("v_mov_b32 v1, 1\nglobal_atomic_add v0, v1, s[0:1]\n"));
    let fine = wavediff(&["diff", &atomic, "--arch", "gfx900", "--engines", "emu,emu"]);
    assert_eq!(code(&fine), 0, "{}{}", out(&fine), err(&fine));
    assert_eq!(code(&wavediff(&["run", &atomic, "--slice", "0"])), 2);
}

/// Two programs that leave different things are "equal" each for itself, and this is said.
#[test]
fn what_was_compared_is_said() {
    let folder = folder("said");
    let one = file(&folder, "one.s", "; isa: gfx900\n; observe: v0\nv_mov_b32 v0, 1\n");
    let two = file(&folder, "two.s", "; isa: gfx900\n; observe: v0\nv_mov_b32 v0, 2\n");
    let both = wavediff(&["diff", &one, &two, "--engines", "emu,emu"]);
    assert_eq!(code(&both), 0, "{}", err(&both));
    assert!(
        out(&both).contains("each program compared on emu and emu: 2 equal, 0 differ, 0 not run"),
        "{}",
        out(&both)
    );
    assert!(out(&both).contains("the programs are not compared with each other"), "{}", out(&both));
    let alone = wavediff(&["diff", &one, "--engines", "emu,emu"]);
    assert!(out(&alone).contains("one program, compared on emu and emu: 1 equal"), "{}", out(&alone));
    assert!(!out(&alone).contains("with each other") && !out(&alone).contains("other orders"), "{}", out(&alone));
}

/// So are two code objects: each is run on both engines, and nobody asks whether one is the other.
#[test]
fn what_was_compared_of_objects_is_said() {
    let folder = folder("objects");
    let leaves = |name: &str, value: u32| {
        let body = format!(
            "\tv_lshlrev_b32 v0, 2, v0\n\tv_mov_b32 v1, {value}\n\ts_load_dwordx2 s[4:5], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n\
             \tglobal_store_dword v0, v1, s[4:5]"
        );
        object(&folder, name, &kernel("gfx900", 0, &body))
    };
    let (one, two) = (leaves("one", 1), leaves("two", 2));
    let left = folder.join("left");
    let buffer = format!("out:{}:256", left.display());
    let launch = ["--grid", "64", "--group", "64", "--arg", &buffer];
    for (object, value) in [(&one, 1u32), (&two, 2)] {
        let run = wavediff(&[&["run", object], &launch[..]].concat());
        assert_eq!(code(&run), 0, "{}", err(&run));
        assert_eq!(std::fs::read(&left).expect("the buffer"), value.to_le_bytes().repeat(64));
    }
    let both = wavediff(&[&["diff", &one, &two, "--engines", "emu,emu"], &launch[..]].concat());
    assert_eq!(code(&both), 0, "{}{}", out(&both), err(&both));
    let text = out(&both);
    assert!(text.contains("one.o: k: equal\n") && text.contains("two.o: k: equal\n"), "{text}");
    assert!(text.contains("each program compared on emu and emu: 2 equal, 0 differ, 0 not run"), "{text}");
    assert!(text.contains("the programs are not compared with each other"), "{text}");
}

/// What no run looks for stands in what `scan` says and in the book.
#[test]
fn what_is_not_checked_is_said() {
    let folder = folder("unchecked");
    let case = file(&folder, "one.s", "; isa: gfx900\nv_mov_b32 v0, 1\n");
    let (text, json) = (wavediff(&["scan", &case]), wavediff(&["scan", &case, "--json"]));
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let all = value["not_checked"].as_array().expect("a list");
    let book =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/engines.md")).expect("the book");
    for word in ["missing waits", "hazards", "uninitialised registers"] {
        assert!(all.iter().any(|one| one["what"] == word), "{word}: {value}");
    }
    for one in all {
        let what = one["what"].as_str().expect("words");
        assert!(out(&text).contains(&format!("\n  {what}: ")), "{what}: {}", out(&text));
        assert!(book.contains(&format!("| {what} |")), "the book does not speak of {what}");
    }
}
