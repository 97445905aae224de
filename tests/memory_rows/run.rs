//! What all families share: an instruction runs on the emulator and in the model, and all they
//! leave must be the same.

use crate::arith::{self, Floats};
use crate::bench::{self, Place};
use crate::chip::{Chip, v};
use crate::state::{BASE, BYTES, LDS, PRIVATE, Random, SHARED, Spot, State};
use crate::table::{Atomic, Moved, Op, Part};
use crate::text::{self, Said};
use std::collections::HashMap;
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::Stop;
use wavediff::engine::registers::default_mode;
use wavediff::launch::Apertures;
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;

/// What a lane does at a place.
#[derive(Clone, Copy)]
pub enum What<'a> {
    Load(Moved),
    Store(Moved),
    Atomic { atomic: &'a Atomic, returns: bool },
}

/// The first registers of the data, of a second operand, of the result.
#[derive(Clone, Copy)]
pub struct Registers {
    pub data: u32,
    pub data1: u32,
    pub dst: u32,
}

impl Registers {
    /// The same in a file that begins there.
    pub fn within(self, file: u32) -> Registers {
        Registers { data: self.data + file, data1: self.data1 + file, dst: self.dst + file }
    }
}

/// Runs instructions, and keeps what was wrong.
pub struct Bench {
    pub chip: Chip,
    programs: HashMap<String, Program>,
    /// The text that takes the place of the models.
    pub text: Option<Said>,
    pub wrong: Vec<String>,
    pub runs: u32,
}

impl Bench {
    pub fn new(chip: Chip) -> Bench {
        Bench { chip, programs: HashMap::new(), text: None, wrong: Vec::new(), runs: 0 }
    }

    /// Whether a line assembles.
    pub fn assembles(&self, text: &str) -> bool {
        bench::words(self.chip.target(), text).is_ok()
    }

    /// Runs a line on the emulator, and `model` on the same state.
    pub fn check(&mut self, text: &str, state: &State, model: impl FnOnce(&mut State)) {
        let target = self.chip.target();
        if !self.programs.contains_key(text) {
            match bench::words(target, text) {
                Ok(words) => {
                    self.programs.insert(text.to_owned(), Program::new(target, &words, 0x8000));
                }
                Err(e) => return self.wrong.push(e),
            }
        }
        let program = &self.programs[text];
        let plan = Plan::new(program);
        let mut wave = Wave::new(&plan, self.chip.lanes);
        for (cell, x) in wave.file.iter().zip(&state.v) {
            cell.set(*x);
        }
        wave.s[..128].copy_from_slice(&state.s);
        wave.scratch = state.scratch();
        wave.set_mode(default_mode(target) & !0xf0 | state.denormals << 4);
        let mut memory = Memory::new();
        memory.map_bytes("memory", BASE, &state.bytes[..BYTES], true).expect("a region");
        let mut lds = Lds::new(LDS);
        for (word, bytes) in lds.words_mut().iter_mut().zip(state.bytes[BYTES..].chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
        let mut expected = state.clone();
        expected.text.clone_from(&self.text);
        model(&mut expected);
        // Where nothing asked the text there is nothing to compare with it.
        if self.text.is_some() && !expected.spoken {
            return;
        }
        self.runs += 1;
        let apertures = Apertures { shared: SHARED, private: PRIVATE };
        Place { memory: &memory, lds: &mut lds, apertures }.run(&plan, &mut wave);
        let difference = if wave.stop == Some(Stop::End) {
            difference(&wave, &memory, &lds, &expected)
        } else {
            Some(format!("{:?}", wave.stop))
        };
        if let Some(difference) = difference {
            let Chip { name, lanes, .. } = self.chip;
            self.wrong.push(format!("{name} wave{lanes} exec {:#x}: {text}: {difference}", state.exec()));
        }
    }
}

/// The first thing that a wave left otherwise than expected.
fn difference(wave: &Wave, memory: &Memory, lds: &Lds, expected: &State) -> Option<String> {
    let registers = wave.file.iter().zip(&expected.v).position(|(cell, x)| cell.get() != *x);
    if let Some(at) = registers {
        let (got, wanted) = (wave.file[at].get(), expected.v[at]);
        return Some(format!("{} of lane {} is {got:#x}, not {wanted:#x}", v(at as u32 / 64, 1), at % 64));
    }
    if let Some(at) = (0..128).find(|n| wave.s[*n] != expected.s[*n]) {
        return Some(format!("s{at} is {:#x}, not {:#x}", wave.s[at], expected.s[at]));
    }
    let mut bytes = vec![0; BYTES];
    memory.read_bytes(BASE, &mut bytes).expect("mapped");
    bytes.extend(lds.words().iter().flat_map(|word| word.to_le_bytes()));
    let at = bytes.iter().zip(&expected.bytes).position(|(a, b)| a != b)?;
    let (space, place) = if at < BYTES { ("memory", at) } else { ("LDS", at - BYTES) };
    Some(format!("byte {place:#x} of {space} is {:#x}, not {:#x}", bytes[at], expected.bytes[at]))
}

impl State {
    /// Does something in every active lane, at the places that `place` gives.
    pub fn perform(&mut self, what: What<'_>, r: Registers, in_lds: bool, place: &Placer<'_>) {
        for lane in self.lanes() {
            let spots = place(self, lane);
            self.perform_lane(what, r, in_lds, lane, &spots);
        }
    }

