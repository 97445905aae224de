//! Sampling: from coordinates to texels and their weights, and from those to one value.
//!
//! A coordinate is multiplied by the size of its level, rounded to f32. Where texels are blended, the product is rounded to 256ths
//! (nearest, ties to even) and half a texel is taken away: the integer part is the first of two texels, the other eight bits are the weight
//! of the second. Where one texel is taken, the integer part of the rounded product says which, or that of the exact one where the
//! sampler cuts. The level of detail is a number of 256ths too. Weights are exact, their sum is rounded once.
//!
//! What cards are known to do otherwise, or may, is in [`choices`](super::choices).

use super::sampler::{Clamp, Mips, Reduce, Sampler};
use super::{At, Coordinates, Dim, Resource};
use crate::fault::planted;
use crate::isa::Gen;
use crate::memory::format::select;

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lod {
    /// The instruction says it.
    Explicit(f32),
    /// From how far the coordinates of neighbours in a quad are apart, along x and along y.
    Gradients([[f32; 3]; 2]),
}

/// What one lane asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// Up to three coordinates; behind them the layer. Of cubes: two on the face, and the face with eight times the layer.
    pub at: [f32; 4],
    /// Where the level comes from.
    pub lod: Lod,
    /// Added to the level.
    pub bias: f32,
    /// The least level, beside that of the sampler.
    pub least: Option<f32>,
    /// Added to the numbers of texels.
    pub offset: [i32; 3],
    /// What a depth is compared with.
    pub reference: Option<f32>,
    /// The instruction says that coordinates count texels.
    pub unnormalized: bool,
}

/// Reads the words of an element of so many bytes.
pub type Fetch<'f, E> = dyn FnMut(At, u32) -> Result<[u32; 4], E> + 'f;

/// Half the logarithm of the square of a length, in 256ths: the level of detail of gradients.
#[must_use]
pub fn half_logarithm(square: f64) -> i64 {
    fixed(square.log2() / 2.0)
}

/// A level of detail, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// What was asked for, in 256ths, before bounds.
    pub raw: i32,
    /// Within the bounds of sampler and address, which say whether texels are larger than pixels.
    pub bounded: i32,
    /// The level, and the weight of the next one in 256ths.
    pub level: (u32, u32),
}

/// One axis of a footprint: two texels and the weight of the second in 256ths.
#[derive(Clone, Copy, Debug)]
struct Axis {
    texels: [i64; 2],
    weight: u32,
}

/// The number of 256ths that is nearest.
fn fixed(v: f64) -> i64 {
    // What is no number is 0; what is too large stays large.
    (v * 256.0).round_ties_even() as i64
}

impl Axis {
    /// One texel.
    fn one(texel: i64) -> Axis {
        Axis { texels: [texel, texel], weight: 0 }
    }
}

impl Resource {
    /// Layers of the view, less one.
    fn last_layer(&self) -> u32 {
        self.layers.last.saturating_sub(self.layers.first)
    }

    /// The level of detail of a request.
    #[must_use]
    pub fn detail(&self, sampler: &Sampler, request: &Request) -> Detail {
        let last = (self.levels() as i32 - 1).max(0);
        let raw = match request.lod {
            Lod::Explicit(lod) => fixed(lod.into()),
            Lod::Gradients(gradients) => {
                let [width, height, depth] = self.size_of(0).map(f64::from);
                let scale =
                    if sampler.unnormalized || request.unnormalized { [1.0; 3] } else { [width, height, depth] };
                let length = |gradient: [f32; 3]| {
                    let squares = gradient.iter().zip(scale).map(|(d, size)| (f64::from(*d) * size).powi(2));
                    squares.take(self.dim.axes()).sum::<f64>()
                };
                let longest = gradients.map(length).into_iter().fold(0.0, f64::max);
                half_logarithm(longest)
            }
        };
        let raw = raw.saturating_add(sampler.bias.into()).saturating_add(fixed(request.bias.into()));
        let raw = raw.clamp(i64::from(i32::MIN >> 8), i64::from(i32::MAX >> 8)) as i32;
        let least = request.least.map_or(i32::MIN, |least| fixed(least.into()).clamp(0, 1 << 20) as i32);
        let (low, high) = sampler.lod;
        let bounded = raw.max(low).max(least).min(high);
        let positive = bounded.max(self.min_lod).clamp(0, last << 8);
        let level = match sampler.mips {
            Mips::First => (0, 0),
            Mips::Nearest => ((positive + 128) as u32 >> 8, 0),
            Mips::Linear => (positive as u32 >> 8, positive as u32 & 255),
        };
        Detail { raw, bounded, level: (level.0.min(last as u32), level.1) }
    }

