//! Tests on Mesa's CPU device, quicker.

/// Starts this program again so that Mesa's CPU device compiles without what LLVM does for speed: what it leaves is the same to the bit, and most of the
/// time goes there. Drivers look at the environment, which a program changes for those only that it starts. `GALLIVM_PERF` says otherwise.
///
/// It comes first in a main function.
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
