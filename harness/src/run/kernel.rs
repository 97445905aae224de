//! Kernels of code objects, with their arguments from files.

use super::{Args, show};
use crate::common::{self, Paint, Usage, usage};
use crate::engines::Opened;
use crate::tell;
use crate::timing;
use anyhow::{Context, Result};
use serde_json::json;
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::case::Observe;
use wavediff::case::value::Place;
use wavediff::emu::engine::Clocked;
use wavediff::engine::Runner;
use wavediff::engine::stage::kernel::run_kernel;
use wavediff::engine::{EngineError, WaveState};
use wavediff::engine::{KernelError, KernelOutcome, Options as RunOptions};
use wavediff::launch::{Arg, Dispatch, Fill, Loaded, Options, Value};
use wavediff::object::metadata;

/// Which kernel, over what, with what.
#[derive(clap::Args, Debug, Default)]
pub struct Launch {
    /// The kernel [default: the only one of the file]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// The grid in work-items
    #[arg(long, value_name = "X[,Y,Z]", value_parser = sizes)]
    pub grid: Option<Sizes>,
    /// The group in work-items [default: what the kernel requires]
    #[arg(long, value_name = "X[,Y,Z]", value_parser = sizes)]
    pub group: Option<Sizes>,
    /// An argument of the kernel, in order
    #[arg(long, value_name = "ARG", value_parser = argument, allow_hyphen_values = true)]
    pub arg: Vec<Arg>,
    /// What registers hold that nobody has set: zero, marks that name the register, or noise of a seed
    #[arg(long, value_name = "zero|marked|SEED", value_parser = fill, default_value = "marked")]
    pub fill: FillArg,
}

/// What undefined registers hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct FillArg(pub Fill);

/// Three sizes.
#[derive(Clone, Copy, Debug)]
pub struct Sizes(pub [u32; 3]);

/// Reads three sizes.
pub fn sizes(text: &str) -> Result<Sizes, String> {
    let mut all = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("at most three sizes: X,Y,Z".to_owned());
    }
    for (to, part) in all.iter_mut().zip(parts) {
        *to = part.trim().parse().ok().filter(|n| *n > 0).ok_or("up to three numbers from 1 up, as 64,4,1")?;
    }
    Ok(Sizes(all))
}

fn argument(text: &str) -> Result<Arg, String> {
    text.parse().map_err(|e: wavediff::launch::ArgError| format!("expected {}", e.expected))
}

fn fill(text: &str) -> Result<FillArg, String> {
    Ok(FillArg(match text {
        "zero" => Fill::Zero,
        "marked" => Fill::Marked,
        seed => Fill::Noise(seed.parse().map_err(|_| "zero, marked, or a number for noise".to_owned())?),
    }))
}

impl Launch {
    /// Whether anything of it stands on the command line.
    pub fn is_given(&self) -> bool {
        self.kernel.is_some() || self.grid.is_some() || self.group.is_some() || !self.arg.is_empty()
    }
}

/// What is said of a file that is to be launched and has nothing to launch.
pub fn no_object(file: &str) -> String {
    format!("`{file}` is no code object and has no `.amdhsa_kernel`; --kernel, --grid, --group and --arg are for those")
}

/// A kernel ready to run.
pub fn prepare(launch: &Launch, name: &str, bytes: &[u8], threads: usize) -> Result<(Loaded, Dispatch)> {
    let loaded = Loaded::load(bytes).with_context(|| format!("`{name}` can not be loaded"))?;
    let kernel = match (&launch.kernel, loaded.kernels()) {
        (Some(kernel), _) => loaded.kernel(kernel).map_err(|e| Usage(format!("`{name}`: {e}")))?,
        (None, [only]) => only,
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|k| k.name.as_str()).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return usage(format!("which kernel? give --kernel NAME; `{name}` has {names}"));
        }
    };
    let Some(Sizes(grid)) = launch.grid else {
        return usage("how large is the grid? give --grid X[,Y,Z] in work-items");
    };
    let required = kernel.metadata.as_ref().and_then(|m| m.reqd_workgroup_size);
    let required =
        required.map(|sizes| sizes.map(|n| u32::try_from(n).unwrap_or(0))).filter(|sizes| !sizes.contains(&0));
    let Some(group) = launch.group.map(|sizes| sizes.0).or(required) else {
        return usage("how large is a group? give --group X[,Y,Z] in work-items");
    };
    let mut taken = 0;
    let values: Vec<Value> = launch.arg.iter().map(|arg| arg.value_within(&mut taken)).collect::<Result<_, _>>()?;
    let slots = u32::try_from(threads).unwrap_or(u32::MAX);
    let options = Options { fill: launch.fill.0, group_slots: slots, ..Options::default() };
    let dispatch = Dispatch::with_options(&loaded, &kernel.name, grid, group, &values, &options)
        .map_err(|e| Usage(e.to_string()))?;
    Ok((loaded, dispatch))
}

/// What `--show` names of a kernel.
struct Wanted {
    places: Vec<Observe>,
    /// What buffers are called, and the arguments that they are.
    names: Vec<(String, usize)>,
}

/// The most bytes of registers that are kept to be shown.
const MOST_REGISTERS: u64 = 256 << 20;

