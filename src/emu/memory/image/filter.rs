//! Samples and gathers of all lanes at once.
//!
//! The arithmetic is that of [`Resource::sample`] and [`Resource::gather`], step by step. Lanes that filter the same level in the same way
//! go together: they fetch the first texels of their footprints together, then the second ones, and so on, and add them up by their
//! weights. Left to the lanes one by one are cubes, filters that take the least or the greatest texel, coordinates that are no numbers or
//! too far outside, and what [`texels`](super::texels) leaves to them.

mod axes;
pub(super) mod walk;

use super::sample::Samples;
use super::texels::{decoded, register, span};
use crate::each::each;
use crate::emu::memory::formatted::each::put_one;
use crate::emu::memory::whole::Lanes;
use crate::emu::memory::whole::guest::elements_within;
use crate::isa::image::Address;
use crate::memory::format::{Kind, Places, Select, f16_value};
use crate::memory::guest::Memory;
use crate::memory::image::sample::plus;
use crate::memory::image::sampler::Reduce;
use crate::memory::image::whole::{Part, Slices, Whole};
use crate::memory::image::{Dim, Resource};
use crate::program::memory::image::Bits;
use axes::{Axes, Axis};

/// What a lane filters.
#[derive(Clone, Copy, Default, PartialEq)]
struct How {
    /// The level.
    level: u32,
    /// The weight of the next one, in 256ths.
    next: u32,
    /// Texels are blended with their neighbours.
    blends: bool,
}

/// What all lanes filter.
enum Hows<const L: usize> {
    /// The same.
    One(How),
    /// Each its own.
    Each([How; L]),
}

/// The texels of footprints in one slice, along x first: one, two or four.
struct Taps<const L: usize> {
    /// Their elements; of blocks their components.
    elements: [Places<L>; 4],
    /// Lanes that get the border colour.
    border: [u64; 4],
    count: usize,
}

/// One of the texels of all footprints, as seen from their first.
struct Tap<'t, const L: usize> {
    axes: &'t Axes<L>,
    /// Which of the two it is on each axis.
    pick: [usize; 3],
    whole: &'t Whole<'t>,
}

/// Where the texels of footprints come from.
trait Source<const L: usize> {
    /// Gets the elements of a texel, or the components of blocks, for lanes where it is not the border.
    fn get(
        &mut self,
        filter: &Filter<'_, '_, '_>,
        lanes: &Lanes<'_, L>,
        tap: &Tap<'_, L>,
        offsets: &mut [u32; L],
        to: &mut Places<L>,
    ) -> Option<()>;
}

impl<const L: usize> Source<L> for &Memory {
    fn get(
        &mut self,
        Filter { resource, .. }: &Filter<'_, '_, '_>,
        lanes: &Lanes<'_, L>,
        Tap { axes, pick, whole }: &Tap<'_, L>,
        offsets: &mut [u32; L],
        to: &mut Places<L>,
    ) -> Option<()> {
        lanes.run(
            #[inline(always)]
            || elements_within(lanes, self, span(whole), offsets, resource.format.bytes(), to),
        )?;
        if resource.format.block() > 1 {
            let [x, y] = &axes.plane;
            *to = decoded(resource, to, [&x.texels[pick[0]], &y.texels[pick[1]]], lanes.exec);
        }
        Some(())
    }
}

/// Who asks for the texels of footprints.
trait Taker<const L: usize> {
    /// Takes those of a slice.
    fn take(
        &mut self,
        filter: &Filter<'_, '_, '_>,
        lanes: &Lanes<'_, L>,
        axes: &Axes<L>,
        taps: &Taps<L>,
        slice: usize,
    ) -> Option<()>;
}

/// What lanes ask for.
struct Filter<'s, 'r, 'a> {
    samples: &'s Samples<'r, 'a>,
    resource: &'s Resource,
    unnormalized: bool,
}

