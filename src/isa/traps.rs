//! Trap handlers: what waves find in them, by generation.
//!
//! A wave that traps goes on at TBA, with the place that it came from in the first two trap temporaries and PRIV set in STATUS.
//! What stands in these two words beside the program counter, where the exceptions are, what enables them, and how a handler
//! reads TBA and TMA, is other on each generation: here are the places, which the manuals have up to gfx11, and the handlers of
//! ROCr and of the Linux kernel for all.

use super::arch::Variants;
use super::symbols::hwreg::id;
use super::{Gen, Target};

/// The scalar pair TBA of gfx6 to gfx8, an address in bytes.
pub const TBA: usize = 108;
/// The scalar pair TMA of gfx6 to gfx8.
pub const TMA: usize = 110;
/// What handlers must be aligned to: registers of the driver have their addresses without the lowest eight bits.
pub const ALIGNMENT: u64 = 256;

/// Bits of STATUS that the hardware keeps for traps.
pub mod status {
    /// The wave is in the handler.
    pub const PRIV: u32 = 1 << 5;
    /// There is a handler.
    pub const TRAP_EN: u32 = 1 << 6;
    /// The wave halts when it has left the handler.
    pub const HALT: u32 = 1 << 13;
    /// All of them.
    pub const KEPT: u32 = PRIV | TRAP_EN | HALT;
}

/// Bits of TRAPSTS beside the sticky exceptions of floats and integers, which are the lowest seven.
pub mod raised {
    /// The exceptions that are enabled one by one.
    pub const MASKABLE: u32 = 0x7f;
    /// A memory violation.
    pub const MEMORY: u32 = 1 << 8;
    /// An instruction that is none.
    pub const ILLEGAL: u32 = 1 << 11;
    /// What every instruction raises in a wave that steps: from gfx11 on.
    pub const STEPPED: u32 = 1 << 20;
    /// The same on gfx940.
    pub const STEPPED_GFX940: u32 = 1 << 25;
}

/// What the upper word of the saved program counter has above its 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The first bit of the number of the trap.
    pub id_at: u32,
    /// Its bits.
    pub id_bits: u32,
    /// Bits from 25 on that say how many words the faulting instruction lies before the saved place.
    pub rewind_bits: u32,
}

impl Saved {
    /// Of a generation.
    #[must_use]
    pub const fn of(generation: Gen) -> Saved {
        let (id_at, id_bits, rewind_bits) = match generation {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 => (16, 8, 4),
            Gen::Gfx10 => (16, 8, 6),
            Gen::Gfx11 => (16, 8, 0),
            Gen::Gfx12 => (28, 4, 0),
        };
        Saved { id_at, id_bits, rewind_bits }
    }

    /// The upper word: with the number of a trap, which is 0 for exceptions, and words to go back.
    #[must_use]
    pub const fn high(self, pc: u64, id: u32, rewind: u32) -> u32 {
        const REWIND_AT: u32 = 25;
        (pc >> 32) as u32 & 0xffff | field(id, self.id_bits, self.id_at) | field(rewind, self.rewind_bits, REWIND_AT)
    }
}

const fn field(v: u32, bits: u32, at: u32) -> u32 {
    (v & ((1 << bits) - 1)) << at
}

/// Where TBA and TMA are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// In scalar registers, as addresses.
    Registers,
    /// In hardware registers, without the lowest eight bits.
    HardwareRegisters,
    /// As answers to messages, without the lowest eight bits.
    Messages,
}

/// How a generation tells a handler where it is and what it has.
#[must_use]
pub const fn told(generation: Gen) -> Told {
    match generation {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => Told::Registers,
        Gen::Gfx9 | Gen::Gfx10 => Told::HardwareRegisters,
        Gen::Gfx11 | Gen::Gfx12 => Told::Messages,
    }
}

/// What is read as TBA: from gfx10 on the uppermost bit says that there is a handler.
#[must_use]
pub const fn tba(generation: Gen, address: u64) -> u64 {
    let present = if matches!(generation, Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12) { 1 << 63 } else { 0 };
    match told(generation) {
        Told::Registers => address,
        _ => address >> 8 | present,
    }
}

/// What is read as TMA.
#[must_use]
pub const fn tma(generation: Gen, address: u64) -> u64 {
    match told(generation) {
        Told::Registers => address,
        _ => address >> 8,
    }
}

