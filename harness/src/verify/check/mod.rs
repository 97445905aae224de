//! Operations run through the emulator on random operands, in every mode, and compared with [reference].
//!
//! An operation is assembled several times, for registers of its own each, and executed by a wave of 64 lanes; so the vector kernels, what they leave to the
//! exact arithmetic, and the exact arithmetic itself take part. What is drawn depends on the seed, the operation and the mode alone.

pub mod inputs;
pub mod reference;

use inputs::{Kind, Random};
use reference::{D, Format, H, Machine, Op, S, Whole};
use rustc_apfloat::Round;
use std::cell::Cell;
use wavediff::asm::Assembler;
use wavediff::asm::expr::NoSymbols;
use wavediff::emu::kernel::Level;
use wavediff::emu::kernel::STRIDE;
use wavediff::emu::order::Turns;
use wavediff::emu::plan::Program;
use wavediff::emu::run::{self, Apertures, Group, Limits};
use wavediff::emu::trap::Stop;
use wavediff::emu::wave::Wave;
use wavediff::isa::row::Inst;
use wavediff::isa::{Gen, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;

/// Which parts of MODE have a say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Modes {
    /// That of f32.
    Single,
    /// That of f16 and f64.
    Other,
    /// Both: conversions.
    Both,
    /// To nearest only, denormals kept or flushed on both sides: whole divisions. Compilers switch f32 denormals on for the steps of a division of
    /// f32; for f64 they do not, and with denormals flushed its remainder is lost where the numerator is small: so they are kept.
    Nearest,
}

/// The reference of an operation: the result, and a flag beside it.
type Reference = fn(&Machine, &[u64; 4]) -> (u64, u64);

/// An operation.
pub struct Operation {
    pub name: &'static str,
    /// Instructions, with `{d}` and `{e}` for the results, `{a}` to `{d}` for operands, `{t}` to `{z}` for temporaries; separated by `;`.
    code: &'static [&'static str],
    args: &'static [Kind],
    /// Bits of the result.
    bits: u32,
    /// Whether there is a flag beside it.
    flag: bool,
    pub modes: Modes,
    reference: Reference,
}

const F16: Kind = Kind::Float(Format::F16);
const F32: Kind = Kind::Float(Format::F32);
const F64: Kind = Kind::Float(Format::F64);
const I32: Kind = Kind::Int(32);
const I16: Kind = Kind::Int(16);

macro_rules! operation {
    ($name:literal, $code:expr, $args:expr, $bits:literal, $modes:ident, |$m:ident, $v:ident| $reference:expr) => {
        Operation {
            name: $name,
            code: &$code,
            args: &$args,
            bits: $bits,
            flag: false,
            modes: Modes::$modes,
            reference: |$m, $v| ($reference, 0),
        }
    };
}

/// The first three operands.
fn three(v: &[u64; 4]) -> [u64; 3] {
    [v[0], v[1], v[2]]
}

/// Denormals on around the steps of a division, as compilers do it.
const DIVIDE_32: &str = "v_div_scale_f32 {t}, vcc, {b}, {b}, {a}; v_div_scale_f32 {u}, vcc, {a}, {b}, {a}; v_rcp_f32 {r}, {t}; \
    s_getreg_b32 s40, hwreg(HW_REG_MODE, 4, 2); s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3; \
    v_fma_f32 {x}, -{t}, {r}, 1.0; v_fma_f32 {r}, {x}, {r}, {r}; v_mul_f32 {q}, {u}, {r}; v_fma_f32 {x}, -{t}, {q}, {u}; \
    v_fma_f32 {q}, {x}, {r}, {q}; v_fma_f32 {x}, -{t}, {q}, {u}; s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s40; \
    v_div_fmas_f32 {q}, {x}, {r}, {q}; v_div_fixup_f32 {d}, {q}, {b}, {a}";
const DIVIDE_64: &str = "v_div_scale_f64 {t}, vcc, {b}, {b}, {a}; v_rcp_f64 {r}, {t}; v_fma_f64 {x}, -{t}, {r}, 1.0; \
    v_fma_f64 {r}, {r}, {x}, {r}; v_fma_f64 {x}, -{t}, {r}, 1.0; v_fma_f64 {r}, {r}, {x}, {r}; \
    v_div_scale_f64 {u}, vcc, {a}, {b}, {a}; v_mul_f64 {q}, {u}, {r}; v_fma_f64 {x}, -{t}, {q}, {u}; \
    v_div_fmas_f64 {q}, {x}, {r}, {q}; v_div_fixup_f64 {d}, {q}, {b}, {a}";
