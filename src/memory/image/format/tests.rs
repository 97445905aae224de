//! Laws of texels. What bits mean is checked with witnesses from outside in `tests/texels.rs`.

use super::*;
use crate::isa::arch::{ARCHS, Arch};
use crate::memory::format::LAYOUTS;

fn targets() -> impl Iterator<Item = Target> {
    ARCHS.iter().map(Target::new)
}

/// All that can be decoded, with the target.
fn formats() -> impl Iterator<Item = (TexelFormat, Target)> {
    targets().flat_map(|target| {
        let all: Vec<TexelFormat> = if is_unified(&target) {
            (0..600).filter_map(|n| TexelFormat::decode(n, &target).ok()).collect()
        } else {
            (0..64 * 16).filter_map(|n| TexelFormat::decode_pair(n >> 4, n & 15, &target).ok()).collect()
        };
        all.into_iter().map(move |format| (format, target))
    })
}

/// Pseudo-random bytes.
fn noise(seed: &mut u64) -> [u8; 16] {
    std::array::from_fn(|_| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 56) as u8
    })
}

/// The words of an element, lowest byte first.
fn words(element: [u8; 16]) -> [u32; 4] {
    let all = u128::from_le_bytes(element);
    std::array::from_fn(|n| (all >> (32 * n)) as u32)
}

#[test]
fn every_row_has_one_name_and_numbers_of_its_own() {
    for (n, row) in rows::ROWS.iter().enumerate() {
        for other in &rows::ROWS[..n] {
            assert_ne!(row.name, other.name);
            assert!(row.gfx10 == 0 || row.gfx10 != other.gfx10, "{}", row.name);
            assert!(row.gfx11 == 0 || row.gfx11 != other.gfx11, "{}", row.name);
            assert!(row.data == 0 || (row.data, row.num) != (other.data, other.num), "{}", row.name);
        }
        assert!(row.data != 0 || row.gfx10 != 0, "{} can be reached", row.name);
    }
}

/// A field's width is in the name, from the top.
#[test]
fn fields_are_what_names_say() {
    for row in &rows::ROWS {
        let Coding::Fields(layout) = &row.coding else { continue };
        let widths: Vec<u8> = row.name.split('_').map_while(|word| word.parse().ok()).collect();
        let bits: Vec<u8> = layout.bits.iter().copied().filter(|&b| b != 0).rev().collect();
        assert_eq!(widths, bits, "{}", row.name);
        assert_eq!(widths.iter().map(|&w| u32::from(w)).sum::<u32>() % 8, 0, "{}", row.name);
    }
}

