//! Parameters in LDS: of the primitive that a quad of lanes is of.

use super::super::Lower;
use crate::isa::does::Item;
use crate::isa::sem::Alg;
use crate::isa::sem::scalar::whole_quads;
use crate::memory::plane::{CHANNELS, Parameter, Part, WORDS};
use crate::program::place::slot;
use crate::spirv::alg::Word;
use crate::spirv::fault::Fault;
use crate::spirv::lanes::Lane;

impl Lower<'_> {
    /// A parameter of the primitive that a lane is of; zero where LDS has ended.
    pub(in crate::spirv::lower) fn parameter(&self, parameter: Parameter, lane: Lane) -> Word {
        const QUADS: u32 = 0x7fff;
        let k = self.alg(lane.number);
        let m0 = self.m0();
        let begins = k.mask(k.shri(m0, 16), QUADS);
        let before = k.shl(k.w(1), k.shri(lane.number, 2));
        let before = k.and(begins, k.sub(before, k.w(1)));
        let primitive = if self.has(Fault::PrimitiveIgnored) { k.w(0) } else { k.popcount(before) };
        let primitives = k.add(k.popcount(begins), k.w(1));
        let block = k.add(k.mul(k.w(parameter.attribute.into()), primitives), primitive);
        let (part, there) = match parameter.part {
            Part::One(part) => (k.w(part.into()), k.c(true)),
            Part::OfLane => {
                let part = k.mask(lane.number, 3);
                (part, k.lt_u(part, k.w(3)))
            }
        };
        let word = k.add(k.mul(part, k.w(CHANNELS)), k.w(parameter.channel.into()));
        let word = k.add(k.mul(block, k.w(WORDS)), word);
        let at = k.add(k.zx16(m0), k.shli(word, 2));
        let loaded = self.share_unlimited().load(self, at, Item::Words(1))[0];
        k.sel(there, loaded, k.w(0))
    }

    /// Does something with all lanes of the quads on that have an active one.
    pub(in crate::spirv::lower) fn for_quads(&self, run: impl FnOnce()) {
        let k = self.alg(Word::Known(0));
        let exec = self.exec();
        let quads = |half| whole_quads(&k, half);
        let whole = if self.has(Fault::QuadsByLane) { exec } else { (quads(exec.0), quads(exec.1)) };
        self.set_mask(slot::EXEC as u32, whole);
        run();
        self.set_mask(slot::EXEC as u32, exec);
    }
}
