//! Traces: each executed instruction with what it read and wrote.
//!
//! What it read are the registers that its text names behind the destination, and those that its row reads besides. What it wrote is
//! found by comparing the state before and after, so that nothing that an instruction does to registers or LDS can be missed; memory is compared
//! where all that can be written is at most [`MOST_MEMORY`]. Destinations that the text names are there also if their values stayed; what
//! else was written with the value that it had is not seen. Where memory is touched is said lane by lane ([`Event::touched`]), and in which type a value is
//! looked at follows from the row ([`Item::ty`]).

use super::Watch;
use super::operands::{destinations, reads};
use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::memory::{Touched, touched};
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::engine::{Cause, Stop};
use crate::isa::regs::Names;
use crate::isa::row::Family;
use crate::isa::types::Ty;
use crate::memory::guest;
use crate::program::named::vector_name;
use crate::program::place::file;
use std::ops::RangeInclusive;

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
    /// Where it went in memory, by lane.
    pub touched: Vec<Place>,
    /// The trap that it ended in.
    pub trap: Option<Cause>,
}

/// Bytes that an instruction touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// By which lane, in which memory, at which address.
    pub at: Touched,
    /// The region of guest memory, and the bytes from its start.
    pub region: Option<(String, u64)>,
    /// Whether the region may be written.
    pub writable: bool,
    /// What was there before; nothing where that is no guest memory, or not all of it.
    pub before: Vec<u8>,
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
    /// The type in which the instruction looks at it, where its row says one. Of 64 bits, registers hold the lower half and the upper half in turns.
    pub ty: Option<Shown>,
}

/// How the bits of a register are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// One value; of a narrow type in the lower bits.
    One(Ty),
    /// One of 16 bits in the upper half.
    Upper(Ty),
    /// Two of 16 bits.
    Two(Ty),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Only this wave of this group; nothing: all.
    pub wave: Option<([u32; 3], u32)>,
    /// The first number of an instruction in its wave.
    pub from: u64,
    /// The last one.
    pub to: u64,
    /// Where instructions stand, in bytes from the start of the text: in one of these; without any: anywhere.
    pub places: Vec<RangeInclusive<u64>>,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { wave: None, from: 0, to: u64::MAX, places: Vec::new() }
    }
}

impl Filter {
    /// Whether anything of a wave is recorded.
    #[must_use]
    pub fn wants(&self, group: [u32; 3], wave: u32) -> bool {
        self.wave.is_none_or(|wanted| wanted == (group, wave))
    }

    fn takes(&self, wave: &Wave, step: &Step, group: &Group<'_>) -> bool {
        let pc = u64::from(step.at) * 4;
        (self.from..=self.to).contains(&wave.steps)
            && (self.places.is_empty() || self.places.iter().any(|range| range.contains(&pc)))
            && self.wants(group.id, wave.index)
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

/// Whether an instruction may write memory or LDS.
fn is_memory(step: &Step) -> bool {
    use Family::*;
    step.family().is_some_and(|f| matches!(f, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch | Mimg | Ldsdir))
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
                all.push(Item { place: place.to_owned(), index: Index::Word, values: vec![(0, new)], ty: None });
            }
        };
        for (code, (old, new)) in before.s.iter().zip(&wave.s).enumerate().take(128) {
            single(names.get(code as u16, 1).as_str(), *old, *new);
        }
        single("scc", before.scc.into(), wave.scc.into());
        single("mode", before.mode, wave.env.mode);
        single("trapsts", before.trapsts, wave.whole_trapsts());
        for (n, old) in before.file.chunks_exact(STRIDE).enumerate() {
            let now = |lane: usize| wave.vgpr(n, lane);
            let values: Vec<(u64, u32)> = (0..wave.lanes as usize)
                .filter(|lane| old[*lane] != now(*lane))
                .map(|lane| (lane as u64, now(lane)))
                .collect();
            if !values.is_empty() {
                all.push(Item { place: vector_name(n), index: Index::Lane, values, ty: None });
            }
        }
        if is_memory(step) {
            let changed = before.lds.iter().zip(group.lds.words()).enumerate().filter(|(_, (old, new))| old != new);
            let values: Vec<(u64, u32)> = changed.map(|(n, (_, new))| (4 * n as u64, *new)).collect();
            if !values.is_empty() {
                all.push(Item { place: "lds".to_owned(), index: Index::Byte, values, ty: None });
            }
            for (region, old) in writable(group).zip(&before.memory) {
                let new = region.to_bytes();
                let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
                let pairs = old.chunks(4).zip(new.chunks(4)).enumerate().filter(|(_, (old, new))| old != new);
                let values: Vec<(u64, u32)> = pairs.map(|(n, (_, new))| (4 * n as u64, word(new))).collect();
                if !values.is_empty() {
                    all.push(Item { place: region.name().to_owned(), index: Index::Byte, values, ty: None });
                }
            }
        }
        all
    }
}

/// Where an instruction is about to go.
fn places(wave: &Wave, step: &Step, group: &Group<'_>) -> Vec<Place> {
    let place = |at: Touched| {
        let address = at.guest.and_then(guest::canonical);
        let region = address.and_then(|address| Some((address, group.memory.resolve(address, 1)?)));
        let mut view = group.memory.view();
        let before: Option<Vec<u8>> = address.and_then(|start| {
            let bytes = start..start.saturating_add(at.bytes.into());
            bytes.map(|address| view.load_u8(address).ok()).collect()
        });
        Place {
            at,
            writable: region.is_some_and(|(_, region)| region.writable()),
            region: region.map(|(address, region)| (region.name().to_owned(), address - region.base())),
            before: before.unwrap_or_default(),
        }
    };
    let mut places = Vec::new();
    touched(wave, step, group, |at| places.push(place(at)));
    places
}

impl Watch for Recorder<'_> {
    fn before(&mut self, wave: &Wave, step: &Step, group: &Group<'_>) {
        self.event = None;
        if !self.filter.takes(wave, step, group) {
            return;
        }
        let before = &mut self.before;
        before.s.clone_from(&wave.s);
        before.file.clear();
        before.file.extend(wave.file.iter().take(file::NOWHERE as usize * STRIDE).map(std::cell::Cell::get));
        before.scc = wave.scc;
        before.mode = wave.env.mode;
        before.trapsts = wave.whole_trapsts();
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
            touched: places(wave, step, group),
            trap: None,
        });
    }

    fn after(&mut self, wave: &Wave, step: &Step, group: &Group<'_>) {
        let Some(mut event) = self.event.take() else { return };
        event.writes = self.writes(wave, step, group);
        if !matches!(wave.stop, Some(Stop::Trap(_))) {
            // Destinations that kept their values were written all the same. They come first, in the order of the text.
            let mut named = destinations(wave, step, group, &event.instruction, self.exec);
            for item in &mut named {
                if let Some(at) = event.writes.iter().position(|known| known.place == item.place) {
                    item.values.extend(event.writes.remove(at).values);
                    item.values.sort_unstable();
                    item.values.dedup();
                }
            }
            named.append(&mut event.writes);
            event.writes = named;
            if let Some(export) = group.exports.last().filter(|_| step.export.is_some()) {
                let items = export.values().filter(|(_, values)| !values.is_empty());
                let item = |(place, values)| Item { place, index: Index::Lane, values, ty: None };
                event.writes.extend(items.map(item));
            }
        }
        if let Some(Stop::Trap(cause)) = &wave.stop {
            event.trap = Some((**cause).clone());
        }
        (self.sink)(event);
    }
}