impl<'s, 'r, 'a> Filter<'s, 'r, 'a> {
    fn new(samples: &'s Samples<'r, 'a>) -> Option<Self> {
        let reach = samples.reach;
        let resource = reach.resource.as_deref().filter(|of| of.dim != Dim::Cube && reach.image.dmask != 0)?;
        let unnormalized = samples.sampler.unnormalized || reach.image.has(Bits::UNORM);
        Some(Filter { samples, resource, unnormalized })
    }

    /// Coordinate `n`, as in a [request](crate::memory::image::sample::Request): what the instruction does not have is 0.
    #[inline(always)]
    fn coordinate<const L: usize>(&self, lanes: &Lanes<'_, L>, n: usize) -> Option<[f32; L]> {
        let (reach, body) = (self.samples.reach, self.samples.places.body);
        let (count, _) = Address::of_dim(reach.dim.number());
        let mut at = [0.0; L];
        if n < usize::from(count) {
            let from = register(reach, lanes, usize::from(body.register) + if body.short { n / 2 } else { n })?;
            if body.short {
                for (at, word) in at.iter_mut().zip(from) {
                    *at = f16_value(word >> (n % 2 * 16));
                }
            } else {
                for (at, word) in at.iter_mut().zip(from) {
                    *at = f32::from_bits(word);
                }
            }
        }
        Some(at)
    }

    /// Asks for what every lane filters, unless it is the same in all; `None` where nothing depends on the level of detail.
    fn hows<const L: usize>(&self, lanes: &Lanes<'_, L>, mut how: impl FnMut(Option<u32>) -> How) -> Hows<L> {
        let (parts, sampler) = (self.samples.reach.image.parts, &self.samples.sampler);
        if self.resource.levels() == 1 && sampler.magnify == sampler.minify {
            return Hows::One(how(None));
        }
        let first = lanes.exec.trailing_zeros();
        if parts.contains(Address::ZERO) && !parts.intersects(Address::BIAS.union(Address::CLAMP)) {
            return Hows::One(how(Some(first)));
        }
        let mut all = [How::default(); L];
        let mut same = true;
        lanes.each(|lane| {
            all[lane] = how(Some(lane as u32));
            same &= all[lane] == all[first as usize];
        });
        if same { Hows::One(all[first as usize]) } else { Hows::Each(all) }
    }

    /// What every lane filters that samples.
    fn sampled<const L: usize>(&self, lanes: &Lanes<'_, L>) -> Hows<L> {
        let (integers, sampler) = (self.resource.format.is_int(), &self.samples.sampler);
        let mut details = self.samples.details(self.resource);
        self.hows(lanes, |lane| {
            let Some(lane) = lane else { return How { level: 0, next: 0, blends: !integers && sampler.magnify } };
            let detail = details.of(lane);
            let blends = !integers && if detail.bounded <= 0 { sampler.magnify } else { sampler.minify };
            How { level: detail.level.0, next: if integers { 0 } else { detail.level.1 }, blends }
        })
    }

    /// What every lane filters that gathers.
    fn gathered<const L: usize>(&self, lanes: &Lanes<'_, L>) -> Hows<L> {
        let mut details = self.samples.details(self.resource);
        self.hows(lanes, |lane| {
            let (level, next) = lane.map_or((0, 0), |lane| details.of(lane).level);
            How { level: level + u32::from(next >= 128), next: 0, blends: true }
        })
    }

