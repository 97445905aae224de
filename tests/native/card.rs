//! A card that the emulator is: the injected words run on it as they would on a device, from the registers that a driver and
//! the machine set.

use std::sync::atomic::Ordering;
use wavediff::emu::engine::Emulator;
use wavediff::engine::dispatch::{Dispatch, Limits};
use wavediff::engine::keep::Wanted;
use wavediff::engine::order::Order;
use wavediff::engine::registers::Registers;
use wavediff::engine::{EngineError, Job, Runner};
use wavediff::isa::{Arch, Gen, Target};
use wavediff::memory::guest::Memory;
use wavediff::native::card::{Card, Load, Times};
use wavediff::native::frame::Users;
use wavediff::object::start;
use wavediff::program::Program;

/// The emulator as a card, and the order in which it runs waves.
pub struct Emulated(pub &'static Arch, pub Order);

/// Where the driver puts what it is given: the address of the blocks, the number of the group behind all user registers.
const USERS: Users = Users { blocks: 2, group: 4 };

impl Emulated {
    /// Where state lies: low in the range of the driver.
    fn base(&self) -> u64 {
        if self.0.generation >= Gen::Gfx9 { 0xffff_8002_0000_0000 } else { 0x1_2000_0000 }
    }

    fn failed(&self, reason: &dyn std::fmt::Display) -> EngineError {
        EngineError::Crash { device: "the emulated card".to_owned(), doing: "running", reason: reason.to_string() }
    }
}

impl Card for Emulated {
    fn arch(&self) -> &'static Arch {
        self.0
    }

    fn users(&self, _: u32, _: u32) -> Result<Users, EngineError> {
        Ok(USERS)
    }

    fn place(&self, _: usize) -> Result<u64, EngineError> {
        Ok(self.base())
    }

    fn run(&self, load: Load<'_>) -> Result<Times, EngineError> {
        let (injection, generation) = (load.injection, self.0.generation);
        let lanes = injection.layout.lanes;
        let target = Target::new(self.0).wave(lanes).ok_or_else(|| self.failed(&"no such waves"))?;
        let program = Program::new(target, &injection.words, 0x20_0000);
        let mut memory = Memory::new();
        for region in load.memory.regions() {
            let mapped = memory.map_bytes(region.name(), region.base(), &region.to_bytes(), region.writable());
            mapped.map_err(|e| self.failed(&e))?;
        }
        let bytes: Vec<u8> = load.state.iter().flat_map(|w| w.to_le_bytes()).collect();
        memory.map_bytes("state", self.base(), &bytes, true).map_err(|e| self.failed(&e))?;
        let rsrc = [injection.rsrc1(0x602c_0000), injection.rsrc2(USERS.group << 1), 0];
        let descriptor = start::words(rsrc, self.0);
        let lds = start::lds_bytes(&descriptor);
        let setup = |group: [u32; 3], index: u32, wave: &mut Registers| {
            // What nobody sets holds what the last wave left.
            (0..126).for_each(|n| wave.s[n] = 0xdead_0000 | n as u32);
            for n in 0..descriptor.vgprs().min(256) {
                (0..lanes as usize).for_each(|lane| wave.set_vgpr(n as usize, lane, 0xbeef_0000 | n));
            }
            wave.s[USERS.blocks as usize] = self.base() as u32;
            wave.s[USERS.blocks as usize + 1] = (self.base() >> 32) as u32;
            let ttmp9 = 108 + 9;
            wave.s[if generation >= Gen::Gfx12 { ttmp9 } else { USERS.group as usize }] = group[0];
            for lane in 0..lanes {
                // Three numbers in one register, of which the upper two are zero in a row of work-items.
                wave.set_vgpr(0, lane as usize, index * lanes + lane);
            }
            wave.mode = start::mode(&descriptor);
        };
        let dispatch = Dispatch {
            groups: [load.groups, 1, 1],
            waves: load.waves,
            lds,
            apertures: load.apertures,
            limits: Limits { instructions: 1 << 22, pause: None },
            order: self.1,
            alone: true,
            ..Dispatch::of_one(&program, &memory, lanes, &setup)
        };
        let job = Job { dispatch: &dispatch, lds: None, keep: Wanted::Nothing, timeout: Some(load.timeout) };
        if let Some(trap) = Runner::run(&Emulator::default(), &job)?.trap {
            return Err(self.failed(&trap));
        }
        let left = memory.find("state").map(|region| region.to_bytes()).unwrap_or_default();
        for (word, bytes) in load.state.iter_mut().zip(left.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        for region in load.memory.regions() {
            let Some(now) = memory.region_at(region.base()) else { continue };
            for (to, from) in region.words().iter().zip(now.words()) {
                to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
        Ok(Times::default())
    }
}
