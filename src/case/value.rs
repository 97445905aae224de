//! Values of a case: constants and patterns, as written. What they are at a place is worked out in `eval`.
//!
//! A pattern is a function of where it stands. The *position* that lists, ramps, random values and edge values count with is
//!
//! - in a vector register: the number of the work-item in the whole dispatch (wave number x wave size + lane);
//! - in scalar registers and memory: the number of the element;
//! - in VCC, EXEC, SCC, M0 and the other single registers: the number of the wave.
//!
//! One element may be wider than a register: `v[0:1] = f64 1.0` fills a pair, `v[0:3] = f64 1.0` two pairs.

use super::export::Exported;
use super::math::Math;
use super::picture::{Picture, Sampling};
use super::random::Class;
use super::texels::Texels;
use super::tree::Bvh;
use crate::isa::types::Ty;
use crate::isa::{Target, Variants, regs};
use std::fmt;

/// A typed constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lit {
    /// Its type.
    pub ty: Ty,
    /// Its bits.
    pub bits: u64,
}

/// A number that the dispatch gives a lane or a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Id {
    /// The lane in its wave.
    Lane,
    /// The work-item in the dispatch, counted wave by wave.
    Item,
    /// The three numbers of the work-item in its group as gfx11 packs them: 10 bits each.
    Packed,
    /// The number of the work-item in its group, in one dimension.
    Local(u8),
    /// The number of the work-item in the grid, in one dimension.
    Global(u8),
    /// The number of the group, in one dimension.
    Group(u8),
    /// The wave in the dispatch.
    Wave,
    /// The wave in its group.
    WaveInGroup,
    /// How many waves the group has.
    WavesOfGroup,
    /// The workgroup info (TG_SIZE) as the processor gives it.
    GroupInfo,
    /// Where the wave's scratch memory begins, from the base of all.
    ScratchOffset,
    /// A coordinate of a texel: x, y, z, level, sample.
    Texel(u8),
}

/// Every id and how it is written.
#[rustfmt::skip]
pub const IDS: [(&str, Id); 22] = [
    ("lane", Id::Lane), ("item", Id::Item), ("packed", Id::Packed), ("wave", Id::Wave),
    ("local.x", Id::Local(0)), ("local.y", Id::Local(1)), ("local.z", Id::Local(2)),
    ("global.x", Id::Global(0)), ("global.y", Id::Global(1)), ("global.z", Id::Global(2)),
    ("group.x", Id::Group(0)), ("group.y", Id::Group(1)), ("group.z", Id::Group(2)),
    ("group.wave", Id::WaveInGroup), ("group.waves", Id::WavesOfGroup), ("group.info", Id::GroupInfo),
    ("scratch.offset", Id::ScratchOffset),
    ("x", Id::Texel(0)), ("y", Id::Texel(1)), ("z", Id::Texel(2)), ("level", Id::Texel(3)), ("sample", Id::Texel(4)),
];

impl Id {
    /// Whether lanes of one wave differ in it.
    #[must_use]
    pub fn is_per_lane(self) -> bool {
        matches!(self, Id::Lane | Id::Item | Id::Packed | Id::Local(_) | Id::Global(_))
    }
}

