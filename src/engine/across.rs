//! What all groups of a dispatch share beside memory: the global data share with its registers, ordered counts, the global wave sync.
//!
//! - *The global data share* is bytes as LDS is. A case gives them as its buffer [`BUFFER`], where they are found again at the end.
//! - *Registers* are sixteen, the last eight of 64 bits. All begin at 0.
//! - *The wave sync* has 64 resources with a counter of 12 bits each, and a queue of waves: a semaphore, or a barrier of as many waves as the
//!   counter says and one more. Which of both, the last instruction said. A counter of a semaphore is what may pass; a barrier turns its flag when
//!   it opens, and lets those go that came with the other one.
//! - *Ordered counts* are done in the order of the numbers that waves have in M0, whenever they come: from 0, and on to the next with a count that
//!   says so.
//!
//! A wave that has to wait stands in a queue behind its instruction ([`Stop::Queued`](super::Stop::Queued)), and is let go by the instruction of
//! another one, of its group or of any. So all groups of a program that has such instructions run in turns: each as far as it comes, the next one
//! when all before it have ended or wait, and those who wait again as soon as they are let go, the first one first. If all wait, that is a trap of
//! the first one.
//!
//! All of it is done by the host, whatever carries out the rest: engines have it in common as they have meanings.

use crate::fault::planted;
use crate::isa::does::Across;
use crate::isa::{Gen, Target};
use crate::memory::guest::Memory;
use crate::memory::lds::{Lds, Rules, put_words};
use crate::program::Access;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

/// The buffer of a case that is the global data share.
pub const BUFFER: &str = "gds";
/// What is missing where a program needs it, and there is none.
pub const NO_GDS: &str = "a global data share: a case gives it as the buffer `gds`";
/// Resources, and the mask of their number.
const RESOURCES: u32 = 64;
/// The bits of a counter.
const COUNTER: u32 = 0xfff;

/// A wave: the number of its group among all of the dispatch, and its own there.
pub type Who = (u64, u32);

/// The global data share at the start of a dispatch, if there is one.
#[must_use]
pub fn share_of(memory: &Memory) -> Option<Lds> {
    let bytes = memory.find(BUFFER)?.to_bytes();
    let mut gds = Lds::new(bytes.len().min(1 << 16) as u32);
    put_words(gds.words_mut(), &bytes);
    Some(gds)
}

/// Puts the global data share back into memory.
pub fn put_back(gds: &Lds, memory: &Memory) {
    let Some(region) = memory.find(BUFFER) else { return };
    let bytes: Vec<u8> = gds.words().iter().flat_map(|word| word.to_le_bytes()).take(gds.bytes() as usize).collect();
    // The region is there, so that nothing fails.
    let _ = memory.write_bytes(region.base(), &bytes);
}

/// The vector registers of a wave, by the places that an [`Access`] of its engine has.
pub trait Words {
    /// A lane's word of a register.
    fn get(&self, at: u32, lane: u32) -> u32;
    /// Writes a lane's word of a register, or of one so many behind it.
    fn set(&mut self, at: u32, behind: u32, lane: u32, v: u32);
}

/// A wave that has come to an instruction.
pub struct Asks<'a> {
    /// What the instruction does.
    pub does: Across,
    /// Its operands.
    pub access: &'a Access,
    /// The machine.
    pub target: &'a Target,
    /// The wave.
    pub who: Who,
    /// Its active lanes.
    pub exec: u64,
    /// Its M0.
    pub m0: u32,
}

/// A value for the lanes of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gift {
    at: u32,
    lanes: u64,
    value: u32,
}

impl Gift {
    /// Gives it.
    pub fn give(self, words: &mut dyn Words) {
        let mut lanes = self.lanes;
        while lanes != 0 {
            words.set(self.at, 0, lanes.trailing_zeros(), self.value);
            lanes &= lanes - 1;
        }
    }
}

/// The wave sync, registers, counts.
pub struct Sync {
    resources: Vec<Resource>,
    registers: [u64; 16],
    /// The wave whose turn to count it is.
    turn: u32,
    counts: BTreeMap<u32, Count>,
    /// Waves that were let go and do not know it yet, in the order of the groups.
    gone: BTreeMap<Who, Option<Gift>>,
}

impl Default for Sync {
    fn default() -> Sync {
        Sync {
            resources: (0..RESOURCES).map(|_| Resource::default()).collect(),
            registers: [0; 16],
            turn: 0,
            counts: BTreeMap::new(),
            gone: BTreeMap::new(),
        }
    }
}

/// A resource of the wave sync.
#[derive(Default)]
struct Resource {
    counter: u32,
    flag: bool,
    is_barrier: bool,
    queue: VecDeque<Waiting>,
}

