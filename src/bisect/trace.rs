//! A side that was recorded: the states after every prefix of a run, from an engine that need not be there any more.
//!
//! As bytes a trace is the number of its states, and each state behind its length, in the form in which [processes](crate::engine::wire) hand outcomes to each other.

use super::Prefixes;
use crate::engine::wire::{self, Broken};
use crate::engine::{EngineError, Outcome, Unsupported};

/// The states of a run from before its first instruction to behind its last.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    states: Vec<Outcome>,
}

impl Trace {
    /// Records a side that comes to its end in at most so many ticks. `progress` is told of every state.
    ///
    /// # Errors
    /// The side has no state where one is needed, or goes on for longer.
    pub fn record(side: &mut dyn Prefixes, most: u64, progress: &mut dyn FnMut(u64)) -> Result<Trace, EngineError> {
        let mut states = Vec::new();
        for ticks in 0..=most {
            let state = side.after(ticks)?;
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
    /// They are no trace.
    pub fn from_bytes(mut bytes: &[u8]) -> Result<Trace, Broken> {
        let count = number(&mut bytes)?;
        let mut states = Vec::new();
        for _ in 0..count {
            let len = usize::try_from(number(&mut bytes)?).map_err(|_| Broken::Short)?;
            let (state, rest) = bytes.split_at_checked(len).ok_or(Broken::Short)?;
            bytes = rest;
            states.push(wire::decode(state)?.map_err(|_| Broken::Value("state"))?);
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
}
