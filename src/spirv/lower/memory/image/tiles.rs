//! The levels of gfx6 to gfx8, whose modes are entries of a table of tiles.

use super::super::Lower;
use super::layout::{Laid, Place, Surface, aligned, part};
use super::levels::product;
use crate::isa::Gen;
use crate::isa::sem::Alg;
use crate::spirv::alg::Word;
use crate::spirv::tables::{SAMPLES, SIZES, Tables, VARIANTS, tile, variant};

/// gfx6 to gfx8: each level behind the one before it, padded to powers of two.
pub(super) fn tiles(l: &Lower<'_>, s: &Surface, tables: &Tables, wanted: Word) -> Laid {
    let k = l.alg(Word::Known(0));
    let base = l.looked_up(k.add(k.w(tables.tiles), s.mode));
    let known = k.nz(k.mask(base, 1));
    let array = part(&k, base, (4, 4));
    let thickness = k.shri(base, 8);
    let is = |v: Word, of: u32| k.eq(v, k.w(of));
    let linear = is(array, 0);
    let power = |v: Word| {
        let below = k.sub(v, k.w(1));
        k.sel(k.lt_u(v, k.w(2)), k.w(1), k.shl(k.w(1), k.sub(k.w(32), k.clz(below))))
    };
    let size = k.sub(k.w(31), k.clz(s.bytes));
    let first_row = k.add(k.mul(s.mode, k.w(SIZES)), size);
    let first_row = k.mul(k.add(k.mul(first_row, k.w(SAMPLES)), s.samples), k.w(VARIANTS));
    let no_row = is(s.bytes, 12);
    let row_of = |variant: Word| {
        let row = l.looked_up(k.add(k.add(k.w(tables.modes), first_row), variant));
        k.sel(no_row, k.w(0), row)
    };

    let [end, start, slice_of, split_of] = [(); 4].map(|()| l.wide(k.d(0)));
    let [refused, base_pitch, row_bytes, block_of, matrix_of, rotation_0, rotation_1, bits] =
        [(); 8].map(|()| l.var(k.w(0)));
    l.times(s.levels, |level| {
        let zero = is(level, 0);
        // The sides before they are padded.
        let pad = |side: Word| k.sel(s.pow2pad, power(side), side);
        let side = |texels: Word| power(s.elements(&k, k.max_u(k.shr(texels, level), k.w(1))));
        let slices = k.sel(s.volume, k.max_u(k.shr(s.depth, level), k.w(1)), s.depth);
        let pitch = k.sel(zero, s.elements(&k, s.pitch), side(l.get(base_pitch)));
        let height = k.sel(zero, pad(s.elements(&k, s.height)), side(s.height));
        let slices = k.sel(zero, pad(s.depth), power(slices));

        // The tile mode of the level.
        let macro_tiles = k.either(is(array, 2), is(array, 3));
        let thin = if l.generation() == Gen::Gfx6 {
            let thinner = k.sel(k.lt_u(slices, k.w(4)), k.w(variant(2, false)), k.w(variant(1, false)));
            k.sel(k.both(k.lt_u(slices, thickness), k.negate(zero)), thinner, k.w(0))
        } else {
            k.w(0)
        };
        let own = row_of(thin);
        let tile_word = |row: Word, n: u32| l.looked_up(k.add(row, k.w(n)));
        let own_block = tile_word(own, tile::BLOCK);
        let large = |side: Word, axis: u32| {
            let log2 = part(&k, own_block, (8 * axis, 8));
            k.negate(k.lt_u(side, k.shl(k.w(1), log2)))
        };
        let small = k.nz(part(&k, tile_word(own, tile::FLAGS), (4, 4)));
        let fits = k.both(k.both(large(pitch, 0), large(height, 1)), k.both(k.nz(own), k.negate(small)));
        let simple = k.both(k.both(macro_tiles, k.negate(zero)), k.negate(fits));
        let row = k.sel(simple, row_of(k.add(thin, k.w(1))), own);
        let row = k.sel(linear, k.w(0), row);
        let (block, flags, matrix) =
            (tile_word(row, tile::BLOCK), tile_word(row, tile::FLAGS), tile_word(row, tile::MATRIX));
        let [block, flags, matrix] = [block, flags, matrix].map(|v| k.sel(linear, k.w(0), v));
        let nibble = |n: u32| part(&k, flags, (4 * n, 4));
        let log2 = |n: u32| part(&k, block, (8 * n, 8));
        let missing = k.sel(linear, k.bit(k.nz(s.samples)), k.bit(k.eq(row, k.w(0))));
        l.put(refused, k.or(l.get(refused), missing));

        // Padded: linear rows to 64 bytes and levels to 256 bytes, others to whole blocks.
        let linear_step = k.sel(is(s.bytes, 12), k.w(16), {
            let of = |bytes: u32| k.max_u(k.shr(k.w(bytes), size), k.w(8));
            let alone = k.both(is(s.levels, 1), is(s.block, 0));
            k.sel(alone, of(256), of(64))
        });
        let whole = k.sel(is(s.bytes, 12), k.w(64), k.max_u(k.shr(k.w(256), size), k.w(64)));
        // Heights are powers of two there.
        let rest = k.shr(whole, k.min_u(k.ctz(height), k.w(31)));
        let linear_pitch = aligned(&k, pitch, k.max_u(linear_step, k.max_u(rest, k.w(1))));
        let linear_pitch = k.sel(zero, pitch, linear_pitch);
        let to_block = |side: Word, n: u32| aligned(&k, side, k.shl(k.w(1), log2(n)));
        let (tile_pitch, tile_height) = (to_block(pitch, 0), to_block(height, 1));
        // Simple tiles: a row of them has a multiple of 256 bytes; it has 64 for each byte, slice, column and row.
        let quarters = k.mask(k.mul(k.shri(tile_height, 3), k.shl(s.bytes, log2(2))), 3);
        let columns = k.sel(is(quarters, 0), k.w(8), k.sel(is(quarters, 2), k.w(16), k.w(32)));
        let padded = aligned(&k, tile_pitch, columns);
        let tile_pitch = k.sel(is(nibble(0), 1), padded, tile_pitch);
        let pitch = k.sel(linear, linear_pitch, tile_pitch);
        let height = k.sel(linear, height, tile_height);
        let slices = k.sel(linear, slices, to_block(slices, 2));

        // The numbers.
        let row_size = k.sel(linear, k.mul(pitch, s.bytes), k.shl(k.shr(pitch, log2(0)), k.shri(block, 24)));
        let slice = product(&k, row_size, k.shr(height, log2(1)));
        let (pipes, banks) = (nibble(2), nibble(3));
        let turns = k.either(is(nibble(0), 2), is(nibble(0), 3));
        let below = |bits: Word| k.sub(k.shl(k.w(1), bits), k.w(1));
        let pipe = k.and(s.swizzle, below(pipes));
        let bank = k.and(k.shr(s.swizzle, pipes), below(banks));
        let half = |bits: Word| k.shri(k.shl(k.w(1), bits), 1);
        let less = |v: Word| k.sel(k.nz(v), k.sub(v, k.w(1)), k.w(0));
        let pipe_step = k.sel(is(nibble(0), 3), k.max_u(less(half(pipes)), k.w(1)), k.w(0));
        let bank_step = k.sel(is(nibble(0), 2), k.sub(half(banks), k.w(1)), k.w(0));
        let bytes = |of: [Word; 4]| (0..).zip(of).fold(k.w(0), |all, (n, v)| k.or(all, k.shli(v, 8 * n)));
        let turning = |v: Word| k.sel(turns, v, k.w(0));
        let start_of = turning(bytes([pipe, bank, k.w(0), k.w(0)]));
        let steps = turning(bytes([pipe_step, k.mask(bank_step, 0xff), pipes, banks]));
        l.put_if(zero, bits, turning(k.shli(below(k.add(pipes, banks)), 8)));
        l.put_if(zero, base_pitch, k.shl(pitch, s.block));

        // Where it begins.
        let to = k.max_u(k.shl(k.w(1), k.shri(block, 24)), k.w(256));
        let low = k.sub(to, k.w(1));
        let begin = k.add_d(l.get_wide(end), k.zext(low));
        let begin = (k.and(begin.0, k.not(low)), begin.1);
        let area = k.mul_d(product(&k, pitch, height), k.zext(slices));
        let bytes_of_level = k.shl_d(k.mul_d(area, k.zext(s.bytes)), s.samples);
        l.put_wide(end, k.add_d(begin, bytes_of_level));

        let here = k.eq(level, wanted);
        l.put_wide_if(here, start, begin);
        l.put_wide_if(here, slice_of, k.shl_d(slice, nibble(4)));
        l.put_wide_if(here, split_of, slice);
        for (to, v) in
            [(row_bytes, row_size), (block_of, block), (matrix_of, matrix), (rotation_0, start_of), (rotation_1, steps)]
        {
            l.put_if(here, to, v);
        }
    });
    let block = l.get(block_of);
    let place = Place {
        block,
        matrix: l.get(matrix_of),
        rotation: [l.get(rotation_0), l.get(rotation_1)],
        split: l.get_wide(split_of),
        ..Place::linear(
            k.sel(linear, s.bytes, k.shl(k.w(1), k.shri(block, 24))),
            l.get(row_bytes),
            l.get_wide(slice_of),
        )
    };
    let refused = k.either(k.negate(known), k.nz(l.get(refused)));
    Laid { refused, start: l.get_wide(start), place, swizzle_bits: l.get(bits) }
}
