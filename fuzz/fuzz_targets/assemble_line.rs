//! `cargo fuzz run assemble_line`: see `wavediff::laws::assemble_line`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::laws::assemble_line(data));
