//! Where samples and gathers go: the texels of all footprints, which nobody fetches.

use super::{Axes, Filter, GATHERED, Source, Taker, Tap, Taps};
use crate::emu::memory::image::sample::Samples;
use crate::emu::memory::whole::Lanes;
use crate::memory::format::Places;

/// A texel of all footprints.
struct Stop<const L: usize> {
    /// Which of a slice it is.
    n: usize,
    /// The lanes that go there.
    lanes: u64,
    /// Bytes from the base of the image.
    offsets: [u32; L],
}

/// The texels, in the order in which a sample of each lane goes to them.
struct Walk<const L: usize> {
    stops: Vec<Stop<L>>,
    /// What a level has of the sums; of gathers nothing, for of these the weights do not count.
    shares: Option<[f64; L]>,
}

impl<const L: usize> Source<L> for Walk<L> {
    fn get(
        &mut self,
        _: &Filter<'_, '_, '_>,
        lanes: &Lanes<'_, L>,
        Tap { axes, pick, .. }: &Tap<'_, L>,
        offsets: &mut [u32; L],
        _: &mut Places<L>,
    ) -> Option<()> {
        let mut there = lanes.exec;
        lanes.run(
            #[inline(always)]
            || {
                if let Some(shares) = &self.shares {
                    there &= not_zero(shares);
                    let second = axes.all().zip(pick).filter(|(_, pick)| **pick != 0);
                    second.for_each(|(axis, _)| there &= not_zero(&axis.weight));
                } else if pick[2] != 0 {
                    there = 0;
                }
            },
        );
        self.stops.push(Stop { n: pick[0] + 2 * pick[1], lanes: there, offsets: *offsets });
        Some(())
    }
}

/// The lanes of which a number is not zero.
#[inline(always)]
fn not_zero<const L: usize>(of: &[f64; L]) -> u64 {
    of.iter().enumerate().fold(0, |all, (lane, v)| all | u64::from(*v != 0.0) << lane)
}

/// The lanes of which numbers are the same.
#[inline(always)]
fn same<const L: usize>(a: &[u32; L], b: &[u32; L]) -> u64 {
    a.iter().zip(b).enumerate().fold(0, |all, (lane, (a, b))| all | u64::from(a == b) << lane)
}

/// Nobody takes the texels.
impl<const L: usize> Taker<L> for () {
    fn take(&mut self, _: &Filter<'_, '_, '_>, _: &Lanes<'_, L>, _: &Axes<L>, _: &Taps<L>, _: usize) -> Option<()> {
        Some(())
    }
}

/// Puts the addresses of the texels that the lanes of a sample or a gather go to, lane after lane, each of them once.
pub(in crate::emu::memory::image) fn walk<const L: usize>(
    samples: &Samples<'_, '_>,
    lanes: &Lanes<'_, L>,
    gathers: bool,
    mut put: impl FnMut(u32, u64),
) -> Option<()> {
    let filter = Filter::new(samples)?;
    let mut walk = Walk { stops: Vec::new(), shares: None };
    if gathers {
        let hows = filter.gathered(lanes);
        hows.groups(lanes, |lanes, how| filter.taps(lanes, &mut walk, (how.level, true), &mut ()))?;
        if filter.resource.dim.has_rows() {
            walk.stops.sort_by_key(|stop| GATHERED[stop.n]);
        }
    } else {
        let hows = filter.sampled(lanes);
        hows.groups(lanes, |lanes, how| {
            for second in [false, true] {
                let mut shares = [0.0; L];
                if hows.shares(lanes, second, &mut shares) {
                    walk.shares = Some(shares);
                    filter.taps(lanes, &mut walk, (how.level + u32::from(second), how.blends), &mut ())?;
                }
            }
            Some(())
        })?;
    }
    // A lane goes to a texel once.
    for n in 1..walk.stops.len() {
        let (before, [stop, ..]) = walk.stops.split_at_mut(n) else { break };
        lanes.run(
            #[inline(always)]
            || {
                // Lanes that filter in another way have texels of their own.
                let mine = stop.lanes;
                for other in before.iter().filter(|other| other.lanes & mine != 0) {
                    stop.lanes &= !(same(&other.offsets, &stop.offsets) & other.lanes);
                }
            },
        );
    }
    let base = filter.resource.whole(0)?.base();
    lanes.each(|lane| {
        for stop in walk.stops.iter().filter(|stop| stop.lanes >> lane & 1 != 0) {
            put(lane as u32, base + u64::from(stop.offsets[lane]));
        }
    });
    Some(())
}
