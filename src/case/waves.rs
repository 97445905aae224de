//! The waves of a dispatch, by number: worked out where they are asked for, so that a million of them take no memory.
//!
//! Groups are counted x fastest, and the waves of a group one behind the other. A group at the edge of the grid may be smaller than the others, and then
//! has fewer waves; in each dimension only the last one can be. So there are eight kinds of groups, and how many waves stand before a group
//! follows from how many groups of each kind do.

use super::{MAX_GROUP, MAX_WAVES};

/// One wave of the dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wave {
    /// Its number in the dispatch.
    pub number: u32,
    /// Its group.
    pub group: [u32; 3],
    /// Its number in the group.
    pub index: u32,
    /// The sizes of its group, which are smaller at the edge of the grid.
    pub size: [u32; 3],
}

impl Wave {
    /// How many lanes carry a work-item.
    #[must_use]
    pub fn lanes(&self, wave_size: u32) -> u32 {
        let items: u32 = self.size.iter().product();
        items.saturating_sub(self.index.saturating_mul(wave_size)).min(wave_size)
    }
}

/// All waves of a dispatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waves {
    /// Groups in each dimension.
    groups: [u32; 3],
    /// The sizes of a whole group.
    size: [u32; 3],
    /// The sizes of the last group in each dimension.
    last: [u32; 3],
    wave_size: u32,
    /// Waves of a group: first of a whole one, then of one that is the last in x; by y, by z.
    of_group: [[[u32; 2]; 2]; 2],
    /// Waves of a row of groups; by y, by z.
    of_row: [[u32; 2]; 2],
    /// Waves of a layer of groups; by z.
    of_layer: [u32; 2],
    count: u32,
}

impl Waves {
    /// The waves of a grid; `None` if there are too many, or none.
    #[must_use]
    pub fn new(grid: [u32; 3], group: [u32; 3], wave_size: u32) -> Option<Waves> {
        if Waves::count(grid, group, wave_size).is_none_or(|count| !(1..=MAX_WAVES).contains(&count)) {
            return None;
        }
        let groups = [0, 1, 2].map(|i| grid[i].div_ceil(group[i]));
        let last = [0, 1, 2].map(|i| grid[i] - (groups[i] - 1) * group[i]);
        let side = |i: usize, edge: usize| if edge == 1 { last[i] } else { group[i] };
        let waves = |x, y, z| (side(0, x) * side(1, y) * side(2, z)).div_ceil(wave_size);
        let of_group = [0, 1].map(|z| [0, 1].map(|y| [0, 1].map(|x| waves(x, y, z))));
        let of_row = of_group.map(|layer| layer.map(|[whole, last]| whole * (groups[0] - 1) + last));
        let of_layer = of_row.map(|[whole, last]| whole * (groups[1] - 1) + last);
        let count = of_layer[0] * (groups[2] - 1) + of_layer[1];
        Some(Waves { groups, size: group, last, wave_size, of_group, of_row, of_layer, count })
    }

    /// How many waves a grid would have if all its groups were whole; `None` if a group is empty or too large, or the number.
    pub(super) fn count(grid: [u32; 3], group: [u32; 3], wave_size: u32) -> Option<u64> {
        let product = |sizes: [u32; 3]| sizes.iter().try_fold(1u64, |all, n| all.checked_mul(u64::from(*n)));
        let items = product(group).filter(|n| (1..=MAX_GROUP).contains(n))?;
        product([0, 1, 2].map(|i| grid[i].div_ceil(group[i])))?.checked_mul(items.div_ceil(u64::from(wave_size)))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Never: a dispatch has a wave.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many groups there are.
    #[must_use]
    pub fn groups(&self) -> u64 {
        self.groups.iter().map(|n| u64::from(*n)).product()
    }

    /// The wave with a number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Wave> {
        let number = u32::try_from(number).ok().filter(|number| *number < self.count)?;
        // Nearly all cases have one group.
        if self.groups == [1; 3] {
            return Some(Wave { number, group: [0; 3], index: number, size: self.last });
        }
        let (z, at, edge_z) = split(number, self.of_layer[0], self.groups[2]);
        let (y, at, edge_y) = split(at, self.of_row[edge_z][0], self.groups[1]);
        let (x, index, _) = split(at, self.of_group[edge_z][edge_y][0], self.groups[0]);
        let group = [x, y, z];
        Some(Wave { number, group, index, size: self.size_of(group) })
    }

    /// The wave of a group with a number in it.
    #[must_use]
    pub fn find(&self, group: [u32; 3], index: u32) -> Option<Wave> {
        if group.iter().zip(self.groups).any(|(at, count)| *at >= count) {
            return None;
        }
        let [edge_x, edge_y, edge_z] = [0, 1, 2].map(|i| usize::from(group[i] + 1 == self.groups[i]));
        let [x, y, z] = group;
        let row = z * self.of_layer[0] + y * self.of_row[edge_z][0];
        let number = row + x * self.of_group[edge_z][edge_y][0] + index;
        (index < self.of_group[edge_z][edge_y][edge_x]).then(|| Wave {
            number,
            group,
            index,
            size: self.size_of(group),
        })
    }

