//! Texels of blocks of 4x4: BC1 to BC7.
//!
//! What a texel of a block amounts to is the element of a plain format, bytes or halves, which goes on as such; only the single components
//! of BC4 and BC5 are values by themselves. See [`crate::memory::image::format`] for where the figures come from; here they are in
//! [tables](crate::spirv::tables).

use super::super::Lower;
use super::super::convert::{magnitude, pick, with_sign};
use super::super::helper::Helper;
use super::layout::part;
use crate::isa::sem::Alg;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::tables::Tables;
use rspirv::spirv::Op;

/// Which of the codings, whether it is signed (or sRGB, which does not matter here), the place of the texel, the block: two words.
pub(super) const BLOCK: Helper = Helper { name: "image_block", results: 2, body: block };
/// Eight bytes, whether they are signed, the place: 64 times the value of a block of one component.
const SINGLE: Helper = Helper { name: "image_block_single", results: 1, body: single };

/// A block, and where to look things up.
struct Block<'a> {
    k: Spirv<'a>,
    words: [Word; 4],
}

impl Block<'_> {
    /// Some of its bits, 31 at most.
    fn bits(&self, at: Word, count: Word) -> Word {
        let k = &self.k;
        let n = k.shri(at, 5);
        let word = |n: Word| k.sel(k.lt_u(n, k.w(4)), pick(k, &self.words, n), k.w(0));
        let both = (word(n), word(k.add(n, k.w(1))));
        k.and(k.shr_d(both, k.mask(at, 31)).0, below(k, count))
    }
}

/// So many bits.
fn below(k: &Spirv<'_>, count: Word) -> Word {
    k.sub(k.shl(k.w(1), count), k.w(1))
}

/// The value between two, by a weight of 64ths: 64 times as much.
fn between(k: &Spirv<'_>, a: Word, b: Word, weight: Word) -> Word {
    k.add(k.mul(k.sub(k.w(64), weight), a), k.mul(weight, b))
}

fn rounded(k: &Spirv<'_>, v: Word) -> Word {
    k.sari(k.add(v, k.w(32)), 6)
}

fn signed_field(k: &Spirv<'_>, v: Word, width: Word) -> Word {
    let by = k.sub(k.w(32), width);
    k.sar(k.shl(v, by), by)
}

/// The division of a block into subsets.
struct Division {
    subsets: Word,
    partition: Word,
}

impl Division {
    fn has(&self, k: &Spirv<'_>, subsets: u32) -> Truth {
        k.eq(self.subsets, k.w(subsets))
    }

    fn subset(&self, l: &Lower<'_>, tables: &Tables, texel: Word) -> Word {
        let k = l.alg(Word::Known(0));
        let row = |n: u32| l.looked_up(k.add(k.w(tables.partitions + 64 * n), self.partition));
        let two = k.mask(k.shr(row(0), texel), 1);
        let three = k.mask(k.shr(row(1), k.shli(texel, 1)), 3);
        k.sel(self.has(&k, 1), k.w(0), k.sel(self.has(&k, 2), two, three))
    }

    /// The index of a texel, of indices that begin at a bit.
    fn index(&self, l: &Lower<'_>, tables: &Tables, block: &Block<'_>, (at, width): (Word, Word), texel: Word) -> Word {
        let k = l.alg(Word::Known(0));
        let row = l.looked_up(k.add(k.w(tables.partitions + 128), self.partition));
        let byte = |n: u32| k.mask(k.shri(row, 8 * n), 0xff);
        let none = k.w(16);
        let second = k.sel(self.has(&k, 1), none, k.sel(self.has(&k, 2), byte(0), byte(1)));
        let third = k.sel(self.has(&k, 3), byte(2), none);
        let is = |of: Word| k.bit(k.eq(texel, of));
        let after = |of: Word| k.bit(k.lt_u(of, texel));
        let before = k.add(after(k.w(0)), k.add(after(second), after(third)));
        let anchor = k.or(is(k.w(0)), k.or(is(second), is(third)));
        block.bits(k.add(at, k.sub(k.mul(width, texel), before)), k.sub(width, anchor))
    }
}

/// The weight of an index of so many bits.
fn weight(l: &Lower<'_>, tables: &Tables, index: Word, width: Word) -> Word {
    let k = l.alg(Word::Known(0));
    let first = k.sub(k.shl(k.w(1), width), k.w(4));
    l.looked_up(k.add(k.w(tables.weights), k.add(first, index)))
}

