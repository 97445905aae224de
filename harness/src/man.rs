//! `wavediff man`: manual pages, made from what `--help` says.

use crate::Cli;
use crate::common::{self, usage};
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print or write manual pages
#[derive(clap::Args)]
#[command(
    about = "Print a manual page, or write those of all commands",
    after_help = "Examples:
  wavediff man | man -l -
  wavediff man report merge | man -l -
  wavediff man -o ~/.local/share/man/man1

Exit codes: 0 all is well, 1 a page can not be written, 2 the command line is wrong."
)]
pub struct Args {
    /// The command [default: the program]
    command: Vec<String>,
    /// Write the pages of all commands into this folder, as wavediff.1, wavediff-asm.1 and so on
    #[arg(short, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut all = Vec::new();
    pages(Cli::command(), "wavediff", &mut all);
    if let Some(folder) = &args.output {
        std::fs::create_dir_all(folder).with_context(|| format!("{} can not be made", folder.display()))?;
        for (name, command) in all {
            let path = folder.join(format!("{name}.1"));
            common::write(Some(&path), &page(command)?)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let wanted =
        std::iter::once("wavediff").chain(args.command.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    let Some((_, command)) = all.into_iter().find(|(name, _)| *name == wanted) else {
        return usage(format!("there is no command `{}`; `wavediff --help` lists them", args.command.join(" ")));
    };
    common::write(None, &page(command)?)?;
    Ok(ExitCode::SUCCESS)
}

/// A command and its subcommands, each as a page of its own.
fn pages(command: Command, name: &str, all: &mut Vec<(String, Command)>) {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        pages(sub.clone(), &format!("{name}-{}", sub.get_name()), all);
    }
    all.push((name.to_owned(), command.display_name(name).bin_name(name.replace('-', " "))));
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
