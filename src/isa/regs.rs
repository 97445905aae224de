//! Registers by name and by code.
//!
//! An operand code has nine bits: scalar registers and special values below 128, constants up to 255, vector registers from 256 on. Which
//! special register has which code is a table with a set of variants a line.

use super::arch::{Gen, Target, Variants};
use super::text::Short;
use std::sync::OnceLock;

/// What kind of register a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bank {
    /// Vector registers.
    Vgpr,
    /// Accumulation registers.
    Agpr,
    /// Scalar registers `s0` to the last.
    Sgpr,
    /// Trap temporaries.
    Ttmp,
    /// Everything with a name of its own.
    Special,
}

/// One of the halves of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Half {
    /// The whole register.
    Whole,
    /// `v0.l`
    Low,
    /// `v0.h`
    High,
}

/// A register operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reg {
    /// Its kind.
    pub bank: Bank,
    /// The operand code: 9 bits; vector and accumulation registers count from 256.
    pub code: u16,
    /// Registers of 32 bits.
    pub dwords: u8,
    /// Which half.
    pub half: Half,
}

impl Reg {
    /// Whether it is `null`, which has any width.
    #[must_use]
    pub fn is_null(self, g: Gen) -> bool {
        null_code(g) == Some(self.code)
    }
}

/// A named register.
struct Special {
    name: &'static str,
    code: u16,
    dwords: u8,
    on: Variants,
    /// Another name of a register which has been printed already.
    alias: bool,
    /// LLVM's disassembler has the name, its assembler refuses it, and the manuals call the code reserved.
    shown: bool,
}

const V: Variants = Variants::all();
const G6_8: Variants = Variants::G6.union(Variants::G7).union(Variants::G8);
const G6_10: Variants = G6_8.union(Variants::G9).union(Variants::G10);
const G9P: Variants = V.difference(G6_8);
const G10P: Variants = G9P.difference(Variants::G9);
const G11P: Variants = G10P.difference(Variants::G10);
const G89: Variants = Variants::G8.union(Variants::G9);

const fn r(name: &'static str, code: u16, dwords: u8, on: Variants) -> Special {
    Special { name, code, dwords, on, alias: false, shown: false }
}

const fn also(name: &'static str, code: u16, dwords: u8, on: Variants) -> Special {
    Special { alias: true, ..r(name, code, dwords, on) }
}

const fn shown(name: &'static str, code: u16, on: Variants) -> Special {
    Special { shown: true, ..r(name, code, 1, on) }
}

/// Special registers and values. gfx11 exchanged `m0` and `null`.
#[rustfmt::skip]
static SPECIAL: &[Special] = &[
    r("flat_scratch_lo", 104, 1, Variants::G7), r("flat_scratch_hi", 105, 1, Variants::G7), r("flat_scratch", 104, 2, Variants::G7),
    r("flat_scratch_lo", 102, 1, G89),          r("flat_scratch_hi", 103, 1, G89),          r("flat_scratch", 102, 2, G89),
    r("xnack_mask_lo",   104, 1, G89),          r("xnack_mask_hi",   105, 1, G89),          r("xnack_mask",   104, 2, G89),
    r("vcc_lo",          106, 1, V),            r("vcc_hi",          107, 1, V),            r("vcc",          106, 2, V),
    r("tba_lo",          108, 1, G6_8),         r("tba_hi",          109, 1, G6_8),         r("tba",          108, 2, G6_8),
    r("tma_lo",          110, 1, G6_8),         r("tma_hi",          111, 1, G6_8),         r("tma",          110, 2, G6_8),
    r("m0",              124, 1, G6_10),        r("m0",              125, 1, G11P),
    r("null",            125, 1, Variants::G10), r("null",           124, 1, G11P),
    r("exec_lo",         126, 1, V),            r("exec_hi",         127, 1, V),            r("exec",         126, 2, V),
    r("src_shared_base",           235, 1, G9P), also("shared_base",   235, 1, G9P),
    r("src_shared_limit",          236, 1, G9P), also("shared_limit",  236, 1, G9P),
    r("src_private_base",          237, 1, G9P), also("private_base",  237, 1, G9P),
    r("src_private_limit",         238, 1, G9P), also("private_limit", 238, 1, G9P),
    r("src_pops_exiting_wave_id",  239, 1, Variants::G9.union(Variants::G10)), also("pops_exiting_wave_id", 239, 1, Variants::G9.union(Variants::G10)),
    r("src_vccz",        251, 1, G6_10),        also("vccz",         251, 1, G6_10),
    r("src_execz",       252, 1, G6_10),        also("execz",        252, 1, G6_10),
    shown("src_vccz",    251, G11P),            shown("src_execz",   252, G11P),
    r("src_scc",         253, 1, V),            also("scc",          253, 1, V),
    r("src_lds_direct",  254, 1, G6_10.difference(Variants::CDNA2)), also("lds_direct", 254, 1, G6_10.difference(Variants::CDNA2)),
];

/// The first trap temporary.
#[must_use]
pub fn ttmp_base(generation: Gen) -> u16 {
    if generation >= Gen::Gfx9 { 108 } else { 112 }
}

/// How many trap temporaries there are.
#[must_use]
pub fn ttmp_count(generation: Gen) -> u16 {
    if generation >= Gen::Gfx9 { 16 } else { 12 }
}

/// How many numbered scalar registers an operand can name.
#[must_use]
pub fn sgpr_count(generation: Gen) -> u16 {
    match generation {
        Gen::Gfx6 | Gen::Gfx7 => 104,
        Gen::Gfx8 | Gen::Gfx9 => 102,
        Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => 106,
    }
}

