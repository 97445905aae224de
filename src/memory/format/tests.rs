//! Expected values come from the books' formulas, from exact arithmetic in wider types, and from the crate `half`.

use super::*;
use crate::isa::arch::ARCHS;
use proptest::prelude::*;

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

fn format(name: &str, number: u32) -> Format {
    Format::decode(number, &target(name)).expect("a format")
}

/// Up to gfx9: data format and numeric format.
fn split(name: &str, data: u32, num: u32) -> Format {
    format(name, data | num << 4)
}

/// Names list fields from the most significant bits.
#[test]
fn layouts_are_what_their_names_say() {
    for (layout, name) in LAYOUTS.iter().zip(numbers::DATA).skip(1) {
        let named: Vec<u8> = name.rsplit('_').map(|w| w.parse().expect("a width")).collect();
        assert_eq!(layout.bits[..named.len()], named[..], "{name}");
        assert!(layout.bits[named.len()..].iter().all(|&b| b == 0), "{name}");
        assert_eq!(layout.count() as usize, named.len());
        // No field crosses a word: `field` relies on it.
        for (start, &width) in layout.starts().iter().zip(&layout.bits) {
            assert!(start % 32 + u32::from(width) <= 32);
        }
    }
}

/// The first code of each block as Mesa's tables have them (MEMORY_FACTS 5), and how many formats it has.
#[test]
fn unified_numbers() {
    #[rustfmt::skip]
    let gfx10: [(&str, u32, u32); 14] = [
        ("8", 1, 6), ("16", 7, 7), ("8_8", 14, 6), ("32", 20, 3), ("16_16", 23, 7), ("10_11_11", 30, 7), ("11_11_10", 37, 7),
        ("10_10_10_2", 44, 6), ("2_10_10_10", 50, 6), ("8_8_8_8", 56, 6), ("32_32", 62, 3), ("16_16_16_16", 65, 7),
        ("32_32_32", 72, 3), ("32_32_32_32", 75, 3),
    ];
    #[rustfmt::skip]
    let gfx11: [(&str, u32, u32); 14] = [
        ("8", 1, 6), ("16", 7, 7), ("8_8", 14, 6), ("32", 20, 3), ("16_16", 23, 7), ("10_11_11", 30, 1), ("11_11_10", 31, 1),
        ("10_10_10_2", 32, 4), ("2_10_10_10", 36, 6), ("8_8_8_8", 42, 6), ("32_32", 48, 3), ("16_16_16_16", 51, 7),
        ("32_32_32", 58, 3), ("32_32_32_32", 61, 3),
    ];
    for (processor, blocks) in [("gfx1030", gfx10), ("gfx1100", gfx11), ("gfx1200", gfx11)] {
        let mut next = 1;
        for (name, first, count) in blocks {
            assert_eq!(first, next);
            for number in first..first + count {
                let data = numbers::DATA.iter().position(|&d| d == name).expect("a data format");
                assert!(std::ptr::eq(format(processor, number).layout, &LAYOUTS[data]), "{processor} {number}");
            }
            next += count;
        }
        assert_eq!(Format::decode(0, &target(processor)), Err(FormatError::Unbound));
        assert!(matches!(Format::decode(next, &target(processor)), Err(FormatError::Unknown { .. })));
    }
    assert_eq!(format("gfx1100", 30).kind, Kind::Float);
    assert_eq!(format("gfx1100", 34).kind, Kind::Uint);
    assert_eq!(format("gfx1010", 36).kind, Kind::Float);
    assert_eq!(format("gfx1010", 76).kind, Kind::Sint);
}

#[test]
fn split_numbers() {
    assert_eq!(split("gfx900", 10, 0).kind, Kind::Unorm);
    assert_eq!(split("gfx600", 10, 6).kind, Kind::SnormOgl);
    for (processor, data, num) in
        [("gfx803", 10, 6), ("gfx900", 10, 6), ("gfx600", 4, 6), ("gfx900", 1, 7), ("gfx900", 4, 0), ("gfx900", 15, 4)]
    {
        assert!(matches!(Format::decode(data | num << 4, &target(processor)), Err(FormatError::Unknown { .. })));
    }
    assert_eq!(Format::decode(0x40, &target("gfx900")), Err(FormatError::Unbound));
    for arch in ARCHS {
        for number in (0..300).chain([u32::MAX, 1 << 31]) {
            let _ = Format::decode(number, &Target::new(arch));
        }
    }
}

