//! The CPU emulator.

pub mod launch;
pub mod soft;
