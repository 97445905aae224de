//! Absolute and symbolic expressions, with the precedence of GNU as and LLVM.
//!
//! A value whose symbols are all known is a number at once; only what is not yet known is kept as a tree.

use super::cursor::Cursor;
use super::error::{AsmError, AsmResult, Problem};

/// Where names get their values.
pub trait Scope {
    /// The absolute value of a symbol, if it has one by now.
    fn lookup(&self, name: &str) -> Option<i64>;
}

/// A scope without symbols.
pub struct NoSymbols;

impl Scope for NoSymbols {
    fn lookup(&self, _: &str) -> Option<i64> {
        None
    }
}

/// An expression with at least one unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Int(i64),
    /// A symbol, with its variant (`@rel32@lo`) if it has one; `.` is the current location, `1f` and `1b` local labels.
    Symbol(String),
    /// An operator before a value.
    Unary(UnOp, Box<Expr>),
    /// An operator between values.
    Binary(BinOp, Box<Expr>, Box<Expr>),
}

/// Operators before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    /// `-`
    Neg,
    /// `~`
    Not,
    /// `!`
    LogicalNot,
}

/// Operators between values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    And,
    Or,
    Xor,
    OrNot,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogicalAnd,
    LogicalOr,
}

/// A number, or what is not yet one.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Known.
    Abs(i64),
    /// To be known at the end.
    Expr(Box<Expr>),
}
