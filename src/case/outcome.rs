//! What a run leaves behind: registers, memory, messages, counts.

use super::value::{File, Place};
use super::waves::Wave;
use super::{Export, Observed, Trap};
use crate::isa::row::Family;

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The waves at their end, ordered by group (x fastest) and by their number in the group. Waves which a trap kept from
    /// starting are not there; none is where only what the case looks at was kept.
    pub waves: Vec<WaveState>,
    /// What the case looks at, where no more was kept.
    pub observed: Option<Observed>,
    /// The buffers of the case, in its order, as they were left.
    pub buffers: Vec<Memory>,
    /// The local data share of each group, in the order of the groups; nothing where only what the case looks at was kept.
    pub lds: Vec<Memory>,
    /// What `s_sendmsg` sent, in the order of the waves.
    pub messages: Vec<Message>,
    /// What was exported, in the order of the waves.
    pub exports: Vec<Export>,
    /// The first trap, by group, then by wave: what ended the run early.
    pub trap: Option<Trap>,
    /// What was executed, and how long it took.
    pub stats: Stats,
}

impl Outcome {
    /// The wave with a number in the whole dispatch.
    #[must_use]
    pub fn wave(&self, group: [u32; 3], index: u32) -> Option<&WaveState> {
        self.waves.iter().find(|w| w.group == group && w.index == index)
    }

    /// A wave of the dispatch, as far as it was kept.
    #[must_use]
    pub fn state(&self, wave: &Wave) -> Option<State<'_>> {
        if let Some(observed) = &self.observed {
            let number = wave.number as usize;
            return observed.has(number).then_some(State::Row(observed, number));
        }
        // In its place, unless a trap kept others from starting.
        let here = self.waves.get(wave.number as usize).filter(|w| w.group == wave.group && w.index == wave.index);
        here.or_else(|| self.wave(wave.group, wave.index)).map(State::Whole)
    }

    /// The local data share of the group with a number, as far as it was kept.
    #[must_use]
    pub fn lds_of(&self, group: usize) -> Option<&[u8]> {
        match &self.observed {
            Some(observed) => observed.lds(group as u64),
            None => self.lds.get(group).map(|lds| lds.bytes.as_slice()),
        }
    }

    /// What is in a buffer.
    #[must_use]
    pub fn buffer(&self, name: &str) -> Option<&[u8]> {
        self.buffers.iter().find(|b| b.name == name).map(|b| b.bytes.as_slice())
    }
}

/// A wave of an outcome, whichever way it was kept.
#[derive(Clone, Copy)]
pub enum State<'o> {
    /// All of it.
    Whole(&'o WaveState),
    /// What the case looks at, of the wave with this number.
    Row(&'o Observed, usize),
}

impl State<'_> {
    /// A register; of vector registers a lane. `None` for those that were not kept.
    #[must_use]
    pub fn register(&self, file: File, n: u32, lane: u32) -> Option<u32> {
        match self {
            State::Row(observed, number) => observed.register(*number, file, n, lane),
            State::Whole(state) => match file {
                File::Vector => state.vgpr(n, lane),
                File::Accumulation => state.agprs.get(n as usize)?.get(lane as usize).copied(),
                File::Scalar => state.sgpr(n),
                File::Trap => state.ttmps.get(n as usize).copied(),
            },
        }
    }

    /// A register that is no part of a file, such as VCC. `None` for those that were not kept.
    #[must_use]
    pub fn single(&self, place: &Place) -> Option<u64> {
        match self {
            State::Row(observed, number) => observed.single(*number, place),
            State::Whole(state) => match place {
                Place::Vcc => Some(state.vcc),
                Place::Exec => Some(state.exec),
                Place::Scc => Some(state.scc.into()),
                Place::M0 => Some(state.m0.into()),
                Place::Mode => Some(state.mode.into()),
                Place::Trapsts => Some(state.trapsts.into()),
                Place::Regs { .. } | Place::Buffer(..) | Place::Lds(_) | Place::Export(_) | Place::Valid => None,
            },
        }
    }
}

/// A piece of memory at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The buffer's name in the case; `lds` for a local data share.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The registers of one wave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaveState {
    /// Its group.
    pub group: [u32; 3],
    /// Its number in the group.
    pub index: u32,
    /// Lanes: 32 or 64.
    pub wave_size: u32,
    /// Scalar registers, as many as the engine keeps: VCC and its like are not among them.
    pub sgprs: Vec<u32>,
    /// Vector registers, by lane.
    pub vgprs: Vec<[u32; 64]>,
    /// Accumulation registers of CDNA, by lane.
    pub agprs: Vec<[u32; 64]>,
    /// The vector condition code; in waves of 32 lanes the upper half is an ordinary register.
    pub vcc: u64,
    /// The lanes that are on.
    pub exec: u64,
    /// The scalar condition code.
    pub scc: bool,
    /// The memory register.
    pub m0: u32,
    /// The MODE hardware register, in the layout of the generation.
    pub mode: u32,
    /// The STATUS hardware register.
    pub status: u32,
    /// The TRAPSTS hardware register, with the sticky exceptions.
    pub trapsts: u32,
    /// Trap temporaries.
    pub ttmps: [u32; 16],
    /// Where it stopped: bytes from the start of the text; behind its `s_endpgm`, or at the instruction that trapped.
    pub pc: u64,
}

impl WaveState {
    /// A scalar register; `None` beyond the ones that the engine keeps.
    #[must_use]
    pub fn sgpr(&self, n: u32) -> Option<u32> {
        self.sgprs.get(n as usize).copied()
    }

    /// One lane of a vector register.
    #[must_use]
    pub fn vgpr(&self, n: u32, lane: u32) -> Option<u32> {
        self.vgprs.get(n as usize)?.get(lane as usize).copied()
    }
}

/// A message of a wave to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The group of the wave.
    pub group: [u32; 3],
    /// Its number in the group.
    pub wave: u32,
    /// The instruction, in bytes from the start of the text.
    pub pc: u64,
    /// The 16 bits of the instruction: the message and its operation.
    pub message: u16,
    /// M0 at that moment: the payload.
    pub m0: u32,
}

/// What was executed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Executed instructions of all waves, by family, in the order of the families; those that never ran are left out.
    pub families: Vec<(Family, u64)>,
    /// Executed instructions of all waves.
    pub wave_instructions: u64,
    /// Those of vector families, each counted once for every lane that was on.
    pub lane_operations: u64,
    /// Waves that were paused before their end.
    pub paused: u32,
    /// How long the run took; the device's time where there is a device.
    pub seconds: f64,
    /// Ticks of a card's shader clock from the begin of its longest wave to the end, where it is known.
    pub ticks: Option<u64>,
}

impl Stats {
    /// Counts executed instructions under their family alone.
    pub fn count(&mut self, family: Family, more: u64) {
        match self.families.binary_search_by_key(&(family as u8), |(f, _)| *f as u8) {
            Ok(at) => self.families[at].1 += more,
            Err(at) => self.families.insert(at, (family, more)),
        }
    }

    /// Adds what another wave or core did. Times do not add up: the longer one stays.
    pub fn merge(&mut self, other: &Stats) {
        for &(family, count) in &other.families {
            self.count(family, count);
        }
        self.wave_instructions += other.wave_instructions;
        self.lane_operations += other.lane_operations;
        self.paused += other.paused;
        self.seconds = self.seconds.max(other.seconds);
        self.ticks = self.ticks.max(other.ticks);
    }
}
