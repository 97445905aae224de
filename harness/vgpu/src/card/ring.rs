//! A ring: reads packets and does what they say.

use super::log::Entry;
use super::packets::{Does, Packet, packet};
use super::registers::{Range, Registers, canonical};
use super::{Card, Engine, Ib, Lost, Space, sdma, transfer};
use crate::fault::planted;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wavediff::isa::Gen;
use wavediff::memory::guest::{self, Memory};

/// Command buffers that call each other.
const MAX_DEPTH: usize = 8;
/// How often a submission may go on in another command buffer: more is a loop.
const MAX_JUMPS: u32 = 1 << 20;

/// Events that write (VGPU_FACTS section 5.2): all others are flushes and marks.
mod event {
    pub const ZPASS_DONE: u32 = 0x15;
    pub const SAMPLE_PIPELINE_STATISTICS: u32 = 0x1e;
    pub const PIXEL_PIPE_STAT_CONTROL: u32 = 0x38;
    pub const PIXEL_PIPE_STAT_DUMP: u32 = 0x39;
}

/// Counters of the pipeline; only the last one that there was before gfx11 counts here: invocations of compute shaders.
const COMPUTE_INVOCATIONS: usize = 10;

/// A ring.
pub struct Ring {
    card: Arc<Card>,
    engine: Engine,
    /// Its name in messages.
    name: String,
    registers: Registers,
    /// `SET_BASE` 1: what `DISPATCH_INDIRECT` of the graphics ring counts from.
    indirect_base: u64,
    /// `SET_PREDICATION`: whether packets with the predicate bit are passed over.
    skips: bool,
    /// Invocations of compute shaders since the beginning.
    invocations: u64,
}

/// Where packets are read. A command buffer may be longer than what is mapped: no more of it is read than there are packets.
pub(super) struct Reader {
    /// The next word.
    pub(super) address: u64,
    /// Words that are left.
    pub(super) left: u32,
}

/// What comes behind a packet.
enum Next {
    Packet,
    /// So many words are passed over.
    Skip(u32),
    Call(Ib),
    Chain(Ib),
}

impl Ring {
    /// A ring of a card.
    #[must_use]
    pub fn new(card: &Arc<Card>, engine: Engine, index: u32) -> Ring {
        Ring {
            card: card.clone(),
            engine,
            name: format!("{} {engine} {index}", card.chip.name),
            registers: Registers::default(),
            indirect_base: 0,
            skips: false,
            invocations: 0,
        }
    }

    /// Does what command buffers say, one behind the other.
    ///
    /// # Errors
    /// Why the device is lost.
    pub fn execute(&mut self, ibs: &[Ib], space: &dyn Space) -> Result<(), Lost> {
        if let Some(log) = &self.card.log {
            let ibs = ibs.iter().map(|ib| (ib.address, ib.dwords)).collect();
            log.write(&Entry::Submit { ring: &self.name, at: self.card.now(), ibs });
        }
        self.skips &= planted!(PredicateOutlives);
        if planted!(RegistersForgotten) {
            self.registers = Registers::default();
        }
        let mut jumps = 0;
        let done = ibs.iter().try_for_each(|ib| match self.engine {
            Engine::Sdma => sdma::execute(&self.card, *ib, space),
            _ => self.command_buffer(*ib, space, &mut jumps),
        });
        // What the waves wrote is there for whoever is told that this has ended.
        guest::fence();
        done.map_err(|Lost(why)| {
            let why = format!("{}: {why}", self.name);
            if let Some(log) = &self.card.log {
                log.write(&Entry::Lost { ring: &self.name, at: self.card.now(), why: &why });
            }
            Lost(why)
        })
    }

