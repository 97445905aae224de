//! What the [model](super::model) knows of a SIMD: its ports, its vector unit, and whose turn it is.

use super::op::{Kind, Op, PORTS};
use super::recall::Flight;
use super::wave::{Code, NEVER, Wave};

/// What a SIMD knows of one of its waves: enough to find out whose turn it is.
#[derive(Clone, Copy)]
pub(super) struct Due {
    pub(super) slot: usize,
    /// When its next instruction can be issued, as far as itself is concerned, and through which port.
    pub(super) front: Since,
    port: u8,
    /// When the head of its queue leaves it, and whether that goes to the transcendental unit.
    head: Since,
    transcendental: bool,
}

impl Due {
    /// Of a wave of which nothing is known yet.
    pub(super) fn new(slot: usize) -> Due {
        Due { slot, front: Since::NEVER, port: 0, head: Since::NEVER, transcendental: false }
    }
}

/// Since when a wave waits for its turn, above its place. Of those that wait for the same unit the lowest comes first,
/// whenever that is free: who has waited longest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Since(u64);

impl Since {
    const NEVER: Since = Since(NEVER);

    #[inline(always)]
    fn new(clock: u64, place: usize) -> Since {
        if clock == NEVER { Since::NEVER } else { Since(clock << 8 | place as u64) }
    }

    #[inline(always)]
    pub(super) fn clock(self) -> u64 {
        self.0 >> 8
    }
}

/// A SIMD.
#[derive(Clone)]
pub(super) struct Simd {
    pub(super) waves: Vec<Due>,
    /// From when on each port is free: where there is no queue before it, with the unit behind it.
    pub(super) ports: [u64; PORTS],
    /// From when on the vector unit is, and the transcendental one beside it.
    pub(super) vector: u64,
    pub(super) transcendental: u64,
    /// The last issue or start.
    pub(super) active: u64,
    /// When the instruction that started last leaves the unit, until it has.
    pub(super) leaves: u64,
    /// Which head leaves its queue next, and which instruction is issued next.
    pub(super) starts: Turn,
    pub(super) issues: Turn,
    /// When something happens next.
    pub(super) next: u64,
    /// The [passage](super::recall) that it is on: then a wave asks next, and all else may be as it was before that.
    pub(super) flight: Option<Flight>,
}

/// Whose turn it is: when that is, above since when the wave has waited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn(u128);

impl Turn {
    /// Nobody's.
    const NOBODY: Turn = Turn(u128::MAX);

    /// Of a wave whose unit is free from a clock on.
    #[inline(always)]
    fn new(since: Since, free: u64) -> Turn {
        if since == Since::NEVER {
            return Turn::NOBODY;
        }
        Turn(u128::from(since.clock().max(free)) << 64 | u128::from(since.0))
    }

    /// When it is.
    #[inline(always)]
    pub(super) fn at(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// The place of the wave.
    #[inline(always)]
    pub(super) fn place(self) -> usize {
        self.0 as usize & 0xff
    }
}

impl Simd {
    /// One without waves.
    pub(super) const EMPTY: Simd = Simd {
        waves: Vec::new(),
        ports: [0; PORTS],
        vector: 0,
        transcendental: 0,
        active: 0,
        leaves: NEVER,
        starts: Turn::NOBODY,
        issues: Turn::NOBODY,
        next: NEVER,
        flight: None,
    };

    /// Finds out what happens on it next. What leaves a queue comes before what is issued in the same clock, for which it makes
    /// room; of several waves, the one that has waited longest is first.
    pub(super) fn settle(&mut self, now: u64) {
        self.settle_starts(now);
        self.settle_issues(now);
    }

