//! `wavediff worker`: the other side of [`isolate`], for what may hang, crash or take too much memory. Nobody types it.
//!
//! A worker limits its own address space before it does anything, where the system has such a limit: what runs away then ends the worker, which
//! is what came of one run, and not the machine. Drivers of cards reserve much that they never touch, so a worker may have as much as the machine
//! and [`mapped`] on top; one for the emulator what the machine has left, or what `--memory` says ([`of_emulator`]).

use crate::common;
use crate::conform::task::Serving;
use crate::devices;
use crate::isolated::{self, Host};
use anyhow::Result;
use std::process::ExitCode;
use std::time::Duration;
use wavediff::engine::isolate::{self, Lost, Worker};
use wavediff::engine::room;

/// Answer requests on standard input
#[derive(clap::Args)]
pub struct Args {
    /// The most bytes of address space [default: all memory of the machine, and room for what is mapped and not touched]
    #[arg(long, value_name = "BYTES", value_parser = common::size)]
    address_space: Option<u64>,
}

/// Address space for what a process maps and hardly touches: libraries, what drivers reserve, and stacks and arenas of the allocator for a thread on
/// each core. With llvmpipe all of a process comes to 0.8 GiB on two cores.
fn mapped() -> u64 {
    (4 << 30) + (256 << 20) * common::cores() as u64
}

/// The address space of a worker for the emulator, which reserves nothing: for runs that may have so much memory.
pub fn of_emulator(memory: Option<u64>) -> Option<u64> {
    memory.map(|memory| memory.saturating_add(mapped())).or_else(|| room::free().map(|free| free.max(mapped())))
}

/// Limits the address space of this process. A system that refuses leaves it as it is: then the limit of the run is the only one.
#[cfg(target_os = "linux")]
fn limit_memory(bytes: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::As);
    let bytes = current.map_or(bytes, |current| current.min(bytes));
    let _ = setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum });
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: u64) {}

/// A thing to do in a process of its own, beside running a case; the text is what goes over the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// List the Vulkan devices, as JSON.
    Devices,
    /// The same, with the validation layer.
    DevicesValidated,
}

impl Request {
    const ALL: [Request; 2] = [Request::Devices, Request::DevicesValidated];

    fn text(self) -> &'static str {
        match self {
            Request::Devices => "devices",
            Request::DevicesValidated => "devices --validate",
        }
    }

    /// Has it done, and waits at most so long.
    pub fn ask(self, limit: Duration) -> Result<Vec<u8>, Lost> {
        Worker::myself(&["worker"])?.ask(self.text().as_bytes(), limit)
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(bytes) = args.address_space.or_else(|| room::total().map(|total| total.saturating_add(mapped()))) {
        limit_memory(bytes);
    }
    let mut conform = Serving::default();
    let mut host = Host::default();
    isolate::serve(|request| {
        if request.starts_with(b"{") {
            return conform.answer(request);
        }
        if let Some(request) = request.strip_prefix(isolated::CASE) {
            return host.answer(request);
        }
        let known = Request::ALL.into_iter().find(|known| known.text().as_bytes() == request);
        match known {
            Some(Request::Devices) => devices::probe(false).to_string().into_bytes(),
            Some(Request::DevicesValidated) => devices::probe(true).to_string().into_bytes(),
            // The parent is the same program, unless somebody typed it.
            None => Vec::new(),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
