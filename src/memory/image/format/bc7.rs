//! BC7: eight modes of colours and alpha, exact by its specification.

use super::blocks::ModeOf7;
use super::partitions::{Bits, Division, interpolate};

/// How a mode uses its bits: counts of them, in the order in which they stand in a block.
struct Mode {
    subsets: u32,
    partition: u32,
    rotation: u32,
    selection: u32,
    color: u32,
    alpha: u32,
    /// A lowest bit of all components for each end point, or for both of a subset.
    each_end: bool,
    each_subset: bool,
    /// Of an index; the second one is there where colours and alpha have their own.
    index: u32,
    second: u32,
}

#[rustfmt::skip]
#[allow(clippy::too_many_arguments)]
const fn mode(subsets: u32, partition: u32, rotation: u32, selection: u32, color: u32, alpha: u32, each_end: bool, each_subset: bool, index: u32, second: u32) -> Mode {
    Mode { subsets, partition, rotation, selection, color, alpha, each_end, each_subset, index, second }
}

/// The row is the number of zeros before the first one.
#[rustfmt::skip]
static MODES: [Mode; 8] = [
    //   subsets, partition, rotation, selection, color, alpha, each_end, each_subset, index, second
    mode(3,       4,         0,        0,         4,     0,     true,     false,       3,     0),
    mode(2,       6,         0,        0,         6,     0,     false,    true,        3,     0),
    mode(3,       6,         0,        0,         5,     0,     false,    false,       2,     0),
    mode(2,       6,         0,        0,         7,     0,     true,     false,       2,     0),
    mode(1,       0,         2,        1,         5,     6,     false,    false,       2,     3),
    mode(1,       0,         2,        0,         7,     8,     false,    false,       2,     2),
    mode(1,       0,         0,        0,         7,     7,     true,     false,       4,     0),
    mode(2,       6,         0,        0,         5,     5,     true,     false,       2,     0),
];

/// The modes for others.
pub(super) fn modes() -> [ModeOf7; 8] {
    std::array::from_fn(|n| {
        let m = &MODES[n];
        let counts = [m.subsets, m.partition, m.rotation, m.selection, m.color, m.alpha, m.index, m.second];
        ModeOf7 { counts, each_end: m.each_end, each_subset: m.each_subset }
    })
}

/// A field of 4 to 8 bits as a byte: top bits fill the bits below.
fn expand(value: u32, width: u32) -> i32 {
    (value << (8 - width) | value >> (2 * width - 8)) as i32
}

/// A texel by its place in the block.
pub(super) fn texel(block: u128, texel: u32) -> [u8; 4] {
    let number = block.trailing_zeros();
    // Reserved: 0 in all channels, which the specification asks for (alpha may be 1).
    let Some(mode) = MODES.get(number as usize) else { return [0; 4] };
    let mut bits = Bits(block >> (number + 1));
    let division = Division { partition: bits.take(mode.partition) as usize, subsets: mode.subsets };
    let (rotation, selection) = (bits.take(mode.rotation), bits.take(mode.selection) == 1);

    let mut ends = [[0; 4]; 6];
    let ends = &mut ends[..2 * mode.subsets as usize];
    for component in 0..4 {
        let width = if component == 3 { mode.alpha } else { mode.color };
        for end in &mut *ends {
            end[component] = bits.take(width);
        }
    }
    let mut lowest = 0;
    for (n, end) in ends.iter_mut().enumerate() {
        if mode.each_end || mode.each_subset && n % 2 == 0 {
            lowest = bits.take(1);
        }
        if mode.each_end || mode.each_subset {
            *end = end.map(|value| value << 1 | lowest);
        }
    }
    let extra = u32::from(mode.each_end || mode.each_subset);

    let first = division.index(bits.0, mode.index, texel);
    let (mut color, mut alpha) = ((first, mode.index), (first, mode.index));
    if mode.second != 0 {
        alpha = (division.index(bits.0 >> (16 * mode.index - mode.subsets), mode.second, texel), mode.second);
        if selection {
            std::mem::swap(&mut color, &mut alpha);
        }
    }

    let pair = 2 * division.subset(texel);
    let value = |component: usize, width: u32, (index, index_width): (u32, u32)| {
        let [a, b] = [ends[pair][component], ends[pair + 1][component]].map(|end| expand(end, width + extra));
        interpolate(a, b, index, index_width) as u8
    };
    let mut result = [0, 1, 2].map(|component| value(component, mode.color, color));
    let mut w = if mode.alpha == 0 { 255 } else { value(3, mode.alpha, alpha) };
    if rotation != 0 {
        std::mem::swap(&mut result[rotation as usize - 1], &mut w);
    }
    let [x, y, z] = result;
    [x, y, z, w]
}
