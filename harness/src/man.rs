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
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (options, subcommands) = (command.get_arguments().count() > 0, command.get_subcommands().count() > 0);
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if options {
        man.render_options_section(&mut page)?;
    }
    if subcommands {
        man.render_subcommands_section(&mut page)?;
    }
    page.extend(sections(&notes).into_bytes());
    Ok(page)
}

/// What stands behind the options in `--help`, as sections: text is filled, what is set in keeps its lines.
fn sections(notes: &str) -> String {
    let mut out = String::new();
    for paragraph in notes.split("\n\n").filter(|p| !p.trim().is_empty()) {
        let title = match paragraph {
            p if p.starts_with("Example") => ".SH EXAMPLES\n",
            p if p.starts_with("Exit code") => ".SH \"EXIT STATUS\"\n",
            _ if out.contains(".SH NOTES\n") => ".PP\n",
            _ => ".SH NOTES\n",
        };
        out.push_str(title);
        let mut set_in = false;
        for line in paragraph.lines().skip(usize::from(title.contains("EXAMPLES"))) {
            if line.starts_with(' ') != set_in {
                set_in = !set_in;
                out.push_str(if set_in { ".nf\n" } else { ".fi\n" });
            }
            // A line that begins with a dot or a quote would be a request.
            let line = line.replace('\\', "\\e").replace('-', "\\-");
            out.push_str(if line.starts_with(['.', '\'']) { "\\&" } else { "" });
            out.push_str(&line);
            out.push('\n');
        }
        if set_in {
            out.push_str(".fi\n");
        }
    }
    out
}
