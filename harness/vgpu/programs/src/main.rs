//! Vulkan programs that say what they computed.
//!
//! An ordinary client of Vulkan: it asks the loader for devices, makes pipelines, submits, and prints what came back, one line of
//! JSON for each program. Nothing in it knows what stands behind the loader; run on two drivers, its lines are to be equal.
//!
//! ```text
//! vulkan-programs --list                 the names
//! vulkan-programs [--queue graphics|compute] [--device N] [NAME...]
//! vulkan-programs --show random_17       the shader of a random program
//! vulkan-programs some.comp              a shader out of a file
//!
//! {"name":"add","words":["00000007",...]}                     what its outputs hold
//! {"name":"fft","words":[...],"bound":["within","f32",1e-5]}    and how far they may be from another device's
//! {"name":"doubles","skipped":"feature shader_float64 missing"}
//! {"name":"copy_big","failed":"vkQueueSubmit: ERROR_DEVICE_LOST"}
//! ```
//!
//! The exit code is 1 if a program failed. There are three kinds of programs:
//!
//! - **rows**: GLSL shaders ([`shaders`]) whose first lines say what they are given ([`mod@unit`]); nothing but the shader differs;
//! - **random** ones ([`random`]): `random_N` for each number N;
//! - **functions** ([`api`]): what only the host side of Vulkan does: copies, events, semaphores, queries, sparse memory, images.
//!
//! Results are determined by Vulkan: programs do not depend on the size of subgroups, on the order of atomics, or on
//! what a driver contracts; where Vulkan leaves a choice, a program says how far results may be apart, or checks a law itself.

// Vulkan is called by pointers: every call is unsafe, and what makes it safe are the rules of Vulkan, which the validation layer checks.
#![allow(unsafe_code)]

mod api;
#[path = "../../../../tests/support/random/mod.rs"]
mod generator;
mod gpu;
mod random;
mod shaders;
mod spirv;
mod stop;
mod unit;

use gpu::{Choice, Gpu, Which};
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;
use stop::{Done, Stop};
use unit::{Bound, Unit};

/// What a program does.
enum Program {
    Row(&'static shaders::Row),
    Random(String),
    File(String),
    Function(&'static api::Function),
}

/// All programs by name.
fn programs() -> Vec<(&'static str, Program)> {
    let rows = shaders::ALL.iter().filter(|row| row.alone).map(|row| (row.name, Program::Row(row)));
    rows.chain(api::all().map(|function| (function.name, Program::Function(function)))).collect()
}

/// A program by its name.
fn find(name: &str) -> Option<Program> {
    if let Some(source) = random::source(name) {
        return Some(Program::Random(source));
    }
    if name.ends_with(".comp") {
        return Some(Program::File(name.to_owned()));
    }
    programs().into_iter().find(|(known, _)| *known == name).map(|(_, program)| program)
}

fn run(gpu: &Gpu, program: &Program) -> Done<(Vec<u32>, Option<Bound>)> {
    let shader = |source| {
        let unit = Unit::parse(source);
        let bound = unit.bound.clone();
        Ok((gpu::Loaded::new(gpu, unit)?.run()?, bound))
    };
    match program {
        Program::Row(row) => shader(row.source),
        // The process ends soon.
        Program::Random(source) => shader(source.clone().leak()),
        Program::File(path) => {
            let source = std::fs::read_to_string(path).map_err(|error| Stop::Failed(format!("{path}: {error}")))?;
            shader(source.leak())
        }
        Program::Function(function) => {
            function.needs.iter().try_for_each(|name| gpu.need(name))?;
            Ok(((function.run)(gpu)?, api::bound(function.name)))
        }
    }
}

/// A line of the report.
fn line(name: &str, result: &Done<(Vec<u32>, Option<Bound>)>) -> Value {
    match result {
        Ok((words, bound)) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
            match bound {
                None => json!({ "name": name, "words": words }),
                Some(Bound { rule, ty, far }) => json!({ "name": name, "words": words, "bound": [rule, ty, far] }),
            }
        }
        Err(stop @ Stop::Lacks(_)) => json!({ "name": name, "skipped": stop.to_string() }),
        Err(stop @ Stop::Failed(_)) => json!({ "name": name, "failed": stop.to_string() }),
    }
}

fn usage() -> ExitCode {
    eprintln!(
        "usage: vulkan-programs [--list] [--queue graphics|compute] [--device N] [NAME or FILE.comp ...]\n       vulkan-programs --show random_NUMBER"
    );
    ExitCode::from(2)
}

fn main() -> ExitCode {
    let mut choice = Choice { which: Which::Graphics, number: 0, robust: false };
    let mut names = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), argument.starts_with('-').then(|| arguments.next()).flatten().as_deref()) {
            ("--list", _) => {
                programs().iter().for_each(|(name, _)| println!("{name}"));
                return ExitCode::SUCCESS;
            }
            ("--show", Some(name)) => {
                let Some(source) = random::source(name) else { return usage() };
                print!("{source}");
                return ExitCode::SUCCESS;
            }
            ("--queue", Some("graphics")) => choice.which = Which::Graphics,
            ("--queue", Some("compute")) => choice.which = Which::Compute,
            ("--device", Some(number)) if number.parse::<usize>().is_ok() => {
                choice.number = number.parse().unwrap_or(0)
            }
            (name, None) if !name.starts_with('-') => names.push(argument),
            _ => return usage(),
        }
    }
    let mut chosen = Vec::new();
    for name in &names {
        let Some(program) = find(name) else {
            eprintln!("there is no program `{name}`");
            return ExitCode::from(2);
        };
        chosen.push((name.as_str(), program));
    }
    report(choice, &if names.is_empty() { programs() } else { chosen })
}

/// Runs programs on one device; a device that failed is given up, the next program has a new one.
fn report(choice: Choice, programs: &[(&str, Program)]) -> ExitCode {
    let mut gpu = None;
    let mut failed = false;
    for (name, program) in programs {
        // Should the process end or hang, this is what it was about.
        eprintln!("{name}");
        let result = match gpu.take().map_or_else(|| Gpu::open(choice), Ok) {
            Ok(open) => {
                let result = run(&open, program);
                match result {
                    // What a failed program left running is not waited for: its device stays open.
                    Err(Stop::Failed(_)) => std::mem::forget(open),
                    _ => gpu = Some(open),
                }
                result
            }
            Err(stop) => Err(stop),
        };
        failed |= matches!(result, Err(Stop::Failed(_)));
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{}", line(name, &result)).and_then(|()| out.flush()).is_err() {
            return ExitCode::FAILURE;
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
