//! Compute shaders of the Vulkan driver RADV, as it leaves them: `--abi radv`.

use super::{Args, show};
use crate::common::{self, AnyArch, Paint, Usage, usage};
use crate::engines::Opened;
use crate::tell;
use crate::timing;
use anyhow::{Context, Result};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use wavediff::case::Rule;
use wavediff::emu::engine::{Clocked, Took};
use wavediff::engine::EngineError;
use wavediff::engine::Runner;
use wavediff::engine::stage::kernel::run_kernel;
use wavediff::engine::{KernelError, KernelOutcome};
use wavediff::isa::types::Ty;
use wavediff::launch::radv::{Bound, BoundKind, Given, Push, stage};
use wavediff::launch::{Arg, Buffer, MAX_BUFFERS, Value, zeroes};
use wavediff::object::radv;

/// What a shader is given.
#[derive(clap::Args, Debug, Default)]
pub struct Shader {
    /// Whose rules a shader follows; the file is a shader object, pipeline binary or pipeline cache
    #[arg(long, value_parser = ["radv"])]
    pub abi: Option<String>,
    /// A buffer of a shader: SET.BINDING=ARG or SET.BINDING[ELEMENT]=ARG
    #[arg(long, value_name = "SET.BINDING=ARG")]
    pub bind: Vec<Binding>,
    /// Push constants of a shader, in order
    #[arg(long, value_name = "PART", allow_hyphen_values = true)]
    pub push: Vec<PushPart>,
    /// How many groups of a shader run
    #[arg(long, value_name = "X[,Y,Z]", value_parser = super::kernel::sizes)]
    pub groups: Option<super::kernel::Sizes>,
    /// What a buffer of a shader must hold at the end: SET.BINDING=FILE[,TYPE][,ulp(N)][,abs(X)][,nan_any]
    #[arg(long, value_name = "SET.BINDING=FILE")]
    pub expect: Vec<Expected>,
    /// Which shader of a pipeline cache, from 0
    #[arg(long, value_name = "N")]
    pub shader: Option<usize>,
}

impl Shader {
    /// Whether anything of it stands on the command line.
    pub fn is_given(&self) -> bool {
        let Shader { abi, bind, push, groups, expect, shader } = self;
        let lists = !bind.is_empty() || !push.is_empty() || !expect.is_empty();
        abi.is_some() || lists || groups.is_some() || shader.is_some()
    }
}

/// Set, binding, element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u32, u32, u32);

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let read = || {
            let (set, rest) = text.split_once('.')?;
            let (binding, element) = match rest.split_once('[') {
                Some((binding, element)) => (binding, element.strip_suffix(']')?),
                None => (rest, "0"),
            };
            let set: u32 = set.parse().ok().filter(|set| *set < 32)?;
            let element: u32 = element.parse().ok().filter(|n| *n < 1 << 16)?;
            Some(Place(set, binding.parse().ok()?, element))
        };
        read().ok_or_else(|| format!("`{text}`: expected SET.BINDING or SET.BINDING[ELEMENT], as 0.1 or 0.2[3]"))
    }
}

fn split(text: &str) -> Result<(Place, &str), String> {
    let (place, rest) = text.split_once('=').ok_or("expected SET.BINDING=...")?;
    Ok((place.parse()?, rest))
}

/// `0.1=in:x.bin`, `0.1=texel:32_float:in:x.bin`
#[derive(Clone, Debug)]
pub struct Binding {
    place: Place,
    kind: BoundKind,
    /// Nothing: zeroes of a size, which are not saved.
    arg: Result<Arg, u64>,
}

impl FromStr for Binding {
    type Err = String;

    fn from_str(text: &str) -> Result<Binding, String> {
        let (place, rest) = split(text)?;
        let (kind, rest) = if let Some(rest) = rest.strip_prefix("dynamic:") {
            (BoundKind::Dynamic, rest)
        } else if let Some(rest) = rest.strip_prefix("texel:") {
            let (format, rest) = rest.split_once(':').ok_or("expected texel:FORMAT:ARG")?;
            (BoundKind::Texel(format.to_owned()), rest)
        } else {
            (BoundKind::Plain, rest)
        };
        if let Some(bytes) = rest.strip_prefix("zero:") {
            let bytes = bytes.parse().map_err(|_| "expected zero:BYTES".to_owned())?;
            return Ok(Binding { place, kind, arg: Err(bytes) });
        }
        let arg: Arg = rest.parse().map_err(|e: wavediff::launch::ArgError| format!("expected {}", e.expected))?;
        if !matches!(arg, Arg::In(_) | Arg::Out { .. } | Arg::InOut { .. }) {
            return Err("a buffer is in:FILE, out:FILE:BYTES, inout:FILE:OUTFILE or zero:BYTES".to_owned());
        }
        Ok(Binding { place, kind, arg: Ok(arg) })
    }
}

