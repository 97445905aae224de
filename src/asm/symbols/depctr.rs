//! Reads `depctr_va_vdst(0) & depctr_sa_sdst(0)`, or a number.

use super::{at_call, imm16, need, need_ident, number, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::expr::Scope;
use crate::asm::near;
use crate::isa::arch::Target;
use crate::isa::symbols::depctr::{FIELDS, default};

/// The 16 bits of the immediate. Counters end with the statement.
///
/// # Errors
/// A counter that is unknown or comes twice, or a value that does not fit.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    if !at_call(cur) {
        return imm16(cur, scope, "the counter immediate");
    }
    let (mut imm, mut seen) = (default(target), 0u32);
    loop {
        let (name, start) = need_ident(cur, "a counter name")?;
        let place = span(start, cur);
        let Some(field) = FIELDS.iter().find(|f| f.name == name) else {
            return Err(near::unknown(place, "counter", name, FIELDS.iter().map(|f| f.name)));
        };
        if !target.is(field.on) {
            return Err(near::elsewhere(place, "counter", name, field.on));
        }
        let mask = field.max << field.shift;
        if seen & mask != 0 {
            return Err(AsmError::rule(place, "a counter may be given once"));
        }
        seen |= mask;
        need(cur, b'(', "`(`")?;
        let value = number(cur, scope, field.name, 0, i64::from(field.max))?;
        imm = imm & !mask | value << field.shift;
        need(cur, b')', "`)`")?;
        let more = cur.eat(b'&') || cur.eat(b',');
        if !more && cur.at_end() {
            return Ok(imm);
        }
    }
}
