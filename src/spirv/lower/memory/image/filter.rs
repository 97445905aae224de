//! Filters: the texels around a point, and what becomes of them.
//!
//! [`SAMPLE`] is one function: a loop over one or two levels, in it a loop over the axes that makes a footprint, and a loop over its texels.
//! See [`crate::memory::image::sample`] for what is computed.

use super::super::Lower;
use super::super::components::selected;
use super::super::convert::{exact, is_nan, pick};
use super::super::floats;
use super::super::helper::Helper;
use super::fixed::{INSIDE, Point, between, saturated};
use super::layout::{LEVEL, Level, field, is_dim};
use super::tap::tap;
use super::texel::has_integers;
use crate::isa::Gen;
use crate::isa::sem::Alg;
use crate::memory::image::Dim;
use crate::memory::image::fields::{Field, SamplerField};
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::module::Id;

/// A [`Request`]: how it failed (a [trap](crate::spirv::state::trap), or 0), where (two), four components.
pub(super) const SAMPLE: Helper = Helper { name: "image_sample", results: 7, body: sample };

/// What is done, in the configuration of [`SAMPLE`].
pub(super) const GATHERS: u32 = 1;
pub(super) const COMPARES: u32 = 2;
pub(super) const UNNORMALIZED: u32 = 4;
/// The component of a gather, from this bit on.
pub(super) const COMPONENT: u32 = 3;

/// What a lane asks for.
pub(super) struct Request {
    pub wanted: Truth,
    pub at: [Word; 4],
    /// The level, the weight of the next one in 256ths, and whether texels are blended.
    pub level: Word,
    pub weight: Word,
    pub blends: Word,
    /// A byte for each axis, of which six bits count.
    pub offset: Word,
    pub reference: Word,
    pub sampler: [Word; 4],
    pub image: Vec<Word>,
}

impl Request {
    pub fn words(&self, k: &Spirv<'_>) -> Vec<Word> {
        let mut all = vec![k.bit(self.wanted)];
        all.extend(self.at);
        all.extend([self.level, self.weight, self.blends, self.offset, self.reference]);
        all.extend(self.sampler);
        all.extend(&self.image);
        all
    }

    fn of(k: &Spirv<'_>, a: &[Word]) -> Request {
        let four = |n: usize| [a[n], a[n + 1], a[n + 2], a[n + 3]];
        Request {
            wanted: k.nz(a[0]),
            at: four(1),
            level: a[5],
            weight: a[6],
            blends: a[7],
            offset: a[8],
            reference: a[9],
            sampler: four(10),
            image: a[14..22].to_vec(),
        }
    }
}

/// The texels of a footprint: of each axis two, as [`INSIDE`] has them, and the weight of the second.
pub(super) struct Footprint {
    pub texels: [[Id; 2]; 3],
    pub border: [[Id; 2]; 3],
    weight: [Id; 3],
}

/// What the levels of an image have in common.
pub(super) struct View {
    pub cube: Truth,
    layered: Truth,
    axes: Word,
    pub seamless: Truth,
}

/// Whether a field of the sampler has a bit.
fn flag(k: &Spirv<'_>, g: Gen, sampler: &[Word; 4], of: SamplerField) -> Truth {
    k.nz(k.mask(field(k, g, sampler, of), 1))
}

/// Axes of a dimension.
pub(super) fn axes_of(k: &Spirv<'_>, dim: Word) -> Word {
    let is = |of: &dyn Fn(Dim) -> bool| is_dim(k, dim, of);
    k.sel(is(&|dim| dim.axes() == 1), k.w(1), k.sel(is(&|dim| dim.axes() == 3), k.w(3), k.w(2)))
}

