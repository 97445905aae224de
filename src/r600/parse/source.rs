//! Sources of the ALU: registers, constants, results of the group before, numbers.

use super::alu::AluText;
use super::{plain_register, register_of};
use crate::isa::r600::format::alu_op2;
use crate::r600::program::{Inst, Source, sel};
use crate::r600::text::{Capitals, Fault, Line, Parsed, fault, integer};
use std::ops::Range;

/// A literal that an ALU instruction reads.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::r600) struct Literal {
    /// Which source.
    pub source: usize,
    /// The value; nothing where the text leaves it to the words behind the group.
    pub value: Option<u32>,
    /// Which of the four literals; nothing where any will do.
    pub elem: Option<u32>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// `.x`
#[inline]
pub(super) fn element(line: &mut Line<'_>) -> Parsed<u32> {
    line.expect(b'.')?;
    line.element().map_or_else(|| no_element(line), Ok)
}

#[cold]
fn no_element(line: &mut Line<'_>) -> Parsed<u32> {
    let start = line.here();
    line.word();
    fault(line.since(start), "expected one element: x, y, z or w")
}

/// All operands of an instruction with an index have the same one.
pub(super) fn use_index(words: &mut [u32; 2], index: &mut Option<u32>, mode: u32, span: Range<usize>) -> Parsed<()> {
    if index.is_some_and(|other| other != mode) {
        return fault(span, "an instruction has one index for all its operands");
    }
    *index = Some(mode);
    alu_op2::INDEX_MODE.set(words, mode);
    Ok(())
}

/// A source.
pub(super) fn source(
    line: &mut Line<'_>,
    n: usize,
    three: bool,
    words: &mut [u32; 2],
    index: &mut Option<u32>,
    text: &mut AluText,
) -> Parsed<()> {
    use sel::*;
    if let Some(sel) = plain_register(line)? {
        let source = Source { sel, elem: element(line)?, ..Source::default() };
        Inst::set_source(words, n, source);
        return Ok(());
    }
    let start = line.here();
    let mut negative = line.eat(b'-');
    let abs = line.eat(b'|');
    if abs && three {
        return fault(line.since(start), "an instruction with three sources has no absolute values");
    }
    let inner = if abs { line.eat(b'-') } else { false };
    let first = line.peek();
    let (mut elem, mut rel) = (0, false);
    if inner && !first.is_ascii_digit() {
        return fault(line.since(start), "the sign stands before the absolute value: -|R0.x|");
    }
    let sel = if let Some(number) = plain_register(line)? {
        elem = element(line)?;
        number
    } else if first == b'(' {
        line.bump(1);
        let at = line.here();
        let value = match literal(line.number()) {
            Some((value, _)) => value,
            None => return fault(line.since(at), "expected a number"),
        };
        if line.eat(b',') {
            // What the bits are as a float, for readers.
            let at = line.here();
            let minus = line.eat(b'-');
            let shown = line.number();
            let float = shown.parse::<f32>().or_else(|_| shown.trim_end_matches(['f', 'F']).parse());
            let bits = float.map(|float| if minus { -float } else { float }.to_bits());
            if bits.as_ref() != Ok(&value) && !f32::from_bits(value).is_nan() {
                let message = format!("this is not what {value:#x} is as a float; the bits count");
                text.warning = Some(Box::new(Fault { span: line.since(at), message }));
            }
        }
        line.expect(b')')?;
        let named = line.peek() == b'.';
        if named {
            elem = element(line)?;
        }
        let span = line.since(start);
        text.literals.push(Literal { source: n, value: Some(value), elem: named.then_some(elem), span });
        LITERAL
    } else if first.is_ascii_digit() {
        let number = line.number();
        let Some((value, float)) = literal(number) else {
            return fault(line.since(start), format!("`{number}` is no number of 32 bits"));
        };
        let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
        let minus = if abs { inner } else { negative };
        match (float, value) {
            _ if hexadecimal && !minus => {
                text.literals.push(Literal { source: n, value: Some(value), elem: None, span: line.since(start) });
                LITERAL
            }
            (_, 0) if !hexadecimal => ZERO,
            (true, 0x3f80_0000) => ONE,
            (true, 0x3f00_0000) => HALF,
            (false, 1) if !minus => ONE_INT,
            (false, 1) => {
                if !abs {
                    negative = false;
                }
                MINUS_ONE_INT
            }
            _ => {
                let value = match (minus, float) {
                    (false, _) => value,
                    (true, true) => value ^ 1 << 31,
                    (true, false) => value.wrapping_neg(),
                };
                if !abs {
                    negative = false;
                }
                text.literals.push(Literal { source: n, value: Some(value), elem: None, span: line.since(start) });
                LITERAL
            }
        }
    } else {
        let at = line.here();
        let word = line.word();
        let bracketed = line.ahead(0) == b'[';
        let capitals = if bracketed { Capitals::new(word) } else { Capitals::NONE };
        let array = match capitals.as_str() {
            "KC0" => Some((KCACHE0, 32)),
            "KC1" => Some((KCACHE1, 32)),
            "C" => Some((CFILE, 256)),
            "SEL" => Some((0, 512)),
            _ => None,
        };
        let (sel, found) = match (array, word) {
            (Some((base, size)), _) => {
                let (number, found) = line.bracket()?;
                if number >= size {
                    return fault(line.since(at), format!("`{word}` has {size} elements"));
                }
                (base + number, found)
            }
            (None, "PV" | "pv") => (PV, None),
            (None, "PS" | "ps") => (PS, None),
            (None, "L" | "l") => (LITERAL, None),
            (None, _) if word.starts_with(['R', 'r', 'T', 't']) => register_of(line, at, word)?,
            (None, _) => {
                let span = line.since(at);
                return fault(
                    span,
                    format!("`{word}` is no source; there are R0.x, KC0[0].x, C[0].x, PV.x, PS, numbers"),
                );
            }
        };
        if let Some(mode) = found {
            rel = true;
            use_index(words, index, mode, line.since(at))?;
        }
        if sel != PS || line.peek() == b'.' {
            elem = element(line)?;
        }
        if sel == LITERAL && array.is_none() {
            text.literals.push(Literal { source: n, value: None, elem: Some(elem), span: line.since(at) });
        }
        sel
    };
    if abs {
        line.expect(b'|')?;
    }
    Inst::set_source(words, n, Source { sel, rel, elem, neg: negative, abs });
    Ok(())
}

/// The bits of a number, and whether it is a float.
fn literal(text: &str) -> Option<(u32, bool)> {
    if let Some(value) = integer(text) {
        return Some((value, false));
    }
    let digits = text.trim_end_matches(['f', 'F']);
    let value: f32 = digits.parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?;
    Some((value.to_bits(), true))
}
