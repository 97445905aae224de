//! What hangs costs no more than it has to: one case, if its device goes on, and the rest of the run, if the device does nothing any more; and either is
//! found out within the time that units have.
//!
//! Workers hang where the environment says so, as they do in debug builds.

use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// On the first of these workers hang. They are of two units.
const CASES: [&str; 2] = ["alu/gfx1100-w32/v_sub_f32_e32", "alu/gfx1100-w64/v_sub_f32_e32"];
/// Less than the minute for which a device is waited for where no unit waits.
const LIMIT: Duration = Duration::from_secs(40);

/// The device still answers: the case is timed out, and the other unit runs.
pub fn on_one_case() -> Result<(), Failed> {
    let (output, lines) = run("hangs-case", "12", false)?;
    let [first, second] = CASES.map(|case| lines.iter().find(|line| line["unit"] == case));
    let (Some(first), Some(second), Some(end)) = (first, second, lines.last()) else {
        return Err(format!("not both units: {lines:?}").into());
    };
    let results = first["results"].as_array().ok_or("no result")?;
    let lost: Vec<[&Value; 3]> = results.iter().map(|r| [&r["case"], &r["status"], &r["count"]]).collect();
    let went_on = second["rows"] == json!({"v_sub_f32": {"pass": 2}}) && end["kind"] == "end";
    if lost == [[&json!(CASES[0]), &json!("timeout"), &json!(1)]] && went_on && output.status.code() == Some(1) {
        return Ok(());
    }
    Err(format!("{lines:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// From the case on whoever asks the device waits: it is given up, and the other unit does not run.
pub fn for_good() -> Result<(), Failed> {
    let (output, lines) = run("hangs-for-good", "4", true)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let units: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "unit").map(|line| &line["unit"]).collect();
    let is_over = lines.last().is_some_and(|line| line["kind"] == "end");
    let given_up = said.contains("vulkan:") && said.contains("is given up: no answer within");
    if given_up && units == [CASES[0]] && !is_over && output.status.code() == Some(1) {
        return Ok(());
    }
    Err(format!("{units:?}: {said}").into())
}

/// A run of both cases by one worker, and the lines of its journal.
fn run(name: &str, timeout: &str, for_all: bool) -> Result<(Output, Vec<Value>), Failed> {
    let start = Instant::now();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let journal = folder.join("run.jsonl");
    let lost: Option<PathBuf> = for_all.then(|| folder.join("lost"));
    let output = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(["conform", "--case", CASES[0], "--case", CASES[1], "--engines", "emu,vulkan", "--inputs", "2"])
        .args(["--jobs", "1", "--timeout", timeout, "--jsonl"])
        .arg(&journal)
        .env_remove("WAVEDIFF_FAULT")
        .env("WAVEDIFF_WORKER_HANGS", CASES[0])
        .envs(lost.map(|file| ("WAVEDIFF_WORKER_HANGS_FOR_ALL", file)))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()?;
    let took = start.elapsed();
    if took > LIMIT {
        return Err(format!("it took {took:?}").into());
    }
    let text = std::fs::read_to_string(&journal)?;
    let lines: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok((output, lines))
}
