//! Operations run through the emulator on random operands, in every mode, and compared with [reference].
//!
//! An operation is assembled several times, for registers of its own each, and executed by a wave of 64 lanes; so the vector kernels, what they leave to the
//! exact arithmetic, and the exact arithmetic itself take part. What is drawn depends on the seed, the operation and the mode alone.

pub mod inputs;
pub mod operations;
pub mod reference;

use inputs::{Kind, Random};
use reference::{Format, Machine};
use std::cell::Cell;
use wavediff::asm::Assembler;
use wavediff::asm::expr::NoSymbols;
use wavediff::emu::group::{self, Group};
use wavediff::emu::kernel::Level;
use wavediff::emu::kernel::STRIDE;
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::Stop;
use wavediff::engine::dispatch::Limits;
use wavediff::isa::row::Inst;
use wavediff::isa::{Gen, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;

/// Which parts of MODE have a say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Modes {
    /// That of f32.
    Single,
    /// That of f16 and f64.
    Other,
    /// Both: conversions.
    Both,
    /// To nearest only, denormals kept or flushed on both sides: whole divisions. Compilers switch f32 denormals on for the steps of a division of
    /// f32; for f64 they do not, and with denormals flushed its remainder is lost where the numerator is small: so they are kept.
    Nearest,
    /// None: integers.
    None,
}

/// The reference of an operation: the result, and a flag beside it.
type Reference = fn(&Machine, &[u64; 4]) -> (u64, u64);

/// An operation.
pub struct Operation {
    pub name: &'static str,
    /// Instructions, with `{d}` and `{e}` for the results, `{a}` to `{c}` for operands, `{f}` for a fourth, `{t}` and others for temporaries, `{1}` for a
    /// one; separated by `;`. `{d.0}` and `{d.1}` are the halves of a pair. Of several texts the first that the processor has counts.
    code: &'static [&'static str],
    args: &'static [Kind],
    /// Bits of the result.
    bits: u32,
    /// Whether there is a flag beside it.
    flag: bool,
    /// Whether operands and results lie in scalar registers: those of one lane.
    scalar: bool,
    /// The last generation of which the reference speaks.
    last: u32,
    pub modes: Modes,
    reference: Reference,
}

/// MODE in which compute kernels start, and the same with f32 denormals kept: the modes of the vector kernels.
pub fn usual_modes() -> [u32; 2] {
    [with_rest(0xc0, true), with_rest(0xf0, true)]
}

/// With DX10_CLAMP, and IEEE or not.
fn with_rest(mode: u32, ieee: bool) -> u32 {
    mode | 1 << 8 | u32::from(ieee) << 9
}

/// All other modes in which an operation may differ: what it does not depend on is to nearest with denormals kept.
pub fn other_modes(operation: &Operation, target: Target) -> Vec<u32> {
    let mut modes = Vec::new();
    if operation.modes == Modes::None {
        return modes;
    }
    let overflow = if target.generation() >= Gen::Gfx9 && operation.bits <= 16 { 2 } else { 1 };
    for ieee in [true, false] {
        if !ieee && target.generation() >= Gen::Gfx12 {
            continue;
        }
        for (round, denormals, second) in (0..4 * 4 * 4).map(|n| (n & 3, n >> 2 & 3, n >> 4)) {
            let mode = match operation.modes {
                Modes::Single if second == 0 => round | denormals << 4 | 3 << 6,
                Modes::Other if second == 0 => round << 2 | denormals << 6 | 3 << 4,
                // The rounding of the source's format has nothing to say.
                Modes::Both => {
                    let wrong = if round == 0 { 0 } else { (round + 1) & 3 };
                    let (single, other) = if operation.bits == 32 && operation.args[0] != Kind::Float(Format::F32) {
                        (round, wrong)
                    } else {
                        (wrong, round)
                    };
                    // Up to gfx7 f16 has the rounding of f32.
                    let single = if target.generation() < Gen::Gfx8 { round } else { single };
                    single | other << 2 | denormals << 4 | second << 6
                }
                Modes::Nearest
                    if round == 0 && second == 0 && (denormals == 3 || denormals == 0 && operation.bits != 64) =>
                {
                    denormals << 4 | denormals << 6
                }
                _ => continue,
            };
            for ovfl in 0..overflow {
                modes.push(with_rest(mode, ieee) | ovfl << 23);
            }
        }
    }
    modes.retain(|mode| !usual_modes().contains(mode));
    modes
}

/// A result that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub mode: u32,
    pub operands: Vec<u64>,
    pub expected: u64,
    pub got: u64,
}

/// What came of inputs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub inputs: u64,
    pub mismatches: u64,
    pub first: Vec<Mismatch>,
}

