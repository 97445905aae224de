//! `cargo fuzz run emulate`: see `wavediff::laws::emulate`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::laws::emulate(data));