    /// The filtered value of a request, before it goes to registers.
    ///
    /// # Errors
    /// A texel could not be read, or a border colour is not known.
    pub fn sample<E: From<super::sampler::Unsupported>>(
        &self,
        sampler: &Sampler,
        request: &Request,
        fetch: &mut Fetch<'_, E>,
    ) -> Result<[u32; 4], E> {
        let detail = self.detail(sampler, request);
        let integers = self.format.is_int();
        let blends = !integers && if detail.bounded <= 0 { sampler.magnify } else { sampler.minify };
        let (level, weight) = detail.level;
        let mut sum = Sum::new(sampler.reduce);
        let weight = if integers { 0 } else { weight };
        for (level, share) in [(level, 256 - weight), (level + 1, weight)] {
            if share == 0 {
                continue;
            }
            let footprint = self.footprint(sampler, request, level, blends);
            for (texel, weight) in footprint.texels() {
                if weight == 0 {
                    continue;
                }
                let values = self.tap(sampler, request, texel, level, fetch)?;
                if integers {
                    return Ok(select(self.dst_sel, self.format.kind(), values));
                }
                sum.add(values, f64::from(share) * f64::from(weight) / f64::from(1u32 << 16) / f64::from(1u32 << 16));
            }
        }
        Ok(select(self.dst_sel, self.format.kind(), sum.values()))
    }

    /// One component of the four texels that a filter would take: those at (0, 1), (1, 1), (1, 0) and (0, 0).
    ///
    /// # Errors
    /// As of [`Resource::sample`].
    pub fn gather<E: From<super::sampler::Unsupported>>(
        &self,
        sampler: &Sampler,
        request: &Request,
        component: usize,
        fetch: &mut Fetch<'_, E>,
    ) -> Result<[u32; 4], E> {
        let detail = self.detail(sampler, request);
        let (level, weight) = detail.level;
        let level = if weight >= 128 { level + 1 } else { level };
        let footprint = self.footprint(sampler, request, level, true);
        let mut all = [0; 4];
        let down = usize::from(planted!(GatherFromFirst));
        for (value, (i, j)) in all.iter_mut().zip([(0, 1 - down), (1, 1 - down), (1, down), (0, down)]) {
            let texel = [footprint.axes[0].texels[i], footprint.axes[1].texels[j], footprint.axes[2].texels[0]];
            let values = self.tap(sampler, request, texel, level, fetch)?;
            *value = select(self.dst_sel, self.format.kind(), values)[component & 3];
        }
        Ok(all)
    }

    /// The texels around a request in a level.
    fn footprint(&self, sampler: &Sampler, request: &Request, level: u32, blends: bool) -> Footprint {
        let size = self.size_of(level);
        let axes = self.dim.axes();
        let unnormalized = sampler.unnormalized || request.unnormalized;
        // On faces of cubes the coordinates lie between 1 and 2.
        let shift = if self.dim == Dim::Cube { 1.0 } else { 0.0 };
        let late = self.format.is_int() && self.generation() <= Gen::Gfx8;
        let along = |n: usize| {
            if n >= axes {
                return Axis::one(0);
            }
            let at = request.at[n] - shift;
            let at = f64::from(if unnormalized { at } else { at * size[n] as f32 });
            let clamped = match sampler.clamp[n] {
                Clamp::HalfBorder => at.clamp(0.0, size[n].into()),
                Clamp::MirrorOnceHalfBorder => at.abs().min(size[n].into()),
                _ => at,
            };
            let at = if at.is_nan() { 0.0 } else { clamped };
            let offset = i64::from(request.offset[n]);
            let blends = if n == 2 { sampler.slices.unwrap_or(blends) && blends } else { blends };
            if blends {
                // Gathers of integers on the first generations are half a texel late.
                let from = fixed(at).saturating_sub(if late || planted!(SampleNoHalfTexel) { 0 } else { 128 });
                let first = (from >> 8).saturating_add(offset);
                Axis { texels: [first, first.saturating_add(1)], weight: (from & 255) as u32 }
            } else {
                let texel = if sampler.truncates && !planted!(SampleNeverTruncates) {
                    at.floor() as i64
                } else {
                    fixed(at) >> 8
                };
                Axis::one(texel.saturating_add(offset))
            }
        };
        let mut axes = [along(0), along(1), along(2)];
        if self.dim.has_layers() {
            axes[2] = Axis::one(self.layer(sampler, request));
        }
        Footprint { axes }
    }

    /// The layer of a request; of cubes the face with six times the layer.
    fn layer(&self, sampler: &Sampler, request: &Request) -> i64 {
        let at = f64::from(request.at[self.dim.axes()]);
        let whole = if sampler.truncates_layers { at.floor() } else { at.round_ties_even() } as i64;
        let last = i64::from(self.last_layer());
        if self.dim == Dim::Cube {
            return whole.div_euclid(8).clamp(0, last / 6) * 6 + whole.rem_euclid(8).min(5);
        }
        whole.clamp(0, last)
    }

