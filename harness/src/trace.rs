//! `wavediff trace`: each executed instruction with what it read and wrote, and where it touched memory.

mod clock;
pub mod select;
pub mod text;

use crate::common::{self, AnyArch, Paint};
use crate::r600;
use crate::run::{self, Limits, kernel};
use crate::tell;
use crate::terminal::clean;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use clock::Clocks;
use select::{Bound, Gate, Lanes, Watched};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use wavediff::case::Case;
use wavediff::emu::engine::{Clocked, Emulator};
use wavediff::emu::group::{Drive, wave as bare};
use wavediff::emu::traced::record::{Event, Filter, Recorder};
use wavediff::emu::traced::wave as traced;
use wavediff::engine::stage::kernel::{program, run_kernel};
use wavediff::engine::{Engine, EngineError, Trap};
use wavediff::engine::{Keep, KernelError};
use wavediff::isa::Target;
use wavediff::launch::{Dispatch, Loaded};

pub use select::{Which, no_wave, wave};
pub use text::{item_json, items};

/// Trace a case or a kernel
#[derive(clap::Args)]
#[command(
    about = "Run a case or a kernel and print each executed instruction with what it read and wrote",
    after_help = "In text, `<` is what an instruction read, `>` what it wrote, with the new value, and `@` where it went in memory; lanes that are off do
not count. Values stand in hex and, where the instruction has one, in their type. Destinations are shown also if their value stayed. Memory is
compared only where all that can be written is at most 1 MiB. Without --wave it is the first wave; the others run as well.

With --timing each step has its clocks, by the model that `wavediff run --timing` runs on: when it was issued, when it started if it went through a queue,
when its result was there, and what it waited for.

Of the steps of a wave those are shown that pass all of --from, --to, --pc and --watch. A label is where the wave first comes to it.

Examples:
  wavediff trace add.s --arch gfx1100
  wavediff trace loop.s --arch gfx900 --from 100 --to 120 --show-lanes 0,3-5
  wavediff trace loop.s --from loop --to done                 between two labels
  wavediff trace loop.s --watch v3,vcc                        what reads or writes these registers
  wavediff trace loop.s --arch gfx1100 --timing
  wavediff trace loop.s --watch out                           what goes to a buffer (arg1 of a kernel)
  wavediff trace loop.s --pc 0x1c,loop-0x40                   instructions that stand there
  wavediff trace saxpy.co --kernel saxpy --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024 --wave 3:0
  wavediff trace add.s --arch gfx1100 --format jsonl | jq .writes

Exit codes: 0 the program ended, 1 the input has errors or needs what is missing, 2 the program trapped, or the command line is wrong."
)]
pub struct Args {
    /// A case (text), a code object (ELF), or assembly with kernels (`.amdhsa_kernel`, with --grid)
    pub file: String,
    /// The processor of a case [default: the first that it is for]
    #[arg(long, value_parser = common::any_arch)]
    pub arch: Option<AnyArch>,
    /// Which wave: GROUP:WAVE or just its number in the first group; GROUP is X[,Y,Z]; or `all`
    #[arg(long, value_name = "WAVE", value_parser = wave, default_value = "0")]
    wave: Which,
    /// Show only these lanes of vector registers and addresses, as 0,3-5
    #[arg(long, value_name = "LANES", value_parser = select::lanes)]
    show_lanes: Option<Lanes>,
    #[arg(long, hide = true, value_parser = select::not_lanes)]
    lanes: Option<String>,
    /// The first instruction of the wave: counted from 0, or a label
    #[arg(long, value_name = "N|LABEL", value_parser = select::bound, default_value = "0")]
    from: Bound,
    /// The last instruction of the wave: its number, or a label
    #[arg(long, value_name = "N|LABEL", value_parser = select::bound)]
    to: Option<Bound>,
    /// Only instructions that stand at these places: addresses as the trace prints them, labels, ranges of them
    #[arg(long, value_name = "PLACES", value_delimiter = ',')]
    pc: Vec<String>,
    /// Only instructions that read or write one of these registers or buffers, as v3,s[4:5],vcc,lds
    #[arg(long, value_name = "PLACES", value_delimiter = ',')]
    watch: Vec<String>,
    /// Say when each step was issued and started, and what it waited for
    #[arg(long)]
    timing: bool,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub reading: run::case::Reading,
    #[command(flatten)]
    launch: kernel::Launch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Jsonl,
}

/// Where events go; the first error ends the trace, not the run.
struct Sink {
    out: BufWriter<io::Stdout>,
    failed: Option<io::Error>,
    format: Format,
    lanes: u64,
    watched: Watched,
    clocks: Clocks,
    count: u64,
}

impl Sink {
    fn put(&mut self, event: &Event) {
        if self.failed.is_some() || !self.watched.wants(event) {
            return;
        }
        self.count += 1;
        let clocks = self.clocks.of(event);
        let text = match self.format {
            Format::Text => text::text(event, self.lanes, clocks.map(clock::text).as_deref()),
            Format::Jsonl => {
                let mut all = text::json(event, self.lanes);
                if let Some(clocks) = clocks {
                    all["timing"] = clock::json(clocks);
                }
                format!("{all}\n")
            }
        };
        self.failed = self.out.write_all(clean(&text).as_bytes()).err();
    }
}

/// Labels with their places, in bytes from the start of the text.
type Labels = Vec<(String, u64)>;

/// What is run.
enum Subject {
    Case(Box<Case>, Target),
    Kernel(Box<(Loaded, Dispatch)>),
}

