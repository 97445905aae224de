//! Footprints: the texels around the coordinates of lanes, axis by axis.
//!
//! As in [`sample`](crate::memory::image::sample), a coordinate is a number of 256ths of a texel: two texels and a weight, or one; then the
//! sampler says which texels stand for those outside.

use super::Filter;
use crate::emu::memory::image::sample::offset;
use crate::emu::memory::image::texels::register;
use crate::emu::memory::whole::Lanes;
use crate::isa::Gen;
use crate::memory::image::sampler::Clamp;

/// One axis of footprints: two texels, in range or of the border, and the weight of the second.
pub(super) struct Axis<const L: usize> {
    pub(super) texels: [[u32; L]; 2],
    /// Lanes whose texel is the border.
    pub(super) border: [u64; 2],
    pub(super) weight: [f64; L],
    /// There are two.
    pub(super) blends: bool,
}

impl<const L: usize> Axis<L> {
    /// Of one texel, the first.
    pub(super) fn new() -> Self {
        Axis { texels: [[0; L]; 2], border: [0; 2], weight: [0.0; L], blends: false }
    }
}

/// The axes of footprints; of one row the second is that row.
pub(super) struct Axes<const L: usize> {
    pub(super) plane: [Axis<L>; 2],
    /// Of volumes.
    pub(super) third: Option<Axis<L>>,
}

impl<const L: usize> Axes<L> {
    pub(super) fn all(&self) -> impl Iterator<Item = &Axis<L>> {
        self.plane.iter().chain(&self.third)
    }
}

impl Filter<'_, '_, '_> {
    /// One axis of all footprints; nothing where a coordinate is too large.
    #[inline(always)]
    pub(super) fn along<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        n: usize,
        size: u32,
        to: &mut Axis<L>,
    ) -> Option<()> {
        let (sampler, clamp) = (&self.samples.sampler, self.samples.sampler.clamp[n]);
        let top = size as f32;
        let scale = if self.unnormalized { 1.0 } else { top };
        let (mut at, mut far) = (self.coordinate(lanes, n)?, false);
        for at in &mut at {
            *at *= scale;
            far |= at.is_nan() | (at.abs() >= 16384.0);
        }
        if matches!(clamp, Clamp::HalfBorder | Clamp::MirrorOnceHalfBorder) {
            let mirrors = clamp == Clamp::MirrorOnceHalfBorder;
            for at in &mut at {
                *at = if mirrors { at.abs() } else { *at }.clamp(0.0, top);
            }
        }
        if far {
            return None;
        }
        let late = self.resource.format.is_int() && self.resource.generation() <= Gen::Gfx8;
        let half = if !to.blends || late { 0 } else { 128 };
        // A float of this size has whole numbers only, so that the sum is rounded to 256ths, in the lower bits.
        const WHOLE: f32 = 1.5 * (1 << 23) as f32;
        let mut first = [0; L];
        for (lane, at) in at.iter().enumerate() {
            let fixed = (at * 256.0 + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()) as i32 - half;
            first[lane] = fixed >> 8;
            to.weight[lane] = f64::from(fixed & 255) * (1.0 / 256.0);
        }
        if !to.blends {
            to.weight = [0.0; L];
            if sampler.truncates {
                for (first, at) in first.iter_mut().zip(&at) {
                    *first = at.floor() as i32;
                }
            }
        }
        if let Some(place) = self.samples.places.offset {
            for (first, word) in first.iter_mut().zip(register(self.samples.reach, lanes, place.into())?) {
                *first += offset(word, n);
            }
        }
        to.border[0] = inside(&first, size as i32, clamp, &mut to.texels[0]);
        if to.blends {
            for first in &mut first {
                *first += 1;
            }
            to.border[1] = inside(&first, size as i32, clamp, &mut to.texels[1]);
        } else {
            (to.texels[1], to.border[1]) = (to.texels[0], to.border[0]);
        }
        Some(())
    }
}

/// The texels that stand for those of a level of some size, and the lanes where that is the border.
#[inline(always)]
fn inside<const L: usize>(of: &[i32; L], size: i32, clamp: Clamp, to: &mut [u32; L]) -> u64 {
    let last = size - 1;
    let mirrored = |v: i32| if v < 0 { !v } else { v };
    let mut within = *of;
    match clamp {
        Clamp::Wrap => repeated(&mut within, size),
        Clamp::Mirror => {
            repeated(&mut within, 2 * size);
            for v in &mut within {
                *v = (*v).min(2 * size - 1 - *v);
            }
        }
        Clamp::Edge => {
            for v in &mut within {
                *v = (*v).clamp(0, last);
            }
        }
        Clamp::MirrorOnceEdge => {
            for v in &mut within {
                *v = mirrored(*v).min(last);
            }
        }
        Clamp::HalfBorder | Clamp::Border => {}
        Clamp::MirrorOnceHalfBorder | Clamp::MirrorOnceBorder => {
            for v in &mut within {
                *v = mirrored(*v);
            }
        }
    }
    let mut outside = false;
    for (to, v) in to.iter_mut().zip(&within) {
        outside |= (*v < 0) | (*v > last);
        *to = *v as u32;
    }
    let mut border = 0;
    if outside {
        for (lane, to) in to.iter_mut().enumerate() {
            if *to >= size as u32 {
                border |= 1 << lane;
                *to = 0;
            }
        }
    }
    border
}

/// Numbers in the first of the repetitions of a period: division is slow, and nearly never needed.
#[inline(always)]
fn repeated<const L: usize>(of: &mut [i32; L], period: i32) {
    if period & (period - 1) == 0 {
        for v in of {
            *v &= period - 1;
        }
        return;
    }
    let (mut near, mut far) = ([0; L], false);
    for (near, v) in near.iter_mut().zip(of.iter()) {
        *near = v + if *v < 0 { period } else { 0 } - if *v >= period { period } else { 0 };
        far |= (*near < 0) | (*near >= period);
    }
    if far {
        for v in of {
            *v = v.rem_euclid(period);
        }
    } else {
        *of = near;
    }
}