fn block(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (coding, texel) = (a[0], a[2]);
    let is = |n: u32| k.eq(coding, k.w(n));
    let results = [l.var(k.w(0)), l.var(k.w(0))];
    let put = |[x, y]: [Word; 2]| {
        l.put(results[0], x);
        l.put(results[1], y);
    };
    let low = (a[3], a[4]);
    let high = (a[5], a[6]);
    let colored = k.lt_u(coding, k.w(4));
    l.when(k.lt_u(coding, k.w(6)), || {
        // BC1 to BC3 have a colour, BC3 to BC5 blocks of one component.
        let by_itself = is(1);
        let color = color(&k, k.sel_d(by_itself, low, high), texel, by_itself);
        let signed = k.sel(colored, k.w(0), a[1]);
        let first = l.call(SINGLE, 0, &[low.0, low.1, signed, texel])[0];
        let second = l.call(SINGLE, 0, &[high.0, high.1, signed, texel])[0];
        let explicit = k.mul(k.mask(k.shr_d(low, k.shli(texel, 2)).0, 15), k.w(17));
        let opaque = k.mask(color, 0xff_ffff);
        let with = |alpha: Word| k.or(opaque, k.shli(alpha, 24));
        let color = k.sel(by_itself, color, k.sel(is(2), with(explicit), with(rounded(&k, first))));
        put([k.sel(colored, color, first), k.sel(colored, k.w(0), k.sel(is(5), second, k.w(0)))]);
    });
    l.when(is(6), || put(halves(l, k.nz(a[1]), texel, [a[3], a[4], a[5], a[6]])));
    l.when(is(7), || put([bytes(l, texel, [a[3], a[4], a[5], a[6]]), k.w(0)]));
    results.map(|v| l.get(v)).to_vec()
}

/// The colour of a texel of BC1 to BC3, as four bytes.
fn color(k: &Spirv<'_>, block: Pair, texel: Word, by_itself: Truth) -> Word {
    let (first, second) = (k.zx16(block.0), k.shri(block.0, 16));
    let three = k.both(by_itself, k.negate(k.lt_u(second, first)));
    let code = k.mask(k.shr(block.1, k.shli(texel, 1)), 3);
    let is = |n: u32| k.eq(code, k.w(n));
    let far = k.sel(three, k.w(32), k.sel(is(2), k.w(21), k.w(43)));
    let weight = k.sel(is(0), k.w(0), k.sel(is(1), k.w(64), far));
    let expanded = |color: Word, low: u32, width: u32| {
        let v = part(k, color, (low, width));
        k.or(k.shli(v, 8 - width), k.shri(v, 2 * width - 8))
    };
    let channel = |low: u32, width: u32| {
        rounded(k, between(k, expanded(first, low, width), expanded(second, low, width), weight))
    };
    let (r, g, b) = (channel(11, 5), channel(5, 6), channel(0, 5));
    let opaque = k.or(k.or(r, k.shli(g, 8)), k.or(k.shli(b, 16), k.w(0xff << 24)));
    k.sel(k.both(three, is(3)), k.w(0), opaque)
}

fn single(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (signed, texel) = (k.nz(a[2]), a[3]);
    // The lowest number is another name for the next one.
    let end = |byte: Word| k.sel(signed, k.max_s(k.sx(byte, 8), k.w(-127i32 as u32)), k.mask(byte, 0xff));
    let (x, y) = (end(a[0]), end(k.shri(a[0], 8)));
    let descending = k.lt_s(y, x);
    let at = k.add(k.mul(texel, k.w(3)), k.w(16));
    let code = k.mask(k.shr_d((a[0], a[1]), at).0, 7);
    let choose = |all: [u32; 8]| pick(&k, &all.map(|v| k.w(v)), code);
    let sevenths = choose([0, 64, 9, 18, 27, 37, 46, 55]);
    let fifths = choose([0, 64, 13, 26, 38, 51, 0, 0]);
    let mean = between(&k, x, y, k.sel(descending, sevenths, fifths));
    let lowest = k.sel(signed, k.w(-64i32.wrapping_mul(127) as u32), k.w(0));
    let highest = k.sel(signed, k.w(64 * 127), k.w(64 * 255));
    let outer = k.sel(k.eq(code, k.w(6)), lowest, highest);
    let extreme = k.both(k.negate(descending), k.lt_u(k.w(5), code));
    vec![k.sel(extreme, outer, mean)]
}