    fn command_buffer(&mut self, ib: Ib, space: &dyn Space, jumps: &mut u32) -> Result<(), Lost> {
        let mut stack = vec![Reader::new(ib)];
        let mut body = Vec::new();
        while let Some(reader) = stack.last_mut() {
            if reader.left == 0 {
                stack.pop();
                continue;
            }
            let memory = space.memory();
            let at = reader.address;
            let header = reader.word(&memory)?;
            match header >> 30 {
                // A filler of one word; zeroes too, which drivers leave where they reserved more than they need.
                2 => continue,
                3 => {}
                _ => return Err(Lost(format!("packet {header:#010x} at {at:#x} is of a type that no driver emits"))),
            }
            let (op, count) = ((header >> 8) as u8, header >> 16 & 0x3fff);
            // A filler of the longest length is one word.
            let len = match (op, count) {
                (0x10, 0x3fff) if !planted!(FillerLong) => 0,
                _ if planted!(HeaderCountShort) => count,
                _ => count + 1,
            };
            reader.body(&memory, len, &mut body)?;
            let packet =
                packet(op).ok_or_else(|| Lost(format!("packet {op:#04x} at {at:#x} ({len} words) is not known")))?;
            if (body.len() as u32) < u32::from(packet.words) {
                return Err(Lost(format!("{} at {at:#x} has {len} words, and needs {}", packet.name, packet.words)));
            }
            let skipped = self.skips && header & 1 != 0;
            if let Some(log) = self.card.log.as_ref().filter(|_| packet.does != Does::Filler) {
                log.write(&Entry::Packet { ring: &self.name, address: at, name: packet.name, body: &body, skipped });
            }
            if skipped {
                continue;
            }
            let next = self
                .packet(packet, &body, &memory, space)
                .map_err(|Lost(why)| Lost(format!("{} at {at:#x}: {why}", packet.name)))?;
            match next {
                Next::Packet => continue,
                Next::Skip(words) => {
                    reader.skip(words);
                    continue;
                }
                Next::Chain(ib) => *reader = Reader::new(ib),
                Next::Call(ib) => stack.push(Reader::new(ib)),
            }
            *jumps += 1;
            if stack.len() > MAX_DEPTH || *jumps > MAX_JUMPS {
                return Err(Lost(format!("command buffers call each other without end, at {at:#x}")));
            }
        }
        Ok(())
    }

