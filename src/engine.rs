//! What every engine has in common: cases go in, outcomes come out.
//!
//! An [`Engine`] runs a [`Case`] for one target and hands back an [`Outcome`]: the state of every wave at its end, the memory it
//! left behind, and how it came to an end. The CPU emulator, the translation to SPIR-V, a card and a recorded outcome are engines
//! alike; whoever compares them sees nothing else of them.
//!
//! Three things can go wrong, and they are three types:
//!
//! - the *program* does something it must not do: a [`Trap`], a value inside the outcome, beside the state at that moment;
//! - the engine cannot do exactly what the program asks: [`Unsupported`], a skip with a reason, never a silent difference;
//! - the *tool* fails (a device is lost, a file is missing): any other [`EngineError`].
//!
//! A verdict on a run is a [`Status`]; [`Case::check`](crate::case::Case::check) finds the mismatches that make it a `Fail`.
//!
//! State is kept as bits. A `WaveState` holds 64 lanes whatever the wave size; in waves of 32 lanes the upper half is zero and
//! compared by nobody. Program counters are byte offsets from the start of the program's text, so that they mean the same in every engine.

use crate::case::{Case, CaseError};
use crate::disasm::Reason;
use crate::isa::Target;
use crate::isa::row::Family;
use std::fmt;
use std::time::Duration;

/// Something that runs cases.
pub trait Engine {
    /// How it is called on the command line and in reports: `emu`, `vulkan:llvmpipe`.
    fn name(&self) -> &str;

    /// Whether it can run a case, and how well: asked before a run, without running anything.
    fn supports(&self, case: &Case, target: Target) -> Support;

    /// Runs a case for one target.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] if the engine cannot do exactly what the case asks; anything else is a failure of the tool. What the
    /// program does wrong is no error, but [`Outcome::trap`].
    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError>;
}

/// How well an engine can run a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// To the bit, as far as the case's own rules ask.
    Exact,
    /// It runs, but these instructions may differ within a bound.
    Approximate(Vec<Unsupported>),
    /// It does not run, because of these.
    No(Vec<Unsupported>),
}

impl Support {
    /// Whether a run makes sense.
    #[must_use]
    pub fn runs(&self) -> bool {
        !matches!(self, Support::No(_))
    }

    /// What is missing; nothing where the engine is exact.
    #[must_use]
    pub fn reasons(&self) -> &[Unsupported] {
        match self {
            Support::Exact => &[],
            Support::Approximate(reasons) | Support::No(reasons) => reasons,
        }
    }
}

/// What an engine cannot do, and what it would need for it. Skips are counted by `needs`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("`{instruction}` needs {needs}")]
pub struct Unsupported {
    /// The instruction, as text; the line of the header where it is no instruction.
    pub instruction: String,
    /// The missing thing, in a few fixed words: `shaderInt64`, `images`, `f32 denormals`.
    pub needs: String,
}

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine cannot do what the case asks: a skip, not a failure.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The case does not fit the target: it does not assemble, or a file it names is missing.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// There is no such engine or device here.
    #[error("{device} is not there: {reason}")]
    Absent {
        /// What was asked for.
        device: String,
        /// Why it is not there.
        reason: String,
    },
    /// The engine did not come back in time.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// The engine or its device went down with the run.
    #[error("{device} failed while {doing}: {reason}")]
    Crash {
        /// The engine or device.
        device: String,
        /// `creating the pipeline`
        doing: &'static str,
        /// What the layer below said.
        reason: String,
    },
}

impl EngineError {
    /// The verdict on a run which ended like this.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            EngineError::Unsupported(_) | EngineError::Absent { .. } => Status::Unsupported,
            EngineError::Timeout(_) => Status::Timeout,
            EngineError::Crash { .. } => Status::Crash,
            EngineError::Case(_) => Status::Fail,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The waves at their end, ordered by group (x fastest) and by their number in the group. Waves which a trap kept from
    /// starting are not there.
    pub waves: Vec<WaveState>,
    /// The buffers of the case, in its order, as they were left.
    pub buffers: Vec<Memory>,
    /// The local data share of each group, in the order of the groups.
    pub lds: Vec<Memory>,
    /// What `s_sendmsg` sent, in the order of the waves.
    pub messages: Vec<Message>,
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

    /// What is in a buffer.
    #[must_use]
    pub fn buffer(&self, name: &str) -> Option<&[u8]> {
        self.buffers.iter().find(|b| b.name == name).map(|b| b.bytes.as_slice())
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
    /// How long the run took; the device's time where there is a device.
    pub seconds: f64,
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
        self.seconds = self.seconds.max(other.seconds);
    }
}

/// How a program came to a bad end: a value, not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// What happened.
    pub kind: TrapKind,
    /// The group of the wave.
    pub group: [u32; 3],
    /// The number of the wave in its group.
    pub wave: u32,
    /// The instruction, in bytes from the start of the text.
    pub pc: u64,
    /// The instruction as text; its words in hex where it is none.
    pub instruction: String,
    /// The first lane that did it, where one lane did.
    pub lane: Option<u32>,
    /// The address, where there is one.
    pub address: Option<u64>,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.group;
        write!(
            f,
            "{} at {:#06x} `{}`, group ({x}, {y}, {z}) wave {}",
            self.kind, self.pc, self.instruction, self.wave
        )?;
        if let Some(lane) = self.lane {
            write!(f, " lane {lane}")?;
        }
        if let Some(address) = self.address {
            write!(f, ", address {address:#x}")?;
        }
        Ok(())
    }
}

