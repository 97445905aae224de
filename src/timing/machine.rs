//! The machines: what a compute unit of each generation has, and how fast it is. Data; the [model](super::model) reads nothing else.
//!
//! Every figure of a [unit](Unit) says [where it comes from](Source). There is no vendor's document of latencies. What traces of silicon say is
//! taken first, then what the compilers' schedulers reckon with, and a guess where neither says anything. Of RDNA the figures are those of a wave of
//! 32 lanes; one of 64 goes through vector units in two passes. Of GCN and CDNA they are those of a wave of 64.
//!
//! What was recorded of a gfx1100's vector unit (cycle by cycle, one wave alone) is in [`Queue`] and [`Sleep`]; the other machines with a
//! queue have the same by guess.

use super::issue::Unit;
use crate::isa::arch::Variants;
use crate::isa::{Arch, Target};

/// Where a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Silicon: gcnasm's rates of an MI50 and latencies of an MI308X, the classes and least distances of traces of a gfx1100 and a gfx1200, the
    /// programs of a gfx1100.
    Silicon,
    /// LLVM's scheduling models and ACO's estimates, which agree; clocks are ACO's, which alone has them.
    Compiler,
    /// A data sheet's rate.
    Sheet,
    /// Nobody says.
    Guess,
}

impl Source {
    /// What it is called in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Source::Silicon => "silicon",
            Source::Compiler => "compilers",
            Source::Sheet => "data sheet",
            Source::Guess => "guess",
        }
    }
}

/// How fast a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Clocks for which an instruction keeps the unit.
    pub clocks: u16,
    /// Clocks from its start to that of an instruction which reads the result.
    pub latency: u16,
    /// Where the clocks come from.
    pub clocks_from: Source,
    /// Where the latency comes from.
    pub latency_from: Source,
}

const fn figure(clocks: u16, latency: u16, clocks_from: Source, latency_from: Source) -> Figure {
    Figure { clocks, latency, clocks_from, latency_from }
}

/// Both from silicon.
const fn x(clocks: u16, latency: u16) -> Figure {
    figure(clocks, latency, Source::Silicon, Source::Silicon)
}

/// The clocks from silicon, the latency from compilers.
const fn s(clocks: u16, latency: u16) -> Figure {
    figure(clocks, latency, Source::Silicon, Source::Compiler)
}

/// The clocks from compilers, the latency from silicon.
const fn l(clocks: u16, latency: u16) -> Figure {
    figure(clocks, latency, Source::Compiler, Source::Silicon)
}

/// The clocks from silicon, the latency a guess.
const fn h(clocks: u16, latency: u16) -> Figure {
    figure(clocks, latency, Source::Silicon, Source::Guess)
}

/// Both from compilers.
const fn c(clocks: u16, latency: u16) -> Figure {
    figure(clocks, latency, Source::Compiler, Source::Compiler)
}

/// Both from a data sheet.
const fn d(clocks: u16, latency: u16) -> Figure {
    figure(clocks, latency, Source::Sheet, Source::Sheet)
}

/// Both a guess.
const fn g(clocks: u16, latency: u16) -> Figure {
    figure(clocks, latency, Source::Guess, Source::Guess)
}

/// The columns of the [figures](FIGURES).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Gcn,
    Vega20,
    Cdna,
    Cdna3,
    Rdna2,
    Rdna3,
    Rdna4,
}

