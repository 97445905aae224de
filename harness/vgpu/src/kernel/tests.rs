//! Ioctls as a program does them: what they mean, and that nothing it asks breaks the kernel.

use super::abi::*;
use super::device::Device;
use super::file::File;
use super::object::{Heap, PAGE, Wanted};
use super::{Answer, Process};
use crate::card::{Settings, Space};
use crate::chips::Chip;
use bytemuck::{AnyBitPattern, NoUninit};
use proptest::prelude::*;
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags};
use std::sync::Arc;

const MEMORY: u64 = 64 << 20;

fn file() -> File {
    let chip = Chip::named("navi31").expect("it is in the table");
    File::new(&Arc::new(Device::new(0, chip, Settings::default(), MEMORY, false)))
}

/// An ioctl with a structure, which is changed.
fn call<T: NoUninit + AnyBitPattern>(file: &File, number: u64, value: &mut T) -> Answer<()> {
    let request = 3 << 30 | (size_of::<T>() as u64) << 16 | u64::from(b'd') << 8 | number;
    file.ioctl(request, &raw mut *value as u64).map(drop)
}

fn create(file: &File, size: u64) -> Answer<u32> {
    let mut wanted = Wanted { size, alignment: PAGE, domains: 4, flags: 0 };
    call(file, 0x40, &mut wanted)?;
    Ok(wanted.size as u32)
}

fn va(operation: u32, handle: u32, address: u64, size: u64) -> GemVa {
    GemVa { handle, operation, flags: 0xe, address, size, ..bytemuck::Zeroable::zeroed() }
}

fn context(file: &File) -> Answer<u32> {
    let mut ctx = Ctx { operation: 1, flags: 0, ctx: 0, priority: 0 };
    call(file, 0x42, &mut ctx)?;
    Ok(ctx.operation)
}

#[test]
fn texts_come_after_their_lengths() -> Answer<()> {
    let mut version: Version = bytemuck::Zeroable::zeroed();
    call(&file(), 0, &mut version)?;
    assert_eq!((version.major, version.name_len), (3, 6));
    let mut name = [0u8; 8];
    version.name = name.as_mut_ptr() as u64;
    version.name_len = 3;
    call(&file(), 0, &mut version)?;
    assert_eq!((&name, version.name_len), (b"amd\0\0\0\0\0", 6));
    Ok(())
}

#[test]
fn an_import_has_the_handle_of_the_export() -> Answer<()> {
    let (one, other) = (file(), file());
    let handle = create(&one, 5000)?;
    let mut prime = Prime { handle, flags: 0x8_0002, fd: -1 };
    call(&one, 0x2d, &mut prime)?;
    prime.handle = 0;
    call(&one, 0x2e, &mut prime)?;
    assert_eq!(prime.handle, handle);
    call(&other, 0x2e, &mut prime)?;
    assert!(Arc::ptr_eq(&one.object(handle)?, &other.object(prime.handle)?));
    super::calls::closing(prime.fd);
    assert_eq!(call(&one, 0x2e, &mut prime), Err(Errno::INVAL));
    let mut wanted = Wanted { size: 0, alignment: 0, domains: 0, flags: 0 };
    let mut op = GemOp { handle, operation: 0, value: &raw mut wanted as u64 };
    call(&one, 0x50, &mut op)?;
    assert_eq!((wanted.size, wanted.domains), (2 * PAGE, 4));
    Ok(())
}

#[test]
fn closing_a_handle_ends_its_mappings() -> Answer<()> {
    let file = file();
    let handle = create(&file, PAGE)?;
    call(&file, 0x48, &mut va(1, handle, 0xffff_8000_0000_0000, PAGE))?;
    assert_eq!(file.space.memory().regions().len(), 1);
    assert_eq!(file.device.budget.used(Heap::Vram), PAGE);
    let mut close = Handle { handle, flags: 0 };
    call(&file, 9, &mut close)?;
    assert_eq!(call(&file, 9, &mut close), Err(Errno::INVAL));
    assert!(file.space.memory().regions().is_empty());
    assert_eq!(file.device.budget.used(Heap::Vram), 0);
    Ok(())
}

