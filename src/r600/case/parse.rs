//! Text to cases: the lines of the header, over the [statements](crate::case::header) and [values](crate::case::values) of all cases.

use super::place::{Place, REGISTERS, index};
use super::{Bound, Case, Expect, Init, MAX_LANES, MAX_MEMORY, Memory, Observe, Select, What};
use crate::asm::{AsmError, AsmResult, Diagnostic, near};
use crate::case::clauses::rule;
use crate::case::header::{File, Notes, STRAY, is_stray};
use crate::case::numbers::{Defaults, digits};
use crate::case::value::{Id, Value};
use crate::case::values::Reader;
use crate::isa::r600::Machine;
use crate::isa::r600::fetch::{DATA_FORMATS, NUM_FORMATS, SWAPS};
use crate::isa::types::Ty;
use crate::r600::assemble::declared;
use crate::r600::emu::image::{Compare, Shape};
use crate::r600::emu::vertex::Element;
use crate::r600::emu::{Fault, LoopConstant, Stage};

/// The keys of a header that stand with a colon.
const KEYS: [&str; 19] = [
    "isa",
    "stage",
    "lanes",
    "valid",
    "registers",
    "temporaries",
    "stack",
    "scratch",
    "reduction",
    "vertex_offset",
    "instance_offset",
    "prefer_vector",
    "budget",
    "stop",
    "bools",
    "code",
    "source",
    "observe",
    "expect",
];

/// What stands with a number or a name, and an equals sign.
const GIVEN: [&str; 7] = ["buffer", "resource", "kcache", "constants", "loop", "semantic", "init"];

/// The program types and how they are written.
pub(super) const STAGES: [(&str, Stage); 6] =
    [("ps", Stage::Ps), ("vs", Stage::Vs), ("es", Stage::Es), ("gs", Stage::Gs), ("dc", Stage::Dc), ("fs", Stage::Fs)];

/// The shapes of images and how they are written.
pub(super) const SHAPES: [(&str, Shape); 6] = [
    ("1d", Shape::D1),
    ("2d", Shape::D2),
    ("3d", Shape::D3),
    ("1darray", Shape::D1Array),
    ("2darray", Shape::D2Array),
    ("cube", Shape::Cube),
];

