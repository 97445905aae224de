//! Reads `vmcnt(0) & lgkmcnt_sat(99)`, or a number.
//!
//! Counters are separated by `&`, `,`, or nothing, and may come again: the last one holds. With `_sat`, a value that is too
//! large (or negative, as in LLVM) is the largest one.

use super::{at_call, imm16, need, need_ident, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::{Scope, parse_abs};
use crate::asm::near;
use crate::isa::arch::Target;
use crate::isa::symbols::waitcnt::{COUNTERS, mask};

/// The 16 bits of the immediate. Counters end with the statement.
///
/// # Errors
/// An unknown counter, or a value that does not fit.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    if !at_call(cur) {
        return imm16(cur, scope, "the wait counter immediate");
    }
    let g = target.generation();
    let mut imm = mask(target);
    loop {
        let (name, start) = need_ident(cur, "a counter name")?;
        let name_span = span(start, cur);
        let (base, saturate) = name.strip_suffix("_sat").map_or((name, false), |base| (base, true));
        let Some(counter) = COUNTERS.iter().find(|c| c.name == base) else {
            return Err(near::unknown(name_span, "counter", name, COUNTERS.iter().map(|c| c.name)));
        };
        need(cur, b'(', "`(`")?;
        cur.skip();
        let start = cur.pos();
        let value = parse_abs(cur, scope)?;
        let max = counter.max(g);
        let fits = (0..=i64::from(max)).contains(&value);
        if !fits && !saturate {
            let problem = Problem::Range { what: counter.name, value, min: 0, max: i64::from(max) };
            return Err(AsmError::new(span(start, cur), problem));
        }
        imm = counter.set(imm, if fits { value as u32 } else { max }, g);
        need(cur, b')', "`)`")?;
        let more = cur.eat(b'&') || cur.eat(b',');
        if !more && cur.at_end() {
            return Ok(imm);
        }
    }
}
