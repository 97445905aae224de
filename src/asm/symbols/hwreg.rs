//! Reads `hwreg(HW_REG_MODE, 0, 4)`, `{id: 1, offset: 0, size: 4}`, or a number.

use super::{eat_call, name_or_number, need, need_ident, number, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::Scope;
use crate::asm::near;
use crate::isa::arch::Target;
use crate::isa::symbols::hwreg::{REGISTERS, pack};

const REGISTER: &str = "hardware register";

/// The 16 bits of the immediate.
///
/// # Errors
/// An unknown register, a field outside of the register, or a number of more than 16 bits.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    if cur.eat(b'{') {
        return fields(cur, scope);
    }
    if !eat_call(cur, "hwreg") {
        return number(cur, scope, REGISTER, 0, 0xffff);
    }
    let (id, _, start) = name_or_number(cur, scope, target, REGISTERS, REGISTER)?;
    if !(0..=63).contains(&id) {
        let problem = Problem::Range { what: REGISTER, value: id, min: 0, max: 63 };
        return Err(AsmError::new(span(start, cur), problem));
    }
    if cur.eat(b')') {
        return Ok(pack(id as u32, 0, 32));
    }
    need(cur, b',', "`,` or `)`")?;
    let offset = number(cur, scope, "bit offset", 0, 31)?;
    need(cur, b',', "`,`")?;
    let size = number(cur, scope, "bit field width", 1, 32)?;
    need(cur, b')', "`)`")?;
    Ok(pack(id as u32, offset, size))
}

/// The fields behind the opening brace, in any order; each may be left out.
fn fields(cur: &mut Cursor<'_>, scope: &dyn Scope) -> AsmResult<u32> {
    let (mut id, mut offset, mut size) = (None, None, None);
    let mut first = true;
    while !cur.eat(b'}') {
        if !first {
            need(cur, b',', "`,` or `}`")?;
        }
        first = false;
        let (name, start) = need_ident(cur, "a field name")?;
        let (field, what, min, max) = match name {
            "id" => (&mut id, REGISTER, 0, 63),
            "offset" => (&mut offset, "bit offset", 0, 31),
            "size" => (&mut size, "bit field width", 1, 32),
            _ => return Err(near::unknown(span(start, cur), "field", name, ["id", "offset", "size"])),
        };
        if field.is_some() {
            return Err(AsmError::rule(span(start, cur), "a field may be given once"));
        }
        need(cur, b':', "`:`")?;
        *field = Some(number(cur, scope, what, min, max)?);
    }
    Ok(pack(id.unwrap_or(0), offset.unwrap_or(0), size.unwrap_or(32)))
}