/// What a `s_sendmsg_rtn` asks for.
pub mod message {
    /// TMA.
    pub const TMA: u32 = 130;
    /// TBA.
    pub const TBA: u32 = 133;
}

/// The hardware register that enables exceptions, and the first bit in it.
#[must_use]
pub const fn enables(generation: Gen) -> (u32, u32) {
    match generation {
        Gen::Gfx12 => (id::TRAP_CTRL, 0),
        _ => (id::MODE, 12),
    }
}

/// The bit of that register by which every instruction traps.
#[must_use]
pub const fn stepping(generation: Gen) -> u32 {
    match generation {
        Gen::Gfx12 => 1 << 9,
        _ => 1 << 11,
    }
}

/// What says of a step that it was one: TRAP_AFTER_INST of the RDNA3 manual and, of gfx940, of ROCdbgapi. Others have no such bit.
#[must_use]
pub fn stepped(target: &Target) -> u32 {
    match target.generation() {
        Gen::Gfx11 | Gen::Gfx12 => raised::STEPPED,
        _ if Variants::G940.contains(target.arch.variant) => raised::STEPPED_GFX940,
        _ => 0,
    }
}

/// Exceptions beside those of floats and integers that a generation is known to have, as bits of TRAPSTS: no mask keeps them from trapping. The SI manual has
/// none; the Linux kernel's handler for gfx8 looks for memory violations, that for gfx9 for both.
#[must_use]
pub const fn unmasked(generation: Gen) -> u32 {
    match generation {
        Gen::Gfx6 | Gen::Gfx7 => 0,
        Gen::Gfx8 => raised::MEMORY,
        _ => raised::MEMORY | raised::ILLEGAL,
    }
}

/// Whether the trap with a number does nothing in a handler: gfx11 takes `s_trap 2` for a nop there, which LLVM calls a fault.
#[must_use]
pub const fn is_nop_inside(generation: Gen, id: u32) -> bool {
    matches!(generation, Gen::Gfx11) && id == 2
}

/// The flags of EXCP_FLAG_PRIV of gfx12, by the bit there and the one of TRAPSTS.
pub const PRIVILEGED_FLAGS: [(u32, u32); 3] =
    [(1 << 4, raised::MEMORY), (1 << 6, raised::ILLEGAL), (1 << 11, raised::STEPPED)];

/// The bits of STATE_PRIV of gfx12 that the state of a wave has.
pub mod state_priv {
    /// SCC.
    pub const SCC: u32 = 1 << 9;
    /// The wave halts when it has left the handler.
    pub const HALT: u32 = 1 << 14;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_words_are_as_manuals_and_handlers_have_them() {
        let word = |generation| Saved::of(generation).high(0x1234_5678_9abc, 0x47, 0x2a);
        // SI manual 3.10: {3'h0, pc_rewind[3:0], HT[0], trapID[7:0], PC[47:0]}.
        assert_eq!(word(Gen::Gfx6), 0x1447_1234);
        assert_eq!(word(Gen::Gfx9), 0x1447_1234);
        // ROCr's handler: ttmp1 = 0[0], PCRewind[5:0], HostTrap[0], TrapId[7:0], PC[47:32].
        assert_eq!(word(Gen::Gfx10), 0x5447_1234);
        // RDNA3 manual 3.4.9: {7'h0, HT[0], trapID[7:0], PC[47:0]}.
        assert_eq!(word(Gen::Gfx11), 0x0047_1234);
        // ROCr's handler for gfx12: SQ_WAVE_PC_HI_TRAP_ID_SHIFT 28, SIZE 4.
        assert_eq!(word(Gen::Gfx12), 0x7000_1234);
    }

    #[test]
    fn addresses_are_told_as_handlers_read_them() {
        // The kernel's handlers shift what they read by 8, but for those of gfx8.
        assert_eq!(tma(Gen::Gfx8, 0x20_0000), 0x20_0000);
        assert_eq!(tma(Gen::Gfx9, 0x20_0000), 0x2000);
        assert_eq!(tba(Gen::Gfx9, 0x10_0100), 0x1001);
        // RDNA3 manual 3.2: bit 63 of TBA says that there is a handler.
        assert_eq!(tba(Gen::Gfx11, 0x10_0100), 0x1001 | 1 << 63);
    }
}
