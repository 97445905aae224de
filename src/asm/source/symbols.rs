//! Symbols, and what expressions over them are worth.
//!
//! No instruction changes its size after it is encoded, so a label has its offset at once; only its use may come first. An
//! expression which is not a number when it is read becomes a [`Node`]: names are interned, `.` is bound to the place of the
//! statement, and `1b` and `1f` to one instance of the label. A node is worth a [`Linear`]: at most one place added, at most
//! one subtracted, and a number. Two places in one section cancel; what is left decides about a relocation.

use crate::asm::expr::{BinOp, Expr, UnOp};
use crate::object::module::{Binding, RelocationKind, SymbolKind, Visibility};
use std::cell::Cell;
use std::collections::HashMap;

/// How deep trees and the symbols they are made of may nest.
const MAX_DEPTH: u32 = 2500;
/// How many nodes one value may take: `.set` can double them with every line.
const MAX_STEPS: u32 = 20_000;

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
    /// A symbol defined by itself, or too much nesting.
    Circular,
    /// `sym@what`
    Variant(String),
}

impl Fault {
    pub fn message(&self) -> String {
        match self {
            Fault::NoLocal(number) => format!("there is no label `{number}:` in this direction"),
            Fault::DivisionByZero => "division by zero".into(),
            Fault::NotANumber => "only sums and differences of symbols can be left to the linker".into(),
            Fault::Circular => "the value depends on itself, or nests too deep".into(),
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
    steps: Cell<u32>,
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
        });
        id
    }

    /// Defines a number that the assembler keeps.
    pub fn keep(&mut self, name: &str, value: i64) {
        let id = self.intern(name);
        self.list[id].def = Def::Number(value);
        self.list[id].internal = true;
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
        self.steps.set(0);
        self.linear(node, 0)
    }

    /// The number a node is worth by now.
    pub fn absolute(&self, node: &Node) -> Option<i64> {
        let value = self.value(node).ok()?;
        (value.plus.is_none() && value.minus.is_none()).then_some(value.number)
    }

    fn linear(&self, node: &Node, depth: u32) -> Result<Linear, Fault> {
        self.steps.set(self.steps.get() + 1);
        if depth > MAX_DEPTH || self.steps.get() > MAX_STEPS {
            return Err(Fault::Circular);
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
                let place = self.locals.get(n).and_then(|l| l.get(*instance)).ok_or(Fault::NoLocal(*n))?;
                Ok(at(None, Some(*place), Variant(None)))
            }
            Node::Symbol(id, variant) => match &self.list[*id].def {
                Def::Number(value) => Ok(number(*value)),
                Def::Node(node) if variant.0.is_none() => self.linear(node, depth + 1),
                Def::Node(node) => {
                    let mut value = self.linear(node, depth + 1)?;
                    if let Some(term) = &mut value.plus {
                        term.variant = *variant;
                    }
                    Ok(value)
                }
                Def::Label(place) => Ok(at(Some(*id), Some(*place), *variant)),
                Def::Undefined | Def::Common { .. } | Def::Lds { .. } => Ok(at(Some(*id), None, *variant)),
            },
            Node::Unary(op, a) => {
                let a = self.linear(a, depth + 1)?;
                match op {
                    UnOp::Neg => Ok(Linear { plus: a.minus, minus: a.plus, number: a.number.wrapping_neg() }),
                    _ => Ok(number(op.apply(a.only_number()?))),
                }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.linear(a, depth + 1)?, self.linear(b, depth + 1)?);
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