fn floats(registers: [u32; 4]) -> [f32; 4] {
    registers.map(f32::from_bits)
}

#[test]
fn loads_by_hand() {
    let rgba8 = split("gfx900", 10, 0).load([0xff80_3300, 0, 0, 0]);
    assert_eq!(floats(rgba8), [0.0, 0.2, 128.0 / 255.0, 1.0]);
    let snorm = split("gfx900", 10, 1).load([0x7f81_8001, 0, 0, 0]);
    assert_eq!(floats(snorm), [1.0 / 127.0, -1.0, -1.0, 1.0]);
    let ogl = split("gfx700", 10, 6).load([0x7f80_ff00, 0, 0, 0]);
    assert_eq!(floats(ogl), [1.0 / 255.0, -1.0 / 255.0, -1.0, 1.0]);
    assert_eq!(floats(split("gfx900", 5, 3).load([0x8000_7fff, 0, 0, 0])), [32767.0, -32768.0, 0.0, 0.0]);
    assert_eq!(split("gfx900", 5, 5).load([0x8000_7fff, 0, 0, 0]), [0x7fff, 0xffff_8000, 0, 0]);
    assert_eq!(split("gfx900", 3, 4).load([0xdead_80fe, 0, 0, 0]), [0xfe, 0x80, 0, 0]);
    // 10_10_10_2: X is the two low bits. 2_10_10_10: W is the two high ones.
    assert_eq!(split("gfx900", 8, 4).load([0xffc0_0c02, 0, 0, 0]), [2, 0x300, 0, 0x3ff]);
    assert_eq!(split("gfx900", 9, 4).load([0x9ff0_0c02, 0, 0, 0]), [2, 3, 0x1ff, 2]);
    // 10_11_11: 1.0 is exponent 15. X 1.0, Y 0.5, Z 2.0.
    let packed = 0x3c0 | (14 << 6) << 11 | (16 << 5) << 22;
    assert_eq!(floats(format("gfx1100", 30).load([packed, 0, 0, 0])), [1.0, 0.5, 2.0, 0.0]);
    let words = [1, 2, 3, 4];
    assert_eq!(format("gfx1100", 63).load(words), words);
    assert_eq!(format("gfx1100", 60).load(words), [1, 2, 3, 0]);
    assert_eq!(
        floats(format("gfx1100", 57).load([0xc000_3c00, 0x7bff_0001, 0, 0])),
        [1.0, -2.0, 2f32.powi(-24), 65504.0]
    );
}

/// `2_10_10_10`, W = 3: -1 as a signed number.
#[test]
fn alpha_of_old_chips() {
    let alpha = |processor, num| split(processor, 9, num).load([3 << 30, 0, 0, 0])[3];
    for old in ["gfx600", "gfx701", "gfx803"] {
        assert_eq!(alpha(old, 1), 1.0f32.to_bits());
        assert_eq!(alpha(old, 3), 3.0f32.to_bits());
        assert_eq!(alpha(old, 5), 3);
        assert_eq!(f32::from_bits(split(old, 9, 1).load([1 << 30, 0, 0, 0])[3]), 1.0 / 3.0);
    }
    for new in ["gfx810", "gfx900"] {
        assert_eq!(alpha(new, 1), (-1.0f32).to_bits());
        assert_eq!(alpha(new, 3), (-1.0f32).to_bits());
        assert_eq!(alpha(new, 5), u32::MAX);
    }
}

#[test]
fn stores_by_hand() {
    let f = |x: f32| x.to_bits();
    // 0.5 * 255 = 127.5 and 0.5 * 127 = 63.5: to even.
    let unorm = split("gfx900", 10, 0).store([f(0.5), f(-1.0), f(f32::INFINITY), f(f32::NAN)]);
    assert_eq!(unorm, Ok([0x00ff_0080, 0, 0, 0]));
    let snorm = split("gfx900", 10, 1).store([f(0.5), f(-1.0), f(-7.0), f(f32::NAN)]);
    assert_eq!(snorm, Ok([0x0081_8140, 0, 0, 0]));
    assert_eq!(split("gfx900", 10, 4).store([255, 256, u32::MAX, 1]), Ok([0x01ff_ffff, 0, 0, 0]));
    let sint = split("gfx900", 10, 5).store([127, 128, -128i32 as u32, -129i32 as u32]);
    assert_eq!(sint, Ok([0x8080_7f7f, 0, 0, 0]));
    let packed = format("gfx1100", 30).store([f(1.0), f(-3.0), f(1e9), 0]);
    assert_eq!(packed, Ok([0x3c0 | 0x3e0 << 22, 0, 0, 0]));
    let quad = format("gfx1100", 57).store([f(1.0), f(-2.0), f(65519.0), f(65520.0)]);
    assert_eq!(quad, Ok([0xc000_3c00, 0x7c00_7bff, 0, 0]));
    assert_eq!(split("gfx900", 10, 2).store([0; 4]), Err(FormatError::ReadOnly(Kind::Uscaled)));
}

