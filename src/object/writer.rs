//! Writing relocatable code objects, byte for byte as LLVM 19 lays them out.
//!
//! The file is: header, section contents in order, symbol table, relocations, one string table for all names, section headers.
//! Local symbols come first, and a section's own symbol (what relocations to local symbols name) stands where the section was
//! entered: before the first local symbol inside it (LLVM puts it there even if that symbol was named earlier, which a module
//! does not show: then the order of local symbols differs, and nothing else). [`Image`] is the module with its kernel descriptors and notes filled in;
//! linking ([`super::link`]) starts from it too.

use super::descriptor::{self, DescriptorBuilder, DescriptorError};
use super::elf::{self, Ehdr, Rela, Shdr, Strings, Sym};
use super::error::ObjectError;
use super::metadata::Metadata;
use super::target_id::TargetId;
use crate::asm::expr::Expr;
use crate::asm::module::{
    Binding, KernelBlock, Location, Module, Relocation, RelocationKind, RelocationTarget, Section, SectionFlags,
    SectionKind, Symbol, SymbolKind, SymbolPlace, Visibility,
};
use std::collections::{HashMap, HashSet};

/// The version of code objects that is written where the source names none.
pub const DEFAULT_VERSION: u8 = 5;

/// The largest alignment of a section: a file is padded to it.
const MAX_ALIGN: u64 = 1 << 20;

/// Writes a module as a relocatable code object.
///
/// # Errors
/// A kernel's directives or the metadata are wrong, or the version or target is not one that can be written.
pub fn write(module: &Module) -> Result<Vec<u8>, ObjectError> {
    Image::new(module)?.relocatable()
}

/// A module as it goes into a file: descriptors and notes are bytes like all others.
pub(super) struct Image {
    pub id: TargetId,
    pub version: u8,
    pub sections: Vec<Section>,
    pub symbols: Vec<Symbol>,
}

impl Image {
    pub fn new(module: &Module) -> Result<Image, ObjectError> {
        let version = module.code_object_version.unwrap_or(DEFAULT_VERSION.into());
        let version =
            u8::try_from(version).ok().filter(|v| (3..=6).contains(v)).ok_or(ObjectError::Version { version })?;
        let mut id = TargetId::new(module.target.arch);
        if let Some(named) = &module.amdgcn_target {
            id = TargetId::parse(named)?;
            if id.arch != module.target.arch {
                return Err(ObjectError::OtherTarget { named: id.arch.name, target: module.target.arch.name });
            }
        }
        for section in &module.sections {
            let align = section.align;
            if !(align.is_power_of_two() && align <= MAX_ALIGN) {
                return Err(ObjectError::Align { section: section.name.clone(), align });
            }
        }
        let mut image = Image { id, version, sections: module.sections.clone(), symbols: module.symbols.clone() };
        image.check()?;
        // Of several symbols of a name it is the first one.
        let mut known: HashMap<String, usize> =
            image.symbols.iter().enumerate().rev().map(|(at, symbol)| (symbol.name.clone(), at)).collect();
        for kernel in &module.kernels {
            image.kernel(module, kernel, &mut known)?;
        }
        let described: HashSet<usize> = module.kernels.iter().map(|kernel| kernel.section).collect();
        for at in described {
            image.sections[at].relocations.sort_by_key(|r| r.offset);
        }
        if let Some(text) = &module.metadata {
            let metadata = Metadata::from_yaml(text)?;
            metadata.verify()?;
            image.note(elf::NOTE_AMDGPU, elf::NT_AMDGPU_METADATA, &metadata.to_msgpack());
        }
        Ok(image)
    }

    /// Every number of a section or symbol must be one.
    fn check(&self) -> Result<(), ObjectError> {
        let (sections, symbols) = (self.sections.len(), self.symbols.len());
        let check = |what, at: usize, count: usize| {
            let missing = ObjectError::Index { what, index: at as u64, count: count as u64 };
            if at < count { Ok(()) } else { Err(missing) }
        };
        for symbol in &self.symbols {
            if let SymbolPlace::Section { section, .. } = symbol.place {
                check("section", section, sections)?;
            }
        }
        for relocation in self.sections.iter().flat_map(|s| &s.relocations) {
            match relocation.symbol {
                RelocationTarget::Symbol(at) => check("symbol", at, symbols)?,
                RelocationTarget::Section(at) => check("section", at, sections)?,
                RelocationTarget::None => {}
            }
        }
        Ok(())
    }

