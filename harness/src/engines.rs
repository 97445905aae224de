//! Engines by their names on the command line: `emu`, `vulkan`, `vulkan:llvmpipe`, `native`.

use crate::common::{self, Usage};
use crate::isolated::Isolated;
use crate::run::Limits;
use anyhow::Result;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};
use wavediff::case::{Case, CaseError};
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::engine::ground::Ground;
use wavediff::engine::{Keep, Options, Runner};
use wavediff::isa::{Arch, Target};
use wavediff::native::card::Card as _;
use wavediff::native::{Native, Radv};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::vulkan::caps::{Caps, Kind};
use wavediff::vulkan::{self, Choice};

/// An engine that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// The emulator.
    Emu,
    /// A Vulkan device: its number, a part of its name, or its uuid; the best one without.
    Vulkan(Option<String>),
    /// A device of RADV's as the card that it is: its number, a part of its name, or its uuid; the best one without.
    Native(Option<String>),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Emu => f.write_str("emu"),
            Name::Vulkan(None) => f.write_str("vulkan"),
            Name::Vulkan(Some(device)) => write!(f, "vulkan:{device}"),
            Name::Native(None) => f.write_str("native"),
            Name::Native(Some(device)) => write!(f, "native:{device}"),
        }
    }
}

/// Reads the name of an engine.
pub fn name(text: &str) -> Result<Name, String> {
    match text.split_once(':') {
        None if text == "emu" => Ok(Name::Emu),
        None if text == "vulkan" => Ok(Name::Vulkan(None)),
        None if text == "native" => Ok(Name::Native(None)),
        Some(("vulkan", device)) if !device.is_empty() => Ok(Name::Vulkan(Some(device.to_owned()))),
        Some(("native", device)) if !device.is_empty() => Ok(Name::Native(Some(device.to_owned()))),
        _ => {
            Err("engines are emu, vulkan[:DEVICE] and native[:DEVICE]; `wavediff devices` lists the devices".to_owned())
        }
    }
}

/// How lanes are laid over a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum Lanes {
    /// What suits the device
    #[default]
    Auto,
    /// A subgroup is a wave
    Subgroup,
    /// An invocation is a lane, a workgroup a wave
    Workgroup,
    /// An invocation is a wave
    Serial,
}

/// What is going to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Short programs with many waves.
    Short,
    /// Anything.
    Any,
}

impl Lanes {
    /// The model on a device. Subgroups are the fastest, but a CPU's compiler has the more to do: what is not `Size::Short` is over sooner in workgroups.
    fn model_on(self, caps: &Caps, size: Size) -> Model {
        let fits = |model: &Model| [32, 64].iter().all(|lanes| caps.model_lacks(*model, *lanes).is_empty());
        match self {
            Lanes::Auto if caps.kind == Kind::Cpu && size == Size::Any => Model::Workgroup,
            Lanes::Auto => Model::ALL.into_iter().find(fits).unwrap_or(Model::Serial),
            _ => self.model(),
        }
    }

    /// The model, where the device is not known.
    pub fn model(self) -> Model {
        match self {
            Lanes::Auto | Lanes::Workgroup => Model::Workgroup,
            Lanes::Subgroup => Model::Subgroup,
            Lanes::Serial => Model::Serial,
        }
    }
}

/// What a device is asked for beside its name.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Device {
    /// How the lanes of a wave are laid over a Vulkan device
    #[arg(long, value_enum, default_value_t)]
    pub lanes: Lanes,
    /// Load Vulkan's validation layer: what it says is a failure
    #[arg(long)]
    pub validate: bool,
}

impl Device {
    /// Refuses what is asked of a device where none is among the engines.
    pub fn check<'n>(&self, engines: impl IntoIterator<Item = &'n Name>) -> Result<()> {
        let given = self.lanes != Lanes::Auto || self.validate;
        if given && engines.into_iter().all(|name| *name == Name::Emu) {
            return common::usage("--lanes and --validate are for Vulkan devices, and no engine is one");
        }
        Ok(())
    }
}

/// What runs are for: what is counted, and what of the waves is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purpose {
    /// Instructions are counted.
    pub stats: bool,
    /// What of the waves is kept.
    pub keep: Keep,
}

/// An engine that runs cases, here or in a process of its own.
pub fn engine(
    name: &Name,
    device: &Device,
    limits: &Limits,
    purpose: Purpose,
    isolate: bool,
) -> Result<Box<dyn Engine>> {
    // What a program does to a card that is wrong for it, the process does not outlive.
    if isolate || matches!(name, Name::Native(_)) {
        return Ok(Box::new(Isolated::new(name, device, limits, purpose)?));
    }
    let mut opened = Opened::open(name, device, limits, purpose.stats)?;
    opened.keep(purpose.keep);
    Ok(match opened {
        Opened::Emu(emulator) => Box::new(emulator),
        Opened::Vulkan(vulkan) => vulkan,
        Opened::Native(native) => native,
    })
}

