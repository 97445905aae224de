//! `wavediff devices`: the engines of this machine, and what each of them can do.
//!
//! Vulkan is asked by a [worker]: a driver that crashes or hangs while it is loaded is a line of the list, not the end of the program.

use crate::common::{self, Paint};
use crate::worker::Request;
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;
use wavediff::emu::kernel;
use wavediff::spirv::lanes::Model;
use wavediff::vulkan::caps::Caps;
use wavediff::vulkan::caps::fact::{AsFact, Fact};
use wavediff::vulkan::{Error, Gpu, Options, Vulkan};

/// List engines and devices
#[derive(clap::Args)]
#[command(
    about = "List the engines and devices of this machine: what each can run, how exactly, and what is missing",
    after_help = "A device is chosen by its number, a part of its name, or its uuid. The first one is the default.

Lane models are the ways in which a wave of 32 or 64 lanes can be laid over a device: `subgroup` makes a wave of a subgroup, each
invocation of which has one lane or several,
`workgroup` of the invocations of a work group, `serial` of one invocation. Floats are listed with what the driver promises if asked;
what is not promised may still be so; what small programs found out about that is `measured`.

WAVEDIFF_VULKAN_LOADER names another library than the system's loader. LP_NATIVE_VECTOR_WIDTH, VK_ICD_FILENAMES and the like are the driver's
and the loader's own.

Examples:
  wavediff devices
  wavediff devices --json
  wavediff devices --validate      what the validation layer says while devices are listed

Exit code 0, devices or not; 2 if the command line is wrong."
)]
pub struct Args {
    /// Print everything that is known, as JSON
    #[arg(long)]
    json: bool,
    /// Load the validation layer
    #[arg(long)]
    validate: bool,
}

/// How long drivers may take to load.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let request = if args.validate { Request::DevicesValidated } else { Request::Devices };
    let found = match request.ask(PATIENCE) {
        Ok(answer) => serde_json::from_slice(&answer)?,
        Err(lost) => json!({ "failure": lost.to_string() }),
    };
    let all = json!({ "emu": emu(), "vulkan": found });
    let text = if args.json { format!("{all:#}\n") } else { table(&all) };
    common::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The emulator, which is always there.
fn emu() -> Value {
    json!({ "code": kernel::Level::of_host().name(), "threads": common::cores() })
}

/// Asks Vulkan: the worker's part.
pub fn probe(validate: bool) -> Value {
    let options = Options { validate, ..Options::default() };
    match Vulkan::load(&options) {
        Ok(vulkan) => json!({ "devices": vulkan.gpus().iter().map(device).collect::<Vec<_>>() }),
        Err(e @ Error::Absent { .. }) => json!({ "absent": e.to_string() }),
        Err(e) => json!({ "failure": e.to_string() }),
    }
}

fn device(gpu: &Gpu) -> Value {
    let caps = &gpu.caps;
    let mut all = Map::new();
    all.insert("index".to_owned(), json!(gpu.index));
    if let Value::Object(facts) = value(&caps.fact()) {
        all.extend(facts);
    }
    let measured = match gpu.open().and_then(|device| device.measure()) {
        Ok(measured) => value(&measured.fact()),
        Err(e) => json!({ "failure": e.to_string() }),
    };
    all.insert("measured".to_owned(), measured);
    all.insert("lanes".to_owned(), json!({ "wave32": lanes(caps, 32), "wave64": lanes(caps, 64) }));
    let missing = caps.missing();
    let missing = missing.iter().map(|m| json!({ "needs": m.needs, "so": m.so }));
    all.insert("missing".to_owned(), missing.collect());
    Value::Object(all)
}

/// What each lane model lacks; an empty list where it works.
fn lanes(caps: &Caps, wave: u32) -> Value {
    let model = |model: Model| (model.name().to_owned(), json!(caps.model_lacks(model, wave)));
    Value::Object(Model::ALL.into_iter().map(model).collect())
}

fn value(fact: &Fact) -> Value {
    match fact {
        Fact::Bool(yes) => json!(yes),
        Fact::Number(n) => json!(n),
        Fact::Real(x) => json!(x),
        Fact::Text(text) => json!(text),
        Fact::List(list) => json!(list),
        Fact::Group(facts) => {
            Value::Object(facts.iter().map(|(name, fact)| ((*name).to_owned(), value(fact))).collect())
        }
    }
}

