//! Functions of the C library under their own names, for a program that [`wavediff_vgpu`] is
//! preloaded into.
//!
//! Each asks [`calls`](wavediff_vgpu::kernel::calls) whether its path or descriptor is one of a
//! virtual GPU's, and calls the function that it stands before if not, with the arguments and the
//! `errno` as they are.
//!
//! `open`, `fcntl` and `ioctl` have variable arguments in C. All of them are integers, which on
//! x86-64 and AArch64 lie where those of other functions do: here they are functions of as many
//! arguments as there may be, and pass on what they find.
#![allow(unsafe_code, reason = "the C library's functions take pointers")]
#![allow(clippy::missing_safety_doc, reason = "what the C library asks for")]
#![allow(missing_docs, reason = "the C library's names")]

#[macro_use]
mod real;

mod descriptors;
mod folders;
mod paths;