/// How many mismatches are kept.
const KEPT: usize = 8;

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.inputs += other.inputs;
        self.mismatches += other.mismatches;
        self.first.extend(other.first);
        self.first.truncate(KEPT);
    }
}

/// An operation ready to be executed: copies of it with registers of their own.
pub struct Bench {
    operation: &'static Operation,
    program: Program,
    /// Whose kernels run it.
    level: Level,
    generation: u32,
    /// Whether floats of 8 bits are those without a negative zero.
    fnuz: bool,
    copies: usize,
}

/// Registers of a copy.
const REGISTERS: usize = 24;
/// The first register of a copy that is its own.
const FIRST: usize = 4;
/// Where operands lie in a copy: after two results of two registers.
const OPERANDS: usize = 4;
const COPIES: usize = 8;
/// The first of the scalar registers, which all copies share.
const SCALARS: usize = 8;
const LANES: usize = 64;

impl Bench {
    /// Nothing if the processor has not the instructions.
    pub fn new(operation: &'static Operation, target: Target) -> Option<Bench> {
        Bench::at(Level::of_host(), operation, target)
    }

    /// As [`Bench::new`], with the kernels of a level.
    pub fn at(level: Level, operation: &'static Operation, target: Target) -> Option<Bench> {
        let target = target.wave(64).unwrap_or(target);
        let assembler = Assembler::new(target);
        let words = operation.code.iter().find_map(|code| {
            let mut words = vec![];
            // A one for flags.
            words.extend(encode(&assembler, "v_mov_b32 v0, 1")?);
            for copy in 0..COPIES {
                for line in operation.lines(code, copy) {
                    words.extend(encode(&assembler, &line)?);
                }
            }
            words.extend(encode(&assembler, "s_endpgm")?);
            Some(words)
        })?;
        let generation = match target.generation() {
            Gen::Gfx6 => 6,
            Gen::Gfx7 => 7,
            Gen::Gfx8 => 8,
            Gen::Gfx9 => 9,
            Gen::Gfx10 => 10,
            Gen::Gfx11 => 11,
            Gen::Gfx12 => 12,
        };
        if generation > operation.last {
            return None;
        }
        let program = Program::new(target, &words, 0x1000);
        let fnuz = generation == 9 && target.arch.name != "gfx950";
        Some(Bench { operation, program, level, generation, fnuz, copies: COPIES })
    }

    /// The rows that it runs.
    #[allow(dead_code, reason = "tests leave out what they are not about")]
    pub fn rows(&self) -> impl Iterator<Item = &'static Inst> {
        self.program.steps.iter().filter_map(|step| step.row)
    }

    /// Runs at least `count` inputs in a mode.
    ///
    /// # Errors
    /// The program trapped.
    pub fn run(&self, mode: u32, count: u64, seed: u64) -> Result<Tally, String> {
        self.run_as(mode, mode, count, seed)
    }

    /// The same, where the reference computes in a mode of its own.
    ///
    /// # Errors
    /// The program trapped.
    pub fn run_as(&self, mode: u32, reference: u32, count: u64, seed: u64) -> Result<Tally, String> {
        let machine = Machine { fnuz: self.fnuz, ..Machine::new(self.generation, reference) };
        let mut random = Random(seed);
        let mut tally = Tally::default();
        let plan = Plan::at(self.level, &self.program);
        let mut wave = Wave::new(&plan, LANES as u32);
        let memory = Memory::new();
        let mut group = Group::of_one(&plan, &memory, Lds::new(0));
        let mut operands = vec![[0u64; 4]; self.copies * LANES];
        let kinds = self.operation.args;
        let mut round = 0u32;
        while tally.inputs < count {
            // Some lanes are switched off at times: their registers must stay.
            let exec = match round % 8 {
                _ if self.operation.scalar => 1 << (round % 64),
                7 => random.next(),
                _ => u64::MAX,
            };
            round += 1;
            for (n, v) in operands.iter_mut().enumerate() {
                *v = random.operands(kinds);
                put(&wave, kinds, n, v);
            }
            wave.pc = 0;
            wave.stop = None;
            wave.steps = 0;
            wave.set_mode(mode);
            wave.set_exec(exec);
            group::wave(&mut wave, &mut group, Limits::default());
            if wave.stop != Some(Stop::End) {
                return Err(format!("{:?}", wave.stop));
            }
            for (n, v) in operands.iter().enumerate() {
                let (got, flag) = self.results(&wave, n);
                if exec >> (n % LANES) & 1 == 0 {
                    if got != UNTOUCHED & mask(self.operation.bits) {
                        self.differs(&mut tally, mode, v, UNTOUCHED & mask(self.operation.bits), got);
                    }
                    continue;
                }
                tally.inputs += 1;
                let (expected, expected_flag) = (self.operation.reference)(&machine, v);
                if got != expected {
                    self.differs(&mut tally, mode, v, expected, got);
                } else if self.operation.flag && flag != expected_flag {
                    self.differs(&mut tally, mode, v, expected_flag, flag);
                }
            }
        }
        Ok(tally)
    }

    fn results(&self, wave: &Wave, n: usize) -> (u64, u64) {
        let (base, lane) = place(n);
        let word = |register: usize| u64::from(wave.vgpr(base + register, lane));
        let value = word(0) | if self.operation.bits == 64 { word(1) << 32 } else { 0 };
        (value & mask(self.operation.bits), word(2))
    }

    fn differs(&self, tally: &mut Tally, mode: u32, operands: &[u64; 4], expected: u64, got: u64) {
        tally.mismatches += 1;
        if tally.first.len() < KEPT {
            let operands = operands[..self.operation.args.len()].to_vec();
            tally.first.push(Mismatch { mode, operands, expected, got });
        }
    }
}

