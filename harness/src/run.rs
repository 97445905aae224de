//! `wavediff run`: a case, or a kernel of a code object, on an engine.

pub mod case;
pub mod kernel;
pub mod radv;
pub mod show;
pub mod source;

use crate::common::{self, AnyArch, usage};
use crate::engines::{self, Device, Name};
use crate::tell;
use anyhow::Result;
use kernel::Launch;
use std::process::ExitCode;
use std::time::Duration;
use wavediff::emu::engine::{Clocked, Emulator};
use wavediff::engine::Options;
use wavediff::engine::order::{Order, Turns, Waves};
use wavediff::timing::Report;

/// Run a case or a kernel
#[derive(clap::Args)]
#[command(
    about = "Run a case and check what it expects, or a kernel of a code object",
    after_help = "A case file says everything itself: processors, registers, memory, what is expected (docs/cases.md). It runs for all of its
processors, or for the one that --arch names. Of several files those run that are for it; --json prints a line for each.

A kernel takes its arguments in order, each as --arg:
  in:FILE             a buffer with the contents of a file, read-only
  out:FILE:BYTES      a buffer of zeroes, saved after the run
  inout:FILE:OUTFILE  a buffer with the contents of a file, saved after the run
  u32:V i32:V f32:V u64:V f64:V   a number; floats also by their bits (f32:0x3f800000)
  raw:HEX             bytes, for structures by value
  lds:BYTES           a pointer to so much local memory
All buffers together have at most 1 GiB.

A shader that RADV compiled (a shader object, a pipeline binary, the data of a pipeline cache; Mesa 25.0) takes its buffers by set and binding:
  --bind 0.1=in:FILE, out:FILE:BYTES, inout:FILE:OUTFILE or zero:BYTES; with dynamic: or texel:FORMAT: before that, what its name says
  --push u32:V, f32:V, raw:HEX, in:FILE or address:SET.BINDING    the push constants, one part behind the other
  --groups X,Y,Z                                                  how many groups
  --expect 0.1=FILE[,TYPE][,ulp(N)][,abs(X)][,nan_any]            what a buffer must hold at the end

Numbers must be of the kernel's types where its metadata says them: a float takes f32, an int u32 or i32; raw:HEX passes bits as they are.

