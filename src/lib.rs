//! wavediff: the reference executor for AMD GPU machine code.

pub mod asm;
pub mod disasm;
pub mod isa;
pub mod laws;
pub mod object;
