//! How the levels of an image follow each other: a loop over them, by generation.
//!
//! See [`crate::memory::image::tiling`] for the rules. What is refused does not depend on the level that is wanted; of that one the loops
//! note down the numbers.

use super::super::Lower;
use super::layout::{Laid, Place, Surface, aligned, halved, part};
use super::tiles;
use crate::isa::Gen;
use crate::isa::sem::Alg;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::module::Id;
use crate::spirv::tables::{Tables, mode};

/// The level that is wanted.
pub(super) fn walk(l: &Lower<'_>, surface: &Surface, tables: &Tables, wanted: Word) -> Laid {
    match l.generation() {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => tiles::tiles(l, surface, tables, wanted),
        Gen::Gfx9 => chain(l, surface, tables, wanted),
        Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => from_small(l, surface, tables, wanted),
    }
}

pub(super) fn product(k: &Spirv<'_>, a: Word, b: Word) -> Pair {
    k.mul_d(k.zext(a), k.zext(b))
}

/// A row of a swizzle mode.
struct Mode {
    block: Word,
    flags: Word,
    matrix: Word,
    tail: Word,
    tail_depth: Word,
    at: Word,
}

impl Mode {
    fn of(l: &Lower<'_>, at: Word) -> Mode {
        let k = l.alg(Word::Known(0));
        let word = |n: u32| l.looked_up(k.add(at, k.w(n)));
        Mode {
            block: word(mode::BLOCK),
            flags: word(mode::FLAGS),
            matrix: word(mode::MATRIX),
            tail: word(mode::TAIL),
            tail_depth: word(mode::TAIL_DEPTH),
            at,
        }
    }
    fn log2(&self, k: &Spirv<'_>, axis: u32) -> Word {
        part(k, self.block, (8 * axis, 8))
    }
    /// Bytes of a block as a logarithm.
    fn bytes(&self, k: &Spirv<'_>) -> Word {
        k.shri(self.block, 24)
    }
    /// Blocks along a side.
    fn blocks(&self, k: &Spirv<'_>, side: Word, axis: u32) -> Word {
        halved(k, side, self.log2(k, axis))
    }
    /// Bits of the base address that are part of the constant.
    fn swizzle_bits(&self, k: &Spirv<'_>, linear: Truth) -> Word {
        let below = k.sub(k.shl(k.w(1), self.bytes(k)), k.w(1));
        let takes = k.both(k.negate(linear), k.nz(k.mask(self.flags, 1)));
        k.sel(takes, k.mask(below, !0xff), k.w(0))
    }
    /// Place `n` of the tail.
    fn place(&self, l: &Lower<'_>, n: Word) -> Word {
        let k = l.alg(Word::Known(0));
        l.looked_up(k.add(self.at, k.add(k.w(mode::PLACES), k.min_u(n, k.w(15)))))
    }
    /// The place of a level that lies so, unless the image is linear: then there is nothing in its blocks.
    fn inside(&self, k: &Spirv<'_>, linear: Truth, place: Place) -> Place {
        let own = |v: Word| k.sel(linear, k.w(0), v);
        Place {
            block: own(self.block),
            matrix: own(self.matrix),
            constant: own(place.constant),
            moved: own(place.moved),
            ..place
        }
    }
}

