//! Flat, global and scratch memory.

use crate::{BASE, Machine, bench, counting, fill, fill64, from, set_m0, target, vgpr};
use wavediff::emu::wave::Wave;
use wavediff::isa::{Gen, Target, Variants};
use wavediff::launch::Apertures;

/// The data at v[2:3] as the address of word n in lane n.
fn by_words(wave: &mut Wave) {
    fill64(wave, 2, |lane| BASE + u64::from(lane) * 4);
}

#[test]
fn global() {
    for target in from(Gen::Gfx9) {
        let name = target.arch.name;
        let mut machine = Machine::new(target, 256);
        let set = |wave: &mut Wave| {
            by_words(wave);
            wave.set_pair(8, BASE + 64);
            fill(wave, 4, |lane| lane * 4);
            fill(wave, 20, |lane| 1000 + lane);
        };
        let text = "global_load_dword v5, v[2:3], off; global_load_dword v6, v[2:3], off offset:64; global_load_dword v7, v4, s[8:9] offset:-64; global_load_dwordx3 v[8:10], v[2:3], off offset:4; global_load_dwordx4 v[12:15], v4, s[8:9]; global_load_dwordx2 v[2:3], v[2:3], off";
        let wave = machine.done(text, set);
        for lane in 0..machine.lanes {
            let w = |n: u32| counting(lane + n);
            let got = [5, 6, 7, 8, 9, 10, 12, 15, 2, 3].map(|r| wave.vgpr(r, lane as usize));
            assert_eq!(got, [w(0), w(16), w(0), w(1), w(2), w(3), w(16), w(19), w(0), w(1)], "{name} {lane}");
        }
        machine.done(
            "global_store_dword v[2:3], v20, off offset:8; global_store_dwordx2 v4, v[20:21], s[8:9] offset:64",
            |wave| {
                set(wave);
                wave.set_exec(0b1001);
            },
        );
        assert_eq!([2, 3, 5, 6].map(|n| machine.word(BASE + n * 4)), [1000, counting(3), 1003, counting(6)], "{name}");
        assert_eq!([32, 33, 34, 35].map(|n| machine.word(BASE + n * 4)), [1000, 0, counting(34), 1003], "{name}");
    }
}

#[test]
fn narrow() {
    for target in from(Gen::Gfx9) {
        let mut machine = Machine::new(target, 64);
        machine.set_word(BASE + 8, 0x8182_8384);
        let text = "global_load_ubyte v5, v[2:3], off offset:1; global_load_sbyte v6, v[2:3], off offset:1; global_load_ushort v7, v[2:3], off offset:1; global_load_sshort v8, v[2:3], off; global_load_short_d16 v9, v[2:3], off; global_load_ubyte_d16_hi v10, v[2:3], off; global_store_byte v[2:3], v11, off offset:4; global_store_short_d16_hi v[2:3], v11, off offset:6";
        let wave = machine.done(text, |wave| {
            fill64(wave, 2, |_| BASE + 8);
            (9..12).for_each(|n| fill(wave, n, |_| 0xaabb_ccdd));
            wave.set_exec(1);
        });
        let expected = [0x83, 0xffff_ff83, 0x8283, 0xffff_8384, 0xaabb_8384, 0x0084_ccdd];
        assert_eq!([5, 6, 7, 8, 9, 10].map(|r| wave.vgpr(r, 0)), expected);
        assert_eq!(machine.word(BASE + 12), 0xaabb_0ddd);
    }
}

/// PITFALLS FL2: the upper bit of the offset of a flat instruction is ignored on gfx10, where it is a sign for the others.
#[test]
fn flat_offsets_of_gfx10_have_eleven_bits() {
    let mut machine = Machine::new(target("gfx1030"), 1024);
    let mut words = bench::words(machine.target, "flat_load_dword v5, v[2:3] offset:8").expect("a line");
    words[0] |= 1 << 11;
    let wave = machine.run_words(&words, by_words);
    assert_eq!(vgpr(&wave, 5)[..3], [counting(2), counting(3), counting(4)]);
}

