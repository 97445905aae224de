//! Reads `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)`, or a number.
//!
//! As in LLVM, a field that comes again is ORed.

use super::{at_call, imm16, name, need, need_ident, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::AsmResult;
use crate::asm::expr::Scope;
use crate::asm::near;
use crate::isa::arch::Target;
use crate::isa::symbols::delay_alu::FIELDS;

/// The 16 bits of the immediate.
///
/// # Errors
/// An unknown field or dependence.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    if !at_call(cur) {
        return imm16(cur, scope, "the delay immediate");
    }
    let mut imm = 0;
    loop {
        let (field_name, start) = need_ident(cur, "a field name")?;
        let Some(field) = FIELDS.iter().find(|f| f.name == field_name) else {
            return Err(near::unknown(span(start, cur), "field", field_name, FIELDS.iter().map(|f| f.name)));
        };
        need(cur, b'(', "`(`")?;
        imm |= name(cur, target, field.values, "dependence")? << field.shift;
        need(cur, b')', "`)`")?;
        if !cur.eat(b'|') {
            return Ok(imm);
        }
    }
}
