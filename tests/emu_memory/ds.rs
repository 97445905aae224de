//! The data share.

use crate::{Machine, PROCESSORS, counting, fill, from, set_m0, target, vgpr};
use wavediff::emu::wave::Wave;
use wavediff::isa::Gen;

/// Lane n has address 4n in v0.
fn by_words(wave: &mut Wave) {
    fill(wave, 0, |lane| lane * 4);
}

fn each(machine: &Machine, v: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..machine.lanes).map(v).collect()
}

/// What lies at a byte of fresh LDS or a fresh buffer.
fn at(byte: u32) -> u32 {
    let low = counting(byte / 4) >> (byte % 4 * 8);
    if byte.is_multiple_of(4) { low } else { low | counting(byte / 4 + 1) << (32 - byte % 4 * 8) }
}

#[test]
fn reads() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        let wave = machine.done("ds_read_b32 v1, v0; ds_read_b32 v2, v0 offset:68", by_words);
        assert_eq!(vgpr(&wave, 1), each(&machine, counting), "{name}");
        assert_eq!(vgpr(&wave, 2), each(&machine, |n| counting(n + 17)), "{name}");
        let bytes = |wave: &mut Wave| fill(wave, 0, |lane| lane * 2 + 200);
        let wave = machine.done("ds_read_u8 v1, v0; ds_read_i8 v2, v0; ds_read_u16 v3, v0; ds_read_i16 v4, v0", bytes);
        assert_eq!(vgpr(&wave, 1), each(&machine, |n| at(n * 2 + 200) & 0xff), "{name}");
        assert_eq!(vgpr(&wave, 2), each(&machine, |n| at(n * 2 + 200) as i8 as u32), "{name}");
        assert_eq!(vgpr(&wave, 3), each(&machine, |n| at(n * 2 + 200) & 0xffff), "{name}");
        assert_eq!(vgpr(&wave, 4), each(&machine, |n| at(n * 2 + 200) as i16 as u32), "{name}");
        // The address is overwritten.
        let wave = machine.done("ds_read_b64 v[0:1], v0 offset:8", |wave| fill(wave, 0, |lane| lane * 8));
        assert_eq!(vgpr(&wave, 0), each(&machine, |n| counting(2 * n + 2)), "{name}");
        assert_eq!(vgpr(&wave, 1), each(&machine, |n| counting(2 * n + 3)), "{name}");
    }
    for target in from(Gen::Gfx7) {
        let mut machine = Machine::new(target, 4);
        let set = |wave: &mut Wave| fill(wave, 0, |lane| lane % 16 * 16);
        let wave = machine.done("ds_read_b128 v[2:5], v0; ds_read_b96 v[6:8], v0 offset:16", set);
        for n in 0..4 {
            assert_eq!(vgpr(&wave, 2 + n as usize), each(&machine, |lane| counting(lane % 16 * 4 + n)));
        }
        assert_eq!(vgpr(&wave, 8), each(&machine, |lane| counting(lane % 16 * 4 + 6)));
        assert_eq!(wave.vgpr(9, 0), 0);
    }
}

#[test]
fn writes() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        let text = "ds_write_b32 v0, v1; ds_write_b64 v0, v[2:3] offset:512; ds_write_b8 v0, v1 offset:769; ds_write_b16 v0, v1 offset:770";
        machine.done(text, |wave| {
            fill(wave, 0, |lane| lane * 8);
            fill(wave, 1, |lane| 0xaabb_0000 | lane);
            fill(wave, 2, |lane| 2 * lane);
            fill(wave, 3, |lane| 2 * lane + 1);
            wave.set_exec(0b1011);
        });
        let words = machine.lds.words();
        assert_eq!(
            words[..8],
            [0xaabb_0000, counting(1), 0xaabb_0001, counting(3), counting(4), counting(5), 0xaabb_0003, counting(7)]
        );
        assert_eq!(words[128..136], [0, 1, 2, 3, counting(132), counting(133), 6, 7]);
        assert_eq!(words[192] & 0xffff, counting(192) & 0xff, "{name}");
        assert_eq!(words[194], 0x0001_0100 | counting(194) & 0xff, "{name}");
        assert_eq!(words[196], counting(196), "{name}");
    }
}

