//! Symbols, and what expressions over them are worth.
//!
//! No instruction changes its size after it is encoded, so a label has its offset at once; only its use may come first. An
//! expression which is not a number when it is read becomes a [`Node`]: names are interned, `.` is bound to the place of the
//! statement, and `1b` and `1f` to one instance of the label. A node is worth a [`Linear`]: at most one place added, at most
//! one subtracted, and a number. Two places in one section cancel; what is left decides about a relocation.
//!
//! What a symbol made of others is worth is worked out once and remembered, and what it depends on before it, so that a chain of any length
//! takes a step for each link. A definition that something has been worked out without, or with another value, begins a new `epoch`, and
//! what is remembered of the ones before counts no more.

use crate::asm::expr::{BinOp, Expr, UnOp};
use crate::asm::module::{Binding, RelocationKind, SymbolKind, Visibility};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// How many nodes all values of a file may take: each takes few, unless a file is made to begin epochs.
const MAX_STEPS: u64 = 1 << 26;

/// An offset in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub section: usize,
    pub offset: u64,
}

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Def {
    Undefined,
    Label(Place),
    Number(i64),
    Node(Node),
    Common { size: u64, align: u64 },
    Lds { size: u64, align: u64 },
}

/// One symbol.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: Box<str>,
    pub def: Def,
    /// Whether `.equiv` forbade another value.
    pub fixed: bool,
    /// Whether an expression that outlives its statement mentions it.
    pub used: bool,
    /// Kept by the assembler: not written to an object file.
    pub internal: bool,
    pub binding: Option<Binding>,
    pub kind: SymbolKind,
    pub visibility: Visibility,
    pub size: Option<Node>,
    /// Whether something was worked out with what it stands for now.
    seen: Cell<bool>,
    /// What it is worth, where it is made of others, and in which epoch that was.
    worth: RefCell<Option<(u64, Result<Linear, Fault>)>>,
    /// Whether what it depends on is being worked out.
    open: Cell<bool>,
}

/// An expression whose names are bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Int(i64),
    Symbol(usize, Variant),
    Place(Place),
    /// The label `number:`, counted from 0.
    Local(u64, usize),
    Unary(UnOp, Box<Node>),
    Binary(BinOp, Box<Node>, Box<Node>),
}

/// What is wanted of a symbol: `@rel32@lo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant(pub Option<RelocationKind>);

impl Variant {
    /// The variant of a name: what follows its first `@`.
    pub fn named(name: &str) -> Option<Variant> {
        use RelocationKind as R;
        Some(Variant(Some(match name.to_ascii_lowercase().as_str() {
            "gotpcrel" => R::GotPcRel,
            "gotpcrel32@lo" => R::GotPcRel32Lo,
            "gotpcrel32@hi" => R::GotPcRel32Hi,
            "rel32@lo" => R::Rel32Lo,
            "rel32@hi" => R::Rel32Hi,
            "rel64" => R::Rel64,
            "abs32@lo" => R::Abs32Lo,
            "abs32@hi" => R::Abs32Hi,
            _ => return None,
        })))
    }
}

/// One summand which is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// The symbol that was written, if it was one.
    pub symbol: Option<usize>,
    /// Where it is, if it is in this file.
    pub place: Option<Place>,
    pub variant: Variant,
}

/// `plus - minus + number`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Linear {
    pub plus: Option<Term>,
    pub minus: Option<Term>,
    pub number: i64,
}

/// Why a node has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A local label which does not come.
    NoLocal(u64),
    DivisionByZero,
    /// An operator on something that is not a number.
    NotANumber,
    /// A symbol defined by itself.
    Circular,
    /// All values together took too many steps.
    TooLong,
    /// `sym@what`
    Variant(String),
}

