//! Images for benches: a square one in memory, instructions on it, and the registers that they want.

use wavediff::engine::registers::Registers;
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::image::Dim;
use wavediff::memory::image::fields::{Field, Fields, SamplerField};
use wavediff::memory::image::format::TexelFormat;

/// The processor of the rows.
const GPU: &str = "gfx1100";
const SIDE: u32 = 256;
const TEXELS: u64 = 0x10_0000_0000;

/// Name, format, swizzle mode, instruction.
#[rustfmt::skip]
pub const ROWS: &[(&str, &str, u64, &str)] = &[
    ("linear/32_float/load",            "32_float",          0,  "image_load v8, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
    ("linear/8_8_8_8_unorm/load",       "8_8_8_8_unorm",     0,  "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/32_float/load",          "32_float",          27, "image_load v8, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/8_8_8_8_unorm/load",     "8_8_8_8_unorm",     27, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/16_16_16_16_float/load", "16_16_16_16_float", 27, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/32_float/store",         "32_float",          27, "image_store v8, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/8_8_8_8_unorm/bilinear", "8_8_8_8_unorm",     27, "image_sample_lz v[8:11], v[2:3], s[0:7], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/32_float/bilinear",      "32_float",          27, "image_sample_lz v8, v[2:3], s[0:7], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/8_8_8_8_srgb/bilinear",  "8_8_8_8_srgb",      27, "image_sample_lz v[8:11], v[2:3], s[0:7], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/bc1_unorm/bilinear",     "bc1_unorm",         27, "image_sample_lz v[8:11], v[2:3], s[0:7], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/8_8_8_8_unorm/trilinear", "8_8_8_8_unorm",    27, "image_sample_d v[8:11], v[16:21], s[0:7], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/32_float/gather",        "32_float",          27, "image_gather4_lz v[8:11], v[2:3], s[0:7], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
    ("64KB_R_X/32_uint/atomic",         "32_uint",           27, "image_atomic_add v8, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
];

/// The processor, in waves of 64 lanes.
pub fn target() -> Target {
    Target::new(Arch::find(GPU).expect(GPU)).wave(64).expect("waves of 64 lanes")
}

/// Memory that has the texels.
pub fn texels() -> Memory {
    let mut memory = Memory::new();
    let bytes: Vec<u8> = (0..SIDE * SIDE * 2).flat_map(|n| (n % 977).to_le_bytes()).collect();
    memory.map_bytes("texels", TEXELS, &bytes, true).expect("memory");
    memory
}

/// The descriptor of a square image of so many levels.
fn descriptor(format: &str, mode: u64, levels: u64, target: &Target) -> [u32; 8] {
    let generation = target.generation();
    let (number, _) = TexelFormat::numbers(format, target).expect(format);
    let mut words = [0; 8];
    for (field, value) in [
        (Field::Base, TEXELS >> 8),
        (Field::Format, number.into()),
        (Field::Width, u64::from(SIDE) - 1),
        (Field::Height, u64::from(SIDE) - 1),
        (Field::DstSel, 0xfac),
        (Field::Mode, mode),
        (Field::LastLevel, levels - 1),
        (Field::MaxMip, levels - 1),
        (Field::Type, 8 + u64::from(Dim::D2.number())),
    ] {
        field.set(&mut words, generation, value);
    }
    words
}

/// A sampler that blends.
fn sampler(target: &Target) -> [u32; 4] {
    let mut words = [0; 4];
    for (field, value) in [
        (SamplerField::Magnify, 1),
        (SamplerField::Minify, 1),
        (SamplerField::FilterMip, 2),
        (SamplerField::MaxLod, 0xfff),
    ] {
        field.set(&mut words, target.generation(), value);
    }
    words
}

/// What a row's instruction finds in registers: image, sampler, and the coordinates of neighbouring texels.
pub fn registers(name: &str, format: &str, mode: u64) -> impl Fn([u32; 3], u32, &mut Registers) + Sync + use<> {
    let target = target();
    let levels = if name.ends_with("trilinear") { 5 } else { 1 };
    let (image, sampler) = (descriptor(format, mode, levels, &target), sampler(&target));
    move |_, _, wave| {
        wave.s[..8].copy_from_slice(&image);
        wave.s[12..16].copy_from_slice(&sampler);
        for lane in 0..64 {
            let (x, y) = (40 + lane as u32 % 16, 70 + lane as u32 / 16);
            wave.set_vgpr(0, lane, x);
            wave.set_vgpr(1, lane, y);
            wave.set_vgpr(2, lane, ((x as f32 + 0.3) / SIDE as f32).to_bits());
            wave.set_vgpr(3, lane, ((y as f32 + 0.8) / SIDE as f32).to_bits());
            // Gradients of 1.4 texels, which are between two levels, before the coordinates.
            let gradient = (1.4 / SIDE as f32).to_bits();
            for (n, v) in [gradient, 0, 0, gradient, wave.vgpr(2, lane), wave.vgpr(3, lane)].into_iter().enumerate() {
                wave.set_vgpr(16 + n, lane, v);
            }
            wave.set_vgpr(25, lane, lane as u32);
        }
    }
}

/// Makes coordinates at random of lanes, which hardly meet in a line of a cache.
pub const AT_RANDOM: &str = "v_mul_lo_u32 v24, v24, 0x9e3779b1
v_xor_b32 v24, v25, v24
v_bfe_u32 v0, v24, 12, 8
v_bfe_u32 v1, v24, 20, 8
v_cvt_f32_u32 v2, v0
v_cvt_f32_u32 v3, v1
v_mul_f32 v2, 0x3b800000, v2
v_mul_f32 v3, 0x3b800000, v3
v_mov_b32 v20, v2
v_mov_b32 v21, v3
";
