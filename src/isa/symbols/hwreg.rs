//! `hwreg(HW_REG_MODE, 0, 32)`: a field of a hardware register, for `s_getreg` and `s_setreg`.
//!
//! Bits 5:0 are the register, 10:6 the first bit, 15:11 the width less one. Every 16-bit value has its text.

use super::{Symbol, gens, name_of, sym};
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::text::{push_str, push_udec};

const ALL: Variants = Variants::all();
const TO_9: Variants = gens(Gen::Gfx6, Gen::Gfx9);
const TO_11: Variants = gens(Gen::Gfx6, Gen::Gfx11);
const G9_10: Variants = gens(Gen::Gfx9, Gen::Gfx10);
const G9_11: Variants = gens(Gen::Gfx9, Gen::Gfx11);
const G10: Variants = Variants::G10;
const G10_11: Variants = gens(Gen::Gfx10, Gen::Gfx11);
const G103_11: Variants = Variants::G1030.union(Variants::G11);
const FROM_10: Variants = gens(Gen::Gfx10, Gen::Gfx12);
const RDNA1: Variants = Variants::RDNA1;
const G940: Variants = Variants::G940;
const G11: Variants = Variants::G11;
const G12: Variants = Variants::G12;

/// The registers. Where a number has two names the first row is the one that is printed.
#[rustfmt::skip]
pub static REGISTERS: &[Symbol] = &[
    sym("HW_REG_MODE",                     1, ALL),
    sym("HW_REG_STATUS",                   2, ALL),
    sym("HW_REG_TRAPSTS",                  3, TO_11),
    sym("HW_REG_HW_ID",                    4, TO_9),
    sym("HW_REG_STATE_PRIV",               4, G12),
    sym("HW_REG_GPR_ALLOC",                5, ALL),
    sym("HW_REG_LDS_ALLOC",                6, ALL),
    sym("HW_REG_IB_STS",                   7, ALL),
    sym("HW_REG_PERF_SNAPSHOT_DATA",      10, G12),
    sym("HW_REG_PERF_SNAPSHOT_PC_LO",     11, G12),
    sym("HW_REG_PERF_SNAPSHOT_PC_HI",     12, G12),
    sym("HW_REG_SH_MEM_BASES",            15, G9_11),
    sym("HW_REG_PERF_SNAPSHOT_DATA1",     15, G12),
    sym("HW_REG_TBA_LO",                  16, G9_10),
    sym("HW_REG_PERF_SNAPSHOT_DATA2",     16, G12),
    sym("HW_REG_TBA_HI",                  17, G9_10),
    sym("HW_REG_EXCP_FLAG_PRIV",          17, G12),
    sym("HW_REG_TMA_LO",                  18, G9_10),
    sym("HW_REG_PERF_SNAPSHOT_PC_LO",     18, G11),
    sym("HW_REG_EXCP_FLAG_USER",          18, G12),
    sym("HW_REG_TMA_HI",                  19, G9_10),
    sym("HW_REG_PERF_SNAPSHOT_PC_HI",     19, G11),
    sym("HW_REG_TRAP_CTRL",               19, G12),
    sym("HW_REG_XCC_ID",                  20, G940),
    sym("HW_REG_FLAT_SCR_LO",             20, G10_11),
    sym("HW_REG_SCRATCH_BASE_LO",         20, G12),
    sym("HW_REG_SQ_PERF_SNAPSHOT_DATA",   21, G940),
    sym("HW_REG_FLAT_SCR_HI",             21, G10_11),
    sym("HW_REG_SCRATCH_BASE_HI",         21, G12),
    sym("HW_REG_SQ_PERF_SNAPSHOT_DATA1",  22, G940),
    sym("HW_REG_XNACK_MASK",              22, RDNA1),
    sym("HW_REG_SQ_PERF_SNAPSHOT_PC_LO",  23, G940),
    sym("HW_REG_HW_ID1",                  23, FROM_10),
    sym("HW_REG_HW_ID",                   23, G10),
    sym("HW_REG_SQ_PERF_SNAPSHOT_PC_HI",  24, G940),
    sym("HW_REG_HW_ID2",                  24, FROM_10),
    sym("HW_REG_POPS_PACKER",             25, G10),
    sym("HW_REG_PERF_SNAPSHOT_DATA",      27, G11),
    sym("HW_REG_SHADER_CYCLES",           29, G103_11),
    sym("HW_REG_SHADER_CYCLES_LO",        29, G12),
    sym("HW_REG_SHADER_CYCLES_HI",        30, G12),
    sym("HW_REG_DVGPR_ALLOC_LO",          31, G12),
    sym("HW_REG_DVGPR_ALLOC_HI",          32, G12),
];

