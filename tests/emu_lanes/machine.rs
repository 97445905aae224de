//! A wave on each of some processors: lines are assembled, planned, run, and what they left is looked at.

use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::emu::group::{self, Group, Sent};
use wavediff::emu::kernel::Level;
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::Stop;
use wavediff::engine::dispatch::Limits;
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;

/// A processor and the width of its waves.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    pub name: &'static str,
    pub lanes: u32,
}

const fn machine(name: &'static str, lanes: u32) -> Machine {
    Machine { name, lanes }
}

/// One processor of each kind, in every width.
pub const MACHINES: [Machine; 14] = [
    machine("gfx600", 64),
    machine("gfx700", 64),
    machine("gfx803", 64),
    machine("gfx900", 64),
    machine("gfx908", 64),
    machine("gfx90a", 64),
    machine("gfx940", 64),
    machine("gfx942", 64),
    machine("gfx1030", 32),
    machine("gfx1030", 64),
    machine("gfx1100", 32),
    machine("gfx1100", 64),
    machine("gfx1200", 32),
    machine("gfx1200", 64),
];

/// The machines whose names are among `names`.
pub fn machines(names: &[&str]) -> impl Iterator<Item = Machine> {
    let chosen: Vec<Machine> = MACHINES.into_iter().filter(|m| names.contains(&m.name)).collect();
    assert!(!chosen.is_empty(), "{names:?}");
    chosen.into_iter()
}

impl Machine {
    pub fn target(self) -> Target {
        let arch = Arch::find(self.name).expect("a processor");
        let target = Target::new(arch);
        if arch.has_wave32() { target.wave(self.lanes).expect("a width it has") } else { target }
    }

    /// The words of lines.
    pub fn words(self, lines: &[&str]) -> Vec<u32> {
        let assembler = Assembler::new(self.target());
        let mut words = Vec::new();
        for line in lines {
            let encoded = assembler.encode(line, &NoSymbols).unwrap_or_else(|e| panic!("{self:?}: {line}: {e:?}"));
            words.extend_from_slice(&encoded.words[..usize::from(encoded.len)]);
        }
        words
    }

    /// Runs lines, with an end behind them, from a state that `setup` makes.
    pub fn run(self, lines: &[&str], setup: impl FnOnce(&mut Wave)) -> Wave {
        let mut words = self.words(lines);
        words.extend(self.words(&["s_endpgm"]));
        let wave = self.run_words(&words, setup);
        assert_eq!(wave.stop, Some(Stop::End), "{self:?}: {lines:?}");
        wave
    }

    /// Runs words, whatever they are.
    pub fn run_words(self, words: &[u32], setup: impl FnOnce(&mut Wave)) -> Wave {
        self.run_at(Level::of_host(), words, setup)
    }

    /// Runs words with the kernels of a level.
    pub fn run_at(self, level: Level, words: &[u32], setup: impl FnOnce(&mut Wave)) -> Wave {
        self.run_sending(level, words, setup).0
    }

    /// What lines send, from a state that `setup` makes.
    pub fn messages(self, lines: &[&str], setup: impl FnOnce(&mut Wave)) -> Vec<Sent> {
        let mut words = self.words(lines);
        words.extend(self.words(&["s_endpgm"]));
        self.run_sending(Level::of_host(), &words, setup).1
    }

    fn run_sending(self, level: Level, words: &[u32], setup: impl FnOnce(&mut Wave)) -> (Wave, Vec<Sent>) {
        let program = Program::new(self.target(), words, 0x1000);
        let plan = Plan::at(level, &program);
        let memory = Memory::new();
        let mut wave = Wave::new(&plan, self.lanes);
        setup(&mut wave);
        let mut group = Group::of_one(&plan, &memory, Lds::new(65536));
        group::wave(&mut wave, &mut group, Limits { instructions: 1000, ..Limits::default() });
        (wave, group.messages)
    }
}

/// Gives each lane of a register a value of its own: the register's number times 256, and the lane.
pub fn ramp(wave: &Wave, register: usize) {
    for lane in 0..64 {
        wave.set_vgpr(register, lane, mark(register, lane));
    }
}

/// What [`ramp`] puts in a lane.
pub fn mark(register: usize, lane: usize) -> u32 {
    (register * 256 + lane) as u32
}

/// The lanes of a register.
pub fn lanes(wave: &Wave, register: usize) -> Vec<u32> {
    (0..wave.lanes as usize).map(|lane| wave.vgpr(register, lane)).collect()
}
