//! Issue classes against silicon: what traces of a gfx1100 and a gfx1200 call their instructions, and the rates of an MI50.
//!
//! The recordings lie beside the project (`../shared/hw`) and are read where they are; a small part of each, typed here, is compared
//! everywhere. Planted and noticed: a row taken from the list of transcendental ones, f64 comparisons at the rate of f64, the result of a
//! half load counted as sent.
//!
//! And the model of the clock against programs of a gfx1100, of which a trace says when each instruction was issued and executed.
//! Planted and noticed: a queue of thirteen, an instruction that leaves the unit a clock later, a barrier that opens for the first.
//!
//! And what the model remembers against what it finds out: our own model twice, so that this is evidence for nothing else. Planted and
//! noticed: a state without the transcendental unit, without the clock at which an instruction leaves the vector unit, or without what is
//! outstanding; answers without their latency; barriers without their clock or their waves; what a barrier cuts without its clock; an
//! instruction that is asked for not counted. Where places and lines are told to the model, a naive way beside it says what it must be.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::case::Case;
use wavediff::emu::engine::{Clocked, Emulator};
use wavediff::emu::grid::{self, Finished, Hooks};
use wavediff::emu::kernel::Level;
use wavediff::emu::plan::Plan;
use wavediff::emu::timed;
use wavediff::engine::Engine;
use wavediff::engine::dispatch::{Dispatch, Limits};
use wavediff::engine::registers::Registers;
use wavediff::isa::row::Family;
use wavediff::isa::row::Inst;
use wavediff::isa::{Arch, Gen, Target, gcn};
use wavediff::launch::Apertures;
use wavediff::laws::Chance;
use wavediff::memory::guest::Memory;
use wavediff::program::uses::Other;
use wavediff::program::{Program, Step};
use wavediff::timing::traffic::Traffic;
use wavediff::timing::{Event, Issue, Report, Unit};

#[path = "support/thorough.rs"]
mod thorough;

/// The target of a name.
fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

/// The issue of the first instruction of words.
fn issue(target: Target, words: &[u32]) -> Option<Issue> {
    let program = Program::new(target, words, 0);
    Issue::of(&program, program.steps.first()?)
}

/// What a trace calls it.
fn called(processor: &str, issue: Issue) -> String {
    let newer = processor == "gfx1200";
    let memory = if newer { "VMEM" } else { "SGMEM" };
    let name = match issue.unit {
        Unit::Immediate => "IMMEDIATE",
        Unit::End => "WAVEEND",
        Unit::Call => "CALL",
        Unit::ScalarFloat if newer => "SALU_FLOAT_3",
        Unit::ScalarMultiply if newer => "SALU_2",
        Unit::ScalarMultiplyWide if newer => "SALU_5",
        Unit::Scalar | Unit::ScalarFloat | Unit::ScalarMultiply | Unit::ScalarMultiplyWide => "SALU",
        Unit::ScalarMemory => {
            if newer {
                "SMEM"
            } else {
                "SMEM_RD"
            }
        }
        Unit::Plain | Unit::Convert => "VALUINST",
        Unit::Wide | Unit::Swap => "VALUB_2",
        Unit::Multiply => "VALUB_4",
        Unit::Double | Unit::DoubleAdd | Unit::DoubleConvert => {
            if newer {
                "VALU_DPFP"
            } else {
                "VALUB_16"
            }
        }
        Unit::Transcendental => "VALUT_4",
        Unit::ScalarTranscendental => "VALU_SCL_TRANS",
        Unit::Interpolation => "VINTERP",
        // It does not tell matrices apart there.
        Unit::MatrixOfHalves | Unit::MatrixOfBytes if !newer => "VALUINST",
        Unit::MatrixOfHalves => "WMMA_16",
        Unit::MatrixOfBytes => "WMMA_8",
        Unit::LdsRead => "LDS_RD",
        Unit::LdsWrite => return format!("LDS_WR_{}", issue.words),
        Unit::MemoryRead => return format!("{memory}_RD_{}", issue.words),
        Unit::MemoryWrite => return format!("{memory}_WR_{}", issue.words),
    };
    name.to_owned()
}

/// The words of bytes in hexadecimal, in the order of memory.
fn words(code: &str) -> Vec<u32> {
    let byte = |at: usize| u32::from_str_radix(&code[at..at + 2], 16).expect("a byte");
    (0..code.len()).step_by(8).map(|at| (0..4).map(|n| byte(at + 2 * n) << (8 * n)).sum()).collect()
}

/// A recording that lies beside the project, if it does.
fn recording(name: &str) -> Option<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hw").join(name);
    let Ok(text) = std::fs::read_to_string(file) else {
        println!("skipped: {name} is not here");
        return None;
    };
    Some(serde_json::from_str(&text).expect("JSON"))
}