#[test]
fn selects() {
    use Select::{Component, One, Zero};
    let codes: Vec<Select> = (0..8).map(Select::decode).collect();
    assert_eq!(codes, [Zero, One, Zero, Zero, Component(0), Component(1), Component(2), Component(3)]);
    let bgr1 = [Component(2), Component(1), Component(0), One];
    assert_eq!(select(bgr1, Kind::Uint, [1, 2, 3, 4]), [3, 2, 1, 1]);
    assert_eq!(select(bgr1, Kind::Unorm, [0; 4]), [0, 0, 0, 0x3f80_0000]);
    assert_eq!(unselect(bgr1, &[7, 8, 9, 10]), [9, 8, 7, 0]);
    assert_eq!(unselect(bgr1, &[7]), [0, 0, 7, 0]);
    assert_eq!(unselect([Component(0); 4], &[7, 8, 9, 10]), [7, 0, 0, 0]);
    assert_eq!(unselect(IDENTITY, &[7, 8]), [7, 8, 0, 0]);
}

#[test]
fn what_is_judged() {
    assert_eq!(split("gfx900", 10, 0).judged(1), (1, 1));
    assert_eq!(split("gfx900", 5, 7).judged(4), (2, 2));
    assert_eq!(split("gfx900", 14, 7).judged(3), (4, 3));
    assert_eq!(split("gfx900", 9, 0).judged(2), (4, 1));
}

#[test]
fn sixteen_bits() {
    let f = |x: f32| x.to_bits();
    // 1 + 2^-11 + 2^-12 rounds up, but is cut down; 65535 is cut to the largest number.
    let loaded = halves(Kind::Unorm, [f(1.0), f(1.000_732_4), f(65535.0), f(f32::NEG_INFINITY)]);
    assert_eq!(loaded, [0x3c00, 0x3c00, 0x7bff, 0xfc00]);
    assert_eq!(halves(Kind::Sint, [0xffff_8001, 0x1_2345, 1, 0]), [0x8001, 0x2345, 1, 0]);
    assert_eq!(widen(Kind::Sint, [0x8000, 1, 0, 0]), [0xffff_8000, 1, 0, 0]);
    assert_eq!(widen(Kind::Uint, [0x8000, 1, 0, 0]), [0x8000, 1, 0, 0]);
    assert_eq!(widen(Kind::Snorm, [0xbc00, 0x3800, 0, 0]), [f(-1.0), f(0.5), 0, 0]);
    assert!(!packs_d16(&target("gfx803")) && packs_d16(&target("gfx810")) && packs_d16(&target("gfx900")));
}

/// All of them, against the crate `half`; NaNs keep sign and payload.
#[test]
fn every_f16() {
    for bits in 0..=u16::MAX {
        let value = float_value(u32::from(bits), 16);
        if bits & 0x7fff > 0x7c00 {
            assert_eq!(value, u32::from(bits & 0x8000) << 16 | 0x7f80_0000 | u32::from(bits & 0x3ff) << 13);
        } else {
            assert_eq!(value, half::f16::from_bits(bits).to_f32().to_bits(), "{bits:#x}");
        }
        assert_eq!(float_bits(value, 16), u32::from(bits));
        assert_eq!(convert::f16_toward_zero(value), bits);
    }
}

