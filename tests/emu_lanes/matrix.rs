//! Matrix products of gfx11 and gfx12: the layouts of ALU_FACTS 16, written down again here, with small integers, which are exact in every format;
//! and what is special about the sums of gfx11 (ALU_FACTS 12).

use super::machine::{Machine, machines};
use half::{bf16, f16};
use wavediff::emu::wave::Wave;

/// What elements are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    F32,
    F16,
    Bf16,
    I32,
    I8,
    I4,
    Fp8,
    Bf8,
}
use Kind::*;

impl Kind {
    fn bits(self) -> usize {
        match self {
            F32 | I32 => 32,
            F16 | Bf16 => 16,
            I8 | Fp8 | Bf8 => 8,
            I4 => 4,
        }
    }

    fn encode(self, v: i32) -> u32 {
        let tiny = |one: u32, two: u32| [two | 0x80, one | 0x80, 0, one, two][(v + 2) as usize];
        match self {
            F32 => (v as f32).to_bits(),
            F16 => u32::from(f16::from_f32(v as f32).to_bits()),
            Bf16 => u32::from(bf16::from_f32(v as f32).to_bits()),
            I32 => v as u32,
            I8 => v as u32 & 0xff,
            I4 => v as u32 & 0xf,
            Fp8 => tiny(0x38, 0x40),
            Bf8 => tiny(0x3c, 0x40),
        }
    }
}

/// Row, result, A, B, columns of A.
const GFX11: &[(&str, Kind, Kind, Kind, usize)] = &[
    ("v_wmma_f32_16x16x16_f16", F32, F16, F16, 16),
    ("v_wmma_f32_16x16x16_bf16", F32, Bf16, Bf16, 16),
    ("v_wmma_f16_16x16x16_f16", F16, F16, F16, 16),
    ("v_wmma_bf16_16x16x16_bf16", Bf16, Bf16, Bf16, 16),
    ("v_wmma_i32_16x16x16_iu8", I32, I8, I8, 16),
    ("v_wmma_i32_16x16x16_iu4", I32, I4, I4, 16),
];

/// The rows of gfx12 alone.
const GFX12: &[(&str, Kind, Kind, Kind, usize)] = &[
    ("v_wmma_i32_16x16x32_iu4", I32, I4, I4, 32),
    ("v_wmma_f32_16x16x16_fp8_fp8", F32, Fp8, Fp8, 16),
    ("v_wmma_f32_16x16x16_fp8_bf8", F32, Fp8, Bf8, 16),
    ("v_wmma_f32_16x16x16_bf8_fp8", F32, Bf8, Fp8, 16),
    ("v_wmma_f32_16x16x16_bf8_bf8", F32, Bf8, Bf8, 16),
];

/// The first registers of A, B, C and D.
const A: usize = 16;
const B: usize = 32;
const C: usize = 48;
const D: usize = 64;

fn put(wave: &Wave, register: usize, lane: usize, shift: usize, bits: usize, v: u32) {
    let mask = (u64::from(u32::MAX) >> (32 - bits) << shift) as u32;
    wave.set_vgpr(register, lane, wave.vgpr(register, lane) & !mask | v << shift & mask);
}

/// Puts element `k` of row or column `index` where the program of a machine must put it.
fn put_source(
    wave: &Wave,
    gfx12: bool,
    (first, kind, depth): (usize, Kind, usize),
    (index, k): (usize, usize),
    v: i32,
) {
    let bits = kind.bits();
    let wide = wave.lanes == 64;
    let put_element = |group: usize, element: usize| {
        put(wave, first + element * bits / 32, 16 * group + index, element * bits % 32, bits, kind.encode(v));
    };
    match (gfx12, wide) {
        // Copies in all groups.
        (false, _) => (0..wave.lanes as usize / 16).for_each(|group| put_element(group, k)),
        // Blocks of K, as programs see it.
        (true, false) => put_element(k / (depth / 2), k % (depth / 2)),
        (true, true) => match (bits, depth) {
            (16, _) => put_element((k >> 2 & 1) + 2 * (k >> 3 & 1), k & 3),
            (8, _) => put_element((k >> 3) + 2 * (k >> 2 & 1), k & 3),
            (_, 16) => put_element(k >> 3, k & 7),
            _ => put_element((k >> 4) + 2 * (k >> 3 & 1), k & 7),
        },
    }
}

