//! Formats and descriptors as a kernel meets them: the assembler's name of a format says what loads and stores do, and a formatted access
//! goes through a descriptor, memory and `dst_sel`.
//!
//! Expected values come from the names (fields from the most significant bits), and from the formulas of the books, computed in f64.

use wavediff::isa::arch::ARCHS;
use wavediff::isa::symbols::format as numbers;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::memory::buffer::{Access, Descriptor, Judge};
use wavediff::memory::format::{Format, FormatError, IDENTITY, Kind, LAYOUTS, select, unselect};
use wavediff::memory::guest::Memory;

/// Fields of a data format, X first, and its numeric format, by the assembler's text.
fn by_name(number: u32, target: &Target) -> Option<(Vec<u32>, String)> {
    let mut text = Vec::new();
    numbers::print(number, target, &mut text);
    let text = String::from_utf8(text).expect("ASCII");
    let text = text.strip_prefix('[')?.strip_suffix(']')?;
    let (data, num) = match text.strip_prefix(numbers::UNIFIED_PREFIX) {
        Some(both) => both.rsplit_once('_')?,
        None => {
            let part = |prefix| text.split(',').find_map(|p| p.strip_prefix(prefix));
            // The printer leaves out what is default.
            (part(numbers::DATA_PREFIX).unwrap_or("8"), part(numbers::NUM_PREFIX).unwrap_or("UNORM"))
        }
    };
    let fields = data.rsplit('_').map(str::parse).collect::<Result<_, _>>().ok()?;
    Some((fields, num.to_owned()))
}

/// What a field is worth, from the books' formulas.
fn worth(num: &str, bits: u64, width: u32) -> f64 {
    let full = ((1u64 << width) - 1) as f64;
    let half = ((1u64 << (width - 1)) - 1) as f64;
    let signed = if bits >> (width - 1) != 0 { bits as f64 - full - 1.0 } else { bits as f64 };
    match num {
        "UNORM" => bits as f64 / full,
        "SNORM" => (signed / half).max(-1.0),
        "SNORM_OGL" => (2.0 * signed + 1.0) / full,
        "USCALED" | "UINT" => bits as f64,
        "SSCALED" | "SINT" => signed,
        "FLOAT" => {
            let (sign, exponent_bits, mantissa) = match width {
                32 => (true, 8, 23),
                16 => (true, 5, 10),
                _ => (false, 5, width - 5),
            };
            let bias = (1 << (exponent_bits - 1)) - 1;
            let exponent = (bits >> mantissa & ((1 << exponent_bits) - 1)) as i32;
            let fraction = (bits & ((1 << mantissa) - 1)) as f64 / (1u64 << mantissa) as f64;
            let magnitude = match exponent {
                0 => fraction * 2f64.powi(1 - bias),
                e if e == (1 << exponent_bits) - 1 && fraction == 0.0 => f64::INFINITY,
                e if e == (1 << exponent_bits) - 1 => f64::NAN,
                e => (1.0 + fraction) * 2f64.powi(e - bias),
            };
            if sign && bits >> (width - 1) != 0 { -magnitude } else { magnitude }
        }
        _ => panic!("{num}"),
    }
}

/// A few elements: zeros, ones, and patterns which make every field different.
const ELEMENTS: [[u32; 4]; 6] = [
    [0; 4],
    [u32::MAX; 4],
    [0x7f80_8001, 0x0123_4567, 0x89ab_cdef, 0x8000_0001],
    [0x3c00_bc01, 0x7bff_8400, 0x3f80_0000, 0xc049_0fdb],
    [0x4aa5_5aa5, 0x5555_aaaa, 0x1357_9bdf, 0x2468_ace0],
    [0x8080_8080, 0x7f7f_7f7f, 0x8000_8000, 0x7fff_7fff],
];

