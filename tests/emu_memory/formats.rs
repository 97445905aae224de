//! Buffers with formats.

use crate::buffer::{Buffer, raw, zero};
use crate::{BASE, Machine, PROCESSORS, fill, from, target};
use wavediff::emu::wave::Wave;
use wavediff::isa::Gen;

/// A format: `dfmt | nfmt << 4`, its numbers on gfx10 and gfx11, an element, its components.
struct Row(&'static str, u32, u32, u32, &'static [u8], [u32; 4]);

const fn f(v: f32) -> u32 {
    v.to_bits()
}

/// MEMORY_FACTS 5: numbers, fields from the low bits, and what they mean.
const FORMATS: &[Row] = &[
    Row("8_unorm", 1, 1, 1, &[128], [f(128.0 / 255.0), 0, 0, 0]),
    Row("16_sint", 2 | 5 << 4, 12, 12, &[0xfe, 0xff], [-2i32 as u32, 0, 0, 0]),
    Row("32_float", 4 | 7 << 4, 22, 22, &[1, 2, 3, 4], [0x0403_0201, 0, 0, 0]),
    Row("8_8_8_8_unorm", 10, 56, 42, &[0, 51, 255, 128], [0, f(0.2), f(1.0), f(128.0 / 255.0)]),
    Row("8_8_8_8_uint", 10 | 4 << 4, 60, 46, &[1, 2, 3, 255], [1, 2, 3, 255]),
    Row("8_8_snorm", 3 | 1 << 4, 15, 15, &[0x80, 0x7f], [f(-1.0), f(1.0), 0, 0]),
    Row("16_16_float", 5 | 7 << 4, 29, 29, &[0, 0x3c, 0, 0xc0], [f(1.0), f(-2.0), 0, 0]),
    Row("2_10_10_10_unorm", 9, 50, 36, &[0xff, 3, 0, 0xc0], [f(1.0), 0, 0, f(1.0)]),
    Row("32_32_float", 11 | 7 << 4, 64, 50, &[1, 0, 0, 0, 2, 0, 0, 0], [1, 2, 0, 0]),
    Row("16_16_16_16_uint", 12 | 4 << 4, 69, 55, &[1, 0, 2, 0, 3, 0, 4, 1], [1, 2, 3, 0x104]),
];

fn number(row: &Row, g: Gen) -> u32 {
    match g {
        Gen::Gfx10 => row.2,
        Gen::Gfx11 | Gen::Gfx12 => row.3,
        _ => row.1,
    }
}

/// What registers show of components that a format lacks, with the order of a descriptor: 0.
#[test]
fn loads() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        for row in FORMATS {
            machine.memory.write_bytes(BASE + 8, row.4).expect("mapped");
            let number = number(row, machine.target.generation());
            let text = format!(
                "buffer_load_format_xyzw v[2:5], off, s[4:7], {zero} offset:8; buffer_load_format_x v6, off, s[4:7], {zero} offset:8; tbuffer_load_format_xyz v[8:10], off, s[4:7], {zero} format:{number} offset:8"
            );
            let wave = machine.done(&text, |wave| {
                Buffer { format: number, ..raw(256) }.put(wave);
                fill(wave, 11, |_| 7);
            });
            let got = |registers: [usize; 4]| registers.map(|r| wave.vgpr(r, 1));
            assert_eq!(got([2, 3, 4, 5]), row.5, "{name} {}", row.0);
            assert_eq!(got([6, 8, 9, 10]), [row.5[0], row.5[0], row.5[1], row.5[2]], "{name} {}", row.0);
            assert_eq!(wave.vgpr(11, 1), 7, "{name}");
        }
    }
}

#[test]
fn stores() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        for row in FORMATS {
            // -128 and -127 are both -1.
            let bytes: &[u8] = if row.0 == "8_8_snorm" { &[0x81, 0x7f] } else { row.4 };
            let number = number(row, machine.target.generation());
            let set = |wave: &mut Wave| {
                Buffer { format: number, ..raw(256) }.put(wave);
                (0..4).for_each(|n| fill(wave, 2 + n, |_| row.5[n]));
            };
            for text in [
                format!("buffer_store_format_xyzw v[2:5], off, s[4:7], {zero} offset:16"),
                format!("tbuffer_store_format_xyzw v[2:5], off, s[4:7], {zero} format:{number} offset:16"),
            ] {
                machine.memory.write_bytes(BASE + 16, &[0xee; 20]).expect("mapped");
                machine.done(&text, set);
                let got = machine.bytes(BASE + 16, bytes.len() + 1);
                assert_eq!(got[..bytes.len()], *bytes, "{name} {}", row.0);
                assert_eq!(got[bytes.len()], 0xee, "{name} {}", row.0);
            }
        }
    }
}

/// The descriptor says which component a register shows (codes 4 to 7), or 0, or 1; so also out of range (BU8).
#[test]
fn order() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let format = number(&FORMATS[4], machine.target.generation());
        let selects = 6 | 1 << 3 | 4 << 6;
        machine.set_word(BASE, 0x0403_0201);
        let text = format!(
            "buffer_load_format_xyzw v[2:5], off, s[4:7], {zero}; buffer_load_format_xy v[6:7], off, s[4:7], {zero} offset:64; buffer_store_format_xyz v[8:10], off, s[4:7], {zero} offset:4"
        );
        let wave = machine.done(&text, |wave| {
            Buffer { format, selects, ..raw(64) }.put(wave);
            (8..11).for_each(|n| fill(wave, n, |_| n as u32));
        });
        assert_eq!([2, 3, 4, 5].map(|r| wave.vgpr(r, 0)), [3, 1, 1, 0], "{name}");
        assert_eq!([6, 7].map(|r| wave.vgpr(r, 0)), [0, 1], "{name}");
        assert_eq!(machine.word(BASE + 4), 0x0008_000a, "{name}");
    }
}

