//! `wavediff report`: what a [journal](crate::journal) says, on the terminal, as HTML and JUnit XML; shards made one run; two runs compared.

pub mod diff;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod merge;
pub mod summary;
pub mod tally;
pub mod text;
pub mod verdict;

use crate::common::{self, Paint};
use crate::conform::pool::without_input;
use crate::expect::Expectations;
use crate::files;
use crate::journal::{self, CaseResult, Journal, Line};
use crate::tell;
use anyhow::{Context, Result};
use serde_json::json;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make reports of runs
#[derive(clap::Args)]
#[command(
    about = "Reports of conformance runs: summaries, HTML, JUnit XML, shards merged, runs compared",
    after_help = "All reports are made from the journal that `wavediff conform --jsonl FILE` writes.

Examples:
  wavediff report show run.jsonl
  wavediff report html run.jsonl -o run.html
  wavediff report junit run.jsonl -o run.xml
  wavediff report merge part1.jsonl part2.jsonl part3.jsonl -o run.jsonl
  wavediff report diff before.jsonl after.jsonl

Exit codes: 0 all is well, 1 a merged run is not whole, or something is worse, 2 the command line is wrong."
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Show(Show),
    Html(Html),
    Junit(Junit),
    Merge(Merge),
    Diff(Diff),
}

/// Print the summary of a run
#[derive(clap::Args)]
#[command(after_help = "Example:
  wavediff report show run.jsonl

The exit code is 0 whatever the run found.")]
struct Show {
    /// The journal
    file: PathBuf,
}

/// Write a run as one HTML file that needs nothing else
#[derive(clap::Args)]
#[command(after_help = "Example:
  wavediff report html run.jsonl -o run.html")]
struct Html {
    /// The journal
    file: PathBuf,
    /// The file to write
    #[arg(short, value_name = "FILE")]
    output: PathBuf,
}

/// Write a run as JUnit XML, a test for each row
#[derive(clap::Args)]
#[command(after_help = "Example:
  wavediff report junit run.jsonl -o run.xml")]
struct Junit {
    /// The journal
    file: PathBuf,
    /// The file to write
    #[arg(short, value_name = "FILE")]
    output: PathBuf,
}

/// Make one run of the shards of a plan
#[derive(clap::Args)]
#[command(
    after_help = "Journals of other plans, seeds or versions are refused, and so are two that do not agree about a unit. What is missing is named, and the
exit code is 1; the journal is written all the same, and says so too.

Examples:
  wavediff report merge part1.jsonl part2.jsonl part3.jsonl -o run.jsonl
  wavediff report merge part*.jsonl --expect golden/expect -o run.jsonl"
)]
struct Merge {
    /// The journals
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write [default: standard output]
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Look for patterns of these expectation lists that no shard needed
    #[arg(long, value_name = "DIR")]
    expect: Option<PathBuf>,
}

/// Say what passes in one run and fails in the other
#[derive(clap::Args)]
#[command(
    after_help = "Runs of the same plan are compared case by case, others by row. Worse is what passed and does not, or ran and is not run any more.

Examples:
  wavediff report diff before.jsonl after.jsonl
  wavediff report diff before.jsonl after.jsonl --json