/// A wave in the queue of a resource.
struct Waiting {
    who: Who,
    /// Of a barrier: its flag when the wave came.
    flag: bool,
}

/// A number of which two waves say that it is theirs.
const TWICE: &str =
    "ordered counts of two waves that wait with the same number: which of them has the turn no public source says";

/// A queue in which some wait for a semaphore and others for a barrier.
const MIXED: &str = "a resource of the wave sync that is a semaphore for some waiting waves and a barrier for others: in which order they go no public source says";

impl Resource {
    /// Makes it a semaphore or a barrier.
    fn becomes(&mut self, barrier: bool) -> Result<(), &'static str> {
        if self.is_barrier != barrier && !self.queue.is_empty() {
            return Err(MIXED);
        }
        self.is_barrier = barrier;
        Ok(())
    }

    /// Lets go who may.
    fn settle(&mut self, gone: &mut BTreeMap<Who, Option<Gift>>) {
        if self.is_barrier {
            let flag = self.flag;
            gone.extend(self.queue.iter().filter(|w| w.flag != flag).map(|w| (w.who, None)));
            self.queue.retain(|w| w.flag == flag);
            return;
        }
        while self.counter > 0
            && let Some(waiting) = if planted!(SyncLastFirst) { self.queue.pop_back() } else { self.queue.pop_front() }
        {
            self.counter -= 1;
            gone.insert(waiting.who, None);
        }
    }

    /// Does an instruction; whether the wave goes on.
    fn apply(&mut self, does: Across, who: Who, data: u32) -> Result<bool, &'static str> {
        match does {
            Across::Init => {
                (self.counter, self.flag) = (data & COUNTER, false);
                Ok(true)
            }
            Across::Release | Across::ReleaseSome | Across::ReleaseAll => {
                self.becomes(false)?;
                let many = match does {
                    Across::Release => 1,
                    Across::ReleaseSome => data,
                    _ => self.queue.len() as u32,
                };
                self.counter = self.counter.wrapping_add(many) & COUNTER;
                Ok(true)
            }
            Across::Acquire => {
                self.becomes(false)?;
                if self.counter > 0 {
                    self.counter -= if planted!(SyncAcquireFree) { 0 } else { 1 };
                    return Ok(true);
                }
                self.queue.push_back(Waiting { who, flag: false });
                Ok(false)
            }
            _ => {
                self.becomes(true)?;
                let last = if planted!(SyncBarrierEarly) { 1 } else { 0 };
                if self.counter <= last {
                    self.flag = !self.flag;
                    self.counter = if planted!(SyncBarrierOnce) { 0 } else { data & COUNTER };
                    return Ok(true);
                }
                self.counter -= 1;
                self.queue.push_back(Waiting { who, flag: self.flag });
                Ok(false)
            }
        }
    }
}

/// An ordered count.
#[derive(Clone, Copy)]
struct Count {
    who: Who,
    place: Place,
    data: u32,
    exchanges: bool,
    releases: bool,
    gift: Gift,
}

/// Where a count is kept.
#[derive(Clone, Copy)]
enum Place {
    /// A word of the global data share.
    Word(u32),
    /// A register.
    Register(usize),
}

impl Sync {
    /// Whether a wave that stood in a queue has been let go; what it gets, if it gets something.
    pub fn let_go(&mut self, who: Who) -> Option<Option<Gift>> {
        self.gone.remove(&who)
    }

    /// The first group of which somebody has been let go, among those that are asked for: waves of others may have stopped for good before.
    #[must_use]
    pub fn first_gone(&self, asked_for: impl Fn(u64) -> bool) -> Option<u64> {
        self.gone.keys().map(|(group, _)| *group).find(|group| asked_for(*group))
    }

