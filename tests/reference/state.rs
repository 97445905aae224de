//! What a wave holds, as far as single instructions are watched.

use wavediff::emu::wave::{Wave, slot};
use wavediff::isa::{Target, regs};

/// How many vector registers are watched.
pub const VGPRS: usize = 48;
/// How many scalar registers are watched: all that have a code of their own.
pub const SGPRS: usize = 128;

/// Registers, SCC, and the address of the next instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub v: Vec<[u32; 64]>,
    pub s: Vec<u32>,
    pub scc: bool,
    pub pc: i64,
}

/// Some bits that depend on all bits of `n`.
pub fn scrambled(n: u64) -> u64 {
    let n = (n ^ n >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    n ^ n >> 32
}

impl State {
    /// Registers with a value of their own each.
    pub fn marked(pc: i64) -> State {
        let mark = |n: usize| scrambled(n as u64 + 1) as u32;
        State {
            v: (0..VGPRS).map(|r| std::array::from_fn(|lane| mark(r * 64 + lane))).collect(),
            s: (0..SGPRS).map(|r| mark(0x10_0000 + r)).collect(),
            scc: false,
            pc,
        }
    }

    pub fn m0(target: Target) -> usize {
        regs::m0_code(target.generation()).into()
    }

    pub fn pair(&self, at: usize) -> u64 {
        u64::from(self.s[at]) | u64::from(self.s[at + 1]) << 32
    }

    /// Writes a lane mask as wide as the wave.
    pub fn set_mask(&mut self, at: usize, mask: u64, lanes: u32) {
        self.s[at] = mask as u32;
        if lanes == 64 {
            self.s[at + 1] = (mask >> 32) as u32;
        }
    }

    /// The active lanes.
    pub fn exec(&self, lanes: u32) -> u64 {
        if lanes == 64 { self.pair(slot::EXEC) } else { self.s[slot::EXEC].into() }
    }

    pub fn load(&self, wave: &mut Wave) {
        for (r, lanes) in self.v.iter().enumerate() {
            lanes.iter().enumerate().for_each(|(lane, v)| wave.set_vgpr(r, lane, *v));
        }
        wave.s[..SGPRS].copy_from_slice(&self.s);
        wave.scc = self.scc;
        wave.stop = None;
    }

    pub fn of(wave: &Wave, pc: i64) -> State {
        State {
            v: (0..VGPRS).map(|r| std::array::from_fn(|lane| wave.vgpr(r, lane))).collect(),
            s: wave.s[..SGPRS].to_vec(),
            scc: wave.scc,
            pc,
        }
    }
}
