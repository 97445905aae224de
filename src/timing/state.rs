//! The state of a SIMD in words: all that decides on what it [does](super::recall) up to the next instruction that is asked for.
//!
//! Clocks are as seen from its own. One that has passed, and can hold up nothing any more, is zero, however long ago it was: otherwise
//! hardly a state would come twice.

use super::report::Why;
use super::simd::Simd;
use super::wave::{Code, Delay, NEVER, NO_STEP, Reason, Register, Wave};

/// The words of a state: they are written, or taken from where they are.
trait Words {
    /// Whether they are taken.
    const TAKES: bool;

    /// A word is written and comes back; or another one comes that takes its place.
    fn word(&mut self, word: u32) -> u32;

    /// What was to be written is no word, and none is written.
    fn fails(&mut self) {}
}

struct Out<'a> {
    words: &'a mut Vec<u32>,
    fits: bool,
}

impl Words for Out<'_> {
    const TAKES: bool = false;

    #[inline(always)]
    fn word(&mut self, word: u32) -> u32 {
        self.words.push(word);
        word
    }

    fn fails(&mut self) {
        self.fits = false;
    }
}

struct In<'a>(std::slice::Iter<'a, u32>);

impl Words for In<'_> {
    const TAKES: bool = true;

    #[inline(always)]
    fn word(&mut self, _: u32) -> u32 {
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

/// More clocks than are between two that have to do with each other.
const BIAS: u64 = 1 << 30;

/// The word of a clock that never comes.
const NOT: u32 = u32::MAX;

/// No register's number.
const LAST: u32 = u32::MAX;

/// A clock as seen from another one, as a word that is not zero; nothing if it is too far away.
#[inline(always)]
fn since(clock: u64, from: u64) -> Option<u32> {
    match clock.wrapping_sub(from).wrapping_add(BIAS) {
        _ if clock == NEVER => Some(NOT),
        word @ 1..=0x7fff_ffff => Some(word as u32),
        _ => None,
    }
}

impl<W: Words> Clocks<'_, W> {
    /// A clock that matters however long ago it was.
    #[inline(always)]
    fn exact(&mut self, clock: &mut u64) {
        self.clock(clock, true);
    }

    /// One that matters no more when it has passed.
    #[inline(always)]
    fn until_passed(&mut self, clock: &mut u64) {
        let matters = W::TAKES || *clock > self.passed;
        self.clock(clock, matters);
    }

    /// One that does not matter is zero from now on. What is too far away stays as it is.
    #[inline(always)]
    fn clock(&mut self, clock: &mut u64, matters: bool) {
        let word = if W::TAKES || !matters { Some(0) } else { since(*clock, self.from) };
        let Some(word) = word else { return self.words.fails() };
        *clock = match self.words.word(word) {
            0 => 0,
            NOT => NEVER,
            word => (self.from + u64::from(word)).wrapping_sub(BIAS),
        };
    }

    /// A number of clocks.
    #[inline(always)]
    fn count(&mut self, clocks: &mut u64) {
        let word = if W::TAKES { Some(0) } else { u32::try_from(*clocks).ok() };
        let Some(word) = word else { return self.words.fails() };
        *clocks = self.words.word(word).into();
    }

    /// The number of an instruction takes 28 bits, all of them ones if it is none.
    #[inline(always)]
    fn reason(&mut self, Reason { why, on }: &mut Reason) {
        if !W::TAKES && (NO_STEP >> 4..NO_STEP).contains(on) {
            return self.words.fails();
        }
        let word = self.words.word(why.map_or(0, |why| why as u32 + 1) << 28 | *on & NO_STEP >> 4);
        *why = (word >> 28).checked_sub(1).map(|why| Why::ALL[why as usize]);
        *on = if word << 4 == NO_STEP << 4 { NO_STEP } else { word & NO_STEP >> 4 };
    }
}

/// Writes the state of a SIMD and its waves at a clock, and what else decides on what comes of it. Says whether it could.
pub(super) fn write(simd: &mut Simd, waves: &mut [Wave], code: Code<'_>, from: u64, state: &mut Vec<u32>) -> bool {
    let mut out = Out { words: state, fits: true };
    carry(simd, waves, code, from, &mut out);
    let fits = out.fits;
    fits && simd.waves.iter().all(|due| waves[due.slot].circumstances(from, state))
}

/// Puts a SIMD and its waves into a state at a clock.
pub(super) fn put(simd: &mut Simd, waves: &mut [Wave], code: Code<'_>, now: u64, state: &[u32]) {
    let mut words = In(state.iter());
    carry(simd, waves, code, now, &mut words);
    for place in 0..simd.waves.len() {
        let wave = &mut waves[simd.waves[place].slot];
        wave.put_circumstances(now, &mut words);
        simd.note_front(wave, code);
        simd.note_head(wave);
    }
    simd.settle(now);
}