/// Compares all rows of a list. In the region of scalar instructions behind the call each class stands `shift` rows early, as the list's own
/// source says. Where captures disagree, one of them must be right.
fn classes(processor: &str, shift: usize) {
    let Some(list) = recording(&format!("{processor}_issue_class_hw.json")) else { return };
    let rows = list["rows"].as_array().expect("rows");
    let text = |row: &Value, key: &str| row[key].as_str().expect("a text").to_owned();
    let shifted = |row: &Value| text(row, "alignment") == "uncertain_salu_region";
    let call = rows.iter().position(|row| text(row, "asm").starts_with("s_call")).expect("the call");
    let target = target(processor);
    let (mut compared, mut wrong) = (0, Vec::new());
    let mut deltas: BTreeMap<&str, BTreeMap<u64, u32>> = BTreeMap::new();
    let mut clocks: BTreeMap<&str, u64> = BTreeMap::new();
    for (n, row) in rows.iter().enumerate() {
        // What the first rows behind the call were called is lost: the call stands at its own place.
        if n > call && n <= call + shift {
            continue;
        }
        let of = if n > call && shifted(row) { &rows[n - shift] } else { row };
        let Some(issue) = issue(target, &words(&text(row, "code"))) else { continue };
        // What the trace's reader did not know is no statement.
        let known = |class: &&Value| !class.as_str().expect("a class").starts_with("UNK");
        let classes: Vec<&Value> = of["hw_class"].as_array().expect("classes").iter().filter(known).collect();
        if classes.is_empty() {
            continue;
        }
        compared += 1;
        let ours = called(processor, issue);
        if !classes.iter().any(|class| **class == ours) {
            wrong.push(format!("{}: {}, here {ours}", text(row, "asm"), of["hw_class"]));
        }
        if let (true, Some(least)) =
            (text(row, "alignment").starts_with("realigned"), row["next_issue_delta_min"].as_u64())
        {
            *deltas.entry(issue.unit.name()).or_default().entry(least).or_default() += 1;
            clocks.extend(issue.clocks.map(|clocks| (issue.unit.name(), clocks.into())));
        }
    }
    println!("{processor}: {compared} of {} rows compared", rows.len());
    assert!(compared * 100 >= rows.len() * 90, "{compared} of {}", rows.len());
    assert!(wrong.is_empty(), "{wrong:#?}");

    // The clocks: how soon the next instruction mostly came. Behind a matrix there was none that waits for its unit.
    for unit in
        [Unit::Plain, Unit::Wide, Unit::Swap, Unit::Multiply, Unit::Double, Unit::Transcendental].map(Unit::name)
    {
        let (least, _) = deltas[unit].iter().max_by_key(|(_, count)| **count).expect("deltas");
        assert_eq!(*least, clocks[unit], "{processor}, {unit}: {:?}", deltas[unit]);
    }
}

/// Some of the recorded programs, for machines that do not have them: the first deltas of starts, and of issues where these are told.
#[test]
fn a_sample_takes_the_clocks_that_were_recorded() {
    const MOV: u32 = 0x7e00_02f2; // v_mov_b32_e32 v0, 1.0
    const NOP: u32 = 0xbf80_0000;
    const END: u32 = 0xbfb0_0000;
    // v_add_f32_e32 v(n + 1), v(n), v(n)
    let add = |n: u32| 0x0600_0000 | (n + 1) << 17 | n << 9 | (n + 256);
    let chain = |n: u32| std::iter::once(MOV).chain((0..n - 1).map(add)).collect::<Vec<u32>>();
    // v_mov_b32_e32 v1, 2.0
    let behind_nop = |n: u32| vec![MOV, NOP | n, 0x7e02_02f4];
    #[rustfmt::skip]
    let cases: [(Vec<u32>, &[u64]); 9] = [
        (chain(4), &[6, 5, 5]),
        (chain(5), &[6, 5, 5, 9]),
        (chain(8), &[6, 5, 5, 5, 9, 9, 9]),
        (chain(16), &[6, 5, 5, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9, 9, 9]),
        (behind_nop(0), &[4]),
        (behind_nop(3), &[7]),
        (behind_nop(10), &[14]),
        (behind_nop(11), &[19]),
        (behind_nop(22), &[30]),
    ];
    for (program, deltas) in cases {
        let code: Vec<u32> = program.iter().copied().chain([NOP; 16]).chain([END]).collect();
        let trace = Trace::of(target("gfx1100"), &code);
        let ours: Vec<u64> = trace.starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(ours, deltas, "{program:08x?}");
    }
    let trace = Trace::of(target("gfx1100"), &chain(16).into_iter().chain([NOP, END]).collect::<Vec<u32>>());
    let issues: Vec<u64> = trace.issues.windows(2).map(|pair| pair[1] - pair[0]).take(15).collect();
    assert_eq!(issues, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 5], "the queue has room for twelve");
}

