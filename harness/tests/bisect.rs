//! `wavediff bisect` and `reduce` as a user meets them: output, exit codes, files. What they find is the business of `teeth.rs`, which needs a device.

#[path = "program/objects.rs"]
mod objects;
mod program;

use objects::{kernel, object};
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
    assert_eq!(code(&wavediff(&["reduce", &elf, "--engines", "emu,emu"])), 1);
    assert_eq!(code(&wavediff(&["reduce", &elf, "--engines", "emu,emu", "--arch", "gfx900"])), 2);
    let launched = wavediff(&["reduce", &case, "--engines", "emu,emu", "--grid", "64"]);
    assert_eq!((code(&launched), err(&launched).contains(".amdhsa_kernel")), (2, true), "{}", err(&launched));
    let several = wavediff(&["bisect", &case, &case, "--engines", "emu,emu", "-o", "step.s"]);
    assert_eq!((code(&several), err(&several).contains("-o writes")), (2, true), "{}", err(&several));
    assert_eq!(code(&wavediff(&["bisect", &elf, &case, "--engines", "emu,emu"])), 2);
    let resume = wavediff(&["reduce", &case, "--engines", "emu,emu", "--resume"]);
    assert_eq!(code(&resume), 2, "{}", err(&resume));
}

/// Stores of three words a lane that overlap: which lane wins nobody says. As a kernel, with its number of groups in an argument that it does not read.
const RACING: &str = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n\
                      \tv_lshlrev_b32 v1, 2, v0\n\tv_add_nc_u32 v2, 0x100, v0\n\tv_add_nc_u32 v3, 0x200, v0\n\tv_add_nc_u32 v4, 0x300, v0\n\
                      \tds_store_b96 v1, v[2:4]\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v5, 1\n\ts_endpgm\n\
                      \t.section .rodata,\"a\"\n\t.p2align 6\n\t.amdhsa_kernel k\n\t.amdhsa_group_segment_fixed_size 1024\n\
                      \t.amdhsa_next_free_vgpr 8\n\t.amdhsa_next_free_sgpr 8\n\t.end_amdhsa_kernel\n";

/// The guilty instruction of a kernel becomes a case that shows the difference, and a smaller one by `reduce`. A race needs no planted fault: the emulator's
/// order of lanes and the device's are both right.
#[test]
fn a_kernel_becomes_a_case() {
    let folder = folder("kernel");
    let source = file(&folder, "racing.s", RACING);
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (step, small) = (path("step.s"), path("small.s"));
    let _ = std::fs::remove_file(&step);
    let launch = ["--grid", "32", "--group", "32", "--lanes", "workgroup"];
    let bisect = wavediff(&[&["bisect", &source, "-o", &step], &launch[..]].concat());
    if code(&bisect) == 2 && std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none() {
        println!("skipped: no device");
        return;
    }
    if code(&bisect) == 0 {
        assert!(!out(&bisect).contains("llvmpipe"), "llvmpipe takes lanes in another order: {}", out(&bisect));
        assert!(!folder.join("step.s").exists());
        println!("skipped: the device takes lanes as the emulator does");
        return;
    }
    assert_eq!(code(&bisect), 1, "{}{}", out(&bisect), err(&bisect));
    assert!(out(&bisect).contains("ds_store_b96 v1, v[2:4]"), "{}", out(&bisect));
    assert!(out(&bisect).contains("  in words: each active lane stores 96 bits to LDS"), "{}", out(&bisect));
    let text = std::fs::read_to_string(&step).expect("the case");
    assert!(text.contains("ds_store_b96 v1, v[2:4]") && text.contains("expect: lds"), "{text}");
    // It is a case like others: the emulator leaves what it expects, and the device does not.
    let run = wavediff(&["run", &step]);
    assert_eq!(code(&run), 0, "{}{}\n{text}", out(&run), err(&run));
    let diff = wavediff(&["diff", &step, "--lanes", "workgroup"]);
    assert_eq!(code(&diff), 1, "{}\n{text}", out(&diff));
    let reduced = wavediff(&[&["reduce", &source, "-o", &small], &launch[..]].concat());
    assert_eq!(code(&reduced), 0, "{}", err(&reduced));
    let text = std::fs::read_to_string(&small).expect("the case");
    assert!(text.contains("ds_store_b96"), "{text}");
    assert_eq!(code(&wavediff(&["run", &small])), 0, "{text}");
    assert_eq!(code(&wavediff(&["diff", &small, "--lanes", "workgroup"])), 1, "{text}");
    // A case is written down in the same way.
    let again = wavediff(&["bisect", &small, "-o", &path("again.s"), "--lanes", "workgroup"]);
    assert_eq!(code(&again), 1, "{}", err(&again));
    assert_eq!(code(&wavediff(&["diff", &path("again.s"), "--lanes", "workgroup"])), 1);
    // What is equal leaves no file.
    let equal = wavediff(&[&["bisect", &source, "-o", &path("none.s"), "--engines", "emu,emu"], &launch[..4]].concat());
    assert_eq!((code(&equal), folder.join("none.s").exists()), (0, false), "{}", err(&equal));
    let nothing =
        wavediff(&[&["reduce", &source, "-o", &path("none.s"), "--engines", "emu,emu"], &launch[..4]].concat());
    assert_eq!((code(&nothing), folder.join("none.s").exists()), (1, false), "{}", err(&nothing));
}

