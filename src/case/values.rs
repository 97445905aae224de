//! Text to values and places: the expressions of a header.
//!
//! A type in front of a number holds for the numbers behind it in the same list: `[f32 1, 2.5, u32 7]`. Without a type, whole numbers
//! have the integer type of their place and numbers with a point are f32. After a float type a hexadecimal number means bits.

use super::export::{Exported, LETTERS, Part};
use super::math::{self, Half};
use super::numbers::{Defaults, digits, literal};
use super::random::Class;
use super::value::{Descriptor, File, IDS, Id, Lit, OOBS, Place, SCRATCH_WORDS, Value};
use crate::asm::cursor::Cursor;
use crate::asm::{AsmError, AsmResult, Problem, near};
use crate::isa::symbols::export;
use crate::isa::types::Ty;
use std::ops::Range;

/// A name of a buffer and where it stands: whether there is one is known at the end of the header.
pub(crate) type Use = (String, Range<usize>);

/// Reads expressions of one statement.
pub(crate) struct Reader<'a> {
    pub cur: Cursor<'a>,
    pub uses: Vec<Use>,
    /// Where scratch memory is spoken of first.
    pub scratch: Option<Range<usize>>,
}

/// How deep values nest: a list of packed values is the deepest that means anything.
const MAX_DEPTH: u32 = 4;

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { cur: Cursor::new(text), uses: Vec::new(), scratch: None }
    }

    /// Takes a punctuation mark.
    pub fn expect(&mut self, mark: u8, what: &'static str) -> AsmResult<()> {
        if self.cur.eat(mark) { Ok(()) } else { Err(AsmError::expected(self.cur.pos(), what)) }
    }

    /// Nothing may follow.
    pub fn end(&mut self) -> AsmResult<()> {
        if self.cur.at_end() { Ok(()) } else { Err(AsmError::expected(self.cur.pos(), "the end of the line")) }
    }

    /// An identifier, which must be there.
    pub fn name(&mut self, what: &'static str) -> AsmResult<(&'a str, Range<usize>)> {
        self.cur.skip();
        let start = self.cur.pos();
        let name = self.cur.ident();
        if name.is_empty() { Err(AsmError::expected(start, what)) } else { Ok((name, start..start + name.len())) }
    }

    /// Letters, digits, points and underscores, and the sign of an exponent: a number, or a name that begins like one.
    pub fn token(&mut self) -> (&'a str, Range<usize>) {
        self.cur.skip();
        let start = self.cur.pos();
        let hex = self.cur.at(0) == b'0' && matches!(self.cur.at(1), b'x' | b'X');
        let mut n = 0;
        loop {
            let c = self.cur.at(n);
            let exponent = n > 0 && !hex && matches!(self.cur.at(n - 1), b'e' | b'E');
            if !(c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_') || exponent && matches!(c, b'+' | b'-')) {
                break;
            }
            n += 1;
        }
        self.cur.bump(n);
        (self.cur.slice(start, start + n), start..start + n.max(1))
    }

    /// A number without a sign, up to a limit.
    pub fn number(&mut self, what: &'static str, max: u64) -> AsmResult<u64> {
        let (token, span) = self.token();
        let Some(value) = digits(token) else { return Err(AsmError::expected(span.start, "a number")) };
        if value > u128::from(max) {
            let (value, max) = (i64::try_from(value).unwrap_or(i64::MAX), i64::try_from(max).unwrap_or(i64::MAX));
            return Err(AsmError::new(span, Problem::Range { what, value, min: 0, max }));
        }
        Ok(value as u64)
    }

    /// What stands between quotes; there are no escapes.
    pub fn string(&mut self) -> AsmResult<&'a str> {
        if !self.cur.eat(b'"') {
            return Err(AsmError::expected(self.cur.pos(), "a file name between quotes"));
        }
        let start = self.cur.pos();
        let mut n = 0;
        while self.cur.at(n) != b'"' {
            if matches!(self.cur.at(n), 0 | b'\n') {
                return Err(AsmError::rule(start - 1..start + n, "the string does not end"));
            }
            n += 1;
        }
        self.cur.bump(n + 1);
        Ok(self.cur.slice(start, start + n))
    }

    /// The name of a buffer.
    pub fn buffer_name(&mut self) -> AsmResult<String> {
        let (name, span) = self.name("the name of a buffer")?;
        self.uses.push((name.to_owned(), span));
        Ok(name.to_owned())
    }

    /// `BUFFER [+ OFFSET]`: a buffer, and how many bytes behind its start.
    pub(super) fn buffer_place(&mut self) -> AsmResult<(String, u64)> {
        let name = self.buffer_name()?;
        let offset = if self.cur.eat(b'+') { self.number("the offset", u64::MAX)? } else { 0 };
        Ok((name, offset))
    }

    /// A register, a range of them, or memory.
    pub fn place(&mut self) -> AsmResult<Place> {
        let (name, span) = self.name("a register, `lds` or `buffer`")?;
        let simple = match name {
            "vcc" => Place::Vcc,
            "exec" => Place::Exec,
            "scc" => Place::Scc,
            "m0" => Place::M0,
            "mode" => Place::Mode,
            "trapsts" => Place::Trapsts,
            "lds" => Place::Lds(self.offset()?),
            "export" => return self.export(),
            "buffer" => {
                let name = self.buffer_name()?;
                Place::Buffer(name, self.offset()?)
            }
            _ => return self.registers(name, span),
        };
        Ok(simple)
    }

    /// `mrt0.x`, `pos1[2].mask`, `valid`: what was exported.
    fn export(&mut self) -> AsmResult<Place> {
        let (name, span) = self.name("a target, such as `mrt0`, or `valid`")?;
        if name == "valid" {
            return Ok(Place::Valid);
        }
        let (target, element) = name.split_once('.').map_or((name, None), |(target, element)| (target, Some(element)));
        let Some(target) = export::find(target) else {
            let known = ["valid", "mrt0", "mrtz", "null", "pos0", "prim", "dual_src_blend0", "param0"];
            return Err(near::unknown(span, "target", target, known));
        };
        let (row, element, span) = match element {
            Some(element) => (None, element, span),
            None => {
                self.expect(b'[', "`.` and an element, or `[` and a row")?;
                let row = self.number("the row", u64::from(u32::MAX))? as u32;
                self.expect(b']', "`]`")?;
                self.expect(b'.', "`.` and an element")?;
                let (element, span) = self.name("an element")?;
                (Some(row), element, span)
            }
        };
        let part = match element {
            "mask" => Part::Mask,
            "done" => Part::Done,
            _ => match LETTERS.iter().position(|letter| element.chars().eq([*letter])) {
                Some(n) => Part::Element(n as u8),
                None => return Err(near::unknown(span, "element", element, ["x", "y", "z", "w", "mask", "done"])),
            },
        };
        Ok(Place::Export(Exported { target: target as u8, row, part }))
    }

    fn offset(&mut self) -> AsmResult<u32> {
        if !self.cur.eat(b'[') {
            return Ok(0);
        }
        let offset = self.number("the offset", u64::from(u32::MAX))?;
        self.expect(b']', "`]`")?;
        Ok(offset as u32)
    }

    fn registers(&mut self, name: &str, span: Range<usize>) -> AsmResult<Place> {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let files = [File::Vector, File::Accumulation, File::Scalar, File::Trap];
        let Some(file) = files.into_iter().find(|f| f.letters().0 == letters) else {
            let known =
                ["vcc", "exec", "scc", "m0", "mode", "trapsts", "lds", "buffer", "export", "v0", "s0", "a0", "ttmp0"];
            return Err(near::unknown(span, "place", name, known));
        };
        let max = u64::from(file.letters().1 - 1);
        if letters.len() < name.len() {
            let n = digits(&name[letters.len()..]).filter(|n| *n <= u128::from(max));
            let Some(n) = n else { return Err(AsmError::rule(span, "there is no such register")) };
            return Ok(Place::Regs { file, first: n as u32, count: 1 });
        }
        self.expect(b'[', "the number of a register, or `[`")?;
        let first = self.number("the register", max)?;
        let last = if self.cur.eat(b':') { self.number("the register", max)? } else { first };
        self.expect(b']', "`]`")?;
        if last < first {
            return Err(AsmError::rule(span.start..self.cur.pos(), "this range runs backwards"));
        }
        Ok(Place::Regs { file, first: first as u32, count: (last - first + 1) as u32 })
    }

    /// A value for a place.
    pub fn value(&mut self, place: &Place, expected: bool) -> AsmResult<Value> {
        self.cur.skip();
        let start = self.cur.pos();
        let mut defaults = Defaults { named: None, integer: place.integer(), float: Ty::F32 };
        let value = self.any_value(&mut defaults, 0)?;
        match place.refuses(&value, expected) {
            Some(rule) => Err(AsmError::rule(start..self.cur.pos().max(start + 1), rule)),
            None => Ok(value),
        }
    }

    pub fn any_value(&mut self, defaults: &mut Defaults, depth: u32) -> AsmResult<Value> {
        let first = self.cur.peek();
        let start = self.cur.pos();
        if depth > MAX_DEPTH {
            return Err(AsmError::rule(start..start + 1, "these values nest too deep"));
        }
        if first == b'[' {
            if depth > 0 {
                return Err(AsmError::rule(start..start + 1, "a list cannot stand in another value"));
            }
            return self.list(defaults);
        }
        if first == b'-' || first.is_ascii_digit() {
            // Types that hold for the numbers of a list mean nothing to a term.
            self.cur.eat(b'-');
            self.token();
            let term = math::follows(self);
            self.cur.set_pos(start);
            let plain = Defaults { named: None, integer: Ty::U32, float: Ty::F32 };
            let first = Value::Lit(self.literal(if term { &plain } else { defaults })?);
            return if term { math::rest(self, first) } else { Ok(first) };
        }
        if first == b'(' {
            let inside = math::bracketed(self, depth)?;
            return math::rest(self, Value::Math(Box::new(inside)));
        }
        let (name, span) = self.name("a value")?;
        if let Some(ty) = Ty::find(name) {
            defaults.named = Some(ty);
            return match self.cur.peek() {
                b'[' if depth == 0 => self.list(defaults),
                b'r' if self.cur.peek_ident() == "ramp" => self.ramp(*defaults),
                b'f' if depth == 0 && self.cur.eat_ident("file") => Ok(Value::File(ty, self.string()?.to_owned())),
                _ => Ok(Value::Lit(self.literal(defaults)?)),
            };
        }
        if matches!(name, "low" | "high") {
            let half = if name == "low" { Half::Low } else { Half::High };
            let half = math::half(self, half, depth)?;
            return math::rest(self, Value::Math(Box::new(half)));
        }
        self.cur.set_pos(span.start);
        if let Some(value) = self.counted()? {
            return math::rest(self, value);
        }
        self.cur.set_pos(span.end);
        match name {
            "_" => Ok(Value::Any),
            "inf" | "nan" | "snan" => {
                self.cur.set_pos(span.start);
                Ok(Value::Lit(self.literal(defaults)?))
            }
            "ramp" => {
                self.cur.set_pos(span.start);
                self.ramp(Defaults { named: None, ..*defaults })
            }
            "edges" => {
                self.expect(b'(', "`(`")?;
                let ty = self.ty()?;
                let step = if self.cur.eat(b',') { self.number("the step", u64::from(u32::MAX))? } else { 1 };
                self.expect(b')', "`)`")?;
                Ok(Value::Edges(ty, (step as u32).max(1)))
            }
            "pack" => {
                self.expect(b'(', "`(`")?;
                let mut inside = Defaults { named: None, integer: Ty::U16, float: Ty::F16 };
                let low = self.half(&mut inside, depth)?;
                self.expect(b',', "`,`")?;
                let high = self.half(&mut inside, depth)?;
                self.expect(b')', "`)`")?;
                Ok(Value::Pack(Box::new(low), Box::new(high)))
            }
            "buffer" => self.descriptor().map(|d| Value::Descriptor(Box::new(d))),
            "image" => self.picture().map(|picture| Value::Image(Box::new(picture))),
            "sampler" => self.sampling().map(|sampling| Value::Sampler(Box::new(sampling))),
            "texels" => self.texels(depth).map(|texels| Value::Texels(Box::new(texels))),
            "bvh" => self.bvh().map(|bvh| Value::Bvh(Box::new(bvh))),
            "file" if depth > 0 => Err(AsmError::rule(span, "a file stands by itself, not in another value")),
            "file" => Ok(Value::File(Ty::U8, self.string()?.to_owned())),
            _ => self.random(name, span),
        }
    }

    /// A number of the dispatch, an address, or what is told of scratch memory, if it is one.
    fn counted(&mut self) -> AsmResult<Option<Value>> {
        let (name, span) = self.name("a value")?;
        if let Some((_, id)) = IDS.iter().find(|(known, _)| *known == name) {
            if *id == Id::ScratchOffset {
                self.scratch.get_or_insert(span);
            }
            return Ok(Some(Value::Id(*id)));
        }
        if let Some((_, word)) = SCRATCH_WORDS.iter().find(|(known, _)| *known == name) {
            self.scratch.get_or_insert(span);
            return Ok(Some(Value::Scratch(*word)));
        }
        if name != "address" {
            return Ok(None);
        }
        self.expect(b'(', "`(`")?;
        let (name, offset) = self.buffer_place()?;
        self.expect(b')', "`)`")?;
        Ok(Some(Value::Address(name, offset)))
    }

    /// What a term is made of, where it begins with a name.
    pub fn whole(&mut self) -> AsmResult<Value> {
        self.cur.skip();
        let start = self.cur.pos();
        if let Some(value) = self.counted()? {
            return Ok(value);
        }
        let (name, span) = (self.cur.slice(start, self.cur.pos()), start..self.cur.pos());
        let known = ["address", "low", "high"].into_iter();
        let known =
            known.chain(IDS.iter().map(|(known, _)| *known)).chain(SCRATCH_WORDS.iter().map(|(known, _)| *known));
        Err(near::unknown(span, "number", name, known))
    }

    fn half(&mut self, defaults: &mut Defaults, depth: u32) -> AsmResult<Value> {
        self.cur.skip();
        let start = self.cur.pos();
        let value = self.any_value(defaults, depth + 1)?;
        let fits = matches!(value, Value::Any)
            || matches!(value, Value::Lit(_) | Value::Ramp(..) | Value::Random(..) | Value::Edges(..))
                && value.bytes() == 2;
        if fits {
            return Ok(value);
        }
        Err(AsmError::rule(start..self.cur.pos().max(start + 1), "a half is a value of 16 bits"))
    }

    fn list(&mut self, defaults: &mut Defaults) -> AsmResult<Value> {
        self.expect(b'[', "`[`")?;
        let mut list = Vec::new();
        while self.cur.peek() != b']' {
            list.push(self.any_value(defaults, 1)?);
            if !self.cur.eat(b',') {
                break;
            }
        }
        self.expect(b']', "`,` or `]`")?;
        Ok(Value::List(list))
    }

    fn ty(&mut self) -> AsmResult<Ty> {
        let (name, span) = self.name("a type")?;
        Ty::find(name).ok_or_else(|| near::unknown(span, "type", name, Ty::ALL.map(Ty::name)))
    }

    /// `ramp(start, step)`; a type in front of it or of its start holds for both.
    fn ramp(&mut self, mut defaults: Defaults) -> AsmResult<Value> {
        self.cur.ident();
        self.expect(b'(', "`(`")?;
        let start = self.typed_literal(&mut defaults)?;
        defaults.named = Some(start.ty);
        self.expect(b',', "`,`")?;
        let step = self.typed_literal(&mut defaults)?;
        if step.ty != start.ty {
            return Err(AsmError::rule(self.cur.pos() - 1..self.cur.pos(), "start and step must have one type"));
        }
        self.expect(b')', "`)`")?;
        Ok(Value::Ramp(start, step))
    }

    fn typed_literal(&mut self, defaults: &mut Defaults) -> AsmResult<Lit> {
        if let Some(ty) = Ty::find(self.cur.peek_ident()) {
            self.cur.ident();
            defaults.named = Some(ty);
        }
        self.literal(defaults)
    }

    /// `random(seed)`, `random_f32(seed, class)`.
    fn random(&mut self, name: &str, span: Range<usize>) -> AsmResult<Value> {
        let ty = match name.strip_prefix("random") {
            Some("") => Some(Ty::U32),
            Some(rest) => rest.strip_prefix('_').and_then(Ty::find),
            None => None,
        };
        let Some(ty) = ty else {
            let functions = [
                "ramp",
                "random",
                "random_f32",
                "edges",
                "pack",
                "address",
                "low",
                "high",
                "buffer",
                "file",
                "inf",
                "nan",
            ];
            let known = functions.into_iter().chain(IDS.iter().map(|(known, _)| *known)).chain(Ty::ALL.map(Ty::name));
            return Err(near::unknown(span, "value", name, known));
        };
        self.expect(b'(', "`(`")?;
        let seed = self.number("the seed", u64::MAX)?;
        let mut class = Class::Any;
        if self.cur.eat(b',') {
            let (name, span) = self.name("a class")?;
            let found = Class::ALL.into_iter().find(|c| c.name() == name);
            class = found.ok_or_else(|| near::unknown(span.clone(), "class", name, Class::ALL.map(Class::name)))?;
            if !class.suits(ty) {
                return Err(AsmError::rule(span, "this type has no such class"));
            }
        }
        self.expect(b')', "`)`")?;
        Ok(Value::Random(ty, seed, class))
    }

    /// A number with its sign and perhaps its type behind it.
    pub fn literal(&mut self, defaults: &Defaults) -> AsmResult<Lit> {
        let negative = self.cur.eat(b'-');
        self.cur.skip();
        let (token, mut span) = self.token();
        span.start -= usize::from(negative);
        literal(token, negative, defaults).map_err(|rule| match rule {
            "" => AsmError::expected(span.start, "a number"),
            rule => AsmError::rule(span, rule),
        })
    }

    /// Where components come from.
    pub(super) fn selects(&mut self) -> AsmResult<[u8; 4]> {
        let (token, span) = self.token();
        let sel = <[u8; 4]>::try_from(token.as_bytes()).ok();
        let known = sel.filter(|s| s.iter().all(|c| b"xyzw01".contains(c)));
        known.ok_or_else(|| AsmError::expected(span.start, "four of `x`, `y`, `z`, `w`, `0`, `1`"))
    }

    /// What stands in `buffer(...)`.
    fn descriptor(&mut self) -> AsmResult<Descriptor> {
        self.expect(b'(', "`(`")?;
        let (buffer, offset) = self.buffer_place()?;
        let mut d = Descriptor { buffer, offset, ..Descriptor::default() };
        while self.cur.eat(b',') {
            let (key, span) = self.name("a field of the descriptor")?;
            match key {
                "swizzle" => d.swizzle = true,
                "add_tid" => d.add_tid = true,
                "stride" | "records" | "element" | "index_stride" => {
                    self.expect(b'=', "`=`")?;
                    let max = if key == "stride" { (1 << 18) - 1 } else { u64::from(u32::MAX) };
                    self.cur.skip();
                    let at = self.cur.pos();
                    let value = Some(self.number("the field", max)? as u32);
                    let allowed: &[u32] = match key {
                        "element" => &[2, 4, 8, 16],
                        "index_stride" => &[8, 16, 32, 64],
                        _ => &[],
                    };
                    if !allowed.is_empty() && !value.is_some_and(|v| allowed.contains(&v)) {
                        let rule = if key == "element" { "2, 4, 8 or 16" } else { "8, 16, 32 or 64" };
                        return Err(AsmError::expected(at, rule));
                    }
                    *match key {
                        "stride" => &mut d.stride,
                        "records" => &mut d.records,
                        "element" => &mut d.element,
                        _ => &mut d.index_stride,
                    } = value;
                }
                "format" => {
                    self.expect(b'=', "`=`")?;
                    let (token, span) = self.token();
                    let name = token.to_ascii_lowercase();
                    if !super::descriptor::is_format(&name) {
                        let rule = "unknown format: it is named like `32_32_float`";
                        return Err(AsmError::new(span, Problem::Named { rule, name: token.to_owned() }));
                    }
                    d.format = Some(name);
                }
                "dst_sel" => {
                    self.expect(b'=', "`=`")?;
                    d.dst_sel = Some(self.selects()?);
                }
                "oob" => {
                    self.expect(b'=', "`=`")?;
                    let (name, span) = self.name("a rule of bounds")?;
                    let found = OOBS.iter().find(|(known, _)| *known == name).map(|(_, oob)| *oob);
                    let wrong = || near::unknown(span, "rule of bounds", name, OOBS.map(|(known, _)| known));
                    d.oob = Some(found.ok_or_else(wrong)?);
                }
                _ => {
                    let keys = [
                        "stride",
                        "records",
                        "format",
                        "swizzle",
                        "element",
                        "index_stride",
                        "add_tid",
                        "dst_sel",
                        "oob",
                    ];
                    return Err(near::unknown(span, "field of the descriptor", key, keys));
                }
            }
        }
        self.expect(b')', "`,` or `)`")?;
        Ok(d)
    }
}
