//! Atomics in LDS, buffers, global and flat memory: results in memory, and what returns.

use crate::{BASE, Machine, PROCESSORS, counting, fill, fill64, from, set_m0, target, vgpr};
use wavediff::emu::wave::Wave;
use wavediff::isa::Gen;

/// Name of the operation, memory before, data, memory after: the formulas of SI notes 10 and 12.
const OPERATIONS: &[(&str, u32, u32, u32)] = &[
    ("add", 7, 5, 12),
    ("sub", 7, 9, -2i32 as u32),
    ("smin", -1i32 as u32, 5, -1i32 as u32),
    ("umin", -1i32 as u32, 5, 5),
    ("smax", -1i32 as u32, 5, 5),
    ("umax", -1i32 as u32, 5, -1i32 as u32),
    ("and", 0b1100, 0b1010, 0b1000),
    ("or", 0b1100, 0b1010, 0b1110),
    ("xor", 0b1100, 0b1010, 0b0110),
    ("inc", 5, 5, 0),
    ("inc", 4, 5, 5),
    ("dec", 0, 5, 5),
    ("dec", 9, 5, 5),
    ("dec", 4, 5, 3),
    ("swap", 4, 5, 5),
];

/// The name in the data share.
fn ds_name(op: &str) -> String {
    let class = match op {
        "smin" | "smax" => "i32",
        "and" | "or" | "xor" | "swap" => "b32",
        _ => "u32",
    };
    let stem = match op {
        "smin" | "umin" => "min",
        "smax" | "umax" => "max",
        "swap" => "wrxchg",
        op => op,
    };
    format!("ds_{stem}_rtn_{class}")
}

/// The modifier that asks for the value before.
fn returning(machine: &Machine) -> &'static str {
    match machine.target.generation() {
        Gen::Gfx12 => " th:TH_ATOMIC_RETURN",
        _ => " glc",
    }
}

/// A descriptor of 256 bytes at the buffer in s[4:7].
fn descriptor(wave: &mut Wave) {
    wave.set_pair(4, BASE);
    wave.s[6] = 256;
    wave.s[7] = if wave.env.target.generation() >= Gen::Gfx10 { 0x3101_6fac } else { 0x0002_7fac };
}

fn zero(machine: &Machine) -> &'static str {
    if machine.target.generation() == Gen::Gfx12 { "null" } else { "0" }
}

#[test]
fn operations() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let (glc, zero) = (returning(&machine), zero(&machine));
        for &(op, before, data, after) in OPERATIONS {
            machine.lds.words_mut()[3] = before;
            let text = format!("{} v3, v0, v1 offset:12", ds_name(op));
            let wave = machine.done(&text, |wave| {
                fill(wave, 1, |_| data);
                wave.set_exec(2);
            });
            assert_eq!((wave.vgpr(3, 1), wave.vgpr(3, 0)), (before, 0), "{name} {text}");
            assert_eq!(machine.lds.words()[3], after, "{name} {text}");

            for returns in [true, false] {
                let glc = if returns { glc } else { "" };
                machine.set_word(BASE + 12, before);
                let text = format!("buffer_atomic_{op} v1, off, s[4:7], {zero} offset:12{glc}");
                let wave = machine.done(&text, |wave| {
                    descriptor(wave);
                    fill(wave, 1, |_| data);
                    wave.set_exec(2);
                });
                assert_eq!(wave.vgpr(1, 1), if returns { before } else { data }, "{name} {text}");
                assert_eq!((wave.vgpr(1, 0), machine.word(BASE + 12)), (data, after), "{name} {text}");
            }
            for family in ["flat", "global"] {
                if family == "flat" && name == "gfx600" || family == "global" && machine.target.generation() < Gen::Gfx9
                {
                    continue;
                }
                machine.set_word(BASE + 12, before);
                let off = if family == "flat" { "" } else { ", off" };
                let wave = machine.done(&format!("{family}_atomic_{op} v5, v[2:3], v1{off}{glc}"), |wave| {
                    fill64(wave, 2, |_| BASE + 12);
                    fill(wave, 1, |_| data);
                    wave.set_exec(2);
                });
                assert_eq!((wave.vgpr(5, 1), machine.word(BASE + 12)), (before, after), "{name} {family} {op}");
            }
        }
    }
}

