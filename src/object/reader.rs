//! Reading code objects: what clang, lld, assemblers and drivers leave in ELF files, of versions 2 to 6.
//!
//! Reading is total: any bytes give a [`CodeObject`] or an [`ObjectError`]. Every offset is checked, and nothing is reserved by a
//! count that the file does not back with bytes. What is wrong in a place that running code does not need (a symbol without a
//! name, a note that is cut short) is left out; what the file's own tables refer to must be there.
//!
//! A linked file may come without section headers: then its executable segments stand in for sections, and its dynamic table
//! leads to the symbols and relocations. Kernels are found by their descriptors (`NAME.kd`), in version 2 by their symbol type; a file
//! without either, as Mesa writes them, has code and symbols only.

use super::descriptor::{self, KernelDescriptor};
use super::elf::{self, Bytes, Ehdr, Phdr, Rela, Shdr, Sym};
use super::error::ObjectError;
use super::metadata::Metadata;
use super::target_id::TargetId;
use crate::asm::module::RelocationKind;
use crate::isa::{Arch, Target};
use std::borrow::Cow;
use std::collections::HashMap;

/// A code object.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeObject<'a> {
    /// The processor and its settings.
    pub id: TargetId,
    /// 3 to 6; 2 is the oldest. For files not made for HSA what their flags look like: 3.
    pub version: u8,
    /// `EI_OSABI`: 64 HSA, 65 PAL, 66 Mesa.
    pub os_abi: u8,
    /// Whether the file is linked: then addresses are those of the loaded image, else offsets in sections.
    pub linked: bool,
    /// `e_flags` as they are.
    pub flags: u32,
    /// The sections of the file in order, without the empty first one.
    pub sections: Vec<Section<'a>>,
    /// What is loaded where, in a linked file.
    pub segments: Vec<Segment<'a>>,
    /// The symbols of the symbol table, or of the dynamic one where there is no other.
    pub symbols: Vec<Symbol>,
    /// The relocations.
    pub relocations: Vec<Relocation>,
    /// The notes.
    pub notes: Vec<Note<'a>>,
    /// The metadata, if there is any that can be read.
    pub metadata: Option<Metadata>,
}

/// A section.
#[derive(Clone, Debug, PartialEq)]
pub struct Section<'a> {
    /// Its name.
    pub name: String,
    /// `sh_type`
    pub kind: u32,
    /// `sh_flags`
    pub flags: u64,
    /// Its address in the loaded image; zero in a file that is not linked.
    pub address: u64,
    /// Its size: for a section without contents in the file larger than `bytes`.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// The size of an entry, in tables.
    pub entry_size: u64,
    /// Its contents.
    pub bytes: &'a [u8],
}

impl Section<'_> {
    /// Whether it holds code.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.flags & elf::SHF_EXEC != 0 && self.flags & elf::SHF_ALLOC != 0
    }
}

/// A part of the loaded image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Its address, relative to where the image is loaded.
    pub address: u64,
    /// Its size; what `bytes` do not fill is zero.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// Whether it may be written.
    pub writable: bool,
    /// Whether it may be executed.
    pub executable: bool,
    /// Its contents.
    pub bytes: &'a [u8],
}

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// Nothing was said.
    NoType,
    /// Data.
    Object,
    /// Code.
    Function,
    /// A section.
    Section,
    /// A source file.
    File,
    /// A kernel with its header, in version 2.
    KernelV2,
    /// Something else: `st_type`.
    Other(u8),
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolPlace {
    /// Somewhere else.
    Undefined,
    /// In a section: index into [`CodeObject::sections`].
    Section(usize),
    /// Nowhere: its value is a number.
    Absolute,
    /// Room that the linker finds; the value is the alignment.
    Common,
    /// Room in the local data share; the value is the alignment.
    Lds,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its address in the loaded image, or its offset in its section.
    pub value: u64,
    /// The size of what it names; 0 where nothing was said.
    pub size: u64,
    /// What it names.
    pub kind: SymbolKind,
    /// Where it is.
    pub place: SymbolPlace,
    /// `st_bind`: 0 local, 1 global, 2 weak.
    pub binding: u8,
    /// Visibility: 0 default, 1 internal, 2 hidden, 3 protected.
    pub visibility: u8,
}

