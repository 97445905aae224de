//! Text to cases: the lines of the header.
//!
//! After an error the next statement is read, so that all errors of a header are shown at once.

use super::clauses::{address, rule, select, trap};
use super::header::{File, MAX_ERRORS, Notes, STRAY, is_stray};
use super::isa::{Isa, Select};
use super::mode::{Field, Mode};
use super::observe::observe;
use super::value::Place;
use super::values::Reader;
use super::waves::Waves;
use super::{
    Buffer, Case, Expect, Init, MAX_BUFFERS, MAX_GROUP, MAX_LDS, MAX_MEMORY, MAX_SCRATCH, MAX_WAVES, Scratch,
    TrapHandler, Value, What, wave_size,
};
use crate::asm::{AsmError, AsmResult, Diagnostic, near};
use crate::isa::{ARCHS, Target};
use crate::memory::guest::canonical;
use crate::object::target_id::{TargetIdError, declared};
use std::collections::HashSet;
use std::ops::Range;

/// The keys of a header.
const KEYS: [&str; 19] = [
    "isa",
    "wave",
    "grid",
    "group",
    "entry",
    "lds",
    "mode",
    "mattr",
    "budget",
    "timeout",
    "source",
    "observe",
    "expect",
    "init",
    "buffer",
    "scratch",
    "rsrc",
    "code",
    "trap_handler",
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
    parser.named(&file.body.text, file.end);
    parser.finish(file.end);
    parser.stray(&file.body.text, file.end);
    if parser.notes.errors.is_empty() {
        return Ok(Case { body: file.body, ..parser.case });
    }
    Err(parser.notes.diagnostics(text, name))
}

