//! Traces: each executed instruction with what it read and wrote.
//!
//! What it read are the registers that its text names behind the destination, and those that its row reads besides. What it wrote is
//! found by comparing the state before and after, so that nothing that an instruction does to registers or LDS can be missed; memory is compared
//! where all that can be written is at most [`MOST_MEMORY`]. A write that changes nothing is not seen.

use super::Watch;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::run::Group;
use crate::emu::trap::{Cause, Stop};
use crate::emu::wave::{Wave, file};
use crate::isa::form::Table;
use crate::isa::operand::Class;
use crate::isa::regs::{self, Bank, Names};
use crate::isa::row::{Family, Traits};
use crate::isa::sem::find;
use crate::isa::{Target, row::Inst};
use crate::{disasm, memory::guest};

/// More memory than this is not compared.
pub const MOST_MEMORY: u64 = 1 << 20;

/// One executed instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The group.
    pub group: [u32; 3],
    /// The wave in it.
    pub wave: u32,
    /// How many instructions the wave had executed before.
    pub number: u64,
    /// Where it stands, in bytes from the start of the text.
    pub pc: u64,
    /// Its text.
    pub instruction: String,
    /// The lanes that were on.
    pub exec: u64,
    /// What it read.
    pub reads: Vec<Item>,
    /// What it changed, as it is now.
    pub writes: Vec<Item>,
    /// The trap that it ended in.
    pub trap: Option<Cause>,
}

/// A register or a piece of memory with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// `v1`, `s[4:5]`, `scc`, `lds`, `out`.
    pub place: String,
    /// What the numbers of the values are.
    pub index: Index,
    /// Numbers and 32-bit values, by rising number.
    pub values: Vec<(u64, u32)>,
}

/// What the values of an [`Item`] are numbered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// Lanes.
    Lane,
    /// Words of a range of scalar registers.
    Word,
    /// Bytes from the start.
    Byte,
}

/// Which instructions are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Only this wave of this group; nothing: all.
    pub wave: Option<([u32; 3], u32)>,
    /// The first number of an instruction in its wave.
    pub from: u64,
    /// The last one.
    pub to: u64,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { wave: None, from: 0, to: u64::MAX }
    }
}

impl Filter {
    /// Whether anything of a wave is recorded.
    #[must_use]
    pub fn wants(&self, group: [u32; 3], wave: u32) -> bool {
        self.wave.is_none_or(|wanted| wanted == (group, wave))
    }

    fn takes(&self, wave: &Wave, group: &Group<'_>) -> bool {
        (self.from..=self.to).contains(&wave.steps) && self.wants(group.id, wave.index)
    }
}

/// The state before an instruction.
#[derive(Default)]
struct Before {
    s: Vec<u32>,
    file: Vec<u32>,
    scc: bool,
    mode: u32,
    trapsts: u32,
    lds: Vec<u32>,
    memory: Vec<Vec<u8>>,
}

/// Records what it watches.
pub struct Recorder<'a> {
    filter: Filter,
    sink: &'a mut dyn FnMut(Event),
    before: Before,
    event: Option<Event>,
}

/// Registers that are compared: numbered ones, then accumulation registers.
const COMPARED: usize = 512;

/// Whether an instruction may write memory or LDS.
fn is_memory(step: &Step) -> bool {
    use Family::*;
    step.family.is_some_and(|f| matches!(f, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch | Mimg | Ldsdir))
}

fn trapsts(wave: &Wave) -> u32 {
    wave.trapsts | u32::from(wave.env.raised.get().bits())
}

/// What may be written, if it is not too much.
fn writable<'m>(group: &Group<'m>) -> impl Iterator<Item = &'m guest::Region> {
    let regions = || group.memory.regions().iter().filter(|r| r.writable());
    let fits = regions().map(guest::Region::len).sum::<u64>() <= MOST_MEMORY;
    regions().filter(move |_| fits)
}