    /// Finds out which head leaves its queue next.
    #[inline(always)]
    pub(super) fn settle_starts(&mut self, now: u64) {
        let (mut first, mut plain) = (Since::NEVER, true);
        for due in &self.waves {
            first = first.min(due.head);
            plain &= !due.transcendental;
        }
        // Mostly all wait for the same unit.
        self.starts = match plain {
            true => Turn::new(first, self.leaves_at(now, false)),
            false => self.waves.iter().map(|due| self.turn_to_start(due, now)).fold(Turn::NOBODY, Turn::min),
        };
        self.next = self.starts.at().min(self.issues.at());
    }

    /// Finds out which instruction is issued next.
    #[inline(always)]
    pub(super) fn settle_issues(&mut self, now: u64) {
        let port = self.waves.first().map_or(0, |due| due.port);
        let (mut first, mut same) = (Since::NEVER, true);
        for due in &self.waves {
            first = first.min(due.front);
            same &= due.port == port;
        }
        self.issues = match same {
            true => Turn::new(first, self.issued_at(now, port)),
            false => self.waves.iter().map(|due| self.turn_to_issue(due, now)).fold(Turn::NOBODY, Turn::min),
        };
        self.next = self.starts.at().min(self.issues.at());
    }

    /// A head came to a queue that had none: it may be the next one to leave.
    #[inline(always)]
    pub(super) fn settle_start(&mut self, place: usize, now: u64) {
        self.starts = self.starts.min(self.turn_to_start(&self.waves[place], now));
        self.next = self.starts.at().min(self.issues.at());
    }

    /// An instruction can be issued which could not: it may be the next one.
    #[inline(always)]
    pub(super) fn settle_issue(&mut self, place: usize, now: u64) {
        self.issues = self.issues.min(self.turn_to_issue(&self.waves[place], now));
        self.next = self.starts.at().min(self.issues.at());
    }

    #[inline(always)]
    fn turn_to_start(&self, due: &Due, now: u64) -> Turn {
        Turn::new(due.head, self.leaves_at(now, due.transcendental))
    }

    #[inline(always)]
    fn turn_to_issue(&self, due: &Due, now: u64) -> Turn {
        Turn::new(due.front, self.issued_at(now, due.port))
    }

    /// An instruction is issued: it keeps its port for some clocks.
    #[inline(always)]
    pub(super) fn issue(&mut self, op: &Op, now: u64) {
        self.ports[usize::from(op.port)] = now + u64::from(op.busy);
        if op.kind != Kind::End {
            self.active = self.active.max(now);
        }
    }

    /// A vector instruction starts.
    #[inline(always)]
    pub(super) fn start(&mut self, code: Code<'_>, op: &Op, start: u64) {
        self.vector = start + u64::from(op.passes);
        if op.transcendental {
            self.transcendental = start + u64::from(op.figure.clocks);
        }
        self.active = self.active.max(start);
        self.leaves = start + u64::from(code.queue.sleep.leave);
    }

    /// Takes in when the next instruction of a wave can be issued.
    #[inline(always)]
    pub(super) fn note_front(&mut self, wave: &Wave, code: Code<'_>) {
        let Some(due) = self.waves.get_mut(wave.place) else { return };
        due.front = Since::new(wave.front.at, wave.place);
        due.port = wave.op(code).map_or(0, |op| op.port);
    }

    /// Takes in when the head of a wave's queue leaves it.
    #[inline(always)]
    pub(super) fn note_head(&mut self, wave: &Wave) {
        let Some(due) = self.waves.get_mut(wave.place) else { return };
        (due.head, due.transcendental) = (Since::new(wave.head, wave.place), wave.head_transcendental);
    }

    /// When a head leaves its queue that its wave lets go at a clock.
    #[inline(always)]
    pub(super) fn leaves_at(&self, head: u64, transcendental: bool) -> u64 {
        let unit = if transcendental { self.vector.max(self.transcendental) } else { self.vector };
        head.max(unit.saturating_sub(1))
    }

    /// When an instruction is issued through a port that its wave lets go at a clock.
    #[inline(always)]
    pub(super) fn issued_at(&self, front: u64, port: u8) -> u64 {
        front.max(self.ports[usize::from(port)])
    }
}
