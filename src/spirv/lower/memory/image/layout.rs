//! Where a texel lies: a T# taken apart on the device.
//!
//! [`LEVEL`] works out the numbers of one mip level of a view, as [`crate::memory::image::tiling`] describes them, and says whether the
//! descriptor can be followed at all; [`OFFSET`] goes from there to an address. The rows of modes and matrices come from the
//! [tables](crate::spirv::tables), the walk over the levels is written here, [by](super::levels) generation.

use super::super::Lower;
use super::super::helper::Helper;
use super::levels;
use crate::isa::sem::Alg;
use crate::isa::{Gen, Variants};
use crate::memory::image::Dim;
use crate::memory::image::fields::{Field, Fields};
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::tables::{self, COLUMNS, FORMAT, REFUSED, Tables, UNBOUND, format};

/// Eight words of a descriptor and the level: a [`Level`].
pub(super) const LEVEL: Helper = Helper { name: "image_level", results: Level::WORDS, body: level };
/// X, y, z, the sample, and a [`Level`]: the address (two) and the place in a block.
pub(super) const OFFSET: Helper = Helper { name: "image_offset", results: 3, body: offset };

/// A mip level of a view.
#[derive(Clone, Copy)]
pub(super) struct Level {
    /// [`UNBOUND`], [`REFUSED`] or 0.
    pub state: Word,
    /// The second word of the format.
    pub info: Word,
    /// The first one.
    pub widths: Word,
    /// Texels of a row; 0 where there is no such level.
    pub width: Word,
    pub height: Word,
    /// Slices, layers or faces.
    pub depth: Word,
    /// The first of them.
    pub first: Word,
    pub samples: Word,
    /// Levels of the view.
    pub levels: Word,
    /// Slices that a filter goes along: 1 but of volumes.
    pub axis_depth: Word,
    /// The address of the level.
    pub base: Pair,
    pub place: Place,
}

/// The numbers of a level, as [`crate::memory::image::tiling::Place`] has them.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// From block to block.
    pub step: Word,
    /// From row to row of blocks.
    pub row: Word,
    /// From slice to slice.
    pub slice: Pair,
    /// The logarithms of the sides and of the bytes of a block, a byte each.
    pub block: Word,
    /// Where the matrix is; 0: there is none.
    pub matrix: Word,
    /// XORed to offsets in a block.
    pub constant: Word,
    /// Added to x and y, a half each.
    pub moved: Word,
    /// Pipe and bank of the base address, what is added to them from slice to slice, and how many bits they have: up to gfx8.
    pub rotation: [Word; 2],
    /// From split to split: up to gfx8.
    pub split: Pair,
}

impl Place {
    /// Nothing inside of blocks.
    pub fn linear(step: Word, row: Word, slice: Pair) -> Place {
        const NO: Word = Word::Known(0);
        Place { step, row, slice, block: NO, matrix: NO, constant: NO, moved: NO, rotation: [NO; 2], split: (NO, NO) }
    }
}

impl Level {
    const WORDS: u32 = 24;

    pub fn words(&self) -> Vec<Word> {
        let Level { state, info, widths, width, height, depth, first, samples, levels, axis_depth, base, place } =
            *self;
        let Place { step, row, slice, block, matrix, constant, moved, rotation, split } = place;
        let own = [state, info, widths, width, height, depth, first, samples, levels, base.0, base.1];
        let more =
            [step, row, slice.0, slice.1, block, matrix, constant, moved, rotation[0], rotation[1], split.0, split.1];
        own.into_iter().chain(more).chain([axis_depth]).collect()
    }

    pub fn of(words: &[Word]) -> Level {
        let w = |n: usize| words[n];
        let place = Place {
            step: w(11),
            row: w(12),
            slice: (w(13), w(14)),
            block: w(15),
            matrix: w(16),
            constant: w(17),
            moved: w(18),
            rotation: [w(19), w(20)],
            split: (w(21), w(22)),
        };
        Level {
            state: w(0),
            info: w(1),
            widths: w(2),
            width: w(3),
            height: w(4),
            depth: w(5),
            first: w(6),
            samples: w(7),
            levels: w(8),
            axis_depth: w(23),
            base: (w(9), w(10)),
            place,
        }
    }

    /// A field of the format.
    pub fn format(&self, k: &Spirv<'_>, place: (u32, u32)) -> Word {
        part(k, self.info, place)
    }
}