fn sample(l: &Lower<'_>, config: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let g = l.generation();
    let r = Request::of(&k, a);
    let gathers = config & GATHERS != 0;
    let dim = k.mask(field(&k, g, &r.image, Field::Type), 7);
    let is = |of: &dyn Fn(Dim) -> bool| is_dim(&k, dim, of);
    let view = View {
        cube: is(&|dim| dim == Dim::Cube),
        layered: is(&Dim::has_layers),
        axes: axes_of(&k, dim),
        seamless: k.negate(flag(&k, g, &r.sampler, SamplerField::NoCubeWrap)),
    };
    let reduce = if gathers { k.w(0) } else { field(&k, g, &r.sampler, SamplerField::Reduce) };
    let [failed, low, high, any] = [(); 4].map(|()| l.var(k.w(0)));
    let sums = [(); 4].map(|()| l.wide(k.d(0)));
    let gathered = [(); 4].map(|()| l.var(k.w(0)));
    let footprint = Footprint {
        texels: [(); 3].map(|()| [(); 2].map(|()| l.var(k.w(0)))),
        border: [(); 3].map(|()| [(); 2].map(|()| l.var(k.w(0)))),
        weight: [(); 3].map(|()| l.var(k.w(0))),
    };
    let info = l.var(k.w(0));
    let levels = if gathers { k.w(1) } else { k.sel(k.eq(r.weight, k.w(0)), k.w(1), k.w(2)) };
    l.when(r.wanted, || {
        l.times_while(levels, |turn| {
            let second = k.nz(turn);
            let number = k.add(r.level, turn);
            let share = k.sel(second, r.weight, k.sub(k.w(256), r.weight));
            let mut args = r.image.clone();
            args.push(number);
            let level = Level::of(&l.call(LEVEL, 0, &args));
            l.put(info, level.info);
            footprint.make(l, &r, &view, &level, config);
            let integers = has_integers(&k, level.info);
            l.times_while(k.w(if gathers { 4 } else { 8 }), |at| {
                // A gather takes those at (0, 1), (1, 1), (1, 0) and (0, 0).
                let picks = if gathers {
                    let right = k.mask(k.xor(at, k.shri(at, 1)), 1);
                    [right, k.sub(k.w(1), k.shri(at, 1)), k.w(0)]
                } else {
                    [0, 1, 2].map(|axis| k.mask(k.shri(at, axis), 1))
                };
                let part = |axis: usize| {
                    let weight = l.get(footprint.weight[axis]);
                    let swapped = l.has(Planted::ImageWeightsSwapped);
                    let c = k.nz(picks[axis]);
                    let c = if swapped { k.negate(c) } else { c };
                    k.sel(c, weight, k.sub(k.w(256), weight))
                };
                let weight = if gathers { k.w(1) } else { k.mul(k.mul(part(0), part(1)), part(2)) };
                l.when(k.nz(weight), || {
                    let (values, fault) = tap(l, &r, &view, &level, &footprint, picks, config);
                    l.put(failed, fault[0]);
                    l.put(low, fault[1]);
                    l.put(high, fault[2]);
                    if gathers {
                        let v = select(&k, &r, level.info, &values, k.w(config >> COMPONENT));
                        for (number, to) in (0..).zip(gathered) {
                            l.put_if(k.eq(at, k.w(number)), to, v);
                        }
                    } else {
                        let total = weight_of(&k, share, weight);
                        l.times(k.w(4), |c| {
                            let mine = |n: u32| k.eq(c, k.w(n));
                            let old =
                                (0..).zip(sums).fold(k.d(0), |old, (n, sum)| k.sel_d(mine(n), l.get_wide(sum), old));
                            let v = pick(&k, &values, c);
                            let new = l.add_value(l.get(any), old, v, total, reduce);
                            let new = k.sel_d(integers, (v, k.w(0)), new);
                            for (n, sum) in (0..).zip(sums) {
                                l.put_wide_if(mine(n), sum, new);
                            }
                        });
                        l.put(any, k.w(1));
                    }
                });
                let done = if gathers { k.c(false) } else { k.both(integers, k.nz(l.get(any))) };
                k.both(k.negate(done), k.eq(l.get(failed), k.w(0)))
            });
            k.both(k.negate(integers), k.eq(l.get(failed), k.w(0)))
        });
    });
    let mut all = vec![l.get(failed), l.get(low), l.get(high)];
    if gathers {
        all.extend(gathered.map(|v| l.get(v)));
        return all;
    }
    let integers = has_integers(&k, l.get(info));
    let f = floats(l);
    let values = sums.map(|sum| l.get_wide(sum)).map(|sum| k.sel(integers, sum.0, f.f32_of_f64(sum)));
    all.extend((0..4).map(|n| select(&k, &r, l.get(info), &values, k.w(n))));
    all
}

/// Register `n` by DST_SEL.
fn select(k: &Spirv<'_>, r: &Request, info: Word, values: &[Word], n: Word) -> Word {
    // DST_SEL lies in one place on all generations.
    let code = k.mask(k.shr(r.image[3], k.mul(n, k.w(3))), 7);
    selected(k, code, values, has_integers(k, info))
}

/// The share of a level (of 256) times the weight of a texel (of 2^24) as f64.
fn weight_of(k: &Spirv<'_>, share: Word, weight: Word) -> Pair {
    let product = k.mul_d(k.zext(share), k.zext(weight));
    let zeros = k.clz_d(product);
    let top = k.shl_d(product, zeros);
    // The highest bit is hidden; 2^32 is one.
    let fraction = k.shr_d((top.0, k.mask(top.1, u32::MAX >> 1)), k.w(11));
    let exponent = k.sub(k.w(1023 + 63 - 32), zeros);
    (fraction.0, k.or(fraction.1, k.shli(exponent, 20)))
}

