//! Machine code to SPIR-V, and the translation as an engine.
//!
//! ```text
//! Program (steps)  --lower-->  Module (words)  --vulkan-->  records in, records out  --engine-->  Outcome
//! ```
//!
//! A [program](crate::program) is what both engines read: which instruction a step is, where its operands lie, which modifiers apply. From there on they
//! have nothing in common but the [meanings](crate::isa::sem), which each evaluates in an algebra of its own: here values are ids of SPIR-V ([`alg`]) and
//! floats are computed in integers by functions of the module ([`soft`]). [`lower`] writes the blocks of a program into one loop around a switch,
//! [`lanes`] says how the lanes of a wave are carried out, [`state`] where a wave lies in device memory, [`tables`] what is looked up about images
//! there, [`turns`] which waves are there one at a time, and [`engine`] does the host's part.
//!
//! What was thought of and dropped: masks as one bool an invocation (saveexec, SCC and mbcnt come out wrong), `rspirv`'s tree of instructions as
//! the builder (several times slower than words), barriers of the device for barriers of the program (waves of a group are in different blocks).

pub mod alg;
pub mod cfg;
pub mod engine;
pub mod fault;
pub mod functions;
pub mod lanes;
pub mod lower;
pub mod meaning;
pub mod module;
pub mod segments;
pub mod soft;
pub mod state;
pub mod tables;
pub mod turns;
