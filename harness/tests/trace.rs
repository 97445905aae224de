//! `wavediff trace` as a user meets it: loads, addresses, types, and which steps are shown.

#[allow(dead_code, reason = "not every test needs all of it")]
mod program;

use program::{code, err, file, folder, out, wavediff};

/// A loop over three words, and values in their types.
const LOOP: &str = "; isa: gfx900\n; wave: 64\n; buffer data[1024] = 0\n; buffer out[1024]\n; s[0:1] = address(data)\n; s[2:3] = address(out)\n\
                    ; v0 = lane * 4\n; v[4:5] = f64 1.5\n; v6 = 0x3c004000\n; exec = 0xf\n\
                    s_mov_b32 s4, 3\n\
                    loop:\n\
                    global_load_dword v1, v0, s[0:1] offset:16\n\
                    s_waitcnt vmcnt(0)\n\
                    v_add_f32 v2, 1.5, v1\n\
                    s_sub_u32 s4, s4, 1\n\
                    s_cmp_lg_u32 s4, 0\n\
                    s_cbranch_scc1 loop\n\
                    done:\n\
                    global_store_dword v0, v2, s[2:3]\n\
                    v_add_f64 v[4:5], v[4:5], v[4:5]\n\
                    v_pk_add_f16 v6, v6, v6\n\
                    ds_write_b32 v0, v2 offset:8\n";

fn trace(name: &str, args: &[&str]) -> String {
    let case = file(&folder(name), "loop.s", LOOP);
    let run = wavediff(&[&["trace", &case], args].concat());
    assert_eq!(code(&run), 0, "{args:?}: {}", err(&run));
    out(&run)
}

/// The instructions of a trace, by their first word.
fn names(text: &str) -> Vec<&str> {
    let heads = text.lines().filter(|line| line.starts_with('('));
    heads.filter_map(|line| line.split_whitespace().nth(3)).collect()
}

/// A load that brings what is there already is shown with what it brings, and every access with its addresses.
#[test]
fn loads_and_addresses() {
    let text = trace("loads", &["--pc", "loop"]);
    assert_eq!(names(&text), ["global_load_dword"; 3], "{text}");
    assert_eq!(text.matches("    > v1 = 0x00000000  lanes 0-3\n").count(), 3, "{text}");
    assert!(text.contains("    @ data[0x10] = 0x1000000010, 0x4 more each lane, 4 bytes  lanes 0-3\n"), "{text}");
    let stores = trace("loads", &["--from", "done"]);
    assert!(stores.contains("    @ out[0x0] = 0x1000020000, 0x4 more each lane, 4 bytes  lanes 0-3\n"), "{stores}");
    assert!(stores.contains("    @ lds[0x8], 0x4 more each lane, 4 bytes  lanes 0-3\n"), "{stores}");
    let one = trace("loads", &["--pc", "loop", "--show-lanes", "2"]);
    assert!(one.contains("    @ data[0x18] = 0x1000000018, 4 bytes  lane 2\n"), "{one}");
    let json = trace("loads", &["--pc", "loop", "--format", "jsonl", "--show-lanes", "3"]);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    let expected = serde_json::json!([{"lane": 3, "space": "memory", "address": "0x100000001c", "bytes": 4, "region": "data", "offset": 28}]);
    assert_eq!(first["addresses"], expected, "{first}");
}

