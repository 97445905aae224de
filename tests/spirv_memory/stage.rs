//! The stage on which an instruction runs: memory of its own, and registers that make sense for it.

use wavediff::emu::plan::Program;
use wavediff::emu::run::Apertures;
use wavediff::emu::wave::Wave;
use wavediff::isa::{Gen, Target, regs};
use wavediff::laws::Chance;
use wavediff::memory::guest::Memory;
use wavediff::suite::addresses::Addresses;

/// Bytes of LDS.
pub const LDS: u32 = 1024;
/// Where the memory of the groups begins, and how far that of one is from the next.
const DATA: u64 = 0x10_0000_1000;
const APART: u64 = 0x1_0000;
/// The first of two neighbouring regions ends inside a word.
const FIRST: u64 = 2050;
const SECOND: u64 = 3000;
/// Scratch memory of a group: 64 lanes with 64 words.
const SCRATCH: u64 = 0x20_0000_0000;
const SCRATCH_BYTES: u64 = 64 * 256;

/// An instruction, and the number that its registers follow from.
pub struct Sample {
    pub words: Vec<u32>,
    pub kind: u32,
}

pub struct Stage {
    target: Target,
    pub lanes: u32,
    pub memory: Memory,
    pub apertures: Apertures,
}

/// Where the memory of a group begins: at any byte.
fn first(group: u64, kind: u32) -> u64 {
    DATA + group * APART + u64::from(kind / 2 % 4)
}

/// The first contents of LDS.
pub fn fill(group: u32, words: &mut [u32]) {
    let mut chance = Chance::new(u64::from(group) + 99);
    words.fill_with(|| chance.next_u64() as u32);
}

impl Stage {
    pub fn new(target: Target, samples: &[Sample]) -> Stage {
        let mut memory = Memory::new();
        for (n, sample) in (0..).zip(samples) {
            let mut chance = Chance::new(n);
            let base = first(n, sample.kind);
            let mut map = |base: u64, len: u64| {
                let bytes: Vec<u8> = (0..len).map(|_| chance.next_u64() as u8).collect();
                memory.map_bytes(&format!("{base:x}"), base, &bytes, true).expect("a region");
            };
            map(base, FIRST);
            map(base + FIRST, SECOND);
            map(SCRATCH + n * SCRATCH_BYTES, SCRATCH_BYTES);
        }
        Stage {
            target,
            lanes: if target.generation() >= Gen::Gfx10 { 32 } else { 64 },
            memory,
            apertures: wavediff::emu::launch::apertures(target.arch),
        }
    }

    pub fn bytes(&self) -> Vec<Vec<u8>> {
        self.memory.regions().iter().map(|r| r.to_bytes()).collect()
    }

    pub fn setup(&self, samples: &[Sample], program: &(Program, Vec<u32>), n: usize, wave: &mut Wave) {
        let kind = samples[n].kind;
        let mut chance = Chance::new(u64::from(kind) << 8);
        wave.pc = program.1[n];
        for register in 0..256 {
            for lane in 0..self.lanes as usize {
                wave.set_vgpr(register, lane, chance.next_u64() as u32);
            }
        }
        for register in 0..102 {
            wave.s[register] = chance.next_u64() as u32;
        }
        wave.set_exec(if kind % 3 == 1 { 0xa5a5_f00f_0ff0_1234 } else { u64::MAX } & (u64::MAX >> (64 - self.lanes)));
        let m0 = [u32::MAX, 600, 64, 0x1_0010][(kind / 2 % 4) as usize];
        wave.s[usize::from(regs::m0_code(self.target.generation()))] = m0;
        let step = &program.0.steps[program.1[n] as usize];
        let Some(access) = step.memory.as_deref() else { return };
        let family = step.family().expect("a row");
        let scratch = SCRATCH + n as u64 * SCRATCH_BYTES;
        let addresses = Addresses { target: self.target, lanes: self.lanes, apertures: self.apertures };
        addresses.put(wave, (access, family), (first(n as u64, kind), scratch), kind);
    }
}