#[derive(Default)]
struct Parser {
    case: Case,
    notes: Notes,
    /// Where scratch memory is spoken of first.
    scratch: Option<Range<usize>>,
    /// Where the registers of the hardware were given.
    rsrc: Option<Range<usize>>,
    /// Where the grid and group were given.
    geometry: Option<Range<usize>>,
    /// What is observed so far.
    observed: HashSet<Place>,
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
        let known = KEYS.iter().find(|k| **k == key).copied();
        let after = reader.cur.peek();
        let result = match known {
            Some("buffer") => self.buffer(&mut reader),
            Some(key @ ("expect" | "init")) => self.selected(key, &mut reader),
            Some("source") if after == b':' => {
                self.notes.once("source", span)?;
                let rest = text.get(reader.cur.pos() + 1..).unwrap_or("").trim();
                self.case.source = Some(rest.to_owned());
                return Ok(());
            }
            Some(key) if after == b':' => {
                self.notes.once(key, span.clone())?;
                reader.cur.bump(1);
                self.key(key, &mut reader, base + span.start)
            }
            _ if after == b':' => Err(near::unknown(span, "key", key, KEYS)),
            _ if !matches!(after, b'=' | b'[') => {
                let rule = "expected `KEY: ...` or `PLACE = VALUE`; a remark begins with `;;`";
                Err(AsmError::rule(span, rule))
            }
            _ => {
                reader.cur.set_pos(span.start);
                self.init(Select::default(), &mut reader)
            }
        };
        let scratch = reader.scratch.take().map(|span| span.start + base..span.end + base);
        self.scratch = self.scratch.take().or(scratch);
        self.notes.used(&mut reader, base);
        result.and_then(|()| reader.end())
    }

    fn key(&mut self, key: &str, reader: &mut Reader, at: usize) -> AsmResult<()> {
        match key {
            "isa" => self.case.isa = select(reader, false)?.isa,
            "wave" => loop {
                let (token, span) = reader.token();
                let lanes = match token {
                    "32" => 32,
                    "64" => 64,
                    _ => return Err(AsmError::expected(span.start, "32 or 64")),
                };
                if self.case.waves.contains(&lanes) {
                    return Err(AsmError::rule(span, "this wave size was given before"));
                }
                self.case.waves.push(lanes);
                if !reader.cur.eat(b',') {
                    break;
                }
            },
            "grid" | "group" => {
                let mut sizes = [1; 3];
                for (i, size) in sizes.iter_mut().enumerate() {
                    if i > 0 && !reader.cur.eat(b',') {
                        break;
                    }
                    reader.cur.skip();
                    let start = reader.cur.pos();
                    *size = reader.number("the size", u64::from(u32::MAX))? as u32;
                    if *size == 0 {
                        return Err(AsmError::rule(start..reader.cur.pos(), "there must be at least one work-item"));
                    }
                }
                self.geometry = Some(at..at + key.len());
                *(if key == "grid" { &mut self.case.grid } else { &mut self.case.group }) = Some(sizes);
            }
            "entry" => self.case.entry = Some(reader.name("a label")?.0.to_owned()),
            "trap_handler" => {
                let label = reader.name("a label")?.0.to_owned();
                let memory = if reader.cur.eat(b',') { Some(reader.buffer_name()?) } else { None };
                self.case.trap_handler = Some(TrapHandler { label, memory });
            }
            "lds" => self.case.lds = Some(reader.number("the size of local memory", u64::from(MAX_LDS))? as u32),
            "mode" => self.mode(reader)?,
            "mattr" => {
                reader.cur.skip();
                let start = reader.cur.pos();
                let text = std::str::from_utf8(reader.cur.text().get(start..).unwrap_or_default()).unwrap_or("");
                let text = text.split(';').next().unwrap_or("").trim();
                reader.cur.bump(text.len());
                let span = start..start + text.len().max(1);
                if text.to_ascii_lowercase().contains("wavefrontsize") {
                    return Err(AsmError::rule(span, "the wave size has a key of its own: `wave`"));
                }
                if text.is_empty() || Target::new(&ARCHS[0]).with_mattr(text).is_err() {
                    return Err(AsmError::rule(span, "a feature is written with its sign: `+real-true16`"));
                }
                self.case.mattr = Some(text.to_owned());
            }
            "scratch" => {
                let bytes = reader.number("the scratch memory of a lane", u64::from(MAX_SCRATCH))? as u32;
                let at = if reader.cur.eat_ident("at") { Some(address(reader)?) } else { None };
                self.case.scratch = Some(Scratch { bytes, at });
            }
            "rsrc" => {
                let mut words = [0; 3];
                for (n, word) in words.iter_mut().enumerate() {
                    if n > 0 && !reader.cur.eat(b',') {
                        if n == 1 {
                            let rule = "`,` and COMPUTE_PGM_RSRC2: the line is `rsrc: RSRC1, RSRC2` or `rsrc: RSRC1, RSRC2, RSRC3`";
                            return Err(AsmError::expected(reader.cur.pos(), rule));
                        }
                        break;
                    }
                    *word = reader.number("the register", u64::from(u32::MAX))? as u32;
                }
                self.case.rsrc = Some(words);
                self.rsrc = Some(at..at + key.len());
            }
            "code" => {
                if !reader.cur.eat_ident("file") {
                    return Err(AsmError::expected(reader.cur.pos(), "`file \"NAME\"`"));
                }
                self.case.code = Some(reader.string()?.to_owned());
            }
            "budget" => self.case.budget = Some(reader.number("the budget", u64::MAX)?),
            "timeout" => self.case.timeout = Some(reader.number("the time in milliseconds", 3_600_000)?),
            _ => loop {
                reader.cur.skip();
                let start = reader.cur.pos();
                let observe = observe(reader)?;
                if !self.observed.insert(observe.place.clone()) {
                    return Err(AsmError::rule(start..reader.cur.pos(), "this is observed already"));
                }
                self.case.observe.push(observe);
                if !reader.cur.eat(b',') {
                    break;
                }
            },
        }
        Ok(())
    }

    fn mode(&mut self, reader: &mut Reader) -> AsmResult<()> {
        let mut mode = Mode::default();
        if reader.cur.peek().is_ascii_digit() {
            mode.whole = Some(reader.number("MODE", u64::from(u32::MAX))? as u32);
            if !reader.cur.eat(b',') {
                self.case.mode = mode;
                return Ok(());
            }
        }
        loop {
            let (name, span) = reader.name("a field of MODE")?;
            let Some(field) = Field::ALL.into_iter().find(|f| f.name() == name) else {
                return Err(near::unknown(span, "field of MODE", name, Field::ALL.map(Field::name)));
            };
            if mode.fields.iter().any(|(f, _)| *f == field) {
                return Err(AsmError::rule(span, "this field was given before"));
            }
            reader.expect(b'=', "`=`")?;
            let (token, span) = reader.token();
            let (_, width) = field.bits();
            let number = token.parse::<u32>().ok().filter(|n| *n < 1 << width);
            let value = field.values().iter().position(|v| *v == token).map(|v| v as u32).or(number);
            let Some(value) = value else {
                return Err(match field.values() {
                    [] => AsmError::expected(span.start, "0 or 1"),
                    values => near::unknown(span, "value", token, values.iter().copied()),
                });
            };
            mode.fields.push((field, value));
            if !reader.cur.eat(b',') {
                self.case.mode = mode;
                return Ok(());
            }
        }
    }

    /// `buffer NAME[SIZE] readonly behind = CONTENTS`
    fn buffer(&mut self, reader: &mut Reader) -> AsmResult<()> {
        let (name, span) = reader.name("the name of the buffer")?;
        if self.case.buffers.iter().any(|b| b.name == name) {
            return Err(AsmError::rule(span, "there is a buffer of this name already"));
        }
        if self.case.buffers.len() >= MAX_BUFFERS {
            return Err(AsmError::rule(span, "a case has at most 1024 buffers"));
        }
        let mut buffer =
            Buffer { name: name.to_owned(), size: None, writable: true, behind: false, at: None, contents: None };
        if reader.cur.eat(b'[') {
            buffer.size = Some(reader.number("the size of the buffer", MAX_MEMORY)? as u32);
            reader.expect(b']', "`]`")?;
        }
        if reader.cur.eat_ident("readonly") {
            buffer.writable = false;
        }
        let at = reader.cur.pos();
        if reader.cur.eat_ident("behind") {
            if self.case.buffers.is_empty() {
                return Err(AsmError::rule(at..at, "there is no buffer before this one"));
            }
            buffer.behind = true;
        }
        let start = reader.cur.pos();
        if reader.cur.eat_ident("at") {
            if buffer.behind {
                return Err(AsmError::rule(
                    start..reader.cur.pos(),
                    "a buffer behind another has its address from that",
                ));
            }
            buffer.at = Some(address(reader)?);
        }
        if reader.cur.eat(b'=') {
            let contents = reader.value(&Place::Buffer(name.to_owned(), 0), false)?;
            let sized = matches!(contents, Value::List(_) | Value::File(..));
            if buffer.size.is_none() && !sized {
                return Err(AsmError::rule(span, "this buffer needs a size: `buffer data[256]`"));
            }
            if let (Some(size), Value::List(list)) = (buffer.size, &contents)
                && list.iter().map(|v| u64::from(v.bytes())).sum::<u64>() > u64::from(size)
            {
                return Err(AsmError::rule(span, "the contents are larger than the buffer"));
            }
            buffer.contents = Some(contents);
        } else if buffer.size.is_none() {
            return Err(AsmError::expected(reader.cur.pos(), "`[` and a size, or `=` and contents"));
        }
        self.case.buffers.push(buffer);
        Ok(())
    }

    /// `expect[...]: ...` and `init[...]: ...`
    fn selected(&mut self, key: &str, reader: &mut Reader) -> AsmResult<()> {
        let select = if reader.cur.eat(b'[') {
            let select = select(reader, true)?;
            reader.expect(b']', "`]`")?;
            select
        } else {
            Select::default()
        };
        reader.expect(b':', "`:`")?;
        if key == "init" {
            return self.init(select, reader);
        }
        if reader.cur.eat_ident("trap") {
            let what = trap(reader)?;
            self.case.expect.push(Expect { select, what });
            return Ok(());
        }
        let place = reader.place()?;
        reader.expect(b'=', "`=`")?;
        let value = reader.value(&place, true)?;
        let rule = rule(reader, &value)?;
        self.case.expect.push(Expect { select, what: What::Value { place, value, rule } });
        Ok(())
    }

    fn init(&mut self, select: Select, reader: &mut Reader) -> AsmResult<()> {
        reader.cur.skip();
        let start = reader.cur.pos();
        let place = reader.place()?;
        let span = start..reader.cur.pos();
        match &place {
            Place::Buffer(..) => return Err(AsmError::rule(span, "write `buffer NAME[SIZE] = ...` without brackets")),
            Place::Mode => return Err(AsmError::rule(span, "write `mode: ...`")),
            Place::Export(_) | Place::Valid => {
                return Err(AsmError::rule(span, "exports are what a program leaves: they can only be expected"));
            }
            Place::Lds(1..) => return Err(AsmError::rule(span, "the contents of local memory begin at 0")),
            _ => {}
        }
        reader.expect(b'=', "`=`")?;
        let value = reader.value(&place, false)?;
        if let (Place::Lds(_), Value::File(..)) = (&place, &value) {
            return Err(AsmError::rule(span, "only buffers are read from files"));
        }
        self.case.init.push(Init { select, place, value });
        Ok(())
    }

    /// No two buffers with addresses share a byte; one without a size has at least one.
    fn overlaps(&self, end: usize) -> Vec<AsmError> {
        let placed = |b: &Buffer| Some((canonical(b.at?)?, u64::from(b.size.unwrap_or(1))));
        let placed: Vec<(u64, u64)> = self.case.buffers.iter().filter_map(placed).collect();
        let meets = |a: &(u64, u64), b: &(u64, u64)| a.0 < b.0 + b.1 && b.0 < a.0 + a.1;
        let twice = (1..placed.len()).any(|n| placed[..n].iter().any(|other| meets(other, &placed[n])));
        let at = end.saturating_sub(1)..end.max(1);
        twice.then(|| AsmError::rule(at, "two buffers lie at one address")).into_iter().collect()
    }

    /// Where the header names no processor, `.amdgcn_target` of the assembly does; so do its kernels with the size of waves.
    fn named(&mut self, body: &str, base: usize) {
        let Some(declared) = declared(body).filter(|_| self.case.isa.entries.is_empty()) else { return };
        match declared.target {
            Ok(id) => {
                self.case.isa = Isa::only(id.arch);
                if self.case.waves.is_empty() && declared.wave64 && id.arch.has_wave32() {
                    self.case.waves.push(64);
                }
            }
            Err(error) => {
                let span = declared.span;
                let error = match &error {
                    TargetIdError::Processor(name) => {
                        near::unknown(span, "processor", name, ARCHS.iter().map(|a| a.name))
                    }
                    TargetIdError::Setting(name) => {
                        near::unknown(span, "setting", name, ["xnack+", "xnack-", "sramecc+", "sramecc-"])
                    }
                    TargetIdError::Unsupported { setting, .. } => {
                        near::unknown(span, "setting of this processor", setting, [])
                    }
                };
                self.notes.error(error, base);
            }
        }
    }

    /// What can be checked only when the whole header is known.
    fn finish(&mut self, end: usize) {
        let case = &self.case;
        let mut errors = self.notes.unknown(case.buffers.iter().map(|b| b.name.as_str()));
        errors.extend(self.overlaps(end));
        if let (Some(span), None) = (&self.scratch, case.scratch) {
            let rule = "there is no scratch memory: `scratch: BYTES` says how much a lane has";
            errors.push(AsmError::rule(span.clone(), rule));
        }
        if let (Some(span), true) = (&self.rsrc, case.mode != Mode::default()) {
            let rule = "MODE is part of RSRC1: leave out `mode: ...`";
            errors.push(AsmError::rule(span.clone(), rule));
        }
        if let (Some([_, two, _]), Some(span), None) = (case.rsrc, &self.rsrc, case.scratch)
            && two & 1 == 1
        {
            let rule = "RSRC2 enables scratch memory: `scratch: BYTES` says how much a lane has";
            errors.push(AsmError::rule(span.clone(), rule));
        }
        let at = |key: usize| key.saturating_sub(1)..key.max(1);
        if case.buffers.iter().map(|b| u64::from(b.size.unwrap_or(0))).sum::<u64>() > MAX_MEMORY {
            errors.push(AsmError::rule(at(end), "the buffers have more than 256 MiB"));
        }
        if self.notes.errors.is_empty() && errors.is_empty() && case.targets().is_empty() {
            let rule = "no processor of the isa list has the wave size and the MODE fields that are asked for";
            errors.push(AsmError::rule(at(end), rule));
        }
        if let Some(span) = &self.geometry {
            let items =
                case.group.map_or(1, |group| group.iter().fold(1u64, |all, n| all.saturating_mul(u64::from(*n))));
            // Those of the processor whose waves are the smallest.
            let fewest = case.targets().into_iter().map(wave_size).min().unwrap_or(64);
            let group = case.group.unwrap_or([fewest, 1, 1]);
            if items > MAX_GROUP {
                errors.push(AsmError::rule(span.clone(), "a group has at most 1024 work-items"));
            } else if Waves::count(case.grid.unwrap_or(group), group, fewest).is_none_or(|count| count > MAX_WAVES) {
                let of_64 = "there are more than 2^20 waves of 64 lanes";
                let rule = if fewest == 32 { "there are more than 2^20 waves of 32 lanes" } else { of_64 };
                errors.push(AsmError::rule(span.clone(), rule));
            }
        }
        self.notes.errors.extend(errors);
    }

    /// A line of a header behind the first line of code would be a comment that nobody reads.
    fn stray(&mut self, body: &str, base: usize) {
        let mut at = base;
        for line in body.split_inclusive('\n') {
            let text = line.trim_start();
            let start = at + line.len() - text.len();
            at += line.len();
            let is_code = !text.is_empty() && !text.starts_with(';') && !text.starts_with("//");
            if self.case.code.is_some() && is_code {
                let rule = "the code comes from a file (`code: file ...`); there is no place for assembly";
                self.notes.errors.push(AsmError::rule(start..start + text.trim_end().len(), rule));
                return;
            }
            if is_stray(line, &KEYS) && self.notes.errors.len() < MAX_ERRORS {
                self.notes.errors.push(AsmError::rule(start..start + text.trim_end().len(), STRAY));
            }
        }
    }
}