#[test]
fn reservations_give_way_to_objects() -> Answer<()> {
    let file = file();
    let handle = create(&file, PAGE)?;
    let at = 0xffff_8001_0000_0000;
    call(&file, 0x48, &mut GemVa { flags: 0x10, ..va(1, 0, at, 16 * PAGE) })?;
    assert_eq!(call(&file, 0x48, &mut va(1, handle, at + PAGE, PAGE)), Err(Errno::INVAL));
    call(&file, 0x48, &mut va(4, handle, at + PAGE, PAGE))?;
    assert_eq!(file.space.memory().regions().iter().map(|r| r.len() / PAGE).collect::<Vec<_>>(), [1, 1, 14]);
    assert_eq!(call(&file, 0x48, &mut va(2, handle, at + PAGE + 1, PAGE)), Err(Errno::NOENT));
    call(&file, 0x48, &mut va(3, 0, at, 16 * PAGE))?;
    assert!(file.space.memory().regions().is_empty());
    Ok(())
}

#[test]
fn a_submission_signals_and_writes_its_number() -> Answer<()> {
    let file = file();
    let (ctx, handle) = (context(&file)?, create(&file, PAGE)?);
    let mut object = Handle { handle: 0, flags: 0 };
    call(&file, 0xbf, &mut object)?;
    let ib = ChunkIb { pad: 0, flags: 0, address: 0x20_0000, bytes: 0, ip: 1, instance: 0, ring: 2 };
    let fence = ChunkFence { handle, offset: 64 };
    let signal = ChunkSyncobj { handle: object.handle, flags: 0, point: 12 };
    let chunks = [
        Chunk { id: 1, dwords: 8, data: &raw const ib as u64 },
        Chunk { id: 2, dwords: 2, data: &raw const fence as u64 },
        Chunk { id: 9, dwords: 4, data: &raw const signal as u64 },
    ];
    let pointers: Vec<u64> = chunks.iter().map(|c| &raw const *c as u64).collect();
    let mut cs = Cs { ctx, list: 0, count: 3, flags: 0, chunks: pointers.as_ptr() as u64 };
    call(&file, 0x44, &mut cs)?;
    assert_eq!((cs.ctx, cs.list), (1, 0));
    let mut wait = WaitCs { sequence: 1, timeout: u64::MAX, ip: 1, instance: 0, ring: 2, ctx };
    call(&file, 0x49, &mut wait)?;
    assert_eq!(wait.sequence, 0);
    let (handles, points) = ([object.handle], [12u64]);
    let mut query =
        SyncobjTimelineArray { handles: handles.as_ptr() as u64, points: points.as_ptr() as u64, count: 1, flags: 0 };
    call(&file, 0xcb, &mut query)?;
    assert_eq!(std::hint::black_box(&points)[0], 12);
    assert_eq!(file.object(handle)?.words[16].load(std::sync::atomic::Ordering::Acquire), 1);
    let late = WaitCs { sequence: 2, timeout: 0, ip: 1, instance: 0, ring: 2, ctx };
    assert_eq!(call(&file, 0x49, &mut { late }), Err(Errno::INVAL));
    Ok(())
}

#[test]
fn a_lost_context_takes_no_more_jobs() -> Answer<()> {
    let file = file();
    let (lost, other) = (context(&file)?, context(&file)?);
    let mut scene = Scene::new();
    // The first chunk is all that it needs; a job without a word does nothing wrong.
    scene.put(256, &[ChunkIb { pad: 0, flags: 0, address: 0x20_0000, bytes: 0, ip: 0, instance: 0, ring: 0 }]);
    let submit =
        |ctx| call(&file, 0x44, &mut Cs { ctx, list: 0, count: 1, flags: 0, chunks: scene.base() + Scene::CHUNKS });
    let state = |operation, ctx| {
        let mut state = Ctx { operation, flags: 0, ctx, priority: 0 };
        call(&file, 0x42, &mut state).map(|()| (state.operation, state.priority))
    };
    submit(lost)?;
    assert_eq!(state(4, lost), Ok((0, 0)));
    super::lock(&file.contexts).get(lost).expect("it is there").lose();
    assert_eq!((submit(lost), submit(other)), (Err(Errno::CANCELED), Ok(())));
    assert_eq!((state(4, lost), state(4, other)), (Ok((5, 0)), Ok((0, 0))));
    assert_eq!([state(3, lost), state(3, lost)], [Ok((0, 1)), Ok((0, 0))]);
    Ok(())
}