impl Binding {
    fn bound(&self, taken: &mut u64) -> Result<Bound> {
        let Place(set, binding, element) = self.place;
        let buffer = match &self.arg {
            Err(bytes) => {
                let what = format!("set {set} binding {binding}");
                let zeroes = zeroes(&what, *bytes, MAX_BUFFERS.saturating_sub(*taken))?;
                *taken += bytes;
                Buffer { bytes: zeroes, writable: true, save: None }
            }
            Ok(arg) => match arg.value_within(taken)? {
                Value::Buffer(buffer) => buffer,
                _ => return usage("a shader is bound to buffers"),
            },
        };
        Ok(Bound { set, binding, element, kind: self.kind.clone(), buffer })
    }
}

/// `u32:5`, `raw:0011`, `in:FILE`, `address:0.1`
#[derive(Clone, Debug)]
pub enum PushPart {
    /// A number, or bytes.
    Arg(Arg),
    /// The address of a buffer.
    Address(Place),
}

impl FromStr for PushPart {
    type Err = String;

    fn from_str(text: &str) -> Result<PushPart, String> {
        if let Some(place) = text.strip_prefix("address:") {
            return place.parse().map(PushPart::Address);
        }
        let arg: Arg = text.parse().map_err(|e: wavediff::launch::ArgError| format!("expected {}", e.expected))?;
        match arg {
            Arg::Scalar(_) | Arg::Raw(_) | Arg::In(_) => Ok(PushPart::Arg(arg)),
            _ => Err("push constants are numbers (u32:5), raw:HEX, in:FILE, or address:SET.BINDING".to_owned()),
        }
    }
}

impl PushPart {
    fn read(&self) -> Result<Push> {
        Ok(match self {
            PushPart::Address(Place(set, binding, element)) => Push::Address(*set, *binding, *element),
            PushPart::Arg(arg) => Push::Bytes(match arg.value()? {
                Value::Scalar(scalar) => scalar.bytes(),
                Value::Raw(bytes) => bytes,
                Value::Buffer(buffer) => buffer.bytes,
                Value::Lds(_) => return usage("push constants are no local memory"),
            }),
        })
    }
}

/// `0.1=x.bin,f32,ulp(4)`
#[derive(Clone, Debug)]
pub struct Expected {
    place: Place,
    file: PathBuf,
    ty: Ty,
    rule: Rule,
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Expected, String> {
        let (place, rest) = split(text)?;
        let mut parts = rest.split(',');
        let file = parts.next().filter(|file| !file.is_empty()).ok_or("expected the name of a file")?.into();
        let (mut ty, mut rule) = (Ty::U32, Rule::default());
        for part in parts.map(str::trim) {
            let inside = |name: &str| part.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
            let wrong = || format!("`{part}`: expected a type, ulp(N), abs(X) or nan_any");
            if let Some(named) = Ty::find(part) {
                ty = named;
            } else if let Some(ulp) = inside("ulp") {
                rule.ulp = ulp.parse().map_err(|_| wrong())?;
            } else if let Some(abs) = inside("abs") {
                let abs = abs.parse::<f64>().ok().filter(|abs| abs.is_finite() && *abs > 0.0);
                rule.abs = abs.ok_or_else(wrong)?.to_bits();
            } else if part == "nan_any" {
                rule.nan_any = true;
            } else {
                return Err(wrong());
            }
        }
        if rule != Rule::default() && ty.layout().is_none() {
            return Err("only floats are compared like this; name the type, as 0.1=x.bin,f32,ulp(4)".to_owned());
        }
        if rule.ulp > Rule::max_ulp(ty).max(1) {
            return Err(format!("ulp({}) is more than a factor of two: any value would do", rule.ulp));
        }
        Ok(Expected { place, file, ty, rule })
    }
}

impl Expected {
    /// Where the bytes differ from those of the file, in words for people; the first few.
    fn differences(&self, got: &[u8]) -> Result<Vec<String>> {
        const SHOWN: usize = 8;
        let Place(set, binding, element) = self.place;
        let name =
            format!("set {set} binding {binding}{}", if element > 0 { format!("[{element}]") } else { String::new() });
        let expected = common::read(&self.file.to_string_lossy())?;
        if expected.len() != got.len() || got.is_empty() {
            let file = self.file.display();
            return Ok(vec![format!("{name} has {} bytes, and {file} has {}", got.len(), expected.len())]);
        }
        let wide = self.ty.bytes() as usize;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
        let mut all = Vec::new();
        for (n, (e, g)) in expected.chunks(wide).zip(got.chunks(wide)).enumerate() {
            // What is left behind the last whole element is compared byte by byte.
            let ok = if e.len() == wide { self.rule.accepts(self.ty, number(e), number(g)) } else { e == g };
            if !ok {
                let show = |bits| format!("{} ({})", self.ty.hex(bits), self.ty.show(bits));
                let (e, g) = (show(number(e)), show(number(g)));
                all.push(format!("{name} at {}: expected {} {e}{}, got {g}", n * wide, self.ty, self.rule));
            }
        }
        if all.len() > SHOWN {
            let more = all.len() - SHOWN;
            all.truncate(SHOWN);
            all.push(format!("and {more} more"));
        }
        Ok(all)
    }
}

