//! `cargo fuzz run read_elf`: see `wavediff::laws::read_elf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::laws::read_elf(data));
