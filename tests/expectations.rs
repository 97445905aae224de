//! What is expected is compared, or the case fails: one test for each way in which an expectation was accepted and looked at nothing.

use std::path::PathBuf;
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::{Engine, EngineError};

/// What the emulator finds wrong with a case on its first target; an error where the case is refused.
fn found(name: &str, text: &str) -> Vec<String> {
    let case = match Case::parse(text, name) {
        Ok(case) => case,
        Err(error) => return vec![error.to_string()],
    };
    let target = case.targets()[0];
    match Emulator::default().run(&case, target) {
        Ok(outcome) => case.check(target, &outcome).expect("a comparison").iter().map(ToString::to_string).collect(),
        Err(EngineError::Case(error)) => vec![error.to_string()],
        Err(error) => panic!("{error}"),
    }
}

/// A case is refused or fails with these words.
fn fails(text: &str, words: &str) {
    let found = found("test.s", text);
    assert!(found.iter().any(|line| line.contains(words)), "{text}\n{found:#?}");
}

fn passes(text: &str) {
    assert_eq!(found("test.s", text), [""; 0], "{text}");
}

/// A folder with files beside a case.
fn folder(name: &str, files: &[(&str, &[u8])]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
    folder.join("case.s").to_string_lossy().into_owned()
}

/// Stores `lane * 4` and 0x1234 from v1 on.
const STORE: &str = "; isa: gfx1100
; wave: 32
; buffer out[16]
; s[4:7] = buffer(out)
; v0 = [0, 4, 8, 12, 0x1000]
; v1 = [7, 8, 9, 10]
; exec = 0xf
";
const BODY: &str = "buffer_store_b32 v1, v0, s[4:7], 0 offen\n";

/// The mistake of issue 16, A3: the line was read and nothing was compared.
#[test]
fn a_buffer_is_compared_with_a_file() {
    let words = |words: [u32; 4]| words.map(u32::to_le_bytes).concat();
    let (right, wrong) = (words([7, 8, 9, 10]), words([7, 8, 9, 11]));
    let name = folder("expect-file", &[("right.bin", &right), ("wrong.bin", &wrong), ("short.bin", &right[..12])]);
    let with = |expect: &str| found(&name, &format!("{STORE}; expect: {expect}\n{BODY}"));
    assert_eq!(with("buffer out = file \"right.bin\""), [""; 0]);
    assert_eq!(with("buffer out = file \"wrong.bin\""), ["buffer out[12]: expected u8 0x0b (11), got 0x0a (10)"]);
    assert_eq!(
        with("buffer out = u32 file \"wrong.bin\""),
        ["buffer out[12]: expected u32 0x0000000b (11), got 0x0000000a (10)"]
    );
    assert_eq!(
        with("buffer out[4] = file \"right.bin\""),
        ["buffer out[4] has 12 bytes, and the file \"right.bin\" has 16"]
    );
    assert_eq!(with("buffer out = file \"short.bin\""), ["buffer out has 16 bytes, and the file \"short.bin\" has 12"]);
    assert!(with("buffer out = file \"absent.bin\"")[0].starts_with("absent.bin: "));
}

#[test]
fn files_are_compared_in_their_type() {
    let name =
        folder("expect-near", &[("near.bin", &f32::to_le_bytes(1.000_000_2)), ("far.bin", &f32::to_le_bytes(1.5))]);
    let text = |expect: &str| format!("; isa: gfx1100\n; buffer out[4] = f32 1.0\n; expect: {expect}\ns_nop 0\n");
    assert_eq!(found(&name, &text("buffer out = f32 file \"near.bin\", ulp(2)")), [""; 0]);
    assert_eq!(found(&name, &text("buffer out = f32 file \"near.bin\", abs(1e-6)")), [""; 0]);
    assert_eq!(found(&name, &text("buffer out = f32 file \"near.bin\", abs(1e-8)")).len(), 1);
    assert_eq!(found(&name, &text("buffer out = f32 file \"far.bin\", ulp(2)")).len(), 1);
    assert!(
        found(&name, &text("buffer out = file \"near.bin\", ulp(2)"))[0].contains("only floats are compared like this")
    );
}

#[test]
fn local_memory_is_compared_with_a_file() {
    let name = folder("expect-lds", &[("a.bin", &[1, 2, 3, 4]), ("b.bin", &[1, 2, 3, 5])]);
    let text =
        |file: &str| format!("; isa: gfx1100\n; lds = [u8 1, 2, 3, 4]\n; expect: lds = file \"{file}\"\ns_nop 0\n");
    assert_eq!(found(&name, &text("a.bin")), [""; 0]);
    assert_eq!(found(&name, &text("b.bin")), ["lds[3]: expected u8 0x05 (5), got 0x04 (4)"]);
}

#[test]
fn an_empty_file_compares_nothing() {
    let name = folder("expect-empty", &[("empty.bin", &[])]);
    let text = "; isa: gfx1100\n; buffer out[0]\n; expect: buffer out = file \"empty.bin\"\ns_nop 0\n";
    assert!(found(&name, text)[0].contains("there was nothing to compare"), "{:?}", found(&name, text));
}