impl Fault {
    pub fn message(&self) -> String {
        match self {
            Fault::NoLocal(number) => format!("there is no label `{number}:` in this direction"),
            Fault::DivisionByZero => "division by zero".into(),
            Fault::NotANumber => "only sums and differences of symbols can be left to the linker".into(),
            Fault::Circular => "the value depends on itself".into(),
            Fault::TooLong => "the values of the symbols take too long to work out".into(),
            Fault::Variant(name) => format!(
                "unknown variant `@{name}` (there are rel32@lo, rel32@hi, rel64, abs32@lo, abs32@hi, gotpcrel, gotpcrel32@lo, gotpcrel32@hi)"
            ),
        }
    }
}

/// All symbols of a file.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    map: HashMap<Box<str>, usize>,
    pub list: Vec<Entry>,
    locals: HashMap<u64, Vec<Place>>,
    /// Whether a value was asked for without a local label that it needs.
    missed: Cell<bool>,
    /// Counts definitions that change values.
    epoch: u64,
    /// Nodes that values took so far.
    steps: Cell<u64>,
}

impl Symbols {
    /// The index of a name, which need not be known.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.map.get(name).copied()
    }

    /// The index of a name; it is entered if it is new.
    pub fn intern(&mut self, name: &str) -> usize {
        if let Some(&id) = self.map.get(name) {
            return id;
        }
        let id = self.list.len();
        self.map.insert(name.into(), id);
        self.list.push(Entry {
            name: name.into(),
            def: Def::Undefined,
            fixed: false,
            used: false,
            internal: false,
            binding: None,
            kind: SymbolKind::default(),
            visibility: Visibility::default(),
            size: None,
            seen: Cell::new(false),
            worth: RefCell::new(None),
            open: Cell::new(false),
        });
        id
    }

    /// Defines a number that the assembler keeps.
    pub fn keep(&mut self, name: &str, value: i64) {
        let id = self.intern(name);
        self.define(id, Def::Number(value));
        self.list[id].internal = true;
    }

    /// Says what a symbol stands for from now on.
    pub fn define(&mut self, id: usize, def: Def) {
        let entry = &mut self.list[id];
        entry.def = def;
        *entry.worth.get_mut() = None;
        self.epoch += u64::from(entry.seen.take());
    }

    /// The number a name stands for.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.list[self.find(name)?].def {
            Def::Number(value) => Some(value),
            _ => None,
        }
    }

    /// A label `number:`.
    pub fn define_local(&mut self, number: u64, place: Place) {
        self.locals.entry(number).or_default().push(place);
        self.epoch += u64::from(self.missed.take());
    }

    /// Binds the names of an expression.
    pub fn bind(&mut self, expr: &Expr, here: Place) -> Result<Node, Fault> {
        Ok(match expr {
            Expr::Int(value) => Node::Int(*value),
            Expr::Unary(op, a) => Node::Unary(*op, Box::new(self.bind(a, here)?)),
            Expr::Binary(op, a, b) => Node::Binary(*op, Box::new(self.bind(a, here)?), Box::new(self.bind(b, here)?)),
            Expr::Symbol(name) if name == "." => Node::Place(here),
            Expr::Symbol(name) if name.as_bytes().first().is_some_and(u8::is_ascii_digit) => self.bind_local(name)?,
            Expr::Symbol(name) => match name.split_once('@') {
                Some((base, variant)) if !base.is_empty() => {
                    let variant = Variant::named(variant).ok_or_else(|| Fault::Variant(variant.to_owned()))?;
                    Node::Symbol(self.intern(base), variant)
                }
                _ => Node::Symbol(self.intern(name), Variant(None)),
            },
        })
    }

    /// Binds the names of an expression which all are known already.
    pub fn bind_known(&self, expr: &Expr, here: Place) -> Option<Node> {
        Some(match expr {
            Expr::Int(value) => Node::Int(*value),
            Expr::Unary(op, a) => Node::Unary(*op, Box::new(self.bind_known(a, here)?)),
            Expr::Binary(op, a, b) => {
                Node::Binary(*op, Box::new(self.bind_known(a, here)?), Box::new(self.bind_known(b, here)?))
            }
            Expr::Symbol(name) if name == "." => Node::Place(here),
            Expr::Symbol(name) if name.as_bytes().first().is_some_and(u8::is_ascii_digit) => {
                self.bind_local(name).ok()?
            }
            Expr::Symbol(name) => Node::Symbol(self.find(name)?, Variant(None)),
        })
    }

    fn bind_local(&self, name: &str) -> Result<Node, Fault> {
        let (name, variant) = name.split_once('@').map_or((name, None), |(n, v)| (n, Some(v)));
        if let Some(variant) = variant {
            return Err(Fault::Variant(variant.to_owned()));
        }
        let (digits, direction) = name.split_at(name.len().saturating_sub(1));
        let number = digits.parse().unwrap_or(u64::MAX);
        let seen = self.locals.get(&number).map_or(0, Vec::len);
        match (direction, seen) {
            ("b", 0) => Err(Fault::NoLocal(number)),
            ("b", n) => Ok(Node::Local(number, n - 1)),
            (_, n) => Ok(Node::Local(number, n)),
        }
    }

    /// Marks the symbols of a node as used: what they stand for may not be changed silently any more.
    pub fn mark_used(&mut self, node: &Node) {
        match node {
            Node::Symbol(id, _) => self.list[*id].used = true,
            Node::Unary(_, a) => self.mark_used(a),
            Node::Binary(_, a, b) => {
                self.mark_used(a);
                self.mark_used(b);
            }
            Node::Int(_) | Node::Place(_) | Node::Local(..) => {}
        }
    }

    /// What a node is worth by now.
    pub fn value(&self, node: &Node) -> Result<Linear, Fault> {
        self.settle(node);
        self.linear(node)
    }

    /// The number a node is worth by now.
    pub fn absolute(&self, node: &Node) -> Option<i64> {
        let value = self.value(node).ok()?;
        (value.plus.is_none() && value.minus.is_none()).then_some(value.number)
    }

    /// What a symbol that is made of others was found to be worth in this epoch.
    fn worth(&self, id: usize) -> Option<Result<Linear, Fault>> {
        let worth = self.list[id].worth.borrow();
        worth.as_ref().filter(|(epoch, _)| *epoch == self.epoch).map(|(_, value)| value.clone())
    }

    /// Works out what the symbols of a node are worth, those first that others are made of.
    fn settle(&self, node: &Node) {
        let mut stack = Vec::new();
        self.unsettled(node, &mut stack);
        while let Some(&id) = stack.last() {
            let entry = &self.list[id];
            let (Def::Node(node), None) = (&entry.def, self.worth(id)) else {
                stack.pop();
                continue;
            };
            if self.steps.get() > MAX_STEPS {
                stack.iter().for_each(|id| self.list[*id].open.set(false));
                return;
            }
            // Whoever comes here a second time has all below it settled, or depends on itself: then something below has no value yet.
            if entry.open.replace(true) {
                entry.open.set(false);
                let value = self.linear(node);
                *entry.worth.borrow_mut() = Some((self.epoch, value));
                stack.pop();
            } else {
                self.unsettled(node, &mut stack);
            }
        }
    }

    /// The symbols of a node that are made of others, and have no value in this epoch yet.
    fn unsettled(&self, node: &Node, found: &mut Vec<usize>) {
        self.steps.set(self.steps.get() + 1);
        match node {
            Node::Symbol(id, _) if matches!(self.list[*id].def, Def::Node(_)) => {
                let known = self.list[*id].worth.borrow().as_ref().is_some_and(|(epoch, _)| *epoch == self.epoch);
                if !known {
                    found.push(*id);
                }
            }
            Node::Unary(_, a) => self.unsettled(a, found),
            Node::Binary(_, a, b) => {
                self.unsettled(a, found);
                self.unsettled(b, found);
            }
            Node::Int(_) | Node::Symbol(..) | Node::Place(_) | Node::Local(..) => {}
        }
    }

    fn linear(&self, node: &Node) -> Result<Linear, Fault> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS {
            return Err(Fault::TooLong);
        }
        let number = |number| Linear { plus: None, minus: None, number };
        let at = |symbol, place: Option<Place>, variant| Linear {
            plus: Some(Term { symbol, place, variant }),
            minus: None,
            number: 0,
        };
        match node {
            Node::Int(value) => Ok(number(*value)),
            Node::Place(place) => Ok(at(None, Some(*place), Variant(None))),
            Node::Local(n, instance) => {
                let place = self.locals.get(n).and_then(|l| l.get(*instance));
                self.missed.set(self.missed.get() | place.is_none());
                let place = place.ok_or(Fault::NoLocal(*n))?;
                Ok(at(None, Some(*place), Variant(None)))
            }
            Node::Symbol(id, variant) => {
                self.list[*id].seen.set(true);
                match &self.list[*id].def {
                    Def::Number(value) => Ok(number(*value)),
                    Def::Node(_) => {
                        let mut value = self.worth(*id).unwrap_or(Err(Fault::Circular))?;
                        if let (Some(term), true) = (&mut value.plus, variant.0.is_some()) {
                            term.variant = *variant;
                        }
                        Ok(value)
                    }
                    Def::Label(place) => Ok(at(Some(*id), Some(*place), *variant)),
                    Def::Undefined | Def::Common { .. } | Def::Lds { .. } => Ok(at(Some(*id), None, *variant)),
                }
            }
            Node::Unary(op, a) => {
                let a = self.linear(a)?;
                match op {
                    UnOp::Neg => Ok(Linear { plus: a.minus, minus: a.plus, number: a.number.wrapping_neg() }),
                    _ => Ok(number(op.apply(a.only_number()?))),
                }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                match op {
                    BinOp::Add => a.plus(b),
                    BinOp::Sub => a.plus(Linear { plus: b.minus, minus: b.plus, number: b.number.wrapping_neg() }),
                    _ => {
                        let (a, b) = (a.only_number()?, b.only_number()?);
                        op.apply(a, b).map(number).ok_or(Fault::DivisionByZero)
                    }
                }
            }
        }
    }
}

