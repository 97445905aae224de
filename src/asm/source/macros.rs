//! `.macro`, `.rept`, `.irp`, `.irpc`: bodies are collected as text, and expanded into text which is read as a new frame.
//!
//! Arguments are separated by commas or white space; white space around an operator does not separate. Strings lose their
//! quotes, except in a `:vararg`. Line numbers inside an expansion are those of the body.

use super::conditions::rest;
use super::text::{self, Frame, FrameKind, Origin, Spot};
use super::{Assembler, MAX_EXPANDED, comma, end, named, symbol_name};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How deep macros and repetitions may nest. (LLVM: 20.)
const MAX_NESTING: usize = 200;
/// What each expansion costs at least, so that empty ones end too.
const MIN_COST: usize = 16;

/// One parameter.
#[derive(Debug)]
struct Parameter {
    name: String,
    default: String,
    required: bool,
    vararg: bool,
}

/// One macro.
#[derive(Debug)]
pub(super) struct Macro {
    name: String,
    parameters: Vec<Parameter>,
    /// Which parameter has a name.
    index: HashMap<String, usize>,
    body: Body,
}

/// The text between a directive and its end.
#[derive(Debug)]
struct Body {
    text: String,
    from: Spot,
}

impl Assembler<'_> {
    /// `.macro name a, b:req, c=1, rest:vararg`
    pub(super) fn define_macro(&mut self, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        let header = macro_header(cur);
        let body = self.body(start, &[".macro"], &[".endm", ".endmacro"])?;
        let (name, parameters) = header?;
        if self.macros.contains_key(name) {
            return Err(named(start..start + 6, "this macro is already defined", name));
        }
        let name = name.to_owned();
        let index = parameters.iter().enumerate().map(|(n, p)| (p.name.clone(), n)).collect();
        self.macros.insert(name.clone(), Rc::new(Macro { name, parameters, index, body }));
        Ok(())
    }

    /// `.purgem name`
    pub(super) fn purge_macro(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let name = symbol_name(cur)?;
        end(cur)?;
        match self.macros.remove(name) {
            Some(_) => Ok(()),
            None => Err(named(at..cur.pos(), "there is no such macro", name)),
        }
    }

    /// `.exitm`: leaves the innermost expansion.
    pub(super) fn exit_macro(&mut self, start: usize) -> AsmResult<()> {
        let inside = self.frames.iter().rposition(|f| f.kind == FrameKind::Expansion);
        let Some(at) = inside else {
            return Err(AsmError::rule(start..start + 6, "`.exitm` outside of a macro"));
        };
        self.conditions.truncate(self.frames[at].conditions);
        self.frames.truncate(at);
        Ok(())
    }

    /// Expands a macro.
    pub(super) fn call(&mut self, found: &Macro, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        let vararg = found.parameters.last().is_some_and(|p| p.vararg);
        let mut given: Vec<Option<String>> = vec![None; found.parameters.len()];
        let mut keywords = false;
        let mut position = 0;
        while !cur.at_end() {
            let at = cur.pos();
            let mut index = position;
            if let Some(keyword) = keyword(cur) {
                keywords = true;
                let known = found.index.get(keyword).copied();
                index =
                    known.ok_or_else(|| named(at..at + keyword.len(), "the macro has no such parameter", keyword))?;
            } else if keywords {
                return Err(AsmError::rule(at..at + 1, "positional arguments cannot follow named ones"));
            }
            let last = vararg && index + 1 == found.parameters.len();
            let value = if last { rest(cur).trim().to_owned() } else { argument(cur)? };
            match given.get_mut(index) {
                Some(slot) if !value.is_empty() => *slot = Some(value),
                Some(_) => {}
                // A macro without parameters takes any arguments, and does nothing with them.
                None if found.parameters.is_empty() => {}
                None => return Err(AsmError::rule(at..cur.pos().max(at + 1), "too many arguments for this macro")),
            }
            cur.eat(b',');
            position += 1;
        }
        let mut arguments = Vec::with_capacity(given.len());
        for (parameter, value) in found.parameters.iter().zip(given) {
            match value {
                Some(value) => arguments.push(value),
                None if parameter.required => {
                    let at = start..start + found.name.len();
                    return Err(named(at, "the macro needs a value for this parameter", &parameter.name));
                }
                None => arguments.push(parameter.default.clone()),
            }
        }
        let mut text = String::with_capacity(found.body.text.len());
        let count = Some(self.expansions);
        let argument = |name: &str| arguments.get(*found.index.get(name)?).map(String::as_str);
        if !substitute(&found.body.text, &argument, count, MAX_EXPANDED, &mut text) {
            return Err(too_long(start));
        }
        self.expansions += 1;
        // Arguments are looked at whether the body uses them or not.
        self.expanded = self.expanded.saturating_add(arguments.len());
        let why = format!("in the expansion of macro `{}`", found.name);
        self.push_expansion(text, &found.body, 0, why, start)
    }

    /// `.rept count`
    pub(super) fn repeat(&mut self, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let count = self.number(cur).and_then(|n| end(cur).map(|()| n));
        let body = self.body(start, &REPEATS, &[".endr"])?;
        let count = count?;
        if count < 0 {
            return Err(AsmError::rule(at..cur.pos(), "the count is negative"));
        }
        let mut once = String::new();
        let fits = substitute(&body.text, &|_| None, None, MAX_EXPANDED, &mut once);
        let cost = (once.len().max(1) as u64).saturating_mul(count as u64);
        if !fits || cost > MAX_EXPANDED as u64 {
            return Err(too_long(start));
        }
        self.push_expansion(once.repeat(count as usize), &body, 1, "in this repetition".into(), start)
    }

    /// `.irp name, a, b, c`
    pub(super) fn repeat_for(&mut self, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        let header = (|| {
            let name = symbol_name(cur)?;
            comma(cur)?;
            let mut values = Vec::new();
            while !cur.at_end() {
                values.push(argument(cur)?);
                cur.eat(b',');
            }
            // No values: once, with nothing.
            if values.is_empty() {
                values.push(String::new());
            }
            Ok((name, values))
        })();
        self.repeat_with(header, start)
    }

    /// `.irpc name, abc`
    pub(super) fn repeat_for_each_char(&mut self, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        let header = (|| {
            let name = symbol_name(cur)?;
            comma(cur)?;
            let values = argument(cur)?;
            end(cur)?;
            Ok((name, values.chars().map(String::from).collect()))
        })();
        self.repeat_with(header, start)
    }

    fn repeat_with(&mut self, header: AsmResult<(&str, Vec<String>)>, start: usize) -> AsmResult<()> {
        let body = self.body(start, &REPEATS, &[".endr"])?;
        let (name, values) = header?;
        let mut text = String::new();
        for value in values {
            let count = Some(self.expansions);
            let argument = |parameter: &str| (parameter == name).then_some(value.as_str());
            if !substitute(&body.text, &argument, count, MAX_EXPANDED, &mut text) {
                return Err(too_long(start));
            }
        }
        self.push_expansion(text, &body, 1, "in this repetition".into(), start)
    }

    /// Takes the text up to a directive which ends it, past inner ones.
    fn body(&mut self, start: usize, opens: &[&str], closes: &[&str]) -> AsmResult<Body> {
        let missing = AsmError::rule(start..start + 1, "the body has no end");
        let Some(frame) = self.frames.last_mut() else { return Err(missing) };
        let text = Rc::clone(&frame.origin);
        let from = frame.pos.min(text.text.len());
        let mut depth = 0;
        while frame.pos < text.text.len() {
            let statement = text::statement(&text.text, frame.pos);
            let (at, next) = (frame.pos, statement.next);
            frame.pos = next;
            let mut cur = Cursor::new(text.text.get(statement.range).unwrap_or(""));
            let word = cur.peek_ident();
            if opens.contains(&word) {
                depth += 1;
            } else if closes.contains(&word) {
                if depth == 0 {
                    let text_of_body = text.text.get(from..at).unwrap_or("").to_owned();
                    return Ok(Body { text: text_of_body, from: Spot { origin: text, at: from } });
                }
                depth -= 1;
            }
        }
        Err(missing)
    }

    fn push_expansion(&mut self, text: String, body: &Body, lines: u32, why: String, start: usize) -> AsmResult<()> {
        if self.frames.iter().filter(|f| f.kind == FrameKind::Expansion).count() >= MAX_NESTING {
            return Err(AsmError::rule(start..start + 1, "macros and repetitions nest at most 200 deep"));
        }
        let lines = lines * body.text.bytes().filter(|&b| b == b'\n').count() as u32;
        let origin = self.origin_of(text, &body.from.origin.file, Some(body.from.clone()), lines, why, start)?;
        let conditions = self.conditions.depth();
        self.frames.push(Frame { origin, pos: 0, kind: FrameKind::Expansion, conditions });
        Ok(())
    }

    /// A new text to read, which counts against the limit.
    pub(super) fn origin_of(
        &mut self,
        text: String,
        file: &Rc<str>,
        body: Option<Spot>,
        period: u32,
        why: String,
        start: usize,
    ) -> AsmResult<Rc<Origin>> {
        self.expanded = self.expanded.saturating_add(text.len().max(MIN_COST));
        if self.expanded > MAX_EXPANDED {
            // The limit holds for the whole file: what comes now would only fail again.
            self.frames.clear();
            return Err(too_long(start));
        }
        let mut from = self.spot.clone();
        from.at += start;
        Ok(Rc::new(Origin {
            file: Rc::clone(file),
            text: text.into(),
            body,
            period,
            cause: Some((why, from)),
            ends: OnceCell::new(),
        }))
    }
}

