//! Pools: machine code of many short snippets, of which every wave takes its own walk.
//!
//! A driver compiles for a tenth of a second where one instruction is a float, so that programs that are each compiled alone would be few. A
//! pool is compiled once; which of its snippets a wave executes, and in which order, is in scalar registers of the wave: a byte for each. Behind
//! every snippet follows the same tail, which takes the next byte and jumps to the snippet of that number; number 0 is the end.
//!
//! ```text
//! s_cselect_b32 s64, 1, 0           SCC is kept: it flows from snippet to snippet
//! s_and_b32     s65, s62, 0xff
//! s_lshr_b64    s[62:63], s[62:63], 8
//! s_mul_i32     s65, s65, STRIDE    snippets are equally long
//! s_add_u32     s60, s65, BASE
//! s_cmp_lg_u32  s64, 0
//! s_setpc_b64   s[60:61]
//! ```
//!
//! Waves begin at the snippet that is their first, and among the waves of a dispatch each snippet is a first one, so that an engine which
//! looks for places that waves may jump to has them all.

use super::code::{self, LITERAL, Writer, int};
use super::coverage::Pair;
use super::memory::Contents;
use super::operand::SCALARS;
use crate::isa::Target;
use crate::program::Program;

/// Scalar registers of the pool: the address to jump to, the numbers that are left, two to compute with, and the lanes of the wave.
pub(super) const NEXT: u32 = SCALARS;
pub(super) const LEFT: u32 = SCALARS + 2;
const SCC: u32 = SCALARS + 4;
const NUMBER: u32 = SCALARS + 5;
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
    /// Words from snippet to snippet.
    stride: u32,
}

impl Pool {
    /// The program of some snippets.
    #[must_use]
    pub(super) fn new(number: u64, writer: Writer, snippets: Vec<Snippet>, contents: Option<Contents>) -> Pool {
        const TAIL: u32 = 10;
        let longest = snippets.iter().map(|s| s.words.len()).max().unwrap_or(0) as u32;
        let stride = longest + TAIL;
        let end = writer.sopp("s_endpgm", 0);
        let mut words = vec![end];
        for snippet in &snippets {
            words.resize(words.len().next_multiple_of(stride as usize), end);
            words.extend(&snippet.words);
            words.extend(tail(writer, stride));
        }
        // Whoever reads ahead finds words.
        words.resize(words.len() + 8, end);
        let target = writer.table.target;
        let program = Program::new(target, &words, BASE.into());
        Pool { number, target, snippets, program, contents, stride }
    }

    /// The step at which a snippet begins.
    #[must_use]
    pub(super) fn step(&self, snippet: u8) -> u32 {
        (u32::from(snippet) + 1) * self.stride
    }

    /// The numbers of all snippets of a walk but the first, as the tail takes them.
    #[must_use]
    pub(super) fn numbers(walk: &[u8]) -> u64 {
        walk.iter().skip(1).rev().fold(0, |all, n| all << 8 | (u64::from(*n) + 1))
    }
}

/// What stands behind every snippet.
fn tail(writer: Writer, stride: u32) -> Vec<u32> {
    vec![
        writer.sop2("s_cselect_b32", SCC, int(1), int(0)),
        writer.sop2("s_and_b32", NUMBER, LEFT, LITERAL),
        0xff,
        writer.sop2("s_lshr_b64", LEFT, LEFT, int(8)),
        writer.sop2("s_mul_i32", NUMBER, NUMBER, LITERAL),
        stride * 4,
        writer.sop2("s_add_u32", NEXT, NUMBER, LITERAL),
        BASE,
        writer.sopc("s_cmp_lg_u32", SCC, int(0)),
        writer.sop1("s_setpc_b64", 0, NEXT),
    ]
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
