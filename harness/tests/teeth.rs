//! Suites, bisection and reduction have teeth: with a mistake planted in the translation, `wavediff conform` fails, `wavediff bisect` names the
//! instruction and `wavediff reduce` leaves at most three, each in less than a minute, with nobody's help.
//!
//! A trial is a [fault](Fault). It runs on the cases that notice it (`tests/spirv/selections.rs`): those of `tests/cases/pass`, or programs of rows
//! with random operands, written down as cases. Some faults are tried always, all of them with `TEETH=all`; they exist in debug builds only.
//!
//! `cargo test --test teeth -- --ignored plain --nocapture` plants each of them under a [plain run](plain) of `conform`, in a quarter of an hour;
//! `PLAIN_EVERY=16 cargo test --test teeth plain` every sixteenth, in two minutes.
//!
//! What is told of [failures], and what [hangs] cost, is tried here as well: either takes a debug build and a device.
//!
//! Without a device the trials are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "teeth/failures.rs"]
mod failures;
#[path = "teeth/hangs.rs"]
mod hangs;
#[path = "teeth/memory.rs"]
mod memory;
#[path = "teeth/plain.rs"]
mod plain;
#[path = "teeth/programs.rs"]
mod programs;
#[path = "../../tests/spirv/selections.rs"]
mod selections;
#[path = "../../tests/spirv/setup.rs"]
mod setup;

use libtest_mimic::{Arguments, Failed, Trial};
use selections::{Selection, What, selection};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use wavediff::case::Case;
use wavediff::spirv::fault::Fault;

/// How long a command may take.
const LIMIT: Duration = Duration::from_secs(60);
/// The most instructions that a reduced case may have.
const MOST: usize = 3;

/// How rows of memory begin.
const MEMORY: [&str; 8] = ["buffer_", "tbuffer_", "global_", "flat_", "ds_", "s_load_", "s_buffer_load_", "scratch_"];

/// Tried always: one of each group, and what goes through waves, memory of modes and the flow.
const ALWAYS: [Fault; 8] = [
    Fault::SubSwapped,
    Fault::FmaRoundsTwice,
    Fault::ExecIgnored,
    Fault::FirstLaneZero,
    Fault::SaveexecNew,
    Fault::BarrierPassed,
    Fault::CallReturnsBeyond,
    Fault::MessageWithoutM0,
];

fn main() {
    let mut args = Arguments::from_args();
    args.test_threads = Some(1);
    let missing = setup::gpu().is_none() || !cfg!(debug_assertions);
    if !cfg!(debug_assertions) {
        println!("skipped: faults are planted in debug builds only");
    }
    let all = std::env::var("TEETH").is_ok_and(|v| v == "all");
    let faults = Fault::ALL.iter().copied().filter(|fault| all || ALWAYS.contains(fault));
    let trials = faults.map(|fault| {
        Trial::test(format!("{}::{}", fault.group(), fault.name()), move || bites(fault)).with_ignored_flag(missing)
    });
    let fuzz = Trial::test("fuzz::sub-swapped", fuzz_reduces).with_ignored_flag(missing);
    let trace = Trial::test("trace::sub-swapped", trace_tells).with_ignored_flag(missing);
    let told = [
        Trial::test("failures::device", failures::of_a_device),
        Trial::test("failures::recording", failures::of_a_recording),
        Trial::test("failures::folder", failures::in_a_folder),
        Trial::test("hangs::one-case", hangs::on_one_case),
        Trial::test("hangs::for-good", hangs::for_good),
    ];
    let told = told.map(|trial| trial.with_ignored_flag(missing));
    let mut trials: Vec<Trial> = trials.chain([fuzz, trace]).chain(told).collect();
    if !missing {
        let every = plain::every();
        let whole = every == Ok(None);
        trials.push(Trial::test("plain", move || plain::notices(every?)).with_ignored_flag(whole));
    }
    libtest_mimic::run(&args, trials).exit();
}

/// Runs the program with a fault.
fn wavediff(fault: Fault, selection: &Selection, args: &[&str]) -> Result<Output, Failed> {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(args)
        .args(["--arch", selection.arch, "--lanes", selection.model.name()])
        .env("WAVEDIFF_FAULT", fault.name())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()?;
    let took = start.elapsed();
    if took > LIMIT {
        return Err(format!("{args:?} took {took:?}").into());
    }
    Ok(output)
}

