//! Which processors and wave sizes something holds for: `gfx9, !gfx90a, gfx10..gfx12, navi31, wave32`.
//!
//! A name is a processor, a product, a generation (`gfx11`), or `all`; a range runs from the first processor of one name to the last of
//! another, oldest first. Entries are taken in order and the last that speaks of a processor decides; a list which begins with an
//! exclusion begins with all.

use crate::asm::near;
use crate::asm::{AsmError, AsmResult};
use crate::isa::{ARCHS, Arch, Gen, Target};
use std::fmt;
use std::ops::Range;

/// A set of processors, as written. Without entries it is all of them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Isa {
    /// The entries, in order.
    pub entries: Vec<Entry>,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `!`: not these.
    pub except: bool,
    /// As written: `gfx1100`, `gfx10..gfx12`.
    pub text: String,
    /// The processors: indices into [`ARCHS`].
    range: (usize, usize),
}

impl Entry {
    /// Reads an entry, without its `!`.
    ///
    /// # Errors
    /// A name that is none; a range which is empty.
    pub fn parse(text: &str, except: bool, span: Range<usize>) -> AsmResult<Entry> {
        let find = |name: &str| names(name).ok_or_else(|| unknown(name, span.clone()));
        let range = match text.split_once("..") {
            None => find(text)?,
            Some((from, to)) => {
                let from = if from.is_empty() { (0, 0) } else { find(from)? };
                let to = if to.is_empty() { (0, ARCHS.len()) } else { find(to)? };
                (from.0, to.1)
            }
        };
        if range.0 >= range.1 {
            return Err(AsmError::rule(span, "this range runs backwards"));
        }
        Ok(Entry { except, text: text.to_owned(), range })
    }
}

/// The processors of a name, as a range of [`ARCHS`].
fn names(name: &str) -> Option<(usize, usize)> {
    if name == "all" {
        return Some((0, ARCHS.len()));
    }
    if let Some(generation) = Gen::ALL.into_iter().find(|g| g.name() == name) {
        let first = ARCHS.iter().position(|a| a.generation == generation)?;
        let count = ARCHS.iter().filter(|a| a.generation == generation).count();
        return Some((first, first + count));
    }
    let found = Arch::find(name)?;
    let at = ARCHS.iter().position(|a| a.name == found.name)?;
    Some((at, at + 1))
}

fn unknown(name: &str, span: Range<usize>) -> AsmError {
    let products = ARCHS.iter().flat_map(|a| a.also.iter().copied());
    let all = ARCHS.iter().map(|a| a.name).chain(Gen::ALL.into_iter().map(Gen::name)).chain(products).chain(["all"]);
    near::unknown(span, "processor", name, all)
}

impl Isa {
    /// Only one processor.
    #[must_use]
    pub fn only(arch: &'static Arch) -> Isa {
        let at = ARCHS.iter().position(|a| a.name == arch.name).unwrap_or(0);
        Isa { entries: vec![Entry { except: false, text: arch.name.to_owned(), range: (at, at + 1) }] }
    }

    /// Whether a processor is in it.
    #[must_use]
    pub fn contains(&self, arch: &Arch) -> bool {
        let Some(at) = ARCHS.iter().position(|a| a.name == arch.name) else { return false };
        let start = self.entries.first().is_none_or(|e| e.except);
        self.entries
            .iter()
            .fold(start, |inside, e| if (e.range.0..e.range.1).contains(&at) { !e.except } else { inside })
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.entries.is_empty() {
            return f.write_str("all");
        }
        for (i, entry) in self.entries.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{}{}", if entry.except { "!" } else { "" }, entry.text)?;
        }
        Ok(())
    }
}

/// What stands in the brackets of `expect[...]` and `init[...]`. Empty: always.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Select {
    /// The processors.
    pub isa: Isa,
    /// The wave size.
    pub wave: Option<u32>,
}

impl Select {
    /// Whether it speaks of a target.
    #[must_use]
    pub fn matches(&self, target: Target) -> bool {
        self.isa.contains(target.arch) && self.wave.is_none_or(|wave| wave == super::wave_size(target))
    }

    /// Whether it speaks of every target.
    #[must_use]
    pub fn is_always(&self) -> bool {
        self.isa.entries.is_empty() && self.wave.is_none()
    }
}

impl fmt::Display for Select {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_always() {
            return Ok(());
        }
        f.write_str("[")?;
        if !self.isa.entries.is_empty() {
            write!(f, "{}", self.isa)?;
        }
        if let Some(wave) = self.wave {
            write!(f, "{}wave{wave}", if self.isa.entries.is_empty() { "" } else { ", " })?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn isa(list: &[(&str, bool)]) -> Isa {
        let entries = list.iter().map(|(text, except)| Entry::parse(text, *except, 0..1).expect("an entry")).collect();
        Isa { entries }
    }

    fn has(isa: &Isa, name: &str) -> bool {
        isa.contains(Arch::find(name).expect("a processor"))
    }

    #[test]
    fn ranges_and_exclusions() {
        let set = isa(&[("gfx9..gfx1030", false), ("gfx90a", true)]);
        assert!(has(&set, "gfx900") && has(&set, "gfx1030") && !has(&set, "gfx90a") && !has(&set, "gfx1031"));
        assert!(!has(&set, "gfx803"));
        let set = isa(&[("gfx10", true)]);
        assert!(has(&set, "gfx600") && !has(&set, "gfx1010"));
        assert!(has(&isa(&[("gfx11..", false)]), "gfx1201") && !has(&isa(&[("..gfx8", false)]), "gfx900"));
        assert!(has(&isa(&[("navi31", false)]), "gfx1100"));
        assert!(has(&Isa::default(), "gfx600"));
    }

    #[test]
    fn wrong_names() {
        let message = |text| Entry::parse(text, false, 0..1).expect_err("wrong").to_string();
        assert_eq!(message("gfx1110"), "unknown processor `gfx1110` (did you mean `gfx1010`?)");
        assert_eq!(message("gfx11..gfx9"), "this range runs backwards");
    }
}
