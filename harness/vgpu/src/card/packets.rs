//! The packets that the command processor knows: one row each.
//!
//! A packet of type 3 has an opcode and a body of at least one word. What it does is a value of [`Does`], over which the
//! [interpreter](super::ring) matches. A packet that has no row stops the ring, and so does one that is known and not executed:
//! what is skipped is said here to change nothing. The numbers are those of Mesa's registers and packets; ABI_FACTS section 9
//! and VGPU_FACTS section 5 have the bodies.

use super::registers::{CONFIG, CONTEXT, Range, SH, UCONFIG};

/// What a packet does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Nothing that a program could see: caches, prefetches, state of parts that are not there.
    Nothing,
    /// Nothing, and its body may be anything.
    Filler,
    /// Writes consecutive registers.
    SetRegisters(Range),
    /// Writes registers by pairs of number and value.
    SetPairs(Range),
    /// Writes registers by triples of two numbers and two values.
    SetPacked(Range),
    /// Writes consecutive registers with what memory holds.
    LoadRegisters(Range),
    /// Sets an address that later packets count from.
    SetBase,
    /// Runs a grid.
    DispatchDirect,
    /// Runs a grid whose size is in memory.
    DispatchIndirect,
    /// Changes memory in one step.
    AtomicMem,
    /// Packets with the predicate bit count from now on, or not.
    SetPredication,
    /// Skips words unless memory holds something.
    CondExec,
    /// Writes words.
    WriteData,
    /// Waits until memory or a register holds something.
    WaitRegMem,
    /// Goes on in another command buffer.
    IndirectBuffer,
    /// Copies one or two words between memory, registers, the clock.
    CopyData,
    /// Copies or fills memory: gfx6.
    CpDma,
    /// Copies or fills memory.
    DmaData,
    /// An event, of which some write counters.
    EventWrite,
    /// Writes when everything before has ended: graphics rings of gfx6 to gfx8.
    EventWriteEop,
    /// Writes a word when the shaders before have ended.
    EventWriteEos,
    /// Writes when everything before has ended.
    ReleaseMem,
    /// Writes counters of samples.
    ZPass,
    /// Part of what is not emulated.
    Missing(&'static str),
}

/// One packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Its opcode.
    pub op: u8,
    /// Its name, as Mesa has it.
    pub name: &'static str,
    /// The fewest words of its body.
    pub words: u16,
    /// What it does.
    pub does: Does,
}

const DRAW: Does = Does::Missing("draws");
const MESH: Does = Does::Missing("task and mesh shaders");
const STREAM: Does = Does::Missing("stream output");

const fn p(op: u8, name: &'static str, words: u16, does: Does) -> Packet {
    Packet { op, name, words, does }
}

