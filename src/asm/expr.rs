//! Absolute and symbolic expressions, with the precedence of GNU as and LLVM.
//!
//! A value whose symbols are all known is a number at once; only what is not yet known is kept as a tree.
//!
//! Arithmetic is that of LLVM 19 (checked against `llvm-mc`): 64 bits, wrapping; comparisons yield -1 or 0, `!`, `&&` and `||`
//! 1 or 0; `>>` shifts zeroes in; a shift count counts modulo 64; `a!b` is `a | ~b`. From the weakest: `||`, `&&`,
//! comparisons, `+ -`, `| ^ & !`, `* / % << >>`. Division by zero is an error here, where LLVM crashes or keeps the tree.

use super::cursor::Cursor;
use super::error::{AsmError, AsmResult, Problem};

/// How deep parentheses and unary operators may nest.
const MAX_NESTING: u32 = 200;
/// How many operators a tree may have whose value is not yet known. Trees are walked recursively.
const MAX_UNKNOWN: u32 = 1000;

/// Where names get their values.
pub trait Scope {
    /// The absolute value of a symbol, if it has one by now.
    fn lookup(&self, name: &str) -> Option<i64>;

    /// The value of an expression with labels in it, where their distance is already known: `end - start`.
    fn resolve(&self, _: &Expr) -> Option<i64> {
        None
    }

    /// Reports that the instruction names a register: `last` is the highest number of a range. The source layer keeps
    /// `.amdgcn.next_free_vgpr` and `.amdgcn.next_free_sgpr` up to date with it; scopes of other uses ignore it.
    fn register_used(&self, _file: RegisterFile, _last: u32) {}
}

/// The register files whose use is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterFile {
    /// `v0`
    Vector,
    /// `s0`
    Scalar,
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

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// This symbol is not known.
    Unresolved(String),
    /// A division by zero, or the remainder of one.
    DivisionByZero,
}

impl UnOp {
    /// Computes.
    #[must_use]
    pub fn apply(self, a: i64) -> i64 {
        match self {
            UnOp::Neg => a.wrapping_neg(),
            UnOp::Not => !a,
            UnOp::LogicalNot => i64::from(a == 0),
        }
    }
}

impl BinOp {
    /// Computes; nothing where it divides by zero.
    #[must_use]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        let truth = |t: bool| -i64::from(t);
        Some(match self {
            BinOp::Add => a.wrapping_add(b),
            BinOp::Sub => a.wrapping_sub(b),
            BinOp::Mul => a.wrapping_mul(b),
            BinOp::Div | BinOp::Mod if b == 0 => return None,
            BinOp::Div => a.wrapping_div(b),
            BinOp::Mod => a.wrapping_rem(b),
            BinOp::And => a & b,
            BinOp::Or => a | b,
            BinOp::Xor => a ^ b,
            BinOp::OrNot => a | !b,
            BinOp::Shl => a.wrapping_shl((b & 63) as u32),
            BinOp::Shr => (a as u64).wrapping_shr((b & 63) as u32) as i64,
            BinOp::Eq => truth(a == b),
            BinOp::Ne => truth(a != b),
            BinOp::Lt => truth(a < b),
            BinOp::Le => truth(a <= b),
            BinOp::Gt => truth(a > b),
            BinOp::Ge => truth(a >= b),
            BinOp::LogicalAnd => i64::from(a != 0 && b != 0),
            BinOp::LogicalOr => i64::from(a != 0 || b != 0),
        })
    }
}

/// The value of a tree, with the values of its symbols.
///
/// # Errors
/// Names the first symbol without a value, or says that it divides by zero.
pub fn eval(expr: &Expr, symbols: &mut impl FnMut(&str) -> Option<i64>) -> Result<i64, EvalError> {
    match expr {
        Expr::Int(value) => Ok(*value),
        Expr::Symbol(name) => symbols(name).ok_or_else(|| EvalError::Unresolved(name.clone())),
        Expr::Unary(op, a) => Ok(op.apply(eval(a, symbols)?)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (eval(a, symbols)?, eval(b, symbols)?);
            op.apply(a, b).ok_or(EvalError::DivisionByZero)
        }
    }
}

impl Value {
    /// The tree: a number is a tree too.
    #[must_use]
    pub fn into_expr(self) -> Expr {
        match self {
            Value::Abs(value) => Expr::Int(value),
            Value::Expr(expr) => *expr,
        }
    }
}

/// Parses an expression.
///
/// # Errors
/// What is missing or wrong, and where.
#[inline]
pub fn parse(cur: &mut Cursor, scope: &dyn Scope) -> AsmResult<Value> {
    let start = *cur;
    if let Some(Ok(value)) = int_literal(cur) {
        let behind = *cur;
        if operator(cur).is_none() {
            *cur = behind;
            return Ok(Value::Abs(value));
        }
        *cur = start;
    }
    Parser { cur, scope, depth: 0, unknown: 0 }.binary(1)
}

