//! A dispatch: from registers to the emulator.

use super::dump::{self, Before};
use super::log::Entry;
use super::{Card, Lost, Space};
use crate::fault::planted;
use std::time::Instant;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Trap;
use wavediff::engine::keep::Wanted;
use wavediff::engine::run::{Job, Options};
use wavediff::engine::stage::kernel;
use wavediff::isa::Target;
use wavediff::launch::Fill;
use wavediff::launch::compute::Compute;
use wavediff::launch::mode;

impl Card {
    /// Runs what the registers ask for; gives how many work-items that were.
    pub(super) fn dispatch(&self, ring: &str, compute: &Compute, space: &dyn Space) -> Result<u64, Lost> {
        let arch = self.chip.arch();
        let failed = |error: &dyn std::fmt::Display| Lost(format!("the shader at {:#x}: {error}", compute.entry));
        let Some(launch) = compute.dispatch(arch, Fill::Zero).map_err(|e| failed(&e))? else { return Ok(0) };
        if planted!(DispatchLeaks) {
            std::mem::forget(vec![1u8; 100]);
        }
        let target = Target::new(arch).wave(compute.wave_size(arch));
        let target = target.ok_or_else(|| failed(&"no waves of this size"))?;
        let memory = space.memory();
        let started = Instant::now();
        let descriptor = &launch.kernel().descriptor;
        let shader = self.shaders.find(&memory, target, compute.entry, mode(descriptor)).map_err(|e| failed(&e))?;
        let before = self.settings.dump.as_ref().map(|folder| (folder, Before::of(&memory)));
        let options = Options { threads: self.threads, timeout: Some(self.settings.watchdog), ..Options::default() };
        let entry = shader.program.step_at(compute.entry);
        let setup = kernel::setup(&launch, shader.program.target, entry);
        let lds = kernel::lds(&launch);
        let dispatch = kernel::dispatch(&launch, &shader.program, &memory, &setup, &options);
        let job = Job { dispatch: &dispatch, lds: Some(&lds), keep: Wanted::Nothing, timeout: options.timeout };
        let ran = Emulator { options }.run_planned(&job, &shader.plan(), &self.spare);
        if let Some(log) = &self.log {
            let groups = launch.geometry().groups();
            let micros = started.elapsed().as_micros() as u64;
            log.write(&Entry::Dispatch {
                ring,
                at: self.now(),
                registers: *compute,
                groups,
                group: launch.geometry().group,
                wave: launch.geometry().wave_size,
                instructions: ran.stats.wave_instructions,
                micros,
            });
        }
        if let Some(trap) = ran.trap {
            let at = shader.program.base.wrapping_add(trap.pc);
            let trap = Trap { group: launch.group_id(trap.group), ..trap };
            let kept = before.map(|(folder, before)| {
                let path = dump::path(folder, self.chip.name);
                match dump::keep(&path, &before.case(compute, &launch, &shader.program, &trap)) {
                    Ok(()) => format!("; it is kept as {}", path.display()),
                    Err(error) => format!("; {}: {error}", path.display()),
                }
            });
            return Err(failed(&format_args!("{trap}, at address {at:#x}{}", kept.unwrap_or_default())));
        }
        Ok(launch.geometry().grid.iter().map(|n| u64::from(*n)).product())
    }
}
