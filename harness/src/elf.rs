//! A code object as assembly: everything that the assembler needs to make it again.

use anyhow::{Result, bail};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use wavediff::disasm::listing::{Listing, Source};
use wavediff::isa::{Arch, Features, Target};
use wavediff::object::CodeObject;
use wavediff::object::reader::{KernelEntry, Relocation, Section, Symbol, SymbolKind, SymbolPlace};

/// `sh_type` of a section with contents.
const PROGBITS: u32 = 1;
/// `sh_flags`: takes memory at run time.
const ALLOC: u64 = 2;
/// `EI_OSABI` of HSA.
const HSA: u8 = 64;

/// The target of a file: its own processor, and the waves of its kernels.
pub fn target(object: &CodeObject<'_>, kernels: &[KernelEntry], arch: Option<&'static Arch>) -> Result<Target> {
    let own = object.id.arch;
    if let Some(arch) = arch.filter(|a| *a != own) {
        bail!("the file is for {}, not for {}; leave out --arch", own.name, arch.name);
    }
    let mut target = Target::new(own);
    if own.has_wave32() {
        let waves = kernels
            .iter()
            .filter_map(|k| k.descriptor)
            .fold(Features::empty(), |set, d| set | if d.wave32() { Features::WAVE32 } else { Features::WAVE64 });
        if !waves.is_empty() {
            target.features = waves;
        }
    }
    Ok(target)
}

/// A code object being printed.
pub struct Printer<'a> {
    object: &'a CodeObject<'a>,
    target: Target,
    /// Symbols that have a line: a name is defined once.
    defined: HashSet<&'a str>,
    /// Sections that relocations refer to.
    referred: HashSet<usize>,
    /// What lies in each section.
    inside: Vec<Inside<'a>>,
    /// The names of kernels that have a descriptor.
    described: HashSet<&'a str>,
    labels: usize,
    out: Vec<u8>,
}

/// What lies in a section, in the order of the file.
#[derive(Clone, Default)]
struct Inside<'a> {
    symbols: Vec<(u64, &'a Symbol)>,
    relocations: Vec<&'a Relocation>,
    kernels: Vec<&'a KernelEntry>,
    /// Where the code of kernels begins.
    entries: Vec<(u64, &'a KernelEntry)>,
}

/// Everything that lies in a section, section by section: files may have many of both.
fn inside<'a>(object: &'a CodeObject<'a>, kernels: &'a [KernelEntry]) -> Vec<Inside<'a>> {
    let mut all = vec![Inside::default(); object.sections.len()];
    for symbol in &object.symbols {
        if let Some((at, offset)) = object.place(symbol)
            && let Some(inside) = all.get_mut(at)
        {
            inside.symbols.push((offset, symbol));
        }
    }
    for relocation in &object.relocations {
        if let Some(inside) = relocation.section.and_then(|at| all.get_mut(at)) {
            inside.relocations.push(relocation);
        }
    }
    for kernel in kernels {
        if let Some(inside) = all.get_mut(kernel.at.0).filter(|_| kernel.descriptor.is_some()) {
            inside.kernels.push(kernel);
        }
        if let Some((at, offset)) = kernel.entry
            && let Some(inside) = all.get_mut(at)
        {
            inside.entries.push((offset, kernel));
        }
    }
    all
}

/// Lines in front of what lies at an offset.
type Lines = BTreeMap<u64, String>;

