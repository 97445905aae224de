//! Traces of cases: the state after every step of a run on an engine, in a file, so that `wavediff bisect` can compare with it where the engine is not there.
//!
//! The first line of the file is a JSON object that says what ran, where and when; behind it is the compressed [`Trace`].

use super::TraceArgs;
use super::recorded::provenance;
use crate::common::{self, AnyArch, Usage};
use crate::engines::Opened;
use crate::files;
use crate::run;
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use wavediff::bisect::{OfCase, Side, Trace};
use wavediff::case::{Case, wave_size};
use wavediff::isa::Target;
use wavediff::suite::digest::Digest;

/// What the first line says.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format.
    #[serde(rename = "wavediff trace")]
    version: u32,
    /// The engine.
    pub engine: String,
    /// The name of the case.
    pub case: String,
    /// A digest of the case as it is printed, so that another one is noticed.
    digest: String,
    /// The processor.
    pub arch: String,
    /// Lanes of a wave.
    pub lanes: u32,
    /// How many steps there are.
    pub steps: u64,
    /// How many bytes the states are, before they are compressed.
    bytes: u64,
    /// `date`, `host`, `command`, `version`.
    pub provenance: BTreeMap<String, String>,
}

const VERSION: u32 = 2;

fn digest(case: &Case) -> String {
    format!("{:016x}", Digest::of_bytes(case.to_string().as_bytes()))
}

/// Runs a case on an engine, step by step, and writes the trace.
pub fn record(args: &TraceArgs) -> Result<ExitCode> {
    args.device.check([&args.engine])?;
    let bytes = common::read(&args.case)?;
    let Some(case) = run::case::read(&args.case, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
    let target = run::case::targets(&case, args.arch.map(AnyArch::Gcn))?[0];
    let opened = Opened::open(&args.engine, &args.device, &args.limits, false)?;
    let subject = OfCase { case: &case, target };
    let mut side = Side { subject: &subject, runner: opened.runner(), options: *opened.options() };
    let bar = ProgressBar::new_spinner();
    let trace = Trace::record(&mut side, args.steps, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    let trace = trace.with_context(|| format!("{} on {}", case.name, opened.engine().name()))?;
    let bytes = trace.to_bytes();
    if bytes.len() as u64 > files::UNPACKED {
        bail!(
            "the states of {} steps are {} bytes, which is more than a trace may have; see --steps",
            trace.ticks(),
            bytes.len()
        );
    }
    let head = Head {
        version: VERSION,
        engine: opened.engine().name().to_owned(),
        // Where the file lay says nothing to anybody else.
        case: Path::new(&case.name).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        digest: digest(&case),
        arch: target.arch.name.to_owned(),
        lanes: wave_size(target),
        steps: trace.ticks(),
        bytes: bytes.len() as u64,
        provenance: provenance(),
    };
    let mut file = serde_json::to_vec(&head)?;
    file.push(b'\n');
    file.extend(zstd::encode_all(&bytes[..], 19)?);
    files::write(&args.output, &file)?;
    let text = format!(
        "{}: {} steps of {}, {}, on {}\n",
        args.output.display(),
        head.steps,
        head.case,
        run::case::target_name(target),
        head.engine
    );
    common::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a trace of a case; the target that it was made for is one of those.
pub fn load(path: &Path, case: &Case, targets: &[Target]) -> Result<(Head, Target, Trace)> {
    let named = || format!("`{}` is no trace", path.display());
    let bytes = files::read(path, files::INPUT)?;
    let end = bytes.iter().position(|byte| *byte == b'\n').with_context(named)?;
    let head: Head = serde_json::from_slice(&bytes[..end]).with_context(named)?;
    if head.version != VERSION {
        bail!("`{}` has version {}, not {VERSION}: record it again", path.display(), head.version);
    }
    if head.digest != digest(case) {
        return Err(Usage(format!("`{}` is of another case: of {} as it was then", path.display(), head.case)).into());
    }
    let target = targets.iter().find(|t| t.arch.name == head.arch && wave_size(**t) == head.lanes);
    let Some(target) = target else {
        return Err(Usage(format!("`{}` is of {} wave{}", path.display(), head.arch, head.lanes)).into());
    };
    let bytes = files::unpack(&bytes[end + 1..], head.bytes).with_context(named)?;
    let trace = Trace::from_bytes(&bytes).with_context(named)?;
    Ok((head, *target, trace))
}
