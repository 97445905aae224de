//! Pools: machine code of many short snippets, of which every wave takes its own walk.
//!
//! A driver compiles for a tenth of a second where one instruction is a float, so that programs that are each compiled alone would be few. A
//! pool is compiled once; which of its snippets a wave executes, and in which order, is in scalar registers of the wave: a byte for each,
//! and 0 for the end. How a wave gets [from one to the next](super::jumps) is a matter of what the engines take.
//!
//! Waves begin at the snippet that is their first, and among the waves of a dispatch each snippet is a first one, so that an engine which
//! looks for places that waves may jump to has them all.

use super::code::{self, Writer};
use super::coverage::Pair;
use super::jumps::Jumps;
use super::memory::Contents;
use super::operand::SCALARS;
use crate::isa::Target;
use crate::program::Program;

/// Scalar registers of the pool: the address to jump to, the numbers that are left, two to compute with, and the lanes of the wave.
pub(super) const NEXT: u32 = SCALARS;
pub(super) const LEFT: u32 = SCALARS + 2;
pub(super) const SCC: u32 = SCALARS + 4;
pub(super) const NUMBER: u32 = SCALARS + 5;
/// The lanes that the wave began with.
pub(super) const LANES: u32 = SCALARS + 6;
/// Saved masks and counters of nested conditions and loops: as many as there are.
pub(super) const SAVED: u32 = 86;
/// The first word of the pool.
pub(super) const BASE: u32 = 1 << 20;
/// The most snippets of a walk: the first, and a byte for each other one; the last byte is the end.
pub const LONGEST: usize = 8;

/// A register that the instruction of a snippet reads: its code, counted as operands count, its type, and what stands there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub code: u32,
    pub ty: crate::isa::operand::Ty,
    pub source: u8,
}

/// A few instructions that are entered at the first and left behind the last.
#[derive(Clone, Debug)]
pub struct Snippet {
    /// Their words.
    pub words: Vec<u32>,
    /// The row that they are about.
    pub row: &'static str,
    /// What is tried by them.
    pub(super) pairs: Vec<Pair>,
    /// What the instruction reads.
    pub(super) reads: Vec<Read>,
    /// Which form of which row it is.
    pub(super) shape: u64,
}

/// Snippets as one program.
pub struct Pool {
    /// The number of the pool: with the seed and the version it says what is in it.
    pub number: u64,
    /// The target.
    pub target: Target,
    /// The snippets.
    pub snippets: Vec<Snippet>,
    /// The program.
    pub program: Program,
    /// What waves find in memory, where they look.
    pub(super) contents: Option<Contents>,
    /// The step at which each snippet begins.
    starts: Vec<u32>,
}

impl Pool {
    /// The program of some snippets.
    #[must_use]
    pub(super) fn new(
        number: u64,
        writer: Writer,
        jumps: Jumps,
        snippets: Vec<Snippet>,
        contents: Option<Contents>,
    ) -> Pool {
        let (words, starts) = jumps.between(writer, &snippets);
        let target = writer.table.target;
        let program = Program::new(target, &words, BASE.into());
        Pool { number, target, snippets, program, contents, starts }
    }

    /// The step at which a snippet begins.
    #[must_use]
    pub(super) fn step(&self, snippet: u8) -> u32 {
        self.starts.get(usize::from(snippet)).copied().unwrap_or(0)
    }

    /// The numbers of all snippets of a walk but the first, as they are taken.
    #[must_use]
    pub(super) fn numbers(walk: &[u8]) -> u64 {
        walk.iter().skip(1).rev().fold(0, |all, n| all << 8 | (u64::from(*n) + 1))
    }
}

/// What stands in front of an instruction: mostly the lanes of the wave become active, sometimes others.
pub(super) fn lanes(writer: Writer, chance: &mut crate::laws::Chance) -> Vec<u32> {
    match chance.below(8) {
        0..4 => vec![writer.mask1("s_mov", code::EXEC, LANES)],
        4 => {
            let masks = [u32::MAX, 0xaaaa_5555, 1, 0x8000_0000, chance.next_u64() as u32];
            let mut pick = || masks[chance.below(masks.len())];
            [writer.mov(code::EXEC, pick()), writer.mov(code::EXEC + 1, pick())].concat()
        }
        _ => Vec::new(),
    }
}
