//! Engines that trials share: each trial has one for itself while it runs, and another device is opened where all are in use.
//!
//! The compiler of a CPU device, which takes most of the time, keeps one core busy: two trials on two devices keep two. Devices stay open,
//! for opening one takes longer than many trials do.

use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::{Arc, Mutex, PoisonError};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::vulkan::Gpu;

/// Trials that run at once, unless the command line says otherwise: each has the memory of a driver's compiler.
const TRIALS: usize = 2;

/// Engines of one kind.
pub struct Engines {
    gpu: Option<Gpu>,
    model: Model,
    change: fn(&mut Vulkan),
    idle: Mutex<Vec<Vulkan>>,
}

impl Engines {
    /// Engines of a lane model, with settings of their own.
    pub fn new(gpu: Option<&Gpu>, model: Model, change: fn(&mut Vulkan)) -> Arc<Engines> {
        Arc::new(Engines { gpu: gpu.cloned(), model, change, idle: Mutex::default() })
    }

    /// A trial that runs on one of them; ignored where there is no device, or where a plain run leaves it out.
    pub fn trial(
        self: &Arc<Engines>,
        title: String,
        plain: bool,
        run: impl FnOnce(&mut Vulkan) -> Result<(), Failed> + Send + 'static,
    ) -> Trial {
        let engines = Arc::clone(self);
        let ignored = self.gpu.is_none() || !plain;
        Trial::test(title, move || engines.with(run)).with_ignored_flag(ignored)
    }

    /// Has one of them run something. One that panics is not used again.
    fn with(&self, run: impl FnOnce(&mut Vulkan) -> Result<(), Failed>) -> Result<(), Failed> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut engine = match (taken, &self.gpu) {
            (Some(engine), _) => engine,
            (None, Some(gpu)) => {
                let mut engine = Vulkan::new(gpu.open().map_err(|e| e.to_string())?, self.model);
                (self.change)(&mut engine);
                engine
            }
            // Trials that are listed as ignored may be asked for all the same.
            (None, None) => return Ok(()),
        };
        let result = run(&mut engine);
        idle().push(engine);
        result
    }
}

/// Runs trials.
pub fn run(mut args: Arguments, trials: Vec<Trial>) -> ! {
    args.test_threads.get_or_insert(TRIALS);
    libtest_mimic::run(&args, trials).exit()
}
