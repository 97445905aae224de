//! `trace`: cases of R600 and R700, each instruction with what it read and wrote.

use super::{machines, read};
use crate::common::{Paint, usage};
use crate::run::case::complain;
use crate::run::show::lane_rows;
use crate::tell;
use crate::terminal::clean;
use crate::trace::{Args, Format, lanes_of};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use wavediff::isa::r600::Machine;
use wavediff::isa::types::Ty;
use wavediff::r600::emu::trace::{Event, Part, Touched};
use wavediff::r600::emu::watched;
use wavediff::r600::print::{fetch_text, flow_text, group_text};
use wavediff::r600::{Body, Program};

/// The text of instructions, by their place.
struct Texts {
    machine: Machine,
    main: Program,
    fetch: Program,
}

impl Texts {
    fn of(&self, event: &Event) -> String {
        let program = if event.fetch { &self.fetch } else { &self.main };
        let mut text = String::new();
        let Some(flow) = program.flow.iter().find(|flow| flow.at == event.at) else { return text };
        let body = flow.clause.and_then(|n| program.clauses.get(n)).map(|clause| &clause.body);
        match (event.part, body) {
            (Part::Group(n), Some(Body::Alu(groups))) => {
                if let Some(group) = groups.get(n) {
                    group_text(self.machine, group, n as u32, &mut text);
                }
            }
            (Part::Fetch(n), Some(Body::Fetch(fetches))) => {
                if let Some(fetch) = fetches.get(n) {
                    fetch_text(fetch, &mut text);
                }
            }
            _ => flow_text(self.machine, &flow.inst, &mut text),
        }
        text.trim().to_owned()
    }
}

/// Traces a case.
pub fn run(args: &Args, bytes: &[u8]) -> Result<ExitCode> {
    if args.is_of_waves() {
        return usage(
            "--wave, --from, --to, --pc and --watch are for GCN and RDNA; --show-lanes and --format are for all",
        );
    }
    let Some(case) = read(&args.file, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
    let all = machines(&case, args.arch)?;
    let machine = *all.first().context("the case is for no machine")?;
    if all.len() > 1 && args.format == Format::Text {
        tell!("{}: on {}", args.file, machine.name());
    }
    let mut ready = match case.ready(machine) {
        Ok(ready) => ready,
        Err(error) => return complain(&error).map(|()| ExitCode::from(1)),
    };
    if let (Some(budget), None) = (args.limits.budget, case.budget) {
        ready.setup.budget = budget;
    }
    let decode = |words: &[u32]| Program::decode(machine, words);
    let texts = Texts { machine, main: decode(&ready.words), fetch: decode(&ready.setup.fetch) };
    let lanes = lanes_of(args);
    let mut out = BufWriter::new(io::stdout());
    let mut failed: Option<io::Error> = None;
    let mut see = |event: Event| {
        if failed.is_some() {
            return;
        }
        let text = match args.format {
            Format::Text => text(&event, &texts.of(&event), lanes),
            Format::Jsonl => format!("{}\n", as_json(&event, &texts.of(&event), lanes)),
        };
        failed = out.write_all(clean(&text).as_bytes()).err();
    };
    let came = watched(&ready.words, &ready.setup, &mut see);
    match failed {
        Some(error) => return Err(error.into()),
        None => out.flush()?,
    }
    Ok(match came {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            tell!("{}: {}: {error}", args.file, Paint::stderr().red("trap"));
            ExitCode::from(2)
        }
    })
}

/// The lanes of a mask.
fn shown(touched: &Touched, lanes: u64) -> Vec<(u32, u32)> {
    touched.lanes.iter().copied().filter(|(lane, _)| lanes >> (lane & 63) & 1 == 1).collect()
}

fn text(event: &Event, instruction: &str, lanes: u64) -> String {
    let mut out = String::new();
    let place = format!("{}{}", if event.fetch { "f" } else { "" }, event.at);
    let mut lines = instruction.lines();
    let first = lines.next().unwrap_or("");
    let _ = writeln!(out, "{:6}  {place:>4}  {first:56}  active {:#x}", event.number, event.active);
    for line in lines {
        let _ = writeln!(out, "              {}", line.trim());
    }
    for (mark, all) in [('<', &event.reads), ('>', &event.writes)] {
        for touched in all {
            let words = shown(touched, lanes);
            for run in words.chunk_by(|a, b| a.0 + 1 == b.0) {
                let bits: Vec<u64> = run.iter().map(|(_, word)| u64::from(*word)).collect();
                for (at, count, some) in lane_rows(&bits) {
                    let hex: Vec<String> = some.iter().map(|word| format!("{word:#010x}")).collect();
                    let typed: Vec<String> = some.iter().map(|word| Ty::F32.show(*word)).collect();
                    let (from, to) = (run[at].0, run[at].0 + count as u32 - 1);
                    let lanes = if from == to { format!("lane {from}") } else { format!("lanes {from}-{to}") };
                    let (hex, typed) = (hex.join(" "), typed.join(" "));
                    let _ = writeln!(out, "    {mark} {} = {hex}  {lanes}  f32 {typed}", touched.item);
                }
            }
        }
    }
    out
}

fn as_json(event: &Event, instruction: &str, lanes: u64) -> Value {
    let items = |all: &[Touched]| -> Vec<Value> {
        let words = |touched: &Touched| -> serde_json::Map<String, Value> {
            shown(touched, lanes).iter().map(|(lane, word)| (lane.to_string(), json!(format!("{word:#x}")))).collect()
        };
        all.iter().map(|touched| json!({"place": touched.item.to_string(), "lanes": words(touched)})).collect()
    };
    let part = match event.part {
        Part::Flow => json!(null),
        Part::Group(n) | Part::Fetch(n) => json!(n),
    };
    json!({
        "number": event.number, "at": event.at, "fetch": event.fetch, "part": part, "instruction": instruction,
        "active": format!("{:#x}", event.active), "valid": format!("{:#x}", event.valid),
        "reads": items(&event.reads), "writes": items(&event.writes),
    })
}
