//! What is run on both sides: a case, or a kernel.

use super::Prefixes;
use crate::case::Case;
use crate::emu::engine::{Emulator, Loop};
use crate::engine::stage::case::{program as staged, run_case};
use crate::engine::stage::kernel::{program, run_kernel};
use crate::engine::{EngineError, Memory, Outcome};
use crate::engine::{KernelError, KernelOutcome, Options, Runner};
use crate::isa::Target;
use crate::launch::{Dispatch, Loaded};
use crate::program::Program;

/// Something that engines can run.
pub trait Subject {
    /// Runs it on an engine.
    ///
    /// # Errors
    /// The engine cannot run it, or fails.
    fn run(&self, runner: &dyn Runner, options: &Options) -> Result<Outcome, EngineError>;

    /// Runs it on the emulator with another loop.
    ///
    /// # Errors
    /// As [`Subject::run`].
    fn watch(&self, options: &Options, make: &Loop<'_>) -> Result<Outcome, EngineError>;

    /// What is executed.
    ///
    /// # Errors
    /// It cannot be made.
    fn program(&self) -> Result<Program, EngineError>;
}

/// A case on a target.
pub struct OfCase<'c> {
    /// The case.
    pub case: &'c Case,
    /// The target.
    pub target: Target,
}

impl Subject for OfCase<'_> {
    fn run(&self, runner: &dyn Runner, options: &Options) -> Result<Outcome, EngineError> {
        run_case(runner, options, self.case, self.target)
    }

    fn watch(&self, options: &Options, make: &Loop<'_>) -> Result<Outcome, EngineError> {
        Emulator { options: *options }.run_case(self.case, self.target, Some(make))
    }

    fn program(&self) -> Result<Program, EngineError> {
        let assembled = self.case.program(self.target)?;
        Ok(staged(&assembled, &self.case.initial(self.target)?))
    }
}

/// A kernel of a code object. Its memory is used up by a run, so that every run gets a dispatch of its own.
pub struct Kernel<'k> {
    /// The code object.
    pub loaded: &'k Loaded,
    /// Makes the dispatch.
    pub dispatch: &'k dyn Fn() -> Result<Dispatch, EngineError>,
}

fn failed(e: KernelError) -> EngineError {
    match e {
        KernelError::Engine(e) => e,
        other => EngineError::Crash {
            device: "host".to_owned(),
            doing: "making ready the kernel",
            reason: other.to_string(),
        },
    }
}

/// What kernels leave, in the form of what cases leave.
fn outcome(of: KernelOutcome) -> Outcome {
    let KernelOutcome { buffers, waves, lds, messages, exports, trap, stats, .. } = of;
    let named = |(output, bytes): (crate::launch::Output, Vec<u8>)| Memory {
        name: format!("argument {}", output.argument),
        bytes,
    };
    let buffers = buffers.into_iter().map(named).collect();
    Outcome { waves, observed: None, buffers, lds, messages, exports, trap, stats }
}

impl Subject for Kernel<'_> {
    fn run(&self, runner: &dyn Runner, options: &Options) -> Result<Outcome, EngineError> {
        run_kernel(runner, options, self.loaded, &mut (self.dispatch)()?).map(outcome).map_err(failed)
    }

    fn watch(&self, options: &Options, make: &Loop<'_>) -> Result<Outcome, EngineError> {
        let emulator = Emulator { options: *options };
        emulator.run_kernel(self.loaded, &mut (self.dispatch)()?, Some(make)).map(outcome).map_err(failed)
    }

    fn program(&self) -> Result<Program, EngineError> {
        program(self.loaded, (self.dispatch)()?.kernel()).map_err(failed)
    }
}

/// An engine with what it runs.
pub struct Side<'s> {
    /// What is run.
    pub subject: &'s dyn Subject,
    /// The engine.
    pub runner: &'s dyn Runner,
    /// How it runs.
    pub options: Options,
}

impl Prefixes for Side<'_> {
    fn after(&mut self, ticks: u64) -> Result<Outcome, EngineError> {
        self.subject.run(self.runner, &Options { pause: Some(ticks), ..self.options })
    }
}
