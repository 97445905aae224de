//! `bvh(...)`: the descriptor of a tree of boxes and triangles.
//!
//! `bvh(BUFFER + OFFSET, KEY=VALUE, ...)` is four words. Keys are fields of the descriptor ([`TreeField`]) with the values that they hold. What
//! is not written is as drivers set it: a tree that ends nowhere, sorted boxes, barycentric coordinates of triangles; on gfx12 instances.

use super::CaseError;
use super::picture::{base, named, put};
use super::values::Reader;
use crate::asm::AsmResult;
use crate::isa::Target;
use crate::memory::image::fields::Fields;
use crate::memory::rays::fields::TreeField;
use std::fmt::{self, Formatter};

/// The descriptor of a tree, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bvh {
    /// The buffer that has the nodes.
    pub buffer: String,
    /// Bytes behind its start.
    pub offset: u64,
    /// `grow=6`
    pub raw: Vec<(&'static str, u64)>,
}

impl Bvh {
    /// The four words for a buffer at an address.
    ///
    /// # Errors
    /// A value does not fit.
    pub fn words(&self, address: u64, target: Target) -> Result<[u32; 4], CaseError> {
        let generation = target.generation();
        let mut words = [0; 4];
        let all = (1u64 << TreeField::Size.bits(generation)) - 1;
        let usual = [
            (TreeField::Base, base(address, self.offset, target)?),
            (TreeField::Size, all),
            (TreeField::Sort, 1),
            (TreeField::Barycentrics, 1),
            (TreeField::Type, 8),
        ];
        for (field, value) in usual {
            put(field, &mut words, value, target)?;
        }
        TreeField::Instances.set(&mut words, generation, 1);
        for (name, value) in &self.raw {
            if let Some(field) = named::<TreeField>(name) {
                put(field, &mut words, *value, target)?;
            }
        }
        Ok(words)
    }
}

impl Reader<'_> {
    /// What stands in `bvh(...)`.
    pub(super) fn bvh(&mut self) -> AsmResult<Bvh> {
        self.expect(b'(', "`(`")?;
        let (buffer, offset) = self.buffer_place()?;
        let mut bvh = Bvh { buffer, offset, raw: Vec::new() };
        while self.cur.eat(b',') {
            bvh.raw.push(self.raw::<TreeField>("a field of the descriptor", u64::MAX)?);
        }
        self.expect(b')', "`,` or `)`")?;
        Ok(bvh)
    }
}

impl fmt::Display for Bvh {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "bvh({}", self.buffer)?;
        if self.offset > 0 {
            write!(f, " + {}", self.offset)?;
        }
        self.raw.iter().try_for_each(|(name, value)| write!(f, ", {name}={value}"))?;
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use crate::case::Case;
    use crate::isa::{Arch, Target};

    fn initial(line: &str, arch: &str) -> Result<[u32; 4], String> {
        let text = format!("; isa: all\n; buffer nodes[4096]\n; buffer near[256] at 0x300010\n; {line}\ns_nop 0\n");
        let case = Case::parse(&text, "one.s").map_err(|error| error.to_string())?;
        assert_eq!(Case::parse(&case.to_string(), "two.s").ok().map(|again| again.to_string()), Some(case.to_string()));
        let initial = case.initial(Target::new(Arch::find(arch).expect(arch))).map_err(|error| error.to_string())?;
        Ok(std::array::from_fn(|n| initial.sgpr(n as u32, 0)))
    }

    /// Base 0 apart, the words that RADV makes for gfx10.3: box sorting in bit 63, all 42 bits of the size, return mode in 120, type 8.
    #[test]
    fn words_are_those_of_a_driver() {
        let words = initial("s[0:3] = bvh(nodes)", "gfx1030").expect("a start");
        assert_eq!(words[1..], [1 << 31, u32::MAX, 0x3ff | 1 << 24 | 1 << 31]);
        // gfx11: the midpoint heuristic and pointer flags. gfx12: packed nodes, sorted together, instances.
        let words = initial("s[0:3] = bvh(nodes, heuristic=2, pointer_flags=1)", "gfx1100").expect("a start");
        assert_eq!(words[1..], [1 << 31 | 2 << 21, u32::MAX, 0x3ff | 1 << 24 | 1 << 31 | 1 << 23]);
        let line = "s[0:3] = bvh(nodes, heuristic=2, triangles_first=1, pointer_flags=1, compressed=1, wide_sort=1)";
        let words = initial(line, "gfx1200").expect("a start");
        let upper = 0x3ff | 1 << 24 | 1 << 31 | 1 << 23 | 1 << 19 | 1 << 21 | 1 << 22;
        assert_eq!(words[1..], [1 << 31 | 2 << 21 | 1 << 20, u32::MAX, upper]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        for (arch, line, word) in [
            ("gfx1030", "s[0:3] = bvh(nodes + 64)", "base"),
            ("gfx1030", "s[0:3] = bvh(near)", "base"),
            ("gfx1030", "s[0:3] = bvh(nodes, heuristic=1)", "heuristic"),
            ("gfx1100", "s[0:3] = bvh(nodes, grow=256)", "grow"),
            ("gfx1100", "s[0:3] = bvh(nodes, compressed=1)", "compressed"),
            ("gfx1200", "s[0:3] = bvh(nodes, growth=1)", "growth"),
            ("gfx900", "s[0:3] = bvh(nodes)", "base"),
        ] {
            let said = initial(line, arch);
            assert!(said.as_ref().is_err_and(|said| said.contains(word)), "{arch} {line}: {said:?}");
        }
    }
}
