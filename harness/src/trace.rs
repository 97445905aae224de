//! `wavediff trace`: each executed instruction with what it read and wrote.

use crate::common::{self, Paint};
use crate::run::show::lane_rows;
use crate::run::{self, Limits, kernel};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use wavediff::emu::engine::{Emulator, KernelError};
use wavediff::emu::run::{Drive, wave as bare};
use wavediff::emu::traced::record::{Event, Filter, Index, Item, Recorder};
use wavediff::emu::traced::wave as traced;
use wavediff::engine::{EngineError, Trap};
use wavediff::isa::Arch;

/// Trace a case or a kernel
#[derive(clap::Args)]
#[command(
    about = "Run a case or a kernel and print each executed instruction with what it read and wrote",
    after_help = "In text, `<` is what an instruction read and `>` what it wrote, with the new value; lanes that are off are not read. Memory is
compared only where all that can be written is at most 1 MiB. Without --wave it is the first wave; the others run as well.

Examples:
  wavediff trace add.s --arch gfx1100
  wavediff trace loop.s --arch gfx900 --from 100 --to 120 --lanes 0,3-5
  wavediff trace saxpy.co --kernel saxpy --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024 --wave 3:0
  wavediff trace add.s --arch gfx1100 --format jsonl | jq .writes

Exit codes: 0 the program ended, 1 the input has errors or needs what is missing, 2 the program trapped, or the command line is wrong."
)]
pub struct Args {
    /// A case (text), or a code object (ELF)
    file: String,
    /// The processor of a case [default: the first that it is for]
    #[arg(long, value_parser = common::arch)]
    arch: Option<&'static Arch>,
    /// Which wave: GROUP:WAVE or just its number in the first group; GROUP is X[,Y,Z]; or `all`
    #[arg(long, value_name = "WAVE", value_parser = wave, default_value = "0")]
    wave: Which,
    /// Only these lanes of vector registers, as 0,3-5
    #[arg(long, value_name = "LANES", value_parser = lanes)]
    lanes: Option<Lanes>,
    /// The first instruction of the wave, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// The last instruction of the wave
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    to: u64,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    launch: kernel::Launch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Jsonl,
}

/// One wave, or all.
#[derive(Clone, Copy, Debug)]
pub struct Which(pub Option<([u32; 3], u32)>);

/// Reads `--wave`.
pub fn wave(text: &str) -> Result<Which, String> {
    if text == "all" {
        return Ok(Which(None));
    }
    let bad = || "`all`, a number, or GROUP:WAVE, as 3:0 or 1,2,0:1".to_owned();
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| bad());
    let (group, wave) = text.split_once(':').unwrap_or(("0", text));
    let mut id = [0; 3];
    let parts: Vec<&str> = group.split(',').collect();
    if parts.len() > 3 {
        return Err(bad());
    }
    for (to, part) in id.iter_mut().zip(parts) {
        *to = number(part)?;
    }
    Ok(Which(Some((id, number(wave)?))))
}

/// What is said of a wave that was named and is not there.
pub fn no_wave<T>(([x, y, z], number): ([u32; 3], u32)) -> Result<T> {
    common::usage(format!("there is no wave {x},{y},{z}:{number}"))
}

/// Lanes as a mask.
#[derive(Clone, Copy, Debug)]
struct Lanes(u64);

fn lanes(text: &str) -> Result<Lanes, String> {
    let mut mask = 0;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n < 64);
        let bad = || "lanes from 0 to 63, as 0,3-5".to_owned();
        let (first, last) = (number(first).ok_or_else(bad)?, number(last).ok_or_else(bad)?);
        if first > last {
            return Err(bad());
        }
        mask |= (u64::MAX >> (63 - (last - first))) << first;
    }
    Ok(Lanes(mask))
}

/// Where events go; the first error ends the trace, not the run.
struct Sink {
    out: BufWriter<io::Stdout>,
    failed: Option<io::Error>,
    format: Format,
    lanes: u64,
}

impl Sink {
    fn put(&mut self, event: &Event) {
        if self.failed.is_some() {
            return;
        }
        let text = match self.format {
            Format::Text => text(event, self.lanes),
            Format::Jsonl => format!("{}\n", json(event, self.lanes)),
        };
        self.failed = self.out.write_all(text.as_bytes()).err();
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let bytes = common::read(&args.file)?;
    let emulator = args.limits.emulator(false);
    let filter = Filter { wave: args.wave.0, from: args.from, to: args.to };
    let sink = Mutex::new(Sink {
        out: BufWriter::new(io::stdout()),
        failed: None,
        format: args.format,
        lanes: args.lanes.map_or(u64::MAX, |lanes| lanes.0),
    });
    let met = AtomicBool::new(false);
    let make = |_| -> Box<Drive<'_>> {
        Box::new(|wave, group, limits| {
            if filter.wave == Some((group.id, wave.index)) {
                met.store(true, Ordering::Relaxed);
            }
            // One wave at a time has the word; while it writes, the others wait.
            let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
            if sink.failed.is_some() || !filter.wants(group.id, wave.index) {
                drop(sink);
                return bare(wave, group, limits);
            }
            let mut put = |event: Event| sink.put(&event);
            traced(wave, group, limits, &mut Recorder::new(filter, &mut put));
        })
    };
    let trap = if bytes.starts_with(b"\x7fELF") {
        a_kernel(args, &emulator, &bytes, &make)
    } else {
        a_case(args, &emulator, bytes, &make)
    };
    let mut sink = sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    match sink.failed {
        Some(error) => return Err(error.into()),
        None => sink.out.flush()?,
    }
    let trap = trap?;
    if let (false, Ended::Well, Some(wave)) = (met.into_inner(), &trap, filter.wave) {
        return no_wave(wave);
    }
    match trap {
        Ended::Well => Ok(ExitCode::SUCCESS),
        Ended::Refused => Ok(ExitCode::from(1)),
        Ended::Trap(trap) => {
            eprintln!("{}: {}: {trap}", args.file, Paint::stderr().red("trap"));
            Ok(ExitCode::from(2))
        }
    }
}