/// Reads `--show`. Buffers are called `arg1`, `1`, or as the compiler calls the parameter.
fn wanted(args: &Args, dispatch: &Dispatch) -> Result<Wanted> {
    let parameters: Vec<&metadata::Arg> = dispatch.kernel().parameters().collect();
    let mut names: Vec<(String, usize)> = Vec::new();
    for output in dispatch.outputs() {
        let n = output.argument;
        names.extend([(format!("arg{n}"), n), (n.to_string(), n)]);
        names.extend(parameters.get(n).and_then(|p| p.name.clone()).map(|name| (name, n)));
    }
    let read = |text: &String| -> Result<Observe> {
        let mut one = Observe::parse(text, names.iter().map(|(name, _)| name.as_str())).map_err(|e| {
            let buffers: Vec<String> = dispatch.outputs().iter().map(|o| format!("arg{}", o.argument)).collect();
            Usage(format!("--show {e}; the buffers are {}", buffers.join(", ")))
        })?;
        if let (Place::Buffer(name, _), None) = (&one.place, one.ty) {
            let number = names.iter().find(|(known, _)| known == name).map(|(_, n)| *n);
            one.ty = number.and_then(|n| parameters.get(n)).and_then(|p| p.pointee());
        }
        Ok(one)
    };
    let places = args.show.iter().map(read).collect::<Result<Vec<_>>>()?;
    Ok(Wanted { places, names })
}

impl Wanted {
    /// How to run so that what is shown is kept: all waves, where registers or LDS are.
    fn options(&self, options: &RunOptions, dispatch: &Dispatch) -> Result<RunOptions> {
        if self.places.iter().all(|one| matches!(one.place, Place::Buffer(..))) {
            return Ok(*options);
        }
        let geometry = dispatch.geometry();
        let waves = geometry.group_count() * u64::from(geometry.full_waves());
        let each = 256 * u64::from(dispatch.resources().vgprs) + 1024;
        if waves.saturating_mul(each) > MOST_REGISTERS {
            return usage(format!(
                "{waves} waves are too many to show their registers; show buffers, or a smaller grid"
            ));
        }
        Ok(RunOptions { pause: Some(u64::MAX), ..*options })
    }
}

pub fn run(args: &Args, file: &str, bytes: &[u8]) -> Result<ExitCode> {
    let engine = Opened::open(&args.engine, &args.device, &args.limits, args.stats)?;
    let clocked = args.clocked();
    let runner = clocked.as_ref().map_or(engine.runner(), |clocked| clocked as &dyn Runner);
    let (loaded, mut dispatch) = prepare(&args.launch, file, bytes, engine.options().threads)?;
    let kernel = dispatch.kernel().name.clone();
    let wanted = wanted(args, &dispatch)?;
    let options = wanted.options(engine.options(), &dispatch)?;
    let geometry = *dispatch.geometry();
    let outcome = match run_kernel(runner, &options, &loaded, &mut dispatch) {
        Err(KernelError::Engine(EngineError::Unsupported(missing))) => {
            tell!("{file}: {}: kernel `{kernel}`: {missing}", Paint::stderr().yellow("unsupported"));
            return Ok(ExitCode::from(1));
        }
        other => other?,
    };
    let took = clocked.as_ref().and_then(Clocked::took);
    if let (Some(page), Some(took)) = (&args.html, &took) {
        timing::save(page, took, &format!("{file}: {kernel}"))?;
    }
    let live = |wave: &WaveState| geometry.live(wave.group, wave.index).count_ones();
    let observed = show::of_kernel(&wanted.places, &outcome, &wanted.names, &live);
    if args.json {
        let mut all = outcome_json(&kernel, &loaded, &outcome);
        all["observed"] = observed.iter().map(show::Observed::json).collect();
        if let Some(took) = &took {
            all["timing"] = timing::json(&took.report, &took.program);
        }
        common::write(None, format!("{all}\n").as_bytes())?;
    }
    if let Some(trap) = &outcome.trap {
        tell!("{file}: {}: kernel `{kernel}`: {trap}", Paint::stderr().red("trap"));
        return Ok(ExitCode::from(2));
    }
    let mut text = String::new();
    for (output, bytes) in &outcome.buffers {
        if let Some(save) = &output.save {
            common::write(Some(save), bytes)?;
            let _ = writeln!(text, "argument {}: {} bytes to {}", output.argument, bytes.len(), save.display());
        }
    }
    if args.json {
        return Ok(ExitCode::SUCCESS);
    }
    show::table(&mut text, &observed);
    for message in &outcome.messages {
        let _ = writeln!(text, "{}", show::message(message));
    }
    for export in &outcome.exports {
        let _ = writeln!(text, "{export}");
    }
    if let Some(took) = &took {
        text.push_str(&timing::text(&took.report, &took.program, Paint::stdout()));
    }
    if args.stats {
        let _ = writeln!(text, "{kernel} on {}:", loaded.arch().name);
        show::stats(&mut text, &outcome.stats);
    }
    common::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn outcome_json(kernel: &str, loaded: &Loaded, outcome: &KernelOutcome) -> serde_json::Value {
    let buffer = |(output, bytes): &(wavediff::launch::Output, Vec<u8>)| {
        json!({
            "argument": output.argument, "bytes": bytes.len(),
            "file": output.save.as_ref().map(|p| p.display().to_string()),
        })
    };
    let mut all = json!({"kernel": kernel, "arch": loaded.arch().name});
    all["status"] = json!(if outcome.trap.is_some() { "trap" } else { "pass" });
    if let Some(trap) = &outcome.trap {
        all["trap"] = show::trap_json(trap);
    }
    all["outputs"] = outcome.buffers.iter().map(buffer).collect();
    all["messages"] = outcome.messages.iter().map(show::message_json).collect();
    all["exports"] = outcome.exports.iter().map(show::export_json).collect();
    all["stats"] = show::stats_json(&outcome.stats);
    all
}
