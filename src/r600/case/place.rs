//! What a case gives values to, and what it looks at.

use crate::asm::{AsmError, AsmResult, near};
use crate::case::values::Reader;
use crate::isa::types::Ty;
use crate::r600::emu::{Outcome, Primitive, Target};
use std::fmt;

/// The registers of the machine, with the temporaries of a clause.
pub const REGISTERS: u32 = 128;

/// Elements of a vector: a bit each, x lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Elements(pub u8);

impl Elements {
    /// All four.
    pub const ALL: Elements = Elements(15);

    /// Their numbers.
    pub fn each(self) -> impl Iterator<Item = usize> {
        (0..4).filter(move |n| self.0 >> n & 1 != 0)
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Elements::ALL {
            return Ok(());
        }
        f.write_str(".")?;
        self.each().try_for_each(|n| f.write_str(&"xyzw"[n..=n]))
    }
}

/// Something that a case gives a value or looks at, in the order in which a reader wants to see what differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// `killed`: which lanes were killed.
    Killed,
    /// `primitives`: what each lane said of its vertices: two bits each, the first lowest; 1 is a vertex, 2 the end of a strip.
    Primitives,
    /// `R5.xy`: elements of a register, of each lane.
    Register(u32, Elements),
    /// `pixel0.x`, `pos60`, `param3.w`, `stream0[16]`: what each lane exported.
    Export(Target, Elements),
    /// `pixel0.mask`: which elements each lane exported, x lowest.
    Mask(Target),
    /// `ring[4]`: what each lane wrote to the ring, by words.
    Ring(u32),
    /// `scratch[0].x`: an element of the scratch buffer of each lane.
    Scratch(u32, Elements),
    /// `reduction[0].x`: an element of the reduction buffer.
    Reduction(u32, Elements),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = |f: &mut fmt::Formatter<'_>, target: &Target| match target {
            Target::Stream(stream, address) => write!(f, "stream{stream}[{address}]"),
            other => other.fmt(f),
        };
        match self {
            Place::Register(n, elements) => write!(f, "R{n}{elements}"),
            Place::Export(to, elements) => target(f, to).and_then(|()| elements.fmt(f)),
            Place::Mask(to) => target(f, to).and_then(|()| f.write_str(".mask")),
            Place::Killed => f.write_str("killed"),
            Place::Primitives => f.write_str("primitives"),
            Place::Ring(address) => write!(f, "ring[{address}]"),
            Place::Scratch(n, elements) => write!(f, "scratch[{n}]{elements}"),
            Place::Reduction(n, elements) => write!(f, "reduction[{n}]{elements}"),
        }
    }
}

impl Place {
    /// Whether each lane has its own.
    #[must_use]
    pub fn is_per_lane(&self) -> bool {
        !matches!(self, Place::Killed | Place::Reduction(..))
    }

    /// The type of whole numbers without a type: masks of lanes have 64 bits.
    #[must_use]
    pub fn integer(&self) -> Ty {
        if matches!(self, Place::Killed | Place::Primitives) { Ty::U64 } else { Ty::U32 }
    }

    /// The elements that it speaks of; one of what has none.
    #[must_use]
    pub fn elements(&self) -> Elements {
        match self {
            Place::Register(_, elements)
            | Place::Export(_, elements)
            | Place::Scratch(_, elements)
            | Place::Reduction(_, elements) => *elements,
            Place::Mask(_) | Place::Killed | Place::Primitives | Place::Ring(_) => Elements(1),
        }
    }

    /// The same place with one element only.
    #[must_use]
    pub fn only(&self, element: usize) -> Place {
        let one = Elements(1 << (element & 3));
        match self {
            Place::Register(n, _) => Place::Register(*n, one),
            Place::Export(to, _) => Place::Export(*to, one),
            Place::Scratch(n, _) => Place::Scratch(*n, one),
            Place::Reduction(n, _) => Place::Reduction(*n, one),
            other => other.clone(),
        }
    }

