//! Sources of the ALU: registers, constants, results of the group before, numbers.

use super::{plain_register, register_of};
use crate::isa::r600::format::alu_op2;
use crate::r600::program::sel::*;
use crate::r600::program::{Inst, Source};
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

/// What an ALU instruction says beyond its words.
#[derive(Debug, Default)]
pub(in crate::r600) struct Notes {
    /// Its literals.
    pub literals: Vec<Literal>,
    /// What is strange.
    pub warning: Option<Box<Fault>>,
}

/// `.x`
#[inline]
pub(super) fn element(line: &mut Line<'_>) -> Parsed<u32> {
    line.expect(b'.')?;
    line.element().map_or_else(|| no_element(line), Ok)
}

/// `.x`, if that is next.
#[inline]
fn optional_element(line: &mut Line<'_>) -> Parsed<Option<u32>> {
    if line.peek() == b'.' { element(line).map(Some) } else { Ok(None) }
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
#[inline]
pub(super) fn source(
    line: &mut Line<'_>,
    n: usize,
    three: bool,
    words: &mut [u32; 2],
    index: &mut Option<u32>,
    notes: &mut Notes,
) -> Parsed<()> {
    let source = match line.operand() {
        Some((sel, elem)) => Source { sel, elem, ..Source::default() },
        None => any_source(line, n, three, words, index, notes)?,
    };
    Inst::set_source(words, n, source);
    Ok(())
}

/// `R1.x`, `T0.y`, `PV.z`, `PS`; nothing where another one is next.
fn plain(line: &mut Line<'_>) -> Parsed<Option<Source>> {
    let sel = match plain_register(line)? {
        Some(number) => number,
        None => match result(line) {
            Some(sel) => sel,
            None => return Ok(None),
        },
    };
    let elem = if sel == PS { optional_element(line)?.unwrap_or(0) } else { element(line)? };
    Ok(Some(Source { sel, elem, ..Source::default() }))
}

/// `PV` or `PS`, if that is next.
#[inline]
fn result(line: &mut Line<'_>) -> Option<u32> {
    line.here();
    let sel = match [line.ahead(0), line.ahead(1)] {
        [b'P', b'V'] | [b'p', b'v'] => PV,
        [b'P', b'S'] | [b'p', b's'] => PS,
        _ => return None,
    };
    if line.in_word(2) {
        return None;
    }
    line.bump(2);
    Some(sel)
}

/// A source with a sign or without, of whatever kind.
fn any_source(
    line: &mut Line<'_>,
    n: usize,
    three: bool,
    words: &mut [u32; 2],
    index: &mut Option<u32>,
    notes: &mut Notes,
) -> Parsed<Source> {
    let start = line.here();
    let neg = line.eat(b'-');
    let abs = line.eat(b'|');
    if abs && three {
        return fault(line.since(start), "an instruction with three sources has no absolute values");
    }
    let inner = abs && line.eat(b'-');
    let first = line.peek();
    if inner && !first.is_ascii_digit() {
        return fault(line.since(start), "the sign stands before the absolute value: -|R0.x|");
    }
    let source = if let Some(source) = plain(line)? {
        Source { neg, ..source }
    } else if first == b'(' {
        Source { neg, ..bracketed_literal(line, n, start, notes)? }
    } else if first.is_ascii_digit() {
        // The sign is that in the bars, or the only one; where the number has it in it, it is done with.
        let (sel, signed) = constant(line, n, start, if abs { inner } else { neg }, notes)?;
        Source { sel, neg: neg && (abs || !signed), ..Source::default() }
    } else {
        Source { neg, ..named(line, n, words, index, notes)? }
    };
    if abs {
        line.expect(b'|')?;
    }
    Ok(Source { abs, ..source })
}

/// `(0x40490fdb, 3.1415927).x`: the bits, and where they are given, what they are as a float, and which literal it is.
fn bracketed_literal(line: &mut Line<'_>, n: usize, start: usize, notes: &mut Notes) -> Parsed<Source> {
    line.bump(1);
    let at = line.here();
    let Some((value, _)) = literal(line.number()) else { return fault(line.since(at), "expected a number") };
    if line.eat(b',') {
        shown(line, value, notes);
    }
    line.expect(b')')?;
    let elem = optional_element(line)?;
    notes.literals.push(Literal { source: n, value: Some(value), elem, span: line.since(start) });
    Ok(Source { sel: LITERAL, elem: elem.unwrap_or(0), ..Source::default() })
}

/// What the bits of a literal are as a float, for readers.
fn shown(line: &mut Line<'_>, value: u32, notes: &mut Notes) {
    let at = line.here();
    let minus = line.eat(b'-');
    let text = line.number();
    let float = text.parse::<f32>().or_else(|_| text.trim_end_matches(['f', 'F']).parse());
    let bits = float.map(|float| if minus { -float } else { float }.to_bits());
    if bits.as_ref() != Ok(&value) && !f32::from_bits(value).is_nan() {
        let message = format!("this is not what {value:#x} is as a float; the bits count");
        notes.warning = Some(Box::new(Fault { span: line.since(at), message }));
    }
}

/// A number that stands by itself, behind its sign: the select of a constant or of a literal, and whether that has the
/// sign in it.
fn constant(line: &mut Line<'_>, n: usize, start: usize, minus: bool, notes: &mut Notes) -> Parsed<(u32, bool)> {
    let number = line.number();
    let Some((value, float)) = literal(number) else {
        return fault(line.since(start), format!("`{number}` is no number of 32 bits"));
    };
    let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    let value = match (float, value) {
        _ if hexadecimal && !minus => value,
        (_, 0) if !hexadecimal => return Ok((ZERO, false)),
        (true, 0x3f80_0000) => return Ok((ONE, false)),
        (true, 0x3f00_0000) => return Ok((HALF, false)),
        (false, 1) => return Ok(if minus { (MINUS_ONE_INT, true) } else { (ONE_INT, false) }),
        (_, value) if !minus => value,
        (true, value) => value ^ 1 << 31,
        (false, value) => value.wrapping_neg(),
    };
    notes.literals.push(Literal { source: n, value: Some(value), elem: None, span: line.since(start) });
    Ok((LITERAL, minus))
}

/// `KC0[3].x`, `C[5+AR.x].y`, `R[2+aL].z`, `L.x`: what begins with a word.
fn named(
    line: &mut Line<'_>,
    n: usize,
    words: &mut [u32; 2],
    index: &mut Option<u32>,
    notes: &mut Notes,
) -> Parsed<Source> {
    let at = line.here();
    let word = line.word();
    let array = if line.ahead(0) == b'[' { array(word) } else { None };
    let (sel, mode) = match (array, word) {
        (Some((base, size)), _) => {
            let (number, mode) = line.bracket()?;
            if number >= size {
                return fault(line.since(at), format!("`{word}` has {size} elements"));
            }
            (base + number, mode)
        }
        (None, "L" | "l") => (LITERAL, None),
        (None, _) if word.starts_with(['R', 'r', 'T', 't']) => register_of(line, at, word)?,
        (None, _) => return no_source(line.since(at), word),
    };
    if let Some(mode) = mode {
        use_index(words, index, mode, line.since(at))?;
    }
    let elem = if sel == PS { optional_element(line)?.unwrap_or(0) } else { element(line)? };
    if sel == LITERAL && array.is_none() {
        notes.literals.push(Literal { source: n, value: None, elem: Some(elem), span: line.since(at) });
    }
    Ok(Source { sel, rel: mode.is_some(), elem, ..Source::default() })
}

/// The first select of an array, and how many there are.
fn array(word: &str) -> Option<(u32, u32)> {
    match Capitals::new(word).as_str() {
        "KC0" => Some((KCACHE0, 32)),
        "KC1" => Some((KCACHE1, 32)),
        "C" => Some((CFILE, 256)),
        "SEL" => Some((0, 512)),
        _ => None,
    }
}

#[cold]
fn no_source<T>(span: Range<usize>, word: &str) -> Parsed<T> {
    fault(span, format!("`{word}` is no source; there are R0.x, KC0[0].x, C[0].x, PV.x, PS, numbers"))
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
