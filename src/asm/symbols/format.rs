//! Reads `[BUF_FMT_32_FLOAT]`, `[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]` or a number behind `format:`, and the older
//! `dfmt:4, nfmt:7`.

use super::{need, need_ident, number, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::Scope;
use crate::asm::near;
use crate::isa::arch::{ARCHS, Target, Variants};
use crate::isa::symbols::format::{
    DATA, DATA_PREFIX, MAX, NUM_PREFIX, UNIFIED_PREFIX, find_unified, from_split, is_unified, num_name,
};

/// The seven bits of the format.
///
/// # Errors
/// A name or pair that does not exist, or does not on this processor, or a number above 127.
pub fn parse(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    if !cur.eat(b'[') {
        return number(cur, scope, "format", 0, i64::from(MAX));
    }
    let (name, start) = need_ident(cur, "a format name")?;
    let place = span(start, cur);
    let value = match name.strip_prefix(UNIFIED_PREFIX) {
        Some(short) => unified(short, name, place, target)?,
        None => split(cur, name, place, target)?,
    };
    need(cur, b']', "`]`")?;
    Ok(value)
}

/// The seven bits of the format from `dfmt:N` and `nfmt:N` in either order, with or without a comma between them; the cursor
/// stands at the first. One may be missing. The comma behind them is left.
///
/// # Errors
/// Neither of them, a processor with unified formats, or a number which does not fit.
pub fn parse_legacy(cur: &mut Cursor<'_>, scope: &dyn Scope, target: &Target) -> AsmResult<u32> {
    cur.skip();
    if is_unified(target) {
        return Err(AsmError::rule(cur.pos()..cur.pos() + 4, "dfmt and nfmt exist up to gfx9: write format:"));
    }
    let (mut data, mut num) = (None, None);
    loop {
        let before = *cur;
        if data.is_some() || num.is_some() {
            cur.eat(b',');
        }
        let (field, what, max) = match cur.peek_ident() {
            "dfmt" if data.is_none() => (&mut data, "dfmt", 15),
            "nfmt" if num.is_none() => (&mut num, "nfmt", 7),
            _ => {
                *cur = before;
                break;
            }
        };
        cur.bump(4);
        need(cur, b':', "`:`")?;
        *field = Some(number(cur, scope, what, 0, max)?);
    }
    if data.is_none() && num.is_none() {
        return Err(AsmError::expected(cur.pos(), "`dfmt:` or `nfmt:`"));
    }
    Ok(data.unwrap_or(1) | num.unwrap_or(0) << 4)
}

fn unified(short: &str, name: &str, place: std::ops::Range<usize>, target: &Target) -> AsmResult<u32> {
    if is_unified(target)
        && let Some(value) = find_unified(short, target)
    {
        return Ok(value);
    }
    let targets = ARCHS.iter().map(Target::new).filter(is_unified);
    let on =
        targets.filter(|t| find_unified(short, t).is_some()).fold(Variants::empty(), |set, t| set | t.arch.variant);
    if on.is_empty() {
        return Err(AsmError::new(place, Problem::UnknownName { what: "format", name: name.to_owned(), near: None }));
    }
    Err(near::elsewhere(place, "format", name, on))
}

fn split(cur: &mut Cursor<'_>, first: &str, place: std::ops::Range<usize>, target: &Target) -> AsmResult<u32> {
    let (mut data, mut num) = (None, None);
    part(first, place.clone(), target, &mut data, &mut num)?;
    if cur.eat(b',') {
        let (second, start) = need_ident(cur, "a format name")?;
        part(second, span(start, cur), target, &mut data, &mut num)?;
    }
    let whole = place.start..cur.pos();
    from_split(data.unwrap_or(1), num.unwrap_or(0), target)
        .ok_or_else(|| AsmError::rule(whole, "this data format does not have this numeric format"))
}

/// One of the two names.
fn part(
    name: &str,
    place: std::ops::Range<usize>,
    target: &Target,
    data: &mut Option<u32>,
    num: &mut Option<u32>,
) -> AsmResult<()> {
    let find_data = |short: &str| DATA.iter().position(|&d| d == short).map(|n| n as u32);
    let find_num = |short: &str| (0..8).find(|&n| num_name(n, target) == short && !short.is_empty());
    let (slot, value) = if let Some(value) = name.strip_prefix(DATA_PREFIX).and_then(find_data) {
        (data, value)
    } else if let Some(value) = name.strip_prefix(NUM_PREFIX).and_then(find_num) {
        (num, value)
    } else {
        let nums = (0..8).map(|n| num_name(n, target)).filter(|n| !n.is_empty());
        let near = match (name.strip_prefix(DATA_PREFIX), name.strip_prefix(NUM_PREFIX)) {
            (Some(short), _) => near::near_miss(short, DATA).map(|n| format!("did you mean `{DATA_PREFIX}{n}`?")),
            (_, Some(short)) => near::near_miss(short, nums).map(|n| format!("did you mean `{NUM_PREFIX}{n}`?")),
            _ => None,
        };
        return Err(AsmError::new(place, Problem::UnknownName { what: "format", name: name.to_owned(), near }));
    };
    if slot.replace(value).is_some() {
        return Err(AsmError::rule(place, "a format has one data format and one numeric format"));
    }
    Ok(())
}
