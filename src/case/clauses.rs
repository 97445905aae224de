//! Pieces of statements of a header: the brackets of `expect[...]`, traps, rules of comparison.

use super::isa::{Entry, Isa, Select};
use super::value::Value;
use super::values::Reader;
use super::{LOWEST, Rule, What};
use crate::asm::{AsmError, AsmResult, near};
use crate::case::TrapKind;
use crate::isa::types::Ty;
use crate::memory::guest::canonical;

/// Where something lies: 48 bits, of which the highest is the sign, and behind the code.
pub(crate) fn address(reader: &mut Reader) -> AsmResult<u64> {
    reader.cur.skip();
    let start = reader.cur.pos();
    let address = reader.number("the address", u64::MAX)?;
    let span = start..reader.cur.pos();
    match canonical(address) {
        None => {
            Err(AsmError::rule(span, "addresses have 48 bits: 0x0000_... to 0x7fff_..., or 0xffff_8000_... and up"))
        }
        Some(bits) if bits < LOWEST => Err(AsmError::rule(span, "below 0x20_0000 lies the code")),
        Some(_) => Ok(address),
    }
}

/// `gfx9, !gfx90a, gfx10..gfx12, wave32`
pub(crate) fn select(reader: &mut Reader, waves: bool) -> AsmResult<Select> {
    let mut select = Select { isa: Isa::default(), wave: None };
    loop {
        let except = reader.cur.eat(b'!');
        let (name, span) = reader.name("a processor or generation")?;
        match name {
            "wave32" if waves && !except => select.wave = Some(32),
            "wave64" if waves && !except => select.wave = Some(64),
            _ => select.isa.entries.push(Entry::parse(name, except, span)?),
        }
        if !reader.cur.eat(b',') {
            return Ok(select);
        }
    }
}

/// What stands behind `trap`.
pub(crate) fn trap(reader: &mut Reader) -> AsmResult<What> {
    let (name, span) = reader.name("the kind of trap")?;
    let Some(kind) = TrapKind::NAMES.into_iter().find(|n| *n == name) else {
        return Err(near::unknown(span, "trap", name, TrapKind::NAMES));
    };
    let number = (kind == "s_trap" && reader.cur.peek().is_ascii_digit()).then(|| reader.number("the trap", 255));
    let number = number.transpose()?.map(|n| n as u8);
    let at = reader.cur.eat_ident("at").then(|| reader.name("a label")).transpose()?.map(|(name, _)| name.to_owned());
    Ok(What::Trap { kind, number, at })
}

/// What stands behind a value: `, ulp(2), nan_any`.
pub(crate) fn rule(reader: &mut Reader, value: &Value) -> AsmResult<Rule> {
    let mut rule = Rule::default();
    while reader.cur.eat(b',') {
        let (name, span) = reader.name("a rule of comparison")?;
        if name != "exact" && rules_type(value).layout().is_none() {
            return Err(AsmError::rule(span, "only floats are compared like this; name the type, as `f32 0x3f800000`"));
        }
        match name {
            "exact" => rule = Rule::default(),
            "nan_any" => rule.nan_any = true,
            "ulp" => {
                reader.expect(b'(', "`(`")?;
                reader.cur.skip();
                let at = reader.cur.pos();
                rule.ulp = reader.number("the distance", u64::MAX)?;
                if rule.ulp > Rule::max_ulp(narrowest(value)) {
                    let rule = "so many values apart is more than a factor of two: any value would do; `abs(...)` is a distance";
                    return Err(AsmError::rule(at..reader.cur.pos(), rule));
                }
                reader.expect(b')', "`)`")?;
            }
            "abs" => {
                reader.expect(b'(', "`(`")?;
                let (token, span) = reader.token();
                let distance = token.parse::<f64>().ok().filter(|d| d.is_finite() && *d > 0.0);
                let Some(distance) = distance else {
                    return Err(AsmError::rule(span, "a distance is a number above zero, as `abs(1e-6)`"));
                };
                rule.abs = distance.to_bits();
                reader.expect(b')', "`)`")?;
            }
            _ => return Err(near::unknown(span, "rule", name, ["exact", "ulp", "abs", "nan_any"])),
        }
    }
    Ok(rule)
}

/// The float type of a value with the fewest values.
fn narrowest(value: &Value) -> Ty {
    let mut ty = rules_type(value);
    value.walk(&mut |v| {
        if !matches!(v, Value::Any) && v.ty().layout().is_some() && Rule::max_ulp(v.ty()) < Rule::max_ulp(ty) {
            ty = v.ty();
        }
    });
    ty
}

/// The type that a rule speaks of: of a packed value that of its halves, of a list that of any float in it.
fn rules_type(value: &Value) -> Ty {
    let mut ty = value.ty();
    value.walk(&mut |v| {
        if !matches!(v, Value::Any) && v.ty().layout().is_some() {
            ty = v.ty();
        }
    });
    ty
}