const REPEATS: [&str; 4] = [".rept", ".rep", ".irp", ".irpc"];

fn too_long(start: usize) -> AsmError {
    AsmError::rule(start..start + 1, "all expansions together have at most 64 MiB")
}

fn macro_header<'a>(cur: &mut Cursor<'a>) -> AsmResult<(&'a str, Vec<Parameter>)> {
    let name = symbol_name(cur)?;
    cur.eat(b',');
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut known = HashSet::new();
    while !cur.at_end() {
        let at = cur.pos();
        if parameters.last().is_some_and(|p| p.vararg) {
            return Err(AsmError::rule(at..at + 1, "no parameter can follow the one with `:vararg`"));
        }
        let name = symbol_name(cur)?;
        if !known.insert(name) {
            return Err(named(at..cur.pos(), "two parameters have this name", name));
        }
        let mut parameter = Parameter { name: name.to_owned(), default: String::new(), required: false, vararg: false };
        if cur.eat(b':') {
            cur.skip();
            let at = cur.pos();
            match cur.ident() {
                "req" => parameter.required = true,
                "vararg" => parameter.vararg = true,
                _ => return Err(AsmError::rule(at..cur.pos().max(at + 1), "a parameter can be `:req` or `:vararg`")),
            }
        }
        if cur.eat(b'=') {
            parameter.default = argument(cur)?;
        }
        parameters.push(parameter);
        cur.eat(b',');
    }
    Ok((name, parameters))
}