impl Subject {
    /// Reads it. Nothing: a case has errors, and they have been shown.
    fn read(args: &Args, bytes: Vec<u8>, emulator: &Emulator) -> Result<Option<Subject>> {
        if let Some(object) = run::source::object(&args.file, &bytes, args.launch.is_given(), args.reading)? {
            let ready = kernel::prepare(&args.launch, &args.file, &object, emulator.options.threads)?;
            return Ok(Some(Subject::Kernel(Box::new(ready))));
        }
        if args.launch.is_given() {
            return common::usage(kernel::no_object(&args.file));
        }
        let Some(case) = run::case::read(&args.file, bytes, args.reading)? else { return Ok(None) };
        let targets = run::case::targets(&case, args.arch)?;
        let target = *targets.first().context("the case is for no processor")?;
        if targets.len() > 1 && args.format == Format::Text {
            tell!("{}: on {}", args.file, run::case::target_name(target));
        }
        Ok(Some(Subject::Case(Box::new(case), target)))
    }

    /// Its labels, in bytes from the start of the text, and the names of its memory. A case that does not assemble has none.
    fn names(&self) -> Result<(Labels, Vec<String>)> {
        match self {
            Subject::Case(case, target) => {
                let labels = case.program(*target).map_or_else(|_| Vec::new(), |program| program.labels);
                let buffers = case.buffers.iter().map(|buffer| buffer.name.clone());
                Ok((labels, buffers.chain(["scratch".to_owned(), "code".to_owned()]).collect()))
            }
            Subject::Kernel(ready) => {
                let (loaded, dispatch) = &**ready;
                let start = program(loaded, dispatch.kernel())?.address_of(0);
                let inside = |(name, at): &(String, u64)| Some((name.clone(), at.checked_sub(start)?));
                let mappings = loaded.mappings().iter().chain(dispatch.mappings());
                Ok((loaded.labels().iter().filter_map(inside).collect(), mappings.map(|m| m.name.clone()).collect()))
            }
        }
    }

    /// What it takes in clocks. What goes wrong is told when it is traced.
    fn clocks(&self, emulator: &Emulator) -> Clocks {
        let clocked = Clocked::new(*emulator, clock::MOST);
        match self {
            Subject::Case(case, target) => _ = Engine::run(&clocked, case, *target),
            Subject::Kernel(ready) => {
                let (loaded, dispatch) = &**ready;
                _ = run_kernel(&clocked, &emulator.options, loaded, &mut dispatch.clone());
            }
        }
        clocked.took().map_or_else(Clocks::default, |took| Clocks::of_run(&took.report))
    }

    fn run(self, emulator: &Emulator, make: &Make<'_>) -> Result<Ended> {
        match self {
            Subject::Case(case, target) => match emulator.run_case(&case, target, Some(make)) {
                Ok(outcome) => Ok(outcome.trap.into()),
                Err(EngineError::Case(error)) => run::case::complain(&error).map(|()| Ended::Refused),
                Err(error) => bail!("{error}"),
            },
            Subject::Kernel(mut ready) => match emulator.run_kernel(&ready.0, &mut ready.1, Some(make)) {
                Ok(outcome) => Ok(outcome.trap.into()),
                Err(KernelError::Engine(error)) => bail!("{error}"),
                Err(error) => Err(error.into()),
            },
        }
    }
}

impl Args {
    /// Whether something is asked for that waves alone have.
    pub fn is_of_waves(&self) -> bool {
        let from = !matches!(self.from, Bound::Number(0)) || self.to.is_some();
        from || !self.pc.is_empty() || !self.watch.is_empty() || self.launch.is_given()
    }
}

/// The lanes that are shown.
pub fn lanes_of(args: &Args) -> u64 {
    args.show_lanes.map_or(u64::MAX, |lanes| lanes.0)
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let bytes = common::read(&args.file)?;
    if r600::is_case(&bytes) {
        return r600::trace::run(args, &bytes);
    }
    let mut emulator = args.limits.emulator(false);
    emulator.options.keep = Keep::Observed;
    let Some(subject) = Subject::read(args, bytes, &emulator)? else { return Ok(ExitCode::from(1)) };
    let clocks = if args.timing { subject.clocks(&emulator) } else { Clocks::default() };
    let (labels, memory) = subject.names()?;
    let (gate, numbers) = Gate::new(&args.from, args.to.as_ref(), &labels)?;
    let places = select::places(&args.pc, &labels)?;
    let filter = Filter { wave: args.wave.0, from: *numbers.start(), to: *numbers.end(), places };
    let sink = Mutex::new(Sink {
        out: BufWriter::new(io::stdout()),
        failed: None,
        format: args.format,
        lanes: lanes_of(args),
        watched: Watched::new(&args.watch, &memory)?,
        clocks,
        count: 0,
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
            let recorder = Recorder::new(filter.clone(), &mut put);
            gate.through((group.id, wave.index), recorder, |watch| traced(wave, group, limits, watch));
        })
    };
    let ended = subject.run(&emulator, &make);
    let mut sink = sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    match sink.failed {
        Some(error) => return Err(error.into()),
        None => sink.out.flush()?,
    }
    let ended = ended?;
    if let (false, Ended::Well, Some(wave)) = (met.into_inner(), &ended, filter.wave) {
        return no_wave(wave);
    }
    match ended {
        Ended::Well => {
            select::said(sink.count, &args.file);
            Ok(ExitCode::SUCCESS)
        }
        Ended::Refused => Ok(ExitCode::from(1)),
        Ended::Trap(trap) => {
            tell!("{}: {}: {trap}", args.file, Paint::stderr().red("trap"));
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
