//! Texts of instructions that were printed before, with other registers and numbers in them.
//!
//! Instructions of a shape ([`super::shape`]) that also agree in all bits but the numbers of registers and one number have the same text but for these.
//! So what an instruction's text was becomes a *template*: which bits must be the same, and between which pieces of text which fields
//! stand. Where a field stands is found by printing the instruction again with another value in it. So there is nothing here about
//! what any instruction looks like, and a text in which a field is not found, or stands twice, is no template.
//!
//! `tests/shapes.rs` holds what templates write against the printer.

use super::Decoded;
use super::classes::Classes;
use super::lines::Row;
use super::operand::{numbered, scalar};
use super::print::print;
use super::shape::{Plan, literal_class, room};
use crate::isa::form::{Kind, Mod, Table};
use crate::isa::format::Span;
use crate::isa::regs::ttmp_base;
use crate::isa::text::{Short, push_dec, push_hex, put_decimal, put_hexadecimal};

/// Words of an instruction that has templates at most.
const WORDS: usize = 4;
/// Most fields of a template.
const FIELDS: usize = 5;
/// Most bytes of a text: a row has room for it and a comment.
const MOST_BYTES: usize = 200;
/// Most instructions of a form of which templates are made.
const MOST: u8 = 24;

/// The words of an instruction, and what follows.
type Words = [u32; WORDS];

/// The templates of all forms.
pub(super) struct Templates {
    table: &'static Table,
    forms: Vec<Option<Box<OfForm>>>,
    tables: Tables,
}

/// The templates of a form.
#[derive(Default)]
struct OfForm {
    templates: Vec<Template>,
    /// How many instructions were looked at for one.
    tried: u8,
}

impl Templates {
    /// There is none yet.
    pub(super) fn new(table: &'static Table) -> Templates {
        Templates { table, forms: table.forms.iter().map(|_| None).collect(), tables: Tables::default() }
    }

    /// Writes the text of an instruction behind the first byte of a row, if there is a template of its shape, and gives where it ends.
    #[inline(always)]
    pub(super) fn known(&mut self, number: u16, words: &[u32], classes: &[Classes], row: &mut Row) -> Option<usize> {
        let form = self.forms.get(usize::from(number))?.as_ref()?;
        let words = words.first_chunk()?;
        let mut fitting = form.templates.iter().filter(|template| template.fits(words));
        fitting.find_map(|template| template.write(self.table, words, classes, &mut self.tables, row))
    }

    /// Makes a template of an instruction whose shape is proved, if it has one.
    pub(super) fn make(&mut self, decoded: &Decoded<'_>, words: &[u32], plan: &Plan, classes: &[Classes]) {
        let form = self.forms[self.table.number(decoded.form)].get_or_insert_default();
        // Of a branch the listing shows a label, where it has one.
        let branches = decoded.form.slots.iter().any(|slot| slot.kind == Kind::Target);
        if form.tried == MOST || branches || usize::from(decoded.len) > WORDS {
            return;
        }
        form.tried += 1;
        let [a, b, c, d, ..] = room(words);
        form.templates.extend(Template::new(self.table, decoded, &[a, b, c, d], plan, classes, &mut self.tables));
    }
}

/// The text of an instruction with room for fields.
struct Template {
    /// The bits that are not those of fields ...
    fixed: u128,
    /// ... and what they are.
    bits: u128,
    count: u8,
    fields: [Field; FIELDS],
    first: Short<48>,
    between: [Short; FIELDS],
    last: Short<64>,
}

/// What stands in a text.
#[derive(Clone, Copy, Default)]
struct Field {
    word: u8,
    shift: u8,
    mask: u32,
    /// For a register which values have the same shape ...
    classes: u8,
    /// ... and the class of those that have; for a number its class.
    class: u32,
    text: Text,
}

/// How the text of a field is made.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Text {
    /// Not at all.
    #[default]
    None,
    /// A register: the number of its table.
    Register(u8),
    /// A number in decimal.
    Decimal,
    /// A number with a sign, of so many bits.
    Signed(u8),
    /// A number in hexadecimal.
    Hexadecimal,
    /// A literal in hexadecimal.
    Literal,
}

/// Registers in a field, from the first value on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Registers {
    bank: Bank,
    dwords: u8,
    /// Registers from one value to the next.
    step: u32,
    /// The register of value 0, which may lie before the first one.
    base: i32,
}

/// Kinds of registers. Scalar ones are counted by their codes, which those of trap handlers have too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bank {
    Vector,
    Accumulation,
    Scalar,
}

