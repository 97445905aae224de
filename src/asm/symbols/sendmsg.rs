//! Reads `sendmsg(MSG_GS, GS_OP_EMIT, 0)`, or a number.
//!
//! A message given by name is checked against what it may carry; one given by number may carry whatever fits the bits.

use super::{eat_call, name_or_number, need, number, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::Scope;
use crate::isa::arch::Target;
use crate::isa::symbols::sendmsg::{MESSAGES, has_stream, max_id, ops, pack, valid_op, wants_op};

/// The 16 bits of the immediate.
///
/// # Errors
/// An unknown message or operation, a combination that does not exist, or a number of more than 16 bits.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    if !eat_call(cur, "sendmsg") {
        return number(cur, scope, "message", 0, 0xffff);
    }
    let (id, named, start) = name_or_number(cur, scope, target, MESSAGES, "message")?;
    let id = in_range("message", id, max_id(target), span(start, cur))?;
    let message = span(start, cur);
    let (mut op, mut stream) = (0, 0);
    if cur.eat(b',') {
        let (value, _, start) = name_or_number(cur, scope, target, ops(id), "message operation")?;
        op = in_range("message operation", value, 7, span(start, cur))?;
        if named && !wants_op(id, target) {
            return Err(AsmError::rule(span(start, cur), "this message has no operations"));
        }
        if named && !valid_op(id, op, target) {
            return Err(AsmError::rule(span(start, cur), "this message does not have this operation"));
        }
        if cur.eat(b',') {
            cur.skip();
            let start = cur.pos();
            stream = number(cur, scope, "message stream", 0, 3)?;
            if named && !has_stream(id, op, target) {
                return Err(AsmError::rule(span(start, cur), "this message operation has no streams"));
            }
        }
    } else if named && wants_op(id, target) {
        return Err(AsmError::rule(message, "this message needs an operation"));
    }
    need(cur, b')', "`)`")?;
    Ok(pack(id, op, stream))
}

fn in_range(what: &'static str, value: i64, max: u32, place: std::ops::Range<usize>) -> AsmResult<u32> {
    if (0..=i64::from(max)).contains(&value) {
        return Ok(value as u32);
    }
    Err(AsmError::new(place, Problem::Range { what, value, min: 0, max: i64::from(max) }))
}