/// A sum of 14 bits over its largest, correctly rounded.
pub(super) fn quotient(l: &Lower<'_>, sum: Word, signed: Truth) -> Word {
    let k = l.alg(Word::Known(0));
    let by = k.sel(signed, k.w(64 * 127), k.w(64 * 255));
    let (negative, mut rest) = magnitude(&k, sum);
    // 17 bits at a time: 51 behind the point.
    let mut all = k.d(0);
    for _ in 0..3 {
        let n = k.id(k.shli(rest, 17));
        let [q, r] = [Op::UDiv, Op::UMod].map(|op| Word::Id(l.m.word_op(op, &[n, k.id(by)])));
        all = k.add_d(k.shl_d(all, k.w(17)), k.zext(q));
        rest = r;
    }
    let zeros = k.clz_d(all);
    let top = k.shl_d(all, zeros);
    // 24 bits, and what is behind them.
    let behind = k.either(k.nz(k.mask(top.1, 0x7f)), k.nz(k.or(top.0, rest)));
    let half = k.nz(k.mask(top.1, 0x80));
    let odd = k.nz(k.mask(top.1, 0x100));
    let up = k.bit(k.both(half, k.either(behind, odd)));
    let exponent = k.sub(k.w(127 + 63 - 51), zeros);
    let v = k.add(k.or(k.shli(exponent, 23), k.mask(k.shri(top.1, 8), 0x7f_ffff)), up);
    let v = k.sel(k.nz_d(all), v, k.w(0));
    with_sign(&k, negative, v)
}

/// A texel of BC7, as four bytes.
fn bytes(l: &Lower<'_>, texel: Word, words: [Word; 4]) -> Word {
    let k = l.alg(Word::Known(0));
    let tables = Tables::of(&l.target);
    let block = Block { k: l.alg(Word::Known(0)), words };
    let number = k.ctz(k.or(k.mask(words[0], 0xff), k.w(1 << 8)));
    let known = k.lt_u(number, k.w(8));
    let row = k.add(k.w(tables.modes_of_7), k.shli(k.min_u(number, k.w(7)), 1));
    let (counts, lowest) = (l.looked_up(row), l.looked_up(k.add(row, k.w(1))));
    let count = |n: u32| part(&k, counts, (4 * n, 4));
    let (subsets, color, alpha) = (count(0), count(4), count(5));
    let (each_end, each_subset) = (k.nz(k.mask(lowest, 1)), k.nz(k.mask(lowest, 2)));

    let mut at = k.add(number, k.w(1));
    let mut take = |count: Word| {
        let v = block.bits(at, count);
        at = k.add(at, count);
        v
    };
    let partition = take(count(1));
    let rotation = take(count(2));
    let selection = k.nz(take(count(3)));
    let division = Division { subsets, partition };
    let ends = k.shli(subsets, 1);
    let lowest_at = k.add(at, k.mul(ends, k.add(k.mul(color, k.w(3)), alpha)));
    let extras = k.sel(each_end, ends, k.sel(each_subset, subsets, k.w(0)));
    let indices = k.add(lowest_at, extras);
    let extra = k.either(each_end, each_subset);

    let subset = division.subset(l, &tables, texel);
    let (width, second_width) = (count(6), count(7));
    let first = division.index(l, &tables, &block, (indices, width), texel);
    let behind = k.sub(k.add(indices, k.shli(width, 4)), subsets);
    let second = division.index(l, &tables, &block, (behind, second_width), texel);
    let two = k.nz(second_width);
    let weights = [
        weight(l, &tables, first, width),
        weight(l, &tables, k.sel(two, second, first), k.sel(two, second_width, width)),
    ];
    let swap = k.both(two, selection);
    let of_color = k.sel(swap, weights[1], weights[0]);
    let of_alpha = k.sel(swap, weights[0], weights[1]);

    let end = |component: u32, which: u32| {
        let number = k.add(k.shli(subset, 1), k.w(which));
        let width = if component == 3 { alpha } else { color };
        let before = k.mul(k.mul(ends, k.w(component)), color);
        let v = block.bits(k.add(at, k.add(before, k.mul(number, width))), width);
        let bit = block.bits(k.add(lowest_at, k.sel(each_end, number, subset)), k.w(1));
        let v = k.sel(extra, k.or(k.shli(v, 1), bit), v);
        let width = k.add(width, k.bit(extra));
        // Top bits fill the bits below.
        k.or(k.shl(v, k.sub(k.w(8), width)), k.shr(v, k.sub(k.shli(width, 1), k.w(8))))
    };
    let value = |component: u32, weight: Word| rounded(&k, between(&k, end(component, 0), end(component, 1), weight));
    let [x, y, z] = [0, 1, 2].map(|component| value(component, of_color));
    let w = k.sel(k.nz(alpha), value(3, of_alpha), k.w(255));
    let turned = |v: Word, n: u32| k.sel(k.eq(rotation, k.w(n)), w, v);
    let (r, g, b) = (turned(x, 1), turned(y, 2), turned(z, 3));
    let by_rotation = [w, x, y, z];
    let a = pick(&k, &by_rotation, rotation);
    let all = k.or(k.or(r, k.shli(g, 8)), k.or(k.shli(b, 16), k.shli(a, 24)));
    k.sel(known, all, k.w(0))
}

