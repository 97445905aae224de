//! The readers of the names inside operands and modifiers; their tables are in [`crate::isa::symbols`].
//!
//! `parse` stands at the first character of the construct, for a modifier behind its `name:`, and gives the value of the
//! field. Wherever a number may stand, so may an absolute expression.

pub mod cpol;
pub mod delay_alu;
pub mod depctr;
pub mod dim;
pub mod dpp;
pub mod export;
pub mod format;
pub mod gpr_idx;
pub mod hwreg;
pub mod interp;
pub mod sdwa;
pub mod sendmsg;
pub mod swizzle;
pub mod waitcnt;

#[cfg(test)]
mod tests;

use super::cursor::Cursor;
use super::error::{AsmError, AsmResult, Problem};
use super::expr::{Scope, parse_abs};
use super::near;
use crate::isa::arch::Target;
use crate::isa::symbols::{Found, Symbol, find};

/// Takes `c`.
pub(crate) fn need(cur: &mut Cursor<'_>, c: u8, what: &'static str) -> AsmResult<()> {
    if cur.eat(c) { Ok(()) } else { Err(AsmError::expected(cur.pos(), what)) }
}

/// Takes an identifier, and says where it began.
pub(crate) fn need_ident<'a>(cur: &mut Cursor<'a>, what: &'static str) -> AsmResult<(&'a str, usize)> {
    let name = cur.peek_ident();
    let start = cur.pos();
    if name.is_empty() || cur.at_end() {
        return Err(AsmError::expected(start, what));
    }
    cur.bump(name.len());
    Ok((name, start))
}

/// Whether an identifier with an opening parenthesis is next: a macro rather than an expression.
pub(crate) fn at_call(cur: &Cursor<'_>) -> bool {
    let mut look = *cur;
    !look.ident().is_empty() && look.eat(b'(')
}

/// Takes `name` and an opening parenthesis, or nothing.
pub(crate) fn eat_call(cur: &mut Cursor<'_>, name: &str) -> bool {
    let start = cur.pos();
    if cur.eat_ident(name) && cur.eat(b'(') {
        return true;
    }
    cur.set_pos(start);
    false
}

/// An absolute expression in a range.
pub(crate) fn number(
    cur: &mut Cursor<'_>,
    scope: &dyn Scope,
    what: &'static str,
    min: i64,
    max: i64,
) -> AsmResult<u32> {
    cur.skip();
    let start = cur.pos();
    let value = parse_abs(cur, scope)?;
    if value < min || value > max {
        return Err(AsmError::new(span(start, cur), Problem::Range { what, value, min, max }));
    }
    Ok(value as u32)
}

/// An immediate of 16 bits, signed or not.
pub(crate) fn imm16(cur: &mut Cursor<'_>, scope: &dyn Scope, what: &'static str) -> AsmResult<u32> {
    Ok(number(cur, scope, what, -0x8000, 0xffff)? & 0xffff)
}

/// From `start` to the cursor, never empty.
pub(crate) fn span(start: usize, cur: &Cursor<'_>) -> std::ops::Range<usize> {
    start..cur.pos().max(start + 1)
}

/// A number that may be written as a name of a table: its value, whether it is a name, and where it began.
///
/// A name of the table wins over a symbol of the program. A name of neither is an error that suggests one of the table.
pub(crate) fn name_or_number(
    cur: &mut Cursor<'_>,
    scope: &dyn Scope,
    target: &Target,
    table: &'static [Symbol],
    what: &'static str,
) -> AsmResult<(i64, bool, usize)> {
    let name = cur.peek_ident();
    let start = cur.pos();
    let place = start..start + name.len();
    match find(table, name, target) {
        Found::Here(value) => {
            cur.bump(name.len());
            Ok((i64::from(value), true, start))
        }
        Found::Elsewhere(on) => Err(near::elsewhere(place, what, name, on)),
        Found::Unknown => match parse_abs(cur, scope) {
            Ok(value) => Ok((value, false, start)),
            Err(error) if name.is_empty() || scope.lookup(name).is_some() => Err(error),
            Err(_) => Err(near::unknown(place, what, name, names(table, target))),
        },
    }
}

/// A name of a table.
pub(crate) fn name(
    cur: &mut Cursor<'_>,
    target: &Target,
    table: &'static [Symbol],
    what: &'static str,
) -> AsmResult<u32> {
    let (name, start) = need_ident(cur, what)?;
    match find(table, name, target) {
        Found::Here(value) => Ok(value),
        Found::Elsewhere(on) => Err(near::elsewhere(span(start, cur), what, name, on)),
        Found::Unknown => Err(near::unknown(span(start, cur), what, name, names(table, target))),
    }
}

/// The names that the processor knows.
pub(crate) fn names<'a>(table: &'static [Symbol], target: &'a Target) -> impl Iterator<Item = &'static str> + 'a {
    table.iter().filter(|row| target.is(row.on)).map(|row| row.name)
}
