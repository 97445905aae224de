//! Memory instructions on the emulator, against what the manuals' formulas give by hand.
//!
//! A test assembles a few lines, plans them, runs one wave and looks at its registers, at guest memory and at LDS. Old names of instructions
//! assemble on all generations that have them, so that most tests are one line of text for all processors.

#[path = "support/bench.rs"]
mod bench;

#[path = "emu_memory/atomics.rs"]
mod atomics;
#[path = "emu_memory/buffer.rs"]
mod buffer;
#[path = "emu_memory/coverage.rs"]
mod coverage;
#[path = "emu_memory/ds.rs"]
mod ds;
#[path = "emu_memory/flat.rs"]
mod flat;
#[path = "emu_memory/formats.rs"]
mod formats;
#[path = "emu_memory/images.rs"]
mod images;
#[path = "emu_memory/levels.rs"]
mod levels;
#[path = "emu_memory/smem.rs"]
mod smem;
#[path = "support/thorough.rs"]
mod thorough;

use bench::Place;
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::Stop;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::launch::Apertures;
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;

/// One processor of each kind.
pub(crate) const PROCESSORS: [&str; 8] =
    ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"];

/// Where most tests have their buffer.
pub(crate) const BASE: u64 = 0x10_0000_1000;

pub(crate) fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

/// With waves of some lanes, where the processor has them.
pub(crate) fn with_wave(target: Target, lanes: u32) -> Target {
    target.wave(lanes).unwrap_or(target)
}

/// The processors from one generation on.
pub(crate) fn from(first: Gen) -> impl Iterator<Item = Target> {
    PROCESSORS.into_iter().map(target).filter(move |t| t.generation() >= first)
}

/// A machine with one wave.
pub(crate) struct Machine {
    pub(crate) target: Target,
    pub(crate) lanes: u32,
    pub(crate) memory: Memory,
    pub(crate) lds: Lds,
}

impl Machine {
    /// With a buffer of `words` words at [`BASE`]: word n is `0x0302_0100 + n * 0x0404_0404`, so that byte n is n for a while. LDS of
    /// 1 KiB has the same contents.
    pub(crate) fn new(target: Target, words: u32) -> Machine {
        let mut memory = Memory::new();
        let bytes: Vec<u8> = (0..words).flat_map(|n| counting(n).to_le_bytes()).collect();
        memory.map_bytes("buffer", BASE, &bytes, true).expect("a region");
        let mut lds = Lds::new(1024);
        for (n, word) in (0..).zip(lds.words_mut()) {
            *word = counting(n);
        }
        Machine { target, lanes: if target.generation() >= Gen::Gfx10 { 32 } else { 64 }, memory, lds }
    }

    /// Runs some lines after `setup`, to the end or a trap.
    pub(crate) fn run(&mut self, text: &str, setup: impl FnOnce(&mut Wave)) -> Wave {
        let words = bench::words(with_wave(self.target, self.lanes), text).unwrap_or_else(|e| panic!("{e}"));
        self.run_words(&words, setup)
    }

    /// As [`Machine::run`], for what has no text.
    pub(crate) fn run_words(&mut self, words: &[u32], setup: impl FnOnce(&mut Wave)) -> Wave {
        let program = Program::new(with_wave(self.target, self.lanes), words, 0x8000);
        let plan = Plan::new(&program);
        let mut wave = Wave::new(&plan, self.lanes);
        set_m0(&mut wave, u32::MAX);
        setup(&mut wave);
        let place = Place { memory: &self.memory, lds: &mut self.lds, apertures: Apertures::default() };
        place.run(&plan, &mut wave);
        wave
    }

    /// As [`Machine::run`], and must come to the end.
    pub(crate) fn done(&mut self, text: &str, setup: impl FnOnce(&mut Wave)) -> Wave {
        let wave = self.run(text, setup);
        assert_eq!(wave.stop, Some(Stop::End), "{}: {text}", self.target.arch.name);
        wave
    }

    /// As [`Machine::run`], and must fail in memory: gives address and lane.
    pub(crate) fn fault(&mut self, text: &str, setup: impl FnOnce(&mut Wave)) -> (u64, u32) {
        match self.run(text, setup).stop.take() {
            Some(Stop::Trap(cause)) if cause.address.is_some() => (cause.address.unwrap_or(0), cause.lane.unwrap_or(0)),
            stop => panic!("{}: {text}: {stop:?}", self.target.arch.name),
        }
    }

    pub(crate) fn bytes(&self, address: u64, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.memory.read_bytes(address, &mut bytes).expect("mapped");
        bytes
    }

    /// A word of guest memory.
    pub(crate) fn word(&self, address: u64) -> u32 {
        u32::from_le_bytes(self.bytes(address, 4).try_into().expect("four bytes"))
    }

    pub(crate) fn set_word(&self, address: u64, v: u32) {
        self.memory.write_bytes(address, &v.to_le_bytes()).expect("mapped");
    }
}

/// Word n of a fresh buffer.
pub(crate) fn counting(n: u32) -> u32 {
    0x0302_0100u32.wrapping_add(n.wrapping_mul(0x0404_0404))
}

pub(crate) fn set_m0(wave: &mut Wave, v: u32) {
    let code = wavediff::isa::regs::m0_code(wave.env.target.generation());
    wave.s[usize::from(code)] = v;
}

/// Writes a register in all lanes.
pub(crate) fn fill(wave: &mut Wave, register: usize, v: impl Fn(u32) -> u32) {
    for lane in 0..wave.lanes {
        wave.set_vgpr(register, lane as usize, v(lane));
    }
}

/// Writes a pair of registers in all lanes.
pub(crate) fn fill64(wave: &mut Wave, register: usize, v: impl Fn(u32) -> u64) {
    fill(wave, register, |lane| v(lane) as u32);
    fill(wave, register + 1, |lane| (v(lane) >> 32) as u32);
}

/// A register in all lanes.
pub(crate) fn vgpr(wave: &Wave, register: usize) -> Vec<u32> {
    (0..wave.lanes).map(|lane| wave.vgpr(register, lane as usize)).collect()
}
