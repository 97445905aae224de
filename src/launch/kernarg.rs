//! The argument segment: what the caller passes, and behind it what the runtime adds.
//!
//! Where the metadata lists arguments, its offsets hold, for the caller's and for the hidden ones; what it does not list is zero.
//! Without a list, the caller's arguments follow each other at their natural alignment, and the whole hidden block of the version
//! follows at a multiple of eight.

use super::arg::Value;
use super::{Apertures, Geometry, Kernel, LaunchError, Options, put};
use crate::isa::types::Ty;
use crate::object::metadata;

/// What the runtime puts into a hidden argument. The number is the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the metadata")]
pub enum Content {
    /// Full groups.
    BlockCount(usize),
    GroupSize(usize),
    /// The size of the partial group at the end; zero if there is none.
    Remainder(usize),
    GlobalOffset(usize),
    GridDims,
    PrintfBuffer,
    HostcallBuffer,
    DynamicLdsSize,
    /// The upper half of the aperture's address.
    PrivateBase,
    /// The upper half of the aperture's address.
    SharedBase,
    QueuePtr,
    /// Something that is not emulated: a null pointer.
    Null,
}

/// A hidden argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Its `.value_kind`.
    pub kind: &'static str,
    /// What it holds.
    pub content: Content,
    /// Its size in bytes.
    pub size: u8,
    /// Its offset in the block of versions 2, 3 and 4, if it is there.
    pub v4: Option<u8>,
    /// Its offset in the block of versions 5 and 6, if it is there.
    pub v5: Option<u8>,
}

const fn hidden(kind: &'static str, content: Content, size: u8, v4: Option<u8>, v5: Option<u8>) -> Hidden {
    Hidden { kind, content, size, v4, v5 }
}

/// The hidden block of a file that lists no arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Versions 2, 3 and 4.
    V4,
    /// Versions 5 and 6.
    V5,
    /// Files for Mesa: dimensions and the offset of the grid in 32 bits, as Clover passed them.
    Mesa,
}

/// `EI_OSABI` of files for Mesa.
const OSABI_MESA: u8 = 66;

impl Block {
    pub fn of(os_abi: u8, version: u8) -> Block {
        match (os_abi, version) {
            (OSABI_MESA, _) => Block::Mesa,
            (_, ..=4) => Block::V4,
            _ => Block::V5,
        }
    }

    fn size(self) -> u64 {
        match self {
            Block::V4 => 56,
            Block::V5 => 256,
            Block::Mesa => 16,
        }
    }

    /// What is in it: offset, content, size.
    fn fields(self) -> Vec<(u64, Content, u8)> {
        let of = |offset: fn(&Hidden) -> Option<u8>| {
            HIDDEN.iter().filter_map(|row| Some((offset(row)?.into(), row.content, row.size))).collect()
        };
        match self {
            Block::V4 => of(|row| row.v4),
            Block::V5 => of(|row| row.v5),
            Block::Mesa => {
                let offset = |axis: usize| (4 + 4 * axis as u64, Content::GlobalOffset(axis), 4);
                vec![(0, Content::GridDims, 4), offset(0), offset(1), offset(2)]
            }
        }
    }
}

/// The hidden arguments.
#[rustfmt::skip]
pub static HIDDEN: &[Hidden] = &[
    hidden("hidden_block_count_x",      Content::BlockCount(0),   4, None,     Some(0)),
    hidden("hidden_block_count_y",      Content::BlockCount(1),   4, None,     Some(4)),
    hidden("hidden_block_count_z",      Content::BlockCount(2),   4, None,     Some(8)),
    hidden("hidden_group_size_x",       Content::GroupSize(0),    2, None,     Some(12)),
    hidden("hidden_group_size_y",       Content::GroupSize(1),    2, None,     Some(14)),
    hidden("hidden_group_size_z",       Content::GroupSize(2),    2, None,     Some(16)),
    hidden("hidden_remainder_x",        Content::Remainder(0),    2, None,     Some(18)),
    hidden("hidden_remainder_y",        Content::Remainder(1),    2, None,     Some(20)),
    hidden("hidden_remainder_z",        Content::Remainder(2),    2, None,     Some(22)),
    hidden("hidden_global_offset_x",    Content::GlobalOffset(0), 8, Some(0),  Some(40)),
    hidden("hidden_global_offset_y",    Content::GlobalOffset(1), 8, Some(8),  Some(48)),
    hidden("hidden_global_offset_z",    Content::GlobalOffset(2), 8, Some(16), Some(56)),
    hidden("hidden_grid_dims",          Content::GridDims,        2, None,     Some(64)),
    hidden("hidden_printf_buffer",      Content::PrintfBuffer,    8, Some(24), Some(72)),
    hidden("hidden_hostcall_buffer",    Content::HostcallBuffer,  8, None,     Some(80)), // v4: in printf's place
    hidden("hidden_multigrid_sync_arg", Content::Null,            8, Some(48), Some(88)),
    hidden("hidden_heap_v1",            Content::Null,            8, None,     Some(96)),
    hidden("hidden_default_queue",      Content::Null,            8, Some(32), Some(104)),
    hidden("hidden_completion_action",  Content::Null,            8, Some(40), Some(112)),
    hidden("hidden_dynamic_lds_size",   Content::DynamicLdsSize,  4, None,     Some(120)),
    hidden("hidden_private_base",       Content::PrivateBase,     4, None,     Some(192)),
    hidden("hidden_shared_base",        Content::SharedBase,      4, None,     Some(196)),
    hidden("hidden_queue_ptr",          Content::QueuePtr,        8, None,     Some(200)),
];

