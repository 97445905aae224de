//! Scalar memory.

use crate::{BASE, Machine, PROCESSORS, counting, from, set_m0, target};
use wavediff::emu::wave::Wave;
use wavediff::isa::Gen;

fn base(at: u64) -> impl Fn(&mut Wave) {
    move |wave| wave.set_pair(2, at)
}

/// A descriptor in s[4:7].
fn buffer(wave: &mut Wave, stride: u32, records: u32) {
    wave.set_pair(4, BASE | u64::from(stride) << 48);
    wave.s[6] = records;
    wave.s[7] = 0x0002_7fac;
}

fn sgprs(wave: &Wave, first: usize, count: usize) -> &[u32] {
    &wave.s[first..first + count]
}

#[test]
fn sizes() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        for (suffix, count, registers) in
            [("", 1, "s8"), ("x2", 2, "s[8:9]"), ("x4", 4, "s[8:11]"), ("x8", 8, "s[8:15]"), ("x16", 16, "s[8:23]")]
        {
            let expected: Vec<u32> = (4..4 + count).map(counting).collect();
            let wave = machine.done(&format!("s_load_dword{suffix} {registers}, s[2:3], 0x0"), base(BASE + 16));
            assert_eq!(sgprs(&wave, 8, count as usize), expected, "{name}");
            // EXEC does not matter.
            let wave = machine.done(&format!("s_buffer_load_dword{suffix} {registers}, s[4:7], 0x0"), |wave| {
                buffer(wave, 0, 256);
                wave.set_exec(0);
            });
            assert_eq!(wave.s[8 + count as usize - 1], counting(count - 1), "{name}");
        }
    }
}

/// The base is among the registers loaded.
#[test]
fn base_is_read_first() {
    for name in PROCESSORS {
        let wave = Machine::new(target(name), 8).done("s_load_dwordx4 s[0:3], s[2:3], 0x0", base(BASE));
        assert_eq!(sgprs(&wave, 0, 4), [0, 1, 2, 3].map(counting), "{name}");
    }
}

/// SI 10: OFFSET counts words, SGPRs hold bytes, the sum loses its low bits; gfx7 takes a literal word.
#[test]
fn offsets_of_smrd() {
    for name in ["gfx600", "gfx700"] {
        let mut machine = Machine::new(target(name), 64);
        let load = |machine: &mut Machine, offset: &str, at: u64| {
            machine.done(&format!("s_load_dword s8, s[2:3], {offset}"), |wave| {
                wave.set_pair(2, at);
                wave.s[20] = 11;
                set_m0(wave, 12);
            })
        };
        assert_eq!(load(&mut machine, "0x5", BASE).s[8], counting(5), "{name}");
        assert_eq!(load(&mut machine, "s20", BASE + 1).s[8], counting(3), "{name}");
        assert_eq!(load(&mut machine, "m0", BASE).s[8], counting(3), "{name}");
    }
    let mut machine = Machine::new(target("gfx700"), 0x200);
    // LLVM: a literal counts words as well.
    assert_eq!(machine.done("s_load_dword s8, s[2:3], 0x123", base(BASE)).s[8], counting(0x123));
}

/// From gfx8 all offsets are bytes, and each part loses its low bits (PITFALLS SM1).
#[test]
fn offsets_of_smem() {
    for target in from(Gen::Gfx8) {
        let name = target.arch.name;
        let mut machine = Machine::new(target, 64);
        let set = |wave: &mut Wave| {
            wave.set_pair(2, BASE + 32 + 3);
            wave.s[20] = 8 + 3;
        };
        assert_eq!(machine.done("s_load_dword s8, s[2:3], 0x17", set).s[8], counting(8 + 5), "{name}");
        let register = if target.generation() == Gen::Gfx12 { "s20 offset:0x0" } else { "s20" };
        assert_eq!(machine.done(&format!("s_load_dword s8, s[2:3], {register}"), set).s[8], counting(8 + 2), "{name}");
        if target.generation() >= Gen::Gfx9 {
            let wave = machine.done("s_load_dword s8, s[2:3], -0xc", set);
            assert_eq!(wave.s[8], counting(8 - 3), "{name}");
            let wave = machine.done("s_load_dword s8, s[2:3], s20 offset:0x10", set);
            assert_eq!(wave.s[8], counting(8 + 2 + 4), "{name}");
        }
    }
}

/// gfx12 masks by size.
#[test]
fn narrow_loads() {
    let mut machine = Machine::new(target("gfx1200"), 64);
    machine.memory.write_bytes(BASE + 33, &[0x83, 0x84, 0x85]).expect("mapped");
    let mut load = |text: &str| machine.done(&format!("s_load_{text}, 0x1"), base(BASE + 32)).s[8];
    assert_eq!(load("u8 s8, s[2:3]"), 0x83);
    assert_eq!(load("i8 s8, s[2:3]"), 0xffff_ff83);
    assert_eq!(load("u16 s8, s[2:3]"), 0x8320);
    assert_eq!(load("i16 s8, s[2:3]"), 0xffff_8320);
    let wave = machine.done("s_load_b96 s[8:10], s[2:3], 0x4", base(BASE));
    assert_eq!(sgprs(&wave, 8, 4), [counting(1), counting(2), counting(3), 0]);
    let wave = machine.done("s_buffer_load_u8 s8, s[4:7], 0x21; s_buffer_load_i16 s9, s[4:7], 0xff0", |wave| {
        buffer(wave, 0, 64);
        wave.s[9] = 7;
    });
    assert_eq!(sgprs(&wave, 8, 2), [0x83, 0]);
}

