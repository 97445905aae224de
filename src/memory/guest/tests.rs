//! Bytes, borders, faults and races. Values follow from the bytes, which count up, and from a model of plain bytes.

use super::*;
use proptest::prelude::*;

fn memory() -> Memory {
    let mut memory = Memory::new();
    let bytes: Vec<u8> = (0..64).collect();
    memory.map_bytes("low", 0x1001, &bytes[..31], true).expect("fits");
    memory.map_bytes("next", 0x1020, &bytes[31..], true).expect("fits");
    memory.map_bytes("constant", 0x8000_0000_0000, &[0xaa; 8], false).expect("fits");
    memory
}

fn fault(address: u64, size: u64, access: Access, why: Why) -> Fault {
    Fault { address, size, access, why }
}

/// The bytes count up, so that little endian values are written down at once.
#[test]
fn loads_of_every_size_and_alignment() {
    let memory = memory();
    let mut view = memory.view();
    assert_eq!(view.load_u8(0x1001), Ok(0));
    assert_eq!(view.load_u16(0x1003), Ok(0x0302));
    assert_eq!(view.load_u32(0x1004), Ok(0x0605_0403));
    assert_eq!(view.load_u32(0x1006), Ok(0x0807_0605));
    assert_eq!(view.load_u64(0x1008), Ok(0x0e0d_0c0b_0a09_0807));
    assert_eq!(view.load_u64(0x1009), Ok(0x0f0e_0d0c_0b0a_0908));
    let mut words = [0; 2];
    assert_eq!(view.load_words(0x1003, &mut words), Ok(()));
    assert_eq!(words, [0x0504_0302, 0x0908_0706]);
    // Across the border of two regions that touch.
    assert_eq!(view.load_u32(0x101e), Ok(0x201f_1e1d));
    assert_eq!(view.load_u64(0x101f), Ok(0x2524_2322_2120_1f1e));
    assert_eq!(view.load_words(0x101c, &mut words), Ok(()));
    assert_eq!(words, [0x1e1d_1c1b, 0x2221_201f]);
}

#[test]
fn both_spellings_are_one_address() {
    let memory = memory();
    let mut view = memory.view();
    assert_eq!(view.load_u8(0xffff_8000_0000_0000), Ok(0xaa));
    assert_eq!(view.load_u8(0x8000_0000_0000), Ok(0xaa));
    let bad = 0x0001_0000_0000_1001;
    assert_eq!(view.load_u8(bad), Err(fault(bad, 1, Access::Load, Why::NotCanonical)));
    assert_eq!(canonical(0xffff_0000_0000_0000), None);
}

#[test]
fn faults_tell_what_and_why() {
    let memory = memory();
    let mut view = memory.view();
    assert_eq!(view.load_u8(0x1000), Err(fault(0x1000, 1, Access::Load, Why::Unmapped)));
    assert_eq!(view.load_u16(0x1040), Err(fault(0x1040, 2, Access::Load, Why::Unmapped)));
    assert_eq!(view.load_u32(u64::MAX), Err(fault(u64::MAX, 4, Access::Load, Why::Unmapped)));
    assert_eq!(view.store_u32(0x103e, 0), Err(fault(0x103e, 4, Access::Store, Why::Unmapped)));
    let constant = 0x8000_0000_0000;
    assert_eq!(view.store_u8(constant, 0), Err(fault(constant, 1, Access::Store, Why::ReadOnly)));
    assert_eq!(view.rmw_u32(constant, |x| x), Err(fault(constant, 4, Access::Atomic, Why::ReadOnly)));
    assert_eq!(view.rmw_u32(0x1005, |x| x), Err(fault(0x1005, 4, Access::Atomic, Why::Misaligned)));
    assert_eq!(view.rmw_u64(0x1004, |x| x), Err(fault(0x1004, 8, Access::Atomic, Why::Misaligned)));
    assert_eq!(view.fetch_words(0, &mut [0]), Err(fault(0, 4, Access::Fetch, Why::Unmapped)));
    assert_eq!(
        fault(0x1005, 4, Access::Atomic, Why::Misaligned).to_string(),
        "atomic of 4 bytes at 0x1005: the address is not aligned"
    );
    // The words of the last store end in a hole: nothing is written.
    assert!(view.store_words(0x1038, &[1, 2, 3]).is_err());
    assert_eq!(view.load_u32(0x1038), Ok(0x3a39_3837));
}