/// A code object whose lanes store over each other in the buffer of its argument: what was touched of it goes along.
#[test]
fn a_kernel_with_a_buffer_becomes_a_case() {
    let folder = folder("buffer");
    let body = "\ts_load_b64 s[4:5], s[0:1], 0x0\n\tv_lshlrev_b32 v1, 2, v0\n\tv_add_nc_u32 v2, 0x100, v0\n\tv_add_nc_u32 v3, 0x200, v0\n\
                \tv_add_nc_u32 v4, 0x300, v0\n\ts_waitcnt lgkmcnt(0)\n\tglobal_store_b96 v1, v[2:4], s[4:5]\n\tv_mov_b32 v5, 1";
    let object = object(&folder, "storing", &kernel("gfx1100", 0, body));
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (step, buffer) = (path("step.s"), format!("out:{}:256", path("left")));
    let _ = std::fs::remove_file(&step);
    let launch = ["--grid", "32", "--group", "32", "--arg", &buffer];
    let equal = wavediff(&[&["bisect", &object, "-o", &step, "--engines", "emu,emu"], &launch[..]].concat());
    assert_eq!((code(&equal), folder.join("step.s").exists()), (0, false), "{}", err(&equal));
    assert!(out(&equal).contains("storing.o: k: equal on emu and emu"), "{}", out(&equal));
    let bisect = wavediff(&[&["bisect", &object, "-o", &step, "--lanes", "workgroup"], &launch[..]].concat());
    if code(&bisect) == 2 && std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none() {
        println!("skipped: no device");
        return;
    }
    if code(&bisect) == 0 {
        assert!(!out(&bisect).contains("llvmpipe"), "llvmpipe takes lanes in another order: {}", out(&bisect));
        println!("skipped: the device takes lanes as the emulator does");
        return;
    }
    assert_eq!(code(&bisect), 1, "{}{}", out(&bisect), err(&bisect));
    assert!(out(&bisect).contains("global_store_b96 v1, v[2:4], s[4:5]"), "{}", out(&bisect));
    let text = std::fs::read_to_string(&step).expect("the case");
    for words in ["; buffer arg0[", "expect: buffer arg0", "global_store_b96 v1, v[2:4], s[4:5]"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // It is a case like others: the emulator leaves what it expects, and the device does not.
    let run = wavediff(&["run", &step]);
    assert_eq!(code(&run), 0, "{}{}\n{text}", out(&run), err(&run));
    let diff = wavediff(&["diff", &step, "--lanes", "workgroup"]);
    assert_eq!(code(&diff), 1, "{}\n{text}", out(&diff));
}
