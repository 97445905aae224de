//! Files that have no end, or unpack to more than fits anywhere.

use super::*;
use std::io::Read;
use wavediff::engine::{Outcome, WaveState, wire};

/// Sixteen GiB of zeroes: frames of zstd may follow each other.
fn bomb() -> Vec<u8> {
    let frame = zstd::encode_all(std::io::repeat(0).take(64 << 20), 1).expect("memory");
    let bomb = frame.repeat(256);
    assert!(bomb.len() < 2 << 20, "{} bytes", bomb.len());
    bomb
}

/// One that is a single frame, whose head promises what it holds.
fn frame(bytes: usize) -> Vec<u8> {
    zstd::bulk::compress(&vec![0; bytes], 19).expect("memory")
}

/// In the place of a file of a recording that is there, whatever its index says of it.
#[test]
fn a_recording_is_unpacked_to_what_its_index_promises() {
    let folder = Folder::new("recording");
    let recordings = std::fs::read_dir(project("golden/recorded")).expect("recordings");
    let original = recordings.map(|entry| entry.expect("an entry").path()).find(|path| path.is_dir()).expect("one");
    for entry in std::fs::read_dir(original).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        folder.put(&format!("x/{name}"), std::fs::read(&path).expect("a file"));
    }
    let show = || within(1024, &["golden", "show", &folder.path("x")]);
    assert_eq!(show().code, Some(0), "{}", show().err);
    for packed in [bomb(), frame(200 << 20)] {
        folder.put("x/alu-gfx600-w64.zst", packed);
        show().failed_with("alu-gfx600-w64.zst can not be read");
        show().failed_with("promise");
        // A folder of recordings is looked through by every run.
        let args = ["conform", "control", "--arch", "gfx1100", "--engines", "golden", "--golden", &folder.path("")];
        within(1024, &args).failed_with("alu-gfx600-w64.zst can not be read");
    }
}