/// The texts of registers, each made when it is asked for.
#[derive(Default)]
struct Tables(Vec<(Registers, Box<[Short<16>; 512]>)>);

impl Tables {
    fn number(&mut self, registers: Registers) -> Option<u8> {
        let number = self.0.iter().position(|(known, _)| *known == registers).unwrap_or_else(|| {
            self.0.push((registers, Box::new([Short::EMPTY; 512])));
            self.0.len() - 1
        });
        u8::try_from(number).ok()
    }

    /// Writes a register, if there is one, and gives the place behind it.
    #[inline(always)]
    fn put(&mut self, table: &Table, number: u8, value: u32, row: &mut Row, at: usize) -> Option<usize> {
        let (registers, texts) = &mut self.0[usize::from(number)];
        let text = &mut texts[value as usize & 0x1ff];
        if text.is_empty() {
            *text = Short::new(std::str::from_utf8(&registers.text(table, value)).unwrap_or_default());
            if text.is_empty() {
                return None;
            }
        }
        Some(text.put(row, at))
    }
}

impl Registers {
    fn text(&self, table: &Table, value: u32) -> Vec<u8> {
        let mut text = Vec::new();
        let first = self.base.wrapping_add_unsigned(self.step * value);
        let Ok(first) = u16::try_from(first) else { return text };
        match self.bank {
            Bank::Vector => numbered("v", first.into(), self.dwords, &mut text),
            Bank::Accumulation => numbered("a", first.into(), self.dwords, &mut text),
            Bank::Scalar => scalar(table, first, self.dwords, &mut text),
        }
        text
    }
}

/// The class of a number: whether it is 0, and its highest bit.
fn class_of_number(value: u32, mask: u32) -> u32 {
    u32::from(value > mask / 2) << 1 | u32::from(value != 0)
}

impl Field {
    #[inline(always)]
    fn value(&self, words: &Words) -> u32 {
        words[usize::from(self.word) & 3] >> (self.shift & 31) & self.mask
    }

    /// A field in one piece.
    fn of(span: Span) -> Option<Field> {
        let whole = span.width != 0 && span.width2 == 0 && usize::from(span.lo / 32) < WORDS;
        let inside = span.lo / 32 == (span.lo + span.width - 1) / 32;
        let field = || Field { word: span.lo / 32, shift: span.lo % 32, mask: span.max(), ..Field::default() };
        (whole && inside).then(field)
    }

    /// The words with another value in the field.
    fn with(&self, words: &Words, value: u32) -> Words {
        let mut words = *words;
        let word = &mut words[usize::from(self.word) & 3];
        *word = *word & !(self.mask << self.shift) | value << self.shift;
        words
    }

    /// The bits of the field.
    fn bits(&self) -> u128 {
        u128::from(self.mask) << (32 * u32::from(self.word) + u32::from(self.shift))
    }
}

/// Words as one number.
#[inline(always)]
fn all(words: &Words) -> u128 {
    let [a, b, c, d] = words.map(u128::from);
    a | b << 32 | c << 64 | d << 96
}

impl Template {
    /// Whether all of an instruction but its fields is as here.
    #[inline(always)]
    fn fits(&self, words: &Words) -> bool {
        all(words) & self.fixed == self.bits
    }

    /// Writes the text behind the first byte of a row, and gives where it ends, if the instruction has the shape of the template's.
    #[inline(always)]
    fn write(
        &self,
        table: &Table,
        words: &Words,
        classes: &[Classes],
        tables: &mut Tables,
        row: &mut Row,
    ) -> Option<usize> {
        let mut at = self.first.put(row, 1);
        for (field, between) in self.fields.iter().zip(&self.between).take(usize::from(self.count)) {
            let value = field.value(words);
            let (class, text) = match field.text {
                Text::None => return None,
                Text::Register(number) => {
                    let class = classes[usize::from(field.classes)].of[value as usize & 0x1ff];
                    (u32::from(class), tables.put(table, number, value, row, at)?)
                }
                Text::Literal => (literal_class(value), put_hexadecimal(row, at, value)),
                Text::Hexadecimal => (class_of_number(value, field.mask), put_hexadecimal(row, at, value)),
                Text::Decimal => (class_of_number(value, field.mask), put_decimal(row, at, value as i32)),
                Text::Signed(bits) => {
                    let shift = 32 - u32::from(bits);
                    (class_of_number(value, field.mask), put_decimal(row, at, (value << shift) as i32 >> shift))
                }
            };
            if class != field.class {
                return None;
            }
            at = between.put(row, text);
        }
        Some(self.last.put(row, at))
    }

