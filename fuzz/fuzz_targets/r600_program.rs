//! `cargo fuzz run r600_program`: see `wavediff::r600::laws::program`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::r600::laws::program(data));
