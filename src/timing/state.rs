//! The state of a SIMD in words: all that decides on what it [does](super::recall) up to the next instruction that is asked for.
//!
//! Clocks are as seen from its own. One that has passed, and can hold up nothing any more, is zero, however long ago it was: otherwise
//! hardly a state would come twice.

use super::report::Why;
use super::simd::Simd;
use super::wave::{Code, Delay, NEVER, Reason, Register, Wave};

/// The words of a state: they are written, or taken from where they are.
trait Words {
    /// Whether they are taken.
    const TAKES: bool;

    /// A word is written and comes back; or another one comes that takes its place.
    fn word(&mut self, word: u64) -> u64;
}

struct Out<'a>(&'a mut Vec<u64>);

impl Words for Out<'_> {
    const TAKES: bool = false;

    #[inline(always)]
    fn word(&mut self, word: u64) -> u64 {
        self.0.push(word);
        word
    }
}

struct In<'a>(std::slice::Iter<'a, u64>);

impl Words for In<'_> {
    const TAKES: bool = true;

    #[inline(always)]
    fn word(&mut self, _: u64) -> u64 {
        // What is taken was written by the same function.
        self.0.next().copied().unwrap_or(0)
    }
}

/// Clocks as seen from one of them. Zero is one that has passed.
struct Clocks<'w, W> {
    words: &'w mut W,
    from: u64,
    /// Whatever was there so early has passed for the wave.
    passed: u64,
}

/// More clocks than any run takes.
const BIAS: u64 = 1 << 60;

/// A clock as seen from another one, as a word that is not zero.
#[inline(always)]
fn since(clock: u64, from: u64) -> u64 {
    if clock == NEVER { NEVER } else { clock + BIAS - from }
}

impl<W: Words> Clocks<'_, W> {
    /// A clock that matters however long ago it was.
    #[inline(always)]
    fn exact(&mut self, clock: &mut u64) {
        *clock = self.clock(since(*clock, self.from));
    }

    /// One that matters no more when it has passed.
    #[inline(always)]
    fn until_passed(&mut self, clock: &mut u64) {
        let word = if *clock > self.passed { since(*clock, self.from) } else { 0 };
        *clock = self.clock(word);
    }

    #[inline(always)]
    fn clock(&mut self, word: u64) -> u64 {
        match self.words.word(word) {
            word @ (0 | NEVER) => word,
            word => word + self.from - BIAS,
        }
    }

    #[inline(always)]
    fn reason(&mut self, Reason { why, on }: &mut Reason) {
        let word = self.words.word(why.map_or(0, |why| why as u64 + 1) << 32 | u64::from(*on));
        *why = (word >> 32).checked_sub(1).map(|why| Why::ALL[why as usize]);
        *on = word as u32;
    }
}

/// Writes the state of a SIMD and its waves at a clock.
pub(super) fn write(simd: &mut Simd, waves: &mut [Wave], code: Code<'_>, from: u64, state: &mut Vec<u64>) {
    carry(simd, waves, code, from, &mut Out(state));
}

/// Writes what else decides on what comes of it.
pub(super) fn write_circumstances(simd: &Simd, waves: &[Wave], from: u64, state: &mut Vec<u64>) {
    simd.waves.iter().for_each(|due| waves[due.slot].circumstances(from, state));
}

/// Puts a SIMD and its waves into a state at a clock.
pub(super) fn put(simd: &mut Simd, waves: &mut [Wave], code: Code<'_>, now: u64, state: &[u64]) {
    carry(simd, waves, code, now, &mut In(state.iter()));
    for place in 0..simd.waves.len() {
        let wave = &waves[simd.waves[place].slot];
        simd.note_front(wave, code);
        simd.note_head(wave);
    }
    simd.settle(now);
}

/// The one list of what a state is.
fn carry(simd: &mut Simd, waves: &mut [Wave], code: Code<'_>, from: u64, words: &mut impl Words) {
    words.word(simd.waves.len() as u64);
    let asleep = u64::from(code.queue.sleep.after);
    let clocks = &mut Clocks { words, from, passed: from };
    simd.ports.iter_mut().for_each(|port| clocks.until_passed(port));
    clocks.until_passed(&mut simd.vector);
    clocks.until_passed(&mut simd.transcendental);
    // What left the unit while the SIMD was awake is nothing to oversleep.
    if simd.active + asleep >= simd.leaves {
        simd.leaves = NEVER;
    }
    clocks.exact(&mut simd.leaves);
    clocks.passed = from.saturating_sub(asleep + 1);
    clocks.until_passed(&mut simd.active);
    for due in &simd.waves {
        waves[due.slot].carry(code, from, clocks.words);
    }
}