/// The one list of what a state is.
fn carry(simd: &mut Simd, waves: &mut [Wave], code: Code<'_>, from: u64, words: &mut impl Words) {
    words.word(simd.waves.len() as u32);
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
            self.registers.fill(Register::FREE);
        }
        self.carry_registers(clocks);
    }

    /// The step, the delays that `s_delay_alu` asked for, and what is one of two.
    #[inline(always)]
    fn carry_flags<W: Words>(&mut self, clocks: &mut Clocks<'_, W>) {
        let [first, second] = self.delays;
        let flags = u8::from(self.behind_vector) | u8::from(self.started != 0) << 1;
        let delays = [first.skip, first.id, second.skip << 4 | second.id, flags];
        self.step = clocks.words.word(self.step);
        let word = clocks.words.word(u32::from_le_bytes(delays));
        let [skip, id, second, flags] = word.to_le_bytes();
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
        clocks.count(&mut self.slept);
        let word = clocks.words.word(u32::from(self.head_transcendental) << 16 | self.queue.len() as u32);
        self.head_transcendental = word >> 16 != 0;
        self.queue.resize(word as usize & 0xffff);
        for at in 0..self.queue.len() {
            let entry = self.queue.entry(at);
            entry.step = clocks.words.word(entry.step);
            clocks.exact(&mut entry.issue);
        }
    }

    /// The registers that something may wait for, one after the other.
    #[inline(always)]
    fn carry_registers<W: Words>(&mut self, clocks: &mut Clocks<'_, W>) {
        let mut numbers = 0..self.registers.len();
        loop {
            let waited = |Register { ready, pending, .. }: &Register| *ready > clocks.passed || *pending > self.started;
            let next = numbers.by_ref().find(|n| waited(&self.registers[*n]));
            let pending = |n: usize| self.registers[n].pending.saturating_sub(self.started);
            // So many are never on their way.
            let word = clocks.words.word(next.map_or(LAST, |n| (n as u32) << 16 | pending(n) & 0xffff));
            if word == LAST {
                break;
            }
            let (register, pending) = (&mut self.registers[word as usize >> 16], word & 0xffff);
            register.writer = clocks.words.word(register.writer);
            register.pending = if pending == 0 { 0 } else { self.started + pending };
            clocks.until_passed(&mut register.ready);
        }
    }

    /// Before which clock nothing matters to it any more.
    #[inline(always)]
    fn passed(&self, from: u64) -> u64 {
        let base = if self.at_barrier { from } else { self.base.min(from) };
        self.queue.first().map_or(base, |entry| base.min(entry.issue))
    }

    /// What a passage depends on, and does not change. Says whether that could be written.
    fn circumstances(&self, from: u64, state: &mut Vec<u32>) -> bool {
        let passed = self.passed(from);
        let first = state.len();
        state.push(u32::from(self.at_barrier));
        for (counter, outstanding) in self.outstanding.iter().enumerate().filter(|(_, all)| !all.is_empty()) {
            state[first] |= 2 << counter;
            for clock in outstanding.iter().filter(|clock| **clock > passed) {
                let Some(word) = since(*clock, from).filter(|word| *word != NOT) else { return false };
                state.push(word);
            }
            state.push(NOT);
        }
        true
    }

    /// The same as it was written.
    fn put_circumstances(&mut self, from: u64, words: &mut In<'_>) {
        let first = words.word(0);
        self.at_barrier = first & 1 != 0;
        for (counter, outstanding) in self.outstanding.iter_mut().enumerate() {
            outstanding.clear();
            if first & 2 << counter != 0 {
                let clocks = words.0.by_ref().take_while(|word| **word != NOT);
                outstanding.extend(clocks.map(|word| (from + u64::from(*word)).wrapping_sub(BIAS)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Arch, Target};
    use crate::program::Program;
    use crate::timing::machine::Machine;
    use crate::timing::op::Ops;
    use crate::timing::simd::Due;

    /// What is put is what was written; what is too far away to be written stays as it is.
    #[test]
    fn states_come_back() {
        let target = Target::new(Arch::find("gfx1100").expect("a processor"));
        // v_add_f32_e32 v0, v0, v0 and s_endpgm.
        let program = Program::new(target, &[0x0600_0100, 0xbfb0_0000], 0x1000);
        let machine = Machine::of(target.arch);
        let ops = Ops::of(&program, machine);
        let code = Code::new(machine, &ops);
        let from = 1 << 40;
        let mut simd = Simd::EMPTY;
        simd.waves.push(Due::new(0));
        let mut waves = [Wave::new(code, ([0; 3], 0), (0, 0), from - 100, 0)];
        waves[0].front.at = from + 7;
        waves[0].last = from - 90;
        let mut state = Vec::new();
        assert!(write(&mut simd, &mut waves, code, from, &mut state));
        (waves[0].last, waves[0].front.at, waves[0].step) = (1, 2, 1);
        put(&mut simd, &mut waves, code, from + 1000, &state);
        assert_eq!((waves[0].last, waves[0].front.at, waves[0].step), (from + 910, from + 1007, 0));
        waves[0].last = 5;
        waves[0].slept = 1 << 33;
        state.clear();
        assert!(!write(&mut simd, &mut waves, code, from, &mut state));
        assert_eq!((waves[0].last, waves[0].slept), (5, 1 << 33));
    }
}
