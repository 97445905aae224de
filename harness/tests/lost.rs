//! What must not be lost, and what must not be done: journals that are damaged, killed or written by two; full disks; files without an end, bombs,
//! numbers that ask for all memory; control sequences on the way to a terminal; cases that read what is not theirs.
//!
//! Every run here has a time within which it must be over and, where memory is at stake, an address space that it must do with.

#[path = "lost/bombs.rs"]
mod bombs;
#[path = "lost/cases.rs"]
mod cases;
#[path = "lost/disk.rs"]
mod disk;
#[path = "lost/journals.rs"]
mod journals;
#[path = "lost/numbers.rs"]
mod numbers;
#[path = "program/sealed.rs"]
mod sealed;
#[path = "lost/terminal.rs"]
mod terminal;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_wavediff");

/// Within this everything here must be over, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("wavediff-lost-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        // Links on the way to it are not the matter here.
        Folder(path.canonicalize().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path in UTF-8").to_owned()
    }

    fn put(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, contents).expect("a file");
        path
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("a file")
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What came of a run.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    /// It ended by itself with an error that says something.
    fn failed_with(&self, says: &str) {
        let Ran { code, out, err } = self;
        assert!(matches!(code, Some(1 | 2)), "{code:?}: {out}{err}");
        assert!(err.contains(says) || out.contains(says), "`{says}` is not in: {out}{err}");
    }
}

/// Waits for the end of a process, which must come in time.
fn ended(mut command: Command) -> Ran {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let start = Instant::now();
    let read = |from: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            from.expect("a stream").read_to_end(&mut bytes).expect("a stream");
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(child.stdout.take().map(|stream| Box::new(stream) as _));
    let err = read(child.stderr.take().map(|stream| Box::new(stream) as _));
    let status = loop {
        if let Some(status) = child.try_wait().expect("a process") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("a process");
            panic!("{command:?} is not over after {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    Ran { code: status.code(), out: out.join().expect("text"), err: err.join().expect("text") }
}

fn wavediff(args: &[&str]) -> Ran {
    let mut command = Command::new(PROGRAM);
    command.args(args).stdin(Stdio::null());
    ended(command)
}

/// The program in a shell that has done something first: `ulimit -v 2000000`. The program is `"$@"`.
fn shell(script: &str, args: &[&str]) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", PROGRAM]).args(args).stdin(Stdio::null());
    ended(command)
}

/// The program with so many MiB of address space.
fn within(mib: u32, args: &[&str]) -> Ran {
    shell(&format!("ulimit -v {} && exec \"$@\"", mib << 10), args)
}

/// A file of the project.
fn project(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// What a command left, for those that must succeed.
fn output(mut command: Command) -> Output {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}
