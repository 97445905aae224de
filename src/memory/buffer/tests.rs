//! Expected values come from MEMORY_FACTS 1 to 4: words of drivers, and the formulas worked out by hand.

use super::*;
use crate::isa::arch::{ARCHS, Arch};
use proptest::prelude::*;

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

fn decode(name: &str, words: [u32; 4]) -> Descriptor {
    Descriptor::decode(words, &target(name)).expect("supported")
}

fn dwords(offset: u32, count: u32) -> Access {
    Access { index: None, offset, instruction: 0, soffset: 0, lane: 0, component: 4, count, judge: Judge::Each }
}

/// RADV's raw buffers: XYZW, 32_FLOAT, raw.
#[test]
fn words_of_drivers() {
    for (name, w3, format) in [
        ("gfx600", 0x0002_7fac, 4 | 7 << 4),
        ("gfx900", 0x0002_7fac, 4 | 7 << 4),
        ("gfx1030", 0x3101_6fac, 22),
        ("gfx1100", 0x3001_6fac, 22),
        ("gfx1200", 0x3001_6fac, 22),
    ] {
        let d = decode(name, [0x1234_5678, 0x8000_8000 & 0xffff, 64, w3]);
        assert_eq!(d.base, 0x8000_1234_5678);
        assert_eq!(d.format, format, "{name}");
        assert_eq!(d.dst_sel, crate::memory::format::IDENTITY);
        assert_eq!((d.stride, d.num_records, d.swizzle, d.add_tid), (0, 64, None, false));
        assert_eq!(d.oob_select, (d.format == 22).then_some(OobSelect::Raw));
        assert!(d.bound(false));
    }
    // HIP's.
    assert_eq!(decode("gfx90a", [0, 0, !0, 0x0002_0000]).format, 4);
    assert_eq!(decode("gfx1030", [0, 0, !0, 0x3101_4000]).format, 20);
    assert!(decode("gfx1100", [0, 0, !0, 0x3100_4000]).bound(false));
}

/// RADV's scratch: elements of 4 bytes, 64 lanes interleaved, the lane as index.
#[test]
fn scratch() {
    for (name, w3) in [("gfx600", 0x00ea_7000), ("gfx803", 0x00e8_7000)] {
        let d = decode(name, [0x10_0000, 1 << 31, !0, w3]);
        assert_eq!((d.swizzle, d.index_stride, d.add_tid, d.stride), (Some(4), 64, true, 0), "{name}");
        assert!(d.bound(false));
        // base + soffset + (off & ~3) * 64 + lane * 4 + (off & 3), byte loads so that gfx6 keeps the low bits
        let access = Access { soffset: 0x400, lane: 5, component: 1, ..dwords(11, 1) };
        assert_eq!(d.place(&access), Place { address: 0x10_0000 + 0x400 + 8 * 64 + 20 + 3, valid: 1 });
    }
}

#[test]
fn wide_stride() {
    // add_tid (bit 23), dfmt 0b1010 are stride bits 17:14 on gfx8 and gfx9.
    let words = [0, 0x0003 << 16, !0, 1 << 23 | 0b1010 << 15];
    assert_eq!(decode("gfx803", words).stride, 0b1010 << 14 | 3);
    assert_eq!(decode("gfx900", words).stride, 0b1010 << 14 | 3);
    assert_eq!(decode("gfx700", words).stride, 3);
    assert_eq!(decode("gfx700", words).format, 10);
    assert_eq!(decode("gfx900", words).format, 0);
}

#[test]
fn refused_and_unbound() {
    let on = |name, words| Descriptor::decode(words, &target(name));
    assert_eq!(on("gfx1200", [0, 0, 0, 1 << 18]), Err(Unsupported::StrideScale(1)));
    assert_eq!(on("gfx1100", [0, 2 << 30, 0, 0]), Err(Unsupported::Swizzle(2)));
    assert_eq!(decode("gfx1100", [0, 3 << 30, 0, 0]).swizzle, Some(16));
    assert_eq!(decode("gfx1030", [0, 3 << 30, 0, 0]).swizzle, Some(4));
    let null = decode("gfx900", [0; 4]);
    assert!(!null.bound(false) && !null.bound(true));
    let no_format = decode("gfx900", [0, 0, 4, 0]);
    assert!(!no_format.bound(false) && no_format.bound(true));
    assert!(!decode("gfx900", [0, 0, 4, 9 << 28 | 4 << 15]).bound(true), "an image");
}