/// A part of both lists, for machines that do not have them.
#[test]
fn a_sample_issues_as_recorded() {
    for (processor, code, class) in [
        ("gfx1100", "8002007e", "VALUINST"),
        ("gfx1100", "000000d800304020", "LDS_WR_2"),
        ("gfx1100", "000080d900304020", "LDS_WR_3"),
        ("gfx1100", "000040d900304020", "LDS_WR_5"),
        ("gfx1100", "0000f8d800304020", "LDS_WR_1"),
        ("gfx1200", "02c005ee2000001800000000", "VMEM_RD_1"),
        ("gfx1200", "02c008ee2000001800000000", "VMEM_RD_1"),
        ("gfx1200", "004200f4000000f8", "SMEM"),
        ("gfx1200", "00c204f4000000f8", "IMMEDIATE"),
        ("gfx1200", "000000cd1041c204", "VINTERP"),
        ("gfx1200", "10cf007e", "IMMEDIATE"),
        ("gfx1200", "6a0081d66a40c204", "VALU_SCL_TRANS"),
        ("gfx1200", "004042cc1041c21c", "WMMA_16"),
        ("gfx1200", "004044cc1041c21c", "WMMA_8"),
        ("gfx1200", "004056cc1041c21c", "WMMA_8"),
    ] {
        let issue = issue(target(processor), &words(code)).expect("an issue");
        assert_eq!(called(processor, issue), class, "{processor} {code}");
    }
}

#[test]
fn gfx1100_issues_as_recorded() {
    classes("gfx1100", 4);
}

#[test]
fn gfx1200_issues_as_recorded() {
    classes("gfx1200", 1);
}

/// The rates of an MI50, in operations of lanes a second: the clocks are those of the full rate times the ratio of the rates.
#[test]
fn gfx906_is_as_fast_as_an_mi50() {
    let Some(list) = recording("gcnasm_hw_throughput.json") else { return };
    let rows = list["gfx906_mi50_60cu"]["rows"].as_array().expect("rows");
    assert!(rows.len() > 20, "{} rates", rows.len());
    let target = target("gfx906");
    let has = |row: &&Inst, name: &str| row.opcode(target.arch).is_some() && row.name_in(target.generation()) == name;
    let row_of = |name: &str| gcn::rows().find(|row| has(row, name));
    let full = rows.iter().filter_map(|row| row["tips"].as_f64()).fold(0.0, f64::max);
    for row in rows {
        let name = row["inst"].as_str().expect("a name");
        let unit = row_of(name).and_then(Unit::of).unwrap_or_else(|| panic!("{name} has a unit"));
        let clocks = unit.clocks(&target).unwrap_or_else(|| panic!("{name} has a rate"));
        let measured = 4.0 * full / row["tips"].as_f64().expect("a rate");
        let off = (f64::from(clocks) / measured - 1.0).abs();
        assert!(off <= 0.05, "{name}: {measured:.2} clocks, here {clocks}");
    }
}

/// What a program takes, of which one wave of 32 lanes runs alone.
fn timed(target: Target, words: &[u32]) -> Report {
    let program = Program::new(target, words, 0x1000);
    let (finished, report) =
        timed::run(&group_of(&program, 1), &Plan::new(&program), &Hooks::default(), None, Report::EVENTS);
    assert!(finished.groups.iter().all(|group| group.trap.is_none()), "it traps");
    report
}

/// A group of some waves of 32 lanes.
fn group_of(program: &Program, waves: u32) -> Dispatch<'_> {
    static MEMORY: LazyLock<Memory> = LazyLock::new(Memory::default);
    Dispatch { waves, alone: true, ..Dispatch::of_one(program, &MEMORY, 32, &|_, _, _| {}) }
}

/// What a trace shows of a program: when vector instructions and those that are done as they are issued were issued, and when vector instructions
/// were executed.
struct Trace {
    vectors: Vec<u64>,
    issues: Vec<u64>,
    starts: Vec<u64>,
}

impl Trace {
    fn of(target: Target, words: &[u32]) -> Trace {
        let program = Program::new(target, words, 0x1000);
        let report = timed(target, words);
        let family = |event: &&Event| program.steps[event.step as usize].family();
        let vector = |event: &&Event| !matches!(family(event), Some(Family::Sopp));
        let mut starts: Vec<u64> = report.events.iter().filter(vector).map(|event| event.start).collect();
        let mut vectors: Vec<u64> = report.events.iter().filter(vector).map(|event| event.issue).collect();
        // The end is not shown.
        let mut issues: Vec<u64> = report.events.iter().map(|event| event.issue).collect();
        for all in [&mut starts, &mut vectors, &mut issues] {
            all.sort_unstable();
        }
        issues.pop();
        Trace { vectors, issues, starts }
    }