/// What hidden arguments are made of.
pub(super) struct Facts<'a> {
    pub geometry: &'a Geometry,
    pub options: &'a Options,
    pub apertures: Apertures,
    pub dynamic_lds: u32,
    /// The addresses of the printf and hostcall buffers, or null.
    pub printf: u64,
    pub hostcall: u64,
}

impl Facts<'_> {
    fn value(&self, content: Content) -> u64 {
        let Geometry { grid, group, .. } = *self.geometry;
        match content {
            Content::BlockCount(axis) => (grid[axis] / group[axis]).into(),
            Content::GroupSize(axis) => group[axis].into(),
            Content::Remainder(axis) => (grid[axis] % group[axis]).into(),
            Content::GlobalOffset(axis) => self.options.global_offset[axis],
            Content::GridDims => self.geometry.dimensions().into(),
            Content::PrintfBuffer => self.printf,
            Content::HostcallBuffer => self.hostcall,
            Content::DynamicLdsSize => self.dynamic_lds.into(),
            Content::PrivateBase => self.apertures.private >> 32,
            Content::SharedBase => self.apertures.shared >> 32,
            Content::QueuePtr => self.options.layout.queue,
            Content::Null => 0,
        }
    }
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// The address of memory.
    Pointer,
    /// Bytes.
    Bytes,
    /// The address of LDS, aligned so.
    Lds(u64),
    /// Nothing is known.
    Anything,
}

/// A parameter that the caller fills in.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub offset: u64,
    pub size: u64,
    pub takes: Takes,
    /// The type of a number, where it is known.
    pub number: Option<Ty>,
    pub words: String,
}

/// The most bytes that one instruction loads. Compilers load past the end of the segment, because memory is mapped in pages; a load that
/// begins inside must not trap.
const LONGEST_LOAD: u64 = 64;

/// What lies behind the segment, up to the end of what such a load may reach: a program whose results show it uses what is not its own.
const BEHIND: [u8; 4] = 0xbad3_bad3u32.to_le_bytes();

/// The segment with what lies behind it.
pub(super) fn padded(mut segment: Vec<u8>) -> Vec<u8> {
    if !segment.is_empty() {
        let end = (segment.len() as u64 + LONGEST_LOAD - 4).next_multiple_of(LONGEST_LOAD);
        segment.extend((segment.len()..end as usize).map(|at| BEHIND[at % 4]));
    }
    segment
}

/// The most bytes of arguments.
const MAX_SEGMENT: u64 = 1 << 20;

/// The caller's parameters: as the metadata lists them, else as the values are.
pub(super) fn slots(kernel: &Kernel, values: &[Value]) -> Result<Vec<Slot>, LaunchError> {
    let known = kernel.metadata.as_ref().is_some_and(|m| !m.args.is_empty() || size(kernel) == 0);
    if !known {
        return Ok(natural(values));
    }
    let slots: Vec<Slot> = kernel.parameters().map(slot).collect();
    // More LDS than the parameters ask for may follow them.
    let extra = values.get(slots.len()..).unwrap_or_default();
    if values.len() < slots.len() || !extra.iter().all(|value| matches!(value, Value::Lds(_))) {
        let expected = slots.into_iter().map(|slot| slot.words).collect();
        return Err(LaunchError::ArgCount { kernel: kernel.name.clone(), expected, given: values.len() });
    }
    if let Some(slot) = slots.iter().find(|slot| slot.offset.saturating_add(slot.size) > MAX_SEGMENT) {
        let bytes = slot.offset.saturating_add(slot.size);
        return Err(LaunchError::TooLarge { what: slot.words.clone(), bytes, limit: MAX_SEGMENT });
    }
    Ok(slots)
}

