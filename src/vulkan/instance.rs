//! The instance: the way to the devices, and who listens to the validation layer.
//!
//! The version asked for is 1.3 at most, whatever loader and devices have: what lies beyond is asked for as extensions, so that one table
//! ([`caps`](super::caps)) says how each fact is found on every version from 1.1 on.

use super::caps::Caps;
use super::error::Error;
use super::loader;
use super::log::Log;
use ash::{Entry, ext, khr, vk};
use std::ffi::{CStr, OsString};
use std::sync::Arc;

/// How Vulkan is set up.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Load the validation layer, with its checks of synchronisation; a message fails the call that caused it, or the next one that looks.
    pub validate: bool,
    /// Another library than the system's loader; over what [`loader::LOADER_VARIABLE`] says.
    pub loader: Option<OsString>,
}

/// The newest version whose rules are followed.
pub(super) const NEWEST: u32 = vk::API_VERSION_1_3;
/// The layer that checks calls.
const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Vulkan, and the devices that it finds.
pub struct Vulkan {
    inner: Arc<Inner>,
    gpus: Vec<Gpu>,
}

/// The instance itself, kept by everything made of it.
pub(super) struct Inner {
    // Declared in the order of their use; `drop` ends them from the last.
    pub instance: ash::Instance,
    pub debug: Option<Debug>,
    /// The version of the specification that the validation layer knows.
    pub layer: Option<u32>,
    /// Keeps the loader loaded.
    pub entry: Entry,
}

/// The messenger, and where it writes.
pub(super) struct Debug {
    utils: ext::debug_utils::Instance,
    messenger: vk::DebugUtilsMessengerEXT,
    log: Box<Log>,
}

/// A device that is there, not opened yet.
#[derive(Clone)]
pub struct Gpu {
    pub(super) instance: Arc<Inner>,
    pub(super) handle: vk::PhysicalDevice,
    /// Its place in the driver's list, which is the same as that of other tools.
    pub index: usize,
    /// What it can do.
    pub caps: Arc<Caps>,
}

impl Vulkan {
    /// Loads Vulkan and lists the devices, best first.
    ///
    /// # Errors
    /// [`Error::Absent`] without loader, driver, or validation layer where one is asked for.
    pub fn load(options: &Options) -> Result<Vulkan, Error> {
        let named = options.loader.clone().or_else(|| std::env::var_os(loader::LOADER_VARIABLE));
        let entry = loader::load(named.as_deref())?;
        let inner = Arc::new(Inner::create(entry, options)?);
        // SAFETY: the instance lives.
        let handles = unsafe { inner.instance.enumerate_physical_devices() }.map_err(Error::of("listing devices"))?;
        let mut gpus = Vec::new();
        for (index, handle) in handles.into_iter().enumerate() {
            // A device of 1.0 cannot be asked what it can do; it is left out of the list.
            if let Some(caps) = Caps::of(&inner, handle)? {
                gpus.push(Gpu { instance: inner.clone(), handle, index, caps: Arc::new(caps) });
            }
        }
        gpus.sort_by_key(|gpu| (gpu.caps.kind, gpu.index));
        inner.check()?;
        Ok(Vulkan { inner, gpus })
    }

    /// The devices, best first: discrete, integrated, virtual, CPU.
    #[must_use]
    pub fn gpus(&self) -> &[Gpu] {
        &self.gpus
    }

    /// What the validation layer said and says; nothing without validation. It outlives the instance.
    #[must_use]
    pub fn log(&self) -> Option<Log> {
        self.inner.debug.as_ref().map(|debug| Log::clone(&debug.log))
    }
}

