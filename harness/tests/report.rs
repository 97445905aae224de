//! Reports of runs, from outside: shards merged, runs compared, JUnit XML and HTML as other programs read them.
//!
//! The journals are made up here, after the description of the format in `src/journal.rs`; one test takes those of real runs. The page is opened in
//! Chromium where that is installed (`WAVEDIFF_BROWSER` names another one); with `WAVEDIFF_REQUIRE_BROWSER=1` that test must not be skipped.

#[path = "report/html.rs"]
mod html;
#[path = "report/junit.rs"]
mod junit;
#[path = "report/runs.rs"]
mod runs;
#[path = "program/sealed.rs"]
mod sealed;
#[path = "report/shell.rs"]
mod shell;

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs the program.
fn wavediff(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavediff")).args(args).output().expect("the program runs")
}

/// Its exit code, standard output and standard error.
fn ran(args: &[&str]) -> (i32, String, String) {
    let output = wavediff(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("no signal"), text(&output.stdout), text(&output.stderr))
}

/// A folder for the files of a test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("wavediff-report-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path").to_owned()
    }

    fn put(&self, name: &str, lines: &[Value]) -> String {
        let path = self.path(name);
        let text: String = lines.iter().map(sealed::sealed).collect();
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const ENGINES: [&str; 2] = ["vulkan:llvmpipe (LLVM 15.0.6, 256 bits)", "golden:card"];

/// Of a run with so many units on every engine.
fn header(units: usize) -> Value {
    let engines: Vec<Value> = std::iter::once("emu").chain(ENGINES).map(|name| json!({"name": name})).collect();
    json!({"kind": "header", "format": 2, "version": "0.1.0", "plan": "0123456789abcdef", "units": units * ENGINES.len(), "suites": ["alu", "lds"],
        "archs": ["gfx600", "gfx1100"], "engines": engines, "seed": 7, "began": 1_795_311_227, "command": ["wavediff", "conform", "--all"]})
}

fn end() -> Value {
    json!({"kind": "end", "interrupted": false, "seconds": 2.5})
}

/// A unit whose row `v_sin_f32` has the results, and eight cases that passed; `v_add_f32` has as many.
fn unit(name: &str, engine: &str, results: &[Value]) -> Value {
    let parts: Vec<&str> = name.split('/').collect();
    let (arch, lanes) = parts[1].split_once("-w").expect("a target");
    let mut sines = json!({"pass": 8});
    for result in results {
        let status = result["status"].as_str().expect("a status");
        sines[status] = json!(sines[status].as_u64().unwrap_or(0) + result["count"].as_u64().expect("a count"));
    }
    let mut unit = json!({"kind": "unit", "unit": name, "suite": parts[0], "arch": arch, "lanes": lanes.parse::<u32>().expect("lanes"),
        "engine": engine, "seconds": 0.25, "rows": {"v_add_f32": {"pass": 8}, "v_sin_f32": sines}});
    if !results.is_empty() {
        unit["results"] = json!(results);
    }
    unit
}

fn result(unit: &str, n: u32, status: &str) -> Value {
    let again = format!("wavediff conform --filter {unit}");
    let mut result = json!({"case": format!("{unit}:{n}"), "row": "v_sin_f32", "text": "v_sin_f32 v1, v0", "status": status, "count": 1,
        "again": again});
    match status {
        "fail" => {
            result["differences"] = json!([{"place": "v1 lane 3", "expected": "0x3f800000", "got": "0x3f7fffff"}])
        }
        "unsupported" => result["reason"] = json!("no sines"),
        _ => result["reason"] = json!("it went down"),
    }
    result
}

/// Names of units: two suites, two targets, `n` numbers each, in the order of a plan.
fn names(n: u32) -> Vec<String> {
    let targets = ["alu/gfx600-w64", "alu/gfx1100-w32", "lds/gfx600-w64", "lds/gfx1100-w32"];
    targets.iter().flat_map(|target| (0..n).map(move |i| format!("{target}/{i:04}"))).collect()
}

/// A run: its units on every engine, with a failure and something unsupported in some.
fn run(names: &[String]) -> Vec<Value> {
    let mut lines = vec![header(names.len())];
    for engine in ENGINES {
        for name in names {
            let results = match name.as_str() {
                "alu/gfx600-w64/0001" => vec![result(name, 3, "fail"), result(name, 4, "crash")],
                "lds/gfx1100-w32/0000" => vec![result(name, 2, "unsupported")],
                _ => Vec::new(),
            };
            lines.push(unit(name, engine, &results));
        }
    }
    lines.push(end());
    lines
}
