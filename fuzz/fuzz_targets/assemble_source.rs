//! `cargo fuzz run assemble_source`: see `wavediff::laws::assemble_source`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::laws::assemble_source(data));
