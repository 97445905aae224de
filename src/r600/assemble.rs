//! Text of whole programs to words.
//!
//! A line is a control-flow instruction (with its place before it, or behind the one before), an instruction of a clause (a group or
//! fetch that begins has a number before it, whatever number), a label, or a directive:
//!
//! - `.arch r600`: the machine;
//! - `12 .word 0x1, 0x2`: two words in their place; `.word 0x1` in the end: the last one of an odd number;
//! - `.literals 1, 2`: the words behind a group, where they are not those that its instructions read;
//! - `.unchecked`: rules that the program breaks are warnings;
//! - `.stack 2`: how many entries of the stack the program is given, to be checked;
//! - `.size 40`: how many words the program has at least; they are zero where nothing stands.
//!
//! A clause lies at the ADDR of its instruction; without one, behind all that has a place, in the order of the text.

use super::check;
use super::parse::{self, AluText, FlowText, Literal, Notes};
use super::program::{Extent, Group, Inst, Kind, Program, Slot, Source, sel};
use super::text::{Fault, Line, Parsed, fault, meant};
use crate::asm::diagnostic::{Diagnostic, Severity};
use crate::isa::r600::format::{alu_op2, cf, cf_alu};
use crate::isa::r600::{Class, Machine, Place};
use std::collections::HashMap;
use std::ops::Range;

/// What the assembler is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The machine; nothing where the text says it.
    pub machine: Option<Machine>,
    /// Find bank swizzles for groups that name none.
    pub auto_swizzle: bool,
}

/// What became of a text.
#[derive(Debug)]
pub struct Assembly {
    /// The words, if nothing was wrong.
    pub words: Option<Vec<u32>>,
    /// The machine that it was assembled for, if it is known.
    pub machine: Option<Machine>,
    /// What was wrong or strange.
    pub diagnostics: Vec<Diagnostic>,
}

/// The machine that `.arch` in a text names, if it is the first statement.
#[must_use]
pub fn declared(text: &str) -> Option<Machine> {
    let first = text.lines().map(str::trim_start).find(|line| !Line::new(line).at_end())?;
    let rest = first.strip_prefix(".arch")?.trim_start();
    Machine::find(rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next()?)
}

/// Where the lines of a text are, without what ends them. Most are short: to search for each end by itself would cost
/// as much as to read what is before it.
fn lines(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut lines = Vec::with_capacity(bytes.len() / 32);
    let mut start = 0;
    let mut end_at = |end: usize| {
        let carriage = end > start && bytes[end - 1] == b'\r';
        lines.push(start..end - usize::from(carriage));
        start = end + 1;
    };
    let (blocks, tail) = bytes.as_chunks();
    for (n, block) in blocks.iter().enumerate() {
        let mut found = newlines(*block);
        while found != 0 {
            end_at(8 * n + found.trailing_zeros() as usize / 8);
            found &= found - 1;
        }
    }
    let last = bytes.len() - tail.len();
    tail.iter().enumerate().filter(|(_, byte)| **byte == b'\n').for_each(|(n, _)| end_at(last + n));
    if start < bytes.len() {
        lines.push(start..bytes.len());
    }
    lines
}

/// The highest bit of each byte that is the end of a line.
fn newlines(block: [u8; 8]) -> u64 {
    const LOW: u64 = u64::from_le_bytes([0x7f; 8]);
    let other = u64::from_le_bytes(block) ^ u64::from_le_bytes([b'\n'; 8]);
    !(((other & LOW) + LOW) | other | LOW)
}

/// A program of more words is refused: addresses of ALU clauses have 22 bits.
const MOST_PAIRS: u64 = 1 << 22;

