//! `cargo fuzz run launch_elf`: see `wavediff::laws::launch_elf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::laws::launch_elf(data));
