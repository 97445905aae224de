//! Components and registers: what buffers with formats and images have in common.
//!
//! `DST_SEL` says which component a register is of, and D16 that a register, or half of one, has 16 bits of it. The format comes as a
//! [number](super::convert::number), for a descriptor may bring it.

use super::Lower;
use super::convert::{HALF, WIDE, number, pick};
use crate::isa::does::Half;
use crate::isa::sem::Alg;
use crate::memory::format::{self, Kind};
use crate::program::{Access, Flags};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::lanes::Lane;

/// Whether a kind is of integers.
pub(super) fn is_integer(k: &Spirv<'_>, kind: Word) -> Truth {
    let is = |of| k.eq(kind, k.w(number(of)));
    k.either(is(Kind::Uint), is(Kind::Sint))
}

/// What `DST_SEL` puts into a register: a component, a one of its kind, or zero.
pub(super) fn selected(k: &Spirv<'_>, select: Word, components: &[Word], integers: Truth) -> Word {
    let one = k.sel(integers, k.w(1), k.w(1.0f32.to_bits()));
    let other = k.sel(k.eq(select, k.w(1)), one, k.w(0));
    k.sel(k.lt_u(select, k.w(4)), other, pick(k, components, k.mask(select, 3)))
}

/// The components that registers are stored to: each is the first register that a load would fill from it.
pub(super) fn unselected(k: &Spirv<'_>, select: impl Fn(u32) -> Word, registers: &[Word]) -> [Word; 4] {
    [0, 1, 2, 3].map(|component| {
        let all = registers.iter().enumerate().rev();
        all.fold(k.w(0), |v, (n, register)| k.sel(k.eq(select(n as u32), k.w(4 + component)), *register, v))
    })
}

impl Lower<'_> {
    /// A register as 16 bits.
    pub(super) fn halved(&self, kind: Word, v: Word) -> Word {
        let k = self.alg(Word::Known(0));
        k.sel(is_integer(&k, kind), k.zx16(v), self.call(HALF, 0, &[v])[0])
    }

    /// The register that 16 bits stand for.
    pub(super) fn widened(&self, kind: Word, v: Word) -> Word {
        let k = self.alg(Word::Known(0));
        let v = k.zx16(v);
        let is = |of| k.eq(kind, k.w(number(of)));
        k.sel(is(Kind::Uint), v, k.sel(is(Kind::Sint), k.sx(v, 16), self.call(WIDE, 0, &[v])[0]))
    }

    /// Writes the registers of a load, with D16 as `narrow` makes 16 bits of them: how many it took.
    pub(super) fn put_components(
        &self,
        access: &Access,
        lane: Lane,
        c: Truth,
        words: &[Word],
        narrow: impl Fn(Word) -> Word,
    ) -> u32 {
        let count = words.len() as u32;
        let (d16, packs) = (access.flags.contains(Flags::D16), format::packs_d16(&self.target));
        for (n, v) in (0..).zip(words) {
            match (d16, packs) {
                (true, true) => {
                    let part = if n % 2 == 0 { Half::Low } else { Half::High };
                    self.set_half(access.data, n / 2, lane, c, part, narrow(*v));
                }
                (true, false) => self.set_tuple(access.data, n, lane, c, narrow(*v)),
                (false, _) => self.set_tuple(access.data, n, lane, c, *v),
            }
        }
        if d16 && packs { count.div_ceil(2) } else { count }
    }

    /// Register `n` of a store, with D16 as `widen` makes one of 16 bits.
    pub(super) fn take_component(&self, access: &Access, lane: Lane, n: u32, widen: impl Fn(Word) -> Word) -> Word {
        let k = self.alg(lane.number);
        match (access.flags.contains(Flags::D16), format::packs_d16(&self.target)) {
            (true, true) => widen(k.shri(self.tuple(access.data, n / 2, lane), n % 2 * 16)),
            (true, false) => widen(self.tuple(access.data, n, lane)),
            (false, _) => self.tuple(access.data, n, lane),
        }
    }
}