    /// What is compared, as the recording calls it; `like` has as many values as were compared there.
    fn metric(&self, name: &str, like: &Value) -> Value {
        let deltas = |all: &[u64]| all.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<u64>>();
        let many = like.as_array().map_or(1, Vec::len);
        let one_or_all = |all: &[u64]| if like.is_array() { json!(all) } else { json!(all[0]) };
        let starts = deltas(&self.starts);
        match name {
            name if name.starts_with("issue deltas") => one_or_all(&deltas(&self.issues)[..many]),
            name if name.starts_with("exec deltas") => one_or_all(&starts[starts.len() - many..]),
            "last exec delta" => json!(starts[starts.len() - 1]),
            name if name.starts_with("cycles from 4th ALUEXEC") => {
                json!(self.starts[self.starts.len() - 1] - self.starts[3])
            }
            name if name.starts_with("number of leading exec deltas equal to 5") => {
                json!(starts[1..].iter().take_while(|delta| **delta == 5).count())
            }
            "first ALUEXEC - first VALUINST" => json!(self.starts[0] - self.vectors[0]),
            "last ALUEXEC time - last VALUINST time" => {
                json!(self.starts[self.starts.len() - 1] - self.vectors[self.vectors.len() - 1])
            }
            _ => panic!("what is {name}?"),
        }
    }
}

/// Programs of a gfx1100, cycle by cycle: for the vector unit of a wave alone.
#[test]
fn gfx1100_takes_the_clocks_that_were_recorded() {
    let Some(list) = recording("gfx1100_valu_timing.json") else { return };
    let cases = list["cases"].as_array().expect("cases");
    let mut wrong = Vec::new();
    let mut deltas = 0;
    for case in cases {
        let name = format!("{} {}", case["class"].as_str().expect("a class"), case["test"].as_str().expect("a name"));
        let code = case["runs"][0]["code_hex"].as_str().expect("code");
        let trace = Trace::of(target("gfx1100"), &words(code));
        let metrics = case["metric"].as_array().expect("metrics").iter().map(|name| name.as_str().expect("a text"));
        for (metric, assert) in metrics.flat_map(|all| all.split("; ")).zip(case["asserts"].as_array().expect("values"))
        {
            let recorded = match assert["kind"].as_str() {
                Some("equal") => vec![assert["expected_hw"].clone()],
                Some("one_of") => assert["expected_hw"].as_array().expect("some").clone(),
                kind => panic!("{name}: {kind:?}"),
            };
            deltas += 1;
            let ours = trace.metric(metric, &recorded[0]);
            if !recorded.contains(&ours) {
                wrong.push(format!("{name}, {metric}: {recorded:?}, here {ours}"));
            }
        }
    }
    println!("{} programs, {deltas} lists of clocks", cases.len());
    assert!(cases.len() >= 60 && deltas >= cases.len(), "{} programs, {deltas} lists", cases.len());
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), cases.len());
}

/// Waves take their turns in another order under the clock, and leave the same: all of the cases that pass and do not read the clock.
#[test]
fn the_clock_changes_no_result() {
    let emulator = Emulator::default();
    let clocked = Clocked::new(emulator, 0);
    let mut compared = 0;
    for entry in std::fs::read_dir("tests/cases/pass").expect("cases") {
        let path = entry.expect("a case").path();
        if path.extension().is_none_or(|ending| ending != "s") {
            continue;
        }
        let name = path.display().to_string();
        let Ok(case) = Case::parse(&std::fs::read_to_string(&path).expect("text"), &name) else { continue };
        for target in case.targets() {
            let Ok(program) = case.program(target) else { continue };
            let program = Program::new(program.target, &program.words(), 0);
            let asks = |step: &Step| program.uses(step).reads.other.contains(Other::CLOCK);
            if program.steps.iter().any(asks) {
                continue;
            }
            let (Ok(mut usual), Ok(mut timed)) = (emulator.run(&case, target), Engine::run(&clocked, &case, target))
            else {
                continue;
            };
            (usual.stats, timed.stats) = Default::default();
            assert!(usual == timed, "{name}, {}", target.arch.name);
            let took = clocked.took().expect("what it took");
            let executed: u64 = took.report.steps.iter().map(|step| step.count).sum();
            let told: u64 = took.report.waves.iter().map(|wave| wave.instructions).sum();
            assert_eq!(executed, told, "{name}: each instruction has its clocks");
            // The clocks of a wave are divided among its instructions without a rest; its last one takes a clock of its own.
            let clocks: u64 = took.report.steps.iter().map(|step| step.clocks).sum();
            let waves: u64 = took.report.waves.iter().map(|wave| wave.end - 1 - wave.begin).sum();
            assert_eq!(clocks, waves, "{name}, {}", target.arch.name);
            compared += 1;
        }
    }
    println!("{compared} runs compared");
    assert!(compared > 1000, "{compared}");
}

/// Waves of a group hide each other's latency: four waves on one SIMD take less than four times the clocks of one, and one on each SIMD no more
/// than one alone.
#[test]
fn waves_hide_latencies() {
    // Sixteen dependent v_add_f32_e32 v0, v0, v0.
    let code: Vec<u32> = [0x0600_0100; 16].into_iter().chain([0xbfb0_0000]).collect();
    let program = Program::new(target("gfx1100"), &code, 0x1000);
    let clocks = |waves: u32| {
        let (_, report) =
            timed::run(&group_of(&program, waves), &Plan::new(&program), &Hooks::default(), None, Report::EVENTS);
        assert_eq!(report.all_waves, u64::from(waves));
        report.clocks
    };
    let one = clocks(1);
    assert_eq!(clocks(4), one, "a SIMD for each");
    assert!(clocks(16) < 2 * one, "{} and {one}: five at a time fit", clocks(16));
    let many = clocks(64);
    assert!((16 * 16..16 * 16 + one).contains(&many), "{many}: of sixteen on a SIMD one starts each clock");
}

