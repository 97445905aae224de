//! A device that accepts everything and executes nothing: Mesa's driver for AMD's cards on Mesa's stand-in for a card, which is there for its compiler.
//! Nothing passes on it, and every command says so in seconds.
//!
//! `RADV_ICD` and `NOOP_SHIM` are what `.ci/mesa-backport FOLDER radeon` and `shim` print; `WAVEDIFF_REQUIRE_RADV` makes their absence a failure.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The longest that a command may take before it says what is wrong.
const LIMIT: Duration = Duration::from_secs(60);

/// The driver and the stand-in; nothing where they are not here.
fn liar() -> Option<(String, String)> {
    let both = std::env::var("RADV_ICD").ok().zip(std::env::var("NOOP_SHIM").ok());
    if both.is_none() {
        assert!(std::env::var_os("WAVEDIFF_REQUIRE_RADV").is_none(), "RADV_ICD and NOOP_SHIM are not set");
        println!("skipped: RADV_ICD and NOOP_SHIM are not set; .ci/mesa-backport brings both");
    }
    both
}

fn on_the_liar(args: &[&str]) -> Option<Output> {
    let (driver, shim) = liar()?;
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .envs([("VK_ICD_FILENAMES", driver.as_str()), ("LD_PRELOAD", &shim), ("AMDGPU_GPU_ID", "navi31")])
        .output()
        .expect("a run");
    assert!(start.elapsed() < LIMIT, "{args:?} took {:?}", start.elapsed());
    Some(output)
}

/// It is refused with what it did, and there is no word of anything that passed.
fn is_refused(args: &[&str]) {
    let Some(output) = on_the_liar(args) else { return };
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(output.status.code(), Some(1), "{args:?}: {out}{err}");
    assert!(err.contains("RADV") && err.contains("accepts programs and does not execute them"), "{args:?}: {err}");
    assert!(!out.contains("pass") && !out.contains("equal"), "{args:?}: {out}");
}

#[test]
fn run_and_diff_refuse_it() {
    is_refused(&["run", "tests/cases/pass/add_f32.s", "--arch", "gfx1100", "--engine", "vulkan"]);
    is_refused(&["diff", "tests/cases/pass/add_f32.s", "--arch", "gfx1100"]);
}

/// Neither a run that names the device nor one that takes what there is goes on without it.
#[test]
fn conform_refuses_it() {
    is_refused(&["conform", "alu", "--arch", "gfx1100", "--engines", "emu,vulkan"]);
    is_refused(&["conform"]);
}

/// What only looks at the device still works.
#[test]
fn it_is_listed() {
    let Some(output) = on_the_liar(&["devices"]) else { return };
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("RADV NAVI31"), "{output:?}");
}