/// How a run came to its end.
enum Ended {
    Well,
    /// The case has errors, which have been shown.
    Refused,
    Trap(Trap),
}

impl From<Option<Trap>> for Ended {
    fn from(trap: Option<Trap>) -> Ended {
        trap.map_or(Ended::Well, Ended::Trap)
    }
}

type Make<'a> = wavediff::emu::engine::Loop<'a>;

fn a_case(args: &Args, emulator: &Emulator, bytes: Vec<u8>, make: &Make<'_>) -> Result<Ended> {
    if args.launch.is_given() {
        return common::usage(format!(
            "`{}` is no code object; --kernel, --grid, --group and --arg are for those",
            args.file
        ));
    }
    let Some(case) = run::case::read(&args.file, bytes)? else { return Ok(Ended::Refused) };
    let targets = run::case::targets(&case, args.arch)?;
    let target = *targets.first().context("the case is for no processor")?;
    if targets.len() > 1 && args.format == Format::Text {
        eprintln!("{}: on {}", args.file, run::case::target_name(target));
    }
    match emulator.run_case(&case, target, Some(make)) {
        Ok(outcome) => Ok(outcome.trap.into()),
        Err(EngineError::Case(error)) => run::case::complain(&error).map(|()| Ended::Refused),
        Err(error) => bail!("{error}"),
    }
}

fn a_kernel(args: &Args, emulator: &Emulator, bytes: &[u8], make: &Make<'_>) -> Result<Ended> {
    let (loaded, mut dispatch) = kernel::prepare(&args.launch, &args.file, bytes, emulator.options.threads)?;
    match emulator.run_kernel(&loaded, &mut dispatch, Some(make)) {
        Ok(outcome) => Ok(outcome.trap.into()),
        Err(KernelError::Engine(error)) => bail!("{error}"),
        Err(error) => Err(error.into()),
    }
}

fn shown(item: &Item, lanes: u64) -> impl Iterator<Item = (u64, u32)> + '_ {
    item.values.iter().copied().filter(move |(n, _)| item.index != Index::Lane || lanes >> (n & 63) & 1 == 1)
}

fn text(event: &Event, lanes: u64) -> String {
    let mut out = String::new();
    let [x, y, z] = event.group;
    let _ = writeln!(
        out,
        "({x},{y},{z}):{} {:6}  {:06x}  {:48}  exec {:#x}",
        event.wave, event.number, event.pc, event.instruction, event.exec
    );
    for (mark, items) in [('<', &event.reads), ('>', &event.writes)] {
        for item in items {
            line(&mut out, mark, item, lanes);
        }
    }
    if let Some(trap) = &event.trap {
        let _ = writeln!(out, "    ! {trap}");
    }
    out
}

/// Values that are equal or stand side by side share a line.
pub fn line(out: &mut String, mark: char, item: &Item, lanes: u64) {
    let values: Vec<(u64, u32)> = shown(item, lanes).collect();
    let step = if item.index == Index::Byte { 4 } else { 1 };
    match item.index {
        Index::Word => {
            let words: Vec<String> = values.iter().map(|(_, v)| format!("{v:#010x}")).collect();
            let _ = writeln!(out, "    {mark} {} = {}", item.place, words.join(" "));
        }
        Index::Lane | Index::Byte => {
            let what = if item.index == Index::Lane { "lane" } else { "byte" };
            for side_by_side in values.chunk_by(|a, b| b.0 == a.0 + step) {
                let bits: Vec<u64> = side_by_side.iter().map(|(_, v)| u64::from(*v)).collect();
                for (at, count, some) in lane_rows(&bits) {
                    let first = side_by_side[at].0;
                    let last = first + (count as u64 - 1) * step;
                    let words: Vec<String> = some.iter().map(|v| format!("{v:#010x}")).collect();
                    let numbers =
                        if first == last { format!("{what} {first}") } else { format!("{what}s {first}-{last}") };
                    let _ = writeln!(out, "    {mark} {} = {}  {numbers}", item.place, words.join(" "));
                }
            }
        }
    }
}

/// What was read or written, for programs.
pub fn item_json(item: &Item) -> Value {
    some_json(item, u64::MAX)
}

fn some_json(item: &Item, lanes: u64) -> Value {
    let index = match item.index {
        Index::Lane => "lane",
        Index::Word => "word",
        Index::Byte => "byte",
    };
    let values: Vec<Value> = shown(item, lanes).map(|(n, v)| json!([n, format!("{v:#010x}")])).collect();
    json!({"place": item.place, "index": index, "values": values})
}

fn json(event: &Event, lanes: u64) -> Value {
    let items = |items: &[Item]| -> Value { items.iter().map(|item| some_json(item, lanes)).collect() };
    let mut all = json!({
        "group": event.group, "wave": event.wave, "number": event.number, "pc": event.pc,
        "instruction": event.instruction, "exec": format!("{:#x}", event.exec),
        "reads": items(&event.reads), "writes": items(&event.writes),
    });
    if let Some(trap) = &event.trap {
        all["trap"] = json!(trap.to_string());
    }
    all
}
