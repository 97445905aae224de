//! One wave by itself: lines to words, and words run in memory and LDS that the test brings along.

use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::emu::group::{self, Group};
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::dispatch::Limits;
use wavediff::isa::Target;
use wavediff::launch::Apertures;
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;

/// The words of lines that semicolons separate, with an end behind them.
///
/// # Errors
/// The line that does not assemble, and why.
pub fn words(target: Target, text: &str) -> Result<Vec<u32>, String> {
    let assembler = Assembler::new(target);
    let mut words = Vec::new();
    for line in text.split(';').map(str::trim).chain(["s_endpgm"]) {
        let encoded = assembler.encode(line, &NoSymbols).map_err(|e| format!("{}: {line}: {e}", target.arch.name))?;
        words.extend(&encoded.words[..usize::from(encoded.len)]);
    }
    Ok(words)
}

/// What surrounds a wave.
pub struct Place<'a> {
    pub memory: &'a Memory,
    pub lds: &'a mut Lds,
    pub apertures: Apertures,
}

impl Place<'_> {
    /// Runs a wave until it stops, a hundred instructions at most.
    pub fn run(self, plan: &Plan<'_>, wave: &mut Wave) {
        let mut group = Group {
            apertures: self.apertures,
            scratch_per_lane: 256,
            ..Group::of_one(plan, self.memory, std::mem::take(self.lds))
        };
        group::wave(wave, &mut group, Limits { instructions: 100, ..Limits::default() });
        *self.lds = group.lds;
    }
}