impl Inner {
    fn create(entry: Entry, options: &Options) -> Result<Inner, Error> {
        let application =
            vk::ApplicationInfo::default().application_name(c"wavediff").engine_name(c"wavediff").api_version(NEWEST);
        let log = Box::<Log>::default();
        let mut messenger = log.messenger();
        let mut checks = vk::ValidationFeaturesEXT::default()
            .enabled_validation_features(&[vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION]);
        let mut info = vk::InstanceCreateInfo::default().application_info(&application);
        let (layers, mut extensions) = ([VALIDATION.as_ptr()], Vec::new());
        let layer = if options.validate { Some(layer(&entry)?) } else { None };
        if layer.is_some() {
            extensions.push(ext::debug_utils::NAME.as_ptr());
            if has_extension(&entry, Some(VALIDATION), ext::validation_features::NAME)? {
                extensions.push(ext::validation_features::NAME.as_ptr());
                info = info.push_next(&mut checks);
            }
            // In the chain it also hears what is said while the instance is made and destroyed.
            info = info.enabled_layer_names(&layers).push_next(&mut messenger);
        }
        if has_extension(&entry, None, khr::portability_enumeration::NAME)? {
            extensions.push(khr::portability_enumeration::NAME.as_ptr());
            info.flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        info = info.enabled_extension_names(&extensions);
        // SAFETY: everything that the record points to lives until the call is over; the log lives as long as the instance.
        let instance = unsafe { entry.create_instance(&info, None) }.map_err(|result| match result {
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => {
                Error::Absent { what: "a Vulkan driver".to_owned(), reason: loader::HINT.to_owned() }
            }
            result => Error::of("creating the instance")(result),
        })?;
        let mut inner = Inner { instance, debug: None, layer, entry };
        if layer.is_some() {
            let utils = ext::debug_utils::Instance::new(&inner.entry, &inner.instance);
            // SAFETY: the instance has the extension; the log is boxed and goes after the messenger.
            let messenger = unsafe { utils.create_debug_utils_messenger(&log.messenger(), None) }
                .map_err(Error::of("listening to the validation layer"))?;
            inner.debug = Some(Debug { utils, messenger, log });
        }
        Ok(inner)
    }

    /// Fails if the validation layer said something.
    pub fn check(&self) -> Result<(), Error> {
        let messages = self.debug.as_ref().map_or_else(Vec::new, |debug| debug.log.take());
        if messages.is_empty() { Ok(()) } else { Err(Error::Validation { messages }) }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: whatever was made of the instance keeps it, so that nothing is left; the messenger goes before the instance, and
        // the log, which is dropped with the fields, after both.
        unsafe {
            if let Some(debug) = &self.debug {
                debug.utils.destroy_debug_utils_messenger(debug.messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

impl Gpu {
    /// Its name, as the driver gives it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.caps.name
    }
}

/// The version of the validation layer.
fn layer(entry: &Entry) -> Result<u32, Error> {
    // SAFETY: the entry is loaded.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.map_err(Error::of("listing layers"))?;
    let found = layers.iter().find(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION));
    found.map(|layer| layer.spec_version).ok_or_else(|| Error::Absent {
        what: "the validation layer".to_owned(),
        reason: "install it (Debian: apt install vulkan-validationlayers)".to_owned(),
    })
}

fn has_extension(entry: &Entry, layer: Option<&CStr>, name: &CStr) -> Result<bool, Error> {
    // SAFETY: the entry is loaded; a layer that is named was found before.
    let list = unsafe { entry.enumerate_instance_extension_properties(layer) };
    let list = list.map_err(Error::of("listing extensions of the instance"))?;
    Ok(list.iter().any(|e| e.extension_name_as_c_str() == Ok(name)))
}

/// Which device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The first of the list.
    #[default]
    Best,
    /// By its place in the driver's list.
    Index(usize),
    /// By its uuid.
    Uuid([u8; 16]),
    /// By a part of its name, whatever its case.
    Name(String),
}

impl Choice {
    /// Reads `2`, a uuid in hex with or without dashes, or a part of a name; nothing is [`Choice::Best`].
    #[must_use]
    pub fn parse(text: &str) -> Choice {
        if text.is_empty() {
            return Choice::Best;
        }
        if let Ok(index) = text.parse() {
            return Choice::Index(index);
        }
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        match u128::from_str_radix(&digits, 16) {
            Ok(uuid) if digits.len() == 32 => Choice::Uuid(uuid.to_be_bytes()),
            _ => Choice::Name(text.to_owned()),
        }
    }
}

impl Vulkan {
    /// The device of a choice.
    ///
    /// # Errors
    /// [`Error::Absent`], with the names that there are.
    pub fn choose(&self, choice: &Choice) -> Result<&Gpu, Error> {
        let found = match choice {
            Choice::Best => self.gpus.first(),
            Choice::Index(index) => self.gpus.iter().find(|gpu| gpu.index == *index),
            Choice::Uuid(uuid) => self.gpus.iter().find(|gpu| gpu.caps.uuid == *uuid),
            Choice::Name(part) => {
                let part = part.to_lowercase();
                self.gpus.iter().find(|gpu| gpu.caps.name.to_lowercase().contains(&part))
            }
        };
        found.ok_or_else(|| {
            let what = match choice {
                Choice::Best => "a Vulkan device".to_owned(),
                Choice::Index(index) => format!("device {index}"),
                Choice::Uuid(uuid) => format!("a device of uuid {:032x}", u128::from_be_bytes(*uuid)),
                Choice::Name(part) => format!("a device called `{part}`"),
            };
            let names: Vec<String> = self.gpus.iter().map(|gpu| format!("{} `{}`", gpu.index, gpu.name())).collect();
            let reason = if names.is_empty() {
                format!("no driver found a device; {}", loader::HINT)
            } else {
                format!("there is {}", names.join(", "))
            };
            Error::Absent { what, reason }
        })
    }
}