/// Parses an expression whose value must be known by now.
///
/// # Errors
/// As [`parse`]; also where a symbol has no value yet.
pub fn parse_abs(cur: &mut Cursor, scope: &dyn Scope) -> AsmResult<i64> {
    cur.skip();
    let start = cur.pos();
    match parse(cur, scope)? {
        Value::Abs(value) => Ok(value),
        Value::Expr(expr) => scope.resolve(&expr).ok_or_else(|| {
            let span = start..cur.pos().max(start + 1);
            match eval(&expr, &mut |name| scope.lookup(name)) {
                Err(EvalError::Unresolved(name)) => {
                    AsmError::new(span, Problem::Named { rule: "the value must be known here, but this is not", name })
                }
                _ => AsmError::rule(span, "the value must be known here"),
            }
        }),
    }
}

/// Takes an integer literal if one is next; nothing (and the cursor as it was) for everything else, also for `1.5`, `1e3`, `1b`
/// and `1f`.
///
/// # Errors
/// A literal of more than 64 bits, or with a digit that its base does not have.
#[inline]
pub fn int_literal(cur: &mut Cursor) -> Option<AsmResult<i64>> {
    cur.skip();
    let first = cur.at(0);
    if !first.is_ascii_digit() {
        return if first == b'\'' { Some(char_literal(cur)) } else { None };
    }
    let (radix, prefix) = match (first, cur.at(1)) {
        (b'0', b'x' | b'X') => (16, 2),
        (b'0', b'b' | b'B') if cur.at(2).is_ascii_digit() => (2, 2),
        (b'0', b'o' | b'O') if cur.at(2).is_ascii_digit() => (8, 2),
        (b'0', b'0'..=b'9') => (8, 1),
        _ => (10, 0),
    };
    let mut n = prefix;
    let mut value = 0u64;
    let mut overflow = false;
    let mut bad_digit = false;
    loop {
        let c = cur.at(n);
        let digit = match c {
            b'0'..=b'9' => u64::from(c - b'0'),
            b'a'..=b'f' if radix == 16 => u64::from(c - b'a') + 10,
            b'A'..=b'F' if radix == 16 => u64::from(c - b'A') + 10,
            _ => break,
        };
        bad_digit |= digit >= radix;
        let (high, o1) = value.overflowing_mul(radix);
        let (sum, o2) = high.overflowing_add(digit);
        overflow |= o1 | o2;
        value = sum;
        n += 1;
    }
    let real = match cur.at(n) {
        b'.' => prefix != 2,
        b'e' | b'E' if prefix != 2 => {
            cur.at(n + 1).is_ascii_digit() || (matches!(cur.at(n + 1), b'+' | b'-') && cur.at(n + 2).is_ascii_digit())
        }
        b'b' | b'f' if prefix != 2 => !is_name(cur.at(n + 1)) || cur.at(n + 1) == b'@',
        b'p' | b'P' => radix == 16,
        _ => false,
    };
    if real {
        return None;
    }
    let span = cur.pos()..cur.pos() + n.max(1);
    if n == prefix && prefix == 2 || bad_digit || is_name(cur.at(n)) {
        return Some(Err(AsmError::rule(span.start..span.end + usize::from(!bad_digit), "not a digit of this number")));
    }
    if overflow {
        return Some(Err(AsmError::rule(span, "a number has at most 64 bits")));
    }
    cur.bump(n);
    Some(Ok(value as i64))
}

fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c == b'@'
}

#[cold]
fn char_literal(cur: &mut Cursor) -> AsmResult<i64> {
    let pos = cur.pos();
    let (value, len) = match (cur.at(1), cur.at(2)) {
        (b'\\', c) => {
            let value = match c {
                b'n' => 10,
                b't' => 9,
                b'r' => 13,
                b'b' => 8,
                b'f' => 12,
                b'0' => 0,
                c => c,
            };
            (value, 4)
        }
        (0 | b'\'' | b'\n', _) => return Err(AsmError::expected(pos, "a character between quotes")),
        (c, _) => (c, 3),
    };
    if cur.at(len - 1) != b'\'' {
        return Err(AsmError::rule(pos..pos + 1, "a quote holds one character of one byte"));
    }
    cur.bump(len);
    Ok(i64::from(value))
}