/// The comparisons of images and how they are written.
pub(super) const COMPARES: [(&str, Compare); 8] = [
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("less_equal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("not_equal", Compare::NotEqual),
    ("greater_equal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

/// Reads a case.
pub(super) fn case(text: &str, name: &str) -> Result<Case, Vec<Diagnostic>> {
    let file = File::new(text);
    let mut parser = Parser::default();
    parser.case.name = name.to_owned();
    for (start, statement) in &file.statements {
        if let Err(error) = parser.statement(statement, *start) {
            parser.notes.error(error, *start);
        }
    }
    parser.finish(&file.body.text, file.end);
    if parser.notes.errors.is_empty() {
        return Ok(Case { body: file.body, ..parser.case });
    }
    Err(parser.notes.diagnostics(text, name))
}

#[derive(Default)]
struct Parser {
    case: Case,
    notes: Notes,
}

/// The value of a word of a list.
fn named<T: Copy>(reader: &mut Reader<'_>, what: &'static str, list: &[(&'static str, T)]) -> AsmResult<T> {
    let (word, span) = reader.token();
    let found = list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    found.ok_or_else(|| near::unknown(span, what, word, list.iter().map(|(name, _)| *name)))
}

/// A machine, as a list of them has it.
fn machine(reader: &mut Reader<'_>) -> AsmResult<Machine> {
    reader.cur.skip();
    let start = reader.cur.pos();
    let mut n = 0;
    while reader.cur.at(n).is_ascii_alphanumeric() || matches!(reader.cur.at(n), b'-' | b'_') {
        n += 1;
    }
    reader.cur.bump(n);
    let word = reader.cur.slice(start, start + n);
    Machine::find(word).ok_or_else(|| near::unknown(start..start + n.max(1), "machine", word, ["r600", "rv770"]))
}

fn machines(reader: &mut Reader<'_>) -> AsmResult<Vec<Machine>> {
    let mut all = Vec::new();
    loop {
        let one = machine(reader)?;
        if !all.contains(&one) {
            all.push(one);
        }
        if !reader.cur.eat(b',') {
            return Ok(all);
        }
    }
}

/// A number that may have a sign.
fn signed(reader: &mut Reader<'_>) -> AsmResult<i32> {
    let negative = reader.cur.eat(b'-');
    let n = reader.number("the number", 1 << 31)? as i64;
    Ok((if negative { -n } else { n }) as i32)
}

/// `32_32_FLOAT`, with what follows: `int`, `scaled`, `signed`, `no_zero`, `swap=8IN32`.
fn data_format(reader: &mut Reader<'_>) -> AsmResult<Element> {
    let (word, span) = reader.token();
    let code = DATA_FORMATS.iter().position(|name| !name.is_empty() && name.eq_ignore_ascii_case(word));
    let names = DATA_FORMATS.iter().copied().filter(|name| !name.is_empty());
    let data = code.ok_or_else(|| near::unknown(span.clone(), "format", word, names))? as u32;
    let element = Element { data, ..Element::default() };
    match element.format() {
        Ok(_) => Ok(element),
        Err(_) => Err(AsmError::rule(span, "this format is not emulated")),
    }
}

impl Parser {
    fn statement(&mut self, text: &str, base: usize) -> AsmResult<()> {
        if let Some(remark) = text.strip_prefix(';') {
            self.case.remarks.push(remark.trim().to_owned());
            return Ok(());
        }
        let mut reader = Reader::new(text);
        if reader.cur.at_end() {
            return Ok(());
        }
        let (key, span) = reader.name("a key, a register, or `;;` before a remark")?;
        let after = reader.cur.peek();
        let result = match KEYS.iter().chain(&GIVEN).find(|known| **known == key) {
            Some(&"source") if after == b':' => {
                self.notes.once("source", span)?;
                let rest = text.get(reader.cur.pos() + 1..).unwrap_or("").trim();
                self.case.source = Some(rest.to_owned());
                return Ok(());
            }
            Some(&"expect") => self.expect(&mut reader),
            Some(&"init") => {
                let select = select(&mut reader)?;
                reader.expect(b':', "`:`")?;
                self.init(select, &mut reader)
            }
            Some(key) if GIVEN.contains(key) => self.given(key, &mut reader),
            Some(key) if after == b':' && *key != "init" => {
                self.notes.once(key, span)?;
                reader.cur.bump(1);
                self.key(key, &mut reader)
            }
            _ if after == b':' => Err(near::unknown(span, "key", key, KEYS.into_iter().chain(GIVEN))),
            _ => {
                reader.cur.set_pos(span.start);
                self.init(Select::default(), &mut reader)
            }
        };
        self.notes.used(&mut reader, base);
        result.and_then(|()| reader.end())
    }

    fn key(&mut self, key: &str, reader: &mut Reader<'_>) -> AsmResult<()> {
        let case = &mut self.case;
        let mut number = |max: u64| reader.number("the number", max);
        match key {
            "isa" => case.machines = machines(reader)?,
            "stage" => case.stage = named(reader, "stage", &STAGES)?,
            "lanes" => {
                let start = reader.cur.pos();
                case.lanes = reader.number("the lanes", MAX_LANES.into())? as u32;
                if case.lanes == 0 {
                    return Err(AsmError::rule(start..reader.cur.pos(), "there must be at least one lane"));
                }
            }
            "valid" => case.valid = Some(number(u64::MAX)?),
            "registers" => case.registers = Some(number(REGISTERS.into())? as u32),
            "temporaries" => case.temporaries = Some(number(4)? as u32),
            "stack" => case.stack = Some(number(4096)? as u32),
            "scratch" => case.scratch = number(1 << 16)? as u32,
            "reduction" => case.reduction = number(1 << 16)? as u32,
            "vertex_offset" => case.offsets[0] = number(u32::MAX.into())? as u32,
            "instance_offset" => case.offsets[1] = number(u32::MAX.into())? as u32,
            // The field ALU_INST_PREFER_VECTOR; chips have it set.
            "prefer_vector" => case.last_is_trans = number(1)? == 0,
            "budget" => case.budget = Some(number(u64::MAX)?),
            "stop" => case.stop = Some(number(u32::MAX.into())? as u32),
            "bools" => case.bools = number(u32::MAX.into())? as u32,
            "code" => {
                if !reader.cur.eat_ident("file") {
                    return Err(AsmError::expected(reader.cur.pos(), "`file \"NAME\"`"));
                }
                case.code = Some(reader.string()?.to_owned());
            }
            _ => loop {
                let observe = observe(reader)?;
                if case.observe.iter().any(|known| known.place == observe.place) {
                    return Err(AsmError::rule(0..reader.cur.pos(), "this is observed already"));
                }
                case.observe.push(observe);
                if !reader.cur.eat(b',') {
                    break;
                }
            },
        }
        Ok(())
    }

    /// `KEY... = VALUE`
    fn given(&mut self, key: &str, reader: &mut Reader<'_>) -> AsmResult<()> {
        let start = reader.cur.pos();
        let twice = |reader: &Reader<'_>| AsmError::rule(start..reader.cur.pos(), "this was given before");
        match key {
            "constants" => {
                let memory = memory(reader)?;
                if self.case.constants.replace(memory).is_some() {
                    return Err(twice(reader));
                }
            }
            "buffer" => {
                let (name, span) = reader.name("the name of the buffer")?;
                if self.case.buffers.iter().any(|(known, _)| known == name) {
                    return Err(AsmError::rule(span, "there is a buffer of this name already"));
                }
                let memory = memory(reader)?;
                self.case.buffers.push((name.to_owned(), memory));
            }
            "kcache" => {
                let bank = index(reader)?;
                let memory = memory(reader)?;
                if self.case.banks.insert(bank, memory).is_some() {
                    return Err(twice(reader));
                }
            }
            "resource" => {
                let number = index(reader)?;
                reader.expect(b'=', "`=`")?;
                let bound = bound(reader)?;
                if self.case.resources.insert(number, bound).is_some() {
                    return Err(twice(reader));
                }
            }
            "loop" => {
                let number = index(reader)?;
                reader.expect(b'=', "`=`")?;
                let count = reader.number("the count", u64::from(u32::MAX))? as u32;
                let first = if reader.cur.eat(b',') { signed(reader)? } else { 0 };
                let step = if reader.cur.eat(b',') { signed(reader)? } else { 0 };
                if self.case.loops.insert(number, LoopConstant { count, first, step }).is_some() {
                    return Err(twice(reader));
                }
            }
            _ => {
                let number = index(reader)?;
                reader.expect(b'=', "`=`")?;
                reader.cur.skip();
                let at = reader.cur.pos();
                let Place::Register(register, _) = Place::read(reader)? else {
                    return Err(AsmError::expected(at, "a register"));
                };
                if self.case.semantics.insert(number, register).is_some() {
                    return Err(twice(reader));
                }
            }
        }
        Ok(())
    }

    fn init(&mut self, select: Select, reader: &mut Reader<'_>) -> AsmResult<()> {
        reader.cur.skip();
        let start = reader.cur.pos();
        let place = Place::read(reader)?;
        if !matches!(place, Place::Register(..)) {
            let rule = "registers alone are given values at the start";
            return Err(AsmError::rule(start..reader.cur.pos(), rule));
        }
        reader.expect(b'=', "`=`")?;
        let value = value(reader, &place, false)?;
        self.case.init.push(Init { select, place, value });
        Ok(())
    }

    /// `expect[...]: ...`
    fn expect(&mut self, reader: &mut Reader<'_>) -> AsmResult<()> {
        let select = select(reader)?;
        reader.expect(b':', "`:`")?;
        if reader.cur.eat_ident("trap") {
            let (name, span) = reader.name("the fault")?;
            let kind = Fault::NAMES.into_iter().find(|known| *known == name);
            let kind = kind.ok_or_else(|| near::unknown(span, "fault", name, Fault::NAMES))?;
            let at = reader.cur.eat_ident("at");
            let at = at.then(|| reader.number("the place of the instruction", u32::MAX.into())).transpose()?;
            let what = What::Trap { kind, at: at.map(|at| at as u32) };
            self.case.expect.push(Expect { select, what });
            return Ok(());
        }
        let place = Place::read(reader)?;
        reader.expect(b'=', "`=`")?;
        let value = value(reader, &place, true)?;
        let rule = rule(reader, &value)?;
        self.case.expect.push(Expect { select, what: What::Value { place, value, rule } });
        Ok(())
    }

    /// What can be checked only when the whole header is known.
    fn finish(&mut self, body: &str, base: usize) {
        let case = &mut self.case;
        if case.machines.is_empty() {
            case.machines = declared(body).map_or_else(|| vec![Machine::R600, Machine::RV770], |one| vec![one]);
        }
        let mut errors = self.notes.unknown(case.buffers.iter().map(|(known, _)| known.as_str()));
        let memory = case.buffers.iter().map(|(_, memory)| memory).chain(case.banks.values()).chain(&case.constants);
        let sizes = memory.map(|memory| u64::from(memory.size.unwrap_or(0)));
        let at = base.saturating_sub(1)..base.max(1);
        if sizes.sum::<u64>() > MAX_MEMORY {
            errors.push(AsmError::rule(at.clone(), "all memory has more than 64 MiB"));
        }
        let dead = case.expect.iter().map(|expect| &expect.select).chain(case.init.iter().map(|init| &init.select));
        if dead.into_iter().any(|select| !case.machines.iter().any(|machine| select.matches(*machine))) {
            errors.push(AsmError::rule(at, "brackets of a line mean no machine that the case is for"));
        }
        // A line of a header behind the first line of code would be a comment that nobody reads.
        let mut start = base;
        for line in body.split_inclusive('\n') {
            let text = line.trim_start();
            if is_stray(line, &KEYS) {
                let at = start + line.len() - text.len();
                errors.push(AsmError::rule(at..at + text.trim_end().len(), STRAY));
            } else if case.code.is_some() && !text.is_empty() && !text.starts_with(';') {
                let rule = "the code comes from a file (`code: file ...`); there is no place for assembly";
                errors.push(AsmError::rule(start..start + line.trim_end().len().max(1), rule));
                break;
            }
            start += line.len();
        }
        self.notes.errors.extend(errors);
    }
}

/// `[r600, rv770]`, or nothing.
fn select(reader: &mut Reader<'_>) -> AsmResult<Select> {
    if !reader.cur.eat(b'[') {
        return Ok(Select::default());
    }
    let machines = machines(reader)?;
    reader.expect(b']', "`]`")?;
    Ok(Select(machines))
}

/// `f32 R2.x`, or a place without a type.
fn observe(reader: &mut Reader<'_>) -> AsmResult<Observe> {
    reader.cur.skip();
    let start = reader.cur.pos();
    let ty = Ty::find(reader.cur.peek_ident());
    if ty.is_some() {
        reader.cur.ident();
    }
    let place = Place::read(reader)?;
    let wide = ty.is_some_and(|ty| ty.bytes() > place.integer().bytes());
    if wide {
        return Err(AsmError::rule(start..reader.cur.pos(), "the type is wider than an element"));
    }
    Ok(Observe { ty, place })
}

impl Observe {
    /// Reads a place as command lines name it: `R2.x`, `pixel0:f32`.
    ///
    /// # Errors
    /// Says what would be a place.
    pub fn parse(text: &str) -> Result<Observe, String> {
        let typed = text.rsplit_once(':').and_then(|(place, ty)| Some((place, Ty::find(ty.trim())?)));
        let (place, ty) = typed.map_or((text, None), |(place, ty)| (place, Some(ty)));
        let mut reader = Reader::new(place);
        let read = Place::read(&mut reader).and_then(|place| reader.end().map(|()| place));
        Ok(Observe { ty, place: read.map_err(|error| format!("`{text}`: {}", error.problem))? })
    }
}

/// A value for a place.
fn value(reader: &mut Reader<'_>, place: &Place, expected: bool) -> AsmResult<Value> {
    reader.cur.skip();
    let start = reader.cur.pos();
    let value = reader.plain_value(place.integer())?;
    let rule = refused(&value, place.integer(), expected, place.is_per_lane());
    match rule {
        Some(rule) => Err(AsmError::rule(start..reader.cur.pos().max(start + 1), rule)),
        None => Ok(value),
    }
}

/// Why a value can not stand where elements of a type are, if so.
fn refused(value: &Value, widest: Ty, expected: bool, per_lane: bool) -> Option<&'static str> {
    let mut rule = None;
    value.walk(&mut |v| {
        let broken = match v {
            Value::Any if !expected => Some("`_` stands only in expectations"),
            Value::Address(..)
            | Value::Scratch(_)
            | Value::Descriptor(_)
            | Value::Image(_)
            | Value::Sampler(_)
            | Value::Bvh(_)
            | Value::Texels(_) => Some("this machine has no addresses"),
            Value::File(..) => Some("a file can only fill memory"),
            Value::Id(Id::Lane | Id::Item) if per_lane => None,
            Value::Id(Id::Lane | Id::Item) => Some("lanes have no part in this place; `ramp` counts elements"),
            Value::Id(_) => Some("there is one thread group: lanes are numbered by `lane`"),
            Value::List(list) if list.is_empty() => Some("the list is empty"),
            _ if v.bytes() > widest.bytes() => Some("the value is wider than 32 bits"),
            _ => None,
        };
        rule = rule.or(broken);
    });
    if expected && *value == Value::Any {
        rule = Some("this expects nothing; `observe: PLACE` looks at a place");
    }
    rule
}

/// `[SIZE] = CONTENTS`, of which one may be left out.
fn memory(reader: &mut Reader<'_>) -> AsmResult<Memory> {
    reader.cur.skip();
    let start = reader.cur.pos();
    let mut memory = Memory::default();
    if reader.cur.eat(b'[') {
        memory.size = Some(reader.number("the size in bytes", MAX_MEMORY)? as u32);
        reader.expect(b']', "`]`")?;
    }
    if reader.cur.eat(b'=') {
        let contents = reader.plain_value(Ty::U32)?;
        let span = start..reader.cur.pos().max(start + 1);
        let file = matches!(contents, Value::File(..));
        if let Some(rule) = refused(&contents, Ty::U64, false, false).filter(|_| !file) {
            return Err(AsmError::rule(span, rule));
        }
        if memory.size.is_none() && !file && !matches!(contents, Value::List(_)) {
            return Err(AsmError::rule(span, "this memory needs a size in bytes: `[256] = ...`"));
        }
        if let (Some(size), Value::List(list)) = (memory.size, &contents)
            && list.iter().map(|v| u64::from(v.bytes())).sum::<u64>() > u64::from(size)
        {
            return Err(AsmError::rule(span, "the contents are larger than the memory"));
        }
        memory.contents = Some(contents);
    } else if memory.size.is_none() {
        return Err(AsmError::expected(reader.cur.pos(), "`[` and a size, or `=` and contents"));
    }
    Ok(memory)
}

/// `vertex(NAME, ...)` or `image(NAME, SHAPE, ...)`.
fn bound(reader: &mut Reader<'_>) -> AsmResult<Bound> {
    let (kind, span) = reader.name("`vertex(...)` or `image(...)`")?;
    let vertex = match kind {
        "vertex" => true,
        "image" => false,
        _ => return Err(near::unknown(span, "kind of resource", kind, ["vertex", "image"])),
    };
    reader.expect(b'(', "`(`")?;
    let buffer = reader.buffer_name()?;
    let shape = if vertex {
        None
    } else {
        reader.expect(b',', "`,` and the shape")?;
        Some(named(reader, "shape", &SHAPES)?)
    };
    let (mut stride, mut size, mut format, mut repeat, mut compare) = (0, [1; 3], None, false, Compare::Always);
    while reader.cur.eat(b',') {
        let (key, span) = reader.name("a field of the resource")?;
        let needs_format = || AsmError::rule(span.clone(), "the format stands before this");
        match key {
            "stride" if vertex => {
                reader.expect(b'=', "`=`")?;
                stride = reader.number("the stride", 0x7ff)? as u32;
            }
            "size" if !vertex => {
                reader.expect(b'=', "`=`")?;
                let (word, span) = reader.token();
                let numbers: Vec<Option<u128>> = word.split('x').map(digits).collect();
                let fits = |n: &Option<u128>| n.is_some_and(|n| (1..=8192).contains(&n));
                if numbers.len() > 3 || !numbers.iter().all(fits) {
                    return Err(AsmError::rule(span, "a size is up to three numbers from 1 to 8192, as `4x4`"));
                }
                for (to, n) in size.iter_mut().zip(numbers) {
                    *to = n.unwrap_or(1) as u32;
                }
            }
            "format" => {
                reader.expect(b'=', "`=`")?;
                format = Some(data_format(reader)?);
            }
            "int" | "scaled" | "norm" => {
                let number = NUM_FORMATS.iter().position(|name| name.eq_ignore_ascii_case(key)).unwrap_or(0);
                format.as_mut().ok_or_else(needs_format)?.number = number as u32;
            }
            "signed" => format.as_mut().ok_or_else(needs_format)?.signed = true,
            "no_zero" => format.as_mut().ok_or_else(needs_format)?.no_zero = true,
            "swap" => {
                reader.expect(b'=', "`=`")?;
                let (word, at) = reader.token();
                let swap = SWAPS.iter().position(|name| name.eq_ignore_ascii_case(word));
                let swap = swap.ok_or_else(|| near::unknown(at, "swap", word, SWAPS))?;
                format.as_mut().ok_or_else(needs_format)?.swap = swap as u32;
            }
            "repeat" if !vertex => repeat = true,
            "compare" if !vertex => {
                reader.expect(b'=', "`=`")?;
                compare = named(reader, "comparison", &COMPARES)?;
            }
            _ => {
                let known: &[&str] = if vertex {
                    &["stride", "format", "int", "scaled", "norm", "signed", "no_zero", "swap"]
                } else {
                    &["size", "format", "int", "scaled", "norm", "signed", "no_zero", "swap", "repeat", "compare"]
                };
                return Err(near::unknown(span, "field of a resource", key, known.iter().copied()));
            }
        }
    }
    let at = reader.cur.pos();
    reader.expect(b')', "`,` or `)`")?;
    Ok(match shape {
        None => Bound::Vertex { buffer, stride, format },
        Some(shape) => {
            let format = format.ok_or_else(|| AsmError::rule(at..at + 1, "an image has a format: `format=8_8_8_8`"))?;
            if shape == Shape::Cube && size[2] == 1 {
                size[2] = 6;
            }
            Bound::Image { buffer, shape, size, format, repeat, compare }
        }
    })
}

impl Reader<'_> {
    /// A value whose whole numbers have a type; where it may stand is not looked at.
    fn plain_value(&mut self, integer: Ty) -> AsmResult<Value> {
        let mut defaults = Defaults { named: None, integer, float: Ty::F32 };
        self.any_value(&mut defaults, 0)
    }
}
