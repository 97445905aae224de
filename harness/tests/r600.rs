//! Cases of R600 and R700 as a user meets them: every command that takes a case takes theirs.

#[allow(dead_code, reason = "not every test needs all of it")]
mod program;

use program::{code, err, file, folder, out, wavediff};
use serde_json::Value;

/// A loop of four turns that adds the lane, a branch by it, and an export.
const LOOP: &str = "; isa: r600, rv770\n; lanes: 8\n; source: by hand\n; R0.x = f32 ramp(0, 1)\n; loop[0] = 4, 0, 1\n\
                    ; expect: pixel0.x = f32 ramp(0, 4)\n; expect: pixel0.y = f32 [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0]\n\
                    ; expect: killed = 0\n\
                    LOOP_START ADDR(out) CF_CONST(0)\n\
                    top:\n\
                    ALU:\n  0  x: ADD R1.x, R1.x, R0.x\n\
                    LOOP_END ADDR(top)\n\
                    out:\n\
                    ALU_PUSH_BEFORE:\n  1  x: PRED_SETGT ____, R0.x, 2.0 UPDATE_EXEC_MASK UPDATE_PRED\n\
                    JUMP ADDR(other)\n\
                    ALU:\n  2  y: MOV R1.y, 2.0\n\
                    other:\n\
                    ELSE ADDR(end) POP_CNT(1)\n\
                    ALU:\n  3  y: MOV R1.y, 1.0\n\
                    POP ADDR(end) POP_CNT(1)\n\
                    end:\n\
                    EXPORT_DONE: PIX0, R1.xy__ EOP\n";

fn case(name: &str, text: &str) -> String {
    file(&folder(name), "loop.s", text)
}

/// Whether a device is needed and missing; then the test says so and ends.
fn no_device(run: &std::process::Output) -> bool {
    let missing = code(run) == 2;
    assert!(!missing || std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none(), "{}", err(run));
    if missing {
        println!("skipped: {}", err(run));
    }
    missing
}

#[test]
fn what_is_expected_is_checked() {
    let good = wavediff(&["run", &case("r600-run", LOOP)]);
    assert_eq!(code(&good), 0, "{}{}", out(&good), err(&good));
    assert!(out(&good).contains("r600, rv770: pass"), "{}", out(&good));
    let wrong = LOOP.replace("f32 ramp(0, 4)", "f32 ramp(0, 5)");
    let bad = wavediff(&["run", &case("r600-wrong", &wrong), "--arch", "rv770", "--json"]);
    assert_eq!(code(&bad), 1, "{}", out(&bad));
    let all: Value = serde_json::from_str(&out(&bad)).expect("JSON");
    let mismatches = all["runs"][0]["mismatches"].as_array().expect("mismatches");
    assert_eq!(mismatches.len(), 7, "lane 0 is right: {mismatches:?}");
    assert_eq!(
        mismatches[0],
        "pixel0.x lane 1: expected f32 0x40a00000 (5.0), got 0x40800000 (4.0), 2097152 ulp apart"
    );
    // What nobody exports is no zero.
    let nothing = LOOP.replace("; expect: killed = 0\n", "; expect: pixel1.x = 0\n");
    let bad = wavediff(&["run", &case("r600-nothing", &nothing)]);
    assert!(out(&bad).contains("pixel1.x lane 0 is expected, and nothing was written there"), "{}", out(&bad));
}

#[test]
fn a_fault_is_told_with_its_place() {
    let text = "; isa: r600\n.unchecked\nPOP ADDR(1) POP_CNT(1)\nNOP EOP\n";
    let run = wavediff(&["run", &case("r600-fault", text)]);
    assert_eq!(code(&run), 2, "{}", out(&run));
    assert!(out(&run).contains("unexpected trap: 0: the stack is empty"), "{}", out(&run));
    let expected = text.replace("r600\n", "r600\n; expect: trap stack_empty at 0\n");
    assert_eq!(code(&wavediff(&["run", &case("r600-fault-expected", &expected)])), 0);
    let elsewhere = text.replace("r600\n", "r600\n; expect: trap stack_empty at 1\n");
    assert_eq!(code(&wavediff(&["run", &case("r600-fault-elsewhere", &elsewhere)])), 2);
    let file = case("r600-text", "; isa: r600\n; lanes: 65\nNOP EOP\n");
    let wrong = wavediff(&["run", &file]);
    assert_eq!(code(&wrong), 1);
    assert!(err(&wrong).contains("loop.s:2:"), "{}", err(&wrong));
}

