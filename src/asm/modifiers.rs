//! Modifiers by name: what may stand behind the operands of an instruction.
//!
//! All modifiers of all instructions are read here, without knowing the form; whether a form has them is asked later.

use super::error::{AsmError, AsmResult, Problem};
use super::expr;
use super::operand::{Parsed, Reader};
use super::symbols::{cpol, dim, dpp, format, sdwa, swizzle};
use crate::isa::Gen;
use crate::isa::form::Mod;

/// How a modifier is written.
#[derive(Clone, Copy)]
enum Syntax {
    /// `name`, or `noname`.
    Flag,
    /// `name:N`
    Number,
    /// `name:[a,b,...]` of zeros and ones.
    Bits,
    /// Something of its own.
    Special,
}

/// Names and syntax of modifiers.
#[rustfmt::skip]
const MODIFIERS: &[(&str, Mod, Syntax)] = &[
    ("op_sel",      Mod::OpSel,     Syntax::Bits),    ("op_sel_hi",  Mod::OpSelHi,   Syntax::Bits),
    ("neg_lo",      Mod::NegLo,     Syntax::Bits),    ("neg_hi",     Mod::NegHi,     Syntax::Bits),
    ("neg",         Mod::Neg,       Syntax::Bits),    ("byte_sel",   Mod::ByteSel,   Syntax::Number),
    ("clamp",       Mod::Clamp,     Syntax::Flag),    ("mul",        Mod::Omod,      Syntax::Special),
    ("div",         Mod::Omod,      Syntax::Special), ("cbsz",       Mod::Cbsz,      Syntax::Number),
    ("abid",        Mod::Abid,      Syntax::Number),  ("blgp",       Mod::Blgp,      Syntax::Number),
    ("index_key",   Mod::IndexKey,  Syntax::Number),
    ("dpp8",        Mod::Dpp8,      Syntax::Special), ("row_mask",   Mod::RowMask,   Syntax::Number),
    ("bank_mask",   Mod::BankMask,  Syntax::Number),  ("bound_ctrl", Mod::BoundCtrl, Syntax::Special),
    ("fi",          Mod::Fi,        Syntax::Number),
    ("dst_sel",     Mod::DstSel,    Syntax::Special), ("dst_unused", Mod::DstUnused, Syntax::Special),
    ("src0_sel",    Mod::Src0Sel,   Syntax::Special), ("src1_sel",   Mod::Src1Sel,   Syntax::Special),
    ("offset",      Mod::Offset,    Syntax::Special), ("offset0",    Mod::Offset0,   Syntax::Number),
    ("inst_offset", Mod::Offset,    Syntax::Special),
    ("offset1",     Mod::Offset1,   Syntax::Number),  ("gds",        Mod::Gds,       Syntax::Flag),
    ("idxen",       Mod::Idxen,     Syntax::Flag),    ("offen",      Mod::Offen,     Syntax::Flag),
    ("addr64",      Mod::Addr64,    Syntax::Flag),    ("format",     Mod::Format,    Syntax::Special),
    ("dfmt",        Mod::Format,    Syntax::Special), ("nfmt",       Mod::Format,    Syntax::Special),
    ("tfe",         Mod::Tfe,       Syntax::Flag),    ("lwe",        Mod::Lwe,       Syntax::Flag),
    ("lds",         Mod::Lds,       Syntax::Flag),
    ("dmask",       Mod::Dmask,     Syntax::Number),  ("dim",        Mod::Dim,       Syntax::Special),
    ("unorm",       Mod::Unorm,     Syntax::Flag),    ("r128",       Mod::R128,      Syntax::Flag),
    ("a16",         Mod::A16,       Syntax::Flag),    ("d16",        Mod::D16,       Syntax::Flag),
    ("da",          Mod::Da,        Syntax::Flag),
    ("done",        Mod::Done,      Syntax::Flag),    ("compr",      Mod::Compr,     Syntax::Flag),
    ("vm",          Mod::Vm,        Syntax::Flag),    ("row_en",     Mod::RowEn,     Syntax::Flag),
    ("wait_exp",    Mod::WaitExp,   Syntax::Number),  ("wait_vdst",  Mod::WaitVdst,  Syntax::Number),
    ("wait_va_vdst", Mod::WaitVaVdst, Syntax::Number), ("wait_vm_vsrc", Mod::WaitVmVsrc, Syntax::Number),
    ("high",        Mod::High,      Syntax::Flag),    ("nv",         Mod::Nv,        Syntax::Flag),
];