/// A constant or a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `_`: anything; only in expectations.
    Any,
    /// `1.5`, `u64 7`
    Lit(Lit),
    /// `[1, 2, 3]`: by position; the elements are no lists.
    List(Vec<Value>),
    /// `lane`
    Id(Id),
    /// `ramp(0, 4)`: start + position x step.
    Ramp(Lit, Lit),
    /// `random_f32(7, normal)`
    Random(Ty, u64, Class),
    /// `edges(f32, 24)`: the edge values in turn, each for so many positions.
    Edges(Ty, u32),
    /// `pack(f16 1.0, 2.0)`: the lower and the upper half of 32 bits.
    Pack(Box<Value>, Box<Value>),
    /// `address(data + 16)`: 64 bits.
    Address(String, u64),
    /// `lane * 4 + 16`
    Math(Box<Math>),
    /// `scratch.base`: where scratch memory is, as a program is told.
    Scratch(ScratchWord),
    /// `buffer(data, stride=16)`: a descriptor, 128 bits.
    Descriptor(Box<Descriptor>),
    /// `image(data, width=16)`: a descriptor, 256 bits.
    Image(Box<Picture>),
    /// `sampler(clamp_x=2)`: a descriptor, 128 bits.
    Sampler(Box<Sampling>),
    /// `bvh(nodes, grow=6)`: a descriptor, 128 bits.
    Bvh(Box<Bvh>),
    /// `file "x"`, `f32 file "x"`: the bytes of a file, only in memory; the type is that in which they are compared.
    File(Ty, String),
    /// `texels(image(data, width=16), x + y)`: a buffer's contents, texel by texel.
    Texels(Box<Texels>),
}

impl Value {
    /// How many bytes one element has; for a list those of its first element that has a width.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        match self {
            Value::Lit(lit) | Value::Ramp(lit, _) => lit.ty.bytes(),
            Value::Random(ty, ..) | Value::Edges(ty, _) => ty.bytes(),
            Value::List(list) => list.iter().find(|v| **v != Value::Any).map_or(4, Value::bytes),
            Value::Any | Value::Id(_) | Value::Pack(..) | Value::Texels(_) => 4,
            Value::Address(..) => 8,
            Value::Math(math) => math.bytes(),
            Value::Scratch(word) => word.bytes(),
            Value::Descriptor(_) | Value::Sampler(_) | Value::Bvh(_) => 16,
            Value::Image(_) => 32,
            Value::File(ty, _) => ty.bytes(),
        }
    }

    /// How many bytes an element of this list has: `_` is as wide as the first other element.
    #[must_use]
    pub fn element_bytes(&self, element: &Value) -> u32 {
        if *element == Value::Any { self.bytes() } else { element.bytes() }
    }

    /// How many registers one element takes.
    #[must_use]
    pub fn dwords(&self) -> u32 {
        self.bytes().div_ceil(4)
    }

    /// The type in which people read it.
    #[must_use]
    pub fn ty(&self) -> Ty {
        match self {
            Value::Lit(lit) | Value::Ramp(lit, _) => lit.ty,
            Value::Random(ty, ..) | Value::Edges(ty, _) => *ty,
            Value::List(list) => list.iter().find(|v| **v != Value::Any).map_or(Ty::U32, Value::ty),
            Value::Address(..) | Value::Scratch(ScratchWord::Base | ScratchWord::Init | ScratchWord::Ring) => Ty::U64,
            Value::Math(math) => {
                if math.bytes() == 8 {
                    Ty::U64
                } else {
                    Ty::U32
                }
            }
            Value::File(ty, _) => *ty,
            Value::Any | Value::Id(_) | Value::Pack(..) | Value::Scratch(_) | Value::Texels(_) => Ty::U32,
            Value::Descriptor(_) | Value::Image(_) | Value::Sampler(_) | Value::Bvh(_) => Ty::U32,
        }
    }

    /// The value and all that it is made of.
    pub fn walk(&self, see: &mut impl FnMut(&Value)) {
        see(self);
        match self {
            Value::List(list) => list.iter().for_each(|v| v.walk(see)),
            Value::Pack(low, high) => {
                low.walk(see);
                high.walk(see);
            }
            Value::Math(math) => math.walk(see),
            _ => {}
        }
    }
}

/// What a program is told of its scratch memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScratchWord {
    /// Its address.
    Base,
    /// The initial FLAT_SCRATCH of user SGPRs.
    Init,
    /// What RADV's shaders find in s0 and s1.
    Ring,
    /// Its buffer descriptor, 128 bits.
    Resource,
}

/// Every one of them and how it is written.
pub const SCRATCH_WORDS: [(&str, ScratchWord); 4] = [
    ("scratch.base", ScratchWord::Base),
    ("scratch.init", ScratchWord::Init),
    ("scratch.ring", ScratchWord::Ring),
    ("scratch.resource", ScratchWord::Resource),
];

