//! The order of what the machine may do in any order.
//!
//! Nothing says which wave of a group runs first, which lane of a store wins where several write a byte, or in which order atomics of lanes come.
//! What a program leaves otherwise in another order depends on chance: it has a race.
//!
//! Usually a wave keeps its turn until it waits, ends or traps, and lanes come from the lowest. [`Turns::OTHERS`] and [`Order::OTHER_WAVES`] are the
//! orders that are tried when races are looked for. They are a sample: what leaves the same in all of them may still have a race.

use std::fmt;

/// The order of waves and lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Shuffles the order in which the waves of a group run, in the same way for the same seed.
    pub shuffle: Option<u64>,
    /// In which order the waves of a group come, and when the next one does.
    pub waves: Waves,
    /// In which order the lanes of a memory instruction come.
    pub turns: Turns,
}

/// In which order the waves of a group take their turns, and how long a turn is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waves {
    /// From the last to the first.
    pub down: bool,
    /// The most instructions of a turn; without it a wave goes on until it waits, ends or traps.
    pub slice: Option<u64>,
}

impl Order {
    /// Other orders of waves. In the first one whoever was before another is behind it; then waves go side by side, one instruction each, so that
    /// what one reads, changes and writes back meets what another does in between; the last ones are mixed.
    pub const OTHER_WAVES: [Order; 6] = [
        Order::of_waves(None, true, None),
        Order::of_waves(None, false, Some(1)),
        Order::of_waves(None, true, Some(1)),
        Order::of_waves(Some(1), false, None),
        Order::of_waves(Some(2), false, Some(3)),
        Order::of_waves(Some(3), false, Some(7)),
    ];

    const fn of_waves(shuffle: Option<u64>, down: bool, slice: Option<u64>) -> Order {
        Order { shuffle, waves: Waves { down, slice }, turns: Turns { down: false, last: None } }
    }
}

/// As the options of the command line that ask for it.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shuffle = self.shuffle.map(|seed| format!("--shuffle {seed}"));
        let slice = self.waves.slice.map(|steps| format!("--slice {steps}"));
        let down = self.waves.down.then(|| "--reverse-waves".to_owned());
        let lanes = self.turns.down.then(|| "--reverse".to_owned());
        let all: Vec<String> = [shuffle, down, slice, lanes].into_iter().flatten().collect();
        f.write_str(&all.join(" "))
    }
}

/// In which order the lanes of a memory instruction take their turns: from the lowest, unless it is said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// From the highest.
    pub down: bool,
    /// Lanes come behind the others whose number, under the mask that stands first, is what stands second.
    pub last: Option<(u32, u32)>,
}

impl Turns {
    /// From the highest lane to the lowest.
    pub const DOWN: Turns = Turns { down: true, last: None };

    /// All orders but the usual one. Of up to four neighbours that write a byte, each wins in one of them or in the usual one.
    pub const OTHERS: [Turns; 5] = [
        Turns::DOWN,
        Turns { down: false, last: Some((1, 0)) },
        Turns { down: false, last: Some((1, 1)) },
        Turns { down: true, last: Some((1, 0)) },
        Turns { down: true, last: Some((1, 1)) },
    ];

    /// [`Turns::OTHERS`], and orders in each of which another lane comes last: whichever lanes write a byte, each of them
    /// wins in one.
    pub fn all(lanes: u32) -> impl Iterator<Item = Turns> {
        let each = (0..lanes).map(|lane| Turns { down: false, last: Some((u32::MAX, lane)) });
        Turns::OTHERS.into_iter().chain(each)
    }

    /// Some lanes in this order.
    #[must_use]
    pub fn of(self, lanes: u64) -> Vec<u32> {
        let mut all: Vec<u32> = (0..64).filter(|lane| lanes >> lane & 1 != 0).collect();
        let is_last = |lane: u32| self.last.is_some_and(|(mask, bits)| lane & mask == bits);
        all.sort_by_key(|lane| (is_last(*lane), if self.down { !lane } else { *lane }));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Order, Turns};

    #[test]
    fn orders_of_waves_are_others_and_have_options() {
        for (n, order) in Order::OTHER_WAVES.iter().enumerate() {
            assert_ne!(*order, Order::default());
            assert!(!Order::OTHER_WAVES[..n].contains(order), "{order} stands there twice");
            assert_eq!(order.turns, Turns::default(), "lanes have orders of their own");
        }
        assert_eq!(Order::OTHER_WAVES[2].to_string(), "--reverse-waves --slice 1");
        assert_eq!(Order::default().to_string(), "");
    }

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
        let last: Vec<_> = Turns::all(32).skip(Turns::OTHERS.len()).map(|turns| turns.of(u64::MAX)[63]).collect();
        assert_eq!(last, (0..32).collect::<Vec<_>>());
    }
}
