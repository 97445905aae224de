//! Submissions: the CS ioctl. Everything that a job needs is copied and looked up before it
//! returns.

use super::abi::{Chunk, ChunkFence, ChunkIb, ChunkSyncobj, Cs, Dependency};
use super::fence::{Fences, Syncobj, monotonic};
use super::file::File;
use super::object::Object;
use super::ring::{Job, RingName};
use super::space::Held;
use super::{Answer, lock, user};
use crate::card::{Engine, Ib};
use bytemuck::{AnyBitPattern, NoUninit};
use rustix::io::Errno;
use std::sync::Arc;
use wavediff::memory::guest::canonical;

/// The most command buffers of a submission, which programs ask for.
pub(crate) const MOST_IBS: usize = 192;
/// The most chunks of a submission, and the most entries of a chunk.
const MOST: u32 = 1 << 16;
/// How long a submission waits for a syncobj to get a fence; tests do not have so much time.
pub(crate) const PATIENCE: i64 = if cfg!(test) { 1_000_000 } else { 5_000_000_000 };

/// The ring that an ioctl names.
pub(crate) fn ring(ip: u32, instance: u32, ring: u32, sdma: bool) -> Answer<RingName> {
    let (engine, rings) = match ip {
        0 => (Engine::Graphics, 1),
        1 => (Engine::Compute, COMPUTE_RINGS),
        2 if sdma => (Engine::Sdma, 1),
        _ => return Err(Errno::INVAL),
    };
    if instance != 0 || ring >= rings { Err(Errno::INVAL) } else { Ok((engine, ring)) }
}

/// How many compute rings there are.
pub(crate) const COMPUTE_RINGS: u32 = 4;

/// What chunks say, together.
#[derive(Default)]
struct Submission {
    ring: Option<RingName>,
    ibs: Vec<Ib>,
    user_fence: Option<(Arc<Object>, u64)>,
    waits: Fences,
    signals: Vec<(Arc<Syncobj>, u64)>,
}

fn entries<T: NoUninit + AnyBitPattern>(chunk: &Chunk) -> Answer<Vec<T>> {
    user::array(chunk.data, u64::from(chunk.dwords) * 4 / size_of::<T>() as u64)
}

impl Submission {
    fn read(&mut self, file: &File, chunk: &Chunk) -> Answer<()> {
        match chunk.id {
            1 => {
                let ibs: Vec<ChunkIb> = entries(chunk)?;
                self.ib(file, ibs.first().ok_or(Errno::INVAL)?)?;
            }
            2 => {
                let fences: Vec<ChunkFence> = entries(chunk)?;
                let fence = fences.first().ok_or(Errno::INVAL)?;
                let object = file.object(fence.handle).map_err(|_| Errno::INVAL)?;
                let offset = u64::from(fence.offset);
                if !offset.is_multiple_of(8) || !object.holds(offset, 8) || object.offset.is_none() {
                    return Err(Errno::INVAL);
                }
                self.user_fence = Some((object, offset));
            }
            3 | 7 => {
                for on in entries::<Dependency>(chunk)? {
                    let context = file.context(on.ctx)?;
                    let fences = context.fence(file.ring(on.ip, on.instance, on.ring)?, on.sequence)?;
                    self.wait(&fences);
                }
            }
            4 => {
                for handle in entries::<u32>(chunk)? {
                    self.wait(&file.syncobj(handle)?.find(0).ok_or(Errno::INVAL)?);
                }
            }
            8 => {
                for wait in entries::<ChunkSyncobj>(chunk)? {
                    let object = file.syncobj(wait.handle)?;
                    let fences = if wait.flags & 2 != 0 {
                        object.find_submitted(wait.point, monotonic().saturating_add(PATIENCE))?
                    } else {
                        object.find(wait.point).ok_or(Errno::INVAL)?
                    };
                    self.wait(&fences);
                }
            }
            5 => {
                for handle in entries::<u32>(chunk)? {
                    self.signals.push((file.syncobj(handle)?, 0));
                }
            }
            9 => {
                for signal in entries::<ChunkSyncobj>(chunk)? {
                    self.signals.push((file.syncobj(signal.handle)?, signal.point));
                }
            }
            // Every object that is mapped is there: lists of them say nothing. Nor are there
            // shadows of registers.
            6 | 0xa => {}
            _ => return Err(Errno::INVAL),
        }
        Ok(())
    }

    fn ib(&mut self, file: &File, ib: &ChunkIb) -> Answer<()> {
        let ring = file.ring(ib.ip, ib.instance, ib.ring)?;
        // All of one submission go to one ring.
        if *self.ring.get_or_insert(ring) != ring || self.ibs.len() == MOST_IBS || canonical(ib.address).is_none() {
            return Err(Errno::INVAL);
        }
        // Those of the constant engine (flag 1) hold nothing that compute needs.
        if ib.flags & 1 == 0 {
            self.ibs.push(Ib { address: ib.address, dwords: ib.bytes / 4 });
        }
        Ok(())
    }

    fn wait(&mut self, fences: &Fences) {
        self.waits = std::mem::take(&mut self.waits).and(fences);
    }
}

/// Submits, and answers with the sequence number.
pub(crate) fn submit(file: &File, cs: &Cs) -> Answer<u64> {
    if cs.count == 0 {
        return Err(Errno::INVAL);
    }
    if cs.count > MOST {
        return Err(Errno::NOMEM);
    }
    let context = file.context(cs.ctx)?;
    let mut submission = Submission::default();
    for pointer in user::array::<u64>(cs.chunks, u64::from(cs.count))? {
        let chunk: Chunk = user::get(pointer, size_of::<Chunk>())?;
        if chunk.dwords > MOST {
            return Err(Errno::NOMEM);
        }
        submission.read(file, &chunk)?;
    }
    if context.is_lost() {
        return Err(Errno::CANCELED);
    }
    let Submission { ring, ibs, user_fence, waits, signals } = submission;
    let ring = ring.ok_or(Errno::INVAL)?;
    let job = Job { ibs, space: Held::new(&file.space), context, waits, user_fence };
    let (sequence, fence) = file.device.rings.submit(ring, job)?;
    for (object, point) in signals {
        object.add(point, fence.clone().into());
    }
    Ok(sequence)
}

impl File {
    /// The ring that an ioctl names, if this device has it.
    pub fn ring(&self, ip: u32, instance: u32, index: u32) -> Answer<RingName> {
        ring(ip, instance, index, self.device.sdma)
    }

    /// The fence of a job that an ioctl names.
    pub fn job(&self, name: &super::abi::FenceName) -> Answer<Fences> {
        self.context(name.ctx)?.fence(self.ring(name.ip, name.instance, name.ring)?, name.sequence)
    }

    fn context(&self, number: u32) -> Answer<Arc<super::ring::Context>> {
        lock(&self.contexts).get(number).cloned().ok_or(Errno::INVAL)
    }
}