#[test]
fn addtid_and_blocks() {
    for target in from(Gen::Gfx10) {
        let mut machine = Machine::new(target, 64);
        let wave = machine.done(
            "global_load_dword_addtid v5, s[8:9] offset:4; global_store_dword_addtid v6, s[8:9] offset:128",
            |wave| {
                wave.set_pair(8, BASE);
                fill(wave, 6, |lane| lane);
            },
        );
        assert_eq!(vgpr(&wave, 5)[31], counting(32));
        assert_eq!(machine.word(BASE + 128 + 5 * 4), 5);
    }
    // FL10: M0 bit i gates dword i, which keeps its place.
    let mut machine = Machine::new(target("gfx1200"), 128);
    let wave = machine.done(
        "global_load_block v[8:39], v[2:3], off; global_store_block v[2:3], v[40:71], off offset:256",
        |wave| {
            by_words(wave);
            set_m0(wave, 0x8000_0005);
            (8..72).for_each(|n| fill(wave, n, |_| n as u32));
            wave.set_exec(1);
        },
    );
    assert_eq!([8, 9, 10, 38, 39].map(|r| wave.vgpr(r, 0)), [counting(0), 9, counting(2), 38, counting(31)]);
    assert_eq!([64, 65, 66, 95].map(|n| machine.word(BASE + n * 4)), [40, counting(65), 42, 71]);
}

#[test]
fn to_lds() {
    for (name, text) in [
        ("gfx1030", "global_load_dword v[2:3], off offset:8 lds"),
        ("gfx942", "global_load_lds_dword v[2:3], off offset:8"),
    ] {
        let mut machine = Machine::new(target(name), 256);
        machine.done(text, |wave| {
            by_words(wave);
            set_m0(wave, 0x20);
            wave.set_exec(0b101);
        });
        // The offset counts on both sides.
        assert_eq!(machine.lds.words()[10..13], [counting(2), counting(11), counting(4)], "{name}");
    }
}

/// The upper half of the address decides, before the offset is added (FL1).
#[test]
fn flat() {
    let apertures = Apertures::default();
    for target in from(Gen::Gfx7) {
        let name = target.arch.name;
        let g = target.generation();
        let mut machine = Machine::new(target, 256);
        machine.memory.map("scratch", 0x7000, 0x4000, true).expect("a region");
        let lanes = machine.lanes;
        for (n, lane) in [0u32, 1, 2].into_iter().enumerate() {
            machine.set_word(0x7000 + u64::from(8 * lanes + lane * 4), 700 + n as u32);
        }
        let set = |wave: &mut Wave| {
            fill64(wave, 2, |lane| match lane % 3 {
                0 => BASE + 8,
                1 => apertures.shared + 8,
                _ => apertures.private + 8,
            });
            scratch_at(wave, 0x7000);
            fill(wave, 6, |lane| 40 + lane);
            wave.set_exec(0b111);
        };
        let wave = machine.done("flat_load_dword v5, v[2:3]", set);
        assert_eq!(vgpr(&wave, 5)[..3], [counting(2), counting(2), 702], "{name}");
        machine.done("flat_store_dword v[2:3], v6; flat_atomic_add v[2:3], v6", set);
        let place = 0x7000 + u64::from(8 * lanes + 8);
        let words = [machine.word(BASE + 8), machine.lds.words()[2], machine.word(place)];
        assert_eq!(words, [80, 82, 84], "{name}");
        if g >= Gen::Gfx9 {
            let wave = machine.done("flat_load_dword v5, v[2:3] offset:4", set);
            assert_eq!(vgpr(&wave, 5)[..2], [counting(3), counting(3)], "{name}");
        }
        // LDS out of range loads 0; nothing at 0 is a fault.
        let wave = machine.done("flat_load_dword v5, v[2:3]", |wave| {
            fill64(wave, 2, |_| apertures.shared + 2000);
            fill(wave, 5, |_| 7);
        });
        assert_eq!(vgpr(&wave, 5)[0], 0, "{name}");
        assert_eq!(machine.fault("flat_load_dword v5, v[2:3]", |_| {}), (0, 0), "{name}");
    }
}

/// Where scratch begins: FLAT_SCRATCH in scalar registers up to gfx9.
fn scratch_at(wave: &mut Wave, at: u64) {
    match wave.env.target {
        t if t.generation() == Gen::Gfx7 => (wave.scratch, wave.s[105]) = (at - 0x3000, 0x30),
        t if t.generation() == Gen::Gfx8 => (wave.scratch, wave.s[103]) = (at - 0x3000, 0x30),
        t if t.generation() == Gen::Gfx9 && !t.is(Variants::G940) => wave.set_pair(102, at),
        _ => wave.scratch = at,
    }
}

/// MEMORY_FACTS 13: base + (p & ~3) * lanes + lane * 4 + (p & 3).
fn place(machine: &Machine, lane: u32, p: u32) -> u64 {
    0x7000 + u64::from((p & !3) * machine.lanes + lane * 4 + (p & 3))
}

fn scratch(target: Target, lanes: u32) -> Machine {
    let mut machine = Machine { lanes, ..Machine::new(target, 4) };
    let bytes: Vec<u8> = (0..0x1000).flat_map(|n| counting(n).to_le_bytes()).collect();
    machine.memory.map_bytes("scratch", 0x7000, &bytes, true).expect("a region");
    machine
}

