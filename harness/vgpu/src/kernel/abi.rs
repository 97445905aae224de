//! The structures of ioctls, as the program lays them out. Unions of what goes in and what comes
//! out are two structures here.

use bytemuck::{Pod, Zeroable};

macro_rules! structures {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Pod, Zeroable)]
        #[repr(C)]
        pub(crate) struct $name { $(pub $field: $type),* }
    )*};
}

structures! {
    /// Lengths and places of texts.
    Version {
        major: i32, minor: i32, patch: i32, pad: u32,
        name_len: u64, name: u64, date_len: u64, date: u64, text_len: u64, text: u64,
    }
    GetCap { capability: u64, value: u64 }
    /// A handle, or a handle and flags.
    Handle { handle: u32, flags: u32 }
    Prime { handle: u32, flags: u32, fd: i32 }
    SyncobjFd { handle: u32, flags: u32, fd: i32, pad: u32 }
    SyncobjWait {
        handles: u64, timeout: i64, count: u32, flags: u32, first: u32, pad: u32, deadline: u64,
    }
    SyncobjTimelineWait {
        handles: u64, points: u64, timeout: i64, count: u32, flags: u32, first: u32, pad: u32, deadline: u64,
    }
    SyncobjArray { handles: u64, count: u32, pad: u32 }
    SyncobjTimelineArray { handles: u64, points: u64, count: u32, flags: u32 }
    SyncobjTransfer { from: u32, to: u32, from_point: u64, to_point: u64, flags: u32, pad: u32 }
    GemMmap { handle: u32, pad: u32 }
    Offset { offset: u64 }
    Ctx { operation: u32, flags: u32, ctx: u32, priority: i32 }
    /// What a context tells of itself.
    CtxState { flags: u64, hangs: u32, reset: u32 }
    BoList { operation: u32, list: u32, count: u32, entry_size: u32, entries: u64 }
    Cs { ctx: u32, list: u32, count: u32, flags: u32, chunks: u64 }
    Chunk { id: u32, dwords: u32, data: u64 }
    ChunkIb { pad: u32, flags: u32, address: u64, bytes: u32, ip: u32, instance: u32, ring: u32 }
    ChunkFence { handle: u32, offset: u32 }
    /// A job of a ring, by context and sequence number.
    Dependency { ip: u32, instance: u32, ring: u32, ctx: u32, sequence: u64 }
    ChunkSyncobj { handle: u32, flags: u32, point: u64 }
    Info { answer: u64, size: u32, query: u32, arguments: [u32; 4] }
    GemMetadata { handle: u32, operation: u32, metadata: super::object::Metadata }
    GemVa {
        handle: u32, pad: u32, operation: u32, flags: u32, address: u64, offset: u64, size: u64,
        point: u64, out: u32, count: u32, handles: u64,
    }
    GemOp { handle: u32, operation: u32, value: u64 }
    Userptr { address: u64, size: u64, flags: u32, handle: u32 }
    WaitIdle { handle: u32, flags: u32, timeout: u64 }
    WaitCs { sequence: u64, timeout: u64, ip: u32, instance: u32, ring: u32, ctx: u32 }
    /// As [`Dependency`], in another order.
    FenceName { ctx: u32, ip: u32, instance: u32, ring: u32, sequence: u64 }
    WaitFences { fences: u64, count: u32, all: u32, timeout: u64 }
    FenceToHandle { fence: FenceName, what: u32, pad: u32 }
    /// Two numbers that come out.
    Two { first: u32, second: u32 }
    /// Merging of two sync files.
    SyncMerge { name: [u8; 32], other: i32, fd: i32, flags: u32, pad: u32 }
    /// What a sync file tells of itself.
    SyncFileInfo { name: [u8; 32], status: i32, flags: u32, count: u32, pad: u32, fences: u64 }
}
