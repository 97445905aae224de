//! Code objects of kernels that were written by hand, for which no compiler is needed.

use super::program::{code, err, file, wavediff};
use std::path::Path;

/// The code object that assembly makes.
pub fn object(folder: &Path, name: &str, source: &str) -> String {
    let source = file(folder, &format!("{name}.s"), source);
    let object = folder.join(format!("{name}.o")).to_string_lossy().into_owned();
    let made = wavediff(&["asm", "--elf", &source, "-o", &object]);
    assert_eq!(code(&made), 0, "{name}: {}", err(&made));
    object
}

/// The assembly of a kernel `k` with few registers and so many bytes of local memory. The address of its arguments is in s[0:1], and nothing says
/// which they are.
#[allow(dead_code, reason = "not every test writes a kernel of its own")]
pub fn kernel(processor: &str, lds: u32, body: &str) -> String {
    format!(
        "\t.amdgcn_target \"amdgcn-amd-amdhsa--{processor}\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n{body}\n\ts_endpgm\n\
         \t.section .rodata,\"a\"\n\t.p2align 6\n\t.amdhsa_kernel k\n\t.amdhsa_group_segment_fixed_size {lds}\n\
         \t.amdhsa_kernarg_size 8\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
         \t.amdhsa_next_free_vgpr 8\n\t.amdhsa_next_free_sgpr 8\n\t.end_amdhsa_kernel\n"
    )
}
