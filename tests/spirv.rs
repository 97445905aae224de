//! The cases of `tests/cases` on a Vulkan device, in every lane model, against the emulator.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use wavediff::case::{Case, wave_size};
use wavediff::emu::engine::Emulator;
use wavediff::engine::{Engine, EngineError, Memory, Outcome};
use wavediff::isa::Target;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::vulkan;

fn main() {
    let mut args = Arguments::from_args();
    args.test_threads = Some(1);
    let loaded = vulkan::Vulkan::load(&vulkan::Options::default());
    let device = match loaded.and_then(|v| v.choose(&vulkan::Choice::parse("0")).cloned()) {
        Ok(gpu) => gpu,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let mut trials = Vec::new();
    for model in Model::ALL {
        let engine = Vulkan::new(device.open().expect("a device"), model);
        let engine = Arc::new(Mutex::new(engine));
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/pass");
        for path in files(&folder) {
            let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            let text = std::fs::read_to_string(&path).expect("a file");
            let case = Case::parse(&text, &path.to_string_lossy()).expect("a case");
            for target in case.targets() {
                let (case, engine) = (case.clone(), engine.clone());
                let title = format!("{}::{stem}::{}-wave{}", model.name(), target.arch.name, wave_size(target));
                trials.push(Trial::test(title, move || run(&engine.lock().expect("no panic"), &case, target)));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

/// The cases of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "s")).collect();
    files.sort();
    files
}

fn run(engine: &Vulkan, case: &Case, target: Target) -> Result<(), Failed> {
    let expected = Emulator::default().run(case, target)?;
    let got = match engine.run(case, target) {
        Ok(got) => got,
        Err(EngineError::Unsupported(why)) => return Err(format!("unsupported: {why}").into()),
        Err(e) => return Err(e.to_string().into()),
    };
    let mut lines = differences(&expected, &got);
    if !lines.is_empty() {
        lines.push(format!(
            "instructions {} {} costs {:?}",
            expected.stats.wave_instructions,
            got.stats.wave_instructions,
            engine.costs()
        ));
    }
    if lines.is_empty() { Ok(()) } else { Err(lines[..lines.len().min(8)].join("\n").into()) }
}

fn differences(expected: &Outcome, got: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    if expected.trap != got.trap {
        lines.push(format!("trap: {:?}, emulator {:?}", got.trap, expected.trap));
    }
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
        let head = |w: &wavediff::engine::WaveState| (w.vcc, w.exec, w.scc, w.m0, w.mode, w.status, w.pc);
        if head(a) != head(b) {
            lines.push(format!("vcc, exec, scc, m0, mode, status, pc: {:x?}, emulator {:x?}", head(b), head(a)));
        }
    }
    if expected.buffers != got.buffers {
        lines.push(format!("buffers differ: {}", first(&expected.buffers, &got.buffers)));
    }
    if expected.lds != got.lds {
        lines.push(format!("lds differs: {}", first(&expected.lds, &got.lds)));
    }
    if expected.messages != got.messages {
        lines.push("messages differ".to_owned());
    }
    lines
}

/// The first word that differs.
fn first(expected: &[Memory], got: &[Memory]) -> String {
    for (a, b) in expected.iter().zip(got) {
        let words = |m: &Memory| m.bytes.chunks(4).map(<[u8]>::to_vec).collect::<Vec<_>>();
        if let Some((n, (a, b))) = words(a).into_iter().zip(words(b)).enumerate().find(|(_, (a, b))| a != b) {
            return format!("word {n} {b:x?}, emulator {a:x?}");
        }
    }
    "another number of them".to_owned()
}
