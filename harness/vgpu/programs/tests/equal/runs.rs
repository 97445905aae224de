//! How the programs are started: with lavapipe, and with RADV on a virtual GPU.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longest time for all programs on one queue.
const LIMIT: Duration = Duration::from_secs(900);

/// What names those programs that run; without it all do.
pub const PROGRAMS: &str = "VGPU_PROGRAMS";

/// Where drivers' files lie.
const ICDS: &str = "/usr/share/vulkan/icd.d";

/// What is needed to run the programs.
pub struct Setting {
    radv: PathBuf,
    lavapipe: PathBuf,
    library: PathBuf,
    /// SPIR-V that both are given.
    cache: PathBuf,
    /// The programs.
    names: Vec<String>,
}

impl Setting {
    /// Looks for drivers and the library that is preloaded.
    pub fn find() -> Result<Setting, String> {
        let radv = std::env::var_os("RADV_ICD").map(PathBuf::from).ok_or("RADV_ICD is not set")?;
        let lavapipe = match std::env::var_os("LVP_ICD") {
            Some(path) => path.into(),
            None => installed()?,
        };
        let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("vulkan-programs");
        let names = std::env::var(PROGRAMS).unwrap_or_default();
        let mut names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        if names.is_empty() {
            let all = finish(Command::new(env!("CARGO_BIN_EXE_vulkan-programs")).arg("--list"), LIMIT);
            names = all.expect("programs that say their names").lines().map(str::to_owned).collect();
        }
        Ok(Setting { radv, lavapipe, library: library()?, cache, names })
    }

    /// What some programs print on lavapipe.
    pub fn lavapipe<'n>(&self, names: impl Iterator<Item = &'n String>) -> Result<String, String> {
        let mut command = self.command(&self.lavapipe, names);
        // Results are the same to the bit with what LLVM does for speed and without, and most of the time goes there: it takes twice as long.
        command.env("GALLIVM_PERF", "nopt");
        finish(&mut command, LIMIT)
    }

    /// The names of the programs.
    pub fn programs(&self) -> &[String] {
        &self.names
    }

    /// What one of them prints on lavapipe: asked once for all processes that have these programs and this driver.
    pub fn lavapipe_once(&self, name: &String) -> Result<String, String> {
        let mut hasher = DefaultHasher::new();
        for path in [Path::new(env!("CARGO_BIN_EXE_vulkan-programs")), &self.lavapipe] {
            let about = std::fs::metadata(path).map_err(|e| format!("{}: {e}", path.display()))?;
            (path, about.len(), about.modified().ok()).hash(&mut hasher);
        }
        let path = self.cache.join(format!("{name}-{:016x}", hasher.finish()));
        if let Ok(text) = std::fs::read_to_string(&path) {
            return Ok(text);
        }
        let text = self.lavapipe([name].into_iter())?;
        // Others may read it meanwhile: it is there as a whole or not at all.
        let part = path.with_extension(std::process::id().to_string());
        let written = std::fs::create_dir_all(&self.cache).and_then(|()| std::fs::write(&part, &text));
        written.and_then(|()| std::fs::rename(&part, &path)).map_err(|e| e.to_string())?;
        Ok(text)
    }

    /// What some of them print on a virtual GPU.
    pub fn virtual_gpu<'n>(
        &self,
        chip: &str,
        queue: &str,
        names: impl Iterator<Item = &'n String>,
    ) -> Result<String, String> {
        let mut command = self.command(&self.radv, names);
        // As `wavediff gpu` asks: no metadata of compressed images.
        command.env("RADV_DEBUG", "nodcc,nohiz,nofmask");
        command.args(["--queue", queue]).env("LD_PRELOAD", &self.library).env("WAVEDIFF_VGPU_CHIPS", chip);
        finish(&mut command, LIMIT)
    }

    fn command<'n>(&self, icd: &Path, names: impl Iterator<Item = &'n String>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vulkan-programs"));
        command.args(names).env("VULKAN_PROGRAMS_CACHE", &self.cache);
        command.env("VK_ICD_FILENAMES", icd).env("VK_DRIVER_FILES", icd);
        // Mesa's layer that chooses devices would ask for a display; a cache on disk would answer in the compiler's place.
        command.env("NODEVICE_SELECT", "1").env("MESA_SHADER_CACHE_DISABLE", "1");
        command
    }
}

/// The system's lavapipe.
fn installed() -> Result<PathBuf, String> {
    let entries = std::fs::read_dir(ICDS).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_lavapipe = |path: &PathBuf| path.file_name().is_some_and(|f| f.to_string_lossy().starts_with("lvp_icd"));
    entries
        .filter(is_lavapipe)
        .min()
        .ok_or_else(|| format!("there is no lvp_icd*.json in {ICDS}, and LVP_ICD is not set"))
}

/// The library that answers for the kernel: beside the binary, where cargo puts it.
fn library() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("WAVEDIFF_VGPU_LIBRARY") {
        return Ok(path.into());
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_vulkan-programs"));
    let folder = binary.parent().ok_or("a binary without a folder")?;
    let places = [folder.join("deps/libwavediff_preload.so"), folder.join("libwavediff_preload.so")];
    let found = places.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| "libwavediff_preload.so is not built: cargo build --release -p wavediff-preload".to_owned())
}

/// What a process prints; that it fails shows in what it printed, unless it printed nothing.
fn finish(command: &mut Command, limit: Duration) -> Result<String, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let reader = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut text);
            }
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let out = reader(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let err = reader(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break Some(status),
            None if begun.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
    let said: Vec<&str> = err.lines().collect();
    let said = said[said.len().saturating_sub(12)..].join("\n");
    match status {
        None => Err(format!("it ran longer than {} s; the last program it began is\n{said}", limit.as_secs())),
        Some(status) if status.code().is_none() || (!status.success() && out.is_empty()) => {
            let program =
                Path::new(command.get_program()).file_name().unwrap_or(OsStr::new("?")).to_string_lossy().into_owned();
            Err(format!("{program}: {status}; the last program it began is\n{said}"))
        }
        Some(_) => Ok(out),
    }
}
