//! `wavediff bench`: what each instruction costs on an engine, and memory, the local data share and branches.
//!
//! Programs and slopes are the library's ([`wavediff::timing::bench`]). On the emulator the clock is that of the model of the machine, so that the table is
//! the model's, found from outside; with `--host` it is what an instruction costs the host. Of a Vulkan device it is the time that its
//! translation takes.
//!
//! - `measure`: the runs;
//! - `text`, `data`, `html`: their tables, for people, for programs, and as a page;
//! - `compare`: beside those of an earlier run.

pub mod compare;
mod data;
mod html;
mod measure;
#[cfg(test)]
mod tests;
mod text;

use crate::common::{self, usage};
use crate::engines::{self, Device, Name};
use anyhow::Result;
use clap::ValueEnum;
use measure::{How, Missing};
use regex::Regex;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;
use wavediff::isa::row::{Family, Inst};
use wavediff::isa::{Arch, Target};
use wavediff::timing::probe::pattern::{Group, Pattern, patterns};
use wavediff::timing::probe::{Kind, probes};

/// Measure what instructions cost
#[derive(clap::Args)]
#[command(
    about = "Measure what instructions cost: each of the ALUs, memory by size, width and order of addresses, the local data share, branches",
    after_help = "An instruction is measured by machine code that no compiler touches: copies that do not wait for each other (rate), and copies each of
which waits for the one before (latency); of several numbers of copies the slope counts. A latency with `+ NAME` is that of a chain through another
instruction, and of both together. What cannot be measured in this way is counted with the reason; --all lists it.

  --engines emu           clocks of the model of the machine; the table says where each figure comes from
  --engines emu --host    nanoseconds of this host
  --engines vulkan        nanoseconds of the device, which executes a translation: its price, not that of the instruction on AMD's hardware.
                          Latencies alone: of copies that compute the same its compiler leaves one

A load that follows a list (latency) walks through so many bytes of memory; other patterns repeat one instruction whose lanes are so far apart.
A card is not measured yet: what runs there may not read the clock.

Examples:
  wavediff bench --arch gfx1100
  wavediff bench vector --arch navi31 --filter 'f64|rcp'
  wavediff bench memory lds --arch gfx1100
  wavediff bench --arch gfx900 --csv gfx900.csv --json gfx900.json --html gfx900.html
  wavediff bench --arch gfx900 --compare gfx900.json --within 5
  wavediff bench scalar --arch gfx1200 --engines emu --host
  wavediff bench --arch gfx1100 --engines emu,vulkan:llvmpipe --filter '^v_(add|fma)_f32'

Exit codes: 0 all are measured that can be, 1 a run failed or a cost is not as recorded, 2 the command line is wrong."
)]
pub struct Args {
    /// What to measure [default: all]
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
    /// Only rows and patterns whose name this regular expression finds
    #[arg(long, value_name = "REGEX")]
    filter: Option<Regex>,
    /// On the emulator, what they cost the host
    #[arg(long)]
    host: bool,
    /// Repetitions of each program where time is measured; the least counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// List what is not measured too, and with --compare what is as recorded
    #[arg(long)]
    all: bool,
    /// Write the results as JSON; - is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results as CSV; - is the standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the results as a page; - is the standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Set the results beside those that --json wrote before
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// How far from what was recorded a cost may be, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, requires = "compare")]
    within: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Scalar and vector instructions.
    Alu,
    /// Scalar ones.
    Scalar,
    /// Vector ones.
    Vector,
    /// Loads, stores and atomics of memory.
    Memory,
    /// The local data share.
    Lds,
    /// Branches.
    Branch,
}

impl What {
    fn has(self, row: &Inst) -> bool {
        let scalar = matches!(row.family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc);
        match self {
            What::Alu => true,
            What::Scalar => scalar,
            What::Vector => !scalar,
            What::Memory | What::Lds | What::Branch => false,
        }
    }

    fn has_pattern(self, pattern: &Pattern) -> bool {
        match self {
            What::Alu | What::Scalar | What::Vector => false,
            What::Memory => pattern.group == Group::Memory,
            What::Lds => pattern.group == Group::Lds,
            What::Branch => pattern.group == Group::Branch,
        }
    }
}

/// Shows all runs in a file.
type Show = fn(&Value) -> String;

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
    let recorded = args.compare.as_deref().map(compare::read).transpose()?;
    let is_found = |name: &str| args.filter.as_ref().is_none_or(|filter| filter.is_match(name));
    let is_chosen = |has: &dyn Fn(What) -> bool| args.what.is_empty() || args.what.iter().any(|what| has(*what));
    let chosen = |row: &Inst| is_chosen(&|what| what.has(row)) && is_found(row.name_in(target.generation()));
    let rows = rows_of(target, chosen);
    let mut patterns = patterns(target);
    patterns.retain(|pattern| is_chosen(&|what| what.has_pattern(pattern)) && is_found(&pattern.name));
    if rows.is_empty() && patterns.is_empty() {
        return usage("no instruction is chosen: see --filter, and `wavediff isa`");
    }
    let how = How { device: &args.device, host: args.host, runs: args.runs };
    let mut failed = false;
    let mut text = String::new();
    let mut all = Vec::new();
    for name in &args.engines {
        let run = measure::measure(&how, name, target, &rows, &patterns)?;
        failed |= run.costs().any(|cost| matches!(cost, Err(Missing::Failed(_))));
        let measured = data::json(&run);
        match &recorded {
            Some(recorded) => failed |= !compare::push(&mut text, &measured, recorded, args.within, args.all)?,
            None => text::push(&mut text, &run, args.all),
        }
        all.push(measured);
    }
    let all = Value::Array(all);
    let files: [(&Option<PathBuf>, Show); 3] =
        [(&args.json, |all| format!("{all:#}\n")), (&args.csv, data::csv), (&args.html, html::page)];
    let mut is_out = false;
    for (file, text) in files.iter().filter_map(|(file, text)| Some((file.as_ref()?, text))) {
        common::write(Some(file), text(&all).as_bytes())?;
        is_out |= file.as_os_str() == "-";
    }
    if !is_out {
        common::print(&text)?;
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// The rows of a target that are wanted, with their probes.
fn rows_of(target: Target, wanted: impl Fn(&Inst) -> bool) -> Vec<measure::Row> {
    let mut rows: Vec<measure::Row> = Vec::new();
    for (row, kind, probe) in probes(target).filter(|(row, ..)| wanted(row)) {
        match (kind, rows.last_mut()) {
            (Kind::Latency, Some((of, [_, latency]))) if std::ptr::eq(*of, row) => *latency = Some(probe),
            _ => rows.push((row, [Some(probe), None])),
        }
    }
    rows
}

/// What instructions and patterns cost by the clock of the model, those whose names are wanted, as `--json` writes it.
pub fn clocks(target: Target, wanted: impl Fn(&str) -> bool) -> Result<Value> {
    let rows = rows_of(target, |row| wanted(row.name_in(target.generation())));
    let mut patterns = patterns(target);
    patterns.retain(|pattern| wanted(&pattern.name));
    let how = How { device: &Device::default(), host: false, runs: 1 };
    Ok(data::json(&measure::measure(&how, &Name::Emu, target, &rows, &patterns)?))
}
