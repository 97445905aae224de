//! Kernels as a launch sees them, from descriptors of every version, and the order of their user SGPRs.
//!
//! The 256 bytes of version 2 hold what the 64 bytes of later versions hold, in the same bits but in other places: they are
//! rewritten, so that everything behind this file knows one form. The one thing that later versions cannot say is
//! [`Kernel::group_counts`].

use crate::isa::{Arch, Gen};
use crate::object::descriptor::{self, KernelDescriptor};
use crate::object::metadata;
use crate::object::reader::{CodeObject, KernelEntry};
use std::collections::{HashMap, HashSet};

/// A kernel of a loaded code object.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The guest address of its descriptor: the kernel object of the dispatch packet.
    pub object: u64,
    /// The guest address of its first instruction.
    pub entry: u64,
    /// Its descriptor; for version 2 what it would be today.
    pub descriptor: KernelDescriptor,
    /// Whether it wants the number of groups in x, y, z in user SGPRs (version 2 only).
    pub group_counts: [bool; 3],
    /// Lanes in a wave.
    pub wave_size: u32,
    /// Whether scratch may be needed beyond what is declared.
    pub dynamic_stack: bool,
    /// What the metadata says, if there is any.
    pub metadata: Option<metadata::Kernel>,
}

/// What the command processor puts into user SGPRs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserContent {
    /// The V# of scratch memory.
    PrivateSegmentBuffer,
    /// The address of the dispatch packet.
    DispatchPtr,
    /// The address of the queue.
    QueuePtr,
    /// The address of the arguments.
    KernargPtr,
    /// The number of the dispatch.
    DispatchId,
    /// Where scratch memory is.
    FlatScratchInit,
    /// Words of the arguments.
    KernargPreload,
    /// Scratch bytes of a lane.
    PrivateSegmentSize,
}

/// User SGPRs: their content, how many (for [`UserContent::KernargPreload`] each unit is one), and the field of the descriptor that
/// asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserRow(pub UserContent, pub u32, pub &'static str);

/// User SGPRs in the order in which they are packed from s0. The numbers of groups of version 2 follow.
#[rustfmt::skip]
pub static USER_SGPRS: &[UserRow] = &[
    UserRow(UserContent::PrivateSegmentBuffer, 4, "user_sgpr_private_segment_buffer"),
    UserRow(UserContent::DispatchPtr,          2, "user_sgpr_dispatch_ptr"),
    UserRow(UserContent::QueuePtr,             2, "user_sgpr_queue_ptr"),
    UserRow(UserContent::KernargPtr,           2, "user_sgpr_kernarg_segment_ptr"),
    UserRow(UserContent::DispatchId,           2, "user_sgpr_dispatch_id"),
    UserRow(UserContent::FlatScratchInit,      2, "user_sgpr_flat_scratch_init"),
    UserRow(UserContent::KernargPreload,       1, "user_sgpr_kernarg_preload_length"),
    UserRow(UserContent::PrivateSegmentSize,   1, "user_sgpr_private_segment_size"),
];

impl Kernel {
    /// The processor.
    #[must_use]
    pub fn arch(&self) -> &'static Arch {
        self.descriptor.arch()
    }

    /// Whether waves have 32 lanes.
    #[must_use]
    pub fn wave32(&self) -> bool {
        self.wave_size == 32
    }

    /// The first user SGPR of everything that the descriptor asks for, and how many there are.
    #[must_use]
    pub fn user_sgprs(&self) -> Vec<(UserContent, u32, u32)> {
        let mut first = 0;
        let mut layout = Vec::new();
        for &UserRow(content, each, field) in USER_SGPRS {
            let count = each * self.descriptor.field(field).unwrap_or(0);
            if count > 0 {
                layout.push((content, first, count));
                first += count;
            }
        }
        layout
    }

    /// Which words of the arguments are loaded into SGPRs: the first and how many.
    #[must_use]
    pub fn preload(&self) -> (u32, u32) {
        let field = |name| self.descriptor.field(name).unwrap_or(0);
        (field("user_sgpr_kernarg_preload_offset"), field("user_sgpr_kernarg_preload_length"))
    }

    /// Where waves begin: behind the code that loads arguments by itself, if they are loaded into SGPRs for it.
    #[must_use]
    pub fn start(&self) -> u64 {
        if self.preload().1 > 0 { self.entry.wrapping_add(256) } else { self.entry }
    }

    /// The parameters that a caller fills in, in the metadata's order.
    pub fn parameters(&self) -> impl Iterator<Item = &metadata::Arg> {
        self.metadata.iter().flat_map(|m| &m.args).filter(|arg| !arg.is_hidden())
    }
}