    fn packet(&mut self, packet: &Packet, body: &[u32], memory: &Memory, space: &dyn Space) -> Result<Next, Lost> {
        let pair = |n: usize| u64::from(body[n + 1]) << 32 | u64::from(body[n]);
        let mut view = memory.view();
        match packet.does {
            Does::Nothing | Does::Filler => {}
            Does::Missing(what) => return Err(Lost(format!("{what} are not emulated"))),
            Does::SetRegisters(range) => {
                let number = if planted!(IndexInNumber) { body[0] } else { body[0] & 0xffff };
                self.set(range, number, &body[1..])?;
            }
            Does::SetPairs(range) => {
                let body = if planted!(PairsFirstOnly) { &body[..2] } else { body };
                for pair in body.chunks_exact(2) {
                    self.set(range, pair[0] & 0xffff, &pair[1..])?;
                }
            }
            Does::SetPacked(range) => {
                for packed in body[1..].chunks_exact(3) {
                    self.set(range, packed[0] & 0xffff, &packed[1..2])?;
                    if !planted!(PackedSecondLost) {
                        self.set(range, packed[0] >> 16, &packed[2..])?;
                    }
                }
            }
            Does::LoadRegisters(range) => {
                let (from, count) = (canonical(pair(0) & !3), body[3] & 0x3fff);
                let count =
                    (count + u32::from(planted!(LoadCountLong))).saturating_sub(planted!(LoadCountShort).into());
                let mut values = vec![0; count as usize];
                view.load_words(from, &mut values)?;
                self.set(range, body[2] & 0xffff, &values)?;
            }
            Does::SetBase if body[0] & 0xf == 1 => self.indirect_base = canonical(pair(1)),
            // Bases of what is not emulated: display lists, constants.
            Does::SetBase => {}
            Does::DispatchDirect => self.dispatch([body[0], body[1], body[2]], body[3], space)?,
            Does::DispatchIndirect => {
                // Compute rings have the address itself, but for gfx6's.
                let (from, initiator) = match body.len() {
                    _ if planted!(IndirectLength) => (self.indirect_base.wrapping_add(body[0].into()), body[1]),
                    2 if planted!(IndirectBase) => (body[0].into(), body[1]),
                    2 if planted!(IndirectOffset) => (self.indirect_base, body[1]),
                    2 => (self.indirect_base.wrapping_add(body[0].into()), body[1]),
                    _ => (canonical(pair(0)), body[2]),
                };
                let mut dims = [0; 3];
                view.load_words(from, &mut dims)?;
                self.dispatch(dims, initiator, space)?;
            }
            Does::AtomicMem => atomic(&mut view, body)?,
            Does::SetPredication => self.predicate(body, memory)?,
            Does::CondExec => {
                let short = self.generation() == Gen::Gfx6 && !planted!(CondExecGfx6);
                let count = if short { body[2] } else { *body.get(3).unwrap_or(&0) };
                if (view.load_u32(canonical(pair(0) & !3))? == 0) != planted!(CondExecInverted) {
                    return Ok(Next::Skip(count & 0x3fff));
                }
            }
            Does::WriteData => self.write_data(body, memory)?,
            Does::WaitRegMem => self.wait(body, space)?,
            Does::IndirectBuffer => {
                let ib = Ib { address: canonical(pair(0) & !3), dwords: body[2] & 0xf_ffff };
                let chains = body[2] >> 20 & 1 == 1 && !planted!(ChainReturns) || planted!(CallChains);
                return Ok(if chains { Next::Chain(ib) } else { Next::Call(ib) });
            }
            Does::CopyData => self.copy_data(body, memory)?,
            Does::CpDma => {
                let high = |n: usize| u64::from(body[n] & 0xffff) << 32 | u64::from(body[n - 1]);
                let source = if planted!(CpDmaFillCopies) { 0 } else { body[1] >> 29 & 3 };
                let selects = (source, body[1] >> 20 & 3);
                self.dma(selects, body[0], high(1), high(3), body[4] & 0x1f_ffff, memory)?;
            }
            Does::DmaData => {
                let source = if planted!(DmaFillCopies) { 0 } else { body[0] >> 29 & 3 };
                let selects = (source, body[0] >> 20 & 3);
                let wide = self.generation() >= Gen::Gfx9 && !planted!(DmaSizeNarrow) || planted!(DmaSizeWide);
                let bytes = if wide { 0x3ff_ffff } else { 0x1f_ffff };
                self.dma(selects, body[1], pair(1), pair(3), body[5] & bytes, memory)?;
            }
            Does::EventWrite => self.event(body, memory)?,
            Does::EventWriteEop => {
                let to = u64::from(body[2] & 0xffff) << 32 | u64::from(body[1]);
                self.end_of_pipe(body[2] >> 29, to, pair(3), memory)?;
            }
            Does::EventWriteEos => match body[2] >> 29 {
                2 if planted!(EosIgnored) => {}
                2 => {
                    let to = u64::from(body[2] & 0xffff) << 32 | u64::from(body[1]);
                    view.store_u32(canonical(to), body[3])?;
                }
                command => return Err(Lost(format!("command {command} is not emulated"))),
            },
            Does::ReleaseMem => self.end_of_pipe(body[1] >> 29, pair(2), pair(4), memory)?,
            Does::ZPass => view.store_u64(canonical(pair(0) & !7), no_samples())?,
        }
        Ok(Next::Packet)
    }

    fn generation(&self) -> Gen {
        self.card.chip.arch().generation
    }

    fn set(&mut self, range: Range, number: u32, values: &[u32]) -> Result<(), Lost> {
        if self.registers.set_all(range, number, values) {
            return Ok(());
        }
        let first = range.base + 4 * number;
        Err(Lost(format!("{} registers from {first:#x} on are not all in its range", values.len())))
    }

    fn dispatch(&mut self, dims: [u32; 3], initiator: u32, space: &dyn Space) -> Result<(), Lost> {
        let compute = self.registers.compute(dims, initiator);
        let invocations = self.card.dispatch(&self.name, &compute, space)?;
        self.invocations += if planted!(InvocationsLost) { 0 } else { invocations };
        Ok(())
    }

