//! `wavediff worker`: the other side of [`isolate`], for what may hang or crash. Nobody types it.

use crate::conform::task::Serving;
use crate::devices;
use crate::isolated::{self, Host};
use anyhow::Result;
use std::process::ExitCode;
use std::time::Duration;
use wavediff::engine::isolate::{self, Lost, Worker};

/// Answer requests on standard input
#[derive(clap::Args)]
pub struct Args {}

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
pub fn run(_: &Args) -> Result<ExitCode> {
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