/// A program that unmaps memory which the card is shown loses the device with the next job, and not its life.
#[test]
#[allow(unsafe_code, reason = "maps and unmaps memory")]
fn memory_that_the_program_has_no_more_loses_the_device() -> Answer<()> {
    let file = file();
    let ctx = context(&file)?;
    let size = 2 * PAGE;
    let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
    // SAFETY: a new mapping at an address that the host chooses.
    let pages = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), size as usize, rights, flags) }?;
    let mut user = Userptr { address: pages as u64, size, flags: 0xe, handle: 0 };
    call(&file, 0x51, &mut user)?;
    call(&file, 0x48, &mut va(1, user.handle, 0xffff_8000_0000_0000, size))?;
    // A job of nothing; then whether the context is lost.
    let job = || -> Answer<u32> {
        let ib = ChunkIb { pad: 0, flags: 0, address: 0x20_0000, bytes: 0, ip: 0, instance: 0, ring: 0 };
        let chunk = Chunk { id: 1, dwords: 8, data: &raw const ib as u64 };
        let pointer = &raw const chunk as u64;
        call(&file, 0x44, &mut Cs { ctx, list: 0, count: 1, flags: 0, chunks: &raw const pointer as u64 })?;
        let mut wait = WaitCs { sequence: u64::MAX, timeout: u64::MAX, ip: 0, instance: 0, ring: 0, ctx };
        call(&file, 0x49, &mut wait)?;
        let mut state = Ctx { operation: 4, flags: 0, ctx, priority: 0 };
        call(&file, 0x42, &mut state)?;
        Ok(state.operation)
    };
    assert_eq!((job()?, file.space.gone()), (0, None));
    // The second page only.
    // SAFETY: nobody uses it but the card, which looks first.
    unsafe { rustix::mm::munmap(pages.byte_add(PAGE as usize), PAGE as usize) }?;
    assert_eq!(file.space.gone(), Some((pages as u64, size)));
    assert_eq!((job()?, job().err()), (5, Some(Errno::CANCELED)));
    // SAFETY: the same.
    unsafe { rustix::mm::munmap(pages, PAGE as usize) }
}

#[test]
fn any_of_no_jobs_is_a_mistake() {
    let mut wait = WaitFences { fences: 0, count: 0, all: 0, timeout: u64::MAX };
    assert_eq!(call(&file(), 0x52, &mut wait), Err(Errno::INVAL));
}

#[test]
fn sync_files_go_from_place_to_place() -> Answer<()> {
    let file = file();
    let (mut from, mut to) = (Handle { handle: 0, flags: 1 }, Handle { handle: 0, flags: 0 });
    call(&file, 0xbf, &mut from)?;
    call(&file, 0xbf, &mut to)?;
    let mut fd = SyncobjFd { handle: from.handle, flags: 1, fd: -1, pad: 0 };
    call(&file, 0xc1, &mut fd)?;
    fd.handle = to.handle;
    call(&file, 0xc2, &mut fd)?;
    assert!(file.syncobj(to.handle)?.find(0).is_some_and(|f| f.is_signalled()));
    assert_eq!(call(&file, 0xc2, &mut SyncobjFd { flags: 0, ..fd }), Err(Errno::INVAL));
    assert!(Process::current()?.fds.get(fd.fd).is_some());
    super::calls::closing(fd.fd);
    assert!(Process::current()?.fds.get(fd.fd).is_none());
    Ok(())
}

/// What arguments point to, as 32-bit words: all that these ioctls read besides their structures.
struct Scene(Vec<u64>);

impl Scene {
    const HANDLES: u64 = 0;
    const POINTS: u64 = 16;
    const CHUNKS: u64 = 64;
    const JOBS: u64 = 384;
    /// Room for what comes out.
    const OUT: u64 = 512;