#[test]
fn what_cannot_be_mapped() {
    let mut memory = Memory::with_limit(100);
    assert!(matches!(memory.map("a", 0, 0, true), Err(MapError::Empty { .. })));
    assert!(matches!(memory.map("a", 0, 101, true), Err(MapError::TooLarge { left: 100, .. })));
    assert!(matches!(memory.map("a", 0xffff_ffff_ffff, 2, true), Err(MapError::Range { .. })));
    assert!(matches!(memory.map("a", 1 << 48, 1, true), Err(MapError::Range { .. })));
    assert!(matches!(memory.map("a", 0, u64::MAX, true), Err(MapError::Range { .. })));
    assert_eq!(memory.map("a", 16, 8, true), Ok(()));
    assert!(matches!(memory.map("b", 23, 8, true), Err(MapError::Overlap { other, .. }) if other == "a"));
    assert!(matches!(memory.map("b", 9, 8, true), Err(MapError::Overlap { .. })));
    assert!(matches!(memory.map("b", 0, 90, true), Err(MapError::Overlap { .. })));
    assert_eq!(memory.map("b", 24, 8, true), Ok(()));
    assert_eq!(memory.map("c", 8, 8, true), Ok(()));
    assert!(matches!(memory.map("d", 1000, 77, true), Err(MapError::TooLarge { left: 76, .. })));
    let mut endless = Memory::with_limit(u64::MAX);
    assert!(matches!(endless.map("a", 0, 1 << 48, true), Err(MapError::TooLarge { .. })));
}

#[test]
fn host_writes_anywhere() {
    let memory = memory();
    assert_eq!(memory.write_bytes(0x8000_0000_0001, &[1, 2, 3, 4, 5, 6]), Ok(()));
    assert_eq!(memory.find("constant").map(Region::to_bytes), Some(vec![0xaa, 1, 2, 3, 4, 5, 6, 0xaa]));
    assert_eq!(memory.write_bytes(0x101f, &[9, 9, 9]), Ok(()));
    let mut back = [0; 5];
    assert_eq!(memory.read_bytes(0x101e, &mut back), Ok(()));
    assert_eq!(back, [0x1d, 9, 9, 9, 0x21]);
    assert!(memory.write_bytes(0x103f, &[7, 7, 7]).is_err());
    assert_eq!(memory.view().load_u8(0x103f), Ok(0x3e));
}

/// Four threads count in neighbouring bytes, words and double words; every count arrives.
#[test]
fn races_lose_nothing() {
    let mut memory = Memory::new();
    memory.map("shared", 0x4000, 64, true).expect("fits");
    const TIMES: u64 = 2000;
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let memory = &memory;
            scope.spawn(move || {
                let mut view = memory.view();
                for n in 0..TIMES {
                    view.store_u8(0x4000 + thread, n as u8).expect("mapped");
                    assert_eq!(view.load_u8(0x4000 + thread), Ok(n as u8));
                    view.rmw_u32(0x4004, |old| old + 1).expect("mapped");
                    view.rmw_u64(0x4008, |old| old + (1 << 32) + 1).expect("mapped");
                    view.store_u64(0x4010, n << 32 | n).expect("mapped");
                    let pair = view.load_u64(0x4010).expect("mapped");
                    assert_eq!(pair >> 32, pair & 0xffff_ffff);
                }
            });
        }
    });
    let mut view = memory.view();
    assert_eq!(view.load_u32(0x4000), Ok(0x0101_0101 * ((TIMES - 1) as u32 & 0xff)));
    assert_eq!(view.load_u32(0x4004), Ok(4 * TIMES as u32));
    assert_eq!(view.load_u64(0x4008), Ok((4 * TIMES) << 32 | (4 * TIMES)));
}