impl<'a> Recorder<'a> {
    /// Records what passes the filter.
    #[must_use]
    pub fn new(filter: Filter, sink: &'a mut dyn FnMut(Event)) -> Recorder<'a> {
        Recorder { filter, sink, before: Before::default(), event: None }
    }

    fn writes(&self, wave: &Wave, step: &Step, group: &Group<'_>) -> Vec<Item> {
        let (before, names) = (&self.before, Names::of(&group.program.target));
        let mut all = Vec::new();
        let mut single = |place: &str, old: u32, new: u32| {
            if old != new {
                all.push(Item { place: place.to_owned(), index: Index::Word, values: vec![(0, new)] });
            }
        };
        for (code, (old, new)) in before.s.iter().zip(&wave.s).enumerate().take(128) {
            single(names.get(code as u16, 1).as_str(), *old, *new);
        }
        single("scc", before.scc.into(), wave.scc.into());
        single("mode", before.mode, wave.env.mode);
        single("trapsts", before.trapsts, trapsts(wave));
        for (n, old) in before.file.chunks_exact(STRIDE).enumerate() {
            let now = |lane: usize| wave.vgpr(n, lane);
            let values: Vec<(u64, u32)> = (0..wave.lanes as usize)
                .filter(|lane| old[*lane] != now(*lane))
                .map(|lane| (lane as u64, now(lane)))
                .collect();
            if !values.is_empty() {
                all.push(Item { place: vector_name(n), index: Index::Lane, values });
            }
        }
        if is_memory(step) {
            let changed = before.lds.iter().zip(group.lds.words()).enumerate().filter(|(_, (old, new))| old != new);
            let values: Vec<(u64, u32)> = changed.map(|(n, (_, new))| (4 * n as u64, *new)).collect();
            if !values.is_empty() {
                all.push(Item { place: "lds".to_owned(), index: Index::Byte, values });
            }
            for (region, old) in writable(group).zip(&before.memory) {
                let new = region.to_bytes();
                let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
                let pairs = old.chunks(4).zip(new.chunks(4)).enumerate().filter(|(_, (old, new))| old != new);
                let values: Vec<(u64, u32)> = pairs.map(|(n, (_, new))| (4 * n as u64, word(new))).collect();
                if !values.is_empty() {
                    all.push(Item { place: region.name().to_owned(), index: Index::Byte, values });
                }
            }
        }
        all
    }
}

/// `v7`, or `a7` behind the numbered ones.
fn vector_name(n: usize) -> String {
    let agpr = file::AGPR as usize / STRIDE;
    if n < agpr { format!("v{n}") } else { format!("a{}", n - agpr) }
}

impl Watch for Recorder<'_> {
    fn before(&mut self, wave: &Wave, step: &Step, group: &Group<'_>) {
        self.event = None;
        if !self.filter.takes(wave, group) {
            return;
        }
        let before = &mut self.before;
        before.s.clone_from(&wave.s);
        before.file.clear();
        before.file.extend(wave.file.iter().take(COMPARED * STRIDE).map(std::cell::Cell::get));
        before.scc = wave.scc;
        before.mode = wave.env.mode;
        before.trapsts = trapsts(wave);
        before.lds.clear();
        before.memory.clear();
        if is_memory(step) {
            before.lds.extend_from_slice(group.lds.words());
            before.memory.extend(writable(group).map(guest::Region::to_bytes));
        }
        let instruction = group.program.text(step.at);
        self.event = Some(Event {
            group: group.id,
            wave: wave.index,
            number: wave.steps,
            pc: u64::from(step.at) * 4,
            reads: reads(wave, step, group, &instruction),
            instruction,
            exec: wave.exec(),
            writes: Vec::new(),
            trap: None,
        });
    }

    fn after(&mut self, wave: &Wave, step: &Step, group: &Group<'_>) {
        let Some(mut event) = self.event.take() else { return };
        event.writes = self.writes(wave, step, group);
        if let Some(Stop::Trap(cause)) = &wave.stop {
            event.trap = Some((**cause).clone());
        }
        (self.sink)(event);
    }
}

/// A register or range that an operand names.
struct Named {
    /// In the vector file: the first register. Else the first scalar.
    vector: bool,
    first: usize,
    count: usize,
}

