//! `cargo fuzz run r600_case`: see `wavediff::r600::laws::case`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::r600::laws::case(data));