#[test]
fn a_pattern_behind_the_end_of_a_buffer() {
    fails(
        "; isa: gfx1100\n; buffer b[16]\n; expect: buffer b[16] = 7\ns_nop 0\n",
        "buffer b[16] is expected, and there was nothing",
    );
    fails("; isa: gfx1100\n; buffer b[0]\n; expect: buffer b = 7\ns_nop 0\n", "there was nothing to compare");
    fails("; isa: gfx1100\n; expect: lds = 7\ns_nop 0\n", "lds");
}

#[test]
fn a_list_behind_the_end_of_a_buffer() {
    fails(
        "; isa: gfx1100\n; buffer b[4] = [7]\n; expect: buffer b = [7, 8]\ns_nop 0\n",
        "buffer b[4] is expected, and the engine",
    );
}

#[test]
fn the_last_bytes_of_a_buffer_under_a_wider_pattern() {
    fails(
        "; isa: gfx1100\n; buffer b[6] = [u16 7, 0, 9]\n; expect: buffer b = 7\ns_nop 0\n",
        "buffer b[4]: expected u8 0x07 (7), got 0x09",
    );
    passes("; isa: gfx1100\n; buffer b[6] = [u16 7, 0, 7]\n; expect: buffer b = 7\ns_nop 0\n");
}

#[test]
fn elements_of_lanes_that_are_not_there() {
    fails(
        "; isa: gfx1100\n; grid: 2\n; expect: v0 = [0, 0, 5]\ns_nop 0\n",
        "v0: element 2 of the list was compared with nothing",
    );
    fails("; isa: gfx1100\n; expect: vcc = [0, 5]\ns_nop 0\n", "vcc: element 1 of the list");
    passes("; isa: gfx1100\n; grid: 2\n; expect: v0 = [0, 0, _]\ns_nop 0\n");
}

/// Lanes outside EXEC carry a work-item: they are compared.
#[test]
fn lanes_outside_exec() {
    fails("; isa: gfx1100\n; exec = 0\n; v0 = 1\n; expect: v0 = 2\ns_nop 0\n", "v0 lane 0: expected");
}

#[test]
fn registers_that_the_processor_lacks() {
    fails("; isa: gfx1100\n; expect: a0 = 0\ns_nop 0\n", "gfx1100 has no a0");
    fails("; isa: gfx600\n; expect: ttmp12 = 0\ns_nop 0\n", "gfx600 has no ttmp12");
    fails("; isa: gfx900\n; expect: s[101:102] = 0\ns_nop 0\n", "gfx900 has no s[101:102]");
}

#[test]
fn anything_is_no_expectation() {
    fails("; expect: v0 = _\ns_nop 0\n", "this expects nothing; `observe: PLACE`");
    // A list says so outright: recorded states have it where a card's bits are not sure.
    passes("; isa: gfx1100\n; expect: v0 = [_, _]\ns_nop 0\n");
}

#[test]
fn brackets_that_mean_no_target() {
    fails("; isa: gfx1100\n; expect[gfx9]: v0 = 1\ns_nop 0\n", "expect[gfx9]: v0: these brackets mean no target");
    fails("; isa: gfx9\n; expect[wave32]: v0 = 1\ns_nop 0\n", "these brackets mean no target");
    fails("; isa: gfx1100\n; wave: 32\n; expect[wave64]: v0 = 1\ns_nop 0\n", "these brackets mean no target");
    passes("; isa: gfx1100\n; expect[wave64]: v0 = 1\n; expect: v1 = 0\ns_nop 0\n");
}

#[test]
fn tolerances_that_swallow_everything() {
    fails("; isa: gfx1100\n; v0 = 5.0\n; expect: v0 = 1.0, ulp(4294967295)\ns_nop 0\n", "more than a factor of two");
    fails("; isa: gfx1100\n; v0 = 5.0\n; expect: v0 = bf16 1.0, ulp(129)\ns_nop 0\n", "more than a factor of two");
    fails("; isa: gfx1100\n; v0 = 5.0\n; expect: v0 = 1.0, abs(inf)\ns_nop 0\n", "a distance is a number above zero");
    fails("; isa: gfx1100\n; expect: v0 = 1.0, abs(2.5)\ns_nop 0\n", "abs(2.5) swallows every value");
    passes("; isa: gfx1100\n; v0 = 1e-7\n; expect: v0 = 0.0, abs(1e-6)\ns_nop 0\n");
    fails("; isa: gfx1100\n; v0 = 1e-5\n; expect: v0 = 0.0, abs(1e-6)\ns_nop 0\n", "v0 lane 0: expected");
    fails("; isa: gfx1100\n; v0 = nan\n; expect: v0 = 0.0, abs(1e-6)\ns_nop 0\n", "v0 lane 0: expected");
    fails("; isa: gfx1100\n; v0 = 3e38\n; expect: v0 = inf, abs(1e-6)\ns_nop 0\n", "v0 lane 0: expected");
}
