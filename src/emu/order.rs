//! The order of what the machine may do in any order.
//!
//! Nothing says which wave of a group runs first, which lane of a store wins where several write a byte, or in which order atomics of lanes come.
//! What a program leaves otherwise in another order depends on chance: it has a race.

/// The order of waves and lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Shuffles the order in which the waves of a group run, in the same way for the same seed.
    pub shuffle: Option<u64>,
    /// In which order the lanes of a memory instruction come.
    pub turns: Turns,
}

/// In which order the lanes of a memory instruction take their turns: from the lowest, unless it is said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// From the highest.
    pub down: bool,
    /// Lanes whose numbers have this lowest bit come behind the others.
    pub last: Option<u32>,
}

impl Turns {
    /// From the highest lane to the lowest.
    pub const DOWN: Turns = Turns { down: true, last: None };

    /// All orders but the usual one. Of up to four neighbours that write a byte, each wins in one of them or in the usual one.
    pub const OTHERS: [Turns; 5] = [
        Turns::DOWN,
        Turns { down: false, last: Some(0) },
        Turns { down: false, last: Some(1) },
        Turns { down: true, last: Some(0) },
        Turns { down: true, last: Some(1) },
    ];

    /// Some lanes in this order.
    #[must_use]
    pub fn of(self, lanes: u64) -> Vec<u32> {
        let mut all: Vec<u32> = (0..64).filter(|lane| lanes >> lane & 1 != 0).collect();
        all.sort_by_key(|lane| (Some(lane & 1) == self.last, if self.down { !lane } else { *lane }));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn every_one_of_four_neighbours_is_once_the_last() {
        for first in 0..8 {
            let neighbours = 15 << first;
            let orders = [Turns::default()].into_iter().chain(Turns::OTHERS);
            let mut last: Vec<u32> = orders.filter_map(|turns| turns.of(neighbours).last().copied()).collect();
            last.sort_unstable();
            last.dedup();
            assert_eq!(last, [first, first + 1, first + 2, first + 3]);
        }
        assert_eq!(Turns::DOWN.of(1 << 63 | 6), [63, 2, 1]);
    }
}
