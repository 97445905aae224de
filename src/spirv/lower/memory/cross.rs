//! What moves values across lanes through the hardware of the data share: swizzle, permute, bpermute. LDS itself is not touched.

use super::Lower;
use crate::isa::Gen;
use crate::isa::sem::Alg;
use crate::memory::lds::permute_lanes;
use crate::program::{Access, Flags};
use crate::spirv::alg::{Truth, Word};
use crate::spirv::lanes::Lane;

impl Lower<'_> {
    /// The lane that an address names, among those which see each other.
    fn named(&self, access: &Access, address: Word, lane: Word) -> Word {
        let k = self.alg(lane);
        let group = permute_lanes(self.generation(), self.options.lanes);
        let named = k.mask(k.shri(k.add(address, k.w(access.offset as u32)), 2), group - 1);
        k.or(k.mask(lane, !(group - 1)), named)
    }

    /// Each lane says where its value comes from; an inactive source gives 0.
    fn take_from(&self, access: &Access, data: u32, all: bool, from: impl Fn(Lane) -> Word) {
        self.publish(|lane| vec![self.tuple(data, 0, lane)]);
        let exec = self.exec();
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let source = from(lane);
            let reads = if all { Truth::Known(true) } else { self.bit_of(exec, source) };
            let v = k.sel(reads, self.fetch(0, source), k.w(0));
            self.set_tuple(access.dst, 0, lane, lane.active, v);
        });
    }

    /// `ds_bpermute_b32`.
    pub(super) fn gather(&self, access: &Access) {
        let all = access.flags.contains(Flags::FETCH_INACTIVE);
        self.take_from(access, access.data, all, |lane| {
            self.named(access, self.tuple(access.addr, 0, lane), lane.number)
        });
    }

    /// `ds_permute_b32`: each lane says where its value goes. The highest lane wins.
    pub(super) fn scatter(&self, access: &Access) {
        self.publish(|lane| vec![self.tuple(access.data, 0, lane), self.tuple(access.addr, 0, lane)]);
        let exec = self.exec();
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let (from, v) = (self.var(k.w(0)), self.var(k.w(0)));
            // Every lane looks through all others for those that name it.
            self.repeat(|| {
                let other = self.get(from);
                let hits = k.eq(self.named(access, self.fetch(1, other), other), lane.number);
                let hits = k.both(hits, self.bit_of(exec, other));
                self.put(v, k.sel(hits, self.fetch(0, other), self.get(v)));
                let next = k.add(other, k.w(1));
                self.put(from, next);
                k.lt_u(next, k.w(self.options.lanes))
            });
            self.set_tuple(access.dst, 0, lane, lane.active, self.get(v));
        });
    }

    /// `ds_swizzle_b32`: the offset says where values come from.
    pub(super) fn swizzle(&self, access: &Access) {
        let modes = self.generation() >= Gen::Gfx8;
        let offset = access.offset as u32;
        self.take_from(access, access.addr, false, |lane| self.swizzled(offset, lane.number, modes));
    }

    /// Where a lane's value comes from. `modes`: the processor knows rotation and FFT.
    fn swizzled(&self, offset: u32, lane: Word, modes: bool) -> Word {
        let k = self.alg(lane);
        let (i, rows) = (k.mask(lane, 31), k.mask(lane, 32));
        let (low, middle, high) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
        let j = match offset {
            0xe000.. if modes => k.or(k.shri(k.shri(k.brev(i), 27), low.count_ones()), k.mask(i, low)),
            0xc000.. if modes => {
                let n = if offset >> 10 & 1 != 0 { middle.wrapping_neg() } else { middle };
                k.or(k.mask(i, low), k.mask(k.add(i, k.w(n)), !low & 31))
            }
            0x8000.. => {
                let select = k.shr(k.w(offset), k.shli(k.mask(i, 3), 1));
                k.or(k.mask(i, !3), k.mask(select, 3))
            }
            _ => k.xor(k.or(k.mask(i, low), k.w(middle)), k.w(high)),
        };
        k.or(rows, k.mask(j, 31))
    }
}