    /// Goes through the texels of the footprints in a level that are wanted.
    fn taps<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        source: &mut impl Source<L>,
        (level, blends): (u32, bool),
        taker: &mut impl Taker<L>,
    ) -> Option<()> {
        let whole = self.resource.whole(level)?;
        let (sizes, dimensions) = (self.resource.size_of(level), self.resource.dim.axes());
        let mut axes = Axes { plane: [Axis::new(), Axis::new()], third: None };
        let mut parts: [[Part<L>; 2]; 2] = Default::default();
        for (n, axis) in axes.plane.iter_mut().enumerate() {
            if n < dimensions {
                axis.blends = blends;
                lanes.run(
                    #[inline(always)]
                    || self.along(lanes, n, sizes[n], axis),
                )?;
            }
            for (part, of) in parts[n].iter_mut().zip(&axis.texels) {
                lanes.run(
                    #[inline(always)]
                    || *part = whole.part(lanes, n, of),
                );
            }
        }
        if dimensions > 2 {
            let axis = axes.third.insert(Axis::new());
            axis.blends = blends && self.samples.sampler.slices.unwrap_or(true);
            lanes.run(
                #[inline(always)]
                || self.along(lanes, 2, sizes[2], axis),
            )?;
        }
        let sides = axes.plane.each_ref().map(|axis| if axis.blends { 2 } else { 1 });
        let mut taps = Taps { elements: [[[0; L]; 4]; 4], border: [0; 4], count: sides[0] * sides[1] };
        let mut offsets = [0; L];
        for z in 0..if axes.third.as_ref().is_some_and(|axis| axis.blends) { 2 } else { 1 } {
            let mut slices = None;
            self.slices(lanes, &whole, axes.third.as_ref().map(|axis| &axis.texels[z]), &mut slices)?;
            for n in 0..taps.count {
                let pick = [n % sides[0], n / sides[0], z];
                let borders = axes.all().zip(pick).map(|(axis, pick)| axis.border[pick]);
                let border = borders.fold(0, |all, border| all | border) & lanes.exec;
                if border != 0 && self.samples.sampler.border_table.is_some() {
                    return None;
                }
                taps.border[n] = border;
                if let Some(lanes) = lanes.only(lanes.exec & !border) {
                    let plane = [&parts[0][pick[0]], &parts[1][pick[1]]];
                    lanes.run(
                        #[inline(always)]
                        || match &slices {
                            None => offsets = whole.offsets(plane, whole.first_slice()),
                            Some(each) => offsets = whole.offsets(plane, each),
                        },
                    );
                    let tap = Tap { axes: &axes, pick, whole: &whole };
                    source.get(self, &lanes, &tap, &mut offsets, &mut taps.elements[n])?;
                }
            }
            taker.take(self, lanes, &axes, &taps, z)?;
        }
        Some(())
    }

    /// Finds the slices or layers of footprints, where it is not the first one in all lanes.
    #[inline(always)]
    fn slices<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        whole: &Whole<'_>,
        texels: Option<&[u32; L]>,
        found: &mut Option<Slices<L>>,
    ) -> Option<()> {
        let last = whole.limits()[2].checked_sub(1)?;
        if texels.is_none() && !self.resource.dim.has_layers() {
            return Some(());
        }
        let cut = self.samples.sampler.truncates_layers;
        lanes.run(
            #[inline(always)]
            || {
                let of = match texels {
                    Some(texels) => *texels,
                    None => each(
                        &self.coordinate(lanes, self.resource.dim.axes())?,
                        #[inline(always)]
                        |at| (if cut { at.floor() } else { at.round_ties_even() } as i32).clamp(0, last as i32) as u32,
                    ),
                };
                *found = Some(whole.slices(&of, None));
                of.iter().fold(true, |all, z| all & (*z <= last)).then_some(())
            },
        )
    }

    /// A component of the texels, as the filter sees it.
    #[inline(always)]
    fn component<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        taps: &Taps<L>,
        n: usize,
        to: &mut [[u32; L]; 4],
    ) -> Option<()> {
        let (format, compare) = (self.resource.format, self.samples.places.compare);
        // The outcome of a comparison is the same in all.
        let n = if compare.is_some() { 0 } else { n };
        let of = to.iter_mut().zip(&taps.elements).take(taps.count);
        if format.block() > 1 {
            for (to, components) in of {
                *to = components[n];
            }
        } else {
            format.component_of_many(n, of.map(|(to, elements)| (to, &elements[..])))?;
        }
        for (of, border) in to.iter_mut().zip(taps.border).take(taps.count).filter(|(_, border)| *border != 0) {
            let colour = self.resource.border(&self.samples.sampler)[n];
            for (lane, of) in of.iter_mut().enumerate() {
                *of = if border >> lane & 1 != 0 { colour } else { *of };
            }
        }
        if let Some(n) = compare {
            let comparison = self.resource.comparison(&self.samples.sampler);
            let references = register(self.samples.reach, lanes, n.into())?;
            for of in &mut to[..taps.count] {
                for (of, reference) in of.iter_mut().zip(references) {
                    let passes = comparison.passes(f32::from_bits(reference), f32::from_bits(*of));
                    *of = if passes { 1.0f32.to_bits() } else { 0 };
                }
            }
        }
        Some(())
    }

    /// What registers get from no component.
    #[inline(always)]
    fn constant<const L: usize>(&self, select: Select) -> [u32; L] {
        [if select == Select::One { self.resource.format.kind().one() } else { 0 }; L]
    }
}

