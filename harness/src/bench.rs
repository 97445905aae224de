//! `wavediff bench`: what each instruction of the ALUs costs on an engine.
//!
//! Programs and slopes are the library's ([`wavediff::timing::bench`]). On the emulator the clock is that of the model of the machine, so that the table is
//! the model's, found from outside; with `--host` it is what an instruction costs the host. Of a Vulkan device it is the time that its
//! translation takes.

use crate::common::{self, Paint, usage};
use crate::engines::{self, Device, Name, Opened};
use crate::report::text::table;
use crate::run::Limits;
use crate::tell;
use anyhow::Result;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use regex::Regex;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use wavediff::emu::engine::Clocked;
use wavediff::engine::Engine;
use wavediff::isa::row::{Family, Inst};
use wavediff::isa::{Arch, Target};
use wavediff::timing::bench::{Cost, Meter, cost};
use wavediff::timing::probe::{Kind, Probe, Reason, probes};
use wavediff::timing::{Machine, Unit};

/// Measure what instructions cost
#[derive(clap::Args)]
#[command(
    about = "Measure what each instruction of the ALUs costs: how often it can be issued, and when its result is there",
    after_help = "An instruction is measured by machine code that no compiler touches: copies that do not wait for each other (rate), and copies each of
which waits for the one before (latency); of several numbers of copies the slope counts. A latency with `+ NAME` is that of a chain through another
instruction, and of both together. What cannot be measured in this way is counted with the reason; --all lists it.

  --engines emu           clocks of the model of the machine; the table says where each figure comes from
  --engines emu --host    nanoseconds of this host
  --engines vulkan        nanoseconds of the device, which executes a translation: its price, not that of the instruction on AMD's hardware.
                          Latencies alone: of copies that compute the same its compiler leaves one

Memory, LDS and branches are not measured yet, and a card is not either: what runs there may not read the clock.

Examples:
  wavediff bench --arch gfx1100
  wavediff bench vector --arch navi31 --filter 'f64|rcp'
  wavediff bench --arch gfx900 --csv gfx900.csv --json gfx900.json
  wavediff bench scalar --arch gfx1200 --engines emu --host
  wavediff bench --arch gfx1100 --engines emu,vulkan:llvmpipe --filter '^v_(add|fma)_f32'

Exit codes: 0 all are measured that can be, 1 a run failed, 2 the command line is wrong."
)]
pub struct Args {
    /// Which instructions [default: all]
    #[arg(value_enum)]
    what: Vec<What>,
    /// Processor (gfx1100) or product (navi31)
    #[arg(long, value_parser = common::arch)]
    arch: &'static Arch,
    /// Lanes of a wave [default: the processor's own]
    #[arg(long, value_name = "LANES")]
    wave: Option<u32>,
    /// What runs them: emu, vulkan[:DEVICE]
    #[arg(long, value_parser = engines::name, value_delimiter = ',', default_value = "emu")]
    engines: Vec<Name>,
    #[command(flatten)]
    device: Device,
    /// Only rows whose name this regular expression finds
    #[arg(long, value_name = "REGEX")]
    filter: Option<Regex>,
    /// On the emulator, what they cost the host
    #[arg(long)]
    host: bool,
    /// Repetitions of each program where time is measured; the least counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// List what is not measured, too
    #[arg(long)]
    all: bool,
    /// Write the results as JSON; - is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results as CSV; - is the standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Scalar and vector instructions.
    Alu,
    /// Scalar ones.
    Scalar,
    /// Vector ones.
    Vector,
}

impl What {
    fn has(self, row: &Inst) -> bool {
        let scalar = matches!(row.family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc);
        match self {
            What::Alu => true,
            What::Scalar => scalar,
            What::Vector => !scalar,
        }
    }
}

/// What is known of a row on an engine.
struct Line {
    row: &'static Inst,
    name: &'static str,
    /// By [`Kind`].
    costs: [Found; 2],
}

