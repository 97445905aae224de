//! What is kept of the waves and groups of a run: all of their state, or only what is looked at, copied out as each group ends.

use super::dispatch::Dispatch;
use super::registers::{Registers, STRIDE};
use super::run::Ran;
use super::{Columns, Memory, Observed, Stop, WaveState};
use crate::case::value::{File, Place};
use crate::case::waves::Waves;
use crate::isa::{Target, regs};
use crate::program::place::{file, slot};
use std::sync::{Mutex, PoisonError};

/// What a runner hands back of waves and of LDS.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// Nothing.
    Nothing,
    /// States, with so many registers, and all of LDS.
    States(Reported),
    /// What is looked at, of these waves.
    Columns(&'a Columns, &'a Waves),
}

/// What is kept of a run, as it comes.
pub struct Keeper<'a> {
    wanted: Wanted<'a>,
    target: Target,
    /// Waves of a whole group.
    waves: u32,
    /// Bytes of LDS of a group.
    lds: u32,
    states: Mutex<Vec<(u64, Vec<WaveState>, Memory)>>,
    observed: Mutex<Option<Observed>>,
}

impl<'a> Keeper<'a> {
    /// What is wanted of a dispatch, of which nothing has run yet.
    #[must_use]
    pub fn new(wanted: Wanted<'a>, dispatch: &Dispatch<'_>) -> Keeper<'a> {
        let observed = match wanted {
            Wanted::Columns(columns, waves) => Some(Observed::new(columns.clone(), waves.len(), waves.groups())),
            Wanted::Nothing | Wanted::States(_) => None,
        };
        Keeper {
            wanted,
            target: dispatch.program.target,
            waves: dispatch.waves,
            lds: dispatch.lds,
            states: Mutex::default(),
            observed: Mutex::new(observed),
        }
    }

    /// Keeps a group that has ended. Groups may come in any order, and from several threads.
    pub fn put<'w>(&self, number: u64, id: [u32; 3], group: impl Iterator<Item = &'w Registers>, lds: &[u32]) {
        // A wave that has not run and has not been ended beforehand was kept from starting.
        let began = group.filter(|w| w.steps > 0 || matches!(w.stop, Some(Stop::Trap(_) | Stop::Paused)));
        match self.wanted {
            Wanted::Nothing => {}
            Wanted::States(reported) => {
                let states = began.map(|w| state(w, id, self.target, self.waves, reported)).collect();
                let bytes = lds.iter().flat_map(|word| word.to_le_bytes()).take(self.lds as usize).collect();
                let lds = Memory { name: "lds".to_owned(), bytes };
                self.states.lock().unwrap_or_else(PoisonError::into_inner).push((number, states, lds));
            }
            Wanted::Columns(_, waves) => {
                let mut observed = self.observed.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(observed) = observed.as_mut() else { return };
                for wave in began {
                    let Some(place) = waves.find(id, wave.index) else { continue };
                    let register = |file, n, lane| register(wave, self.target, file, n, lane);
                    observed.put_wave(place.number as usize, register, |place| single(wave, place));
                }
                observed.put_lds(number, lds);
            }
        }
    }

    /// Hands over what was kept, in the order of the groups; nothing behind `last`, which trapped.
    pub fn end(self, last: Option<(u64, [u32; 3])>, ran: &mut Ran) {
        let mut states = self.states.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut observed = self.observed.into_inner().unwrap_or_else(PoisonError::into_inner);
        states.sort_by_key(|(n, ..)| *n);
        if let Some((last, id)) = last {
            states.retain(|(n, ..)| *n <= last);
            if let (Wanted::Columns(_, waves), Some(observed)) = (self.wanted, &mut observed) {
                let end = waves.find(id, 0).map_or(0, |first| first.number + waves.of_group(id));
                observed.cut(end as usize, last + 1);
            }
        }
        for (_, states, lds) in states {
            ran.waves.extend(states);
            if self.lds > 0 {
                ran.lds.push(lds);
            }
        }
        ran.observed = observed;
    }
}

/// How many registers of a wave are reported.
#[derive(Clone, Copy, Debug)]
pub struct Reported {
    /// Vector registers.
    pub vgprs: u32,
    /// Accumulation registers.
    pub agprs: u32,
}

/// A register of a wave by its file; of vector registers a lane.
fn register(wave: &Registers, target: Target, file: File, n: u32, lane: u32) -> u32 {
    match file {
        File::Vector => wave.vgpr(n as usize, lane as usize),
        File::Accumulation => wave.vgpr((file::AGPR + n) as usize, lane as usize),
        File::Scalar => wave.s[n as usize],
        File::Trap => wave.s[usize::from(regs::ttmp_base(target.generation())) + n as usize],
    }
}

/// A register of a wave that is no part of a file.
fn single(wave: &Registers, place: &Place) -> u64 {
    match place {
        Place::Vcc => wave.pair(slot::VCC),
        Place::Exec => wave.exec(),
        Place::Scc => wave.scc.into(),
        Place::M0 => wave.m0().into(),
        Place::Mode => wave.whole_mode().into(),
        Place::Trapsts => wave.trapsts.into(),
        Place::Regs { .. } | Place::Buffer(..) | Place::Lds(_) | Place::Export(_) | Place::Valid => 0,
    }
}

impl Reported {
    /// Bytes that the state of a wave takes.
    pub(crate) fn bytes(self, target: Target) -> u64 {
        let scalars = 4 * u64::from(regs::sgpr_count(target.generation()));
        let vectors = size_of::<[u32; 64]>() as u64 * u64::from(self.vgprs.min(256) + self.agprs.min(256));
        size_of::<WaveState>() as u64 + scalars + vectors
    }
}

/// The registers of a wave.
#[must_use]
pub fn state(wave: &Registers, id: [u32; 3], target: Target, waves: u32, reported: Reported) -> WaveState {
    let generation = target.generation();
    let lanes = |first: u32, count: u32| -> Vec<[u32; 64]> {
        let registers = wave.file[first as usize * STRIDE..].as_chunks::<STRIDE>().0;
        registers[..count as usize].iter().map(|register| std::array::from_fn(|lane| register[lane].get())).collect()
    };
    let ttmp = usize::from(regs::ttmp_base(generation));
    WaveState {
        group: id,
        index: wave.index,
        wave_size: wave.lanes,
        sgprs: wave.s[..usize::from(regs::sgpr_count(generation))].to_vec(),
        vgprs: lanes(0, reported.vgprs.min(256)),
        agprs: lanes(file::AGPR, reported.agprs.min(256)),
        vcc: wave.pair(slot::VCC),
        exec: wave.exec(),
        scc: wave.scc,
        m0: wave.m0(),
        mode: wave.whole_mode(),
        status: wave.status(waves),
        trapsts: wave.trapsts,
        ttmps: std::array::from_fn(
            |n| {
                if n < usize::from(regs::ttmp_count(generation)) { wave.s[ttmp + n] } else { 0 }
            },
        ),
        pc: u64::from(wave.pc) * 4,
    }
}
