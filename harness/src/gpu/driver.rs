//! What a virtual GPU needs of the machine: Mesa's driver, and the library that is preloaded.

use crate::common::usage;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The library's file.
const LIBRARY: &str = "libwavediff_preload.so";
/// Folders where loaders look for drivers, behind those of the user.
const FOLDERS: [&str; 3] = ["/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d"];

/// The file by which the loader finds RADV.
pub fn find(named: Option<&Path>) -> Result<PathBuf> {
    let by_variable = variable("RADV_ICD");
    if let Some(path) = named.or(by_variable.as_deref()) {
        return match path.is_file() {
            true => Ok(std::path::absolute(path)?),
            false => usage(format!("there is no driver's file {}", path.display())),
        };
    }
    let user = below_home("XDG_DATA_HOME", ".local/share").map(|home| home.join("vulkan/icd.d"));
    let found = user.into_iter().chain(FOLDERS.map(PathBuf::from)).find_map(|folder| radeon(&folder));
    match found {
        Some(path) => Ok(path),
        None => usage(
            "there is no RADV on this machine: install Mesa's Vulkan drivers (Debian, Ubuntu, Fedora: mesa-vulkan-drivers; \
             Arch: vulkan-radeon), or name the file of one with --driver",
        ),
    }
}

/// RADV's file in a folder: `radeon_icd.x86_64.json`, for this machine where there are several.
fn radeon(folder: &Path) -> Option<PathBuf> {
    let is_radeon = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("radeon_icd") && name.ends_with(".json")
    };
    let entries = std::fs::read_dir(folder).ok()?;
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_radeon).collect();
    let other = |path: &PathBuf| !path.to_string_lossy().contains(std::env::consts::ARCH);
    found.sort_by_key(|path| (other(path), path.clone()));
    found.into_iter().next()
}

/// A path that the environment says.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// A folder of the user's: what a variable says, or one below the home.
fn below_home(name: &str, folder: &str) -> Option<PathBuf> {
    variable(name).or_else(|| variable("HOME").map(|home| home.join(folder)))
}

/// A cache for shaders that no real card made.
pub fn cache() -> PathBuf {
    below_home("XDG_CACHE_HOME", ".cache").unwrap_or_else(std::env::temp_dir).join("wavediff/shaders")
}

/// The library: beside the program, where cargo builds it, or where packages put it.
pub fn preloaded() -> Result<PathBuf> {
    let named = variable("WAVEDIFF_VGPU_LIBRARY");
    let program = std::env::current_exe()?;
    let beside = program.parent().unwrap_or(Path::new("/"));
    let places = [beside.join("deps"), beside.to_owned(), beside.join("../lib/wavediff"), beside.join("../lib")];
    let found = named.into_iter().chain(places.map(|place| place.join(LIBRARY))).find(|path| path.is_file());
    match found {
        Some(path) => Ok(path.canonicalize()?),
        None => usage(format!(
            "{LIBRARY} is not beside the program: `cargo build --release -p wavediff-preload` makes it, \
             and WAVEDIFF_VGPU_LIBRARY may name it"
        )),
    }
}
