//! Cases on a Vulkan device against the emulator.

use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::{Engine, EngineError, Outcome, WaveState};
use wavediff::isa::Target;
use wavediff::spirv::engine::Vulkan;

/// Where the cases are that must pass, but for those of images.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/pass")
}

/// The cases that must pass.
#[allow(dead_code, reason = "not every test runs them all")]
pub fn all() -> Vec<PathBuf> {
    [files(&folder()), files(&folder().with_file_name("images")), files(&folder().with_file_name("across"))].concat()
}

/// Whether a case is one of images.
#[allow(dead_code, reason = "not every test runs them all")]
pub fn is_of_images(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("images"))
}

/// Reads a case.
pub fn read(path: &Path) -> Case {
    /// Milliseconds. A driver that compiles a pipeline for every instruction may need more than a case has otherwise.
    const TIMEOUT: u64 = 600_000;
    let text = std::fs::read_to_string(path).expect("a file");
    let mut case = Case::parse(&text, &path.to_string_lossy()).expect("a case");
    case.timeout.get_or_insert(TIMEOUT);
    case
}

/// The cases of a folder, by name.
#[allow(dead_code, reason = "not every test runs them all")]
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "s")).collect();
    files.sort();
    files
}

/// Runs a case on both and compares.
pub fn run(engine: &Vulkan, case: &Case, target: Target) -> Result<(), Failed> {
    let expected = Emulator::default().run(case, target)?;
    let got = match engine.run(case, target) {
        Ok(got) => got,
        Err(EngineError::Unsupported(why)) => return Err(format!("unsupported: {why}").into()),
        Err(e) => return Err(e.to_string().into()),
    };
    let lines = differences(&expected, &got);
    if lines.is_empty() { Ok(()) } else { Err(lines[..lines.len().min(8)].join("\n").into()) }
}

fn differences(expected: &Outcome, got: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    if expected.trap != got.trap {
        lines.push(format!("trap: {:?}, emulator {:?}", got.trap, expected.trap));
    }
    assert_eq!(expected.waves.len(), got.waves.len());
    for (a, b) in expected.waves.iter().zip(&got.waves) {
        for (n, (a, b)) in a.sgprs.iter().zip(&b.sgprs).enumerate() {
            if a != b {
                lines.push(format!("s{n}: {b:#x}, emulator {a:#x}"));
            }
        }
        for (n, (a, b)) in a.vgprs.iter().zip(&b.vgprs).enumerate() {
            for lane in 0..64 {
                if a[lane] != b[lane] {
                    lines.push(format!("v{n} lane {lane}: {:#x}, emulator {:#x}", b[lane], a[lane]));
                }
            }
        }
        let head = |w: &WaveState| (w.vcc, w.exec, w.scc, w.m0, w.mode, w.status, w.pc);
        if head(a) != head(b) {
            lines.push(format!("vcc, exec, scc, m0, mode, status, pc: {:x?}, emulator {:x?}", head(b), head(a)));
        }
    }
    if expected.buffers != got.buffers {
        lines.push("buffers differ".to_owned());
    }
    if expected.lds != got.lds {
        lines.push("lds differs".to_owned());
    }
    if expected.messages != got.messages {
        lines.push("messages differ".to_owned());
    }
    if expected.exports != got.exports {
        lines.push("exports differ".to_owned());
    }
    lines
}
