//! A file that is not linked, as a module that the linker of [`crate::object::link`] takes.
//!
//! Only what takes memory at run time is kept. Symbols keep their numbers, so that relocations can be carried over as they are;
//! the symbols of sections, which have no names, become local ones at the beginning of their section.

use super::LaunchError;
use crate::asm::module::{self, Binding, Module, RelocationKind, RelocationTarget, SectionFlags, Visibility};
use crate::object::reader::{CodeObject, Section, SymbolKind, SymbolPlace};

/// The most memory that the sections may take: linking keeps several copies.
const MAX_SECTIONS: u64 = 1 << 26;

const NOBITS: u32 = 8;
const NOTE: u32 = 7;

/// The kinds of relocations by number.
#[rustfmt::skip]
const KINDS: &[RelocationKind] = &[
    RelocationKind::None, RelocationKind::Abs32Lo, RelocationKind::Abs32Hi, RelocationKind::Abs64, RelocationKind::Rel32,
    RelocationKind::Rel64, RelocationKind::Abs32, RelocationKind::GotPcRel, RelocationKind::GotPcRel32Lo,
    RelocationKind::GotPcRel32Hi, RelocationKind::Rel32Lo, RelocationKind::Rel32Hi, RelocationKind::Relative64,
    RelocationKind::Rel16,
];

/// The module of a file.
pub(super) fn module(object: &CodeObject<'_>) -> Result<Module, LaunchError> {
    // Where the sections that are kept are among the new ones.
    let mut kept = vec![None; object.sections.len()];
    let mut sections = Vec::new();
    let mut total = 0u64;
    for (at, section) in object.sections.iter().enumerate() {
        if section.flags & SectionFlags::ALLOC.bits() == 0 {
            continue;
        }
        total = total.saturating_add(section.size.max(section.bytes.len() as u64));
        if total > MAX_SECTIONS {
            return Err(LaunchError::TooLarge {
                what: "the code object".to_owned(),
                bytes: total,
                limit: MAX_SECTIONS,
            });
        }
        kept[at] = Some(sections.len());
        sections.push(self::section(section));
    }
    for relocation in &object.relocations {
        let Some(at) = relocation.section.and_then(|section| kept[section]) else { continue };
        let kind = KINDS.iter().copied().find(|&kind| kind as u32 == relocation.kind);
        let (number, offset) = (relocation.kind, relocation.offset);
        let kind = kind.ok_or(LaunchError::Relocation { kind: number, offset })?;
        let symbol = relocation.symbol.map_or(RelocationTarget::None, RelocationTarget::Symbol);
        sections[at].relocations.push(module::Relocation { offset, kind, symbol, addend: relocation.addend });
    }
    let symbols = object.symbols.iter().map(|symbol| module::Symbol {
        name: symbol.name.clone(),
        place: match symbol.place {
            SymbolPlace::Section(at) => match kept.get(at).copied().flatten() {
                Some(section) => module::SymbolPlace::Section { section, offset: symbol.value },
                None => module::SymbolPlace::Undefined,
            },
            SymbolPlace::Undefined => module::SymbolPlace::Undefined,
            SymbolPlace::Absolute => module::SymbolPlace::Absolute(symbol.value as i64),
            SymbolPlace::Common => module::SymbolPlace::Common { align: symbol.value },
            SymbolPlace::Lds => module::SymbolPlace::Lds { align: symbol.value },
        },
        size: symbol.size,
        binding: match symbol.binding {
            0 => Binding::Local,
            2 => Binding::Weak,
            _ => Binding::Global,
        },
        kind: match symbol.kind {
            SymbolKind::Object => module::SymbolKind::Object,
            SymbolKind::Function => module::SymbolKind::Function,
            SymbolKind::KernelV2 => module::SymbolKind::AmdgpuHsaKernel,
            _ => module::SymbolKind::NoType,
        },
        visibility: match symbol.visibility {
            1 => Visibility::Internal,
            2 => Visibility::Hidden,
            3 => Visibility::Protected,
            _ => Visibility::Default,
        },
        temporary: symbol.name.is_empty(),
    });
    Ok(Module {
        target: object.target(),
        symbols: symbols.collect(),
        sections,
        kernels: Vec::new(),
        metadata: None,
        amdgcn_target: None,
        // The linker writes 3 and later; how kernels are found does not depend on it.
        code_object_version: Some(object.version.max(3).into()),
    })
}

fn section(section: &Section<'_>) -> module::Section {
    let bytes = if section.kind == NOBITS { vec![0; section.size as usize] } else { section.bytes.to_vec() };
    module::Section {
        name: section.name.clone(),
        kind: match section.kind {
            NOBITS => module::SectionKind::NoBits,
            NOTE => module::SectionKind::Note,
            _ => module::SectionKind::ProgBits,
        },
        flags: SectionFlags::from_bits_truncate(section.flags),
        align: section.align.max(1),
        entry_size: section.entry_size,
        bytes,
        relocations: Vec::new(),
    }
}
