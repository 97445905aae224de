//! Operands and modifiers of one instruction, read without knowing which form they will go to.

use super::cursor::Cursor;
use super::error::{AsmError, AsmResult, Problem};
use super::expr::{self, Expr, Scope, Value};
use super::symbols::cpol::Policy;
use crate::isa::form::Mod;
use crate::isa::regs::{self, Bank, Half, Reg};
use crate::isa::symbols::cpol::Use;
use crate::isa::{Target, Variants};

/// What stands in one place.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// A register.
    Reg(Reg),
    /// A whole number.
    Int(i64),
    /// A number with a point.
    Float(f64),
    /// A value not known yet.
    Expr(Box<Expr>),
    /// `off`
    Off,
    /// The field's value: a symbolic immediate that was read already.
    Raw(u32),
    /// Registers in brackets: first and number, in [`Parsed::list`].
    List(u16, u16),
}

/// One operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// What stands there.
    pub val: Val,
    /// With `-` or `neg()`.
    pub neg: bool,
    /// With `|...|` or `abs()`.
    pub abs: bool,
    /// With `sext()`.
    pub sext: bool,
    /// With `lit()`.
    pub lit: bool,
    /// First byte in the statement.
    pub start: u32,
    /// First byte behind it.
    pub end: u32,
}

impl Operand {
    /// The span in the statement.
    #[must_use]
    pub fn span(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it has modifiers of its own.
    #[must_use]
    pub fn modified(&self) -> bool {
        self.neg | self.abs | self.sext
    }
}

/// One modifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modifier {
    /// Which.
    pub id: Mod,
    /// Its value; for a list, bit `i` is element `i`, and the number of elements lies in bits 15:8.
    pub value: i64,
    /// First byte in the statement.
    pub start: u32,
    /// First byte behind it.
    pub end: u32,
}

/// Everything behind the mnemonic.
#[derive(Default, Debug)]
pub struct Parsed {
    /// The operands.
    pub ops: Vec<Operand>,
    /// The registers of lists in brackets.
    pub list: Vec<Reg>,
    /// The modifiers.
    pub mods: Vec<Modifier>,
    /// The modifiers as a set of bits `1 << Mod`.
    pub mod_set: u64,
    /// The words of the cache policy (`glc`, `th:...`).
    pub policy: Policy,
    /// Where the last of them stands.
    pub policy_span: std::ops::Range<usize>,
    /// How many operands belong to the first half of a dual instruction.
    pub first_half: usize,
}

impl Parsed {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.ops.clear();
        self.list.clear();
        self.mods.clear();
        self.mod_set = 0;
        self.policy = Policy::default();
        self.policy_span = 0..0;
        self.first_half = 0;
    }

    /// A modifier, if it is there.
    #[must_use]
    pub fn modifier(&self, id: Mod) -> Option<&Modifier> {
        if self.mod_set & 1 << id as u8 == 0 {
            return None;
        }
        self.mods.iter().find(|m| m.id == id)
    }

    /// The value of a modifier, if it is there.
    #[must_use]
    pub fn value(&self, id: Mod) -> Option<i64> {
        self.modifier(id).map(|m| m.value)
    }

    /// Whether a flag is there and on.
    #[must_use]
    pub fn flag(&self, id: Mod) -> bool {
        self.value(id).is_some_and(|v| v != 0)
    }

    /// Adds a modifier.
    ///
    /// # Errors
    /// Where it is there already.
    pub fn add(&mut self, id: Mod, value: i64, start: usize, end: usize) -> AsmResult<()> {
        if self.mod_set & 1 << id as u8 != 0 {
            return Err(AsmError::rule(start..end, "this modifier is given twice"));
        }
        self.mod_set |= 1 << id as u8;
        self.mods.push(Modifier { id, value, start: start as u32, end: end as u32 });
        Ok(())
    }
}

/// Reads operands.
pub struct Reader<'a, 's> {
    /// Where we are.
    pub cur: Cursor<'a>,
    /// What names mean.
    pub scope: &'s dyn Scope,
    /// For which processor.
    pub target: &'s Target,
    /// What the instruction does to memory: it decides which words of a cache policy exist.
    pub usage: Use,
    /// Whether a list in brackets stays a list; else it must be a range of registers.
    pub keep_lists: bool,
}