impl<const L: usize> Hows<L> {
    /// Does something for the lanes that filter a level in the same way, one such group after the other.
    #[inline(always)]
    fn groups(&self, lanes: &Lanes<'_, L>, mut with: impl FnMut(&Lanes<'_, L>, How) -> Option<()>) -> Option<()> {
        let all = match self {
            Hows::One(how) => return with(lanes, *how),
            Hows::Each(all) => all,
        };
        let mut rest = lanes.exec;
        while rest != 0 {
            let first = all[rest.trailing_zeros() as usize % L];
            let mut same = 0;
            for (lane, how) in all.iter().enumerate() {
                same |= u64::from(how.level == first.level && how.blends == first.blends) << lane;
            }
            with(&lanes.only(same & rest)?, first)?;
            rest &= !same;
        }
        Some(())
    }

    /// The shares that a level, or the next one, has in lanes, of which those that are not in the group have none; false where it has none
    /// in any.
    fn shares(&self, lanes: &Lanes<'_, L>, second: bool, to: &mut [f64; L]) -> bool {
        let share = |how: &How| if second { how.next } else { 256 - how.next };
        let mut some = 0;
        lanes.run(
            #[inline(always)]
            || match self {
                Hows::One(how) => {
                    some = share(how);
                    *to = [f64::from(some) * (1.0 / 256.0); L];
                }
                Hows::Each(all) => {
                    for (lane, (to, how)) in to.iter_mut().zip(all).enumerate() {
                        let own = if lanes.exec >> lane & 1 != 0 { share(how) } else { 0 };
                        some |= own;
                        *to = f64::from(own as i32) * (1.0 / 256.0);
                    }
                }
            },
        );
        some != 0
    }
}

/// Texels that are blended: what comes of them, by register.
struct Blend<const L: usize> {
    /// Of integers, each of which is one texel, these: there is room for them in an f64.
    sums: [[f64; L]; 4],
    /// The shares that the level has.
    shares: [f64; L],
    /// Of these what each texel of a slice gets.
    weights: [[f64; L]; 4],
    /// Of two NaN the sum is the one that comes first; else it may be the other.
    careful: bool,
}

impl<const L: usize> Blend<L> {
    /// Whether a sum is no number.
    fn is_strange(&self, lanes: &Lanes<'_, L>) -> bool {
        lanes.run(
            #[inline(always)]
            || {
                // Below zero where a magnitude is above that of infinity: of comparisons compilers make one of every two sums, and gather these.
                let mut above = 0;
                for sums in &self.sums {
                    for sum in sums {
                        above |= f64::INFINITY.to_bits() as i64 - sum.abs().to_bits() as i64;
                    }
                }
                above < 0
            },
        )
    }

