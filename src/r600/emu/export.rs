//! What leaves a program, and the buffers it reads again.
//!
//! Exports and streams are kept for each lane and target. The ring of a lane is its own, and so is its scratch buffer; the reduction
//! buffer is one for all lanes, which write it from the lowest on. Elements beyond the array size of an instruction, or beyond the
//! buffer, are neither written nor read.

use super::kernel::{Lanes, each};
use super::mistakes::Mistake;
use super::plan::{Export, Memory, Select};
use super::setup::{Exported, Primitive, Stage, Target};
use super::{Fault, GPRS, Run};
use crate::isa::r600::does::Space;

static ZERO: Lanes = Lanes::splat(0);
static ONE: Lanes = Lanes::splat(0x3f80_0000);

impl Run<'_> {
    /// The register of an export or import: one out of range is register 0.
    fn nth(&self, gpr: u32, indexed: bool, n: u32) -> u32 {
        let index = if indexed { self.flow.index } else { 0 };
        let gpr = u32::try_from(i64::from(gpr) + i64::from(n) + i64::from(index)).unwrap_or(GPRS);
        if self.has(gpr) { gpr } else { 0 }
    }

    fn value(&self, gpr: u32, lane: usize) -> [u32; 4] {
        std::array::from_fn(|element| self.gpr(gpr, element as u32).0[lane])
    }

    fn put(&mut self, target: Target, lane: usize, values: [Option<u32>; 4]) {
        let count = self.setup.lanes as usize;
        let lanes = self.outcome.exports.entry(target).or_insert_with(|| vec![Exported::default(); count]);
        let Some(exported) = lanes.get_mut(lane) else { return };
        for (n, value) in values.iter().enumerate() {
            if let Some(value) = value {
                exported.words[n] = *value;
                exported.mask |= 1 << n;
            }
        }
    }

    /// An export of the lanes that execute; of pixels, those that are valid.
    pub(super) fn export(&mut self, export: &Export, lanes: u64) -> Result<(), Fault> {
        if !matches!(self.setup.stage, Stage::Ps | Stage::Vs | Stage::Dc) {
            return Err(Fault::Stage { what: "EXPORT" });
        }
        for n in 0..export.count {
            let target = match export.kind {
                0 => Target::Pixel(export.base + n),
                1 => Target::Position(export.base + n),
                2 => Target::Parameter(export.base + n),
                value => return Err(Fault::Reserved { field: "TYPE", value }),
            };
            let burst = if self.setup.has(Mistake::BurstRepeats) { 0 } else { n };
            let gpr = self.nth(export.gpr, export.indexed, burst);
            let valid = if self.setup.has(Mistake::KilledExport) { u64::MAX } else { self.flow.valid };
            let lanes = lanes & valid;
            if lanes == 0 {
                continue;
            }
            let count = self.setup.lanes as usize;
            let exported = self.outcome.exports.entry(target).or_insert_with(|| vec![Exported::default(); count]);
            for (n, select) in export.selects.iter().enumerate() {
                let ignored = self.setup.has(Mistake::SelectsIgnored);
                let from = match select {
                    Select::Zero | Select::One if ignored => &*self.file[gpr as usize * 4],
                    Select::Element(n) => &*self.file[gpr as usize * 4 + (*n as usize & 3)],
                    Select::Zero => &ZERO,
                    Select::One => &ONE,
                    Select::Masked => continue,
                };
                for lane in each(lanes) {
                    if let Some(to) = exported.get_mut(lane) {
                        to.words[n] = from.0[lane];
                        to.mask |= 1 << n;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes or reads a buffer.
    pub(super) fn memory(&mut self, memory: &Memory, lanes: u64) -> Result<(), Fault> {
        let four = matches!(memory.space, Space::Scratch | Space::Reduction);
        if four && memory.words != 4 {
            return Err(Fault::Unsupported {
                what: "a scratch or reduction buffer of elements that are not four words",
            });
        }
        for lane in each(lanes & self.flow.valid) {
            let index = memory.index_gpr.map_or(0, |gpr| self.value(gpr, lane)[0]);
            let moved = if memory.moves { self.flow.index as u32 } else { 0 };
            // The base counts elements of scratch and reduction buffers, and words of streams and rings.
            let unit = if four { 1 } else { memory.words };
            for n in 0..memory.count {
                let beyond = index.wrapping_add(moved).wrapping_add(n).wrapping_mul(unit);
                if beyond >= memory.size && (four || memory.size > 1) && !self.setup.has(Mistake::ArraySizeIgnored) {
                    continue;
                }
                let gpr = self.nth(memory.gpr, memory.indexed, n);
                self.element(memory, lane, memory.base.wrapping_add(beyond), gpr);
            }
        }
        Ok(())
    }

    /// Moves a register to an address, or from there.
    fn element(&mut self, memory: &Memory, lane: usize, address: u32, gpr: u32) {
        let value = self.value(gpr, lane);
        let masked = |n: usize| (memory.mask >> n & 1 != 0).then_some(value[n]);
        let place = match memory.space {
            Space::Stream(stream) => {
                self.put(Target::Stream(u32::from(stream), address), lane, std::array::from_fn(masked));
                return;
            }
            Space::Ring => {
                for n in 0..4 {
                    if let (Some(word), Some(ring)) = (masked(n), self.outcome.ring.get_mut(lane)) {
                        ring.insert(address.wrapping_add(n as u32), word);
                    }
                }
                return;
            }
            Space::Scratch => self.outcome.scratch.get_mut(lane).and_then(|all| all.get_mut(address as usize)),
            Space::Reduction => self.outcome.reduction.get_mut(address as usize),
        };
        let Some(place) = place else { return };
        if memory.reads {
            let words = *place;
            for (n, word) in words.iter().enumerate() {
                self.file[gpr as usize * 4 + n].0[lane] = *word;
            }
        } else {
            for (n, to) in place.iter_mut().enumerate() {
                *to = masked(n).unwrap_or(*to);
            }
        }
    }

    /// Notes a vertex, the end of a strip, or both.
    pub(super) fn emit(&mut self, vertex: bool, cut: bool, lanes: u64) {
        for lane in each(lanes & self.flow.valid) {
            let Some(all) = self.outcome.primitives.get_mut(lane) else { continue };
            if vertex {
                all.push(Primitive::Emit);
            }
            if cut {
                all.push(Primitive::Cut);
            }
        }
    }
}