    /// Conditional rendering: words of 32 or 64 bits decide whether what follows is done.
    fn predicate(&mut self, body: &[u32], memory: &Memory) -> Result<(), Lost> {
        let (control, from) = if self.generation() >= Gen::Gfx9 {
            let high = body.get(2).ok_or_else(|| Lost("it has no address".to_owned()))?;
            (body[0], u64::from(*high) << 32 | u64::from(body[1]))
        } else {
            (body[1], u64::from(body[1] & 0xff) << 32 | u64::from(body[0]))
        };
        let (from, mut view) = (canonical(from & !3), memory.view());
        let value = match control >> 16 & 7 {
            0 => {
                self.skips &= planted!(PredicateStays);
                return Ok(());
            }
            3 if planted!(PredicateNarrow) => view.load_u32(from)?.into(),
            3 => view.load_u64(from)?,
            4 => view.load_u32(from)?.into(),
            operation => return Err(Lost(format!("predicates of samples and primitives (operation {operation})"))),
        };
        let when_set = control >> 8 & 1 == 1;
        self.skips = ((value != 0) != when_set) != planted!(PredicateInverted);
        Ok(())
    }

    fn write_data(&mut self, body: &[u32], memory: &Memory) -> Result<(), Lost> {
        let (control, data) = (body[0], &body[3..]);
        let high = if planted!(WriteHighLost) { 0 } else { body[2] };
        let to = u64::from(high) << 32 | u64::from(body[1]);
        let one_address = control >> 16 & 1 == 1 && !planted!(WriteOneAddress);
        match control >> 8 & 0xf {
            0 => {
                for (value, n) in data.iter().zip(0..) {
                    let number = body[1].wrapping_add(if one_address { 0 } else { n });
                    self.registers.set(number.wrapping_mul(4), *value);
                }
            }
            1 | 2 | 5 => {
                let (mut view, to) = (memory.view(), canonical(to & !3));
                let data = if one_address { &data[data.len().saturating_sub(1)..] } else { data };
                view.store_words(to, data)?;
            }
            select => return Err(Lost(format!("destination {select} is not emulated"))),
        }
        Ok(())
    }

    /// Waits, with a look at the memory as it is each time: another ring or the host writes it.
    fn wait(&self, body: &[u32], space: &dyn Space) -> Result<(), Lost> {
        let (control, reference, mask) = (body[0], body[3], body[4]);
        let mask = if planted!(WaitMaskIgnored) { !0 } else { mask };
        let from = canonical((u64::from(body[2]) << 32 | u64::from(body[1])) & !3);
        let in_memory = control >> 4 & 3 == 1 && !planted!(WaitRegister);
        let look = || -> Result<u32, Lost> {
            let value = if in_memory {
                space.memory().view().load_u32(from)?
            } else {
                self.registers.get(body[1].wrapping_mul(4))
            };
            Ok(value & mask)
        };
        let holds = |value: u32| compares(control & 7, value, reference);
        wait_until(self.card.settings.watchdog, || look().map(holds))?.map_err(|time| {
            let value = look().unwrap_or(0);
            Lost(format!("waited {time:?} for the word at {from:#x}: {value:#x} {} {reference:#x}", sign(control & 7)))
        })
    }

    fn copy_data(&mut self, body: &[u32], memory: &Memory) -> Result<(), Lost> {
        let control = body[0];
        let wide = control >> 16 & 1 == 1 && !planted!(CopyDataNarrow);
        let pair = |n: usize| u64::from(body[n + 1]) << 32 | u64::from(body[n]);
        let mut view = memory.view();
        let value = match control & 0xf {
            0 => {
                let at = body[1].wrapping_mul(4);
                u64::from(self.registers.get(at.wrapping_add(4))) << 32 | u64::from(self.registers.get(at))
            }
            1 | 2 if wide => view.load_u64(canonical(pair(1)))?,
            1 | 2 => view.load_u32(canonical(pair(1)))?.into(),
            5 if planted!(CopyDataImmediate) => view.load_u32(canonical(pair(1)))?.into(),
            5 => pair(1),
            9 => self.card.now(),
            select => return Err(Lost(format!("source {select} is not emulated"))),
        };
        match control >> 8 & 0xf {
            0 => {
                let at = body[3].wrapping_mul(4);
                self.registers.set(at, value as u32);
                if wide {
                    self.registers.set(at.wrapping_add(4), (value >> 32) as u32);
                }
            }
            1 | 2 | 5 if wide => view.store_u64(canonical(pair(3)), value)?,
            1 | 2 | 5 => view.store_u32(canonical(pair(3)), value as u32)?,
            select => return Err(Lost(format!("destination {select} is not emulated"))),
        }
        Ok(())
    }

