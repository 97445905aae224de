//! `cargo fuzz run images`: see `wavediff::laws::images`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = wavediff::laws::images(data);
});
