//! Profiles: which rows programs are made of.

use crate::isa::does::{Control, Does, Idle, Lanes};
use crate::isa::form::{Form, Variant};
use crate::isa::row::{Family, Inst};
use crate::isa::rules;
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
    /// Loads, stores, atomics and samples of images.
    Image,
    /// Exports, and the interpolation of parameters in LDS.
    Export,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 6] =
        [Profile::Alu, Profile::Memory, Profile::Lanes, Profile::Control, Profile::Image, Profile::Export];

    /// `alu`
    #[must_use]
    pub fn name(self) -> &'static str {
        ["alu", "memory", "lanes", "control", "image", "export"][self as usize]
    }

    /// Whether instructions of a form are drawn for their own sake.
    #[must_use]
    pub fn takes(self, form: &Form) -> bool {
        use Family::*;
        let family = form.row.family;
        match self {
            Profile::Alu => match family {
                Sop1 | Sop2 | Sopk | Sopc => settled(form.row),
                Sopp => matches!(form.row.does, Does::Control(Control::RoundMode | Control::DenormMode)),
                Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd => settled(form.row) && !together(form),
                _ => false,
            },
            Profile::Lanes => match family {
                Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vinterp => settled(form.row) && together(form),
                _ => false,
            },
            Profile::Memory => super::memory::takes(form),
            Profile::Image => super::image::takes(form),
            Profile::Export => super::export::takes(form),
            Profile::Control => matches!(family, Sopc | Vopc) && settled(form.row) && !together(form),
        }
    }
}

/// Whether an instruction looks at more lanes than its own.
fn together(form: &Form) -> bool {
    let crosses = match form.row.does {
        Does::Lanes(lanes) => lanes.crosses(),
        Does::Product(_) => true,
        _ => rules::counts_lanes(form.row),
    };
    matches!(form.variant, Variant::Dpp | Variant::Dpp8) || form.row.family == Family::Vinterp || crosses
}

/// Whether an instruction stays in its place, and means the same at all times: no jumps, no clocks, no registers chosen at run time.
fn settled(row: &Inst) -> bool {
    match row.does {
        Does::Control(control) => {
            matches!(control, Control::GetReg | Control::SetReg | Control::RoundMode | Control::DenormMode)
        }
        Does::Idle(idle) => idle == Idle::Nop,
        Does::Lanes(Lanes::MoveRelative { .. }) => false,
        Does::Across(_) | Does::Unknown(_) => false,
        _ => true,
    }
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
