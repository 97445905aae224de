//! Command buffers written by hand, in memory of a card.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::sync::Arc;
use std::time::Duration;
use wavediff::asm::Assembler;
use wavediff::asm::expr::NoSymbols;
use wavediff::isa::Target;
use wavediff::memory::guest::Memory;
use wavediff_vgpu::card::{Card, Engine, Ib, Lost, Ring, Settings, Space};
use wavediff_vgpu::chips::Chip;

/// Where things lie: command buffers, code, data.
pub const IB: u64 = 0x50_0000;
pub const CODE: u64 = 0x20_0000;
pub const DATA: u64 = 0x30_0000;
/// Something above the sign bit, where drivers put code from gfx9 on.
pub const HIGH: u64 = 0xffff_8000_0040_0000;
/// Bytes of each.
pub const SIZE: u64 = 0x1_0000;

/// A card with some memory.
pub struct Machine {
    pub memory: Arc<Memory>,
    pub card: Arc<Card>,
}

impl Space for Machine {
    fn memory(&self) -> Arc<Memory> {
        self.memory.clone()
    }
}

impl Machine {
    pub fn new(chip: &str) -> Machine {
        Machine::with(chip, Settings { watchdog: Duration::from_secs(2), ..Settings::default() })
    }

    /// Where something else than usual is wanted of the card.
    pub fn with(chip: &str, settings: Settings) -> Machine {
        let mut memory = Memory::new();
        for (name, base) in [("ib", IB), ("code", CODE), ("data", DATA), ("high", HIGH)] {
            memory.map(name, base, SIZE, true).expect("fits");
        }
        Machine { memory: Arc::new(memory), card: Card::new(Chip::named(chip).expect("fits"), settings) }
    }

    pub fn put(&self, at: u64, words: &[u32]) {
        self.memory.view().store_words(at, words).expect("fits");
    }

    /// A number of 64 bits.
    pub fn wide(&self, at: u64) -> u64 {
        self.memory.view().load_u64(at).expect("fits")
    }

    pub fn words(&self, at: u64, count: usize) -> Vec<u32> {
        let mut words = vec![0; count];
        self.memory.view().load_words(at, &mut words).expect("fits");
        words
    }

    /// Assembles a program to where code lies.
    pub fn code(&self, text: &str) {
        self.code_at(CODE, text);
    }

    /// Assembles a program to an address.
    pub fn code_at(&self, at: u64, text: &str) {
        let target = Target::new(self.card.chip.arch());
        let assembler = Assembler::new(target);
        let mut words = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let encoded = assembler.encode(line, &NoSymbols).unwrap_or_else(|e| panic!("{line}: {e}"));
            words.extend(&encoded.words[..usize::from(encoded.len)]);
        }
        self.put(at, &words);
    }

    /// Runs a command buffer on a new ring.
    pub fn run(&self, engine: Engine, words: &[u32]) -> Result<(), Lost> {
        self.run_on(&mut Ring::new(&self.card, engine, 0), words)
    }

    pub fn run_on(&self, ring: &mut Ring, words: &[u32]) -> Result<(), Lost> {
        self.put(IB, words);
        ring.execute(&[Ib { address: IB, dwords: words.len() as u32 }], self)
    }
}

/// A packet of type 3.
pub fn packet(op: u8, body: &[u32]) -> Vec<u32> {
    let mut words = vec![3 << 30 | (body.len() as u32 - 1) << 16 | u32::from(op) << 8];
    words.extend(body);
    words
}

/// `SET_SH_REG` from a byte address on.
pub fn set(address: u32, values: &[u32]) -> Vec<u32> {
    let mut body = vec![(address - 0xb000) / 4];
    body.extend(values);
    packet(0x76, &body)
}

/// An address as two words.
pub fn pair(address: u64) -> [u32; 2] {
    [address as u32, (address >> 32) as u32]
}

/// Registers of a program at [`CODE`], with RSRC2 and groups of some work-items.
pub fn program(rsrc2: u32, threads: [u32; 3]) -> Vec<u32> {
    let code = CODE >> 8;
    [
        set(0xb830, &[code as u32, (code >> 32) as u32]),
        set(0xb848, &[0x002c_0080, rsrc2]),
        set(0xb81c, &threads),
        set(0xb810, &[0; 3]),
    ]
    .concat()
}
