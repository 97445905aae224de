//! `.section` and its short forms: which section is current.

use super::{Assembler, comma, end, quoted};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::module::{Section, SectionFlags, SectionKind};
use std::ops::Range;

/// How many sections a file may have, and how deep `.pushsection` may nest.
const MAX_SECTIONS: usize = 4096;

/// What a directive says about a section.
struct Wanted<'a> {
    name: &'a str,
    kind: Option<SectionKind>,
    flags: SectionFlags,
    /// Whether the flags were written.
    explicit: bool,
    entry_size: u64,
}

/// Whether a name is `prefix` or begins with `prefix.`.
fn under(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What the name alone says: as LLVM and GNU as agree.
fn default_flags(name: &str) -> SectionFlags {
    use SectionFlags as F;
    let any = |prefixes: &[&str]| prefixes.iter().any(|p| under(name, p));
    if any(&[".rodata"]) || name == ".rodata1" {
        F::ALLOC
    } else if any(&[".text"]) || name == ".init" || name == ".fini" {
        F::ALLOC | F::EXEC
    } else if any(&[".data", ".bss", ".init_array", ".fini_array", ".preinit_array"]) || name == ".data1" {
        F::ALLOC | F::WRITE
    } else if any(&[".tdata", ".tbss"]) {
        F::ALLOC | F::WRITE | F::TLS
    } else {
        F::empty()
    }
}

fn default_kind(name: &str) -> SectionKind {
    if name.starts_with(".note") {
        SectionKind::Note
    } else if under(name, ".bss") || under(name, ".tbss") {
        SectionKind::NoBits
    } else if under(name, ".init_array") {
        SectionKind::InitArray
    } else if under(name, ".fini_array") {
        SectionKind::FiniArray
    } else if under(name, ".preinit_array") {
        SectionKind::PreinitArray
    } else {
        SectionKind::ProgBits
    }
}

impl Assembler<'_> {
    /// `.text`, `.data` and so on.
    pub(super) fn known_section(&mut self, name: &str, cur: &mut Cursor) -> AsmResult<()> {
        let at = cur.pos();
        if !cur.at_end() && self.number(cur)? != 0 {
            return Err(AsmError::rule(at..cur.pos(), "subsections are not supported"));
        }
        end(cur)?;
        let flags = default_flags(name);
        self.enter(&Wanted { name, kind: None, flags, explicit: false, entry_size: 0 }, at..at + 1)
    }

    /// `.section name, "flags", @type, entry size`
    pub(super) fn any_section(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        cur.skip();
        let start = cur.pos();
        let name = section_name(cur)?;
        let mut wanted = Wanted { name, kind: None, flags: default_flags(name), explicit: false, entry_size: 0 };
        if cur.eat(b',') {
            cur.skip();
            let at = cur.pos();
            let flags = section_flags(quoted(cur)?, at)?;
            wanted.flags |= flags;
            wanted.explicit = !flags.is_empty();
            if cur.eat(b',') {
                wanted.kind = Some(self.section_kind(cur)?);
            } else if wanted.flags.contains(SectionFlags::MERGE) {
                return Err(AsmError::expected(cur.pos(), "`,` and the type of the mergeable section"));
            }
            if wanted.flags.contains(SectionFlags::MERGE) {
                comma(cur)?;
                cur.skip();
                let at = cur.pos();
                let size = self.number(cur)?;
                if size <= 0 {
                    return Err(AsmError::rule(at..cur.pos(), "the size of an entry must be positive"));
                }
                wanted.entry_size = size as u64;
            }
        }
        end(cur)?;
        self.enter(&wanted, start..cur.pos().max(start + 1))
    }

    fn section_kind(&self, cur: &mut Cursor) -> AsmResult<SectionKind> {
        let c = cur.peek();
        let at = cur.pos();
        let name = match c {
            b'"' => quoted(cur)?,
            b'@' | b'%' => {
                cur.bump(1);
                if cur.at(0).is_ascii_digit() {
                    let number = self.number(cur)?;
                    return u32::try_from(number)
                        .map(SectionKind::Other)
                        .map_err(|_| AsmError::rule(at..cur.pos(), "a type of a section has 32 bits"));
                }
                cur.ident()
            }
            _ => return Err(AsmError::expected(at, "`@progbits`, `@nobits` or another type")),
        };
        Ok(match name {
            "progbits" => SectionKind::ProgBits,
            "nobits" => SectionKind::NoBits,
            "note" => SectionKind::Note,
            "init_array" => SectionKind::InitArray,
            "fini_array" => SectionKind::FiniArray,
            "preinit_array" => SectionKind::PreinitArray,
            _ => return Err(AsmError::rule(at..cur.pos().max(at + 1), "not a type of a section")),
        })
    }

    fn enter(&mut self, wanted: &Wanted, span: Range<usize>) -> AsmResult<()> {
        let sections = &mut self.layout.sections;
        if let Some(&at) = self.layout.names.get(wanted.name) {
            let old = &sections[at];
            let same_kind = wanted.kind.is_none_or(|kind| kind == old.kind);
            let stated = wanted.explicit || wanted.entry_size > 0 || wanted.kind.is_some();
            let same_flags = !stated || (wanted.flags == old.flags && wanted.entry_size == old.entry_size);
            self.layout.switch(at);
            if !same_kind || !same_flags {
                return Err(AsmError::rule(span, "this section was opened with another type or other flags"));
            }
            return Ok(());
        }
        if sections.len() >= MAX_SECTIONS {
            return Err(AsmError::rule(span, "a file has at most 4096 sections"));
        }
        sections.push(Section {
            name: wanted.name.to_owned(),
            kind: wanted.kind.unwrap_or_else(|| default_kind(wanted.name)),
            flags: wanted.flags,
            align: 1,
            entry_size: wanted.entry_size,
            bytes: Vec::new(),
            relocations: Vec::new(),
        });
        let at = sections.len() - 1;
        self.layout.names.insert(wanted.name.to_owned(), at);
        self.layout.switch(at);
        Ok(())
    }

    /// `.pushsection`
    pub(super) fn push_section(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        if self.layout.stack.len() >= MAX_SECTIONS {
            return Err(AsmError::rule(0..1, "`.pushsection` nests at most 4096 deep"));
        }
        let before = (self.layout.current, self.layout.previous);
        self.any_section(cur)?;
        self.layout.stack.push(before);
        Ok(())
    }

    /// `.popsection`
    pub(super) fn pop_section(&mut self, start: usize) -> AsmResult<()> {
        match self.layout.stack.pop() {
            Some((current, previous)) => {
                (self.layout.current, self.layout.previous) = (current, previous);
                Ok(())
            }
            None => Err(AsmError::rule(start..start + 11, "`.popsection` without `.pushsection`")),
        }
    }

    /// `.previous`
    pub(super) fn previous_section(&mut self, start: usize) -> AsmResult<()> {
        match self.layout.previous {
            Some(section) => {
                self.layout.switch(section);
                Ok(())
            }
            None => Err(AsmError::rule(start..start + 9, "there is no previous section")),
        }
    }
}

