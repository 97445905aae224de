//! What the subcommands share: targets, input and output, errors and exit codes.

use anyhow::{Context, Result, bail};
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wavediff::asm::near::near_miss;
use wavediff::isa::{ARCHS, Arch, Target};

/// A command line that does not make sense: exit code 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error of the command line.
pub fn usage<T>(message: impl Into<String>) -> Result<T> {
    Err(Usage(message.into()).into())
}

/// Whether a file can be written, before the work whose results go there. What is in it stays.
pub fn writable(path: &Path) -> Result<()> {
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).with_context(|| format!("`{}` can not be written", path.display()))
}

/// Shows an error and says which exit code it means. A reader who went away is no error.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let broken = |e: &(dyn std::error::Error + 'static)| {
        e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken) {
        return ExitCode::SUCCESS;
    }
    let paint = Paint::stderr();
    // A cause that its consequence quotes is not said twice.
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(&cause) {
            message.push_str(": ");
            message.push_str(&cause);
        }
    }
    eprintln!("{}: {message}", paint.red("error"));
    match error.downcast_ref::<Usage>() {
        Some(_) => ExitCode::from(2),
        None => ExitCode::from(1),
    }
}

/// Reads `--arch`: a processor, or a product name.
pub fn arch(name: &str) -> Result<&'static Arch, String> {
    let lower = name.to_ascii_lowercase();
    Arch::find(&lower).ok_or_else(|| {
        let names = ARCHS.iter().flat_map(|a| std::iter::once(a.name).chain(a.also.iter().copied()));
        match near_miss(&lower, names) {
            Some(near) => format!("did you mean `{near}`? `wavediff isa` lists the processors"),
            None => "`wavediff isa` lists the processors".to_owned(),
        }
    })
}

/// What code is written for, beside the processor.
#[derive(clap::Args, Debug)]
pub struct Mode {
    /// Lanes of a wave: 32 or 64 [default: 32 from gfx10 on, else 64]
    #[arg(long, value_name = "LANES", value_parser = ["32", "64"])]
    pub wave: Option<String>,
    /// LLVM features that change the syntax: +wavefrontsize32, +wavefrontsize64, +real-true16, +salu-float
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub mattr: Option<String>,
}

impl Mode {
    /// Whether anything is said.
    pub fn is_given(&self) -> bool {
        self.wave.is_some() || self.mattr.is_some()
    }

    /// The target on a processor.
    pub fn target(&self, arch: &'static Arch) -> Result<Target> {
        let mut target = Target::new(arch);
        if let Some(list) = &self.mattr {
            target = target.with_mattr(list).map_err(|e| Usage(format!("--mattr: {e}")))?;
        }
        if let Some(lanes) = &self.wave {
            let lanes = if lanes == "32" { 32 } else { 64 };
            let Some(with) = target.wave(lanes) else {
                return usage(format!("{} has waves of 64 lanes only; leave out --wave 32", arch.name));
            };
            target = with;
        }
        Ok(target)
    }
}

/// Reads a file, or standard input where the name is `-`.
pub fn read(name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if name == "-" {
        io::stdin().lock().read_to_end(&mut bytes).context("standard input can not be read")?;
        return Ok(bytes);
    }
    if Path::new(name).is_dir() {
        bail!("`{name}` is a folder; name a file, or - for standard input");
    }
    std::fs::read(name).with_context(|| format!("`{name}` can not be read"))
}

/// Writes to a file, or to standard output where there is no name.
pub fn write(name: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match name {
        Some(name) if name != Path::new("-") => {
            std::fs::write(name, bytes).with_context(|| format!("`{}` can not be written", name.display()))
        }
        _ => {
            let mut out = io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()?;
            Ok(())
        }
    }
}

/// Colours, where somebody sees them and has not said no.
#[derive(Clone, Copy)]
pub struct Paint(bool);

impl Paint {
    /// For standard error.
    pub fn stderr() -> Paint {
        Paint(io::stderr().is_terminal() && wanted())
    }

    /// For standard output.
    pub fn stdout() -> Paint {
        Paint(io::stdout().is_terminal() && wanted())
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// An error.
    pub fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// A warning.
    pub fn yellow(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// What counts.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
}

/// <https://no-color.org>: any value but the empty one.
fn wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

/// Threads to work with.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Ctrl-C ends a run after what is under way; a second one ends it at once.
pub fn listen(stop: &Arc<AtomicBool>) -> Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("ending after what is under way; once more to end at once");
    })
    .context("Ctrl-C can not be listened to")
}