    /// What is left there, of a lane and an element; none where nothing was written.
    #[must_use]
    pub fn left(&self, outcome: &Outcome, lane: usize, element: usize) -> Option<u64> {
        let element = element & 3;
        let exported = |to: &Target| outcome.exports.get(to)?.get(lane).copied();
        Some(match self {
            Place::Register(n, _) => outcome.gprs.get(*n as usize)?.get(lane)?[element].into(),
            Place::Export(to, _) => {
                let exported = exported(to)?;
                u64::from((exported.mask >> element & 1 != 0).then_some(exported.words[element])?)
            }
            Place::Mask(to) => exported(to).map_or(0, |exported| exported.mask.into()),
            Place::Killed => outcome.killed,
            Place::Primitives => {
                let code = |primitive: &Primitive| match primitive {
                    Primitive::Emit => 1,
                    Primitive::Cut => 2,
                };
                outcome.primitives.get(lane)?.iter().rev().fold(0, |all, one| all << 2 | code(one))
            }
            Place::Ring(address) => (*outcome.ring.get(lane)?.get(address)?).into(),
            Place::Scratch(n, _) => outcome.scratch.get(lane)?.get(*n as usize)?[element].into(),
            Place::Reduction(n, _) => outcome.reduction.get(*n as usize)?[element].into(),
        })
    }

    /// Reads a place.
    ///
    /// # Errors
    /// Says what would be one.
    pub(crate) fn read(reader: &mut Reader<'_>) -> AsmResult<Place> {
        let (word, span) = reader.name("a register, an export, or what else a program leaves")?;
        let (name, suffix) = word.split_once('.').unwrap_or((word, ""));
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = name[letters.len()..].parse::<u32>().ok();
        let whole = match (letters, number) {
            ("killed", None) if suffix.is_empty() => return Ok(Place::Killed),
            ("primitives", None) if suffix.is_empty() => return Ok(Place::Primitives),
            ("R", Some(n)) if n < REGISTERS => Place::Register(n, Elements::ALL),
            ("T", Some(n)) if n < 4 => Place::Register(REGISTERS - 4 + n, Elements::ALL),
            ("R" | "T", _) => return Err(AsmError::rule(span, "there is no such register")),
            ("pixel", Some(n)) => Place::Export(Target::Pixel(n), Elements::ALL),
            ("pos", Some(n)) => Place::Export(Target::Position(n), Elements::ALL),
            ("param", Some(n)) => Place::Export(Target::Parameter(n), Elements::ALL),
            ("stream", Some(n)) => Place::Export(Target::Stream(n, index(reader)?), Elements::ALL),
            ("ring", None) if suffix.is_empty() => return Ok(Place::Ring(index(reader)?)),
            ("scratch", None) => Place::Scratch(index(reader)?, Elements::ALL),
            ("reduction", None) => Place::Reduction(index(reader)?, Elements::ALL),
            _ => {
                let known = ["R0", "T0", "pixel0", "pos60", "param0", "stream0", "killed", "primitives", "ring"];
                return Err(near::unknown(span, "place", word, known.into_iter().chain(["scratch", "reduction"])));
            }
        };
        // Behind brackets the elements are a word of their own.
        let suffix = match reader.cur.at(0) {
            b'.' if suffix.is_empty() => reader.cur.ident().trim_start_matches('.'),
            _ => suffix,
        };
        let span = span.start..reader.cur.pos();
        if suffix.is_empty() {
            return Ok(whole);
        }
        if let (Place::Export(to, _), "mask") = (&whole, suffix) {
            return Ok(Place::Mask(*to));
        }
        let mut bits = 0u8;
        for c in suffix.chars() {
            let bit = "xyzw".find(c).map(|n| 1u8 << n).filter(|bit| *bit > bits);
            let rule = "elements are x, y, z and w, in this order, each once";
            bits |= bit.ok_or_else(|| AsmError::rule(span.clone(), rule))?;
        }
        let elements = Elements(bits);
        Ok(match whole {
            Place::Register(n, _) => Place::Register(n, elements),
            Place::Export(to, _) => Place::Export(to, elements),
            Place::Scratch(n, _) => Place::Scratch(n, elements),
            Place::Reduction(n, _) => Place::Reduction(n, elements),
            other => other,
        })
    }
}

/// A number in brackets.
pub(super) fn index(reader: &mut Reader<'_>) -> AsmResult<u32> {
    reader.expect(b'[', "`[` and a number")?;
    let n = reader.number("the number", u64::from(u32::MAX))?;
    reader.expect(b']', "`]`")?;
    Ok(n as u32)
}