/// A wave that leaves its code traps under the clock as it does without, behind what it has executed.
#[test]
fn a_wave_that_leaves_its_code_traps() {
    let program = Program::new(target("gfx1100"), &[0x7e00_02f2, 0xbf80_0003], 0x1000);
    let dispatch = group_of(&program, 2);
    let plan = Plan::new(&program);
    let (finished, report) = timed::run(&dispatch, &plan, &Hooks::default(), None, Report::EVENTS);
    let trap = |finished: &Finished| finished.groups.iter().find_map(|group| group.trap.clone()).expect("a trap").1;
    assert_eq!(trap(&finished), trap(&grid::run(&dispatch, &plan, &Hooks::default())));
    assert!(report.steps.iter().all(|step| step.count > 0), "{:?}", report.steps);
}

/// Loops of vector and scalar instructions, waits and branches, for what a generation has; `n` chooses them.
fn loop_of(processor: &str, n: u32) -> Vec<u32> {
    const LINES: [&str; 20] = [
        "v_fma_f32 v{d}, v1, v2, v{s}",
        "ds_read_b32 v{d}, v0\n{wait}",
        "v_add_f32 v{d}, v{s}, v{d}",
        "v_mul_f32 v{d}, v{d}, v{d}",
        "v_rcp_f32 v{d}, v{s}",
        "v_exp_f32 v{d}, v{d}",
        "v_mov_b32 v{d}, 1.0",
        "v_mov_b32 v{d}, s{d}",
        "v_fma_f64 v[{w}:{w}+1], v[{w}:{w}+1], v[2:3], v[4:5]",
        "v_readfirstlane_b32 s{d}, v{s}",
        "v_cmp_lt_f32 vcc, v1, v{s}",
        "v_mul_lo_u32 v{d}, v1, v{s}",
        "s_add_u32 s{d}, s{d}, s{s}",
        "s_mul_i32 s{d}, s{s}, s{d}",
        "s_nop {s}",
        "s_and_b32 s{s}, s{d}, 0xff",
        "{barrier}",
        "ds_read_b32 v{d}, v0",
        "{wait}",
        "s_cmp_lg_u32 s{d}, s{s}\ns_cbranch_scc1 skip{n}\nv_add_f32 v{d}, v1, v{s}\nskip{n}:",
    ];
    const DELAYS: [&str; 2] = [
        "s_delay_alu instid0(VALU_DEP_1)",
        "s_delay_alu instid0(TRANS32_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)",
    ];
    let target = target(processor);
    let mut chance = Chance::new(n.into());
    let mut draw = |below: usize| chance.below(below);
    let vcc = if target.wave32() { "vcc_lo" } else { "vcc" };
    let gfx12 = target.generation() == Gen::Gfx12;
    let barrier = if gfx12 { "s_barrier_signal -1\ns_barrier_wait 0xffff" } else { "s_barrier" };
    let wait = if gfx12 { "s_wait_dscnt 0" } else { "s_waitcnt lgkmcnt(0)" };
    let mut text = String::from("s_mov_b32 m0, -1\ns_mov_b32 s2, 40\nagain:\n");
    let kinds = 1 + draw(LINES.len());
    for at in 0..10 + draw(60) {
        if target.generation() >= Gen::Gfx11 && draw(8) == 0 {
            text += DELAYS[draw(2)];
            text += "\n";
        }
        // Those of a list with its end are few.
        let kind = if draw(8) == 0 { draw(LINES.len()) } else { draw(kinds) };
        let line = LINES[kind].replace("{d}", &(8 + draw(8)).to_string());
        let line = line.replace("{s}", &(3 + draw(4)).to_string()).replace("{w}", &(16 + 2 * draw(3)).to_string());
        text += &line
            .replace("{n}", &at.to_string())
            .replace("vcc", vcc)
            .replace("{barrier}", barrier)
            .replace("{wait}", wait);
        text += "\n";
    }
    text += "s_sub_i32 s2, s2, 1\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 again\n";
    // Some leave their code, which traps.
    if draw(10) != 0 {
        text += "s_endpgm\n";
    }
    assembled(processor, &text)
}

/// The words of a text.
fn assembled(processor: &str, text: &str) -> Vec<u32> {
    let target = target(processor);
    let module = assemble("loop.s", text, &Assembler::new(target), target);
    let module = module.unwrap_or_else(|problems| panic!("{processor}: {problems:?}\n{text}"));
    let code = module.sections.iter().find(|section| section.name == ".text").expect("code");
    code.bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("a word"))).collect()
}