/// Register, lane and shift of an element of C or D.
fn result(machine: Machine, kind: Kind, i: usize, j: usize) -> (usize, usize, usize) {
    let packed = kind.bits() == 16;
    match (machine.name, machine.lanes) {
        ("gfx1100", 32) => (i / 2, 16 * (i % 2) + j, 0),
        ("gfx1100", _) => (i / 4, 16 * (i % 4) + j, 0),
        (_, 32) if packed => (i % 8 / 2, 16 * (i / 8) + j, 16 * (i % 2)),
        (_, 32) => (i % 8, 16 * (i / 8) + j, 0),
        (..) if packed => (i % 4 / 2, j + 16 * (i >> 3) + 32 * (i >> 2 & 1), 16 * (i % 2)),
        (..) => (i % 4, j + 16 * (i >> 3) + 32 * (i >> 2 & 1), 0),
    }
}

/// The elements of three matrices.
#[derive(Clone, Copy)]
struct Elements {
    a: fn(usize, usize) -> i32,
    b: fn(usize, usize) -> i32,
    c: fn(usize, usize) -> i32,
}

/// Elements of both signs.
const MIXED: Elements = Elements {
    a: |i, k| (i * 7 + k * 3) as i32 % 5 - 2,
    b: |k, j| (k * 5 + j * 11 + 1) as i32 % 5 - 2,
    c: |i, j| i as i32 - 2 * j as i32,
};

/// Elements above zero: gfx11 adds terms of one sign alone without a trace of how they are aligned.
const POSITIVE: Elements = Elements {
    a: |i, k| (i * 7 + k * 3) as i32 % 5 % 2 + 1,
    b: |k, j| (k * 5 + j * 11 + 1) as i32 % 5 % 2 + 1,
    c: |i, j| 1 + i as i32 + 2 * j as i32,
};

impl Elements {
    fn sum(&self, depth: usize, i: usize, j: usize) -> i32 {
        (0..depth).map(|k| (self.a)(i, k) * (self.b)(k, j)).sum()
    }
}

/// A line with its operands.
fn line(
    machine: Machine,
    (name, to, from, from_b, depth): (&str, Kind, Kind, Kind, usize),
    c: &str,
    more: &str,
) -> String {
    let lanes = machine.lanes as usize;
    let share = if machine.name == "gfx1100" { 1 } else { lanes / 16 };
    let count = |bits: usize| (16 * depth * bits / 32 / 16 / share).max(1);
    let results = match (to.bits(), machine.name) {
        (16, "gfx1200") => 128 / lanes,
        _ => 256 / lanes,
    };
    let range = |first: usize, count: usize| match count {
        1 => format!("v{first}"),
        n => format!("v[{first}:{}]", first + n - 1),
    };
    let c = if c.is_empty() { range(C, results) } else { c.to_owned() };
    let (x, y) = (range(A, count(from.bits())), range(B, count(from_b.bits())));
    format!("{name} {}, {x}, {y}, {c}{more}", range(D, results))
}

fn fill(
    machine: Machine,
    wave: &Wave,
    (_, to, from, from_b, depth): (&str, Kind, Kind, Kind, usize),
    elements: Elements,
) {
    let Elements { a, b, c } = elements;
    let gfx12 = machine.name == "gfx1200";
    for i in 0..16 {
        for k in 0..depth {
            put_source(wave, gfx12, (A, from, depth), (i, k), a(i, k));
            put_source(wave, gfx12, (B, from_b, depth), (i, k), b(k, i));
        }
        for j in 0..16 {
            let (register, lane, shift) = result(machine, to, i, j);
            put(wave, C + register, lane, shift, to.bits(), to.encode(c(i, j)));
        }
    }
}

