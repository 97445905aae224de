//! Data: integers, floats, strings, filling, alignment.

use super::layout::{Late, LateKind};
use super::{Assembler, comma, end, quoted};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::{self, Value};
use std::ops::Range;

impl Assembler<'_> {
    /// `.byte`, `.short`, `.long`, `.quad`: numbers now, or at the end.
    pub(super) fn integers(&mut self, cur: &mut Cursor, size: u8) -> AsmResult<()> {
        if cur.at_end() {
            return Ok(());
        }
        loop {
            cur.skip();
            let at = cur.pos();
            let value = expr::parse(cur, self)?;
            let span = at..cur.pos().max(at + 1);
            self.integer(value, size, span)?;
            if !cur.eat(b',') {
                return end(cur);
            }
        }
    }

    fn integer(&mut self, value: Value, size: u8, span: Range<usize>) -> AsmResult<()> {
        let bits = u32::from(size) * 8;
        let value = match value {
            Value::Abs(value) => value,
            Value::Expr(expr) => {
                let node = self.bind(&expr, span.clone())?;
                if let Some(value) = self.symbols.absolute(&node) {
                    value
                } else {
                    let (place, spot) = (self.layout.here(), self.spot.clone());
                    self.layout.late.push(Late { place, kind: LateKind::Data(size), node, spot, span: span.clone() });
                    0
                }
            }
        };
        if bits < 64 {
            let (min, max) = (-(1 << (bits - 1)), (1 << bits) - 1);
            if !(min..=max).contains(&value) {
                return Err(AsmError::new(span, Problem::Range { what: "the value", value, min, max }));
            }
        }
        self.layout.emit(&value.to_le_bytes()[..usize::from(size)]).map_err(|rule| AsmError::rule(span, rule))
    }

    /// `.octa`: numbers of 128 bits.
    pub(super) fn octas(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        loop {
            let c = cur.peek();
            let at = cur.pos();
            let mut n = 0;
            while cur.at(n).is_ascii_alphanumeric() {
                n += 1;
            }
            let text = cur.slice(at, at + n);
            let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                Some(hex) => u128::from_str_radix(hex, 16),
                None => text.parse(),
            };
            let Ok(value) = value else {
                let what = if c.is_ascii_digit() { "a number of at most 128 bits" } else { "a number" };
                return Err(AsmError::new(at..at + n.max(1), Problem::Expected(what)));
            };
            cur.bump(n);
            self.bytes(&value.to_le_bytes(), at..at + n)?;
            if !cur.eat(b',') {
                return end(cur);
            }
        }
    }

    /// `.float`, `.double`
    pub(super) fn floats(&mut self, cur: &mut Cursor, size: u8) -> AsmResult<()> {
        if cur.at_end() {
            return Ok(());
        }
        loop {
            let minus = cur.eat(b'-');
            if !minus {
                cur.eat(b'+');
            }
            cur.skip();
            let at = cur.pos();
            let mut n = 0;
            loop {
                let before = if n > 0 { cur.at(n - 1) } else { 0 };
                let hex = cur.at(0) == b'0' && matches!(cur.at(1), b'x' | b'X');
                match cur.at(n) {
                    c if c.is_ascii_alphanumeric() || c == b'.' => n += 1,
                    b'+' | b'-' if matches!(before, b'p' | b'P') || (!hex && matches!(before, b'e' | b'E')) => n += 1,
                    _ => break,
                }
            }
            let text = cur.slice(at, at + n);
            let Some(bits) = float_bits(text, size) else {
                return Err(AsmError::new(at..at + n.max(1), Problem::Expected("a floating point number")));
            };
            cur.bump(n);
            let bits = bits | (u64::from(minus) << (u32::from(size) * 8 - 1));
            self.bytes(&bits.to_le_bytes()[..usize::from(size)], at..at + n)?;
            if !cur.eat(b',') {
                return end(cur);
            }
        }
    }

    /// `.ascii`, `.asciz`
    pub(super) fn strings(&mut self, cur: &mut Cursor, zero: bool) -> AsmResult<()> {
        if cur.at_end() {
            return Ok(());
        }
        loop {
            let mut bytes = Vec::new();
            cur.skip();
            let at = cur.pos();
            loop {
                cur.skip();
                let at = cur.pos();
                unescape(quoted(cur)?, at + 1, &mut bytes)?;
                if zero || cur.peek() != b'"' {
                    break;
                }
            }
            if zero {
                bytes.push(0);
            }
            self.bytes(&bytes, at..cur.pos())?;
            if !cur.eat(b',') {
                return end(cur);
            }
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8], span: Range<usize>) -> AsmResult<()> {
        self.layout.emit(bytes).map_err(|rule| AsmError::rule(span, rule))
    }

    /// `.zero n, value`, `.skip`, `.space`
    pub(super) fn space(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        let (count, span) = self.count(cur)?;
        let value = self.optional(cur, 0)?;
        end(cur)?;
        self.layout.fill(count, 1, value as u64).map_err(|rule| AsmError::rule(span, rule))
    }

    /// `.fill count, size, value`: at most 8 bytes each, of which the value has 4.
    pub(super) fn fill(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        let (count, span) = self.count(cur)?;
        let size = self.optional(cur, 1)?;
        let value = self.optional(cur, 0)?;
        end(cur)?;
        if size < 0 {
            self.warn(span, "a negative size has no effect");
            return Ok(());
        }
        if size > 8 {
            self.warn(span.clone(), "the size is cut down to 8 bytes");
        }
        let size = size.min(8) as u8;
        if size > 4 && u32::try_from(value).is_err() {
            self.warn(span.clone(), "the value is cut down to 32 bits");
        }
        let value = if size > 4 { value as u64 & 0xffff_ffff } else { value as u64 };
        self.layout.fill(count, size, value).map_err(|rule| AsmError::rule(span, rule))
    }

    /// `.dcb.b count, value`
    pub(super) fn blocks(&mut self, cur: &mut Cursor, size: u8) -> AsmResult<()> {
        let (count, span) = self.count(cur)?;
        comma(cur)?;
        let value = self.number(cur)?;
        end(cur)?;
        self.layout.fill(count, size, value as u64).map_err(|rule| AsmError::rule(span, rule))
    }

    /// A count, which is not negative. (LLVM warns about a negative one and writes nothing.)
    fn count(&mut self, cur: &mut Cursor) -> AsmResult<(u64, Range<usize>)> {
        cur.skip();
        let at = cur.pos();
        let count = self.number(cur)?;
        let span = at..cur.pos().max(at + 1);
        if count < 0 {
            self.warn(span.clone(), "a negative count has no effect");
        }
        Ok((count.max(0) as u64, span))
    }

    /// `, value`, or the default.
    fn optional(&mut self, cur: &mut Cursor, default: i64) -> AsmResult<i64> {
        if cur.eat(b',') { self.number(cur) } else { Ok(default) }
    }

    /// `.align`, `.p2align` and their forms with a fill value of 2 or 4 bytes.
    pub(super) fn align(&mut self, cur: &mut Cursor, power: bool, size: u8) -> AsmResult<()> {
        if power && cur.at_end() {
            self.warn(0..1, "an alignment without a value is ignored");
            return Ok(());
        }
        cur.skip();
        let at = cur.pos();
        let align = self.number(cur)?;
        let span = at..cur.pos().max(at + 1);
        let (mut fill, mut max) = (None, 0);
        if cur.eat(b',') {
            if cur.peek() != b',' {
                fill = Some(self.number(cur)? as u64);
            }
            if cur.eat(b',') {
                cur.skip();
                let at = cur.pos();
                max = self.number(cur)?;
                if max < 1 {
                    return Err(AsmError::rule(at..cur.pos(), "the most bytes to fill must be at least 1"));
                }
            }
        }
        end(cur)?;
        let align = match (power, align) {
            (true, 0..=31) => 1u64 << align,
            (true, _) => {
                return Err(AsmError::new(
                    span,
                    Problem::Range { what: "the power of two", value: align, min: 0, max: 31 },
                ));
            }
            (false, 0) => 1,
            (false, 1..=0x8000_0000) if align & (align - 1) == 0 => align as u64,
            (false, _) => return Err(AsmError::rule(span, "an alignment is a power of two below 2**32")),
        };
        self.layout.align(align, fill, size, max as u64).map_err(|rule| AsmError::rule(span, rule))
    }

    /// `.org place, value`
    pub(super) fn org(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let value = expr::parse(cur, self)?;
        let span = at..cur.pos().max(at + 1);
        let fill = self.optional(cur, 0)?;
        end(cur)?;
        self.origin(value, fill, span)
    }

    /// Goes on to an offset in the section: a number, or a label in it.
    pub(super) fn origin(&mut self, value: Value, fill: i64, span: Range<usize>) -> AsmResult<()> {
        let here = self.layout.here();
        let offset = match value {
            Value::Abs(value) => Some(value),
            Value::Expr(expr) => {
                let node = self.bind(&expr, span.clone())?;
                match self.symbols.value(&node).map(|v| (v.plus.map(|t| t.place), v.minus, v.number)) {
                    Ok((None, None, number)) => Some(number),
                    Ok((Some(Some(place)), None, number)) if place.section == here.section => {
                        Some(number.wrapping_add(place.offset as i64))
                    }
                    _ => None,
                }
            }
        };
        let Some(offset) = offset else {
            return Err(AsmError::rule(span, "the place must be a number, or a known label of this section"));
        };
        let Some(count) = u64::try_from(offset).ok().and_then(|to| to.checked_sub(here.offset)) else {
            return Err(AsmError::rule(span, "the place lies before this one"));
        };
        self.layout.fill(count, 1, fill as u64).map_err(|rule| AsmError::rule(span, rule))
    }
}

