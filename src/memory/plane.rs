//! Where LDS has the parameters of a wave's primitives.
//!
//! The rasteriser writes, for each attribute and each primitive, twelve words: P0, P10 and P20 of the channels x, y, z and w. Twelve words of
//! one primitive are followed by those of the next, and all of an attribute by all of the next attribute. M0 says where they
//! begin (15:0, a byte address) and which quads of lanes begin a new primitive (30:16, from the second quad on; the first always does).
//! So the RDNA3 guide has it (12.2.1), and older processors are taken to do the same: the figure of their manual is lost.

use crate::fault::planted;

/// A parameter of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The attribute.
    pub attribute: u8,
    /// The channel: 0 to 3 are x to w.
    pub channel: u8,
    /// Which of the three.
    pub part: Part,
}

/// What of the plane equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The same for all lanes: 0 to 2 are P0, P10 and P20.
    One(u8),
    /// Lanes 0 to 2 of a quad get P0, P10 and P20, lane 3 a zero.
    OfLane,
}

/// Words of an attribute of a primitive.
pub const WORDS: u32 = 12;
/// Channels of a part.
pub const CHANNELS: u32 = 4;

/// Which primitive of the wave a quad of lanes is of, and how many there are.
#[must_use]
pub fn primitive(m0: u32, quad: u32) -> (u32, u32) {
    let begins = m0 >> 16 & 0x7fff;
    let before = begins & ((1 << (quad & 15)) - 1);
    let before = if planted!(PrimitiveIgnored) { 0 } else { before };
    (before.count_ones(), 1 + begins.count_ones())
}

/// All lanes of the quads of which one is in a mask.
#[must_use]
pub fn quads(mask: u64) -> u64 {
    const FIRST: u64 = 0x1111_1111_1111_1111;
    let some = mask | mask >> 1 | mask >> 2 | mask >> 3;
    (some & FIRST) * 0xf
}

impl Parameter {
    /// Its byte address for a lane; nothing where there is a zero.
    #[must_use]
    pub fn address(self, m0: u32, lane: u32) -> Option<u32> {
        let part = match self.part {
            Part::One(part) if part > 0 && planted!(SlopesSwapped) => 3 - u32::from(part),
            Part::One(part) => u32::from(part),
            Part::OfLane if lane % 4 == 3 && !planted!(LastLaneLoads) => return None,
            Part::OfLane => lane % 4,
        };
        let (primitive, primitives) = primitive(m0, lane / 4);
        let block = if planted!(AttributesTogether) {
            u32::from(self.attribute) + primitive
        } else {
            u32::from(self.attribute) * primitives + primitive
        };
        let word = if planted!(ParameterByChannel) {
            3 * u32::from(self.channel) + part
        } else {
            CHANNELS * part + u32::from(self.channel)
        };
        Some((m0 & 0xffff) + 4 * (WORDS * block + word))
    }
}