impl Footprint {
    /// The texels around a request in a level.
    fn make(&self, l: &Lower<'_>, r: &Request, view: &View, level: &Level, config: u32) {
        let (k, f) = (l.alg(Word::Known(0)), floats(l));
        let g = l.generation();
        let get = |of: SamplerField| field(&k, g, &r.sampler, of);
        let truncates = flag(&k, g, &r.sampler, SamplerField::Truncate);
        let unnormalized =
            if config & UNNORMALIZED != 0 { k.c(true) } else { flag(&k, g, &r.sampler, SamplerField::Unnormalized) };
        let sizes = [k.max_u(level.width, k.w(1)), k.max_u(level.height, k.w(1)), level.axis_depth];
        let clamps = [SamplerField::ClampX, SamplerField::ClampY, SamplerField::ClampZ].map(get);
        let filter_z = get(SamplerField::FilterZ);
        let slices = k.either(k.eq(filter_z, k.w(0)), k.eq(filter_z, k.w(2)));
        let late = if g <= Gen::Gfx8 { has_integers(&k, level.info) } else { k.c(false) };
        l.times(k.w(3), |n| {
            let of = |three: [Word; 3]| pick(&k, &three, n);
            let (size, clamp) = (of(sizes), of(clamps));
            let there = k.lt_u(n, view.axes);
            let given = of([r.at[0], r.at[1], r.at[2]]);
            // On faces of cubes the coordinates lie between 1 and 2.
            let at = k.sel(view.cube, f.add_f32(given, k.w((-1.0f32).to_bits())), given);
            let limit = exact(&k, size);
            let at = k.sel(unnormalized, at, f.mul_f32(at, limit));
            let absolute = k.mask(at, u32::MAX >> 1);
            let nan = is_nan(&k, at);
            let least = |v: Word| k.sel(k.lt_u(v, limit), v, limit);
            let positive = k.sel(k.lt_s(at, k.w(0)), k.w(0), least(at));
            let at = k.sel(k.eq(clamp, k.w(4)), positive, k.sel(k.eq(clamp, k.w(5)), least(absolute), at));
            let at = k.sel(nan, k.w(0), at);
            let offset = k.sext(k.sx(k.shr(r.offset, k.shli(n, 3)), 6));
            let blends = k.nz(r.blends);
            let blends = k.both(blends, k.either(slices, k.lt_u(n, k.w(2))));
            let fixed = l.fixed(at, Point::Fixed);
            let half = k.sel_d(late, k.d(0), k.d(-128i64 as u64));
            let from = k.sel_d(blends, saturated(&k, fixed, half), fixed);
            let whole = k.sar_d(from, k.w(8));
            let floor = l.fixed(at, Point::Floor);
            let first = k.sel_d(k.both(truncates, k.negate(blends)), floor, whole);
            let first = saturated(&k, first, offset);
            let weight = k.sel(k.both(blends, there), k.mask(from.0, 255), k.w(0));
            let next = k.add_d(first, k.zext(k.bit(blends)));
            // Footprints go over the edges of cubes by one texel.
            let seams = k.both(view.cube, view.seamless);
            let clamp = k.sel(view.cube, k.w(2), clamp);
            l.times(k.w(2), |which| {
                let texel = k.sel_d(k.nz(which), next, first);
                let within = l.call(INSIDE, 0, &[texel.0, texel.1, size, clamp]);
                let near = between(&k, texel, k.w(u32::MAX), size);
                let v = k.sel(there, k.sel(seams, near, within[0]), k.w(0));
                let border = k.sel(k.both(there, k.negate(seams)), within[1], k.w(0));
                for axis in 0..3 {
                    for (at, (texel, out)) in (0..).zip(self.texels[axis].into_iter().zip(self.border[axis])) {
                        let mine = k.both(k.eq(n, k.w(axis as u32)), k.eq(which, k.w(at)));
                        l.put_if(mine, texel, v);
                        l.put_if(mine, out, border);
                    }
                }
            });
            for (axis, to) in (0..).zip(self.weight) {
                l.put_if(k.eq(n, k.w(axis)), to, weight);
            }
        });
        self.layer(l, r, view, level, truncates);
    }

    /// The layer of a request; of cubes the face with six times the layer.
    fn layer(&self, l: &Lower<'_>, r: &Request, view: &View, level: &Level, truncates: Truth) {
        let k = l.alg(Word::Known(0));
        let at = pick(&k, &r.at, view.axes);
        let nearest = l.fixed(at, Point::Nearest);
        let cuts = if l.generation() <= Gen::Gfx10 { truncates } else { k.c(false) };
        let whole = k.sel_d(cuts, l.fixed(at, Point::Floor), nearest);
        let last = k.sub(k.max_u(level.depth, k.w(1)), k.w(1));
        let plain = between(&k, whole, k.w(0), last);
        let face = k.min_u(k.mask(whole.0, 7), k.w(5));
        // A sixth: layers are few.
        let cubes = k.shri(k.mul(last, k.w(10923)), 16);
        let cube = between(&k, k.sar_d(whole, k.w(3)), k.w(0), cubes);
        let layer = k.sel(view.cube, k.add(k.mul(cube, k.w(6)), face), plain);
        for (texel, border) in self.texels[2].into_iter().zip(self.border[2]) {
            l.put_if(view.layered, texel, layer);
            l.put_if(view.layered, border, k.w(0));
        }
        l.put_if(view.layered, self.weight[2], k.w(0));
    }
}