impl Wave {
    /// The state of a wave: all that a passage changes, but for its counts.
    #[inline(always)]
    fn carry<W: Words>(&mut self, code: Code<'_>, from: u64, words: &mut W) {
        let clocks = &mut Clocks { words, from, passed: self.passed(from) };
        self.carry_flags(clocks);
        if self.at_barrier {
            clocks.until_passed(&mut self.base)
        } else {
            clocks.exact(&mut self.base)
        }
        clocks.exact(&mut self.front.at);
        clocks.reason(&mut self.base_why);
        clocks.reason(&mut self.front.reason);
        clocks.exact(&mut self.last);
        clocks.until_passed(&mut self.results);
        if code.queued {
            self.carry_queue(clocks);
        }
        self.issued = self.started.wrapping_add(self.queue.len() as u32);
        if code.delays {
            // An instruction is let go so much later than another one at the most.
            let passed = clocks.passed;
            clocks.passed = passed.saturating_sub(2 * u64::from(code.machine.delay));
            for id in 1..=self.vectors.len() as u32 {
                clocks.until_passed(&mut self.vectors[self.issued.wrapping_sub(id) as usize % 4]);
            }
            self.transcendentals.iter_mut().for_each(|clock| clocks.until_passed(clock));
            clocks.until_passed(&mut self.scalar);
            clocks.passed = passed;
        }
        if W::TAKES {
            code.named.iter().for_each(|n| self.registers[usize::from(*n)] = Register::FREE);
        }
        self.carry_registers(code, clocks);
    }

    /// The step, the delays that `s_delay_alu` asked for, and what is one of two.
    #[inline(always)]
    fn carry_flags<W: Words>(&mut self, clocks: &mut Clocks<'_, W>) {
        let [first, second] = self.delays;
        let flags = u8::from(self.behind_vector) | u8::from(self.started != 0) << 1;
        let delays = [first.skip, first.id, second.skip << 4 | second.id, flags];
        let word = u64::from(self.step) << 32 | u64::from(u32::from_le_bytes(delays));
        let word = clocks.words.word(word);
        self.step = (word >> 32) as u32;
        let [skip, id, second, flags] = (word as u32).to_le_bytes();
        self.delays = [Delay { skip, id }, Delay { skip: second >> 4, id: second & 15 }];
        self.behind_vector = flags & 1 != 0;
    }

    /// What is on its way to the vector unit.
    #[inline(always)]
    fn carry_queue<W: Words>(&mut self, clocks: &mut Clocks<'_, W>) {
        clocks.exact(&mut self.head);
        clocks.reason(&mut self.head_why);
        for clock in [&mut self.warm, &mut self.reads_from, &mut self.last_vector] {
            clocks.until_passed(clock);
        }
        let word = self.slept << 32 | u64::from(self.head_transcendental) << 16 | self.queue.len() as u64;
        let word = clocks.words.word(word);
        (self.slept, self.head_transcendental) = (word >> 32, word >> 16 & 1 != 0);
        self.queue.resize(word as usize & 0xffff);
        for at in 0..self.queue.len() {
            let entry = self.queue.entry(at);
            entry.step = clocks.words.word(entry.step.into()) as u32;
            clocks.exact(&mut entry.issue);
        }
    }

    /// The registers that something may wait for, one after the other.
    #[inline(always)]
    fn carry_registers<W: Words>(&mut self, code: Code<'_>, clocks: &mut Clocks<'_, W>) {
        let mut named = code.named.iter().map(|n| usize::from(*n));
        loop {
            let waited = |Register { ready, pending, .. }: &Register| *ready > clocks.passed || *pending > self.started;
            let next = named.by_ref().find(|n| waited(&self.registers[*n]));
            let word = next.map_or(NEVER, |n| {
                let Register { writer, pending, .. } = self.registers[n];
                (n as u64) << 48 | u64::from(pending.saturating_sub(self.started)) << 32 | u64::from(writer)
            });
            let word = clocks.words.word(word);
            if word == NEVER {
                break;
            }
            let register = &mut self.registers[(word >> 48) as usize];
            let pending = (word >> 32) as u16;
            register.writer = word as u32;
            register.pending = if pending == 0 { 0 } else { self.started + u32::from(pending) };
            clocks.until_passed(&mut register.ready);
        }
    }

    /// Before which clock nothing matters to it any more.
    #[inline(always)]
    fn passed(&self, from: u64) -> u64 {
        let base = if self.at_barrier { from } else { self.base.min(from) };
        self.queue.first().map_or(base, |entry| base.min(entry.issue))
    }

    /// What a passage depends on, and does not change.
    fn circumstances(&self, from: u64, state: &mut Vec<u64>) {
        let passed = self.passed(from);
        state.push(u64::from(self.at_barrier));
        for (counter, outstanding) in self.outstanding.iter().enumerate().filter(|(_, all)| !all.is_empty()) {
            state.extend(outstanding.iter().filter(|clock| **clock > passed).map(|clock| since(*clock, from)));
            state.push(2 + counter as u64);
        }
    }
}