Examples:
  wavediff run add.s
  wavediff run tests/cases/pass/*.s --arch gfx1100
  wavediff run add.s --show v0:f32,vcc
  wavediff run saxpy.co --grid 64 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:64 --show y:f32,v0
  wavediff run add.s --arch gfx1100 --json
  wavediff run add.s --arch gfx1100 --timing --html add.html
  wavediff run add.s --engine vulkan:llvmpipe
  wavediff run add.s --engine vulkan --isolate --timeout 5000
  wavediff run saxpy.co --kernel saxpy --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024
  wavediff run blur.object --abi radv --arch navi31 --bind 0.0=in:a.bin --bind 0.1=out:b.bin:4096 --push u32:64 --groups 16
  wavediff run sgemm.co --kernel sgemm --grid 256,256 --group 16,16 --arg out:c.bin:262144 --arg in:a.bin --arg in:b.bin --stats

Exit codes: 0 as expected, 1 a value differs, or the input has errors or needs what is missing, 2 the program trapped, or the command
line is wrong."
)]
pub struct Args {
    /// Cases (text), or a code object (ELF), or assembly with kernels (`.amdhsa_kernel`, with --grid)
    #[arg(required = true)]
    files: Vec<String>,
    /// The processor of a case [default: all that it is for]
    #[arg(long, value_parser = common::any_arch)]
    pub arch: Option<AnyArch>,
    /// What runs it: emu, or vulkan[:DEVICE]
    #[arg(long, value_parser = engines::name, default_value = "emu")]
    pub engine: Name,
    #[command(flatten)]
    pub device: Device,
    /// Run a case in a process of its own: a driver that crashes or hangs, or an engine that takes too much memory, is what came of the run
    #[arg(long)]
    pub isolate: bool,
    /// Print what came of it as JSON
    #[arg(long)]
    pub json: bool,
    /// Count instructions by family and measure the speed
    #[arg(long)]
    pub stats: bool,
    /// Say what it takes in clocks, by a model of the machine: in all, by wave and by instruction, and what each waited for. The emulator's alone
    #[arg(long, conflicts_with_all = ["isolate", "shuffle", "reverse_waves", "slice"])]
    pub timing: bool,
    /// Write the timeline of the waves as a page
    #[arg(long, value_name = "FILE", requires = "timing")]
    pub html: Option<String>,
    /// Show what is left in these places, as v0,s[4:5],vcc,lds; of a case its buffers, of a kernel its arguments by number or name; :TYPE says how
    #[arg(long, value_name = "PLACE[:TYPE]", value_delimiter = ',')]
    pub show: Vec<String>,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub reading: case::Reading,
    #[command(flatten)]
    pub launch: Launch,
    #[command(flatten)]
    pub shader: radv::Shader,
}

impl Args {
    /// The emulator under the clock, where that is asked for.
    fn clocked(&self) -> Option<Clocked> {
        let events = if self.html.is_some() || self.json { Report::EVENTS } else { 0 };
        self.timing.then(|| Clocked::new(self.limits.emulator(self.stats), events))
    }
}

/// Said of code objects.
pub const ISOLATED: &str = "--isolate is for cases; a code object runs in this process";

/// How to run.
#[derive(clap::Args, Debug, Default)]
pub struct Limits {
    /// Shuffle the order in which the waves of a group run on the emulator: for races
    #[arg(long, value_name = "SEED")]
    pub shuffle: Option<u64>,
    /// Let the lanes of stores and atomics on the emulator take turns from the highest down: for races
    #[arg(long)]
    pub reverse: bool,
    /// Let the waves of a group on the emulator take turns from the last to the first: for races
    #[arg(long)]
    pub reverse_waves: bool,
    /// Let the next wave of a group on the emulator come after so many instructions: for races
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub slice: Option<u64>,
    /// Threads that the emulator spreads the groups over [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// The most instructions of a wave
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// The most milliseconds of a run
    #[arg(long, value_name = "MS")]
    pub timeout: Option<u64>,
    /// The most memory of a run, as 512M or 4G: one that would need more is refused before it begins [default: half of what the machine has left]
    #[arg(long, value_name = "BYTES", value_parser = common::size)]
    pub memory: Option<u64>,
}

impl Limits {
    /// An emulator with these limits.
    pub fn emulator(&self, stats: bool) -> Emulator {
        Emulator {
            options: Options {
                threads: self.threads.map_or_else(common::cores, |n| n as usize),
                order: Order {
                    shuffle: self.shuffle,
                    waves: Waves { down: self.reverse_waves, slice: self.slice },
                    turns: Turns { down: self.reverse, last: None },
                },
                budget: self.budget,
                pause: None,
                timeout: self.timeout.map(Duration::from_millis),
                stats,
                memory: self.memory,
                ..Options::default()
            },
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.device.check([&args.engine])?;
    if args.timing && args.engine != Name::Emu {
        return usage(
            "--timing is the emulator's, which has a model of the machine; a card's clocks are not read here",
        );
    }
    let [file] = &args.files[..] else {
        if args.html.is_some() {
            return usage("--html draws one run: of several files each would write over the one before");
        }
        if args.launch.is_given() || args.shader.is_given() || args.shader.abi.is_some() {
            return usage("of several files only cases run; a kernel or a shader runs alone");
        }
        return case::run_all(args, &args.files);
    };
    let bytes = common::read(file)?;
    if args.shader.abi.is_some() {
        if args.isolate {
            return usage(ISOLATED);
        }
        if !args.show.is_empty() {
            return usage(
                "--show is for cases and kernels; what a shader leaves goes to files (--bind 0.1=out:FILE:BYTES)",
            );
        }
        let Launch { kernel, grid, group, arg, .. } = &args.launch;
        if kernel.is_some() || grid.is_some() || group.is_some() || !arg.is_empty() {
            return usage(
                "a shader takes --bind, --push and --groups; --kernel, --grid, --group and --arg are for code objects",
            );
        }
        return radv::run(args, file, &bytes);
    }
    if args.shader.is_given() {
        return usage("--bind, --push, --groups, --expect and --shader are for shaders: give --abi radv");
    }
    if let Some(object) = source::object(file, &bytes, args.launch.is_given(), args.reading)? {
        if args.arch.is_some() {
            return usage("a code object names its processor itself; --arch is for cases");
        }
        if args.isolate {
            return usage(ISOLATED);
        }
        return kernel::run(args, file, &object);
    }
    if args.launch.is_given() {
        return usage(kernel::no_object(file));
    }
    if source::has_kernel(&bytes) {
        tell!("note: `{file}` has kernels; run as a case here, launched with --grid, --group and --arg");
    }
    case::run(args, file, bytes)
}