/// MEMORY_FACTS 14: memory and gfx11+ LDS take the new value first, LDS of gfx6-10 the comparison.
#[test]
fn compare_and_swap() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let set = |wave: &mut Wave| {
            descriptor(wave);
            fill(wave, 2, |_| 77);
            fill(wave, 3, |_| counting(1));
            fill64(wave, 4, |_| BASE + 4);
            wave.set_exec(1);
        };
        let text = if machine.target.generation() >= Gen::Gfx11 {
            "ds_cmpstore_rtn_b32 v1, v0, v2, v3 offset:4; ds_cmpstore_rtn_b32 v6, v0, v2, v3 offset:8"
        } else {
            "ds_cmpst_rtn_b32 v1, v0, v3, v2 offset:4; ds_cmpst_rtn_b32 v6, v0, v3, v2 offset:8"
        };
        let wave = machine.done(text, set);
        assert_eq!(machine.lds.words()[1..3], [77, counting(2)], "{name}");
        assert_eq!([1, 6].map(|r| wave.vgpr(r, 0)), [counting(1), counting(2)], "{name}");
        let zero = zero(&machine);
        let text = format!("buffer_atomic_cmpswap v[2:3], off, s[4:7], {zero} offset:4{}", returning(&machine));
        let wave = machine.done(&text, set);
        assert_eq!([2, 3].map(|r| wave.vgpr(r, 0)), [counting(1), counting(1)], "{name}");
        assert_eq!(machine.word(BASE + 4), 77, "{name}");
        if name != "gfx600" {
            machine.set_word(BASE + 4, counting(1));
            let text = format!("flat_atomic_cmpswap v1, v[4:5], v[2:3]{}", returning(&machine));
            let wave = machine.done(&text, set);
            assert_eq!((wave.vgpr(1, 0), machine.word(BASE + 4)), (counting(1), 77), "{name}");
        }
    }
}

#[test]
fn doubles() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let (glc, zero) = (returning(&machine), zero(&machine));
        let set = |wave: &mut Wave| {
            descriptor(wave);
            fill64(wave, 2, |_| 0xffff_ffff);
            fill64(wave, 4, |_| BASE + 8);
            wave.set_exec(1);
        };
        let before = [counting(2), counting(3)];
        let after = [counting(2).wrapping_sub(1), counting(3) + 1];
        let wave = machine.done("ds_add_rtn_u64 v[6:7], v0, v[2:3] offset:8", set);
        assert_eq!([6, 7].map(|r| wave.vgpr(r, 0)), before, "{name}");
        assert_eq!(machine.lds.words()[2..4], after, "{name}");
        let wave = machine.done(&format!("buffer_atomic_add_x2 v[2:3], off, s[4:7], {zero} offset:8{glc}"), set);
        assert_eq!([2, 3].map(|r| wave.vgpr(r, 0)), before, "{name}");
        assert_eq!([8, 12].map(|at| machine.word(BASE + at)), after, "{name}");
        if machine.target.generation() >= Gen::Gfx9 {
            machine.done("global_atomic_sub_x2 v[4:5], v[2:3], off", set);
            assert_eq!([8, 12].map(|at| machine.word(BASE + at)), before, "{name}");
        }
    }
}

/// Lanes go in order.
#[test]
fn one_place() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        machine.lds.words_mut()[0] = 10;
        let wave = machine.done("ds_add_rtn_u32 v1, v0, v2", |wave| fill(wave, 2, |lane| lane));
        let expected: Vec<u32> = (0..machine.lanes).map(|n| 10 + n * n.saturating_sub(1) / 2).collect();
        assert_eq!(vgpr(&wave, 1), expected, "{name}");
    }
}