/// The element of D.
fn got(machine: Machine, wave: &Wave, kind: Kind, i: usize, j: usize) -> u32 {
    let (register, lane, shift) = result(machine, kind, i, j);
    wave.vgpr(D + register, lane) >> shift & u32::MAX >> (32 - kind.bits())
}

fn rows(machine: Machine) -> impl Iterator<Item = (&'static str, Kind, Kind, Kind, usize)> {
    GFX11.iter().chain(if machine.name == "gfx1200" { GFX12 } else { &[] }).copied()
}

#[test]
fn products_of_integers_are_exact_in_every_format() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        for row in rows(machine) {
            let (to, depth) = (row.1, row.4);
            let elements = if to != I32 && machine.name == "gfx1100" { POSITIVE } else { MIXED };
            let signed = if to == I32 { " neg_lo:[1,1,0]" } else { "" };
            // A constant stands for all of C; clamp is of integers alone.
            let cases: &[(&str, Option<i32>, &str)] = match to {
                I32 => &[("", None, ""), ("2", Some(2), ""), ("", None, " clamp")],
                _ => &[("", None, ""), ("1.0", Some(1), "")],
            };
            for (c, constant, clamp) in cases {
                let text = line(machine, row, c, &format!("{signed}{clamp}"));
                let wave = machine.run(&[&text], |wave| {
                    fill(machine, wave, row, elements);
                    // EXEC has no say.
                    wave.set_exec(0x8001);
                });
                for (i, j) in (0..256).map(|n| (n / 16, n % 16)) {
                    let sum = constant.unwrap_or((elements.c)(i, j)) + elements.sum(depth, i, j);
                    assert_eq!(got(machine, &wave, to, i, j), to.encode(sum), "{machine:?}: {text}: {i} {j}: {sum}");
                }
            }
        }
    }
}

/// Modifiers; the signs of even and odd elements of A, of B and of C; the sign of the result, in which all terms are of one sign.
const SIGNS: &[(&str, [i32; 4], i32)] = &[
    (" neg_lo:[1,0,1] neg_hi:[1,0,0]", [1, 1, 1, 1], -1),
    (" neg_lo:[1,1,0] neg_hi:[1,1,0]", [1, 1, 1, 1], 1),
    (" neg_lo:[1,0,0]", [-1, 1, 1, 1], 1),
    (" neg_hi:[1,0,0]", [1, -1, 1, 1], 1),
    (" neg_lo:[0,1,0] neg_hi:[0,1,0]", [1, 1, -1, 1], 1),
    (" neg_hi:[0,0,1]", [1, 1, 1, -1], 1),
    (" neg_lo:[0,0,1]", [1, 1, 1, -1], 1),
    (" neg_lo:[1,0,1] neg_hi:[1,0,1]", [1, 1, 1, -1], -1),
];

#[test]
fn signs_are_changed() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        for row in rows(machine).filter(|row| matches!(row.2, F16 | Bf16)) {
            for (text, [even, odd, of_b, of_c], sign) in SIGNS {
                let text = line(machine, row, "", text);
                let wave = machine.run(&[&text], |wave| {
                    fill(machine, wave, row, POSITIVE);
                    // The signs of whole registers: the elements of A and B are packed in pairs.
                    let flip = |first: usize, low: i32, high: i32| {
                        let mask = if low < 0 { 0x8000 } else { 0 } | if high < 0 { 0x8000_0000 } else { 0 };
                        for register in first..first + 8 {
                            for lane in 0..64 {
                                wave.set_vgpr(register, lane, wave.vgpr(register, lane) ^ mask);
                            }
                        }
                    };
                    flip(A, *even, *odd);
                    flip(B, *of_b, *of_b);
                    flip(C, if row.1 == F32 { 1 } else { *of_c }, *of_c);
                });
                for (i, j) in [(0, 0), (3, 9), (15, 15), (8, 2)] {
                    let sum = sign * ((POSITIVE.c)(i, j) + POSITIVE.sum(16, i, j));
                    assert_eq!(got(machine, &wave, row.1, i, j), row.1.encode(sum), "{machine:?}: {text}: {i} {j}");
                }
            }
        }
    }
}