/// A case as engines run it that are compared: where a card is among them, memory lies where its driver can put it, for all.
///
/// # Errors
/// There is something wrong with the case.
pub fn on_common_ground<'n>(
    names: impl IntoIterator<Item = &'n Name>,
    case: &Case,
    target: Target,
) -> Result<Case, CaseError> {
    on_ground(names.into_iter().any(|name| matches!(name, Name::Native(_))), case, target)
}

/// The same for engines that are open.
///
/// # Errors
/// There is something wrong with the case.
pub fn on_ground_of(engines: [&Opened; 2], case: &Case, target: Target) -> Result<Case, CaseError> {
    on_ground(engines.iter().any(|engine| matches!(engine, Opened::Native(_))), case, target)
}

fn on_ground(card: bool, case: &Case, target: Target) -> Result<Case, CaseError> {
    let ground = Ground::of_driver(target.arch);
    if card { case.pinned(target, ground.first, ground.case_scratch()) } else { Ok(case.clone()) }
}

/// An engine ready to run.
pub enum Opened {
    /// The emulator.
    Emu(Emulator),
    /// A device.
    Vulkan(Box<Vulkan>),
    /// A card.
    Native(Box<Native<Radv>>),
}

/// Groups with scratch memory that a device holds at once.
const GROUPS: usize = 64;

/// A number that no device has by chance.
fn token() -> u32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
    0x5eed_0001 ^ now ^ std::process::id() << 8
}

impl Opened {
    /// Opens an engine. A device has to show first that it executes what it is given, and so does a card.
    pub fn open(name: &Name, device: &Device, limits: &Limits, stats: bool) -> Result<Opened> {
        let emulator = limits.emulator(stats);
        let (choice, native) = match name {
            Name::Emu => return Ok(Opened::Emu(emulator)),
            Name::Vulkan(choice) => (choice, false),
            Name::Native(choice) => (choice, true),
        };
        let absent = |e: vulkan::Error| Usage(format!("{e}; `wavediff devices` says more"));
        let options = vulkan::Options { validate: device.validate, ..vulkan::Options::default() };
        let found = vulkan::Vulkan::load(&options).map_err(absent)?;
        let choice = choice.as_deref().map_or_else(Choice::default, Choice::parse);
        let opened = found.choose(&choice).and_then(vulkan::Gpu::open).map_err(absent)?;
        if native {
            let card = Radv::new(opened)?;
            let mut engine = Native::new(card.name().to_owned(), card);
            engine.options = Options { threads: GROUPS, ..emulator.options };
            engine.prove(token())?;
            return Ok(Opened::Native(Box::new(engine)));
        }
        let model = device.lanes.model_on(opened.caps(), Size::Any);
        let mut engine = Vulkan::new(opened, model);
        engine.options = Options { threads: GROUPS, ..emulator.options };
        engine.prove(token())?;
        Ok(Opened::Vulkan(Box::new(engine)))
    }

    /// Says what of the waves of cases is kept.
    pub fn keep(&mut self, keep: Keep) {
        match self {
            Opened::Emu(emulator) => emulator.options.keep = keep,
            Opened::Vulkan(vulkan) => vulkan.options.keep = keep,
            Opened::Native(native) => native.options.keep = keep,
        }
    }

    /// Lays lanes as suits what is going to run.
    pub fn suit(&mut self, lanes: Lanes, size: Size) {
        if let Opened::Vulkan(vulkan) = self {
            vulkan.model = lanes.model_on(vulkan.device().caps(), size);
        }
    }

    /// As something that runs cases.
    pub fn engine(&self) -> &dyn Engine {
        match self {
            Opened::Emu(emulator) => emulator,
            Opened::Vulkan(vulkan) => &**vulkan,
            Opened::Native(native) => &**native,
        }
    }

    /// As something that carries out what stands ready.
    pub fn runner(&self) -> &dyn Runner {
        match self {
            Opened::Emu(emulator) => emulator,
            Opened::Vulkan(vulkan) => &**vulkan,
            Opened::Native(native) => &**native,
        }
    }

    /// The processor of the card that it is.
    pub fn card(&self) -> Option<&'static Arch> {
        match self {
            Opened::Native(native) => Some(native.card.arch()),
            Opened::Emu(_) | Opened::Vulkan(_) => None,
        }
    }

    /// How it runs.
    pub fn options(&self) -> &Options {
        match self {
            Opened::Emu(emulator) => &emulator.options,
            Opened::Vulkan(vulkan) => &vulkan.options,
            Opened::Native(native) => &native.options,
        }
    }
}