/// Assembles a whole program.
#[must_use]
pub fn assemble(file: &str, text: &str, options: Options) -> Assembly {
    let lines = lines(text);
    let mut asm = Assembler {
        options,
        machine: options.machine,
        text,
        line: 0,
        items: Vec::with_capacity(16),
        pairs: Vec::with_capacity(lines.len()),
        group: Open::default(),
        notes: Notes::default(),
        raw: Vec::new(),
        odd: None,
        size: None,
        stack: None,
        unchecked: false,
        labels: HashMap::new(),
        said: Vec::new(),
        lines,
    };
    for n in 0..asm.lines.len() {
        asm.line = n;
        if let Err(fault) = asm.read(Line::of(text, asm.lines[n].clone())) {
            asm.say(n, Severity::Error, *fault);
        }
    }
    asm.close();
    let words = if asm.is_wrong() { None } else { asm.lay_out() };
    let words = words.filter(|_| !asm.is_wrong());
    asm.said.sort_by_key(|(line, ..)| *line);
    let said = std::mem::take(&mut asm.said);
    let diagnostics = said.into_iter().map(|(line, severity, Fault { span, message })| Diagnostic {
        file: file.to_owned(),
        line: line as u32 + 1,
        column: span.start as u32 + 1,
        severity,
        message,
        line_text: asm.line_text(line).to_owned(),
        span,
        notes: Vec::new(),
    });
    Assembly { words, machine: asm.machine, diagnostics: diagnostics.collect() }
}

/// Assembles one instruction that stands in a place: two words, or four of a fetch.
///
/// # Errors
/// What is wrong with the text.
pub fn assemble_line(machine: Machine, place: Place, text: &str) -> Result<Vec<u32>, Fault> {
    line_words(machine, place, text).map_err(|fault| *fault)
}

fn line_words(machine: Machine, place: Place, text: &str) -> Parsed<Vec<u32>> {
    let mut line = Line::new(text);
    let words = match place {
        Place::Flow => {
            let named = parse::lookup(machine, place, &mut line)?;
            let flow = parse::flow(machine, &mut line, named)?;
            if let Some((name, at)) = flow.label {
                return fault(at..at + name.len(), "labels are not known here; assemble a file instead of lines");
            }
            flow.inst.words.to_vec()
        }
        Place::Alu => {
            let mut notes = Notes::default();
            let mut alu = parse::alu(machine, &mut line, &mut notes)?;
            for literal in notes.literals {
                let source = Source { elem: literal.elem.unwrap_or(0), ..alu.inst.source(literal.source) };
                Inst::set_source(&mut alu.inst.words, literal.source, source);
            }
            alu.inst.words.to_vec()
        }
        Place::Fetch => {
            let at = line.here();
            let named = parse::lookup(machine, place, &mut line)?;
            parse::fetch(machine, &mut line, at, named)?.to_vec()
        }
    };
    line.end()?;
    Ok(words)
}

/// A control-flow instruction with its clause.
struct Item<'t> {
    line: usize,
    at: u32,
    text: FlowText<'t>,
    /// Where what stands in its clause begins in all pairs.
    first: usize,
}

impl Item<'_> {
    fn kind(&self, machine: Machine) -> Option<Kind> {
        self.text.inst.begins(machine).map(|extent| extent.kind)
    }
}

/// A group that is being read; none if it has no instructions.
#[derive(Default)]
struct Open {
    /// Its instructions, with their lines.
    insts: Vec<(usize, AluText)>,
    /// The literals that they read, each with the instruction that does.
    literals: Vec<(usize, Literal)>,
    /// The words behind it, where they are given.
    given: Option<Vec<u32>>,
}

impl Open {
    /// Where it begins.
    fn line(&self) -> usize {
        self.insts.first().map_or(0, |(line, _)| *line)
    }

    /// Takes an instruction, with its literals.
    fn push(&mut self, line: usize, alu: AluText, notes: &mut Notes) {
        let n = self.insts.len();
        self.insts.push((line, alu));
        self.literals.extend(notes.literals.drain(..).map(|literal| (n, literal)));
    }

    /// Gives the literals their elements: those that name one first, then the others, equal ones together.
    fn place_literals(&mut self) -> Result<[u32; 4], (usize, Fault)> {
        let Open { insts, literals, given } = self;
        if literals.is_empty() && given.is_none() {
            return Ok([0; 4]);
        }
        let mut values = [None; 4];
        for (value, given) in values.iter_mut().zip(given.iter().flatten()) {
            *value = Some(*given);
        }
        for (n, literal) in literals.iter() {
            let (Some(elem), Some(wanted)) = (literal.elem, literal.value) else { continue };
            let value = &mut values[elem as usize & 3];
            if value.is_some_and(|value| value != wanted) {
                let message = "this element of the literals has another value in the same group".to_owned();
                return Err((insts[*n].0, Fault { span: literal.span.clone(), message }));
            }
            *value = Some(wanted);
        }
        for (n, literal) in literals.iter() {
            let (line, alu) = &mut insts[*n];
            let elem = match (literal.elem, literal.value) {
                (Some(elem), _) => elem,
                (None, wanted) => {
                    let same = values.iter().position(|value| value.is_some() && *value == wanted);
                    let Some(elem) = same.or_else(|| values.iter().position(Option::is_none)) else {
                        let message = "a group has four literals, and they are taken".to_owned();
                        return Err((*line, Fault { span: literal.span.clone(), message }));
                    };
                    values[elem] = wanted;
                    elem as u32
                }
            };
            let source = Source { sel: sel::LITERAL, elem, ..alu.inst.source(literal.source) };
            Inst::set_source(&mut alu.inst.words, literal.source, source);
        }
        Ok(values.map(|value| value.unwrap_or(0)))
    }