/// The modifiers by the first byte of their names: where they begin in [`ORDER`], and how many there are.
static BY_FIRST: [(u8, u8); 256] = {
    let mut all = [(0, 0); 256];
    let mut at = 0;
    while at < ORDER.len() {
        let byte = MODIFIERS[ORDER[at] as usize].0.as_bytes()[0] as usize;
        if all[byte].1 == 0 {
            all[byte].0 = at as u8;
        }
        all[byte].1 += 1;
        at += 1;
    }
    all
};

/// Indices of [`MODIFIERS`], sorted by the first byte of the names.
static ORDER: [u8; MODIFIERS.len()] = {
    let mut order = [0; MODIFIERS.len()];
    let (mut byte, mut at) = (0, 0);
    while byte < 256 {
        let mut i = 0;
        while i < MODIFIERS.len() {
            if MODIFIERS[i].0.as_bytes()[0] as usize == byte {
                order[at] = i as u8;
                at += 1;
            }
            i += 1;
        }
        byte += 1;
    }
    order
};

/// Finds a modifier by name.
fn find(word: &str) -> Option<&'static (&'static str, Mod, Syntax)> {
    let (first, count) = BY_FIRST[usize::from(*word.as_bytes().first()?)];
    ORDER[usize::from(first)..usize::from(first + count)]
        .iter()
        .map(|i| &MODIFIERS[usize::from(*i)])
        .find(|m| m.0.len() == word.len() && m.0 == word)
}

/// The name of a modifier, for messages.
#[must_use]
pub fn name_of(id: Mod) -> &'static str {
    match id {
        Mod::DppCtrl => "a lane control",
        Mod::Omod => "mul or div",
        _ => MODIFIERS.iter().find(|m| m.1 == id).map_or("modifier", |m| m.0),
    }
}

/// Takes a modifier, if one is next.
///
/// # Errors
/// Where it is one, but not a well-formed one.
pub fn read(r: &mut Reader<'_, '_>, out: &mut Parsed) -> AsmResult<bool> {
    let word = r.cur.peek_ident();
    if word.is_empty() {
        return Ok(false);
    }
    let start = r.cur.pos();
    let colon = {
        let mut probe = r.cur;
        probe.bump(word.len());
        probe.peek() == b':'
    };
    let first = word.as_bytes()[0];
    if !colon && matches!(first, b'g' | b's' | b'd' | b'n') && cpol::is_word(word) {
        out.policy.word(&mut r.cur, r.usage, r.target)?;
        out.policy_span = start..r.cur.pos();
        return Ok(true);
    }
    if let Some(&(_, id, syntax)) = find(word) {
        if matches!(syntax, Syntax::Flag) == colon && id != Mod::Tfe && id != Mod::Gds {
            return if colon {
                Err(AsmError::expected(start + word.len(), "no value behind this flag"))
            } else {
                Ok(false)
            };
        }
        if id == Mod::Gds && r.target.generation() == Gen::Gfx12 {
            return Err(AsmError::rule(start..start + word.len(), "there is no GDS on gfx12"));
        }
        // The old pair dfmt:, nfmt: is read from its first word on.
        if word != "dfmt" && word != "nfmt" {
            r.cur.bump(word.len());
            if colon {
                r.cur.eat(b':');
                r.cur.skip();
            }
        }
        let value = match syntax {
            Syntax::Flag => 1,
            Syntax::Number => number(r, id)?,
            Syntax::Bits => bits(r)?,
            Syntax::Special => special(r, word, id)?,
        };
        out.add(id, value, start, r.cur.pos())?;
        return Ok(true);
    }
    if matches!(first, b'q' | b'r' | b'w') && dpp::is_control(word) {
        let value = dpp::parse(&mut r.cur, r.scope, r.target)?;
        out.add(Mod::DppCtrl, i64::from(value), start, r.cur.pos())?;
        return Ok(true);
    }
    if colon {
        if word == "th" || word == "scope" {
            r.cur.bump(word.len());
            r.cur.eat(b':');
            r.cur.skip();
            if word == "th" {
                out.policy.hint(&mut r.cur, r.target)?;
            } else {
                out.policy.scope(&mut r.cur, r.target)?;
            }
            out.policy_span = start..r.cur.pos();
            return Ok(true);
        }
        return Ok(false);
    }
    if let Some(flag) = word.strip_prefix("no")
        && let Some(&(_, id, Syntax::Flag)) = find(flag)
    {
        r.cur.bump(word.len());
        out.add(id, 0, start, r.cur.pos())?;
        return Ok(true);
    }
    Ok(false)
}

