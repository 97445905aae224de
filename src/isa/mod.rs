//! What the machines are: pure data and the code that interprets it.

pub mod arch;
pub mod symbols;
pub mod text;

pub use arch::{ARCHS, Arch, Features, Gen, Target, Variants};