/// (index / IS * stride + offset / ES * ES) * IS + index % IS * ES + offset % ES with IS 8, ES 16, stride 32:
/// index 11, offset 21: (1 * 32 + 16) * 8 + 3 * 16 + 5.
#[test]
fn swizzle_by_hand() {
    let d = decode("gfx1100", [0x1000, 3 << 30 | 32 << 16, 100, 0x0001_6fac]);
    let access = Access { index: Some(11), ..dwords(21, 1) };
    assert_eq!(d.address(&access, 0), 0x1000 + 384 + 48 + 5);
    assert_eq!(d.address(&access, 4), 0x1000 + 384 + 48 + 9);
    assert_eq!(d.address(&access, 11), 0x1000 + 64 * 8 + 48);
}

#[test]
fn linear_by_hand() {
    let d = decode("gfx900", [0xffff_fff0, 0xffff | 24 << 16, 100, 0x0002_7fac]);
    let access = Access { index: Some(3), soffset: 0x20, ..dwords(8, 1) };
    // Beyond 48 bits the address begins anew.
    assert_eq!(d.address(&access, 0), (0xffff_ffff_fff0 + 0x20 + 72 + 8) & 0xffff_ffff_ffff);
    // 32-bit product: 24 * 0x1000_0000 = 0x1_8000_0000.
    let far = Access { index: Some(0x1000_0000), ..dwords(0, 1) };
    assert_eq!(decode("gfx900", [0, 24 << 16, !0, 0x0002_7fac]).address(&far, 0), 0x8000_0000);
}

fn valid(d: &Descriptor, index: Option<u32>, offset: u32, count: u32) -> u8 {
    d.in_range(&Access { index, ..dwords(offset, count) })
}

/// Raw buffers of 14 bytes: gfx6-10 look at the first byte of a dword, gfx11 at the last.
#[test]
fn raw_ranges() {
    for (name, w3, tail) in [
        ("gfx700", 0x0002_7fac, 1),
        ("gfx803", 0x0002_7fac, 1),
        ("gfx900", 0x0002_7fac, 1),
        ("gfx1030", 0x3101_6fac, 1),
        ("gfx1100", 0x3001_6fac, 0),
        ("gfx1200", 0x3001_6fac, 0),
    ] {
        let d = decode(name, [0, 0, 14, w3]);
        assert_eq!(valid(&d, None, 0, 4), 0b0111 | tail << 3, "{name}");
        assert_eq!(valid(&d, None, 13, 1), tail, "{name}");
        assert_eq!(valid(&d, None, 14, 1), 0, "{name}");
        assert_eq!(valid(&d, None, 10, 1), 1, "{name}");
        // Saturating: nothing wraps back into range.
        assert_eq!(valid(&d, None, -4i32 as u32, 4), 0, "{name}");
        // All or nothing.
        let whole = Access { judge: Judge::Formatted, ..dwords(4, 3) };
        assert_eq!(d.in_range(&whole), 0b111 * tail, "{name}");
        // soffset reduces the size; beyond it, nothing is left.
        let moved = Access { soffset: 8, ..dwords(0, 2) };
        assert_eq!(d.in_range(&moved), 1 | tail << 1, "{name}");
        assert_eq!(d.in_range(&Access { soffset: 100, ..dwords(0, 1) }), 0, "{name}");
    }
    // A negative register and a positive offset of the instruction: -4 + 8. ACO folds such offsets on every generation; in a swizzled
    // buffer, which is what LLVM's scratch is, the check fails before gfx9.
    for (name, w3, swizzled) in [
        ("gfx600", 0x0002_7fac, 0),
        ("gfx700", 0x0002_7fac, 0),
        ("gfx803", 0x0002_7fac, 0),
        ("gfx900", 0x0002_7fac, 1),
        ("gfx1100", 0x3001_6fac, 1),
    ] {
        let access = Access { instruction: 8, ..dwords(-4i32 as u32, 1) };
        let linear = decode(name, [0x1000, 0, 14, w3]);
        assert_eq!(linear.place(&access), Place { address: 0x1004, valid: 1 }, "{name}");
        let swizzle = if name == "gfx1100" { 1 << 30 } else { 1 << 31 };
        assert_eq!(decode(name, [0x1000, swizzle, 4096, w3]).in_range(&access), swizzled, "{name}");
    }
    let mut old = decode("gfx700", [0, 0, 14, 0x0002_7fac]);
    old.soffset_wraps = true;
    assert_eq!(old.in_range(&Access { soffset: 100, ..dwords(0, 1) }), 1);
}

