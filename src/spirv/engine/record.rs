//! Waves as records, and back.

use super::{Member, Run};
use crate::engine::Stop;
use crate::program::place::{file, slot};
use crate::spirv::state::{self, Layout, head, status};

impl Run<'_> {
    /// A wave as a record.
    pub(super) fn encode(&self, member: &Member, to: &mut [u32]) {
        let wave = &member.wave;
        let mut set = |at: u32, v: u32| to[at as usize] = v;
        set(head::STATUS, if wave.stop == Some(Stop::End) { status::ENDED } else { status::RUNS });
        set(head::PC, wave.pc);
        set(head::SCC, wave.scc.into());
        set(head::MODE, wave.mode);
        set(head::TRAPSTS, wave.trapsts);
        set(head::FORKS, wave.fork_depth);
        set(head::SCRATCH, wave.scratch as u32);
        set(head::SCRATCH + 1, (wave.scratch >> 32) as u32);
        set(head::INDEX, wave.index);
        let pause = self.job.dispatch.limits.pause.unwrap_or(0);
        set(head::PAUSE, u32::try_from(pause).unwrap_or(u32::MAX));
        for (n, v) in (0..).zip(wave.hwregs) {
            set(head::HWREGS + n, v);
        }
        for n in 0..slot::SINK as u32 {
            set(state::SGPRS + n, wave.s[n as usize]);
        }
        for (n, at) in each_register(self.layout) {
            for lane in 0..64 {
                to[at as usize + lane] = wave.vgpr(n as usize, lane);
            }
        }
    }

    /// A record as a wave.
    pub(super) fn decode(&self, member: &mut Member, from: &[u32]) {
        let get = |at: u32| from[at as usize];
        let pair = |at: u32| u64::from(get(at)) | u64::from(get(at + 1)) << 32;
        for (n, at) in each_register(self.layout) {
            for lane in 0..64 {
                member.wave.set_vgpr(n as usize, lane, get(at + lane as u32));
            }
        }
        let wave = &mut member.wave;
        for n in 0..slot::SINK as u32 {
            wave.s[n as usize] = get(state::SGPRS + n);
        }
        wave.pc = get(head::PC);
        wave.scc = get(head::SCC) != 0;
        wave.mode = get(head::MODE);
        wave.trapsts = get(head::TRAPSTS);
        wave.fork_depth = get(head::FORKS);
        wave.scratch = pair(head::SCRATCH);
        wave.steps = pair(head::STEPS);
        for (n, v) in (0..).zip(&mut wave.hwregs) {
            *v = get(head::HWREGS + n);
        }
        wave.stop = match get(head::STATUS) {
            status::ENDED => Some(Stop::End),
            status::BARRIER => Some(Stop::Barrier),
            status::QUEUED => Some(Stop::Queued),
            status::TRAPPED => Some(Stop::Trap(Box::new(self.cause(from)))),
            _ if self.paused(from) => Some(Stop::Paused),
            _ => None,
        };
    }

    /// Records with room for the registers of the translation, of those that had less.
    pub(super) fn widen(&self, records: &[u32], from: Layout, members: &[Member]) -> Vec<u32> {
        let mut wide = vec![0; self.layout.words() as usize * members.len()];
        let old = records.chunks(from.words() as usize);
        for ((to, old), member) in wide.chunks_mut(self.layout.words() as usize).zip(old).zip(members) {
            self.encode(member, to);
            to[..state::VGPRS as usize].copy_from_slice(&old[..state::VGPRS as usize]);
            for (n, at) in each_register(from) {
                let (to, old) = (&mut to[self.layout.register(n) as usize..], &old[at as usize..]);
                to[..state::STRIDE as usize].copy_from_slice(&old[..state::STRIDE as usize]);
            }
        }
        wide
    }
}

/// The registers of a record, by their numbers in the file, and where they begin.
fn each_register(layout: Layout) -> impl Iterator<Item = (u32, u32)> {
    let first = file::AGPR;
    (0..layout.vgprs).chain(first..first + layout.agprs).map(move |n| (n, layout.register(n)))
}
