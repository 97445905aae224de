//! `wavediff golden`: recorded values, checked against an engine.
//!
//! `golden record` keeps what a device makes of the suites of [`crate::conform`] as a [recording](crate::recording), `check` compares the emulator with
//! it, `list` and `show` say what there is. `golden trace` keeps the [states](traces) of a case after every step, for `bisect`.
//!
//! `golden import FILE.jsonl --check` runs register cases: a line is one case, code and the registers it left on a card. A cell is one register of one
//! lane, or a scalar. Cells that the recording itself asserted are *checked*; the others are what its reference left there.

#[path = "golden/recorded.rs"]
mod recorded;
#[path = "golden/traces.rs"]
pub mod traces;

use crate::common::{self, Paint, Usage};
use crate::conform::Selection;
use crate::engines::{self, Device, Name};
use crate::run::Limits;
use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wavediff::emu::grid::run_all;
use wavediff::emu::wave::{Wave, slot};
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::isa::{Arch, Features, Target};
use wavediff::memory::guest::Memory;
use wavediff::program::Program;

#[derive(ClapArgs)]
#[command(
    about = "Recorded values: made on devices or brought from outside, checked against the emulator",
    after_help = "Examples:
  wavediff golden record alu lds --arch gfx1100 -o golden/recorded/my-card
  wavediff golden record alu lanes --arch gfx1100 --engine native -o golden/recorded/w7900
  wavediff golden check golden/recorded/my-card
  wavediff golden list
  wavediff golden show golden/recorded/my-card
  wavediff golden trace loop.s --arch gfx1100 -o loop.trace
  wavediff golden import cases.jsonl --check
  wavediff golden import cases.jsonl --check --mattr=+salu-float --json

Exit codes: 0 every checked cell is right, 1 one is not, 2 the command line is wrong."
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs suites on a Vulkan device, or on a card as they are, and keeps what it leaves
    Record(Record),
    /// Compares the emulator with a recording
    Check(Check),
    /// Lists the recordings of a folder
    List(List),
    /// Says where a recording comes from and what it has
    Show(Show),
    /// Keeps the state of a case after every step on an engine, for `bisect --engines emu,golden:FILE`
    Trace(TraceArgs),
    /// Reads register cases, one JSON object a line
    Import(Import),
}

#[derive(ClapArgs)]
struct Import {
    /// The file
    file: PathBuf,
    /// Run them on the emulator and compare
    #[arg(long, required = true)]
    check: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Features of the cards beyond what is public: +salu-float
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    mattr: Option<String>,
}

#[derive(ClapArgs)]
struct Record {
    #[command(flatten)]
    selection: Selection,
    /// What runs them: vulkan[:DEVICE] by a translation, native[:DEVICE] as the machine code that they are
    #[arg(long, value_parser = engines::name, default_value = "vulkan")]
    engine: Name,
    /// The folder of the recording
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Keep also what differs from the emulator: a device that is right where the emulator is wrong
    #[arg(long)]
    differing: bool,
}

#[derive(ClapArgs)]
struct Check {
    /// The folder of the recording
    folder: PathBuf,
    /// Worker processes [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<u16>,
}

#[derive(ClapArgs)]
struct List {
    /// Where recordings are
    #[arg(default_value = "golden/recorded")]
    folder: PathBuf,
}

#[derive(ClapArgs)]
pub struct TraceArgs {
    /// The case
    case: String,
    /// The processor [default: the first that the case is for]
    #[arg(long, value_parser = common::arch)]
    arch: Option<&'static Arch>,
    /// The engine that runs it
    #[arg(long, value_parser = engines::name, default_value = "vulkan")]
    engine: Name,
    /// The file of the trace
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The most steps: every one is a run from the beginning, and a state in the file
    #[arg(long, value_name = "N", default_value_t = 1000)]
    steps: u64,
    #[command(flatten)]
    device: Device,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    reading: crate::run::case::Reading,
}

#[derive(ClapArgs)]
struct Show {
    /// The folder of the recording
    folder: PathBuf,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Record(record) => recorded::record(record),
        Command::Check(args) => recorded::check(args),
        Command::List(list) => recorded::list(list),
        Command::Show(show) => recorded::show(show),
        Command::Trace(args) => traces::record(args),
        Command::Import(import) => check(import),
    }
}

/// Code bytes, and the registers they left.
struct Case {
    name: String,
    target: Target,
    lanes: u32,
    code: Vec<u32>,
    value: Value,
}

/// A cell that differs.
struct Difference {
    case: String,
    cell: String,
    expected: u64,
    got: u64,
    checked: bool,
    /// Both are NaNs: the recording did not look at their payloads.
    nan: bool,
}

/// What came of all cases.
#[derive(Default)]
struct Tally {
    cases: usize,
    failed: usize,
    /// Cases of processors that are no targets.
    skipped: usize,
    trapped: Vec<(String, String)>,
    cells: usize,
    checked: usize,
    differences: Vec<Difference>,
}