/// Four records of 16 bytes. Per generation: index 3 offset 12, index 4 offset 0, index 3 offset 16, no index offset 60.
#[test]
fn structured_ranges() {
    let old = 0x0002_7fac;
    #[rustfmt::skip]
    let table = [
        //                                 3:12 4:0 3:16 -:60
        ("gfx700",  old,                   [1, 0, 0, 1]), // records; without an index the offset is free
        ("gfx803",  old,                   [0, 0, 0, 0]), // not swizzled: four bytes
        ("gfx900",  old,                   [1, 0, 1, 0]), // records with an index, bytes without
        ("gfx1030", 0x0101_6fac,           [1, 0, 0, 0]),
        ("gfx1030", 0x0101_6fac | 1 << 28, [1, 0, 1, 1]),
        ("gfx1030", 0x0101_6fac | 2 << 28, [1, 1, 1, 1]),
        ("gfx1030", 0x0101_6fac | 3 << 28, [0, 1, 0, 0]),
        ("gfx1100", 0x0001_6fac,           [1, 0, 0, 0]),
        ("gfx1100", 0x0001_6fac | 1 << 28, [1, 0, 1, 1]),
        ("gfx1100", 0x0001_6fac | 2 << 28, [1, 1, 1, 1]),
        ("gfx1100", 0x0001_6fac | 3 << 28, [0, 1, 0, 0]),
    ];
    for (name, w3, expect) in table {
        let d = decode(name, [0, 16 << 16, 4, w3]);
        let got = [(Some(3), 12), (Some(4), 0), (Some(3), 16), (None, 60)].map(|(i, o)| valid(&d, i, o, 1));
        assert_eq!(got, expect, "{name} {w3:#x}");
    }
    // The last dword of a record: gfx11 wants it whole.
    assert_eq!(valid(&decode("gfx1030", [0, 16 << 16, 4, 0x0101_6fac]), Some(0), 14, 1), 1);
    assert_eq!(valid(&decode("gfx1100", [0, 16 << 16, 4, 0x0001_6fac]), Some(0), 14, 1), 0);
    // gfx8 counts records where it is swizzled, gfx11 raw is structured there.
    let swizzled = decode("gfx803", [0, 1 << 31 | 16 << 16, 4, 0x0002_7fac]);
    assert_eq!((valid(&swizzled, Some(3), 12, 1), valid(&swizzled, Some(3), 16, 1)), (1, 0));
    let raw = decode("gfx1100", [0, 1 << 30 | 16 << 16, 4, 0x3001_6fac]);
    assert_eq!((valid(&raw, Some(3), 12, 1), valid(&raw, Some(4), 0, 1)), (1, 0));
    // gfx9: no stride and no records is no check.
    assert_eq!(valid(&decode("gfx900", [0, 0, 0, 0x0002_7fac]), None, 1 << 30, 1), 1);
}

