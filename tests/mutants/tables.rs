//! The tables of mistakes are sound: names stand once, meanings exist and take and give the same,
//! and there are enough.

use libtest_mimic::{Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use wavediff::fault::meanings::MEANINGS;
use wavediff::fault::{Mistake, Mutant};
use wavediff::isa::sem::{self, Class, Meaning, Shape, Visitor};

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("tables::each_once", each_once),
        Trial::test("tables::meanings_fit", meanings_fit),
        Trial::test("tables::names_are_read_as_written", names_are_read_as_written),
    ]
}

fn each_once() -> Result<(), Failed> {
    let names: Vec<&str> =
        MEANINGS.iter().map(|(text, _)| *text).chain(Mistake::ALL.iter().map(|m| m.name())).collect();
    let once: BTreeSet<&str> = names.iter().copied().collect();
    if once.len() != names.len() {
        return Err("a mistake stands twice".into());
    }
    if names.len() < 300 { Err(format!("only {} mistakes", names.len()).into()) } else { Ok(()) }
}

fn names_are_read_as_written() -> Result<(), Failed> {
    for mutant in crate::all_mistakes() {
        if mutant.to_string().parse() != Ok(mutant.clone()) {
            return Err(format!("{mutant} is read as another").into());
        }
    }
    Ok(())
}

/// What meanings ask for and give.
#[derive(Default)]
struct Shapes(BTreeMap<&'static str, (&'static [Class], &'static [Class])>);

impl Visitor for Shapes {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        self.0.insert(name, (M::Args::CLASSES, M::Ret::CLASSES));
    }
}

fn meanings_fit() -> Result<(), Failed> {
    let (mut vector, mut scalar) = (Shapes::default(), Shapes::default());
    sem::vector(&mut vector);
    sem::wrong::vector(&mut vector);
    sem::scalar(&mut scalar);
    sem::wrong::scalar(&mut scalar);
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for mutant in crate::all_mistakes() {
        let Mutant::Meaning { of, by, order } = &mutant else { continue };
        used.insert(by.as_str().to_owned());
        let shapes = if vector.0.contains_key(of.as_str()) { &vector.0 } else { &scalar.0 };
        let (Some(this), Some(that)) = (shapes.get(of.as_str()), shapes.get(by.as_str())) else {
            wrong.push(format!("{mutant}: no such meaning"));
            continue;
        };
        if this != that {
            wrong.push(format!("{mutant}: {this:?} is not {that:?}"));
        }
        let order = order.clone().unwrap_or_default();
        if order.iter().enumerate().any(|(to, from)| this.0.get(to) != this.0.get(*from)) {
            wrong.push(format!("{mutant}: sources of different kinds change places"));
        }
    }
    let idle = |shapes: &Shapes| {
        let names = shapes.0.keys().filter(|name| name.contains('#') && !used.contains(**name));
        names.map(|name| format!("{name} stands for nothing")).collect::<Vec<_>>()
    };
    wrong.extend(idle(&vector));
    wrong.extend(idle(&scalar));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
