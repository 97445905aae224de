//! The numbers and records of ELF64, little-endian, as far as code objects use them.
//!
//! Reading goes through [`Bytes`], which checks every access; the records are read whole and written whole by the same lists of
//! fields, so that reader and writers cannot disagree about a layout.

use super::error::ObjectError;
use std::cell::Cell;

/// `ELFCLASS64`, `ELFDATA2LSB`
pub(super) const IDENT: [u8; 7] = [0x7f, b'E', b'L', b'F', 2, 1, 1];
pub(super) const OSABI_HSA: u8 = 64;
pub(super) const EM_AMDGPU: u16 = 224;
pub(super) const ET_REL: u16 = 1;
pub(super) const ET_DYN: u16 = 3;

pub(super) const PT_LOAD: u32 = 1;
pub(super) const PT_DYNAMIC: u32 = 2;
pub(super) const PT_NOTE: u32 = 4;
pub(super) const PT_PHDR: u32 = 6;

pub(super) const SHT_PROGBITS: u32 = 1;
pub(super) const SHT_SYMTAB: u32 = 2;
pub(super) const SHT_STRTAB: u32 = 3;
pub(super) const SHT_RELA: u32 = 4;
pub(super) const SHT_HASH: u32 = 5;
pub(super) const SHT_DYNAMIC: u32 = 6;
pub(super) const SHT_NOTE: u32 = 7;
pub(super) const SHT_NOBITS: u32 = 8;
pub(super) const SHT_REL: u32 = 9;
pub(super) const SHT_DYNSYM: u32 = 11;
pub(super) const SHT_INIT_ARRAY: u32 = 14;
pub(super) const SHT_FINI_ARRAY: u32 = 15;
pub(super) const SHT_PREINIT_ARRAY: u32 = 16;

pub(super) const SHF_WRITE: u64 = 1;
pub(super) const SHF_ALLOC: u64 = 2;
pub(super) const SHF_EXEC: u64 = 4;
pub(super) const SHF_INFO_LINK: u64 = 0x40;

pub(super) const SHN_LORESERVE: u16 = 0xff00;
pub(super) const SHN_LDS: u16 = 0xff00;
pub(super) const SHN_ABS: u16 = 0xfff1;
pub(super) const SHN_COMMON: u16 = 0xfff2;
pub(super) const SHN_XINDEX: u16 = 0xffff;

pub(super) const STT_SECTION: u8 = 3;
pub(super) const STT_FILE: u8 = 4;

/// The header, sections, symbols, relocations and program headers in bytes.
pub(super) const EHDR: usize = 64;
pub(super) const SHDR: usize = 64;
pub(super) const SYM: usize = 24;
pub(super) const RELA: usize = 24;
pub(super) const REL: usize = 16;
pub(super) const PHDR: usize = 56;

/// The vendor and type of the note which holds the metadata as MessagePack (version 3 on) and as text (version 2).
pub(super) const NOTE_AMDGPU: &[u8] = b"AMDGPU";
pub(super) const NT_AMDGPU_METADATA: u32 = 32;
pub(super) const NOTE_AMD: &[u8] = b"AMD";
pub(super) const NT_AMD_HSA_METADATA: u32 = 10;

/// Bytes of a file, each access checked.
///
/// Tables of a sound file do not overlap. A hostile one may show the same bytes through thousands of tables: so every table
/// that is walked counts, and the sum may not exceed a multiple of the file.
#[derive(Debug)]
pub(super) struct Bytes<'a> {
    file: &'a [u8],
    budget: Cell<u64>,
}

