//! Reads `SQ_RSRC_IMG_2D` or `2D`, behind `dim:`.

use super::span;
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::expr::Scope;
use crate::asm::near;
use crate::isa::arch::Target;
use crate::isa::symbols::dim::{DIMS, PREFIX};

/// The three bits of the dimension.
///
/// # Errors
/// An unknown dimension.
pub fn parse(cur: &mut Cursor<'_>, _scope: &dyn Scope, _target: &Target) -> AsmResult<u32> {
    // Not an identifier: it may begin with a digit.
    cur.skip();
    let start = cur.pos();
    while cur.at(0).is_ascii_alphanumeric() || matches!(cur.at(0), b'_' | b'.' | b'$' | b'@') {
        cur.bump(1);
    }
    let name = cur.slice(start, cur.pos());
    if name.is_empty() {
        return Err(AsmError::expected(start, "a dimension"));
    }
    let short = name.strip_prefix(PREFIX).unwrap_or(name);
    match DIMS.iter().find(|row| row.name == short) {
        Some(row) => Ok(u32::from(row.value)),
        None => Err(near::unknown(span(start, cur), "dimension", short, DIMS.iter().map(|row| row.name))),
    }
}
