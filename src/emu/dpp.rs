//! DPP: lanes that read an operand of other lanes.
//!
//! Which lane reads which follows from the control word and the size of the wave, and so do the lanes whose source is none; both are looked
//! up once, when a program is planned. What is left to ask is EXEC: an inactive source is read only by instructions that say so, and else
//! is 0 ("bound control"), or the lane is not written.

use super::kernel::STRIDE;
use super::wave::Wave;
use crate::fault::planted;
use crate::program;

/// How an instruction moves lanes.
pub struct Dpp {
    /// In waves of 32 lanes and of 64.
    moves: [Moves; 2],
    /// What has no source is 0.
    bound: bool,
    /// Inactive lanes are read.
    inactive: bool,
}

/// The lanes of a wave.
struct Moves {
    /// Which lane each reads.
    sources: [u32; STRIDE],
    /// Those that have a source.
    inside: u64,
    /// Those that the masks of rows and banks let be written.
    written: u64,
}

impl Dpp {
    /// What a step asks for.
    #[must_use]
    pub fn new(of: program::Dpp) -> Dpp {
        let (bound, inactive) = match of {
            program::Dpp::Eight { inactive, .. } => {
                (!planted!(Dpp8InactiveKeeps), inactive && !planted!(Dpp8FetchIgnored))
            }
            program::Dpp::Sixteen { bound, inactive, .. } => (
                bound && !planted!(DppBoundIgnored),
                inactive && !planted!(DppFetchIgnored) || planted!(DppReadsInactive),
            ),
        };
        Dpp { moves: [32, 64].map(|lanes| Moves::new(of, lanes)), bound, inactive }
    }

    /// For the wave as it is: which lane each reads, the lanes that read, where others have 0, and those that may be written.
    #[inline]
    pub(super) fn lanes(&self, wave: &Wave) -> (&[u32; STRIDE], u64, u64) {
        let Moves { sources, inside, written } = &self.moves[usize::from(wave.lanes == 64)];
        let reads = if self.inactive { *inside } else { inside & wave.active_sources(sources) };
        (sources, reads, if self.bound { *written } else { reads & written })
    }
}

impl Moves {
    fn new(of: program::Dpp, lanes: u32) -> Moves {
        let mut moves = Moves { sources: [0; STRIDE], inside: 0, written: 0 };
        for lane in 0..lanes {
            let (source, inside) = source_lane(of, lane, lanes);
            moves.sources[lane as usize] = source;
            moves.inside |= u64::from(inside) << lane;
            moves.written |= u64::from(is_written(of, lane)) << lane;
        }
        moves
    }
}

/// Whether the masks let a lane be written.
fn is_written(of: program::Dpp, lane: u32) -> bool {
    let program::Dpp::Sixteen { rows, banks, .. } = of else { return true };
    let row = rows >> (lane / 16) & 1 != 0 || planted!(DppRowMaskIgnored);
    let bank = banks >> (lane % 16 / 4) & 1 != 0 || planted!(DppBankMaskIgnored);
    row && bank
}

/// Which lane a lane reads, and whether there is one.
fn source_lane(of: program::Dpp, lane: u32, lanes: u32) -> (u32, bool) {
    match of {
        program::Dpp::Eight { lanes: select, .. } => {
            let at = if planted!(Dpp8Reversed) { !lane & 7 } else { lane & 7 };
            (lane & !7 | select >> (3 * at) & 7, true)
        }
        program::Dpp::Sixteen { control, .. } => dpp16_source(u32::from(control), lane, lanes),
    }
}

/// The source lane of a DPP control word, and whether there is one.
fn dpp16_source(control: u32, lane: u32, lanes: u32) -> (u32, bool) {
    let (row, i) = (lane & !15, lane & 15);
    let n = control & 15;
    match control {
        0x000..=0x0ff if planted!(DppQuadReversed) => (lane & !3 | control >> (2 * (!lane & 3)) & 3, true),
        0x000..=0x0ff => (lane & !3 | control >> (2 * (lane & 3)) & 3, true),
        0x101..=0x10f if planted!(DppRowShiftsSwapped) => (row | i.wrapping_sub(n) & 15, i >= n),
        0x101..=0x10f => (row | (i + n) & 15, i + n < 16 || planted!(DppRowShlWraps)),
        0x111..=0x11f => (row | i.wrapping_sub(n) & 15, i >= n || planted!(DppRowShrWraps)),
        0x121..=0x12f if planted!(DppRowRorLeft) => (row | (i + n) & 15, true),
        0x121..=0x12f => (row | i.wrapping_sub(n) & 15, true),
        0x130 => ((lane + 1) % lanes, lane + 1 < lanes || planted!(DppWaveShlWraps)),
        0x134 => ((lane + 1) % lanes, lane + 1 < lanes || !planted!(DppWaveRolStops)),
        0x138 => (lane.wrapping_sub(1) % lanes, lane > 0 || planted!(DppWaveShrWraps)),
        0x13c => (lane.wrapping_sub(1) % lanes, true),
        0x140 => (if planted!(DppMirrorHalf) { lane ^ 7 } else { row | (15 - i) }, true),
        0x141 => (if planted!(DppHalfMirrorQuad) { lane ^ 3 } else { lane ^ 7 }, true),
        0x142 if planted!(DppRowBcast15First) => (row.wrapping_sub(16) % lanes, row > 0),
        0x142 => (row.wrapping_sub(1) % lanes, row > 0),
        0x143 => (31, lane >= 32 || lane >= 16 && planted!(DppRowBcast31Early)),
        0x150..=0x15f => (if planted!(DppRowShareFirstRow) { lane & !31 | n } else { row | n }, true),
        0x160..=0x16f => (if planted!(DppRowXmaskAdds) { row | (i + n) & 15 } else { row | i ^ n }, true),
        _ => (lane, false),
    }
}