/// The operator that is next: what it is, how strongly it binds, how many bytes it has.
#[inline]
fn operator(cur: &mut Cursor) -> Option<(BinOp, u32, usize)> {
    Some(match cur.peek() {
        b'+' => (BinOp::Add, 4, 1),
        b'-' => (BinOp::Sub, 4, 1),
        b'*' => (BinOp::Mul, 6, 1),
        b'/' => (BinOp::Div, 6, 1),
        b'%' => (BinOp::Mod, 6, 1),
        b'^' => (BinOp::Xor, 5, 1),
        b'&' if cur.at(1) == b'&' => (BinOp::LogicalAnd, 2, 2),
        b'&' => (BinOp::And, 5, 1),
        b'|' if cur.at(1) == b'|' => (BinOp::LogicalOr, 1, 2),
        b'|' => (BinOp::Or, 5, 1),
        b'!' if cur.at(1) == b'=' => (BinOp::Ne, 3, 2),
        b'!' => (BinOp::OrNot, 5, 1),
        b'=' if cur.at(1) == b'=' => (BinOp::Eq, 3, 2),
        b'<' => match cur.at(1) {
            b'<' => (BinOp::Shl, 6, 2),
            b'=' => (BinOp::Le, 3, 2),
            b'>' => (BinOp::Ne, 3, 2),
            _ => (BinOp::Lt, 3, 1),
        },
        b'>' => match cur.at(1) {
            b'>' => (BinOp::Shr, 6, 2),
            b'=' => (BinOp::Ge, 3, 2),
            _ => (BinOp::Gt, 3, 1),
        },
        _ => return None,
    })
}

struct Parser<'p, 'a> {
    cur: &'p mut Cursor<'a>,
    scope: &'p dyn Scope,
    depth: u32,
    unknown: u32,
}

impl Parser<'_, '_> {
    /// Operators which bind at least as strongly as `weakest`, and their values.
    fn binary(&mut self, weakest: u32) -> AsmResult<Value> {
        let mut left = self.primary()?;
        loop {
            let behind = *self.cur;
            let Some((op, strength, len)) = operator(self.cur).filter(|(_, strength, _)| *strength >= weakest) else {
                // Spaces behind the expression are no part of it: spans end where it ends.
                *self.cur = behind;
                break;
            };
            let at = self.cur.pos();
            self.cur.bump(len);
            let right = self.binary(strength + 1)?;
            left = match (left, right) {
                (Value::Abs(a), Value::Abs(b)) => {
                    Value::Abs(op.apply(a, b).ok_or_else(|| AsmError::rule(at..self.cur.pos(), "division by zero"))?)
                }
                (left, right) => {
                    self.grow(at)?;
                    Value::Expr(Box::new(Expr::Binary(op, Box::new(left.into_expr()), Box::new(right.into_expr()))))
                }
            };
        }
        Ok(left)
    }

    fn grow(&mut self, at: usize) -> AsmResult<()> {
        self.unknown += 1;
        if self.unknown > MAX_UNKNOWN {
            return Err(AsmError::rule(at..at + 1, "an expression has at most 1000 operators on unknown values"));
        }
        Ok(())
    }

    fn primary(&mut self) -> AsmResult<Value> {
        let c = self.cur.peek();
        let pos = self.cur.pos();
        if let Some(literal) = int_literal(self.cur) {
            return literal.map(Value::Abs);
        }
        if c.is_ascii_digit() {
            return self.local_label();
        }
        if c == b'"' {
            return self.quoted();
        }
        if matches!(c, b'(' | b'-' | b'+' | b'~' | b'!') {
            self.depth += 1;
            if self.depth > MAX_NESTING {
                return Err(AsmError::rule(pos..pos + 1, "an expression nests at most 200 levels deep"));
            }
            self.cur.bump(1);
            let value = if c == b'(' {
                let value = self.binary(1)?;
                if !self.cur.eat(b')') {
                    return Err(AsmError::expected(self.cur.pos(), "`)`"));
                }
                value
            } else {
                self.primary()?
            };
            self.depth -= 1;
            return match c {
                b'-' => self.unary(UnOp::Neg, value, pos),
                b'~' => self.unary(UnOp::Not, value, pos),
                b'!' => self.unary(UnOp::LogicalNot, value, pos),
                _ => Ok(value),
            };
        }
        let name = self.cur.ident();
        if name.is_empty() {
            return Err(AsmError::expected(pos, "an expression"));
        }
        Ok(self.symbol(name))
    }

    fn unary(&mut self, op: UnOp, value: Value, at: usize) -> AsmResult<Value> {
        match value {
            Value::Abs(value) => Ok(Value::Abs(op.apply(value))),
            Value::Expr(expr) => {
                self.grow(at)?;
                Ok(Value::Expr(Box::new(Expr::Unary(op, expr))))
            }
        }
    }

    fn symbol(&self, name: &str) -> Value {
        match self.scope.lookup(name) {
            Some(value) => Value::Abs(value),
            None => Value::Expr(Box::new(Expr::Symbol(name.to_owned()))),
        }
    }

