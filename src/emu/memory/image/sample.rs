//! Samples: what a lane asks for, from the parts of its address.
//!
//! Where nothing says the level of detail, it follows from how far the coordinates of four neighbouring lanes are apart: the second one
//! from the first along x, the third one along y. Lanes that are not active take part with what their registers hold.

use super::filter::walk::walk;
use super::{Reach, filter, sampler, with};
use crate::emu::group::Group;
use crate::emu::memory::common::{Done, File, Trouble, lanes};
use crate::emu::memory::touched::{self, Touched};
use crate::emu::memory::whole::with_lanes_in_pieces;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::does::{Does, Texels};
use crate::isa::image::Address;
use crate::memory::format::read_element;
use crate::memory::image::sample::{Detail, Lod, Request};
use crate::memory::image::sampler::{Sampler, Unsupported};
use crate::memory::image::{At, Resource};
use crate::program::Flags;
use crate::program::memory::image::{Bits, Places, Run};
use half::f16;

impl From<Unsupported> for Trouble {
    fn from(reason: Unsupported) -> Trouble {
        Trouble::Unsupported(reason.to_string())
    }
}

/// A sample instruction, ready to be asked for each lane.
pub(super) struct Samples<'r, 'a> {
    pub(super) reach: &'r Reach<'a>,
    pub(super) places: Places,
    pub(super) sampler: Sampler,
}

impl<'r, 'a> Samples<'r, 'a> {
    fn new(reach: &'r Reach<'a>, wave: &Wave) -> Result<Samples<'r, 'a>, Trouble> {
        let sampler = sampler(wave, reach.image)?;
        let places = reach.image.places(reach.dim.number(), wave.env.target.generation());
        Ok(Samples { reach, places, sampler })
    }

    /// A whole register of the address.
    fn word(&self, register: u8, lane: u32) -> u32 {
        let place = self.reach.image.registers.get(usize::from(register)).copied().unwrap_or(0);
        self.reach.file.get(place, 0, lane)
    }

    /// Value `n` of a run, as f32.
    fn float(&self, run: Run, n: u8, lane: u32) -> f32 {
        if run.short {
            let word = self.word(run.register + n / 2, lane);
            return f16::from_bits((word >> (n % 2 * 16)) as u16).to_f32();
        }
        f32::from_bits(self.word(run.register + n, lane))
    }

    /// The coordinates of a lane.
    fn coordinates(&self, lane: u32) -> [f32; 4] {
        let (count, _) = Address::of_dim(self.reach.dim.number());
        let mut at = [0.0; 4];
        for (n, v) in (0..count).zip(&mut at) {
            *v = self.float(self.places.body, n, lane);
        }
        at
    }

    /// How far the coordinates of a quad are apart, where nothing else says the level of detail.
    fn apart(&self, lane: u32) -> Option<Lod> {
        if !self.reach.access.has(Flags::TOGETHER) {
            return None;
        }
        let axes = self.reach.dim.axes();
        let [here, right, below] = [0, 1, 2].map(|n| self.coordinates((lane & !3) + n));
        let along = |there: [f32; 4]| std::array::from_fn(|n| if n < axes { there[n] - here[n] } else { 0.0 });
        Some(Lod::Gradients([right, below].map(along)))
    }

    /// The level of detail, of which lanes may have a say that are written by now.
    fn lod(&self, lane: u32, last: u8, apart: Option<Lod>) -> Lod {
        if let Some(lod) = apart {
            return lod;
        }
        let axes = self.reach.dim.axes();
        if self.reach.image.parts.contains(Address::LOD) {
            return Lod::Explicit(self.float(self.places.body, last, lane));
        }
        if self.reach.image.parts.contains(Address::ZERO) {
            return Lod::Explicit(0.0);
        }
        let along = |run| std::array::from_fn(|n| if n < axes { self.float(run, n as u8, lane) } else { 0.0 });
        self.places.gradients.map_or(Lod::Explicit(0.0), |runs| Lod::Gradients(runs.map(along)))
    }

    /// What decides the level of detail of a lane.
    fn asked(&self, lane: u32, apart: Option<Lod>) -> Asked {
        let (count, _) = Address::of_dim(self.reach.dim.number());
        let short = self.reach.image.has(Bits::A16);
        let bias = self.places.bias.map_or(0.0, |register| self.float(Run { register, short }, 0, lane));
        let clamps = self.reach.image.parts.contains(Address::CLAMP);
        (self.lod(lane, count, apart), bias, clamps.then(|| self.float(self.places.body, count, lane)))
    }

    /// The levels of detail of lanes, to be asked for from the lowest on.
    pub(super) fn details<'s>(&'s self, resource: &'s Resource) -> Details<'s, 'r, 'a> {
        Details { samples: self, resource, quad: (u32::MAX, None), last: None }
    }

    fn request(&self, lane: u32, apart: Option<Lod>) -> Request {
        let (lod, bias, least) = self.asked(lane, apart);
        let offset = self.places.offset.map_or([0; 3], |register| {
            let word = self.word(register, lane);
            [0, 1, 2].map(|n| offset(word, n))
        });
        Request {
            at: self.coordinates(lane),
            lod,
            bias,
            least,
            offset,
            reference: self.places.compare.map(|register| f32::from_bits(self.word(register, lane))),
            unnormalized: self.reach.image.has(Bits::UNORM),
        }
    }
}

