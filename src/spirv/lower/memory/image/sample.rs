//! Samples: what a lane asks for, from the parts of its address.
//!
//! Where nothing says the level of detail, it follows from how far the coordinates of four neighbouring lanes are apart: the second one
//! from the first along x, the third one along y. Lanes that are not active take part with what their registers hold.

use super::super::convert::{WIDE, exact, magnitude, pick, with_sign};
use super::super::floats;
use super::super::lanes::Fault;
use super::super::{Lower, Lowered};
use super::filter::{COMPARES, COMPONENT, GATHERS, Request, SAMPLE, UNNORMALIZED, axes_of};
use super::fixed::{Point, between, saturated};
use super::layout::{Level, field, is_dim};
use super::texel::has_integers;
use super::{Reach, layout};
use crate::isa::does::Texels;
use crate::isa::image::Address;
use crate::isa::sem::Alg;
use crate::memory::image::Dim;
use crate::memory::image::fields::{Field, SamplerField};
use crate::program::Step;
use crate::program::memory::image::Bits;
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::lanes::Lane;
use crate::spirv::tables::format;

/// Values of an address: the first register, and whether two values share one.
#[derive(Clone, Copy)]
struct Run {
    register: Word,
    short: bool,
}

/// Where the parts of an address are that depend on the dimension.
struct Body {
    gradients: Option<[Run; 2]>,
    body: Run,
    /// Coordinates.
    count: Word,
    /// Coordinates in a layer.
    axes: Word,
}

/// The level of detail of a lane.
struct Detail {
    raw: Word,
    bounded: Word,
    level: Word,
    weight: Word,
}

