//! Hardware registers, as `s_getreg` and `s_setreg` see them.

use super::group::Group;
use super::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::symbols::hwreg::id;
use crate::isa::traps::{PRIVILEGED_FLAGS, raised, state_priv, status};

/// Reads a register.
pub fn read(wave: &Wave, group: &Group<'_>, register: u32) -> u32 {
    let g = group.program.target.generation();
    match register {
        id::MODE => wave.whole_mode(),
        // What gfx12 has in STATE_PRIV is not in STATUS.
        id::STATUS if g >= Gen::Gfx12 => wave.status(group.waves) & !(1 | status::HALT),
        id::STATUS => wave.status(group.waves),
        id::STATE_PRIV if g >= Gen::Gfx12 => {
            let halts = wave.status(group.waves) & status::HALT != 0;
            let bits = [(wave.scc, state_priv::SCC), (halts, state_priv::HALT)];
            bits.iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum()
        }
        id::EXCP_FLAG_PRIV if g >= Gen::Gfx12 => {
            let flags = wave.whole_trapsts();
            PRIVILEGED_FLAGS.iter().filter(|(_, of)| flags & of != 0).map(|(bit, _)| bit).sum()
        }
        id::EXCP_FLAG_USER if g >= Gen::Gfx12 => wave.whole_trapsts() & raised::MASKABLE,
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
        id::STATUS if wave.is_privileged() && g < Gen::Gfx12 => {
            if !planted!(StatusSccKept) {
                wave.scc = v & 1 != 0;
            }
            wave.keep_status(status::HALT, v & status::HALT != 0);
        }
        id::STATE_PRIV if g >= Gen::Gfx12 => {
            if wave.is_privileged() {
                wave.scc = v & state_priv::SCC != 0;
                wave.keep_status(status::HALT, v & state_priv::HALT != 0);
            }
        }
        id::EXCP_FLAG_USER if g >= Gen::Gfx12 => {
            set_exceptions(wave, wave.whole_trapsts() & !raised::MASKABLE | v & raised::MASKABLE);
        }
        id::EXCP_FLAG_PRIV if g >= Gen::Gfx12 => {
            if wave.is_privileged() {
                let kept = wave.whole_trapsts() & !PRIVILEGED_FLAGS.iter().map(|(_, of)| of).sum::<u32>();
                let set = PRIVILEGED_FLAGS.iter().filter(|(bit, _)| v & bit != 0).map(|(_, of)| of);
                set_exceptions(wave, kept | set.sum::<u32>());
            }
        }
        id::STATUS | id::SH_MEM_BASES | id::SHADER_CYCLES | id::SHADER_CYCLES_HI => {}
        id::TRAPSTS => set_exceptions(wave, v),
        id::FLAT_SCRATCH_LO if g >= Gen::Gfx10 => wave.scratch = wave.scratch & !0xffff_ffff | u64::from(v),
        id::FLAT_SCRATCH_HI if g >= Gen::Gfx10 => wave.scratch = wave.scratch & 0xffff_ffff | u64::from(v) << 32,
        n => wave.hwregs[n as usize & 63] = v,
    }
}

/// Sets what stuck, and forgets what float operations have raised since.
fn set_exceptions(wave: &mut Wave, v: u32) {
    wave.trapsts = v;
    if !planted!(TrapstsNotCleared) {
        wave.env.raised.set(super::soft::Exceptions::empty());
    }
}