/// The code of `m0`.
#[must_use]
pub const fn m0_code(g: Gen) -> u16 {
    match g {
        Gen::Gfx11 | Gen::Gfx12 => 125,
        _ => 124,
    }
}

/// The code of `null`, where there is one.
#[must_use]
pub const fn null_code(g: Gen) -> Option<u16> {
    match g {
        Gen::Gfx10 => Some(125),
        Gen::Gfx11 | Gen::Gfx12 => Some(124),
        _ => None,
    }
}

/// Whether a code is that of a half of `exec`.
#[must_use]
pub const fn is_exec(code: u16) -> bool {
    matches!(code, 126 | 127)
}

/// Finds a register with a name of its own.
#[must_use]
pub fn special(name: &str, target: &Target) -> Option<Reg> {
    let s = SPECIAL.iter().find(|s| !s.shown && s.on.contains(target.arch.variant) && s.name == name)?;
    if name.starts_with("xnack_mask") && !target.arch.has_xnack() {
        return None;
    }
    Some(Reg { bank: Bank::Special, code: s.code, dwords: s.dwords, half: Half::Whole })
}

/// Whether a code has a text on a processor, and no value.
#[must_use]
pub fn is_only_shown(target: &Target, code: u32) -> bool {
    SPECIAL.iter().any(|s| s.shown && u32::from(s.code) == code && s.on.contains(target.arch.variant))
}

/// Whether `name` is a special register of some processor.
#[must_use]
pub fn special_elsewhere(name: &str) -> Option<Variants> {
    let on = SPECIAL.iter().filter(|s| !s.shown && s.name == name).fold(Variants::empty(), |all, s| all | s.on);
    (!on.is_empty()).then_some(on)
}

/// Whether a code names a scalar register tuple of more than two registers: plain ones or those of the trap handler, from a multiple
/// of four on.
#[must_use]
pub fn is_wide_scalar(target: &Target, code: u32, dwords: u8) -> bool {
    let g = target.generation();
    let end = code + u32::from(dwords);
    let trap = u32::from(ttmp_base(g));
    code.is_multiple_of(4)
        && (end <= u32::from(sgpr_count(g)) || code >= trap && end <= trap + u32::from(ttmp_count(g)))
}

/// Whether a number names a vector register tuple of `dwords` registers.
#[must_use]
#[inline]
pub fn is_vector(target: &Target, number: u32, dwords: u8) -> bool {
    number + u32::from(dwords) <= 256 && (dwords == 1 || number.is_multiple_of(2) || !target.is(Variants::CDNA2))
}

/// The text of every scalar operand code, once for operands of 32 bits and once for pairs.
pub struct Names {
    one: [Short; 256],
    two: [Short; 256],
    /// `v0` to `v255`.
    vector: [Short; 256],
}

impl Names {
    /// The names on a processor, made once.
    #[must_use]
    #[inline]
    pub fn of(target: &Target) -> &'static Names {
        static CACHE: [OnceLock<Names>; 32] = [const { OnceLock::new() }; 32];
        // A processor is of exactly one variant.
        let index = target.arch.variant.bits().trailing_zeros() as usize % 32;
        CACHE[index].get_or_init(|| Names::new(target))
    }

    /// The names on a processor.
    #[must_use]
    pub fn new(target: &Target) -> Names {
        let mut one = vec![String::new(); 256];
        let mut two = vec![String::new(); 256];
        let g = target.generation();
        for n in 0..sgpr_count(g) {
            one[usize::from(n)] = format!("s{n}");
            if n % 2 == 0 && n + 1 < sgpr_count(g) {
                two[usize::from(n)] = format!("s[{n}:{}]", n + 1);
            }
        }
        for n in 0..ttmp_count(g) {
            let code = usize::from(ttmp_base(g) + n);
            one[code] = format!("ttmp{n}");
            if n % 2 == 0 {
                two[code] = format!("ttmp[{n}:{}]", n + 1);
            }
        }
        for s in SPECIAL.iter().filter(|s| !s.alias && s.on.contains(target.arch.variant)) {
            let code = usize::from(s.code);
            if s.dwords == 1 {
                one[code] = s.name.to_owned();
                // Values that are wider than their name says stand in 64-bit operands too.
                if s.code >= 235 || s.name == "null" {
                    two[code] = s.name.to_owned();
                }
            } else {
                two[code] = s.name.to_owned();
            }
        }
        for (code, text) in constants(g) {
            one[code].clone_from(&text);
            two[code] = if code == 248 { "0.15915494309189532".to_owned() } else { text };
        }
        let short = |texts: Vec<String>| std::array::from_fn(|i| Short::new(&texts[i]));
        Names { one: short(one), two: short(two), vector: std::array::from_fn(|i| Short::new(&format!("v{i}"))) }
    }

    /// The text of one vector register.
    #[must_use]
    #[inline]
    pub fn vector(&self, n: u8) -> &Short {
        &self.vector[usize::from(n)]
    }

    /// The text of a code in an operand of `dwords` registers; empty where the code means nothing there.
    #[must_use]
    #[inline]
    pub fn get(&self, code: u16, dwords: u8) -> &Short {
        let code = usize::from(code as u8);
        if dwords == 1 { &self.one[code] } else { &self.two[code] }
    }
}

/// The inline constants with their texts.
fn constants(g: Gen) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = (0..=64).map(|n| (128 + n, n.to_string())).collect();
    all.extend((1..=16).map(|n| (192 + n, format!("-{n}"))));
    for (i, text) in ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"].iter().enumerate() {
        all.push((240 + i, (*text).to_owned()));
    }
    if g >= Gen::Gfx8 {
        all.push((248, "0.15915494".to_owned()));
    }
    all
}