impl<'a> Printer<'a> {
    /// Nothing is printed yet.
    pub fn new(object: &'a CodeObject<'a>, kernels: &'a [KernelEntry], target: Target) -> Printer<'a> {
        let referred = object.relocations.iter().filter_map(|r| {
            let symbol = object.symbols.get(r.symbol?)?;
            match symbol.place {
                SymbolPlace::Section(at) if symbol.kind == SymbolKind::Section => Some(at),
                _ => None,
            }
        });
        let referred = referred.collect();
        let described = kernels.iter().filter(|k| k.descriptor.is_some()).map(|k| k.name.as_str()).collect();
        let inside = inside(object, kernels);
        Printer { object, target, defined: HashSet::new(), referred, inside, described, labels: 0, out: Vec::new() }
    }

    /// The whole file.
    pub fn print(mut self) -> Vec<u8> {
        let mut head = String::new();
        if self.object.os_abi == HSA {
            let _ = writeln!(head, "\t.amdgcn_target \"amdgcn-amd-amdhsa--{}\"", self.object.id);
            if (4..=6).contains(&self.object.version) {
                let _ = writeln!(head, "\t.amdhsa_code_object_version {}", self.object.version);
            }
        }
        for symbol in &self.object.symbols {
            self.symbol_without_section(symbol, &mut head);
        }
        self.out.extend_from_slice(head.as_bytes());
        for (at, section) in self.object.sections.iter().enumerate() {
            if section.is_executable() {
                self.code(at, section);
            } else if section.flags & ALLOC != 0 && section.kind == PROGBITS {
                self.data(at, section);
            }
        }
        if let Some(metadata) = self.object.metadata.as_ref() {
            if metadata.is_v2() {
                self.text("// metadata of version 2 is not printed\n");
            } else {
                let yaml = metadata.to_yaml();
                self.text("\t.amdgpu_metadata\n");
                self.text(&yaml);
                self.text("\t.end_amdgpu_metadata\n");
            }
        }
        self.out
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn symbol_without_section(&mut self, symbol: &'a Symbol, head: &mut String) {
        if symbol.name.is_empty() || symbol.kind == SymbolKind::File {
            return;
        }
        let name = quoted(&symbol.name);
        match symbol.place {
            SymbolPlace::Undefined if symbol.binding == 2 => {
                let _ = writeln!(head, "\t.weak {name}");
            }
            SymbolPlace::Absolute if self.defined.insert(&symbol.name) => {
                head.push_str(&binding(symbol));
                let _ = writeln!(head, "\t.set {name}, {:#x}", symbol.value);
            }
            SymbolPlace::Common if self.defined.insert(&symbol.name) => {
                let _ = writeln!(head, "\t.comm {name},{},{}", symbol.size, symbol.value);
            }
            SymbolPlace::Lds if self.defined.insert(&symbol.name) => {
                head.push_str(&binding(symbol));
                let _ = writeln!(head, "\t.amdgpu_lds {name}, {}, {}", symbol.size, symbol.value);
            }
            _ => {}
        }
    }

    /// The directive that opens a section, and the label that relocations need.
    fn open(&mut self, at: usize, section: &Section<'_>) {
        let flags: String =
            [(2, 'a'), (1, 'w'), (4, 'x')].iter().filter(|f| section.flags & f.0 != 0).map(|f| f.1).collect();
        let line = match section.name.as_str() {
            ".text" => "\n\t.text\n".to_owned(),
            name => format!("\n\t.section {},\"{flags}\",@progbits\n", quoted(name)),
        };
        self.text(&line);
        if section.align > 1 && section.align.is_power_of_two() {
            let line = format!("\t.p2align {}\n", section.align.trailing_zeros());
            self.text(&line);
        }
        if self.referred.contains(&at) {
            let line = format!("{}:\n", section_label(at));
            self.text(&line);
        }
    }

    /// The labels of the symbols of a section.
    fn symbols(&mut self, at: usize, size: u64) -> Lines {
        let mut lines = Lines::new();
        for &(offset, symbol) in self.inside[at].symbols.iter().filter(|(offset, _)| *offset <= size) {
            let of_kernel = symbol.name.strip_suffix(".kd").is_some_and(|name| self.described.contains(name));
            let unnamed = symbol.name.is_empty() || matches!(symbol.kind, SymbolKind::Section | SymbolKind::File);
            if unnamed || of_kernel || !self.defined.insert(&symbol.name) {
                continue;
            }
            let name = quoted(&symbol.name);
            let kind = match symbol.kind {
                SymbolKind::Function => format!("\t.type {name},@function\n"),
                SymbolKind::Object => format!("\t.type {name},@object\n"),
                _ => String::new(),
            };
            let size = if symbol.size > 0 { format!("\t.size {name}, {}\n", symbol.size) } else { String::new() };
            let lines = lines.entry(offset).or_default();
            let _ = writeln!(lines, "{}{kind}{size}{name}:", binding(symbol));
        }
        for &(offset, kernel) in &self.inside[at].entries {
            if self.defined.insert(&kernel.name) {
                let _ = writeln!(lines.entry(offset).or_default(), "{}:", quoted(&kernel.name));
            }
        }
        lines
    }

    fn code(&mut self, at: usize, section: &Section<'_>) {
        self.open(at, section);
        let before: Vec<(u64, String)> = self.symbols(at, section.size).into_iter().collect();
        let relocations = self.inside[at].relocations.iter();
        let mut values: Vec<_> = relocations.filter_map(|r| Some((r.offset, self.expression(r)?))).collect();
        values.sort();
        let source = Source {
            bytes: section.bytes,
            address: section.address,
            before: &before,
            values: &values,
            first_label: self.labels,
        };
        let listing = Listing::new(self.target, &source);
        self.labels += listing.labels();
        listing.print(&mut self.out);
    }

    fn data(&mut self, at: usize, section: &Section<'_>) {
        self.open(at, section);
        let mut marks = self.symbols(at, section.size);
        let kernels: BTreeMap<u64, &KernelEntry> = self.inside[at].kernels.iter().map(|k| (k.at.1, *k)).collect();
        let relocations: BTreeMap<u64, &Relocation> =
            self.inside[at].relocations.iter().map(|r| (r.offset, *r)).collect();
        let mut offset = 0u64;
        let size = section.bytes.len() as u64;
        let mut text = String::new();
        loop {
            for (_, lines) in
                std::iter::from_fn(|| marks.first_entry().filter(|e| *e.key() <= offset).map(|e| e.remove_entry()))
            {
                text.push_str(&lines);
            }
            if offset >= size {
                break;
            }
            if let Some(kernel) = kernels.get(&offset) {
                self.kernel(kernel, &mut text);
                offset += 64;
                continue;
            }
            // A line of bytes ends where something else begins.
            let next = |keys: Option<u64>| keys.unwrap_or(size);
            let end = (offset + 16)
                .min(size)
                .min(next(marks.keys().next().copied()))
                .min(next(kernels.range(offset + 1..).next().map(|k| *k.0)))
                .min(next(relocations.range(offset + 1..).next().map(|k| *k.0)));
            let wide = relocations.get(&offset).and_then(|r| Some((width(r.kind)?, self.plain(r)?)));
            if let Some((bytes, value)) = wide.filter(|(w, _)| offset + w <= size) {
                let _ = writeln!(text, "\t{} {value}", if bytes == 8 { ".quad" } else { ".long" });
                offset += bytes;
                continue;
            }
            let bytes = &section.bytes[offset as usize..end as usize];
            let list: Vec<String> = bytes.iter().map(|b| format!("{b:#04x}")).collect();
            let _ = writeln!(text, "\t.byte {}", list.join(", "));
            offset = end;
        }
        self.text(&text);
    }

    fn kernel(&self, kernel: &KernelEntry, text: &mut String) {
        let Some(descriptor) = kernel.descriptor else { return };
        let _ = writeln!(text, "\t.amdhsa_kernel {}", quoted(&kernel.name));
        for (name, value) in descriptor.directives(self.object.id.xnack.on_or_any()) {
            let _ = writeln!(text, "\t\t.amdhsa_{name} {value}");
        }
        text.push_str("\t.end_amdhsa_kernel\n");
    }

    /// What a relocation refers to, without how.
    fn plain(&self, relocation: &Relocation) -> Option<String> {
        let symbol = self.object.symbols.get(relocation.symbol?)?;
        let name = match symbol.place {
            SymbolPlace::Section(at) if symbol.kind == SymbolKind::Section => section_label(at),
            _ if symbol.name.is_empty() => return None,
            _ => quoted(&symbol.name),
        };
        Some(format!("{name}{}", addend(relocation.addend)))
    }

    /// What a relocation of code refers to, as the assembler reads it.
    fn expression(&self, relocation: &Relocation) -> Option<String> {
        let how = match relocation.kind {
            1 => "@abs32@lo",
            2 => "@abs32@hi",
            8 => "@gotpcrel32@lo",
            9 => "@gotpcrel32@hi",
            10 => "@rel32@lo",
            11 => "@rel32@hi",
            14 => "",
            _ => return None,
        };
        let symbol = self.plain(&Relocation { addend: 0, ..relocation.clone() })?;
        Some(format!("{symbol}{how}{}", addend(relocation.addend)))
    }
}

fn addend(value: i64) -> String {
    if value == 0 { String::new() } else { format!("{value:+}") }
}

/// Bytes of a relocated value in data that a directive can make.
fn width(kind: u32) -> Option<u64> {
    match kind {
        3 => Some(8),
        6 => Some(4),
        _ => None,
    }
}

fn section_label(at: usize) -> String {
    format!(".Lsection{at}")
}

/// Who sees a symbol.
fn binding(symbol: &Symbol) -> String {
    let name = quoted(&symbol.name);
    let mut text = match symbol.binding {
        1 => format!("\t.globl {name}\n"),
        2 => format!("\t.weak {name}\n"),
        _ => String::new(),
    };
    if let Some(visibility) =
        [None, Some("internal"), Some("hidden"), Some("protected")][usize::from(symbol.visibility & 3)]
    {
        let _ = writeln!(text, "\t.{visibility} {name}");
    }
    text
}

/// A name as it can stand in a source: between quotes, if it is no identifier.
fn quoted(name: &str) -> String {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
        && name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    if plain { name.to_owned() } else { format!("\"{}\"", name.escape_default()) }
}