    fn symbol(&mut self, name: String, known: &mut HashMap<String, usize>) -> usize {
        *known.entry(name).or_insert_with_key(|name| {
            self.symbols.push(Symbol {
                name: name.clone(),
                place: SymbolPlace::Undefined,
                size: 0,
                binding: Binding::Global,
                kind: SymbolKind::NoType,
                visibility: Visibility::Default,
                temporary: false,
            });
            self.symbols.len() - 1
        })
    }

    /// Fills in one descriptor. Even in the section of its kernel the distance is left to the linker, as LLVM does.
    fn kernel(
        &mut self,
        module: &Module,
        kernel: &KernelBlock,
        known: &mut HashMap<String, usize>,
    ) -> Result<(), ObjectError> {
        let bytes = self.descriptor(module, kernel)?;
        let entry = self.symbol(kernel.name.clone(), known);
        let kd = self.symbol(format!("{}.kd", kernel.name), known);
        let (binding, visibility) = (self.symbols[entry].binding, self.symbols[entry].visibility);
        if visibility == Visibility::Default {
            self.symbols[entry].visibility = Visibility::Protected;
        }
        let symbol = &mut self.symbols[kd];
        symbol.place = SymbolPlace::Section { section: kernel.section, offset: kernel.offset };
        (symbol.kind, symbol.size) = (SymbolKind::Object, descriptor::SIZE as u64);
        if symbol.binding == Binding::Local {
            symbol.binding = binding;
        }
        if symbol.visibility == Visibility::Default && visibility != Visibility::Protected {
            symbol.visibility = visibility;
        }
        let count = self.sections.len() as u64;
        let no_section = ObjectError::Index { what: "section", index: kernel.section as u64, count };
        let (symbol, addend) = match self.symbols[entry].place {
            SymbolPlace::Section { section, offset } if binding == Binding::Local => {
                (RelocationTarget::Section(section), offset as i64)
            }
            _ => (RelocationTarget::Symbol(entry), 0),
        };
        let section = self.sections.get_mut(kernel.section).ok_or(no_section)?;
        let file = section.bytes.len() as u64;
        let place = (kernel.offset as usize)
            .checked_add(descriptor::SIZE)
            .and_then(|end| section.bytes.get_mut(kernel.offset as usize..end))
            .ok_or(ObjectError::Outside { what: "descriptor", offset: kernel.offset, size: 64, file })?;
        place.copy_from_slice(&bytes);
        section.relocations.push(Relocation {
            offset: kernel.offset + descriptor::ENTRY_OFFSET as u64,
            kind: RelocationKind::Rel64,
            symbol,
            addend: addend.wrapping_add(descriptor::ENTRY_OFFSET as i64),
        });
        Ok(())
    }

    fn descriptor(&self, module: &Module, kernel: &KernelBlock) -> Result<[u8; 64], ObjectError> {
        let wrap = |error: DescriptorError, location: &Location| ObjectError::Kernel {
            kernel: kernel.name.clone(),
            error,
            location: location.clone(),
        };
        let mut builder = DescriptorBuilder::new(&module.target).target_id(self.id);
        for field in &kernel.fields {
            let Expr::Int(value) = field.value else {
                return Err(ObjectError::Unresolved {
                    kernel: kernel.name.clone(),
                    directive: field.directive.clone(),
                    location: field.location.clone(),
                });
            };
            builder.set(&field.directive, value).map_err(|e| wrap(e, &field.location))?;
        }
        builder.finish().map_err(|e| wrap(e, &kernel.location))
    }

    fn note(&mut self, vendor: &[u8], kind: u32, desc: &[u8]) {
        let at = self.sections.iter().position(|s| s.name == ".note").unwrap_or_else(|| {
            self.sections.push(Section {
                name: ".note".to_owned(),
                kind: SectionKind::Note,
                flags: SectionFlags::ALLOC,
                align: 4,
                entry_size: 0,
                bytes: Vec::new(),
                relocations: Vec::new(),
            });
            self.sections.len() - 1
        });
        let out = &mut self.sections[at].bytes;
        elf::align(out, 4);
        for word in [vendor.len() as u32 + 1, desc.len() as u32, kind] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.extend_from_slice(vendor);
        out.push(0);
        elf::align(out, 4);
        out.extend_from_slice(desc);
        elf::align(out, 4);
    }

