//! Traces: each executed instruction with what it read and wrote.
//!
//! What it read are the registers that its text names behind the destination, and those that its row reads besides. What it wrote is
//! found by comparing the state before and after, so that nothing that an instruction does to registers or LDS can be missed; memory is compared
//! where all that can be written is at most [`MOST_MEMORY`]. Destinations that the text names are there also if their values stayed; what
//! else was written with the value that it had is not seen.

use super::Watch;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::run::Group;
use crate::emu::trap::{Cause, Stop};
use crate::emu::wave::{Wave, file};
use crate::isa::operand::Class;
use crate::isa::regs::{self, Bank, Names};
use crate::isa::row::{Family, Traits};
use crate::isa::sem::find;
use crate::isa::{Target, row::Inst};
use crate::memory::guest;

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
    /// What it wrote, as it is now.
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
    /// The lanes that were on before the instruction.
    exec: u64,
}

/// Registers that are compared: numbered ones, then accumulation registers.
const COMPARED: usize = 512;

/// Whether an instruction may write memory or LDS.
fn is_memory(step: &Step) -> bool {
    use Family::*;
    step.family().is_some_and(|f| matches!(f, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch | Mimg | Ldsdir))
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
        Recorder { filter, sink, before: Before::default(), event: None, exec: 0 }
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
        self.exec = wave.exec();
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
        if !matches!(wave.stop, Some(Stop::Trap(_))) {
            // Destinations that kept their values were written all the same.
            for item in destinations(wave, step, group, &event.instruction, self.exec) {
                let known = event.writes.iter_mut().find(|known| known.place == item.place);
                match known {
                    Some(known) => {
                        known.values.extend(item.values);
                        known.values.sort_unstable();
                        known.values.dedup();
                    }
                    None => event.writes.push(item),
                }
            }
        }
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

/// How many registers of each kind a text names: one past the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// Numbered scalar registers.
    pub sgprs: u32,
    /// Vector registers.
    pub vgprs: u32,
    /// Accumulation registers.
    pub agprs: u32,
}

impl Registers {
    /// As many as either needs.
    pub fn include(&mut self, other: Registers) {
        self.sgprs = self.sgprs.max(other.sgprs);
        self.vgprs = self.vgprs.max(other.vgprs);
        self.agprs = self.agprs.max(other.agprs);
    }
}

/// The registers that the text of an instruction names.
#[must_use]
pub fn registers(text: &str, target: &Target) -> Registers {
    let mut all = Registers::default();
    let agpr = file::AGPR as usize / STRIDE;
    let sgprs = usize::from(regs::sgpr_count(target.generation()));
    for operand in text.split(" :: ").flat_map(operands) {
        let Some(Named { vector, first, count }) = named(operand, target) else { continue };
        let end = (first + count) as u32;
        match vector {
            true if first >= agpr => all.agprs = all.agprs.max(end - agpr as u32),
            true => all.vgprs = all.vgprs.max(end),
            false if first + count <= sgprs => all.sgprs = all.sgprs.max(end),
            false => {}
        }
    }
    all
}

/// The values of what an operand names, in some lanes: one item for each vector register, one for a range of scalars.
fn items<'w>(wave: &'w Wave, named: &Named, operand: &str, lanes: u64) -> impl Iterator<Item = Item> + use<'w> {
    let Named { vector, first, count } = *named;
    let scalar = (!vector).then(|| {
        let values = wave.s.iter().skip(first).take(count).enumerate().map(|(n, word)| (n as u64, *word)).collect();
        let place = operand.trim_start_matches(['-', '|']).trim_end_matches('|').to_owned();
        Item { place, index: Index::Word, values }
    });
    let vectors = if vector { first..first + count } else { 0..0 };
    let vectors = vectors.map(move |n| {
        let on = (0..wave.lanes as usize).filter(|lane| lanes >> lane & 1 == 1);
        Item {
            place: vector_name(n),
            index: Index::Lane,
            values: on.map(|lane| (lane as u64, wave.vgpr(n, lane))).collect(),
        }
    });
    scalar.into_iter().chain(vectors)
}

/// The destinations that the text names, as they are now.
fn destinations(wave: &Wave, step: &Step, group: &Group<'_>, text: &str, exec: u64) -> Vec<Item> {
    let target = group.program.target;
    let Ok(executed) = group.program.executed(step.at) else { return Vec::new() };
    let row = executed.decoded.form.row;
    // Of accesses to memory, the comparison knows better: what is loaded depends on more than the text.
    if row.family.is_joint() || row.family == Family::Ds {
        return Vec::new();
    }
    let scalar = |item: &Item| item.index == Index::Word;
    let halves = text.split(" :: ").flat_map(|half| operands(half).take(written(row)));
    let found = halves.filter_map(|operand| Some((named(operand, &target)?, operand)));
    let mut all: Vec<Item> = Vec::new();
    for (named, operand) in found {
        for item in items(wave, &named, operand, exec) {
            if !scalar(&item) {
                all.push(item);
                continue;
            }
            // One by one, as the comparison has them.
            let names = Names::of(&target);
            let single = |(n, value): &(u64, u32)| Item {
                place: names.get((named.first as u64 + n) as u16, 1).as_str().to_owned(),
                index: Index::Word,
                values: vec![(0, *value)],
            };
            all.extend(item.values.iter().map(single));
        }
    }
    all
}

/// What an instruction reads.
fn reads(wave: &Wave, step: &Step, group: &Group<'_>, text: &str) -> Vec<Item> {
    let target = group.program.target;
    let Ok(executed) = group.program.executed(step.at) else { return Vec::new() };
    let row = executed.decoded.form.row;
    let mut all: Vec<Item> = Vec::new();
    let mut add = |item: Item| {
        if !all.iter().any(|known| known.place == item.place) {
            all.push(item);
        }
    };
    let exec = wave.exec();
    let skip = if find::reads_dst(row) { 0 } else { written(row) };
    for half in text.split(" :: ") {
        for operand in operands(half).skip(skip) {
            if let Some(named) = named(operand, &target) {
                items(wave, &named, operand, exec).for_each(&mut add);
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
            items(wave, &named, name, exec).for_each(&mut add);
        }
    }
    if find::bit(row) == Some(find::Bit::Scc) || row.name.contains("cbranch_scc") {
        add(Item { place: "scc".to_owned(), index: Index::Word, values: vec![(0, wave.scc.into())] });
    }
    all
}