/// A line a unit, a column a [kind of machine](Column): clocks and latency.
#[rustfmt::skip]
const FIGURES: &[(Unit, [Figure; 7])] = &[
    //                           gfx6-9    gfx906    CDNA      CDNA 3    gfx10      gfx11      gfx12
    (Unit::Immediate,          [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 1),   s(1, 1),   s(1, 1)]),
    (Unit::End,                [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 1),   g(1, 1),   g(1, 1)]),
    (Unit::Call,               [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 2),   c(1, 2),   c(1, 2)]),
    (Unit::Scalar,             [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 2),   s(1, 2),   s(1, 2)]),
    (Unit::ScalarMultiply,     [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 2),   c(1, 2),   h(2, 2)]),
    (Unit::ScalarMultiplyWide, [g(4, 4),  g(4, 4),  g(4, 4),  g(4, 4),  g(1, 2),   g(1, 2),   h(5, 5)]),
    (Unit::ScalarFloat,        [g(4, 4),  g(4, 4),  g(4, 4),  g(4, 4),  g(1, 4),   c(1, 4),   s(3, 4)]),
    (Unit::ScalarMemory,       [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 1),   c(1, 1),   c(1, 1)]),
    (Unit::Plain,              [c(4, 4),  s(4, 4),  c(4, 4),  c(4, 4),  c(1, 5),   x(1, 5),   s(1, 5)]),
    (Unit::Convert,            [c(16,16), c(16,16), c(16,16), c(16,16), c(1, 5),   s(1, 5),   s(1, 5)]),
    (Unit::Wide,               [c(8, 8),  c(8, 8),  c(4, 4),  c(4, 4),  c(2, 6),   s(2, 6),   s(2, 6)]),
    (Unit::Swap,               [g(8, 8),  h(8, 8),  g(8, 8),  g(8, 8),  g(2, 6),   h(2, 6),   h(2, 6)]),
    (Unit::Multiply,           [c(16,16), s(8, 8),  c(4, 4),  c(4, 4),  c(4, 8),   s(4, 8),   s(4, 8)]),
    (Unit::Double,             [c(64,64), d(8, 8),  c(4, 4),  c(4, 4),  c(16,22),  s(32,38),  s(32,38)]),
    (Unit::DoubleAdd,          [c(32,32), d(8, 8),  c(4, 4),  c(4, 4),  c(16,22),  s(32,38),  s(32,38)]),
    (Unit::DoubleConvert,      [c(16,16), g(8, 8),  c(4, 4),  c(4, 4),  c(16,22),  s(32,38),  s(32,38)]),
    (Unit::Transcendental,     [c(16,16), s(16,16), c(16,16), c(16,16), c(4, 10),  s(4, 10),  s(4, 10)]),
    (Unit::ScalarTranscendental,[g(16,16), g(16,16), g(16,16), g(16,16), g(1, 7),   c(1, 7),   c(1, 7)]),
    (Unit::Interpolation,      [g(4, 4),  g(4, 4),  g(4, 4),  g(4, 4),  g(1, 5),   g(1, 5),   g(1, 5)]),
    (Unit::MatrixOfHalves,     [g(16,16), g(16,16), g(16,16), g(16,16), g(32,32),  c(32,32),  h(16,16)]),
    (Unit::MatrixOfBytes,      [g(16,16), g(16,16), g(16,16), g(16,16), g(16,16),  c(16,16),  h(8, 8)]),
    (Unit::LdsRead,            [c(4, 20), c(4, 20), c(4, 20), l(4, 27), c(1, 20),  c(1, 20),  c(1, 20)]),
    (Unit::LdsWrite,           [c(4, 20), c(4, 20), c(4, 20), l(4, 34), c(1, 20),  c(1, 20),  c(1, 20)]),
    (Unit::MemoryRead,         [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 1),   c(1, 1),   c(1, 1)]),
    (Unit::MemoryWrite,        [c(4, 4),  c(4, 4),  c(4, 4),  c(4, 4),  c(1, 1),   c(1, 1),   c(1, 1)]),
];

/// Processors whose clocks were measured in public; where [silicon](Source::Silicon) speaks, it speaks of them.
pub(super) const MEASURED: [&str; 3] = ["gfx906", "gfx1100", "gfx1200"];

