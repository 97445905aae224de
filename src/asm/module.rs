//! What assembling a file yields and what an object file is written from: sections, symbols, relocations, kernels.
//!
//! A module is a file before linking. Sections hold final bytes; where a byte depends on a symbol that this file does
//! not place, the bytes are zero and a [`Relocation`] with an addend says what a linker has to put there (RELA).
//!
//! A kernel block (`.amdhsa_kernel`) is kept as written. The source layer reserves the 64 bytes of the descriptor
//! (zero) where the block stands and defines the symbol `NAME.kd` there; the object layer fills them in, with the
//! distance to the entry point: a number if `NAME` lies in the same section, otherwise `R_AMDGPU_REL64`.

use super::expr::Expr;
use crate::isa::Target;
use std::ops::Range;

/// One assembled file.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// What it was assembled for.
    pub target: Target,
    /// The sections, in the order of their first appearance. `.text` is always the first one.
    pub sections: Vec<Section>,
    /// The symbols, in the order of their first appearance, without local labels (`1:`).
    pub symbols: Vec<Symbol>,
    /// The kernel descriptors.
    pub kernels: Vec<KernelBlock>,
    /// What `.amdgpu_metadata` holds, verbatim, without the two directives.
    pub metadata: Option<String>,
    /// The operand of `.amdgcn_target`: `amdgcn-amd-amdhsa--gfx1100`.
    pub amdgcn_target: Option<String>,
    /// The operand of `.amdhsa_code_object_version`.
    pub code_object_version: Option<u32>,
}

/// A piece of the file that is loaded (or not) as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// `.text`.
    pub name: String,
    /// What its bytes are.
    pub kind: SectionKind,
    /// What may be done with it.
    pub flags: SectionFlags,
    /// Alignment in bytes: a power of two.
    pub align: u64,
    /// Bytes of one entry, in sections of equal entries (`"aM"`); otherwise 0.
    pub entry_size: u64,
    /// The contents; zeroes in a section of kind [`SectionKind::NoBits`].
    pub bytes: Vec<u8>,
    /// What a linker has to fill in, by rising offset.
    pub relocations: Vec<Relocation>,
}

/// What the bytes of a section are: `sh_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// `@progbits`
    ProgBits,
    /// `@nobits`: only the size is in the file.
    NoBits,
    /// `@note`
    Note,
    /// `@init_array`
    InitArray,
    /// `@fini_array`
    FiniArray,
    /// `@preinit_array`
    PreinitArray,
    /// A number, as written.
    Other(u32),
}

bitflags::bitflags! {
    /// What may be done with a section: `sh_flags`, with the bits of the ELF format.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
    pub struct SectionFlags: u64 {
        /// `w`
        const WRITE = 0x1;
        /// `a`: takes memory at run time.
        const ALLOC = 0x2;
        /// `x`
        const EXEC = 0x4;
        /// `M`: equal entries may be merged.
        const MERGE = 0x10;
        /// `S`: the entries are strings which end in zero.
        const STRINGS = 0x20;
        /// `o`: ordered with another section.
        const LINK_ORDER = 0x80;
        /// `G`: a member of a group.
        const GROUP = 0x200;
        /// `T`: thread-local.
        const TLS = 0x400;
        /// `R`: kept by the linker.
        const RETAIN = 0x20_0000;
        /// `e`: left out of the linked file.
        const EXCLUDE = 0x8000_0000;
    }
}

/// One symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: SymbolPlace,
    /// `.size`; 0 where nothing was said.
    pub size: u64,
    /// Who sees it.
    pub binding: Binding,
    /// What it names.
    pub kind: SymbolKind,
    /// Who may bind to it.
    pub visibility: Visibility,
    /// A name which is not written to an object file: it begins with `.L`.
    pub temporary: bool,
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolPlace {
    /// Somewhere else.
    Undefined,
    /// At an offset in a section.
    Section {
        /// Index into [`Module::sections`].
        section: usize,
        /// Bytes from its start.
        offset: u64,
    },
    /// A number.
    Absolute(i64),
    /// `.comm`: room that the linker finds.
    Common {
        /// Its alignment.
        align: u64,
    },
    /// `.amdgpu_lds`: room in the local data share.
    Lds {
        /// Its alignment.
        align: u64,
    },
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Binding {
    /// This file.
    #[default]
    Local,
    /// All files.
    Global,
    /// All files, and another definition may win.
    Weak,
}

/// What a symbol names: `st_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SymbolKind {
    /// Nothing was said.
    #[default]
    NoType,
    /// `@function`
    Function,
    /// `@object`
    Object,
    /// `@tls_object`
    Tls,
    /// `@common`
    Common,
    /// `@gnu_indirect_function`
    IndirectFunction,
    /// `.amdgpu_hsa_kernel`: `STT_AMDGPU_HSA_KERNEL`.
    AmdgpuHsaKernel,
}

/// Who may bind to a symbol: `st_other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// Everybody.
    #[default]
    Default,
    /// `.internal`
    Internal,
    /// `.hidden`
    Hidden,
    /// `.protected`
    Protected,
}

/// A value that a linker has to fill in.
#[derive(Clone, Debug, PartialEq)]
pub struct Relocation {
    /// Where, in bytes from the start of the section.
    pub offset: u64,
    /// How.
    pub kind: RelocationKind,
    /// The value of what is added to `addend`.
    pub symbol: RelocationTarget,
    /// The constant part.
    pub addend: i64,
}

/// What a relocation refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RelocationTarget {
    /// A symbol, by index into [`Module::symbols`].
    Symbol(usize),
    /// The start of a section, by index into [`Module::sections`]: how symbols that no other file sees are named.
    Section(usize),
    /// Nothing: the value is the addend.
    None,
}

/// How a relocation is computed: the numbers are those of `R_AMDGPU_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names and formulas are those of LLVM's AMDGPU usage guide")]
pub enum RelocationKind {
    None = 0,
    Abs32Lo = 1,
    Abs32Hi = 2,
    Abs64 = 3,
    Rel32 = 4,
    Rel64 = 5,
    Abs32 = 6,
    GotPcRel = 7,
    GotPcRel32Lo = 8,
    GotPcRel32Hi = 9,
    Rel32Lo = 10,
    Rel32Hi = 11,
    Relative64 = 13,
    Rel16 = 14,
}

/// `.amdhsa_kernel NAME` to `.end_amdhsa_kernel`.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelBlock {
    /// The kernel.
    pub name: String,
    /// The directives inside, in order.
    pub fields: Vec<KernelField>,
    /// The section of the descriptor: index into [`Module::sections`].
    pub section: usize,
    /// Where the 64 bytes of the descriptor are.
    pub offset: u64,
    /// Where the block stands.
    pub location: Location,
}

/// One directive of a kernel block.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelField {
    /// `.amdhsa_next_free_vgpr`
    pub directive: String,
    /// Its operand. A number (`Expr::Int`) wherever all symbols were known at the end of the file.
    pub value: Expr,
    /// Where the directive stands.
    pub location: Location,
}

/// A place in a source file, for errors found after parsing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// The bytes of the line that are meant.
    pub span: Range<usize>,
}

impl Module {
    /// The section of a name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|s| s.name == name)
    }

    /// The symbol of a name.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|s| s.name == name)
    }
}