    /// Finds the weights that so many texels of a slice have.
    #[inline(always)]
    fn weigh(&mut self, axes: &Axes<L>, slice: usize, count: usize) {
        let mut shares = self.shares;
        if let Some(axis) = axes.third.as_ref().filter(|axis| axis.blends) {
            let (first, sign) = if slice == 0 { (1.0, -1.0) } else { (0.0, 1.0) };
            for (share, second) in shares.iter_mut().zip(&axis.weight) {
                *share *= first + sign * second;
            }
        }
        let [x, y] = &axes.plane;
        for (n, weights) in self.weights[..count].iter_mut().enumerate() {
            for (lane, weight) in weights.iter_mut().enumerate() {
                let along = if n % 2 == 0 { 1.0 - x.weight[lane] } else { x.weight[lane] };
                let across = if n / 2 == 0 { 1.0 - y.weight[lane] } else { y.weight[lane] };
                *weight = shares[lane] * along * across;
            }
        }
    }

    /// Adds a component of so many texels to sums, each by its weight.
    #[inline(always)]
    fn add<const TAPS: usize>(
        sums: &mut [f64; L],
        weights: &[[f64; L]; 4],
        of: &[[u32; L]; 4],
        plus: impl Fn(f64, f64, f64) -> f64,
    ) {
        for lane in 0..L {
            let mut sum = sums[lane];
            for (of, weight) in of[..TAPS].iter().zip(weights) {
                sum = plus(sum, f64::from(f32::from_bits(of[lane])), weight[lane]);
            }
            sums[lane] = sum;
        }
    }
}

impl<const L: usize> Taker<L> for Blend<L> {
    fn take(
        &mut self,
        filter: &Filter<'_, '_, '_>,
        lanes: &Lanes<'_, L>,
        axes: &Axes<L>,
        taps: &Taps<L>,
        slice: usize,
    ) -> Option<()> {
        let (reach, resource) = (filter.samples.reach, filter.resource);
        let integers = resource.format.is_int();
        lanes.run(
            #[inline(always)]
            || self.weigh(axes, slice, taps.count),
        );
        let mut of = [[0; L]; 4];
        let Blend { sums, weights, careful, .. } = self;
        for (sums, n) in sums.iter_mut().zip(reach.masked()) {
            let Select::Component(c) = resource.dst_sel[n] else { continue };
            lanes.run(
                #[inline(always)]
                || {
                    filter.component(lanes, taps, usize::from(c & 3), &mut of)?;
                    if integers {
                        // One texel each.
                        for (lane, sum) in sums.iter_mut().enumerate() {
                            *sum = if lanes.exec >> lane & 1 != 0 { of[0][lane].into() } else { *sum };
                        }
                        return Some(());
                    }
                    macro_rules! add {
                        ($plus:expr) => {
                            match taps.count {
                                1 => Self::add::<1>(sums, weights, &of, $plus),
                                2 => Self::add::<2>(sums, weights, &of, $plus),
                                _ => Self::add::<4>(sums, weights, &of, $plus),
                            }
                        };
                    }
                    if resource.format.kind() != Kind::Float {
                        add!(
                            #[inline(always)]
                            |sum, value, weight| sum + value * weight
                        );
                        return Some(());
                    }
                    // What has no weight does not count, be it no number; that of the two zeros which leaves the other as it is.
                    let weighed = |value: f64, weight: f64| if weight == 0.0 { -0.0 } else { value * weight };
                    if *careful {
                        add!(
                            #[inline(always)]
                            |sum, value, weight| plus(sum, weighed(value, weight))
                        );
                    } else {
                        add!(
                            #[inline(always)]
                            |sum, value, weight| sum + weighed(value, weight)
                        );
                    }
                    Some(())
                },
            )?;
        }
        Some(())
    }
}

