//! The program `wavediff`: one file a subcommand.
//!
//! Exit codes: 0 all is well, 1 the input has errors or a law fails, 2 the command line is wrong.

mod asm;
mod common;
mod disasm;
mod elf;
mod explain;
mod golden;
mod isa;
mod lines;
mod run;
mod sweep;
mod trace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "wavediff",
    version,
    about = "Assembler, disassembler and reference for AMD GPU machine code, gfx6 to gfx12",
    after_help = "Examples:
  wavediff asm --arch gfx1100 kernel.s -o kernel.bin
  wavediff disasm --arch gfx1100 kernel.bin
  echo 'v_add_f32 v0, v1, v2' | wavediff asm --arch gfx900 --lines

Exit codes: 0 all is well, 1 the input has errors or a law fails, 2 the command line is wrong.
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
    Disasm(disasm::Args),
    Explain(explain::Args),
    Golden(golden::Args),
    Isa(isa::Args),
    Run(run::Args),
    Sweep(sweep::Args),
    Trace(trace::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Asm(args) => asm::run(args),
        Command::Disasm(args) => disasm::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Golden(args) => golden::run(args),
        Command::Isa(args) => isa::run(args),
        Command::Run(args) => run::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Trace(args) => trace::run(args),
    };
    result.unwrap_or_else(|error| common::report(&error))
}