/// All or nothing, by components.
#[test]
fn bounds() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let format = number(&FORMATS[9], machine.target.generation());
        let text = format!(
            "buffer_load_format_xyzw v[2:5], off, s[4:7], {zero}; buffer_load_format_x v6, off, s[4:7], {zero}; buffer_store_format_xyzw v[2:5], off, s[4:7], {zero}"
        );
        let wave = machine.done(&text, |wave| Buffer { format, ..raw(6) }.put(wave));
        assert_eq!([2, 3, 4, 5, 6].map(|r| wave.vgpr(r, 0)), [0, 0, 0, 0, 0x0100], "{name}");
        assert_eq!(machine.word(BASE), 0x0302_0100, "{name}");
    }
}

/// What one register moves is judged, and the whole element is written (PITFALLS BU3): as Mesa has it, with zeros up to gfx11 and with the first
/// component from gfx12 on.
#[test]
fn narrow_stores() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let format = number(&FORMATS[4], machine.target.generation());
        let text = format!("buffer_store_format_x v2, off, s[4:7], {zero} offset:4");
        machine.done(&text, |wave| {
            Buffer { format, ..raw(5) }.put(wave);
            fill(wave, 2, |_| 0x22);
        });
        let element = if machine.target.generation() < Gen::Gfx12 { 0x22 } else { 0x2222_2222 };
        assert_eq!([0, 4, 8].map(|at| machine.word(BASE + at)), [0x0302_0100, element, 0x0b0a_0908], "{name}");
    }
}

/// 16 bits a component: two a register, but one on the first gfx8.
#[test]
fn d16() {
    for target in from(Gen::Gfx8) {
        let name = target.arch.name;
        let mut machine = Machine::new(target, 64);
        let zero = zero(&machine);
        let g = machine.target.generation();
        machine.memory.write_bytes(BASE, &[0, 51, 255, 128, 1, 2, 3, 4]).expect("mapped");
        let unpacked = name == "gfx803";
        let registers = if unpacked { "v[2:4]" } else { "v[2:3]" };
        let text = format!(
            "buffer_load_format_d16_xyz {registers}, off, s[4:7], {zero}; buffer_store_format_d16_xyz {registers}, off, s[4:7], {zero} offset:16"
        );
        let wave = machine.done(&text, |wave| {
            Buffer { format: number(&FORMATS[3], g), ..raw(64) }.put(wave);
            (2..6).for_each(|n| fill(wave, n, |_| 0xaabb_ccdd));
        });
        // 51/255 = 0.2 is 0x3266.67 as an f16: cut.
        let got = [2, 3, 4].map(|r| wave.vgpr(r, 3));
        assert_eq!(got, if unpacked { [0, 0x3266, 0x3c00] } else { [0x3266_0000, 0xaabb_3c00, 0xaabb_ccdd] }, "{name}");
        assert_eq!(machine.word(BASE + 16), 0x00ff_3300, "{name}");
        if unpacked {
            continue;
        }
        let format = number(&FORMATS[4], g);
        let text = format!(
            "buffer_load_format_d16_hi_x v2, off, s[4:7], {zero} offset:4; buffer_store_format_d16_hi_x v4, off, s[4:7], {zero} offset:24; tbuffer_load_format_d16_x v3, off, s[4:7], {zero} format:{format} offset:5"
        );
        let wave = machine.done(&text, |wave| {
            Buffer { format, ..raw(64) }.put(wave);
            (2..5).for_each(|n| fill(wave, n, |_| 0x00bb_ccdd));
        });
        let second = if g == Gen::Gfx9 { 2 } else { 1 };
        assert_eq!([2, 3].map(|r| wave.vgpr(r, 0)), [0x0001_ccdd, 0x00bb_0000 | second], "{name}");
        assert_eq!(machine.word(BASE + 24), if g < Gen::Gfx12 { 0xbb } else { 0xbbbb_bbbb }, "{name}");
    }
}

/// A format of no buffer: nothing happens.
#[test]
fn invalid() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let text = format!(
            "buffer_load_format_xy v[2:3], off, s[4:7], {zero}; buffer_store_format_xy v[2:3], off, s[4:7], {zero}; tbuffer_load_format_x v4, off, s[4:7], {zero} format:0"
        );
        let wave = machine.done(&text, |wave| {
            raw(64).put(wave);
            wave.s[7] &= !0x7_f000;
            (2..5).for_each(|n| fill(wave, n, |_| 7));
        });
        assert_eq!([2, 3, 4].map(|r| wave.vgpr(r, 0)), [0; 3], "{name}");
        assert_eq!(machine.word(BASE), 0x0302_0100, "{name}");
    }
}

#[test]
fn to_lds() {
    for (name, text) in [
        ("gfx600", "buffer_load_format_x off, s[4:7], 0 offset:4 lds"),
        ("gfx1100", "buffer_load_lds_format_x off, s[4:7], 0 offset:4"),
    ] {
        let mut machine = Machine::new(target(name), 64);
        machine.set_word(BASE + 4, 0xff);
        let format = number(&FORMATS[3], machine.target.generation());
        machine.done(text, |wave| {
            Buffer { format, ..raw(64) }.put(wave);
            crate::set_m0(wave, 0);
            wave.set_exec(2);
        });
        assert_eq!(machine.lds.words()[if name == "gfx600" { 1 } else { 2 }], f(1.0), "{name}");
    }
}
