//! `cargo fuzz run decode_print_parse`: see `wavediff::laws::decode_print_parse`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff::laws::decode_print_parse(data));
