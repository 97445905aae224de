//! The block of a wave: what it begins with, and in the same place what it leaves.
//!
//! ```text
//! words 0 .. 128     scalar registers, by operand code: s0 and up, VCC at 106, EXEC at 126
//! words 128 .. 192   the head: what is no such register, and what the frame is told
//! then               vector registers, a row of so many words as there are lanes each
//! ```
//!
//! A row is what a buffer access without any address reaches, since the lane's own number is added to it. The scalar words
//! fill whole rows too; those of the head lie within reach of the offsets of all generations, which on gfx6 end at 255 words.

use crate::engine::registers::Registers;
use crate::program::place::slot;

/// Words of the scalar registers.
pub const SCALARS: u32 = 128;
/// Words of the head.
pub const HEAD: u32 = 64;
/// Words in front of the vector registers.
pub const VECTORS: u32 = SCALARS + HEAD;

/// Words of the head, counted from the start of the block.
pub mod head {
    use super::SCALARS;

    /// Whether the group has this wave.
    pub const PRESENT: u32 = SCALARS;
    /// How many waves the group has beside the last.
    pub const OTHERS: u32 = SCALARS + 1;
    /// SCC.
    pub const SCC: u32 = SCALARS + 2;
    /// The number of the entry: read together with SCC.
    pub const ENTRY: u32 = SCALARS + 3;
    /// MODE.
    pub const MODE: u32 = SCALARS + 4;
    /// Sticky exceptions.
    pub const TRAPSTS: u32 = SCALARS + 5;
    /// The address of the first contents of LDS, of which each group has some; they come back in the same place.
    pub const LDS: u32 = SCALARS + 6;
    /// The address of the [words](super::group) of the group.
    pub const COUNTER: u32 = SCALARS + 8;
    /// FLAT_SCRATCH, where programs set it.
    pub const FLAT_SCRATCH: u32 = SCALARS + 10;
    /// Where the wave ended, in steps; [`NOWHERE`](super::NOWHERE) until it has.
    pub const END: u32 = SCALARS + 12;
    /// The clock in front of the program, two words.
    pub const BEGAN: u32 = SCALARS + 14;
    /// The clock behind it, two words.
    pub const ENDED: u32 = SCALARS + 16;
}

/// Words of a group, which are zero at first.
pub mod group {
    /// Waves that are done.
    pub const DONE: u32 = 0;
    /// Of waves that count their steps: the complement of the least number that was left to one at a barrier.
    pub const LEFT: u32 = 1;
    /// Not zero where a wave was paused.
    pub const PAUSED: u32 = 2;
    /// How many there are.
    pub const WORDS: u32 = 3;
}

/// Where a wave has ended that has not.
pub const NOWHERE: u32 = u32::MAX;
/// Added to where a wave is that was paused.
pub const PAUSED: u32 = 1 << 31;
/// The same of one that waits at a barrier for others that were paused in front of it.
pub const HELD: u32 = 1 << 30;

/// What blocks of a dispatch are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Lanes of a wave: words of a row.
    pub lanes: u32,
    /// Vector registers.
    pub vgprs: u32,
}

impl Layout {
    /// Words of a block.
    #[must_use]
    pub fn words(self) -> u32 {
        VECTORS + self.vgprs * self.lanes
    }

    /// Writes what a wave begins with. The caller fills in what the frame is told.
    pub fn encode(self, wave: &Registers, to: &mut [u32]) {
        to[..slot::SINK].copy_from_slice(&wave.s[..slot::SINK]);
        let mut put = |at: u32, v: u32| to[at as usize] = v;
        put(head::SCC, wave.scc.into());
        put(head::MODE, wave.mode);
        put(head::TRAPSTS, wave.trapsts);
        put(head::FLAT_SCRATCH, wave.scratch as u32);
        put(head::FLAT_SCRATCH + 1, (wave.scratch >> 32) as u32);
        put(head::END, NOWHERE);
        let lanes = self.lanes as usize;
        for (n, row) in to[VECTORS as usize..].chunks_mut(lanes).take(self.vgprs as usize).enumerate() {
            for (lane, word) in row.iter_mut().enumerate() {
                *word = wave.vgpr(n, lane);
            }
        }
    }

    /// Takes what a wave has left. Registers that the frame keeps, and others that it does not store, stay as they are: as at
    /// the start.
    pub fn decode(self, from: &[u32], stored: u128, wave: &mut Registers) {
        for code in (0..slot::SINK).filter(|code| stored >> code & 1 == 1) {
            wave.s[code] = from[code];
        }
        let get = |at: u32| from[at as usize];
        wave.scc = get(head::SCC) != 0;
        wave.mode = get(head::MODE);
        wave.trapsts = get(head::TRAPSTS);
        let lanes = self.lanes as usize;
        for (n, row) in from[VECTORS as usize..].chunks(lanes).take(self.vgprs as usize).enumerate() {
            for (lane, word) in row.iter().enumerate() {
                wave.set_vgpr(n, lane, *word);
            }
        }
    }
}