/// A number behind a colon; matrix modifiers may stand in brackets.
fn number(r: &mut Reader<'_, '_>, id: Mod) -> AsmResult<i64> {
    let bracket = matches!(id, Mod::Cbsz | Mod::Abid | Mod::Blgp) && r.cur.eat(b'[');
    let start = r.cur.pos();
    let v = expr::parse_abs(&mut r.cur, r.scope)?;
    if bracket && !r.cur.eat(b']') {
        return Err(AsmError::expected(r.cur.pos(), "a closing bracket"));
    }
    let max = match id {
        Mod::Offset0 | Mod::Offset1 => 255,
        Mod::RowMask | Mod::BankMask | Mod::Dmask | Mod::Abid | Mod::WaitVdst | Mod::WaitVaVdst => 15,
        Mod::Cbsz | Mod::Blgp | Mod::WaitExp => 7,
        Mod::ByteSel | Mod::IndexKey => 3,
        Mod::Fi | Mod::WaitVmVsrc => 1,
        _ => i64::MAX,
    };
    if !(0..=max).contains(&v) {
        let problem = Problem::Range { what: name_of(id), value: v, min: 0, max };
        return Err(AsmError::new(start..r.cur.pos(), problem));
    }
    Ok(v)
}

/// `[0,1,...]`: the bits, and their number in bits 15:8.
fn bits(r: &mut Reader<'_, '_>) -> AsmResult<i64> {
    if !r.cur.eat(b'[') {
        return Err(AsmError::expected(r.cur.pos(), "`[`"));
    }
    let (mut value, mut count) = (0, 0);
    loop {
        r.cur.skip();
        let start = r.cur.pos();
        let v = expr::parse_abs(&mut r.cur, r.scope)?;
        if !(0..=1).contains(&v) {
            let problem = Problem::Range { what: "a selector", value: v, min: 0, max: 1 };
            return Err(AsmError::new(start..r.cur.pos(), problem));
        }
        value |= v << count;
        count += 1;
        if r.cur.eat(b']') {
            return Ok(value | count << 8);
        }
        if count == 4 || !r.cur.eat(b',') {
            return Err(AsmError::expected(r.cur.pos(), "`,` or `]`, for at most four selectors"));
        }
    }
}

fn special(r: &mut Reader<'_, '_>, word: &str, id: Mod) -> AsmResult<i64> {
    let start = r.cur.pos();
    let (scope, target) = (r.scope, r.target);
    let value = match id {
        Mod::Omod => {
            let v = expr::parse_abs(&mut r.cur, scope)?;
            match (word, v) {
                ("mul" | "div", 1) => 0,
                ("mul", 2) => 1,
                ("mul", 4) => 2,
                ("div", 2) => 3,
                ("mul", _) => return Err(AsmError::rule(start..r.cur.pos(), "a result is multiplied by 1, 2 or 4")),
                _ => return Err(AsmError::rule(start..r.cur.pos(), "a result is divided by 1 or 2")),
            }
        }
        Mod::BoundCtrl => {
            let v = expr::parse_abs(&mut r.cur, scope)?;
            if !(0..=1).contains(&v) {
                let problem = Problem::Range { what: "bound_ctrl", value: v, min: 0, max: 1 };
                return Err(AsmError::new(start..r.cur.pos(), problem));
            }
            // Up to gfx10 `bound_ctrl:0` sets the bit, as the first assembler of AMD had it.
            if target.generation() < Gen::Gfx11 { 1 } else { v as u32 }
        }
        Mod::Dpp8 => dpp::parse8(&mut r.cur, scope, target)?,
        Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => sdwa::parse_sel(&mut r.cur, scope, target)?,
        Mod::DstUnused => sdwa::parse_unused(&mut r.cur, scope, target)?,
        Mod::Dim => dim::parse(&mut r.cur, scope, target)?,
        Mod::Format if word == "format" => format::parse(&mut r.cur, scope, target)?,
        Mod::Format => format::parse_legacy(&mut r.cur, scope, target)?,
        Mod::Offset => {
            if r.cur.peek_ident() == "swizzle" {
                swizzle::parse(&mut r.cur, scope, target)?
            } else {
                return expr::parse_abs(&mut r.cur, scope);
            }
        }
        _ => unreachable!("only modifiers with a syntax of their own come here"),
    };
    Ok(i64::from(value))
}
