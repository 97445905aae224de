//! Instructions across lanes, by relative registers, of matrices, and the modes that change what vector instructions name. Expectations are
//! written by hand from the shared facts; the section is named at each table.

#[path = "emu_lanes/machine.rs"]
mod machine;
#[path = "emu_lanes/read.rs"]
mod read;
