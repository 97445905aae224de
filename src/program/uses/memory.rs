//! Instructions of memory, and what crosses lanes through the hardware of LDS.

use super::{Gather, Other};
use crate::isa::does::{Across, Does, Half, Lanes, Moved, Texels, Way};
use crate::isa::memory::is_buffer;
use crate::isa::row::{Family, Inst};
use crate::isa::{Gen, Variants};
use crate::memory::atomic::{Shape, Width};
use crate::memory::format::packs_d16;
use crate::program::memory::image::Bits;
use crate::program::memory::transposed;
use crate::program::{Access, Flags};

/// Words of what a lane moves.
fn words(access: &Access) -> u32 {
    access.item.bytes().div_ceil(4)
}

impl Gather<'_> {
    pub(super) fn memory(&mut self, does: Does) {
        let (Some(access), Some(row)) = (self.step.memory.as_deref(), self.step.row) else { return };
        if matches!(does, Does::Idle(_)) {
            return;
        }
        if row.family == Family::Smem {
            return self.scalar_memory(does, row, access);
        }
        self.exec();
        match row.family {
            Family::Ds => self.data_share(does, access),
            Family::Mubuf | Family::Mtbuf => self.buffer(does, access),
            Family::Mimg => self.image(does, access),
            _ => self.flat(does, row, access),
        }
    }

    fn scalar_memory(&mut self, does: Does, row: &Inst, access: &Access) {
        let (reads, writes) = (&mut self.uses.reads, &mut self.uses.writes);
        match does {
            Does::Clock => {
                reads.other |= Other::CLOCK;
                writes.other |= Other::CLOCK;
                return writes.scalar(access.data, 2);
            }
            Does::WaveNumber => {
                reads.other |= Other::INDEX;
                return writes.scalar(access.data, 1);
            }
            _ => {}
        }
        reads.scalar(access.base, if is_buffer(row) { 4 } else { 2 });
        reads.scalar(access.soffset, 1);
        match does {
            Does::Load(_) => {
                reads.other |= Other::MEMORY;
                writes.scalar(access.data, words(access));
            }
            Does::Store(_) => {
                reads.scalar(access.data, words(access));
                writes.other |= Other::MEMORY;
            }
            _ => {
                let Some(atomic) = access.atomic else { return };
                let width = if atomic.width == Width::W64 { 2 } else { 1 };
                reads.scalar(access.data, width * atomic.operands());
                reads.other |= Other::MEMORY;
                writes.other |= Other::MEMORY;
                if access.has(Flags::RETURNS) {
                    writes.scalar(access.data, width);
                }
            }
        }
    }

    fn data_share(&mut self, does: Does, access: &Access) {
        let generation = self.program.target.generation();
        if let Does::Stack(stack) = does {
            let uses = &mut self.uses;
            uses.reads.vector(access.addr, 1);
            uses.reads.vector(access.data, 1);
            uses.reads.vector(access.data1, stack.pushes.into());
            uses.reads.other |= Other::LDS;
            uses.writes.vector(access.dst, stack.pops.into());
            uses.writes.vector(access.addr, 1);
            return uses.writes.other |= Other::LDS;
        }
        if let Does::Lanes(lanes) = does {
            self.uses.reads.vector(access.addr, 1);
            if !matches!(lanes, Lanes::Swizzle) {
                self.uses.reads.vector(access.data, 1);
            }
            return self.uses.writes.vector(access.dst, 1);
        }
        if let Does::Across(across) = does {
            return self.across(across, access);
        }
        let wave = access.atomic.is_some_and(|atomic| atomic.shape == Shape::Wave);
        let by_lane = access.way == Way::LaneNumber;
        // M0 limits LDS up to gfx8, and is the address of some.
        if generation <= Gen::Gfx8 || by_lane || wave || access.has(Flags::GDS) {
            self.m0();
        }
        let uses = &mut self.uses;
        if !by_lane && !wave {
            uses.reads.vector(access.addr, 1);
        }
        let count = words(access);
        let two = matches!(access.way, Way::Two { .. });
        match does {
            Does::Load(_) => {
                uses.reads.other |= Other::LDS;
                if access.half != Half::Whole {
                    uses.reads.vector(access.dst, 1);
                }
                uses.writes.vector(access.dst, if two { 2 * count } else { count });
            }
            Does::Store(_) => {
                uses.reads.vector(access.data, count);
                if two {
                    uses.reads.vector(access.data1, count);
                }
                uses.writes.other |= Other::LDS;
            }
            _ => {
                let Some(atomic) = access.atomic else { return };
                let operands = atomic.operands();
                uses.reads.other |= Other::LDS;
                uses.writes.other |= Other::LDS;
                if operands > 0 && atomic.shape != Shape::Source && !wave {
                    uses.reads.vector(access.data, count);
                }
                if operands > 1 || two {
                    uses.reads.vector(access.data1, count);
                }
                if atomic.is_float() {
                    uses.reads.other |= Other::MODE;
                }
                if access.has(Flags::RETURNS) {
                    uses.writes.vector(access.dst, if two { 2 * count } else { count });
                }
            }
        }
    }

    /// What goes across groups: what they share counts as LDS does.
    fn across(&mut self, across: Across, access: &Access) {
        let register = matches!(across, Across::Register { .. });
        if !register {
            self.m0();
        }
        let uses = &mut self.uses;
        uses.reads.other |= Other::LDS;
        uses.writes.other |= Other::LDS;
        if across.takes_data() {
            uses.reads.vector(if register { access.data } else { access.addr }, 1);
        }
        if across.returns() {
            uses.writes.vector(access.dst, if register && access.offset >> 2 & 15 >= 8 { 2 } else { 1 });
        }
    }

    fn buffer(&mut self, does: Does, access: &Access) {
        let count = match access.components {
            0 => words(access),
            _ => access.component_registers(&self.program.target),
        };
        if access.has(Flags::LDS) {
            self.m0();
        }
        let uses = &mut self.uses;
        uses.reads.scalar(access.base, 4);
        uses.reads.scalar(access.soffset, 1);
        let has = |flag| u32::from(access.has(flag));
        let address = if access.has(Flags::ADDR64) { 2 } else { has(Flags::OFFEN) + has(Flags::IDXEN) };
        uses.reads.vector(access.addr, address);
        self.moved_data(does, access, access.data, access.data, count);
    }

    fn image(&mut self, does: Does, access: &Access) {
        let Some(image) = access.image.as_deref() else { return };
        let count = access.component_registers(&self.program.target);
        let uses = &mut self.uses;
        uses.reads.scalar(access.base, if image.has(Bits::R128) { 4 } else { 8 });
        if let Some(sampler) = image.sampler {
            uses.reads.scalar(sampler, 4);
        }
        for register in &image.registers {
            uses.reads.vector(*register, 1);
        }
        let moved = Moved { item: access.item, half: Half::Whole, way: Way::Formatted };
        let moves = match does {
            Does::Texels(Texels::Store(_)) => Does::Store(moved),
            Does::Texels(_) | Does::Ray(_) => Does::Load(moved),
            atomic => atomic,
        };
        self.moved_data(moves, access, access.data, access.dst, count);
        // An instance has a space of its own, to which the ray is brought.
        for register in image.moved_ray() {
            self.uses.writes.vector(*register, 1);
        }
        if does == Does::Texels(Texels::Describe) {
            self.uses.reads.other -= Other::MEMORY;
        }
    }

    fn flat(&mut self, does: Does, row: &Inst, access: &Access) {
        let (generation, target) = (self.program.target.generation(), self.program.target);
        let scratch = row.family == Family::Scratch;
        if access.has(Flags::LDS) || access.way == Way::Block {
            self.m0();
        }
        let uses = &mut self.uses;
        if access.has(Flags::VADDR) {
            let narrow = scratch || access.has(Flags::SADDR);
            uses.reads.vector(access.addr, if narrow { 1 } else { 2 });
        }
        if access.has(Flags::SADDR) {
            uses.reads.scalar(access.base, if scratch { 1 } else { 2 });
        }
        if scratch || row.family == Family::Flat {
            // Where scratch memory begins.
            match generation {
                Gen::Gfx6 | Gen::Gfx7 => uses.reads.scalar(105, 1),
                Gen::Gfx8 => uses.reads.scalar(103, 1),
                Gen::Gfx9 if !target.is(Variants::G940) => uses.reads.scalar(102, 2),
                _ => {}
            }
            uses.reads.other |= Other::SCRATCH;
        }
        if row.family == Family::Flat {
            uses.reads.other |= Other::LDS;
            uses.writes.other |= if matches!(does, Does::Load(_)) { Other::empty() } else { Other::LDS };
        }
        let count = match access.way {
            Way::Block => 32,
            // Of 32 lanes' data, in registers of all.
            Way::Transposed => words(access) * transposed::LANES / if self.program.target.wave32() { 32 } else { 64 },
            _ => words(access),
        };
        self.moved_data(does, access, access.data, access.dst, count);
    }

    /// The data of a buffer or flat instruction: what is stored from `data` on, loaded or returned from `dst` on.
    fn moved_data(&mut self, does: Does, access: &Access, data: u32, dst: u32, count: u32) {
        let packs = packs_d16(&self.program.target);
        let uses = &mut self.uses;
        let lds = access.has(Flags::LDS);
        match does {
            Does::Load(_) => {
                uses.reads.other |= Other::MEMORY;
                if lds {
                    uses.writes.other |= Other::LDS;
                } else {
                    // The other half of a register stays: of the only one, or of the last where there is one half too few.
                    let packed = access.has(Flags::D16) && access.half != Half::High;
                    if access.half != Half::Whole && !packed {
                        uses.reads.vector(dst, 1);
                    } else if packed && 2 * count > u32::from(access.components) && access.components > 0 && packs {
                        uses.reads.vector(dst + count - 1, 1);
                    }
                    uses.writes.vector(dst, count);
                }
                if access.has(Flags::TFE) && !lds {
                    uses.writes.vector(dst + count, 1);
                }
            }
            Does::Store(_) => {
                match lds {
                    true => uses.reads.other |= Other::LDS,
                    false => uses.reads.vector(data, count),
                }
                uses.writes.other |= Other::MEMORY;
            }
            _ => {
                let Some(atomic) = access.atomic else { return };
                let width = if atomic.width == Width::W64 { 2 } else { 1 };
                uses.reads.vector(data, width * atomic.operands());
                uses.reads.other |= Other::MEMORY;
                uses.writes.other |= Other::MEMORY;
                if atomic.is_float() {
                    uses.reads.other |= Other::MODE;
                }
                if access.has(Flags::RETURNS) {
                    uses.writes.vector(dst, width);
                }
            }
        }
    }
}
