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

/// A word of an argument: often a number that means something.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0..6u32, 1 => any::<u32>(), 1 => Just(u32::MAX), 1 => Just(0x1000), 1 => Just(0x8000_0000)]
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Words(u32, u32),
    /// Somewhere in a buffer of words as these.
    Pointer(usize),
    Nowhere(u64),
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (word(), word()).prop_map(|(low, high)| Value::Words(low, high)),
        3 => (0..64usize).prop_map(Value::Pointer),
        1 => prop_oneof![Just(0u64), Just(1), Just(u64::MAX), Just(u64::MAX - 4095), Just(1 << 47)].prop_map(Value::Nowhere),
    ]
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => prop::sample::select(vec![0u64, 9, 0xc, 0x2d, 0x2e, 0x54]),
        20 => 0x40..0x56u64,
        14 => 0xbf..0xd0u64,
        1 => 0..0x100u64,
    ]
}

proptest! {
    #[test]
    fn whatever_a_program_asks_has_an_answer(
        calls in prop::collection::vec((number(), 0..300u64, prop::collection::vec(value(), 40)), 1..60),
        fill in prop::collection::vec(value(), 128),
    ) {
        let file = file();
        let mut buffer = vec![0u64; 128];
        let base = buffer.as_mut_ptr() as u64;
        let number_of = |value: &Value| match *value {
            Value::Words(low, high) => u64::from(high) << 32 | u64::from(low),
            Value::Pointer(at) => base + at as u64 * 8,
            Value::Nowhere(address) => address,
        };
        for (number, size, values) in &calls {
            let mut argument: Vec<u64> = values.iter().map(number_of).collect();
            for (to, from) in buffer.iter_mut().zip(&fill) {
                *to = number_of(from);
            }
            match number {
                // A wait that nobody ends is what was asked for: times lie in the past here.
                0xc3 => argument[1] = 0,
                0xca => argument[2] = 0,
                0x47 | 0x49 => argument[1] = 0,
                0x52 => argument[2] = 0,
                // So do five seconds of patience for a syncobj that gets no fence.
                0xcc => argument[3] = 0,
                0x44 => buffer.iter_mut().for_each(|v| if *v as u32 == 8 { *v = 4 }),
                _ => {}
            }
            let request = 3 << 30 | size << 16 | u64::from(b'd') << 8 | number;
            let _ = file.ioctl(request, argument.as_mut_ptr() as u64);
            let _ = file.object_at(argument[0]);
        }
        for heap in [Heap::Vram, Heap::Gtt] {
            prop_assert!(file.device.budget.used(heap) <= MEMORY);
        }
        let _ = file.space.memory();
    }
}