/// All of them, by opcode.
#[rustfmt::skip]
pub static PACKETS: &[Packet] = &[
    p(0x10, "NOP",                           0, Does::Filler),
    p(0x11, "SET_BASE",                      3, Does::SetBase),
    p(0x12, "CLEAR_STATE",                   1, Does::Nothing),
    p(0x13, "INDEX_BUFFER_SIZE",             1, Does::Nothing),
    p(0x15, "DISPATCH_DIRECT",               4, Does::DispatchDirect),
    p(0x16, "DISPATCH_INDIRECT",             2, Does::DispatchIndirect),
    p(0x1e, "ATOMIC_MEM",                    8, Does::AtomicMem),
    p(0x1f, "OCCLUSION_QUERY",               4, Does::Missing("occlusion queries of this form")),
    p(0x20, "SET_PREDICATION",               2, Does::SetPredication),
    p(0x22, "COND_EXEC",                     3, Does::CondExec),
    p(0x24, "DRAW_INDIRECT",                 4, DRAW),
    p(0x25, "DRAW_INDEX_INDIRECT",           4, DRAW),
    p(0x26, "INDEX_BASE",                    2, Does::Nothing),
    p(0x27, "DRAW_INDEX_2",                  5, DRAW),
    p(0x28, "CONTEXT_CONTROL",               2, Does::Nothing),
    p(0x2a, "INDEX_TYPE",                    1, Does::Nothing),
    p(0x2c, "DRAW_INDIRECT_MULTI",           4, DRAW),
    p(0x2d, "DRAW_INDEX_AUTO",               2, DRAW),
    p(0x2f, "NUM_INSTANCES",                 1, Does::Nothing),
    p(0x32, "INDIRECT_BUFFER_SI",            3, Does::IndirectBuffer),
    p(0x33, "INDIRECT_BUFFER_CONST",         3, Does::Missing("the constant engine")),
    p(0x34, "STRMOUT_BUFFER_UPDATE",         5, STREAM),
    p(0x35, "DRAW_INDEX_OFFSET_2",           4, DRAW),
    p(0x37, "WRITE_DATA",                    3, Does::WriteData),
    p(0x38, "DRAW_INDEX_INDIRECT_MULTI",     4, DRAW),
    p(0x39, "MEM_SEMAPHORE",                 2, Does::Missing("semaphores in memory")),
    p(0x3c, "WAIT_REG_MEM",                  6, Does::WaitRegMem),
    p(0x3f, "INDIRECT_BUFFER",               3, Does::IndirectBuffer),
    p(0x40, "COPY_DATA",                     5, Does::CopyData),
    p(0x41, "CP_DMA",                        5, Does::CpDma),
    p(0x42, "PFP_SYNC_ME",                   1, Does::Nothing),
    p(0x43, "SURFACE_SYNC",                  4, Does::Nothing),
    p(0x46, "EVENT_WRITE",                   1, Does::EventWrite),
    p(0x47, "EVENT_WRITE_EOP",               5, Does::EventWriteEop),
    p(0x48, "EVENT_WRITE_EOS",               4, Does::EventWriteEos),
    p(0x49, "RELEASE_MEM",                   6, Does::ReleaseMem),
    p(0x4a, "PREAMBLE_CNTL",                 1, Does::Nothing),
    p(0x4c, "DISPATCH_MESH_INDIRECT_MULTI",  3, MESH),
    p(0x4d, "DISPATCH_TASKMESH_GFX",         2, MESH),
    p(0x50, "DMA_DATA",                      6, Does::DmaData),
    p(0x58, "ACQUIRE_MEM",                   6, Does::Nothing),
    p(0x5d, "PRIME_UTCL2",                   4, Does::Nothing),
    p(0x5e, "LOAD_UCONFIG_REG",              4, Does::LoadRegisters(UCONFIG)),
    p(0x5f, "LOAD_SH_REG",                   4, Does::LoadRegisters(SH)),
    p(0x61, "LOAD_CONTEXT_REG",              4, Does::LoadRegisters(CONTEXT)),
    p(0x63, "LOAD_SH_REG_INDEX",             4, Does::LoadRegisters(SH)),
    p(0x68, "SET_CONFIG_REG",                2, Does::SetRegisters(CONFIG)),
    p(0x69, "SET_CONTEXT_REG",               2, Does::SetRegisters(CONTEXT)),
    p(0x76, "SET_SH_REG",                    2, Does::SetRegisters(SH)),
    p(0x79, "SET_UCONFIG_REG",               2, Does::SetRegisters(UCONFIG)),
    p(0x7a, "SET_UCONFIG_REG_INDEX",         2, Does::SetRegisters(UCONFIG)),
    p(0x84, "INCREMENT_CE_COUNTER",          1, Does::Nothing),
    p(0x85, "INCREMENT_DE_COUNTER",          1, Does::Nothing),
    p(0x86, "WAIT_ON_CE_COUNTER",            1, Does::Nothing),
    p(0x9b, "SET_SH_REG_INDEX",              2, Does::SetRegisters(SH)),
    p(0x9f, "LOAD_CONTEXT_REG_INDEX",        4, Does::LoadRegisters(CONTEXT)),
    p(0xa7, "DISPATCH_DIRECT_INTERLEAVED",   4, Does::DispatchDirect),
    p(0xa8, "DISPATCH_INDIRECT_INTERLEAVED", 2, Does::DispatchIndirect),
    p(0xaa, "DISPATCH_TASKMESH_DIRECT_ACE",  5, MESH),
    p(0xad, "DISPATCH_TASKMESH_INDIRECT_MULTI_ACE", 10, MESH),
    p(0xb1, "EVENT_WRITE_ZPASS",             2, Does::ZPass),
    p(0xb8, "SET_CONTEXT_REG_PAIRS",         2, Does::SetPairs(CONTEXT)),
    p(0xb9, "SET_CONTEXT_REG_PAIRS_PACKED",  4, Does::SetPacked(CONTEXT)),
    p(0xba, "SET_SH_REG_PAIRS",              2, Does::SetPairs(SH)),
    p(0xbb, "SET_SH_REG_PAIRS_PACKED",       4, Does::SetPacked(SH)),
    p(0xbd, "SET_SH_REG_PAIRS_PACKED_N",     4, Does::SetPacked(SH)),
    p(0xbe, "SET_UCONFIG_REG_PAIRS",         2, Does::SetPairs(UCONFIG)),
];

/// The packet of an opcode.
#[must_use]
pub fn packet(op: u8) -> Option<&'static Packet> {
    PACKETS.binary_search_by_key(&op, |packet| packet.op).ok().map(|n| &PACKETS[n])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order() {
        assert!(PACKETS.is_sorted_by(|a, b| a.op < b.op));
    }
}
