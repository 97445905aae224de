//! Tokens to tree. Precedence is that of C, which the text counts on: `1 << a - 1` shifts by `a - 1`, `a + b >> 1` halves a sum.

use super::ast::{Binary, Body, Expr, Stmt, Unary};
use super::exact::{Exact, F16, F32, F64, Format, Packing, Rounding};
use super::lex::{Token, tokens};
use super::value::{Ty, Value, mask};

type Result<T> = std::result::Result<T, String>;

/// The statements of a text.
pub fn program(text: &str) -> Result<Vec<Stmt>> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let block = parser.block()?;
    match parser.peek() {
        None => Ok(block),
        Some(token) => Err(format!("{token:?} after the last statement")),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

/// Binary operators, loosest first.
const LEVELS: [&[(&str, Binary)]; 10] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Eq), ("!=", Binary::Ne), ("<>", Binary::LessOrGreater)],
    &[("<", Binary::Lt), ("<=", Binary::Le), (">", Binary::Gt), (">=", Binary::Ge)],
    &[("<<", Binary::Shl), (">>", Binary::Shr)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }
    fn sees(&self, mark: &str) -> bool {
        matches!(self.peek(), Some(Token::Mark(m)) if *m == mark)
    }
    fn sees_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w == word)
    }
    fn eat(&mut self, mark: &str) -> bool {
        let seen = self.sees(mark);
        self.at += usize::from(seen);
        seen
    }
    fn eat_word(&mut self, word: &str) -> bool {
        let seen = self.sees_word(word);
        self.at += usize::from(seen);
        seen
    }
    fn expect(&mut self, mark: &str) -> Result<()> {
        if self.eat(mark) { Ok(()) } else { Err(format!("{mark:?} expected, {:?} found", self.peek())) }
    }
    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { Err(format!("{word:?} expected, {:?} found", self.peek())) }
    }
    fn word(&mut self) -> Result<String> {
        match self.tokens.get(self.at) {
            Some(Token::Word(w)) => {
                self.at += 1;
                Ok(w.clone())
            }
            other => Err(format!("a name expected, {other:?} found")),
        }
    }
    fn number(&mut self) -> Result<String> {
        match self.tokens.get(self.at) {
            Some(Token::Number(n)) => {
                self.at += 1;
                Ok(n.clone())
            }
            other => Err(format!("a number expected, {other:?} found")),
        }
    }

    /// Statements up to a word that closes them. Semicolons only stand between statements, and often not there.
    fn block(&mut self) -> Result<Vec<Stmt>> {
        let mut out = Vec::new();
        loop {
            while self.eat(";") {}
            let closed = ["endif", "endfor", "else", "elsif"].iter().any(|w| self.sees_word(w));
            if self.peek().is_none() || closed || self.sees(")") {
                return Ok(out);
            }
            out.push(self.statement()?);
        }
    }

    fn statement(&mut self) -> Result<Stmt> {
        if self.eat_word("if") {
            return self.condition();
        }
        if self.eat_word("for") {
            let name = self.word()?;
            self.expect_word("in")?;
            let from = self.expr()?;
            self.expect(":")?;
            let to = self.expr()?;
            self.expect_word("do")?;
            let block = self.block()?;
            self.expect_word("endfor")?;
            return Ok(Stmt::For(name, from, to, block));
        }
        if self.eat_word("declare") {
            let name = self.word()?;
            self.expect(":")?;
            let ty = self.typed()?;
            let count = if self.eat("[") { Some(self.number()?.parse().map_err(|e| format!("{e}"))?) } else { None };
            if count.is_some() {
                self.expect("]")?;
            }
            return Ok(Stmt::Declare(name, ty, count));
        }
        if self.eat_word("return") {
            return Ok(Stmt::Return(self.expr()?));
        }
        if self.eat_word("break") {
            return Ok(Stmt::Break);
        }
        self.eat_word("eval");
        if let Some(Token::Text(text)) = self.peek() {
            let words = Stmt::Words(text.clone());
            self.at += 1;
            return Ok(words);
        }
        let target = self.postfix()?;
        for (mark, op) in [
            ("=", None),
            ("+=", Some(Binary::Add)),
            ("-=", Some(Binary::Sub)),
            ("|=", Some(Binary::BitOr)),
            ("&=", Some(Binary::BitAnd)),
        ] {
            if self.eat(mark) {
                return Ok(Stmt::Assign(target, op, self.expr()?));
            }
        }
        match target {
            Expr::Call(..) => Ok(Stmt::Call(target)),
            other => Err(format!("{other:?} is no statement, before {:?}", self.peek())),
        }
    }

    fn condition(&mut self) -> Result<Stmt> {
        let mut arms = Vec::new();
        loop {
            let condition = self.expr()?;
            self.expect_word("then")?;
            arms.push((condition, self.block()?));
            if self.eat_word("elsif") {
                continue;
            }
            let otherwise = if self.eat_word("else") { self.block()? } else { Vec::new() };
            self.expect_word("endif")?;
            return Ok(Stmt::If(arms, otherwise));
        }
    }

    pub fn expr(&mut self) -> Result<Expr> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.expr()?;
        self.expect(":")?;
        let no = self.expr()?;
        Ok(Expr::Choose(condition.into(), yes.into(), no.into()))
    }

    fn binary(&mut self, level: usize) -> Result<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level + 1)?;
        'next: loop {
            for (mark, op) in *operators {
                if self.eat(mark) {
                    let right = self.binary(level + 1)?;
                    left = Expr::Binary(*op, left.into(), right.into());
                    continue 'next;
                }
            }
            return Ok(left);
        }
    }

    fn power(&mut self) -> Result<Expr> {
        let base = self.unary()?;
        if !self.eat("**") {
            return Ok(base);
        }
        let exponent = self.power()?;
        Ok(Expr::Binary(Binary::Pow, base.into(), exponent.into()))
    }

    fn unary(&mut self) -> Result<Expr> {
        for (mark, op) in [("-", Unary::Minus), ("+", Unary::Plus), ("~", Unary::Not), ("!", Unary::LogicalNot)] {
            if self.eat(mark) {
                return Ok(Expr::Unary(op, self.unary()?.into()));
            }
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Result<Expr> {
        let mut value = self.primary()?;
        loop {
            if self.eat(".") {
                value = Expr::Field(value.into(), self.word()?);
            } else if self.eat("[") {
                let first = self.expr()?;
                value = if self.eat(":") {
                    Expr::Slice(value.into(), first.into(), self.expr()?.into())
                } else {
                    Expr::Index(value.into(), first.into())
                };
                self.expect("]")?;
            } else {
                return Ok(value);
            }
        }
    }

    fn list(&mut self, close: &'static str) -> Result<Vec<Expr>> {
        let mut out = Vec::new();
        while !self.eat(close) {
            out.push(self.expr()?);
            if !self.eat(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(out)
    }

    fn primary(&mut self) -> Result<Expr> {
        if self.eat("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.eat("{") {
            return Ok(Expr::Concat(self.list("}")?));
        }
        if let Some(Token::Number(number)) = self.peek().cloned() {
            self.at += 1;
            return if self.eat("'") { self.sized(&number) } else { plain_number(&number) };
        }
        let name = self.word()?;
        if name == "lambda" {
            return self.lambda();
        }
        if self.eat("(") {
            return Ok(Expr::Call(name, self.list(")")?));
        }
        Ok(Expr::Name(name))
    }

    /// `32'U(x)`, `1'0U`, `16'1.0`: what follows the width and the quote.
    fn sized(&mut self, width: &str) -> Result<Expr> {
        let width: u32 = width.parse().map_err(|e| format!("{e}: {width}"))?;
        if let Some(Token::Number(number)) = self.peek().cloned() {
            self.at += 1;
            return sized_number(width, &number);
        }
        let kind = self.word()?;
        self.expect("(")?;
        let inner = self.expr()?;
        self.expect(")")?;
        let ty = Ty::of_letter(&kind, width).ok_or_else(|| format!("no type {width}'{kind}"))?;
        Ok(match (&inner, ty) {
            // `32'F(0xffc00000)` is written where the bits are meant.
            (Expr::Number(Ty::I(_), bits), Ty::F(_)) => Expr::Number(ty, *bits),
            _ => Expr::Cast(ty, inner.into()),
        })
    }

    /// `32'U` after the colon of a declaration.
    fn typed(&mut self) -> Result<Ty> {
        let width: u32 = self.number()?.parse().map_err(|e| format!("{e}"))?;
        self.expect("'")?;
        let kind = self.word()?;
        Ty::of_letter(&kind, width).ok_or_else(|| format!("no type {width}'{kind}"))
    }

    fn lambda(&mut self) -> Result<Expr> {
        self.expect("(")?;
        let mut names = Vec::new();
        while !self.eat(")") {
            names.push(self.word()?);
            self.eat(",");
        }
        self.expect("(")?;
        let block = ["declare", "if", "for", "return"].iter().any(|w| self.sees_word(w));
        let body = if block { Body::Block(self.block()?) } else { Body::Value(self.expr()?) };
        self.expect(")")?;
        Ok(Expr::Lambda(names, body.into()))
    }
}

fn digits(text: &str) -> Result<u128> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed.map_err(|e| format!("{e}: {text}"))
}

fn plain_number(text: &str) -> Result<Expr> {
    if text.contains('.') {
        let single = text.ends_with('F');
        return decimal(if single { F32 } else { F64 }, text.trim_end_matches('F'));
    }
    let hex = text.starts_with("0x");
    let end = text.trim_end_matches(['U', 'L']);
    let ty = match &text[end.len()..] {
        "ULL" => Ty::U(64),
        "LL" => Ty::I(64),
        "U" => Ty::U(32),
        // A hexadecimal pattern that fills the sign bit is written without a suffix.
        "" if hex && end.len() > 10 => Ty::I(64),
        "" => Ty::I(32),
        other => return Err(format!("the suffix {other}")),
    };
    Ok(Expr::Number(ty, digits(end)? & mask(ty.width())))
}

fn sized_number(width: u32, text: &str) -> Result<Expr> {
    if text.contains('.') {
        let Some(Ty::F(format)) = Ty::of_letter("F", width) else { return Err(format!("a float of {width} bits")) };
        return decimal(format, text);
    }
    let end = text.trim_end_matches('U');
    let ty = if end.len() < text.len() || text.starts_with("0x") { Ty::U(width) } else { Ty::I(width) };
    Ok(Expr::Number(ty, Value::new(ty, digits(end)?).bits))
}

/// The decimals of the text are all short multiples of 1/2.
fn decimal(format: Format, text: &str) -> Result<Expr> {
    let value: f64 = text.parse().map_err(|e| format!("{e}: {text}"))?;
    let exact = Exact::unpack(F64, value.to_bits());
    let bits = exact.pack(format, Packing { rounding: Rounding::Nearest, flush: false, saturate: false });
    debug_assert!(format != F16 || value.abs() < 65504.0);
    Ok(Expr::Number(Ty::F(format), bits.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_bind_tighter_than_shifts() {
        let parsed = program("a = 1 << b - 1").expect("a statement");
        let [Stmt::Assign(_, None, Expr::Binary(Binary::Shl, _, right))] = &parsed[..] else { panic!("{parsed:?}") };
        assert!(matches!(**right, Expr::Binary(Binary::Sub, ..)));
    }

    #[test]
    fn a_choice_inside_an_index_is_no_slice() {
        let parsed = program("a = b[c ? 2 : 9]").expect("a statement");
        assert!(matches!(&parsed[..], [Stmt::Assign(_, None, Expr::Index(_, _))]), "{parsed:?}");
    }

    #[test]
    fn lambdas_hold_expressions_or_blocks() {
        program("F = lambda(p, q) ( p ? q + p : q); D0.u = F(S0.u, S1.u)").expect("an expression");
        program("F = lambda(n) ( if n == 3 then return 8'1U else return n[9 : 2].u8 endif); a = F(b)")
            .expect("a block");
    }
}