/// Some bits of a word: the lowest and how many.
pub(in crate::spirv::lower::memory) fn part(k: &Spirv<'_>, word: Word, (low, count): (u32, u32)) -> Word {
    k.mask(k.shri(word, low), (1 << count) - 1)
}

/// A field of a descriptor, of 32 bits at most.
pub(in crate::spirv::lower::memory) fn field(
    k: &Spirv<'_>,
    generation: Gen,
    words: &[Word],
    field: impl Fields,
) -> Word {
    let mut low = 0;
    field.pieces(generation).into_iter().filter(|piece| piece.count > 0).fold(k.w(0), |v, piece| {
        let bits = part(k, words[usize::from(piece.word)], (piece.low.into(), piece.count.into()));
        let v = k.or(v, k.shli(bits, low));
        low += u32::from(piece.count);
        v
    })
}

/// Whether a dimension, by its number, is one of some.
pub(super) fn is_dim(k: &Spirv<'_>, dim: Word, of: impl Fn(Dim) -> bool) -> Truth {
    let bits = Dim::ALL.into_iter().filter(|dim| of(*dim)).fold(0u32, |all, dim| all | 1 << dim.number());
    k.nz(k.mask(k.shr(k.w(bits), dim), 1))
}

/// Rounded up to a multiple of a power of two.
pub(super) fn aligned(k: &Spirv<'_>, v: Word, to: Word) -> Word {
    let low = k.sub(to, k.w(1));
    k.and(k.add(v, low), k.not(low))
}

/// The quotient by a power of two, rounded up.
pub(super) fn halved(k: &Spirv<'_>, v: Word, by: Word) -> Word {
    k.shr(k.add(v, k.sub(k.shl(k.w(1), by), k.w(1))), by)
}

/// What the layout of an image depends on: see [`crate::memory::image::tiling::Surface`].
pub(super) struct Surface {
    pub mode: Word,
    pub volume: Truth,
    pub bytes: Word,
    /// As a logarithm.
    pub block: Word,
    /// As a logarithm.
    pub samples: Word,
    /// Texels.
    pub width: Word,
    pub height: Word,
    pub depth: Word,
    pub levels: Word,
    /// 0: none.
    pub pitch: Word,
    pub pow2pad: Truth,
    pub swizzle: Word,
}

impl Surface {
    /// Elements along a side.
    pub fn elements(&self, k: &Spirv<'_>, texels: Word) -> Word {
        halved(k, texels, self.block)
    }

    /// The row of the mode, or 0.
    pub fn row(&self, l: &Lower<'_>, tables: &Tables) -> Word {
        let k = l.alg(Word::Known(0));
        let size = k.sub(k.w(31), k.clz(self.bytes));
        let number = k.add(k.shli(self.mode, 1), k.bit(self.volume));
        let number = k.add(k.mul(number, k.w(tables::SIZES)), size);
        let number = k.add(k.mul(number, k.w(tables::SAMPLES)), self.samples);
        let row = l.looked_up(k.add(k.w(tables.modes), number));
        k.sel(k.eq(self.bytes, k.w(12)), k.w(0), row)
    }
}

/// What a walk over the levels gives.
pub(super) struct Laid {
    pub refused: Truth,
    pub start: Pair,
    pub place: Place,
    /// Bits of the base address that are no address.
    pub swizzle_bits: Word,
}