/// MSKOR (mem & ~d0) | d1; WRAP mem >= d0 ? mem - d0 : mem + d1; RSUB d - mem; both halves of the exchange.
#[test]
fn special() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        machine.lds.words_mut()[..6].copy_from_slice(&[0xff, 10, 3, 4, 100, 200]);
        let set = |wave: &mut Wave| {
            fill(wave, 1, |_| 0xf0);
            fill(wave, 2, |_| 0x5);
            fill64(wave, 4, |_| 0x8000_0007 << 32 | 9);
            wave.set_exec(1);
        };
        machine.done("ds_mskor_b32 v0, v1, v2; ds_rsub_u32 v0, v1 offset:4", set);
        assert_eq!(machine.lds.words()[..2], [0xf, 230], "{name}");
        if !matches!(name, "gfx600" | "gfx1200") {
            let wave =
                machine.done("ds_wrap_rtn_b32 v6, v0, v2, v1 offset:8; ds_wrap_rtn_b32 v6, v0, v2, v1 offset:8", set);
            assert_eq!((wave.vgpr(6, 0), machine.lds.words()[2]), (243, 238), "{name}");
        }
        if matches!(name, "gfx900" | "gfx90a") {
            let wave = machine.done("ds_condxchg32_rtn_b64 v[6:7], v0, v[4:5] offset:16", set);
            assert_eq!([6, 7].map(|r| wave.vgpr(r, 0)), [100, 200], "{name}");
            assert_eq!(machine.lds.words()[4..6], [100, 7], "{name}");
        }
    }
}

/// Exchange at two addresses.
#[test]
fn exchange2() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        let wave = machine.done("ds_wrxchg2_rtn_b32 v[2:3], v0, v1, v4 offset0:2 offset1:7; ds_wrxchg2st64_rtn_b64 v[6:9], v0, v[12:13], v[14:15] offset0:0 offset1:1", |wave| {
            for n in [1, 4, 12, 13, 14, 15] {
                fill(wave, n, |_| n as u32);
            }
            wave.set_exec(1);
        });
        let words = machine.lds.words();
        assert_eq!([2, 3].map(|r| wave.vgpr(r, 0)), [2, 7].map(counting), "{name}");
        assert_eq!([6, 7, 8, 9].map(|r| wave.vgpr(r, 0)), [0, 1, 128, 129].map(counting), "{name}");
        assert_eq!([2, 7, 0, 1, 128, 129].map(|n| words[n]), [1, 4, 12, 13, 14, 15], "{name}");
    }
}

/// SI 12: B = A + 4 * sext15(offset), or the upper bits of the address.
#[test]
fn source2() {
    for name in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx1010"] {
        let mut machine = Machine::new(target(name), 4);
        machine.lds.words_mut()[4..8].copy_from_slice(&[3, 5, 7, 9]);
        machine.done(
            "ds_add_src2_u32 v0 offset:1; ds_write_src2_b32 v1 offset:0x7ffe; ds_sub_src2_u64 v2 offset:0x8000",
            |wave| {
                fill(wave, 0, |_| 16);
                fill(wave, 1, |_| 28);
                // The distance is 2, the address 24: both 64-bit values.
                fill(wave, 2, |_| 2 << 17 | 40);
                wave.set_exec(1);
            },
        );
        let words = machine.lds.words();
        assert_eq!(words[4..8], [8, 5, 7, 5], "{name}");
        let wide = |n: u32| u64::from(counting(n + 1)) << 32 | u64::from(counting(n));
        let difference = wide(10).wrapping_sub(wide(12));
        assert_eq!(words[10..12], [difference as u32, (difference >> 32) as u32], "{name}");
    }
}

/// One operation for the wave; M0 is the address.
#[test]
fn append_and_consume() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 4);
        let wave = machine.done("ds_append v1 offset:4; ds_consume v2 offset:8", |wave| {
            set_m0(wave, 16);
            wave.set_exec(0b10_1101);
        });
        // M0 and the offset, in words.
        let first = 5;
        assert_eq!(vgpr(&wave, 1)[..3], [counting(first), 0, counting(first)], "{name}");
        assert_eq!(vgpr(&wave, 2)[5], counting(first + 1), "{name}");
        let words = &machine.lds.words()[first as usize..];
        assert_eq!(words[..2], [counting(first) + 4, counting(first + 1) - 4], "{name}");
    }
}