Exit codes: 0 nothing is worse, 1 something is, 2 the command line is wrong."
)]
struct Diff {
    /// The journal of the run before
    before: PathBuf,
    /// The journal of the run after
    after: PathBuf,
    /// Name every change, and not the first ones only
    #[arg(long)]
    all: bool,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Show(args) => {
            let journal = read(&args.file)?;
            common::print(&summary::print(&journal))?;
        }
        Command::Html(Html { file, output }) => html::write(&read_for(file, output)?, output)?,
        Command::Junit(Junit { file, output }) => junit::write(&read_for(file, output)?, output)?,
        Command::Merge(args) => return merge(args),
        Command::Diff(args) => return diff(args),
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a journal, and says what of it is damaged.
fn read(path: &Path) -> Result<Journal> {
    let journal = Journal::read(path)?;
    if let Some(lines) = journal.damage() {
        tell!("{}: {}: {lines}", Paint::stderr().yellow("warning"), path.display());
    }
    Ok(journal)
}

/// Reads a journal for a report that goes to another file.
fn read_for(file: &Path, output: &Path) -> Result<Journal> {
    files::distinct([file, output])?;
    read(file)
}

fn merge(args: &Merge) -> Result<ExitCode> {
    let read = |file: &PathBuf| Ok((file.display().to_string(), read(file)?));
    let parts = args.files.iter().map(read).collect::<Result<Vec<_>>>()?;
    let merged = merge::merge(&parts)?;
    let mut bytes = Vec::new();
    let journal = &merged.journal;
    let merged_header = Line::Header(journal.header.clone());
    let lines = [merged_header.clone(), merged_header]
        .into_iter()
        .chain(journal.units.iter().cloned().map(Line::Unit))
        .chain(journal.end.clone().map(Line::End));
    for line in lines {
        bytes.extend(journal::line::encode(&line)?);
    }
    common::write(args.output.as_deref(), &bytes)?;
    let unused = match &args.expect {
        Some(folder) => unused(folder, journal, merged.missing.is_empty())?,
        None => Vec::new(),
    };
    let paint = Paint::stderr();
    for line in &merged.missing {
        tell!("{}: {line}", paint.yellow("missing"));
    }
    for line in &unused {
        tell!("{}: {line}", paint.red("error"));
    }
    Ok(ExitCode::from(u8::from(!merged.missing.is_empty() || !unused.is_empty())))
}

/// Lines of expectation lists that a run has no use for.
fn unused(folder: &Path, journal: &Journal, whole: bool) -> Result<Vec<String>> {
    let mut all = Vec::new();
    let mut engines: Vec<&str> = journal.units.iter().map(|u| u.engine.as_str()).collect();
    engines.sort_unstable();
    engines.dedup();
    for engine in engines {
        let mut lists = Expectations::load(folder, engine).context("the expectations can not be read")?;
        for unit in journal.units.iter().filter(|u| u.engine == engine) {
            // Each shard looked at the exact names of its units; they are what a run of all of them would say again.
            let named = |r: &CaseResult| (without_input(&r.case).to_owned(), r.row.clone());
            lists.unit(&mut unit.clone(), &unit.results.iter().map(named).collect::<Vec<_>>());
        }
        all.extend(lists.patterns_unused(whole));
    }
    Ok(all)
}

fn diff(args: &Diff) -> Result<ExitCode> {
    let found = diff::diff(&read(&args.before)?, &read(&args.after)?);
    let text = if args.json { diff_json(&found) } else { diff_text(&found, args.all) };
    common::print(&text)?;
    Ok(ExitCode::from(u8::from(found.is_worse())))
}

/// Changes that are named of each direction.
const NAMED: usize = 20;

fn diff_text(found: &diff::Found, all: bool) -> String {
    let paint = Paint::stdout();
    let mut out = String::new();
    for [a, b] in &found.paired {
        let _ = writeln!(out, "{a} is compared with {b}");
    }
    if found.by == "row" {
        let _ = writeln!(out, "the plans are not the same: compared by row");
    }
    for (worse, title) in [(Ordering::Greater, "worse"), (Ordering::Less, "better"), (Ordering::Equal, "otherwise")] {
        let mine: Vec<&diff::Change> = found.changes.iter().filter(|c| c.worse == worse).collect();
        if mine.is_empty() {
            continue;
        }
        let title = format!("{title}: {}", mine.len());
        let _ = writeln!(out, "{}", if worse == Ordering::Greater { paint.red(&title) } else { paint.bold(&title) });
        let shown = if all { mine.len() } else { NAMED };
        let row = |c: &&diff::Change| {
            vec![
                format!("  {}", c.name),
                format!("{} -> {}", c.statuses[0], c.statuses[1]),
                c.engine.clone(),
                c.text.clone(),
            ]
        };
        let rows: Vec<Vec<String>> = mine.iter().take(shown).map(row).collect();
        let table = text::table(&["", "", "", ""], 4.., &rows, |_, _, cell| cell);
        out.push_str(table.split_once('\n').map_or("", |(_, rest)| rest));
        if mine.len() > shown {
            let _ = writeln!(out, "  and {} more; --all names them", mine.len() - shown);
        }
    }
    let units = if found.by == "case" { "unit" } else { "row" };
    for (only, which) in found.only.iter().zip(["before", "after"]) {
        if !only.is_empty() {
            let first: Vec<&str> = only.iter().take(3).map(String::as_str).collect();
            let more = if only.len() > 3 { ", ..." } else { "" };
            let _ =
                writeln!(out, "only {which}: {}: {}{more}", text::counted(only.len() as u64, units), first.join(", "));
        }
    }
    let count = |worse| text::number(found.count(worse) as u64);
    let _ = writeln!(
        out,
        "{} worse, {} better, {} otherwise, {} as before",
        count(Ordering::Greater),
        count(Ordering::Less),
        count(Ordering::Equal),
        text::counted(found.same, found.by)
    );
    out
}

fn diff_json(found: &diff::Found) -> String {
    let word = |worse| match worse {
        Ordering::Greater => "worse",
        Ordering::Less => "better",
        Ordering::Equal => "otherwise",
    };
    let change = |c: &diff::Change| {
        let direction = word(c.worse);
        json!({"name": c.name, "text": c.text, "engine": c.engine, "before": c.statuses[0], "after": c.statuses[1], "change": direction})
    };
    let all = json!({
        "by": found.by, "changes": found.changes.iter().map(change).collect::<Vec<_>>(), "same": found.same, "paired": found.paired,
        "only": { "before": found.only[0], "after": found.only[1] }, "worse": found.is_worse(),
    });
    format!("{all}\n")
}
