//! Hardware registers, as `s_getreg` and `s_setreg` see them.

use super::run::Group;
use super::wave::{Wave, slot};
use crate::fault::planted;
use crate::isa::Gen;

/// Numbers of registers.
mod id {
    pub const MODE: usize = 1;
    pub const STATUS: usize = 2;
    pub const TRAPSTS: usize = 3;
    pub const SH_MEM_BASES: usize = 15;
    pub const FLAT_SCRATCH_LO: usize = 20;
    pub const FLAT_SCRATCH_HI: usize = 21;
    pub const SHADER_CYCLES: usize = 29;
    pub const SHADER_CYCLES_HI: usize = 30;
}

pub(super) use id::MODE;

/// Whether the register that SIMM16 names holds the exceptions of float operations.
#[must_use]
pub fn has_exceptions(simm: u32) -> bool {
    const EXCP_FLAG_USER: usize = 18;
    matches!((simm & 0x3f) as usize, id::TRAPSTS | EXCP_FLAG_USER)
}

/// Reads a register.
pub fn read(wave: &Wave, group: &Group<'_>, register: usize) -> u32 {
    let g = group.program.target.generation();
    match register {
        MODE => mode(wave, g),
        id::STATUS => status(wave, group.waves),
        id::TRAPSTS => wave.trapsts | u32::from(wave.env.raised.get().bits()),
        id::SH_MEM_BASES if g >= Gen::Gfx9 => {
            let swaps = planted!(SharedBaseLow);
            let (shared, private) = (group.apertures.shared, group.apertures.private);
            let (high, low) = if swaps { (private, shared) } else { (shared, private) };
            (high >> 48 << 16) as u32 | (low >> 48) as u32
        }
        id::FLAT_SCRATCH_LO if g >= Gen::Gfx10 => wave.scratch as u32,
        id::FLAT_SCRATCH_HI if g >= Gen::Gfx10 => (wave.scratch >> 32) as u32,
        id::SHADER_CYCLES if g >= Gen::Gfx12 => wave.clock() as u32,
        id::SHADER_CYCLES if g >= Gen::Gfx10 => wave.clock() as u32 & 0xf_ffff,
        id::SHADER_CYCLES_HI if g >= Gen::Gfx12 => (wave.clock() >> 32) as u32,
        n => wave.hwregs[n & 63],
    }
}

/// Writes a register; what is read-only stays.
pub fn write(wave: &mut Wave, group: &Group<'_>, register: usize, v: u32) {
    let g = group.program.target.generation();
    match register {
        MODE => {
            if g <= Gen::Gfx9 {
                wave.fork_depth = v >> 29;
            }
            wave.set_mode(v);
        }
        id::STATUS | id::SH_MEM_BASES | id::SHADER_CYCLES | id::SHADER_CYCLES_HI => {}
        id::TRAPSTS => {
            wave.trapsts = v;
            if !planted!(TrapstsNotCleared) {
                wave.env.raised.set(super::soft::Exceptions::empty());
            }
        }
        id::FLAT_SCRATCH_LO if g >= Gen::Gfx10 => wave.scratch = wave.scratch & !0xffff_ffff | u64::from(v),
        id::FLAT_SCRATCH_HI if g >= Gen::Gfx10 => wave.scratch = wave.scratch & 0xffff_ffff | u64::from(v) << 32,
        n => wave.hwregs[n & 63] = v,
    }
}

/// MODE, with the depth of the stack of forks where there is one.
pub fn mode(wave: &Wave, g: Gen) -> u32 {
    if g <= Gen::Gfx9 { wave.env.mode & 0x1fff_ffff | wave.fork_depth << 29 } else { wave.env.mode }
}

/// STATUS: what follows from the state of the wave.
pub fn status(wave: &Wave, waves: u32) -> u32 {
    let bit = |set: bool, at: u32| u32::from(set) << at;
    const VALID: u32 = 1 << 16;
    bit(wave.scc && !planted!(StatusWithoutScc), 0)
        | bit(wave.exec() == 0, 9)
        | bit(wave.mask_at(slot::VCC) == 0, 10)
        | bit(waves > 1, 11)
        | VALID
}
