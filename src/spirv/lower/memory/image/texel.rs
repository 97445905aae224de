//! From a texel's place to its components, and back.
//!
//! Fields go the way of [buffer formats](super::super::convert); what images alone have is here: the curve of sRGB from tables, a shared
//! exponent, depth with stencil. What a texel is made of is written once a module, and lanes, samples and filters call it.

use super::super::Lower;
use super::super::components::{is_integer, selected};
use super::super::convert::{COMPONENTS, ELEMENT, pick};
use super::super::formatted::bits_of;
use super::super::guest::Found;
use super::super::helper::Helper;
use super::super::lanes::Fault;
use super::block::{BLOCK, quotient};
use super::layout::{Level, OFFSET, part};
use crate::isa::sem::Alg;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::state::trap;
use crate::spirv::tables::{Tables, coding, format};

/// Whether it is wanted, x, y, z, the sample, DST_SEL, and a [`Level`]: how it failed (a [`trap`], or 0), where (two), and four
/// components, as registers have them.
const TEXEL: Helper = Helper { name: "image_texel", results: 7, body: texel };
/// The components of an element: the words of its format, its place in a block, its words.
const DECODE: Helper = Helper { name: "image_decode", results: 4, body: decode };
/// The words of an element: the words of its format, its components.
const ENCODE: Helper = Helper { name: "image_encode", results: 4, body: encode };
/// The words of an access (four), the lower half of the address, bytes: the words of an element.
const FETCH: Helper = Helper { name: "image_fetch", results: 4, body: fetch };
/// The same and the words: stores them.
const PUT: Helper = Helper { name: "image_put", results: 1, body: put };

/// What becomes of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Form {
    /// Components by `DST_SEL`.
    Registers,
    /// Its words.
    Raw,
    /// Its words; one that is smaller has its sign.
    Signed,
}

/// The coordinates of a texel.
#[derive(Clone, Copy)]
pub(super) struct Texel {
    pub x: Word,
    pub y: Word,
    pub z: Word,
    pub sample: Word,
}

impl Texel {
    fn words(&self) -> [Word; 4] {
        [self.x, self.y, self.z, self.sample]
    }
}

impl Lower<'_> {
    /// Whether a texel is in range.
    pub(super) fn has_texel(&self, level: &Level, texel: &Texel) -> Truth {
        let k = self.alg(Word::Known(0));
        let below = |v, end| k.lt_u(v, end);
        let inside = k.both(below(texel.x, level.width), below(texel.y, level.height));
        let deep = if self.has(Planted::ImageLayerUnchecked) { k.c(true) } else { below(texel.z, level.depth) };
        k.both(inside, k.both(deep, below(texel.sample, level.samples)))
    }

    /// Where a texel lies, and its place in a block.
    pub(super) fn texel_at(&self, level: &Level, texel: &Texel) -> (Pair, Word) {
        let mut args = texel.words().to_vec();
        args.extend(level.words());
        let r = self.call(OFFSET, 0, &args);
        ((r[0], r[1]), r[2])
    }

    /// The registers of a texel, where it is wanted.
    pub(super) fn texel(
        &self,
        level: &Level,
        texel: &Texel,
        select: Word,
        form: Form,
        wanted: Truth,
    ) -> (Vec<Word>, Fault) {
        let k = self.alg(Word::Known(0));
        let mut args = vec![k.bit(wanted)];
        args.extend(texel.words());
        args.push(select);
        args.extend(level.words());
        let r = self.call(TEXEL, form as u32, &args);
        let detail = level.format(&k, format::BYTES);
        (r[3..].to_vec(), Fault { failed: k.nz(r[0]), kind: r[0], address: (r[1], r[2]), detail })
    }

    /// The words of the element that components make.
    pub(super) fn encoded(&self, level: &Level, components: &[Word]) -> Vec<Word> {
        let mut args = vec![level.widths, level.info];
        args.extend(components);
        self.call(ENCODE, 0, &args)
    }

    /// Stores an element.
    pub(super) fn put_element(&self, found: Found, at: Pair, bytes: Word, element: &[Word]) {
        let mut args = found.words().to_vec();
        args.extend([at.0, bytes]);
        args.extend(element);
        self.call(PUT, 0, &args);
    }
}

/// Whether a format is of integers.
pub(super) fn has_integers(k: &Spirv<'_>, info: Word) -> Truth {
    is_integer(k, part(k, info, format::KIND))
}

