//! `glc slc dlc`, `sc0 nt sc1`, `th:TH_LOAD_NT scope:SCOPE_DEV`: the cache policy of a memory instruction.
//!
//! Before gfx12 a policy is a set of bits, each a word of its own: 1 glc or sc0, 2 slc or nt, 4 dlc, 16 scc or sc1. From
//! gfx12 it is a temporal hint (bits 2:0), whose names depend on what the instruction does, and a scope (bits 4:3).

use super::gens;
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::text::{push_hex, push_str};

/// What an instruction does to memory: it decides which words it may have, and how they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Load, store or atomic.
    pub access: Access,
    /// An atomic operation which returns the old value: `glc` or the return hint must be written.
    pub returns: bool,
    /// The scalar memory instructions: they take fewer words.
    pub scalar: bool,
    /// An image instruction: an image atomic need not say whether it returns.
    pub image: bool,
}

/// Loads, stores and atomics have hints of their own names. What neither loads nor stores has those of loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `TH_LOAD_`
    Load,
    /// `TH_STORE_`
    Store,
    /// `TH_ATOMIC_`
    Atomic,
}

/// A word of a processor before gfx12.
#[derive(Debug, PartialEq, Eq)]
pub struct Flag {
    /// As written.
    pub name: &'static str,
    /// Its bit.
    pub bit: u32,
    /// Where it exists, for scalar memory instructions.
    pub scalar: Variants,
    /// Where it exists, for all others.
    pub vector: Variants,
}

const TO_11: Variants = gens(Gen::Gfx6, Gen::Gfx11);
const TO_11_BUT_940: Variants = TO_11.difference(Variants::G940);
const G10_11: Variants = gens(Gen::Gfx10, Gen::Gfx11);
const G940: Variants = Variants::G940;
const NONE: Variants = Variants::empty();

const G8_11: Variants = gens(Gen::Gfx8, Gen::Gfx11);

/// The words in the order in which they are printed. The scalar loads of gfx6 and gfx7 have none.
#[rustfmt::skip]
pub static FLAGS: &[Flag] = &[
    //                             scalar           vector
    Flag { name: "glc", bit: 1,  scalar: G8_11,  vector: TO_11_BUT_940 },
    Flag { name: "sc0", bit: 1,  scalar: NONE,   vector: G940 },
    Flag { name: "slc", bit: 2,  scalar: NONE,   vector: TO_11_BUT_940 },
    Flag { name: "nt",  bit: 2,  scalar: NONE,   vector: G940 },
    Flag { name: "dlc", bit: 4,  scalar: G10_11, vector: G10_11 },
    Flag { name: "scc", bit: 16, scalar: NONE,   vector: Variants::G90A },
    Flag { name: "sc1", bit: 16, scalar: NONE,   vector: G940 },
];

impl Flag {
    /// Where an instruction of this kind has the word.
    #[must_use]
    pub fn on(&self, usage: Use) -> Variants {
        if usage.scalar { self.scalar } else { self.vector }
    }
}

/// The bit of glc and sc0.
pub const GLC: u32 = 1;

/// The temporal hints of loads and stores; `None` where the kind has no such name.
#[rustfmt::skip]
pub static HINTS: &[Hint] = &[
    //                       load  store
    hint("RT",       0,      true, true),
    hint("NT",       1,      true, true),
    hint("HT",       2,      true, true),
    hint("LU",       3,      true, false),
    hint("RT_WB",    3,      false, true),
    hint("BYPASS",   BYPASS, true, true),
    hint("NT_RT",    4,      true, true),
    hint("RT_NT",    5,      true, true),
    hint("NT_HT",    6,      true, true),
    hint("NT_WB",    7,      false, true),
];

/// The temporal hints of atomics: 1 is return, 2 non-temporal, 4 cascade.
#[rustfmt::skip]
pub static ATOMIC_HINTS: &[(&str, u32)] = &[
    ("RT",         0),
    ("RETURN",     1),
    ("RT_RETURN",  1),
    ("NT",         2),
    ("NT_RETURN",  3),
    ("CASCADE_RT", 4),
    ("CASCADE_NT", 6),
];

/// Hint 3 of a load or store is "bypass" with the system's scope, and something else with the others.
pub const BYPASS: u32 = 3;
/// The bit of an atomic's hint by which it returns the old value.
pub const ATOMIC_RETURN: u32 = 1;

/// A temporal hint of loads or stores.
#[derive(Debug, PartialEq, Eq)]
pub struct Hint {
    /// What stands behind `TH_LOAD_` or `TH_STORE_`.
    pub name: &'static str,
    /// Its number.
    pub value: u32,
    /// Whether loads have it.
    pub load: bool,
    /// Whether stores have it.
    pub store: bool,
}

const fn hint(name: &'static str, value: u32, load: bool, store: bool) -> Hint {
    Hint { name, value, load, store }
}

/// The scopes: the row is the number.
pub static SCOPES: [&str; 4] = ["SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"];
/// The scope of the device.
pub const SCOPE_DEV: u32 = 2;
/// The scope of the system.
pub const SCOPE_SYS: u32 = 3;

/// Packs a hint and a scope.
#[must_use]
pub const fn pack(hint: u32, scope: u32) -> u32 {
    hint & 7 | (scope & 3) << 3
}

/// Appends the words, each with a space before it.
pub fn print(value: u32, usage: Use, target: &Target, out: &mut Vec<u8>) {
    if target.generation() == Gen::Gfx12 {
        let (hint, scope) = (value & 7, value >> 3 & 3);
        if hint != 0 {
            push_str(out, " th:");
            print_hint(hint, scope, usage, out);
        }
        if scope != 0 {
            push_str(out, " scope:");
            push_str(out, SCOPES[scope as usize]);
        }
        return;
    }
    // A bit is printed by its name even where the assembler does not take it (slc of a scalar load).
    for flag in FLAGS.iter().filter(|f| value & f.bit != 0) {
        let on = match (usage.scalar, flag.name) {
            (true, "glc") => TO_11,
            (true, "sc0") => NONE,
            _ => flag.vector,
        };
        if target.is(on) {
            out.push(b' ');
            push_str(out, flag.name);
        }
    }
}

fn print_hint(hint: u32, scope: u32, usage: Use, out: &mut Vec<u8>) {
    let name = match usage.access {
        Access::Atomic => {
            push_str(out, "TH_ATOMIC_");
            match hint {
                1 => Some("RETURN"),
                2 => Some("NT"),
                3 => Some("NT_RETURN"),
                4 | 5 if scope >= SCOPE_DEV => Some("CASCADE_RT"),
                6 | 7 if scope >= SCOPE_DEV => Some("CASCADE_NT"),
                _ => None,
            }
        }
        kind => {
            let store = kind == Access::Store;
            let found = HINTS.iter().find(|h| {
                let kind = if store { h.store } else { h.load };
                let bypass = h.name == "BYPASS";
                kind && h.value == hint && (hint != BYPASS || bypass == (scope == SCOPE_SYS))
            });
            if found.is_some() {
                push_str(out, if store { "TH_STORE_" } else { "TH_LOAD_" });
            }
            found.map(|h| h.name)
        }
    };
    match name {
        Some(name) => push_str(out, name),
        None => push_hex(out, u64::from(hint)),
    }
}
