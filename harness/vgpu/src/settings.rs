//! What a virtual GPU is told: variables of the environment, which the programs that a program starts inherit.
//!
//! They are strings of C, for they are read before a program's own part of the process has begun.

use std::ffi::CStr;

/// The devices: names of [chips](crate::chips), with commas between; without it every call is passed on.
pub const CHIPS: &CStr = c"WAVEDIFF_VGPU_CHIPS";
/// MiB of each of the two heaps of a device: 4096.
pub const MEMORY: &CStr = c"WAVEDIFF_VGPU_MEMORY";
/// `1`: devices offer a copy engine.
pub const SDMA: &CStr = c"WAVEDIFF_VGPU_SDMA";
/// `1`: the machine's own devices are shown too.
pub const REAL: &CStr = c"WAVEDIFF_VGPU_REAL";
/// A file for packets, dispatches, times, and what went wrong.
pub const LOG: &CStr = c"WAVEDIFF_VGPU_LOG";
/// A folder for cases of dispatches that trap.
pub const DUMP: &CStr = c"WAVEDIFF_VGPU_DUMP";
/// Seconds that a ring waits, and that a dispatch runs: 120.
pub const WATCHDOG: &CStr = c"WAVEDIFF_VGPU_WATCHDOG";
