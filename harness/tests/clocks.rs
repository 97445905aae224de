//! Clocks as a user meets them: in traces, and beside those of an earlier run.

#[allow(dead_code, reason = "not every test needs all of it")]
mod program;

use program::{code, err, file, folder, out, wavediff};
use serde_json::Value;

/// A chain through a transcendental, in a loop of three rounds.
const CHAIN: &str = "; isa: gfx900, gfx1100\n; wave: 64\ns_mov_b32 s4, 3\nloop:\nv_rcp_f32 v1, v0\nv_add_f32 v2, v1, v0\ns_sub_u32 s4, s4, 1\n\
                     s_cmp_lg_u32 s4, 0\ns_cbranch_scc1 loop\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// What `run --timing --json` says of the chain.
fn timed(case: &str) -> Value {
    let run = wavediff(&["run", case, "--arch", "gfx1100", "--timing", "--json"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    json(&out(&run))
}

/// A trace has of each step what the run under the clock tells of it, in text and in JSON, and without --timing nothing.
#[test]
fn a_trace_has_the_clocks_of_the_run() {
    let case = file(&folder("trace"), "chain.s", CHAIN);
    let timing = &timed(&case)["runs"][0]["timing"];
    let mut events: Vec<&Value> = timing["events"].as_array().expect("events").iter().collect();
    events.sort_by_key(|event| event["issue"].as_u64());
    let traced = |more: &[&str]| {
        let run = wavediff(&[&["trace", &case, "--arch", "gfx1100"], more].concat());
        assert_eq!(code(&run), 0, "{}", err(&run));
        out(&run)
    };
    let lines = traced(&["--timing", "--format", "jsonl"]);
    let steps: Vec<Value> = lines.lines().map(json).collect();
    assert_eq!((steps.len(), events.len()), (17, 17), "one before, three rounds of five, the end");
    for (step, event) in steps.iter().zip(&events) {
        assert_eq!(step["pc"], event["pc"]);
        for key in ["issue", "start", "done", "waited_for", "waited_clocks", "waits_on"] {
            assert_eq!(step["timing"][key], event[key], "{key} of {step}");
        }
    }
    let text = traced(&["--timing", "--pc", "0x8"]);
    let sum = events.iter().find(|event| event["pc"] == 8).expect("the sum");
    let clocks = |key: &str| sum[key].as_u64().expect("clocks");
    let said = format!("    clock {}, starts {}, done {}; waited ", clocks("issue"), clocks("start"), clocks("done"));
    assert!(text.contains(&said) && text.contains(": dependency on 000004\n"), "{said} in {text}");
    assert!(!traced(&["--pc", "0x8"]).contains("    clock "));
}

/// A run is as it was recorded; a recording of fewer clocks makes it slower, of more faster, of another processor nothing.
#[test]
fn clocks_are_compared_with_a_recording() {
    let folder = folder("diff");
    let case = file(&folder, "chain.s", CHAIN);
    let same = timed(&case);
    let diff = |name: &str, recorded: &Value, arch: &str, more: &[&str]| {
        let recorded = file(&folder, &format!("{name}.json"), &recorded.to_string());
        let run = wavediff(&[&["diff", &case, "--arch", arch, "--timing", &recorded], more].concat());
        (code(&run), out(&run) + &err(&run))
    };
    let (code, text) = diff("same", &same, "gfx1100", &[]);
    assert!(code == 0 && text.contains("7 instructions compared: 0 slower, 0 faster, by more than 0 %"), "{text}");
    let mut other = same.clone();
    let instructions = other["runs"][0]["timing"]["instructions"].as_array_mut().expect("instructions");
    for (pc, factor) in [(4, 0.8), (8, 1.25)] {
        let one = instructions.iter_mut().find(|one| one["pc"] == pc).expect("an instruction");
        one["clocks_per_execution"] = (one["clocks_per_execution"].as_f64().expect("clocks") * factor).into();
    }
    let (code, text) = diff("other", &other, "gfx1100", &["--within", "10"]);
    assert!(code == 1 && text.contains("7 instructions compared: 1 slower, 1 faster, by more than 10 %"), "{text}");
    let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert!(line("v_rcp_f32").ends_with("1.250  slower") && line("v_add_f32").ends_with("0.800  faster"), "{text}");
    assert_eq!(diff("wide", &other, "gfx1100", &["--within", "30"]).0, 0);
    let (code, text) = diff("elsewhere", &same, "gfx900", &[]);
    assert!(code == 1 && text.contains("no run of this processor and size of waves was recorded"), "{text}");
    let (code, text) = diff("empty", &serde_json::json!({"runs": []}), "gfx1100", &[]);
    assert!(code == 1 && text.contains("has no clocks: run --timing --json writes them"), "{text}");
}

/// The model beside what was published of cards: an MI50's rates within five percent, an MI308X's latencies to the clock. The rates of its LDS it
/// has not: they are listed.
#[test]
fn the_model_is_held_beside_cards() {
    let golden = |name: &str| format!("{}/../golden/timing/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let bench = |more: &[&str], name: &str| {
        let run = wavediff(&[&["bench"], more, &["--compare", &golden(name)]].concat());
        (code(&run), out(&run) + &err(&run))
    };
    let (code, text) = bench(&["vector", "--arch", "gfx906"], "gfx906-mi50");
    assert!(code == 0 && text.contains("\n21 costs compared: 0 slower, 0 faster, by more than 5 %\n"), "{text}");
    let (code, text) = bench(&["memory", "lds", "--arch", "gfx942"], "gfx942-mi308x");
    assert!(code == 1 && text.contains("\n7 costs compared: 0 slower, 4 faster, by more than 5 %\n"), "{text}");
    let differ: Vec<&str> = text.lines().filter(|line| line.ends_with("faster")).collect();
    assert!(
        differ.len() == 4 && differ.iter().all(|line| line.starts_with("ds_") && line.contains(" rate ")),
        "{text}"
    );
}

/// A campaign of costs: what is not as a card has it fails by its name and is in the reports, unless a list knows of it; what a filter leaves out is not
/// measured.
#[test]
fn costs_are_cases_of_a_campaign() {
    let folder = folder("conform");
    let recorded = serde_json::json!([{
        "arch": "gfx900", "lanes": 64, "engine": "a card", "in": "clocks", "source": "made up",
        "rows": [
            {"instruction": "v_and_b32", "rate": {"each": 4.0}},
            {"instruction": "v_rcp_f32", "rate": {"each": 8.0}},
            {"instruction": "v_no_such_row", "rate": {"each": 4.0}},
        ],
    }]);
    let recorded = file(&folder, "card.json", &recorded.to_string());
    let lists = folder.join("expect");
    // An earlier run may have left its list.
    let _ = std::fs::remove_dir_all(&lists);
    let conform = |more: &[&str]| {
        let lists = lists.to_string_lossy();
        let run = wavediff(&[&["conform", "--timing", &recorded, "--expect", &lists], more].concat());
        (code(&run), out(&run) + &err(&run))
    };
    let markdown = folder.join("summary.md").to_string_lossy().into_owned();
    let (status, text) = conform(&["--md", &markdown]);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.contains("timing/gfx900-w64/v_rcp_f32/rate") && text.contains("slower than recorded by more than 5 %"),
        "{text}"
    );
    assert!(!text.contains("v_and_b32"), "{text}");
    let summary = std::fs::read_to_string(&markdown).expect("a summary");
    assert!(summary.contains("| timing | a card | 3 | 1 | 1 | 1 |"), "{summary}");
    assert_eq!(conform(&["--filter", "v_and"]).0, 0);
    assert_eq!(conform(&["--within", "100"]).0, 0);
    assert_eq!(conform(&["--filter", "nothing"]).0, 2);
    assert_eq!(conform(&["alu"]).0, 2, "suites and costs are two things");
    std::fs::create_dir_all(&lists).expect("a folder");
    std::fs::write(lists.join("a-card-fails.txt"), "v_rcp_f32\tthe card has four units\n").expect("a list");
    let (status, text) = conform(&[]);
    assert_eq!(status, 0, "{text}");
}

/// As many waves run on a SIMD as their registers leave room for: with 128 of them 8 waves, with 64 of them 16, as LLVM has it of waves of 32
/// lanes on gfx10.3. A kernel says how many it is given, a case names them, in text or as the compute register has them in blocks of 8.
#[test]
fn registers_decide_how_many_waves_run() {
    let folder = folder("occupancy");
    let most = |arguments: &[&str]| {
        let run = wavediff(&[&["run"], arguments, &["--timing", "--json"]].concat());
        assert_eq!(code(&run), 0, "{}", err(&run));
        let said = json(&out(&run));
        // Of a kernel there is one run.
        let run = if said["runs"].is_array() { &said["runs"][0] } else { &said };
        run["timing"]["occupancy"].as_u64().expect("a number")
    };
    // A gfx1036 has one pair of compute units, with room for 64 waves.
    let header = "; isa: gfx1036\n; group: 32\n; grid: 4096\n";
    for (registers, waves) in [(128, 8), (64, 16)] {
        let named = file(&folder, "named.s", &format!("{header}v_mov_b32 v{}, 0\n", registers - 1));
        assert_eq!(most(&[&named]), waves, "named: {registers}");
        let words =
            file(&folder, "words.s", &format!("{header}; rsrc: {:#x}, 0\nv_mov_b32 v0, 0\n", registers / 8 - 1));
        assert_eq!(most(&[&words]), waves, "in words: {registers}");
        let kernel = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1036\"\n.globl k\n.p2align 8\n.type k,@function\nk:\n\ts_endpgm\n\
             .rodata\n.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr {registers}\n\t.amdhsa_next_free_sgpr 8\n\
             \t.amdhsa_wavefront_size32 1\n.end_amdhsa_kernel\n"
        );
        let kernel = file(&folder, "kernel.s", &kernel);
        assert_eq!(most(&[&kernel, "--grid", "4096", "--group", "32"]), waves, "given: {registers}");
    }
}
