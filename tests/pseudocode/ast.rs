//! The tree of the pseudo-code: what the text says, before any value is known.

use super::value::Ty;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number with its type, as bits.
    Number(Ty, u128),
    /// `S0`, `tmp`, `INF`, `EXEC`.
    Name(String),
    /// `S0.f16`, `WAVE_MODE.IEEE`: a view of the bits as another type, or a field of a register.
    Field(Box<Expr>, String),
    /// `x[i]`: a bit of a number, an element of an array.
    Index(Box<Expr>, Box<Expr>),
    /// `x[hi : lo]`, reversed when hi < lo.
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `{ high, .., low }`.
    Concat(Vec<Expr>),
    /// `32'U(x)`: a conversion of the value.
    Cast(Ty, Box<Expr>),
    /// `f(a, b)`.
    Call(String, Vec<Expr>),
    /// `-x`, `+x`, `~x`, `!x`.
    Unary(Unary, Box<Expr>),
    /// `a + b`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `lambda(a, b) ( body )`.
    Lambda(Vec<String>, Box<Body>),
}

/// The body of a lambda: one expression, or statements with `return`.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Value(Expr),
    Block(Vec<Stmt>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Minus,
    Plus,
    Not,
    LogicalNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    /// `!=`: true of an unordered pair.
    Ne,
    /// `<>`: false of an unordered pair.
    LessOrGreater,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `target = value`, or `target += value` with the operation.
    Assign(Expr, Option<Binary>, Expr),
    /// Pairs of condition and block, then the block of `else`.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `for name in from : to do`.
    For(String, Expr, Expr, Vec<Stmt>),
    /// `declare name : 32'U[n]`.
    Declare(String, Ty, Option<u32>),
    Return(Expr),
    Break,
    /// `nop()`.
    Call(Expr),
    /// `eval "..."` and bare strings: words for the reader, which nothing here can run.
    Words(String),
}
