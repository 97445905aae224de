//! clang: one code object for each topic and processor, and one program for the host. What was built is kept in the folder for
//! temporary files of tests, under a name made of all that it depends on.

use crate::random;
use crate::unit::Unit;
use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use wavediff::isa::Arch;
use wavediff::launch::Loaded;

/// The functions of OpenCL C for AMD GPUs, as LLVM code.
pub const LIBCLC: &str = "/usr/lib/clc/amdgcn--amdhsa.bc";

/// What both sides have in common: OpenCL C 2.0 whose floats are rounded after every operation.
pub const COMMON: [&str; 7] = [
    "-x",
    "cl",
    "-cl-std=CL2.0",
    "-w",
    "-ffp-contract=off",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-DWAVEDIFF_CORPUS",
];

/// The environment variable that names other processors than the usual ones.
pub const CHIPS: &str = "CORPUS_CHIPS";

/// A processor and a wave size.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chip {
    /// `gfx1030`.
    pub mcpu: &'static str,
    /// 32 or 64.
    pub wave: u32,
}

impl Chip {
    /// All that the corpus is for; or those that [`CHIPS`] names (`gfx90a:64,gfx1150:32`), for a look further.
    pub fn all() -> Vec<Chip> {
        if let Ok(list) = std::env::var(CHIPS) {
            let chip = |text: &str| {
                let (name, wave) = text.split_once(':')?;
                Some(Chip { mcpu: Arch::find(name)?.name, wave: wave.parse().ok()? })
            };
            return list.split(',').map(|text| chip(text).expect("gfx90a:64")).collect();
        }
        let old =
            ["gfx600", "gfx700", "gfx803", "gfx900", "gfx906", "gfx90a", "gfx942"].map(|mcpu| Chip { mcpu, wave: 64 });
        let new = ["gfx1030", "gfx1100", "gfx1200"];
        let both = new.into_iter().flat_map(|mcpu| [32, 64].map(|wave| Chip { mcpu, wave }));
        old.into_iter().chain(both).collect()
    }

    /// 6 to 12.
    pub fn generation(self) -> u32 {
        let digits = &self.mcpu[3..self.mcpu.len() - 2];
        digits.parse().expect("a generation")
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::wave{}", self.mcpu, self.wave)
    }
}

/// Runs a program that writes `output`, unless it was run before with these arguments on these texts.
pub fn cached(
    name: &str,
    texts: &[&str],
    args: &[String],
    make: impl FnOnce(&Path, &Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    (texts, args).hash(&mut hasher);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("corpus");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let path = folder.join(format!("{name}-{:016x}", hasher.finish()));
    if !path.is_file() {
        // Written beside it and renamed: another process may be at it.
        let work = folder.join(format!("{name}-{}.tmp", std::process::id()));
        std::fs::create_dir_all(&work).map_err(|e| e.to_string())?;
        let made = work.join("made");
        make(&work, &made)?;
        std::fs::rename(&made, &path).map_err(|e| e.to_string())?;
        let _ = std::fs::remove_dir_all(&work);
    }
    Ok(path)
}

/// Runs clang.
pub fn clang(args: &[String]) -> Result<(), String> {
    let done = Command::new("clang-19").args(args).output().map_err(|e| e.to_string())?;
    if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}

/// The text of all units of a list, behind what they share.
pub fn text<'a>(units: impl Iterator<Item = &'a Unit>) -> String {
    let common = std::fs::read_to_string(crate::shaders().join("common.h")).expect("common.h");
    let mut text = common;
    for unit in units {
        text += &format!("#line 1 \"{}.cl\"\n{}", unit.name, unit.source);
    }
    text
}

type Slot = Arc<OnceLock<Result<Arc<Loaded>, String>>>;

/// Code objects, made when they are wanted.
pub struct Objects {
    units: Arc<[Unit]>,
    slots: Mutex<HashMap<(String, Chip), Slot>>,
}

impl Objects {
    /// Of these units.
    pub fn new(units: Arc<[Unit]>) -> Objects {
        Objects { units, slots: Mutex::default() }
    }

    /// The kernels of a topic for a processor.
    pub fn get(&self, topic: &str, chip: Chip) -> Result<Arc<Loaded>, String> {
        let slot = {
            let mut slots = self.slots.lock().expect("no panic");
            Arc::clone(slots.entry((topic.to_owned(), chip)).or_default())
        };
        slot.get_or_init(|| self.build(topic, chip)).clone()
    }

    fn build(&self, topic: &str, chip: Chip) -> Result<Arc<Loaded>, String> {
        let units = self.units.iter().filter(|u| u.topic == topic && u.runs_on(chip));
        let source = text(units);
        let mut args: Vec<String> = COMMON.map(str::to_owned).into();
        let wave = if chip.wave == 64 { "-mwavefrontsize64" } else { "-mno-wavefrontsize64" };
        let mcpu = format!("-mcpu={}", chip.mcpu);
        let target = ["-target", "amdgcn-amd-amdhsa", &mcpu, "-mcode-object-version=5", "-nogpulib", "-O2"];
        args.extend(target.map(str::to_owned));
        if topic.starts_with(random::TOPIC) {
            args.extend(random::FLAGS.map(str::to_owned));
        }
        if chip.generation() >= 10 {
            args.push(wave.to_owned());
        }
        // Other code of the same kernels: `-O0`.
        let more = std::env::var("CORPUS_FLAGS").unwrap_or_default();
        args.extend(more.split_whitespace().map(str::to_owned));
        args.extend(["-Xclang", "-mlink-builtin-bitcode", "-Xclang", LIBCLC].map(str::to_owned));
        let name = format!("{topic}-{}-{}", chip.mcpu, chip.wave);
        let path = cached(&name, &[&source], &args, |work, made| {
            let input = work.join("all.cl");
            std::fs::write(&input, &source).map_err(|e| e.to_string())?;
            let files = ["-c", &input.to_string_lossy(), "-o", &made.to_string_lossy()].map(str::to_owned);
            clang(&[&args[..], &files].concat())
        })?;
        let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
        Ok(Arc::new(Loaded::load(&bytes).map_err(|e| e.to_string())?))
    }
}