fn check(args: &Import) -> Result<ExitCode> {
    let bytes = common::read(&args.file.to_string_lossy())?;
    let text = String::from_utf8(bytes).with_context(|| format!("{} is no text", args.file.display()))?;
    let mut tally = Tally::default();
    for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let Some(mut case) = parse(line, &args.file, number + 1)? else {
            tally.skipped += 1;
            continue;
        };
        if let Some(list) = &args.mattr {
            case.target = case.target.with_mattr(list).map_err(|e| Usage(format!("--mattr: {e}")))?;
        }
        if args.filter.as_ref().is_some_and(|f| !case.name.contains(f.as_str())) {
            continue;
        }
        execute(&case, &mut tally);
    }
    if args.json {
        print_json(&tally)?;
    } else {
        print_text(&tally)?;
    }
    let wrong = tally.differences.iter().any(|d| d.checked && !d.nan) || !tally.trapped.is_empty();
    Ok(ExitCode::from(u8::from(wrong)))
}

/// The processor that a recording's family name stands for.
fn processor(name: &str) -> Option<&'static Arch> {
    let name = match name {
        "rdna1" => "gfx1010",
        "rdna2" => "gfx1030",
        "rdna3" => "gfx1100",
        "rdna4" => "gfx1200",
        "cdna3" => "gfx942",
        other => other,
    };
    Arch::find(name)
}

/// The case of a line; none where its processor is no target here.
fn parse(line: &str, file: &Path, number: usize) -> Result<Option<Case>> {
    let place = || format!("{}:{number}", file.display());
    let value: Value = serde_json::from_str(line).with_context(place)?;
    let name = value["test"].as_str().unwrap_or("unnamed").to_owned();
    let arch = value["arch"].as_str().unwrap_or_default();
    // gfx950 is no target here, and its 8-bit floats are not those of gfx942.
    if arch == "cdna4" {
        return Ok(None);
    }
    let Some(arch) = processor(arch) else { bail!("{}: unknown architecture `{arch}`", place()) };
    let mut target = Target::new(arch);
    let wave = value["wave"].as_u64().unwrap_or(32);
    if arch.has_wave32() {
        target.features -= Features::WAVE32 | Features::WAVE64;
        target.features |= if wave == 64 { Features::WAVE64 } else { Features::WAVE32 };
    }
    let mut bytes = Vec::new();
    for part in value["code"].as_array().with_context(place)? {
        bytes.extend(hex(part.as_str().unwrap_or_default()).with_context(place)?);
    }
    let code = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let lanes = value["lanes"].as_u64().unwrap_or(1).clamp(1, 1024) as u32;
    Ok(Some(Case { name, target, lanes, code, value }))
}

fn hex(text: &str) -> Result<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        bail!("`{text}` is no sequence of bytes");
    }
    (0..text.len()).step_by(2).map(|i| Ok(u8::from_str_radix(&text[i..i + 2], 16)?)).collect()
}

/// Where s[80:81] points: at the address of a buffer.
const ARGUMENTS: u64 = 0x1_0000_0000;
/// A buffer for cases that load and store.
const BUFFER: u64 = 0x2_0000_0000;
const SCRATCH: u64 = 0x3_0000_0000;
const SCRATCH_PER_LANE: u32 = 0x1000;

/// The memory that the recording's harness gives each case: a buffer, its address behind s[80:81], scratch.
fn surroundings() -> Result<Memory> {
    let mut memory = Memory::new();
    memory.map_bytes("arguments", ARGUMENTS, &BUFFER.to_le_bytes(), false)?;
    memory.map("buffer", BUFFER, 0x1_0000, true)?;
    memory.map("scratch", SCRATCH, u64::from(SCRATCH_PER_LANE) * 64, true)?;
    Ok(memory)
}

fn execute(case: &Case, tally: &mut Tally) {
    tally.cases += 1;
    let lanes = if case.target.wave32() { 32 } else { 64 };
    let mut words = case.code.clone();
    let end = if case.target.generation() >= wavediff::isa::Gen::Gfx11 { 0xbfb0_0000 } else { 0xbf81_0000 };
    words.push(end);
    let program = Program::new(case.target, &words, 0x1000);
    let memory = match surroundings() {
        Ok(memory) => memory,
        Err(error) => {
            tally.trapped.push((case.name.clone(), error.to_string()));
            return;
        }
    };
    let total = case.lanes;
    let setup = |_: [u32; 3], index: u32, wave: &mut Registers| {
        let left = total - (index * lanes).min(total);
        wave.set_exec(if left >= 64 { u64::MAX } else { (1 << left) - 1 });
        for lane in 0..lanes {
            wave.set_vgpr(255, lane as usize, index * lanes + lane);
        }
        wave.set_pair(80, ARGUMENTS);
        wave.scratch = SCRATCH;
    };
    let finished = run_all(&Dispatch {
        waves: total.div_ceil(lanes),
        lds: 0x1_0000,
        scratch_per_lane: SCRATCH_PER_LANE,
        limits: wavediff::engine::dispatch::Limits { instructions: 1 << 24, ..Default::default() },
        alone: true,
        ..Dispatch::of_one(&program, &memory, lanes, &setup)
    });
    let before = tally.differences.len();
    if let Some(done) = finished.groups.first() {
        if let Some((_, cause)) = &done.trap {
            tally.trapped.push((case.name.clone(), cause.to_string()));
            tally.failed += 1;
            return;
        }
        compare(case, &done.waves, lanes, tally);
    }
    if tally.differences[before..].iter().any(|d| !d.nan) {
        tally.failed += 1;
    }
}