/// The bytes that a string with escapes means.
pub(super) fn unescape(text: &str, at: usize, out: &mut Vec<u8>) -> AsmResult<()> {
    let bytes = text.as_bytes();
    let mut i = 0;
    while let Some(&c) = bytes.get(i) {
        i += 1;
        if c != b'\\' {
            out.push(c);
            continue;
        }
        let here = at + i - 1..at + i + 1;
        let bad = |rule| Err(AsmError::rule(here, rule));
        let Some(&escape) = bytes.get(i) else { return bad("a backslash at the end of the string") };
        i += 1;
        match escape {
            b'x' | b'X' => {
                let start = i;
                let mut value = 0u8;
                while let Some(digit) = bytes.get(i).and_then(|&b| (b as char).to_digit(16)) {
                    value = value.wrapping_mul(16) | digit as u8;
                    i += 1;
                }
                if i == start {
                    return bad("`\\x` needs hexadecimal digits");
                }
                out.push(value);
            }
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    match bytes.get(i) {
                        Some(&d @ b'0'..=b'7') => value = value * 8 + u32::from(d - b'0'),
                        _ => break,
                    }
                    i += 1;
                }
                match u8::try_from(value) {
                    Ok(value) => out.push(value),
                    Err(_) => return bad("an octal escape is at most `\\377`"),
                }
            }
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'"' | b'\\' => out.push(escape),
            _ => return bad("unknown escape"),
        }
    }
    Ok(())
}