/// A name with characters that identifiers lack: up to a comma or white space.
fn section_name<'a>(cur: &mut Cursor<'a>) -> AsmResult<&'a str> {
    let c = cur.peek();
    if c == b'"' {
        return quoted(cur);
    }
    let start = cur.pos();
    let mut n = 0;
    while !matches!(cur.at(n), 0 | b',' | b' ' | b'\t' | b'\r' | b'\n' | b';' | b'"') {
        n += 1;
    }
    let name = cur.slice(start, start + n);
    cur.bump(n);
    if name.is_empty() { Err(AsmError::expected(start, "the name of a section")) } else { Ok(name) }
}

fn section_flags(text: &str, at: usize) -> AsmResult<SectionFlags> {
    use SectionFlags as F;
    let mut flags = F::empty();
    for (i, c) in text.char_indices() {
        flags |= match c {
            'a' => F::ALLOC,
            'w' => F::WRITE,
            'x' => F::EXEC,
            'M' => F::MERGE,
            'S' => F::STRINGS,
            'T' => F::TLS,
            'R' => F::RETAIN,
            'e' => F::EXCLUDE,
            _ => {
                return Err(AsmError::rule(at + 1 + i..at + 2 + i, "not a flag of a section (a, w, x, M, S, T, R, e)"));
            }
        };
    }
    Ok(flags)
}