    /// How many waves a group has.
    #[must_use]
    pub fn of_group(&self, group: [u32; 3]) -> u32 {
        self.size_of(group).iter().product::<u32>().div_ceil(self.wave_size)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Wave> + Clone + '_ {
        (0..self.len()).filter_map(|number| self.get(number))
    }

    /// The first wave of each group, in order.
    pub fn firsts(&self) -> impl Iterator<Item = Wave> + '_ {
        let [x, y, _] = self.groups.map(u64::from);
        (0..self.groups()).filter_map(move |n| self.find([(n % x) as u32, (n / x % y) as u32, (n / x / y) as u32], 0))
    }

    /// The most lanes of a wave that carry a work-item.
    #[must_use]
    pub fn lanes(&self) -> u32 {
        self.size.iter().product::<u32>().min(self.wave_size)
    }

    fn size_of(&self, group: [u32; 3]) -> [u32; 3] {
        [0, 1, 2].map(|i| if group[i] + 1 == self.groups[i] { self.last[i] } else { self.size[i] })
    }
}

impl<'w> IntoIterator for &'w Waves {
    type Item = Wave;
    type IntoIter = Box<dyn Iterator<Item = Wave> + 'w>;

    fn into_iter(self) -> Box<dyn Iterator<Item = Wave> + 'w> {
        Box::new(self.iter())
    }
}

/// Which of so many parts a number lies in, where all but the last have a size; its place there; and 1 if it is the last part.
fn split(number: u32, size: u32, count: u32) -> (u32, u32, usize) {
    let part = (number / size).min(count - 1);
    (part, number - part * size, usize::from(part + 1 == count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Group by group, as the hardware starts them.
    fn listed(grid: [u32; 3], group: [u32; 3], wave_size: u32) -> Vec<Wave> {
        let groups = [0, 1, 2].map(|i| grid[i].div_ceil(group[i]));
        let mut all = Vec::new();
        for z in 0..groups[2] {
            for y in 0..groups[1] {
                for x in 0..groups[0] {
                    let at = [x, y, z];
                    let size = [0, 1, 2].map(|i| group[i].min(grid[i] - at[i] * group[i]));
                    for index in 0..size.iter().product::<u32>().div_ceil(wave_size) {
                        all.push(Wave { number: all.len() as u32, group: at, index, size });
                    }
                }
            }
        }
        all
    }

    #[test]
    fn they_are_those_that_a_list_would_have() {
        let mut seen = 0;
        for wave_size in [32, 64] {
            for grid in [[1, 1, 1], [100, 1, 1], [64, 3, 1], [65, 33, 3], [7, 130, 2], [96, 9, 5], [1, 1, 70]] {
                for group in
                    [[1, 1, 1], [32, 1, 1], [64, 1, 1], [96, 1, 1], [16, 16, 1], [8, 8, 4], [3, 5, 7], [1, 1, 64]]
                {
                    let (list, waves) =
                        (listed(grid, group, wave_size), Waves::new(grid, group, wave_size).expect("waves"));
                    assert_eq!(waves.iter().collect::<Vec<_>>(), list, "{grid:?} in {group:?}");
                    assert_eq!(waves.len(), list.len());
                    assert!(list.iter().all(|w| waves.find(w.group, w.index) == Some(*w)), "{grid:?} in {group:?}");
                    let firsts: Vec<Wave> = list.iter().filter(|w| w.index == 0).copied().collect();
                    assert_eq!(waves.firsts().collect::<Vec<_>>(), firsts);
                    assert_eq!(waves.get(list.len()), None);
                    let last = list.last().expect("a wave");
                    assert_eq!(waves.find(last.group, last.index + 1), None);
                    seen += list.len();
                }
            }
        }
        assert!(seen > 10_000, "{seen}");
    }

    #[test]
    fn too_many_are_refused() {
        assert!(Waves::new([1 << 26, 1, 1], [64, 1, 1], 64).is_some_and(|w| w.len() == 1 << 20));
        assert_eq!(Waves::new([1 << 26, 1, 1], [64, 1, 1], 32), None);
        assert_eq!(Waves::new([u32::MAX; 3], [1; 3], 32), None);
        assert_eq!(Waves::new([0, 1, 1], [64, 1, 1], 32), None);
        assert_eq!(Waves::new([1; 3], [0, 1, 1], 32), None);
        assert_eq!(Waves::new([1; 3], [1025, 1, 1], 32), None);
    }
}
