//! Patterns: programs that measure memory, the local data share and branches.
//!
//! A pattern is an instruction with an order of addresses. Most are copies as those of a [probe](super::Probe), of which the slope between
//! several numbers counts. A *chase* follows a list through so many bytes of memory, each load from where the one before says: every round
//! goes once through all of it, so that the caches have what they can keep, and then the clock runs for the first loads of the next walk.
//! Of its time that of the same program without loads is taken away.
//!
//! All of memory is reached through buffer instructions and scalar loads, which every generation has.

use super::program::{self, Frame};
use super::{Kind, ROUNDS};
use crate::case::{Case, CaseError, wave_size};
use crate::isa::{Gen, Target, gcn};
use crate::timing::bench::{MANY_ROUNDS, Measures};

/// What is measured, in the order of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Loads and stores of memory.
    Memory,
    /// The local data share.
    Lds,
    /// Branches.
    Branch,
}

impl Group {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Group::Memory => "memory",
            Group::Lds => "lds",
            Group::Branch => "branch",
        }
    }
}

/// A measuring program.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it is about.
    pub group: Group,
    /// The instruction, and in words in which order its lanes go.
    pub name: String,
    /// Whether its copies wait for each other.
    pub kind: Kind,
    /// Bytes that all lanes of an instruction move; none where that is not what is measured.
    pub bytes: u32,
    target: Target,
    /// Lines of the header of the case.
    header: Vec<String>,
    /// A copy; `{n}` is a number, another one in each.
    copy: Vec<String>,
    /// Waits for all copies.
    wait: &'static str,
    chase: Option<Chase>,
}

/// A walk through memory.
#[derive(Clone, Debug)]
struct Chase {
    /// Goes to the first address.
    start: &'static str,
    /// How many lines there are.
    lines: u32,
}

/// Loads of a chase that stand behind each other in a loop.
const UNROLLED: u32 = 16;

/// Loads of a chase in which the clock runs. It may have twenty bits.
const CLOCKED: u32 = 512;

/// Bytes from one load of a chase to the next: the largest line of a cache.
const LINE: u32 = 128;

/// Numbers of copies without a chase: no more than a counter counts.
const LENGTHS: [u32; 3] = [12, 24, 48];

impl Pattern {
    /// The program with `n` copies, as the text of a case.
    #[must_use]
    pub fn source(&self, n: u32, rounds: u16) -> String {
        let copies = |n: u32| {
            let one = |n: u32| self.copy.iter().map(move |line| line.replace("{n}", &n.to_string()));
            (0..n).flat_map(one)
        };
        let (ahead, body) = match &self.chase {
            None => (Vec::new(), copies(n).collect()),
            Some(chase) => {
                let walk = |label: &str, n: u32, loops: u32| {
                    let mut lines =
                        vec![chase.start.to_owned(), format!("s_movk_i32 s16, {loops}"), format!("{label}:")];
                    lines.extend(copies(n));
                    lines.extend(["s_sub_u32 s16, s16, 1", "s_cmp_lg_u32 s16, 0"].map(str::to_owned));
                    lines.push(format!("s_cbranch_scc1 {label}"));
                    lines
                };
                (walk("all", UNROLLED, chase.lines / UNROLLED), walk("clocked", n, chase.loops()))
            }
        };
        let frame = Frame {
            target: self.target,
            header: self.header.clone(),
            ahead,
            body,
            drain: vec![self.wait.to_owned()],
            restore: Vec::new(),
        };
        program::text(&frame, rounds)
    }
}

impl Measures for Pattern {
    fn program(&self, copies: u32, rounds: u16) -> Result<Case, CaseError> {
        Case::parse(&self.source(copies, rounds), &self.name)
    }

    fn lengths(&self) -> &[u32] {
        if self.chase.is_some() { &[0, UNROLLED] } else { &LENGTHS }
    }

    fn times(&self) -> u32 {
        self.chase.as_ref().map_or(1, Chase::loops)
    }

    fn many_rounds(&self) -> u16 {
        // A round of a walk is long by itself.
        if self.chase.is_some() { ROUNDS + 8 } else { MANY_ROUNDS }
    }
}

impl Chase {
    fn loops(&self) -> u32 {
        self.lines.min(CLOCKED) / UNROLLED
    }
}

/// The patterns of a processor.
#[must_use]
pub fn patterns(target: Target) -> Vec<Pattern> {
    let maker = Maker { target, generation: target.generation() };
    [maker.chases(), maker.loads(), maker.atomics(), maker.shares(), maker.branches()].concat()
}