    /// `selects` say what source and destination are. No bytes are a barrier.
    fn dma(&self, selects: (u32, u32), word: u32, from: u64, to: u64, bytes: u32, memory: &Memory) -> Result<(), Lost> {
        let bytes = if bytes == 0 && planted!(DmaBarrierCopies) { 4 } else { bytes };
        let (mut view, bytes) = (memory.view(), u64::from(bytes));
        let (from, to) = (canonical(from), canonical(to));
        match selects {
            _ if bytes == 0 => {}
            // To nowhere: a prefetch.
            (_, 2) if planted!(DmaPrefetchCopies) => transfer::copy(&mut view, to, from, bytes)?,
            (_, 2) if self.generation() >= Gen::Gfx9 => {}
            (0 | 3, 0 | 3) if from == to => {}
            (0 | 3, 0 | 3) => transfer::copy(&mut view, to, from, bytes)?,
            (2, 0 | 3) => transfer::fill(&mut view, to, word, bytes)?,
            (source, to) => return Err(Lost(format!("source {source} to destination {to} is not emulated"))),
        }
        Ok(())
    }

    fn event(&self, body: &[u32], memory: &Memory) -> Result<(), Lost> {
        let [event, low, high, ..] = *body else { return Ok(()) };
        let (to, mut view) = (canonical((u64::from(high) << 32 | u64::from(low)) & !7), memory.view());
        match event & 0x3f {
            event::PIXEL_PIPE_STAT_CONTROL => {}
            event::ZPASS_DONE | event::PIXEL_PIPE_STAT_DUMP => view.store_u64(to, no_samples())?,
            // A compute ring has one counter, and drivers say where it goes; that of gfx6 is a graphics ring.
            event::SAMPLE_PIPELINE_STATISTICS if self.engine == Engine::Compute && self.generation() > Gen::Gfx6 => {
                view.store_u64(to, self.invocations)?;
            }
            event::SAMPLE_PIPELINE_STATISTICS => {
                let counters = if self.generation() >= Gen::Gfx11 { 14 } else { 11 };
                for n in 0..counters {
                    let place = COMPUTE_INVOCATIONS - usize::from(planted!(CounterPlace));
                    let value = if n == place { self.invocations } else { 0 };
                    view.store_u64(to.wrapping_add(8 * n as u64), value)?;
                }
            }
            other => return Err(Lost(format!("event {other:#x} with an address is not emulated"))),
        }
        Ok(())
    }

    /// What is written when everything before has ended, which is always.
    fn end_of_pipe(&self, data: u32, to: u64, value: u64, memory: &Memory) -> Result<(), Lost> {
        let (to, mut view) = (canonical(to & !3), memory.view());
        // Everything before is seen before what is written here.
        guest::fence();
        match data {
            0 if planted!(ReleaseAlways) => view.store_u32(to, value as u32)?,
            0 => {}
            1 => view.store_u32(to, value as u32)?,
            2 if planted!(ReleaseNarrow) => view.store_u32(to, value as u32)?,
            2 => view.store_u64(to, value)?,
            3 => view.store_u64(to, self.card.now())?,
            select => return Err(Lost(format!("data {select} are not emulated"))),
        }
        Ok(())
    }
}

/// What a counter of samples says where none were drawn: that it is written.
fn no_samples() -> u64 {
    if planted!(SamplesUnwritten) { 0 } else { 1 << 63 }
}

