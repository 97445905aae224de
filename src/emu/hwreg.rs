//! Hardware registers, as `s_getreg` and `s_setreg` see them.

use super::group::Group;
use super::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::symbols::hwreg::id;

/// Reads a register.
pub fn read(wave: &Wave, group: &Group<'_>, register: u32) -> u32 {
    let g = group.program.target.generation();
    match register {
        id::MODE => wave.whole_mode(),
        id::STATUS => wave.status(group.waves),
        id::TRAPSTS => wave.whole_trapsts(),
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
        n => wave.hwregs[n as usize & 63],
    }
}

/// Writes a register; what is read-only stays.
pub fn write(wave: &mut Wave, group: &Group<'_>, register: u32, v: u32) {
    let g = group.program.target.generation();
    match register {
        id::MODE => {
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
        n => wave.hwregs[n as usize & 63] = v,
    }
}
