//! The program `wavediff`: one file a subcommand.
//!
//! Exit codes: 0 all is well, 1 the input has errors, a value differs or a law fails, 2 a program trapped or the command line is wrong,
//! 3 nothing was compared.

// Text goes through `terminal`, which lets no control sequence through.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod asm;
mod bench;
mod bisect;
mod common;
mod completions;
mod conform;
mod coverage;
mod devices;
mod diff;
mod disasm;
mod elf;
mod engines;
mod expect;
mod explain;
mod files;
mod fuzz;
mod golden;
#[cfg(target_os = "linux")]
mod gpu;
mod input;
mod isa;
mod isolated;
mod journal;
mod lines;
mod man;
mod options;
mod ordered;
mod r600;
mod recording;
mod reduce;
mod report;
mod run;
mod scan;
mod shard;
mod sweep;
mod terminal;
mod timing;
mod trace;
mod translate;
mod verify;
mod worker;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "wavediff",
    version,
    about = "Assembler, disassembler, emulator and reference for AMD GPU machine code, gfx6 to gfx12",
    after_help = "Examples:
  wavediff asm --arch gfx1100 kernel.s -o kernel.bin
  wavediff disasm --arch gfx1100 kernel.bin
  echo 'v_add_f32 v0, v1, v2' | wavediff asm --arch gfx900 --lines
  wavediff run case.s
  wavediff diff case.s --engines emu,vulkan
  wavediff bisect case.s --engines emu,vulkan
  wavediff reduce case.s --engines emu,vulkan -o small.s
  wavediff run saxpy.co --kernel saxpy --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024

Exit codes: 0 all is well, 1 the input has errors, a value differs or a law fails, 2 a program trapped or the command line is wrong,
3 nothing was compared.
`wavediff COMMAND --help` has more examples.",
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Asm(asm::Args),
    Bench(bench::Args),
    Bisect(bisect::Args),
    Completions(completions::Args),
    Conform(conform::Args),
    Devices(devices::Args),
    Diff(diff::Args),
    Disasm(disasm::Args),
    Explain(explain::Args),
    Fuzz(fuzz::Args),
    Golden(golden::Args),
    #[cfg(target_os = "linux")]
    Gpu(gpu::Args),
    Isa(isa::Args),
    Man(man::Args),
    Reduce(reduce::Args),
    Report(report::Args),
    Run(run::Args),
    Scan(scan::Args),
    Sweep(sweep::Args),
    Trace(trace::Args),
    Translate(translate::Args),
    Verify(verify::Args),
    #[command(hide = true)]
    Worker(worker::Args),
}

fn main() -> ExitCode {
    let args = match options::expand(std::env::args_os()) {
        Ok(args) => args,
        Err(error) => return common::report(&error),
    };
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let result = match &cli.command {
        Command::Asm(args) => asm::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Bisect(args) => bisect::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Conform(args) => conform::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Disasm(args) => disasm::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Golden(args) => golden::run(args),
        #[cfg(target_os = "linux")]
        Command::Gpu(args) => gpu::run(args),
        Command::Isa(args) => isa::run(args),
        Command::Man(args) => man::run(args),
        Command::Reduce(args) => reduce::run(args),
        Command::Report(args) => report::run(args),
        Command::Run(args) => run::run(args),
        Command::Scan(args) => scan::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Translate(args) => translate::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Worker(args) => worker::run(args),
    };
    result.unwrap_or_else(|error| common::report(&error))
}

/// Shows help, or what is wrong with the command line: words of it stand in there, which may come from anywhere.
fn refuse(error: &clap::Error) -> ExitCode {
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || error.kind() == help {
        error.exit();
    }
    let text = error.to_string();
    let text = text.trim_end();
    tell!("{}:{}", common::Paint::stderr().red("error"), text.strip_prefix("error:").unwrap_or(text));
    ExitCode::from(2)
}