/// What an access to memory was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A load.
    Load,
    /// A store.
    Store,
    /// A read and a write in one.
    Atomic,
    /// An instruction.
    Fetch,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Load => "load",
            Access::Store => "store",
            Access::Atomic => "atomic",
            Access::Fetch => "fetch",
        })
    }
}

/// Why a wave stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrapKind {
    /// An access outside all buffers, or a store to one that is read-only.
    #[error("bad address: {access} of {bytes} bytes")]
    BadAddress {
        /// What for.
        access: Access,
        /// How much.
        bytes: u32,
    },
    /// An access that is not aligned where the hardware insists on it.
    #[error("misaligned {access}: {align} bytes needed")]
    Misaligned {
        /// What for.
        access: Access,
        /// The alignment that is needed.
        align: u32,
    },
    /// Bits that are no instruction of this processor.
    #[error("illegal instruction: {0}")]
    IllegalInstruction(Reason),
    /// A register beyond those that the wave has, where the generation makes that a fault.
    #[error("no such register: {0}")]
    BadRegister(String),
    /// The program counter left the program.
    #[error("the program counter left the program")]
    BadPc,
    /// More instructions than the budget allows: an endless loop.
    #[error("endless loop: more than {limit} instructions")]
    Budget {
        /// The budget of one wave.
        limit: u64,
    },
    /// More time than the watchdog allows.
    #[error("the watchdog stopped it after {0:?}")]
    Watchdog(Duration),
    /// `s_trap N`
    #[error("s_trap {0}")]
    Software(u8),
    /// An exception that MODE enables; the bits are those of TRAPSTS.
    #[error("exception {0:#x}")]
    Exception(u32),
    /// `s_sethalt`, and nobody there to wake it.
    #[error("halted for ever")]
    Halt,
    /// All waves of the group that still run wait for something that none of them will do.
    #[error("deadlock: {waiting} of {waves} waves wait at a barrier, the others have ended or wait elsewhere")]
    Deadlock {
        /// How many wait at a barrier.
        waiting: u32,
        /// How many waves the group has.
        waves: u32,
    },
    /// An instruction that the engine met on its way and cannot execute.
    #[error("unsupported instruction: needs {needs}")]
    Unsupported {
        /// What is missing, as in [`Unsupported`].
        needs: String,
    },
}

impl TrapKind {
    /// Every name that [`TrapKind::name`] gives.
    pub const NAMES: [&'static str; 12] = [
        "bad_address",
        "misaligned",
        "illegal_instruction",
        "bad_register",
        "bad_pc",
        "budget",
        "watchdog",
        "s_trap",
        "exception",
        "halt",
        "deadlock",
        "unsupported",
    ];

    /// The word for it in case files: `expect: trap bad_address`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            TrapKind::BadAddress { .. } => "bad_address",
            TrapKind::Misaligned { .. } => "misaligned",
            TrapKind::IllegalInstruction(_) => "illegal_instruction",
            TrapKind::BadRegister(_) => "bad_register",
            TrapKind::BadPc => "bad_pc",
            TrapKind::Budget { .. } => "budget",
            TrapKind::Watchdog(_) => "watchdog",
            TrapKind::Software(_) => "s_trap",
            TrapKind::Exception(_) => "exception",
            TrapKind::Halt => "halt",
            TrapKind::Deadlock { .. } => "deadlock",
            TrapKind::Unsupported { .. } => "unsupported",
        }
    }
}

/// The verdict on one case, target and engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// As expected.
    Pass,
    /// An observed value differs.
    Fail,
    /// The program trapped, and was not expected to.
    Trap,
    /// The engine went down.
    Crash,
    /// The engine did not come back in time.
    Timeout,
    /// The engine cannot run it, and says why.
    Unsupported,
    /// From some instruction on engines may rightly differ.
    Poisoned,
    /// Once so, once so.
    Flake,
    /// It passes, and a list says that it fails.
    UnexpectedPass,
}

impl Status {
    /// Every status, in the order of reports.
    pub const ALL: [Status; 9] = [
        Status::Pass,
        Status::Fail,
        Status::Trap,
        Status::Crash,
        Status::Timeout,
        Status::Unsupported,
        Status::Poisoned,
        Status::Flake,
        Status::UnexpectedPass,
    ];

    /// `unexpected-pass`
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Trap => "trap",
            Status::Crash => "crash",
            Status::Timeout => "timeout",
            Status::Unsupported => "unsupported",
            Status::Poisoned => "poisoned",
            Status::Flake => "flake",
            Status::UnexpectedPass => "unexpected-pass",
        }
    }

    /// Whether a suite with such a case is not green. Failures that are listed as expected are no longer failures when this is asked.
    #[must_use]
    pub fn is_bad(self) -> bool {
        !matches!(self, Status::Pass | Status::Unsupported | Status::Poisoned)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
