//! The Vulkan loader, found at run time.
//!
//! Nothing links against Vulkan: where there is no loader, or one of 1.0 without the queries that [`Caps`](super::Caps) is made of, that is an
//! [`Error::Absent`] which says how to get one. `WAVEDIFF_VULKAN_LOADER` names another library than the system's.

use super::error::Error;
use ash::{Entry, vk};
use std::ffi::OsStr;

/// Names the library to load instead of the system's loader.
pub const LOADER_VARIABLE: &str = "WAVEDIFF_VULKAN_LOADER";

/// What to do without a loader or a driver; Debian's names, which are also Ubuntu's.
pub const HINT: &str =
    "install a loader and a driver (Debian: apt install libvulkan1 mesa-vulkan-drivers; the latter has a CPU device)";

/// Loads the loader, from a path where one is given.
pub(super) fn load(path: Option<&OsStr>) -> Result<Entry, Error> {
    let absent = |reason: String| Error::Absent { what: "the Vulkan loader".to_owned(), reason };
    let entry = match path {
        // SAFETY: a library's initialisers run; whoever names it, or installed it, vouches for it. It stays loaded as long as the entry lives.
        Some(path) => unsafe { Entry::load_from(path) },
        // SAFETY: as above.
        None => unsafe { Entry::load() },
    }
    .map_err(|e| absent(format!("{e}; {HINT}")))?;
    // SAFETY: the entry is loaded, and nothing else is asked of this query.
    let version = unsafe { entry.try_enumerate_instance_version() }.map_err(Error::of("asking the loader"))?;
    match version {
        Some(version) if version >= vk::API_VERSION_1_1 => Ok(entry),
        _ => Err(absent(format!("it knows Vulkan 1.0 only, and 1.1 is needed; {HINT}"))),
    }
}