    /// Does something in one lane, whose bytes are at some places.
    pub fn perform_lane(&mut self, what: What<'_>, r: Registers, in_lds: bool, lane: u32, spots: &[Spot]) {
        if let Some(said) = self.text.clone() {
            return text::lane(self, &said, what, r, lane, spots);
        }
        match what {
            What::Load(moved) => self.load(moved, r.dst, lane, spots),
            What::Store(moved) => {
                for (n, part) in spots.chunks(moved.bytes as usize).enumerate() {
                    let word = self.v(r.data + n as u32, lane);
                    self.write(part, u64::from(if moved.part == Part::High { word >> 16 } else { word }));
                }
            }
            What::Atomic { atomic, returns } => {
                let operand = |at| if atomic.bits == 64 { self.v64(at, lane) } else { self.v(at, lane).into() };
                let operands = (operand(r.data), operand(r.data1));
                let old = self.modify(atomic, in_lds, spots, operands);
                if returns {
                    self.set_v(r.dst, lane, old as u32);
                    if atomic.bits == 64 {
                        self.set_v(r.dst + 1, lane, (old >> 32) as u32);
                    }
                }
            }
        }
    }

    /// Loads registers of a lane.
    pub fn load(&mut self, moved: Moved, dst: u32, lane: u32, spots: &[Spot]) {
        for (n, part) in spots.chunks(moved.bytes as usize).enumerate() {
            let x = extended(moved, self.read(part));
            let old = self.v(dst + n as u32, lane);
            let new = match moved.part {
                Part::Whole => x,
                Part::Low => old & 0xffff_0000 | x & 0xffff,
                Part::High => old & 0xffff | x << 16,
            };
            self.set_v(dst + n as u32, lane, new);
        }
    }

    /// Does an atomic at a place, and gives what was there. Nowhere, that is 0.
    pub fn modify(&mut self, atomic: &Atomic, in_lds: bool, spots: &[Spot], operands: (u64, u64)) -> u64 {
        let old = self.read(spots);
        let (data, other) = if atomic.compare_first { (operands.1, operands.0) } else { operands };
        let new = arith::apply(atomic.op, atomic.bits, old, data, other, self.floats(atomic, in_lds));
        self.write(spots, new);
        old
    }