/// How vector instructions go from their issue to their execution, where they are queued between.
///
/// Found in recordings of a gfx1100. A wave issues an instruction a clock into the queue, whatever it depends on. From there they start in
/// order. One that reads no vector register starts [`Queue::constant`] clocks behind its issue, one that does [`Queue::vector`], and a clock more as
/// long as the wave has executed none for [`Queue::warm_up`] clocks; none that reads vector registers starts earlier than [`Queue::first`]
/// clocks behind the wave's first vector instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Instructions of a wave that it has room for.
    pub depth: u8,
    /// Clocks from the issue to the start, of an instruction that reads no vector register.
    pub constant: u8,
    /// The same of one that does.
    pub vector: u8,
    /// Clocks from the first issue of a vector instruction until this holds; before, it is one more.
    pub warm_up: u8,
    /// Clocks from the first start to the first one that reads vector registers.
    pub first: u8,
    /// When the SIMD falls asleep.
    pub sleep: Sleep,
}

impl Queue {
    /// None.
    pub(super) const NONE: Queue =
        Queue { depth: 0, constant: 0, vector: 0, warm_up: 0, first: 0, sleep: Sleep { after: 0, wake: 0, leave: 0 } };
}

/// A SIMD that issues and starts nothing for some clocks sleeps, and loses time when it has to go on.
///
/// Found in recordings of a gfx1100: chains whose wave has nothing left to issue take 9 clocks an instruction in place of 5, and `s_nop` takes 4
/// clocks more from a certain length on, and 8 from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sleep {
    /// Clocks without any issue or start after which it sleeps.
    pub after: u8,
    /// Clocks it takes to wake: a start that finds it asleep comes so much later, and `s_nop` does not count them.
    pub wake: u8,
    /// Clocks behind a start at which the instruction leaves the unit, for which it wakes once more.
    pub leave: u8,
}

/// A cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Its bytes.
    pub bytes: u32,
    /// Bytes of a line.
    pub line: u16,
    /// Clocks until a load that hits comes back.
    pub latency: u16,
    /// Whether it has all at the beginning, as far as there is room: a miss evicts something first.
    pub warm: bool,
}

/// The ways to memory. The vector path's latencies of CDNA 3 are those of an MI308X, as gcnasm's list in memory finds them: 100 clocks in 16 KiB, 291 in
/// 256 KiB, and 622 in 512 MiB. (Between the shared cache and the memory it has another one, of which nobody has published anything: here all that the
/// shared one has not comes from the memory.) No other figure is silicon's: 320, 200 and 30 clocks are those that ACO reckons with (LLVM has 320 too), the
/// others guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The vector cache of a compute unit.
    pub vector: Cache,
    /// The scalar cache.
    pub scalar: Cache,
    /// The cache that all share.
    pub shared: Cache,
    /// Clocks until a scalar load comes back from the shared cache.
    pub scalar_shared: u16,
    /// Clocks more from behind it.
    pub beyond: u16,
    /// Bytes that the vector path moves a clock.
    pub bandwidth: u16,
    /// Banks of the local data share, each a word a clock.
    pub banks: u8,
    /// Clocks for an export and a message.
    pub export: u8,
}

/// A compute unit: of RDNA, a pair of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What it is called.
    pub name: &'static str,
    column: Column,
    /// SIMDs.
    pub simds: u8,
    /// Waves that a SIMD has room for.
    pub slots: u8,
    /// Vector registers of a SIMD, in those of a wave of the size that the figures are for.
    pub vgprs: u16,
    /// In which steps they are given out.
    pub granule: u16,
    /// Bytes of the local data share.
    pub lds: u32,
    /// Lanes that the figures are for.
    pub lanes: u8,
    /// Clocks between two issues of a wave.
    pub interval: u8,
    /// The queue of vector instructions; without one they start as they are issued.
    pub queue: Option<Queue>,
    /// Clocks that `s_nop` waits behind a vector instruction, beyond what it says.
    pub nop: u8,
    /// Clocks from a vector instruction's issue until `s_delay_alu` lets one go on that names it.
    pub delay: u8,
    /// Clocks from a branch that is taken to the next issue.
    pub taken: u8,
    /// Clocks from the last arrival at a barrier to the next issue.
    pub barrier: u8,
    /// The ways to memory.
    pub paths: Paths,
}

