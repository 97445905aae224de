//! Loading: the segments of a code object in guest memory, with every address filled in.
//!
//! A linked file says where its segments lie relative to each other; they are moved as a whole to the base address. A file that
//! is not linked is linked by itself first. Behind code there are [`CODE_PADDING`] readable bytes, because instruction fetch runs ahead;
//! [`Loaded::executable`] leaves them out, so that running into them can be told from running code.

use super::kernel::{self, Kernel};
use super::{LaunchError, Mapping, linkable, options};
use crate::asm::module::RelocationKind;
use crate::isa::{Arch, Target};
use crate::object::link;
use crate::object::reader::{CodeObject, Relocation, Segment, Symbol, SymbolPlace};
use crate::object::target_id::TargetId;
use std::ops::Range;

/// The most memory that a code object may take.
pub const MAX_IMAGE: u64 = 1 << 28;

/// How much can be read behind code.
pub const CODE_PADDING: u64 = 256;

const PAGE: u64 = 0x1000;

/// A code object in guest memory.
#[derive(Clone, Debug)]
pub struct Loaded {
    id: TargetId,
    version: u8,
    os_abi: u8,
    base: u64,
    mappings: Vec<Mapping>,
    executable: Vec<Range<u64>>,
    kernels: Vec<Kernel>,
    labels: Vec<(String, u64)>,
}

impl Loaded {
    /// Loads a code object of any version, linked or not, at the default address.
    ///
    /// # Errors
    /// It is not a code object, needs what it does not define, or takes more than [`MAX_IMAGE`].
    pub fn load(file: &[u8]) -> Result<Loaded, LaunchError> {
        Loaded::load_at(file, options::CODE_BASE)
    }

    /// Loads a code object at an address: a multiple of 4096.
    ///
    /// # Errors
    /// As [`Loaded::load`]; and it does not fit there.
    pub fn load_at(file: &[u8], base: u64) -> Result<Loaded, LaunchError> {
        let object = CodeObject::parse(file)?;
        if object.linked {
            return Loaded::linked(&object, &object, base);
        }
        let linked = link::write_shared(&linkable::module(&object)?)?;
        Loaded::linked(&object, &CodeObject::parse(&linked)?, base)
    }

    /// Bare machine code of one kernel, of which the first bytes are executed; behind it there is padding to read.
    pub(super) fn of_code(arch: &'static Arch, base: u64, code: &[u8], executed: u32, kernel: Kernel) -> Loaded {
        let mut bytes = code.to_vec();
        bytes.resize(bytes.len() + CODE_PADDING as usize, 0);
        let mapping = Mapping { name: "code".to_owned(), base, bytes, writable: false };
        Loaded {
            id: TargetId::new(arch),
            version: 0,
            os_abi: 0,
            base,
            mappings: vec![mapping],
            executable: std::iter::once(base..base + u64::from(executed)).collect(),
            kernels: vec![kernel],
            labels: Vec::new(),
        }
    }

    /// `original` has the version, settings and metadata, `linked` the rest.
    fn linked(original: &CodeObject<'_>, linked: &CodeObject<'_>, base: u64) -> Result<Loaded, LaunchError> {
        let (mut mappings, executable) = map_segments(&linked.segments, base)?;
        for relocation in linked.relocations.iter().filter(|r| r.section.is_none()) {
            relocate(linked, relocation, base, &mut mappings)?;
        }
        let kernels = kernel::kernels(original, linked, base);
        let CodeObject { id, version, os_abi, .. } = *original;
        let labels = labels(original, linked, &kernels, base);
        Ok(Loaded { id, version, os_abi, base, mappings, executable, kernels, labels })
    }

    /// The processor with its settings.
    #[must_use]
    pub fn id(&self) -> TargetId {
        self.id
    }

    /// The processor.
    #[must_use]
    pub fn arch(&self) -> &'static Arch {
        self.id.arch
    }

    /// The processor with the waves of a kernel.
    #[must_use]
    pub fn target(&self, kernel: &Kernel) -> Target {
        let target = Target::new(self.id.arch);
        target.wave(kernel.wave_size).unwrap_or(target)
    }

    /// The version of the code object: 2 to 6.
    #[must_use]
    pub fn version(&self) -> u8 {
        self.version
    }

    /// `EI_OSABI`: 64 HSA, 65 PAL, 66 Mesa.
    #[must_use]
    pub fn os_abi(&self) -> u8 {
        self.os_abi
    }

    /// The address that it was loaded at.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The memory it takes, by rising address.
    #[must_use]
    pub fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// Where its code is, without the padding.
    #[must_use]
    pub fn executable(&self) -> &[Range<u64>] {
        &self.executable
    }

    /// What its symbols call places in the code: names and guest addresses.
    #[must_use]
    pub fn labels(&self) -> &[(String, u64)] {
        &self.labels
    }

    /// Its kernels, in the order of the file.
    #[must_use]
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The kernel of a name.
    ///
    /// # Errors
    /// There is none; the error names those that there are.
    pub fn kernel(&self, name: &str) -> Result<&Kernel, LaunchError> {
        self.kernels.iter().find(|k| k.name == name).ok_or_else(|| LaunchError::NoKernel {
            name: name.to_owned(),
            known: self.kernels.iter().map(|k| k.name.clone()).collect(),
        })
    }
}