#[test]
fn alignment() {
    let dword = dwords(7, 1);
    assert_eq!(decode("gfx600", [0x1000, 0, !0, 0x0002_7fac]).address(&dword, 0), 0x1004);
    assert_eq!(decode("gfx700", [0x1000, 0, !0, 0x0002_7fac]).address(&dword, 0), 0x1007);
    let d = decode("gfx600", [0x1000, 0, !0, 0x0002_7fac]);
    assert_eq!(d.address(&Access { component: 2, ..dword }, 0), 0x1006);
    assert_eq!(d.address(&Access { component: 1, ..dword }, 0), 0x1007);
    let formatted = Access { judge: Judge::Formatted, ..dword };
    assert_eq!(decode("gfx900", [0x1000, 0, !0, 0x0002_7fac]).address(&formatted, 0), 0x1007);
    assert_eq!(decode("gfx1100", [0x1000, 0, !0, 0x3001_6fac]).address(&formatted, 0), 0x1004);
    assert_eq!(d.address64(0x2003, 4, 8, 4), 0x300c);
    assert_eq!(d.address64(0x2003, 4, 8, 1), 0x300f);
    let high = decode("gfx700", [0, 0x8000, 0, 0x0002_7fac]);
    assert_eq!(high.address64(0x2003, 4, 8, 4), 0xffff_8000_0000_200f);
}

/// stride ? stride * records : records, dword by dword; base and offset lose two bits each.
#[test]
fn scalar_ranges() {
    for name in ["gfx600", "gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200"] {
        let raw = decode(name, [0x1003, 0, 10, 0]);
        assert_eq!(raw.scalar(7, 4, 0), Some(0x1004));
        assert_eq!(raw.scalar(7, 4, 1), Some(0x1008));
        assert_eq!(raw.scalar(7, 4, 2), None);
        assert_eq!(raw.scalar(!0, 4, 3), None);
        let records = decode(name, [0x1000, 16 << 16, 10, 0]);
        assert_eq!(records.scalar(156, 4, 0), Some(0x1000 + 156));
        assert_eq!(records.scalar(160, 4, 0), None);
    }
    assert_eq!(decode("gfx1200", [0x1001, 0, 10, 0]).scalar(2, 1, 0), Some(0x1003));
}

proptest! {
    /// Random words and accesses: no panic, masks of the right size, and the short way agrees with the long one.
    #[test]
    fn anything(words in any::<[u32; 4]>(), small in 0u32..64, offset in any::<u32>(), instruction in 0u32..4096, soffset in any::<u32>(), index in any::<u32>(),
                has_index in any::<bool>(), lane in 0u32..64, count in 0u32..9, component in 0u32..17, which in 0..ARCHS.len()) {
        let target = Target::new(&ARCHS[which]);
        for words in [words, [words[0], words[1] & 0x001f_ffff, small, words[3]]] {
            let Ok(d) = Descriptor::decode(words, &target) else { continue };
            for judge in [Judge::Each, Judge::Formatted, Judge::Atomic] {
                for (offset, soffset) in [(offset, soffset), (offset % 80, soffset % 8), (offset % 80, 0)] {
                    let access = Access { index: has_index.then_some(index), offset, instruction, soffset, lane, component, count, judge };
                    let place = d.place(&access);
                    prop_assert!(place.address < 1 << 48);
                    prop_assert!(u32::from(place.valid) < 1 << count);
                    let _ = (d.bound(true), d.scalar(offset, component, count), d.address64(u64::MAX, offset, soffset, component));
                    for access in [access, Access { index: access.index.map(|index| index % 9), ..access }] {
                        let common = d.common(soffset, instruction, component, judge, has_index);
                        let at = |n: u32| common.at(lane, access.index.unwrap_or(0), offset, n * component);
                        let valid = d.in_range(&access);
                        for n in 0..count {
                            prop_assert_eq!(at(n).0, d.address(&access, n * component));
                            if judge == Judge::Each {
                                prop_assert_eq!(at(n).1, valid >> n & 1 != 0);
                            }
                        }
                        if count != 0 {
                            prop_assert_eq!(at(count - 1).1, u32::from(valid) == (1 << count) - 1);
                        }
                    }
                }
            }
        }
    }
}