impl<'a> Reader<'a, '_> {
    /// Reads one operand in its ordinary syntax.
    ///
    /// # Errors
    /// Where no operand stands here.
    pub fn operand(&mut self, out: &mut Parsed) -> AsmResult<Operand> {
        self.cur.skip();
        let start = self.cur.pos();
        let mut op = self.modified(out, 0)?;
        op.start = start as u32;
        op.end = self.cur.pos() as u32;
        Ok(op)
    }

    fn plain(val: Val) -> Operand {
        Operand { val, neg: false, abs: false, sext: false, lit: false, start: 0, end: 0 }
    }

    fn modified(&mut self, out: &mut Parsed, depth: u32) -> AsmResult<Operand> {
        let here = self.cur.pos();
        if depth > 4 {
            return Err(AsmError::rule(here..here + 1, "too many nested operand modifiers"));
        }
        match self.cur.peek() {
            b'-' => {
                let mark = self.cur.pos();
                self.cur.bump(1);
                // A minus is a modifier before a register, abs() or |...|; else it belongs to a number.
                let next = self.cur.peek();
                let id = self.cur.peek_ident();
                let is_modifier = next == b'|' || next == b'[' || id == "abs" || (!id.is_empty() && self.at_register());
                if is_modifier {
                    let mut op = self.modified(out, depth + 1)?;
                    if op.neg {
                        return Err(AsmError::rule(here..here + 1, "negated twice"));
                    }
                    if op.sext {
                        return Err(AsmError::rule(here..here + 1, "neg and sext cannot be combined"));
                    }
                    op.neg = true;
                    return Ok(op);
                }
                if id == "neg" || id == "sext" {
                    return Err(AsmError::expected(here, "a register, a number or abs() behind `-`"));
                }
                self.cur.set_pos(mark);
                self.number(false)
            }
            b'|' => {
                self.cur.bump(1);
                let mut op = match self.cur.peek() {
                    b'-' => self.number(true)?,
                    b'l' if self.cur.peek_ident() == "lit" && self.function_follows("lit") => {
                        self.modified(out, depth + 1)?
                    }
                    _ if !self.cur.peek_ident().is_empty() && self.at_register() => {
                        let reg = self.register(out)?;
                        Self::plain(reg)
                    }
                    _ => self.number(true)?,
                };
                if !self.cur.eat(b'|') {
                    return Err(AsmError::expected(self.cur.pos(), "a closing `|`"));
                }
                op.abs = true;
                Ok(op)
            }
            b'[' => Ok(Self::plain(self.bracket_list(out)?)),
            _ => {
                let id = self.cur.peek_ident();
                if id.is_empty() {
                    return self.number(false);
                }
                match id {
                    "neg" | "abs" | "sext" | "lit" if self.function_follows(id) => {
                        self.cur.bump(id.len());
                        self.cur.eat(b'(');
                        let mut op = match id {
                            "lit" => self.number(false)?,
                            "neg" if self.cur.peek() == b'-' => self.number(false)?,
                            _ => self.modified(out, depth + 1)?,
                        };
                        if !self.cur.eat(b')') {
                            return Err(AsmError::expected(self.cur.pos(), "a closing parenthesis"));
                        }
                        let twice = match id {
                            "neg" => std::mem::replace(&mut op.neg, true) || op.sext,
                            "abs" => std::mem::replace(&mut op.abs, true) || op.neg || op.sext,
                            "sext" => std::mem::replace(&mut op.sext, true) || op.neg || op.abs,
                            _ => std::mem::replace(&mut op.lit, true),
                        };
                        if twice {
                            return Err(AsmError::rule(here..here + 1, "operand modifiers that cannot be combined"));
                        }
                        Ok(op)
                    }
                    "off" => {
                        self.cur.bump(3);
                        Ok(Self::plain(Val::Off))
                    }
                    _ if self.at_register() => Ok(Self::plain(self.register(out)?)),
                    _ => self.number(false),
                }
            }
        }
    }

    fn function_follows(&self, id: &str) -> bool {
        let mut probe = self.cur;
        probe.bump(id.len());
        probe.peek() == b'('
    }

    /// A number or expression.
    fn number(&mut self, in_bars: bool) -> AsmResult<Operand> {
        let start = self.cur.pos();
        if let Some(f) = float_literal(&mut self.cur) {
            return Ok(Self::plain(Val::Float(f)));
        }
        if in_bars {
            // Inside |...| an expression needs parentheses, for `|` would be an operator.
            let neg = self.cur.eat(b'-');
            let v = if self.cur.peek() == b'(' {
                self.cur.bump(1);
                let v = expr::parse_abs(&mut self.cur, self.scope)?;
                if !self.cur.eat(b')') {
                    return Err(AsmError::expected(self.cur.pos(), "a closing parenthesis"));
                }
                v
            } else if let Some(v) = expr::int_literal(&mut self.cur) {
                v?
            } else {
                let id = self.cur.ident();
                self.scope.lookup(id).ok_or_else(|| AsmError::expected(start, "a register or a number"))?
            };
            return Ok(Self::plain(Val::Int(if neg { v.wrapping_neg() } else { v })));
        }
        match expr::parse(&mut self.cur, self.scope) {
            Ok(Value::Abs(v)) => Ok(Self::plain(Val::Int(v))),
            Ok(Value::Expr(e)) => Ok(Self::plain(Val::Expr(e))),
            Err(e) => Err(e),
        }
    }

    /// Whether `v` or `s` and a digit or bracket are next: no modifier looks like that.
    #[inline]
    pub(super) fn at_numbered_register(&self) -> bool {
        matches!(self.cur.at(0), b'v' | b's') && matches!(self.cur.at(1), b'0'..=b'9' | b'[')
    }

    /// Whether the identifier that is next begins a register.
    fn at_register(&mut self) -> bool {
        let id = self.cur.peek_ident();
        let bytes = id.as_bytes();
        let Some(&first) = bytes.first() else { return false };
        if matches!(first, b'v' | b's' | b'a') {
            if bytes.len() == 1 {
                let mut probe = self.cur;
                probe.bump(1);
                return probe.peek() == b'[';
            }
            let stem = id[1..].strip_suffix(".l").or_else(|| id[1..].strip_suffix(".h")).unwrap_or(&id[1..]);
            if stem.bytes().all(|c| c.is_ascii_digit()) {
                return true;
            }
        }
        if let Some(rest) = id.strip_prefix("ttmp").or_else(|| id.strip_prefix("acc")) {
            if rest.is_empty() {
                let mut probe = self.cur;
                probe.bump(id.len());
                return probe.peek() == b'[';
            }
            if rest.bytes().all(|c| c.is_ascii_digit()) {
                return true;
            }
        }
        regs::special(id, self.target).is_some() || regs::special_elsewhere(id).is_some()
    }

    /// Reads a register or register range.
    fn register(&mut self, _: &mut Parsed) -> AsmResult<Val> {
        self.cur.skip();
        let start = self.cur.pos();
        let id = self.cur.ident();
        let (bank, rest) = match id.as_bytes()[0] {
            b'v' if id.len() == 1 || id.as_bytes()[1].is_ascii_digit() => (Bank::Vgpr, &id[1..]),
            b's' if id.len() == 1 || id.as_bytes()[1].is_ascii_digit() => (Bank::Sgpr, &id[1..]),
            b'a' if id.len() == 1 || id.as_bytes()[1].is_ascii_digit() => (Bank::Agpr, &id[1..]),
            b'a' if id.starts_with("acc") => (Bank::Agpr, &id[3..]),
            b't' if id.starts_with("ttmp") => (Bank::Ttmp, &id[4..]),
            _ => (Bank::Special, ""),
        };
        if bank == Bank::Special {
            return match regs::special(id, self.target) {
                Some(reg) => Ok(Val::Reg(reg)),
                None => Err(AsmError::new(
                    start..self.cur.pos(),
                    Problem::Named { rule: "this register does not exist on this processor", name: id.to_owned() },
                )),
            };
        }
        if !rest.is_empty() {
            let (digits, half) = if let Some(d) = rest.strip_suffix(".l") {
                (d, Half::Low)
            } else if let Some(d) = rest.strip_suffix(".h") {
                (d, Half::High)
            } else {
                (rest, Half::Whole)
            };
            let n: u32 = digits
                .bytes()
                .try_fold(0u32, |n, c| n.checked_mul(10)?.checked_add(u32::from(c - b'0')))
                .unwrap_or(u32::MAX);
            return self.make(bank, i64::from(n), 1, half, start).map(Val::Reg);
        }
        if !self.cur.eat(b'[') {
            return Err(AsmError::expected(self.cur.pos(), "`[` behind the register kind"));
        }
        let first = expr::parse_abs(&mut self.cur, self.scope)?;
        let last = if self.cur.eat(b':') { expr::parse_abs(&mut self.cur, self.scope)? } else { first };
        if !self.cur.eat(b']') {
            return Err(AsmError::expected(self.cur.pos(), "a closing bracket"));
        }
        if first < 0 || last < first || last > 0xffff {
            return Err(AsmError::rule(
                start..self.cur.pos(),
                "the first register of a range must not lie behind the last",
            ));
        }
        self.make(bank, first, last - first + 1, Half::Whole, start).map(Val::Reg)
    }

    /// Checks number, width and alignment of a register range.
    fn make(&self, bank: Bank, first: i64, dwords: i64, half: Half, start: usize) -> AsmResult<Reg> {
        let g = self.target.generation();
        let (base, count) = match bank {
            Bank::Vgpr => (256, 256),
            Bank::Agpr => {
                if !self.target.is(Variants::CDNA) {
                    return Err(AsmError::rule(
                        start..self.cur.pos(),
                        "accumulation registers exist on gfx908 and later CDNA only",
                    ));
                }
                (256, 256)
            }
            Bank::Ttmp => (i64::from(regs::ttmp_base(g)), i64::from(regs::ttmp_count(g))),
            _ => (0, i64::from(regs::sgpr_count(g))),
        };
        let span = start..self.cur.pos();
        if first + dwords > count {
            return Err(AsmError::new(
                span,
                Problem::Range { what: "the last register", value: first + dwords - 1, min: 0, max: count - 1 },
            ));
        }
        if !matches!(dwords, 1..=12 | 16 | 32) {
            return Err(AsmError::rule(span, "no operand is that many registers wide"));
        }
        if matches!(bank, Bank::Sgpr | Bank::Ttmp) && dwords > 1 {
            let align = if dwords == 2 { 2 } else { 4 };
            if first % align != 0 {
                return Err(AsmError::rule(
                    span,
                    "scalar register pairs start at an even number, larger ranges at a multiple of 4",
                ));
            }
        }
        Ok(Reg { bank, code: (base + first) as u16, dwords: dwords as u8, half })
    }

    /// `[v1, v2, v[3:4]]`
    fn bracket_list(&mut self, out: &mut Parsed) -> AsmResult<Val> {
        let start = self.cur.pos();
        self.cur.eat(b'[');
        let first = out.list.len();
        loop {
            if self.cur.peek_ident().is_empty() || !self.at_register() {
                return Err(AsmError::expected(self.cur.pos(), "a register"));
            }
            if let Val::Reg(reg) = self.register(out)? {
                out.list.push(reg);
            }
            if self.cur.eat(b']') {
                break;
            }
            if !self.cur.eat(b',') || out.list.len() > 64 {
                return Err(AsmError::expected(self.cur.pos(), "`,` or `]`"));
            }
        }
        if self.keep_lists {
            return Ok(Val::List(first as u16, (out.list.len() - first) as u16));
        }
        let reg = self.list_as_range(&out.list[first..], start)?;
        out.list.truncate(first);
        Ok(Val::Reg(reg))
    }

    /// A list of single consecutive registers as one range.
    ///
    /// # Errors
    /// Where the registers do not follow each other.
    pub fn list_as_range(&self, regs: &[Reg], start: usize) -> AsmResult<Reg> {
        let first = regs[0];
        // Pairs like [vcc_lo, vcc_hi] are the wide register.
        let consecutive = regs
            .iter()
            .enumerate()
            .all(|(i, r)| r.dwords == 1 && r.bank == first.bank && usize::from(r.code) == usize::from(first.code) + i);
        if !consecutive {
            return Err(AsmError::rule(start..self.cur.pos(), "the registers of a list must follow each other"));
        }
        match first.bank {
            Bank::Special if regs.len() == 2 && first.code.is_multiple_of(2) => Ok(Reg { dwords: 2, ..first }),
            Bank::Special if regs.len() == 1 => Ok(first),
            Bank::Special => Err(AsmError::rule(start..self.cur.pos(), "these registers are no range")),
            Bank::Sgpr => self.make(Bank::Sgpr, i64::from(first.code), regs.len() as i64, Half::Whole, start),
            Bank::Ttmp => {
                let n = i64::from(first.code - regs::ttmp_base(self.target.generation()));
                self.make(Bank::Ttmp, n, regs.len() as i64, Half::Whole, start)
            }
            bank => self.make(bank, i64::from(first.code) - 256, regs.len() as i64, Half::Whole, start),
        }
    }
}

/// Reads a number with a point or an exponent, with its sign; leaves anything else alone.
fn float_literal(cur: &mut Cursor<'_>) -> Option<f64> {
    let neg = cur.peek() == b'-';
    let mut n = usize::from(neg);
    let digits_from = n;
    while cur.at(n).is_ascii_digit() {
        n += 1;
    }
    let had_digits = n > digits_from;
    let mut real = false;
    if cur.at(n) == b'.' && (had_digits || cur.at(n + 1).is_ascii_digit()) {
        real = true;
        n += 1;
        while cur.at(n).is_ascii_digit() {
            n += 1;
        }
    }
    if (had_digits || real) && matches!(cur.at(n), b'e' | b'E') {
        let mut e = n + 1;
        if matches!(cur.at(e), b'+' | b'-') {
            e += 1;
        }
        if cur.at(e).is_ascii_digit() {
            real = true;
            while cur.at(e).is_ascii_digit() {
                e += 1;
            }
            n = e;
        }
    }
    if !real {
        return None;
    }
    let from = cur.pos();
    let value = cur.slice(from, from + n).parse().ok()?;
    cur.bump(n);
    Some(value)
}
