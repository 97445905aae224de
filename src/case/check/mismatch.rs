//! What is not as expected, and how it is told.

use super::Rule;
use crate::case::Trap;
use crate::case::{Expect, What};
use crate::isa::types::Ty;
use std::fmt;

/// Something that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Another value.
    Value {
        /// The register, or the memory with its offset.
        place: String,
        /// The group and the wave in it; nothing for buffers.
        wave: Option<([u32; 3], u32)>,
        /// The lane of a vector register.
        lane: Option<u32>,
        /// The type in which it is compared.
        ty: Ty,
        /// What was expected.
        expected: u64,
        /// What was found.
        got: u64,
        /// The rule that it breaks.
        rule: Rule,
    },
    /// The engine does not report it.
    Missing {
        /// The register, or the memory with its offset.
        place: String,
        /// The group and the wave in it.
        wave: Option<([u32; 3], u32)>,
    },
    /// Nothing, or not all of it, was compared: what is expected there is not what the run could have left.
    Unchecked {
        /// The register, or the memory with its offset.
        place: String,
        /// The element of a list that nothing corresponds to; nothing where no value at all was compared.
        element: Option<usize>,
    },
    /// An expectation whose brackets mean no target of the case.
    Dead {
        /// The expectation.
        expect: Expect,
    },
    /// A file of another size than the memory that it is compared with.
    Size {
        /// The memory with its offset.
        place: String,
        /// The file.
        file: String,
        /// Its bytes.
        bytes: usize,
        /// The bytes of memory.
        got: usize,
    },
    /// A tolerance as large as all that is expected: memory that nobody wrote would do.
    Loose {
        /// The register, or the memory with its offset.
        place: String,
        /// The rule.
        rule: Rule,
    },
    /// Another trap, a trap too many, or none where one was expected.
    Trap {
        /// What was expected, as the case has it.
        expected: Option<String>,
        /// What happened.
        got: Option<Trap>,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = |f: &mut fmt::Formatter<'_>, wave: &Option<([u32; 3], u32)>| match wave {
            Some(([x, y, z], wave)) if (*x, *y, *z, *wave) != (0, 0, 0, 0) => {
                write!(f, " of group ({x}, {y}, {z}) wave {wave}")
            }
            _ => Ok(()),
        };
        match self {
            Mismatch::Value { place, wave, lane, ty, expected, got, rule } => {
                f.write_str(place)?;
                lane.map_or(Ok(()), |lane| write!(f, " lane {lane}"))?;
                whose(f, wave)?;
                let show = |bits| format!("{} ({})", ty.hex(bits), ty.show(bits));
                write!(f, ": expected {ty} {}{rule}, got {}", show(*expected), show(*got))?;
                match ty.ulps(*expected, *got) {
                    Some(apart) => write!(f, ", {apart} ulp apart"),
                    None => Ok(()),
                }
            }
            Mismatch::Missing { place, wave } => {
                f.write_str(place)?;
                whose(f, wave)?;
                f.write_str(" is expected, and the engine does not report it")
            }
            Mismatch::Unchecked { place, element: None } => {
                write!(f, "{place} is expected, and there was nothing to compare: no work-item, or no memory, is there")
            }
            Mismatch::Unchecked { place, element: Some(n) } => {
                write!(
                    f,
                    "{place}: element {n} of the list was compared with nothing: there is no such work-item or wave"
                )
            }
            Mismatch::Dead { expect: Expect { select, what } } => {
                let place = match what {
                    What::Value { place, .. } => place.to_string(),
                    What::Trap { kind, .. } => format!("trap {kind}"),
                };
                write!(
                    f,
                    "expect{select}: {place}: these brackets mean no target of the case: nothing is compared with it"
                )
            }
            Mismatch::Size { place, file, bytes, got } => {
                write!(f, "{place} has {got} bytes, and the file \"{file}\" has {bytes}")
            }
            Mismatch::Loose { place, rule } => {
                let rule = rule.to_string();
                let rule = rule.trim_start_matches(", ");
                write!(f, "{place}: {rule} swallows every value that is expected: zero would do for all of them")
            }
            Mismatch::Trap { expected: None, got: Some(got) } => write!(f, "unexpected trap: {got}"),
            Mismatch::Trap { expected, got } => {
                write!(f, "expected trap {}, got ", expected.as_deref().unwrap_or("none"))?;
                match got {
                    Some(got) => got.fmt(f),
                    None => f.write_str("none"),
                }
            }
        }
    }
}