/// Values stand in hex and in the type in which the instruction looks at them.
#[test]
fn values_in_their_types() {
    let text = trace("types", &["--watch", "v2,v4,v6,s4"]);
    for line in [
        "    < v1 = 0x00000000  lanes 0-3  f32 0.0\n",
        "    > v2 = 0x3fc00000  lanes 0-3  f32 1.5\n",
        "    < s4 = 0x00000003  u32 3\n",
        "      > v4 and v5: f64 3.0  lanes 0-3\n",
        "    < v6 = 0x3c004000  lanes 0-3  2xf16 (2.0, 1.0)\n",
        "    > v6 = 0x40004400  lanes 0-3  2xf16 (4.0, 2.0)\n",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    // A store has no type of its own.
    assert!(text.contains("    < v2 = 0x3fc00000  lanes 0-3\n"), "{text}");
}

/// What is shown: by label, place, register, buffer.
#[test]
fn steps_are_chosen() {
    let all =
        ["s_mov_b32", "global_load_dword", "s_waitcnt", "v_add_f32_e32", "s_sub_u32", "s_cmp_lg_u32", "s_cbranch_scc1"];
    assert_eq!(names(&trace("chosen", &["--to", "6"])), all);
    let inside = trace("chosen", &["--from", "loop", "--to", "done"]);
    assert_eq!(names(&inside).len(), 3 * 6 + 1, "{inside}");
    assert_eq!(names(&inside).last(), Some(&"global_store_dword"));
    assert_eq!(names(&trace("chosen", &["--from", "done"]))[..2], ["global_store_dword", "v_add_f64"]);
    assert_eq!(names(&trace("chosen", &["--watch", "v4"])), ["v_add_f64"]);
    assert_eq!(
        names(&trace("chosen", &["--watch", "scc", "--from", "5", "--to", "6"])),
        ["s_cmp_lg_u32", "s_cbranch_scc1"]
    );
    assert_eq!(names(&trace("chosen", &["--watch", "out"])), ["global_store_dword"]);
    assert_eq!(names(&trace("chosen", &["--watch", "lds"])), ["ds_write_b32"]);
    assert_eq!(names(&trace("chosen", &["--pc", "0x0,0x1c-0x20"])).len(), 1 + 2 * 3);
    let nothing = wavediff(&["trace", &file(&folder("chosen"), "loop.s", LOOP), "--pc", "0x4000"]);
    assert!(out(&nothing).is_empty() && err(&nothing).contains("no executed instruction"), "{}", err(&nothing));
    for (wrong, words) in [
        (["--from", "lop"], "did you mean `loop`?"),
        (["--watch", "v256"], "to watch"),
        (["--watch", "in"], "data, out"),
        (["--pc", "nowhere"], "there is no label `nowhere`"),
        (["--lanes", "3"], "--show-lanes"),
        (["--from", "1x"], "a label"),
    ] {
        let run = wavediff(&[&["trace", &file(&folder("chosen"), "loop.s", LOOP)][..], &wrong].concat());
        assert_eq!(code(&run), 2, "{wrong:?}");
        assert!(err(&run).contains(words), "{wrong:?}: {}", err(&run));
    }
}

/// A mask is its halves: whoever reads or writes one of them touches it, and half of it is touched by what takes it as a whole.
#[test]
fn masks_are_watched_by_their_halves() {
    let text = "; isa: gfx900\n; v0 = lane\nv_mov_b32 v1, 2\nv_cmp_lt_u32 vcc, 1, v0\ns_mov_b32 vcc_hi, 0\nv_cndmask_b32 v2, v0, v1, vcc\n\
                s_mov_b32 s4, vcc_lo\ns_mov_b32 s5, s4\n";
    let case = file(&folder("masks"), "masks.s", text);
    for (watched, wanted) in [
        ("vcc", &["v_cmp_lt_u32_e32", "s_mov_b32", "v_cndmask_b32_e32", "s_mov_b32"][..]),
        ("vcc_hi", &["v_cmp_lt_u32_e32", "s_mov_b32", "v_cndmask_b32_e32"]),
        ("vcc_lo", &["v_cmp_lt_u32_e32", "v_cndmask_b32_e32", "s_mov_b32"]),
    ] {
        let run = wavediff(&["trace", &case, "--watch", watched]);
        assert_eq!(code(&run), 0, "{watched}: {}", err(&run));
        assert_eq!(names(&out(&run)), wanted, "{watched}: {}", out(&run));
    }
}

/// The commands that a help names.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names = listed.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// `--lanes` means one thing wherever it stands in the help, of sub-commands too.
#[test]
fn lanes_have_one_meaning() {
    let mut found = Vec::new();
    let mut all: Vec<Vec<String>> = commands(&out(&wavediff(&["--help"]))).into_iter().map(|name| vec![name]).collect();
    while let Some(command) = all.pop() {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["-h"]).collect();
        let text = out(&wavediff(&words));
        all.extend(commands(&text).into_iter().map(|name| [command.clone(), vec![name]].concat()));
        // However the lines are broken.
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in words.split("--lanes <LANES> ").skip(1) {
            let meaning = "How the lanes of a wave are laid over a Vulkan device";
            assert!(said.starts_with(meaning), "{command:?}: {said}");
            found.push(command.join(" "));
        }
    }
    for command in ["run", "diff", "bisect", "conform", "golden record", "golden trace"] {
        assert!(found.iter().any(|one| one == command), "{command} is not among {found:?}");
    }
}
