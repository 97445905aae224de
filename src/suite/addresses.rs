//! Registers that lead an instruction of memory to memory.
//!
//! An instruction finds its memory by registers that it names: offsets, pointers, descriptors. Here they are given values, by a number: mostly such that all lanes
//! find something, now and then unaligned, shared between lanes, over the border of two regions or out of range.

use crate::engine::registers::Registers;
use crate::isa::row::Family;
use crate::isa::{Gen, Target, regs};
use crate::launch::Apertures;
use crate::laws::Chance;
use crate::memory::format::Format;
use crate::program::place::slot;
use crate::program::{Access, Flags};

/// What the values depend on beside the number.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// The processor.
    pub target: Target,
    /// Lanes of a wave.
    pub lanes: u32,
    /// Where LDS and scratch appear in the flat address space.
    pub apertures: Apertures,
    /// Whether flat addresses lead to scratch now and then.
    pub flat_scratch: bool,
}

impl Addresses {
    /// Gives a wave the registers by which an access finds its memory and its scratch memory.
    pub fn put(
        &self,
        wave: &mut Registers,
        (access, family): (&Access, Family),
        (base, scratch): (u64, u64),
        kind: u32,
    ) {
        wave.scratch = scratch;
        match self.target.generation() {
            Gen::Gfx6 | Gen::Gfx7 => scalar(wave, 105, 0),
            Gen::Gfx8 => scalar(wave, 103, 0),
            Gen::Gfx9 => pair(wave, 102, scratch),
            _ => {}
        }
        // Atomics want aligned addresses.
        let base = if access.atomic.is_some() || kind.is_multiple_of(2) { (base + 7) & !7 } else { base };
        self.addresses(wave, access, family, base, kind);
    }

    /// Where a lane's data is, from the beginning of the group's memory.
    fn offset(kind: u32, lane: u32) -> u32 {
        match kind % 6 {
            0 => lane * 16,
            1 => lane * 17,
            2 => 64,
            3 => lane * 7 % 13 * 16,
            // Over the border of the regions.
            4 => 1650 + lane * 17,
            _ => lane * 24 + 8,
        }
    }

    fn addresses(&self, wave: &mut Registers, access: &Access, family: Family, base: u64, kind: u32) {
        let has = |flag| access.flags.contains(flag);
        let aligned = |v: u32| if access.atomic.is_some() { v & !7 } else { v };
        let offset = |lane: u32| aligned(Self::offset(kind, lane));
        let vector = |at: u32, n: u32, lane: u32, v: u32| {
            if let Some(register) = vgpr(at + n) {
                wave.set_vgpr(register, lane as usize, v);
            }
        };
        let instruction = access.offset as u64;
        match family {
            Family::Ds => {
                for lane in 0..self.lanes {
                    let at = offset(lane).wrapping_sub(if kind.is_multiple_of(2) { access.offset as u32 } else { 0 });
                    vector(access.addr, 0, lane, at);
                }
            }
            Family::Flat | Family::Global => {
                let split = has(Flags::SADDR);
                for lane in 0..self.lanes {
                    let at = u64::from(offset(lane));
                    let whole = match (family, kind / 3 % 4, lane % 3) {
                        (Family::Flat, 1, 0) => self.apertures.shared + at % 1000,
                        (Family::Flat, 1, 1) | (Family::Flat, 2, _) if self.flat_scratch => {
                            self.apertures.private + at % 200
                        }
                        _ => base.wrapping_add(at).wrapping_sub(instruction),
                    };
                    let whole = if split { at } else { whole };
                    vector(access.addr, 0, lane, whole as u32);
                    if !split {
                        vector(access.addr, 1, lane, (whole >> 32) as u32);
                    }
                }
                if split {
                    pair(wave, access.base, base.wrapping_sub(instruction));
                }
            }
            Family::Scratch => {
                let register = if has(Flags::SADDR) { 4u32.wrapping_sub(access.offset as u32) } else { 0 };
                let own = if has(Flags::SADDR) { 0 } else { access.offset as u32 };
                for lane in 0..self.lanes {
                    vector(access.addr, 0, lane, (offset(lane) % 200).wrapping_sub(own));
                }
                if has(Flags::SADDR) {
                    scalar(wave, access.base, register);
                    if (slot::EXEC..slot::SINK).contains(&(access.base as usize)) {
                        // Else the mask would lead far away, into the memory of others.
                        wave.s[access.base as usize] = register;
                    }
                }
            }
            Family::Smem => {
                let name_is_buffer = access.base;
                scalar(wave, access.soffset, kind % 7 * 8);
                // A descriptor and a pointer are alike in their first two words.
                pair(wave, name_is_buffer, base);
                if has_room(access.base) {
                    scalar(wave, access.base + 2, [2048, 64, 20][(kind % 3) as usize]);
                    scalar(wave, access.base + 3, 0x0002_4fac);
                }
            }
            _ => self.buffer(wave, access, base, kind),
        }
    }

