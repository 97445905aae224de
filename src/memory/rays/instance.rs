//! Instances of gfx12: a tree inside a tree, with a space of its own.
//!
//! Its node has the matrix that brings a ray there, a pointer to the other tree with flags of its own, and eight bits that say which rays
//! see it. Among packed nodes four quantised boxes follow, of parts of the other tree.

use super::vector::{inverse, row};
use super::{Flags, Ray};
use crate::fault::planted;

/// Where a 64-bit pointer leads, without its flags.
pub const PLACE: u64 = 0x003f_ffff_ffff_fff8;

/// An instance.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    rows: [[f32; 4]; 3],
    child: u64,
    /// The node at which the other tree begins; of packed nodes, the node above.
    pub root: u32,
    user: u32,
}

impl Instance {
    /// From the first words of its node.
    #[must_use]
    pub fn of(words: &[u32; 32]) -> Instance {
        Instance {
            rows: std::array::from_fn(|n| std::array::from_fn(|m| f32::from_bits(words[4 * n + m]))),
            child: u64::from(words[12]) | u64::from(words[13]) << 32,
            root: words[14],
            user: words[15],
        }
    }

    /// Whether a ray with a mask passes it by.
    #[must_use]
    pub fn culled(&self, mask: u8, flags: Flags) -> bool {
        // A tree whose triangles are to be skipped has none.
        let procedural = Flags::of(self.child).contains(Flags::SKIP_TRIANGLES);
        let skipped = if procedural { Flags::SKIP_PROCEDURAL } else { Flags::SKIP_TRIANGLES };
        let seen = (self.user >> 24) as u8 & mask != 0 || planted!(RayMaskIgnored);
        !seen || flags.contains(skipped)
    }

    /// A ray in its space.
    #[must_use]
    pub fn moved(&self, ray: &Ray) -> Ray {
        if planted!(RayInstanceStays) {
            return *ray;
        }
        let linear = |of: [f32; 4]| [of[0], of[1], of[2]];
        let origin = self.rows.map(|of| row(linear(of), ray.origin, of[3]));
        let direction = self.rows.map(|of| row(linear(of), ray.direction, 0.0));
        Ray { origin, direction, inverse: inverse(direction), ..*ray }
    }

    /// The pointer to the other tree, with the flags of both; those of the ray that force something win.
    #[must_use]
    pub fn pointer(&self, flags: Flags) -> u64 {
        let forced = Flags::FORCE_OPAQUE | Flags::FORCE_TRANSLUCENT;
        let own = Flags::of(self.child);
        let kept = if flags.intersects(forced) { own - forced } else { own };
        self.child & PLACE | u64::from((kept | flags).bits()) << Flags::SHIFT
    }

    /// What programs put there for themselves, 24 bits.
    #[must_use]
    pub fn user(&self) -> u32 {
        self.user & 0xff_ffff
    }
}
