//! What must hold of a card, whatever a stream holds: properties as functions, as the library has them ([`wavediff::laws`]). Tests hold
//! them on random input, the fuzzer on input grown by coverage.

use crate::card::packets::PACKETS;
use crate::card::{Card, Engine, Ib, Ring, Settings, Space};
use crate::chips::CHIPS;
use std::sync::Arc;
use std::time::Duration;
use wavediff::memory::guest::Memory;

/// Where the pieces of memory of a trial lie, and how long each is: streams, code, data; and one above the sign bit.
const PIECES: [u64; 4] = [0x10_0000, 0x20_0000, 0x30_0000, 0xffff_8000_0040_0000];
const BYTES: u64 = 0x1_0000;
/// How long a ring waits, and a dispatch runs: what does not end is no reason to wait for it.
const WATCHDOG: Duration = Duration::from_millis(20);

/// Memory that stays as it is mapped.
struct Pieces(Arc<Memory>);

impl Space for Pieces {
    fn memory(&self) -> Arc<Memory> {
        self.0.clone()
    }
}

/// Input as choices. Where it ends, all are zero.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([0; 4].map(|_: u8| self.byte()))
    }

    fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[usize::from(self.byte()) % of.len()]
    }

    /// A word that means something: an address that there is, a small number, a number near 2^32, a flag, the number of a register.
    fn meant(&mut self) -> u32 {
        let kind = self.byte();
        let value = u32::from(self.byte());
        match kind % 10 {
            0 => 0,
            1 => value,
            2..=4 => *self.one(&PIECES) as u32 + 4 * value,
            5 => (*self.one(&PIECES) >> 32) as u32,
            6 => 1 << (value % 32),
            7 => u32::MAX - value,
            8 => 0x200 + value,
            _ => self.word(),
        }
    }
}

/// A stream of packets that there are, of words that mean something, or of anything.
fn stream(choices: &mut Choices<'_>) -> Vec<u32> {
    let mut words = Vec::new();
    while !choices.0.is_empty() && words.len() < 4096 {
        match choices.byte() % 8 {
            0 => words.push(choices.word()),
            1 => {
                // A packet of the copy engine: operation, and one of few kinds.
                words.push(u32::from(choices.byte()) & 0xf | (choices.word() & 0x8000_0300));
                words.extend((0..6).map(|_| choices.meant()));
            }
            _ => {
                let packet = choices.one(PACKETS);
                let more = choices.byte() % 4;
                let body = u32::from(packet.words.max(1)) + u32::from(more);
                let predicate = u32::from(choices.byte() % 8 == 0);
                words.push(3 << 30 | (body - 1) << 16 | u32::from(packet.op) << 8 | predicate);
                words.extend((0..body).map(|_| choices.meant()));
            }
        }
    }
    words
}

/// Whatever a stream holds, its ring ends, with an error or without, and so does the next one.
///
/// # Panics
/// If a law is broken.
pub fn streams(data: &[u8]) {
    let mut choices = Choices(data);
    let chip = choices.one(CHIPS);
    let engine = *choices.one(&[Engine::Graphics, Engine::Compute, Engine::Sdma]);
    let mut memory = Memory::new();
    for base in PIECES {
        assert!(memory.map("piece", base, BYTES, true).is_ok(), "pieces lie apart");
    }
    let put = |at: u64, words: &[u32]| assert!(memory.view().store_words(at, words).is_ok(), "it is mapped");
    // A program that ends at once, or one of any words.
    let code: Vec<u32> = (0..choices.byte() % 8).map(|_| choices.word()).chain([0xbf81_0000, 0xbfb0_0000]).collect();
    put(PIECES[1], &code);
    let words = stream(&mut choices);
    // So that dispatches find a program: its address, one work-item a group.
    let sh = |at: u32, values: &[u32]| {
        let mut packet = vec![3 << 30 | (values.len() as u32) << 16 | 0x7600, (at - 0xb000) / 4];
        packet.extend(values);
        packet
    };
    let mut all = [sh(0xb830, &[(PIECES[1] >> 8) as u32, 0]), sh(0xb81c, &[1, 1, 1])].concat();
    if engine == Engine::Sdma {
        all.clear();
    }
    all.extend(words);
    put(PIECES[0], &all);
    let ibs = [Ib { address: PIECES[0], dwords: all.len() as u32 }];
    let settings = Settings { watchdog: WATCHDOG, ..Settings::default() };
    let (card, space) = (Card::new(chip, settings), Pieces(Arc::new(memory)));
    let mut ring = Ring::new(&card, engine, 0);
    let first = ring.execute(&ibs, &space);
    if let Err(lost) = &first {
        assert!(lost.to_string().starts_with(chip.name), "an error names its ring: {lost}");
    }
    // What a stream has left in registers and memory is no worse than the stream.
    let _ = ring.execute(&ibs, &space);
}