    /// No group, with room for the next one.
    fn clear(&mut self) {
        self.insts.clear();
        self.literals.clear();
        self.given = None;
    }
}

struct Assembler<'t> {
    options: Options,
    machine: Option<Machine>,
    text: &'t str,
    /// Where its lines are.
    lines: Vec<Range<usize>>,
    /// The line that is read.
    line: usize,
    items: Vec<Item<'t>>,
    /// What stands in clauses, one behind the other, each pair with its line.
    pairs: Vec<([u32; 2], usize)>,
    group: Open,
    /// What the last instruction of the ALU says beyond its words.
    notes: Notes,
    raw: Vec<(usize, u32, [u32; 2])>,
    odd: Option<(usize, u32)>,
    size: Option<(usize, u32, Range<usize>)>,
    stack: Option<(usize, u32, Range<usize>)>,
    unchecked: bool,
    labels: HashMap<&'t str, u32>,
    said: Vec<(usize, Severity, Fault)>,
}

impl<'t> Assembler<'t> {
    /// The text of a line.
    fn line_text(&self, line: usize) -> &'t str {
        self.lines.get(line).and_then(|span| self.text.get(span.clone())).unwrap_or("")
    }

    fn say(&mut self, line: usize, severity: Severity, fault: Fault) {
        self.said.push((line, severity, fault));
    }

    fn is_wrong(&self) -> bool {
        self.said.iter().any(|(_, severity, _)| *severity == Severity::Error)
    }

    fn read(&mut self, mut line: Line<'t>) -> Parsed<()> {
        let mut next = line.peek();
        let start = line.pos();
        if next == 0 {
            return Ok(());
        }
        let mut number = None;
        if next.is_ascii_digit() {
            number = Some((line.integer()?, line.since(start)));
            next = line.peek();
        }
        let at = line.pos();
        if next == b'.' {
            line.bump(1);
            return self.directive(&mut line, at, number);
        }
        if number.is_none() && self.machine.is_none() {
            return fault(start..start + 1, "for which machine? give --arch r600, or write .arch r600 first");
        }
        let Some(machine) = self.machine else {
            return fault(start..start + 1, "for which machine? give --arch r600, or write .arch r600 first");
        };
        if next == b'?' || line.ahead(1) == b':' && matches!(next | 0x20, b'x' | b'y' | b'z' | b'w' | b't') {
            self.notes.literals.clear();
            self.notes.warning = None;
            let alu = parse::alu(machine, &mut line, &mut self.notes)?;
            line.end()?;
            return self.alu(machine, number.is_some(), alu, at);
        }
        let word = line.word();
        if let Some(named) = parse::find(machine, Place::Flow, word) {
            self.close();
            let text = parse::flow(machine, &mut line, named)?;
            line.end()?;
            return self.flow(number, text);
        }
        if let Some(named) = parse::find(machine, Place::Fetch, word) {
            self.close();
            let words = parse::fetch(machine, &mut line, at, named)?;
            line.end()?;
            if self.items.last().is_none_or(|item| item.kind(machine) != Some(Kind::Fetch)) {
                return fault(at..at + word.len(), "a fetch stands below TEX, VTX or VTX_TC");
            }
            self.pairs.extend(words.as_chunks::<2>().0.iter().map(|pair| (*pair, self.line)));
            return Ok(());
        }
        if line.peek() == b':' && number.is_none() && !word.is_empty() {
            line.bump(1);
            line.end()?;
            self.close();
            let place = self.next_place();
            if self.labels.insert(word, place).is_some() {
                return fault(at..at + word.len(), format!("the label `{word}` is there twice"));
            }
            return Ok(());
        }
        let names = machine.names(Place::Flow).chain(machine.names(Place::Fetch));
        let hint = meant(word, names);
        if machine.named(Place::Alu, word).is_some() {
            let message = format!("`{word}` is an ALU instruction: its slot stands before it, as x: {word}");
            return fault(at..at + word.len(), message);
        }
        fault(at..at + word.len().max(1), format!("`{word}` is no instruction of {}{hint}", machine.name()))
    }

    fn next_place(&self) -> u32 {
        self.items.last().map_or(0, |item| item.at + 1)
    }

    fn directive(&mut self, line: &mut Line<'t>, at: usize, number: Option<(u32, Range<usize>)>) -> Parsed<()> {
        let name = line.word();
        let span = line.since(at);
        match (name, number) {
            ("arch", None) => {
                let start = line.here();
                let mut end = start;
                while line.ahead(end - start).is_ascii_alphanumeric() || line.ahead(end - start) == b'-' {
                    end += 1;
                }
                let word = self.line_text(self.line).get(start..end).unwrap_or("");
                line.set_pos(end);
                let Some(machine) = Machine::find(word) else {
                    return fault(
                        line.since(start),
                        format!("`{word}` is no machine of this family; there are r600 and rv770"),
                    );
                };
                if let Some(other) = self.machine.filter(|other| *other != machine) {
                    let message = format!("the text is for {}, but {} was asked for", machine.name(), other.name());
                    return fault(line.since(start), message);
                }
                self.machine = Some(machine);
            }
            ("word", Some((place, _))) => {
                self.close();
                let first = line.integer()?;
                line.expect(b',')?;
                let second = line.integer()?;
                self.raw.push((self.line, place, [first, second]));
            }
            ("word", None) => {
                self.close();
                let value = line.integer()?;
                if self.odd.replace((self.line, value)).is_some() {
                    return fault(span, "only one word may stand without a place, the last one");
                }
            }
            ("unchecked", None) => self.unchecked = true,
            ("stack", None) => {
                let at = line.here();
                let entries = line.integer()?;
                self.stack = Some((self.line, entries, line.since(at)));
            }
            ("size", None) => {
                let at = line.here();
                let words = line.integer()?;
                self.size = Some((self.line, words, line.since(at)));
            }
            ("literals", None) => {
                let mut values = Vec::new();
                while !line.at_end() {
                    if !values.is_empty() {
                        line.expect(b',')?;
                    }
                    values.push(line.integer()?);
                }
                if values.len() % 2 != 0 || values.len() > 4 {
                    return fault(span, "0, 2 or 4 words stand behind a group");
                }
                if self.group.insts.is_empty() || self.group.given.is_some() {
                    return fault(span, "literals stand behind a group, once");
                }
                self.group.given = Some(values);
            }
            _ => {
                let hint = meant(name, ["arch", "word", "size", "literals", "unchecked", "stack"]);
                return fault(span, format!("`.{name}` is no directive here{hint}"));
            }
        }
        line.end()
    }

    fn flow(&mut self, number: Option<(u32, Range<usize>)>, text: FlowText<'t>) -> Parsed<()> {
        let next = self.next_place();
        let at = match number {
            Some((at, span)) if at < next => {
                return fault(span, format!("the place before is {}: this one is behind it", i64::from(next) - 1));
            }
            Some((at, _)) => at,
            None => next,
        };
        self.items.push(Item { line: self.line, at, text, first: self.pairs.len() });
        Ok(())
    }

    fn alu(&mut self, machine: Machine, begins: bool, alu: AluText, at: usize) -> Parsed<()> {
        if self.items.last().is_none_or(|item| item.kind(machine) != Some(Kind::Alu)) {
            return fault(at..at + 1, "an ALU instruction stands below control flow that begins an ALU clause");
        }
        if let Some(fault) = self.notes.warning.take() {
            self.say(self.line, Severity::Warning, *fault);
        }
        if begins {
            self.close();
        } else if self.group.insts.is_empty() {
            return fault(at..at + 1, "the first instruction of a group has a number before it, as 0  x: ...");
        } else if self.group.insts.len() == 5 {
            return fault(at..at + 1, "a group has five slots; a number before the slot begins another group");
        }
        self.group.push(self.line, alu, &mut self.notes);
        Ok(())
    }

    /// Ends the group that is being read.
    fn close(&mut self) {
        let Some(machine) = self.machine.filter(|_| !self.group.insts.is_empty()) else { return };
        if let Err((line, fault)) = self.close_group(machine) {
            self.say(line, Severity::Error, fault);
        }
        self.group.clear();
    }

    /// The words of the group go to its clause.
    fn close_group(&mut self, machine: Machine) -> Result<(), (usize, Fault)> {
        let group = &mut self.group;
        let literals = group.place_literals()?;
        let count = group.insts.len();
        for (n, (line, alu)) in group.insts.iter_mut().enumerate() {
            let last = n + 1 == count;
            if alu.open && !last {
                let message = "CONT stands at the end of a group that does not end".to_owned();
                return Err((*line, Fault { span: 0..1, message }));
            }
            alu_op2::LAST.set(&mut alu.inst.words, u32::from(last && !alu.open));
        }
        let made = Group::of(machine, group.insts.iter().map(|(_, alu)| alu.inst), literals);
        for (n, (line, alu)) in self.group.insts.iter().enumerate() {
            if alu.slot.is_some() && made.slot(n) != alu.slot {
                return Err((*line, self.wrong_slot(*line, alu, made.slot(n))));
            }
        }
        let group = &self.group;
        let wanted = self.options.auto_swizzle && group.insts.iter().all(|(_, alu)| !alu.swizzled);
        let swizzles = wanted.then(|| check::find_swizzles(machine, &made)).flatten();
        for (n, (inst, (line, _))) in made.insts().iter().zip(&group.insts).enumerate() {
            let mut words = inst.words;
            if let Some(swizzles) = &swizzles {
                alu_op2::BANK_SWIZZLE.set(&mut words, swizzles[n]);
            }
            self.pairs.push((words, *line));
        }
        let present = group.given.as_ref().map_or(usize::from(made.literals_needed), Vec::len);
        for pair in literals[..present.min(4)].as_chunks::<2>().0 {
            self.pairs.push((*pair, group.line()));
        }
        Ok(())
    }

    /// An instruction does not execute in the slot that stands before it.
    #[cold]
    fn wrong_slot(&self, line: usize, alu: &AluText, slot: Option<Slot>) -> Fault {
        let name = alu.inst.row.map_or("it", |row| row.name);
        let message = match slot {
            Some(slot) => format!(
                "{name} executes in slot {}: {}",
                slot.letter(),
                if slot == Slot::T {
                    "the slot of the element that it writes is taken"
                } else {
                    "t is for what only t can do, and for what finds the slot of its element taken before it"
                }
            ),
            None => format!("there is no slot left for {name}: both that it could take are taken"),
        };
        let at = self.line_text(line).find(':').map_or(0, |colon| colon.saturating_sub(1));
        Fault { span: at..at + 1, message }
    }

    /// Gives everything its place, and makes the words.
    fn lay_out(&mut self) -> Option<Vec<u32>> {
        let Some(machine) = self.machine else { return Some(Vec::new()) };
        let mut end = u64::from(self.next_place());
        for (_, at, _) in &self.raw {
            end = end.max(u64::from(*at) + 1);
        }
        for n in 0..self.items.len() {
            end = end.max(self.place_clause(machine, n, None));
        }
        for n in 0..self.items.len() {
            end = end.max(self.place_clause(machine, n, Some(end)));
        }
        self.resolve_labels();
        if end > MOST_PAIRS {
            self.say(0, Severity::Error, Fault { span: 0..0, message: "the program is too large".to_owned() });
        }
        if self.is_wrong() {
            return None;
        }

        let mut words = vec![0; end as usize * 2];
        // The line of each pair, from 1 on.
        let mut owner = vec![0; end as usize];
        let mut clash = Vec::new();
        let mut put = |line: usize, at: u32, pair: [u32; 2]| {
            let at = at as usize;
            words[2 * at..2 * at + 2].copy_from_slice(&pair);
            let other = std::mem::replace(&mut owner[at], line + 1);
            if other != 0 {
                clash.push((line, other, at));
            }
        };
        for item in &self.items {
            put(item.line, item.at, item.text.inst.words);
        }
        for (line, at, pair) in &self.raw {
            put(*line, *at, *pair);
        }
        for (n, item) in self.items.iter().enumerate() {
            let pairs = &self.pairs[self.pairs_of(n)];
            let Some(extent) = item.text.inst.begins(machine).filter(|_| !pairs.is_empty()) else { continue };
            for (at, (pair, line)) in (extent.at..).zip(pairs) {
                put(*line, at, *pair);
            }
        }
        if let Some((line, other, at)) = clash.first() {
            let message = format!("place {at} is taken by line {other}");
            self.say(*line, Severity::Error, Fault { span: 0..self.line_text(*line).len(), message });
            return None;
        }
        if let Some((line, size, span)) = self.size.clone() {
            if (size as usize) < words.len() || u64::from(size) > MOST_PAIRS * 2 {
                let message = format!("the program has {} words", words.len());
                self.say(line, Severity::Error, Fault { span, message });
                return None;
            }
            words.resize(if self.odd.is_some() { size as usize & !1 } else { size as usize }, 0);
        }
        words.extend(self.odd.map(|(_, value)| value));
        let program = Program::decode(machine, &words);
        if let Some((line, given, span)) = self.stack.take() {
            let needed = check::stack_entries(&program);
            if needed > given {
                let message = format!("the program needs {needed} entries of the stack");
                self.say(line, Severity::Error, Fault { span, message });
            }
        }
        for mut finding in check::check(&program) {
            if self.unchecked {
                finding.severity = Severity::Warning;
            }
            let line = owner.get(finding.at as usize).map_or(0, |line: &usize| line.saturating_sub(1));
            let text = self.line_text(line);
            let start = text.len() - text.trim_start().len();
            let span = start..text.trim_end().len().max(start + 1);
            self.say(line, finding.severity, Fault { span, message: finding.message });
        }
        Some(words)
    }

    /// Where among all pairs those of a clause are.
    fn pairs_of(&self, n: usize) -> Range<usize> {
        self.items[n].first..self.items.get(n + 1).map_or(self.pairs.len(), |next| next.first)
    }

    /// Says where the clause of an instruction lies and how long it is. First those with an address, then the others, from `next` on.
    fn place_clause(&mut self, machine: Machine, n: usize, next: Option<u64>) -> u64 {
        let pairs = self.pairs_of(n).len();
        let item = &mut self.items[n];
        let Some(Extent { kind, .. }) = item.text.inst.begins(machine) else { return 0 };
        let count = if kind == Kind::Alu { pairs } else { pairs / 2 } as u32;
        let class = item.text.inst.class;
        let addressed = item.text.addressed && item.text.label.is_none();
        if addressed == next.is_some() {
            return 0;
        }
        let mut wrong = None;
        let name = item.text.inst.row.map_or("it", |row| row.name);
        match item.text.count {
            _ if item.text.label.is_some() => {
                wrong = Some("a clause has no label; leave ADDR out, or write a number".to_owned());
            }
            Some(_) if count == 0 && addressed => return 0,
            _ if count == 0 => {
                wrong = Some(format!("nothing stands below {name}, and no ADDR says which clause it means"))
            }
            Some(said) if said != count => {
                wrong = Some(format!("CNT says {said}, but {count} stand below"));
            }
            _ => {}
        }
        let mut words = item.text.inst.words;
        if wrong.is_none() {
            wrong = parse::set_count(machine, class, &mut words, count, 0..1).err().map(|fault| fault.message);
        }
        if let Some(next) = next {
            let at = if kind == Kind::Fetch { next.next_multiple_of(2) } else { next };
            let field = if class == Class::CfAlu { cf_alu::ADDR } else { cf::ADDR };
            field.set(&mut words, at as u32);
        }
        item.text.inst.words = words;
        let line = item.line;
        let end = item.text.inst.begins(machine).map_or(0, Extent::end);
        if let Some(message) = wrong {
            let text = self.line_text(line);
            let start = text.len() - text.trim_start().len();
            self.say(line, Severity::Error, Fault { span: start..text.len(), message });
            return 0;
        }
        end
    }

    fn resolve_labels(&mut self) {
        for n in 0..self.items.len() {
            let Some((name, at)) = self.items[n].text.label else { continue };
            match self.labels.get(name) {
                Some(place) => {
                    let inst = &mut self.items[n].text.inst;
                    cf::ADDR.set(&mut inst.words, *place);
                }
                None => {
                    let message = format!("there is no label `{name}`{}", meant(name, self.labels.keys().copied()));
                    let span = at..at + name.len();
                    self.say(self.items[n].line, Severity::Error, Fault { span, message });
                }
            }
        }
    }
}
