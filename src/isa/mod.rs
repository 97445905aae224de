//! What the machines are: pure data and the code that interprets it.
//!
//! - [`arch`]: processors, generations, variants, modes;
//! - [`mod@format`]: bit layouts, the only place with bit numbers;
//! - [`operand`], [`row`], [`gcn`]: instructions, one line each;
//! - [`image`]: what image addresses and image data are made of;
//! - [`regs`]: registers by name and code;
//! - [`symbols`]: immediates with names;
//! - [`memory`]: what memory instructions have in common;
//! - [`form`], `forms`, `limits`: what rows become on one processor;
//! - [`table`]: all forms of a processor, by name and by bits.

pub mod arch;
pub mod does;
pub mod examples;
pub mod form;
pub mod format;
mod forms;
pub mod gcn;
mod idle;
pub mod image;
pub(crate) mod limits;
pub mod memory;
pub mod operand;
pub mod r600;
pub mod regs;
pub mod row;
pub mod rules;
pub mod sem;
pub mod silicon;
pub mod symbols;
pub mod table;
pub mod text;
pub mod traps;
pub mod types;
pub mod words;

pub use arch::{ARCHS, Arch, Features, Gen, Target, Variants};
