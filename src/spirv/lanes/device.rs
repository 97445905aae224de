//! How a wave of 32 or 64 lanes can be laid over a device's invocations, and what is missing where it can not.

use super::Model;
use crate::vulkan::caps::Caps;

/// What a lane model needs and a device lacks: `subgroups of at most 32 (has 64)`.
pub type Lack = String;

impl Caps {
    /// What the device lacks for waves of so many lanes; nothing if it can take the model.
    #[must_use]
    pub fn model_lacks(&self, model: Model, lanes: u32) -> Vec<Lack> {
        let mut lacks = Vec::new();
        if model == Model::Subgroup {
            if self.subgroup_for(lanes).is_none() {
                let s = &self.subgroup;
                let has = if s.min == s.max { s.min.to_string() } else { format!("{} to {}", s.min, s.max) };
                let size = if s.min == s.max || s.control { "at most" } else { "a chosen size up to" };
                lacks.push(format!("subgroups of {size} {lanes} (has {has})"));
            }
            let s = &self.subgroup;
            for (has, what) in
                [(s.full, "full subgroups"), (s.ballot, "ballot in subgroups"), (s.shuffle, "shuffle in subgroups")]
            {
                if !has {
                    lacks.push(what.to_owned());
                }
            }
        }
        if model == Model::Workgroup && self.limits.group_invocations.min(self.limits.group_size[0]) < lanes {
            lacks.push(format!("work groups of {lanes} (has {})", self.limits.group_invocations));
        }
        if model != Model::Serial && self.limits.shared_bytes == 0 {
            lacks.push("shared memory".to_owned());
        }
        lacks
    }

    /// The fastest model that the device takes for waves of so many lanes.
    #[must_use]
    pub fn best_model(&self, lanes: u32) -> Model {
        Model::ALL.into_iter().find(|model| self.model_lacks(*model, lanes).is_empty()).unwrap_or(Model::Serial)
    }
}
