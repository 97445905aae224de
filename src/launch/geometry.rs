//! Grids, groups and waves: how many there are, and which work-items each has.
//!
//! Sizes of grids are in work-items, as in HSA. The last group of a dimension may be partial; its work-items are
//! numbered within its own size, so that its waves are full but for the last one.

use super::LaunchError;

/// The shape of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Geometry {
    /// Work-items in every dimension.
    pub grid: [u32; 3],
    /// Work-items of a full group in every dimension.
    pub group: [u32; 3],
    /// Lanes of a wave.
    pub wave_size: u32,
}

/// The most work-items of a group.
const MAX_GROUP: u32 = 1024;

/// The most groups.
const MAX_GROUPS: u64 = 1 << 48;

impl Geometry {
    /// Checks the sizes.
    ///
    /// # Errors
    /// A size is zero, a group has more than 1024 work-items, or there are more than 2^48 groups.
    pub fn new(grid: [u32; 3], group: [u32; 3], wave_size: u32) -> Result<Geometry, LaunchError> {
        let bad = |what, size, problem: &str| Err(LaunchError::Size { what, size, problem: problem.to_owned() });
        if grid.contains(&0) {
            return bad("the grid", grid, "no size may be zero");
        }
        if group.contains(&0) {
            return bad("the group", group, "no size may be zero");
        }
        let items = group.iter().try_fold(1u32, |product, &size| product.checked_mul(size));
        if items.is_none_or(|items| items > MAX_GROUP) {
            return bad("the group", group, "a group has at most 1024 work-items");
        }
        let geometry = Geometry { grid, group, wave_size };
        let groups = geometry.groups().iter().try_fold(1u64, |product, &count| product.checked_mul(count.into()));
        if groups.is_none_or(|groups| groups > MAX_GROUPS) {
            return bad("the grid", grid, "too many groups");
        }
        Ok(geometry)
    }

    /// How many dimensions are used: 1 to 3.
    #[must_use]
    pub fn dimensions(&self) -> u32 {
        let used = |axis: usize| self.grid[axis] > 1 || self.group[axis] > 1;
        if used(2) {
            3
        } else if used(1) {
            2
        } else {
            1
        }
    }

    /// Groups in every dimension, with the partial ones.
    #[must_use]
    pub fn groups(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.grid[axis].div_ceil(self.group[axis]))
    }

    /// All groups.
    #[must_use]
    pub fn group_count(&self) -> u64 {
        self.groups().iter().map(|&count| u64::from(count)).product()
    }

    /// The group of a number. Groups are numbered x first, then y, then z.
    #[must_use]
    pub fn group_at(&self, index: u64) -> Option<[u32; 3]> {
        let [x, y, z] = self.groups().map(u64::from);
        let group = [index % x, index / x % y, index / x / y];
        (group[2] < z).then_some(group.map(|at| at as u32))
    }

    /// The number of a group; none if there is no such group.
    #[must_use]
    pub fn index_of(&self, group: [u32; 3]) -> Option<u64> {
        let groups = self.groups();
        let inside = (0..3).all(|axis| group[axis] < groups[axis]);
        let [x, y, z] = group.map(u64::from);
        inside.then(|| (z * u64::from(groups[1]) + y) * u64::from(groups[0]) + x)
    }

    /// All groups in their order.
    pub fn iter(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        (0..self.group_count()).filter_map(|index| self.group_at(index))
    }

    /// The size that a group really has: smaller at the end of the grid.
    #[must_use]
    pub fn size_of(&self, group: [u32; 3]) -> [u32; 3] {
        [0, 1, 2].map(|axis| {
            let before = u64::from(group[axis]) * u64::from(self.group[axis]);
            u64::from(self.grid[axis]).saturating_sub(before).min(self.group[axis].into()) as u32
        })
    }

    /// The work-items of a group.
    #[must_use]
    pub fn items_of(&self, group: [u32; 3]) -> u32 {
        self.size_of(group).iter().product()
    }

    /// The waves of a group.
    #[must_use]
    pub fn waves_of(&self, group: [u32; 3]) -> u32 {
        self.items_of(group).div_ceil(self.wave_size)
    }

    /// The waves of a full group.
    #[must_use]
    pub fn full_waves(&self) -> u32 {
        self.group.iter().product::<u32>().div_ceil(self.wave_size)
    }

    /// The lanes of a wave that have a work-item: lane l of wave w has the number w * wave size + l.
    #[must_use]
    pub fn live(&self, group: [u32; 3], wave: u32) -> u64 {
        let before = u64::from(wave) * u64::from(self.wave_size);
        let lanes = u64::from(self.items_of(group)).saturating_sub(before).min(self.wave_size.into());
        if lanes == 64 { u64::MAX } else { (1 << lanes) - 1 }
    }

    /// The work-item of a number in a group: x runs fastest, within the group's real size.
    #[must_use]
    pub fn item(&self, group: [u32; 3], number: u32) -> [u32; 3] {
        item(self.size_of(group), number)
    }
}

/// The work-item of a number in a group of this size: x runs fastest.
pub(super) fn item(size: [u32; 3], number: u32) -> [u32; 3] {
    let [x, y, _] = size.map(|size| size.max(1));
    [number % x, number / x % y, number / x / y]
}
