//! Vector instructions that move values across lanes, or between scalar and vector registers.

use super::{Lower, Lowered};
use crate::isa::does::{Does, Lanes};
use crate::isa::row::{Family, Inst};
use crate::isa::sem::Alg;
use crate::program::Step;
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::lanes::Lane;
use crate::spirv::state::head;

/// OP_SEL of a permutation: inactive lanes are read.
const FETCH_INACTIVE: u32 = 1;
/// OP_SEL of a permutation: what is not read is 0.
const BOUND_CONTROL: u32 = 2;

impl Lower<'_> {
    /// A vector instruction without a meaning.
    pub(super) fn crossing(&self, step: &Step, row: &'static Inst) -> Lowered {
        let k = self.alg(Word::Known(0));
        let lanes = match row.does {
            Does::Idle(_) => return Ok(()),
            Does::Product(product) if row.family == Family::Mai => return self.mfma(step, product),
            Does::Product(product) => return self.matrix(step, product),
            Does::Lanes(lanes) => lanes,
            _ => return Err(format!("a translation of {}", row.name)),
        };
        match lanes {
            Lanes::ClearExceptions => {
                // The bits that float and integer operations set.
                const EXCEPTIONS: u32 = 0x7f;
                self.set_cell(head::TRAPSTS, k.mask(self.cell(head::TRAPSTS), !EXCEPTIONS));
            }
            Lanes::ReadFirst => self.read(step, self.first_lane()),
            Lanes::Read => self.read(step, self.lane_number(step)),
            Lanes::Write => self.write(step),
            Lanes::Permute16 { cross, by_lane } => self.permute(step, if cross { 16 } else { 0 }, !by_lane),
            Lanes::Permute64 => self.halves(step),
            Lanes::Swap | Lanes::SwapRelative => self.swap(step),
            Lanes::SwapHalves => self.swap_halves(step),
            // These have a meaning, or go through the hardware of LDS.
            Lanes::MoveRelative { .. }
            | Lanes::Move
            | Lanes::Swizzle
            | Lanes::Permute
            | Lanes::Bpermute { .. }
            | Lanes::Interpolate(_)
            | Lanes::Parameter(_)
            | Lanes::Direct
            | Lanes::ScalarFunction => return Err(format!("a translation of {}", row.name)),
        }
        Ok(())
    }

    /// The first active lane; lane 0 where none is.
    pub(super) fn first_lane(&self) -> Word {
        let k = self.alg(Word::Known(0));
        let exec = self.exec();
        if self.has(Fault::FirstLaneZero) {
            return k.w(0);
        }
        k.mask(k.sel(self.is_zero(exec), k.w(0), k.ctz_d(exec)), 63)
    }

    /// The lane that an instruction names.
    fn lane_number(&self, step: &Step) -> Word {
        let lanes = if self.has(Fault::LaneNotWrapped) { 64 } else { self.options.lanes };
        self.alg(Word::Known(0)).mask(self.s(step.src[1]), lanes - 1)
    }

    /// One lane to a scalar register.
    fn read(&self, step: &Step, lane: Word) {
        // The plan says by its flags whether the value is a vector register; else it is a scalar, or comes from LDS.
        let v = if step.reads_lds {
            self.lds_word_at_m0()
        } else if step.vectors & 1 != 0 {
            self.one_lane(step.src[0], lane)
        } else {
            self.s(step.src[0])
        };
        self.set_s(step.dst, v);
    }

    fn write(&self, step: &Step) {
        let to = self.lane_number(step);
        let v = if step.reads_lds { self.lds_word_at_m0() } else { self.s(step.src[0]) };
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let active = if self.has(Fault::WritelaneByExec) { lane.active } else { Truth::Known(true) };
            self.write_to(step.dst, 0, lane, k.both(active, k.eq(lane.number, to)), v);
        });
    }

    /// Moves values inside rows of sixteen, or between the rows whose numbers differ in a bit.
    fn permute(&self, step: &Step, other: u32, by_scalars: bool) {
        let selectors: Pair =
            if by_scalars { (self.s(step.src[1]), self.s(step.src[2])) } else { (Word::Known(0), Word::Known(0)) };
        let other = if self.has(Fault::PermuteSameRow) { 0 } else { other };
        let upper = if self.has(Fault::PermuteLowSelectors) { 7 } else { 15 };
        let all = step.imm & FETCH_INACTIVE != 0 || self.has(Fault::PermuteReadsInactive);
        self.publish(|lane| vec![self.v(step.src[0], lane)]);
        let exec = self.exec();
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let selector = if by_scalars {
                let nibble = k.shli(k.mask(lane.number, upper), 2);
                k.shr_d(selectors, nibble).0
            } else {
                self.v(step.src[1], lane)
            };
            let source = k.or(k.xor(k.mask(lane.number, !15), k.w(other)), k.mask(selector, 15));
            let reads = k.either(k.c(all), self.bit_of(exec, source));
            let v = k.sel(reads, self.fetch(0, source), k.w(0));
            let writes = k.both(lane.active, k.either(reads, k.c(step.imm & BOUND_CONTROL != 0)));
            self.set_v_if(step.dst, lane, writes, v);
        });
    }

    /// The halves of a wave of 64 lanes change places; a wave of 32 does nothing.
    fn halves(&self, step: &Step) {
        if self.options.lanes != 64 || self.has(Fault::HalvesStay) {
            return;
        }
        self.publish(|lane| vec![self.v(step.src[0], lane)]);
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let v = self.fetch(0, k.xor(lane.number, k.w(32)));
            self.set_v_if(step.dst, lane, lane.active, v);
        });
    }

    /// Bit 0 of the immediate takes the upper half of the destination, bit 1 of the source.
    fn swap_halves(&self, step: &Step) {
        let shift = |flag: u32| if step.imm & flag != 0 { 16 } else { 0 };
        let (to_dst, to_src) = (shift(1), shift(2));
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let (a, b) = (self.v(step.dst, lane), self.v(step.src[0], lane));
            let (x, y) = (k.zx16(k.shri(a, to_dst)), k.zx16(k.shri(b, to_src)));
            let put = |old: Word, v: Word, at: u32| k.or(k.mask(old, !(0xffff << at)), k.shli(v, at));
            self.set_v_if(step.dst, lane, lane.active, put(a, y, to_dst));
            // Both may be the same register.
            let b = if step.dst == step.src[0] { self.v(step.src[0], lane) } else { b };
            self.set_v_if(step.src[0], lane, lane.active, put(b, x, to_src));
        });
    }

    /// Whether the wave has active lanes.
    pub(super) fn any_active(&self) -> Truth {
        let k = self.alg(Word::Known(0));
        k.negate(self.is_zero(self.exec()))
    }

    /// A lane that stands for none.
    pub(super) fn no_lane() -> Lane {
        Lane { number: Word::Known(0), slot: Word::Known(0), active: Truth::Known(true) }
    }
}