/// The bits of a float of 4 or 8 bytes, without its sign.
fn float_bits(text: &str, size: u8) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.strip_prefix("0x");
    match (lower.as_str(), size) {
        ("inf" | "infinity", 4) => return Some(u64::from(f32::INFINITY.to_bits())),
        ("inf" | "infinity", _) => return Some(f64::INFINITY.to_bits()),
        // LLVM's nan is quiet, with all bits of the payload set.
        ("nan", 4) => return Some(0x7fff_ffff),
        ("nan", _) => return Some(0x7fff_ffff_ffff_ffff),
        _ => {}
    }
    if let Some(hex) = hex {
        return hex_float(hex, size);
    }
    if !lower.as_bytes().first()?.is_ascii_digit() && !lower.starts_with('.') {
        return None;
    }
    match size {
        4 => lower.parse::<f32>().ok().map(|v| u64::from(v.to_bits())),
        _ => lower.parse::<f64>().ok().map(f64::to_bits),
    }
}

/// `1.8p3`: a hexadecimal fraction and a power of two, rounded to the nearest even.
fn hex_float(text: &str, size: u8) -> Option<u64> {
    let (digits, power) = text.split_once('p')?;
    let power: i64 = power.parse::<i32>().ok()?.into();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa = 0u128;
    let mut sticky = false;
    let mut exponent = power - 4 * fraction.len() as i64;
    for c in whole.chars().chain(fraction.chars()) {
        let digit = u128::from(c.to_digit(16)?);
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
        } else {
            sticky |= digit != 0;
            exponent += 4;
        }
    }
    let (mantissa_bits, bias, max) = if size == 4 { (23i64, 127i64, 255i64) } else { (52, 1023, 2047) };
    if mantissa == 0 {
        return Some(0);
    }
    // value = mantissa * 2**exponent; its leading one has the weight 2**top.
    let length = 128 - i64::from(mantissa.leading_zeros());
    let top = exponent + length - 1;
    let lowest = (top - mantissa_bits).max(1 - bias - mantissa_bits);
    let shift = lowest - exponent;
    let rounded = if shift <= 0 {
        mantissa << (-shift).min(127)
    } else if shift > 127 {
        0
    } else {
        let kept = mantissa >> shift;
        let half = 1u128 << (shift - 1);
        let rest = mantissa & ((1 << shift) - 1);
        let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
        kept + u128::from(up)
    };
    let biased = (lowest + mantissa_bits + bias - 1).max(0);
    let bits = (biased as u128) << mantissa_bits;
    let bits = bits + rounded;
    if bits >> mantissa_bits >= max as u128 {
        return None;
    }
    Some(bits as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_floats() {
        for (text, value) in
            [("0x1p0", 1.0f64), ("0x1.8p3", 12.0), ("0x.1p4", 1.0), ("0xffp-4", 15.9375), ("0x1p-1074", 5e-324)]
        {
            assert_eq!(float_bits(text, 8), Some(value.to_bits()), "{text}");
        }
        assert_eq!(float_bits("0x1.000001p0", 4), Some(0x3f80_0000)); // half an ulp, to even
        assert_eq!(float_bits("0x1.000003p0", 4), Some(0x3f80_0002));
        assert_eq!(float_bits("0x1p-149", 4), Some(1));
        assert_eq!(float_bits("0x1.ffffffp127", 4), None);
        assert_eq!(float_bits("0x3f800000", 4), None);
    }

    #[test]
    fn escapes() {
        let mut out = Vec::new();
        assert_eq!(unescape("a\\n\\x141\\101\\0\\\"\\\\", 0, &mut out), Ok(()));
        assert_eq!(out, b"a\nAA\0\"\\");
        for bad in ["\\", "\\x", "\\400", "\\q"] {
            assert!(unescape(bad, 0, &mut out).is_err(), "{bad}");
        }
    }
}
