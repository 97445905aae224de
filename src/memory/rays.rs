//! Ray tracing: what a ray meets in a node of a tree of boxes and triangles (a bounding volume hierarchy).
//!
//! A tree lies in memory in units of 64 bytes. A pointer names a unit and, in its lowest three bits, the kind of node that lies
//! there: four triangles that share corners, four boxes, on gfx12 eight, an instance of another tree, or something that only programs
//! know. An instruction holds the ray of each lane against one node (on gfx12 two) and goes no further: where to go on, programs decide, with the
//! help of a [stack] in LDS.
//!
//! - [`boxes`]: the way of a ray through boxes, and in which order programs should visit them.
//! - [`triangle`]: where a ray meets a triangle, and which triangles do not count.
//! - [`packed`]: the nodes of gfx12 that are quantised, [`primitives`] its compressed triangles, [`precise`] boxes with short mantissas,
//!   [`instance`]s, [oriented] boxes.
//! - [`meet`]: which of them a pointer names, and what registers get.
//!
//! How the hardware rounds is not published. Everything here is done in f32, in the order of the software of AMD's driver that stands in
//! for these instructions; [`choices`] has what else is open.

pub mod boxes;
pub mod choices;
pub mod fields;
pub mod instance;
pub mod meet;
pub mod oriented;
pub mod packed;
pub mod precise;
pub mod primitives;
pub mod stack;
pub mod triangle;
pub mod vector;

use super::guest::{ADDRESS_MASK, Fault, View};
use super::image::fields::Fields as _;
use crate::fault::planted;
use crate::isa::{Gen, Target};
use bitflags::bitflags;
use boxes::Heuristic;
use fields::TreeField;
use vector::V3;

/// A pointer that leads nowhere.
pub const INVALID: u32 = u32::MAX;

/// Bytes of a unit.
const UNIT: u64 = 64;

/// The kind of a node with four boxes of f32; where nodes are packed, with eight that are quantised.
pub const BOXES32: u32 = 5;

/// The kind of an instance.
pub const INSTANCE: u32 = 6;

/// What registers get where a coordinate is no number.
pub const NO_NUMBER: u32 = 0x7fc0_0000;

/// A coordinate in a register.
#[must_use]
pub fn register(x: f32) -> u32 {
    if x.is_nan() { NO_NUMBER } else { x.to_bits() }
}

/// Bits of a node from a place on; behind the node there are zeros.
fn bits(words: &[u32], at: u32, count: u32) -> u32 {
    let word = |n: u32| u64::from(words.get(n as usize).copied().unwrap_or(0));
    let pair = word(at / 32) | word(at / 32 + 1) << 32;
    (pair >> (at % 32) & ((1 << count.min(32)) - 1)) as u32
}

bitflags! {
    /// The upper bits of a 64-bit pointer: what a ray passes by.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u16 {
        /// Everything is opaque.
        const FORCE_OPAQUE     = 1;
        /// Nothing is opaque.
        const FORCE_TRANSLUCENT = 1 << 1;
        /// No side of a triangle is culled.
        const BOTH_SIDES       = 1 << 2;
        /// Back sides are front sides.
        const FLIP             = 1 << 3;
        /// Triangles whose back is met do not count.
        const CULL_BACK        = 1 << 4;
        /// Triangles whose front is met do not count.
        const CULL_FRONT       = 1 << 5;
        /// What is opaque does not count.
        const CULL_OPAQUE      = 1 << 6;
        /// What is not opaque does not count.
        const CULL_TRANSLUCENT = 1 << 7;
        /// Triangles do not count.
        const SKIP_TRIANGLES   = 1 << 8;
        /// What programs intersect by themselves does not count.
        const SKIP_PROCEDURAL  = 1 << 9;
    }
}

impl Flags {
    /// Where they begin in a pointer.
    pub const SHIFT: u32 = 54;

    /// Those of a pointer.
    #[must_use]
    pub fn of(pointer: u64) -> Flags {
        Flags::from_bits_truncate((pointer >> Flags::SHIFT) as u16)
    }

    /// Whether something that says so of itself is taken for opaque.
    #[must_use]
    pub fn opaque(self, itself: bool) -> bool {
        self.contains(Flags::FORCE_OPAQUE) || itself && !self.contains(Flags::FORCE_TRANSLUCENT)
    }
}

/// A tree or a node that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It is no descriptor of a tree.
    #[error("TYPE {0} of the descriptor of a tree, which must be 8")]
    Type(u64),
    /// The other way to store corners in compressed triangles.
    #[error("corners as unorm16 in compressed triangles: their layout is not published")]
    Corners,
    /// A turn of boxes that no table has.
    #[error("the turn {0} of oriented boxes: the published table ends at 103")]
    Turn(u32),
}