fn texel(l: &Lower<'_>, form: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let level = Level::of(&a[6..]);
    let texel = Texel { x: a[1], y: a[2], z: a[3], sample: a[4] };
    let inside = k.both(k.nz(a[0]), l.has_texel(&level, &texel));
    let (at, place) = l.texel_at(&level, &texel);
    let bytes = level.format(&k, format::BYTES);
    let found = l.find(at, l.only(inside, bytes), false);
    let fault = l.not_found(inside, found, at, bytes, trap::LOAD);
    let mut args = found.words().to_vec();
    args.extend([at.0, bytes]);
    let element = l.call(FETCH, 0, &args);
    let mut all = vec![l.only(fault.failed, fault.kind), at.0, at.1];
    if form != Form::Registers as u32 {
        let small = |bits: u32| k.eq(bytes, k.w(bits / 8));
        let first = element[0];
        let first = match form == Form::Signed as u32 {
            true => k.sel(small(8), k.sx(first, 8), k.sel(small(16), k.sx(first, 16), first)),
            false => first,
        };
        all.push(first);
        all.extend(&element[1..]);
        return all;
    }
    let mut args = vec![level.widths, level.info, place];
    args.extend(element);
    let components = l.call(DECODE, 0, &args);
    let components: Vec<Word> = components.into_iter().map(|v| l.only(inside, v)).collect();
    let (integers, there) = (has_integers(&k, level.info), k.eq(level.state, k.w(0)));
    let register = |n: u32| selected(&k, part(&k, a[5], (3 * n, 3)), &components, integers);
    all.extend((0..4).map(|n| l.only(there, register(n))));
    all
}

/// Words of so many bytes.
fn words_of(k: &Spirv<'_>, bytes: Word) -> Word {
    k.shri(k.add(bytes, k.w(3)), 2)
}

fn fetch(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let found = Found::of(a);
    let words = [(); 4].map(|()| l.var(k.w(0)));
    l.when(k.nz(found.how), || {
        l.times(words_of(&k, a[5]), |n| {
            // What is behind the element may be anything.
            let v = k.and(l.load_word_at(found, (a[4], k.w(0)), n), bits_of(&k, a[5]));
            for (at, word) in (0..).zip(words) {
                l.put_if(k.eq(n, k.w(at)), word, v);
            }
        });
    });
    words.map(|word| l.get(word)).to_vec()
}

fn put(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let found = Found::of(a);
    l.when(k.nz(found.how), || {
        l.times(words_of(&k, a[5]), |n| {
            l.store_part_at(found, (a[4], k.w(0)), n, pick(&k, &a[6..10], n), bits_of(&k, a[5]));
        });
    });
    vec![k.w(0)]
}

/// `5_9_9_9`: mantissas without a hidden bit, times a power of two. Exact.
fn shared(k: &Spirv<'_>, word: Word) -> [Word; 4] {
    let exponent = k.shri(word, 27);
    let value = |n: u32| {
        let mantissa = part(k, word, (9 * n, 9));
        let zeros = k.clz(mantissa);
        let fraction = k.mask(k.shri(k.shl(mantissa, zeros), 8), 0x7f_ffff);
        // The highest bit has the weight of the exponent less 15 and 9.
        let biased = k.sub(k.add(exponent, k.w(31 + 127 - 24)), zeros);
        k.sel(k.eq(mantissa, k.w(0)), k.w(0), k.or(k.shli(biased, 23), fraction))
    };
    [value(0), value(1), value(2), k.w(0)]
}

/// Back: clamped, NaN as 0, each mantissa rounded to nearest with ties up.
fn shared_bits(k: &Spirv<'_>, components: &[Word]) -> Word {
    let top = (511.0f32 * 128.0).to_bits();
    let clamped = |v: Word| {
        let positive = k.lt_u(v, k.w(0x7f80_0001));
        k.sel(positive, k.min_u(v, k.w(top)), k.w(0))
    };
    let values = [0, 1, 2].map(|n: usize| clamped(components[n]));
    let most = values.into_iter().fold(k.w(0), |most, v| k.max_u(most, v));
    let log = k.sub(k.shri(most, 23), k.w(127));
    let exponent = k.add(k.max_s(log, k.w(-16i32 as u32)), k.w(16));
    let mantissa = |v: Word, exponent: Word| {
        let biased = k.shri(v, 23);
        let hidden = k.sel(k.nz(biased), k.w(0x80_0000), k.w(0));
        let significand = k.or(k.mask(v, 0x7f_ffff), hidden);
        let shift = k.sub(k.add(exponent, k.w(126)), k.max_u(biased, k.w(1)));
        let shift = k.min_u(shift, k.w(31));
        k.shr(k.add(significand, k.shl(k.w(1), k.sub(shift, k.w(1)))), shift)
    };
    let up = k.bit(k.eq(mantissa(most, exponent), k.w(512)));
    let exponent = k.add(exponent, up);
    let [x, y, z] = values.map(|v| mantissa(v, exponent));
    k.or(k.or(x, k.shli(y, 9)), k.or(k.shli(z, 18), k.shli(exponent, 27)))
}