#[test]
fn unsigned_factors_wrap_or_saturate() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        for (clamp, expected) in [("", 0x8000_0000u32.wrapping_add(16 * 255 * 255 - 1)), (" clamp", 0x7fff_ffff)] {
            let row = GFX11[4];
            let text = line(machine, row, "", clamp);
            let wave = machine.run(&[&text], |wave| {
                for register in A..B + 16 {
                    (0..64).for_each(|lane| wave.set_vgpr(register, lane, u32::MAX));
                }
                for register in C..C + 8 {
                    (0..64).for_each(|lane| wave.set_vgpr(register, lane, 0x7fff_ffff));
                }
            });
            assert_eq!(wave.vgpr(D, 5), expected, "{machine:?}: {text}");
        }
    }
}

#[test]
fn narrow_results_take_one_half_and_leave_the_other() {
    for machine in machines(&["gfx1100"]) {
        for row in [GFX11[2], GFX11[3]] {
            for high in [false, true] {
                let text = line(machine, row, "", if high { " op_sel:[0,0,1]" } else { "" });
                let wave = machine.run(&[&text], |wave| {
                    fill(machine, wave, row, POSITIVE);
                    for register in 0..8 {
                        for lane in 0..64 {
                            // C lies in the half that is chosen.
                            let c = wave.vgpr(C + register, lane);
                            wave.set_vgpr(C + register, lane, if high { c << 16 | 0x7777 } else { c | 0x7777_0000 });
                            wave.set_vgpr(D + register, lane, 0x1234_5678);
                        }
                    }
                });
                let (i, j) = (5, 6);
                let sum = (POSITIVE.c)(i, j) + POSITIVE.sum(16, i, j);
                let (register, lane, _) = result(machine, row.1, i, j);
                let v = row.1.encode(sum);
                let expected = if high { v << 16 | 0x5678 } else { 0x1234_0000 | v };
                assert_eq!(wave.vgpr(D + register, lane), expected, "{machine:?}: {text}");
            }
        }
    }
}

#[test]
fn gfx11_adds_in_the_sign_of_the_accumulator() {
    for machine in machines(&["gfx1100"]) {
        let row = GFX11[0];
        let wave = machine.run(&[&line(machine, row, "-1.0", "")], |wave| {
            for group in 0..machine.lanes as usize / 16 {
                // 32 * 1 + 24 * 1 - 1 is one unit more than 55.
                wave.set_vgpr(A, 16 * group, F16.encode(32) | F16.encode(24) << 16);
                wave.set_vgpr(B, 16 * group, F16.encode(1) | F16.encode(1) << 16);
            }
        });
        assert_eq!(f32::from_bits(wave.vgpr(D, 0)), 55.000_004, "{machine:?}");
    }
}

#[test]
fn copies_that_differ_are_seen() {
    for machine in machines(&["gfx1100"]) {
        let row = GFX11[0];
        let wave = machine.run(&[&line(machine, row, "0", "")], |wave| {
            for lane in 0..machine.lanes as usize {
                wave.set_vgpr(A, lane, F16.encode(1 + lane as i32 / 16));
                wave.set_vgpr(B, lane, F16.encode(1));
            }
        });
        for group in 0..machine.lanes as usize / 16 {
            assert_eq!(wave.vgpr(D, 16 * group + 3), F32.encode(1 + group as i32), "{machine:?}: {group}");
        }
    }
}