/// What stands in the result's registers before.
const UNTOUCHED: u64 = 0xdead_beef_cafe_f00d;

const fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// The registers and the lane of an input.
const fn place(n: usize) -> (usize, usize) {
    (FIRST + n / LANES * REGISTERS, n % LANES)
}

fn put(wave: &Wave, kinds: &[Kind], n: usize, v: &[u64; 4]) {
    let (base, lane) = place(n);
    let cells: &[Cell<u32>] = &wave.file;
    let set = |register: usize, v: u64| cells[(base + register) * STRIDE + lane].set(v as u32);
    set(0, UNTOUCHED);
    set(1, UNTOUCHED >> 32);
    for (i, (v, kind)) in v.iter().zip(kinds).enumerate() {
        set(OPERANDS + 2 * i, *v);
        if kind.dwords() == 2 {
            set(OPERANDS + 2 * i + 1, *v >> 32);
        }
    }
}

fn encode(assembler: &Assembler, line: &str) -> Option<Vec<u32>> {
    let encoded = assembler.encode(line, &NoSymbols).ok()?;
    Some(encoded.words[..usize::from(encoded.len)].to_vec())
}

impl Operation {
    /// The instructions of a copy. Scalar operands are fetched from the vector registers, and results brought back.
    fn lines(&self, code: &str, copy: usize) -> Vec<String> {
        let base = FIRST + copy * REGISTERS;
        let lines = code.split(';').map(str::trim);
        if !self.scalar {
            return lines.map(|line| self.with_registers(line, 'v', base)).collect();
        }
        let mut all = Vec::new();
        for (n, arg) in self.args.iter().enumerate() {
            let registers = (0..arg.dwords()).map(|word| OPERANDS + 2 * n + word);
            all.extend(registers.map(|r| format!("v_readfirstlane_b32 s{}, v{}", SCALARS + r, base + r)));
        }
        all.extend(lines.map(|line| self.with_registers(line, 's', SCALARS)));
        let results = if self.bits == 64 { 0..2 } else { 0..1 };
        all.extend(results.map(|r| format!("v_mov_b32 v{}, s{}", base + r, SCALARS + r)));
        all
    }

    /// A line with its places filled in.
    fn with_registers(&self, line: &str, file: char, base: usize) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once('{') {
            let (place, behind) = behind.split_once('}').unwrap_or((behind, ""));
            out.push_str(before);
            out.push_str(&self.register(place, file, base));
            rest = behind;
        }
        out.push_str(rest);
        out
    }

    /// The register of a place.
    fn register(&self, place: &str, file: char, base: usize) -> String {
        let (name, half) = place.split_once('.').unwrap_or((place, ""));
        let (register, pair) = match name {
            "1" => return "v0".to_owned(),
            "d" => (0, self.bits == 64),
            "e" => (2, false),
            "a" | "b" | "c" | "f" => {
                let n = "abcf".find(name).unwrap_or(0);
                (OPERANDS + 2 * n, self.args.get(n).is_some_and(|arg| arg.dwords() == 2))
            }
            // Temporaries of a division of f64 are pairs as its operands are.
            _ => (OPERANDS + 8 + 2 * "turqx".find(name).unwrap_or(0), self.args[0].dwords() == 2),
        };
        let first = base + register;
        match half {
            "" if pair => format!("{file}[{first}:{}]", first + 1),
            "1" => format!("{file}{}", first + 1),
            _ => format!("{file}{first}"),
        }
    }
}

/// The seed of a part of the work.
pub fn seed_of(seed: u64, name: &str, mode: u32, part: u64) -> u64 {
    let text = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let mut mixed = Random(seed ^ text ^ u64::from(mode) << 32 ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93));
    mixed.next()
}