/// Compares every cell of a case.
fn compare(case: &Case, waves: &[Wave], lanes: u32, tally: &mut Tally) {
    let checked = &case.value["checked"];
    let checked_pairs: Vec<(u64, u64)> = checked["v"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| (pair[0].as_u64().unwrap_or(u64::MAX), pair[1].as_u64().unwrap_or(u64::MAX)))
        .collect();
    let checked_scalars: Vec<u64> = checked["s"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let mut cell = |name: String, expected: &Value, got: u64, checked: bool| {
        let Some(expected) = expected.as_u64() else { return };
        tally.cells += 1;
        tally.checked += usize::from(checked);
        if expected != got {
            let nan = is_nan(expected) && is_nan(got);
            tally.differences.push(Difference { case: case.name.clone(), cell: name, expected, got, checked, nan });
        }
    };
    let vgpr = |register: usize, lane: usize| {
        waves.get(lane / lanes as usize).map_or(0, |w| u64::from(w.vgpr(register, lane % lanes as usize)))
    };
    for (register, values) in case.value["v"].as_array().into_iter().flatten().enumerate() {
        for (lane, expected) in values.as_array().into_iter().flatten().enumerate() {
            let asserted = checked_pairs.contains(&(lane as u64, register as u64));
            cell(format!("v{register} lane {lane}"), expected, vgpr(register, lane), asserted);
        }
    }
    if let Some(register) = case.value["out_vgpr"].as_u64() {
        let expected = &case.value["out"];
        let single = std::slice::from_ref(expected);
        for (lane, expected) in expected.as_array().map_or(single, Vec::as_slice).iter().enumerate() {
            cell(format!("v{register} lane {lane}"), expected, vgpr(register as usize, lane), true);
        }
    }
    let Some(first) = waves.first() else { return };
    for (register, expected) in case.value["s"].as_array().into_iter().flatten().enumerate() {
        let asserted = checked_scalars.contains(&(register as u64));
        cell(format!("s{register}"), expected, u64::from(first.s[register]), asserted);
    }
    cell("vcc".to_owned(), &case.value["vcc"], first.mask_at(slot::VCC), checked["vcc"] == true);
    cell("scc".to_owned(), &case.value["scc"], u64::from(first.scc), checked["scc"] == true);
    cell("exec".to_owned(), &case.value["exec"], first.exec(), false);
}

fn is_nan(bits: u64) -> bool {
    f32::from_bits(bits as u32).is_nan()
}

fn print_text(tally: &Tally) -> Result<()> {
    let (paint, mut out) = (Paint::stdout(), String::new());
    let (nan, other): (Vec<_>, Vec<_>) = tally.differences.iter().partition(|d| d.nan);
    for (case, why) in &tally.trapped {
        let _ = writeln!(out, "{} {case}: {why}", paint.red("trap"));
    }
    for d in &other {
        let kind = if d.checked { paint.red("FAIL") } else { paint.yellow("differs") };
        let _ = writeln!(out, "{kind} {} {}: expected {:#010x}, got {:#010x}", d.case, d.cell, d.expected, d.got);
    }
    let wrong = other.iter().filter(|d| d.checked).count();
    let _ = writeln!(
        out,
        "{} cases: {} passed, {} failed, {} skipped (gfx950 is no target); {} cells, {} of them checked; {wrong} checked and {} other cells differ, {} NaNs in their payload",
        tally.cases,
        tally.cases - tally.failed,
        tally.failed,
        tally.skipped,
        tally.cells,
        tally.checked,
        other.len() - wrong,
        nan.len(),
    );
    common::print(&out)
}

fn print_json(tally: &Tally) -> Result<()> {
    let differences: Vec<Value> = tally
        .differences
        .iter()
        .map(|d| json!({"case": d.case, "cell": d.cell, "expected": d.expected, "got": d.got, "checked": d.checked, "nan": d.nan}))
        .collect();
    let traps: Vec<Value> = tally.trapped.iter().map(|(case, why)| json!({"case": case, "trap": why})).collect();
    let all = json!({
        "cases": tally.cases, "passed": tally.cases - tally.failed, "failed": tally.failed, "skipped": tally.skipped,
        "cells": tally.cells, "checked": tally.checked, "differences": differences, "traps": traps,
    });
    common::write(None, format!("{all}\n").as_bytes())
}