/// Numbers of registers that do more than hold what was written.
pub mod id {
    /// MODE.
    pub const MODE: u32 = 1;
    /// STATUS.
    pub const STATUS: u32 = 2;
    /// TRAPSTS: the exceptions of float operations among others.
    pub const TRAPSTS: u32 = 3;
    /// What only a trap handler may write, on gfx12.
    pub const STATE_PRIV: u32 = 4;
    /// The upper words of the apertures.
    pub const SH_MEM_BASES: u32 = 15;
    /// Where the trap handler is, on gfx9 and gfx10.
    pub const TBA_LO: u32 = 16;
    /// Its upper word.
    pub const TBA_HI: u32 = 17;
    /// What the trap handler has in memory, on gfx9 and gfx10.
    pub const TMA_LO: u32 = 18;
    /// Its upper word.
    pub const TMA_HI: u32 = 19;
    /// The other exceptions on gfx12.
    pub const EXCP_FLAG_PRIV: u32 = 17;
    /// The exceptions of float operations on gfx12.
    pub const EXCP_FLAG_USER: u32 = 18;
    /// Which exceptions trap, on gfx12.
    pub const TRAP_CTRL: u32 = 19;
    /// Where scratch memory begins.
    pub const FLAT_SCRATCH_LO: u32 = 20;
    /// Its upper word.
    pub const FLAT_SCRATCH_HI: u32 = 21;
    /// A clock.
    pub const SHADER_CYCLES: u32 = 29;
    /// Its upper word.
    pub const SHADER_CYCLES_HI: u32 = 30;
}

/// The bits of MODE that decide about instructions as a whole.
pub mod mode {
    /// GPR index mode: M0 moves the registers of vector arithmetic (gfx8, gfx9).
    pub const GPR_INDEX: u32 = 27;
    /// Vector instructions do nothing (gfx6 to gfx9).
    pub const VSKIP: u32 = 28;
}

/// Whether the register that an immediate names holds the exceptions of float operations.
#[must_use]
pub const fn has_exceptions(value: u32, generation: Gen) -> bool {
    match generation {
        Gen::Gfx12 => matches!(unpack(value).0, id::TRAPSTS | id::EXCP_FLAG_USER),
        _ => matches!(unpack(value).0, id::TRAPSTS),
    }
}

/// Packs a register number (0..=63), a first bit (0..=31) and a width (1..=32).
#[must_use]
pub const fn pack(id: u32, offset: u32, size: u32) -> u32 {
    id & 0x3f | (offset & 31) << 6 | (size.wrapping_sub(1) & 31) << 11
}

/// Unpacks register number, first bit and width.
#[must_use]
pub const fn unpack(value: u32) -> (u32, u32, u32) {
    (value & 0x3f, value >> 6 & 31, (value >> 11 & 31) + 1)
}

/// Appends `hwreg(..)`; the field is left out where it is the whole register.
pub fn print(value: u32, target: &Target, out: &mut Vec<u8>) {
    let (id, offset, size) = unpack(value);
    push_str(out, "hwreg(");
    match name_of(REGISTERS, id, target) {
        Some(name) => push_str(out, name),
        None => push_udec(out, u64::from(id)),
    }
    if (offset, size) != (0, 32) {
        push_str(out, ", ");
        push_udec(out, u64::from(offset));
        push_str(out, ", ");
        push_udec(out, u64::from(size));
    }
    out.push(b')');
}