/// Where instructions are remembered, too, a wave executes no more of them than it may, and traps at the clock at which it would.
#[test]
fn what_is_remembered_ends_with_the_budget() {
    let text = "s_mov_b32 s2, 0x10000\nagain:\nv_rcp_f32 v1, v1\nv_add_f32 v3, v1, v2\ns_sub_i32 s2, s2, 1\n\
                s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 again\ns_endpgm\n";
    for processor in ["gfx906", "gfx1103"] {
        let words = assembled(processor, text);
        let program = Program::new(target(processor), &words, 0x1000);
        let plan = Plan::new(&program);
        for (instructions, is_remembered) in [(140_000, true), (140_001, true), (140_003, true), (131_000, false)] {
            let limits = Limits { instructions, pause: None };
            let dispatch = Dispatch { limits, ..group_of(&program, 6) };
            let run = |events| timed::run(&dispatch, &plan, &Hooks::default(), None, events);
            let ((slow, mut seen), (quick, told)) = (run(usize::MAX), run(0));
            let trap = |finished: &Finished| finished.groups.iter().find_map(|group| group.trap.clone());
            assert_eq!((slow.steps, trap(&slow)), (quick.steps, trap(&quick)), "{processor}, {instructions}");
            assert!(trap(&quick).is_some() && quick.steps >= instructions, "{processor}: {} steps", quick.steps);
            assert_eq!(told.recalled > 5000, is_remembered, "{processor}, {instructions}: {}", told.recalled);
            let count = seen.steps.iter().map(|step| step.count).sum();
            (seen.events, seen.left_out, seen.recalled) = (Vec::new(), count, told.recalled);
            assert!(seen == told, "{processor}, {instructions}: {seen:#?} {told:#?}");
        }
    }
}

/// What a SIMD is remembered to have done takes as long as what is found out event by event: where all events are kept, nothing is
/// remembered.
#[test]
fn what_is_remembered_takes_as_long() {
    let every = thorough::tries(40, 12);
    let (mut taken, mut recalled, mut anew) = (0, 0, 0);
    for processor in ["gfx602", "gfx803", "gfx906", "gfx942", "gfx1010", "gfx1036", "gfx1103", "gfx1201"] {
        for n in (0..200).step_by(every) {
            let words = loop_of(processor, n);
            let program = Program::new(target(processor), &words, 0x1000);
            let plan = Plan::new(&program);
            let waves = [1, 4, 7, 16, 32][n as usize / every % 5];
            // Of more groups than there are compute units several are there at once. What waves have in their registers, and so where they
            // go on and where in LDS they read, is not the same.
            let setup = |[group, ..]: [u32; 3], index: u32, wave: &mut Registers| {
                let mut chance = Chance::new(u64::from(group) << 8 | u64::from(index));
                (3..16).for_each(|register| wave.s[register] = chance.below(3) as u32);
                let stride = 4 * chance.below(5) as u32;
                (0..32).for_each(|lane| wave.set_vgpr(0, lane, lane as u32 * stride));
            };
            let dispatch = Dispatch { groups: [10, 1, 1], lds: 0x4000, setup: &setup, ..group_of(&program, waves) };
            let report = |events| timed::run(&dispatch, &plan, &Hooks::default(), None, events).1;
            let (mut seen, quick, mut again) = (report(usize::MAX), report(0), report(0));
            let told: u64 = seen.steps.iter().map(|step| step.count).sum();
            assert_eq!(seen.recalled, 0, "{processor}, program {n}");
            (seen.events, seen.left_out, seen.recalled) = (Vec::new(), told, quick.recalled);
            assert!(seen == quick, "{processor}, {waves} waves, program {n}: {seen:#?} {quick:#?}");
            // What is known already was remembered before it began.
            anew += std::mem::replace(&mut again.recalled, quick.recalled);
            assert!(again == quick, "{processor}, {waves} waves, program {n} again: {again:#?} {quick:#?}");
            // Nor has a smaller launch anything of that but the clocks.
            let few = Dispatch { groups: [3, 1, 1], ..dispatch };
            let report = |events| timed::run(&few, &plan, &Hooks::default(), None, events).1;
            let (mut seen, known) = (report(usize::MAX), report(0));
            (seen.events, seen.left_out, seen.recalled) = (Vec::new(), known.left_out, known.recalled);
            assert!(seen == known, "{processor}, {waves} waves, program {n} of three groups: {seen:#?} {known:#?}");
            taken += told;
            recalled += quick.recalled;
        }
    }
    println!("{taken} instructions, of which {recalled} are remembered, and {anew} the next time");
    assert!(taken > 1_000_000 && recalled > taken / 2 && anew > recalled, "{recalled} and {anew} of {taken}");
}