proptest! {
    /// A model of plain bytes: a store changes its own bytes or none, a load sees them.
    #[test]
    fn behaves_as_bytes(steps in prop::collection::vec((0u64..100, 0u32..6, any::<u64>()), 1..60)) {
        const BASE: u64 = 0x7ff3;
        let mut memory = Memory::new();
        memory.map("one", BASE, 41, true).expect("fits");
        memory.map("two", BASE + 41, 30, true).expect("fits");
        let mut model = [0u8; 71];
        let mut view = memory.view();
        for (offset, kind, value) in steps {
            let at = BASE - 8 + offset;
            let size = [1, 2, 4, 8, 12, 16][kind as usize];
            let words = [value as u32, (value >> 32) as u32, !value as u32, value as u32 ^ 5];
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).take(size as usize).collect();
            let inside = at >= BASE && at + size <= BASE + 71;
            let done = match kind {
                0 => view.store_u8(at, value as u8),
                1 => view.store_u16(at, value as u16),
                2 => view.store_u32(at, value as u32),
                3 => view.store_u64(at, value),
                _ => view.store_words(at, &words[..size as usize / 4]),
            };
            prop_assert_eq!(done.is_ok(), inside);
            if inside {
                let start = (at - BASE) as usize;
                model[start..start + size as usize].copy_from_slice(&bytes);
                let mut back = [0; 4];
                match kind {
                    0 => prop_assert_eq!(view.load_u8(at), Ok(value as u8)),
                    1 => prop_assert_eq!(view.load_u16(at), Ok(value as u16)),
                    2 => prop_assert_eq!(view.load_u32(at), Ok(value as u32)),
                    3 => prop_assert_eq!(view.load_u64(at), Ok(value)),
                    _ => {
                        let count = size as usize / 4;
                        prop_assert_eq!(view.load_words(at, &mut back[..count]), Ok(()));
                        prop_assert_eq!(&back[..count], &words[..count]);
                    }
                }
            }
        }
        let mut all = memory.find("one").expect("mapped").to_bytes();
        all.extend(memory.find("two").expect("mapped").to_bytes());
        prop_assert_eq!(&all[..], &model[..]);
        for (first, count) in [(0, 71), (1, 2), (3, 7), (2, 64), (37, 9)] {
            let mut some = vec![0; count];
            prop_assert_eq!(memory.read_bytes(BASE + first as u64, &mut some), Ok(()));
            prop_assert_eq!(&some[..], &model[first..first + count]);
        }
    }

    /// No address and size does harm.
    #[test]
    fn any_address(address in any::<u64>(), small in 0u64..0x60) {
        let memory = memory();
        let mut view = memory.view();
        for at in [address, 0x0ff0 + small, address | 0xffff << 48, 0xffff_7fff_ffff_ffd0u64.wrapping_add(small)] {
            let _ = view.load_u8(at);
            let _ = view.load_u64(at);
            let _ = view.load_words(at, &mut [0; 4]);
            let _ = view.store_words(at, &[0; 4]);
            let _ = view.rmw_u32(at, |x| !x);
            let _ = view.rmw_u64(at, |x| !x);
            let _ = memory.read_bytes(at, &mut [0; 9]);
            let _ = memory.write_bytes(at, &[0; 9]);
        }
    }
}

/// Pages that nothing is bound to: they read what lies behind them, and no kind of store changes it.
#[test]
fn stores_can_be_dropped() {
    let words = Words::zeroes(4).expect("fits");
    let mut memory = Memory::new();
    memory.map_words("bound", 0x1000, &words, 0, 16, Stores::Kept).expect("fits");
    memory.map_words("hole", 0x2000, &words, 0, 16, Stores::Dropped).expect("fits");
    memory.map_words("fixed", 0x3000, &words, 4, 8, Stores::Refused).expect("fits");
    let mut view = memory.view();
    view.store_u32(0x1004, 7).expect("fits");
    view.store_u8(0x2004, 1).expect("fits");
    view.store_u16(0x2003, 1).expect("fits");
    view.store_u32(0x2004, 1).expect("fits");
    view.store_u64(0x2000, 1).expect("fits");
    view.store_words(0x2000, &[1, 2, 3]).expect("fits");
    assert_eq!(view.rmw_u32(0x2004, |_| 9), Ok(7));
    assert_eq!(view.rmw_u64(0x2000, |_| 9), Ok(7 << 32));
    memory.write_bytes(0x2000, &[1; 16]).expect("fits");
    let mut all = [0; 4];
    view.load_words(0x1000, &mut all).expect("fits");
    assert_eq!(all, [0, 7, 0, 0]);
    // The same words, wherever they are shown.
    assert_eq!((view.load_u32(0x2004), view.load_u32(0x3000)), (Ok(7), Ok(7)));
    assert_eq!(view.store_u32(0x3000, 1).map_err(|fault| fault.why), Err(Why::ReadOnly));
    let beyond = memory.map_words("beyond", 0x4000, &words, 8, 12, Stores::Kept);
    assert!(matches!(beyond, Err(MapError::TooLarge { left: 8, .. })), "{beyond:?}");
}

/// Against a model of bytes: what lies above is seen, and below it what it leaves free.
#[test]
fn memories_lie_over_each_other() {
    let of = |regions: &[(u64, u64)], byte: u8| {
        let mut memory = Memory::new();
        for (base, len) in regions {
            memory.map_bytes("m", *base, &vec![byte; *len as usize], true).expect("fits");
        }
        memory
    };
    let above = [(0x1003, 5), (0x1020, 8), (0x1040, 3)];
    let below = [(0x1000, 0x24), (0x1026, 4), (0x1030, 0x30)];
    let all = of(&above, 1).over(&of(&below, 2));
    for at in 0x0ff0..0x1070 {
        let inside = |regions: &[(u64, u64)]| regions.iter().any(|(base, len)| (*base..base + len).contains(&at));
        let expected = if inside(&above) { Some(1) } else { inside(&below).then_some(2) };
        assert_eq!(all.view().load_u8(at).ok(), expected, "{at:#x}");
    }
}