    /// The template of an instruction, if its text is found to be one. Its shape has been proved.
    fn new(
        table: &Table,
        decoded: &Decoded<'_>,
        words: &Words,
        plan: &Plan,
        classes: &[Classes],
        tables: &mut Tables,
    ) -> Option<Template> {
        let len = usize::from(decoded.len);
        let probe = |words: &Words| {
            let mut text = Vec::new();
            print(table, decoded, &[&words[..], &[0; WORDS]].concat(), &mut text);
            text
        };
        let text = probe(words);
        if plan.counted(classes, words) > 1 {
            return None;
        }
        let mut found: Vec<(usize, usize, Field)> = Vec::new();
        for place in plan.places().iter().filter(|place| !place.is_itself(words)) {
            let field = Field { word: place.word, shift: place.shift, mask: place.mask.into(), ..Field::default() };
            let of = &classes[usize::from(place.classes)].of;
            let value = field.value(words);
            let class = of[value as usize & 0x1ff];
            let alike =
                |other: &i64| (0..=i64::from(field.mask)).contains(other) && of[*other as usize & 0x1ff] == class;
            let near = [8, -8, 4, -4].map(|step| i64::from(value) + step);
            // What has no other value near by with the same shape stays as it is.
            let Some(other) = near.into_iter().find(alike) else { continue };
            let other_words = field.with(words, other as u32);
            let Some((start, end, registers)) = register(table, &text, &probe(&other_words), value, other as u32)
            else {
                continue;
            };
            let text = Text::Register(tables.number(registers)?);
            found.push((start, end, Field { classes: place.classes, class: class.into(), text, ..field }));
        }
        if let Some((start, end, field)) = number(decoded, words, plan, &text, probe) {
            found.push((start, end, field));
        }
        found.sort_by_key(|(start, ..)| *start);
        let mut template = Template {
            fixed: u128::MAX.checked_shr(128 - 32 * len as u32).unwrap_or(0),
            bits: 0,
            count: u8::try_from(found.len()).ok().filter(|count| usize::from(*count) <= FIELDS)?,
            fields: [Field::default(); FIELDS],
            first: Short::EMPTY,
            between: [Short::EMPTY; FIELDS],
            last: Short::EMPTY,
        };
        if text.len() + found.len() * 12 > MOST_BYTES {
            return None;
        }
        let part = |from: usize, to: usize, most: usize| {
            let part = std::str::from_utf8(text.get(from..to)?).ok()?;
            (part.len() <= most).then_some(part)
        };
        let starts: Vec<usize> = found.iter().map(|(start, ..)| *start).chain([text.len()]).collect();
        template.first = Short::new(part(0, starts[0], Short::<48>::MOST)?);
        for (n, (_, end, field)) in found.iter().enumerate() {
            template.fixed &= !field.bits();
            template.fields[n] = *field;
            if n + 1 < found.len() {
                template.between[n] = Short::new(part(*end, starts[n + 1], Short::<32>::MOST)?);
            } else {
                template.last = Short::new(part(*end, text.len(), Short::<64>::MOST)?);
            }
        }
        template.bits = all(words) & template.fixed;
        Some(template)
    }
}

/// The register in a text that is another one in another text, which has another value in a field: where it begins and ends, and which registers the
/// values of the field are.
fn register(
    table: &Table,
    text: &[u8],
    other: &[u8],
    value: u32,
    other_value: u32,
) -> Option<(usize, usize, Registers)> {
    let start = token(text, other, |c| c.is_ascii_alphanumeric() || b"_[:".contains(&c))?;
    let (bank, first, dwords, end) = range(table, text, start)?;
    let (other_bank, other_first, other_dwords, other_end) = range(table, other, start)?;
    if (bank, dwords) != (other_bank, other_dwords) || text[end..] != other[other_end..] {
        return None;
    }
    let steps = other_value as i32 - value as i32;
    let step = (other_first - first) / steps;
    let registers = Registers { bank, dwords, step: u32::try_from(step).ok()?, base: first - step * value as i32 };
    let told = |value, text: &[u8]| registers.text(table, value) == text;
    (told(value, &text[start..end]) && told(other_value, &other[start..other_end])).then_some((start, end, registers))
}

/// Where a token begins of which two texts have different ones.
fn token(text: &[u8], other: &[u8], is_part: impl Fn(u8) -> bool) -> Option<usize> {
    let same = text.iter().zip(other).take_while(|(a, b)| a == b).count();
    let back = text[..same].iter().rev().take_while(|c| is_part(**c)).count();
    (text != other).then_some(same - back)
}