fn coded(k: &Spirv<'_>, info: Word, as_what: u32) -> Truth {
    k.eq(part(k, info, format::CODING), k.w(as_what))
}

fn decode(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (info, place) = (a[1], a[2]);
    let tables = Tables::of(&l.target);
    let kind = part(&k, info, format::KIND);
    // A texel of a block becomes an element of its own: of bytes, of halves, or two values by themselves.
    let blocks = coded(&k, info, coding::BLOCK);
    let number = part(&k, info, format::BLOCK_CODING);
    let variant = part(&k, info, format::BLOCK_VARIANT);
    let is_number = |n: u32| k.eq(number, k.w(n));
    let element: Vec<_> = a[3..7].iter().map(|v| l.var(*v)).collect();
    l.when(blocks, || {
        let mut args = vec![number, variant, place];
        args.extend(&a[3..7]);
        let texel = l.call(BLOCK, 0, &args);
        for (to, v) in element.iter().zip([texel[0], texel[1], k.w(0), k.w(0)]) {
            l.put(*to, v);
        }
    });
    let element: Vec<Word> = element.iter().map(|v| l.get(*v)).collect();
    let of_block = k.sel(is_number(6), k.w(0x10_1010), k.w(0x0808_0808));
    let widths = k.sel(blocks, of_block, a[0]);
    let mut args = vec![widths, kind, part(&k, info, format::UNSIGNED_ALPHA)];
    args.extend(&element);
    let fields = l.call(COMPONENTS, 0, &args);
    let results: Vec<_> = fields.iter().map(|v| l.var(*v)).collect();
    let single = k.both(blocks, k.either(is_number(4), is_number(5)));
    l.when(single, || {
        let signed = k.nz(variant);
        let second = k.sel(is_number(5), quotient(l, element[1], signed), k.w(0));
        for (to, v) in results.iter().zip([quotient(l, element[0], signed), second, k.w(0), k.w(0)]) {
            l.put(*to, v);
        }
    });
    // The codings between the first three and the last have no curve.
    let curved = k.both(k.nz(variant), k.either(k.lt_u(number, k.w(4)), is_number(7)));
    let srgb = k.either(coded(&k, info, coding::SRGB), k.both(blocks, curved));
    let srgb = if l.has(Planted::ImageSrgbLinear) { k.c(false) } else { srgb };
    l.when(srgb, || {
        for (n, result) in (0..3).zip(&results) {
            l.put(*result, l.looked_up(k.add(k.w(tables.srgb), part(&k, element[0], (8 * n, 8)))));
        }
    });
    let set = |c: Truth, values: [Word; 4]| {
        for (result, v) in results.iter().zip(values) {
            l.put_if(c, *result, v);
        }
    };
    set(coded(&k, info, coding::SHARED), shared(&k, element[0]));
    let depth = [element[0], k.mask(element[1], 0xff), k.w(0), k.w(0)];
    set(coded(&k, info, coding::DEPTH_STENCIL), depth);
    results.iter().map(|result| l.get(*result)).collect()
}

/// The sRGB byte of a linear value: the last one whose least value is not above it.
fn srgb_byte(l: &Lower<'_>, v: Word, tables: &Tables) -> Word {
    let k = l.alg(Word::Known(0));
    // NaN is not greater than 0.
    let v = k.sel(k.lt_u(v, k.w(0x7f80_0001)), v, k.w(0));
    let (byte, bit) = (l.var(k.w(0)), l.var(k.w(128)));
    l.repeat(|| {
        let more = k.or(l.get(byte), l.get(bit));
        let least = l.looked_up(k.add(k.w(tables.srgb_steps), more));
        l.put_if(k.negate(k.lt_u(v, least)), byte, more);
        l.put(bit, k.shri(l.get(bit), 1));
        k.nz(l.get(bit))
    });
    l.get(byte)
}

fn encode(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (widths, info, components) = (a[0], a[1], &a[2..6]);
    let tables = Tables::of(&l.target);
    let mut args = vec![widths, part(&k, info, format::KIND)];
    args.extend(components);
    let fields = l.call(ELEMENT, 0, &args);
    let first = l.var(fields[0]);
    l.when(coded(&k, info, coding::SRGB), || {
        // W is linear, and its byte is there.
        let word = l.var(k.mask(fields[0], 0xff << 24));
        l.times(k.w(3), |at| {
            let byte = srgb_byte(l, pick(&k, components, at), &tables);
            let there = k.nz(k.mask(k.shr(widths, k.shli(at, 3)), 0xff));
            l.put(word, k.or(l.get(word), k.shl(l.only(there, byte), k.shli(at, 3))));
        });
        l.put(first, l.get(word));
    });
    l.put_if(coded(&k, info, coding::SHARED), first, shared_bits(&k, components));
    vec![l.get(first), fields[1], fields[2], fields[3]]
}