fn level(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (g, tables) = (l.generation(), Tables::of(&l.target));
    let get = |of: Field| field(&k, g, &a[..8], of);
    let one_more = |of: Field| k.add(get(of), k.w(1));
    let type_number = get(Field::Type);
    let dim = k.mask(type_number, 7);
    let is = |of: fn(Dim) -> bool| is_dim(&k, dim, of);
    let volume = is(|dim| dim == Dim::D3);

    let number = if g <= Gen::Gfx9 {
        k.or(get(Field::Format), k.shli(get(Field::NumFormat), 6))
    } else {
        k.mask(get(Field::Format), tables.format_count - 1)
    };
    let at = k.add(k.w(tables.formats), k.mul(number, k.w(FORMAT)));
    let (widths, info) = (l.looked_up(at), l.looked_up(k.add(at, k.w(1))));
    let bytes = part(&k, info, format::BYTES);

    // Levels, samples, sizes.
    let sampled = is(Dim::has_samples);
    let field_or_zero = |of| k.sel(sampled, k.w(0), get(of));
    let (base_level, last_level) = (field_or_zero(Field::BaseLevel), field_or_zero(Field::LastLevel));
    let samples = k.sel(sampled, k.min_u(get(Field::LastLevel), k.w(4)), k.w(0));
    let all_levels = if g <= Gen::Gfx8 { get(Field::LastLevel) } else { get(Field::MaxMip) };
    let all_levels = k.sel(sampled, k.w(1), k.add(all_levels, k.w(1)));
    let width = one_more(Field::Width);
    let rows = if g == Gen::Gfx9 { k.c(true) } else { is(Dim::has_rows) };
    let height = k.sel(rows, one_more(Field::Height), k.w(1));
    let knows_pitch = g >= Gen::Gfx11 || l.target.is(Variants::G1030);
    let plain = if knows_pitch { is(|dim| matches!(dim, Dim::D1 | Dim::D2 | Dim::Msaa)) } else { k.c(false) };
    let depth = k.sel(plain, k.w(1), one_more(Field::Depth));

    // Layers.
    let slices = k.both(volume, k.eq(get(Field::Slices), k.w(1)));
    let whole = k.both(volume, k.negate(slices));
    let first = k.sel(whole, k.w(0), get(Field::BaseArray));
    let below = k.sub(depth, k.w(1));
    let last_layer = if g <= Gen::Gfx8 { get(Field::LastArray) } else { below };
    let last = k.sel(is(Dim::has_layers), last_layer, k.sel(volume, below, first));

    let pitch = if g <= Gen::Gfx9 {
        one_more(Field::Pitch)
    } else {
        let own = k.or(get(Field::Depth), k.shli(get(Field::Pitch), Field::Depth.bits(g)));
        let own = k.add(own, k.w(1));
        k.sel(k.both(plain, k.lt_u(width, own)), own, k.w(0))
    };
    let surface_depth = if g <= Gen::Gfx8 {
        k.sel(is(|dim| dim == Dim::Cube), k.mul(depth, k.w(6)), depth)
    } else {
        k.sel(volume, depth, k.add(last, k.w(1)))
    };
    let surface = Surface {
        mode: get(Field::Mode),
        volume,
        bytes,
        block: part(&k, info, format::BLOCK),
        samples,
        width,
        height,
        depth: surface_depth,
        levels: all_levels,
        pitch,
        pow2pad: k.nz(get(Field::Pow2Pad)),
        swizzle: a[0],
    };
    let wanted = k.add(base_level, if l.has(Fault::ImageLevelIgnored) { k.w(0) } else { a[8] });
    let laid = levels::walk(l, &surface, &tables, wanted);

    // What there is, and what is refused.
    let most = |v: Word, most: u32| k.lt_u(k.w(most), v);
    let beyond = k.either(most(samples, 3), k.either(most(surface_depth, 1 << 14), most(all_levels, 16)));
    let refused = k.either(beyond, laid.refused);
    let of_format = part(&k, info, format::STATE);
    let state = k.sel(k.nz(of_format), of_format, k.sel(refused, k.w(REFUSED), k.w(0)));
    let compressed = if g >= Gen::Gfx8 { k.nz(get(Field::Compressed)) } else { k.c(false) };
    let no_image = k.either(k.lt_u(type_number, k.w(8)), compressed);
    let state = k.sel(no_image, k.w(REFUSED), state);
    let any = a[..8].iter().fold(k.w(0), |all, word| k.or(all, *word));
    let state = k.sel(k.nz(any), state, k.w(UNBOUND));

    let end = k.min_u(k.add(last_level, k.w(1)), all_levels);
    let count = k.sel(k.lt_u(base_level, end), k.sub(end, base_level), k.w(0));
    let there = k.both(k.lt_u(a[8], count), k.eq(state, k.w(0)));
    let minified = |side: Word| k.max_u(k.shr(side, k.min_u(wanted, k.w(31))), k.w(1));
    let layers = k.add(k.sub(last, first), k.w(1));
    let layers = k.sel(k.lt_u(last, first), k.w(0), layers);
    let bits = k.not(laid.swizzle_bits);
    let address = (k.and(k.shli(a[0], 8), bits), k.or(k.shri(a[0], 24), k.shli(k.mask(a[1], 0xff), 8)));
    Level {
        state,
        info,
        widths,
        width: k.sel(there, minified(width), k.w(0)),
        height: k.sel(there, minified(height), k.w(0)),
        depth: k.sel(whole, minified(depth), layers),
        first,
        samples: k.shl(k.w(1), samples),
        levels: k.sel(k.eq(state, k.w(0)), count, k.w(0)),
        axis_depth: k.sel(k.both(there, volume), k.sel(slices, depth, minified(depth)), k.w(1)),
        base: k.add_d(address, laid.start),
        place: laid.place,
    }
    .words()
}