impl Lower<'_> {
    /// What depends on the dimension: that of the instruction, or of the descriptor.
    fn body(&self, reach: &Reach<'_>) -> Body {
        let k = self.alg(Word::Known(0));
        let g = self.generation();
        let image = reach.image;
        let short = image.places(0, g).body.short;
        let of = |what: &dyn Fn(u8) -> u32| match image.dim {
            Some(dim) => k.w(what(dim)),
            None => {
                let array = image.has(Bits::ARRAY);
                let dim = k.mask(field(&k, g, &reach.words, Field::Type), 7);
                // The same with layers, or without, as the instruction says.
                let what = |dim: Dim| what(dim.with_layers(array).number());
                Dim::ALL
                    .into_iter()
                    .skip(1)
                    .fold(k.w(what(Dim::D1)), |v, own| k.sel(is_dim(&k, dim, |dim| dim == own), k.w(what(own)), v))
            }
        };
        let places = |dim: u8| image.places(dim, g);
        let gradients = places(0).gradients.map(|of_1d| {
            [0, 1].map(|n: usize| Run {
                register: of(&|dim| places(dim).gradients.map_or(0, |runs| runs[n].register.into())),
                short: of_1d[n].short,
            })
        });
        Body {
            gradients,
            body: Run { register: of(&|dim| places(dim).body.register.into()), short },
            count: of(&|dim| Address::of_dim(dim).0.into()),
            axes: of(&|dim| Dim::of_instruction(dim).axes() as u32),
        }
    }

    /// A register of the address.
    fn address_register(&self, reach: &Reach<'_>, n: Word, lane: Lane) -> Word {
        let k = self.alg(lane.number);
        let registers = &reach.image.registers;
        match n {
            Word::Known(n) => self.v(registers.get(n as usize).copied().unwrap_or(0), lane),
            Word::Id(_) => {
                let words: Vec<Word> = registers.iter().map(|place| self.v(*place, lane)).collect();
                if words.is_empty() { self.v(0, lane) } else { pick(&k, &words, n) }
            }
        }
    }

    /// Value `n` of a run, as f32.
    fn address_float(&self, reach: &Reach<'_>, run: Run, n: Word, lane: Lane) -> Word {
        let k = self.alg(lane.number);
        if !run.short {
            return self.address_register(reach, k.add(run.register, n), lane);
        }
        let word = self.address_register(reach, k.add(run.register, k.shri(n, 1)), lane);
        let half = k.zx16(k.shr(word, k.shli(k.mask(n, 1), 4)));
        self.call(WIDE, 0, &[half])[0]
    }

    /// Value `n` of a run, where there are as many.
    fn address_if(&self, reach: &Reach<'_>, run: Run, (n, count): (u32, Word), lane: Lane) -> Word {
        let k = self.alg(lane.number);
        let there = k.lt_u(k.w(n), count);
        if there == Truth::Known(false) {
            return k.w(0);
        }
        k.sel(there, self.address_float(reach, run, k.w(n), lane), k.w(0))
    }

    /// The raw level of detail of a lane, in 256ths.
    fn raw_detail(&self, reach: &Reach<'_>, body: &Body, level: &Level, sampler: &[Word; 4], lane: Lane) -> Pair {
        let (k, f) = (self.alg(lane.number), floats(self));
        let parts = reach.image.parts;
        if parts.contains(Address::LOD) {
            return self.fixed(self.address_float(reach, body.body, body.count, lane), Point::Fixed);
        }
        if parts.contains(Address::ZERO) {
            return k.d(0);
        }
        let gradients: Vec<Word> = match body.gradients {
            Some(runs) => runs
                .into_iter()
                .flat_map(|run| (0..3).map(move |n| (run, n)))
                .map(|(run, n)| self.address_if(reach, run, (n, body.axes), lane))
                .collect(),
            None => {
                let quad = k.mask(lane.number, !3);
                let of = |n: usize, at: u32| self.fetch(n, k.add(quad, k.w(at)));
                let here = [0, 1, 2].map(|n| of(n, 0));
                let apart = |at: u32| [0, 1, 2].map(|n| f.sub_f32(of(n, at), here[n]));
                [apart(1), apart(2)].concat()
            }
        };
        let unnormalized = if reach.image.has(Bits::UNORM) {
            k.c(true)
        } else {
            k.nz(field(&k, self.generation(), sampler, SamplerField::Unnormalized))
        };
        let size = |v: Word| k.sel(unnormalized, k.w(1), k.max_u(v, k.w(1)));
        let sizes = [level.width, level.height, level.axis_depth].map(size);
        let own = axes_of(&k, k.mask(field(&k, self.generation(), &reach.words, Field::Type), 7));
        self.length(&gradients, sizes, own)
    }

    /// The level of detail of a lane. `level` is the first one of the image.
    fn detail(&self, reach: &Reach<'_>, body: &Body, level: &Level, sampler: &[Word; 4], lane: Lane) -> Detail {
        let k = self.alg(lane.number);
        let g = self.generation();
        let get = |of: SamplerField| field(&k, g, sampler, of);
        let last = k.max_s(k.sub(level.levels, k.w(1)), k.w(0));
        let raw = self.raw_detail(reach, body, level, sampler, lane);
        let raw = saturated(&k, raw, k.sext(k.sx(get(SamplerField::LodBias), 14)));
        let raw = match reach.image.places(0, g).bias {
            Some(register) => {
                let run = Run { register: k.w(register.into()), short: reach.image.has(Bits::A16) };
                let bias = self.address_float(reach, run, k.w(0), lane);
                saturated(&k, raw, self.fixed(bias, Point::Fixed))
            }
            None => raw,
        };
        let raw = between(&k, raw, k.w(-(1i32 << 23) as u32), k.w((1 << 23) - 1));
        let bounded = k.max_s(raw, get(SamplerField::MinLod));
        let bounded = if reach.image.parts.contains(Address::CLAMP) {
            let least = self.fixed(self.address_float(reach, body.body, body.count, lane), Point::Fixed);
            k.max_s(bounded, between(&k, least, k.w(0), k.w(1 << 20)))
        } else {
            bounded
        };
        let bounded = k.min_s(bounded, get(SamplerField::MaxLod));
        let sampled = is_dim(&k, k.mask(field(&k, g, &reach.words, Field::Type), 7), Dim::has_samples);
        let base = k.sel(sampled, k.w(0), field(&k, g, &reach.words, Field::BaseLevel));
        let least = k.sub(field(&k, g, &reach.words, Field::MinLod), k.shli(base, 8));
        let positive = k.min_s(k.max_s(k.max_s(bounded, least), k.w(0)), k.shli(last, 8));
        let mips = get(SamplerField::FilterMip);
        let is = |n: u32| k.eq(mips, k.w(n));
        let nearest = k.shri(k.add(positive, k.w(128)), 8);
        let number = k.sel(is(0), k.w(0), k.sel(is(2), k.shri(positive, 8), nearest));
        let weight = k.sel(is(2), k.mask(positive, 255), k.w(0));
        Detail { raw, bounded, level: k.min_u(number, last), weight }
    }

    /// The refusals of a descriptor and a sampler.
    fn refused_sample(&self, level: &Level, sampler: &[Word; 4]) -> Fault {
        let k = self.alg(Word::Known(0));
        let refused = self.refused(level);
        let reduce = field(&k, self.generation(), sampler, SamplerField::Reduce);
        let failed = k.either(refused.failed, k.eq(reduce, k.w(3)));
        Fault { failed, ..refused }
    }

    /// A sample, a gather, or the level of one.
    pub(super) fn image_sample(&self, step: &Step, reach: &Reach<'_>, what: Texels) -> Lowered {
        let k = self.alg(Word::Known(0));
        let g = self.generation();
        let Some(at) = reach.image.sampler else { return Err("a sampler".to_owned()) };
        let sampler = [0, 1, 2, 3].map(|n| self.s(at + n));
        let body = self.body(reach);
        let first = self.level(reach, k.w(0));
        self.takes_long();
        let parts = reach.image.parts;
        let implicit = body.gradients.is_none() && !parts.intersects(Address::LOD.union(Address::ZERO));
        if implicit {
            self.publish(|lane| (0..3).map(|n| self.address_if(reach, body.body, (n, body.axes), lane)).collect());
        }
        let places = reach.image.places(0, g);
        let gathers = what == Texels::Gather;
        let mut config = if gathers { GATHERS | reach.image.dmask.trailing_zeros().min(3) << COMPONENT } else { 0 };
        config |= if places.compare.is_some() { COMPARES } else { 0 };
        config |= if reach.image.has(Bits::UNORM) { UNNORMALIZED } else { 0 };
        self.loads(step, reach, |lane| {
            let refused = self.refused_sample(&first, &sampler);
            let bound = k.both(k.eq(first.state, k.w(0)), k.c(reach.image.dmask != 0));
            let detail = self.detail(reach, &body, &first, &sampler, lane);
            if what == Texels::Level {
                let used = k.add(k.shli(detail.level, 8), detail.weight);
                let raw = detail.raw;
                let all = [used, raw].map(|v| self.only(bound, two_hundred_fifty_sixths(self, v)));
                let all = [all[0], all[1], k.w(0), k.w(0)];
                return (first.info, self.shown(reach, &all), refused);
            }
            let filter = |of: SamplerField| k.mask(field(&k, g, &sampler, of), 1);
            let magnifies = k.negate(k.lt_s(k.w(0), detail.bounded));
            let blends = k.sel(magnifies, filter(SamplerField::Magnify), filter(SamplerField::Minify));
            let blends = k.sel(has_integers(&k, first.info), k.w(0), blends);
            let up = k.bit(k.negate(k.lt_u(detail.weight, k.w(128))));
            let (level, weight, blends) = match gathers {
                true => (k.add(detail.level, up), k.w(0), k.w(1)),
                false => (detail.level, detail.weight, blends),
            };
            let whole =
                |register: Option<u8>| register.map_or(k.w(0), |n| self.address_register(reach, k.w(n.into()), lane));
            let request = Request {
                wanted: k.both(k.both(lane.active, bound), k.negate(refused.failed)),
                at: [0, 1, 2, 3].map(|n| self.address_if(reach, body.body, (n, body.count), lane)),
                level,
                weight,
                blends,
                offset: whole(places.offset),
                reference: whole(places.compare),
                sampler,
                image: reach.words.clone(),
            };
            let r = self.call(SAMPLE, config, &request.words(&k));
            let fault = Fault {
                failed: k.nz(r[0]),
                kind: r[0],
                address: (r[1], r[2]),
                detail: layout::part(&k, first.info, format::BYTES),
            };
            let values: Vec<Word> = r[3..].iter().map(|v| self.only(bound, *v)).collect();
            let words = if gathers { values } else { self.shown(reach, &values) };
            (first.info, words, self.first_fault(refused, fault))
        });
        Ok(())
    }
}

/// A signed number of 256ths, of 24 bits at most, as f32.
fn two_hundred_fifty_sixths(l: &Lower<'_>, v: Word) -> Word {
    let k = l.alg(Word::Known(0));
    let (negative, magnitude) = magnitude(&k, v);
    let whole = exact(&k, magnitude);
    let smaller = k.sel(k.nz(whole), k.sub(whole, k.w(8 << 23)), k.w(0));
    with_sign(&k, negative, smaller)
}
