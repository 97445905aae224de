//! `wavediff completions`: what a shell needs to complete command lines.

use crate::Cli;
use crate::common;
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print completions for a shell
#[derive(clap::Args)]
#[command(
    about = "Print a script that teaches a shell to complete wavediff's command lines",
    after_help = "Examples:
  wavediff completions bash > ~/.local/share/bash-completion/completions/wavediff
  wavediff completions zsh > ~/.zfunc/_wavediff
  wavediff completions fish > ~/.config/fish/completions/wavediff.fish

Exit codes: 0 all is well, 2 the command line is wrong."
)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wavediff", &mut script);
    common::write(None, &script)?;
    Ok(ExitCode::SUCCESS)
}