/// Float sums round to nearest even; the packed ones are two; float comparison knows two zeros (PITFALLS AT3, AT4).
#[test]
fn floats() {
    let one = 1f32.to_bits();
    for target in from(Gen::Gfx8) {
        let name = target.arch.name;
        let mut machine = Machine::new(target, 64);
        machine.lds.words_mut()[0] = one;
        let wave = machine.done("ds_add_rtn_f32 v1, v0, v2", |wave| {
            fill(wave, 2, |_| 2.5f32.to_bits());
            wave.set_exec(1);
        });
        assert_eq!((wave.vgpr(1, 0), machine.lds.words()[0]), (one, 3.5f32.to_bits()), "{name}");
    }
    for name in ["gfx600", "gfx700", "gfx1030", "gfx1100"] {
        let mut machine = Machine::new(target(name), 64);
        machine.set_word(BASE, 0x8000_0000);
        machine.set_word(BASE + 4, one);
        let text = "buffer_atomic_fcmpswap v[2:3], off, s[4:7], 0 glc; buffer_atomic_fmax v4, off, s[4:7], 0 offset:4";
        let wave = machine.done(text, |wave| {
            descriptor(wave);
            fill(wave, 2, |_| one + 77);
            fill(wave, 4, |_| 2f32.to_bits());
            wave.set_exec(1);
        });
        assert_eq!((wave.vgpr(2, 0), machine.word(BASE)), (0x8000_0000, one + 77), "{name}");
        assert_eq!(machine.word(BASE + 4), 2f32.to_bits(), "{name}");
    }
    let mut machine = Machine::new(target("gfx90a"), 64);
    machine.set_word(BASE, 0x3c00_3c00);
    machine.memory.write_bytes(BASE + 8, &1.5f64.to_le_bytes()).expect("mapped");
    machine.done(
        "global_atomic_pk_add_f16 v[4:5], v2, off; global_atomic_add_f64 v[4:5], v[6:7], off offset:8",
        |wave| {
            fill64(wave, 4, |_| BASE);
            fill(wave, 2, |_| 0x4000_3c00);
            fill64(wave, 6, |_| 2f64.to_bits());
            wave.set_exec(1);
        },
    );
    assert_eq!(machine.word(BASE), 0x4200_4000);
    assert_eq!(machine.bytes(BASE + 8, 8), 3.5f64.to_le_bytes());
}

/// gfx12: only bit 0 of the hint returns (AT1); subtraction with a clamp, or under a condition.
#[test]
fn gfx12() {
    let mut machine = Machine::new(target("gfx1200"), 64);
    let set = |wave: &mut Wave| {
        fill64(wave, 2, |_| BASE);
        fill(wave, 1, |_| 0x0504_0302);
        wave.set_exec(1);
    };
    let wave = machine.done("global_atomic_sub_clamp_u32 v5, v[2:3], v1, off th:TH_ATOMIC_RETURN", set);
    assert_eq!((wave.vgpr(5, 0), machine.word(BASE)), (counting(0), 0));
    let wave = machine.done("global_atomic_cond_sub_u32 v[2:3], v1, off offset:4", set);
    assert_eq!((wave.vgpr(5, 0), machine.word(BASE + 4)), (0, counting(1) - 0x0504_0302));
}

/// Out of range: nothing, and 0. Misaligned or unmapped: a fault.
#[test]
fn out_of_range() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let (glc, zero) = (returning(&machine), zero(&machine));
        let set = |wave: &mut Wave| {
            descriptor(wave);
            fill(wave, 1, |_| 9);
            fill(wave, 2, |_| 9);
            fill64(wave, 4, |lane| BASE + 2 * u64::from(lane));
            wave.set_exec(1);
        };
        let wave = machine.done(
            &format!("buffer_atomic_add_x2 v[1:2], off, s[4:7], {zero} offset:252{glc}").replace("v[1:2]", "v[2:3]"),
            set,
        );
        assert_eq!((wave.vgpr(2, 0), wave.vgpr(3, 0)), (0, 0), "{name}");
        assert_eq!(machine.word(BASE + 252), counting(63), "{name}");
        let wave = machine.done("ds_add_rtn_u32 v3, v0, v1 offset:1024", set);
        assert_eq!(wave.vgpr(3, 0), 0, "{name}");
        if machine.target.generation() >= Gen::Gfx9 {
            let fault = machine.fault("global_atomic_add v[4:5], v1, off", |wave| {
                set(wave);
                wave.set_exec(0b111);
            });
            assert_eq!(fault, (BASE + 2, 1), "{name}");
            // The lane before is done.
            assert_eq!(machine.word(BASE), counting(0) + 9, "{name}");
        }
    }
}