#[test]
fn a_trace_shows_what_groups_read_and_write() {
    let file = case("r600-trace", LOOP);
    let run = wavediff(&["trace", &file, "--arch", "r600", "--show-lanes", "3"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let text = out(&run);
    assert_eq!(text.matches("x: ADD").count(), 4, "four turns: {text}");
    assert!(text.contains("    > R1.x = 0x41400000  lane 3  f32 12.0\n"), "3 * 4: {text}");
    assert!(text.contains("    > pixel0.x = 0x41400000  lane 3  f32 12.0\n"), "{text}");
    let json = out(&wavediff(&["trace", &file, "--arch", "r600", "--format", "jsonl"]));
    let events: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let numbers: Vec<u64> = events.iter().filter_map(|event| event["number"].as_u64()).collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    assert_eq!(events.last().expect("events")["writes"][0]["place"], "pixel0.x");
}

#[test]
fn a_program_is_scanned() {
    let run = wavediff(&["scan", &case("r600-scan", LOOP), "--json"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let all: Value = serde_json::from_str(&out(&run)).expect("JSON");
    let expected = serde_json::json!({"clauses": 4, "groups": 4, "slots": 4, "stack": 1});
    for (key, value) in expected.as_object().expect("an object") {
        assert_eq!(all[key], *value, "{key} of {all}");
    }
    let names: Vec<&str> =
        all["opcodes"].as_array().expect("rows").iter().filter_map(|row| row["name"].as_str()).collect();
    for name in ["LOOP_START", "ALU_PUSH_BEFORE", "ADD", "PRED_SETGT", "EXPORT_DONE"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

#[test]
fn two_engines_are_compared() {
    let file = case("r600-diff", LOOP);
    let same = wavediff(&["diff", &file, "--engines", "emu,emu"]);
    assert_eq!(code(&same), 0, "{}", err(&same));
    assert!(out(&same).contains("2 equal, 0 differ"), "{}", out(&same));
    let run = wavediff(&["diff", &file]);
    if no_device(&run) {
        return;
    }
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    let bisect = wavediff(&["bisect", &file]);
    assert_eq!(code(&bisect), 0, "{}", err(&bisect));
    assert!(out(&bisect).contains("equal on emu and vulkan:"), "{}", out(&bisect));
    let reduce = wavediff(&["reduce", &file]);
    assert_eq!(code(&reduce), 1);
    assert!(err(&reduce).contains("the engines do not differ"), "{}", err(&reduce));
    let run = wavediff(&["run", &file, "--engine", "vulkan", "--lanes", "serial"]);
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    assert_eq!(code(&wavediff(&["run", &file, "--engine", "native"])), 2);
    // What is not there is said, and not left out in silence.
    let isolated = wavediff(&["run", &file, "--isolate"]);
    assert!(code(&isolated) == 2 && err(&isolated).contains("--isolate"), "{}", err(&isolated));
}

#[test]
fn random_programs_and_suites_run() {
    let fuzz = wavediff(&["fuzz", "--arch", "rv770", "--engines", "emu,emu", "--cases", "40", "--json"]);
    assert_eq!(code(&fuzz), 0, "{}", err(&fuzz));
    let all: Value = serde_json::from_str(&out(&fuzz)).expect("JSON");
    assert_eq!(all["programs"], 40, "{all}");
    let list = wavediff(&["conform", "alu", "--arch", "r600,rv770", "--engines", "emu", "--list", "--all"]);
    let names: Vec<String> = out(&list).lines().map(str::to_owned).collect();
    assert!(names.iter().any(|name| name == "alu/r600/ADD") && names.iter().any(|name| name == "alu/rv770/CUBE"));
    let args = ["conform", "alu", "random", "--arch", "r600,rv770", "--engines", "emu", "--all", "--jsonl"];
    let journal = folder("r600-conform").join("run.jsonl");
    let _ = std::fs::remove_file(&journal);
    let journal = journal.to_string_lossy().into_owned();
    let run = wavediff(&[&args[..], &[&journal]].concat());
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    let inputs = 16;
    let cases = names.len() * inputs + 2 * 32;
    let digits: String = out(&run).lines().find(|line| line.starts_with("all")).expect("a total").replace(',', "");
    assert!(digits.split_whitespace().any(|word| word == cases.to_string()), "{cases} in {digits}");
    let one = wavediff(&["conform", "--case", "alu/r600/MULADD:3", "--engines", "emu"]);
    assert_eq!(code(&one), 0, "{}{}", out(&one), err(&one));
}