    fn buffer(&self, wave: &mut Registers, access: &Access, base: u64, kind: u32) {
        let has = |flag| access.flags.contains(flag);
        let vector = |n: u32, lane: u32, v: u32| {
            if let Some(register) = vgpr(access.addr + n) {
                wave.set_vgpr(register, lane as usize, v);
            }
        };
        let behind = u32::from(has(Flags::IDXEN));
        for lane in 0..self.lanes {
            let offset = Self::offset(kind, lane) & if access.atomic.is_some() { !7 } else { !0 };
            if has(Flags::ADDR64) {
                vector(0, lane, offset);
                vector(1, lane, 0);
                continue;
            }
            if has(Flags::IDXEN) {
                vector(0, lane, lane / (1 + kind % 3));
            }
            if has(Flags::OFFEN) {
                vector(behind, lane, if has(Flags::IDXEN) { offset % 24 } else { offset });
            }
        }
        scalar(wave, access.soffset, kind % 5 * 4);
        if !has_room(access.base) {
            return;
        }
        let mut chance = Chance::new(u64::from(kind) + 5);
        let mut below = |n: usize| chance.below(n) as u32;
        let generation = self.target.generation();
        let stride = [0, 16, 4, 20][below(4) as usize];
        let swizzle = if below(4) == 0 { 1 << if generation >= Gen::Gfx11 { 30 } else { 31 } } else { 0 };
        let records = if stride == 0 { 1500 } else { 60 };
        // Most can be stored as well; one of four numbers is any that is a format.
        let storable = |format: Format| format.store([0; 4]).is_ok();
        let any = below(4) == 0;
        let is_one = |number: &u32| Format::decode(*number, &self.target).is_ok_and(|format| any || storable(format));
        let formats: Vec<u32> = (0..128).filter(is_one).collect();
        let number = formats[below(formats.len()) as usize];
        let format = match generation {
            Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => number << 12,
            // The kind, then the layout.
            _ => (number >> 4) << 12 | (number & 15) << 15,
        };
        let selects = [0xfac, 0xfac, 0x2c8 | 5 << 9, 0x3ac][below(4) as usize];
        let add_tid = if below(6) == 0 { 1 << 23 } else { 0 };
        let oob = if generation >= Gen::Gfx10 { below(4) << 28 } else { 0 };
        let index_stride = below(4) << 21;
        let element = if generation <= Gen::Gfx8 { below(4) << 19 } else { 0 };
        let high = (base >> 32) as u32 & 0xffff | stride << 16 | swizzle;
        let words = [base as u32, high, records, selects | format | add_tid | oob | index_stride | element];
        for (n, v) in (0..).zip(words) {
            scalar(wave, access.base + n, v);
        }
        // Where lanes may overlap in part, one lane alone: else who wins is left open.
        if swizzle != 0 || stride == 4 || add_tid != 0 {
            wave.set_exec(1 << (kind % 32));
        }
    }
}

/// Whether a descriptor may begin at a scalar register: not where masks and the like follow.
pub fn has_room(base: u32) -> bool {
    base + 4 <= 100
}

/// The number of a vector register, if it is one: what an instruction names beyond the last is none.
pub(super) fn vgpr(number: u32) -> Option<usize> {
    (number < 256).then_some(number as usize)
}

/// Writes a scalar register, if it is one and does not say which lanes are active.
fn scalar(wave: &mut Registers, at: u32, v: u32) {
    if (at as usize) < slot::EXEC && Some(at) != regs::null_code(wave.target.generation()).map(u32::from) {
        wave.s[at as usize] = v;
    }
}

fn pair(wave: &mut Registers, at: u32, v: u64) {
    scalar(wave, at, v as u32);
    scalar(wave, at + 1, (v >> 32) as u32);
}
