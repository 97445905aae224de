//! The machine of the models: registers, one range of guest memory and LDS, as plain numbers.

use crate::chip::Chip;
use crate::text::Said;

/// Where guest memory begins, and how much there is: data, then scratch memory.
pub const BASE: u64 = 0x10_0000_1000;
/// The bytes of it.
pub const BYTES: usize = 0x4000;
/// Where scratch memory begins in it.
pub const SCRATCH: u64 = BASE + 0x1000;
/// The bytes of LDS.
pub const LDS: u32 = 2048;
/// Where LDS and scratch memory appear in the flat address space.
pub const SHARED: u64 = 0x2000_0000_0000_0000;
/// The same of scratch memory.
pub const PRIVATE: u64 = 0x1000_0000_0000_0000;
/// Vector registers that have numbers in them at the beginning.
const FILLED: usize = 48;

/// Where a byte is: a place in [`State::bytes`], or nowhere, which reads 0 and keeps nothing.
pub type Spot = Option<usize>;

/// A machine.
#[derive(Clone)]
pub struct State {
    pub chip: Chip,
    /// 256 registers of 64 lanes, and those of accumulation behind them.
    pub v: Vec<u32>,
    /// Scalar registers by their operand codes.
    pub s: Vec<u32>,
    /// Guest memory, and LDS behind it.
    pub bytes: Vec<u8>,
    /// The four bits of MODE that keep denormals: in and out, of f32 and of the others.
    pub denormals: u32,
    /// The text that says what lanes do, instead of the models.
    pub text: Option<Said>,
    /// Whether that text was asked.
    pub spoken: bool,
}

/// A generator of numbers, the same in every run.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) as u32
    }
}

impl State {
    /// Everything full of numbers, all lanes active, M0 all ones.
    pub fn new(chip: Chip) -> State {
        let mut random = Random(1);
        let mut v = vec![0; 256 * 64 * chip.files().len()];
        for file in v.chunks_exact_mut(256 * 64) {
            for register in file.chunks_exact_mut(64).take(FILLED) {
                register[..chip.lanes as usize].fill_with(|| random.next());
            }
        }
        let bytes = (0..BYTES + LDS as usize).map(|_| random.next() as u8).collect();
        let mut s = vec![0; 128];
        s[..64].fill_with(|| random.next());
        s[chip.m0()] = u32::MAX;
        let mut state = State { chip, v, s, bytes, denormals: 0b1100, text: None, spoken: false };
        state.set_exec(chip.all());
        // FLAT_SCRATCH: gfx7, gfx8, gfx9. The others have the address elsewhere.
        match chip.generation {
            9 => state.set_pair(102, SCRATCH),
            7 => state.s[105] = 1,
            8 => state.s[103] = 1,
            _ => {}
        }
        state
    }

    /// What the hidden base of scratch memory must be.
    pub fn scratch(&self) -> u64 {
        // FLAT_SCRATCH_HI counts 256 bytes on gfx7 and gfx8.
        if matches!(self.chip.generation, 7 | 8) { SCRATCH - 256 } else { SCRATCH }
    }

    pub fn v(&self, register: u32, lane: u32) -> u32 {
        self.v[(register * 64 + lane) as usize]
    }

    pub fn set_v(&mut self, register: u32, lane: u32, x: u32) {
        self.v[(register * 64 + lane) as usize] = x;
    }

    /// Fills the lanes of a register.
    pub fn fill(&mut self, register: u32, x: impl Fn(u32) -> u32) {
        (0..self.chip.lanes).for_each(|lane| self.set_v(register, lane, x(lane)));
    }

    /// Fills the lanes of a pair.
    pub fn fill64(&mut self, register: u32, x: impl Fn(u32) -> u64) {
        self.fill(register, |lane| x(lane) as u32);
        self.fill(register + 1, |lane| (x(lane) >> 32) as u32);
    }

    pub fn v64(&self, register: u32, lane: u32) -> u64 {
        u64::from(self.v(register, lane)) | u64::from(self.v(register + 1, lane)) << 32
    }

    pub fn pair(&self, register: u32) -> u64 {
        u64::from(self.s[register as usize]) | u64::from(self.s[register as usize + 1]) << 32
    }

    pub fn set_pair(&mut self, register: u32, x: u64) {
        self.s[register as usize] = x as u32;
        self.s[register as usize + 1] = (x >> 32) as u32;
    }

    pub fn m0(&self) -> u32 {
        self.s[self.chip.m0()]
    }

    pub fn set_m0(&mut self, x: u32) {
        self.s[self.chip.m0()] = x;
    }

    pub fn exec(&self) -> u64 {
        self.pair(126) & self.chip.all()
    }

    pub fn set_exec(&mut self, mask: u64) {
        self.set_pair(126, mask);
    }

    /// The active lanes, from the lowest: what two lanes do to one place they do in this order (a
    /// choice; nothing says).
    pub fn lanes(&self) -> Vec<u32> {
        (0..self.chip.lanes).filter(|lane| self.exec() >> lane & 1 != 0).collect()
    }

    /// Bytes in guest memory.
    pub fn guest(at: u64, count: u32) -> Vec<Spot> {
        let first = at.wrapping_sub(BASE) as usize;
        assert!(first + count as usize <= BYTES, "the model left its memory: {at:#x}");
        (first..first + count as usize).map(Some).collect()
    }

    /// Bytes in scratch memory of a lane: words of the lanes of a wave lie side by side.
    pub fn private(&self, at: u32, lane: u32, count: u32) -> Vec<Spot> {
        let byte = |n: u32| {
            let p = at.wrapping_add(n);
            let wide = u64::from(p & !3) * u64::from(self.chip.lanes) + u64::from(lane * 4 + (p & 3));
            State::guest(SCRATCH + wide, 1)[0]
        };
        (0..count).map(byte).collect()
    }

    /// A number of some bytes, the lowest first.
    pub fn read(&self, spots: &[Spot]) -> u64 {
        spots.iter().rev().fold(0, |all, spot| all << 8 | u64::from(spot.map_or(0, |at| self.bytes[at])))
    }

    pub fn write(&mut self, spots: &[Spot], x: u64) {
        for (n, spot) in spots.iter().enumerate() {
            if let Some(at) = spot {
                self.bytes[*at] = (x >> (8 * n)) as u8;
            }
        }
    }
}
