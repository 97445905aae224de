//! The YAML in which metadata is written in assembly: what compilers print, and what people write by hand.
//!
//! Block and flow lists and maps, plain and quoted scalars on one line, comments, `---` and `...`, and the tags `!str`, `!int`,
//! `!bool`, `!float`, `!nil`. No anchors, no block scalars, no scalars over several lines, no second document.
//!
//! Scalars get their type from their looks, quoted or not, as in LLVM: `'12'` is a number and `y` is true, unless a tag says
//! `!str`. Printing writes that tag where it is needed, so that text and MessagePack convert into each other without loss.

use super::msgpack::{MAX_DEPTH, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What can be wrong with a YAML text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct YamlError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub problem: YamlProblem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum YamlProblem {
    /// Something else was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A key given twice.
    #[error("key `{0}` is given twice")]
    Repeated(String),
    /// YAML that metadata does not need.
    #[error("{0} are not supported")]
    Unsupported(&'static str),
    /// A scalar that is not what its tag says.
    #[error("`{text}` is not {tag}")]
    Tag {
        /// The scalar.
        text: String,
        /// The tag.
        tag: String,
    },
    /// Lists in lists without end.
    #[error("nested too deep")]
    Depth,
}

/// Reads a document.
///
/// # Errors
/// The text is not of the YAML that is understood.
pub fn parse(text: &str) -> Result<Value, YamlError> {
    let mut parser = Parser { text, at: 0, line_start: 0, line: 1 };
    let result = parser.document();
    result.map_err(|problem| YamlError { line: parser.line, problem })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    line_start: usize,
    line: u32,
}

type Parsed<T> = Result<T, YamlProblem>;

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn column(&self) -> isize {
        (self.at - self.line_start) as isize
    }

    /// Whether an indicator stands here, with space or the end of the line behind it.
    fn indicator(&self, indicator: char) -> bool {
        let mut chars = self.rest().chars();
        chars.next() == Some(indicator) && chars.next().is_none_or(char::is_whitespace)
    }

    fn marker(&self, marker: &str) -> bool {
        let behind = self.rest().strip_prefix(marker);
        self.column() == 0 && behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
    }

    /// To the next thing that is not space or comment, over lines.
    fn skip(&mut self) {
        loop {
            self.skip_spaces();
            match self.peek() {
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                Some('\r') => self.at += 1,
                Some('\n') => {
                    self.at += 1;
                    self.line_start = self.at;
                    self.line += 1;
                }
                _ => return,
            }
        }
    }

    fn document(&mut self) -> Parsed<Value> {
        self.skip();
        if self.marker("---") {
            self.at += 3;
        }
        let value = self.node(-1, false, 0)?;
        self.skip();
        if self.marker("...") {
            self.at += 3;
            self.skip();
        }
        if self.rest().is_empty() { Ok(value) } else { Err(YamlProblem::Expected("the end of the document")) }
    }

    /// A value that is indented deeper than `parent` (a list in a map may be as deep as its key).
    fn node(&mut self, parent: isize, in_map: bool, depth: usize) -> Parsed<Value> {
        if depth > MAX_DEPTH {
            return Err(YamlProblem::Depth);
        }
        self.skip();
        let column = self.column();
        let list = self.indicator('-');
        let deep = column > parent || (in_map && list && column == parent);
        if self.rest().is_empty() || !deep || self.marker("...") || self.marker("---") {
            return Ok(Value::Nil);
        }
        match self.peek() {
            _ if list => self.block_list(column, depth),
            Some('[' | '{') => self.flow(depth),
            _ => self.block_map_or_scalar(column, depth),
        }
    }

    fn block_list(&mut self, column: isize, depth: usize) -> Parsed<Value> {
        let mut items = Vec::new();
        while self.column() == column && self.indicator('-') && !self.marker("---") {
            self.at += 1;
            items.push(self.node(column, false, depth + 1)?);
            self.skip();
        }
        Ok(Value::Array(items))
    }

    fn block_map_or_scalar(&mut self, column: isize, depth: usize) -> Parsed<Value> {
        let line = self.line;
        let (tag, text) = self.scalar(false)?;
        if !self.key_ends() {
            return typed(tag, text);
        }
        let mut map = BTreeMap::new();
        let mut key = text;
        loop {
            // Here stands the colon of `key`.
            self.at += 1;
            if self.line != line && map.is_empty() {
                return Err(YamlProblem::Expected("a key on one line"));
            }
            let value = self.node(column, true, depth + 1)?;
            if map.insert(key.clone(), value).is_some() {
                return Err(YamlProblem::Repeated(key));
            }
            self.skip();
            if self.column() != column || self.rest().is_empty() || self.marker("...") || self.marker("---") {
                return Ok(Value::Map(map));
            }
            key = self.scalar(false)?.1;
            if !self.key_ends() {
                return Err(YamlProblem::Expected("`:` behind a key"));
            }
        }
    }

    fn key_ends(&mut self) -> bool {
        self.skip_spaces();
        self.indicator(':')
    }

    fn flow(&mut self, depth: usize) -> Parsed<Value> {
        if depth > MAX_DEPTH {
            return Err(YamlProblem::Depth);
        }
        self.skip();
        match self.peek() {
            Some('[') => {
                let mut items = Vec::new();
                while !self.flow_ends(']')? {
                    items.push(self.flow(depth + 1)?);
                }
                Ok(Value::Array(items))
            }
            Some('{') => {
                let mut map = BTreeMap::new();
                while !self.flow_ends('}')? {
                    let key = self.scalar(true)?.1;
                    self.skip();
                    if self.peek() != Some(':') {
                        return Err(YamlProblem::Expected("`:` behind a key"));
                    }
                    self.at += 1;
                    let value = self.flow(depth + 1)?;
                    if map.insert(key.clone(), value).is_some() {
                        return Err(YamlProblem::Repeated(key));
                    }
                }
                Ok(Value::Map(map))
            }
            _ => {
                let (tag, text) = self.scalar(true)?;
                typed(tag, text)
            }
        }
    }

    /// Steps over the opening bracket or a comma; whether the closing bracket followed.
    fn flow_ends(&mut self, close: char) -> Parsed<bool> {
        self.skip();
        match self.peek() {
            Some('[' | '{' | ',') => self.at += 1,
            Some(c) if c == close => {}
            _ => return Err(YamlProblem::Expected("`,` or the closing bracket")),
        }
        self.skip();
        let ends = self.peek() == Some(close);
        self.at += usize::from(ends);
        Ok(ends)
    }

    /// A scalar and its tag, if it has one.
    fn scalar(&mut self, in_flow: bool) -> Parsed<(Option<&'a str>, String)> {
        let mut tag = None;
        if self.peek() == Some('!') {
            let end = self.rest().find(char::is_whitespace).unwrap_or(self.rest().len());
            tag = Some(&self.rest()[..end]);
            self.at += end;
            self.skip_spaces();
        }
        let text = match self.peek() {
            Some('\'') => self.single_quoted()?,
            Some('"') => self.double_quoted()?,
            Some('&' | '*') => return Err(YamlProblem::Unsupported("anchors")),
            Some('|' | '>') => return Err(YamlProblem::Unsupported("block scalars")),
            _ => self.plain(in_flow)?,
        };
        Ok((tag, text))
    }

    fn plain(&mut self, in_flow: bool) -> Parsed<String> {
        let rest = self.rest();
        let mut end = rest.len();
        let mut before = ' ';
        for (at, c) in rest.char_indices() {
            let after = rest[at + c.len_utf8()..].chars().next().unwrap_or(' ');
            let ends = match c {
                '\n' | '\r' => true,
                ':' => after.is_whitespace() || (in_flow && matches!(after, ',' | '[' | ']' | '{' | '}')),
                '#' => before.is_whitespace(),
                ',' | '[' | ']' | '{' | '}' => in_flow,
                _ => false,
            };
            if ends {
                end = at;
                break;
            }
            before = c;
        }
        self.at += end;
        let text = rest[..end].trim_end();
        if text.is_empty() { Err(YamlProblem::Expected("a value")) } else { Ok(text.to_owned()) }
    }

    fn single_quoted(&mut self) -> Parsed<String> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = self.rest();
            let end = rest.find(['\'', '\n']).filter(|&end| rest.as_bytes()[end] == b'\'');
            let end = end.ok_or(YamlProblem::Expected("a closing quote on the same line"))?;
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if self.peek() != Some('\'') {
                return Ok(text);
            }
            text.push('\'');
            self.at += 1;
        }
    }

    fn double_quoted(&mut self) -> Parsed<String> {
        let mut text = String::new();
        self.at += 1;
        let unclosed = YamlProblem::Expected("a closing quote on the same line");
        loop {
            let c = self.peek().filter(|&c| c != '\n').ok_or(unclosed.clone())?;
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => {
                    let escape = self.peek().ok_or(unclosed.clone())?;
                    self.at += escape.len_utf8();
                    text.push(match escape {
                        '0' => '\0',
                        'a' => '\x07',
                        'b' => '\x08',
                        't' => '\t',
                        'n' => '\n',
                        'v' => '\x0b',
                        'f' => '\x0c',
                        'r' => '\r',
                        'e' => '\x1b',
                        '"' | '\\' | '/' | ' ' => escape,
                        'x' => self.hex(2)?,
                        'u' => self.hex(4)?,
                        'U' => self.hex(8)?,
                        _ => return Err(YamlProblem::Expected("an escape")),
                    });
                }
                _ => text.push(c),
            }
        }
    }

    fn hex(&mut self, digits: usize) -> Parsed<char> {
        let code = self.rest().get(..digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let c = code.and_then(char::from_u32).ok_or(YamlProblem::Expected("hexadecimal digits of a character"))?;
        self.at += digits;
        Ok(c)
    }
}

