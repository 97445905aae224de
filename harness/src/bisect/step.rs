//! The guilty instruction as a case, of a case or of a kernel.

use super::Found;
use crate::common::{self, Paint};
use crate::engines::Opened;
use crate::reduce;
use crate::run::{self, kernel::Launch};
use crate::tell;
use anyhow::{Result, bail};
use std::path::Path;
use wavediff::bisect::{Kernel, Verdict};
use wavediff::case::value::{File, Place};
use wavediff::case::{Case, Observe};
use wavediff::engine::EngineError;
use wavediff::isa::Target;
use wavediff::launch::{Dispatch, Loaded};
use wavediff::reduce::{Verdict as Kept, from_kernel, transplant};

/// A kernel with its arguments, ready to be run as often as a search wants.
pub struct OfKernel<'l> {
    /// The file and the kernel.
    pub title: String,
    /// The processor, with the size of its waves.
    pub target: Target,
    loaded: Loaded,
    dispatch: Box<dyn Fn() -> Result<Dispatch, EngineError> + 'l>,
}

impl<'l> OfKernel<'l> {
    /// Prepares it; what is wrong with the command line is said here.
    pub fn new(launch: &'l Launch, file: &'l str, bytes: &'l [u8], engines: [&Opened; 2]) -> Result<OfKernel<'l>> {
        // Groups with scratch memory have places for as many as the engine with fewer threads holds.
        let threads = engines.map(|e| e.options().threads).into_iter().min().unwrap_or(1);
        let prepare = move || run::kernel::prepare(launch, file, bytes, threads);
        let (loaded, dispatch) = prepare()?;
        let title = format!("{file}: {}", dispatch.kernel().name);
        let target = loaded.target(dispatch.kernel());
        let again = move || {
            prepare().map(|(_, dispatch)| dispatch).map_err(|e| EngineError::Crash {
                device: "host".to_owned(),
                doing: "making ready the kernel",
                reason: e.to_string(),
            })
        };
        Ok(OfKernel { title, target, loaded, dispatch: Box::new(again) })
    }

    /// As something that engines run.
    pub fn subject(&self) -> Kernel<'_> {
        Kernel { loaded: &self.loaded, dispatch: &*self.dispatch }
    }

    /// The guilty instruction alone.
    ///
    /// # Errors
    /// Why it can not stand alone, in words.
    pub fn step(&self, found: &Found) -> Result<Case, String> {
        let Found::Step(Verdict::At(at)) = found else { return Err("no instruction did it".to_owned()) };
        let mut case = from_kernel(&self.title, self.target, &at.0, &at.1).map_err(|obstacle| obstacle.to_string())?;
        let [x, y, z] = at.1.group;
        let culprit = &at.1;
        case.remarks.push(format!(
            "{}: instruction {} of group ({x}, {y}, {z}) wave {}, at {:#x}.",
            self.title, culprit.number, culprit.wave, culprit.pc
        ));
        Ok(case)
    }
}

/// The guilty instruction of a case alone.
pub fn of_case(case: &Case, target: Target, found: &Found) -> Result<Case, String> {
    let Found::Step(Verdict::At(at)) = found else { return Err("no instruction did it".to_owned()) };
    let alone = transplant(case, target, &at.0, &at.1);
    let mut alone = alone.ok_or("its memory is too large to be written down, or it is no instruction")?;
    let [x, y, z] = at.1.group;
    let culprit = &at.1;
    alone.remarks = vec![format!(
        "{}: instruction {} of group ({x}, {y}, {z}) wave {}, at {:#x}.",
        case.name, culprit.number, culprit.wave, culprit.pc
    )];
    Ok(alone)
}

/// Writes the step. Where it shows the difference by itself, it expects what the first engine says; where it does not, this is said.
pub fn write(
    path: &Path,
    step: &Result<Case, String>,
    target: Target,
    engines: [&Opened; 2],
    found: &Found,
) -> Result<()> {
    let case = match step {
        Ok(case) => case,
        Err(reason) => bail!("`{}` is not written: {reason}", path.display()),
    };
    let kind = reduce::kind(found);
    let shows = match &kind {
        Some(kind) => reduce::still(case, target, engines, kind)? == Kept::Kept,
        None => false,
    };
    let mut done = case.clone();
    if let (true, Some(kind)) = (shows, &kind) {
        done = reduce::finished(case, case, target, engines, kind)?;
        let differs = done.remarks.split_off(1.min(done.remarks.len()));
        done.remarks = [case.remarks.clone(), differs].concat();
    } else {
        done.remarks.push(
            "Alone the engines do not differ in it: what it takes is not in its registers and memory.".to_owned(),
        );
        done.observe = observed(found);
        let note = Paint::stderr().yellow("note");
        tell!("{note}: {}: alone the engines do not differ in the instruction", path.display());
    }
    common::write(Some(path), done.to_string().as_bytes())
}

/// The registers in which a step differs.
fn observed(found: &Found) -> Vec<Observe> {
    let Found::Step(Verdict::At(at)) = found else { return Vec::new() };
    let mut all: Vec<Observe> = Vec::new();
    for value in &at.1.values {
        let register = |letter: char, file: File| {
            let first = value.place.strip_prefix(letter)?.parse().ok()?;
            Some(Place::Regs { file, first, count: 1 })
        };
        let place = match &value.place[..] {
            "vcc" => Some(Place::Vcc),
            "exec" => Some(Place::Exec),
            "scc" => Some(Place::Scc),
            _ => register('v', File::Vector).or_else(|| register('s', File::Scalar)).filter(|_| value.text.is_none()),
        };
        let known = |place: &Place| all.iter().any(|one| one.place == *place);
        if let Some(place) = place.filter(|place| !known(place)) {
            all.push(place.into());
        }
    }
    all
}
