//! The Vulkan layer on the devices of this machine: `WAVEDIFF_DEVICE` chooses one (an index, a part of a name, a uuid).
//!
//! Everything runs under the validation layer where it is installed. Without a loader or a device the tests are listed as ignored, with the reason;
//! `WAVEDIFF_REQUIRE_VULKAN` makes both, and a missing validation layer, a failure.
//!
//! What hangs or crashes runs in a child: this program again, with the argument `worker`.

#[path = "vulkan/checks.rs"]
mod checks;
#[path = "vulkan/module.rs"]
mod module;
#[path = "support/quickly.rs"]
mod quickly;
#[path = "vulkan/worker.rs"]
mod worker;

use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::Arc;
use wavediff::vulkan::{Choice, Device, Error, Gpu, Opening, Options, Vulkan};

/// Vulkan as the tests use it.
pub struct Setup {
    /// The devices.
    pub vulkan: Vulkan,
    /// Whether the validation layer watches.
    pub validate: bool,
    /// Whether the host copies to and from the device, as it does for cards.
    pub copies: bool,
}

impl Setup {
    /// Loads Vulkan, validated where the layer is there.
    pub fn load() -> Result<Setup, Error> {
        let options = Options { validate: true, ..Options::default() };
        match Vulkan::load(&options) {
            Ok(vulkan) => Ok(Setup { vulkan, validate: true, copies: false }),
            Err(Error::Absent { what, .. }) if what.contains("validation") && !required() => {
                Ok(Setup { vulkan: Vulkan::load(&Options::default())?, validate: false, copies: false })
            }
            Err(e) => Err(e),
        }
    }

    /// The device to test.
    pub fn gpu(&self) -> Result<&Gpu, Error> {
        let choice = std::env::var("WAVEDIFF_DEVICE").unwrap_or_default();
        self.vulkan.choose(&Choice::parse(&choice))
    }

    /// The device to test, opened.
    pub fn open(&self) -> Result<Device, Error> {
        self.gpu()?.open_with(&Opening { copies: self.copies, ..Opening::default() })
    }
}

fn required() -> bool {
    std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_some()
}

/// What a test is.
pub type Check = fn(&Setup) -> Result<(), Failed>;

fn main() {
    quickly::compile_quickly();
    if std::env::args().nth(1).as_deref() == Some("worker") {
        worker::serve();
        return;
    }
    let mut args = Arguments::from_args();
    // With the validation layer (1.3.239) two of eleven runs lost a descriptor set that had just been made, or crashed, while other threads opened and
    // closed devices.
    args.test_threads = Some(1);
    let setup = Setup::load().and_then(|setup| setup.gpu().cloned().map(|_| setup));
    let missing = match &setup {
        Ok(_) => None,
        Err(e @ Error::Absent { .. }) => Some(e.to_string()),
        Err(e) => panic!("{e}"),
    };
    if let Some(missing) = &missing {
        assert!(!required(), "{missing}");
        println!("skipped: {missing}");
    }
    if let Ok(setup) = &setup {
        let gpu = setup.gpu().expect("a device");
        println!("{}, {}, validation {}", gpu.name(), gpu.caps.driver.info, if setup.validate { "on" } else { "off" });
    }
    let mut trials: Vec<Trial> = checks::WITHOUT
        .iter()
        .map(|(name, run)| {
            let run = || {
                run();
                Ok(())
            };
            Trial::test(*name, run)
        })
        .collect();
    let copied = setup.as_ref().ok().and_then(|_| Setup::load().ok()).map(|setup| Setup { copies: true, ..setup });
    let (setup, copied) = (setup.ok().map(Arc::new), copied.map(Arc::new));
    let both = [("", &setup, checks::ALL), ("copied::", &copied, checks::COPIED)];
    for (prefix, setup, checks) in both {
        for (name, check) in checks {
            let setup = setup.clone();
            let run = move || setup.as_ref().map_or(Ok(()), |setup| check(setup));
            trials.push(Trial::test(format!("{prefix}{name}"), run).with_ignored_flag(missing.is_some()));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}