/// A texel of BC6, as three halves.
fn halves(l: &Lower<'_>, signed: Truth, texel: Word, words: [Word; 4]) -> [Word; 2] {
    let k = l.alg(Word::Known(0));
    let tables = Tables::of(&l.target);
    let block = Block { k: l.alg(Word::Known(0)), words };
    let short = k.mask(words[0], 3);
    let long = k.mask(words[0], 31);
    let is_short = k.lt_u(short, k.w(2));
    let row = k.add(k.w(tables.modes_of_6), k.shli(k.sel(is_short, short, long), 1));
    let (info, fields) = (l.looked_up(row), l.looked_up(k.add(row, k.w(1))));
    let get = |low: u32, count: u32| part(&k, info, (low, count));
    let (known, differences, two) = (k.nz(get(0, 1)), k.nz(get(1, 1)), k.nz(get(2, 1)));
    let width = get(4, 5);

    let ends = [(); 12].map(|()| l.var(k.w(0)));
    let at = l.var(k.sel(is_short, k.w(2), k.w(5)));
    l.when(known, || {
        l.times(get(24, 6), |n| {
            let field = l.looked_up(k.add(fields, n));
            let (component, low, count) = (part(&k, field, (0, 4)), part(&k, field, (4, 5)), part(&k, field, (9, 5)));
            let taken = block.bits(l.get(at), count);
            let reversed = k.shr(k.brev(taken), k.sub(k.w(32), count));
            let v = k.shl(k.sel(k.nz(part(&k, field, (14, 1))), reversed, taken), low);
            for (n, end) in (0..).zip(ends) {
                l.put(end, k.or(l.get(end), k.sel(k.eq(component, k.w(n)), v, k.w(0))));
            }
            l.put(at, k.add(l.get(at), count));
        });
    });
    let subsets = k.sel(two, k.w(2), k.w(1));
    let partition = k.sel(two, block.bits(l.get(at), k.w(5)), k.w(0));
    let indices = k.add(l.get(at), k.sel(two, k.w(5), k.w(0)));
    let division = Division { subsets, partition };
    let index_width = k.sel(two, k.w(3), k.w(4));
    let index = division.index(l, &tables, &block, (indices, index_width), texel);
    let weight = weight(l, &tables, index, index_width);
    let second = k.nz(division.subset(l, &tables, texel));

    let ends = ends.map(|end| l.get(end));
    let end = |which: usize, component: usize| {
        let own = |number: usize| {
            let value = ends[3 * number + component];
            if number == 0 {
                return value;
            }
            let difference = signed_field(&k, value, get(12 + 4 * component as u32, 4));
            let sum = k.and(k.add(ends[component], difference), below(&k, width));
            k.sel(differences, sum, value)
        };
        let value = k.sel(second, own(2 + which), own(which));
        stretched(&k, k.sel(signed, signed_field(&k, value, width), value), width, signed)
    };
    let half = |component: usize| {
        let v = rounded(&k, between(&k, end(0, component), end(1, component), weight));
        let negative = k.both(signed, k.lt_s(v, k.w(0)));
        let magnitude = k.mul(k.sel(negative, k.sub(k.w(0), v), v), k.w(31));
        let scaled = k.sel(signed, k.shri(magnitude, 5), k.shri(magnitude, 6));
        k.sel(known, k.zx16(k.or(scaled, k.sel(negative, k.w(0x8000), k.w(0)))), k.w(0))
    };
    [k.or(half(0), k.shli(half(1), 16)), half(2)]
}

/// An end point stretched to 16 bits, or to 15 and a sign.
fn stretched(k: &Spirv<'_>, value: Word, width: Word, signed: Truth) -> Word {
    let (negative, magnitude) = magnitude(k, value);
    let sign = k.bit(signed);
    let all = k.sel(signed, k.w(0x7fff), k.w(0xffff));
    let top = below(k, k.sub(width, sign));
    let scaled = k.shr(k.add(k.shli(magnitude, 15), k.w(0x4000)), k.sub(width, k.w(1)));
    let v = k.sel(k.lt_u(magnitude, top), scaled, all);
    let v = k.sel(k.nz(magnitude), v, k.w(0));
    let wide = k.negate(k.lt_u(width, k.add(k.w(15), sign)));
    let v = k.sel(wide, magnitude, v);
    k.sel(negative, k.sub(k.w(0), v), v)
}
