//! What a timed run took: in all, wave by wave, instruction by instruction.
//!
//! A wave's clocks are divided among its instructions without a rest: an instruction has those from the *start* of the one before it to its own,
//! where the start of a vector instruction is its execution and that of any other its issue. One of them, the rest being waited for
//! [something](Why), is what it takes where nothing holds it up.

/// What an instruction waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Why {
    /// A result of another instruction.
    Dependency,
    /// A counter, by a wait or because it was full.
    Counter,
    /// Its unit, which worked for another instruction.
    Unit,
    /// A place in the queue of vector instructions.
    Queue,
    /// Its words, behind a branch or a cache line that was not there.
    Fetch,
    /// Other waves at a barrier.
    Barrier,
    /// The SIMD, which had gone to sleep.
    Asleep,
    /// Its way from the issue to the execution, which takes some clocks whatever it is.
    Pipeline,
    /// Time that the program asked for: `s_nop`, `s_sleep`, `s_delay_alu`.
    Asked,
}

impl Why {
    /// All of them.
    pub const ALL: [Why; 9] = [
        Why::Dependency,
        Why::Counter,
        Why::Unit,
        Why::Queue,
        Why::Fetch,
        Why::Barrier,
        Why::Asleep,
        Why::Pipeline,
        Why::Asked,
    ];

    /// What it is called in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Why::Dependency => "dependency",
            Why::Counter => "counter",
            Why::Unit => "unit",
            Why::Queue => "queue",
            Why::Fetch => "fetch",
            Why::Barrier => "barrier",
            Why::Asleep => "asleep",
            Why::Pipeline => "pipeline",
            Why::Asked => "asked",
        }
    }
}

/// What a run took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Clocks from the first issue to the end of the last wave and of what it had sent to memory.
    pub clocks: u64,
    /// Compute units that had work.
    pub units: u32,
    /// The most waves that one of their SIMDs had at a time.
    pub occupancy: u32,
    /// Waves in the order of their groups and numbers, the first [`Report::WAVES`] of them.
    pub waves: Vec<WaveTime>,
    /// Waves that there were.
    pub all_waves: u64,
    /// What the instructions of the program took, by the numbers of their first words.
    pub steps: Vec<StepTime>,
    /// The first instructions of each compute unit's run, as many as were wished for, by compute unit and in the order in which they started.
    pub events: Vec<Event>,
    /// Instructions that were executed and are not among the events.
    pub left_out: u64,
    /// Instructions of which the model found out once what they take, and not again.
    pub recalled: u64,
}

impl Report {
    /// The most waves that are listed.
    pub const WAVES: usize = 1 << 12;
    /// Events of a compute unit that are enough to draw.
    pub const EVENTS: usize = 1 << 14;

    /// Takes in what another compute unit took.
    pub fn merge(&mut self, other: Report) {
        self.clocks = self.clocks.max(other.clocks);
        self.units += other.units;
        self.occupancy = self.occupancy.max(other.occupancy);
        let room = Report::WAVES.saturating_sub(self.waves.len());
        self.waves.extend(other.waves.into_iter().take(room));
        self.waves.sort_by_key(|wave| (wave.group, wave.wave));
        self.all_waves += other.all_waves;
        self.steps.resize(self.steps.len().max(other.steps.len()), StepTime::default());
        for (mine, its) in self.steps.iter_mut().zip(other.steps) {
            mine.count += its.count;
            mine.clocks += its.clocks;
            mine.waits.iter_mut().zip(its.waits).for_each(|(mine, its)| *mine += its);
            if its.latest >= mine.latest {
                (mine.on, mine.latest) = (its.on, its.latest);
            }
        }
        self.events.extend(other.events);
        self.left_out += other.left_out;
        self.recalled += other.recalled;
    }
}

/// When and where a wave ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaveTime {
    /// Its group.
    pub group: [u32; 3],
    /// Its number in the group.
    pub wave: u32,
    /// The compute unit, from zero.
    pub unit: u32,
    /// The SIMD in it.
    pub simd: u32,
    /// When it could issue for the first time.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
    /// When all that it had sent to memory had arrived.
    pub arrived: u64,
    /// Instructions that it executed.
    pub instructions: u64,
}

/// What all executions of an instruction took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTime {
    /// How often it was executed.
    pub count: u64,
    /// Clocks of all of them.
    pub clocks: u64,
    /// Those of them that were waited, by [`Why`].
    pub waits: [u64; Why::ALL.len()],
    /// The instruction whose result was waited for last, by the number of its first word.
    pub on: Option<u32>,
    /// When that was.
    pub latest: Moment,
}

/// When something was, and where: by compute unit, then by clock, then by SIMD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u128);

impl Moment {
    #[inline(always)]
    pub(super) fn new(unit: u32, clock: u64, simd: usize) -> Moment {
        Moment(u128::from(unit) << 96 | u128::from(clock) << 32 | u128::from(simd as u32))
    }

    /// So many clocks later.
    pub(super) fn later(self, clocks: u32) -> Moment {
        Moment(self.0 + (u128::from(clocks) << 32))
    }
}

impl StepTime {
    /// A result was waited for. They do not come in order.
    #[inline(always)]
    pub(super) fn waits_for(&mut self, on: u32, when: Moment) {
        if when >= self.latest {
            (self.on, self.latest) = (Some(on), when);
        }
    }
}

/// One executed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The group.
    pub group: [u32; 3],
    /// The wave in it.
    pub wave: u32,
    /// The number of its first word.
    pub step: u32,
    /// When it was issued.
    pub issue: u64,
    /// When it started: it was executed, if it went through a queue, else issued.
    pub start: u64,
    /// When its result was there for the next one, or for the counter.
    pub done: u64,
    /// What it waited for longest, and how long.
    pub why: Option<(Why, u32)>,
    /// The instruction whose result that was, by the number of its first word.
    pub on: Option<u32>,
}
