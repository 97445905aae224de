//! `wavediff bisect` and `reduce` as a user meets them: output, exit codes, files. What they find is the business of `teeth.rs`, which needs a device.

mod program;

use program::{code, err, file, folder, out, wavediff};

/// Two waves that meet at a barrier.
const MEET: &str = "; isa: gfx900, gfx1100\n; wave: 64\n; group: 128\n; s0 = wave\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc1 first\ns_nop 0\nfirst:\n\
                    s_barrier\ns_mov_b32 s1, 1\n";

/// An engine does not differ from itself, however it is asked.
#[test]
fn what_is_equal_is_said_to_be() {
    let folder = folder("equal");
    let case = file(&folder, "meet.s", MEET);
    let same = wavediff(&["bisect", &case, "--engines", "emu,emu"]);
    assert_eq!(code(&same), 0, "{}", err(&same));
    assert!(out(&same).contains("meet.s: gfx900, gfx1100 wave64: equal on emu and emu"), "{}", out(&same));
    let json = wavediff(&["bisect", &case, "--engines", "emu,emu", "--json", "--arch", "gfx900", "--wave", "0:1"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((code(&json), value["found"].as_str()), (0, Some("equal")));
    let several = wavediff(&["bisect", &case, &case, "--engines", "emu,emu"]);
    assert_eq!(code(&several), 0, "{}", err(&several));
    assert!(out(&several).starts_with("4 cases: equal on emu and emu in what they leave"), "{}", out(&several));
    let absent = wavediff(&["bisect", &case, "--engines", "emu,emu", "--wave", "0:2"]);
    assert_eq!(code(&absent), 2);
    assert!(err(&absent).contains("no wave 0,0,0:2"), "{}", err(&absent));
    let nobody = wavediff(&["bisect", &case, "--engines", "emu,emu", "--lanes", "serial"]);
    assert_eq!(code(&nobody), 2, "{}", err(&nobody));
}

/// A trace stands for the engine that left it, and for no other case.
#[test]
fn a_trace_is_compared_with() {
    let folder = folder("trace");
    let case = file(&folder, "meet.s", MEET);
    let trace = folder.join("meet.trace").to_string_lossy().into_owned();
    let made = wavediff(&["golden", "trace", &case, "--engine", "emu", "--arch", "gfx1100", "-o", &trace]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert!(out(&made).contains("steps of meet.s, gfx1100 wave64, on emu"), "{}", out(&made));
    let engines = format!("emu,golden:{trace}");
    let same = wavediff(&["bisect", &case, "--engines", &engines]);
    assert_eq!(code(&same), 0, "{}", err(&same));
    assert!(out(&same).contains("meet.s: gfx1100 wave64: equal on emu and golden emu"), "{}", out(&same));
    let other = file(&folder, "other.s", &MEET.replace("s1, 1", "s1, 2"));
    let refused = wavediff(&["bisect", &other, "--engines", &engines]);
    assert_eq!(code(&refused), 2, "{}", err(&refused));
    assert!(err(&refused).contains("is of another case"), "{}", err(&refused));
    assert_eq!(code(&wavediff(&["bisect", &case, "--engines", &engines, "--arch", "gfx900"])), 2);
    let short = wavediff(&["golden", "trace", &case, "--engine", "emu", "--steps", "2", "-o", &trace]);
    assert!(code(&short) != 0 && err(&short).contains("more than 2 steps"), "{}", err(&short));
    std::fs::write(&trace, "not a trace").expect("a file");
    assert_eq!(code(&wavediff(&["bisect", &case, "--engines", &engines])), 1);
}

#[test]
fn nothing_that_differs_is_nothing_to_reduce() {
    let folder = folder("nothing");
    let case = file(&folder, "meet.s", MEET);
    let small = folder.join("small.s");
    let nothing = wavediff(&["reduce", &case, "--engines", "emu,emu", "-o", &small.to_string_lossy()]);
    assert_eq!(code(&nothing), 1, "{}", err(&nothing));
    assert!(err(&nothing).contains("do not differ"), "{}", err(&nothing));
    assert!(!small.exists() && !folder.join("small.s.reduce").exists());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder("usage");
    let case = file(&folder, "wrong.s", "; isa: gfx900\nv_ad_f32 v0, v0, v0\n");
    for command in ["bisect", "reduce"] {
        let one = wavediff(&[command, &case, "--engines", "emu"]);
        assert_eq!(code(&one), 2, "{command}: {}", err(&one));
        let text = wavediff(&[command, &case, "--engines", "emu,emu"]);
        assert_eq!(code(&text), 1, "{command}: {}", err(&text));
        assert!(err(&text).contains("unknown instruction"), "{command}: {}", err(&text));
        let missing = wavediff(&[command, "/nowhere/case.s", "--engines", "emu,emu"]);
        assert_eq!(code(&missing), 1, "{command}: {}", err(&missing));
    }
    let elf = file(&folder, "kernel.co", "\x7fELF");
    assert_eq!(code(&wavediff(&["reduce", &elf, "--engines", "emu,emu"])), 2);
    assert_eq!(code(&wavediff(&["bisect", &elf, &case, "--engines", "emu,emu"])), 2);
    let resume = wavediff(&["reduce", &case, "--engines", "emu,emu", "--resume"]);
    assert_eq!(code(&resume), 2, "{}", err(&resume));
}