    /// Does an instruction; whether the wave goes on.
    ///
    /// # Errors
    /// What is missing for it.
    pub fn carry_out(
        &mut self,
        asks: &Asks<'_>,
        gds: Option<&mut Lds>,
        words: &mut dyn Words,
    ) -> Result<bool, &'static str> {
        let &Asks { does, access, exec, .. } = asks;
        // Without active lanes the first one is taken, where there is data to take.
        let first = (exec != 0).then(|| exec.trailing_zeros());
        let lane = if planted!(SyncHighestLane) { exec.checked_ilog2() } else { first };
        let register = if matches!(does, Across::Register { .. }) { access.data } else { access.addr };
        let data = match (does, lane) {
            (_, Some(lane)) => words.get(register, lane),
            (Across::Ordered | Across::Register { .. }, None) => 0,
            (_, None) => words.get(register, 0),
        };
        let offset = access.offset as u32;
        match does {
            Across::Register { subtracts } => {
                let n = (offset >> 2 & 15) as usize;
                let old = self.registers[n];
                let data = u64::from(data);
                self.registers[n] = wrapped(n, if subtracts { old.wrapping_sub(data) } else { old.wrapping_add(data) });
                if let Some(lane) = lane {
                    words.set(access.dst, 0, lane, old as u32);
                    if n >= 8 && !planted!(GsRegisterNarrow) {
                        words.set(access.dst, 1, lane, (old >> 32) as u32);
                    }
                }
                Ok(true)
            }
            Across::Ordered => self.ordered(asks, (data, lane), gds, words),
            // The machine sends nothing, and so nobody is let go.
            Across::Release | Across::ReleaseAll | Across::Acquire
                if exec == 0 && asks.target.generation() >= Gen::Gfx11 =>
            {
                Ok(true)
            }
            _ => {
                let base = if planted!(SyncBaseLost) { 0 } else { asks.m0 >> 16 };
                let resource = &mut self.resources[(base.wrapping_add(offset) & (RESOURCES - 1)) as usize];
                let went = resource.apply(does, asks.who, data);
                resource.settle(&mut self.gone);
                went
            }
        }
    }

    /// Counts, or waits for the turn.
    fn ordered(
        &mut self,
        asks: &Asks<'_>,
        (data, lane): (u32, Option<u32>),
        mut gds: Option<&mut Lds>,
        words: &mut dyn Words,
    ) -> Result<bool, &'static str> {
        let &Asks { access, target, who, exec, m0, .. } = asks;
        let (generation, offset) = (target.generation(), access.offset as u32);
        let (index, flags) = (offset & 0xff, offset >> 8 & 0xff);
        let exchanges = match flags >> 4 & 3 {
            0 => false,
            1 => true,
            _ => return Err("ordered counts that wrap: where the second operand comes from no public source says"),
        };
        let of_registers = generation >= Gen::Gfx11;
        let (number, place) = if of_registers {
            let n = (index >> 2 & 15) as usize;
            if exchanges && !(4..8).contains(&n) {
                return Err("ordered exchanges with registers other than 4 to 7: what they do no public source says");
            }
            (m0 & 0x1fff, Place::Register(n))
        } else {
            if flags >> 2 & 3 != 0 {
                return Err("ordered counts of waves that are not of compute shaders");
            }
            if generation >= Gen::Gfx10 && flags >> 6 != 0 {
                return Err("ordered counts of several words at once: how lanes give them no public source says");
            }
            // The base counts bytes, and is a multiple of four.
            (m0 & 0xffff, Place::Word((m0 >> 16 & 0xfffc) + (index & 0xfc)))
        };
        if gds.is_none() && !of_registers {
            return Err(NO_GDS);
        }
        // M0 has no size here.
        let rules = Rules::new(target, u32::MAX, gds.as_ref().map_or(0, |gds| gds.bytes()));
        let lanes = match lane {
            // One lane wide, or sent to all.
            Some(lane) if of_registers => 1 << lane,
            None if of_registers => 1,
            _ => exec,
        };
        let gift = Gift { at: access.dst, lanes, value: 0 };
        let count = Count { who, place, data, exchanges, releases: flags & 1 != 0, gift };
        if number != self.turn && !planted!(OrderedAsTheyCome) {
            return match self.counts.entry(number) {
                Entry::Occupied(_) => Err(TWICE),
                Entry::Vacant(place) => {
                    place.insert(count);
                    Ok(false)
                }
            };
        }
        let value = self.count(&count, gds.as_deref_mut(), &rules);
        Gift { value, ..gift }.give(words);
        // Whose turn it is now.
        while let Some(next) = self.counts.remove(&self.turn) {
            let value = self.count(&next, gds.as_deref_mut(), &rules);
            self.gone.insert(next.who, Some(Gift { value, ..next.gift }));
        }
        Ok(true)
    }

    /// Does the count of the wave whose turn it is; gives what there was.
    fn count(&mut self, count: &Count, gds: Option<&mut Lds>, rules: &Rules) -> u32 {
        let new = |old: u32| if count.exchanges { count.data } else { old.wrapping_add(count.data) };
        let old = match (count.place, gds) {
            (Place::Word(at), Some(gds)) => gds.rmw_u32(rules, at, new).unwrap_or(0),
            (Place::Word(_), None) => 0,
            (Place::Register(n), _) => {
                let old = self.registers[n];
                self.registers[n] = match count.exchanges {
                    true => u64::from(count.data),
                    false => wrapped(n, old.wrapping_add(count.data.into())),
                };
                old as u32
            }
        };
        self.turn += u32::from(count.releases);
        old
    }
}

/// What a register keeps of a sum: the first eight have 32 bits.
fn wrapped(n: usize, v: u64) -> u64 {
    if n < 8 { v & 0xffff_ffff } else { v }
}