/// Functions of waits, by number.
pub(super) fn compares(function: u32, value: u32, reference: u32) -> bool {
    match function {
        2 if planted!(WaitLess) => value < reference,
        5 if planted!(WaitGreater) => value > reference,
        1 => value < reference,
        2 => value <= reference,
        3 => value == reference,
        4 => value != reference,
        5 => value >= reference,
        6 => value > reference,
        _ => true,
    }
}

fn sign(function: u32) -> &'static str {
    ["always", "<", "<=", "==", "!=", ">=", ">", "always"][(function & 7) as usize]
}

/// Waits until something holds, first spinning, then in ever longer sleeps; the error inside is the time that was too long.
pub(super) fn wait_until(
    watchdog: Duration,
    mut holds: impl FnMut() -> Result<bool, Lost>,
) -> Result<Result<(), Duration>, Lost> {
    let begin = Instant::now();
    let mut sleep = Duration::from_micros(1);
    for tries in 0u32.. {
        if holds()? {
            break;
        }
        if begin.elapsed() > watchdog {
            return Ok(Err(watchdog));
        }
        if tries < 32 {
            std::thread::yield_now();
        } else {
            std::thread::sleep(sleep);
            sleep = (sleep * 2).min(Duration::from_millis(1));
        }
    }
    Ok(Ok(()))
}

/// Operations on memory in one step, by number: those that return nothing have the same bit 5 clear and bit 6 set or not.
fn atomic(view: &mut guest::View<'_>, body: &[u32]) -> Result<(), Lost> {
    let to = canonical(u64::from(body[2]) << 32 | u64::from(body[1]));
    let pair = |n: usize| u64::from(body[n + 1]) << 32 | u64::from(body[n]);
    let (data, compare) = (pair(3), pair(5));
    let operation = body[0] & 0x7f;
    // Bit 5 is the width; the operations have the numbers of the texture cache (TC_OP).
    let wide = operation & 0x20 != 0 && !planted!(AtomicNarrow);
    let apply = |old: u64, data: u64, compare: u64| match operation & 0x1f {
        0x07 => Some(data),
        0x08 => Some(if old == compare || planted!(AtomicExchanges) { data } else { old }),
        0x0f => Some(old.wrapping_add(data)),
        0x10 => Some(old.wrapping_sub(data)),
        0x12 => Some(old.min(data)),
        0x14 => Some(old.max(data)),
        0x15 => Some(old & data),
        0x16 => Some(old | data),
        0x17 => Some(old ^ data),
        _ => None,
    };
    if apply(0, 0, 0).is_none() || body[0] >> 8 & 1 == 1 {
        return Err(Lost(format!("operation {:#x} is not emulated", body[0] & 0x1ff)));
    }
    if wide {
        view.rmw_u64(to, |old| apply(old, data, compare).unwrap_or(old))?;
    } else {
        let (data, compare) = (data & 0xffff_ffff, compare & 0xffff_ffff);
        view.rmw_u32(to, |old| apply(old.into(), data, compare).map_or(old, |new| new as u32))?;
    }
    Ok(())
}

impl Reader {
    pub(super) fn new(ib: Ib) -> Reader {
        Reader { address: canonical(ib.address), left: ib.dwords }
    }

    fn word(&mut self, memory: &Memory) -> Result<u32, Lost> {
        let mut word = [0];
        memory.view().fetch_words(self.address, &mut word)?;
        self.skip(1);
        Ok(word[0])
    }

    /// Takes words.
    pub(super) fn body(&mut self, memory: &Memory, len: u32, body: &mut Vec<u32>) -> Result<(), Lost> {
        if len > self.left {
            return Err(Lost(format!(
                "a packet of {len} words ends behind its command buffer, at {:#x}",
                self.address
            )));
        }
        body.clear();
        body.resize(len as usize, 0);
        memory.view().fetch_words(self.address, body)?;
        self.skip(len);
        Ok(())
    }

    fn skip(&mut self, words: u32) {
        let words = words.min(self.left);
        self.address = self.address.wrapping_add(4 * u64::from(words));
        self.left -= words;
    }
}
