//! Simple arithmetic over numbers of the dispatch, addresses and constants: `lane * 4 + 16`, `group.z << 16`, `low(address(x)) + wave * 4096`.
//!
//! Whole numbers that wrap: with 64 bits where one of them has 64 (an address of which no half is taken, or a number that needs them),
//! else with 32. Operators bind as in C. A quotient or remainder by zero is zero.

use super::eval::{At, Buffers, eval};
use super::numbers::Defaults;
use super::value::{Lit, Value};
use super::values::Reader;
use crate::asm::{AsmError, AsmResult};
use crate::isa::types::Ty;
use std::fmt::{self, Formatter};

/// A term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Math {
    /// A number, an id, an address.
    Leaf(Value),
    /// `low(x)`, `high(x)`: 32 of 64 bits.
    Half(Half, Box<Math>),
    /// `x + y`
    Two(Op, Box<Math>, Box<Math>),
}

/// Which half of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Bits 31:0.
    Low,
    /// Bits 63:32.
    High,
}

impl Half {
    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Half::Low => "low",
            Half::High => "high",
        }
    }
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Op {
    Or,
    Xor,
    And,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Every operator, how it is written, and how tight it binds.
const OPS: [(Op, &str, u8); 10] = [
    (Op::Or, "|", 1),
    (Op::Xor, "^", 2),
    (Op::And, "&", 3),
    (Op::Shl, "<<", 4),
    (Op::Shr, ">>", 4),
    (Op::Add, "+", 5),
    (Op::Sub, "-", 5),
    (Op::Mul, "*", 6),
    (Op::Div, "/", 6),
    (Op::Rem, "%", 6),
];

impl Op {
    fn row(self) -> (&'static str, u8) {
        OPS.iter().find(|(op, ..)| *op == self).map_or(("+", 5), |(_, text, tight)| (text, *tight))
    }

    fn apply(self, a: u64, b: u64, wide: bool) -> u64 {
        let bits = if wide { 64 } else { 32 };
        let shifted =
            |by: fn(u64, u32) -> Option<u64>| u32::try_from(b).ok().filter(|n| *n < bits).and_then(|n| by(a, n));
        match self {
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::And => a & b,
            Op::Shl => shifted(u64::checked_shl).unwrap_or(0),
            Op::Shr => shifted(u64::checked_shr).unwrap_or(0),
            Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::Mul => a.wrapping_mul(b),
            Op::Div => a.checked_div(b).unwrap_or(0),
            Op::Rem => a.checked_rem(b).unwrap_or(0),
        }
    }
}

impl Math {
    /// How many bytes it has: 4 or 8.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        match self {
            Math::Leaf(value) => value.bytes().max(4),
            Math::Half(..) => 4,
            Math::Two(_, a, b) => a.bytes().max(b.bytes()),
        }
    }

    /// The values that it is made of.
    pub fn walk(&self, see: &mut impl FnMut(&Value)) {
        match self {
            Math::Leaf(value) => value.walk(see),
            Math::Half(_, inside) => inside.walk(see),
            Math::Two(_, a, b) => {
                a.walk(see);
                b.walk(see);
            }
        }
    }

    pub(super) fn eval(&self, at: &At, buffers: &dyn Buffers) -> u64 {
        let wide = self.bytes() == 8;
        let bits = match self {
            Math::Leaf(value) => eval(value, at, buffers).unwrap_or(0) as u64,
            Math::Half(Half::Low, inside) => inside.eval(at, buffers),
            Math::Half(Half::High, inside) => inside.eval(at, buffers) >> 32,
            Math::Two(op, a, b) => op.apply(a.eval(at, buffers), b.eval(at, buffers), wide),
        };
        if wide { bits } else { bits & 0xffff_ffff }
    }

    /// As text that reads to the same; brackets where the operators around it bind tighter.
    pub(super) fn print(&self, f: &mut Formatter<'_>, around: u8, leaf: &mut impl Leaf) -> fmt::Result {
        match self {
            Math::Leaf(value) => leaf(f, value),
            Math::Half(half, inside) => {
                write!(f, "{}(", half.name())?;
                inside.print(f, 0, leaf)?;
                f.write_str(")")
            }
            Math::Two(op, a, b) => {
                let (text, tight) = op.row();
                let open = tight < around;
                f.write_str(if open { "(" } else { "" })?;
                a.print(f, tight, leaf)?;
                write!(f, " {text} ")?;
                // To the right of an operator its equals are in brackets: a - (b - c).
                b.print(f, tight + 1, leaf)?;
                f.write_str(if open { ")" } else { "" })
            }
        }
    }
}