/// What is XORed to offsets in the blocks of a slice group, up to gfx8.
fn turned(k: &Spirv<'_>, rotation: [Word; 2], group: Word) -> Word {
    let byte = |word: Word, n: u32| k.mask(k.shri(word, 8 * n), 0xff);
    let [start, [pipe_step, bank_step, pipes, banks]] =
        [[byte(rotation[0], 0), byte(rotation[0], 1), k.w(0), k.w(0)], [0, 1, 2, 3].map(|n| byte(rotation[1], n))];
    let steps = k.mul(pipe_step, group);
    let below = |bits: Word| k.sub(k.shl(k.w(1), bits), k.w(1));
    let pipe = k.and(k.add(start[0], steps), below(pipes));
    let bank = k.add(k.add(start[1], k.mul(bank_step, group)), k.shr(steps, pipes));
    let bank = k.and(bank, below(banks));
    k.shli(k.or(pipe, k.shl(bank, pipes)), 8)
}

/// The product of the matrix and the bits of the coordinates: the XOR of the columns of those that are set.
fn product(l: &Lower<'_>, matrix: Word, [x, y, z, sample]: [Word; 4]) -> Word {
    let k = l.alg(Word::Known(0));
    let [wide, high, deep, samples] = COLUMNS.map(|count| (1 << count) - 1);
    let y_at = COLUMNS[0];
    let z_at = y_at + COLUMNS[1];
    let low = k.or(k.or(k.mask(x, wide), k.shli(k.mask(y, high), y_at)), k.shli(k.mask(z, deep), z_at));
    let rest = l.wide((low, k.mask(sample, samples)));
    let sum = l.var(k.w(0));
    l.when(k.both(k.nz(matrix), k.nz_d(l.get_wide(rest))), || {
        l.repeat(|| {
            let bits = l.get_wide(rest);
            let column = l.looked_up(k.add(matrix, k.ctz_d(bits)));
            l.put(sum, k.xor(l.get(sum), column));
            let bits = k.and_d(bits, k.sub_d(bits, k.d(1)));
            l.put_wide(rest, bits);
            k.nz_d(bits)
        });
    });
    l.get(sum)
}

fn offset(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let level = Level::of(&a[4..]);
    let p = &level.place;
    let (texel_x, texel_y) = (a[0], a[1]);
    let block = level.format(&k, format::BLOCK);
    let inside = k.sub(k.shl(k.w(1), block), k.w(1));
    let texel = k.or(k.and(texel_x, inside), k.shli(k.and(texel_y, inside), 2));
    let x = k.add(k.shr(texel_x, block), k.zx16(p.moved));
    let y = k.add(k.shr(texel_y, block), k.shri(p.moved, 16));
    let z = k.add(a[2], level.first);
    let byte = |n: u32| k.mask(k.shri(p.block, 8 * n), 0xff);
    let blocks = [k.shr(x, byte(0)), k.shr(y, byte(1)), k.shr(z, byte(2))];
    let m = product(l, p.matrix, [x, y, z, a[3]]);
    let below = k.sub(k.shl(k.w(1), byte(3)), k.w(1));
    let mut within = k.xor(k.and(m, below), p.constant);
    if l.has(Fault::ImageConstantAdded) {
        within = k.add(k.and(m, below), p.constant);
    }
    let times = |n: Word, by: Word| k.mul_d(k.zext(n), k.zext(by));
    let mut at = k.add_d(level.base, times(blocks[0], p.step));
    at = k.add_d(at, times(blocks[1], p.row));
    at = k.add_d(at, k.mul_d(k.zext(blocks[2]), p.slice));
    if l.generation() <= Gen::Gfx8 {
        let turned = if l.has(Fault::ImageRotationLost) { k.w(0) } else { turned(&k, p.rotation, blocks[2]) };
        within = k.xor(within, turned);
        at = k.add_d(at, k.mul_d(k.zext(k.shr(m, byte(3))), p.split));
    }
    at = k.add_d(at, k.zext(within));
    vec![at.0, k.zx16(at.1), texel]
}