/// A value that a linker or loader fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// The section it is in (index into [`CodeObject::sections`]); in a linked file none: `offset` is an address.
    pub section: Option<usize>,
    /// Where.
    pub offset: u64,
    /// How: `R_AMDGPU_*`.
    pub kind: u32,
    /// The symbol: index into [`CodeObject::symbols`]. None if it has none or (in a linked file with both symbol tables, for
    /// want of a name) none can be found.
    pub symbol: Option<usize>,
    /// The constant part.
    pub addend: i64,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    /// Who defines its type: `AMDGPU`.
    pub vendor: Cow<'a, str>,
    /// Its type.
    pub kind: u32,
    /// Its contents.
    pub desc: &'a [u8],
}

/// A kernel of a code object.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelEntry {
    /// Its name.
    pub name: String,
    /// The descriptor; none in version 2.
    pub descriptor: Option<KernelDescriptor>,
    /// Where the descriptor is (version 2: the kernel's header): section and offset in it.
    pub at: (usize, u64),
    /// Where its first instruction is: section and offset in it. None if it lies outside the file.
    pub entry: Option<(usize, u64)>,
}

impl<'a> CodeObject<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// It is not a code object of a GCN processor, or its tables point outside of it.
    pub fn parse(file: &'a [u8]) -> Result<CodeObject<'a>, ObjectError> {
        let bytes = &Bytes::new(file);
        if file.get(..4) != Some(&elf::IDENT[..4]) {
            return Err(ObjectError::NotElf);
        }
        let ident = bytes.range("header", 0, 16)?;
        if ident[4..7] != elf::IDENT[4..7] {
            let class = u32::from(ident[4]) << 16 | u32::from(ident[5]) << 8 | u32::from(ident[6]);
            return Err(ObjectError::NotAmdGpu { what: "class, byte order and version", value: class });
        }
        let header = Ehdr::read(&bytes.range("header", 0, elf::EHDR as u64)?[16..]);
        if header.machine != elf::EM_AMDGPU {
            return Err(ObjectError::NotAmdGpu { what: "e_machine", value: header.machine.into() });
        }
        if !matches!(header.kind, elf::ET_REL | elf::ET_DYN) {
            return Err(ObjectError::NotAmdGpu { what: "e_type", value: header.kind.into() });
        }
        let (os_abi, abi_version) = (ident[7], ident[8]);
        // Only HSA counts its versions here; PAL and Mesa use the flags of version 3.
        let version = if os_abi == elf::OSABI_HSA { abi_version.saturating_add(2) } else { 3 };
        if version > 6 {
            return Err(ObjectError::Version { version: version.into() });
        }
        let mut object = CodeObject {
            id: target_id(header.flags, version)?,
            version,
            os_abi,
            linked: header.kind == elf::ET_DYN,
            flags: header.flags,
            sections: Vec::new(),
            segments: Vec::new(),
            symbols: Vec::new(),
            relocations: Vec::new(),
            notes: Vec::new(),
            metadata: None,
        };
        let headers = object.read_sections(bytes, &header)?;
        let program = object.read_segments(bytes, &header)?;
        object.read_symbols(bytes, &headers)?;
        object.read_relocations(bytes, &headers)?;
        if headers.is_empty() {
            object.sections_from_segments(bytes, &program)?;
        }
        object.read_notes(bytes, &headers, &program);
        object.metadata = object.notes.iter().find_map(read_metadata);
        Ok(object)
    }

    fn read_sections(&mut self, bytes: &Bytes<'a>, header: &Ehdr) -> Result<Vec<Shdr>, ObjectError> {
        if header.shoff == 0 {
            return Ok(Vec::new());
        }
        let first = Shdr::read(bytes.range("section header", header.shoff, elf::SHDR as u64)?);
        let count = if header.shnum == 0 { first.size } else { header.shnum.into() };
        let table = bytes.table("section headers", header.shoff, count, elf::SHDR)?;
        let headers: Vec<Shdr> = table.map(Shdr::read).collect();
        let names = if header.shstrndx == elf::SHN_XINDEX { first.link } else { header.shstrndx.into() };
        let names = match headers.get(names as usize) {
            Some(names) if names.kind == elf::SHT_STRTAB => bytes.range("section names", names.offset, names.size)?,
            _ => &[],
        };
        for header in headers.iter().skip(1) {
            let in_file = !matches!(header.kind, 0 | elf::SHT_NOBITS);
            self.sections.push(Section {
                name: text(bytes.string(names, header.name)?),
                kind: header.kind,
                flags: header.flags,
                address: header.addr,
                size: header.size,
                align: header.align,
                entry_size: header.entsize,
                bytes: if in_file { bytes.range("section", header.offset, header.size)? } else { &[] },
            });
        }
        Ok(headers)
    }

    fn read_segments(&mut self, bytes: &Bytes<'a>, header: &Ehdr) -> Result<Vec<Phdr>, ObjectError> {
        if header.phoff == 0 || header.phnum == 0 {
            return Ok(Vec::new());
        }
        let table = bytes.table("program headers", header.phoff, header.phnum.into(), elf::PHDR)?;
        let program: Vec<Phdr> = table.map(Phdr::read).collect();
        for segment in program.iter().filter(|p| p.kind == elf::PT_LOAD) {
            self.segments.push(Segment {
                address: segment.vaddr,
                size: segment.memsz,
                align: segment.align,
                writable: segment.flags & 2 != 0,
                executable: segment.flags & 1 != 0,
                bytes: bytes.range("segment", segment.offset, segment.filesz)?,
            });
        }
        Ok(program)
    }

    fn read_symbols(&mut self, bytes: &Bytes<'a>, headers: &[Shdr]) -> Result<(), ObjectError> {
        let of = |kind| headers.iter().find(|h| h.kind == kind);
        let Some(table) = of(elf::SHT_SYMTAB).or_else(|| of(elf::SHT_DYNSYM)) else { return Ok(()) };
        let count = headers.len() as u64;
        let missing = ObjectError::Index { what: "section", index: table.link.into(), count };
        let names = headers.get(table.link as usize).ok_or(missing)?;
        let names = bytes.range("symbol names", names.offset, names.size)?;
        self.push_symbols(bytes, table.offset, table.size / elf::SYM as u64, names, false)
    }

    /// `bare`: section numbers mean nothing.
    fn push_symbols(
        &mut self,
        bytes: &Bytes<'a>,
        at: u64,
        count: u64,
        names: &[u8],
        bare: bool,
    ) -> Result<(), ObjectError> {
        for record in bytes.table("symbols", at, count, elf::SYM)?.skip(1) {
            let symbol = Sym::read(record);
            let sections = self.sections.len() as u64;
            let place = match symbol.shndx {
                0 => SymbolPlace::Undefined,
                elf::SHN_ABS => SymbolPlace::Absolute,
                elf::SHN_COMMON => SymbolPlace::Common,
                elf::SHN_LDS => SymbolPlace::Lds,
                index if u64::from(index) <= sections && !bare => SymbolPlace::Section(usize::from(index) - 1),
                // A file without section headers: found below by address.
                _ if bare => SymbolPlace::Absolute,
                index => return Err(ObjectError::Index { what: "section", index: index.into(), count: sections }),
            };
            self.symbols.push(Symbol {
                name: text(bytes.string(names, symbol.name)?),
                value: symbol.value,
                size: symbol.size,
                kind: match symbol.info & 15 {
                    0 => SymbolKind::NoType,
                    1 => SymbolKind::Object,
                    2 => SymbolKind::Function,
                    elf::STT_SECTION => SymbolKind::Section,
                    elf::STT_FILE => SymbolKind::File,
                    10 => SymbolKind::KernelV2,
                    other => SymbolKind::Other(other),
                },
                place,
                binding: symbol.info >> 4,
                visibility: symbol.other & 3,
            });
        }
        Ok(())
    }

    fn read_relocations(&mut self, bytes: &Bytes<'a>, headers: &[Shdr]) -> Result<(), ObjectError> {
        for table in headers.iter().filter(|h| matches!(h.kind, elf::SHT_RELA | elf::SHT_REL)) {
            let section = match (self.linked, (table.info as usize).checked_sub(1)) {
                (false, Some(at)) if at < self.sections.len() => Some(at),
                (true, _) => None,
                (false, _) => {
                    let count = self.sections.len() as u64;
                    return Err(ObjectError::Index { what: "section", index: table.info.into(), count });
                }
            };
            // Relocations of a linked file count the dynamic symbols.
            let dynamic = headers.get(table.link as usize).filter(|h| self.linked && h.kind == elf::SHT_DYNSYM);
            let numbers = dynamic.map(|symtab| self.dynamic_symbols(bytes, headers, symtab)).transpose()?;
            let size = if table.kind == elf::SHT_RELA { elf::RELA } else { elf::REL };
            for record in bytes.table("relocations", table.offset, table.size / size as u64, size)? {
                // A relocation without addend is a shorter record: the bytes that lack read as zero.
                let rela = Rela::read(record);
                let number = rela.info >> 32;
                let symbol = match &numbers {
                    Some(numbers) => {
                        let count = numbers.len() as u64;
                        let missing = ObjectError::Index { what: "symbol", index: number, count };
                        *numbers.get(number as usize).ok_or(missing)?
                    }
                    None => self.static_symbol(number)?,
                };
                let kind = rela.info as u32;
                self.relocations.push(Relocation { section, offset: rela.offset, kind, symbol, addend: rela.addend });
            }
        }
        Ok(())
    }

    /// For every dynamic symbol the one of the same name among [`CodeObject::symbols`].
    fn dynamic_symbols(
        &self,
        bytes: &Bytes<'a>,
        headers: &[Shdr],
        symtab: &Shdr,
    ) -> Result<Vec<Option<usize>>, ObjectError> {
        let count = headers.len() as u64;
        let missing = ObjectError::Index { what: "section", index: symtab.link.into(), count };
        let names = headers.get(symtab.link as usize).ok_or(missing)?;
        let names = bytes.range("symbol names", names.offset, names.size)?;
        let known: HashMap<&[u8], usize> = self
            .symbols
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, s)| !s.name.is_empty())
            .map(|(at, s)| (s.name.as_bytes(), at))
            .collect();
        let records = bytes.table("symbols", symtab.offset, symtab.size / elf::SYM as u64, elf::SYM)?;
        let name = |record: &[u8]| bytes.string(names, Sym::read(record).name);
        records.map(|record| Ok(known.get(name(record)?).copied())).collect()
    }

    fn static_symbol(&self, number: u64) -> Result<Option<usize>, ObjectError> {
        let count = self.symbols.len() as u64;
        match number.checked_sub(1) {
            None => Ok(None),
            Some(at) if at < count => Ok(Some(at as usize)),
            Some(_) => Err(ObjectError::Index { what: "symbol", index: number, count }),
        }
    }

    /// The executable segments as sections, and the symbols and relocations of the dynamic table.
    fn sections_from_segments(&mut self, bytes: &Bytes<'a>, program: &[Phdr]) -> Result<(), ObjectError> {
        for (at, segment) in self.segments.iter().enumerate() {
            let exec = if segment.executable { elf::SHF_EXEC } else { 0 };
            let write = if segment.writable { elf::SHF_WRITE } else { 0 };
            self.sections.push(Section {
                name: format!("segment{at}"),
                kind: elf::SHT_PROGBITS,
                flags: elf::SHF_ALLOC | exec | write,
                address: segment.address,
                size: segment.size,
                align: segment.align,
                entry_size: 0,
                bytes: segment.bytes,
            });
        }
        let Some(dynamic) = program.iter().find(|p| p.kind == elf::PT_DYNAMIC) else { return Ok(()) };
        let mut entries = [0u64; 16];
        for entry in bytes.table("dynamic table", dynamic.offset, dynamic.filesz / 16, 16)? {
            let mut entry = entry;
            let (tag, value): (u64, u64) = (elf::Int::take(&mut entry), elf::Int::take(&mut entry));
            if let Some(slot) = entries.get_mut(tag as usize) {
                *slot = value;
            }
        }
        // DT_HASH 4 (its second word counts the symbols), DT_STRTAB 5, DT_SYMTAB 6, DT_RELA 7, DT_RELASZ 8, DT_STRSZ 10.
        let at = |address| program.iter().find_map(|p| in_segment(p, address));
        let (Some(hash), Some(names), Some(symbols)) = (at(entries[4]), at(entries[5]), at(entries[6])) else {
            return Ok(());
        };
        let mut count = bytes.range("hash table", hash, 8)?.get(4..).unwrap_or_default();
        let count: u32 = elf::Int::take(&mut count);
        let names = bytes.range("symbol names", names, entries[10])?;
        self.push_symbols(bytes, symbols, count.into(), names, true)?;
        bytes.charge(self.symbols.len().saturating_mul(self.sections.len()) as u64)?;
        for at in 0..self.symbols.len() {
            if self.symbols[at].place != SymbolPlace::Absolute {
                continue;
            }
            if let Some((section, _)) = self.locate(self.symbols[at].value) {
                self.symbols[at].place = SymbolPlace::Section(section);
            }
        }
        if let Some(rela) = at(entries[7]).filter(|_| entries[8] > 0) {
            for record in bytes.table("relocations", rela, entries[8] / elf::RELA as u64, elf::RELA)? {
                let rela = Rela::read(record);
                let symbol = self.static_symbol(rela.info >> 32)?;
                let (offset, kind, addend) = (rela.offset, rela.info as u32, rela.addend);
                self.relocations.push(Relocation { section: None, offset, kind, symbol, addend });
            }
        }
        Ok(())
    }

    /// Notes are for tools: one that is cut short ends the list and is no error.
    fn read_notes(&mut self, bytes: &Bytes<'a>, headers: &[Shdr], program: &[Phdr]) {
        let sections = headers.iter().filter(|h| h.kind == elf::SHT_NOTE).map(|h| (h.offset, h.size));
        let segments = program.iter().filter(|p| p.kind == elf::PT_NOTE).map(|p| (p.offset, p.filesz));
        let places: Vec<_> = if headers.is_empty() { segments.collect() } else { sections.collect() };
        for (offset, size) in places {
            let Ok(mut rest) = bytes.range("notes", offset, size) else { continue };
            if bytes.charge(size).is_err() {
                return;
            }
            while let Some((note, after)) = read_note(rest) {
                self.notes.push(note);
                rest = after;
            }
        }
    }

    /// The processor.
    #[must_use]
    pub fn arch(&self) -> &'static Arch {
        self.id.arch
    }

    /// The processor with the waves that most of the file has: those of its first kernel that says so.
    #[must_use]
    pub fn target(&self) -> Target {
        let target = Target::new(self.id.arch);
        let kernels = self.kernels();
        let descriptor = kernels.iter().find_map(|k| k.descriptor);
        let wave = descriptor.map(|d| if d.wave32() { 32 } else { 64 });
        let from_metadata = || Some(self.metadata.as_ref()?.kernels().first()?.wavefront_size as u32);
        wave.or_else(from_metadata).and_then(|lanes| target.wave(lanes)).unwrap_or(target)
    }

    /// The sections that hold code.
    pub fn code(&self) -> impl Iterator<Item = (usize, &Section<'a>)> {
        self.sections.iter().enumerate().filter(|(_, s)| s.is_executable())
    }

    /// The symbol of a name.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|s| s.name == name)
    }

    /// The section that has an address of a linked file, and the offset in it.
    #[must_use]
    pub fn locate(&self, address: u64) -> Option<(usize, u64)> {
        self.sections.iter().enumerate().filter(|(_, s)| s.flags & elf::SHF_ALLOC != 0).find_map(|(at, s)| {
            let offset = address.checked_sub(s.address)?;
            (offset < s.size).then_some((at, offset))
        })
    }

    /// Where a symbol is: section and offset in it.
    #[must_use]
    pub fn place(&self, symbol: &Symbol) -> Option<(usize, u64)> {
        let SymbolPlace::Section(section) = symbol.place else { return None };
        let base = if self.linked { self.sections.get(section)?.address } else { 0 };
        Some((section, symbol.value.checked_sub(base)?))
    }

    /// The bytes from an offset of a section to its end.
    #[must_use]
    pub fn bytes_at(&self, (section, offset): (usize, u64)) -> Option<&'a [u8]> {
        self.sections.get(section)?.bytes.get(usize::try_from(offset).ok()?..)
    }

    /// The kernels: descriptors in their symbols' order, or the kernel symbols of version 2.
    #[must_use]
    pub fn kernels(&self) -> Vec<KernelEntry> {
        let rel64 = self.relocations.iter().filter(|r| r.kind == RelocationKind::Rel64 as u32);
        let entries = rel64.filter_map(|r| Some(((r.section?, r.offset), r))).collect();
        let by_name = self.symbols.iter().rev().map(|s| (s.name.as_str(), s)).collect();
        let with_descriptor = self.symbols.iter().filter_map(|s| self.kernel(s, &entries, &by_name));
        let v2 = self.symbols.iter().filter(|s| s.kind == SymbolKind::KernelV2);
        with_descriptor.chain(v2.filter_map(|s| self.kernel_v2(s))).collect()
    }

    /// The kernel of a descriptor's symbol. In a file that is not linked the relocation in the descriptor names the entry.
    fn kernel(
        &self,
        symbol: &Symbol,
        entries: &HashMap<(usize, u64), &Relocation>,
        by_name: &HashMap<&str, &Symbol>,
    ) -> Option<KernelEntry> {
        let name = symbol.name.strip_suffix(".kd").filter(|_| symbol.kind == SymbolKind::Object)?;
        let (section, offset) = self.place(symbol)?;
        let bytes = self.bytes_at((section, offset))?.first_chunk::<{ descriptor::SIZE }>()?;
        let descriptor = KernelDescriptor::parse(bytes, self.id.arch);
        let relocated = || {
            let relocation = entries.get(&(section, offset.checked_add(descriptor::ENTRY_OFFSET as u64)?))?;
            let (section, value) = self.place(self.symbols.get(relocation.symbol?)?)?;
            let addend = relocation.addend.checked_sub(descriptor::ENTRY_OFFSET as i64)?;
            Some((section, value.checked_add_signed(addend)?))
        };
        let entry = if self.linked {
            self.locate(symbol.value.wrapping_add_signed(descriptor.entry_offset()))
        } else {
            relocated().or_else(|| self.place(by_name.get(name)?))
        };
        Some(KernelEntry { name: name.to_owned(), descriptor: Some(descriptor), at: (section, offset), entry })
    }

    fn kernel_v2(&self, symbol: &Symbol) -> Option<KernelEntry> {
        let (section, offset) = self.place(symbol)?;
        let mut distance = self.bytes_at((section, offset))?.get(16..24)?;
        let distance: i64 = elf::Int::take(&mut distance);
        let entry = offset.checked_add_signed(distance).filter(|&at| at < self.sections[section].size);
        let entry = entry.map(|at| (section, at));
        Some(KernelEntry { name: symbol.name.clone(), descriptor: None, at: (section, offset), entry })
    }
}