/// SI 12: offsets count elements, or 64 of them; equal offsets are one access.
#[test]
fn two_addresses() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        let text = "ds_read2_b32 v[2:3], v0 offset0:1 offset1:3; ds_read2_b64 v[4:7], v0 offset0:2 offset1:1; ds_read2st64_b32 v[8:9], v0 offset0:0 offset1:2";
        let wave = machine.done(text, |wave| fill(wave, 0, |lane| lane * 8));
        let words = |lane: u32| [2, 3, 4, 5, 6, 7, 8, 9].map(|r| wave.vgpr(r, lane as usize));
        for lane in 0..machine.lanes {
            let w = |n: u32| counting(lane * 2 + n);
            assert_eq!(words(lane), [w(1), w(3), w(4), w(5), w(2), w(3), w(0), w(128)], "{name}");
        }
        let text = "ds_write2_b32 v0, v1, v2 offset0:4 offset1:5; ds_write2st64_b64 v0, v[1:2], v[3:4] offset0:0 offset1:1; ds_write2_b32 v0, v1, v2 offset0:9 offset1:9";
        let text =
            if name == "gfx90a" { text.replace("v[1:2]", "v[2:3]").replace("v[3:4]", "v[4:5]") } else { text.into() };
        machine.done(&text, |wave| {
            (1..6).for_each(|n| fill(wave, n, |_| n as u32));
            wave.set_exec(1);
        });
        let words = machine.lds.words();
        let [a, b] = if name == "gfx90a" { [[2, 3], [4, 5]] } else { [[1, 2], [3, 4]] };
        assert_eq!(words[4..6], [1, 2], "{name}");
        assert_eq!((&words[..2], &words[128..130]), (&a[..], &b[..]), "{name}");
        assert_eq!(words[9], 1, "{name}");
    }
}

/// MEMORY_FACTS 14: the limit is LDS, and M0 up to gfx8; loads out of range give 0.
#[test]
fn bounds() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        let wave = machine.done("ds_read_b32 v1, v0; ds_write_b32 v0, v2", |wave| {
            fill(wave, 0, |lane| 1024 - 8 + lane * 4);
            fill(wave, 1, |_| 7);
            fill(wave, 2, |_| 9);
        });
        assert_eq!(vgpr(&wave, 1)[..3], [counting(254), counting(255), 0], "{name}");
        assert_eq!(machine.lds.words()[253..], [counting(253), 9, 9], "{name}");
        let wave = machine.done("ds_read_b32 v1, v0", |wave| {
            by_words(wave);
            set_m0(wave, 16);
        });
        let limited = machine.target.generation() <= Gen::Gfx8;
        assert_eq!(vgpr(&wave, 1)[4], if limited { 0 } else { counting(4) }, "{name}");
        assert_eq!(vgpr(&wave, 1)[3], counting(3), "{name}");
    }
}

#[test]
fn halves() {
    for target in from(Gen::Gfx9) {
        let mut machine = Machine::new(target, 4);
        let text = "ds_read_u8_d16 v1, v0; ds_read_i8_d16 v2, v0; ds_read_u16_d16 v3, v0; ds_read_u8_d16_hi v4, v0; ds_read_i8_d16_hi v5, v0; ds_read_u16_d16_hi v6, v0; ds_write_b16_d16_hi v0, v7; ds_write_b8_d16_hi v0, v7 offset:2";
        machine.lds.words_mut()[10] = 0x1122_3384;
        let wave = machine.done(text, |wave| {
            fill(wave, 0, |_| 40);
            (1..8).for_each(|n| fill(wave, n, |_| 0xaabb_ccdd));
        });
        let expected = [0xaabb_0084, 0xaabb_ff84, 0xaabb_3384, 0x0084_ccdd, 0xff84_ccdd, 0x3384_ccdd];
        assert_eq!([1, 2, 3, 4, 5, 6].map(|r| wave.vgpr(r, 31)), expected);
        assert_eq!(machine.lds.words()[10], 0x11bb_aabb);
    }
}

/// LD6: M0[15:0], the offset and the lane; no register.
#[test]
fn addtid() {
    for target in from(Gen::Gfx9) {
        let mut machine = Machine::new(target, 4);
        let wave = machine.done("ds_read_addtid_b32 v1 offset:8; ds_write_addtid_b32 v2 offset:512", |wave| {
            set_m0(wave, 0xffff_0010);
            fill(wave, 2, |lane| lane);
            wave.set_exec(!1);
        });
        assert_eq!(vgpr(&wave, 1)[..3], [0, counting(7), counting(8)]);
        assert_eq!(machine.lds.words()[132..135], [counting(132), 1, 2]);
    }
}

