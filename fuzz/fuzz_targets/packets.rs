//! `cargo fuzz run packets`: see `wavediff_vgpu::laws::streams`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wavediff_vgpu::laws::streams(data));