fn target_id(flags: u32, version: u8) -> Result<TargetId, ObjectError> {
    let mach = flags as u8;
    match mach {
        0x01..=0x1f => Err(ObjectError::R600 { mach }),
        0x51..=0x54 | 0x59 | 0x5f => Err(ObjectError::Generic { mach }),
        _ => {
            let arch = Arch::by_elf_mach(mach).ok_or(ObjectError::Machine { mach })?;
            Ok(TargetId::from_elf_flags(arch, flags, version))
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The place in the file of an address that a segment loads.
fn in_segment(segment: &Phdr, address: u64) -> Option<u64> {
    let offset = address.checked_sub(segment.vaddr).filter(|_| segment.kind == elf::PT_LOAD && address != 0)?;
    if offset < segment.filesz { segment.offset.checked_add(offset) } else { None }
}

fn read_note(mut rest: &[u8]) -> Option<(Note<'_>, &[u8])> {
    if rest.len() < 12 {
        return None;
    }
    let vendor: u32 = elf::Int::take(&mut rest);
    let desc: u32 = elf::Int::take(&mut rest);
    let kind: u32 = elf::Int::take(&mut rest);
    let mut cut = |size: u32| {
        let (bytes, after) = rest.split_at_checked(size as usize)?;
        rest = after.get((size as usize).next_multiple_of(4) - size as usize..).unwrap_or_default();
        Some(bytes)
    };
    let vendor = cut(vendor)?;
    let desc = cut(desc)?;
    let vendor = String::from_utf8_lossy(vendor.strip_suffix(b"\0").unwrap_or(vendor));
    Some((Note { vendor, kind, desc }, rest))
}

fn read_metadata(note: &Note<'_>) -> Option<Metadata> {
    match (note.vendor.as_bytes(), note.kind) {
        (elf::NOTE_AMDGPU, elf::NT_AMDGPU_METADATA) => Metadata::from_msgpack(note.desc).ok(),
        (elf::NOTE_AMD, elf::NT_AMD_HSA_METADATA) => Metadata::from_v2(note.desc).ok(),
        _ => None,
    }
}
