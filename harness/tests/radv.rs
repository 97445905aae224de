//! `wavediff run --abi radv` as a user meets it, with binaries of `golden/radv`.

#[path = "program/mod.rs"]
#[allow(dead_code, reason = "not every test needs all of it")]
mod program;
#[path = "../vgpu/programs/src/unit.rs"]
#[allow(dead_code, reason = "programs on devices are given more")]
mod unit;

use program::{code, err, folder, out, wavediff};
use std::path::{Path, PathBuf};
use unit::Unit;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The words of the command line for a shader with its inputs in files, the outputs to `out.bin`.
fn words(folder: &Path, shader: &str, arch: &str) -> Vec<String> {
    let name = shader.split('.').next().unwrap_or_default();
    let text = std::fs::read_to_string(root().join(format!("shaders/vulkan/{name}.comp"))).expect("a shader");
    let unit = Unit::parse(text.leak());
    let shader = root().join("golden/radv").join(shader);
    let mut words: Vec<String> =
        ["run", &shader.to_string_lossy(), "--abi", "radv", "--arch", arch].map(str::to_owned).into();
    for bind in &unit.binds {
        let file = folder.join(format!("{}.{}.bin", bind.set, bind.binding));
        std::fs::write(&file, &bind.bytes).expect("a file");
        let arg = match (bind.output, bind.bytes.iter().any(|b| *b != 0)) {
            (false, _) => format!("in:{}", file.display()),
            (true, true) => format!("inout:{}:{}", file.display(), folder.join("out.bin").display()),
            (true, false) => format!("out:{}:{}", folder.join("out.bin").display(), bind.bytes.len()),
        };
        words.extend(["--bind".to_owned(), format!("{}.{}={arg}", bind.set, bind.binding)]);
    }
    for word in unit.push.chunks(4) {
        let hex: String = word.iter().map(|byte| format!("{byte:02x}")).collect();
        words.extend(["--push".to_owned(), format!("raw:{hex}")]);
    }
    let [x, y, z] = unit.groups;
    words.extend(["--groups".to_owned(), format!("{x},{y},{z}")]);
    words
}

fn run(words: &[String], more: &[&str]) -> std::process::Output {
    let all: Vec<&str> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
    wavediff(&all)
}

#[test]
fn outputs_are_saved() {
    let folder = folder("saved");
    for (shader, arch) in [("saxpy_push.tahiti.object", "gfx600"), ("saxpy_push.navi31.object", "navi31")] {
        let ran = run(&words(&folder, shader, arch), &["--json"]);
        assert_eq!(code(&ran), 0, "{}", err(&ran));
        let value: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        assert_eq!(value["status"], "pass");
        let got = std::fs::read(folder.join("out.bin")).expect("what was saved");
        assert_eq!(
            got,
            std::fs::read(root().join("golden/radv/saxpy_push.out")).expect("what lavapipe leaves"),
            "{arch}"
        );
    }
}

#[test]
fn outputs_are_compared() {
    let folder = folder("compared");
    let words = words(&folder, "many_sets.vega10.cache", "gfx900");
    let out_file = root().join("golden/radv/many_sets.out");
    let right = format!("7.0={}", out_file.display());
    let ran = run(&words, &["--expect", &right]);
    assert_eq!(code(&ran), 0, "{}{}", out(&ran), err(&ran));
    assert!(out(&ran).contains("many_sets.vega10.cache: pass"), "{}", out(&ran));
    let mut wrong = std::fs::read(&out_file).expect("a file");
    wrong[4] ^= 1;
    std::fs::write(folder.join("wrong.bin"), &wrong).expect("a file");
    let ran = run(&words, &["--expect", &format!("7.0={}", folder.join("wrong.bin").display())]);
    assert_eq!(code(&ran), 1);
    assert!(out(&ran).contains("set 7 binding 0 at 4: expected u32 0x"), "{}", out(&ran));
    let ran = run(&words, &["--expect", &format!("7.0={},f32,ulp(99999999)", out_file.display())]);
    assert_eq!(code(&ran), 2);
    assert!(err(&ran).contains("any value would do"), "{}", err(&ran));
    std::fs::write(folder.join("short.bin"), &wrong[..8]).expect("a file");
    let ran = run(&words, &["--expect", &format!("7.0={}", folder.join("short.bin").display())]);
    assert_eq!(code(&ran), 1);
    assert!(out(&ran).contains("has 256 bytes, and"), "{}", out(&ran));
}

#[test]
fn what_is_missing_is_named() {
    let folder = folder("missing");
    let all = words(&folder, "many_sets.navi21.cache", "gfx1030");
    let without = |what: &str| {
        let at = all.iter().position(|word| word.starts_with(what)).expect("the word");
        [&all[..at - 1], &all[at + 1..]].concat()
    };
    for (words, more, want) in [
        (without("3.0="), vec![], "the shader reads descriptor set 3, and nothing is bound there"),
        (without("gfx1030"), vec![], "give --arch"),
        (all.clone(), vec!["--bind", "0.0=in:x:y"], "x:y"),
        (all.clone(), vec!["--bind", "0.0=zero:4"], "set 0, binding 0, element 0 is bound twice"),
        (all.clone(), vec!["--bind", "0=zero:4"], "expected SET.BINDING"),
        (all.clone(), vec!["--expect", "9.9=x"], "nothing is bound there"),
        (all.clone(), vec!["--shader", "1"], "has 1 shaders, counted from 0"),
        (all.clone(), vec!["--grid", "64"], "a shader takes --bind, --push and --groups"),
    ] {
        let ran = run(&words, &more);
        assert_ne!(code(&ran), 0);
        assert!(err(&ran).contains(want), "{want}: {}", err(&ran));
    }
    let short: Vec<String> =
        all.iter().filter(|word| !word.starts_with("raw:") && *word != "--push").cloned().collect();
    let ran = run(&short, &[]);
    assert!(err(&ran).contains("of the push constants, and 0 bytes are given"), "{}", err(&ran));
}

#[test]
fn other_files_are_no_shaders() {
    let folder = folder("other");
    let path = folder.join("x.bin");
    for bytes in [vec![], vec![0; 2000], b"SPIR-V and so on, long enough to have a head and more".repeat(40)] {
        std::fs::write(&path, &bytes).expect("a file");
        let ran = wavediff(&["run", &path.to_string_lossy(), "--abi", "radv", "--arch", "gfx900"]);
        assert_eq!(code(&ran), 1);
        assert!(err(&ran).contains("no shader object, pipeline binary or pipeline cache of RADV"), "{}", err(&ran));
    }
    let ran = wavediff(&["run", &path.to_string_lossy(), "--groups", "1"]);
    assert_eq!(code(&ran), 2);
    assert!(err(&ran).contains("give --abi radv"), "{}", err(&ran));
}
