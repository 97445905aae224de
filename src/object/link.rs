//! Linking one module by itself into a file that a loader accepts (`ET_DYN`).
//!
//! What is read, executed and written lies in one segment each, on pages of its own, so that addresses run ahead of file
//! offsets by whole pages. The layout within follows lld: notes, dynamic symbols, hash table and read-only data; code; written data,
//! the table of addresses (`.got`), the dynamic table, zeroes. The whole symbol table follows for tools.
//!
//! Symbols of the file bind to themselves. Distances are filled in here; 64-bit addresses become dynamic relocations; a part of
//! an address (`@abs32@lo`) cannot be linked, for code objects are loaded anywhere. Common symbols and variables in LDS get
//! no room: who needs them needs a real linker.

use super::elf::{self, Ehdr, Phdr, Rela, Shdr, Strings, Sym};
use super::error::ObjectError;
use super::writer::{Image, section_type, symbol_info};
use crate::asm::module::{
    Binding, Module, Relocation, RelocationKind as Kind, RelocationTarget, SectionFlags, SectionKind, SymbolPlace,
    Visibility,
};
use std::collections::HashMap;

const PAGE: u64 = 0x1000;

/// Links a module into a shared object, as `ld.lld -shared` would.
///
/// # Errors
/// As [`super::writer::write`]; and a symbol is missing, too far away, or needs an address that nobody can fill in.
pub fn write_shared(module: &Module) -> Result<Vec<u8>, ObjectError> {
    Linker::new(&Image::new(module)?)?.link()
}

/// A section of the linked file.
struct Out {
    header: Shdr,
    name: String,
    bytes: Vec<u8>,
    /// The module's section it comes from.
    from: Option<usize>,
}

struct Linker<'a> {
    image: &'a Image,
    outs: Vec<Out>,
    /// Where the module's sections are among `outs`.
    placed: Vec<Option<usize>>,
    /// The symbols of the dynamic table: indices into the image's symbols, rising.
    exports: Vec<usize>,
    /// What has an entry in `.got`, and which one.
    got: Vec<RelocationTarget>,
    slots: HashMap<RelocationTarget, usize>,
    dynamic: Vec<Rela>,
}

