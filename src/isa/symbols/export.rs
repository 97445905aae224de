//! `mrt0`, `pos1`, `param31`: the targets of `exp`.

use super::gens;
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::text::{push_str, push_udec};

/// A row of targets: `name` alone, or `name` and an index.
#[derive(Debug, PartialEq, Eq)]
pub struct Targets {
    /// The name before the index.
    pub name: &'static str,
    /// The number of the first.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// Whether the text has an index.
    pub indexed: bool,
    /// Where they exist.
    pub on: Variants,
}

const fn row(name: &'static str, first: u32, count: u32, indexed: bool, on: Variants) -> Targets {
    Targets { name, first, count, indexed, on }
}

const ALL: Variants = Variants::all();
const TO_10: Variants = gens(Gen::Gfx6, Gen::Gfx10);
const FROM_10: Variants = gens(Gen::Gfx10, Gen::Gfx12);
const FROM_11: Variants = gens(Gen::Gfx11, Gen::Gfx12);

/// The targets. `pos4` has a row of its own, since it came later than the others.
#[rustfmt::skip]
pub static TARGETS: &[Targets] = &[
    row("mrt",             0,  8, true,  ALL),
    row("mrtz",            8,  1, false, ALL),
    row("null",            9,  1, false, TO_10),
    row("pos",            12,  4, true,  ALL),
    row("pos",            16,  1, true,  FROM_10),
    row("prim",           20,  1, false, FROM_10),
    row("dual_src_blend", 21,  2, true,  FROM_11),
    row("param",          32, 32, true,  TO_10),
];

impl Targets {
    /// The index that the first of them is written with.
    #[must_use]
    pub fn base(&self) -> u32 {
        if self.name == "pos" { self.first - 12 } else { 0 }
    }
}

/// Whether a processor has a target of that number.
#[must_use]
pub fn is_valid(value: u32, target: &Target) -> bool {
    TARGETS.iter().any(|t| target.is(t.on) && value.wrapping_sub(t.first) < t.count)
}

/// The target of a name, wherever it exists.
#[must_use]
pub fn find(name: &str) -> Option<u32> {
    TARGETS.iter().find_map(|t| {
        let index = name.strip_prefix(t.name)?;
        if !t.indexed {
            return index.is_empty().then_some(t.first);
        }
        let plain = index.len() == 1 || !index.starts_with('0');
        let index = index.parse::<u32>().ok().filter(|_| plain && index.bytes().all(|b| b.is_ascii_digit()))?;
        index.checked_sub(t.base()).filter(|n| *n < t.count).map(|n| t.first + n)
    })
}

/// The name of a target, wherever it exists; `invalid_target_N` of what is none.
#[must_use]
pub fn name_of(value: u32) -> String {
    let Some(t) = TARGETS.iter().find(|t| value.wrapping_sub(t.first) < t.count) else {
        return format!("invalid_target_{value}");
    };
    if t.indexed { format!("{}{}", t.name, value - t.first + t.base()) } else { t.name.to_owned() }
}

/// Appends the name of a target, `invalid_target_N` where it has none; the assembler does not take that one back.
pub fn print(value: u32, target: &Target, out: &mut Vec<u8>) {
    let value = value & 0x3f;
    let row = TARGETS.iter().find(|t| target.is(t.on) && value.wrapping_sub(t.first) < t.count);
    match row {
        Some(t) => {
            push_str(out, t.name);
            if t.indexed {
                push_udec(out, u64::from(value - t.first + t.base()));
            }
        }
        None => {
            push_str(out, "invalid_target_");
            push_udec(out, u64::from(value));
        }
    }
}
