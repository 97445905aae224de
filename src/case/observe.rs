//! What a case looks at beside what it expects, and in which type it is shown.

use super::value::Place;
use super::values::Reader;
use crate::asm::{AsmError, AsmResult};
use crate::isa::types::Ty;
use std::fmt;

/// A place that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observe {
    /// The type in which it is shown; what the case says of the place elsewhere where nothing is said here.
    pub ty: Option<Ty>,
    /// Where.
    pub place: Place,
}

impl From<Place> for Observe {
    fn from(place: Place) -> Observe {
        Observe { ty: None, place }
    }
}

impl fmt::Display for Observe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ty.map_or(Ok(()), |ty| write!(f, "{ty} "))?;
        self.place.fmt(f)
    }
}

/// Why a place cannot be read in a type.
fn refused(place: &Place, ty: Ty) -> Option<&'static str> {
    let bytes = ty.bytes();
    match place {
        Place::Regs { count, .. } if !count.is_multiple_of(bytes.div_ceil(4)) => {
            Some("the type is wider than the register: write a range, as `f64 v[0:1]`")
        }
        Place::Scc | Place::M0 | Place::Mode | Place::Trapsts | Place::Export(_) if bytes > 4 => {
            Some("the type is wider than the register")
        }
        _ => None,
    }
}

/// Reads `f32 v2`, or a place without a type.
pub(super) fn observe(reader: &mut Reader<'_>) -> AsmResult<Observe> {
    reader.cur.skip();
    let start = reader.cur.pos();
    let (name, _) = reader.name("a type, a register, `lds` or `buffer`")?;
    let ty = Ty::find(name);
    if ty.is_none() {
        reader.cur.set_pos(start);
    }
    let place = reader.place()?;
    match ty.and_then(|ty| refused(&place, ty)) {
        Some(rule) => Err(AsmError::rule(start..reader.cur.pos(), rule)),
        None => Ok(Observe { ty, place }),
    }
}

impl Observe {
    /// Reads a place as command lines name it: `v2`, `v2:f32`, and buffers of these names without a word before them: `out:f32`, `out[16]`.
    ///
    /// # Errors
    /// Says what would be a place.
    pub fn parse<'n>(text: &str, buffers: impl IntoIterator<Item = &'n str>) -> Result<Observe, String> {
        let typed = text.rsplit_once(':').and_then(|(place, ty)| Some((place, Ty::find(ty.trim())?)));
        let (place, ty) = typed.map_or((text, None), |(place, ty)| (place, Some(ty)));
        let place = place.trim();
        let (name, offset) = match place.split_once('[') {
            Some((name, rest)) => (name, rest.strip_suffix(']').and_then(|offset| offset.parse().ok())),
            None => (place, Some(0)),
        };
        let mut known = buffers.into_iter();
        let place = match (known.any(|buffer| buffer == name), offset) {
            (true, Some(offset)) => Place::Buffer(name.to_owned(), offset),
            (true, None) => return Err(format!("`{text}`: bytes from the start of a buffer are written `{name}[16]`")),
            _ => {
                let mut reader = Reader::new(place);
                let read = reader.place().and_then(|place| reader.end().map(|()| place));
                read.map_err(|error| format!("`{text}`: {}", error.problem))?
            }
        };
        match ty.and_then(|ty| refused(&place, ty)) {
            Some(rule) => Err(format!("`{text}`: {rule}")),
            None => Ok(Observe { ty, place }),
        }
    }
}
