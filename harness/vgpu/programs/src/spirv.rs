//! SPIR-V of a shader: `glslangValidator` makes it when it is first asked for, and a folder keeps it.
//!
//! The folder is `VULKAN_PROGRAMS_CACHE`, or one in the folder for temporary files. Files are named by what they are made of, so
//! that two devices that are compared are given the same words.

use crate::stop::{Done, Stop};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The words of a shader.
pub fn compile(source: &str) -> Done<Vec<u32>> {
    let folder = std::env::var_os("VULKAN_PROGRAMS_CACHE")
        .map_or_else(|| std::env::temp_dir().join("vulkan-programs-spirv"), PathBuf::from);
    let mut hasher = DefaultHasher::new();
    source.hash(&mut hasher);
    let path = folder.join(format!("{:016x}.spv", hasher.finish()));
    let failed = |error: std::io::Error| Stop::Failed(format!("{}: {error}", path.display()));
    if !path.exists() {
        std::fs::create_dir_all(&folder).map_err(failed)?;
        make(source, &path)?;
    }
    let bytes = std::fs::read(&path).map_err(failed)?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Compiles into a file of this process alone, which then becomes the file: others never see half of it.
fn make(source: &str, path: &Path) -> Done<()> {
    let own = path.with_extension(format!("{}", std::process::id()));
    // Behind the number, which an extension would replace.
    let input = path.with_extension(format!("{}.comp", std::process::id()));
    let failed = |error: std::io::Error| Stop::Failed(format!("glslangValidator: {error}"));
    std::fs::write(&input, source).map_err(failed)?;
    let mut glslang = Command::new("glslangValidator");
    glslang.args(["--target-env", "vulkan1.2", "-o"]).arg(&own).arg(&input).env_remove("LD_PRELOAD");
    let output = glslang.output().map_err(failed)?;
    let _ = std::fs::remove_file(&input);
    if !output.status.success() {
        return Err(Stop::Failed(format!("glslangValidator: {}", String::from_utf8_lossy(&output.stdout))));
    }
    std::fs::rename(&own, path).map_err(failed)
}
