//! Names of atomic instructions: `family [stem] [rtn|src2] [type]`.
//!
//! Up to gfx10 memory atomics spell the type in the stem (`smin`) and the width as `_x2`; DS, and memory from gfx11, append a type
//! (`min_i32`). DS says `rtn` where the value before is returned, memory instructions have a bit for it.

use super::{Atomic, Op, Returns, Shape, Width};

/// Families whose atomics return by policy.
const MEMORY: [&str; 6] =
    ["buffer_atomic_", "flat_atomic_", "global_atomic_", "image_atomic_", "s_atomic_", "s_buffer_atomic_"];

/// The last part of a name: class, width.
#[rustfmt::skip]
const TYPES: &[(&str, char, Width)] = &[
    ("u32",  'u', Width::W32), ("u64", 'u', Width::W64), ("uint", 'u', Width::W32),
    ("i32",  'i', Width::W32), ("i64", 'i', Width::W64), ("int",  'i', Width::W32),
    ("b32",  'b', Width::W32), ("b64", 'b', Width::W64),
    ("f32",  'f', Width::W32), ("f64", 'f', Width::W64), ("flt",  'f', Width::W32),
    ("f16",  'h', Width::W32), ("bf16", 'e', Width::W32), ("x2",  '-', Width::W64),
];

/// The stem and the classes it goes with. `-`: a memory atomic without a type.
#[rustfmt::skip]
const STEMS: &[(&str, &str, Op)] = &[
    ("swap",      "-b", Op::Swap),     ("wrxchg",   "b",  Op::Swap),     ("storexchg", "b", Op::Swap),
    ("cmpswap",   "-b", Op::CmpSwap),  ("cmpst",    "b",  Op::CmpSwap),  ("cmpstore",  "b", Op::CmpSwap),
    ("fcmpswap",  "-",  Op::FCmpSwap), ("cmpswap",  "f",  Op::FCmpSwap), ("cmpst",     "f", Op::FCmpSwap), ("cmpstore", "f", Op::FCmpSwap),
    ("add",       "-u", Op::Add),      ("add",      "f",  Op::FAdd),
    ("sub",       "-u", Op::Sub),      ("rsub",     "-u", Op::RSub),     ("subrev",    "u", Op::RSub),
    ("smin",      "-",  Op::SMin),     ("min",      "i",  Op::SMin),     ("umin",      "-", Op::UMin),     ("min",      "u", Op::UMin),
    ("smax",      "-",  Op::SMax),     ("max",      "i",  Op::SMax),     ("umax",      "-", Op::UMax),     ("max",      "u", Op::UMax),
    ("and",       "-b", Op::And),      ("or",       "-b", Op::Or),       ("xor",      "-b", Op::Xor),
    ("inc",       "-u", Op::Inc),      ("dec",      "-u", Op::Dec),
    ("csub",      "-u", Op::SubClamp), ("sub_clamp", "u", Op::SubClamp), ("cond_sub",  "u", Op::CondSub),
    ("wrap",      "b",  Op::Wrap),     ("mskor",    "b",  Op::MskOr),    ("condxchg32", "b", Op::CondXchg),
    ("fmin",      "-",  Op::FMin),     ("min",      "f",  Op::FMin),     ("min_num",   "f", Op::FMinNum),
    ("fmax",      "-",  Op::FMax),     ("max",      "f",  Op::FMax),     ("max_num",   "f", Op::FMaxNum),
    ("pk_add",    "h",  Op::PkAddF16), ("pk_add",   "e",  Op::PkAddBf16),
];

fn find(stem: &str, class: char) -> Option<Op> {
    STEMS.iter().find(|(name, classes, _)| *name == stem && classes.contains(class)).map(|&(_, _, op)| op)
}

/// Splits the type off. Without one the class is `-`.
fn split(rest: &str) -> (&str, char, Width) {
    let with_type = rest.rsplit_once('_').and_then(|(stem, last)| {
        TYPES.iter().find(|(name, _, _)| *name == last).map(|&(_, class, width)| (stem, class, width))
    });
    with_type.unwrap_or((rest, '-', Width::W32))
}

pub(super) fn parse(name: &str) -> Option<Atomic> {
    if let Some(rest) = MEMORY.iter().find_map(|family| name.strip_prefix(family)) {
        let (stem, class, width) = split(rest);
        let op = find(stem, class)?;
        // The hardware returns whether asked or not, so that encodings must ask.
        let returns = if stem == "csub" { Returns::Always } else { Returns::Policy };
        return Some(Atomic { op, width, returns, shape: Shape::One, compare_first: false });
    }
    let rest = name.strip_prefix("ds_")?;
    let once =
        |op| Atomic { op, width: Width::W32, returns: Returns::Always, shape: Shape::Wave, compare_first: false };
    match rest {
        "append" => return Some(once(Op::Add)),
        "consume" => return Some(once(Op::Sub)),
        "write_src2_b32" | "write_src2_b64" => {
            let (_, _, width) = split(rest);
            let (op, returns, shape) = (Op::Swap, Returns::Never, Shape::Source);
            return Some(Atomic { op, width, returns, shape, compare_first: false });
        }
        _ => {}
    }
    let (stem, class, width) = split(rest);
    if class == '-' {
        return None;
    }
    let (stem, returns, shape) = match (stem.strip_suffix("_rtn"), stem.strip_suffix("_src2")) {
        (Some(stem), _) => (stem, Returns::Always, Shape::One),
        (None, Some(stem)) => (stem, Returns::Never, Shape::Source),
        (None, None) => (stem, Returns::Never, Shape::One),
    };
    let (stem, shape) = match stem {
        "wrxchg2" | "storexchg_2addr" => ("wrxchg", Shape::Two { stride64: false }),
        "wrxchg2st64" | "storexchg_2addr_stride64" => ("wrxchg", Shape::Two { stride64: true }),
        _ => (stem, shape),
    };
    let compare_first = stem == "cmpst";
    Some(Atomic { op: find(stem, class)?, width, returns, shape, compare_first })
}