impl Unsupported {
    /// A number for those of nodes, which is not 0: an engine that is not here can say no more.
    #[must_use]
    pub fn code(&self) -> u32 {
        match self {
            Unsupported::Type(_) => 0,
            Unsupported::Corners => 1 << 8,
            Unsupported::Turn(turn) => turn | 1 << 9,
        }
    }

    /// What a number says.
    #[must_use]
    pub fn of_code(code: u32) -> Option<Unsupported> {
        match code >> 8 {
            1 => Some(Unsupported::Corners),
            2 => Some(Unsupported::Turn(code & 0xff)),
            _ => None,
        }
    }
}

/// Why a node was not met.
#[derive(Debug)]
pub enum Failed {
    /// Memory did not allow it.
    Fault(Fault),
    /// What lies there cannot be followed.
    Unsupported(Unsupported),
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Failed {
        Failed::Fault(fault)
    }
}

impl From<Unsupported> for Failed {
    fn from(reason: Unsupported) -> Failed {
        Failed::Unsupported(reason)
    }
}

/// Memory from which nodes are fetched.
pub trait Fetch {
    /// Reads words.
    ///
    /// # Errors
    /// Nothing is there.
    fn words(&mut self, address: u64, out: &mut [u32]) -> Result<(), Fault>;
}

impl Fetch for View<'_> {
    fn words(&mut self, address: u64, out: &mut [u32]) -> Result<(), Fault> {
        self.load_words(address, out)
    }
}

/// A ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// How far it reaches.
    pub extent: f32,
    /// Where it begins.
    pub origin: V3,
    /// Where it goes.
    pub direction: V3,
    /// One by the direction, or what a program gives as that.
    pub inverse: V3,
}

/// A tree, as its descriptor says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree {
    base: u64,
    /// The last unit.
    last: u64,
    /// What the end of the way through a box is multiplied by.
    pub grow: f32,
    /// By what boxes are sorted, if they are.
    pub sort: Option<Heuristic>,
    /// Pointers to triangles stand first.
    pub triangles_first: bool,
    /// Eight are sorted together.
    pub wide: bool,
    /// Nodes are quantised or packed.
    pub compressed: bool,
    /// Node type 4 has boxes with short mantissas.
    pub precise: bool,
    /// Node type 6 is an instance.
    pub instances: bool,
    /// The flags of pointers count.
    pub flags: bool,
    /// Triangles give barycentric coordinates.
    pub barycentrics: bool,
    /// The generation.
    pub generation: Gen,
}

impl Tree {
    /// The tree that four words describe.
    ///
    /// # Errors
    /// They describe something else.
    pub fn decode(words: &[u32; 4], target: &Target) -> Result<Tree, Unsupported> {
        let generation = target.generation();
        let get = |field: TreeField| field.get(words, generation);
        let is = |field| get(field) != 0;
        if get(TreeField::Type) != 8 {
            return Err(Unsupported::Type(get(TreeField::Type)));
        }
        let grow = if planted!(RayGrowIgnored) { 0 } else { get(TreeField::Grow) };
        Ok(Tree {
            base: get(TreeField::Base) << 8,
            last: get(TreeField::Size),
            // One and so many times 2^-24, rounded.
            grow: 1.0 + grow as f32 * f32::from_bits((127 - 24) << 23),
            sort: is(TreeField::Sort).then(|| Heuristic::of(get(TreeField::Heuristic))),
            triangles_first: is(TreeField::TrianglesFirst),
            wide: is(TreeField::WideSort),
            compressed: is(TreeField::Compressed),
            precise: is(TreeField::Precise),
            instances: is(TreeField::Instances),
            flags: is(TreeField::PointerFlags),
            barycentrics: is(TreeField::Barycentrics) != planted!(RayReturnModeOther),
            generation,
        })
    }

    /// The words of a node which begins at a unit; nothing where the tree has ended.
    ///
    /// # Errors
    /// Memory does not allow it.
    pub fn fetch<const N: usize>(&self, memory: &mut impl Fetch, unit: u64) -> Result<Option<[u32; N]>, Fault> {
        if unit > self.last && !planted!(RaySizeIgnored) {
            return Ok(None);
        }
        let mut words = [0; N];
        memory.words(self.base.wrapping_add(unit.wrapping_mul(UNIT)) & ADDRESS_MASK, &mut words)?;
        Ok(Some(words))
    }
}