impl<'a> Bytes<'a> {
    pub fn new(file: &'a [u8]) -> Bytes<'a> {
        Bytes { file, budget: Cell::new(16 * file.len() as u64) }
    }

    /// `size` bytes from `offset`.
    pub fn range(&self, what: &'static str, offset: u64, size: u64) -> Result<&'a [u8], ObjectError> {
        let outside = || ObjectError::Outside { what, offset, size, file: self.file.len() as u64 };
        let start = usize::try_from(offset).map_err(|_| outside())?;
        let len = usize::try_from(size).map_err(|_| outside())?;
        let end = start.checked_add(len).ok_or_else(outside)?;
        self.file.get(start..end).ok_or_else(outside)
    }

    /// Counts bytes that are about to be walked.
    pub fn charge(&self, bytes: u64) -> Result<(), ObjectError> {
        let left = self.budget.get().checked_sub(bytes);
        self.budget.set(left.ok_or(ObjectError::TooMany { what: "tables over the same bytes" })?);
        Ok(())
    }

    /// A table of `count` records of `size` bytes.
    pub fn table(
        &self,
        what: &'static str,
        offset: u64,
        count: u64,
        size: usize,
    ) -> Result<std::slice::ChunksExact<'a, u8>, ObjectError> {
        let bytes = self.range(what, offset, count.saturating_mul(size as u64))?;
        self.charge(bytes.len() as u64)?;
        Ok(bytes.chunks_exact(size))
    }

    /// The string at `offset` of a string table; empty if it has no end.
    pub fn string<'t>(&self, table: &'t [u8], offset: u32) -> Result<&'t [u8], ObjectError> {
        let rest = table.get(offset as usize..).unwrap_or_default();
        let end = rest.iter().position(|&b| b == 0);
        self.charge(end.unwrap_or(rest.len()) as u64)?;
        Ok(&rest[..end.unwrap_or(0)])
    }
}

/// A number of a record.
pub(super) trait Int: Sized {
    fn take(bytes: &mut &[u8]) -> Self;
    fn put(self, out: &mut Vec<u8>);
}

macro_rules! ints {
    ($($int:ty),*) => { $(
        impl Int for $int {
            fn take(bytes: &mut &[u8]) -> $int {
                match bytes.split_first_chunk() {
                    Some((chunk, rest)) => {
                        *bytes = rest;
                        <$int>::from_le_bytes(*chunk)
                    }
                    // Records are cut out at their full size: this is never reached.
                    None => 0,
                }
            }
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )* };
}
ints!(u8, u16, u32, u64, i64);

/// A record: its fields in the order of the file.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $int:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct $name { $(pub $field: $int),* }

        impl $name {
            pub fn read(mut bytes: &[u8]) -> $name {
                $name { $($field: Int::take(&mut bytes)),* }
            }
            pub fn put(self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
        }
    };
}

record! {
    /// The header behind the 16 bytes of `e_ident`.
    Ehdr {
        kind: u16, machine: u16, version: u32, entry: u64, phoff: u64, shoff: u64, flags: u32, ehsize: u16,
        phentsize: u16, phnum: u16, shentsize: u16, shnum: u16, shstrndx: u16,
    }
}
record! {
    /// A section.
    Shdr {
        name: u32, kind: u32, flags: u64, addr: u64, offset: u64, size: u64, link: u32, info: u32, align: u64, entsize: u64,
    }
}
record! {
    /// A symbol.
    Sym { name: u32, info: u8, other: u8, shndx: u16, value: u64, size: u64 }
}
record! {
    /// A relocation with its addend.
    Rela { offset: u64, info: u64, addend: i64 }
}
record! {
    /// A segment.
    Phdr { kind: u32, flags: u32, offset: u64, vaddr: u64, paddr: u64, filesz: u64, memsz: u64, align: u64 }
}

/// A string table under construction. A string that ends another one shares its bytes.
#[derive(Debug, Default)]
pub(super) struct Strings<'a>(Vec<&'a str>);

impl<'a> Strings<'a> {
    pub fn add(&mut self, string: &'a str) {
        self.0.push(string);
    }

    /// The table and where each string is: sorted from the back and downwards, a string follows those it ends.
    pub fn finish(mut self) -> (Vec<u8>, std::collections::HashMap<&'a str, u32>) {
        self.0.sort_unstable_by(|a, b| b.bytes().rev().cmp(a.bytes().rev()));
        let (mut table, mut offsets) = (vec![0], std::collections::HashMap::new());
        let mut last = "";
        for string in self.0 {
            let offset = if string.is_empty() {
                0
            } else if last.ends_with(string) {
                table.len() - string.len() - 1
            } else {
                last = string;
                table.extend_from_slice(string.as_bytes());
                table.push(0);
                table.len() - string.len() - 1
            };
            offsets.insert(string, offset as u32);
        }
        (table, offsets)
    }
}

/// Pads with zeroes to a multiple of `align`.
pub(super) fn align(out: &mut Vec<u8>, align: u64) {
    let len = (out.len() as u64).next_multiple_of(align.max(1));
    out.resize(len as usize, 0);
}
