//! What groups share beside memory, as the emulator has it: [`across`](crate::engine::across) behind locks, and its instructions.

use super::group::{Group, refuse};
use super::kernel::STRIDE;
use super::plan::Step;
use super::wave::Wave;
use crate::engine::Stop;
use crate::engine::across::{Asks, Gift, Sync, Who, Words, put_back, share_of};
use crate::engine::dispatch::Dispatch;
use crate::isa::does::Does;
use crate::memory::guest::Memory;
use crate::memory::lds::Lds;
use crate::program::STOP;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is missing where groups do not run in turns.
pub const NO_TURNS: &str = "groups that run in turns, which they do not under the clock";

/// What all groups share.
pub struct Shared {
    /// The global data share, if there is one.
    gds: Option<Mutex<Lds>>,
    sync: Mutex<Sync>,
}

impl Shared {
    /// At the start of a dispatch.
    #[must_use]
    pub fn new(memory: &Memory) -> Shared {
        Shared { gds: share_of(memory).map(Mutex::new), sync: Mutex::default() }
    }

    /// Puts the global data share back into memory.
    pub fn close(&self, dispatch: &Dispatch<'_>) {
        if let Some(gds) = self.gds() {
            put_back(&gds, dispatch.memory);
        }
    }

    /// The global data share.
    pub fn gds(&self) -> Option<MutexGuard<'_, Lds>> {
        self.gds.as_ref().map(|gds| gds.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn sync(&self) -> MutexGuard<'_, Sync> {
        self.sync.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// See [`Sync::let_go`].
    pub fn let_go(&self, who: Who) -> Option<Option<Gift>> {
        self.sync().let_go(who)
    }

    /// See [`Sync::first_gone`].
    #[must_use]
    pub fn first_gone(&self, asked_for: impl Fn(u64) -> bool) -> Option<u64> {
        self.sync().first_gone(asked_for)
    }
}

impl Words for Wave {
    fn get(&self, at: u32, lane: u32) -> u32 {
        self.file[(at + lane) as usize].get()
    }

    fn set(&mut self, at: u32, behind: u32, lane: u32, v: u32) {
        self.file[at as usize + behind as usize * STRIDE + lane as usize].set(v);
    }
}

/// Does an instruction of the wave sync, of an ordered count or on a register.
pub(super) fn run(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let (Some(access), Some(Does::Across(does))) = (step.memory.as_deref(), step.row.map(|row| row.does)) else {
        return step.next;
    };
    let Some(shared) = group.shared else { return refuse(wave, NO_TURNS) };
    let target = group.program.target;
    let who = (group.number, wave.index);
    let asks = Asks { does, access, target: &target, who, exec: wave.exec(), m0: wave.m0() };
    let mut gds = shared.gds();
    match shared.sync().carry_out(&asks, gds.as_deref_mut(), wave) {
        Ok(true) => step.next,
        Ok(false) => {
            wave.stop = Some(Stop::Queued);
            STOP
        }
        Err(needs) => refuse(wave, needs),
    }
}
