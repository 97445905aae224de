//! An open device file and its ioctls.
//!
//! Handles, syncobjs, contexts and addresses belong to the open file: all descriptors that were
//! duplicated from one share them.
//!
//! An ioctl is known by its number; the size says how much of the structure the program knows. What
//! it does not know is zero.

use super::abi::*;
use super::device::Device;
use super::fds::Entry;
use super::fence::{Fences, Syncobj, Wait};
use super::object::{Object, Wanted};
use super::ring::Context;
use super::space::{AddressSpace, Target};
use super::table::Table;
use super::{Answer, Process, lock, user};
use bytemuck::{AnyBitPattern, NoUninit};
use rustix::event::EventfdFlags;
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex};

/// What the driver says its version is: queries and flags of later ones are not asked for.
const VERSION: (i32, i32, i32) = (3, 54, 0);
/// The most syncobjs of one ioctl.
const MOST_SYNCOBJS: u32 = 1 << 16;
/// Flags of GEM_VA that a mapping of an object may have: all but reservation.
const MAP_FLAGS: u32 = 0x3ef;
/// Those of a reservation: it, and to be late.
const RESERVE_FLAGS: u32 = 0x11;
const RESERVED: u32 = 0x10;

/// The objects that have a handle.
#[derive(Default)]
struct Handles {
    objects: Table<Arc<Object>>,
    /// Where they lie in the render node.
    offsets: BTreeMap<u64, u32>,
}

pub(crate) struct File {
    pub device: Arc<Device>,
    pub space: Arc<AddressSpace>,
    handles: Mutex<Handles>,
    syncobjs: Mutex<Table<Arc<Syncobj>>>,
    pub contexts: Mutex<Table<Arc<Context>>>,
    lists: Mutex<Table<()>>,
}

impl File {
    pub fn new(device: &Arc<Device>) -> File {
        File {
            device: device.clone(),
            space: Arc::default(),
            handles: Mutex::default(),
            syncobjs: Mutex::default(),
            contexts: Mutex::default(),
            lists: Mutex::default(),
        }
    }

    pub fn object(&self, handle: u32) -> Answer<Arc<Object>> {
        lock(&self.handles).objects.get(handle).cloned().ok_or(Errno::NOENT)
    }

    pub fn syncobj(&self, handle: u32) -> Answer<Arc<Syncobj>> {
        lock(&self.syncobjs).get(handle).cloned().ok_or(Errno::NOENT)
    }

    /// A handle for an object: the one it has, or a new one.
    fn handle(&self, object: Arc<Object>) -> Answer<u32> {
        let mut handles = lock(&self.handles);
        let known = object.offset.and_then(|offset| handles.offsets.get(&offset));
        if let Some(handle) = known {
            return Ok(*handle);
        }
        let offset = object.offset;
        let handle = handles.objects.insert(object)?;
        if let Some(offset) = offset {
            handles.offsets.insert(offset, handle);
        }
        Ok(handle)
    }

    fn close(&self, handle: u32) -> Answer<()> {
        let mut handles = lock(&self.handles);
        let object = handles.objects.remove(handle).ok_or(Errno::INVAL)?;
        if let Some(offset) = object.offset {
            handles.offsets.remove(&offset);
        }
        drop(handles);
        self.space.forget(&object);
        Ok(())
    }

    /// The object that lies at an offset of the render node, and how far into it that is.
    pub fn object_at(&self, offset: u64) -> Option<(Arc<Object>, u64)> {
        let handles = lock(&self.handles);
        let (first, handle) = handles.offsets.range(..=offset).next_back()?;
        let object = handles.objects.get(*handle)?;
        (offset - first < object.size).then(|| (object.clone(), offset - first))
    }

    /// All jobs that may not be over.
    fn pending(&self) -> Fences {
        let contexts = lock(&self.contexts).all();
        contexts.iter().fold(Fences::default(), |all, context| all.and(&context.pending()))
    }

