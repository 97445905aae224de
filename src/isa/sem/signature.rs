//! What meanings take and give, for those who need no more of them than that.

use super::{Class, Meaning, Shape, Visitor};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A meaning by its name, with the kinds of its sources and results.
#[derive(Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name.
    pub name: &'static str,
    /// Its number among those that a [visitor](Visitor) is shown: that of vector or of scalar instructions.
    pub number: usize,
    /// The kinds of the sources.
    pub args: &'static [Class],
    /// The kinds of the results.
    pub ret: &'static [Class],
    /// Whether the float modes of the wave have a say.
    pub float: bool,
}

impl Signature {
    /// How many sources are values: not bits of a mask, nor SCC.
    #[must_use]
    pub fn values(&self) -> usize {
        self.args.iter().filter(|class| **class != Class::Bit).count()
    }

    /// Whether it computes floats, or looks at some.
    #[must_use]
    pub fn knows_floats(&self) -> bool {
        self.float || self.args.iter().any(|class| class.is_float())
    }
}

/// The meaning of a vector instruction that has this name.
#[must_use]
pub fn vector(name: &str) -> Option<&'static Signature> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::of(super::vector)).0.get(name)
}

/// The meaning of a scalar instruction that has this name.
#[must_use]
pub fn scalar(name: &str) -> Option<&'static Signature> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::of(super::scalar)).0.get(name)
}

#[derive(Default)]
struct Table(HashMap<&'static str, Signature>);

impl Table {
    fn of(visit: fn(&mut Table)) -> Table {
        let mut table = Table::default();
        visit(&mut table);
        table
    }
}

impl Visitor for Table {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        let number = self.0.len();
        let before = self
            .0
            .insert(name, Signature { name, number, args: M::Args::CLASSES, ret: M::Ret::CLASSES, float: M::FLOAT });
        debug_assert!(before.is_none(), "two meanings of {name}");
    }
}
