//! The figures of block codings as words: for engines that decode blocks by themselves, on a device.

use super::partitions::{ANCHOR_THIRD, ANCHOR_THREE, ANCHOR_TWO, THREE, TWO, WEIGHTS_2, WEIGHTS_3, WEIGHTS_4};
use super::{bc6, bc7};

/// A mode of BC7: counts of bits, in the order in which they stand in a block.
#[derive(Clone, Copy, Debug)]
pub struct ModeOf7 {
    /// Subsets; bits of the partition, the rotation and the selection; bits of a colour and of alpha; bits of an index and of the second one.
    pub counts: [u32; 8],
    /// A lowest bit for each end point.
    pub each_end: bool,
    /// A lowest bit for each subset.
    pub each_subset: bool,
}

/// A mode of BC6.
#[derive(Clone, Debug)]
pub struct ModeOf6 {
    /// Two bits below 2, else five.
    pub number: u32,
    /// End points behind the first are differences to it.
    pub differences: bool,
    /// Subsets.
    pub subsets: u32,
    /// Bits of an end point.
    pub width: u32,
    /// Bits of what is given of those behind the first, for each component.
    pub given: [u32; 3],
    /// In the order of the block: the component of an end point (three of the first, and so on), its bits from the one to the other. Where
    /// the first is the lower one, they stand in reverse.
    pub fields: &'static [(usize, u32, u32)],
}

/// Which texels are in the second of two subsets, a bit each; and in which of three, two bits each.
#[must_use]
pub fn partitions() -> [[u32; 64]; 2] {
    [TWO.map(u32::from), THREE]
}

/// The anchors of a partition: of the second of two, of the second and of the third of three subsets.
#[must_use]
pub fn anchors(partition: usize) -> [u32; 3] {
    [ANCHOR_TWO, ANCHOR_THREE, ANCHOR_THIRD].map(|of| of[partition].into())
}

/// Weights of the second end point by the bits of an index: of two, of three and of four bits, one behind the other.
#[must_use]
pub fn weights() -> Vec<u32> {
    let all = WEIGHTS_2.iter().chain(&WEIGHTS_3).chain(&WEIGHTS_4);
    all.map(|weight| *weight as u32).collect()
}

/// The modes of BC7: the row is the number of zeros before the first one.
#[must_use]
pub fn modes_of_7() -> [ModeOf7; 8] {
    bc7::modes()
}

/// The modes of BC6.
#[must_use]
pub fn modes_of_6() -> Vec<ModeOf6> {
    bc6::modes()
}