fn table(all: &Value) -> String {
    let mut out = String::new();
    let paint = Paint::stdout();
    let (code, threads) = (text(&all["emu"]["code"]), &all["emu"]["threads"]);
    let _ = writeln!(out, "{}  the CPU emulator", paint.bold("emu"));
    let _ = writeln!(out, "  code        {code}, {threads} threads");
    let _ = writeln!(
        out,
        "  exactness   to the bit, in every mode; `wavediff isa --arch A --coverage` lists what it lacks"
    );
    let vulkan = &all["vulkan"];
    for kind in ["absent", "failure"] {
        if let Some(reason) = vulkan[kind].as_str() {
            let _ = writeln!(out, "{}  none: {reason}", paint.bold("vulkan"));
        }
    }
    for device in vulkan["devices"].as_array().into_iter().flatten() {
        let name = format!("vulkan:{}", device["index"]);
        let _ = writeln!(out, "{}  {}", paint.bold(&name), text(&device["name"]));
        for (label, line) in lines(device) {
            let _ = writeln!(out, "  {label:<11} {line}");
        }
    }
    out
}

/// What is shown of a device: a label, and a line.
fn lines(device: &Value) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let [kind, api, spirv, uuid] = ["kind", "api", "spirv", "uuid"].map(|name| text(&device[name]));
    lines.push(("device", format!("{kind}, Vulkan {api}, SPIR-V {spirv}, {uuid}")));
    let driver = &device["driver"];
    lines.push(("driver", format!("{} {}", text(&driver["name"]), text(&driver["info"])).trim_end().to_owned()));
    let subgroup = &device["subgroup"];
    let [size, min, max] = ["size", "min", "max"].map(|name| number(&subgroup[name]));
    let sizes = match subgroup["control"].as_bool() {
        Some(true) if min < max => format!("{size}, {min} to {max} if asked"),
        _ if min < max => format!("{size}, or anything from {min} to {max}"),
        _ => size.to_string(),
    };
    lines.push(("subgroups", format!("{sizes} lanes; {}", set(subgroup, &["control"]))));
    for wave in ["wave32", "wave64"] {
        let models = device["lanes"][wave].as_object().into_iter().flatten();
        let models = models.map(|(name, lacks)| match lacks.as_array().filter(|lacks| !lacks.is_empty()) {
            None => name.clone(),
            Some(lacks) => format!("not {name}: no {}", lacks.iter().map(text).collect::<Vec<_>>().join(", no ")),
        });
        lines.push((wave, models.collect::<Vec<_>>().join("; ")));
    }
    lines.push(("types", set(&device["types"], &[])));
    for width in ["f16", "f32", "f64"] {
        lines.push((width, set(&device[width], &[])));
    }
    lines.push(("atomics", set(&device["atomics"], &[])));
    let memory = &device["memory"];
    let mib = number(&memory["device_bytes"]) >> 20;
    lines.push(("memory", format!("{mib} MiB; {}", set(memory, &[]))));
    let limits = &device["limits"];
    let [shared, invocations, range] =
        ["shared_bytes", "group_invocations", "storage_range"].map(|name| number(&limits[name]));
    lines.push((
        "limits",
        format!("{invocations} invocations and {shared} bytes of shared memory a group, storage buffers of {range}"),
    ));
    let time = &device["time"];
    let clock = match number(&time["bits"]) {
        0 => "none".to_owned(),
        bits => format!("{bits} bits of {} ns; {}", time["period"], set(time, &[])),
    };
    lines.push(("clock", clock));
    lines.push(("measured", measured(&device["measured"])));
    for (n, missing) in device["missing"].as_array().into_iter().flatten().enumerate() {
        let label = if n == 0 { "missing" } else { "" };
        lines.push((label, format!("{}: {}", text(&missing["needs"]), text(&missing["so"]))));
    }
    lines
}

/// What a device did where nothing is promised.
fn measured(found: &Value) -> String {
    if let Some(failure) = found["failure"].as_str() {
        return format!("nothing: {failure}");
    }
    let widths = |name: &str| {
        let widths = ["f16", "f32", "f64"].into_iter().filter(|width| found[width][name] == Value::Bool(true));
        let widths: Vec<&str> = widths.collect();
        if widths.is_empty() { "none".to_owned() } else { widths.join(" ") }
    };
    let (fused, taken, made) = (widths("fused"), widths("denorm_in"), widths("denorm_out"));
    let mut line = format!("fma rounds once: {fused}; denormals taken: {taken}, made: {made}");
    match number(&found["loop_rounds"]) {
        0 => {}
        rounds => {
            let _ = write!(line, "; loops end after {rounds} rounds, whatever they should do");
        }
    }
    match number(&found["subgroup"]) {
        0 => {}
        lanes => {
            let _ = write!(line, "; {lanes} lanes voted together");
        }
    }
    line
}

/// The names of the facts in a group that are true.
fn set(group: &Value, but: &[&str]) -> String {
    let facts = group.as_object().into_iter().flatten();
    let names = facts.filter(|(name, fact)| **fact == Value::Bool(true) && !but.contains(&name.as_str()));
    let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" ") }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}
