//! Matrix instructions.