impl Linear {
    fn only_number(self) -> Result<i64, Fault> {
        if self.plus.is_none() && self.minus.is_none() { Ok(self.number) } else { Err(Fault::NotANumber) }
    }

    /// The sum; places in one section cancel.
    fn plus(self, other: Linear) -> Result<Linear, Fault> {
        let mut number = self.number.wrapping_add(other.number);
        let mut plus = [self.plus, other.plus];
        let mut minus = [self.minus, other.minus];
        for p in &mut plus {
            for m in &mut minus {
                let (Some(a), Some(b)) = (*p, *m) else { continue };
                if a.variant.0.is_some() || b.variant.0.is_some() {
                    continue;
                }
                match (a.place, b.place) {
                    (Some(x), Some(y)) if x.section == y.section => {
                        number = number.wrapping_add(x.offset as i64).wrapping_sub(y.offset as i64);
                    }
                    (None, None) if a.symbol == b.symbol => {}
                    _ => continue,
                }
                (*p, *m) = (None, None);
            }
        }
        let one = |pair: [Option<Term>; 2]| match pair {
            [Some(_), Some(_)] => Err(Fault::NotANumber),
            [a, b] => Ok(a.or(b)),
        };
        Ok(Linear { plus: one(plus)?, minus: one(minus)?, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plus_one(symbols: &mut Symbols, of: &str) -> Node {
        let id = symbols.intern(of);
        Node::Binary(BinOp::Add, Box::new(Node::Symbol(id, Variant(None))), Box::new(Node::Int(1)))
    }

    /// `.set a1, a0 + 1`, `.set a2, a1 + 1`, ... in this order or from the last one; the steps that all of it takes, with a look at each value as it is
    /// defined and at the end.
    fn steps_of_a_chain(links: usize, backwards: bool) -> (u64, Result<Linear, Fault>) {
        let mut symbols = Symbols::default();
        let order: Vec<usize> = if backwards { (1..=links).rev().collect() } else { (1..=links).collect() };
        for n in order {
            let node = plus_one(&mut symbols, &format!("a{}", n - 1));
            let _ = symbols.value(&node);
            let id = symbols.intern(&format!("a{n}"));
            symbols.define(id, Def::Node(node));
        }
        for id in 0..symbols.list.len() {
            let _ = symbols.value(&Node::Symbol(id, Variant(None)));
        }
        let last = symbols.intern(&format!("a{links}"));
        let value = symbols.value(&Node::Symbol(last, Variant(None)));
        (symbols.steps.get(), value)
    }

    #[test]
    fn a_chain_takes_as_many_steps_as_it_has_links() {
        for backwards in [false, true] {
            let (half, _) = steps_of_a_chain(20_000, backwards);
            let (whole, value) = steps_of_a_chain(40_000, backwards);
            assert!(whole < 2 * half + 100 && whole < 20 * 40_000, "{half} steps, then {whole}");
            let value = value.expect("a value");
            assert!(value.number == 40_000 && value.plus.is_some_and(|term| term.symbol.is_some()), "{value:?}");
        }
    }

    #[test]
    fn what_is_defined_later_counts() {
        let mut symbols = Symbols::default();
        let node = plus_one(&mut symbols, "x");
        let a = symbols.intern("a");
        symbols.define(a, Def::Node(node));
        let of_a = plus_one(&mut symbols, "a");
        assert_eq!(symbols.absolute(&of_a), None);
        let x = symbols.intern("x");
        for number in [40, 50] {
            symbols.define(x, Def::Number(number));
            assert_eq!(symbols.absolute(&of_a), Some(number + 2));
        }
        // A local label that comes after a value without it was asked for.
        let local = Node::Binary(BinOp::Sub, Box::new(Node::Local(1, 0)), Box::new(Node::Local(1, 0)));
        symbols.define(a, Def::Node(local));
        assert_eq!(symbols.value(&of_a), Err(Fault::NoLocal(1)));
        symbols.define_local(1, Place { section: 0, offset: 8 });
        assert_eq!(symbols.absolute(&of_a), Some(1));
    }

    #[test]
    fn what_depends_on_itself_has_no_value() {
        let mut symbols = Symbols::default();
        for (name, of) in [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")] {
            let node = plus_one(&mut symbols, of);
            let id = symbols.intern(name);
            symbols.define(id, Def::Node(node));
        }
        for name in ["d", "a", "b", "c", "d"] {
            let id = symbols.intern(name);
            assert_eq!(symbols.value(&Node::Symbol(id, Variant(None))), Err(Fault::Circular), "{name}");
        }
        // Until the circle is cut.
        let c = symbols.intern("c");
        symbols.define(c, Def::Number(1));
        let d = symbols.intern("d");
        assert_eq!(symbols.absolute(&Node::Symbol(d, Variant(None))), Some(4));
    }

    /// Every definition begins an epoch in which a chain is worked out again: that comes to an end, whatever the file.
    #[test]
    fn epochs_without_end_are_an_error() {
        let mut symbols = Symbols::default();
        let mut last = symbols.intern("a0");
        for n in 1..10_000 {
            let node = plus_one(&mut symbols, &format!("a{}", n - 1));
            last = symbols.intern(&format!("a{n}"));
            symbols.define(last, Def::Node(node));
        }
        let first = symbols.intern("a0");
        let of_last = Node::Symbol(last, Variant(None));
        let mut answers = (0..100_000).map(|n| {
            symbols.define(first, Def::Number(n));
            symbols.value(&of_last)
        });
        assert_eq!(answers.find_map(Result::err), Some(Fault::TooLong));
    }
}