#[test]
fn a_trace_is_unpacked_to_what_its_head_promises() {
    let folder = Folder::new("trace");
    let case = folder.put("add.s", "; isa: gfx900\n; v0 = 1.5\n; expect: v1 = 3.0\nv_add_f32 v1, v0, v0\n");
    let trace = folder.path("add.trace");
    let ran = wavediff(&["golden", "trace", &case, "--engine", "emu", "-o", &trace]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let bisect = |mib| within(mib, &["bisect", &case, "--engines", &format!("emu,golden:{trace}")]);
    let ran = bisect(2048);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let bytes = folder.read("add.trace");
    let end = bytes.iter().position(|byte| *byte == b'\n').expect("a first line") + 1;
    let mut head: serde_json::Value = serde_json::from_slice(&bytes[..end]).expect("JSON");
    for promised in [head["bytes"].clone(), (16u64 << 30).into(), u64::MAX.into()] {
        head["bytes"] = promised;
        folder.put("add.trace", [format!("{head}\n").as_bytes(), &bomb()].concat());
        let ran = bisect(1024);
        ran.failed_with("add.trace` is no trace");
        ran.failed_with("promise");
    }
}

/// A state has few bytes for a register that is zero in all lanes: a trace that is small enough may be of states that are not.
#[test]
fn a_trace_of_states_that_fit_nowhere_is_refused() {
    let folder = Folder::new("states");
    let case = folder.put("add.s", "; isa: gfx900\n; v0 = 1.5\n; expect: v1 = 3.0\nv_add_f32 v1, v0, v0\n");
    let trace = folder.path("add.trace");
    let ran = wavediff(&["golden", "trace", &case, "--engine", "emu", "-o", &trace]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let bytes = folder.read("add.trace");
    let end = bytes.iter().position(|byte| *byte == b'\n').expect("a first line") + 1;
    let mut head: serde_json::Value = serde_json::from_slice(&bytes[..end]).expect("JSON");
    // Sixty-four states of 64 MiB in 17 MB, which are packed to nearly nothing.
    let wave = WaveState { vgprs: vec![[0; 64]; 1 << 18], wave_size: 64, ..WaveState::default() };
    let state = wire::encode(&Ok(Outcome { waves: vec![wave], ..Outcome::default() }));
    let mut states = 64u64.to_le_bytes().to_vec();
    for _ in 0..64 {
        states.extend((state.len() as u64).to_le_bytes());
        states.extend(&state);
    }
    head["bytes"] = states.len().into();
    let packed = zstd::bulk::compress(&states, 1).expect("memory");
    folder.put("add.trace", [format!("{head}\n").as_bytes(), &packed].concat());
    let ran = within(2048, &["bisect", &case, "--engines", &format!("emu,golden:{trace}")]);
    ran.failed_with("number of registers");
}

/// Every command that reads a file, and a file without an end. What it must do with would not hold what it must not read.
#[test]
fn a_file_without_an_end_is_an_error() {
    let folder = Folder::new("zero");
    let zero = "/dev/zero";
    if !Path::new(zero).exists() {
        return;
    }
    let object = object(&folder);
    let kernel = ["--kernel", "saxpy", "--grid", "64", "--group", "64", "--arg", "in:/dev/zero"];
    let report = folder.path("report");
    let options = format!("@{zero}");
    let journals = [
        vec!["report", "show", zero],
        vec!["report", "merge", zero],
        vec!["report", "html", zero, "-o", &report],
        vec!["report", "junit", zero, "-o", &report],
        vec!["report", "diff", zero, zero],
        vec!["conform", "control", "--arch", "gfx1100", "--engines", "emu", "--every", "9", "--resume", zero],
    ];
    let inputs = [
        vec!["run", zero],
        vec!["trace", zero],
        vec!["diff", zero, "--engines", "emu,emu"],
        vec!["asm", "--arch", "gfx900", zero],
        vec!["disasm", "--arch", "gfx900", zero],
        vec!["scan", "--arch", "gfx900", zero],
        vec!["golden", "import", zero, "--check"],
    ];
    for args in &inputs {
        within(1536, args)
            .failed_with("`/dev/zero` has more than 256 MiB, which is the most that is read of such a file");
    }
    for args in &journals {
        within(2048, args).failed_with("`/dev/zero` has more than 512 MiB");
    }
    assert!(!Path::new(&report).exists());
    within(1024, &["conform", &options]).failed_with("`/dev/zero` has more than 1 MiB");
    // A log is read line by line, and this is one without an end.
    #[cfg(target_os = "linux")]
    within(1024, &["gpu", "--explain", zero]).failed_with("/dev/zero: a line is longer than 64 MiB");
    within(3072, &[&["run", &object][..], &kernel].concat()).failed_with("`/dev/zero` needs");
    // A pipe that goes on and on, by its name and as standard input.
    for name in ["-", "/dev/stdin"] {
        let script = format!("ulimit -v {}; yes '; isa: gfx900' | \"$@\"", 1536 << 10);
        shell(&script, &["run", name]).failed_with("has more than 256 MiB");
        shell(&script, &["asm", "--arch", "gfx900", name]).failed_with("has more than 256 MiB");
    }
    #[cfg(unix)]
    {
        // Lists and indexes are texts of people.
        std::fs::create_dir_all(folder.path("expect")).expect("a folder");
        std::os::unix::fs::symlink(zero, folder.path("expect/emu-fails.txt")).expect("a link");
        let args = ["conform", "control", "--arch", "gfx1100", "--engines", "emu", "--every", "9", "--expect"];
        within(2048, &[&args[..], &[&folder.path("expect")]].concat())
            .failed_with("emu-fails.txt` has more than 64 MiB");
        std::fs::create_dir_all(folder.path("recording")).expect("a folder");
        std::os::unix::fs::symlink(zero, folder.path("recording/index.txt")).expect("a link");
        within(1024, &["golden", "show", &folder.path("recording")]).failed_with("index.txt` has more than 64 MiB");
    }
}

/// The code object of a kernel that takes buffers.
pub fn object(folder: &Folder) -> String {
    let object = folder.path("saxpy.o");
    let ran = wavediff(&["asm", "--elf", &project("shaders/memory/saxpy.gfx9.s"), "-o", &object]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    object
}