/// gfx10 and later: levels from small to large, the smallest in a tail that comes first.
fn from_small(l: &Lower<'_>, s: &Surface, tables: &Tables, wanted: Word) -> Laid {
    let k = l.alg(Word::Known(0));
    let linear = k.eq(s.mode, k.w(0));
    let row = s.row(l, tables);
    let mode = Mode::of(l, row);
    let (width, height) = (s.elements(&k, s.width), s.elements(&k, s.height));
    let block = k.shl(k.w(1), mode.bytes(&k));
    let least = if l.generation() == Gen::Gfx12 { 128 } else { 256 };
    let tail_levels = k.sel(k.lt_u(k.w(1), s.levels), k.shri(mode.tail_depth, 16), k.w(0));

    let [end, start] = [(); 2].map(|()| l.wide(k.d(0)));
    let [step_of, in_tail, tails] = [(); 3].map(|()| l.var(k.w(0)));
    let next = l.var(s.levels);
    l.repeat(|| {
        let n = k.sub(l.get(next), k.w(1));
        l.put(next, n);
        let (w, h) = (halved(&k, width, n), halved(&k, height, n));
        // Linear ones.
        let pitch = k.mul(s.pitch, s.bytes);
        let step = k.sel(k.nz(s.pitch), pitch, aligned(&k, k.mul(w, s.bytes), k.w(least)));
        let linear_size = product(&k, aligned(&k, step, k.w(256)), h);
        // Blocks.
        let (across, down) = (mode.blocks(&k, w, 0), mode.blocks(&k, h, 1));
        let size = k.shl_d(product(&k, across, down), mode.bytes(&k));
        let fits = k.negate(k.either(k.lt_u(k.zx16(mode.tail), w), k.lt_u(k.shri(mode.tail, 16), h)));
        let few = k.negate(k.lt_u(tail_levels, k.sub(s.levels, n)));
        let tail = k.both(k.both(fits, few), k.negate(linear));
        let last = k.eq(k.add(n, k.w(1)), s.levels);
        let of_tail = k.zext(k.sel(last, block, k.w(0)));
        let size = k.sel_d(tail, of_tail, k.sel_d(linear, linear_size, size));
        let row = k.sel(linear, step, k.shl(k.sel(tail, k.w(1), across), mode.bytes(&k)));
        // The one that is wanted.
        let here = k.eq(n, wanted);
        l.put_wide_if(here, start, k.sel_d(tail, k.d(0), l.get_wide(end)));
        l.put_if(here, step_of, row);
        l.put_if(here, in_tail, k.bit(tail));
        l.put(tails, k.add(l.get(tails), k.bit(tail)));
        l.put_wide(end, k.add_d(l.get_wide(end), size));
        k.nz(n)
    });
    let first = k.sub(s.levels, l.get(tails));
    let (from_last, behind) = (k.sub(k.shri(mode.tail_depth, 16), k.w(1)), k.sub(wanted, first));
    let n = k.sel(k.lt_u(from_last, behind), k.w(0), k.sub(from_last, behind));
    let moved = k.sel(k.nz(l.get(in_tail)), mode.place(l, n), k.w(0));
    let moved = if l.has(Fault::ImageTailInPlace) { k.w(0) } else { moved };
    let bits = mode.swizzle_bits(&k, linear);
    let place = Place {
        constant: k.and(k.shli(s.swizzle, 8), bits),
        moved,
        ..Place::linear(k.sel(linear, s.bytes, block), l.get(step_of), l.get_wide(end))
    };
    let own_pitch = k.both(k.lt_u(k.w(1), s.levels), k.nz(s.pitch));
    let refused_linear = k.either(k.nz(s.samples), own_pitch);
    let refused = k.either(k.both(linear, refused_linear), k.both(k.negate(linear), k.eq(row, k.w(0))));
    Laid { refused, start: l.get_wide(start), place: mode.inside(&k, linear, place), swizzle_bits: bits }
}

