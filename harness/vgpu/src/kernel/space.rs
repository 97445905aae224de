//! The address space of an open file: which page of which object each GPU address shows.
//!
//! Addresses have 48 bits here. A mapping is changed as a whole (`map`, `unmap`) or by ranges
//! (`clear`, `replace`), which cut what was there: both rests stay.
//!
//! What a ring sees is a snapshot, made anew after a change. It holds on to the objects it shows. A job
//! sees what was mapped when it was submitted, whatever became of it since ([`Held`]).
//!
//! A *reservation* is pages without an object, for sparse resources: they read as zeroes, and drop what is stored.

use super::object::{Object, PAGE};
use super::{Answer, lock};
use crate::card::Space;
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, OnceLock};
use wavediff::memory::guest::{Memory, Stores, Words, canonical};

/// Bytes of zeroes that there are for one region.
const ZEROES: u64 = 64 << 30;

/// What reservations show: pages that nobody writes, so that they cost addresses only. None where
/// the host has no addresses left.
#[allow(unsafe_code, reason = "mapping memory")]
fn zeroes() -> Option<&'static Arc<Words>> {
    static WORDS: OnceLock<Option<Arc<Words>>> = OnceLock::new();
    let map = || {
        let len = usize::try_from(ZEROES).ok()?;
        let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: a new mapping at an address that the host chooses.
        let base = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, rights, flags) }.ok()?;
        // SAFETY: the mapping is never taken away.
        Some(unsafe { Words::lent(NonNull::new(base.cast())?, len / 4, Box::new(())) })
    };
    WORDS.get_or_init(map).as_ref()
}

/// What pages show.
#[derive(Clone)]
pub(crate) struct Target {
    /// An object and where in it the first byte lies, or nothing: reserved.
    pub object: Option<(Arc<Object>, u64)>,
    /// Whether the card may write.
    pub writable: bool,
}

impl Target {
    /// The same, so many bytes later.
    fn later(&self, bytes: u64) -> Target {
        let object = self.object.as_ref().map(|(object, offset)| (object.clone(), offset + bytes));
        Target { object, writable: self.writable }
    }

    fn shows(&self, object: Option<&Arc<Object>>) -> bool {
        match (&self.object, object) {
            (Some((mine, _)), Some(theirs)) => Arc::ptr_eq(mine, theirs),
            (None, None) => true,
            _ => false,
        }
    }
}

struct Mapping {
    end: u64,
    target: Target,
}

#[derive(Default)]
struct Map {
    /// By first address; none overlap.
    mappings: BTreeMap<u64, Mapping>,
    /// What rings see, unless something changed since.
    snapshot: Option<Arc<Memory>>,
}

#[derive(Default)]
pub(crate) struct AddressSpace(Mutex<Map>);

/// The range in 48 bits, if it is one of whole pages.
fn range(address: u64, size: u64) -> Answer<(u64, u64)> {
    let first = canonical(address).ok_or(Errno::INVAL)?;
    let end = first.checked_add(size).filter(|end| *end <= 1 << 48).ok_or(Errno::INVAL)?;
    if size == 0 || !(first | size).is_multiple_of(PAGE) { Err(Errno::INVAL) } else { Ok((first, end)) }
}

impl Map {
    fn is_free(&self, first: u64, end: u64) -> bool {
        self.mappings.range(..end).next_back().is_none_or(|(_, m)| m.end <= first)
    }

    fn clear(&mut self, first: u64, end: u64) {
        self.cut(first);
        self.cut(end);
        let inside: Vec<u64> = self.mappings.range(first..end).map(|(at, _)| *at).collect();
        inside.iter().for_each(|at| drop(self.mappings.remove(at)));
        self.snapshot = None;
    }

    /// Makes two mappings of the one that an address is inside of.
    fn cut(&mut self, at: u64) {
        let Some((&first, mapping)) = self.mappings.range_mut(..at).next_back() else { return };
        if mapping.end > at {
            let rest = Mapping { end: mapping.end, target: mapping.target.later(at - first) };
            mapping.end = at;
            self.mappings.insert(at, rest);
        }
    }

    fn insert(&mut self, first: u64, end: u64, target: Target) {
        self.mappings.insert(first, Mapping { end, target });
        self.snapshot = None;
    }

    fn memory(&self) -> Memory {
        let mut memory = Memory::new();
        for (first, mapping) in &self.mappings {
            let size = mapping.end - first;
            let Some((object, offset)) = &mapping.target.object else {
                for at in (*first..mapping.end).step_by(ZEROES as usize) {
                    let size = ZEROES.min(mapping.end - at);
                    let _ = zeroes().map(|words| memory.map_words("reserved", at, words, 0, size, Stores::Dropped));
                }
                continue;
            };
            // Mappings do not overlap and lie inside their objects: there is no way to fail. Without names nothing is allocated.
            let _ = memory.map_words("", *first, &object.words, *offset, size, Stores::kept(mapping.target.writable));
        }
        memory
    }
}

