//! Reads `gpr_idx(SRC0,DST)`, or a number of four bits.

use super::{eat_call, name, need, number, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::expr::Scope;
use crate::isa::arch::Target;
use crate::isa::symbols::gpr_idx::MODES;

/// The four bits of the mode.
///
/// # Errors
/// An operand that is unknown or comes twice, or a number of more than four bits.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    if !eat_call(cur, "gpr_idx") {
        return number(cur, scope, "index mode", 0, 15);
    }
    let mut imm = 0;
    if cur.eat(b')') {
        return Ok(imm);
    }
    loop {
        cur.skip();
        let start = cur.pos();
        let bit = 1 << name(cur, target, MODES, "index mode")?;
        if imm & bit != 0 {
            return Err(AsmError::rule(span(start, cur), "an index mode may be given once"));
        }
        imm |= bit;
        if cur.eat(b')') {
            return Ok(imm);
        }
        need(cur, b',', "`,` or `)`")?;
    }
}