    /// MEMORY_FACTS 14: sums of f32 follow MODE in LDS; in memory gfx90a flushes and the others
    /// keep; wide and packed sums keep. Comparisons follow MODE.
    fn floats(&self, atomic: &Atomic, in_lds: bool) -> Floats {
        let bit = |n: u32| self.denormals >> if atomic.bits == 64 { n + 2 } else { n } & 1 == 0;
        let (flush_in, flush_out) = match (atomic.op, atomic.bits) {
            (Op::FAdd, 32) if in_lds => (bit(0), bit(1)),
            (Op::FAdd, 32) => (self.chip.is("gfx90a"), self.chip.is("gfx90a")),
            (Op::FAdd | Op::PkAddF16 | Op::PkAddBf16, _) => (false, false),
            _ => (bit(0), false),
        };
        Floats { flush_in, flush_out, number: self.chip.generation == 12 }
    }
}

/// The bytes of a lane's access.
pub type Placer<'a> = dyn Fn(&State, u32) -> Vec<Spot> + 'a;

/// A component of a load, extended to a register.
pub fn extended(moved: Moved, x: u64) -> u32 {
    let unused = 32 - 8 * moved.bytes;
    if moved.signed { (((x as u32) << unused) as i32 >> unused) as u32 } else { x as u32 }
}

/// The numbers of an atomic: what memory is full of, and the data.
pub fn numbers(atomic: &Atomic) -> Vec<u64> {
    if atomic.op.is_float() { arith::floats(atomic.op, atomic.bits) } else { arith::integers(atomic.bits) }
}

/// How often the numbers of an atomic must be dealt so that lanes see every pair of them.
pub fn rounds(chip: Chip, atomic: &Atomic) -> u32 {
    let count = numbers(atomic).len() as u32;
    count.div_ceil(chip.lanes / count)
}

impl State {
    /// Fills memory and LDS with the numbers of an atomic.
    pub fn fill_memory(&mut self, atomic: &Atomic) {
        let numbers = numbers(atomic);
        let size = atomic.bits as usize / 8;
        for (n, bytes) in self.bytes.chunks_exact_mut(size).enumerate() {
            bytes.copy_from_slice(&numbers[n % numbers.len()].to_le_bytes()[..size]);
        }
    }

    /// The operands of a lane in a round. The second is what memory holds in every other lane, and
    /// its neighbour among the numbers in others.
    pub fn operands(&self, atomic: &Atomic, round: u32, lane: u32, spots: &[Spot]) -> (u64, u64) {
        let numbers = numbers(atomic);
        let count = numbers.len() as u32;
        let mem = self.read(spots);
        let number = |n: u32| numbers[(n % count) as usize];
        let place = numbers.iter().position(|n| *n == mem).unwrap_or(0) as u32;
        let data = number(lane / count + round * (self.chip.lanes / count));
        let other = match lane % 4 {
            0 | 2 => mem,
            1 => number(place + 1),
            _ => number(lane * 7 + round),
        };
        // What is conditional has its flag in half of the lanes.
        let data = if atomic.op == Op::CondXchg && lane & 1 != 0 { data ^ 1 << 63 } else { data };
        if atomic.compare_first { (other, data) } else { (data, other) }
    }

    /// Deals the operands of an atomic to its registers.
    pub fn deal(&mut self, atomic: &Atomic, r: Registers, round: u32, place: &Placer<'_>) {
        for lane in 0..self.chip.lanes {
            let spots = place(self, lane);
            let (data, other) = self.operands(atomic, round, lane, &spots);
            let mut put = |at: u32, x: u64| {
                self.set_v(at, lane, x as u32);
                if atomic.bits == 64 {
                    self.set_v(at + 1, lane, (x >> 32) as u32);
                }
            };
            put(r.data, data);
            if atomic.op.takes_two() {
                put(r.data1, other);
            }
        }
    }

    /// Other numbers in registers and memory than those of the beginning.
    pub fn shuffle(&mut self, seed: u64) {
        let mut random = Random(seed);
        self.bytes.iter_mut().for_each(|byte| *byte = random.next() as u8);
    }
}
