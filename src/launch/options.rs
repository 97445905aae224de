//! What a launch leaves open: addresses, sizes without a natural value, and the contents of undefined registers.

use crate::isa::{Arch, Gen};

/// Where things lie in guest memory. Every region is far from the others, beyond 4 GiB and below 2^47, where V#
/// and canonical addresses agree; the apertures lie above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The argument segment.
    pub kernarg: u64,
    /// The ring of dispatch packets.
    pub packets: u64,
    /// The queue.
    pub queue: u64,
    /// What gfx7 and gfx8 add to FLAT_SCRATCH_HI * 256 (`SH_HIDDEN_PRIVATE_BASE_VMID`).
    pub hidden_private_base: u64,
    /// Scratch memory; on gfx7 and gfx8 less than 4 GiB behind `hidden_private_base`.
    pub scratch: u64,
    /// The printf and hostcall buffers.
    pub services: u64,
    /// The first buffer of an argument; each further one follows behind a gap.
    pub buffers: u64,
    /// What is left unmapped at least between two buffers, so that running over the end of one is noticed.
    pub gap: u64,
}

/// Where code objects are loaded.
pub(super) const CODE_BASE: u64 = 0x1100_0000_0000;

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            kernarg: 0x1200_0000_0000,
            packets: 0x1300_0000_0000,
            queue: 0x1400_0000_0000,
            hidden_private_base: 0x1500_0000_0000,
            // Not at the base itself: a kernel that forgets the offset is noticed.
            scratch: 0x1500_0010_0000,
            services: 0x1600_0000_0000,
            buffers: 0x2000_0000_0000,
            gap: 0x1_0000,
        }
    }
}

/// Where LDS and scratch appear among flat addresses: 4 GiB each, from a multiple of 2^32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apertures {
    /// LDS.
    pub shared: u64,
    /// Scratch.
    pub private: u64,
}

impl Apertures {
    /// What the graphics driver of Linux sets on gfx9 and later.
    pub const GRAPHICS: Apertures = Apertures { shared: 0x2000_0000_0000_0000, private: 0x1000_0000_0000_0000 };
    /// What the compute driver of Linux (KFD) sets on gfx9 and later.
    pub const COMPUTE: Apertures = Apertures { shared: 1 << 48, private: 2 << 48 };
}

impl Default for Apertures {
    fn default() -> Apertures {
        Apertures::COMPUTE
    }
}

/// The apertures which the compute driver of Linux (KFD) sets. gfx6 has no flat addresses: its values mean nothing.
#[must_use]
pub fn apertures(arch: &Arch) -> Apertures {
    match arch.generation {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => Apertures { shared: 1 << 61, private: (1 << 61) + (1 << 32) },
        _ => Apertures::COMPUTE,
    }
}

/// What registers hold that nobody has set. Real ones hold what the last wave left; a program which reads them is wrong,
/// and two runs with different fills show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fill {
    /// Zero: hides mistakes.
    Zero,
    /// Values that name their register in a dump: `0xbad0_00nn` for scalar register nn, `0xbad1_nnll` for lane ll of vector
    /// register nn, `0xbad2_nnnn` for word nnnn of LDS.
    #[default]
    Marked,
    /// Noise; the same for the same number.
    Noise(u32),
}

impl Fill {
    fn word(self, space: u32, at: u32) -> u32 {
        match self {
            Fill::Zero => 0,
            Fill::Marked => 0xbad0_0000 | space << 16 | at & 0xffff,
            Fill::Noise(seed) => {
                // The finisher of MurmurHash3, over numbers that differ in some bit.
                let mut x = seed ^ (space << 30 ^ at).wrapping_mul(0x9e37_79b9);
                x = (x ^ x >> 16).wrapping_mul(0x85eb_ca6b);
                x = (x ^ x >> 13).wrapping_mul(0xc2b2_ae35);
                x ^ x >> 16
            }
        }
    }

    /// A scalar register, by its number as an operand (VCC is 106, M0 124 or 125).
    #[must_use]
    pub fn sgpr(self, index: u32) -> u32 {
        self.word(0, index)
    }

    /// One lane of a vector register.
    #[must_use]
    pub fn vgpr(self, index: u32, lane: u32) -> u32 {
        self.word(1, index << 8 | lane)
    }

    /// A word of LDS.
    #[must_use]
    pub fn lds(self, word: u32) -> u32 {
        self.word(2, word)
    }
}

/// What a launch leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where things lie.
    pub layout: Layout,
    /// Where LDS and scratch appear among flat addresses; none for those of the processor ([`apertures`]).
    pub apertures: Option<Apertures>,
    /// What undefined registers hold.
    pub fill: Fill,
    /// The number of the first work-item.
    pub global_offset: [u64; 3],
    /// The number of the dispatch.
    pub dispatch_id: u64,
    /// LDS beyond what the kernel declares and its `lds:` arguments ask for.
    pub dynamic_lds: u32,
    /// Scratch for one lane beyond what the kernel declares, where it says that it may need more (`uses_dynamic_stack`).
    pub dynamic_stack: u32,
    /// How many groups have scratch of their own. An executor that runs this many at once gives each its slot
    /// ([`super::Dispatch::wave_in_slot`]). Fewer, where [`Options::max_scratch`] does not suffice; never less than one.
    pub group_slots: u32,
    /// The most scratch memory in bytes.
    pub max_scratch: u64,
    /// The most memory in bytes for all buffers of arguments.
    pub max_buffers: u64,
    /// Bytes for printf; 0 gives the kernel a null pointer.
    pub printf: u32,
    /// Bytes for host calls; 0 gives the kernel a null pointer. Nothing answers these calls.
    pub hostcall: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            layout: Layout::default(),
            apertures: None,
            fill: Fill::default(),
            global_offset: [0; 3],
            dispatch_id: 0,
            dynamic_lds: 0,
            dynamic_stack: 0x1000,
            group_slots: 64,
            max_scratch: 1 << 28,
            max_buffers: super::MAX_BUFFERS,
            printf: 0,
            hostcall: 0,
        }
    }
}