    /// Does an ioctl.
    pub fn ioctl(&self, request: u64, argument: u64) -> Answer<i32> {
        let (number, size) = (request as u8, (request >> 16 & 0x3fff) as usize);
        let arg = Argument { address: argument, size };
        match number {
            0x00 => arg.update(version),
            0x09 => self.close(arg.get::<Handle>()?.handle),
            0x0c => arg.update(|cap: &mut GetCap| {
                cap.value = match cap.capability {
                    // Buffers go out and come in; times are monotonic; syncobjs; timelines.
                    0x5 => 3,
                    0x6 | 0x13 | 0x14 => 1,
                    _ => return Err(Errno::INVAL),
                };
                Ok(())
            }),
            0x2d => arg.update(|prime| self.prime_out(prime)),
            0x2e => arg.update(|prime| self.prime_in(prime)),
            0x40 => self.gem_create(arg),
            0x41 => {
                let object = self.object(arg.get::<GemMmap>()?.handle)?;
                arg.put(&Offset { offset: object.offset.ok_or(Errno::PERM)? })
            }
            0x42 => self.ctx(arg),
            0x43 => self.bo_list(arg),
            0x44 => arg.put(&Offset { offset: super::submit::submit(self, &arg.get::<Cs>()?)? }),
            0x45 => super::info::info(&self.device, &arg.get()?),
            0x46 => arg.update(|metadata| self.metadata(metadata)),
            0x47 => {
                let wait: WaitIdle = arg.get()?;
                let object = self.object(wait.handle)?;
                let busy = is_busy(self.pending().wait(deadline(wait.timeout)))?;
                arg.put(&Two { first: busy, second: object.wanted.domains as u32 })
            }
            0x48 => self.gem_va(&arg.get()?),
            0x49 => {
                let wait: WaitCs = arg.get()?;
                let WaitCs { sequence, ip, instance, ring, ctx, .. } = wait;
                let job = self.job(&FenceName { ctx, ip, instance, ring, sequence })?;
                arg.put(&Two { first: is_busy(job.wait(deadline(wait.timeout)))?, second: 0 })
            }
            0x50 => {
                let op: GemOp = arg.get()?;
                let object = self.object(op.handle)?;
                match op.operation {
                    0 => user::put(op.value, size_of::<Wanted>(), &object.wanted),
                    1 => Ok(()),
                    _ => Err(Errno::INVAL),
                }
            }
            0x51 => arg.update(|wanted| self.userptr(wanted)),
            0x52 => self.wait_fences(arg),
            // Reserving a VMID; priorities of others.
            0x53 => arg.put(&Offset { offset: 0 }),
            0x55 => Ok(()),
            0x54 => self.fence_to_handle(arg),
            0xbf..=0xcd => self.syncobj_ioctl(number, arg),
            _ => {
                super::note(&format!("ioctl {request:#x} is not known"));
                Err(Errno::INVAL)
            }
        }
        .map(|()| 0)
    }

    fn gem_create(&self, arg: Argument) -> Answer<()> {
        let wanted: Wanted = arg.get()?;
        // Domains: CPU, GTT, VRAM, GDS, GWS, OA; those of the last three are never used, and memory
        // like others. There are no doorbells.
        if wanted.domains & !0x3f != 0 || wanted.flags & !0x1_ffff != 0 {
            return Err(Errno::INVAL);
        }
        let handle = self.handle(Arc::new(Object::new(&self.device.budget, wanted)?))?;
        arg.put(&Two { first: handle, second: 0 })
    }

    fn userptr(&self, wanted: &mut Userptr) -> Answer<()> {
        // Flags: only read, only anonymous memory, validate, register.
        let Userptr { address, size, flags, .. } = *wanted;
        if flags & !0xf != 0 {
            return Err(Errno::INVAL);
        }
        if flags & 0x9 == 0 {
            return Err(Errno::ACCESS);
        }
        wanted.handle = self.handle(Arc::new(Object::of_user(address, size, flags & 1 == 0)?))?;
        Ok(())
    }

    fn metadata(&self, args: &mut GemMetadata) -> Answer<()> {
        let object = self.object(args.handle)?;
        match args.operation {
            1 if args.metadata.bytes > 256 => Err(Errno::INVAL),
            1 => {
                object.set_metadata(args.metadata);
                Ok(())
            }
            2 => {
                args.metadata = *lock(&object.metadata);
                Ok(())
            }
            _ => Err(Errno::INVAL),
        }
    }

    fn gem_va(&self, va: &GemVa) -> Answer<()> {
        let reserved = va.flags & RESERVED != 0;
        if va.flags & !MAP_FLAGS != 0 && va.flags & !RESERVE_FLAGS != 0 {
            return Err(Errno::INVAL);
        }
        let object = if va.operation != 3 && !reserved { Some(self.object(va.handle)?) } else { None };
        let target =
            || Target { object: object.clone().map(|o| (o, va.offset)), writable: va.flags & 4 != 0 && !reserved };
        match va.operation {
            1 => self.space.map(va.address, va.size, target()),
            2 => self.space.unmap(va.address, object.as_ref()),
            3 => self.space.clear(va.address, va.size),
            4 => self.space.replace(va.address, va.size, target()),
            _ => Err(Errno::INVAL),
        }
    }