fn bites(fault: Fault) -> Result<(), Failed> {
    let selection = selection(fault);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("teeth-{}", fault.name()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    suite_fails(fault, &selection)?;
    let mut tried = Vec::new();
    for file in files(fault, &selection, &folder)? {
        let name = file.to_string_lossy().into_owned();
        let output = wavediff(fault, &selection, &["bisect", "--json", &name])?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.code() {
            Some(0) => tried.push(name),
            Some(1) if !text.is_empty() => {
                named(fault, &selection, &serde_json::from_str(&text)?)?;
                return reduced(fault, &selection, &file, &folder);
            }
            _ => return Err(format!("{name}: {text}{}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }
    Err(format!("nothing differs in {}", tried.join(", ")).into())
}

/// A suite fails: the rows or cases that notice the fault when there are enough of them, else more rows of the kind, each with some instructions.
fn suite_fails(fault: Fault, selection: &Selection) -> Result<(), Failed> {
    let (suites, names): (&[&str], _) = match selection.what {
        What::Rows { names, .. } | What::Memory(names, _) => {
            (&["alu", "modes", "lanes", "matrix", "control", "memory", "lds"], names)
        }
        What::Cases(names) => (&["cases"], names),
    };
    let more = match fault.group() {
        "vector" => "v_(sub|min|max|cndmask)_",
        "matrix" => "v_wmma",
        "memory" => "(load|store)_dword",
        _ => "^$",
    };
    let mut said = String::new();
    for filter in [format!("(^|/)({})$", names.join("|")), more.to_owned()] {
        let engines = ["--all", "--engines", "emu,vulkan", "--filter", &filter];
        let args: Vec<&str> = ["conform"].iter().chain(suites).chain(&engines).copied().collect();
        let output = wavediff(fault, selection, &args)?;
        match output.status.code() {
            Some(1) => return Ok(()),
            code => said += &format!("conform ends with {code:?}: {}", String::from_utf8_lossy(&output.stdout)),
        }
    }
    Err(said.into())
}

/// Fuzzing finds a fault, and leaves of every program only what shows it.
fn fuzz_reduces() -> Result<(), Failed> {
    let fault = Fault::SubSwapped;
    let args = ["fuzz", "--json", "--profile", "alu", "--cases", "1024", "--share", "512"];
    let output = wavediff(fault, &selection(fault), &args)?;
    let found: Value = serde_json::from_slice(&output.stdout)?;
    let all = found["differences"].as_array().ok_or("no list")?;
    if output.status.code() != Some(1) || all.is_empty() {
        return Err(format!("nothing was found: {found}").into());
    }
    let lines = |one: &Value| one["body"].as_str().map_or(0, |body| body.lines().count());
    match all.iter().find(|one| !(1..=MOST).contains(&lines(one))) {
        Some(long) => Err(format!("not reduced: {long}").into()),
        None => Ok(()),
    }
}

/// What a device with a fault has left in a trace is found without the device, at the same instruction.
fn trace_tells() -> Result<(), Failed> {
    let fault = Fault::SubSwapped;
    let selection = selection(fault);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("teeth-trace");
    std::fs::create_dir_all(&folder)?;
    let (case, trace) = (folder.join("case.s"), folder.join("case.trace"));
    std::fs::write(
        &case,
        "; isa: gfx1100\n; wave: 64\n; v0 = 7\n; v1 = 3\nv_mov_b32 v2, v0\nv_sub_nc_u32 v3, v0, v1\ns_nop 0\n",
    )?;
    let (case, trace) = (case.to_string_lossy(), trace.to_string_lossy());
    let made = wavediff(fault, &selection, &["golden", "trace", &case, "-o", &trace])?;
    if made.status.code() != Some(0) {
        return Err(String::from_utf8_lossy(&made.stderr).into());
    }
    let engines = format!("emu,golden:{trace}");
    let found = wavediff(fault, &selection, &["bisect", "--json", &case, "--engines", &engines])?;
    let value: Value = serde_json::from_slice(&found.stdout)?;
    if found.status.code() != Some(1) || value["row"] != "v_sub_u32" {
        return Err(format!("{value}").into());
    }
    Ok(())
}

/// Bisection names an instruction that the fault concerns.
fn named(fault: Fault, selection: &Selection, found: &Value) -> Result<(), Failed> {
    let row = found["row"].as_str();
    if fault == Fault::PrologueWithoutMode {
        // No instruction does it, and none is accused.
        return if found["found"] == "start" { Ok(()) } else { Err(format!("{found}").into()) };
    }
    let guilty = match selection.what {
        What::Rows { names, .. } | What::Memory(names, _) => names,
        What::Cases(_) => guilty(fault),
    };
    match row {
        Some(row) if guilty.contains(&row) => Ok(()),
        // Cases of memory have many rows that a fault concerns.
        Some(row) if guilty.is_empty() && fault.group() == "memory" && MEMORY.iter().any(|p| row.starts_with(p)) => {
            Ok(())
        }
        _ => Err(format!("{row:?} is none of {guilty:?}: {found}").into()),
    }
}

/// The rows that faults concern which cases notice.
fn guilty(fault: Fault) -> &'static [&'static str] {
    match fault {
        Fault::CtzHighHalfOff => &["s_ff1_i32_b64"],
        Fault::ClzLowHalfOff => &["s_flbit_i32_b64", "s_flbit_i32_i64"],
        Fault::FmaRoundsTwice => &["v_fma_f32"],
        Fault::SextDropped => &["v_add_u32", "v_add_co_u32", "v_mov_b32", "v_add_f32", "v_mul_f32", "v_lshlrev_b32"],
        Fault::DualOrder => &["v_dual_mov_b32"],
        Fault::GetpcOff => &["s_getpc_b64"],
        Fault::CallReturnsBeyond => &["s_swappc_b64"],
        Fault::GetregUnshifted => &["s_getreg_b32"],
        Fault::SetregUnshifted => &["s_setreg_b32", "s_setreg_imm32_b32"],
        Fault::MovrelIgnored | Fault::MovrelBeyond => {
            &["s_movrels_b32", "s_movreld_b32", "s_movrels_b64", "s_movreld_b64"]
        }
        Fault::VectorMoveIgnored | Fault::VectorMoveBeyond => &["v_movrels_b32", "v_movreld_b32", "v_movrelsd_b32"],
        Fault::BranchInverted => &["s_cbranch_scc1", "s_cbranch_scc0"],
        Fault::VcczLowOnly => &["s_cbranch_vccz", "s_cbranch_vccnz"],
        Fault::ExeczLowOnly => &["s_cbranch_execz", "s_cbranch_execnz"],
        Fault::BarrierPassed => &["s_barrier"],
        Fault::SubvectorUnsaved => &["s_subvector_loop_begin"],
        Fault::ForkSidesSwapped => &["s_cbranch_g_fork", "s_cbranch_i_fork"],
        Fault::ForkDepthKept => &["s_cbranch_join"],
        Fault::MessageWithoutM0 => &["s_sendmsg"],
        Fault::TrapNumberLost | Fault::TrapSavesNext => &["s_trap"],
        Fault::TrapReturnKeepsPriv => &["s_rfe_b64"],
        Fault::StatusSccKept => &["s_setreg_imm32_b32"],
        _ => &[],
    }
}

/// Reduction leaves a small case, which shows the difference and is sound without the fault.
fn reduced(fault: Fault, selection: &Selection, file: &Path, folder: &Path) -> Result<(), Failed> {
    let small = folder.join("small.s");
    let (from, to) = (file.to_string_lossy(), small.to_string_lossy());
    let output = wavediff(fault, selection, &["reduce", "--json", &from, "-o", &to])?;
    if output.status.code() != Some(0) {
        return Err(format!("{from}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = std::fs::read_to_string(&small)?;
    let case = Case::parse(&text, &to)?;
    if case.to_string() != text {
        return Err(format!("it is printed in another way than it is read: {text}").into());
    }
    let left = wavediff::reduce::instructions(&case);
    if left > MOST {
        return Err(format!("{left} instructions are left: {text}").into());
    }
    if folder.join("small.s.reduce").exists() {
        return Err("its journal is still there".into());
    }
    let sound = Command::new(env!("CARGO_BIN_EXE_wavediff")).args(["run", &to]).output()?;
    if sound.status.code() != Some(0) {
        return Err(format!("not as the case expects: {}{text}", String::from_utf8_lossy(&sound.stdout)).into());
    }
    let found = wavediff(fault, selection, &["bisect", "--json", &to])?;
    let found: Value = serde_json::from_slice(&found.stdout)?;
    named(fault, selection, &found)
}

/// The files of a selection.
fn files(fault: Fault, selection: &Selection, folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    match selection.what {
        What::Cases(names) => {
            let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/pass");
            Ok(names.iter().map(|name| cases.join(format!("{name}.s"))).collect())
        }
        What::Rows { .. } if memory::text(fault).is_none() => programs::write(selection, folder),
        What::Rows { .. } | What::Memory(..) => {
            let path = folder.join("memory.s");
            std::fs::write(&path, memory::text(fault).ok_or("no case")?)?;
            Ok(vec![path])
        }
    }
}