    fn new() -> Scene {
        // Behind it is room for answers that are longer than they should be.
        let mut scene = Scene(vec![0; 1 << 14]);
        let base = scene.base();
        let chunk = |id, dwords, at| Chunk { id, dwords, data: base + at };
        scene.put(Self::HANDLES, &[1u32, 2, 3, 1]);
        scene.put(Self::POINTS, &[1u64, 5, 7, 0]);
        scene.put(Self::CHUNKS, &[128u64, 144, 160, 176, 192, 208].map(|at| base + at));
        let chunks = [(1, 8, 256), (2, 2, 288), (3, 6, 304), (8, 4, 336), (5, 2, 0), (9, 4, 352)];
        scene.put(128, &chunks.map(|(id, dwords, at)| chunk(id, dwords, at)));
        scene.put(256, &[ChunkIb { pad: 0, flags: 0, address: 0x20_0000, bytes: 64, ip: 0, instance: 0, ring: 0 }]);
        scene.put(288, &[ChunkFence { handle: 1, offset: 8 }]);
        scene.put(304, &[Dependency { ip: 0, instance: 0, ring: 0, ctx: 1, sequence: 0 }]);
        scene.put(336, &[ChunkSyncobj { handle: 1, flags: 0, point: 0 }]);
        scene.put(352, &[ChunkSyncobj { handle: 2, flags: 0, point: 9 }]);
        scene.put(Self::JOBS, &[FenceName { ctx: 1, ip: 0, instance: 0, ring: 0, sequence: 0 }; 2]);
        scene
    }

    fn base(&self) -> u64 {
        self.0.as_ptr() as u64
    }