/// As recorded of a gfx1100.
const QUEUE: Queue =
    Queue { depth: 12, constant: 6, vector: 8, warm_up: 7, first: 6, sleep: Sleep { after: 3, wake: 4, leave: 7 } };

const KIB: u32 = 1 << 10;
const MIB: u32 = 1 << 20;

const fn paths(line: u16, vector: u32, shared: u32, bandwidth: u16, export: u8) -> Paths {
    Paths {
        vector: Cache { bytes: vector, line, latency: 120, warm: false },
        scalar: Cache { bytes: 16 * KIB, line: 64, latency: 30, warm: true },
        shared: Cache { bytes: shared, line: 128, latency: 320, warm: true },
        scalar_shared: 200,
        beyond: 300,
        bandwidth,
        banks: 32,
        export,
    }
}

impl Paths {
    /// With other latencies of the vector path: of its cache, of the shared one, and from behind that.
    const fn latencies(mut self, vector: u16, shared: u16, beyond: u16) -> Paths {
        self.vector.latency = vector;
        self.shared.latency = shared;
        self.beyond = beyond - shared;
        self
    }
}

/// What a step of a list in memory takes beside the load.
const STEP: u16 = 7;

const GCN: Machine = Machine {
    name: "GCN",
    column: Column::Gcn,
    simds: 4,
    slots: 10,
    vgprs: 256,
    granule: 4,
    lds: 64 * KIB,
    lanes: 64,
    interval: 4,
    queue: None,
    nop: 0,
    delay: 0,
    taken: 32,
    barrier: 4,
    paths: paths(64, 16 * KIB, 2 * MIB, 64, 16),
};

const RDNA: Machine = Machine {
    name: "RDNA 2",
    column: Column::Rdna2,
    simds: 4,
    slots: 16,
    vgprs: 1024,
    granule: 8,
    lds: 128 * KIB,
    lanes: 32,
    interval: 1,
    queue: Some(QUEUE),
    nop: 2,
    delay: 5,
    taken: 32,
    barrier: 2,
    paths: paths(128, 16 * KIB, 4 * MIB, 128, 16),
};

/// Sizes by AMD's white paper of CDNA 3.
const MI308X: Paths = paths(128, 32 * KIB, 4 * MIB, 64, 16).latencies(100 - STEP, 291 - STEP, 622 - STEP);

/// The machines, with the processors that they are of.
#[rustfmt::skip]
const MACHINES: &[(Variants, Machine)] = &[
    (Variants::G940,  Machine { name: "CDNA 3", column: Column::Cdna3, slots: 8, vgprs: 512, granule: 8, paths: MI308X, ..GCN }),
    (Variants::CDNA,  Machine { name: "CDNA", column: Column::Cdna, slots: 8, vgprs: 512, granule: 8, paths: paths(128, 16 * KIB, 8 * MIB, 64, 16), ..GCN }),
    (Variants::G906,  Machine { name: "Vega 20", column: Column::Vega20, ..GCN }),
    (Variants::RDNA1, Machine { name: "RDNA", slots: 20, ..RDNA }),
    (Variants::G1030, RDNA),
    (Variants::G11,   Machine { name: "RDNA 3", column: Column::Rdna3, vgprs: 1536, granule: 24, paths: paths(128, 32 * KIB, 6 * MIB, 128, 16), ..RDNA }),
    (Variants::G12,   Machine { name: "RDNA 4", column: Column::Rdna4, vgprs: 1536, granule: 24, paths: paths(128, 32 * KIB, 8 * MIB, 128, 16), ..RDNA }),
];