    /// The components of one texel of a footprint, as the filter sees them.
    fn tap<E: From<super::sampler::Unsupported>>(
        &self,
        sampler: &Sampler,
        request: &Request,
        texel: [i64; 3],
        level: u32,
        fetch: &mut Fetch<'_, E>,
    ) -> Result<[u32; 4], E> {
        let size = self.size_of(level).map(i64::from);
        let [mut x, mut y, z] = texel;
        let mut z = z;
        let outside = |v: i64, n: usize| !(0..size[n]).contains(&v);
        if self.dim == Dim::Cube && sampler.seamless {
            // A footprint goes over one edge by one texel.
            (x, y) = (x.clamp(-1, size[0]), y.clamp(-1, size[1]));
            match (outside(x, 0), outside(y, 1)) {
                (false, false) => {}
                (true, true) => {
                    // There is no texel at a corner: it is the mean of its three neighbours.
                    let [cx, cy] = [x.clamp(0, size[0] - 1), y.clamp(0, size[1] - 1)];
                    if self.format.is_int() {
                        return self.tap(sampler, request, [cx, cy, z], level, fetch);
                    }
                    let mut sum = Sum::new(Reduce::Blend);
                    for (x, y) in [(cx, cy), (x, cy), (cx, y)] {
                        sum.add(self.tap(sampler, request, [x, y, z], level, fetch)?, 1.0 / 3.0);
                    }
                    return Ok(sum.values());
                }
                _ => [x, y, z] = over_the_edge([x, y, z], size[0]),
            }
        } else {
            let clamps = if self.dim == Dim::Cube { [Clamp::Edge; 3] } else { sampler.clamp };
            for (n, v) in [&mut x, &mut y, &mut z].into_iter().enumerate().take(self.dim.axes()) {
                match inside(*v, size[n], clamps[n]) {
                    Some(within) => *v = within,
                    None => {
                        if let Some(unknown) = sampler.border_table {
                            return Err(unknown.into());
                        }
                        let border = self.border(sampler);
                        return Ok(self.compared(sampler, request, border));
                    }
                }
            }
        }
        let at = Coordinates { x: x as u32, y: y as u32, z: z as u32, sample: 0, level };
        let values = match self.at(at) {
            Some(at) => self.format.load(&fetch(at, self.format.bytes())?, at.place.0, at.place.1),
            None => [0; 4],
        };
        Ok(self.compared(sampler, request, values))
    }

    /// The outcome of a comparison, where there is one.
    fn compared(&self, sampler: &Sampler, request: &Request, values: [u32; 4]) -> [u32; 4] {
        let Some(reference) = request.reference else { return values };
        if self.comparison(sampler).passes(reference, f32::from_bits(values[0])) { PASSED } else { FAILED }
    }

    /// How depths are compared.
    #[must_use]
    pub fn comparison(&self, sampler: &Sampler) -> Comparison {
        Comparison { passing: sampler.compare, clamps: self.format.clamps_reference() }
    }

    /// The components of the border.
    #[must_use]
    pub fn border(&self, sampler: &Sampler) -> [u32; 4] {
        let colour = if planted!(SampleBorderBlack) { [0.0; 4] } else { sampler.border };
        let is_int = self.format.is_int();
        self.border_order.map(|n| if is_int { colour[n] as u32 } else { colour[n].to_bits() })
    }
}

/// A comparison of references with depths.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// As in a [sampler](Sampler::compare).
    passing: u32,
    /// References are clamped first.
    clamps: bool,
}

impl Comparison {
    /// Whether it passes. Without branches, for lanes side by side.
    #[inline(always)]
    #[must_use]
    pub fn passes(self, reference: f32, depth: f32) -> bool {
        let reference = if self.clamps { reference.clamp(0.0, 1.0) } else { reference };
        let (reference, depth) = if planted!(CompareReversed) { (depth, reference) } else { (reference, depth) };
        let less = (reference < depth) & (self.passing & 1 != 0);
        let equal = (reference == depth) & (self.passing & 2 != 0);
        let greater = (reference > depth) & (self.passing & 4 != 0);
        // What is no number passes where everything but equality does, and always.
        let unordered = (reference.is_nan() | depth.is_nan()) & (self.passing & 5 == 5);
        less | equal | greater | unordered
    }
}

const PASSED: [u32; 4] = [0x3f80_0000; 4];
const FAILED: [u32; 4] = [0; 4];

/// The texels around a point.
#[derive(Clone, Copy, Debug)]
struct Footprint {
    axes: [Axis; 3],
}