impl<'a> Linker<'a> {
    fn new(image: &'a Image) -> Result<Linker<'a>, ObjectError> {
        let exported = |at: &usize| {
            let symbol = &image.symbols[*at];
            let visible = matches!(symbol.visibility, Visibility::Default | Visibility::Protected);
            symbol.binding != Binding::Local && visible && !matches!(symbol.place, SymbolPlace::Lds { .. })
        };
        let exports = (0..image.symbols.len()).filter(exported).collect();
        let mut linker = Linker {
            image,
            outs: Vec::new(),
            placed: vec![None; image.sections.len()],
            exports,
            got: Vec::new(),
            slots: HashMap::new(),
            dynamic: Vec::new(),
        };
        for relocation in image.sections.iter().flat_map(|s| &s.relocations) {
            if is_got(relocation.kind) && !linker.slots.contains_key(&relocation.symbol) {
                linker.slots.insert(relocation.symbol.clone(), linker.got.len());
                linker.got.push(relocation.symbol.clone());
            }
        }
        Ok(linker)
    }

    fn name(&self, target: &RelocationTarget) -> String {
        match *target {
            RelocationTarget::Symbol(at) => self.image.symbols.get(at).map(|s| s.name.clone()),
            RelocationTarget::Section(at) => self.image.sections.get(at).map(|s| s.name.clone()),
            RelocationTarget::None => None,
        }
        .unwrap_or_default()
    }

    fn add(&mut self, name: &str, kind: u32, flags: u64, align: u64, entsize: u64, bytes: Vec<u8>) -> usize {
        let header = Shdr { kind, flags, align, entsize, size: bytes.len() as u64, ..Shdr::default() };
        self.outs.push(Out { header, name: name.to_owned(), bytes, from: None });
        self.outs.len() - 1
    }

    fn add_sections(&mut self, want: impl Fn(SectionFlags, SectionKind) -> bool) {
        for (at, section) in self.image.sections.iter().enumerate() {
            if !section.flags.contains(SectionFlags::ALLOC) || !want(section.flags, section.kind) {
                continue;
            }
            let flags = section.flags.bits() & (elf::SHF_ALLOC | elf::SHF_WRITE | elf::SHF_EXEC);
            let (kind, size) = (section_type(section.kind), section.bytes.len() as u64);
            let out =
                self.add(&section.name, kind, flags, section.align.max(1), section.entry_size, section.bytes.clone());
            self.outs[out].header.size = size;
            self.outs[out].from = Some(at);
            self.placed[at] = Some(out);
        }
    }

    fn link(mut self) -> Result<Vec<u8>, ObjectError> {
        use SectionFlags as F;
        // Dynamic relocations are counted before addresses are known: their room comes first.
        let relocations = self.count_dynamic();
        let mut names = Strings::default();
        self.exports.iter().for_each(|&at| names.add(&self.image.symbols[at].name));
        let (dynstr, offsets) = names.finish();
        let (hash, dynsym_size) = (self.hash(), (self.exports.len() + 1) * elf::SYM);

        let notes = |flags: F, kind| kind == SectionKind::Note && !flags.intersects(F::WRITE | F::EXEC);
        self.add_sections(notes);
        let dynsym = self.add(".dynsym", elf::SHT_DYNSYM, elf::SHF_ALLOC, 8, elf::SYM as u64, vec![0; dynsym_size]);
        let hash = self.add(".hash", elf::SHT_HASH, elf::SHF_ALLOC, 4, 4, hash);
        let dynstr = self.add(".dynstr", elf::SHT_STRTAB, elf::SHF_ALLOC, 1, 0, dynstr);
        let rela = vec![0; relocations * elf::RELA];
        let rela =
            (relocations > 0).then(|| self.add(".rela.dyn", elf::SHT_RELA, elf::SHF_ALLOC, 8, elf::RELA as u64, rela));
        self.add_sections(|flags, kind| !flags.intersects(F::WRITE | F::EXEC) && kind != SectionKind::Note);
        self.add_sections(|flags, _| flags.contains(F::EXEC));
        self.add_sections(|flags, kind| {
            flags.contains(F::WRITE) && !flags.contains(F::EXEC) && kind != SectionKind::NoBits
        });
        let written = elf::SHF_ALLOC | elf::SHF_WRITE;
        let got = vec![0; self.got.len() * 8];
        let got = (!got.is_empty()).then(|| self.add(".got", elf::SHT_PROGBITS, written, 8, 0, got));
        let entries = if rela.is_some() { 9 } else { 6 };
        let table = self.add(".dynamic", elf::SHT_DYNAMIC, written, 8, 16, vec![0; entries * 16]);
        self.add_sections(|flags, kind| {
            flags.contains(F::WRITE) && !flags.contains(F::EXEC) && kind == SectionKind::NoBits
        });
        for (at, link) in [(dynsym, dynstr), (hash, dynsym), (table, dynstr)] {
            self.outs[at].header.link = link as u32 + 1;
        }
        self.outs[dynsym].header.info = 1;
        if let Some(rela) = rela {
            self.outs[rela].header.link = dynsym as u32 + 1;
        }

        let program = self.place(table);
        self.outs[dynsym].bytes = self.symbol_table(&self.exports, |name| offsets.get(name).copied());
        self.relocate(got)?;
        if let Some(rela) = rela {
            let mut bytes = Vec::new();
            self.dynamic.iter().for_each(|r| r.put(&mut bytes));
            self.outs[rela].bytes = bytes;
        }
        let address = |at: usize| self.outs[at].header.addr;
        let mut values = vec![(6, address(dynsym)), (11, elf::SYM as u64)];
        if let Some(rela) = rela {
            values.extend([(7, address(rela)), (8, self.outs[rela].header.size), (9, elf::RELA as u64)]);
        }
        values.extend([(5, address(dynstr)), (10, self.outs[dynstr].header.size), (4, address(hash)), (0, 0)]);
        self.outs[table].bytes =
            values.iter().flat_map(|&(tag, value): &(u64, u64)| [tag, value]).flat_map(u64::to_le_bytes).collect();
        self.finish(&program)
    }

    /// Gives every section its address and place in the file; the program headers.
    fn place(&mut self, table: usize) -> Vec<Phdr> {
        let access = |flags: u64| flags & (elf::SHF_WRITE | elf::SHF_EXEC);
        let mut groups = 1;
        let mut last = 0;
        for out in &self.outs {
            groups += usize::from(access(out.header.flags) != last);
            last = access(out.header.flags);
        }
        // Header table, loads, dynamic table, and the notes where there are any.
        let note = self.outs.iter().position(|o| o.header.kind == elf::SHT_NOTE);
        let headers = elf::PHDR * (groups + 2 + usize::from(note.is_some()));
        let start = (elf::EHDR + headers) as u64;
        let table_size = headers as u64;
        let phdr = |kind, flags, offset, vaddr, filesz, memsz, align| Phdr {
            kind,
            flags,
            offset,
            vaddr,
            paddr: vaddr,
            filesz,
            memsz,
            align,
        };
        let mut program = vec![phdr(elf::PT_PHDR, 4, 64, 64, table_size, table_size, 8)];
        let mut load = phdr(elf::PT_LOAD, 4, 0, 0, start, start, PAGE);
        let (mut offset, mut address, mut last) = (start, start, 0);
        for out in &mut self.outs {
            let header = &mut out.header;
            let align = header.align.max(1);
            if access(header.flags) != last {
                last = access(header.flags);
                program.push(load);
                offset = offset.next_multiple_of(align);
                // The next page that is free, and the same place in it as in the file.
                address = (address.next_multiple_of(PAGE) + offset % PAGE).next_multiple_of(align);
                offset += address.wrapping_sub(offset) % PAGE;
                let flags =
                    4 | if last & elf::SHF_EXEC != 0 { 1 } else { 0 } | if last & elf::SHF_WRITE != 0 { 2 } else { 0 };
                load = phdr(elf::PT_LOAD, flags, offset, address, 0, 0, PAGE);
            }
            address = address.next_multiple_of(align);
            if header.kind != elf::SHT_NOBITS {
                offset = load.offset + (address - load.vaddr);
                load.filesz = offset + header.size - load.offset;
            }
            (header.offset, header.addr) = (offset, address);
            load.memsz = address + header.size - load.vaddr;
            address += header.size;
            offset += if header.kind == elf::SHT_NOBITS { 0 } else { header.size };
        }
        program.push(load);
        let of = |kind, flags, at: usize| {
            let header = &self.outs[at].header;
            phdr(kind, flags, header.offset, header.addr, header.size, header.size, header.align)
        };
        program.push(of(elf::PT_DYNAMIC, 6, table));
        program.extend(note.map(|note| of(elf::PT_NOTE, 4, note)));
        program
    }

    /// The address of what a relocation names; none where the file has it not.
    fn address(&self, target: &RelocationTarget) -> Option<u64> {
        let section = |at: usize| Some(self.outs[(*self.placed.get(at)?)?].header.addr);
        match *target {
            RelocationTarget::None => Some(0),
            RelocationTarget::Section(at) => section(at),
            RelocationTarget::Symbol(at) => match self.image.symbols.get(at)?.place {
                SymbolPlace::Section { section: at, offset } => Some(section(at)?.wrapping_add(offset)),
                SymbolPlace::Absolute(value) => Some(value as u64),
                _ => None,
            },
        }
    }

    /// Whether the value does not move with the file.
    fn is_absolute(&self, target: &RelocationTarget) -> bool {
        match *target {
            RelocationTarget::None => true,
            RelocationTarget::Section(_) => false,
            RelocationTarget::Symbol(at) => {
                self.image.symbols.get(at).is_some_and(|s| matches!(s.place, SymbolPlace::Absolute(_)))
            }
        }
    }

    fn count_dynamic(&self) -> usize {
        let loaded = self.image.sections.iter().filter(|s| s.flags.contains(SectionFlags::ALLOC));
        let addresses = loaded.flat_map(|s| &s.relocations).filter(|r| r.kind == Kind::Abs64).map(|r| &r.symbol);
        addresses.chain(&self.got).filter(|target| !self.is_absolute(target)).count()
    }

    /// A 64-bit address: a number if it does not move, else left to the loader. `place` is where it goes.
    fn dynamic_address(&mut self, target: &RelocationTarget, addend: i64, place: u64) -> Result<u64, ObjectError> {
        let undefined = || ObjectError::Undefined { symbol: self.name(target) };
        match self.address(target) {
            Some(value) => {
                let value = value.wrapping_add_signed(addend);
                if !self.is_absolute(target) {
                    let info = Kind::Relative64 as u64;
                    self.dynamic.push(Rela { offset: place, info, addend: value as i64 });
                    return Ok(0);
                }
                Ok(value)
            }
            None => {
                let RelocationTarget::Symbol(at) = target else { return Err(undefined()) };
                let number = self.exports.binary_search(at).map_err(|_| undefined())? as u64 + 1;
                self.dynamic.push(Rela { offset: place, info: number << 32 | Kind::Abs64 as u64, addend });
                Ok(0)
            }
        }
    }

    fn relocate(&mut self, got: Option<usize>) -> Result<(), ObjectError> {
        if let Some(got) = got {
            for (slot, target) in self.got.clone().iter().enumerate() {
                let place = self.outs[got].header.addr + 8 * slot as u64;
                let value = self.dynamic_address(target, 0, place)?;
                self.outs[got].bytes[8 * slot..8 * slot + 8].copy_from_slice(&value.to_le_bytes());
            }
        }
        for out in 0..self.outs.len() {
            let Some(from) = self.outs[out].from else { continue };
            for relocation in &self.image.sections[from].relocations {
                let place = self.outs[out].header.addr.wrapping_add(relocation.offset);
                let (value, size) = self.value(relocation, place, got)?;
                let bytes = &mut self.outs[out].bytes;
                let file = bytes.len() as u64;
                let outside =
                    ObjectError::Outside { what: "relocation", offset: relocation.offset, size: size as u64, file };
                let start = usize::try_from(relocation.offset).unwrap_or(usize::MAX);
                let field = bytes.get_mut(start..start.saturating_add(size)).ok_or(outside)?;
                field.copy_from_slice(&value.to_le_bytes()[..size]);
            }
        }
        Ok(())
    }

    /// What a relocation puts in its place, and in how many bytes.
    fn value(&mut self, relocation: &Relocation, place: u64, got: Option<usize>) -> Result<(u64, usize), ObjectError> {
        let target = &relocation.symbol;
        let symbol = || self.name(target);
        if relocation.kind == Kind::Abs64 {
            return Ok((self.dynamic_address(target, relocation.addend, place)?, 8));
        }
        let base = match got.filter(|_| is_got(relocation.kind)) {
            Some(got) => {
                let slot = self.slots.get(target).copied().unwrap_or(0);
                self.outs[got].header.addr + 8 * slot as u64
            }
            None => self.address(target).ok_or_else(|| ObjectError::Undefined { symbol: symbol() })?,
        };
        let value = base.wrapping_add_signed(relocation.addend);
        let distance = value.wrapping_sub(place);
        let fits = |value: u64| {
            let signed = value as i64;
            let overflow = || ObjectError::Overflow { symbol: symbol(), value: signed };
            i32::try_from(signed).map(|_| value).map_err(|_| overflow())
        };
        Ok(match relocation.kind {
            Kind::None => (0, 0),
            Kind::Abs32Lo | Kind::Abs32Hi | Kind::Abs32 | Kind::Abs64 if !self.is_absolute(target) => {
                return Err(ObjectError::Absolute { symbol: symbol() });
            }
            Kind::Abs32Lo | Kind::Abs32 => (value, 4),
            Kind::Abs32Hi => (value >> 32, 4),
            Kind::Abs64 | Kind::Relative64 => (value, 8),
            Kind::Rel32 | Kind::GotPcRel => (fits(distance)?, 4),
            Kind::Rel32Lo | Kind::GotPcRel32Lo => (distance, 4),
            Kind::Rel32Hi | Kind::GotPcRel32Hi => (distance >> 32, 4),
            Kind::Rel64 => (distance, 8),
            Kind::Rel16 => {
                let words = (distance as i64).wrapping_sub(4) / 4;
                let overflow = || ObjectError::Overflow { symbol: symbol(), value: words };
                (i64::from(i16::try_from(words).map_err(|_| overflow())?) as u64, 2)
            }
        })
    }

    fn symbol_table(&self, symbols: &[usize], name: impl Fn(&str) -> Option<u32>) -> Vec<u8> {
        let mut bytes = Vec::new();
        Sym::default().put(&mut bytes);
        for &at in symbols {
            let symbol = &self.image.symbols[at];
            let (info, other) = symbol_info(symbol);
            let shndx = match symbol.place {
                SymbolPlace::Section { section, .. } => {
                    self.placed.get(section).copied().flatten().map_or(0, |out| out as u16 + 1)
                }
                SymbolPlace::Absolute(_) => elf::SHN_ABS,
                _ => 0,
            };
            let value = self.address(&RelocationTarget::Symbol(at)).unwrap_or(0);
            Sym { name: name(&symbol.name).unwrap_or(0), info, other, shndx, value, size: symbol.size }.put(&mut bytes);
        }
        bytes
    }

    /// A System V hash table with as many buckets as symbols.
    fn hash(&self) -> Vec<u8> {
        let count = self.exports.len() as u32 + 1;
        let mut buckets = vec![0u32; count as usize];
        let mut chains = vec![0u32; count as usize];
        for (at, &export) in self.exports.iter().enumerate() {
            let hash = self.image.symbols[export].name.bytes().fold(0u32, |hash, byte| {
                let hash = (hash << 4).wrapping_add(byte.into());
                (hash ^ (hash >> 24 & 0xf0)) & 0x0fff_ffff
            });
            let bucket = (hash % count) as usize;
            chains[at + 1] = std::mem::replace(&mut buckets[bucket], at as u32 + 1);
        }
        [count, count].iter().chain(&buckets).chain(&chains).flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The file: what is loaded, then the whole symbol table, names and section headers.
    fn finish(mut self, program: &[Phdr]) -> Result<Vec<u8>, ObjectError> {
        let written = |at: &usize| {
            let symbol = &self.image.symbols[*at];
            !symbol.temporary && !matches!(symbol.place, SymbolPlace::Lds { .. } | SymbolPlace::Common { .. })
        };
        let mut symbols: Vec<usize> = (0..self.image.symbols.len()).filter(written).collect();
        symbols.sort_by_key(|&at| self.image.symbols[at].binding != Binding::Local);
        let locals = symbols.iter().filter(|&&at| self.image.symbols[at].binding == Binding::Local).count();
        let image = self.image;
        let names: Vec<String> = self.outs.iter().map(|o| o.name.clone()).collect();
        let mut strings = Strings::default();
        symbols.iter().for_each(|&at| strings.add(&image.symbols[at].name));
        names.iter().for_each(|name| strings.add(name));
        strings.add(".symtab");
        strings.add(".strtab");
        let (table, offsets) = strings.finish();
        let name = |name: &str| offsets.get(name).copied().unwrap_or(0);
        let bytes = self.symbol_table(&symbols, |symbol| offsets.get(symbol).copied());
        let symtab = self.add(".symtab", elf::SHT_SYMTAB, 0, 8, elf::SYM as u64, bytes);
        let strtab = self.add(".strtab", elf::SHT_STRTAB, 0, 1, 0, table);
        self.outs[symtab].header.link = strtab as u32 + 1;
        self.outs[symtab].header.info = locals as u32 + 1;
        if strtab + 2 >= elf::SHN_LORESERVE.into() {
            return Err(ObjectError::TooMany { what: "sections" });
        }

        let mut out = vec![0; elf::EHDR];
        program.iter().for_each(|p| p.put(&mut out));
        for section in &mut self.outs {
            section.header.name = name(&section.name);
            if section.header.kind == elf::SHT_NOBITS {
                continue;
            }
            if section.header.flags & elf::SHF_ALLOC != 0 {
                out.resize(section.header.offset as usize, 0);
            } else {
                elf::align(&mut out, section.header.align);
                section.header.offset = out.len() as u64;
            }
            out.extend_from_slice(&section.bytes);
        }
        elf::align(&mut out, 8);
        let header = Ehdr {
            kind: elf::ET_DYN,
            phoff: elf::EHDR as u64,
            phentsize: elf::PHDR as u16,
            phnum: program.len() as u16,
            shoff: out.len() as u64,
            shentsize: elf::SHDR as u16,
            shnum: self.outs.len() as u16 + 1,
            shstrndx: strtab as u16 + 1,
            ..self.image.header()
        };
        Shdr::default().put(&mut out);
        self.outs.iter().for_each(|section| section.header.put(&mut out));
        self.image.put_header(header, &mut out);
        Ok(out)
    }
}

fn is_got(kind: Kind) -> bool {
    matches!(kind, Kind::GotPcRel | Kind::GotPcRel32Lo | Kind::GotPcRel32Hi)
}
