//! What the benches of the emulator share: programs from text, loops, and measurements that take turns.
#![allow(dead_code, reason = "each bench takes a part of it")]

pub mod image;

use std::time::Instant;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::isa::{Arch, Target};
use wavediff::program::Program;

/// The program of a text on a processor, in its usual waves.
pub fn program(gpu: &str, source: &str) -> Program {
    program_of(Target::new(Arch::find(gpu).expect(gpu)), source)
}

/// The program of a text on a target.
pub fn program_of(target: Target, source: &str) -> Program {
    let module = match assemble("bench.s", source, &Assembler::new(target), target) {
        Ok(module) => module,
        Err(problems) => panic!("{source}{problems:?}"),
    };
    let text = module.sections.iter().find(|s| s.name == ".text").map(|s| &s.bytes[..]).unwrap_or_default();
    let words: Vec<u32> = text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Program::new(target, &words, 0x1000)
}

/// `body` many times over, for long enough that the start does not count. It counts in `s40`.
pub fn looped(body: &str, times: usize) -> String {
    format!(
        "s_mov_b32 s40, {times}\nagain:\n{body}s_sub_u32 s40, s40, 1\ns_cmp_lg_u32 s40, 0\ns_cbranch_scc1 again\ns_endpgm\n"
    )
}

/// A value for each lane, aligned as registers are: loops over lanes that cross cache lines take half as long again.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Row<T>(pub [T; 64]);

/// The least time of each of some pieces of work that take turns, in seconds.
pub fn in_turn<const COUNT: usize>(turns: usize, mut work: [&mut dyn FnMut(); COUNT]) -> [f64; COUNT] {
    let mut best = [f64::INFINITY; COUNT];
    for _ in 0..turns {
        for (best, work) in best.iter_mut().zip(&mut work) {
            let begin = Instant::now();
            work();
            *best = best.min(begin.elapsed().as_secs_f64());
        }
    }
    best
}