#[test]
fn private() {
    for (name, lanes) in
        [("gfx900", 64), ("gfx942", 64), ("gfx1030", 32), ("gfx1030", 64), ("gfx1100", 64), ("gfx1200", 32)]
    {
        let target = target(name);
        let mut machine = scratch(target, lanes);
        let set = |wave: &mut Wave| {
            scratch_at(wave, 0x7000);
            fill(wave, 4, |lane| 8 + lane % 4);
            wave.s[8] = 16;
        };
        let wave = machine.done("scratch_load_dwordx2 v[6:7], v4, off offset:4; scratch_load_dword v8, off, s8; scratch_load_ubyte v9, v4, off", set);
        for lane in 0..lanes {
            let byte = |p: u32| machine.bytes(place(&machine, lane, p), 1)[0];
            let word = |p: u32| u32::from_le_bytes([0, 1, 2, 3].map(|n| byte(p + n)));
            let p = 8 + lane % 4;
            let got = [6, 7, 8, 9].map(|r| wave.vgpr(r, lane as usize));
            assert_eq!(got, [word(p + 4), word(p + 8), word(16), byte(p).into()], "{name} {lane}");
        }
        machine.done("scratch_store_dword v4, v6, off; scratch_store_short off, v6, s8 offset:3", |wave| {
            set(wave);
            fill(wave, 6, |lane| 0x8182_8300 | lane);
        });
        for lane in 0..lanes {
            let bytes = [0, 1, 2, 3].map(|n| machine.bytes(place(&machine, lane, 8 + lane % 4 + n), 1)[0]);
            assert_eq!(bytes, [lane as u8, 0x83, 0x82, 0x81], "{name} {lane}");
            let bytes = [19, 20].map(|p| machine.bytes(place(&machine, lane, p), 1)[0]);
            assert_eq!(bytes, [lane as u8, 0x83], "{name} {lane}");
        }
        // Neither or both registers.
        if name != "gfx900" {
            let wave = machine.done("scratch_load_dword v6, off, off offset:32", set);
            assert_eq!(wave.vgpr(6, 3), machine.word(place(&machine, 3, 32)), "{name}");
        }
        if !matches!(name, "gfx900" | "gfx1030") {
            let wave = machine.done("scratch_load_dword v6, v4, s8 offset:12", set);
            assert_eq!(wave.vgpr(6, 4), machine.word(place(&machine, 4, 36)), "{name}");
        }
    }
    let mut machine = scratch(target("gfx942"), 64);
    machine.done("scratch_load_lds_dword off, s8", |wave| {
        scratch_at(wave, 0x7000);
        set_m0(wave, 0);
        wave.set_exec(8);
    });
    assert_eq!(machine.lds.words()[3], machine.word(place(&machine, 3, 0)));
}

/// The status word behind the data (gfx7, gfx8).
#[test]
fn status_word() {
    for name in ["gfx700", "gfx803"] {
        let wave = Machine::new(target(name), 256).done("flat_load_dword v[5:6], v[2:3] tfe", |wave| {
            by_words(wave);
            fill(wave, 6, |_| 7);
        });
        assert_eq!((wave.vgpr(5, 9), wave.vgpr(6, 9)), (counting(9), 0), "{name}");
    }
}

/// A fault names the first lane; lanes before it are done, and the program counter stays.
#[test]
fn faults() {
    for target in from(Gen::Gfx9) {
        let name = target.arch.name;
        let mut machine = Machine::new(target, 8);
        assert_eq!(machine.fault("global_store_dword v[2:3], v6, off", by_words), (BASE + 32, 8), "{name}");
        assert_eq!(machine.word(BASE + 28), 0, "{name}");
        let mut machine = Machine::new(target, 8);
        let wave = machine.run("s_nop 0; global_load_dword v2, v[2:3], off", by_words);
        assert_eq!((wave.pc, wave.vgpr(2, 1), wave.vgpr(2, 8)), (1, counting(1), BASE as u32 + 32), "{name}");
        // The aperture of LDS is nothing for global memory; 64 bits are not atomic in scratch memory.
        let shared = Apertures::default().shared;
        machine.fault("global_load_dword v6, v[2:3], off", |wave| fill64(wave, 2, |_| shared));
        machine.fault("flat_atomic_add_x2 v[2:3], v[6:7]", |wave| fill64(wave, 2, |_| Apertures::default().private));
        machine.done("global_load_dword v6, v[2:3], off", |wave| wave.set_exec(0));
    }
}