/// Prints a value of a term.
pub(super) trait Leaf: FnMut(&mut Formatter<'_>, &Value) -> fmt::Result {}
impl<T: FnMut(&mut Formatter<'_>, &Value) -> fmt::Result> Leaf for T {}

/// How deep terms nest.
const MAX_DEPTH: u32 = 16;

/// What the first part of a term is followed by, if it is one: the value, or the whole term.
pub(super) fn rest(reader: &mut Reader<'_>, first: Value) -> AsmResult<Value> {
    if operator(reader).is_none() && !matches!(first, Value::Math(_)) {
        return Ok(first);
    }
    let first = match first {
        Value::Math(math) => *math,
        // In a term a number has as many bits as it needs, whatever the place.
        Value::Lit(Lit { bits, .. }) => {
            let ty = if bits > u64::from(u32::MAX) { Ty::U64 } else { Ty::U32 };
            Math::Leaf(Value::Lit(Lit { ty, bits }))
        }
        value => Math::Leaf(value),
    };
    match behind(reader, first, 0, 0)? {
        Math::Leaf(value) => Ok(value),
        math => Ok(Value::Math(Box::new(math))),
    }
}

/// `low(...)`, `high(...)`, `(...)`: what stands between the brackets.
pub(super) fn bracketed(reader: &mut Reader<'_>, depth: u32) -> AsmResult<Math> {
    reader.expect(b'(', "`(`")?;
    let inside = term(reader, 0, depth + 1)?;
    reader.expect(b')', "an operator or `)`")?;
    Ok(inside)
}

/// The half of a term. One of 32 bits has no halves.
pub(super) fn half(reader: &mut Reader<'_>, half: Half, depth: u32) -> AsmResult<Math> {
    reader.cur.skip();
    let start = reader.cur.pos();
    let inside = bracketed(reader, depth)?;
    if inside.bytes() != 8 {
        let rule = "only 64 bits have two halves, as `address(x)` has";
        return Err(AsmError::rule(start..reader.cur.pos(), rule));
    }
    Ok(Math::Half(half, Box::new(inside)))
}

fn term(reader: &mut Reader<'_>, tight: u8, depth: u32) -> AsmResult<Math> {
    reader.cur.skip();
    let start = reader.cur.pos();
    if depth > MAX_DEPTH {
        return Err(AsmError::rule(start..start + 1, "these values nest too deep"));
    }
    let first = match reader.cur.peek() {
        b'(' => bracketed(reader, depth)?,
        b'0'..=b'9' => {
            let defaults = Defaults { named: None, integer: Ty::U32, float: Ty::F32 };
            Math::Leaf(Value::Lit(reader.literal(&defaults)?))
        }
        _ => match reader.cur.peek_ident() {
            "low" => {
                reader.cur.ident();
                half(reader, Half::Low, depth)?
            }
            "high" => {
                reader.cur.ident();
                half(reader, Half::High, depth)?
            }
            _ => Math::Leaf(reader.whole()?),
        },
    };
    if let Math::Leaf(value) = &first
        && !counts(value)
    {
        let rule = "only whole numbers, addresses and numbers of the dispatch are computed with";
        return Err(AsmError::rule(start..reader.cur.pos().max(start + 1), rule));
    }
    behind(reader, first, tight, depth)
}

/// Whether a value can stand in a term.
fn counts(value: &Value) -> bool {
    match value {
        Value::Lit(lit) => lit.ty.layout().is_none() && lit.ty.bytes() >= 4,
        Value::Id(_) | Value::Address(..) | Value::Math(_) => true,
        Value::Scratch(word) => word.bytes() == 8,
        _ => false,
    }
}

/// The operators behind a term that bind tighter than the one before it, and what they are applied to.
fn behind(reader: &mut Reader<'_>, mut left: Math, tight: u8, depth: u32) -> AsmResult<Math> {
    while let Some((op, text, binds)) = operator(reader).filter(|(.., binds)| *binds > tight) {
        if let Math::Leaf(value) = &left
            && !counts(value)
        {
            let at = reader.cur.pos();
            let rule = "only whole numbers, addresses and numbers of the dispatch are computed with";
            return Err(AsmError::rule(at..at + text.len(), rule));
        }
        reader.cur.bump(text.len());
        let right = term(reader, binds, depth + 1)?;
        left = Math::Two(op, Box::new(left), Box::new(right));
    }
    Ok(left)
}

/// Whether an operator is next.
pub(super) fn follows(reader: &mut Reader<'_>) -> bool {
    operator(reader).is_some()
}

/// The operator that is next.
fn operator(reader: &mut Reader<'_>) -> Option<(Op, &'static str, u8)> {
    let first = reader.cur.peek();
    let second = reader.cur.at(1);
    OPS.into_iter().find(|(_, text, _)| match text.as_bytes() {
        [one] => *one == first,
        [one, two] => *one == first && *two == second,
        _ => false,
    })
}
