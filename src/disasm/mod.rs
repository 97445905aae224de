//! Machine code to text.
//!
//! [`decode()`] finds the form of an instruction and its length, and refuses what is no instruction; [`print()`] writes LLVM's canonical
//! text of it. Neither allocates. [`executed()`] is for what runs code: it looks past whatever the hardware looks past, where `decode` takes
//! what LLVM takes. [`listing`] makes a whole section into a file that assembles to the same bytes, [`stream`] a file of any length in pieces; [`prover`] proves
//! that it does, once for each shape of an instruction.

mod classes;
pub mod decode;
pub mod executed;
pub mod explain;
mod families;
pub mod fields;
mod known;
mod lines;
pub mod listing;
mod marks;
pub mod operand;
pub mod print;
mod proved;
pub mod prover;
mod shape;
pub mod stream;
mod template;

pub use decode::{Decoded, decode};
pub use executed::{Executed, executed, extent};
pub use explain::{Explanation, explain};
pub use fields::Held;
pub use print::print;

/// Why bits are no instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// No format of the processor begins like this.
    #[error("no encoding of this processor starts with these bits")]
    NoEncoding,
    /// The format has no such opcode here.
    #[error("{format} has no opcode {opcode:#x} on this processor")]
    NoOpcode {
        /// The format.
        format: &'static str,
        /// The opcode.
        opcode: u32,
    },
    /// The instruction has no such form.
    #[error("`{0}` has no such form on this processor")]
    NoForm(&'static str),
    /// Bits which mean nothing are set.
    #[error("reserved bits of `{row}` are set: {held}")]
    Reserved {
        /// The instruction.
        row: &'static str,
        /// The first field with such bits.
        held: Held,
    },
    /// A field holds a value that means nothing there.
    #[error("a field of `{row}` holds a reserved value: {held}")]
    BadField {
        /// The instruction.
        row: &'static str,
        /// The field.
        held: Held,
    },
    /// The bytes end inside the instruction.
    #[error("the bytes end inside the instruction")]
    Truncated,
}