/// How many compute units the largest product with a processor has; pairs of them of RDNA. Products' data sheets.
#[rustfmt::skip]
const UNITS: &[(&str, u32)] = &[
    ("gfx600", 32), ("gfx601", 20), ("gfx602", 6), ("gfx700", 8), ("gfx701", 44), ("gfx704", 14), ("gfx801", 8), ("gfx802", 32), ("gfx803", 64),
    ("gfx900", 64), ("gfx902", 11), ("gfx904", 20), ("gfx906", 64), ("gfx908", 120), ("gfx90a", 110), ("gfx90c", 8), ("gfx940", 228), ("gfx942", 304),
    ("gfx1010", 20), ("gfx1011", 20), ("gfx1012", 12), ("gfx1030", 40), ("gfx1031", 20), ("gfx1032", 16), ("gfx1033", 4), ("gfx1034", 8),
    ("gfx1035", 6), ("gfx1036", 1), ("gfx1100", 48), ("gfx1101", 30), ("gfx1102", 16), ("gfx1103", 6), ("gfx1150", 8), ("gfx1151", 20),
    ("gfx1152", 4), ("gfx1200", 16), ("gfx1201", 32),
];

impl Machine {
    /// The machine of a processor.
    #[must_use]
    pub fn of(arch: &Arch) -> &'static Machine {
        const OLDEST: &Machine = &GCN;
        MACHINES.iter().find(|(of, _)| of.contains(arch.variant)).map_or(OLDEST, |(_, machine)| machine)
    }

    /// How fast a unit of it is.
    #[must_use]
    pub fn figure(&self, unit: Unit) -> Figure {
        let line = FIGURES.iter().find(|(name, _)| *name == unit);
        line.map_or(g(self.interval.into(), self.interval.into()), |(_, figures)| figures[self.column as usize])
    }

    /// How many compute units a processor has; 16 where nobody says.
    #[must_use]
    pub fn units(arch: &Arch) -> u32 {
        UNITS.iter().find(|(name, _)| *name == arch.name).map_or(16, |(_, n)| *n)
    }

    /// Passes of a wave through a vector unit.
    #[must_use]
    pub fn passes(&self, target: &Target) -> u16 {
        if target.wave32() || self.lanes == 64 { 1 } else { 2 }
    }

    /// How many waves a SIMD has room for, each with so many vector registers.
    #[must_use]
    pub fn occupancy(&self, target: &Target, vgprs: u32) -> u32 {
        let passes = u32::from(self.passes(target));
        let given = vgprs.max(1).next_multiple_of((u32::from(self.granule) / passes).max(1));
        (u32::from(self.vgprs) / passes / given).clamp(1, self.slots.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::arch::{ARCHS, Gen};
    use std::collections::BTreeSet;

    /// Each processor has a machine of its generation, and each unit of the table one line.
    #[test]
    fn machines_are_of_their_generation() {
        for arch in ARCHS {
            let machine = Machine::of(arch);
            assert_eq!(machine.interval == 4, arch.generation <= Gen::Gfx9, "{}", arch.name);
        }
        let units: BTreeSet<&str> = FIGURES.iter().map(|(unit, _)| unit.name()).collect();
        assert_eq!(units.len(), FIGURES.len());
    }

    /// A dependent instruction never starts before the unit is free for it.
    #[test]
    fn latencies_are_no_shorter_than_clocks() {
        for (unit, figures) in FIGURES {
            for figure in figures {
                assert!(figure.latency >= figure.clocks, "{}", unit.name());
            }
        }
    }

    /// 24 registers on a gfx1100 leave room for 16 waves of 32 lanes, 256, of which 264 are given, for 5: as LLVM has it.
    #[test]
    fn occupancy_follows_from_registers() {
        let target = Target::new(Arch::find("gfx1100").expect("a processor"));
        let machine = Machine::of(target.arch);
        assert!(target.wave32());
        assert_eq!(machine.occupancy(&target, 24), 16);
        assert_eq!(machine.occupancy(&target, 256), 5);
    }
}
