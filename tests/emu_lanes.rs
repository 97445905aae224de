//! Instructions across lanes, by relative registers, of matrices, and the modes that change what vector instructions name. Expectations are
//! written by hand from the shared facts; the section is named at each table.

#[path = "emu_lanes/control.rs"]
mod control;
#[path = "emu_lanes/coverage.rs"]
mod coverage;
#[path = "emu_lanes/cross.rs"]
mod cross;
#[path = "emu_lanes/dpp.rs"]
mod dpp;
#[path = "emu_lanes/interp.rs"]
mod interp;
#[path = "emu_lanes/levels.rs"]
mod levels;
#[path = "emu_lanes/machine.rs"]
mod machine;
#[path = "emu_lanes/matrix.rs"]
mod matrix;
#[path = "emu_lanes/modes.rs"]
mod modes;
#[path = "emu_lanes/read.rs"]
mod read;
#[path = "emu_lanes/relative.rs"]
mod relative;
#[path = "emu_lanes/scalar.rs"]
mod scalar;
#[path = "emu_lanes/sdwa.rs"]
mod sdwa;
#[path = "emu_lanes/state.rs"]
mod state;
#[path = "support/thorough.rs"]
mod thorough;