/// Runs a shader.
pub fn run(args: &Args, name: &str, bytes: &[u8]) -> Result<ExitCode> {
    let Some(arch) = args.arch.and_then(AnyArch::gcn) else {
        return usage("a shader of RADV does not name its processor: give --arch");
    };
    let shaders = radv::shaders(bytes).with_context(|| format!("`{name}`"))?;
    let shader = match (args.shader.shader, &shaders[..]) {
        (None, [only]) => only,
        (Some(n), all) if n < all.len() => &all[n],
        (None, all) => return usage(format!("which shader? `{name}` has {}; give --shader N", all.len())),
        (Some(_), all) => return usage(format!("`{name}` has {} shaders, counted from 0", all.len())),
    };
    let engine = Opened::open(&args.engine, &args.device, &args.limits, args.stats)?;
    let mut taken = 0;
    let given = Given {
        groups: args.shader.groups.map_or([1; 3], |sizes| sizes.0),
        bound: args.shader.bind.iter().map(|binding| binding.bound(&mut taken)).collect::<Result<_>>()?,
        push: args.shader.push.iter().map(PushPart::read).collect::<Result<_>>()?,
        fill: args.launch.fill.0,
        group_slots: u32::try_from(engine.options().threads).unwrap_or(u32::MAX),
    };
    let unbound = args.shader.expect.iter().find(|e| !args.shader.bind.iter().any(|b| b.place == e.place));
    if let Some(Expected { place: Place(set, binding, element), .. }) = unbound {
        return usage(format!("--expect {set}.{binding}[{element}]: nothing is bound there"));
    }
    let (loaded, mut dispatch) = stage(shader, arch, &given).map_err(|e| Usage(e.to_string()))?;
    let clocked = args.clocked();
    let runner = clocked.as_ref().map_or(engine.runner(), |clocked| clocked as &dyn Runner);
    let outcome = match run_kernel(runner, engine.options(), &loaded, &mut dispatch) {
        Err(KernelError::Engine(EngineError::Unsupported(missing))) => {
            tell!("{name}: {}: {missing}", Paint::stderr().yellow("unsupported"));
            return Ok(ExitCode::from(1));
        }
        other => other?,
    };
    report(args, name, &outcome, clocked.as_ref().and_then(Clocked::took).as_ref())
}

fn report(args: &Args, name: &str, outcome: &KernelOutcome, took: Option<&Took>) -> Result<ExitCode> {
    if let (Some(page), Some(took)) = (&args.html, took) {
        timing::save(page, took, name)?;
    }
    let mut wrong = Vec::new();
    let mut text = String::new();
    let mut outputs = Vec::new();
    for (output, bytes) in &outcome.buffers {
        let Place(set, binding, element) = args.shader.bind[output.argument].place;
        if outcome.trap.is_none() {
            for expected in args.shader.expect.iter().filter(|e| e.place == Place(set, binding, element)) {
                wrong.extend(expected.differences(bytes)?);
            }
            if let Some(save) = &output.save {
                common::write(Some(save), bytes)?;
                let _ = writeln!(text, "set {set} binding {binding}: {} bytes to {}", bytes.len(), save.display());
            }
        }
        let file = output.save.as_ref().map(|path| path.display().to_string());
        outputs.push(json!({"set": set, "binding": binding, "element": element, "bytes": bytes.len(), "file": file}));
    }
    let status = match (&outcome.trap, wrong.is_empty()) {
        (Some(_), _) => "trap",
        (None, true) => "pass",
        (None, false) => "fail",
    };
    if args.json {
        let mut all = json!({"status": status, "outputs": outputs, "mismatches": wrong});
        if let Some(trap) = &outcome.trap {
            all["trap"] = show::trap_json(trap);
        }
        all["stats"] = show::stats_json(&outcome.stats);
        if let Some(took) = took {
            all["timing"] = timing::json(&took.report, &took.program);
        }
        common::write(None, format!("{all}\n").as_bytes())?;
    }
    if let Some(trap) = &outcome.trap {
        tell!("{name}: {}: {trap}", Paint::stderr().red("trap"));
        return Ok(ExitCode::from(2));
    }
    if !args.json {
        for line in &wrong {
            let _ = writeln!(text, "  {line}");
        }
        if !args.shader.expect.is_empty() {
            let _ = writeln!(text, "{name}: {status}");
        }
        if let Some(took) = took {
            text.push_str(&timing::text(&took.report, &took.program, Paint::stdout()));
        }
        if args.stats {
            show::stats(&mut text, &outcome.stats);
        }
        common::print(&text)?;
    }
    Ok(ExitCode::from(u8::from(!wrong.is_empty())))
}
