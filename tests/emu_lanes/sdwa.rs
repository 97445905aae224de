//! SDWA: parts of registers as operands and results, against ALU_FACTS 13.
//!
//! The rule: a source is a byte, a half or all of its register, extended by zeros or by its sign;
//! an operation of 32 bits sees that. Of the result the lowest bits go to the chosen part of the
//! destination, and the others become zeros, copies of the part's sign above and zeros below, or
//! stay.

use super::machine::{Machine, machines};
use wavediff::emu::wave::{Wave, slot};

/// The parts of a register: first bit, and how many.
const PARTS: [(&str, u32, u32); 7] = [
    ("BYTE_0", 0, 8),
    ("BYTE_1", 8, 8),
    ("BYTE_2", 16, 8),
    ("BYTE_3", 24, 8),
    ("WORD_0", 0, 16),
    ("WORD_1", 16, 16),
    ("DWORD", 0, 32),
];

type Part = (&'static str, u32, u32);

fn source((_, first, bits): Part, signed: bool, x: u32) -> u32 {
    let x = (u64::from(x) >> first & ((1 << bits) - 1)) as i64;
    if signed && x >> (bits - 1) & 1 != 0 { (x - (1 << bits)) as u32 } else { x as u32 }
}

/// What becomes of the rest of a destination.
const UNUSED: [&str; 3] = ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"];

fn destination((_, first, bits): Part, unused: &str, result: u32, old: u32) -> u32 {
    let mask = ((1u64 << bits) - 1) as u32;
    let part = result & mask;
    let rest = match unused {
        "UNUSED_PAD" => 0,
        "UNUSED_PRESERVE" => old & !(mask << first),
        // Copies of the sign above the part.
        _ if part >> (bits - 1) & 1 != 0 && first + bits < 32 => u32::MAX << (first + bits),
        _ => 0,
    };
    rest | part << first
}

const NAMES: [&str; 4] = ["gfx803", "gfx900", "gfx908", "gfx1030"];

const EXEC: [u64; 3] = [u64::MAX, 0xaaaa_5555_0ff0_8001, 0];

/// Numbers whose bytes have every mixture of signs.
fn number(register: u32, lane: u32) -> u32 {
    (register * 64 + lane + 1).wrapping_mul(0x9e37_79b9).rotate_left(lane)
}

fn fill(wave: &mut Wave) {
    for register in 0..4 {
        (0..64).for_each(|lane| wave.set_vgpr(register, lane, number(register as u32, lane as u32)));
    }
    wave.s[3] = 0x8192_7364;
}

/// Runs a line and compares v1 with what `result` gives of a lane.
fn check(machine: Machine, line: &str, result: impl Fn(u32) -> u32) {
    for exec in EXEC {
        let wave = machine.run(&[line], |wave| {
            fill(wave);
            wave.set_exec(exec);
        });
        for lane in 0..machine.lanes {
            let expected = if exec >> lane & 1 != 0 { result(lane) } else { number(1, lane) };
            let got = wave.vgpr(1, lane as usize);
            assert_eq!(got, expected, "{machine:?}: {line}, exec {exec:#x}: lane {lane}: {got:#x}, not {expected:#x}");
        }
    }
}

fn sext(signed: bool, register: &str) -> String {
    if signed { format!("sext({register})") } else { register.to_owned() }
}

#[test]
fn one_source() {
    for machine in machines(&NAMES) {
        for from in PARTS {
            for (to, unused) in PARTS.into_iter().flat_map(|to| UNUSED.map(|unused| (to, unused))) {
                for signed in [false, true] {
                    let operand = sext(signed, "v0");
                    let line = format!(
                        "v_mov_b32_sdwa v1, {operand} dst_sel:{} dst_unused:{unused} src0_sel:{}",
                        to.0, from.0
                    );
                    check(machine, &line, |lane| {
                        let x = source(from, signed, number(0, lane));
                        destination(to, unused, x, number(1, lane))
                    });
                }
            }
        }
    }
}

/// Operations whose result shows the order of their operands; those which have a carry have it in
/// no way here.
#[test]
fn two_sources() {
    for machine in machines(&NAMES) {
        for (a, b) in PARTS.into_iter().flat_map(|a| PARTS.map(|b| (a, b))) {
            for (n, signs) in [(false, false), (true, false), (false, true), (true, true)].into_iter().enumerate() {
                let (to, unused) = (PARTS[(n * 2 + a.1 as usize / 8) % 7], UNUSED[(n + b.1 as usize / 8) % 3]);
                let line = format!(
                    "v_lshlrev_b32_sdwa v1, {}, {} dst_sel:{} dst_unused:{unused} src0_sel:{} src1_sel:{}",
                    sext(signs.0, "v0"),
                    sext(signs.1, "v2"),
                    to.0,
                    a.0,
                    b.0
                );
                check(machine, &line, |lane| {
                    let count = source(a, signs.0, number(0, lane)) & 31;
                    destination(to, unused, source(b, signs.1, number(2, lane)) << count, number(1, lane))
                });
            }
        }
    }
}

/// From gfx9 on a source may be a scalar register.
#[test]
fn scalar_sources() {
    for machine in machines(&NAMES[1..]) {
        for (a, b) in PARTS.into_iter().flat_map(|a| PARTS.map(|b| (a, b))) {
            let line = format!(
                "v_xor_b32_sdwa v1, sext(s3), v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:{} src1_sel:{}",
                a.0, b.0
            );
            check(machine, &line, |lane| {
                let x = source(a, true, 0x8192_7364) ^ source(b, false, number(2, lane));
                destination(PARTS[5], "UNUSED_PRESERVE", x, number(1, lane))
            });
        }
    }
}

/// A compare writes VCC, and from gfx9 on any pair. An inactive lane has no bit.
#[test]
fn compares() {
    for machine in machines(&NAMES) {
        let pairs: &[(&str, usize)] = match (machine.name, machine.lanes) {
            ("gfx803", _) => &[("vcc", slot::VCC)],
            (_, 32) => &[("vcc_lo", slot::VCC), ("s10", 10)],
            _ => &[("vcc", slot::VCC), ("s[10:11]", 10)],
        };
        for (a, b) in PARTS.into_iter().flat_map(|a| PARTS.map(|b| (a, b))) {
            for ((text, at), exec) in pairs.iter().flat_map(|pair| EXEC.map(|exec| (*pair, exec))) {
                let line = format!("v_cmp_lt_i32_sdwa {text}, sext(v0), v2 src0_sel:{} src1_sel:{}", a.0, b.0);
                let wave = machine.run(&[&line], |wave| {
                    fill(wave);
                    wave.set_exec(exec);
                });
                let less = |lane: u32| {
                    let (a, b) = (source(a, true, number(0, lane)), source(b, false, number(2, lane)));
                    exec >> lane & 1 != 0 && (a as i32) < b as i32
                };
                let expected = (0..machine.lanes).fold(0u64, |all, lane| all | u64::from(less(lane)) << lane);
                assert_eq!(wave.mask_at(at), expected, "{machine:?}: {line}, exec {exec:#x}");
            }
        }
    }
}

/// Floats that are exact, as f16 in the lower and the upper half.
const F16: [(u32, f32); 6] =
    [(0x3c00, 1.0), (0xc000, -2.0), (0x4200, 3.0), (0xb800, -0.5), (0x0000, 0.0), (0x4900, 10.0)];

/// The same as a half, for sums and products of them.
fn half(x: f32) -> u32 {
    let bits = x.to_bits();
    if x == 0.0 { bits >> 16 } else { bits >> 16 & 0x8000 | (((bits >> 23 & 0xff) - 112) << 10 | bits >> 13 & 0x3ff) }
}

/// Modifiers of floats act on the selected half, which is an f16 to operations of f16.
#[test]
fn modifiers_of_halves() {
    for machine in machines(&NAMES) {
        for (neg, abs) in [(false, false), (true, false), (false, true), (true, true)] {
            for (a, b) in [(PARTS[4], PARTS[5]), (PARTS[5], PARTS[4]), (PARTS[5], PARTS[5])] {
                let operand = match (neg, abs) {
                    (false, false) => "v0",
                    (true, false) => "-v0",
                    (false, true) => "|v0|",
                    (true, true) => "-|v0|",
                };
                let line = format!(
                    "v_add_f16_sdwa v1, {operand}, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:{} src1_sel:{}",
                    a.0, b.0
                );
                let at = |register: usize, part: Part, lane: usize| {
                    F16[(lane * (register + 1) + part.1 as usize / 16 * 5) % F16.len()]
                };
                let wave = machine.run(&[&line], |wave| {
                    for lane in 0..64 {
                        for register in [0, 2] {
                            let [low, high] = [PARTS[4], PARTS[5]].map(|part| at(register, part, lane).0);
                            wave.set_vgpr(register, lane, low | high << 16);
                        }
                        wave.set_vgpr(1, lane, 0x1234);
                    }
                });
                for lane in 0..machine.lanes as usize {
                    let x = at(0, a, lane).1;
                    let x = if abs { x.abs() } else { x };
                    let sum = if neg { -x } else { x } + at(2, b, lane).1;
                    assert_eq!(wave.vgpr(1, lane), half(sum) << 16 | 0x1234, "{machine:?}: {line}: lane {lane}");
                }
            }
        }
    }
}

/// An output modifier, and what it does.
type Modifier = (&'static str, fn(f32) -> f32);

/// Output modifiers: clamp everywhere, factors from gfx9 on.
#[test]
fn output_modifiers() {
    for machine in machines(&NAMES) {
        let modifiers: &[Modifier] = &[
            ("clamp", |x| x.clamp(0.0, 1.0)),
            ("mul:2", |x| x * 2.0),
            ("mul:4", |x| x * 4.0),
            ("div:2", |x| x / 2.0),
            ("clamp div:2", |x| (x / 2.0).clamp(0.0, 1.0)),
        ];
        for (modifier, of) in &modifiers[..if machine.name == "gfx803" { 1 } else { 5 }] {
            let line = format!(
                "v_add_f32_sdwa v1, v0, -v2 {modifier} dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD"
            );
            // The factors count only without IEEE.
            let wave = machine.run(&[&line], |wave| {
                let mode = wave.env.mode & !(1 << 9) & !0xf0;
                wave.set_mode(mode);
                for lane in 0..64 {
                    wave.set_vgpr(0, lane, (lane as f32 * 0.25).to_bits());
                    wave.set_vgpr(2, lane, 6f32.to_bits());
                }
            });
            for lane in 0..machine.lanes as usize {
                let expected = of(lane as f32 * 0.25 - 6.0);
                let expected = if expected == 0.0 { 0.0 } else { expected };
                assert_eq!(wave.vgpr(1, lane), expected.to_bits(), "{machine:?}: {line}: lane {lane}");
            }
        }
    }
}