impl Footprint {
    /// Each texel and its weight; all weights are 2^24 together.
    fn texels(self) -> impl Iterator<Item = ([i64; 3], u32)> {
        (0..8usize).map(move |n| {
            let picks = [n & 1, n >> 1 & 1, n >> 2];
            let part = |axis: &Axis, pick: usize| {
                if (pick == 0) != planted!(SampleWeightsSwapped) { 256 - axis.weight } else { axis.weight }
            };
            let weight = self.axes.iter().zip(picks).map(|(axis, pick)| part(axis, pick)).product();
            ([0, 1, 2].map(|n| self.axes[n].texels[picks[n]]), weight)
        })
    }
}

/// A sum of which the host does not choose the NaN: the first one that there is, else the usual one.
#[inline(always)]
#[must_use]
pub fn plus(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_nan() {
        sum
    } else if a.is_nan() {
        a
    } else if b.is_nan() {
        b
    } else {
        f64::NAN
    }
}

/// What a filter makes of texels.
struct Sum {
    reduce: Reduce,
    values: Option<[f64; 4]>,
}

impl Sum {
    fn new(reduce: Reduce) -> Sum {
        Sum { reduce, values: None }
    }

    fn add(&mut self, values: [u32; 4], weight: f64) {
        let values = values.map(|bits| f64::from(f32::from_bits(bits)));
        self.values = Some(match (self.values, self.reduce) {
            (None, Reduce::Blend) => values.map(|v| v * weight),
            (None, _) => values,
            (Some(old), Reduce::Blend) => [0, 1, 2, 3].map(|n| plus(old[n], values[n] * weight)),
            (Some(old), Reduce::Min) => [0, 1, 2, 3].map(|n| old[n].min(values[n])),
            (Some(old), Reduce::Max) => [0, 1, 2, 3].map(|n| old[n].max(values[n])),
        });
    }

    fn values(&self) -> [u32; 4] {
        self.values.unwrap_or_default().map(|v| (v as f32).to_bits())
    }
}

/// The texel that stands for one outside; nothing for the border.
fn inside(v: i64, size: i64, clamp: Clamp) -> Option<i64> {
    let last = size - 1;
    let mirrored = |v: i64| if v < 0 { !v } else { v };
    match clamp {
        Clamp::Wrap if planted!(SampleWrapEnds) => Some(v.clamp(0, last)),
        Clamp::Wrap => Some(v.rem_euclid(size)),
        Clamp::Mirror => {
            let v = v.rem_euclid(2 * size);
            Some(v.min(2 * size - 1 - v))
        }
        Clamp::Edge => Some(v.clamp(0, last)),
        Clamp::MirrorOnceEdge => Some(mirrored(v).min(last)),
        Clamp::HalfBorder | Clamp::Border => (0..size).contains(&v).then_some(v),
        Clamp::MirrorOnceHalfBorder | Clamp::MirrorOnceBorder => Some(mirrored(v)).filter(|v| *v < size),
    }
}

/// The faces of a cube: the axis and sign of the coordinate to the right, of that downwards, and of the face itself.
pub(crate) const FACES: [[(usize, i64); 3]; 6] = [
    [(2, -1), (1, -1), (0, 1)],
    [(2, 1), (1, -1), (0, -1)],
    [(0, 1), (2, 1), (1, 1)],
    [(0, 1), (2, -1), (1, -1)],
    [(0, 1), (1, -1), (2, 1)],
    [(0, -1), (1, -1), (2, -1)],
];

/// The texel of the neighbouring face behind an edge: one coordinate is outside, by one texel or a few.
fn over_the_edge([x, y, z]: [i64; 3], size: i64) -> [i64; 3] {
    let (cube, face) = (z / 6 * 6, (z % 6) as usize);
    // Texels have odd coordinates between -size and size; the face lies at a distance of size.
    let centre = |v: i64| 2 * v + 1 - size;
    let mut point = [0; 3];
    let mut rest = size;
    for (v, (axis, sign)) in [centre(x), centre(y)].into_iter().zip(FACES[face]) {
        let beyond = v.abs() - size;
        if beyond > 0 {
            rest = (size - beyond).max(1 - size);
        }
        point[axis] = v.clamp(-size, size) * sign;
    }
    let (axis, sign) = FACES[face][2];
    point[axis] = rest * sign;
    let found = FACES.iter().position(|[_, _, (axis, sign)]| point[*axis] * sign == size).unwrap_or(face);
    let [right, down, _] = FACES[found];
    let texel = |(axis, sign): (usize, i64)| ((point[axis] * sign + size - 1) / 2).clamp(0, size - 1);
    [texel(right), texel(down), cube + found as i64]
}