/// A cost, with the partner of a chain, or why there is none.
type Found = Result<(Cost, Option<&'static Inst>), Missing>;

/// Why there is no cost.
enum Missing {
    /// It can not be measured in this way.
    Reason(&'static str),
    /// A run failed.
    Failed(String),
}

impl Missing {
    fn text(&self) -> &str {
        match self {
            Missing::Reason(why) => why,
            Missing::Failed(why) => why,
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.device.check(&args.engines)?;
    let mut target = Target::new(args.arch);
    if let Some(lanes) = args.wave {
        let Some(wave) = target.wave(lanes) else {
            return usage(format!("waves of {} do not have {lanes} lanes", args.arch.name));
        };
        target = wave;
    }
    if args.host && args.engines != [Name::Emu] {
        return usage("--host is for the emulator alone");
    }
    if args.engines.iter().any(|name| matches!(name, Name::Native(_))) {
        return usage("a card is not measured yet: programs that read the clock do not run there");
    }
    let chosen = |row: &Inst| {
        let what = args.what.is_empty() || args.what.iter().any(|what| what.has(row));
        what && args.filter.as_ref().is_none_or(|filter| filter.is_match(row.name_in(target.generation())))
    };
    let mut rows: Vec<Measured> = Vec::new();
    for (row, kind, probe) in probes(target).filter(|(row, ..)| chosen(row)) {
        match (kind, rows.last_mut()) {
            (Kind::Latency, Some((of, [_, latency]))) if std::ptr::eq(*of, row) => *latency = Some(probe),
            _ => rows.push((row, [Some(probe), None])),
        }
    }
    if rows.is_empty() {
        return usage("no instruction is chosen: see --filter, and `wavediff isa`");
    }
    let mut failed = false;
    let mut text = String::new();
    let mut all = Vec::new();
    for name in &args.engines {
        let (lines, engine, unit) = measure(args, name, target, &rows)?;
        failed |= lines.iter().flat_map(|line| &line.costs).any(|cost| matches!(cost, Err(Missing::Failed(_))));
        push_text(&mut text, args, target, &engine, unit, &lines);
        all.push(json_of(target, &engine, unit, &lines));
    }
    if let Some(file) = &args.json {
        common::write(Some(file), format!("{:#}\n", Value::Array(all.clone())).as_bytes())?;
    }
    if let Some(file) = &args.csv {
        common::write(Some(file), csv_of(&all).as_bytes())?;
    }
    let is_out = |file: &Option<PathBuf>| file.as_ref().is_some_and(|file| file.as_os_str() == "-");
    if !is_out(&args.json) && !is_out(&args.csv) {
        common::print(&text)?;
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// A row with its two probes.
type Measured = (&'static Inst, [Option<Result<Probe, Reason>>; 2]);

/// Why there are no rates of a translation.
const SAME: &str = "the device's compiler leaves out copies that compute the same";

/// Measures all rows on an engine; gives its name and what is measured, too.
fn measure(args: &Args, name: &Name, target: Target, rows: &[Measured]) -> Result<(Vec<Line>, String, &'static str)> {
    let bar = ProgressBar::new(rows.len() as u64);
    bar.set_style(ProgressStyle::with_template("{pos} of {len} rows  {wide_bar}  {eta}")?);
    let limits = Limits { threads: Some(1), ..Limits::default() };
    let translated = matches!(name, Name::Vulkan(_));
    let one = |row: &Measured, engine: &dyn Engine, meter: Meter| {
        let run = |case: &_| engine.run(case, target);
        let costs = row.1.each_ref().map(|probe| match probe {
            None => Err(Missing::Reason("there is no probe")),
            Some(Err(reason)) => Err(Missing::Reason(reason.text())),
            Some(Ok(probe)) if translated && probe.kind == Kind::Rate => Err(Missing::Reason(SAME)),
            Some(Ok(probe)) => match cost(probe, meter, &run) {
                Ok(cost) => Ok((cost, probe.partner())),
                Err(problem) => Err(Missing::Failed(problem.to_string())),
            },
        });
        bar.inc(1);
        Line { row: row.0, name: row.0.name_in(target.generation()), costs }
    };
    if *name == Name::Emu && !args.host {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..common::cores() {
                scope.spawn(|| {
                    let clocked = Clocked::new(limits.emulator(false));
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        let Some(row) = rows.get(n) else { break };
                        let line = one(row, &clocked, Meter::Clock);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((n, line));
                    }
                });
            }
        });
        bar.finish_and_clear();
        let mut lines = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        lines.sort_by_key(|(n, _)| *n);
        let lines = lines.into_iter().map(|(_, line)| line).collect();
        return Ok((lines, format!("emu ({})", Machine::of(target.arch).name), "clocks"));
    }
    let opened = Opened::open(name, &args.device, &limits, false)?;
    let engine = opened.engine();
    let meter = Meter::Time { runs: args.runs };
    let lines = rows.iter().map(|row| one(row, engine, meter)).collect();
    bar.finish_and_clear();
    let said = if args.host { "emu, this host".to_owned() } else { engine.name().to_owned() };
    Ok((lines, said, "ns"))
}

/// A number as it is shown: whole ones whole.
fn shown(each: f64) -> String {
    if (each - each.round()).abs() < 0.005 { format!("{each:.0}") } else { format!("{each:.2}") }
}

fn push_text(out: &mut String, args: &Args, target: Target, engine: &str, unit: &str, lines: &[Line]) {
    let paint = Paint::stdout();
    let machine = Machine::of(target.arch);
    let clocks = unit == "clocks";
    let of = |cost: &Found| match cost {
        Ok((cost, None)) => shown(cost.each),
        Ok((cost, Some(partner))) => format!("{} + {}", shown(cost.each), partner.name_in(target.generation())),
        Err(_) => "-".to_owned(),
    };
    let mut rows = Vec::new();
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for line in lines {
        for (what, why) in
            ["rate", "latency"].iter().zip(&line.costs).filter_map(|(k, cost)| Some((k, cost.as_ref().err()?)))
        {
            let text = format!("no {what}: {}", why.text());
            match reasons.iter_mut().find(|(known, _)| *known == text) {
                Some((_, names)) => names.push(line.name),
                None => reasons.push((text, vec![line.name])),
            }
        }
        if line.costs.iter().all(Result::is_err) {
            continue;
        }
        let goes = Unit::of(line.row);
        let from = goes.map_or(String::new(), |unit| {
            let figure = machine.figure(unit);
            match (figure.clocks_from.name(), figure.latency_from.name()) {
                (clocks, latency) if clocks == latency => clocks.to_owned(),
                (clocks, latency) => format!("{clocks}, {latency}"),
            }
        });
        let mut row =
            vec![line.name.to_owned(), of(&line.costs[0]), of(&line.costs[1]), goes.map_or("", Unit::name).to_owned()];
        row.extend(clocks.then_some(from));
        rows.push(row);
    }
    let _ = writeln!(out, "{} on {engine}, waves of {} lanes, in {unit}\n", target.arch.name, lanes(target));
    let heading = ["instruction", "rate", "latency", "unit", "figures from"];
    let heading = &heading[..if clocks { 5 } else { 4 }];
    out.push_str(&table(heading, 1..2, &rows, |line, _, cell| if line == 0 { paint.bold(&cell) } else { cell }));
    if !reasons.is_empty() {
        out.push('\n');
    }
    for (why, names) in reasons {
        let list = if args.all { format!(": {}", names.join(" ")) } else { String::new() };
        let _ = writeln!(out, "{:>5}  {why}{list}", names.len());
    }
    if !clocks && engine.starts_with("vulkan") {
        tell!(
            "note: these are the device's prices for the translation, not those of the instructions on AMD's hardware"
        );
    }
}

/// Lanes of a wave.
fn lanes(target: Target) -> u32 {
    if target.wave32() { 32 } else { 64 }
}

fn json_of(target: Target, engine: &str, unit: &str, lines: &[Line]) -> Value {
    let machine = Machine::of(target.arch);
    let of = |cost: &Found| match cost {
        Ok((cost, partner)) => json!({
            "each": cost.each, "least": cost.spread.0, "most": cost.spread.1,
            "with": partner.map(|row| row.name_in(target.generation())),
        }),
        Err(why) => json!({ "none": why.text(), "failed": matches!(why, Missing::Failed(_)) }),
    };
    let rows = lines.iter().map(|line| {
        let goes = Unit::of(line.row);
        json!({
            "instruction": line.name, "unit": goes.map(Unit::name),
            "rate_from": goes.filter(|_| unit == "clocks").map(|unit| machine.figure(unit).clocks_from.name()),
            "latency_from": goes.filter(|_| unit == "clocks").map(|unit| machine.figure(unit).latency_from.name()),
            "rate": of(&line.costs[0]), "latency": of(&line.costs[1]),
        })
    });
    json!({
        "arch": target.arch.name, "lanes": lanes(target), "engine": engine, "in": unit,
        "wavediff": env!("CARGO_PKG_VERSION"), "rows": rows.collect::<Vec<_>>(),
    })
}

/// A line for each row of each engine. No name has a comma in it; reasons stand in quotation marks.
fn csv_of(all: &[Value]) -> String {
    let mut out = "arch,lanes,engine,in,instruction,unit,rate,latency,with,why_not\n".to_owned();
    let quoted =
        |value: &Value| value.as_str().map_or(String::new(), |text| format!("\"{}\"", text.replace('"', "\"\"")));
    let number = |value: &Value| value.as_f64().map_or(String::new(), shown);
    for run in all {
        for row in run["rows"].as_array().into_iter().flatten() {
            let why = [&row["rate"]["none"], &row["latency"]["none"]].into_iter().find(|why| why.is_string());
            let cells = [
                quoted(&run["arch"]),
                run["lanes"].to_string(),
                quoted(&run["engine"]),
                quoted(&run["in"]),
                quoted(&row["instruction"]),
                quoted(&row["unit"]),
                number(&row["rate"]["each"]),
                number(&row["latency"]["each"]),
                quoted(&row["latency"]["with"]),
                why.map_or(String::new(), quoted),
            ];
            let _ = writeln!(out, "{}", cells.join(","));
        }
    }
    out
}
