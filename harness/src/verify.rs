//! `wavediff verify`: float operations of the emulator against LLVM's software floats.

#[path = "verify/check/mod.rs"]
mod check;

use crate::common::{self, Paint, cores, usage};
use anyhow::{Result, bail};
use check::{Bench, Mismatch, Operation, Tally, operations, other_modes, seed_of, usual_modes};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use wavediff::isa::{Arch, Target};

/// Float operations on random operands, compared with an independent implementation
#[derive(clap::Args)]
#[command(
    after_help = "Each operation is an instruction, or the sequence that compilers emit for a division; it runs in waves of 64 lanes on the
emulator, and LLVM's software floats (rustc_apfloat) say what must come out. Operands are random bits, numbers of every class, edge values, and
operands whose result lies at the edges of the format. The usual modes are round to nearest with f32 denormals flushed, and with all kept;
the others are all roundings, denormal modes, IEEE on and off, FP16_OVFL, as far as the operation depends on them.
The same seed draws the same operands. Exit code 1: a result differs.

Examples:
  wavediff verify                                   all operations on gfx1100
  wavediff verify --ops div --count 10000000        the division instructions and sequences: 10 million operands in each usual mode
  wavediff verify --arch gfx600 --ops f64,v_mad --others 1000000 --json"
)]
pub struct Args {
    /// Only operations whose name contains one of these [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    ops: Vec<String>,
    /// Operands in each of the two usual modes
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    count: u64,
    /// Operands in each other mode [default: a tenth of --count]
    #[arg(long, value_name = "N")]
    others: Option<u64>,
    /// What is drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Processor (gfx1100) or product (navi31)
    #[arg(long, value_parser = common::arch, default_value = "gfx1100")]
    arch: &'static Arch,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Operands between two looks at the clock.
const PIECE: u64 = 1 << 18;

/// A piece of work.
struct Item {
    operation: usize,
    mode: u32,
    part: u64,
    count: u64,
}

/// What came of an operation.
struct Done {
    operation: &'static Operation,
    modes: usize,
    tally: Tally,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let target = Target::new(args.arch);
    let wanted = |name: &str| args.ops.is_empty() || args.ops.iter().any(|part| name.contains(part.as_str()));
    let chosen: Vec<&'static Operation> = operations::all().filter(|operation| wanted(operation.name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = operations::all().map(|operation| operation.name).collect();
        return usage(format!("no such operation; there are {}", names.join(", ")));
    }
    let others = args.others.unwrap_or(args.count / 10);
    let (mut benches, mut missing) = (Vec::new(), Vec::new());
    for operation in chosen {
        match Bench::new(operation, target) {
            Some(bench) => benches.push((operation, bench)),
            None => missing.push(operation.name),
        }
    }
    if benches.is_empty() {
        return usage(format!("{} has no such instruction", args.arch.name));
    }
    let mut items = Vec::new();
    let mut done = Vec::new();
    for (operation, (what, _)) in benches.iter().enumerate() {
        let other = other_modes(what, target);
        done.push(Done { operation: what, modes: other.len() + usual_modes().len(), tally: Tally::default() });
        let usual = usual_modes().map(|mode| (mode, args.count));
        for (mode, count) in usual.into_iter().chain(other.into_iter().map(|mode| (mode, others))) {
            items.extend((0..count.div_ceil(PIECE)).map(|part| {
                let count = PIECE.min(count - part * PIECE);
                Item { operation, mode, part, count }
            }));
        }
    }
    let bar = ProgressBar::new(items.iter().map(|item| item.count).sum());
    if let Ok(style) =
        ProgressStyle::with_template("{bar:40} {percent}% of {human_len} operands, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.unwrap_or_else(cores).max(1) {
            scope.spawn(|| {
                while let Some((n, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, items.get(n)?)))
                {
                    let (operation, bench) = &benches[item.operation];
                    let seed = seed_of(args.seed, operation.name, item.mode, item.part);
                    let result = bench.run(item.mode, item.count, seed);
                    bar.inc(item.count);
                    results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((n, result));
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(n, _)| *n);
    for (n, result) in results {
        let operation = items[n].operation;
        match result {
            Ok(tally) => done[operation].tally.add(tally),
            Err(trap) => bail!("{} in mode {:#x}: {trap}", done[operation].operation.name, items[n].mode),
        }
    }
    let text = if args.json { to_json(&done, &missing, args) } else { to_text(&done, &missing, args) };
    common::print(&text)?;
    Ok(ExitCode::from(u8::from(done.iter().any(|d| d.tally.mismatches != 0))))
}

fn hex(mismatch: &Mismatch) -> [String; 3] {
    let operands: Vec<String> = mismatch.operands.iter().map(|v| format!("{v:#x}")).collect();
    [operands.join(", "), format!("{:#x}", mismatch.expected), format!("{:#x}", mismatch.got)]
}

fn to_text(done: &[Done], missing: &[&str], args: &Args) -> String {
    let paint = Paint::stdout();
    let mut out = String::new();
    for Done { operation, modes, tally } in done {
        let _ = write!(out, "{:<24}{:>14} operands in {modes:>3} modes", operation.name, tally.inputs);
        if tally.mismatches == 0 {
            out.push('\n');
            continue;
        }
        let _ = writeln!(out, ": {}", paint.red(&format!("{} differ", tally.mismatches)));
        for mismatch in &tally.first {
            let [operands, expected, got] = hex(mismatch);
            let _ = writeln!(out, "    mode {:#05x}: {operands}: expected {expected}, got {got}", mismatch.mode);
        }
    }
    let inputs: u64 = done.iter().map(|d| d.tally.inputs).sum();
    let wrong: u64 = done.iter().map(|d| d.tally.mismatches).sum();
    let _ = writeln!(out, "{}: {} operations, {inputs} operands, {wrong} results differ", args.arch.name, done.len());
    if !missing.is_empty() {
        let _ = writeln!(out, "not on {}: {}", args.arch.name, missing.join(", "));
    }
    out
}

fn to_json(done: &[Done], missing: &[&str], args: &Args) -> String {
    let mismatch = |m: &Mismatch| {
        let [_, expected, got] = hex(m);
        let operands: Vec<String> = m.operands.iter().map(|v| format!("{v:#x}")).collect();
        json!({ "mode": format!("{:#x}", m.mode), "operands": operands, "expected": expected, "got": got })
    };
    let operations: Vec<Value> = done
        .iter()
        .map(|d| {
            let first: Vec<Value> = d.tally.first.iter().map(mismatch).collect();
            json!({
                "operation": d.operation.name, "modes": d.modes, "operands": d.tally.inputs,
                "differ": d.tally.mismatches, "first": first,
            })
        })
        .collect();
    format!(
        "{:#}\n",
        json!({ "arch": args.arch.name, "seed": args.seed, "operations": operations, "missing": missing })
    )
}
