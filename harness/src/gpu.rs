//! `wavediff gpu`: a program that uses Vulkan, on a virtual AMD GPU under the machine's own driver.
//!
//! The program is replaced by the one that is asked for, with a library preloaded that answers for the kernel's driver
//! ([`wavediff_vgpu`]), with the loader told to take RADV, and with a cache of shaders of its own. What the library is told stands
//! in its [settings](wavediff_vgpu::settings), which are variables of the environment.

mod driver;
mod explain;

use crate::common::{self, usage};
use crate::tell;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::ffi::{CStr, OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use wavediff::asm::near::near_miss;
use wavediff_vgpu::chips::{CHIPS, Chip};
use wavediff_vgpu::settings;

/// Run a program on a virtual AMD GPU
#[derive(clap::Args)]
#[command(
    about = "Run a Vulkan program on a virtual AMD GPU: the driver is the machine's own RADV, the card is the emulator",
    after_help = "The driver is Mesa's RADV, unmodified: --driver names its file for the Vulkan loader (radeon_icd.*.json), RADV_ICD does too, and
else it is looked for where loaders look. Only the program and what it starts see the virtual card; the machine's own cards are hidden from them.

A shader that traps, a packet that is not emulated (draws) or a wait without end loses the device, as on a card, and the standard error says
which wave, lane, address and instruction it was. docs/vgpu.md says what is emulated.

Examples:
  wavediff gpu -- vulkaninfo --summary
  wavediff gpu --chip polaris10 --log run.jsonl -- ./my-test
  wavediff gpu --explain run.jsonl
  wavediff gpu --chip navi31 --chip tahiti -- wavediff devices
  wavediff gpu --list

Exit code: that of the program; 2 if it cannot be started, or the command line is wrong."
)]
pub struct Args {
    /// What the card is; several make several devices
    #[arg(long = "chip", value_name = "CHIP", default_value = "navi31")]
    chips: Vec<String>,
    /// List the chips
    #[arg(long, conflicts_with_all = ["explain", "program"])]
    list: bool,
    /// With --list: as JSON
    #[arg(long, requires = "list")]
    json: bool,
    /// The driver's file for the loader
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
    /// Where to write packets, dispatches and times, as JSON lines
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// A folder for cases of dispatches that trap: `wavediff run` takes them
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// Leave the machine's own cards visible
    #[arg(long)]
    real: bool,
    /// Have a copy engine: RADV uses it with RADV_PERFTEST=transfer_queue
    #[arg(long)]
    sdma: bool,
    /// How long a ring may wait, and a dispatch run, in seconds
    #[arg(long, value_name = "S", default_value_t = 120)]
    watchdog: u64,
    /// Print a log for people
    #[arg(long, value_name = "LOG", conflicts_with = "program")]
    explain: Option<PathBuf>,
    /// The program and its arguments
    #[arg(last = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// What RADV is asked not to do: DCC, HTILE, FMASK.
const UNCOMPRESSED: [&str; 3] = ["nodcc", "nohiz", "nofmask"];

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.list {
        let text = if args.json { list_json() } else { list() };
        common::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(log) = &args.explain {
        return explain::run(log);
    }
    let Some((program, rest)) = args.program.split_first() else {
        return usage("what is to run? `wavediff gpu -- PROGRAM ARGS...`");
    };
    for chip in &args.chips {
        if Chip::named(chip).is_none() {
            let names: Vec<&str> = CHIPS.iter().map(|chip| chip.name).collect();
            let hint = near_miss(chip, names).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
            return usage(format!("there is no chip `{chip}`{hint}; `wavediff gpu --list` has those that there are"));
        }
    }
    let driver = driver::find(args.driver.as_deref())?;
    let library = driver::preloaded()?;
    let cache = driver::cache();
    let mut command = Command::new(program);
    command.args(rest);
    // The virtual GPU stands before what others preload, so that they see it too.
    let mut preload = library.into_os_string();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        preload.push(":");
        preload.push(others);
    }
    command.env("LD_PRELOAD", preload);
    let mut set = |name: &CStr, value: &OsStr| {
        command.env(OsStr::from_bytes(name.to_bytes()), value);
    };
    set(settings::CHIPS, args.chips.join(",").as_ref());
    for (name, value) in [(settings::LOG, &args.log), (settings::DUMP, &args.dump)] {
        if let Some(path) = value {
            // The program may run elsewhere.
            set(name, std::path::absolute(path)?.as_os_str());
        }
    }
    if let Some(folder) = &args.dump {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    set(settings::WATCHDOG, args.watchdog.to_string().as_ref());
    for (name, is_on) in [(settings::REAL, args.real), (settings::SDMA, args.sdma)] {
        if is_on {
            set(name, "1".as_ref());
        }
    }
    // Two names for one thing: loaders before and after 1.3.234. The layer that chooses devices opens a display and a card by itself.
    command.env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver).env("NODEVICE_SELECT", "1");
    if std::env::var_os("MESA_SHADER_CACHE_DIR").is_none() {
        command.env("MESA_SHADER_CACHE_DIR", cache);
    }
    // Nothing here reads the metadata of compressed images.
    let debug = std::env::var("RADV_DEBUG").unwrap_or_default();
    let debug: Vec<&str> = debug.split(',').filter(|word| !word.is_empty()).chain(UNCOMPRESSED).collect();
    command.env("RADV_DEBUG", debug.join(","));
    let error = command.exec();
    if error.kind() == std::io::ErrorKind::NotFound {
        tell!("error: there is no program {}", program.display());
        return Ok(ExitCode::from(2));
    }
    bail!("{}: {error}", program.display())
}

/// The chips as a table.
fn list() -> String {
    let mut text = String::from("chip        processor  device id\n");
    for chip in CHIPS {
        let _ = writeln!(text, "{:<10}  {:<9}  {:#06x}", chip.name, chip.processor, chip.device);
    }
    text
}

fn list_json() -> String {
    let chip = |chip: &Chip| json!({ "chip": chip.name, "processor": chip.processor, "device_id": chip.device });
    format!("{:#}\n", serde_json::Value::from_iter(CHIPS.iter().map(chip)))
}