impl ScratchWord {
    /// How many bytes it has.
    #[must_use]
    pub fn bytes(self) -> u32 {
        if self == ScratchWord::Resource { 16 } else { 8 }
    }
}

/// A buffer descriptor (V#), as written: what is not said follows from the buffer and the generation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Descriptor {
    /// The buffer.
    pub buffer: String,
    /// Bytes behind its start.
    pub offset: u64,
    /// Bytes from record to record.
    pub stride: Option<u32>,
    /// The field `num_records`, whatever it counts.
    pub records: Option<u32>,
    /// `32_32_float`
    pub format: Option<String>,
    /// Whether addresses are swizzled.
    pub swizzle: bool,
    /// Bytes of an element in swizzled memory: 2, 4, 8, 16.
    pub element: Option<u32>,
    /// Records which swizzling keeps together: 8, 16, 32, 64.
    pub index_stride: Option<u32>,
    /// Whether the lane is added to the index.
    pub add_tid: bool,
    /// `xyzw`, with `0` and `1`.
    pub dst_sel: Option<[u8; 4]>,
    /// When an access is out of bounds, from gfx10.
    pub oob: Option<Oob>,
}

/// `OOB_SELECT` of gfx10 and later; the number is the field's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Oob {
    /// Index or offset too large.
    Structured,
    /// Index too large.
    Index,
    /// Only if there are no records.
    Empty,
    /// Offset too large.
    Raw,
}

/// Every bounds rule and how it is written.
pub const OOBS: [(&str, Oob); 4] =
    [("structured", Oob::Structured), ("index", Oob::Index), ("empty", Oob::Empty), ("raw", Oob::Raw)];

/// Something that a case gives a value or looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Registers of a file.
    Regs {
        /// Which file.
        file: File,
        /// The first.
        first: u32,
        /// How many.
        count: u32,
    },
    /// `vcc`
    Vcc,
    /// `exec`
    Exec,
    /// `scc`
    Scc,
    /// `m0`
    M0,
    /// `mode`
    Mode,
    /// `trapsts`
    Trapsts,
    /// `lds[16]`: the local data share from an offset.
    Lds(u32),
    /// `buffer out[16]`: a buffer from an offset.
    Buffer(String, u32),
    /// `export mrt0.x`: what each lane exported.
    Export(Exported),
    /// `export valid`: the lanes that an export called valid.
    Valid,
}

/// A file of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    /// `v`
    Vector,
    /// `a`: accumulation registers.
    Accumulation,
    /// `s`
    Scalar,
    /// `ttmp`
    Trap,
}

impl File {
    /// The letters of its registers, and how many there are at most.
    #[must_use]
    pub fn letters(self) -> (&'static str, u32) {
        match self {
            File::Vector => ("v", 256),
            File::Accumulation => ("a", 256),
            File::Scalar => ("s", 108),
            File::Trap => ("ttmp", 16),
        }
    }

    /// How many a processor has.
    #[must_use]
    pub fn count(self, target: Target) -> u32 {
        match self {
            File::Vector => 256,
            File::Accumulation if Variants::CDNA.contains(target.arch.variant) => 256,
            File::Accumulation => 0,
            File::Scalar => regs::sgpr_count(target.generation()).into(),
            File::Trap => regs::ttmp_count(target.generation()).into(),
        }
    }

    /// Whether each lane has its own.
    #[must_use]
    pub fn is_per_lane(self) -> bool {
        matches!(self, File::Vector | File::Accumulation)
    }
}

impl Place {
    /// Whether each lane has its own.
    #[must_use]
    pub fn is_per_lane(&self) -> bool {
        match self {
            Place::Regs { file, .. } => file.is_per_lane(),
            _ => matches!(self, Place::Export(_)),
        }
    }

