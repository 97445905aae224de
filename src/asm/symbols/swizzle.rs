//! Reads `swizzle(QUAD_PERM,0,1,2,3)`, or a number, behind `offset:`.

use super::{need, need_ident, number, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::expr::Scope;
use crate::asm::near;
use crate::isa::arch::Target;
use crate::isa::symbols::swizzle::{MODES, QUAD_PERM, bitmask};

/// The 16 bits of the offset.
///
/// # Errors
/// An unknown mode, or an argument it does not take.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, _target: &Target) -> AsmResult<u32> {
    if !cur.eat_ident("swizzle") {
        return number(cur, scope, "offset", 0, 0xffff);
    }
    need(cur, b'(', "`(`")?;
    let (mode, start) = need_ident(cur, "a swizzle mode")?;
    let value = match mode {
        "QUAD_PERM" => {
            let mut value = QUAD_PERM;
            for i in 0..4 {
                need(cur, b',', "`,`")?;
                value |= number(cur, scope, "lane", 0, 3)? << (2 * i);
            }
            value
        }
        "BITMASK_PERM" => mask(cur)?,
        "BROADCAST" => {
            let group = group(cur, scope, 2, 32)?;
            need(cur, b',', "`,`")?;
            let lane = number(cur, scope, "lane", 0, i64::from(group) - 1)?;
            bitmask(32 - group, lane, 0)
        }
        "SWAP" => bitmask(31, 0, group(cur, scope, 1, 16)?),
        "REVERSE" => bitmask(31, 0, group(cur, scope, 2, 32)? - 1),
        _ => return Err(near::unknown(span(start, cur), "swizzle mode", mode, MODES)),
    };
    need(cur, b')', "`)`")?;
    Ok(value)
}

/// The size of a group: a power of two.
fn group(cur: &mut Cursor<'_>, scope: &dyn Scope, min: i64, max: i64) -> AsmResult<u32> {
    need(cur, b',', "`,`")?;
    cur.skip();
    let start = cur.pos();
    let size = number(cur, scope, "group size", min, max)?;
    if !size.is_power_of_two() {
        return Err(AsmError::rule(span(start, cur), "the group size must be a power of two"));
    }
    Ok(size)
}

/// Five characters in quotes, from bit 4 of the lane number to bit 0.
fn mask(cur: &mut Cursor<'_>) -> AsmResult<u32> {
    need(cur, b',', "`,`")?;
    need(cur, b'"', "a mask in quotes")?;
    let start = cur.pos();
    let (mut and, mut or, mut xor, mut len) = (0, 0, 0, 0);
    while cur.at(0) != b'"' {
        let (a, o, x) = match cur.at(0) {
            b'0' => (0, 0, 0),
            b'1' => (0, 1, 0),
            b'p' => (1, 0, 0),
            b'i' => (1, 0, 1),
            _ => return Err(AsmError::expected(cur.pos(), "`0`, `1`, `p`, `i` or `\"`")),
        };
        cur.bump(1);
        len += 1;
        if len > 5 {
            break;
        }
        (and, or, xor) = (and << 1 | a, or << 1 | o, xor << 1 | x);
    }
    if len != 5 {
        return Err(AsmError::rule(span(start, cur), "a mask has five characters"));
    }
    cur.bump(1);
    Ok(bitmask(and, or, xor))
}
