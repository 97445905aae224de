//! Loads that exchange rows and columns of a matrix (gfx12).
//!
//! 32 lanes read eight elements each and hand them out; what a lane's registers get lies in other lanes, by [its bits](transposed::Moves). Whether all
//! may read is found out before, as for any load.

use super::Lower;
use crate::isa::row::Inst;
use crate::isa::sem::Alg;
use crate::program::memory::transposed::{self, ELEMENTS, LANES};
use crate::program::{Access, Step};
use crate::spirv::alg::{Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::Lane;

impl Lower<'_> {
    /// With some of the lanes it is undefined, with none nothing.
    pub(super) fn load_transposed(&self, step: &Step, row: &'static Inst, access: &Access) {
        let k = self.alg(Word::Known(0));
        let (lanes, exec) = (self.options.lanes, self.exec());
        let ones = |v| k.eq(v, k.w(u32::MAX));
        let all = if lanes == 64 { k.both(ones(exec.0), ones(exec.1)) } else { ones(exec.0) };
        self.refuse_if(step, k.both(self.any_active(), k.negate(all)));
        let share = self.share();
        let read = |lane: Lane| {
            let takes = k.both(lane.active, k.lt_u(lane.number, k.w(LANES)));
            self.spot_load(&self.spot(row, access, lane), share, access.item, takes)
        };
        self.in_lanes(step, false, |lane| ((), read(lane).1), |_, (), _: Truth| {});
        self.publish(|lane| read(lane).0);
        let size = access.item.bytes();
        let (bytes, wide) = (size == ELEMENTS && !self.has(Planted::TransposedAsHalves), lanes == 64);
        let moves = transposed::moves(bytes, wide);
        // Elements of a word, as a power of two, and their bits.
        let per_word = if size == ELEMENTS { 2 } else { 1 };
        let bits = 32 >> per_word;
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let bit = |(from, to): &(u32, u32)| k.shli(k.mask(k.shri(lane.number, *from), 1), *to);
            let of_lane = moves.lane.iter().map(bit).reduce(|a, b| k.or(a, b)).unwrap_or(k.w(0));
            // All elements have the same number in the lanes that they come from.
            let number = k.mask(lane.number, ELEMENTS - 1);
            let (word, part) = (k.shri(number, per_word), k.mask(number, (1 << per_word) - 1));
            let taken = |element: u32| {
                let from = k.or(of_lane, k.w(moves.of_element(element)));
                let words = (0..size / 4).map(|n| k.sel(k.eq(word, k.w(n)), self.fetch(n as usize, from), k.w(0)));
                let there = words.reduce(|a, b| k.or(a, b)).unwrap_or(k.w(0));
                k.mask(k.shr(there, k.mul(part, k.w(bits))), (1 << bits) - 1)
            };
            let registers = (ELEMENTS * LANES / lanes) >> per_word;
            for n in 0..registers {
                let elements = (0..1 << per_word).map(|e| k.shli(taken((n << per_word) + e), e * bits));
                let v = elements.reduce(|a, b| k.or(a, b)).unwrap_or(k.w(0));
                self.set_tuple(access.dst, n, lane, lane.active, v);
            }
        });
    }
}