/// Filtered values of all lanes.
pub(super) fn sample<const L: usize>(
    samples: &Samples<'_, '_>,
    lanes: &Lanes<'_, L>,
    mut memory: &Memory,
) -> Option<()> {
    let filter = Filter::new(samples)?;
    let (reach, resource) = (samples.reach, filter.resource);
    if samples.sampler.reduce != Reduce::Blend {
        return None;
    }
    let integers = resource.format.is_int();
    let hows = filter.sampled(lanes);
    let mut blend = Blend { sums: [[-0.0; L]; 4], shares: [0.0; L], weights: [[0.0; L]; 4], careful: false };
    loop {
        hows.groups(lanes, |lanes, how| {
            for second in [false, true] {
                if hows.shares(lanes, second, &mut blend.shares) {
                    filter.taps(lanes, &mut memory, (how.level + u32::from(second), how.blends), &mut blend)?;
                }
            }
            Some(())
        })?;
        if blend.careful || resource.format.kind() != Kind::Float || !blend.is_strange(lanes) {
            break;
        }
        (blend.sums, blend.careful) = ([[-0.0; L]; 4], true);
    }
    for ((to, n), sum) in (0..).zip(reach.masked()).zip(&blend.sums) {
        let select = resource.dst_sel[n];
        lanes.run(
            #[inline(always)]
            || {
                let register = match select {
                    Select::Component(_) if integers => each(
                        sum,
                        #[inline(always)]
                        |sum| sum as u32,
                    ),
                    Select::Component(_) => each(
                        sum,
                        #[inline(always)]
                        |sum| (sum as f32).to_bits(),
                    ),
                    other => filter.constant(other),
                };
                put_one(lanes, reach.access, resource.format.kind(), reach.packs, to, &register)
            },
        )?;
    }
    reach.status(lanes)
}

/// Which of a gather's texels those of a footprint are, along x first: counter-clockwise from the lower left.
const GATHERED: [usize; 4] = [3, 2, 0, 1];

/// One component of four texels.
struct Four<const L: usize> {
    component: Select,
    all: [[u32; L]; 4],
}

impl<const L: usize> Taker<L> for Four<L> {
    fn take(
        &mut self,
        filter: &Filter<'_, '_, '_>,
        lanes: &Lanes<'_, L>,
        _: &Axes<L>,
        taps: &Taps<L>,
        slice: usize,
    ) -> Option<()> {
        if slice != 0 {
            return Some(());
        }
        let mut of = [[0; L]; 4];
        lanes.run(
            #[inline(always)]
            || {
                match self.component {
                    Select::Component(c) => filter.component(lanes, taps, usize::from(c & 3), &mut of)?,
                    other => of = [filter.constant(other); 4],
                }
                // Above a row that is the only one there is the same again.
                for (n, place) in GATHERED.into_iter().enumerate() {
                    let (to, of) = (&mut self.all[place], &of[n % taps.count]);
                    if lanes.are_all() {
                        *to = *of;
                        continue;
                    }
                    for (lane, to) in to.iter_mut().enumerate() {
                        *to = if lanes.exec >> lane & 1 != 0 { of[lane] } else { *to };
                    }
                }
                Some(())
            },
        )
    }
}

/// A component of the four texels around a point, of all lanes.
pub(super) fn gather<const L: usize>(
    samples: &Samples<'_, '_>,
    lanes: &Lanes<'_, L>,
    mut memory: &Memory,
) -> Option<()> {
    let filter = Filter::new(samples)?;
    let (reach, resource) = (samples.reach, filter.resource);
    let hows = filter.gathered(lanes);
    let component = resource.dst_sel[reach.image.dmask.trailing_zeros() as usize & 3];
    let mut four = Four { component, all: [[0; L]; 4] };
    hows.groups(lanes, |lanes, how| filter.taps(lanes, &mut memory, (how.level, true), &mut four))?;
    for (n, register) in (0..u32::from(reach.access.components)).zip(&four.all) {
        lanes.run(
            #[inline(always)]
            || put_one(lanes, reach.access, reach.kind(), reach.packs, n, register),
        )?;
    }
    reach.status(lanes)
}
