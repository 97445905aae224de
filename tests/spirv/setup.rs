//! The device of these tests.

use wavediff::vulkan::{Choice, Error, Gpu, Options, Vulkan};

/// Starts this program again so that Mesa's CPU device compiles without what LLVM does for speed: what it leaves is the same to the bit, and most of the
/// time goes there. Drivers look at the environment, which a program changes for those only that it starts. `GALLIVM_PERF` says otherwise.
#[allow(dead_code, reason = "for programs that have a main function of their own")]
pub fn compile_quickly() {
    const PERF: &str = "GALLIVM_PERF";
    #[cfg(unix)]
    if std::env::var_os(PERF).is_none() {
        use std::os::unix::process::CommandExt;
        let program = std::env::current_exe().expect("this program");
        let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(PERF, "nopt").exec();
        panic!("it does not start again: {error}");
    }
}

/// The first device. Without a loader or a device there is none, which is reported; `WAVEDIFF_REQUIRE_VULKAN` makes it a failure.
pub fn gpu() -> Option<Gpu> {
    let loaded = Vulkan::load(&Options::default());
    match loaded.and_then(|v| v.choose(&Choice::parse("0")).cloned()) {
        Ok(gpu) => Some(gpu),
        Err(reason @ Error::Absent { .. }) => {
            assert!(std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none(), "{reason}");
            println!("skipped: {reason}");
            None
        }
        Err(reason) => panic!("{reason}"),
    }
}
