//! Image descriptors and samplers of any words do no harm: what is out of range has no address, and nothing panics or goes on for ever.
//! And whole waves, which have short ways, get what their lanes would get one by one.
//!
//! What addresses are right is in `tests/tiling.rs`.

use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::isa::{Arch, Target};
use wavediff::laws::{self, Chance};
use wavediff::memory::guest::Memory;
use wavediff::memory::image::Dim;
use wavediff::memory::image::fields::SamplerField;
use wavediff::memory::image::fields::{Field, Fields};
use wavediff::memory::image::format::TexelFormat;
use wavediff::program::Program;

#[test]
fn no_words_do_any_harm() {
    let mut chance = Chance::new(0x1a9e5);
    let (mut images, mut texels, mut samples) = (0, 0, 0);
    for _ in 0..60_000 {
        let found = laws::images(&chance.next_u64().to_le_bytes());
        images += found.images;
        texels += found.texels;
        samples += found.samples;
    }
    assert!(images > 5000 && texels > 500 && samples > 1000, "{images} images, {texels} texels, {samples} samples");
}

/// The registers that an instruction leaves in v8 to v11, in lanes 0 to 62; all lanes are active, or all but the last.
fn left(line: &str, words: (&[u32; 8], &[u32; 4]), lanes: u64, seed: u64, memory: &Memory) -> Vec<u32> {
    let target = Target::new(Arch::find("gfx1100").expect("a processor")).wave(64).expect("waves of 64");
    let source = format!("{line}\ns_endpgm\n");
    let module = assemble("one.s", &source, &Assembler::new(target), target).unwrap_or_else(|e| panic!("{e:?}"));
    let text = module.sections.iter().find(|s| s.name == ".text").map(|s| &s.bytes[..]).unwrap_or_default();
    let code: Vec<u32> = text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let program = Program::new(target, &code, 0x1000);
    let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
        wave.s[..8].copy_from_slice(words.0);
        wave.s[12..16].copy_from_slice(words.1);
        wave.set_exec(lanes);
        let mut chance = Chance::new(seed);
        for lane in 0..64 {
            wave.set_vgpr(0, lane, chance.below(47) as u32);
            wave.set_vgpr(1, lane, chance.below(21) as u32);
            for register in [2, 3] {
                wave.set_vgpr(register, lane, (chance.below(3000) as f32 / 1000.0 - 1.0).to_bits());
            }
        }
    };
    let dispatch = Dispatch::of_one(&program, memory, 64, &setup);
    let hooks = Hooks { keep: true, ..Hooks::default() };
    let mut finished = grid::run(&dispatch, &Plan::new(&program), &hooks);
    let group = finished.groups.pop().expect("the group");
    assert!(group.trap.is_none(), "{line}: {:?}", group.trap);
    let wave = &group.waves[0];
    (8..12).flat_map(|n| (0..63).map(move |lane| (n, lane))).map(|(n, lane)| wave.vgpr(n, lane)).collect()
}

/// What a list of registers lacks is not taken from the instruction behind it.
#[test]
fn short_lists_end_with_their_instruction() {
    let target = Target::new(Arch::find("gfx1030").expect("a processor"));
    let line = "image_sample_d v0, [v34, v120, v86, v52, v18, v5, v7, v9, v11], s[0:7], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_3D\n";
    let module = assemble("one.s", line, &Assembler::new(target), target).unwrap_or_else(|e| panic!("{e:?}"));
    let text = module.sections.iter().find(|s| s.name == ".text").map(|s| &s.bytes[..]).unwrap_or_default();
    let mut words: Vec<u32> = text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    // One word of the list instead of two.
    assert_eq!((words.len(), words[0] >> 1 & 3), (4, 2));
    words[0] ^= 3 << 1;
    for behind in [0xbf81_0000, 0xbf80_0000, u32::MAX] {
        words[3] = behind;
        let program = Program::new(target, &words, 0x1000);
        let access = program.steps[0].memory.as_ref().and_then(|access| access.image.as_ref()).expect("an image");
        assert_eq!(access.registers, [34, 120, 86, 52, 18, 19, 20, 21, 22], "{behind:#x}");
    }
}

#[test]
fn whole_waves_get_what_their_lanes_get() {
    const BASE: u64 = 0x10_0000_0000;
    let target = Target::new(Arch::find("gfx1100").expect("a processor"));
    let generation = target.generation();
    let mut chance = Chance::new(0x717e);
    let mut memory = Memory::new();
    // Floats of any size, and those of which sums are not what they seem: of negative zeros, of what is no number, of infinities.
    const AWKWARD: [u32; 5] = [0x7fc0_1234, 0xffc0_0001, 0x7f80_0000, 0xff80_0000, 0];
    let mut texel = || match chance.below(10) {
        0..4 => 0x8000_0000,
        4 => AWKWARD[chance.below(AWKWARD.len())],
        _ => chance.next_u64() as u32 & 0xbf7f_ffff,
    };
    let texels: Vec<u8> = (0..0x2_0000u32).flat_map(|_| texel().to_le_bytes()).collect();
    memory.map_bytes("texels", BASE, &texels, true).expect("memory");
    let mut compared = 0;
    for format in ["32_float", "32_uint", "8_8_8_8_unorm", "32_32_32_32_float", "32_32_32_float"] {
        for mode in [0u64, 27] {
            let (number, _) = TexelFormat::numbers(format, &target).expect(format);
            let mut words = [0; 8];
            for (field, value) in [
                (Field::Base, BASE >> 8),
                (Field::Format, number.into()),
                (Field::Width, 46),
                (Field::Height, 20),
                (Field::DstSel, 0o7614),
                (Field::Mode, if format == "32_32_32_float" { 0 } else { mode }),
                (Field::Type, 8 + u64::from(Dim::D2.number())),
            ] {
                field.set(&mut words, generation, value);
            }
            for (line, clamps) in [
                ("image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D", &[0u64][..]),
                ("image_sample_lz v[8:11], v[2:3], s[0:7], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D", &[0, 2, 1]),
            ] {
                for clamp in clamps {
                    let mut sampler = [0; 4];
                    for (field, value) in [
                        (SamplerField::Magnify, 1),
                        (SamplerField::Minify, 1),
                        (SamplerField::MaxLod, 0xfff),
                        (SamplerField::ClampX, *clamp),
                        (SamplerField::ClampY, *clamp),
                    ] {
                        field.set(&mut sampler, generation, value);
                    }
                    let seed = chance.next_u64();
                    let whole = left(line, (&words, &sampler), u64::MAX, seed, &memory);
                    let parts = left(line, (&words, &sampler), u64::MAX >> 1, seed, &memory);
                    assert_eq!(whole, parts, "{format}, mode {mode}, clamp {clamp}: {line}");
                    assert!(whole.iter().filter(|v| **v != 0).count() > 60, "{format}: {line}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 5 * 2 * 4);
}
