//! A side that was recorded: the states after every prefix of a run, from an engine that need not be there any more.
//!
//! States are whole, and there is one for each step: what all of them take has a [limit](MOST), in memory and as bytes.
//!
//! As bytes a trace is the number of its states, and each state behind its length, in the form in which [processes](crate::engine::wire) hand outcomes to each other.

use super::Prefixes;
use crate::engine::wire::{self, Broken};
use crate::engine::{EngineError, Outcome, Unsupported};

/// The most bytes that the states of a trace take.
pub const MOST: u64 = 1 << 30;
/// Those of a vector register.
const REGISTER: u64 = 256;

/// About how many bytes a state takes.
fn size(state: &Outcome) -> u64 {
    let registers = state.waves.iter().map(|wave| (wave.vgprs.len() + wave.agprs.len() + 1) as u64 * REGISTER);
    let memory = state.buffers.iter().chain(&state.lds).map(|memory| memory.bytes.len() as u64);
    registers.chain(memory).sum()
}

/// The states of a run from before its first instruction to behind its last.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    states: Vec<Outcome>,
}

impl Trace {
    /// Records a side that comes to its end in at most so many ticks. `progress` is told of every state.
    ///
    /// # Errors
    /// The side has no state where one is needed, goes on for longer, or the states take more than [`MOST`] bytes.
    pub fn record(side: &mut dyn Prefixes, most: u64, progress: &mut dyn FnMut(u64)) -> Result<Trace, EngineError> {
        Trace::record_within(MOST, side, most, progress)
    }

    fn record_within(
        bytes: u64,
        side: &mut dyn Prefixes,
        most: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Trace, EngineError> {
        let (mut states, mut taken) = (Vec::new(), 0u64);
        for ticks in 0..=most {
            let state = side.after(ticks)?;
            taken = taken.saturating_add(size(&state));
            if taken > bytes {
                let needs = format!("a trace whose first {ticks} states take more than {} MiB", bytes >> 20);
                return Err(Unsupported { instruction: "the program".to_owned(), needs }.into());
            }
            let ended = state.stats.paused == 0;
            states.push(state);
            progress(ticks);
            if ended {
                return Ok(Trace { states });
            }
        }
        let needs = format!("a trace of more than {most} steps");
        Err(Unsupported { instruction: "the program".to_owned(), needs }.into())
    }

    /// How many ticks the run takes.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.states.len().saturating_sub(1) as u64
    }

    /// As bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.states.len() as u64).to_le_bytes().to_vec();
        for state in &self.states {
            let state = wire::encode(&Ok(state.clone()));
            bytes.extend((state.len() as u64).to_le_bytes());
            bytes.extend(state);
        }
        bytes
    }

    /// From bytes.
    ///
    /// # Errors
    /// They are no trace, or one of states that take more than [`MOST`] bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Trace, Broken> {
        Trace::from_within(MOST, bytes)
    }

    fn from_within(most: u64, mut bytes: &[u8]) -> Result<Trace, Broken> {
        let count = number(&mut bytes)?;
        let (mut states, mut registers) = (Vec::new(), most / REGISTER);
        for _ in 0..count {
            let len = usize::try_from(number(&mut bytes)?).map_err(|_| Broken::Short)?;
            let (state, rest) = bytes.split_at_checked(len).ok_or(Broken::Short)?;
            bytes = rest;
            states.push(wire::decode_within(state, &mut registers)?.map_err(|_| Broken::Value("state"))?);
        }
        match (bytes, &states[..]) {
            (_, []) => Err(Broken::Value("number of states")),
            ([], _) => Ok(Trace { states }),
            _ => Err(Broken::Long),
        }
    }
}

fn number(bytes: &mut &[u8]) -> Result<u64, Broken> {
    let (first, rest) = bytes.split_first_chunk().ok_or(Broken::Short)?;
    *bytes = rest;
    Ok(u64::from_le_bytes(*first))
}

impl Prefixes for Trace {
    fn after(&mut self, ticks: u64) -> Result<Outcome, EngineError> {
        Ok(self.states[ticks.min(self.ticks()) as usize].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Stats, WaveState};

    /// A counter that stops.
    struct Counts(u64);

    impl Prefixes for Counts {
        fn after(&mut self, ticks: u64) -> Result<Outcome, EngineError> {
            let wave = WaveState { m0: ticks.min(self.0) as u32, wave_size: 64, ..WaveState::default() };
            let stats = Stats { paused: u32::from(ticks < self.0), ..Stats::default() };
            Ok(Outcome { waves: vec![wave], stats, ..Outcome::default() })
        }
    }

    #[test]
    fn a_trace_has_every_state() {
        let mut trace = Trace::record(&mut Counts(5), 5, &mut |_| {}).expect("a trace");
        assert_eq!(trace.ticks(), 5);
        for ticks in [0, 1, 4, 5, 6, u64::MAX] {
            assert_eq!(trace.after(ticks).expect("a state"), Counts(5).after(ticks).expect("a state"));
        }
        assert!(Trace::record(&mut Counts(5), 4, &mut |_| {}).is_err());
    }

    #[test]
    fn bytes_are_read_back_or_refused() {
        let trace = Trace::record(&mut Counts(3), 9, &mut |_| {}).expect("a trace");
        let bytes = trace.to_bytes();
        assert_eq!(Trace::from_bytes(&bytes), Ok(trace));
        for len in 0..bytes.len() {
            assert!(Trace::from_bytes(&bytes[..len]).is_err(), "{len} bytes");
        }
        assert_eq!(Trace::from_bytes(&[&bytes[..], &[0]].concat()), Err(Broken::Long));
        assert_eq!(Trace::from_bytes(&[0; 8]), Err(Broken::Value("number of states")));
        assert!(Trace::from_bytes(&[0xff; 64]).is_err());
    }

    /// A state with as many registers as one likes, all of them zero, which are a byte each.
    fn registers(count: usize) -> Outcome {
        let wave = WaveState { vgprs: vec![[0; 64]; count], wave_size: 64, ..WaveState::default() };
        Outcome { waves: vec![wave], ..Outcome::default() }
    }

    struct Wide(usize);

    impl Prefixes for Wide {
        fn after(&mut self, _: u64) -> Result<Outcome, EngineError> {
            let stats = Stats { paused: 1, ..Stats::default() };
            Ok(Outcome { stats, ..registers(self.0) })
        }
    }

    #[test]
    fn states_that_fit_nowhere_are_refused() {
        // Sixteen states of a MiB each, and another one.
        let state = wire::encode(&Ok(registers(1 << 12)));
        assert!(state.len() < 1 << 13, "{} bytes", state.len());
        let mut bytes = 17u64.to_le_bytes().to_vec();
        for _ in 0..17 {
            bytes.extend((state.len() as u64).to_le_bytes());
            bytes.extend(&state);
        }
        assert_eq!(Trace::from_within(16 << 20, &bytes), Err(Broken::Value("number of registers")));
        assert_eq!(Trace::from_within(17 << 20, &bytes).map(|trace| trace.ticks()), Ok(16));
        let error = Trace::record_within(16 << 20, &mut Wide(1 << 12), u64::MAX, &mut |_| {}).expect_err("no end");
        assert!(error.to_string().contains("more than 16 MiB"), "{error}");
    }
}
