//! The programs of tests: built as this one is, and run as a mutant, or to see what their tests
//! meet.

use crate::evidence::{Evidence, Harness};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A program with tests.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: &'static str,
    pub harness: Harness,
    pub path: PathBuf,
}

/// What became of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All tests passed.
    Passed,
    /// One failed, or the program crashed.
    Failed,
    /// It did not end in time.
    Hung,
}

/// The folder for what is made here.
pub fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Programs of other packages than this one: where these lie, and the variable that asks for tests which meet little each.
const ELSEWHERE: [(&str, &str, Option<&str>); 2] =
    [("recordings", "harness", None), ("equal", "harness/vgpu/programs", Some("VGPU_EACH"))];

/// Builds the programs in the profile of this one.
pub fn build() -> Result<Vec<Program>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = |name: &str| match ELSEWHERE.iter().find(|(elsewhere, ..)| *elsewhere == name) {
        Some((_, package, _)) => root.join(package),
        None => root.to_owned(),
    };
    let programs = Evidence::programs();
    let folders: Vec<PathBuf> = programs.iter().map(|(name, _)| folder(name)).collect();
    let wanted: Vec<(&Path, &str)> =
        folders.iter().zip(&programs).map(|(folder, (name, _))| (folder.as_path(), *name)).collect();
    let mut paths = crate::built::build(&wanted)?;
    let found = |(name, harness): (&'static str, Harness)| {
        let path = paths.remove(name).ok_or_else(|| format!("no program {name}"))?;
        Ok(Program { name, harness, path })
    };
    programs.into_iter().map(found).collect()
}

/// Waits for a child, which is stopped when it takes too long.
fn wait(mut child: Child, most: Duration) -> Ended {
    let start = Instant::now();
    let mut nap = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ended::Passed,
            Ok(Some(_)) | Err(_) => return Ended::Failed,
            Ok(None) if start.elapsed() > most => {
                let _ = child.kill();
                let _ = child.wait();
                return Ended::Hung;
            }
            Ok(None) => std::thread::sleep(nap),
        }
        nap = (nap * 2).min(Duration::from_millis(10));
    }
}

impl Program {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        let each = ELSEWHERE.iter().find(|(name, ..)| *name == self.name);
        command.env("WAVEDIFF_THOROUGH", "1");
        command.envs(each.and_then(|(.., variable)| Some((variable.as_ref()?, "1"))));
        command
    }

    /// The names of its tests that are evidence.
    pub fn trials(&self) -> Result<Vec<String>, String> {
        let output = self.command().arg("--list").output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        // Programs with their own tests put what is ignored, and the kind of a test, beside the
        // name.
        let names = names.map(|name| name.rsplit_once("] ").map_or(name, |(_, name)| name));
        Ok(names.filter(|name| Evidence::of(self.name, name).is_some()).map(str::to_owned).collect())
    }

    /// Runs some of its tests, one behind the other, under variables of the environment.
    pub fn run(&self, trials: &[&str], variables: &[(&str, &str)], most: Duration) -> Ended {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut command = self.command();
        command.arg("--test-threads=1").current_dir(env!("CARGO_MANIFEST_DIR"));
        command.envs(variables.iter().copied()).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        let mut list = None;
        match self.harness {
            Harness::Libtest => _ = command.arg("--exact").args(trials),
            Harness::Trials | Harness::Alone => {
                let number = NUMBER.fetch_add(1, Ordering::Relaxed);
                let path = folder().join(format!("trials-{}-{number}", std::process::id()));
                let mut file = std::fs::File::create(&path).expect("a list of tests");
                file.write_all(trials.join("\n").as_bytes()).expect("a list of tests");
                command.env("WAVEDIFF_TRIALS", &path);
                list = Some(path);
            }
        }
        let ended = match command.spawn() {
            Ok(child) => wait(child, most),
            Err(_) => Ended::Failed,
        };
        if let Some(list) = list {
            let _ = std::fs::remove_file(list);
        }
        ended
    }
}
