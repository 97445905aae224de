//! Assembly with kernels, as compilers write it: assembled on the way, it is run as a code object is. Files that it includes are read from where a
//! case reads its own: whoever gives somebody a kernel gives him the wish to run it, and not his files.

use super::case::Reading;
use crate::asm;
use anyhow::{Context, Result, bail};
use std::borrow::Cow;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble_with;
use wavediff::isa::Target;
use wavediff::object::target_id::declared;

/// The directive that describes a kernel.
const KERNEL: &str = ".amdhsa_kernel";

/// Whether a text describes a kernel.
pub fn has_kernel(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.lines().any(|line| line.trim_start().starts_with(KERNEL)))
}

/// The code object of a file: the file itself, or what its assembly makes. Nothing: it is no code object, and has no kernel.
///
/// Assembly is looked at only where a kernel is `wanted`: the same text is a case as well.
pub fn object<'b>(name: &str, bytes: &'b [u8], wanted: bool, reading: Reading) -> Result<Option<Cow<'b, [u8]>>> {
    if bytes.starts_with(b"\x7fELF") {
        return Ok(Some(Cow::Borrowed(bytes)));
    }
    let text = std::str::from_utf8(bytes).ok().filter(|_| wanted && has_kernel(bytes));
    let Some(text) = text else { return Ok(None) };
    let Some(declared) = declared(text) else {
        bail!(
            "`{name}` has kernels and does not say for which processor: write `.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"`"
        );
    };
    let id = declared.target.with_context(|| format!("`{name}`: .amdgcn_target"))?;
    let target = Target::new(id.arch);
    let target = if declared.wave64 { target.wave(64).unwrap_or(target) } else { target };
    let files = reading.reach().files(name);
    let assembly = assemble_with(name, text, &Assembler::new(target), target, &*files);
    asm::show(&assembly.diagnostics);
    let Some(module) = assembly.module else { bail!("`{name}` does not assemble for {}", id.arch.name) };
    let object = wavediff::object::write(&module).with_context(|| format!("`{name}` makes no code object"))?;
    Ok(Some(Cow::Owned(object)))
}