    fn put<T: NoUninit>(&mut self, at: u64, values: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        bytemuck::cast_slice_mut::<u64, u8>(&mut self.0)[at as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    fn words(&mut self) -> &mut [u32] {
        bytemuck::cast_slice_mut(&mut self.0)
    }

    /// A pointer of which half was changed leads back into the scene: elsewhere it would change
    /// this test. Those of which the other half was lead nowhere.
    fn tame(&self, words: &mut [u32]) {
        let base = self.base();
        for pair in words.chunks_exact_mut(2).filter(|pair| u64::from(pair[1]) == base >> 32) {
            let pointer = u64::from(pair[1]) << 32 | u64::from(pair[0]);
            if !(base..base + 2048).contains(&pointer) {
                let pointer = base + (pointer & 0x7ff);
                (pair[0], pair[1]) = (pointer as u32, (pointer >> 32) as u32);
            }
        }
    }

    /// Ioctls that succeed, if what they name is there. Descriptors are one of a buffer, a syncobj,
    /// and a sync file.
    #[rustfmt::skip] // One ioctl, one line.
    fn calls(&self, fds: [i32; 3]) -> Vec<(u64, Vec<u32>)> {
        fn call<T: NoUninit>(number: u64, argument: T) -> (u64, Vec<u32>) {
            (number, bytemuck::bytes_of(&argument).chunks_exact(4).map(bytemuck::pod_read_unaligned).collect())
        }
        let (base, zero) = (self.base(), Handle { handle: 0, flags: 0 });
        let (handles, points, out) = (base + Self::HANDLES, base + Self::POINTS, base + Self::OUT);
        let [buffer, syncobj, sync_file] = fds;
        let info = |query, first| Info { answer: out, size: 440, query, arguments: [first, 1, 0, 0] };
        let at = 0x40_0000;
        let wanted = Wanted { size: 0x3000, alignment: 0, domains: 4, flags: 0 };
        let array = SyncobjArray { handles, count: 3, pad: 0 };
        let timeline = SyncobjTimelineArray { handles, points: out, count: 3, flags: 0 };
        let fence = FenceName { ctx: 1, ip: 0, instance: 0, ring: 0, sequence: 0 };
        vec![
            call(0x00, Version { name_len: 6, name: out, ..bytemuck::Zeroable::zeroed() }),
            call(0x09, Handle { handle: 2, flags: 0 }),
            call(0x0c, GetCap { capability: 0x14, value: 0 }),
            call(0x2d, Prime { handle: 1, flags: 0x8_0002, fd: 0 }),
            call(0x2e, Prime { handle: 0, flags: 0, fd: buffer }),
            call(0x40, wanted),
            call(0x41, GemMmap { handle: 1, pad: 0 }),
            call(0x42, Ctx { operation: 1, flags: 0, ctx: 0, priority: 0 }),
            call(0x42, Ctx { operation: 2, flags: 0, ctx: 2, priority: 0 }),
            call(0x42, Ctx { operation: 4, flags: 0, ctx: 1, priority: 0 }),
            call(0x43, BoList { operation: 0, list: 0, count: 1, entry_size: 8, entries: out }),
            call(0x44, Cs { ctx: 1, list: 0, count: 6, flags: 0, chunks: base + Self::CHUNKS }),
            call(0x44, Cs { ctx: 1, list: 0, count: 6, flags: 0, chunks: base + Self::CHUNKS }),
            call(0x45, info(0x16, 0)),
            call(0x45, info(0x02, 0)),
            call(0x45, info(0x15, 0x263e)),
            call(0x46, GemMetadata { handle: 1, operation: 2, metadata: bytemuck::Zeroable::zeroed() }),
            call(0x47, WaitIdle { handle: 1, flags: 0, timeout: 0 }),
            call(0x48, va(1, 1, at, 0x2000)),
            call(0x48, va(4, 2, at + 0x1000, 0x1000)),
            call(0x48, va(2, 1, at, 0)),
            call(0x48, va(3, 0, at, 0x1000)),
            call(0x48, GemVa { flags: 0x10, ..va(1, 0, at + 0x10_0000, 0x10_0000) }),
            call(0x49, WaitCs { sequence: 0, timeout: 0, ip: 0, instance: 0, ring: 0, ctx: 1 }),
            call(0x50, GemOp { handle: 1, operation: 0, value: out }),
            call(0x51, Userptr { address: 0, size: 0x1000, flags: 0xe, handle: 0 }),
            call(0x52, WaitFences { fences: base + Self::JOBS, count: 2, all: 1, timeout: 0 }),
            call(0x53, zero),
            call(0x54, FenceToHandle { fence, what: 0, pad: 0 }),
            call(0x55, zero),
            call(0xbf, Handle { handle: 0, flags: 1 }),
            call(0xc0, Handle { handle: 3, flags: 0 }),
            call(0xc1, SyncobjFd { handle: 1, flags: 1, fd: 0, pad: 0 }),
            call(0xc2, SyncobjFd { handle: 1, flags: 1, fd: sync_file, pad: 0 }),
            call(0xc2, SyncobjFd { handle: 0, flags: 0, fd: syncobj, pad: 0 }),
            call(0xc3, SyncobjWait { handles, timeout: 0, count: 3, flags: 1, ..bytemuck::Zeroable::zeroed() }),
            call(0xc4, array),
            call(0xc5, array),
            call(0xca, SyncobjTimelineWait { handles, points: out, timeout: 0, count: 3, flags: 7, ..bytemuck::Zeroable::zeroed() }),
            call(0xcb, timeline),
            call(0xcc, SyncobjTransfer { from: 1, to: 2, from_point: 0, to_point: 11, flags: 0, pad: 0 }),
            call(0xcd, SyncobjTimelineArray { points, ..timeline }),
        ]
    }
}

/// A word put in the place of a right one: often a number that means something.
fn word() -> impl Strategy<Value = u32> {
    let edges = [u32::MAX, 0x1000, 0xfff, 0x8000_0000, 0xffff_f000, 0xffff_8000, 0x1_0000, 16];
    prop_oneof![4 => 0..8u32, 1 => any::<u32>(), 3 => prop::sample::select(edges.to_vec())]
}

/// Words that are changed, by place.
fn changes(most: usize) -> impl Strategy<Value = Vec<(prop::sample::Index, u32)>> {
    prop::collection::vec((any::<prop::sample::Index>(), word()), 0..most)
}

/// One ioctl: which, with what changed in its structure and in what it points to, and with another
/// number or size.
type Step =
    (prop::sample::Index, Vec<(prop::sample::Index, u32)>, Vec<(prop::sample::Index, u32)>, Option<u8>, Option<u16>);

fn step() -> impl Strategy<Value = Step> {
    let rarely = prop::option::weighted(0.05, any::<u8>());
    (any::<prop::sample::Index>(), changes(3), changes(2), rarely, prop::option::weighted(0.05, 0..400u16))
}

/// Does ioctls that are nearly right, and tells which numbers had any success.
fn nearly_right(steps: &[Step]) -> Answer<Vec<u64>> {
    let file = file();
    let process = Process::current()?;
    for _ in 0..3 {
        create(&file, 3 * PAGE)?;
        call(&file, 0xbf, &mut Handle { handle: 0, flags: 1 })?;
        context(&file)?;
    }
    let mut prime = Prime { handle: 1, flags: 0, fd: 0 };
    call(&file, 0x2d, &mut prime)?;
    let mut fds = [0, 1].map(|flags| SyncobjFd { handle: 1, flags, fd: 0, pad: 0 });
    for fd in &mut fds {
        call(&file, 0xc1, fd)?;
    }
    let mut done = Vec::new();
    for (which, argument_changes, scene_changes, other, size) in steps {
        let mut scene = Scene::new();
        let calls = scene.calls([prime.fd, fds[0].fd, fds[1].fd]);
        let (number, argument) = which.get(&calls);
        let mut argument = argument.clone();
        for (at, word) in argument_changes {
            let at = at.index(argument.len());
            argument[at] = *word;
        }
        for (at, word) in scene_changes {
            // What comes out is not worth changing.
            scene.words()[at.index(Scene::OUT as usize / 4)] = *word;
        }
        scene.tame(&mut argument);
        let mut words = scene.words().to_vec();
        scene.tame(&mut words);
        scene.words().copy_from_slice(&words);
        let number = other.map_or(*number, u64::from);
        // A wait that nobody ends is what was asked for: times lie in the past here.
        match number {
            0xc3 if argument.len() > 3 => argument[2..4].fill(0),
            0xca if argument.len() > 5 => argument[4..6].fill(0),
            _ => {}
        }
        argument.resize(128, 0);
        let size = size.map_or(argument.len().min(288) as u64, u64::from);
        let request = 3 << 30 | size << 16 | u64::from(b'd') << 8 | number;
        if file.ioctl(request, argument.as_mut_ptr() as u64).is_ok() {
            done.push(number);
            let out = match number {
                0x2d | 0xc1 if size >= 12 => Some(argument[2]),
                0x54 if size >= 28 && argument[6] != 0 => Some(argument[0]),
                _ => None,
            };
            // Descriptors that came out go; where the structure was cut before them, none did.
            if let Some(fd) = out.map(|fd| fd as i32).filter(|fd| process.fds.get(*fd).is_some()) {
                super::calls::closing(fd);
                close(fd);
            }
        }
        let _ = file.object_at(u64::from(argument[0]) << 12);
    }
    for heap in [Heap::Vram, Heap::Gtt] {
        assert!(file.device.budget.used(heap) <= MEMORY);
    }
    let _ = file.space.memory();
    for fd in [prime.fd, fds[0].fd, fds[1].fd] {
        super::calls::closing(fd);
        close(fd);
    }
    Ok(done)
}

#[allow(unsafe_code, reason = "descriptors are numbers here")]
fn close(fd: i32) {
    // SAFETY: an ioctl gave it to us, and nobody else has it.
    drop(unsafe { <std::os::fd::OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(fd) });
}

proptest! {
    #[test]
    fn whatever_a_program_asks_has_an_answer(steps in prop::collection::vec(step(), 1..80)) {
        prop_assert!(nearly_right(&steps).is_ok());
    }
}

#[test]
fn ioctls_that_are_right_succeed() -> Answer<()> {
    let mut numbers = std::collections::BTreeSet::new();
    let count = Scene::new().calls([0; 3]).len();
    let index = |n: usize| {
        use proptest::strategy::ValueTree;
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        loop {
            let tree = any::<prop::sample::Index>().new_tree(&mut runner).expect("an index");
            if tree.current().index(count) == n {
                return tree.current();
            }
        }
    };
    for n in 0..count {
        numbers.extend(nearly_right(&[(index(n), vec![], vec![], None, None)])?);
    }
    let all: std::collections::BTreeSet<u64> = Scene::new().calls([0; 3]).iter().map(|c| c.0).collect();
    // Memory of the program at address 0 is none.
    assert_eq!(all.difference(&numbers).copied().collect::<Vec<_>>(), [0x51]);
    Ok(())
}
