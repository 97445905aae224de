//! Reads `quad_perm:[0,1,2,3]`, `row_shl:1`, `row_mirror`, from their names on, and `[0,..,7]` behind `dpp8:`.

use super::{need, need_ident, number, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::{Scope, parse_abs};
use crate::asm::near;
use crate::isa::arch::{Target, Variants};
use crate::isa::symbols::dpp::{Args, CONTROLS};

/// Whether a name begins a control, on any processor.
#[must_use]
pub fn is_control(name: &str) -> bool {
    CONTROLS.iter().any(|c| c.name == name)
}

/// The nine bits of the control; the cursor stands at its name.
///
/// # Errors
/// A control that is unknown, or unknown to the processor, or an argument that it does not take.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    let (name, start) = need_ident(cur, "a lane control")?;
    let on = CONTROLS.iter().filter(|c| c.name == name).fold(Variants::empty(), |set, c| set | c.on);
    if on.is_empty() {
        let names = CONTROLS.iter().filter(|c| target.is(c.on)).map(|c| c.name);
        return Err(near::unknown(span(start, cur), "lane control", name, names));
    }
    if !target.is(on) {
        return Err(near::elsewhere(span(start, cur), "lane control", name, on));
    }
    let rows = || CONTROLS.iter().filter(|c| c.name == name);
    let Some(first) = rows().next() else {
        return Err(AsmError::expected(start, "a lane control"));
    };
    if first.args == Args::None {
        return Ok(first.base);
    }
    need(cur, b':', "`:`")?;
    cur.skip();
    let start = cur.pos();
    match first.args {
        Args::None => Ok(first.base),
        Args::Quad => list(cur, scope, 4, 2),
        Args::Range(min, max) => {
            Ok(first.base + number(cur, scope, "the argument of the lane control", i64::from(min), i64::from(max))?)
        }
        Args::Only(_) => {
            let value = parse_abs(cur, scope)?;
            let row = rows().find(|c| matches!(c.args, Args::Only(n) if i64::from(n) == value));
            row.map(|c| c.base).ok_or_else(|| {
                let name = format!("{name}:{value}");
                AsmError::new(span(start, cur), Problem::Named { rule: "there is no such lane control", name })
            })
        }
    }
}

/// The 24 bits of the lanes behind `dpp8:`.
///
/// # Errors
/// Fewer or more than eight lanes, or one that is not in 0..=7.
pub fn parse8(cur: &mut Cursor<'_>, scope: &dyn Scope, _target: &Target) -> AsmResult<u32> {
    list(cur, scope, 8, 3)
}

fn list(cur: &mut Cursor<'_>, scope: &dyn Scope, count: u32, width: u32) -> AsmResult<u32> {
    need(cur, b'[', "`[`")?;
    let mut value = 0;
    for i in 0..count {
        if i > 0 {
            need(cur, b',', "`,`")?;
        }
        value |= number(cur, scope, "lane", 0, (1 << width) - 1)? << (i * width);
    }
    need(cur, b']', "`]`")?;
    Ok(value)
}