fn slot(arg: &metadata::Arg) -> Slot {
    let takes = match arg.value_kind.as_str() {
        "global_buffer" | "image" | "sampler" | "pipe" | "queue" => Takes::Pointer,
        "dynamic_shared_pointer" => {
            Takes::Lds(arg.pointee_align.filter(|a| a.is_power_of_two() && *a <= 0x1_0000).unwrap_or(16))
        }
        _ => Takes::Bytes,
    };
    let mut words = match takes {
        Takes::Lds(_) => "a pointer to LDS".to_owned(),
        Takes::Bytes => match arg.number() {
            Some(ty) => format!("{ty} by value"),
            None => format!("{} bytes by value", arg.size),
        },
        _ => arg.value_kind.replace('_', " "),
    };
    if let Some(name) = arg.name.as_ref().or(arg.type_name.as_ref()) {
        words = format!("{name}: {words}");
    }
    Slot { offset: arg.offset, size: arg.size, takes, number: arg.number(), words }
}

/// Parameters at the natural alignment of what is passed: numbers and pointers their size, raw data the largest power of two up
/// to 16 that divides its size.
fn natural(values: &[Value]) -> Vec<Slot> {
    let mut end = 0u64;
    let slot = |value: &Value| {
        let size = match value {
            Value::Buffer(_) => 8,
            Value::Scalar(scalar) => scalar.bytes().len() as u64,
            Value::Raw(bytes) => bytes.len() as u64,
            Value::Lds(_) => 4,
        };
        let align = (1 << size.trailing_zeros().min(4)) as u64;
        let offset = end.next_multiple_of(align);
        end = offset + size;
        Slot { offset, size, takes: Takes::Anything, number: None, words: "anything".to_owned() }
    };
    values.iter().map(slot).collect()
}

/// The size of the segment that the kernel declares.
fn size(kernel: &Kernel) -> u64 {
    let listed = kernel.metadata.as_ref().map_or(0, |m| m.kernarg_segment_size);
    listed.max(kernel.descriptor.kernarg_size().into())
}

/// The segment: the caller's bytes at their places, and the hidden arguments.
pub(super) fn segment(
    kernel: &Kernel,
    block: Block,
    explicit: &[(u64, Vec<u8>)],
    facts: &Facts<'_>,
) -> Result<Vec<u8>, LaunchError> {
    let mut fields: Vec<(u64, Vec<u8>)> = explicit.to_vec();
    let end = |fields: &[(u64, Vec<u8>)]| {
        fields.iter().map(|(at, bytes)| at.saturating_add(bytes.len() as u64)).max().unwrap_or(0)
    };
    let mut needed = size(kernel);
    match kernel.metadata.as_ref().filter(|m| !m.args.is_empty()) {
        Some(metadata) => {
            for arg in metadata.args.iter().filter(|arg| arg.is_hidden()) {
                if let Some(row) = HIDDEN.iter().find(|row| row.kind == arg.value_kind) {
                    let size = arg.size.min(8) as usize;
                    fields.push((arg.offset, facts.value(row.content).to_le_bytes()[..size].to_vec()));
                }
            }
        }
        None => {
            let start = end(&fields).next_multiple_of(8);
            needed = needed.max(start + block.size());
            for (offset, content, size) in block.fields() {
                let mut value = facts.value(content);
                if block == Block::V4 && content == Content::PrintfBuffer && value == 0 {
                    value = facts.value(Content::HostcallBuffer);
                }
                fields.push((start + offset, value.to_le_bytes()[..size.into()].to_vec()));
            }
        }
    }
    let bytes = needed.max(end(&fields));
    if bytes > MAX_SEGMENT {
        let what = format!("the argument segment of kernel `{}`", kernel.name);
        return Err(LaunchError::TooLarge { what, bytes, limit: MAX_SEGMENT });
    }
    let mut segment = vec![0; bytes as usize];
    for (at, bytes) in fields {
        put(&mut segment, at as usize, &bytes);
    }
    Ok(segment)
}