/// All of them, against the definition in f64.
#[test]
fn every_small_float() {
    for (width, m) in [(11u32, 6), (10, 5)] {
        for bits in 0..1u32 << width {
            let (e, fraction) = (bits >> m, f64::from(bits & ((1 << m) - 1)) / f64::from(1 << m));
            let value = f32::from_bits(float_value(bits, width));
            match e {
                31 if fraction == 0.0 => assert_eq!(value, f32::INFINITY),
                31 => assert!(value.is_nan()),
                0 => assert_eq!(f64::from(value), fraction * 2f64.powi(-14)),
                _ => assert_eq!(f64::from(value), (1.0 + fraction) * 2f64.powi(e as i32 - 15)),
            }
            assert_eq!(float_bits(value.to_bits(), width), bits);
        }
        assert_eq!(float_bits((-0.0f32).to_bits(), width), 0);
        assert_eq!(float_bits(f32::NEG_INFINITY.to_bits(), width), 0);
        assert!(float_bits(0xff80_0001, width) > 31 << m);
    }
}

/// Each quotient is the f32 next to the exact one: products with the denominator have 41 bits, so that f64 holds them exactly.
#[test]
fn norms_are_nearest_and_come_back() {
    for width in (1u32..=16).chain([24]) {
        // Of 24 bits one in 97.
        for bits in (0..1u32 << width).step_by(if width == 24 { 97 } else { 1 }) {
            let unorm = value(Kind::Unorm, bits, width);
            nearest(unorm, f64::from(bits), ((1u64 << width) - 1) as f64);
            assert_eq!(norm_bits(unorm, width, false), bits);
            // A sign alone is no number.
            if width == 1 {
                continue;
            }
            let signed = f64::from((bits << (32 - width)) as i32 >> (32 - width));
            let top = ((1u64 << (width - 1)) - 1) as f64;
            let snorm = value(Kind::Snorm, bits, width);
            nearest(snorm, signed.max(-top), top);
            let lowest = bits == 1 << (width - 1);
            assert_eq!(norm_bits(snorm, width, true), bits + u32::from(lowest));
        }
    }
}

fn nearest(got: u32, numerator: f64, denominator: f64) {
    let error = |bits: u32| (f64::from(f32::from_bits(bits)) * denominator - numerator).abs();
    assert!(error(got) <= error(got + 1) && (got & 0x7fff_ffff == 0 || error(got) <= error(got - 1)));
}

proptest! {
    #[test]
    fn f32_to_f16(bits in any::<u32>(), e in 100u32..145) {
        for bits in [bits, bits & 0x807f_ffff | e << 23, bits & 0x807f_f000 | e << 23] {
            let x = f32::from_bits(bits);
            prop_assume!(!x.is_nan());
            prop_assert_eq!(float_bits(bits, 16), u32::from(half::f16::from_f32(x).to_bits()));
            let cut = convert::f16_toward_zero(bits);
            let back = half::f16::from_bits(cut).to_f32();
            prop_assert!(back.abs() <= x.abs() && back.is_sign_negative() == x.is_sign_negative());
            let above = half::f16::from_bits((cut & 0x7fff) + 1).to_f32();
            prop_assert!(x.is_infinite() || above > x.abs() || cut & 0x7fff == 0x7bff);
        }
    }

    /// What is loaded and stored again is the same element, whatever the format; nothing else is touched.
    #[test]
    fn elements_come_back(words in any::<[u32; 4]>(), number in 0u32..128, which in 0..ARCHS.len(), at in 0u64..9) {
        use crate::memory::guest::Memory;
        let target = Target::new(&ARCHS[which]);
        let Ok(format) = Format::decode(number, &target) else { return Ok(()) };
        let mut memory = Memory::new();
        memory.map_bytes("data", 0x1000, &[0x55; 32], true).expect("fits");
        let mut view = memory.view();
        format.write(&mut view, 0x1000 + at, words).expect("mapped");
        let element = format.read(&mut view, 0x1000 + at).expect("mapped");
        let bytes = memory.find("data").expect("mapped").to_bytes();
        for (n, &byte) in bytes.iter().enumerate() {
            let n = n as u64;
            prop_assert!((at..at + u64::from(format.bytes())).contains(&n) || byte == 0x55);
        }
        let loaded = format.load(element);
        let Ok(stored) = format.store(loaded) else { return Ok(()) };
        // The sign which alpha lost does not come back, nor do two spellings of -1.
        if format.unsigned_alpha {
            return Ok(());
        }
        if format.kind != Kind::Snorm {
            prop_assert_eq!(stored, element);
        }
        prop_assert_eq!(format.store(format.load(stored)), Ok(stored));
    }
}