/// The operands of a text, without their modifiers.
fn operands(text: &str) -> impl Iterator<Item = &str> {
    let (_, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut depth = 0i32;
    rest.split(move |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        // A colon of a dual instruction begins another name; white space begins the modifiers.
        c == ',' && depth == 0
    })
    .map(|operand| operand.trim().split(' ').next().unwrap_or(""))
}

/// What a text names, if it is a register.
fn named(operand: &str, target: &Target) -> Option<Named> {
    let bare = operand.trim_start_matches(['-', '|']).trim_end_matches('|');
    let bare =
        bare.strip_prefix("sext(").or_else(|| bare.strip_prefix("abs(")).map_or(bare, |b| b.trim_end_matches(')'));
    let bare = bare.strip_suffix(".l").or_else(|| bare.strip_suffix(".h")).unwrap_or(bare);
    let range = |text: &str| -> Option<(usize, usize)> {
        match text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            Some(inner) => {
                let (first, last) = inner.split_once(':').unwrap_or((inner, inner));
                let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
                (last >= first).then(|| (first, last - first + 1))
            }
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let agpr = file::AGPR as usize / STRIDE;
    let ttmp = usize::from(regs::ttmp_base(target.generation()));
    let found = [("ttmp", false, ttmp), ("v", true, 0), ("a", true, agpr), ("s", false, 0)]
        .into_iter()
        .find_map(|(letters, vector, base)| Some((vector, base, range(bare.strip_prefix(letters)?)?)));
    let (vector, first, count) = match found {
        Some((vector, base, (first, count))) => (vector, base + first, count),
        None => {
            let reg = regs::special(bare, target).filter(|reg| reg.bank == Bank::Special && reg.code < 128)?;
            (false, usize::from(reg.code), usize::from(reg.dwords))
        }
    };
    let limit = if vector { COMPARED } else { 256 };
    (first + count <= limit).then_some(Named { vector, first, count })
}

/// How many operands in front are only written.
fn written(row: &Inst) -> usize {
    if row.dst.class == Class::None {
        return 0;
    }
    1 + row.src.iter().take_while(|source| source.class == Class::MaskOut).count()
}

/// What an instruction reads.
fn reads(wave: &Wave, step: &Step, group: &Group<'_>, text: &str) -> Vec<Item> {
    let target = group.program.target;
    let table = Table::of(target);
    let words = group.program.words.get(step.at as usize..).unwrap_or_default();
    let Ok(decoded) = disasm::decode(table, words) else { return Vec::new() };
    let row = decoded.form.row;
    let mut all: Vec<Item> = Vec::new();
    let mut add = |item: Item| {
        if !all.iter().any(|known| known.place == item.place) {
            all.push(item);
        }
    };
    let exec = wave.exec();
    let mut see = |named: Named, operand: &str| {
        if named.vector {
            for n in named.first..named.first + named.count {
                let lanes = (0..wave.lanes as usize).filter(|lane| exec >> lane & 1 == 1);
                let values = lanes.map(|lane| (lane as u64, wave.vgpr(n, lane))).collect();
                add(Item { place: vector_name(n), index: Index::Lane, values });
            }
        } else {
            let words = wave.s.iter().skip(named.first).take(named.count).enumerate();
            let values = words.map(|(n, word)| (n as u64, *word)).collect();
            let place = operand.trim_start_matches(['-', '|']).trim_end_matches('|').to_owned();
            add(Item { place, index: Index::Word, values });
        }
    };
    let skip = if find::reads_dst(row) { 0 } else { written(row) };
    for half in text.split(" :: ") {
        for operand in operands(half).skip(skip) {
            if let Some(named) = named(operand, &target) {
                see(named, operand);
            }
        }
    }
    let mut implied = Vec::new();
    if row.traits.contains(Traits::READS_VCC) || find::bit(row) == Some(find::Bit::Vcc) {
        implied.push("vcc");
    }
    if row.traits.contains(Traits::READS_M0) {
        implied.push("m0");
    }
    for name in implied {
        if let Some(named) = named(name, &target) {
            see(named, name);
        }
    }
    if find::bit(row) == Some(find::Bit::Scc) || row.name.contains("cbranch_scc") {
        add(Item { place: "scc".to_owned(), index: Index::Word, values: vec![(0, wave.scc.into())] });
    }
    all
}