/// What is added to texels along axis `n`: six bits with a sign, one in each byte.
#[inline(always)]
pub(super) fn offset(word: u32, n: usize) -> i32 {
    (word >> (8 * n) << 26) as i32 >> 26
}

/// What decides a level of detail: where it comes from, what is added, the least one.
type Asked = (Lod, f32, Option<f32>);

/// Levels of detail, of which that of a lane is often that of its neighbour.
pub(super) struct Details<'s, 'r, 'a> {
    samples: &'s Samples<'r, 'a>,
    resource: &'s Resource,
    quad: (u32, Option<Lod>),
    last: Option<(Asked, Detail)>,
}

impl Details<'_, '_, '_> {
    /// That of a lane.
    pub(super) fn of(&mut self, lane: u32) -> Detail {
        if self.quad.0 != lane & !3 {
            self.quad = (lane & !3, self.samples.apart(lane));
        }
        let asked = self.samples.asked(lane, self.quad.1);
        if let Some((_, detail)) = self.last.filter(|(last, _)| *last == asked) {
            return detail;
        }
        let (lod, bias, least) = asked;
        let unnormalized = self.samples.reach.image.has(Bits::UNORM);
        let request = Request { at: [0.0; 4], lod, bias, least, offset: [0; 3], reference: None, unnormalized };
        let detail = self.resource.detail(&self.samples.sampler, &request);
        self.last = Some((asked, detail));
        detail
    }
}

/// Does something for each lane, if there is an image.
fn each(
    wave: &mut Wave,
    step: &Step,
    group: &mut Group<'_>,
    mut ask: impl FnMut(
        &Samples<'_, '_>,
        &Resource,
        &Request,
        &mut dyn FnMut(At, u32) -> Result<[u32; 4], Trouble>,
    ) -> Result<[u32; 4], Trouble>,
) -> u32 {
    let does = step.row.map(|row| row.does);
    with(wave, step, group, |reach, wave, group| -> Done {
        let samples = Samples::new(reach, wave).map_err(|trouble| (trouble, wave.exec().trailing_zeros()))?;
        let memory = group.memory;
        let whole = match does {
            Some(Does::Texels(Texels::Sample)) => {
                with_lanes_in_pieces!(wave, |lanes| filter::sample(&samples, lanes, memory))
            }
            Some(Does::Texels(Texels::Gather)) => {
                with_lanes_in_pieces!(wave, |lanes| filter::gather(&samples, lanes, memory))
            }
            _ => None,
        };
        if whole.is_some() {
            return Ok(());
        }
        let mut view = group.memory.view();
        // Of a quad, before any of its lanes is written: the result may lie where the coordinates were.
        let mut quad = (u32::MAX, None);
        lanes(wave.exec(), |lane| {
            if quad.0 != lane & !3 || planted!(QuadAfterWrites) {
                quad = (lane & !3, samples.apart(lane));
            }
            let values = match reach.resource.as_deref().filter(|_| reach.image.dmask != 0) {
                Some(resource) => {
                    let mut fetch = |at: At, bytes: u32| Ok::<_, Trouble>(read_element(&mut view, at.address, bytes)?);
                    ask(&samples, resource, &samples.request(lane, quad.1), &mut fetch)?
                }
                None => [0; 4],
            };
            reach.put(lane, values);
            Ok::<(), Trouble>(())
        })
    })
}

pub(super) fn sample(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    each(wave, step, group, |samples, resource, request, fetch| {
        Ok(samples.reach.packed(resource.sample(&samples.sampler, request, fetch)?))
    })
}

pub(super) fn gather(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    each(wave, step, group, |samples, resource, request, fetch| {
        let component = samples.reach.image.dmask.trailing_zeros() as usize;
        resource.gather(&samples.sampler, request, component, fetch)
    })
}

/// The level that would be sampled, and what was asked for.
pub(super) fn level(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    each(wave, step, group, |samples, resource, request, _| {
        let detail = resource.detail(&samples.sampler, request);
        let (level, weight) = detail.level;
        let used = (level * 256 + weight) as f32 / 256.0;
        let raw = detail.raw as f32 / 256.0;
        Ok(samples.reach.packed([used.to_bits(), raw.to_bits(), 0, 0]))
    })
}

/// Where samples and gathers go: each lane to the texels that count, to each of them once.
pub(super) fn touched(reach: &Reach<'_>, wave: &Wave, gathers: bool, put: &mut impl FnMut(Touched)) {
    let Some(resource) = reach.resource.as_deref().filter(|_| reach.image.dmask != 0) else { return };
    let Ok(samples) = Samples::new(reach, wave) else { return };
    let bytes = resource.format.bytes();
    let mut put = |lane, address| put(Touched::memory(Some(lane), address, bytes));
    if with_lanes_in_pieces!(wave, |lanes| walk(&samples, lanes, gathers, &mut put)).is_some() {
        return;
    }
    let mut gone = Vec::new();
    for lane in touched::active(wave) {
        gone.clear();
        let mut fetch = |at: At, _| {
            if !gone.contains(&at.address) {
                gone.push(at.address);
                put(lane, at.address);
            }
            Ok::<_, Trouble>([0; 4])
        };
        let request = samples.request(lane, samples.apart(lane));
        // A lane that traps has gone as far as that.
        let _trapped = match gathers {
            true => resource.gather(&samples.sampler, &request, 0, &mut fetch),
            false => resource.sample(&samples.sampler, &request, &mut fetch),
        };
    }
}