/// The value of a scalar: what its tag says, else what it looks like.
fn typed(tag: Option<&str>, text: String) -> Parsed<Value> {
    let value = match tag {
        None | Some("!!str") => {
            return Ok(integer(&text).or_else(|| boolean(&text)).or_else(|| float(&text)).unwrap_or(Value::Str(text)));
        }
        Some("!str") => return Ok(Value::Str(text)),
        Some("!nil" | "!!null") => return Ok(Value::Nil),
        Some("!int" | "!!int") => integer(&text),
        Some("!bool" | "!!bool") => boolean(&text),
        Some("!float" | "!!float") => float(&text),
        Some(_) => return Err(YamlProblem::Unsupported("other tags")),
    };
    value.ok_or_else(|| YamlProblem::Tag { text, tag: tag.unwrap_or_default().to_owned() })
}

fn integer(text: &str) -> Option<Value> {
    let unsigned = |text: &str| {
        let (digits, radix) = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
            Some("0x") => (&text[2..], 16),
            Some("0b") => (&text[2..], 2),
            Some("0o") => (&text[2..], 8),
            _ if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
            _ => (text, 10),
        };
        // The standard parser would allow a sign.
        digits.starts_with(|c: char| c.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, radix).ok()).flatten()
    };
    match text.strip_prefix('-') {
        None => unsigned(text).map(Value::Uint),
        Some(digits) => 0i64.checked_sub_unsigned(unsigned(digits)?).map(Value::Int),
    }
}