const DIVIDE_16: &str = "v_cvt_f32_f16 {t}, {b}; v_cvt_f32_f16 {u}, {a}; v_rcp_f32 {r}, {t}; v_mul_f32 {q}, {u}, {r}; \
    v_fma_f32 {x}, -{t}, {q}, {u}; v_fma_f32 {q}, {x}, {r}, {q}; v_fma_f32 {x}, -{t}, {q}, {u}; v_mul_f32 {x}, {x}, {r}; \
    v_and_b32 {x}, 0xff800000, {x}; v_add_f32 {q}, {x}, {q}; v_cvt_f16_f32 {q}, {q}; v_div_fixup_f16 {d}, {q}, {b}, {a}";

/// Everything that is verified.
#[rustfmt::skip]
pub static OPERATIONS: &[Operation] = &[
    operation!("v_add_f16", ["v_add_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Add, three(v))),
    operation!("v_sub_f16", ["v_sub_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Sub, three(v))),
    operation!("v_mul_f16", ["v_mul_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Mul, three(v))),
    operation!("v_fma_f16", ["v_fma_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Fma, three(v))),
    operation!("v_add_f32", ["v_add_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Add, three(v))),
    operation!("v_sub_f32", ["v_sub_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Sub, three(v))),
    operation!("v_mul_f32", ["v_mul_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Mul, three(v))),
    operation!("v_fma_f32", ["v_fma_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Fma, three(v))),
    operation!("v_mad_f32", ["v_mad_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| reference::mad(m, three(v))),
    operation!("v_add_f64", ["v_add_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Add, three(v))),
    operation!("v_sub_f64", ["v_add_f64 {d}, {a}, -{b}"], [F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Sub, three(v))),
    operation!("v_mul_f64", ["v_mul_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Mul, three(v))),
    operation!("v_fma_f64", ["v_fma_f64 {d}, {a}, {b}, {c}"], [F64, F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Fma, three(v))),

    operation!("v_floor_f16", ["v_floor_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::TowardNegative, v[0])),
    operation!("v_ceil_f16", ["v_ceil_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::TowardPositive, v[0])),
    operation!("v_trunc_f16", ["v_trunc_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::TowardZero, v[0])),
    operation!("v_rndne_f16", ["v_rndne_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::NearestTiesToEven, v[0])),
    operation!("v_fract_f16", ["v_fract_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::fract::<H>(m, v[0])),
    operation!("v_ldexp_f16", ["v_ldexp_f16 {d}, {a}, {b}"], [F16, Kind::Exponent(Format::F16)], 16, Other, |m, v| reference::ldexp::<H>(m, v[0], i32::from(v[1] as i16))),
    operation!("v_floor_f32", ["v_floor_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardNegative, v[0])),
    operation!("v_ceil_f32", ["v_ceil_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardPositive, v[0])),
    operation!("v_trunc_f32", ["v_trunc_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardZero, v[0])),
    operation!("v_rndne_f32", ["v_rndne_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::NearestTiesToEven, v[0])),
    operation!("v_fract_f32", ["v_fract_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::fract::<S>(m, v[0])),
    operation!("v_ldexp_f32", ["v_ldexp_f32 {d}, {a}, {b}"], [F32, Kind::Exponent(Format::F32)], 32, Single, |m, v| reference::ldexp::<S>(m, v[0], v[1] as i32)),
    operation!("v_floor_f64", ["v_floor_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::TowardNegative, v[0])),
    operation!("v_ceil_f64", ["v_ceil_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::TowardPositive, v[0])),
    operation!("v_trunc_f64", ["v_trunc_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::TowardZero, v[0])),
    operation!("v_rndne_f64", ["v_rndne_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::NearestTiesToEven, v[0])),
    operation!("v_fract_f64", ["v_fract_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::fract::<D>(m, v[0])),
    operation!("v_ldexp_f64", ["v_ldexp_f64 {d}, {a}, {b}"], [F64, Kind::Exponent(Format::F64)], 64, Other, |m, v| reference::ldexp::<D>(m, v[0], v[1] as i32)),

    operation!("v_cvt_f32_f16", ["v_cvt_f32_f16 {d}, {a}"], [F16], 32, Both, |m, v| reference::convert::<H, S>(m, v[0])),
    operation!("v_cvt_f16_f32", ["v_cvt_f16_f32 {d}, {a}"], [F32], 16, Both, |m, v| reference::convert::<S, H>(m, v[0])),
    operation!("v_cvt_f64_f32", ["v_cvt_f64_f32 {d}, {a}"], [F32], 64, Both, |m, v| reference::convert::<S, D>(m, v[0])),
    operation!("v_cvt_f32_f64", ["v_cvt_f32_f64 {d}, {a}"], [F64], 32, Both, |m, v| reference::convert::<D, S>(m, v[0])),
    operation!("v_cvt_pkrtz_f16_f32", ["v_cvt_pkrtz_f16_f32 {d}, {a}, {b}", "v_cvt_pk_rtz_f16_f32 {d}, {a}, {b}"], [F32, F32], 32, Both, |m, v| reference::pkrtz(m, v[0], v[1])),
    operation!("v_cvt_f16_i16", ["v_cvt_f16_i16 {d}, {a}"], [I16], 16, Other, |m, v| reference::from_int::<H>(m, i64::from(v[0] as i16))),
    operation!("v_cvt_f16_u16", ["v_cvt_f16_u16 {d}, {a}"], [I16], 16, Other, |m, v| reference::from_int::<H>(m, i64::from(v[0] as u16))),
    operation!("v_cvt_f32_i32", ["v_cvt_f32_i32 {d}, {a}"], [I32], 32, Single, |m, v| reference::from_int::<S>(m, i64::from(v[0] as i32))),
    operation!("v_cvt_f32_u32", ["v_cvt_f32_u32 {d}, {a}"], [I32], 32, Single, |m, v| reference::from_int::<S>(m, i64::from(v[0] as u32))),
    operation!("v_cvt_f64_i32", ["v_cvt_f64_i32 {d}, {a}"], [I32], 64, Other, |m, v| reference::from_int::<D>(m, i64::from(v[0] as i32))),
    operation!("v_cvt_f64_u32", ["v_cvt_f64_u32 {d}, {a}"], [I32], 64, Other, |m, v| reference::from_int::<D>(m, i64::from(v[0] as u32))),
    operation!("v_cvt_i16_f16", ["v_cvt_i16_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::to_int::<H>(m, v[0], 16, true, Whole::Trunc)),
    operation!("v_cvt_u16_f16", ["v_cvt_u16_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::to_int::<H>(m, v[0], 16, false, Whole::Trunc)),
    operation!("v_cvt_i32_f32", ["v_cvt_i32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, true, Whole::Trunc)),
    operation!("v_cvt_u32_f32", ["v_cvt_u32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, false, Whole::Trunc)),
    operation!("v_cvt_floor_i32_f32", ["v_cvt_floor_i32_f32 {d}, {a}", "v_cvt_flr_i32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, true, Whole::Floor)),
    operation!("v_cvt_nearest_i32_f32", ["v_cvt_nearest_i32_f32 {d}, {a}", "v_cvt_rpi_i32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, true, Whole::Nearest)),
    operation!("v_cvt_pk_i16_f32", ["v_cvt_pk_i16_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 16, true, Whole::Trunc) | reference::to_int::<S>(m, v[1], 16, true, Whole::Trunc) << 16),
    operation!("v_cvt_pk_u16_f32", ["v_cvt_pk_u16_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 16, false, Whole::Trunc) | reference::to_int::<S>(m, v[1], 16, false, Whole::Trunc) << 16),
    operation!("v_cvt_i32_f64", ["v_cvt_i32_f64 {d}, {a}"], [F64], 32, Other, |m, v| reference::to_int::<D>(m, v[0], 32, true, Whole::Trunc)),
    operation!("v_cvt_u32_f64", ["v_cvt_u32_f64 {d}, {a}"], [F64], 32, Other, |m, v| reference::to_int::<D>(m, v[0], 32, false, Whole::Trunc)),

    operation!("v_rcp_f32", ["v_rcp_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::rcp(m, v[0])),
    operation!("v_sqrt_f32", ["v_sqrt_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::sqrt(m, v[0])),

    Operation {
        name: "v_div_scale_f32", code: &["v_div_scale_f32 {d}, vcc, {a}, {b}, {c}; v_cndmask_b32 {e}, 0, {1}, vcc"],
        args: &[Kind::Either(Format::F32), F32, F32], bits: 32, flag: true, modes: Modes::Single,
        reference: |m, v| { let (r, c) = reference::div_scale::<S>(m, three(v)); (r, u64::from(c)) },
    },
    Operation {
        name: "v_div_scale_f64", code: &["v_div_scale_f64 {d}, vcc, {a}, {b}, {c}; v_cndmask_b32 {e}, 0, {1}, vcc"],
        args: &[Kind::Either(Format::F64), F64, F64], bits: 64, flag: true, modes: Modes::Other,
        reference: |m, v| { let (r, c) = reference::div_scale::<D>(m, three(v)); (r, u64::from(c)) },
    },
    operation!("v_div_fmas_f32", ["v_cmp_ne_u32 vcc, 0, {f}; v_div_fmas_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32, Kind::Flag], 32, Single, |m, v| reference::div_fmas::<S>(m, three(v), v[3] != 0)),
    operation!("v_div_fmas_f64", ["v_cmp_ne_u32 vcc, 0, {f}; v_div_fmas_f64 {d}, {a}, {b}, {c}"], [F64, F64, F64, Kind::Flag], 64, Other, |m, v| reference::div_fmas::<D>(m, three(v), v[3] != 0)),
    operation!("v_div_fixup_f16", ["v_div_fixup_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| reference::div_fixup::<H>(m, three(v))),
    operation!("v_div_fixup_f32", ["v_div_fixup_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| reference::div_fixup::<S>(m, three(v))),
    operation!("v_div_fixup_f64", ["v_div_fixup_f64 {d}, {a}, {b}, {c}"], [F64, F64, F64], 64, Other, |m, v| reference::div_fixup::<D>(m, three(v))),

    operation!("division_f16", [DIVIDE_16], [F16, F16], 16, Nearest, |m, v| reference::quotient::<H>(m, v[0], v[1])),
    operation!("division_f32", [DIVIDE_32], [F32, F32], 32, Nearest, |m, v| reference::quotient::<S>(m, v[0], v[1])),
    operation!("division_f64", [DIVIDE_64], [F64, F64], 64, Nearest, |m, v| reference::quotient::<D>(m, v[0], v[1])),
];

/// MODE in which compute kernels start, and the same with f32 denormals kept: the modes of the vector kernels.
pub fn usual_modes() -> [u32; 2] {
    [with_rest(0xc0, true), with_rest(0xf0, true)]
}

/// With DX10_CLAMP, and IEEE or not.
fn with_rest(mode: u32, ieee: bool) -> u32 {
    mode | 1 << 8 | u32::from(ieee) << 9
}

/// All other modes in which an operation may differ: what it does not depend on is to nearest with denormals kept.
pub fn other_modes(operation: &Operation, target: Target) -> Vec<u32> {
    let mut modes = Vec::new();
    let overflow = if target.generation() >= Gen::Gfx9 && operation.bits == 16 { 2 } else { 1 };
    for ieee in [true, false] {
        if !ieee && target.generation() >= Gen::Gfx12 {
            continue;
        }
        for (round, denormals, second) in (0..4 * 4 * 4).map(|n| (n & 3, n >> 2 & 3, n >> 4)) {
            let mode = match operation.modes {
                Modes::Single if second == 0 => round | denormals << 4 | 3 << 6,
                Modes::Other if second == 0 => round << 2 | denormals << 6 | 3 << 4,
                // The rounding of the source's format has nothing to say.
                Modes::Both => {
                    let wrong = if round == 0 { 0 } else { (round + 1) & 3 };
                    let (single, other) =
                        if operation.bits == 32 && operation.args[0] != F32 { (round, wrong) } else { (wrong, round) };
                    // Up to gfx7 f16 has the rounding of f32.
                    let single = if target.generation() < Gen::Gfx8 { round } else { single };
                    single | other << 2 | denormals << 4 | second << 6
                }
                Modes::Nearest
                    if round == 0 && second == 0 && (denormals == 3 || denormals == 0 && operation.bits != 64) =>
                {
                    denormals << 4 | denormals << 6
                }
                _ => continue,
            };
            for ovfl in 0..overflow {
                modes.push(with_rest(mode, ieee) | ovfl << 23);
            }
        }
    }
    modes.retain(|mode| !usual_modes().contains(mode));
    modes
}

/// A result that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub mode: u32,
    pub operands: Vec<u64>,
    pub expected: u64,
    pub got: u64,
}

/// What came of inputs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub inputs: u64,
    pub mismatches: u64,
    pub first: Vec<Mismatch>,
}

/// How many mismatches are kept.
const KEPT: usize = 8;

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.inputs += other.inputs;
        self.mismatches += other.mismatches;
        self.first.extend(other.first);
        self.first.truncate(KEPT);
    }
}

/// An operation ready to be executed: copies of it with registers of their own.
pub struct Bench {
    operation: &'static Operation,
    program: Program,
    generation: u32,
    copies: usize,
}

/// Registers of a copy.
const REGISTERS: usize = 24;
/// The first register of a copy that is its own.
const FIRST: usize = 4;
/// Where operands lie in a copy: after two results of two registers.
const OPERANDS: usize = 4;
const COPIES: usize = 8;
const LANES: usize = 64;

impl Bench {
    /// Nothing if the processor has not the instructions.
    pub fn new(operation: &'static Operation, target: Target) -> Option<Bench> {
        Bench::at(Level::of_host(), operation, target)
    }

    /// As [`Bench::new`], with the kernels of a level.
    pub fn at(level: Level, operation: &'static Operation, target: Target) -> Option<Bench> {
        let target = target.wave(64).unwrap_or(target);
        let assembler = Assembler::new(target);
        let words = operation.code.iter().find_map(|code| {
            let mut words = vec![];
            // A one for flags.
            words.extend(encode(&assembler, "v_mov_b32 v0, 1")?);
            for copy in 0..COPIES {
                for line in code.split(';') {
                    words.extend(encode(&assembler, &with_registers(line.trim(), operation, copy))?);
                }
            }
            words.extend(encode(&assembler, "s_endpgm")?);
            Some(words)
        })?;
        let program = Program::plan_at(level, target, &words, 0x1000);
        let generation = match target.generation() {
            Gen::Gfx6 => 6,
            Gen::Gfx7 => 7,
            Gen::Gfx8 => 8,
            Gen::Gfx9 => 9,
            Gen::Gfx10 => 10,
            Gen::Gfx11 => 11,
            Gen::Gfx12 => 12,
        };
        Some(Bench { operation, program, generation, copies: COPIES })
    }

    /// The rows that it runs.
    #[allow(dead_code, reason = "tests leave out what they are not about")]
    pub fn rows(&self) -> impl Iterator<Item = &'static Inst> {
        self.program.steps.iter().filter_map(|step| step.row)
    }

    /// Runs at least `count` inputs in a mode.
    ///
    /// # Errors
    /// The program trapped.
    pub fn run(&self, mode: u32, count: u64, seed: u64) -> Result<Tally, String> {
        self.run_as(mode, mode, count, seed)
    }

    /// The same, where the reference computes in a mode of its own.
    ///
    /// # Errors
    /// The program trapped.
    pub fn run_as(&self, mode: u32, reference: u32, count: u64, seed: u64) -> Result<Tally, String> {
        let machine = Machine::new(self.generation, reference);
        let mut random = Random(seed);
        let mut tally = Tally::default();
        let mut wave = Wave::new(&self.program, LANES as u32);
        let memory = Memory::new();
        let mut group = Group {
            program: &self.program,
            memory: &memory,
            lds: Lds::new(0),
            messages: Vec::new(),
            waves: 1,
            id: [0; 3],
            apertures: Apertures::default(),
            scratch_per_lane: 0,
            turns: Turns::default(),
        };
        let mut operands = vec![[0u64; 4]; self.copies * LANES];
        let kinds = self.operation.args;
        let mut round = 0u32;
        while tally.inputs < count {
            // Some lanes are switched off at times: their registers must stay.
            let exec = if round % 8 == 7 { random.next() } else { u64::MAX };
            round += 1;
            for (n, v) in operands.iter_mut().enumerate() {
                *v = random.operands(kinds);
                put(&wave, kinds, n, v);
            }
            wave.pc = 0;
            wave.stop = None;
            wave.steps = 0;
            wave.set_mode(mode);
            wave.set_exec(exec);
            run::wave(&mut wave, &mut group, Limits::default());
            if wave.stop != Some(Stop::End) {
                return Err(format!("{:?}", wave.stop));
            }
            for (n, v) in operands.iter().enumerate() {
                let (got, flag) = self.results(&wave, n);
                if exec >> (n % LANES) & 1 == 0 {
                    if got != UNTOUCHED & mask(self.operation.bits) {
                        self.differs(&mut tally, mode, v, UNTOUCHED & mask(self.operation.bits), got);
                    }
                    continue;
                }
                tally.inputs += 1;
                let (expected, expected_flag) = (self.operation.reference)(&machine, v);
                if got != expected {
                    self.differs(&mut tally, mode, v, expected, got);
                } else if self.operation.flag && flag != expected_flag {
                    self.differs(&mut tally, mode, v, expected_flag, flag);
                }
            }
        }
        Ok(tally)
    }

    fn results(&self, wave: &Wave, n: usize) -> (u64, u64) {
        let (base, lane) = place(n);
        let word = |register: usize| u64::from(wave.vgpr(base + register, lane));
        let value = word(0) | if self.operation.bits == 64 { word(1) << 32 } else { 0 };
        (value & mask(self.operation.bits), word(2))
    }

    fn differs(&self, tally: &mut Tally, mode: u32, operands: &[u64; 4], expected: u64, got: u64) {
        tally.mismatches += 1;
        if tally.first.len() < KEPT {
            let operands = operands[..self.operation.args.len()].to_vec();
            tally.first.push(Mismatch { mode, operands, expected, got });
        }
    }
}

/// What stands in the result's registers before.
const UNTOUCHED: u64 = 0xdead_beef_cafe_f00d;

const fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// The registers and the lane of an input.
const fn place(n: usize) -> (usize, usize) {
    (FIRST + n / LANES * REGISTERS, n % LANES)
}

fn put(wave: &Wave, kinds: &[Kind], n: usize, v: &[u64; 4]) {
    let (base, lane) = place(n);
    let cells: &[Cell<u32>] = &wave.file;
    let set = |register: usize, v: u64| cells[(base + register) * STRIDE + lane].set(v as u32);
    set(0, UNTOUCHED);
    set(1, UNTOUCHED >> 32);
    for (i, (v, kind)) in v.iter().zip(kinds).enumerate() {
        set(OPERANDS + 2 * i, *v);
        if kind.dwords() == 2 {
            set(OPERANDS + 2 * i + 1, *v >> 32);
        }
    }
}

fn encode(assembler: &Assembler, line: &str) -> Option<Vec<u32>> {
    let encoded = assembler.encode(line, &NoSymbols).ok()?;
    Some(encoded.words[..usize::from(encoded.len)].to_vec())
}

/// A line with its places filled in.
fn with_registers(line: &str, operation: &Operation, copy: usize) -> String {
    let base = FIRST + copy * REGISTERS;
    // Temporaries of a division of f64 are pairs as its operands are.
    let wide_temporaries = operation.args[0].dwords() == 2;
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let name = rest.as_bytes()[at + 1];
        let (register, pair) = match name {
            b'd' => (0, operation.bits == 64),
            b'e' => (2, false),
            b'a' | b'b' | b'c' => {
                let n = usize::from(name - b'a');
                (OPERANDS + 2 * n, operation.args[n].dwords() == 2)
            }
            b'f' => (OPERANDS + 6, false),
            b'1' => {
                out.push_str("v0");
                rest = &rest[at + 3..];
                continue;
            }
            _ => {
                let n = b"turqx".iter().position(|t| *t == name).unwrap_or(0);
                (OPERANDS + 8 + 2 * n, wide_temporaries)
            }
        };
        let first = base + register;
        out.push_str(&if pair { format!("v[{first}:{}]", first + 1) } else { format!("v{first}") });
        rest = &rest[at + 3..];
    }
    out.push_str(rest);
    out
}

/// The seed of a part of the work.
pub fn seed_of(seed: u64, name: &str, mode: u32, part: u64) -> u64 {
    let text = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let mut mixed = Random(seed ^ text ^ u64::from(mode) << 32 ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93));
    mixed.next()
}
