//! `wavediff run`, `trace`, `scan` and `isa --coverage` as a user meets them: output, exit codes, files.

#[cfg(target_os = "linux")]
#[path = "program/peak.rs"]
mod peak;
#[cfg(target_os = "linux")]
#[path = "program/processes.rs"]
mod processes;
mod program;

use program::{code, err, file, folder, out, wavediff};
use std::process::Command;
use std::time::Duration;
use wavediff::engine::isolate::{Lost, Worker};
use wavediff::engine::wire;

/// An instruction that nobody executes.
const UNKNOWN: &str = "image_gather4h v[0:3], v34, s[36:43], s[52:55] dmask:0x1 dim:SQ_RSRC_IMG_1D";
const ADD: &str = "; isa: gfx900, gfx1100\n; v0 = 1.5\n; expect: v1 = 3.0\nv_add_f32 v1, v0, v0\n";

#[test]
fn a_case_passes() {
    let case = file(&folder("pass"), "add.s", ADD);
    let run = wavediff(&["run", &case]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    assert!(out(&run).contains("gfx900: pass"), "{}", out(&run));
    assert!(out(&run).contains("gfx1100 wave32: pass"), "{}", out(&run));
    assert!(out(&run).contains("v1  lanes 0-63  0x40400000  f32 3.0"), "{}", out(&run));
    let json = wavediff(&["run", &case, "--arch", "gfx1100", "--json", "--stats"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(value["runs"][0]["status"], "pass");
    assert_eq!(value["runs"][0]["observed"][0]["bits"][31], "0x40400000");
    assert_eq!(value["runs"][0]["stats"]["families"]["VOP2"], 1);
    assert_eq!(value["runs"][0]["stats"]["lane_operations"], 32);
}

/// What was exported is shown: what the case looks at by lane, and each export with its lanes and flags.
#[test]
fn exports_are_shown() {
    let text = "; isa: gfx1030\n; v0 = f32 ramp(1, 1)\n; exec = 0x3\n; observe: f32 export mrt0.y, export valid\n\
                ; expect: export mrt0.x = [1.0, 2.0]\nexp mrt0 v0, v0, off, off done vm\n";
    let case = file(&folder("exports"), "export.s", text);
    let run = wavediff(&["run", &case]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let line = "export mrt0.y  lanes 0-1  0x3f800000 0x40000000  f32 1.0 2.0";
    assert!(out(&run).contains(line), "{}", out(&run));
    assert!(out(&run).contains("export valid              0x0000000000000003     u64 3\n"), "{}", out(&run));
    let line = "export of mrt0.xy done valid by lanes 0x3 of group (0, 0, 0) wave 0 at 0x0000";
    assert!(out(&run).contains(line), "{}", out(&run));
    let json = wavediff(&["run", &case, "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let export = &value["runs"][0]["exports"][0];
    assert_eq!((&export["target"], &export["elements"], &export["done"]), (&"mrt0".into(), &"xy".into(), &true.into()));
    assert_eq!(export["lanes"][1], serde_json::json!([2f32.to_bits(), 2f32.to_bits(), 0, 0]));
    let trace = wavediff(&["trace", &case]);
    assert!(out(&trace).contains("    > export mrt0.x = 0x3f800000 0x40000000  lanes 0-1\n"), "{}", out(&trace));
    // A lane that did not export is no zero, and nothing was exported to another target.
    for (place, value) in [("mrt0.x", "[1.0, 2.0, 0]"), ("mrt1.x", "1.0"), ("mrt0.z", "0"), ("mrt0[0].x", "1.0")] {
        let wrong = text.replace("export mrt0.x = [1.0, 2.0]", &format!("export {place} = {value}"));
        let run = wavediff(&["run", &file(&folder("exports"), "wrong.s", &wrong)]);
        assert_eq!(code(&run), 1, "{place} = {value}: {}", out(&run));
    }
}

#[test]
fn a_case_fails_traps_or_is_wrong() {
    let folder = folder("fail");
    let run = |text: &str, more: &[&str]| {
        let case = file(&folder, "case.s", text);
        wavediff(&[&["run", &case], more].concat())
    };
    let wrong = run("; isa: gfx900\n; expect: v0 = 1\ns_nop 0\n", &[]);
    assert_eq!(code(&wrong), 1);
    assert!(out(&wrong).contains("v0 lane 0: expected u32 0x00000001 (1), got 0x00000000 (0)"), "{}", out(&wrong));
    let trap = run("; isa: gfx900\nflat_load_dword v0, v[0:1]\n", &[]);
    assert_eq!(code(&trap), 2);
    assert!(
        out(&trap).contains("bad address: load of 4 bytes at 0x0000 `flat_load_dword v0, v[0:1]`"),
        "{}",
        out(&trap)
    );
    let endless = run("; isa: gfx900\nl: s_branch l\n", &["--budget", "1000"]);
    assert_eq!(code(&endless), 2);
    let expected = run("; isa: gfx900\n; expect: trap s_trap 2\ns_trap 2\n", &[]);
    assert_eq!(code(&expected), 0, "{}", out(&expected));
    let unsupported = run("; isa: gfx1100\nexport_is_no_name\n", &[]);
    assert_eq!(code(&unsupported), 1);
    assert!(err(&unsupported).contains("case.s:2:1: error: unknown instruction"), "{}", err(&unsupported));
    let unknown = run(&format!("; isa: gfx1030\n{UNKNOWN}\n"), &[]);
    assert_eq!(code(&unknown), 1);
    assert!(out(&unknown).contains("no public source says"), "{}", out(&unknown));
    let header = run("; isa: gfx900\n; v0 = nonsense\ns_nop 0\n", &[]);
    assert_eq!(code(&header), 1);
    assert!(err(&header).contains("case.s:2:8: error:"), "{}", err(&header));
    assert_eq!(code(&run("; isa: gfx900\ns_nop 0\n", &["--arch", "gfx1100"])), 1);
    assert_eq!(code(&run("; isa: gfx900\ns_nop 0\n", &["--grid", "64"])), 2);
    assert_eq!(code(&run("; isa: gfx900\ns_nop 0\n", &["--threads", "0"])), 2);
    assert_eq!(code(&wavediff(&["run", "no such file"])), 1);
}

#[test]
fn of_several_files_all_cases_run() {
    let folder = folder("several");
    let good = file(&folder, "good.s", ADD);
    let wrong = file(&folder, "wrong.s", "; isa: gfx900\n; expect: v0 = 1\ns_nop 0\n");
    let broken = file(&folder, "broken.s", "; isa: gfx900\nno_such_instruction\n");
    let other = file(&folder, "other.s", "; isa: gfx600\ns_nop 0\n");
    let all = wavediff(&["run", &broken, &wrong, &other, &good, "--arch", "gfx900"]);
    assert_eq!(code(&all), 1);
    assert!(out(&all).contains("good.s: gfx900: pass"), "behind one with errors: {}", out(&all));
    assert!(err(&all).contains("2 runs, 1 pass, 1 fail, 1 files with errors, 1 files for other"), "{}", err(&all));
    let passing = wavediff(&["run", &good, &good, "--arch", "gfx900", "--json"]);
    assert_eq!(code(&passing), 0, "{}", err(&passing));
    let lines: Vec<serde_json::Value> =
        out(&passing).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1]["runs"][0]["status"], "pass");
    assert_eq!(code(&wavediff(&["run", &good, &good, "--arch", "gfx1030"])), 1, "for nothing that was asked for");
    let kernels = wavediff(&["run", &good, &good, "--grid", "64"]);
    assert_eq!(code(&kernels), 2);
    assert!(err(&kernels).contains("only cases run"), "{}", err(&kernels));
}

#[test]
fn a_trace_shows_reads_and_writes() {
    let case = file(&folder("trace"), "add.s", ADD);
    let trace = wavediff(&["trace", &case, "--arch", "gfx1100"]);
    assert_eq!(code(&trace), 0, "{}", err(&trace));
    assert!(out(&trace).contains("< v0 = 0x3fc00000  lanes 0-31"), "{}", out(&trace));
    assert!(out(&trace).contains("> v1 = 0x40400000  lanes 0-31"), "{}", out(&trace));
    let lines = wavediff(&["trace", &case, "--arch", "gfx1100", "--format", "jsonl", "--show-lanes", "3", "--to", "0"]);
    assert_eq!(out(&lines).lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(out(&lines).trim()).expect("JSON");
    assert_eq!(value["writes"][0]["values"], serde_json::json!([[3, "0x40400000"]]));
    assert_eq!(code(&wavediff(&["trace", &case, "--wave", "x"])), 2);
    assert_eq!(code(&wavediff(&["trace", &case, "--show-lanes", "9-3"])), 2);
}

#[test]
fn scans_and_coverage() {
    let folder = folder("scan");
    let case = file(&folder, "case.s", &format!("; isa: gfx1030\n; wave: 64\nv_rcp_f32 v1, v0\n{UNKNOWN}\n"));
    let plain = file(&folder, "plain.s", "; isa: gfx900\nv_rcp_f32 v1, v0\n");
    let scan = wavediff(&["scan", &case]);
    assert_eq!(code(&scan), 1, "{}", err(&scan));
    let lines: Vec<String> = out(&scan).lines().map(str::to_owned).collect();
    let at = |word: &str| lines.iter().position(|l| l.starts_with(word)).expect("a line");
    assert!(at("unsupported") < at("approximate") && at("approximate") < at("exact"), "{lines:?}");
    let raw = folder.join("raw.bin");
    std::fs::write(&raw, [0u8, 0, 0x81, 0xbf]).expect("a file");
    assert_eq!(code(&wavediff(&["scan", &raw.to_string_lossy()])), 2);
    assert_eq!(code(&wavediff(&["scan", &raw.to_string_lossy(), "--arch", "gfx900"])), 0);
    for command in ["scan", "translate"] {
        assert_eq!(code(&wavediff(&[command, &case, "--wave", "64"])), 1);
        assert_eq!(code(&wavediff(&[command, &plain, "--wave", "32"])), 2, "gfx900 has no such waves");
        std::fs::write(&raw, [0u8, 0, 0x81, 0xbf, 0]).expect("a file");
        let odd = wavediff(&[command, &raw.to_string_lossy(), "--arch", "gfx900"]);
        assert_eq!((code(&odd), err(&odd).contains("5 bytes long")), (2, true), "{}", err(&odd));
    }
    assert_eq!(code(&wavediff(&["translate", &case, "--kernel", "k"])), 2);
    let coverage = wavediff(&["isa", "--arch", "gfx1100", "--coverage", "--format", "csv"]);
    assert_eq!(code(&coverage), 0);
    assert!(out(&coverage).starts_with("family,mnemonic,status,reason\n"));
    assert!(out(&coverage).contains("VOP2,v_add_f32,executed,\n"));
    // What is not executed names the fact that is missing.
    let text = out(&coverage);
    let unsupported: Vec<&str> = text.lines().filter(|line| line.contains(",unsupported,")).collect();
    assert!(unsupported.iter().all(|line| line.contains("no public source says")), "{unsupported:?}");
    assert_eq!(unsupported.len(), 1, "{unsupported:?}");
    // What is executed is translated, and what is not is refused for the same facts.
    let mut refused = 0;
    for chip in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx940", "gfx1030", "gfx1100", "gfx1200"] {
        let [emulated, translated] = ["emu", "vulkan"].map(|engine| {
            let csv = out(&wavediff(&["isa", "--arch", chip, "--coverage", "--engine", engine, "--format", "csv"]));
            csv.lines().filter(|line| line.contains(",unsupported,")).map(str::to_owned).collect::<Vec<_>>()
        });
        assert_eq!(translated, emulated, "{chip}");
        refused += emulated.len();
    }
    assert_eq!(refused, 7);
}

/// The arguments of a kernel from files and into files.
#[test]
fn a_kernel_that_clang_compiled() {
    let Some(clang) = ["clang-19", "clang"].into_iter().find(|c| Command::new(c).arg("--version").output().is_ok())
    else {
        println!("skipped: clang 19 is not there");
        return;
    };
    let folder = folder("kernel");
    let source = file(
        &folder,
        "saxpy.cl",
        "typedef unsigned uint;\n__kernel void saxpy(__global const float *x, __global float *y, float a, uint n) {\n  \
         uint i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n",
    );
    let bytes = |f: &dyn Fn(u32) -> f32| (0..100).flat_map(|i| f(i).to_le_bytes()).collect::<Vec<u8>>();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    std::fs::write(path("x"), bytes(&|i| i as f32)).expect("a file");
    std::fs::write(path("y"), bytes(&|i| 0.5 * i as f32)).expect("a file");
    for gpu in ["gfx600", "gfx700", "gfx803", "gfx906", "gfx1030", "gfx1100", "gfx1200"] {
        let object = path(&format!("{gpu}.o"));
        let flags = ["--target=amdgcn-amd-amdhsa", "-x", "cl", "-O2", "-nogpulib", "-c", &source, "-o", &object];
        let cpu = format!("-mcpu={gpu}");
        let compiled = Command::new(clang).args(flags).arg(&cpu).output().expect("clang starts");
        assert!(compiled.status.success(), "{gpu}: {}", err(&compiled));
        let (x, y) = (format!("in:{}", path("x")), format!("inout:{}:{}", path("y"), path("z")));
        let grid = ["run", &object, "--kernel", "saxpy", "--grid", "128", "--group", "64"];
        let args = ["--arg", &x, "--arg", &y, "--arg", "f32:2", "--arg", "u32:100"];
        let run = wavediff(&[&grid[..], &args[..], &["--stats"]].concat());
        assert_eq!(code(&run), 0, "{gpu}: {}", err(&run));
        assert!(out(&run).contains("wave-instructions"), "{gpu}: {}", out(&run));
        assert_eq!(std::fs::read(path("z")).expect("the result"), bytes(&|i| 2.5 * i as f32), "{gpu}");
        // Reading beyond the buffers is a trap.
        let beyond = ["--arg", &x, "--arg", &y, "--arg", "f32:2", "--arg", "u32:128"];
        let trap = wavediff(&[&grid[..], &beyond[..]].concat());
        assert_eq!(code(&trap), 2, "{gpu}: {}", err(&trap));
        assert!(err(&trap).contains("bad address"), "{gpu}: {}", err(&trap));
        assert_eq!(code(&wavediff(&[&grid[..], &args[..6]].concat())), 2, "{gpu}: arguments are missing");
        assert_eq!(code(&wavediff(&["run", &object, "--kernel", "daxpy", "--grid", "1", "--group", "1"])), 2);
        assert_eq!(code(&wavediff(&["scan", &object])), 0, "{gpu}");
    }
}

/// Lanes that store to the same words.
const RACE: &str = "; isa: gfx900
; lds: 512
; observe: lds
; v1 = ramp(0, 4)
; v2 = ramp(0x100, 1)
; v3 = ramp(0x200, 1)
; v4 = ramp(0x300, 1)
ds_write_b96 v1, v[2:4]
s_waitcnt lgkmcnt(0)
";

/// Where lanes meet nothing says which one wins: `--reverse` shows another winner, and `diff` names the reason.
#[test]
fn lanes_that_meet() {
    let folder = folder("meet");
    let case = file(&folder, "race.s", RACE);
    for (how, words) in
        [(&[][..], "0x00000100 0x00000101 0x00000102"), (&["--reverse"], "0x00000100 0x00000200 0x00000300")]
    {
        let run = wavediff(&[&["run", &case], how].concat());
        assert_eq!(code(&run), 0, "{}", err(&run));
        assert!(out(&run).contains(words), "{how:?}: {}", out(&run));
    }
    if !device() {
        return;
    }
    let bisect = wavediff(&["bisect", &case, "--lanes", "workgroup"]);
    assert_eq!(code(&bisect) == 1, out(&bisect).contains("\n  the order of lanes decides: "), "{}", out(&bisect));
    let diff = wavediff(&["diff", &case, "--lanes", "workgroup"]);
    let differences: Vec<String> = out(&diff).lines().filter(|l| l.starts_with("  lds")).map(str::to_owned).collect();
    assert!(!differences.is_empty() || !out(&diff).contains("llvmpipe"), "{}", out(&diff));
    for difference in differences {
        assert!(difference.ends_with("; the order of lanes decides"), "{difference}");
    }
}

/// Whether there is a device. Where one is required, there must be.
fn device() -> bool {
    let devices = wavediff(&["devices", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&out(&devices)).expect("JSON");
    let some = all["vulkan"]["devices"].as_array().is_some_and(|devices| !devices.is_empty());
    assert!(some || std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none(), "{all}");
    if !some {
        println!("skipped: no device");
    }
    some
}

/// A driver that falls over is what came of one case; the next one runs in another process.
#[test]
fn isolated_runs() {
    if !device() {
        return;
    }
    let folder = folder("isolated");
    let (first, second) = (file(&folder, "first.s", ADD), file(&folder, "second.s", ADD));
    let run = wavediff(&["run", &first, "--engine", "vulkan", "--isolate"]);
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    assert!(out(&run).contains("v1  lanes 0-31  0x40400000  f32 3.0"), "{}", out(&run));
    let wrong = file(&folder, "wrong.s", "; isa: gfx1100\nv_nonsense v0\n");
    let refused = wavediff(&["run", &wrong, "--engine", "vulkan", "--isolate"]);
    assert_eq!(code(&refused), 1);
    assert!(err(&refused).contains("unknown instruction `v_nonsense`"), "{}", err(&refused));
    if !cfg!(debug_assertions) {
        return;
    }
    let dies = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(["diff", &first, &second, "--arch", "gfx1100", "--isolate"])
        .env("WAVEDIFF_WORKER_DIES", &first)
        .output()
        .expect("the program starts");
    let text = out(&dies);
    assert_eq!(code(&dies), 1, "{text}");
    assert!(text.contains("first.s: gfx1100 wave32: crash\n") && text.contains("the driver fell over"), "{text}");
    assert!(text.contains("second.s: gfx1100 wave32: equal\n"), "{text}");
}

/// The emulator runs in another process as well, with what was asked of it, and so does each side of a comparison.
#[test]
fn isolated_emulator() {
    let folder = folder("isolated-emulator");
    let case = file(&folder, "add.s", ADD);
    let run = wavediff(&["run", &case, "--isolate", "--stats"]);
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    assert!(out(&run).contains("v1  lanes 0-31  0x40400000  f32 3.0") && out(&run).contains("VOP2"), "{}", out(&run));
    let endless = file(&folder, "endless.s", "; isa: gfx900\nl: s_branch l\n");
    let stopped = wavediff(&["run", &endless, "--isolate", "--budget", "1000"]);
    assert!(code(&stopped) == 2 && out(&stopped).contains("more than 1000 instructions"), "{}", out(&stopped));
    let diff = wavediff(&["diff", &case, "--engines", "emu,emu", "--isolate"]);
    assert!(code(&diff) == 0 && out(&diff).contains("2 equal"), "{}", out(&diff));
    if cfg!(debug_assertions) {
        let dies = Command::new(env!("CARGO_BIN_EXE_wavediff"))
            .args(["run", &case, "--arch", "gfx1100", "--isolate"])
            .env("WAVEDIFF_WORKER_DIES", &case)
            .output()
            .expect("the program starts");
        assert!(out(&dies).contains("gfx1100 wave32: crash\n"), "{}", out(&dies));
    }
}

/// The worker of the emulator may take what `--memory` says beside what it maps, and when it is killed, that is what came of the run.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_is_killed_is_a_crash_of_its_run() {
    use processes::{address_space, children, mapped, signal, wait_for};
    let endless = file(&folder("killed"), "endless.s", "; isa: gfx900\nl: s_branch l\n");
    let mut run = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(["run", &endless, "--isolate", "--memory", "1G", "--budget", "1000000000000000"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A limit that the tests have themselves is that of the worker, if it is less.
    let limit = ((1 << 30) + mapped()).min(address_space(std::process::id()).unwrap_or(u64::MAX));
    let worker = wait_for(|| children(run.id()).first().copied());
    let found = worker.and_then(|pid| wait_for(|| address_space(pid).filter(|bytes| *bytes == limit)));
    let last = worker.and_then(address_space);
    let killed = worker.is_some_and(|pid| signal("-KILL", pid));
    if !killed {
        // Else it would go on.
        run.kill().expect("a process");
    }
    let run = run.wait_with_output().expect("the program ends");
    assert!(killed, "no worker was seen: {}{}", out(&run), err(&run));
    assert_eq!(found, Some(limit), "{last:?} in the end");
    assert_eq!(code(&run), 1, "{}{}", out(&run), err(&run));
    assert!(out(&run).contains("endless.s: gfx900: crash\n") && out(&run).contains("SIGKILL"), "{}", out(&run));
}

/// A worker that takes more address space than it may ends, with a reason, and the next request starts another.
#[cfg(target_os = "linux")]
#[test]
fn workers_have_a_limit() {
    let worker = |space: &'static str| {
        Worker::new(move || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_wavediff"));
            command.args(["worker", "--address-space", space]);
            command
        })
    };
    let request = |buffer: u32| {
        let text = format!("; isa: gfx1100\n; buffer b[{buffer}]\ns_nop 0\n");
        let about = serde_json::json!({"engine": "emu", "lanes": "auto", "threads": 1, "name": "case", "text": text, "target": 0});
        format!("case {about}").into_bytes()
    };
    let (limit, large) = (Duration::from_secs(60), 200 << 20);
    let mut little = worker("512M");
    let lost = little.ask(&request(large), limit).expect_err("there is no room");
    assert!(matches!(&lost, Lost::Crash { said, .. } if said.contains("memory allocation of")), "{lost}");
    let answer = little.ask(&request(4096), limit).expect("there is room");
    assert!(wire::decode(&answer).expect("an answer").is_ok());
    assert_eq!(little.starts(), 2);
    let answer = worker("4G").ask(&request(large), limit).expect("there is room");
    assert!(wire::decode(&answer).expect("an answer").is_ok());
}

/// What would need too much memory is refused, with how much it is: on the emulator, in another process, and on a device.
#[test]
fn a_run_that_needs_too_much_memory_says_how_much() {
    let folder = folder("memory");
    let many = "; isa: gfx1100\n; grid: 16777216\n; group: 64\n; observe: v[0:15]\nv_mov_b32 v0, 1\n";
    let case = file(&folder, "many.s", many);
    let mut engines = vec![vec!["--engine", "emu"], vec!["--engine", "emu", "--isolate"]];
    if device() {
        engines.push(vec!["--engine", "vulkan"]);
    }
    for engine in engines {
        let run = wavediff(&[&["run", &case, "--memory", "100M"], &engine[..]].concat());
        assert_eq!(code(&run), 1, "{engine:?}: {}{}", out(&run), err(&run));
        let text = out(&run);
        assert!(text.contains("gfx1100 wave32: unsupported\n"), "{engine:?}: {text}");
        assert!(
            text.contains("most of it for what is observed of 524288 waves, and may have 100.0 MiB"),
            "{engine:?}: {text}"
        );
    }
    // To compare takes all registers, and to check only what is looked at.
    let few = file(&folder, "few.s", &many.replace("; observe: v[0:15]\n", ""));
    let run = wavediff(&["run", &few, "--memory", "100M"]);
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    let diff = wavediff(&["diff", &few, "--engines", "emu,emu", "--memory", "100M"]);
    assert!(out(&diff).contains("the registers of 524288 waves"), "{}", out(&diff));
    for wrong in ["x", "5Q", "-1", "99999999999G"] {
        assert_eq!(code(&wavediff(&["run", &few, &format!("--memory={wrong}")])), 2, "{wrong}");
    }
}

/// What is shown of a million groups takes little too: what a process has taken at most, as Linux counts it.
#[cfg(target_os = "linux")]
#[test]
fn a_million_groups_are_shown_in_little_memory() {
    let text = "; isa: gfx1100\n; grid: 1000000\n; group: 1\n; v0 = item\n; expect: v1 = item\nv_mov_b32 v1, v0\n";
    let case = file(&folder("groups"), "groups.s", text);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(["run", &case, "--threads", "2"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let (ended, most) = peak::ended(&mut child);
    assert!(ended.success() && (1000..100_000).contains(&most), "{ended}: {most} kB");
}
