//! Clauses of fetches.
//!
//! What is bound, with formats and shapes, is known beforehand; bytes, strides and sizes are words of the input. A lane reads its source and writes
//! its destination, so that lanes need not wait for each other but where slopes look across the quad.

use super::lower::Lower;
use super::mistakes::Mistake;
use super::state::{head, input};
use super::{Part, Raised};
use crate::isa::r600::does::{Axis, Lod};
use crate::isa::sem::Alg;
use crate::memory::format::{Format, Kind};
use crate::r600::emu::image::{Image, Shape};
use crate::r600::emu::plan::{Fetch, FetchKind, Register, Select, Texture};
use crate::r600::emu::vertex::{Buffer, Element};
use crate::r600::emu::{Fault, Resource};
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::lower::component;

/// 1.0.
const ONE: u32 = 0x3f80_0000;

/// Where a fetch goes: the register, and whether there is one.
type Destination = (Word, Truth);

impl Lower<'_> {
    /// A fetch for the lanes of a mask; false where it is one that is wrong.
    pub(super) fn fetch(&self, fetch: &Fetch, lanes: Pair) -> bool {
        let wrong = |fault: &Fault| {
            self.bad(fault);
            false
        };
        match &fetch.kind {
            FetchKind::Bad(fault) => wrong(fault),
            FetchKind::SetGradients => true,
            FetchKind::Vertex { .. } => match self.vertex(fetch, lanes) {
                Ok(()) => true,
                Err(fault) => wrong(&fault),
            },
            FetchKind::Slopes(axis, coordinates) => {
                self.slopes(fetch, *axis, coordinates, lanes);
                true
            }
            _ => match self.image_of(fetch) {
                Ok((image, part)) => {
                    self.texture(fetch, image, part, lanes);
                    true
                }
                Err(fault) => wrong(&fault),
            },
        }
    }

    /// A register that the loop index may be added to.
    fn register(&self, register: Register) -> Destination {
        let k = self.k();
        if !register.indexed {
            return (k.w(register.gpr), k.c(self.setup.has_gpr(register.gpr)));
        }
        let gpr = k.add(k.w(register.gpr), self.get(head::INDEX));
        (gpr, self.has_own(gpr))
    }

    /// The words of the source of a lane.
    fn from(&self, fetch: &Fetch, lane: Word) -> [Word; 4] {
        let (gpr, there) = self.register(fetch.src);
        self.vector(self.k().sel(there, gpr, Word::Known(0)), lane)
    }

    /// Writes what was fetched.
    fn fetched(&self, fetch: &Fetch, (gpr, there): Destination, one: u32, lane: Word, values: [Word; 4]) {
        let k = self.k();
        self.when(there, || {
            for (element, select) in (0..).zip(fetch.selects) {
                let v = match select {
                    Select::Element(n) => values[n as usize & 3],
                    Select::Zero => k.w(0),
                    Select::One => k.w(one),
                    Select::Masked => continue,
                };
                self.put_word(self.register_at(gpr, element, lane), v);
            }
        });
    }

    /// A vector through selects.
    fn chosen(&self, selects: &[Select; 4], from: [Word; 4], one: u32) -> [Word; 4] {
        selects.map(|select| match select {
            Select::Element(n) => from[n as usize & 3],
            Select::Zero | Select::Masked => Word::Known(0),
            Select::One => Word::Known(one),
        })
    }

    // Vertices.

    fn vertex(&self, fetch: &Fetch, lanes: Pair) -> Result<(), Fault> {
        let k = self.k();
        let FetchKind::Vertex { element, offset, format, bytes, no_stride, semantic } = &fetch.kind else {
            return Ok(());
        };
        let (buffer, part) = self.buffer_of(fetch)?;
        let named = format.or(buffer.format);
        let named = named.ok_or(Fault::NoResource { what: "format", number: fetch.resource })?;
        let format = named.format()?;
        let offset = match offset {
            0 | 1 => self.found(k.w(input::OFFSETS + offset)),
            2 => k.w(0),
            value => return Err(Fault::Reserved { field: "FETCH_TYPE", value: *value }),
        };
        let mut dst = fetch.dst;
        if let Some(number) = semantic {
            let gpr = self.setup.semantics.get(number).copied();
            dst.gpr = gpr.ok_or(Fault::NoSemantic { number: *number })?;
        }
        let bytes = if self.has(Mistake::OffsetIgnored) { 0 } else { *bytes };
        let stride = if *no_stride { k.w(0) } else { self.part_word(part, 2) };
        let dst = self.register(dst);
        self.each_of(lanes, |lane| {
            let index = k.add(self.from(fetch, lane)[*element as usize & 3], offset);
            let address = k.add_d(k.mul_d(k.zext(index), k.zext(stride)), k.zext(k.w(bytes)));
            let values = self.element(&format, named, part, address);
            self.fetched(fetch, dst, format.kind.one(), lane, values);
        });
        Ok(())
    }

    fn buffer_of(&self, fetch: &Fetch) -> Result<(&Buffer, Part), Fault> {
        match (self.setup.resources.get(&fetch.resource), self.part_of(fetch.resource)) {
            (Some(Resource::Buffer(buffer)), Some(part)) => Ok((buffer, part)),
            _ => Err(Fault::NoResource { what: "buffer", number: fetch.resource }),
        }
    }

    fn part_of(&self, number: u32) -> Option<Part> {
        self.resources.iter().position(|known| *known == number).map(|n| Part::Resource(n as u32))
    }

    /// The components of an element at a byte address; zeros where any byte of it lies beyond the buffer.
    fn element(&self, format: &Format, named: Element, part: Part, address: Pair) -> [Word; 4] {
        let k = self.k();
        let (first, len) = self.part(part);
        let count = format.bytes();
        let end = k.add_d(address, k.d(u64::from(count)));
        let there = k.negate(k.ltu_d(k.zext(len), end));
        let there = if self.has(Mistake::BoundsForgotten) { k.c(true) } else { there };
        let words = self.bytes(first, k.sel(there, address.0, k.w(0)), count);
        let words = words.map(|word| match named.swap {
            _ if self.has(Mistake::NeverSwapped) => word,
            1 => k.or(k.mask(k.shri(word, 8), 0x00ff_00ff), k.shli(k.mask(word, 0x00ff_00ff), 8)),
            2 => {
                let halves = k.or(k.shri(word, 16), k.shli(word, 16));
                k.or(k.mask(k.shri(halves, 8), 0x00ff_00ff), k.shli(k.mask(halves, 0x00ff_00ff), 8))
            }
            _ => word,
        });
        self.components(format, words).map(|v| k.sel(there, v, k.w(0)))
    }

    /// Bytes of the input from a byte behind a word on; those behind the count are zero.
    fn bytes(&self, first: Word, address: Word, count: u32) -> [Word; 4] {
        let k = self.k();
        let at = k.add(first, k.shri(address, 2));
        let shift = if self.has(Mistake::AlignedDown) { k.w(0) } else { k.shli(k.mask(address, 3), 3) };
        let used = count.div_ceil(4);
        let words: Vec<Word> = (0..=used).map(|n| self.found(k.add(at, k.w(n)))).collect();
        std::array::from_fn(|n| {
            let (Some(low), Some(high)) = (words.get(n), words.get(n + 1)) else { return k.w(0) };
            let word = k.shr_d((*low, *high), shift).0;
            let left = count - 4 * n as u32;
            if left < 4 { k.mask(word, (1 << (8 * left)) - 1) } else { word }
        })
    }

    /// The components of an element.
    fn components(&self, format: &Format, words: [Word; 4]) -> [Word; 4] {
        let k = self.k();
        let mut start = 0;
        std::array::from_fn(|n| {
            let width = u32::from(format.layout.bits[n]);
            if width == 0 {
                return k.w(0);
            }
            let kind = match format.kind {
                Kind::Snorm if n == 3 && format.unsigned_alpha => Kind::Unorm,
                Kind::Sscaled if n == 3 && format.unsigned_alpha => Kind::Uscaled,
                Kind::Sint if n == 3 && format.unsigned_alpha => Kind::Uint,
                kind => kind,
            };
            // A field never crosses a word.
            let bits = k.mask(k.shri(words[start as usize / 32], start % 32), u32::MAX >> (32 - width));
            start += width;
            component(&k, kind, bits, width)
        })
    }

    // Images.

    fn image_of(&self, fetch: &Fetch) -> Result<(&Image, Part), Fault> {
        match (self.setup.resources.get(&fetch.resource), self.part_of(fetch.resource)) {
            (Some(Resource::Image(image)), Some(part)) => Ok((image, part)),
            _ => Err(Fault::NoResource { what: "image", number: fetch.resource }),
        }
    }

    fn texture(&self, fetch: &Fetch, image: &Image, part: Part, lanes: Pair) {
        let k = self.k();
        let dst = self.register(fetch.dst);
        let one = if matches!(image.format.kind, Kind::Uint | Kind::Sint) { 1 } else { ONE };
        match &fetch.kind {
            FetchKind::Load(texture) => self.each_of(lanes, |lane| {
                let at = self.chosen(&texture.coordinates, self.from(fetch, lane), 1);
                let (texel, there) = self.texel(image, part, self.whole(image, texture, at));
                let there = k.both(there, k.eq(at[3], k.w(0)));
                self.fetched(fetch, dst, one, lane, texel.map(|v| k.sel(there, v, k.w(0))));
            }),
            FetchKind::Sample { texture, compare, lod } => {
                let one_lane = |lane| {
                    let from = self.chosen(&texture.coordinates, self.from(fetch, lane), ONE);
                    let (texel, there) = self.texel(image, part, self.nearest(image, texture, part, from));
                    // W has the level where the instruction wants one.
                    let reference = if matches!(lod, Lod::Given | Lod::Bias) { from[2] } else { from[3] };
                    let texel = if *compare { [self.compared(image, reference, texel[0]); 4] } else { texel };
                    self.fetched(fetch, dst, one, lane, texel);
                    [k.negate(there)]
                };
                if image.is_whole() {
                    self.each_of(lanes, |lane| {
                        one_lane(lane);
                    });
                    return;
                }
                let [missing] = self.gather(lanes, one_lane);
                let fault = Fault::Unsupported { what: "an image with fewer bytes than texels" };
                self.raise_if(k.negate(self.is_none(missing)), self.code(Raised::Fixed(fault)), k.w(0));
            }
            _ => self.each_of(lanes, |lane| {
                let layers = if image.shape == Shape::D1Array { 1 } else { 2 };
                let size = |n: u32| self.part_word(part, 2 + n);
                self.fetched(fetch, dst, 1, lane, [size(0), size(1), size(layers), k.w(1)]);
            }),
        }
    }

    /// Whole coordinates with their offsets.
    fn whole(&self, image: &Image, texture: &Texture, at: [Word; 4]) -> [Word; 3] {
        let k = self.k();
        let last = image.shape.layer().map_or(image.shape.dimensions(), |layer| layer + 1);
        std::array::from_fn(|n| {
            let offset = if image.shape.layer() == Some(n) { 0 } else { texture.offsets[n] >> 1 };
            if n < last { k.add(at[n], k.w(offset as u32)) } else { k.w(0) }
        })
    }

    /// The texel nearest to coordinates.
    fn nearest(&self, image: &Image, texture: &Texture, part: Part, from: [Word; 4]) -> [Word; 3] {
        let k = self.k();
        let size = |n: usize| k.max_u(self.part_word(part, 2 + n as u32), k.w(1));
        let mut at = [k.w(0); 3];
        for n in 0..image.shape.dimensions() {
            let cube = image.shape == Shape::Cube;
            let normal = texture.normal[n] && !self.has(Mistake::NotNormal);
            let scale = if normal { self.meaning("UINT_TO_FLT", &[size(n)]).0 } else { k.w(ONE) };
            let offset = k.w((texture.offsets[n] as f32 * 0.5).to_bits());
            let from = if cube { self.meaning("FACE", &[from[n]]).0 } else { from[n] };
            let texel = self.meaning("TEXEL", &[from, scale, offset]).0;
            let repeats = image.repeat && !self.has(Mistake::NeverRepeats);
            at[n] = if repeats { self.repeated(texel, size(n)) } else { self.clamped(texel, size(n)) };
        }
        if let Some(n) = image.shape.layer() {
            let layer = self.meaning("LAYER", &[from[n]]).0;
            let layer = if self.has(Mistake::FirstLayer) { k.w(0) } else { layer };
            at[n] = self.clamped(layer, size(n));
        }
        at
    }

    /// A coordinate within a size, by the nearest edge.
    fn clamped(&self, at: Word, size: Word) -> Word {
        let k = self.k();
        k.sel(k.lt_s(at, k.w(0)), k.w(0), k.min_u(at, k.sub(size, k.w(1))))
    }

    /// A coordinate within a size, which repeats.
    fn repeated(&self, at: Word, size: Word) -> Word {
        let k = self.k();
        let rest = |v: Word| Word::Id(self.m.word_op(rspirv::spirv::Op::UMod, &[k.id(v), k.id(size)]));
        let below = k.sub(k.sub(size, k.w(1)), rest(k.not(at)));
        k.sel(k.lt_s(at, k.w(0)), below, rest(at))
    }

    /// The texel at whole coordinates, and whether there is one.
    fn texel(&self, image: &Image, part: Part, at: [Word; 3]) -> ([Word; 4], Truth) {
        let k = self.k();
        let (first, len) = self.part(part);
        let (mut index, mut there) = (k.w(0), k.c(true));
        for n in (0..3).rev() {
            let size = self.part_word(part, 2 + n as u32);
            there = k.both(there, k.lt_u(at[n], size));
            index = k.add(k.mul(index, size), at[n]);
        }
        let count = image.format.bytes();
        let from = k.mul(index, k.w(count));
        there = k.both(there, k.negate(k.ltu_d(k.zext(len), k.add_d(k.zext(from), k.d(u64::from(count))))));
        let words = self.bytes(first, k.sel(there, from, k.w(0)), count);
        let mut values = self.components(&image.format, words);
        for (n, v) in values.iter_mut().enumerate() {
            if image.format.layout.bits[n] == 0 {
                *v = k.w(image.missing[n]);
            }
        }
        (values, there)
    }

    /// What a comparison gives.
    fn compared(&self, image: &Image, reference: Word, texel: Word) -> Word {
        match image.compare.meaning() {
            Ok((name, true)) => self.meaning(name, &[texel, reference]).0,
            Ok((name, false)) => self.meaning(name, &[reference, texel]).0,
            Err(always) => Word::Known(if always { ONE } else { 0 }),
        }
    }

    // Slopes.

    /// How a vector changes along an axis of the quad: the difference of the two pixels of the row or column.
    fn slopes(&self, fetch: &Fetch, axis: Axis, coordinates: &[Select; 4], lanes: Pair) {
        let k = self.k();
        let dst = self.register(fetch.dst);
        let horizontal = (axis == Axis::H) != self.has(Mistake::SlopesTurned);
        // The first pixel of the row or column that a lane is in, and how far the other one is.
        let (bit, step) = if horizontal { (2, 1) } else { (1, 2) };
        let slope = |lane: Word| {
            let first = k.mask(lane, !3 | bit);
            let [from, to] =
                [first, k.add(first, k.w(step))].map(|lane| self.chosen(coordinates, self.from(fetch, lane), ONE));
            std::array::from_fn(|n| self.meaning("SLOPE", &[to[n], from[n]]).0)
        };
        self.quads(lanes, slope, |lane, values| self.fetched(fetch, dst, ONE, lane, values));
    }
}