    /// Whether it is memory.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self, Place::Lds(_) | Place::Buffer(..))
    }

    /// The type of whole numbers without a type: masks of lanes have 64 bits.
    #[must_use]
    pub fn integer(&self) -> Ty {
        if matches!(self, Place::Vcc | Place::Exec | Place::Valid) { Ty::U64 } else { Ty::U32 }
    }

    /// Why a value cannot stand there, if so.
    #[must_use]
    pub fn refuses(&self, value: &Value, expected: bool) -> Option<&'static str> {
        let mut rule = None;
        value.walk(&mut |v| {
            let broken = match v {
                Value::Any if !expected => Some("`_` stands only in expectations"),
                Value::File(..) if !self.is_memory() => Some("a file can only fill memory"),
                Value::Id(Id::Texel(_)) => Some("coordinates of texels stand in `texels(...)`"),
                Value::Texels(_) if expected || !matches!(self, Place::Buffer(..)) => {
                    Some("texels are the contents of a buffer at the start")
                }
                Value::Id(id) if id.is_per_lane() && !self.is_per_lane() => {
                    Some("lanes have no part in this place; `ramp` counts elements")
                }
                Value::Id(_) if matches!(self, Place::Buffer(..)) => Some("a buffer belongs to all waves"),
                Value::List(list) if list.iter().any(|v| matches!(v, Value::Texels(_))) => {
                    Some("texels stand by themselves, not in another value")
                }
                Value::List(list) if list.iter().any(|v| matches!(v, Value::File(..))) => {
                    Some("a file stands by itself, not in another value")
                }
                Value::List(list) if list.is_empty() => Some("the list is empty"),
                _ => None,
            };
            rule = rule.or(broken);
        });
        if expected && *value == Value::Any {
            rule = Some("this expects nothing; `observe: PLACE` looks at a place");
        }
        if rule.is_some() {
            return rule;
        }
        let list = if let Value::List(list) = value { list.as_slice() } else { &[] };
        match self {
            Place::Regs { file, count, .. } if file.is_per_lane() || list.is_empty() => {
                if list.iter().any(|v| *v != Value::Any && v.dwords() != value.dwords()) {
                    return Some("all elements must have the same width");
                }
                (!count.is_multiple_of(value.dwords()))
                    .then_some("the value is wider than a register: write a range, as `v[0:1]` or `s[4:7]`")
            }
            Place::Regs { count, .. } => {
                let wide: u64 = list.iter().map(|v| u64::from(value.element_bytes(v).div_ceil(4))).sum();
                (wide > u64::from(*count)).then_some("the list has more elements than there are registers")
            }
            Place::Lds(_) | Place::Buffer(..) => None,
            Place::Vcc | Place::Exec | Place::Valid => {
                let wide = list.iter().chain([value]).any(|v| v.bytes() > 8);
                wide.then_some("the value is wider than 64 bits")
            }
            Place::Scc | Place::M0 | Place::Mode | Place::Trapsts | Place::Export(_) => {
                let wide = list.iter().chain([value]).any(|v| v.bytes() > 4);
                wide.then_some("the value is wider than 32 bits")
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Regs { file, first, count: 1 } => write!(f, "{}{first}", file.letters().0),
            Place::Regs { file, first, count } => {
                write!(f, "{}[{first}:{}]", file.letters().0, first.saturating_add(count.saturating_sub(1)))
            }
            Place::Vcc => f.write_str("vcc"),
            Place::Exec => f.write_str("exec"),
            Place::Scc => f.write_str("scc"),
            Place::M0 => f.write_str("m0"),
            Place::Mode => f.write_str("mode"),
            Place::Trapsts => f.write_str("trapsts"),
            Place::Lds(0) => f.write_str("lds"),
            Place::Lds(offset) => write!(f, "lds[{offset}]"),
            Place::Buffer(name, 0) => write!(f, "buffer {name}"),
            Place::Buffer(name, offset) => write!(f, "buffer {name}[{offset}]"),
            Place::Export(what) => what.fmt(f),
            Place::Valid => f.write_str("export valid"),
        }
    }
}