#[test]
fn names_say_what_loads_do() {
    let mut checked = 0;
    for arch in ARCHS {
        let target = Target::new(arch);
        for number in 0..128 {
            let Ok(format) = Format::decode(number, &target) else { continue };
            let (fields, num) = by_name(number, &target).expect("a format has a name");
            for element in ELEMENTS {
                let all = element.iter().rev().fold(0u128, |all, &w| all << 32 | u128::from(w));
                let loaded = format.load(element);
                let mut start = 0;
                for (n, &value) in loaded.iter().enumerate() {
                    let Some(&width) = fields.get(n) else {
                        assert_eq!(value, 0);
                        continue;
                    };
                    let bits = (all >> start) as u64 & ((1 << width) - 1);
                    start += width;
                    // What old chips do to alpha is tested elsewhere.
                    if format.unsigned_alpha && n == 3 {
                        continue;
                    }
                    let expect = worth(&num, bits, width);
                    match format.kind {
                        Kind::Uint => assert_eq!(f64::from(value), expect),
                        Kind::Sint => assert_eq!(f64::from(value as i32), expect),
                        _ if expect.is_nan() => assert!(f32::from_bits(value).is_nan()),
                        _ => assert_eq!(f32::from_bits(value), expect as f32, "{number} of {}", arch.name),
                    }
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 50_000, "{checked}");
}

/// Every number the assembler gives a name is a format, the empty one, or a pair that no hardware has.
#[test]
fn formats_are_the_named_ones() {
    for arch in ARCHS {
        let target = Target::new(arch);
        for number in 0..128u32 {
            let named = by_name(number, &target);
            match Format::decode(number, &target) {
                Ok(format) => assert_eq!(named.map(|(fields, _)| fields.len()), Some(format.layout.count() as usize)),
                Err(FormatError::Unbound) => assert!(named.is_none()),
                Err(_) if arch.generation >= Gen::Gfx10 => assert!(named.is_none(), "{number} of {}", arch.name),
                Err(_) => {}
            }
        }
    }
}

/// A texel buffer of 8_8_8_8 pixels with blue first, as drivers bind it: stored by one lane, read by another, alpha from the format's one.
#[test]
fn a_formatted_access_from_end_to_end() {
    // dst_sel Z, Y, X, 1; structured with offset check; stride 4, three records.
    let swizzle = 6 | 5 << 3 | 4 << 6 | 1 << 9;
    for (name, w3) in
        [("gfx900", swizzle | 10 << 15), ("gfx1030", swizzle | 56 << 12 | 1 << 24), ("gfx1100", swizzle | 42 << 12)]
    {
        let target = Target::new(Arch::find(name).expect("a processor"));
        let descriptor = Descriptor::decode([0x1000, 4 << 16, 3, w3], &target).expect("supported");
        let format = Format::decode(descriptor.format, &target).expect("a format");
        let mut memory = Memory::new();
        memory.map("pixels", 0x1000, 12, true).expect("fits");
        let mut view = memory.view();
        let (component, count) = format.judged(4);
        let access = |index| Access {
            index: Some(index),
            offset: 0,
            instruction: 0,
            soffset: 0,
            lane: 0,
            component,
            count,
            judge: Judge::Formatted,
        };
        let place = descriptor.place(&access(1));
        assert_eq!((place.address, place.valid), (0x1004, 0b1111), "{name}");
        let red = [1.0f32, 0.2, 0.0, 0.5].map(f32::to_bits);
        let element = format.store(unselect(descriptor.dst_sel, &red)).expect("storable");
        format.write(&mut view, place.address, element).expect("mapped");
        assert_eq!(memory.find("pixels").expect("mapped").to_bytes(), [0, 0, 0, 0, 0, 51, 255, 0, 0, 0, 0, 0]);
        let loaded =
            select(descriptor.dst_sel, format.kind, format.load(format.read(&mut view, 0x1004).expect("mapped")));
        assert_eq!(loaded.map(f32::from_bits), [1.0, 0.2, 0.0, 1.0]);
        // Typed instructions take components as they are; out of range, the selected one stays.
        assert_eq!(unselect(IDENTITY, &red[..2]), [red[0], red[1], 0, 0]);
        assert_eq!(descriptor.place(&access(3)).valid, 0);
        assert_eq!(select(descriptor.dst_sel, format.kind, [0; 4]), [0, 0, 0, 1.0f32.to_bits()]);
    }
}

#[test]
fn many_elements_at_once_give_what_each_gives() {
    use Kind::{Float, Sint, Snorm, SnormOgl, Sscaled, Uint, Unorm, Uscaled};
    // Bits of all kinds: small and large words, both signs.
    let word = |n: u32, at: u32| at.wrapping_mul(0x0843_2a95).wrapping_add(n).rotate_left(at);
    let elements: [[u32; 64]; 4] = std::array::from_fn(|n| std::array::from_fn(|at| word(n as u32, at as u32)));
    for layout in &LAYOUTS {
        for kind in [Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, SnormOgl, Float] {
            let exists = layout.bits.iter().all(|width| match kind {
                Float => [0, 10, 11, 16, 32].contains(width),
                SnormOgl => *width < 32,
                _ => true,
            });
            for unsigned_alpha in [false, true].into_iter().filter(|_| exists) {
                let format = Format { layout, kind, unsigned_alpha };
                let all = format.load_each(&elements);
                for at in 0..64 {
                    let one = format.load(elements.map(|words| words[at]));
                    assert_eq!(all.map(|words| words[at]), one, "{format:?}, element {at}");
                }
            }
        }
    }
}
