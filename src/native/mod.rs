//! Native: the machine code of a case or kernel, on the card that it is for.
//!
//! A card takes machine code only from its driver. RADV gives a compute shader back as bytes and takes such bytes again
//! ([shader objects](crate::vulkan::object)): a small shader of ours, the [template](radv), is compiled, its code is taken out of the
//! bytes, and other code is put in its place, with the registers, the local memory and the modes that it needs.
//!
//! That code is a [frame] around the words of the program. In front of them stands a prologue, which gives a wave the
//! registers, the modes and the LDS that it is to begin with; behind them an epilogue, which stores all of that. Between
//! the two nothing is changed but the ends: each `s_endpgm` is a branch to the epilogue, of the same length. What a
//! wave begins with and leaves is a [block] of memory, which host and frame both know.
//!
//! The frame must find that block again when the program is over, and so it keeps some scalar registers for itself:
//! those that the program neither reads nor writes ([`needs`]). They are as they were at the start, as far as anyone can
//! tell. What cannot be had natively is refused by name before anything runs: addresses of code in registers, the clock,
//! messages, what belongs to trap handlers, a register file without a few unused registers.
//!
//! Waves that are to be paused after so many steps count them, in a copy of the program, where they branch ([`prefix`]).
//!
//! All of this up to the bytes is pure ([`inject`]): tests run the injected code with the emulator, for every generation.
//! [`engine`] brings it to a device.

pub mod block;
pub mod card;
pub mod engine;
pub mod frame;
pub mod inject;
pub mod needs;
pub mod prefix;
pub mod radv;

pub use engine::{Injecting, Native, admits};
pub use inject::{Injection, Wave};
pub use radv::Radv;
