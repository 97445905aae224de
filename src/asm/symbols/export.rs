//! Reads `mrt0`, `pos1`, `null`: the target of an export.

use super::{need_ident, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::AsmResult;
use crate::asm::expr::Scope;
use crate::asm::near;
use crate::isa::arch::{Target, Variants};
use crate::isa::symbols::export::{TARGETS, Targets};

/// The six bits of the target.
///
/// # Errors
/// A target that is unknown, or unknown to the processor.
pub fn parse(cur: &mut Cursor<'_>, _scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    let (name, start) = need_ident(cur, "an export target")?;
    let mut on = Variants::empty();
    for (row, value) in TARGETS.iter().filter_map(|row| number_in(row, name).map(|value| (row, value))) {
        if target.is(row.on) {
            return Ok(value);
        }
        on |= row.on;
    }
    if !on.is_empty() {
        return Err(near::elsewhere(span(start, cur), "export target", name, on));
    }
    let plain = TARGETS.iter().filter(|t| target.is(t.on) && !t.indexed).map(|t| t.name);
    Err(near::unknown(span(start, cur), "export target", name, plain))
}

/// The number of a name, if it is one of the row: an index is written without leading zeros.
fn number_in(row: &Targets, name: &str) -> Option<u32> {
    let rest = name.strip_prefix(row.name)?;
    if !row.indexed {
        return rest.is_empty().then_some(row.first);
    }
    if rest.is_empty() || !rest.bytes().all(|c| c.is_ascii_digit()) || rest.len() > 1 && rest.starts_with('0') {
        return None;
    }
    let index = rest.parse::<u32>().ok()?.checked_sub(row.base())?;
    (index < row.count).then(|| row.first + index)
}