/// Makes patterns of a processor.
struct Maker {
    target: Target,
    generation: Gen,
}

/// Registers of a load by its words.
const WIDTHS: [(u32, &str); 4] =
    [(1, "buffer_load_dword"), (2, "buffer_load_dwordx2"), (3, "buffer_load_dwordx3"), (4, "buffer_load_dwordx4")];

/// Sizes of what a chase goes through, in KiB.
const SIZES: [u32; 6] = [4, 16, 64, 256, 2048, 8192];

/// Bytes between lanes that do not lie side by side.
const STRIDES: [u32; 4] = [0, 16, 64, 256];

impl Maker {
    fn lanes(&self) -> u32 {
        wave_size(self.target)
    }

    /// The name of an instruction here, if there is such a one.
    fn name(&self, row: &str) -> Option<&'static str> {
        let row = gcn::rows().find(|of| of.name == row && of.opcode(self.target.arch).is_some())?;
        Some(row.name_in(self.generation))
    }

    fn pattern(&self, group: Group, name: String, kind: Kind) -> Pattern {
        Pattern {
            group,
            name,
            kind,
            bytes: 0,
            target: self.target,
            header: Vec::new(),
            copy: Vec::new(),
            wait: self.wait(),
            chase: None,
        }
    }

    /// Waits for all of memory.
    fn wait(&self) -> &'static str {
        match self.generation {
            Gen::Gfx12 => "s_wait_idle",
            Gen::Gfx10 | Gen::Gfx11 => "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0",
            _ => "s_waitcnt vmcnt(0) lgkmcnt(0)",
        }
    }

    /// The scalar offset of a buffer instruction that has none.
    fn no_offset(&self) -> &'static str {
        if self.generation == Gen::Gfx12 { "null" } else { "0" }
    }

    /// Walks through more and more of memory, by the vector path and by the scalar one.
    fn chases(&self) -> Vec<Pattern> {
        let mut all = Vec::new();
        let (vector, scalar) = (self.name("buffer_load_dword"), self.name("s_load_dword"));
        let answered = if self.generation == Gen::Gfx12 { "s_wait_loadcnt 0x0" } else { "s_waitcnt vmcnt(0)" };
        let told = if self.generation == Gen::Gfx12 { "s_wait_kmcnt 0x0" } else { "s_waitcnt lgkmcnt(0)" };
        for (name, start, wait, of) in [
            (vector, "v_mov_b32_e32 v1, 0", answered, format!("v1, v1, s[8:11], {} offen", self.no_offset())),
            (scalar, "s_mov_b32 s17, 0", told, "s17, s[12:13], s17".to_owned()),
        ] {
            let Some(name) = name else { continue };
            for size in SIZES {
                let mut pattern = self.pattern(Group::Memory, format!("{name}, {}", bytes(size)), Kind::Latency);
                pattern.header = vec![
                    // Each word is the number of the byte behind its line.
                    format!("; buffer data[{}] readonly = ramp({LINE}, 4)", size * 1024),
                    "; s[8:11] = buffer(data)".to_owned(),
                    "; s[12:13] = address(data)".to_owned(),
                ];
                pattern.copy = vec![format!("{name} {of}"), wait.to_owned()];
                pattern.chase = Some(Chase { start, lines: size * 1024 / LINE });
                all.push(pattern);
            }
        }
        all
    }

    /// A buffer with an address for each lane, so many bytes apart.
    fn lanes_apart(&self, stride: u32, most: u32) -> Vec<String> {
        vec![
            format!("; buffer data[{}]", self.lanes() * stride + most),
            "; s[8:11] = buffer(data)".to_owned(),
            format!("; v1 = ramp(0, {stride})"),
        ]
    }

    /// Loads of all widths, with lanes side by side, and of one width with lanes apart; a store.
    fn loads(&self) -> Vec<Pattern> {
        let mut all = Vec::new();
        let mut one = |words: u32, row: &str, stride: u32, order: String| {
            let Some(name) = self.name(row) else { return };
            let mut pattern = self.pattern(Group::Memory, format!("{name}, {order}"), Kind::Rate);
            pattern.bytes = 4 * words * self.lanes();
            pattern.header = self.lanes_apart(stride, 16);
            let data = if words == 1 { "v4".to_owned() } else { format!("v[4:{}]", 3 + words) };
            pattern.copy = vec![format!("{name} {data}, v1, s[8:11], {} offen", self.no_offset())];
            all.push(pattern);
        };
        for (words, row) in WIDTHS {
            one(words, row, 4 * words, "side by side".to_owned());
        }
        for stride in STRIDES {
            one(1, WIDTHS[0].1, stride, apart(stride));
        }
        one(1, "buffer_store_dword", 4, "side by side".to_owned());
        one(4, "buffer_store_dwordx4", 16, "side by side".to_owned());
        all
    }

    /// Atomics of lanes that meet nobody, and of lanes that all meet.
    fn atomics(&self) -> Vec<Pattern> {
        let Some(name) = self.name("buffer_atomic_add") else { return Vec::new() };
        let one = |(stride, order): (u32, &str)| {
            let mut pattern = self.pattern(Group::Memory, format!("{name}, {order}"), Kind::Rate);
            pattern.bytes = 4 * self.lanes();
            pattern.header = self.lanes_apart(stride, 4);
            pattern.copy = vec![format!("{name} v4, v1, s[8:11], {} offen", self.no_offset())];
            pattern
        };
        [(4, "side by side"), (0, "one address")].map(one).to_vec()
    }

    /// Reads of the local data share with lanes apart, wider ones, a write, an atomic, and a chain.
    fn shares(&self) -> Vec<Pattern> {
        let m0 = if self.generation < Gen::Gfx9 { "; m0 = 0xffffffff" } else { "; m0 = 0" };
        let mut all = Vec::new();
        let mut one = |row: &str, words: u32, stride: u32, order: String, kind: Kind, text: &str| {
            let Some(name) = self.name(row) else { return };
            let mut pattern = self.pattern(Group::Lds, format!("{name}, {order}"), kind);
            pattern.bytes = if kind == Kind::Rate { 4 * words * self.lanes() } else { 0 };
            let lds = (self.lanes() * stride + 16).max(64);
            pattern.header = vec![format!("; lds: {lds}"), m0.to_owned(), format!("; v1 = ramp(0, {stride})")];
            pattern.copy = text.replace("{name}", name).split('\n').map(str::to_owned).collect();
            all.push(pattern);
        };
        for stride in [0, 4, 8, 16, 32, 64, 128, 132] {
            one("ds_read_b32", 1, stride, apart(stride), Kind::Rate, "{name} v4, v1");
        }
        let beside = || "side by side".to_owned();
        one("ds_read_b64", 2, 8, beside(), Kind::Rate, "{name} v[4:5], v1");
        one("ds_read_b128", 4, 16, beside(), Kind::Rate, "{name} v[4:7], v1");
        one("ds_write_b32", 1, 4, beside(), Kind::Rate, "{name} v1, v4");
        one("ds_add_u32", 1, 4, beside(), Kind::Rate, "{name} v1, v4");
        let told = if self.generation == Gen::Gfx12 { "s_wait_dscnt 0x0" } else { "s_waitcnt lgkmcnt(0)" };
        let chain = format!("{{name}} v1, v1\n{told}");
        one("ds_read_b32", 1, 0, "a chain".to_owned(), Kind::Latency, &chain);
        all
    }

    /// Branches that are taken, and not.
    fn branches(&self) -> Vec<Pattern> {
        let one = |(name, copy): (&str, &[&str])| {
            let mut pattern = self.pattern(Group::Branch, name.to_owned(), Kind::Latency);
            pattern.copy = copy.iter().map(|line| (*line).to_owned()).collect();
            pattern
        };
        let all: [(&str, &[&str]); 3] = [
            ("s_branch, taken", &["s_branch next{n}", "s_nop 0", "next{n}:"]),
            ("s_cbranch_execnz, taken", &["s_cbranch_execnz next{n}", "s_nop 0", "next{n}:"]),
            ("s_cbranch_execz, not taken", &["s_cbranch_execz next{n}", "next{n}:"]),
        ];
        all.map(one).to_vec()
    }
}

/// Bytes from one lane to the next, in words.
fn apart(stride: u32) -> String {
    match stride {
        0 => "one address".to_owned(),
        4 => "side by side".to_owned(),
        _ => format!("{stride} bytes apart"),
    }
}

/// `256 KiB`
fn bytes(kib: u32) -> String {
    if kib < 1024 { format!("{kib} KiB") } else { format!("{} MiB", kib / 1024) }
}