/// Where lanes go in memory takes as long for each level of the host's vector code, the plainest of which goes lane by lane: whichever of them are
/// on, in a row, apart or across lines, in range of a buffer or not.
#[test]
fn whole_waves_take_as_long_as_lanes() {
    const BASE: u64 = 0x7_0000_0000;
    const LINES: [(Gen, &str); 17] = [
        (Gen::Gfx6, "buffer_load_dword v8, v0, s[4:7], 0 offen"),
        (Gen::Gfx6, "buffer_load_dwordx4 v[8:11], v0, s[4:7], 0 offen offset:64"),
        (Gen::Gfx6, "buffer_load_ubyte v8, v0, s[4:7], 0 offen offset:1"),
        (Gen::Gfx6, "buffer_store_dwordx2 v[8:9], v0, s[4:7], 0 offen"),
        (Gen::Gfx6, "buffer_atomic_add v8, v0, s[4:7], 0 offen"),
        (Gen::Gfx6, "buffer_load_dwordx2 v[8:9], v1, s[12:15], 0 idxen"),
        (Gen::Gfx6, "buffer_load_format_x v8, v0, s[4:7], 0 offen"),
        (Gen::Gfx6, "buffer_load_format_xyzw v[8:11], v1, s[12:15], 0 idxen"),
        (Gen::Gfx6, "buffer_store_format_xy v[8:9], v0, s[4:7], 0 offen offset:16"),
        (Gen::Gfx7, "flat_load_dword v8, v[2:3]"),
        (Gen::Gfx7, "flat_load_dword v8, v[4:5]"),
        (Gen::Gfx7, "flat_store_dwordx4 v[2:3], v[8:11]"),
        (Gen::Gfx9, "global_load_dword v8, v[2:3], off offset:4"),
        (Gen::Gfx9, "global_load_dwordx3 v[8:10], v0, s[4:5] offset:16"),
        (Gen::Gfx9, "global_store_short v0, v8, s[4:5]"),
        (Gen::Gfx9, "global_atomic_add v0, v8, s[4:5]"),
        (Gen::Gfx9, "scratch_load_dword v8, v0, off"),
    ];
    if Level::all().count() < 2 {
        return println!("skipped: this host, or a debug build, has one level");
    }
    let mut compared = BTreeSet::new();
    for processor in ["gfx602", "gfx704", "gfx803", "gfx906", "gfx942", "gfx1010", "gfx1036", "gfx1103", "gfx1201"] {
        let target = target(processor);
        for (n, (_, line)) in LINES.iter().enumerate().filter(|(_, (since, _))| target.generation() >= *since) {
            let wait = match target.generation() {
                Gen::Gfx12 => "s_wait_loadcnt 0\ns_wait_storecnt 0\ns_wait_dscnt 0",
                generation if generation >= Gen::Gfx10 => "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0",
                _ => "s_waitcnt vmcnt(0) lgkmcnt(0)",
            };
            let line = if target.generation() == Gen::Gfx12 { line.replace(", 0 ", ", null ") } else { (*line).into() };
            let words = assembled(processor, &format!("{}s_endpgm\n", format!("{line}\n{wait}\n").repeat(2)));
            let program = Program::new(target, &words, 0x1000);
            for way in 0..12u32 {
                let setup = |[group, ..]: [u32; 3], index: u32, wave: &mut Registers| {
                    let mut chance = Chance::new(u64::from(group) << 16 | u64::from(index) << 8 | u64::from(way));
                    let stride = [0, 1, 4, 4, 16, 60, 128][chance.below(7)];
                    let first = [0, 4, 2048, 126, 0x3f80][chance.below(5)];
                    // Each alone at the end of a line, which it crosses unless low bits are dropped: the next has none.
                    let stride = if first == 126 { 256 } else { stride };
                    for at in [4, 12] {
                        wave.set_pair(at, BASE);
                        // Of some buffers only the beginning is in range. Each of the formats means something somewhere.
                        wave.s[at + 2] = [0x10_0000, 0x1000][chance.below(2)];
                        wave.s[at + 3] = [0x1_dfac, 0x2_4fac, 0x2_8fac, 0x3_ffac, 0x4_dfac][chance.below(5)];
                    }
                    // In rows of eight bytes, so many of them.
                    (wave.s[13], wave.s[14]) = (wave.s[13] | 8 << 16, wave.s[14] / 8);
                    if way % 3 != 0 {
                        (wave.s[126], wave.s[127]) = (chance.below(1 << 32) as u32, chance.below(1 << 32) as u32);
                    }
                    for lane in 0..64 {
                        let random = if way % 2 == 0 { 0 } else { 4 * chance.below(0x2000) as u32 };
                        let at = first + lane as u32 * stride + random;
                        wave.set_vgpr(0, lane, at);
                        wave.set_vgpr(1, lane, at / 8);
                        // Some of the lanes, or all, go to LDS.
                        let shared = Apertures::default().shared + u64::from(at & 0xffc);
                        let place = BASE + u64::from(at);
                        let other = if way >= 8 || chance.below(8) == 0 { shared } else { place };
                        for (register, value) in [(2, place), (4, other)] {
                            wave.set_vgpr(register, lane, value as u32);
                            wave.set_vgpr(register + 1, lane, (value >> 32) as u32);
                        }
                    }
                };
                let reports = Level::all().map(|level| {
                    let mut memory = Memory::new();
                    memory.map("memory", BASE, 0x10_0000, true).expect("memory");
                    let dispatch = Dispatch {
                        memory: &memory,
                        groups: [3, 1, 1],
                        lds: 0x1000,
                        setup: &setup,
                        scratch_per_lane: 0x2_0000,
                        lanes: if target.wave32() { 32 } else { 64 },
                        ..group_of(&program, 4)
                    };
                    let plan = Plan::at(level, &program);
                    let (finished, report) = timed::run(&dispatch, &plan, &Hooks::default(), None, Report::EVENTS);
                    let traps: Vec<_> = finished.groups.iter().filter_map(|group| group.trap.clone()).collect();
                    (level, traps, report)
                });
                let reports: Vec<_> = reports.collect();
                let (_, traps, report) = &reports[0];
                for (level, other, took) in &reports[1..] {
                    assert_eq!(other, traps, "{processor}, {level:?}: {line}");
                    assert!(took == report, "{processor}, {level:?}, way {way}: {line}\n{report:#?} {took:#?}");
                }
                if traps.is_empty() {
                    compared.insert((processor, n, report.clocks));
                }
            }
        }
    }
    println!("{} times of {} levels", compared.len(), Level::all().count());
    assert!(compared.len() > 700, "{}", compared.len());
}