/// `name=`, but not `name==`.
fn keyword<'a>(cur: &mut Cursor<'a>) -> Option<&'a str> {
    let before = *cur;
    let name = cur.ident();
    if !name.is_empty() && cur.peek() == b'=' && cur.at(1) != b'=' {
        cur.bump(1);
        return Some(name);
    }
    *cur = before;
    None
}

/// One argument: up to a comma, or white space which is not beside an operator.
fn argument(cur: &mut Cursor) -> AsmResult<String> {
    let mut value: Vec<u8> = Vec::new();
    let mut parens = 0u32;
    let start = cur.pos();
    loop {
        let before = cur.pos();
        let c = cur.peek();
        let space = cur.pos() > before;
        if c == 0 {
            break;
        }
        if parens == 0 {
            if c == b',' {
                break;
            }
            let len = match (c, cur.at(1)) {
                (b'=', b'=') | (b'<' | b'>' | b'!', b'=') => 2,
                (b'=', _) => {
                    return Err(AsmError::rule(cur.pos()..cur.pos() + 1, "`=` has no place in a macro argument"));
                }
                (b'+' | b'-' | b'~' | b'/' | b'*' | b'|' | b'^' | b'&' | b'!' | b'<' | b'>', _) => 1,
                (b'.', n) if !(n.is_ascii_alphanumeric() || matches!(n, b'_' | b'.' | b'$')) => 1,
                _ => 0,
            };
            if len > 0 {
                for _ in 0..len {
                    value.push(cur.at(0));
                    cur.bump(1);
                }
                cur.skip();
                continue;
            }
            if space && !value.is_empty() {
                // A space behind an operator was skipped with it.
                break;
            }
        } else if space {
            value.push(b' ');
        }
        match c {
            b'(' => parens += 1,
            b')' => parens = parens.saturating_sub(1),
            b'"' => {
                value.extend_from_slice(super::quoted(cur)?.as_bytes());
                continue;
            }
            _ => {}
        }
        // A whole word at once, so that the `.` in `a.b` is no operator.
        loop {
            value.push(cur.at(0));
            cur.bump(1);
            let next = cur.at(0);
            let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@' | b'?') || b >= 0x80;
            if !(word(c) && word(next)) {
                break;
            }
        }
    }
    if parens > 0 {
        return Err(AsmError::rule(start..cur.pos().max(start + 1), "a parenthesis is not closed"));
    }
    Ok(String::from_utf8(value).unwrap_or_default())
}

/// Appends a body with its arguments to `out`; `false`: it became too long.
fn substitute<'a>(
    body: &str,
    argument: &dyn Fn(&str) -> Option<&'a str>,
    count: Option<u64>,
    limit: usize,
    out: &mut String,
) -> bool {
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let (Some(tail), Some(count)) = (after.strip_prefix('@'), count) {
            out.push_str(&count.to_string());
            rest = tail;
        } else if let Some(tail) = after.strip_prefix("()") {
            rest = tail;
        } else {
            let len = after
                .bytes()
                .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')))
                .unwrap_or(after.len());
            let (name, tail) = after.split_at(len);
            match argument(name) {
                Some(argument) => out.push_str(argument),
                None => {
                    out.push('\\');
                    out.push_str(name);
                }
            }
            rest = tail;
        }
        if out.len() > limit {
            return false;
        }
    }
    out.push_str(rest);
    out.len() <= limit
}
