//! Image instructions of the emulator: the time of one for 64 lanes.
//!
//! `cargo bench --bench images` measures with criterion. A name says the processor's layout, the format and what is done; the lanes take
//! neighbouring texels of rows, as shaders do.

#[path = "support/mod.rs"]
mod support;

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::time::Duration;
use support::{looped, program_of};
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::image::Dim;
use wavediff::memory::image::fields::{Field, Fields, SamplerField};
use wavediff::memory::image::format::TexelFormat;

const GPU: &str = "gfx1100";
const TIMES: usize = 2000;
const SIDE: u32 = 256;
const TEXELS: u64 = 0x10_0000_0000;

/// Name, format, swizzle mode, instruction.
#[rustfmt::skip]
const ROWS: &[(&str, &str, u64, &str)] = &[
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

fn main() {
    let target = Target::new(Arch::find(GPU).expect(GPU)).wave(64).expect("waves of 64 lanes");
    let mut memory = Memory::new();
    let bytes: Vec<u8> = (0..SIDE * SIDE * 2).flat_map(|n| (n % 977).to_le_bytes()).collect();
    memory.map_bytes("texels", TEXELS, &bytes, true).expect("memory");
    let criterion = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(1));
    let mut criterion = criterion.warm_up_time(Duration::from_millis(300)).configure_from_args();
    let mut group = criterion.benchmark_group("images");
    group.throughput(Throughput::Elements(TIMES as u64));
    for (name, format, mode, line) in ROWS {
        let program = program_of(target, &looped(&format!("{line}\n"), TIMES));
        let levels = if name.ends_with("trilinear") { 5 } else { 1 };
        let image = descriptor(format, *mode, levels, &target);
        let mut sampler = [0; 4];
        for (field, value) in [
            (SamplerField::Magnify, 1),
            (SamplerField::Minify, 1),
            (SamplerField::FilterMip, 2),
            (SamplerField::MaxLod, 0xfff),
        ] {
            field.set(&mut sampler, target.generation(), value);
        }
        let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
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
                for (n, v) in [gradient, 0, 0, gradient, wave.vgpr(2, lane), wave.vgpr(3, lane)].into_iter().enumerate()
                {
                    wave.set_vgpr(16 + n, lane, v);
                }
            }
        };
        let dispatch = Dispatch::of_one(&program, &memory, 64, &setup);
        let plan = Plan::new(&program);
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                let finished = grid::run(&dispatch, &plan, &Hooks::default());
                assert!(
                    finished.groups.iter().all(|group| group.trap.is_none()),
                    "{name}: {:?}",
                    finished.groups[0].trap
                );
                black_box(finished.steps)
            });
        });
    }
    group.finish();
    criterion.final_summary();
}
