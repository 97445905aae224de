//! Reads `BYTE_0` behind `dst_sel:`, and `UNUSED_PAD` behind `dst_unused:`.

use super::name;
use crate::asm::cursor::Cursor;
use crate::asm::error::AsmResult;
use crate::asm::expr::Scope;
use crate::isa::arch::Target;
use crate::isa::symbols::sdwa::{SELECTORS, UNUSED};

/// The three bits of a selector. Numbers are not taken.
///
/// # Errors
/// An unknown name.
pub fn parse_sel(cur: &mut Cursor<'_>, _scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    name(cur, target, SELECTORS, "selector")
}

/// The two bits of a `dst_unused`. Numbers are not taken.
///
/// # Errors
/// An unknown name.
pub fn parse_unused(cur: &mut Cursor<'_>, _scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    name(cur, target, UNUSED, "dst_unused")
}
