//! With what the emulator is compared: devices, recordings, or itself.

use super::pool;
use super::task::Against;
use super::{Args, Selection};
use crate::common::{NotCompared, Usage, usage};
use crate::engines::{self, Lanes, Name};
use crate::journal::EngineInfo;
use crate::recording::Recording;
use crate::report::tally;
use crate::worker::Request;
use anyhow::{Result, anyhow};
use std::time::Duration;

/// An engine that the emulator is compared with.
pub struct Compared {
    /// What stands in the journal.
    pub info: EngineInfo,
    /// What workers are told.
    pub against: Against,
    /// What was recorded, if it is a recording.
    pub recording: Option<Recording>,
}

impl Compared {
    /// Whether it takes its time: a device's compiler does.
    pub fn is_slow(&self) -> bool {
        matches!(self.against, Against::Vulkan { .. } | Against::Native { .. })
    }

    /// The same device as the card that it is.
    pub fn into_card(self, device: Option<String>) -> Compared {
        let name = self.info.name.replacen("vulkan:", "native:", 1);
        Compared { info: EngineInfo { name, ..self.info }, against: Against::Native { device }, ..self }
    }

    /// A recording to compare with.
    pub fn of(recording: Recording) -> Compared {
        Compared {
            info: EngineInfo { name: format!("golden:{}", recording.name), driver: recording.driver.clone() },
            against: Against::Golden { changes: None, of_card: recording.of_card },
            recording: Some(recording),
        }
    }
}

/// The engines that the emulator is compared with, and what is left out.
pub fn engines_of(args: &Args) -> Result<(Vec<Compared>, Vec<String>)> {
    let (mut all, mut left_out) = (Vec::new(), Vec::new());
    let asked = |name: &str| args.engines.iter().any(|engine| engine == name);
    for name in &args.engines {
        if name != "golden" {
            engines::name(name).map_err(Usage)?;
        }
    }
    // An engine that has to be there and is not: that nothing is compared with it is what `--require` asks about. Any other one is a mistake of the
    // command line.
    let absent = |kind: &str, reason: String| -> anyhow::Error {
        if args.require.iter().any(|required| required == kind) {
            NotCompared(format!("--require {kind}: {reason}")).into()
        } else {
            Usage(reason).into()
        }
    };
    let given = |device: Option<String>| device.or_else(|| args.selection.device.clone());
    let mut devices: Vec<(Option<String>, bool)> = args
        .engines
        .iter()
        .filter_map(|name| match engines::name(name) {
            Ok(Name::Vulkan(device)) => Some((given(device), false)),
            Ok(Name::Native(device)) => Some((given(device), true)),
            _ => None,
        })
        .collect();
    if let Some(twice) = args.engines.iter().enumerate().find(|(n, name)| args.engines[..*n].contains(name)) {
        return usage(format!("--engines names {} twice", twice.1));
    }
    let open = args.engines.is_empty();
    if open {
        devices.push((args.selection.device.clone(), false));
    }
    for (device, native) in devices {
        match vulkan(device.clone(), &args.selection) {
            Ok(compared) => {
                let compared = if native { compared.into_card(device) } else { compared };
                // A device that only seems to work is no device that is missing.
                pool::answers(&compared.against).map_err(|reason| anyhow!(reason))?;
                all.push(compared);
            }
            Err(reason) if open && args.selection.device.is_none() => left_out.push(format!(
                "Vulkan: {reason}; `apt install libvulkan1 mesa-vulkan-drivers` brings a device that is the CPU"
            )),
            Err(reason) => {
                let kind = if native { "native" } else { "vulkan" };
                return Err(absent(kind, format!("{reason}; `wavediff devices` says more")));
            }
        }
    }
    if open || asked("golden") {
        let recordings = Recording::all(&args.golden)?;
        if recordings.is_empty() {
            let reason = format!("Golden: there are no recordings in {}", args.golden.display());
            if !open {
                return Err(absent("golden", reason));
            }
            left_out.push(reason);
        }
        all.extend(recordings.into_iter().map(Compared::of));
    }
    if all.is_empty() && asked("emu") {
        all.push(Compared {
            info: EngineInfo { name: "emu again".to_owned(), driver: String::new() },
            against: Against::Itself,
            recording: None,
        });
    }
    for kind in &args.require {
        if !all.iter().any(|compared| tally::kind_of_engine(&compared.info.name) == kind) {
            let why = left_out.iter().find(|what| what.to_lowercase().starts_with(&kind[..4]));
            let why = why.map_or_else(|| "it is not among --engines".to_owned(), Clone::clone);
            return Err(absent(kind, why));
        }
    }
    if all.is_empty() {
        let why = left_out.join("\n  ");
        let hint = "`--engines emu` runs the emulator against itself, which shows only that it does the same twice";
        return Err(NotCompared(format!("there is nothing to compare the emulator with; {hint}\n  {why}")).into());
    }
    Ok((all, left_out))
}

/// How long drivers may take to load.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Vulkan device, asked for in a process of its own.
pub fn vulkan(device: Option<String>, args: &Selection) -> Result<Compared, String> {
    let answer = Request::Devices.ask(PATIENCE).map_err(|lost| lost.to_string())?;
    let found: serde_json::Value = serde_json::from_slice(&answer).map_err(|e| e.to_string())?;
    for key in ["absent", "failure"] {
        if let Some(reason) = found[key].as_str() {
            return Err(reason.to_owned());
        }
    }
    let devices = found["devices"].as_array().map(Vec::as_slice).unwrap_or_default();
    let chosen = match &device {
        None => devices.first(),
        Some(wanted) => devices.iter().find(|d| {
            d["index"].as_u64().is_some_and(|index| wanted.parse() == Ok(index))
                || d["name"].as_str().is_some_and(|name| name.to_lowercase().contains(&wanted.to_lowercase()))
                || d["uuid"].as_str() == Some(wanted)
        }),
    };
    let Some(chosen) = chosen else {
        return Err(device.map_or("there is no device".to_owned(), |name| format!("no device is called {name}")));
    };
    let driver = |key: &str| chosen["driver"][key].as_str().unwrap_or_default();
    let model = match args.lanes {
        Lanes::Auto => String::new(),
        lanes => format!(" {}", lanes.model().name()),
    };
    Ok(Compared {
        info: EngineInfo {
            name: format!("vulkan:{}{model}", chosen["name"].as_str().unwrap_or_default()),
            driver: [driver("name"), driver("info")].join(" ").trim().to_owned(),
        },
        against: Against::Vulkan { device, lanes: args.lanes, validate: args.validate },
        recording: None,
    })
}