    fn ctx(&self, arg: Argument) -> Answer<()> {
        let Ctx { operation, ctx, .. } = arg.get()?;
        let context = || lock(&self.contexts).get(ctx).cloned().ok_or(Errno::INVAL);
        match operation {
            1 => {
                let number = lock(&self.contexts).insert(Arc::default())?;
                arg.put(&Two { first: number, second: 0 })
            }
            2 => {
                lock(&self.contexts).remove(ctx).ok_or(Errno::INVAL)?;
                arg.put(&Two { first: 0, second: 0 })
            }
            // A reset is told once, with who is guilty.
            3 => arg.put(&CtxState { flags: 0, hangs: 0, reset: u32::from(context()?.lost_news()) }),
            // There was a reset, and this context is guilty.
            4 => arg.put(&CtxState { flags: if context()?.is_lost() { 5 } else { 0 }, hangs: 0, reset: 0 }),
            5 | 6 => {
                context()?;
                arg.put(&Two { first: 0, second: 0 })
            }
            _ => Err(Errno::INVAL),
        }
    }

    fn bo_list(&self, arg: Argument) -> Answer<()> {
        let list: BoList = arg.get()?;
        let number = match list.operation {
            0 => lock(&self.lists).insert(())?,
            1 => {
                lock(&self.lists).remove(list.list).ok_or(Errno::INVAL)?;
                0
            }
            2 => {
                lock(&self.lists).get(list.list).ok_or(Errno::NOENT)?;
                list.list
            }
            _ => return Err(Errno::INVAL),
        };
        arg.put(&Two { first: number, second: 0 })
    }

    fn prime_out(&self, prime: &mut Prime) -> Answer<()> {
        if prime.flags & !(libc::O_CLOEXEC | libc::O_RDWR) as u32 != 0 {
            return Err(Errno::INVAL);
        }
        let object = self.object(prime.handle)?;
        object.offset.ok_or(Errno::PERM)?;
        let fd = super::fds::placeholder(c"dmabuf", prime.flags as i32)?;
        // Programs ask for the size of a buffer by seeking to its end.
        rustix::fs::ftruncate(&fd, object.size)?;
        prime.fd = Process::current()?.fds.add(fd, Entry::Buffer(object))?;
        Ok(())
    }

    fn prime_in(&self, prime: &mut Prime) -> Answer<()> {
        match Process::current()?.fds.get(prime.fd) {
            Some(Entry::Buffer(object)) => prime.handle = self.handle(object)?,
            Some(_) => return Err(Errno::INVAL),
            None => return Err(super::fds::foreign(prime.fd)),
        }
        Ok(())
    }

    fn wait_fences(&self, arg: Argument) -> Answer<()> {
        let wait: WaitFences = arg.get()?;
        // Any of none would never come.
        if wait.count == 0 {
            return Err(Errno::INVAL);
        }
        if wait.count > MOST_SYNCOBJS {
            return Err(Errno::NOMEM);
        }
        let jobs: Vec<FenceName> = user::array(wait.fences, u64::from(wait.count))?;
        let jobs = jobs.iter().map(|job| self.job(job)).collect::<Answer<Vec<_>>>()?;
        let first = super::fence::wait_until(deadline(wait.timeout), || {
            let first = jobs.iter().position(Fences::is_signalled);
            let all = jobs.iter().all(Fences::is_signalled);
            Ok(if wait.all != 0 { all.then_some(0) } else { first })
        });
        match first {
            Ok(first) => arg.put(&Two { first: 1, second: first as u32 }),
            Err(Errno::TIME) => arg.put(&Two { first: 0, second: u32::MAX }),
            Err(error) => Err(error),
        }
    }

    fn fence_to_handle(&self, arg: Argument) -> Answer<()> {
        let wanted: FenceToHandle = arg.get()?;
        let fences = self.job(&wanted.fence)?;
        let object = || {
            let object = Syncobj::new(false);
            object.replace(Some(fences.clone()));
            Arc::new(object)
        };
        let out = match wanted.what {
            0 => lock(&self.syncobjs).insert(object())?,
            1 => token(Entry::Syncobj(object()))? as u32,
            2 => sync_file(&fences)? as u32,
            _ => return Err(Errno::INVAL),
        };
        arg.put(&Two { first: out, second: 0 })
    }