/// Places that come together take as long as one by one: all lanes and some, near and far, across the end of all addresses.
#[test]
fn places_come_together() {
    let mut chance = Chance::new(1);
    let mut next = || chance.below(1 << 24) as u32;
    // What an instruction before it has left behind.
    let (mut together, mut one_by_one) = (Traffic::default(), Traffic::default());
    for trial in 0..20_000 {
        let (bytes, banks) = ([1, 2, 4, 8, 12, 16][next() as usize % 6], [32, 64][next() as usize % 2]);
        let (stride, spread) =
            ([0, 4, 4, 8, 12, 64, 132][next() as usize % 7], 1 + next() % [1, 8, 1 << 20][next() as usize % 3]);
        let start = if trial % 10 == 0 { u32::MAX - next() % 300 } else { next() % 0x1000 };
        let bases =
            std::array::from_fn(|lane| start.wrapping_add(lane as u32 * stride).wrapping_add(4 * (next() % spread)));
        let lanes = if trial % 3 == 0 {
            u64::MAX
        } else {
            u64::from(next()) << 40 ^ u64::from(next()) << 20 ^ u64::from(next())
        };
        let offsets = &[next() % 64 * 4, next() % 512 * 4][..1 + trial as usize % 2];
        together.clear();
        one_by_one.clear();
        together.shared(lanes, &bases, offsets, bytes, banks);
        for lane in (0..64).filter(|lane| lanes >> lane & 1 != 0) {
            for offset in offsets {
                one_by_one.lds(lane, bases[lane as usize].wrapping_add(*offset), bytes, banks);
            }
        }
        assert_eq!(together.turns(), one_by_one.turns(), "{bases:x?} {offsets:?} {lanes:x} {bytes} {banks}");
    }
}

/// Lines stand once, in the order in which they were touched first, whether lanes come one by one or together; then some of them.
#[test]
fn lines_stand_once() {
    let mut chance = Chance::new(2);
    for lines in (0..14).map(|n| 1 << n) {
        // What an instruction before it has left behind.
        let (mut traffic, mut together) = (Traffic::default(), Traffic::default());
        for trial in 0..300 {
            traffic.clear();
            together.clear();
            (traffic.atomic, together.atomic) = (trial % 7 == 0, trial % 7 == 0);
            let mut naive = Vec::new();
            let bytes = [1, 4, 16, 16, 1 + chance.below(200) as u32][trial % 5];
            // Within a line; across the end of one; across as many as may be. Around the end of all addresses, and of all offsets.
            let aligned = [16, 16, 16, 4, 1][trial % 5];
            let base = [0x7_0000_0000, 0x7_0000_0034, u64::MAX - 0x1013][trial % 11 % 3];
            let start = if trial % 13 == 0 { u32::MAX - chance.below(lines * 128) as u32 } else { 0 };
            let offsets: [u32; 64] =
                std::array::from_fn(|_| start.wrapping_add(chance.below(lines * 128) as u32 / aligned * aligned));
            let exec = if trial % 3 == 0 { u64::MAX } else { (chance.below(1 << 62) as u64).wrapping_mul(5) };
            for lane in (0..64).filter(|lane| exec >> lane & 1 != 0) {
                let at = base.wrapping_add(offsets[lane].into());
                traffic.memory(at, bytes, 128);
                for line in at / 128..=at.saturating_add(u64::from(bytes) - 1) / 128 {
                    if !naive.contains(&line) {
                        naive.push(line);
                    }
                }
            }
            together.spread(exec, base, &offsets, bytes, 128);
            assert_eq!(traffic.lines(), naive, "of {lines} lines");
            assert_eq!(together.lines(), naive, "of {lines} lines, together");
            for bandwidth in [1, 64, u16::MAX] {
                assert_eq!(together.clocks(bandwidth), traffic.clocks(bandwidth), "of {lines} lines");
            }
        }
    }
}