impl AddressSpace {
    fn check(size: u64, target: &Target) -> Answer<()> {
        match &target.object {
            Some((object, offset)) if !offset.is_multiple_of(PAGE) || !object.holds(*offset, size) => Err(Errno::INVAL),
            _ => Ok(()),
        }
    }

    /// Maps pages that are free.
    pub fn map(&self, address: u64, size: u64, target: Target) -> Answer<()> {
        let (first, end) = range(address, size)?;
        Self::check(size, &target)?;
        let mut map = lock(&self.0);
        if !map.is_free(first, end) {
            return Err(Errno::INVAL);
        }
        map.insert(first, end, target);
        Ok(())
    }

    /// Takes away the mapping of an object (or a reservation) that begins at an address.
    pub fn unmap(&self, address: u64, object: Option<&Arc<Object>>) -> Answer<()> {
        let first = canonical(address).ok_or(Errno::INVAL)?;
        let mut map = lock(&self.0);
        map.mappings.get(&first).filter(|m| m.target.shows(object)).ok_or(Errno::NOENT)?;
        map.mappings.remove(&first);
        map.snapshot = None;
        Ok(())
    }

    /// Takes away whatever pages show.
    pub fn clear(&self, address: u64, size: u64) -> Answer<()> {
        let (first, end) = range(address, size)?;
        lock(&self.0).clear(first, end);
        Ok(())
    }

    /// Maps pages whatever they showed.
    pub fn replace(&self, address: u64, size: u64, target: Target) -> Answer<()> {
        let (first, end) = range(address, size)?;
        Self::check(size, &target)?;
        let mut map = lock(&self.0);
        map.clear(first, end);
        map.insert(first, end, target);
        Ok(())
    }

    /// Memory of the program's own that is shown and that the program has no more: where it was and how long.
    pub fn gone(&self) -> Option<(u64, u64)> {
        let map = lock(&self.0);
        map.mappings.values().find_map(|m| m.target.object.as_ref()?.0.is_gone())
    }

    /// Takes away all mappings of an object.
    pub fn forget(&self, object: &Arc<Object>) {
        let mut map = lock(&self.0);
        let before = map.mappings.len();
        map.mappings.retain(|_, m| !m.target.shows(Some(object)));
        if map.mappings.len() != before {
            map.snapshot = None;
        }
    }
}

impl Space for AddressSpace {
    fn memory(&self) -> Arc<Memory> {
        let mut map = lock(&self.0);
        if let Some(memory) = &map.snapshot {
            return memory.clone();
        }
        let memory = Arc::new(map.memory());
        map.snapshot = Some(memory.clone());
        memory
    }
}

/// An address space as a job sees it: as it was when the job was submitted, and where nothing was mapped then, as it is
/// now. A driver may unmap what a job still reads, and map something else there for the next one (RADV of Mesa 22.3 does so
/// on gfx6 with command buffers): a kernel changes its tables behind the jobs that came before.
pub(crate) struct Held {
    space: Arc<AddressSpace>,
    submitted: Arc<Memory>,
    /// What was seen last, and what it is over that.
    seen: Mutex<Option<(Arc<Memory>, Arc<Memory>)>>,
}

impl Held {
    pub fn new(space: &Arc<AddressSpace>) -> Held {
        Held { space: space.clone(), submitted: space.memory(), seen: Mutex::new(None) }
    }

    /// As [`AddressSpace::gone`].
    pub fn gone(&self) -> Option<(u64, u64)> {
        self.space.gone()
    }
}