    fn syncobj_ioctl(&self, number: u8, arg: Argument) -> Answer<()> {
        match number {
            0xbf => arg.update(|new: &mut Handle| {
                if new.flags & !1 != 0 {
                    return Err(Errno::INVAL);
                }
                new.handle = lock(&self.syncobjs).insert(Arc::new(Syncobj::new(new.flags & 1 != 0)))?;
                Ok(())
            }),
            0xc0 => {
                let Handle { handle, flags: pad } = arg.get()?;
                if pad != 0 {
                    return Err(Errno::INVAL);
                }
                lock(&self.syncobjs).remove(handle).map(drop).ok_or(Errno::INVAL)
            }
            0xc1 => arg.update(|to: &mut SyncobjFd| {
                let object = self.syncobj(to.handle).map_err(|_| Errno::INVAL)?;
                to.fd = match (to.flags, to.pad) {
                    (0, 0) => token(Entry::Syncobj(object))?,
                    (1, 0) => sync_file(&object.find(0).ok_or(Errno::INVAL)?)?,
                    _ => return Err(Errno::INVAL),
                };
                Ok(())
            }),
            0xc2 => arg.update(|from: &mut SyncobjFd| {
                let entry = Process::current()?.fds.get(from.fd);
                match (from.flags, from.pad, entry) {
                    (0, 0, Some(Entry::Syncobj(object))) => from.handle = lock(&self.syncobjs).insert(object)?,
                    (1, 0, Some(Entry::SyncFile(fences))) => {
                        self.syncobj(from.handle)?.replace(Some(fences));
                    }
                    _ => return Err(Errno::INVAL),
                }
                Ok(())
            }),
            0xc3 => arg.update(|wait: &mut SyncobjWait| {
                let objects = self.syncobjs(wait.handles, None, wait.count)?;
                wait.first = waiting(wait.flags, 0xb)?.wait(&objects, wait.timeout)?;
                Ok(())
            }),
            0xca => arg.update(|wait: &mut SyncobjTimelineWait| {
                let objects = self.syncobjs(wait.handles, Some(wait.points), wait.count)?;
                wait.first = waiting(wait.flags, 0xf)?.wait(&objects, wait.timeout)?;
                Ok(())
            }),
            0xc4 | 0xc5 => {
                let array: SyncobjArray = arg.get()?;
                let objects = self.some_syncobjs(array.handles, None, array.count, array.pad)?;
                let content = || (number == 0xc5).then(Fences::default);
                objects.iter().for_each(|(object, _)| object.replace(content()));
                Ok(())
            }
            0xcd => {
                let array: SyncobjTimelineArray = arg.get()?;
                let objects = self.some_syncobjs(array.handles, Some(array.points), array.count, array.flags)?;
                objects.iter().for_each(|(object, point)| object.add_point(*point, &Fences::default()));
                Ok(())
            }
            0xcb => {
                let array: SyncobjTimelineArray = arg.get()?;
                let objects = self.some_syncobjs(array.handles, None, array.count, array.flags & !1)?;
                let points: Vec<u64> = objects.iter().map(|(object, _)| object.query(array.flags & 1 != 0)).collect();
                user::write(array.points, bytemuck::cast_slice(&points))
            }
            0xcc => {
                let transfer: SyncobjTransfer = arg.get()?;
                if transfer.pad != 0 || transfer.flags & !2 != 0 {
                    return Err(Errno::INVAL);
                }
                let (from, to) = (self.syncobj(transfer.from)?, self.syncobj(transfer.to)?);
                let fences = if transfer.flags & 2 != 0 {
                    let patience = super::fence::monotonic().saturating_add(super::submit::PATIENCE);
                    from.find_submitted(transfer.from_point, patience)?
                } else {
                    from.find(transfer.from_point).ok_or(Errno::INVAL)?
                };
                to.add(transfer.to_point, fences);
                Ok(())
            }
            _ => Err(Errno::INVAL),
        }
    }