/// Images have the formats of buffers, with the same numbers and the same texels.
#[test]
fn buffer_formats_are_the_same() {
    let mut seed = 1;
    let mut compared = 0;
    for target in targets() {
        for number in 0..128 {
            let Ok(buffer) = Format::decode(number, &target) else { continue };
            let image = if is_unified(&target) {
                TexelFormat::decode(number, &target)
            } else {
                TexelFormat::decode_pair(number & 15, number >> 4, &target)
            };
            let image = image.expect("an image format");
            assert_eq!((image.bytes(), image.block(), image.kind()), (buffer.bytes(), 1, buffer.kind));
            assert_eq!(image.components(), buffer.layout.count());
            assert!(LAYOUTS.contains(buffer.layout));
            for _ in 0..64 {
                let element = words(noise(&mut seed));
                assert_eq!(image.load(&element, 0, 0), buffer.load(element), "{}", image.name());
                let components = words(noise(&mut seed));
                if let Ok(stored) = image.store(components) {
                    assert_eq!(Ok(stored), buffer.store(components), "{}", image.name());
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// The short ways give what the general one gives.
#[test]
fn bytes_are_unorm_fields() {
    let target = Target::new(Arch::find("gfx1030").expect("a processor"));
    let format = TexelFormat::decode_pair(1, 0, &Target::new(Arch::find("gfx900").expect("a processor")));
    let (format, general) = (format.expect("8_UNORM"), Format::decode(1, &target).expect("8_UNORM"));
    for n in 0..=255 {
        let element = [0xaaaa_aa00 | n, 0xaaaa_aaaa, 0xaaaa_aaaa, 0xaaaa_aaaa];
        assert_eq!(format.load(&element, 0, 0), general.load(element));
    }
}

/// Runs of consecutive numbers that only images have: those of gfx10 as Mesa's register database has them, of gfx11 the RDNA3 manual.
/// The others are compared with the numbers of buffers.
#[test]
fn numbers_of_images() {
    #[rustfmt::skip]
    let special = [
        "5_9_9_9_FLOAT", "5_6_5_UNORM", "1_5_5_5_UNORM", "5_5_5_1_UNORM", "4_4_4_4_UNORM", "4_4_UNORM", "1_UNORM", "1_REVERSED_UNORM",
        "32_FLOAT_CLAMP", "8_24_UNORM", "8_24_UINT", "24_8_UNORM", "24_8_UINT", "X24_8_32_UINT", "X24_8_32_FLOAT", "GB_GR_UNORM",
        "GB_GR_SNORM", "GB_GR_UINT", "GB_GR_SRGB", "BG_RG_UNORM", "BG_RG_SNORM", "BG_RG_UINT", "BG_RG_SRGB",
    ];
    #[rustfmt::skip]
    let blocks = [
        "BC1_UNORM", "BC1_SRGB", "BC2_UNORM", "BC2_SRGB", "BC3_UNORM", "BC3_SRGB", "BC4_UNORM", "BC4_SNORM", "BC5_UNORM", "BC5_SNORM",
        "BC6_UFLOAT", "BC6_SFLOAT", "BC7_UNORM", "BC7_SRGB",
    ];
    let srgb = ["8_SRGB", "8_8_SRGB", "8_8_8_8_SRGB"];
    let on_gfx10: [(u32, &[&str]); 6] = [
        (128, &srgb),
        (131, &["6E4_FLOAT"]),
        (132, &special),
        (156, &["FMASK8_S2_F1", "FMASK8_S4_F1", "FMASK8_S8_F1", "FMASK8_S2_F2", "FMASK8_S4_F2", "FMASK8_S4_F4"]),
        (169, &blocks),
        (265, &["MM_8_UNORM", "MM_8_UINT"]),
    ];
    let on_gfx11: [(u32, &[&str]); 5] = [
        (64, &srgb),
        (67, &special),
        (109, &blocks),
        (205, &["YCBCR_UNORM", "YCBCR_SRGB"]),
        (227, &["6E4_FLOAT", "7E3_FLOAT"]),
    ];
    for (processor, gfx10) in [("gfx1010", true), ("gfx1030", true), ("gfx1100", false), ("gfx1200", false)] {
        let runs = if gfx10 { &on_gfx10[..] } else { &on_gfx11[..] };
        let target = Target::new(Arch::find(processor).expect("a processor"));
        for (n, name) in runs.iter().flat_map(|(first, names)| (*first..).zip(names.iter())) {
            let found = match TexelFormat::decode(n, &target) {
                Ok(format) => format.name(),
                Err(TexelError::Unsupported(name)) => name,
                Err(_) => "",
            };
            assert_eq!(found, *name, "{n} on {processor}");
        }
    }
}

/// The data formats and numeric formats of images up to gfx9, as the SI manual numbers them.
#[test]
fn pairs_of_images() {
    #[rustfmt::skip]
    let rows = [
        (16, 0, "5_6_5_UNORM"), (17, 0, "1_5_5_5_UNORM"), (18, 0, "5_5_5_1_UNORM"), (19, 0, "4_4_4_4_UNORM"), (20, 0, "8_24_UNORM"),
        (20, 4, "8_24_UINT"), (21, 0, "24_8_UNORM"), (21, 4, "24_8_UINT"), (22, 4, "X24_8_32_UINT"), (22, 7, "X24_8_32_FLOAT"),
        (34, 7, "5_9_9_9_FLOAT"), (35, 0, "BC1_UNORM"), (35, 9, "BC1_SRGB"), (36, 9, "BC2_SRGB"), (37, 9, "BC3_SRGB"),
        (38, 0, "BC4_UNORM"), (38, 1, "BC4_SNORM"), (39, 0, "BC5_UNORM"), (39, 1, "BC5_SNORM"), (40, 0, "BC6_UFLOAT"),
        (40, 1, "BC6_SFLOAT"), (41, 0, "BC7_UNORM"), (41, 9, "BC7_SRGB"), (57, 0, "4_4_UNORM"), (58, 0, "6_5_5_UNORM"),
        (1, 9, "8_SRGB"), (3, 9, "8_8_SRGB"), (10, 9, "8_8_8_8_SRGB"),
    ];
    for processor in ["gfx600", "gfx700", "gfx803", "gfx810", "gfx900", "gfx906"] {
        let target = Target::new(Arch::find(processor).expect("a processor"));
        for (data, num, name) in rows {
            assert_eq!(TexelFormat::decode_pair(data, num, &target).map(|f| f.name()), Ok(name), "{processor}");
        }
    }
}

/// Every number is a format, or an error that says why it is none.
#[test]
fn every_number_has_an_answer() {
    for target in targets() {
        let generation = target.generation();
        for n in (0..600).chain([u32::MAX, 1 << 31]) {
            match TexelFormat::decode(n, &target) {
                Ok(_) | Err(TexelError::Unsupported(_)) => assert!(is_unified(&target) && n < 300),
                Err(TexelError::Unbound) => assert_eq!(n, 0),
                Err(TexelError::Unknown { number, generation: named }) => {
                    assert_eq!((number, named), (n, generation.name()));
                }
                Err(other) => panic!("{other}"),
            }
            for num in (0..16).chain([u32::MAX]) {
                match TexelFormat::decode_pair(n, num, &target) {
                    Ok(format) => assert_eq!(u32::from(format.row.data), n),
                    Err(TexelError::Unbound) => assert_eq!(n, 0),
                    Err(TexelError::Unknown { number, .. }) => assert_eq!(number, n),
                    Err(TexelError::Unsupported(name)) => assert!(!name.is_empty()),
                    Err(TexelError::Pair { data, num, .. }) => assert!(!data.is_empty() && !num.is_empty()),
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
}

/// How many there are: what a table loses is missed.
#[test]
fn counts_by_generation() {
    #[rustfmt::skip]
    let counts = [
        // processor, executed, refused by name, refused as a pair
        ("gfx600",  117, 20 * 16,  379), ("gfx803",  107, 20 * 16,  389), ("gfx810",  107, 25 * 16,  389),
        ("gfx900",  107, 26 * 16,  389), ("gfx1010", 107, 126, 0), ("gfx1030", 107, 135, 0), ("gfx1100", 93, 40, 0),
        ("gfx1200", 93, 40, 0),
    ];
    for (name, executed, refused, pairs) in counts {
        let target = Target::new(Arch::find(name).expect("a processor"));
        let decoded: Vec<_> = if is_unified(&target) {
            (1..512).map(|n| TexelFormat::decode(n, &target)).collect()
        } else {
            (16..64 * 16).map(|n| TexelFormat::decode_pair(n >> 4, n & 15, &target)).collect()
        };
        let count = |what: fn(&Result<TexelFormat, TexelError>) -> bool| decoded.iter().filter(|&d| what(d)).count();
        let counted = (
            count(|d| d.is_ok()),
            count(|d| matches!(d, Err(TexelError::Unsupported(_)))),
            count(|d| matches!(d, Err(TexelError::Pair { .. }))),
        );
        assert_eq!(counted, (executed, refused, pairs), "{name}");
    }
}

#[test]
fn refusals_name_what_is_refused() {
    let on = |name: &str| Target::new(Arch::find(name).expect("a processor"));
    let pair = |data, num, name: &str| TexelFormat::decode_pair(data, num, &on(name)).map_err(|e| e.to_string());
    let refused = |text: &str| Err(text.to_owned());
    assert_eq!(pair(47, 4, "gfx600"), refused("texels of format FMASK8_S2_F2 cannot be executed"));
    assert_eq!(pair(47, 4, "gfx900"), refused("texels of format ASTC_2D_HDR cannot be executed"));
    assert_eq!(pair(24, 0, "gfx810"), refused("texels of format ETC2_RGB cannot be executed"));
    assert_eq!(pair(24, 0, "gfx803"), refused("24 is no image format of gfx8"));
    assert_eq!(pair(10, 6, "gfx900"), refused("8_8_8_8 texels have no numeric format UNORM_UINT on gfx9"));
    assert_eq!(pair(10, 12, "gfx700"), refused("8_8_8_8 texels have no numeric format UBINT on gfx7"));
    assert_eq!(pair(0, 9, "gfx700"), refused("the format is INVALID: there is no image"));
    let unified = |number, name: &str| TexelFormat::decode(number, &on(name)).map_err(|e| e.to_string());
    assert_eq!(unified(193, "gfx1030"), refused("texels of format ASTC_2D_LDR_4X4 cannot be executed"));
    assert_eq!(unified(288, "gfx1030"), refused("texels of format MM_12_IN_16_UNORM cannot be executed"));
    assert_eq!(unified(288, "gfx1010"), refused("288 is no image format of gfx10"));
    assert_eq!(unified(82, "gfx1200"), refused("texels of format GB_GR_UNORM cannot be executed"));
    assert_eq!(unified(96, "gfx1100"), refused("96 is no image format of gfx11"));
    let block = TexelFormat::decode(109, &on("gfx1100")).expect("BC1");
    assert_eq!(block.store([0; 4]), Err(TexelError::ReadOnly("BC1_UNORM")));
    assert_eq!(TexelError::ReadOnly("BC1_UNORM").to_string(), "texels of format BC1_UNORM cannot be stored");
}

#[test]
fn properties() {
    let gfx11 = Target::new(Arch::find("gfx1100").expect("a processor"));
    let named = |name: &str| {
        (1..256).filter_map(|n| TexelFormat::decode(n, &gfx11).ok()).find(|f| f.name() == name).expect("a format")
    };
    #[rustfmt::skip]
    let rows = [
        // name            bytes block components kind           store  depth  clamps atomic  srgb
        ("8_UNORM",         1,   1,    1,         Kind::Unorm,   true,  false, true,  None,    false),
        ("32_UINT",         4,   1,    1,         Kind::Uint,    true,  false, false, Some(4), false),
        ("32_FLOAT",        4,   1,    1,         Kind::Float,   true,  true,  false, Some(4), false),
        ("32_FLOAT_CLAMP",  4,   1,    1,         Kind::Float,   false, true,  true,  None,    false),
        ("32_32_UINT",      8,   1,    2,         Kind::Uint,    true,  false, false, Some(8), false),
        ("32_32_32_FLOAT",  12,  1,    3,         Kind::Float,   false, false, false, None,    false),
        ("8_8_8_8_SRGB",    4,   1,    4,         Kind::Unorm,   true,  false, true,  None,    true),
        ("8_8_8_8_SSCALED", 4,   1,    4,         Kind::Sscaled, false, false, false, None,    false),
        ("5_6_5_UNORM",     2,   1,    3,         Kind::Unorm,   true,  false, true,  None,    false),
        ("5_9_9_9_FLOAT",   4,   1,    3,         Kind::Float,   true,  false, false, None,    false),
        ("8_24_UNORM",      4,   1,    2,         Kind::Unorm,   false, true,  true,  None,    false),
        ("X24_8_32_FLOAT",  8,   1,    2,         Kind::Float,   false, true,  false, None,    false),
        ("BC1_SRGB",        8,   4,    4,         Kind::Unorm,   false, false, true,  None,    true),
        ("BC4_SNORM",       8,   4,    1,         Kind::Snorm,   false, false, false, None,    false),
        ("BC5_UNORM",       16,  4,    2,         Kind::Unorm,   false, false, true,  None,    false),
        ("BC6_SFLOAT",      16,  4,    3,         Kind::Float,   false, false, false, None,    false),
        ("BC7_SRGB",        16,  4,    4,         Kind::Unorm,   false, false, true,  None,    true),
    ];
    for (name, bytes, block, components, kind, store, depth, clamps, atomic, srgb) in rows {
        let f = named(name);
        assert_eq!((f.bytes(), f.block(), f.components(), f.kind()), (bytes, block, components, kind), "{name}");
        assert_eq!((f.is_storable(), f.is_depth(), f.clamps_reference()), (store, depth, clamps), "{name}");
        assert_eq!((f.atomic_bytes(), f.is_srgb(), f.is_int()), (atomic, srgb, kind.is_int()), "{name}");
        assert_eq!(f.store([0; 4]).is_ok(), store, "{name}");
    }
    // A shared exponent is stored from gfx10.3, numbers of gfx10 are 132.
    for (processor, stored) in [("gfx1010", false), ("gfx1013", false), ("gfx1030", true)] {
        let target = Target::new(Arch::find(processor).expect("a processor"));
        assert_eq!(TexelFormat::decode(132, &target).map(|f| f.is_storable()), Ok(stored));
    }
}

/// Nothing panics, what is behind the components is 0, and bytes behind the element do not matter.
#[test]
fn random_elements_load() {
    let mut seed = 7;
    for (format, _) in formats() {
        for n in 0..48 {
            let mut element = noise(&mut seed);
            let texel = format.load(&words(element), n & 3, n >> 2 & 3);
            assert!(texel[format.components() as usize..].iter().all(|&c| c == 0), "{}", format.name());
            element[format.bytes() as usize..].fill(0);
            assert_eq!(texel, format.load(&words(element), n & 3, n >> 2 & 3), "{}", format.name());
            let _ = format.store(words(noise(&mut seed)));
        }
    }
}

/// A texel that is stored as it was loaded has its bits back, but for numbers that have two names and NaN.
#[test]
fn stores_undo_loads() {
    let mut seed = 3;
    for (format, target) in formats().filter(|(f, _)| f.is_storable()) {
        for _ in 0..48 {
            let mut element = noise(&mut seed);
            element[format.bytes() as usize..].fill(0);
            let element = words(element);
            let texel = format.load(&element, 0, 0);
            let back = format.store(texel).expect("a format that can be stored");
            let same = back == element
                // The lowest snorm is another name, mantissas of a shared exponent are not unique, 2-bit alpha is wrong.
                || format.load(&back, 0, 0) == texel
                || format.unsigned_alpha && target.generation() <= Gen::Gfx8;
            assert!(same, "{} {element:x?} {texel:x?} {back:x?}", format.name());
        }
    }
}

/// What is loaded of sRGB is stored as the byte that it was.
#[test]
fn curves_go_there_and_back() {
    let target = Target::new(Arch::find("gfx1100").expect("a processor"));
    let (number, _) = TexelFormat::numbers("8_8_8_8_srgb", &target).expect("numbers");
    let format = TexelFormat::decode(number, &target).expect("a format");
    for byte in 0..=255 {
        let element = [u32::from_le_bytes([byte; 4]), 0, 0, 0];
        assert_eq!(format.store(format.load(&element, 0, 0)), Ok(element), "{byte}");
    }
}
