//! Reads `p10` and `attr3.x`.

use super::{name, need_ident, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::Scope;
use crate::isa::arch::Target;
use crate::isa::symbols::interp::{CHANNELS, MAX_ATTR, SLOTS};

/// The number of a slot.
///
/// # Errors
/// An unknown name.
pub fn parse_slot(cur: &mut Cursor<'_>, _scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    name(cur, target, SLOTS, "interpolation slot")
}

/// An attribute and its channel, as `attribute << 2 | channel`.
///
/// # Errors
/// A channel that is missing or unknown, a number that is missing or too large.
pub fn parse_attr(cur: &mut Cursor<'_>, _scope: &dyn Scope, _target: &Target) -> AsmResult<u32> {
    let (text, start) = need_ident(cur, "an attribute: `attr0.x`")?;
    let place = span(start, cur);
    let Some(rest) = text.strip_prefix("attr") else {
        return Err(AsmError::new(place, Problem::Expected("an attribute: `attr0.x`")));
    };
    let channel = match rest.as_bytes() {
        [.., b'.', c] => CHANNELS.iter().position(|x| x == c),
        _ => None,
    };
    let Some(channel) = channel else {
        return Err(AsmError::new(place, Problem::Expected("a channel: `.x`, `.y`, `.z` or `.w`")));
    };
    let digits = &rest[..rest.len() - 2];
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return Err(AsmError::new(place, Problem::Expected("the number of an attribute")));
    }
    let number = digits.parse::<i64>().unwrap_or(i64::MAX);
    if number > i64::from(MAX_ATTR) {
        let problem = Problem::Range { what: "the attribute", value: number, min: 0, max: i64::from(MAX_ATTR) };
        return Err(AsmError::new(place, problem));
    }
    Ok((number as u32) << 2 | channel as u32)
}