    fn relocatable(&self) -> Result<Vec<u8>, ObjectError> {
        // Numbers of the sections: .strtab is 1, a section's relocations follow it, .symtab is last.
        let mut numbers = Vec::with_capacity(self.sections.len());
        let mut next: usize = 2;
        for section in &self.sections {
            numbers.push(next);
            next += 1 + usize::from(!section.relocations.is_empty());
        }
        let symtab_number = next;
        if symtab_number >= elf::SHN_LORESERVE.into() {
            return Err(ObjectError::TooMany { what: "sections" });
        }
        let order = self.symbol_order();
        let mut strings = Strings::default();
        let rela_names: Vec<String> = self.sections.iter().map(|s| format!(".rela{}", s.name)).collect();
        strings.add(".strtab");
        strings.add(".symtab");
        for (section, rela) in self.sections.iter().zip(&rela_names) {
            strings.add(if section.relocations.is_empty() { &section.name } else { rela });
            strings.add(&section.name);
        }
        for entry in &order.entries {
            if let Entry::Symbol(at) = entry {
                strings.add(&self.symbols[*at].name);
            }
        }
        let (table, names) = strings.finish();
        let name = |string: &str| names.get(string).copied().unwrap_or(0);

        let mut out = vec![0; elf::EHDR];
        let mut headers = vec![Shdr::default(); symtab_number + 1];
        for ((section, rela), &number) in self.sections.iter().zip(&rela_names).zip(&numbers) {
            elf::align(&mut out, section.align);
            headers[number] = Shdr {
                name: name(&section.name),
                kind: section_type(section.kind),
                flags: section.flags.bits(),
                offset: out.len() as u64,
                size: section.bytes.len() as u64,
                align: section.align,
                entsize: section.entry_size,
                ..Shdr::default()
            };
            if !section.relocations.is_empty() {
                headers[number + 1].name = name(rela);
            }
            if section.kind != SectionKind::NoBits {
                out.extend_from_slice(&section.bytes);
            }
        }

        elf::align(&mut out, 8);
        let start = out.len();
        Sym::default().put(&mut out);
        for entry in &order.entries {
            match *entry {
                Entry::Section(at) => {
                    Sym { info: elf::STT_SECTION, shndx: numbers[at] as u16, ..Sym::default() }.put(&mut out);
                }
                Entry::Symbol(at) => {
                    let symbol = &self.symbols[at];
                    symbol_record(symbol, name(&symbol.name), &numbers)?.put(&mut out);
                }
            }
        }
        headers[symtab_number] = Shdr {
            name: name(".symtab"),
            kind: elf::SHT_SYMTAB,
            offset: start as u64,
            size: (out.len() - start) as u64,
            link: 1,
            info: order.locals as u32 + 1,
            align: 8,
            entsize: elf::SYM as u64,
            ..Shdr::default()
        };

        for (section, &number) in self.sections.iter().zip(&numbers) {
            if section.relocations.is_empty() {
                continue;
            }
            elf::align(&mut out, 8);
            let offset = out.len();
            for relocation in &section.relocations {
                let symbol = order.number(&relocation.symbol)?;
                let info = (symbol as u64) << 32 | u64::from(relocation.kind as u8);
                Rela { offset: relocation.offset, info, addend: relocation.addend }.put(&mut out);
            }
            let group = section.flags & SectionFlags::GROUP;
            headers[number + 1] = Shdr {
                name: headers[number + 1].name,
                kind: elf::SHT_RELA,
                flags: elf::SHF_INFO_LINK | group.bits(),
                offset: offset as u64,
                size: (out.len() - offset) as u64,
                link: symtab_number as u32,
                info: number as u32,
                align: 8,
                entsize: elf::RELA as u64,
                ..Shdr::default()
            };
        }
        headers[1] = Shdr {
            name: name(".strtab"),
            kind: elf::SHT_STRTAB,
            offset: out.len() as u64,
            size: table.len() as u64,
            align: 1,
            ..Shdr::default()
        };
        out.extend_from_slice(&table);
        elf::align(&mut out, 8);
        let header = Ehdr {
            kind: elf::ET_REL,
            shoff: out.len() as u64,
            shentsize: elf::SHDR as u16,
            shnum: headers.len() as u16,
            shstrndx: 1,
            ..self.header()
        };
        for section in headers {
            section.put(&mut out);
        }
        self.put_header(header, &mut out);
        Ok(out)
    }

    /// What the headers of all files have in common.
    pub fn header(&self) -> Ehdr {
        Ehdr {
            machine: elf::EM_AMDGPU,
            version: 1,
            flags: self.id.elf_flags(self.version),
            ehsize: elf::EHDR as u16,
            ..Ehdr::default()
        }
    }

    /// Writes the header over the room left for it.
    pub fn put_header(&self, header: Ehdr, out: &mut [u8]) {
        let mut bytes = elf::IDENT.to_vec();
        bytes.extend_from_slice(&[elf::OSABI_HSA, self.version - 2]);
        bytes.resize(16, 0);
        header.put(&mut bytes);
        out[..elf::EHDR].copy_from_slice(&bytes);
    }

