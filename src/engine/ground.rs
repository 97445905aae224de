//! Where memory lies that nobody has put anywhere: the usual places, or such as a graphics driver can give.
//!
//! Engines that make memory of their own take any address. On a card the driver has a say: RADV gives addresses in a range of
//! its own, and there the very one that is asked for, if it is free. Whoever compares a card with another engine lays both
//! on the same [`Ground`], so that an address in a register is the same number in both.

use crate::isa::{Arch, Gen};
use crate::launch::{self, Apertures};

/// Where memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The first address.
    pub first: u64,
    /// How far the memory of one input of a single is from that of the next.
    pub apart: u64,
    /// How far behind the memory of an input its scratch memory is.
    pub scratch: u64,
    /// Where LDS and scratch appear in the flat address space.
    pub apertures: Apertures,
    /// Whether scratch memory that is put somewhere is reached by flat addresses too.
    pub flat_scratch: bool,
}

/// How far scratch memory of a case is behind its buffers, at most.
const CASE_SCRATCH: u64 = 1 << 32;

impl Ground {
    /// Wherever there is room.
    #[must_use]
    pub fn usual(arch: &Arch) -> Ground {
        Ground {
            first: 0x10_0000_0000,
            apart: 1 << 34,
            scratch: 1 << 33,
            apertures: launch::apertures(arch),
            flat_scratch: true,
        }
    }

    /// In the range of RADV's buffers (VGPU_FACTS section 4.1), far above what the driver takes for itself. The cards before gfx9 have
    /// little room there, so that an offset which leads far away may meet the memory of another input.
    #[must_use]
    pub fn of_driver(arch: &Arch) -> Ground {
        let high = arch.generation >= Gen::Gfx9;
        let (first, apart) = if high { (0xffff_9000_0000_0000, 1 << 34) } else { (0x2_0000_0000, 1 << 28) };
        Ground {
            first,
            apart,
            scratch: apart / 2,
            apertures: if high { Apertures::GRAPHICS } else { launch::apertures(arch) },
            // Elsewhere it is where the driver says, and nobody else.
            flat_scratch: matches!(arch.generation, Gen::Gfx9 | Gen::Gfx10),
        }
    }

    /// Where scratch memory of a case lies.
    #[must_use]
    pub fn case_scratch(&self) -> u64 {
        self.first + CASE_SCRATCH
    }
}