fn boolean(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    let usual = text == lower || text == text.to_ascii_uppercase() || text.get(1..) == lower.get(1..);
    match lower.as_str() {
        "y" | "yes" | "true" | "on" if usual => Some(Value::Bool(true)),
        "n" | "no" | "false" | "off" if usual => Some(Value::Bool(false)),
        _ => None,
    }
}

fn float(text: &str) -> Option<Value> {
    text.parse().ok().map(Value::Float)
}

/// Prints a document, with `---` and `...`, as LLVM does.
#[must_use]
pub fn print(value: &Value) -> String {
    let mut out = String::from("---\n");
    match value {
        Value::Map(map) if !map.is_empty() => print_map(&mut out, map, 0, false),
        Value::Array(items) if !items.is_empty() => print_list(&mut out, items, 0),
        scalar => {
            out.push_str(&scalar_text(scalar));
            out.push('\n');
        }
    }
    out.push_str("...\n");
    out
}

/// `inline`: the first key stands behind a `- `, which is there already.
fn print_map(out: &mut String, map: &BTreeMap<String, Value>, indent: usize, mut inline: bool) {
    for (key, value) in map {
        if !std::mem::take(&mut inline) {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        let key = quoted(key);
        match value {
            Value::Map(map) if !map.is_empty() => {
                let _ = writeln!(out, "{key}:");
                print_map(out, map, indent + 2, false);
            }
            Value::Array(items) if !items.is_empty() => {
                let _ = writeln!(out, "{key}:");
                print_list(out, items, indent + 2);
            }
            scalar => {
                let _ = writeln!(out, "{:16} {}", format!("{key}:"), scalar_text(scalar));
            }
        }
    }
}

fn print_list(out: &mut String, items: &[Value], indent: usize) {
    for item in items {
        out.extend(std::iter::repeat_n(' ', indent));
        out.push_str("- ");
        match item {
            Value::Map(map) if !map.is_empty() => print_map(out, map, indent + 2, true),
            Value::Array(items) if !items.is_empty() => {
                // A list in a list: on its own lines.
                out.push('\n');
                print_list(out, items, indent + 2);
            }
            scalar => {
                out.push_str(&scalar_text(scalar));
                out.push('\n');
            }
        }
    }
}

fn scalar_text(value: &Value) -> String {
    match value {
        Value::Nil => "!nil ''".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Float(number) if number.fract() == 0.0 => format!("!float {number:?}"),
        Value::Float(number) => format!("{number:?}"),
        Value::Str(text) if matches!(typed(None, text.clone()), Ok(Value::Str(_))) => quoted(text),
        Value::Str(text) => format!("!str {}", quoted(text)),
        // Metadata has none; what is printed is not read back as bytes.
        Value::Bin(bytes) => quoted(&bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()),
        Value::Array(_) => "[]".to_owned(),
        Value::Map(_) => "{}".to_owned(),
    }
}

/// The text, with quotes if it would mean something else without.
fn quoted(text: &str) -> String {
    let special = |c: char| c.is_control() && c != '\t' || !c.is_ascii();
    if text.contains(special) {
        return format!("\"{}\"", text.chars().map(escaped).collect::<String>());
    }
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '^' | '.' | ',' | ' ' | '\t');
    let starts = |c: char| matches!(c, '-' | ',' | ' ' | '\t');
    let number = integer(text).or_else(|| float(text)).is_some();
    let word = text.to_ascii_lowercase();
    let null = matches!(word.as_str(), "null" | "~" | "true" | "false");
    let plain = text.chars().all(safe) && !text.starts_with(starts) && !text.ends_with([' ', '\t']);
    if plain && !number && !null && !text.is_empty() {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "''"))
}

fn escaped(c: char) -> String {
    match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        c if (c as u32) < 0x20 || c as u32 == 0x7f => format!("\\x{:02X}", c as u32),
        c => c.to_string(),
    }
}
