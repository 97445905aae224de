//! What a run is given and what it leaves.

use super::GPRS;
use super::image::Image;
use super::mistakes::Mistake;
use super::vertex::Buffer;
use crate::r600::Machine;
use std::collections::BTreeMap;

/// What kind of program it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Stage {
    /// Pixel shader.
    Ps,
    /// Vertex shader in front of the rasterizer.
    Vs,
    /// Vertex shader in front of a geometry shader.
    Es,
    /// Geometry shader.
    Gs,
    /// What copies the vertices of a geometry shader to the rasterizer; a vertex shader for the machine.
    Dc,
    /// A fetch subroutine by itself: it ends with its RETURN.
    Fs,
}

/// An integer constant: what a loop begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoopConstant {
    /// Iterations.
    pub count: u32,
    /// The first index.
    pub first: i32,
    /// What is added to it behind an iteration.
    pub step: i32,
}

/// What a fetch reads.
#[derive(Clone, PartialEq, Debug)]
pub enum Resource {
    /// Records of bytes.
    Buffer(Buffer),
    /// Texels.
    Image(Image),
}

/// What a program finds.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// The machine.
    pub machine: Machine,
    /// The program type.
    pub stage: Stage,
    /// Lanes, up to 64: pixels in quads of four, or vertices.
    pub lanes: u32,
    /// Which of them are valid at the start; the others begin inactive.
    pub valid: u64,
    /// Registers by number: four words for each lane. The others are zero.
    pub gprs: BTreeMap<u32, Vec<[u32; 4]>>,
    /// How many registers the program has.
    pub ngpr: u32,
    /// How many of the last registers live for a clause.
    pub temps: u32,
    /// Entries of the stack; none if they are not counted.
    pub nstack: Option<u32>,
    /// Constant buffers: the words of each bank of the constant cache.
    pub banks: BTreeMap<u32, Vec<u32>>,
    /// The constant file; what lies behind its end is a NaN.
    pub file: Vec<[u32; 4]>,
    /// Integer constants by number; the others are zero.
    pub loops: BTreeMap<u32, LoopConstant>,
    /// Boolean constants: a bit each.
    pub bools: u32,
    /// What is bound, by the number that a fetch names.
    pub resources: BTreeMap<u32, Resource>,
    /// The registers of semantic fetches.
    pub semantics: BTreeMap<u32, u32>,
    /// The fetch subroutine; without one CALL_FS does nothing, as if the registers were loaded already.
    pub fetch: Vec<u32>,
    /// Added to the index of vertex fetches of type vertex.
    pub vertex_offset: u32,
    /// Added to the index of vertex fetches of type instance.
    pub instance_offset: u32,
    /// Elements of four words in the scratch buffer of a lane.
    pub scratch: u32,
    /// Elements of four words in the reduction buffer.
    pub reduction: u32,
    /// CONFIG.ALU_INST_PREFER_VECTOR as the algorithm of the manual has it: the last instruction of a group goes to the trans slot.
    pub last_is_trans: bool,
    /// Instructions of control flow, groups and fetches at most.
    pub budget: u64,
    /// Stops behind so many instructions of control flow, as if the program ended there.
    pub stop: Option<u32>,
    /// A mistake to be planted, in debug builds.
    pub mistake: Option<Mistake>,
}

impl Setup {
    /// A program of a stage in so many lanes, with nothing bound.
    #[must_use]
    pub fn new(machine: Machine, stage: Stage, lanes: u32) -> Setup {
        Setup {
            machine,
            stage,
            lanes,
            valid: u64::MAX,
            gprs: BTreeMap::new(),
            ngpr: 124,
            temps: 4,
            nstack: None,
            banks: BTreeMap::new(),
            file: Vec::new(),
            loops: BTreeMap::new(),
            bools: 0,
            resources: BTreeMap::new(),
            semantics: BTreeMap::new(),
            fetch: Vec::new(),
            vertex_offset: 0,
            instance_offset: 0,
            scratch: 0,
            reduction: 0,
            last_is_trans: false,
            budget: 1 << 24,
            stop: None,
            mistake: None,
        }
    }
}

impl Setup {
    /// Most elements of a buffer that is made for a program.
    const MOST: u32 = 1 << 16;

    /// Elements of a scratch buffer that there are.
    pub(in crate::r600) fn scratch_elements(&self) -> u32 {
        self.scratch.min(Setup::MOST)
    }

    /// Elements of the reduction buffer that there are.
    pub(in crate::r600) fn reduction_elements(&self) -> u32 {
        self.reduction.min(Setup::MOST)
    }

    /// Whether the program has a register: one of its own, or of a clause.
    pub(in crate::r600) fn has_gpr(&self, gpr: u32) -> bool {
        gpr < GPRS && (gpr < self.ngpr || gpr >= GPRS.saturating_sub(self.temps))
    }

    /// Whether a mistake is planted.
    #[inline]
    pub(super) fn has(&self, mistake: Mistake) -> bool {
        cfg!(debug_assertions) && self.mistake == Some(mistake)
    }
}

/// Where an export goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Target {
    /// A render target; 61 is depth, 16 to 23 are those with fog.
    Pixel(u32),
    /// A position: 60 to 63.
    Position(u32),
    /// A parameter.
    Parameter(u32),
    /// An address of a stream.
    Stream(u32, u32),
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Pixel(n) => write!(f, "pixel{n}"),
            Target::Position(n) => write!(f, "pos{n}"),
            Target::Parameter(n) => write!(f, "param{n}"),
            Target::Stream(stream, address) => write!(f, "stream{stream}.{address}"),
        }
    }
}

/// What a lane exported to a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// The words; those never written are zero.
    pub words: [u32; 4],
    /// Which of them were written.
    pub mask: u8,
}

/// What a geometry shader says of its vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    /// A vertex is complete.
    Emit,
    /// The strip ends.
    Cut,
}

/// What a program left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// What each lane exported, by target.
    pub exports: BTreeMap<Target, Vec<Exported>>,
    /// Which lanes were killed.
    pub killed: u64,
    /// What each lane wrote to the ring, by address in words.
    pub ring: Vec<BTreeMap<u32, u32>>,
    /// What each lane said of its vertices.
    pub primitives: Vec<Vec<Primitive>>,
    /// The scratch buffer of each lane.
    pub scratch: Vec<Vec<[u32; 4]>>,
    /// The reduction buffer.
    pub reduction: Vec<[u32; 4]>,
    /// All registers: four words for each lane.
    pub gprs: Vec<Vec<[u32; 4]>>,
    /// Instructions of control flow, groups and fetches that were executed.
    pub steps: u64,
}