/// The registers whose text begins at a place: bank, first, how many, and where the text ends.
fn range(table: &Table, text: &[u8], start: usize) -> Option<(Bank, i32, u8, usize)> {
    let rest = text.get(start..)?;
    let trap = i32::from(ttmp_base(table.target.generation()));
    let banks =
        [("v", Bank::Vector, 0), ("a", Bank::Accumulation, 0), ("s", Bank::Scalar, 0), ("ttmp", Bank::Scalar, trap)];
    let (name, bank, base) = banks.into_iter().find(|(name, ..)| {
        rest.strip_prefix(name.as_bytes()).and_then(<[u8]>::first).is_some_and(|c| *c == b'[' || c.is_ascii_digit())
    })?;
    let number = |at: usize| {
        let digits = text[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[at..at + digits]).ok()?.parse::<i32>().ok()?;
        Some((number, at + digits))
    };
    let at = start + name.len();
    if text[at] != b'[' {
        return number(at).map(|(first, end)| (bank, base + first, 1, end));
    }
    let (first, colon) = number(at + 1)?;
    let (last, end) = number(colon + 1)?;
    let dwords = u8::try_from(last - first + 1).ok()?;
    (text.get(colon) == Some(&b':') && text.get(end) == Some(&b']')).then_some((bank, base + first, dwords, end + 1))
}

/// The number in a text that may be another one: where it begins and ends, and its field.
fn number(
    decoded: &Decoded<'_>,
    words: &Words,
    plan: &Plan,
    text: &[u8],
    probe: impl Fn(&Words) -> Vec<u8>,
) -> Option<(usize, usize, Field)> {
    let form = decoded.form;
    let len = usize::from(decoded.len);
    if plan.has_literal(len) {
        let field = Field { word: len as u8 - 1, mask: u32::MAX, text: Text::Literal, ..Field::default() };
        let value = field.value(words);
        let class = literal_class(value);
        let other = [value ^ 0x10, value ^ 0x100].into_iter().find(|other| literal_class(*other) == class)?;
        return Field { class, ..field }.found(value, other, text, &probe(&field.with(words, other)));
    }
    let modifiers = form.mods.iter().filter(|m| m.id == Mod::Offset).map(|m| m.span);
    let places = form.slots.iter().filter(|slot| matches!(slot.kind, Kind::Simm | Kind::Uimm)).map(|slot| slot.span);
    let forgotten = |field: &Field| plan.forgets(field.bits());
    let field = match plan.offset(words) {
        Some(span) => Field::of(span)?,
        None => modifiers.chain(places).filter_map(Field::of).find(forgotten)?,
    };
    let value = field.value(words);
    let class = class_of_number(value, field.mask);
    let alike = |other: &u32| *other <= field.mask && class_of_number(*other, field.mask) == class;
    let other = [value.wrapping_add(1), value.wrapping_sub(1)].into_iter().find(alike)?;
    let other_text = probe(&field.with(words, other));
    let bits = field.mask.count_ones() as u8;
    [Text::Decimal, Text::Signed(bits), Text::Hexadecimal]
        .into_iter()
        .find_map(|style| Field { class, text: style, ..field }.found(value, other, text, &other_text))
}

impl Field {
    /// The field of a number, if it stands in two texts with two values.
    fn found(self, value: u32, other_value: u32, text: &[u8], other: &[u8]) -> Option<(usize, usize, Field)> {
        let start = token(text, other, |c| c.is_ascii_hexdigit() || b"x-".contains(&c))?;
        let (is, would_be) = (self.text.of(value), self.text.of(other_value));
        let rest = text[start..].strip_prefix(&is[..])?;
        let same =
            other[start..].strip_prefix(&would_be[..])? == rest && !rest.first().is_some_and(u8::is_ascii_hexdigit);
        same.then_some((start, start + is.len(), self))
    }
}

impl Text {
    /// The text of a number.
    fn of(self, value: u32) -> Vec<u8> {
        let mut text = Vec::new();
        match self {
            Text::Decimal => push_dec(&mut text, value.into()),
            Text::Signed(bits) => push_dec(&mut text, ((value << (32 - bits)) as i32 >> (32 - bits)).into()),
            Text::Hexadecimal | Text::Literal => push_hex(&mut text, value.into()),
            Text::None | Text::Register(_) => {}
        }
        text
    }
}
