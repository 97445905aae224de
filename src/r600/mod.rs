//! R600 and R700 programs: from words to instructions to text, and back.
//!
//! Their program is no sequence of instructions, so they have a model of their own:
//!
//! ```text
//!     words --decode--> program: flow, clauses, groups <--parse-- text
//!       ^                   |                                       ^
//!       +-----encode--------+----------------print------------------+
//! ```
//!
//! - [`program`]: a program as plain data. Whatever the words, they decode, and the same words come back.
//! - [`mod@print`]: text, in the style of AMD's own listings;
//! - [`assemble`]: the same text, or what people write, to words;
//! - [`check`]: what programs must keep to;
//! - [`object`]: objects of LLVM's r600 target;
//! - [`emu`]: what a program does, by the meanings of [`sem`];
//! - [`spirv`]: the same on a Vulkan device;
//! - [`case`]: programs with what they find and what they are expected to leave.
//! - [`engine`]: cases on engines, and two outcomes side by side.
//! - [`laws`]: what must hold whatever the input;
//! - [`bisect`], [`reduce`]: where two engines come apart, and the least that shows it.
//! - [`singles`], [`random`]: instructions by themselves, and random programs, for engines to differ on.

pub mod assemble;
pub mod bisect;
pub mod case;
pub mod check;
pub mod emu;
pub mod engine;
pub mod laws;
pub mod object;
mod parse;
pub mod print;
pub mod program;
pub mod random;
pub mod reduce;
pub mod sem;
pub mod singles;
pub mod spirv;
mod text;

pub use crate::isa::r600::Machine;
pub use program::{Body, Clause, Flow, Group, Inst, Program, Slot};
pub use text::Fault;