/// gfx9: all levels in one rectangle of blocks.
fn chain(l: &Lower<'_>, s: &Surface, tables: &Tables, wanted: Word) -> Laid {
    let k = l.alg(Word::Known(0));
    let linear = k.eq(s.mode, k.w(0));
    let at = s.row(l, tables);
    let mode = Mode::of(l, at);
    let sides = [s.elements(&k, s.width), s.elements(&k, s.height), s.depth];
    let thick = k.nz(k.mask(mode.flags, 2));
    let several = k.lt_u(k.w(1), s.levels);
    let up = |v: Word| halved(&k, v, k.w(1));
    let is = |v: Word, of: u32| k.eq(v, k.w(of));

    // Linear levels share a pitch.
    let own = k.both(k.negate(several), k.negate(is(s.bytes, 12)));
    let pitch = k.sel(own, k.mul(s.pitch, s.bytes), aligned(&k, k.mul(sides[0], s.bytes), k.w(256)));

    // All of them are in the tail.
    let limits = [k.zx16(mode.tail), k.shri(mode.tail, 16), k.zx16(mode.tail_depth)];
    let within = |n: usize| k.negate(k.lt_u(limits[n], sides[n]));
    let fits = k.both(k.both(within(0), within(1)), k.either(k.negate(thick), within(2)));
    let all_in_tail = k.both(fits, several);

    let [w, h, d] = [0, 1, 2].map(|n| mode.blocks(&k, sides[n as usize], n));
    let (low, deep) = (k.lt_u(w, h), |side: Word| k.lt_u(side, d));
    let z_major = k.both(thick, k.nz(k.sel(low, k.bit(deep(h)), k.bit(deep(w)))));
    let y_major = k.both(low, k.negate(z_major));
    // One level has no chain; its pitch is that of rows.
    let y_pitch = k.either(k.negate(several), y_major);
    // The descriptor has the side of the chain that levels make longer.
    let across = k.sel(y_pitch, mode.blocks(&k, s.pitch, 0), w);
    let height = k.sel(y_pitch, h, mode.blocks(&k, s.pitch, 1));

    // The walk, up to the level that is wanted.
    let place: [Id; 3] = [(); 3].map(|()| l.var(k.w(0)));
    let size = [l.var(w), l.var(h), l.var(d)];
    let tail_from = l.var(k.sel(all_in_tail, k.w(0), k.w(u32::MAX)));
    let at_level = l.var(k.w(1));
    let third = k.mask(k.shri(mode.flags, 2), 3);
    let more = |level: Word| k.both(k.lt_u(level, s.levels), k.negate(k.lt_u(wanted, level)));
    l.when(k.both(k.negate(all_in_tail), more(k.w(1))), || {
        l.repeat(|| {
            let level = l.get(at_level);
            let odd = k.either(is(level, 1), is(level, 3));
            // X, y or z.
            let along = k.sel(odd, k.sel(y_major, k.w(0), k.w(1)), {
                let not_y = k.sel(z_major, k.w(2), k.w(0));
                k.sel(y_major, k.w(1), not_y)
            });
            let now = size.map(|of| l.get(of));
            for (n, (place, now)) in (0..).zip(place.into_iter().zip(now)) {
                l.put(place, k.add(l.get(place), k.sel(is(along, n), now, k.w(0))));
            }
            let [a, b, c] = now;
            let most = |v: Word, most: u32| k.lt_u(v, k.w(most + 1));
            let flat = k.both(is(a, 1), most(b, 2));
            let by_third = [
                k.both(most(a, 2), k.both(is(b, 1), most(c, 2))),
                k.both(flat, most(c, 2)),
                k.both(most(a, 2), k.both(most(b, 2), is(c, 1))),
            ];
            let [zero, one, two] = by_third.map(|c| k.bit(c));
            let of_thick = k.sel(is(third, 0), zero, k.sel(is(third, 1), one, two));
            let ends = k.nz(k.sel(thick, of_thick, k.bit(flat)));
            l.put_if(ends, tail_from, level);
            for (size, now) in size.into_iter().zip(now) {
                l.put(size, up(now));
            }
            let next = k.add(level, k.w(1));
            l.put(at_level, next);
            k.both(k.negate(ends), more(next))
        });
    });
    let bytes = mode.bytes(&k);
    let row = k.shl(across, bytes);
    let slice = product(&k, row, height);
    let [x, y, z] = place.map(|of| l.get(of));
    let start = k.add_d(k.mul_d(k.zext(z), slice), product(&k, y, row));
    let start = k.add_d(start, k.shl_d(k.zext(x), bytes));
    let in_tail = k.negate(k.lt_u(wanted, l.get(tail_from)));
    let entry = k.sel(in_tail, mode.place(l, k.sub(wanted, l.get(tail_from))), k.w(0));
    let entry = if l.has(Fault::ImageTailInPlace) { k.w(0) } else { entry };
    let bits = mode.swizzle_bits(&k, linear);
    let constant = k.xor(k.and(k.shli(s.swizzle, 8), bits), entry);

    // Linear levels lie one behind the other.
    let [rows_before, rows] = [(); 2].map(|()| l.var(k.w(0)));
    l.when(linear, || {
        l.times(s.levels, |level| {
            let high = halved(&k, sides[1], level);
            l.put_if(k.lt_u(level, wanted), rows_before, k.add(l.get(rows_before), high));
            l.put(rows, k.add(l.get(rows), high));
        });
    });
    let linear_start = product(&k, l.get(rows_before), pitch);
    let linear_slice = product(&k, l.get(rows), pitch);
    let block = k.shl(k.w(1), bytes);
    let place = Place {
        constant,
        ..Place::linear(k.sel(linear, s.bytes, block), k.sel(linear, pitch, row), k.sel_d(linear, linear_slice, slice))
    };
    let small = k.both(k.negate(k.lt_u(k.w(8), bytes)), several);
    let refused_tiled = k.either(k.eq(at, k.w(0)), small);
    let refused = k.either(k.both(linear, k.nz(s.samples)), k.both(k.negate(linear), refused_tiled));
    let start = k.sel_d(linear, linear_start, start);
    Laid { refused, start, place: mode.inside(&k, linear, place), swizzle_bits: bits }
}