#[test]
fn swizzle() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        let set = |wave: &mut Wave| {
            fill(wave, 0, |lane| 100 + lane);
            fill(wave, 1, |_| 7);
            wave.set_exec(!0b1000);
        };
        let wave = machine.done("ds_swizzle_b32 v1, v0 offset:swizzle(QUAD_PERM,3,2,1,0)", set);
        assert_eq!(vgpr(&wave, 1)[..8], [0, 102, 101, 7, 107, 106, 105, 104], "{name}");
        let wave = machine.done("ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,16)", set);
        assert_eq!(vgpr(&wave, 1)[15..21], [131, 100, 101, 102, 0, 104], "{name}");
        let wave = machine.done("ds_swizzle_b32 v1, v0 offset:swizzle(BROADCAST,32,5)", set);
        assert_eq!(*vgpr(&wave, 1).last().expect("lanes"), if machine.lanes == 64 { 137 } else { 105 }, "{name}");
    }
    for target in from(Gen::Gfx9) {
        let mut machine = Machine::new(target, 4);
        // RDNA3 pseudocode: rotate by 1, all lanes; FFT with mask 0.
        let wave = machine.done("ds_swizzle_b32 v1, v0 offset:0xc020; ds_swizzle_b32 v2, v0 offset:0xe000", |wave| {
            fill(wave, 0, |lane| lane);
        });
        assert_eq!((vgpr(&wave, 1)[0], vgpr(&wave, 1)[31]), (1, 0));
        assert_eq!(vgpr(&wave, 2)[..4], [0, 16, 8, 24]);
    }
}

/// Backward and forward; gfx10 and gfx11 see halves of 32 lanes; inactive lanes give 0.
#[test]
fn permute() {
    for target in from(Gen::Gfx8) {
        let name = target.arch.name;
        for lanes in [32, 64] {
            if lanes == 32 && target.generation() < Gen::Gfx10 {
                continue;
            }
            let mut machine = Machine { lanes, ..Machine::new(target, 4) };
            let group = if matches!(target.generation(), Gen::Gfx10 | Gen::Gfx11) { 32 } else { lanes };
            let wave = machine.done("ds_bpermute_b32 v2, v0, v1 offset:4; ds_permute_b32 v3, v0, v1", |wave| {
                // From the lane two behind, with the offset three; to the lane two behind.
                fill(wave, 0, |lane| (lane + 2) * 4 + 0x1000);
                fill(wave, 1, |lane| 100 + lane);
                fill(wave, 3, |_| 7);
                wave.set_exec(!1);
            });
            let (back, forth) = (vgpr(&wave, 2), vgpr(&wave, 3));
            let ring = |lane: u32, by: u32| lane / group * group + (lane + by) % group;
            for lane in 1..lanes {
                let from = ring(lane, 3);
                assert_eq!(back[lane as usize], if from == 0 { 0 } else { 100 + from }, "{name} {lane}");
                let from = ring(lane, group - 2);
                assert_eq!(forth[lane as usize], if from == 0 { 0 } else { 100 + from }, "{name} {lane}");
            }
            assert_eq!((back[0], forth[0]), (0, 7), "{name}");
        }
    }
}

/// gfx12 can read inactive lanes.
#[test]
fn permute_with_inactive_lanes() {
    let mut machine = Machine::new(target("gfx1200"), 4);
    let wave = machine.done("ds_bpermute_fi_b32 v2, v0, v1", |wave| {
        fill(wave, 1, |lane| 100 + lane);
        wave.set_exec(0b10);
    });
    assert_eq!(vgpr(&wave, 2)[..3], [0, 100, 0]);
}

/// SI notes 9: type in M0[18:16], address in M0[15:0].
#[test]
fn lds_direct() {
    let mut machine = Machine::new(target("gfx600"), 4);
    machine.lds.words_mut()[3] = 0x8182_8384;
    for (m0, expected) in
        [(0x0000c, 0x84), (0x1000c, 0x8384), (0x2000c, 0x8182_8384), (0x4000c, 0xffff_ff84), (0x5000c, 0xffff_8384)]
    {
        let wave = machine.done("v_mov_b32 v1, src_lds_direct", |wave| set_m0(wave, m0));
        assert_eq!(vgpr(&wave, 1), each(&machine, |_| expected), "{m0:x}");
    }
}