    /// The syncobjs of an array, with points if there are any.
    fn syncobjs(&self, handles: u64, points: Option<u64>, count: u32) -> Answer<Vec<(Arc<Syncobj>, u64)>> {
        if count > MOST_SYNCOBJS {
            return Err(Errno::NOMEM);
        }
        let handles: Vec<u32> = user::array(handles, u64::from(count))?;
        let points: Vec<u64> = match points {
            Some(points) => user::array(points, u64::from(count))?,
            None => vec![0; handles.len()],
        };
        let objects = handles.iter().zip(points).map(|(handle, point)| Ok((self.syncobj(*handle)?, point)));
        objects.collect()
    }

    /// The same, where none is a mistake, and so is what has to be zero.
    fn some_syncobjs(
        &self,
        handles: u64,
        points: Option<u64>,
        count: u32,
        zero: u32,
    ) -> Answer<Vec<(Arc<Syncobj>, u64)>> {
        if count == 0 || zero != 0 {
            return Err(Errno::INVAL);
        }
        self.syncobjs(handles, points, count)
    }
}

/// The argument of an ioctl.
#[derive(Clone, Copy)]
struct Argument {
    address: u64,
    size: usize,
}

impl Argument {
    fn get<T: NoUninit + AnyBitPattern>(self) -> Answer<T> {
        user::get(self.address, self.size)
    }

    fn put<T: NoUninit>(self, value: &T) -> Answer<()> {
        user::put(self.address, self.size, value)
    }

    fn update<T: NoUninit + AnyBitPattern>(self, change: impl FnOnce(&mut T) -> Answer<()>) -> Answer<()> {
        let mut value = self.get()?;
        change(&mut value)?;
        self.put(&value)
    }
}

fn version(version: &mut Version) -> Answer<()> {
    (version.major, version.minor, version.patch) = VERSION;
    let text = |address: u64, len: &mut u64, text: &str| {
        let fits = usize::try_from(*len).unwrap_or(usize::MAX).min(text.len());
        *len = text.len() as u64;
        if address == 0 { Ok(()) } else { user::write(address, &text.as_bytes()[..fits]) }
    };
    text(version.name, &mut version.name_len, "amdgpu")?;
    text(version.date, &mut version.date_len, "20150101")?;
    text(version.text, &mut version.text_len, "wavediff virtual GPU")
}

/// Times are signed there, and all ones are for ever.
fn deadline(timeout: u64) -> i64 {
    i64::try_from(timeout).unwrap_or(i64::MAX)
}

/// 1 for a wait that took too long.
fn is_busy(waited: Answer<()>) -> Answer<u32> {
    match waited {
        Ok(()) => Ok(0),
        Err(Errno::TIME) => Ok(1),
        Err(error) => Err(error),
    }
}

fn waiting(flags: u32, known: u32) -> Answer<Wait> {
    if flags & !known != 0 {
        return Err(Errno::INVAL);
    }
    Ok(Wait { all: flags & 1 != 0, submit: flags & 2 != 0, available: flags & 4 != 0 })
}

/// A descriptor that stands for something.
fn token(entry: Entry) -> Answer<i32> {
    Process::current()?.fds.add(super::fds::placeholder(c"syncobj", libc::O_CLOEXEC)?, entry)
}

/// A descriptor that becomes readable with fences.
fn sync_file(fences: &Fences) -> Answer<i32> {
    let fd = rustix::event::eventfd(0, EventfdFlags::CLOEXEC)?;
    fences.watch(fd.as_fd().try_clone_to_owned().map_err(|_| Errno::MFILE)?);
    Process::current()?.fds.add(fd, Entry::SyncFile(fences.clone()))
}

/// Ioctls of sync files: merging, and what they are.
pub(crate) fn sync_file_ioctl(fences: &Fences, request: u64, argument: u64) -> Answer<i32> {
    let arg = Argument { address: argument, size: (request >> 16 & 0x3fff) as usize };
    match request as u8 {
        3 => arg.update(|merge: &mut SyncMerge| {
            let Some(Entry::SyncFile(other)) = Process::current()?.fds.get(merge.other) else {
                return Err(Errno::NOENT);
            };
            if merge.flags != 0 || merge.pad != 0 {
                return Err(Errno::INVAL);
            }
            merge.fd = sync_file(&fences.clone().and(&other))?;
            Ok(())
        }),
        4 => arg.update(|info: &mut SyncFileInfo| {
            (info.status, info.count) = (i32::from(fences.is_signalled()), 0);
            Ok(())
        }),
        _ => Err(Errno::NOTTY),
    }
    .map(|()| 0)
}
