//! How a wave of 32 or 64 lanes can be laid over a device's invocations, and what is missing where it can not.

use super::Caps;

/// How lanes of a wave become invocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneModel {
    /// A subgroup is a wave: cross-lane operations are the device's own.
    Subgroup,
    /// A work group, or a part of it, is a wave: cross-lane values pass through shared memory.
    Workgroup,
    /// One invocation is a wave: lanes are elements of arrays.
    Serial,
}

/// What a lane model needs and a device lacks: `subgroups of 64 (has 8)`.
pub type Lack = String;

impl LaneModel {
    /// All of them, the fastest first.
    pub const ALL: [LaneModel; 3] = [LaneModel::Subgroup, LaneModel::Workgroup, LaneModel::Serial];

    /// `subgroup`
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LaneModel::Subgroup => "subgroup",
            LaneModel::Workgroup => "workgroup",
            LaneModel::Serial => "serial",
        }
    }

    /// What a device lacks for waves of so many lanes; nothing if it can take the model.
    #[must_use]
    pub fn lacks(self, caps: &Caps, lanes: u32) -> Vec<Lack> {
        let mut lacks = Vec::new();
        match self {
            LaneModel::Subgroup => {
                let Subgroups { fixed, chosen } = Subgroups::of(caps, lanes);
                if !fixed && !chosen {
                    let has = if caps.subgroup.min == caps.subgroup.max {
                        caps.subgroup.size.to_string()
                    } else {
                        format!("{} to {}", caps.subgroup.min, caps.subgroup.max)
                    };
                    lacks.push(format!("subgroups of {lanes} (has {has})"));
                }
                for (has, what) in [(caps.subgroup.ballot, "ballot"), (caps.subgroup.shuffle, "shuffle")] {
                    if !has {
                        lacks.push(format!("{what} in subgroups"));
                    }
                }
            }
            LaneModel::Workgroup => {
                if caps.limits.group_invocations < lanes || caps.limits.group_size[0] < lanes {
                    lacks.push(format!("work groups of {lanes} (has {})", caps.limits.group_invocations));
                }
                if caps.limits.shared_bytes == 0 {
                    lacks.push("shared memory".to_owned());
                }
            }
            LaneModel::Serial => {}
        }
        lacks
    }

    /// The fastest model that a device takes for waves of so many lanes.
    #[must_use]
    pub fn best(caps: &Caps, lanes: u32) -> LaneModel {
        LaneModel::ALL.into_iter().find(|model| model.lacks(caps, lanes).is_empty()).unwrap_or(LaneModel::Serial)
    }
}

/// How a subgroup gets to a size.
struct Subgroups {
    /// It has no other.
    fixed: bool,
    /// A pipeline can ask for it.
    chosen: bool,
}

impl Subgroups {
    fn of(caps: &Caps, lanes: u32) -> Subgroups {
        let s = &caps.subgroup;
        Subgroups {
            fixed: s.size == lanes && s.min == lanes && s.max == lanes,
            chosen: s.control && (s.min..=s.max).contains(&lanes),
        }
    }
}