    fn symbol_order(&self) -> Order {
        let mut locals = Vec::new();
        let mut named = vec![false; self.sections.len()];
        for relocation in self.sections.iter().flat_map(|s| &s.relocations) {
            if let RelocationTarget::Section(at) = relocation.symbol
                && let Some(named) = named.get_mut(at)
            {
                *named = true;
            }
        }
        let mut pending: Vec<usize> = (0..named.len()).rev().filter(|&at| named[at]).collect();
        let written = |s: &Symbol| !s.temporary || s.place == SymbolPlace::Undefined;
        for (at, symbol) in self.symbols.iter().enumerate().filter(|(_, s)| s.binding == Binding::Local && written(s)) {
            if let SymbolPlace::Section { section, .. } = symbol.place {
                while let Some(first) = pending.pop_if(|first| *first <= section) {
                    locals.push(Entry::Section(first));
                }
            }
            locals.push(Entry::Symbol(at));
        }
        locals.extend(pending.into_iter().rev().map(Entry::Section));
        let mut order = Order {
            locals: locals.len(),
            entries: locals,
            sections: vec![None; self.sections.len()],
            symbols: vec![None; self.symbols.len()],
        };
        let globals = self.symbols.iter().enumerate().filter(|(_, s)| s.binding != Binding::Local);
        order.entries.extend(globals.map(|(at, _)| Entry::Symbol(at)));
        for (number, entry) in order.entries.iter().enumerate() {
            match *entry {
                Entry::Section(at) => order.sections[at] = Some(number + 1),
                Entry::Symbol(at) => order.symbols[at] = Some(number + 1),
            }
        }
        order
    }
}

enum Entry {
    Section(usize),
    Symbol(usize),
}

/// The symbol table without its empty first entry, and the numbers of sections and symbols in it.
struct Order {
    entries: Vec<Entry>,
    locals: usize,
    sections: Vec<Option<usize>>,
    symbols: Vec<Option<usize>>,
}

impl Order {
    fn number(&self, target: &RelocationTarget) -> Result<usize, ObjectError> {
        let (what, at, numbers) = match *target {
            RelocationTarget::Symbol(at) => ("symbol", at, &self.symbols),
            RelocationTarget::Section(at) => ("section", at, &self.sections),
            RelocationTarget::None => return Ok(0),
        };
        let missing = ObjectError::Index { what, index: at as u64, count: numbers.len() as u64 };
        numbers.get(at).copied().flatten().ok_or(missing)
    }
}

pub(super) fn section_type(kind: SectionKind) -> u32 {
    match kind {
        SectionKind::ProgBits => elf::SHT_PROGBITS,
        SectionKind::NoBits => elf::SHT_NOBITS,
        SectionKind::Note => elf::SHT_NOTE,
        SectionKind::InitArray => elf::SHT_INIT_ARRAY,
        SectionKind::FiniArray => elf::SHT_FINI_ARRAY,
        SectionKind::PreinitArray => elf::SHT_PREINIT_ARRAY,
        SectionKind::Other(number) => number,
    }
}

pub(super) fn symbol_info(symbol: &Symbol) -> (u8, u8) {
    let binding = match symbol.binding {
        Binding::Local => 0,
        Binding::Global => 1,
        Binding::Weak => 2,
    };
    let kind = match symbol.kind {
        SymbolKind::NoType => 0,
        SymbolKind::Object => 1,
        SymbolKind::Function => 2,
        SymbolKind::Common => 5,
        SymbolKind::Tls => 6,
        SymbolKind::IndirectFunction | SymbolKind::AmdgpuHsaKernel => 10,
    };
    let visibility = match symbol.visibility {
        Visibility::Default => 0,
        Visibility::Internal => 1,
        Visibility::Hidden => 2,
        Visibility::Protected => 3,
    };
    (binding << 4 | kind, visibility)
}

fn symbol_record(symbol: &Symbol, name: u32, numbers: &[usize]) -> Result<Sym, ObjectError> {
    let (info, other) = symbol_info(symbol);
    let (shndx, value) = match symbol.place {
        SymbolPlace::Undefined => (0, 0),
        SymbolPlace::Section { section, offset } => {
            let count = numbers.len() as u64;
            let missing = ObjectError::Index { what: "section", index: section as u64, count };
            (*numbers.get(section).ok_or(missing)? as u16, offset)
        }
        SymbolPlace::Absolute(value) => (elf::SHN_ABS, value as u64),
        SymbolPlace::Common { align } => (elf::SHN_COMMON, align),
        SymbolPlace::Lds { align } => (elf::SHN_LDS, align),
    };
    Ok(Sym { name, info, other, shndx, value, size: symbol.size })
}