/// The kernels of a file. `original` has the metadata, `linked` the addresses.
pub(super) fn kernels(original: &CodeObject<'_>, linked: &CodeObject<'_>, base: u64) -> Vec<Kernel> {
    let described = original.metadata.as_ref().map(metadata::Metadata::kernels).unwrap_or_default();
    // Version 2 names its kernels `NAME@kd`, or just so.
    let by_symbol: HashMap<&str, &metadata::Kernel> = described
        .iter()
        .rev()
        .map(|k| (k.symbol.strip_suffix(".kd").or(k.symbol.strip_suffix("@kd")).unwrap_or(&k.symbol), k))
        .collect();
    let by_name: HashMap<&str, &metadata::Kernel> = described.iter().rev().map(|k| (k.name.as_str(), k)).collect();
    let entries = linked.kernels();
    // A name counts once: a hostile file must not multiply what its metadata says by its symbols.
    let mut seen = HashSet::new();
    let first = entries.iter().filter(|entry| seen.insert(entry.name.as_str()));
    let kernel = |entry: &KernelEntry| {
        let name = entry.name.as_str();
        let metadata = by_symbol.get(name).or_else(|| by_name.get(name)).copied().cloned();
        read(linked, entry, metadata, base)
    };
    first.filter_map(kernel).collect()
}

fn read(linked: &CodeObject<'_>, entry: &KernelEntry, metadata: Option<metadata::Kernel>, base: u64) -> Option<Kernel> {
    let (section, offset) = entry.at;
    let object = base.checked_add(linked.sections.get(section)?.address)?.checked_add(offset)?;
    let arch = linked.id.arch;
    let (descriptor, group_counts) = match entry.descriptor {
        Some(descriptor) => (descriptor, [false; 3]),
        None => from_v2(linked.bytes_at(entry.at)?.first_chunk()?, arch),
    };
    let wave32 = arch.generation >= Gen::Gfx10 && descriptor.wave32();
    Some(Kernel {
        name: entry.name.clone(),
        object,
        entry: object.wrapping_add_signed(descriptor.entry_offset()),
        descriptor,
        group_counts,
        wave_size: if wave32 { 32 } else { 64 },
        dynamic_stack: descriptor.field("uses_dynamic_stack") == Some(1),
        metadata,
    })
}

/// Where a field of `amd_kernel_code_t` goes in a descriptor: first byte there, first byte here, number of bytes. The size of
/// the arguments loses its upper half.
const V2_FIELDS: [(usize, usize, usize); 6] =
    [(64, 0, 4), (60, 4, 4), (72, 8, 4), (16, 16, 8), (48, 48, 4), (52, 52, 4)];
const V2_PROPERTIES: usize = 56;

/// The descriptor that says what `amd_kernel_code_t` says, and what it cannot say.
fn from_v2(header: &[u8; 256], arch: &'static Arch) -> (KernelDescriptor, [bool; 3]) {
    let mut bytes = [0; descriptor::SIZE];
    for (from, to, len) in V2_FIELDS {
        bytes[to..to + len].copy_from_slice(&header[from..from + len]);
    }
    let word = |at: usize| header[at..at + 4].iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
    let old = word(V2_PROPERTIES);
    let bit = |at: u32| old >> at & 1;
    // Bits 6:0 and 10 are the same; the dynamic stack is bit 20 there and 11 here.
    let new = old & 0x47f | bit(20) << 11;
    bytes[56..58].copy_from_slice(&(new as u16).to_le_bytes());
    (KernelDescriptor::parse(&bytes, arch), [7, 8, 9].map(|at| bit(at) == 1))
}