/// The symbols in code. A file that is not linked has more of them than what is linked of it; a kernel that both know says where its section went.
fn labels(original: &CodeObject<'_>, linked: &CodeObject<'_>, kernels: &[Kernel], base: u64) -> Vec<(String, u64)> {
    let named = |object: &CodeObject<'_>, moved: &dyn Fn(usize, u64) -> Option<u64>| -> Vec<(String, u64)> {
        let place = |symbol: &Symbol| match symbol.place {
            SymbolPlace::Section(section) if !symbol.name.is_empty() => {
                Some((symbol.name.clone(), moved(section, symbol.value)?))
            }
            _ => None,
        };
        object.symbols.iter().filter_map(place).collect()
    };
    if original.linked {
        return named(linked, &|_, value| Some(base.wrapping_add(value)));
    }
    let anchor = kernels.iter().find_map(|kernel| {
        let symbol = original.symbols.iter().find(|symbol| symbol.name == kernel.name)?;
        match symbol.place {
            SymbolPlace::Section(section) => Some((section, kernel.entry.wrapping_sub(symbol.value))),
            _ => None,
        }
    });
    named(original, &|section, value| {
        anchor.filter(|(at, _)| *at == section).map(|(_, start)| start.wrapping_add(value))
    })
}

/// The segments as memory, by rising address, and where code is.
fn map_segments(segments: &[Segment<'_>], base: u64) -> Result<(Vec<Mapping>, Vec<Range<u64>>), LaunchError> {
    let mut segments: Vec<_> = segments.iter().filter(|s| s.size > 0 || !s.bytes.is_empty()).collect();
    segments.sort_by_key(|s| s.address);
    let too_large = |bytes| LaunchError::TooLarge { what: "the code object".to_owned(), bytes, limit: MAX_IMAGE };
    let span = segments.iter().map(|s| s.address.saturating_add(s.size)).max().unwrap_or(0);
    if span > MAX_IMAGE {
        return Err(too_large(span));
    }
    let top = base.checked_add(span + CODE_PADDING).filter(|&top| top <= 1 << 47 && base.is_multiple_of(PAGE));
    top.ok_or(LaunchError::Base { base, bytes: span })?;
    let (mut mappings, mut executable) = (Vec::new(), Vec::new());
    for (at, segment) in segments.iter().enumerate() {
        let (address, file, memory) = (segment.address, segment.bytes.len() as u64, segment.size);
        if file > memory {
            return Err(LaunchError::Segment { address, file, memory });
        }
        let end = address + memory;
        let room = segments.get(at + 1).map_or(CODE_PADDING, |next| next.address.saturating_sub(end));
        let name = if segment.executable { "code" } else { "data" };
        if let Some(next) = segments.get(at + 1).filter(|next| next.address < end) {
            let first = format!("a segment with {name}");
            let address = base + next.address;
            return Err(LaunchError::Overlap { first, second: "another segment".to_owned(), address });
        }
        let padding = if segment.executable { CODE_PADDING.min(room) } else { 0 };
        // Zeroes first: the system gives them without work, however large the segment claims to be.
        let mut bytes = vec![0; (memory + padding) as usize];
        bytes[..segment.bytes.len()].copy_from_slice(segment.bytes);
        if segment.executable {
            executable.push(base + address..base + end);
        }
        mappings.push(Mapping { name: name.to_owned(), base: base + address, bytes, writable: segment.writable });
    }
    Ok((mappings, executable))
}

/// Fills in an address that the linker has left to the loader.
fn relocate(
    object: &CodeObject<'_>,
    relocation: &Relocation,
    base: u64,
    mappings: &mut [Mapping],
) -> Result<(), LaunchError> {
    const NONE: u32 = RelocationKind::None as u32;
    const ABS32_LO: u32 = RelocationKind::Abs32Lo as u32;
    const ABS32_HI: u32 = RelocationKind::Abs32Hi as u32;
    const ABS64: u32 = RelocationKind::Abs64 as u32;
    const RELATIVE64: u32 = RelocationKind::Relative64 as u32;
    let (kind, offset) = (relocation.kind, relocation.offset);
    let start = match kind {
        RELATIVE64 => base,
        ABS32_LO | ABS32_HI | ABS64 => symbol(object, relocation, base)?,
        NONE => return Ok(()),
        _ => return Err(LaunchError::Relocation { kind, offset }),
    };
    let value = start.wrapping_add_signed(relocation.addend);
    let bytes = match kind {
        ABS32_HI => ((value >> 32) as u32).to_le_bytes().to_vec(),
        ABS32_LO => (value as u32).to_le_bytes().to_vec(),
        _ => value.to_le_bytes().to_vec(),
    };
    let outside = || LaunchError::RelocationPlace { kind, offset };
    let address = base.checked_add(offset).ok_or_else(outside)?;
    let at = mappings.partition_point(|m| m.base <= address).checked_sub(1).ok_or_else(outside)?;
    let mapping = &mut mappings[at];
    let at = usize::try_from(address - mapping.base).map_err(|_| outside())?;
    let end = at.checked_add(bytes.len()).ok_or_else(outside)?;
    mapping.bytes.get_mut(at..end).ok_or_else(outside)?.copy_from_slice(&bytes);
    Ok(())
}

/// The address that a relocation's symbol has in guest memory.
fn symbol(object: &CodeObject<'_>, relocation: &Relocation, base: u64) -> Result<u64, LaunchError> {
    let undefined = |name: &str| {
        let symbol = if name.is_empty() { "a symbol without a name" } else { name }.to_owned();
        Err(LaunchError::Undefined { symbol })
    };
    let Some(symbol) = relocation.symbol.and_then(|at| object.symbols.get(at)) else { return undefined("") };
    match symbol.place {
        SymbolPlace::Section(_) => Ok(base.wrapping_add(symbol.value)),
        SymbolPlace::Absolute => Ok(symbol.value),
        // A weak symbol may be missing: its address is null.
        SymbolPlace::Undefined if symbol.binding == 2 => Ok(0),
        _ => undefined(&symbol.name),
    }
}