impl Space for Held {
    fn memory(&self) -> Arc<Memory> {
        let now = self.space.memory();
        if Arc::ptr_eq(&now, &self.submitted) {
            return now;
        }
        let mut seen = lock(&self.seen);
        if let Some((_, all)) = seen.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &now)) {
            return all.clone();
        }
        let all = Arc::new(self.submitted.over(&now));
        *seen = Some((now, all.clone()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::object::{Budget, Wanted};
    use super::*;
    use proptest::prelude::*;

    const PAGES: u64 = 24;
    const BASE: u64 = 0xffff_8000_0000_0000;

    fn objects() -> Vec<Arc<Object>> {
        let budget = Arc::new(Budget::new(1 << 30));
        let wanted = Wanted { size: PAGES * PAGE, alignment: 0, domains: 4, flags: 0 };
        (0..3).filter_map(|_| Object::new(&budget, wanted).ok().map(Arc::new)).collect()
    }

    /// Each page by itself: which object, which of its pages, and where the mapping begins. An
    /// object of 3 is a reservation.
    type Table = [Option<(usize, u64, bool)>; PAGES as usize];

    #[derive(Clone, Debug)]
    enum Step {
        Map { replace: bool, first: u64, count: u64, object: usize, from: u64, writable: bool },
        Unmap { first: u64, object: usize },
        Clear { first: u64, count: u64 },
        Forget { object: usize },
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let map = (any::<bool>(), 0..PAGES, 0..PAGES, 0..4usize, 0..PAGES, any::<bool>()).prop_map(
            |(replace, first, count, object, from, writable)| Step::Map {
                replace,
                first,
                count,
                object,
                from,
                writable,
            },
        );
        let unmap = (0..PAGES, 0..4usize).prop_map(|(first, object)| Step::Unmap { first, object });
        let clear = (0..PAGES, 0..PAGES).prop_map(|(first, count)| Step::Clear { first, count });
        let forget = (0..3usize).prop_map(|object| Step::Forget { object });
        prop::collection::vec(prop_oneof![6 => map, 3 => unmap, 2 => clear, 1 => forget], 1..40)
    }

    /// The naive kernel.
    struct Naive {
        table: Table,
        /// Where mappings begin.
        starts: [bool; PAGES as usize + 1],
    }

    impl Naive {
        fn cut(&mut self, at: u64) {
            if at < PAGES && at > 0 && self.table[at as usize].is_some() && !self.starts[at as usize] {
                self.starts[at as usize] = true;
            }
        }

        fn clear(&mut self, first: u64, count: u64) {
            let end = (first + count).min(PAGES);
            self.cut(end);
            for page in first..end {
                self.table[page as usize] = None;
                self.starts[page as usize] = false;
            }
        }

        fn step(&mut self, step: &Step) -> bool {
            match *step {
                Step::Map { replace, first, count, object, from, writable } => {
                    let fits = count > 0 && first + count <= PAGES && (object == 3 || from + count <= PAGES);
                    if !fits || !replace && (first..first + count).any(|p| self.table[p as usize].is_some()) {
                        return false;
                    }
                    self.clear(first, count);
                    for n in 0..count {
                        let page = if object == 3 { 0 } else { from + n };
                        self.table[(first + n) as usize] = Some((object, page, writable));
                    }
                    self.starts[first as usize] = true;
                    true
                }
                Step::Unmap { first, object } => {
                    let is = self.starts[first as usize] && self.table[first as usize].is_some_and(|p| p.0 == object);
                    if is {
                        let end = (first + 1..PAGES)
                            .find(|p| self.starts[*p as usize] || self.table[*p as usize].is_none())
                            .unwrap_or(PAGES);
                        self.clear(first, end - first);
                    }
                    is
                }
                Step::Clear { first, count } => {
                    if count > 0 {
                        self.clear(first, count);
                    }
                    count > 0
                }
                Step::Forget { object } => {
                    for page in 0..PAGES {
                        if self.table[page as usize].is_some_and(|p| p.0 == object) {
                            self.table[page as usize] = None;
                            self.starts[page as usize] = false;
                        }
                    }
                    true
                }
            }
        }
    }

    proptest! {
        #[test]
        fn it_is_a_page_table(steps in steps()) {
            let objects = objects();
            let space = AddressSpace::default();
            let mut naive = Naive { table: [None; PAGES as usize], starts: [false; PAGES as usize + 1] };
            for step in &steps {
                let target = |object: usize, from: u64, writable| Target {
                    object: objects.get(object).map(|o| (o.clone(), from * PAGE)),
                    writable,
                };
                // The end of the address space is where the last page of the table ends.
                let at = |page: u64| BASE + page * PAGE;
                let done = match *step {
                    Step::Map { first, count, .. } if first + count > PAGES => false,
                    Step::Map { replace, first, count, object, from, writable } => {
                        let to = target(object, from, writable);
                        let size = count * PAGE;
                        if replace { space.replace(at(first), size, to) } else { space.map(at(first), size, to) }.is_ok()
                    }
                    Step::Unmap { first, object } => space.unmap(at(first), objects.get(object)).is_ok(),
                    Step::Clear { first, count } => space.clear(at(first), count * PAGE).is_ok(),
                    Step::Forget { object } => {
                        space.forget(&objects[object]);
                        true
                    }
                };
                prop_assert_eq!(done, naive.step(step), "{:?}", step);
                let memory = space.memory();
                for page in 0..PAGES {
                    let region = memory.region_at(at(page));
                    let expected = naive.table[page as usize];
                    prop_assert_eq!(region.is_some(), expected.is_some());
                    let (Some(region), Some((object, from, writable))) = (region, expected) else { continue };
                    if object == 3 {
                        prop_assert_eq!((region.name(), region.writable()), ("reserved", false));
                        continue;
                    }
                    let offset = (at(page) & 0xffff_ffff_ffff) - region.base();
                    let shown = &region.words()[(offset / 4) as usize];
                    prop_assert!(std::ptr::eq(shown, &objects[object].words[(from * PAGE / 4) as usize]));
                    prop_assert_eq!(region.writable(), writable);
                }
            }
        }
    }

    #[test]
    fn hostile_ranges_are_errors() {
        let object = objects().remove(0);
        let space = AddressSpace::default();
        let target = |from| Target { object: Some((object.clone(), from)), writable: true };
        for (address, size, from) in [
            (0x1000, 0, 0),
            (0x1001, PAGE, 0),
            (0x1000, PAGE + 1, 0),
            (0x1000, PAGE, 8),
            (0x1000, PAGE, PAGES * PAGE),
            (0x1000, PAGE, u64::MAX - PAGE + 1),
            (0x1000, u64::MAX - 0xfff, 0),
            (0x0001_0000_0000_0000, PAGE, 0),
            (u64::MAX - 0xfff, 2 * PAGE, 0),
        ] {
            assert_eq!(space.map(address, size, target(from)), Err(Errno::INVAL), "{address:#x} {size:#x}");
            assert_eq!(space.replace(address, size, target(from)), Err(Errno::INVAL), "{address:#x} {size:#x}");
        }
        let all = Target { object: None, writable: false };
        assert_eq!(space.map(0, 1 << 48, all), Ok(()));
        assert_eq!(space.map(u64::MAX - 0xfff, PAGE, target(0)), Err(Errno::INVAL));
        assert!(space.memory().region_at(0x7fff_1234_5678).is_some());
        assert_eq!(space.clear(0, 1 << 48), Ok(()));
        assert_eq!(space.map(u64::MAX - 0xfff, PAGE, target(0)), Ok(()));
        assert_eq!(space.unmap(0xffff_ffff_f000, Some(&object)), Ok(()));
        assert_eq!(space.unmap(0xffff_ffff_f000, Some(&object)), Err(Errno::NOENT));
    }

    #[test]
    fn a_job_sees_what_was_mapped_when_it_was_submitted() {
        let objects = objects();
        let space = Arc::new(AddressSpace::default());
        let target = |n: usize| Target { object: Some((objects[n].clone(), 0)), writable: true };
        let shown = |held: &Held, page: u64| {
            let memory = held.memory();
            let region = memory.region_at(BASE + page * PAGE)?;
            let words = region.words().as_ptr_range();
            objects.iter().position(|object| words.contains(&object.words.as_ptr()))
        };
        assert_eq!(space.map(BASE, PAGE, target(0)), Ok(()));
        let first = Held::new(&space);
        assert_eq!((shown(&first, 0), shown(&first, 1)), (Some(0), None));
        // Unmapped, and its address given to the next one.
        assert_eq!(space.unmap(BASE, Some(&objects[0])), Ok(()));
        assert_eq!(shown(&first, 0), Some(0));
        assert_eq!(space.map(BASE, PAGE, target(1)), Ok(()));
        assert_eq!(space.map(BASE + PAGE, PAGE, target(2)), Ok(()));
        let second = Held::new(&space);
        assert_eq!((shown(&first, 0), shown(&first, 1)), (Some(0), Some(2)));
        assert_eq!((shown(&second, 0), shown(&second, 1)), (Some(1), Some(2)));
    }

    #[test]
    fn a_snapshot_holds_on_to_objects() {
        let budget = Arc::new(Budget::new(1 << 30));
        let wanted = Wanted { size: PAGE, alignment: 0, domains: 4, flags: 0 };
        let space = AddressSpace::default();
        if let Ok(object) = Object::new(&budget, wanted).map(Arc::new) {
            assert_eq!(space.map(0x1000, PAGE, Target { object: Some((object, 0)), writable: true }), Ok(()));
        }
        let memory = space.memory();
        assert!(Arc::ptr_eq(&memory, &space.memory()));
        assert_eq!(space.clear(0, 1 << 40), Ok(()));
        assert_eq!(memory.regions()[0].words()[3].load(std::sync::atomic::Ordering::Relaxed), 0);
        assert!(space.memory().regions().is_empty());
        assert_eq!(budget.used(super::super::object::Heap::Vram), PAGE);
        drop(memory);
        assert_eq!(budget.used(super::super::object::Heap::Vram), 0);
    }
}