/// Range: dword by dword, `stride == 0 ? NR : stride * NR` bytes (SM2); an address is never strided.
#[test]
fn buffer_bounds() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        for (stride, records, limit) in [(0, 40, 10), (8, 5, 10), (0, 38, 10), (0, 0, 0)] {
            let wave =
                machine.done("s_buffer_load_dwordx16 s[8:23], s[4:7], 0x0", |wave| buffer(wave, stride, records));
            let expected: Vec<u32> = (0..16).map(|n| if n < limit { counting(n) } else { 0 }).collect();
            assert_eq!(sgprs(&wave, 8, 16), expected, "{name} {stride} {records}");
        }
    }
}

#[test]
fn stores() {
    for name in ["gfx803", "gfx900", "gfx1010"] {
        let mut machine = Machine::new(target(name), 64);
        let text = "s_store_dwordx2 s[8:9], s[2:3], 0x8; s_buffer_store_dwordx4 s[8:11], s[4:7], m0";
        machine.done(text, |wave| {
            wave.set_pair(2, BASE);
            buffer(wave, 0, 36);
            (8..12).for_each(|n| wave.s[n] = 100 + n as u32);
            set_m0(wave, 28);
        });
        let words: Vec<u32> = (2..12).map(|n| machine.word(BASE + n * 4)).collect();
        let kept = [4, 5, 6].map(counting);
        assert_eq!(words[..2], [108, 109], "{name}");
        assert_eq!(words[2..5], kept, "{name}");
        // Two words are in range.
        assert_eq!(words[5..], [108, 109, counting(9), counting(10), counting(11)], "{name}");
    }
}

#[test]
fn atomics() {
    for name in ["gfx900", "gfx1010"] {
        let mut machine = Machine::new(target(name), 64);
        let set = |wave: &mut Wave| {
            wave.set_pair(2, BASE);
            buffer(wave, 0, 64);
            (wave.s[8], wave.s[9]) = (5, counting(1));
            (wave.s[10], wave.s[11]) = (9, 9);
        };
        let wave = machine.done("s_atomic_add s8, s[2:3], 0x0", set);
        assert_eq!((wave.s[8], machine.word(BASE)), (5, counting(0) + 5), "{name}");
        let wave = machine.done("s_atomic_cmpswap s[8:9], s[2:3], 0x4 glc", set);
        assert_eq!((wave.s[8], wave.s[9], machine.word(BASE + 4)), (counting(1), counting(1), 5), "{name}");
        let wave = machine.done("s_buffer_atomic_sub_x2 s[8:9], s[4:7], 0x10 glc", set);
        assert_eq!(sgprs(&wave, 8, 2), [counting(4), counting(5)], "{name}");
        assert_eq!(machine.word(BASE + 16), counting(4) - 5, "{name}");
        // Out of range nothing happens, and 0 returns.
        let wave = machine.done("s_buffer_atomic_sub_x2 s[8:9], s[4:7], 0x3c glc", set);
        assert_eq!((sgprs(&wave, 8, 2), machine.word(BASE + 60)), (&[0, 0][..], counting(15)), "{name}");
    }
}

/// Vega manual: the register counts 64 bytes.
#[test]
fn scratch() {
    let mut machine = Machine::new(target("gfx900"), 128);
    let wave = machine.done("s_scratch_load_dword s8, s[2:3], s20 offset:0x4", |wave| {
        wave.set_pair(2, BASE);
        wave.s[20] = 4;
    });
    assert_eq!(wave.s[8], counting(65));
}

#[test]
fn clocks_and_caches() {
    let wave = Machine::new(target("gfx1030"), 8).done(
        "s_memtime s[8:9]; s_memrealtime s[10:11]; s_dcache_inv; s_gl1_inv",
        |wave| {
            wave.steps = 0;
            wave.s[9] = 7;
        },
    );
    assert_eq!(wave.s[9], 0);
    let wave =
        Machine::new(target("gfx1010"), 8).done("s_get_waveid_in_workgroup s8; s_dcache_wb", |wave| wave.index = 3);
    assert_eq!(wave.s[8], 3);
    Machine::new(target("gfx1200"), 8)
        .done("s_prefetch_data s[2:3], 0x10, s4, 5; s_prefetch_inst_pc_rel 0x0, null, 1", |_| {});
}

#[test]
fn faults() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        assert_eq!(machine.fault("s_load_dwordx4 s[8:11], s[2:3], 0x0", base(BASE + 4)), (BASE + 4, 0), "{name}");
        assert_eq!(machine.fault("s_load_dword s8, s[2:3], 0x0", base(0xff00 << 48)).1, 0, "{name}");
    }
}