    /// `1b` and `1f`: the nearest label `1:` before or behind.
    fn local_label(&mut self) -> AsmResult<Value> {
        let pos = self.cur.pos();
        let mut n = 0;
        while self.cur.at(n).is_ascii_digit() {
            n += 1;
        }
        if !matches!(self.cur.at(n), b'b' | b'f') {
            return Err(AsmError::rule(pos..pos + n, "a fraction has no place in an integer expression"));
        }
        n += 1;
        while is_name(self.cur.at(n)) {
            n += 1;
        }
        let name = self.cur.slice(pos, pos + n);
        self.cur.bump(n);
        Ok(self.symbol(name))
    }

    /// A symbol whose name is not an identifier: `"a b"`.
    fn quoted(&mut self) -> AsmResult<Value> {
        let pos = self.cur.pos();
        let mut n = 1;
        while !matches!(self.cur.at(n), b'"' | 0 | b'\n') {
            n += 1;
        }
        if self.cur.at(n) != b'"' {
            return Err(AsmError::rule(pos..pos + n, "the string does not end"));
        }
        let name = self.cur.slice(pos + 1, pos + n);
        self.cur.bump(n + 1);
        if name.is_empty() {
            return Err(AsmError::rule(pos..pos + 2, "a symbol needs a name"));
        }
        Ok(self.symbol(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abs(text: &str) -> AsmResult<i64> {
        let mut cur = Cursor::new(text);
        let value = parse_abs(&mut cur, &NoSymbols)?;
        if cur.at_end() { Ok(value) } else { Err(AsmError::expected(cur.pos(), "the end")) }
    }

    // The numbers are those of `llvm-mc-19 -triple=amdgcn`, `.quad`.
    #[test]
    fn agrees_with_llvm() {
        for (text, value) in [
            ("1==1", -1),
            ("1<2", -1),
            ("2>1", -1),
            ("1!=1", 0),
            ("3<>4", -1),
            ("1>=1", -1),
            ("1<=0", 0),
            ("1+2*3", 7),
            ("1<<2+3", 7),
            ("6|1&3", 3),
            ("1&&2", 1),
            ("0||5", 1),
            ("!0", 1),
            ("!5", 0),
            ("~0", -1),
            ("-5/2", -2),
            ("-5%3", -2),
            ("7%-3", 1),
            ("0x8000000000000000", i64::MIN),
            ("0xffffffffffffffff", -1),
            ("18446744073709551615", -1),
            ("1<<64", 1),
            ("1<<63", i64::MIN),
            ("1<<65", 2),
            ("-1>>4", 0x0fff_ffff_ffff_ffff),
            ("-1>>64", -1),
            ("5!2", -3),
            ("'a'", 97),
            ("'\\n'", 10),
            ("010", 8),
            ("0b11", 3),
            ("9223372036854775807+1", i64::MIN),
            ("2*3%4", 2),
            ("2+3==5", -1),
            ("5==2+3", -1),
            ("1||0&&0", 1),
            ("1 | 2 == 3", -1),
            ("10-3-2", 5),
            ("1 ^ 3 + 4", 6),
            ("-(3)", -3),
            ("- -4", 4),
            ("1 < 2 < 3", -1),
            ("4 | !0", 5),
            ("1 /* one */ + 1 // two", 2),
        ] {
            assert_eq!(abs(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn the_extension_for_octal() {
        assert_eq!(abs("0o17"), Ok(15));
    }

    #[test]
    fn refuses() {
        for text in [
            "",
            "1/0",
            "1%0",
            "0x",
            "09",
            "0b102",
            "0x1ffffffffffffffff",
            "1+",
            "(1",
            "1 2",
            "''",
            "'ab'",
            "12h",
            "1_000",
            "1.5",
            "x",
            "1b",
            "\"",
            "\"\"",
            "'",
        ] {
            assert!(abs(text).is_err(), "{text}");
        }
        assert_eq!(abs("0x8000000000000000/-1"), Ok(i64::MIN));
    }

    #[test]
    fn keeps_what_is_not_known() {
        let mut cur = Cursor::new("2*3+a@rel32@lo-1b");
        let Ok(Value::Expr(tree)) = parse(&mut cur, &NoSymbols) else { panic!("a tree") };
        assert_eq!(eval(&tree, &mut |name| Some(name.len() as i64)), Ok(6 + 10 - 2));
        assert_eq!(eval(&tree, &mut |_| None), Err(EvalError::Unresolved("a@rel32@lo".to_owned())));
    }

    #[test]
    fn hostile_nesting_is_an_error() {
        for unit in ["(", "-", "~", "!", "-("] {
            assert!(abs(&unit.repeat(100_000)).is_err());
        }
        assert!(abs(&format!("a{}", "+a".repeat(100_000))).is_err());
        assert_eq!(abs(&format!("1{}", "+1".repeat(99_999))), Ok(100_000));
        let nested = format!("{}1{}", "(".repeat(150), ")".repeat(150));
        assert_eq!(abs(&nested), Ok(1));
    }
}
