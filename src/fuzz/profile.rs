//! Profiles: which rows programs are made of.

use crate::isa::form::{Form, Variant};
use crate::isa::row::Family;
use std::fmt;
use std::str::FromStr;

/// What programs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Arithmetic of scalars and of lanes on their own.
    Alu,
    /// Loads, stores and atomics.
    Memory,
    /// What lanes do together: DPP, permutations, single lanes, matrices, and EXEC.
    Lanes,
    /// Branches, loops, masks of nested conditions.
    Control,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 4] = [Profile::Alu, Profile::Memory, Profile::Lanes, Profile::Control];

    /// `alu`
    #[must_use]
    pub fn name(self) -> &'static str {
        ["alu", "memory", "lanes", "control"][self as usize]
    }

    /// Whether instructions of a form are drawn for their own sake.
    #[must_use]
    pub fn takes(self, form: &Form) -> bool {
        use Family::*;
        let family = form.row.family;
        match self {
            Profile::Alu => match family {
                Sop1 | Sop2 | Sopk | Sopc => settled(form.row.name),
                Sopp => matches!(form.row.name, "s_round_mode" | "s_denorm_mode"),
                Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd => settled(form.row.name) && !together(form),
                _ => false,
            },
            Profile::Lanes => match family {
                Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vinterp => settled(form.row.name) && together(form),
                _ => false,
            },
            Profile::Memory => super::memory::takes(form),
            Profile::Control => matches!(family, Sopc | Vopc) && settled(form.row.name) && !together(form),
        }
    }
}

/// Whether an instruction looks at more lanes than its own.
fn together(form: &Form) -> bool {
    let name = form.row.name;
    let crossing = ["v_readlane", "v_readfirstlane", "v_writelane", "v_permlane", "v_wmma", "v_swmmac", "v_mbcnt"];
    matches!(form.variant, Variant::Dpp | Variant::Dpp8)
        || form.row.family == Family::Vinterp
        || crossing.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether an instruction stays in its place, and means the same at all times: no jumps, no clocks, no registers chosen at run time.
fn settled(name: &str) -> bool {
    let out = [
        "s_setpc",
        "s_swappc",
        "s_getpc",
        "s_rfe",
        "s_call",
        "s_cbranch",
        "s_subvector",
        "s_movrel",
        "v_movrel",
        "s_set_gpr",
        "s_setvskip",
        "s_sendmsg",
        "s_barrier",
        "s_get_barrier",
        "s_sleep",
        "s_wakeup",
        "s_waitcnt",
        "s_alloc",
        "s_trap",
        "s_version",
        "s_get_waveid",
    ];
    !out.iter().any(|prefix| name.starts_with(prefix))
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Profile, String> {
        let names = || Profile::ALL.map(Profile::name).join(", ");
        Profile::ALL.into_iter().find(|p| p.name() == text).ok_or_else(|| format!("profiles are {}", names()))
    }
}
