//! Clauses of fetches.
//!
//! A fetch takes a vector of its source register, reads what is bound at its resource, and writes a vector through the selects of its
//! destination. All lanes read before any writes. A source register out of range is register 0, a destination is not written.

use super::image::Image;
use super::kernel::{LANES, Lanes};
use super::mistakes::Mistake;
use super::plan::{Fetch, FetchKind, Register, Select, Texture};
use super::setup::Resource;
use super::vertex::Buffer;
use super::{Fault, Run};
use crate::isa::r600::does::{Axis, Lod};
use crate::memory::format::Kind;

/// 1.0.
const ONE: u32 = 0x3f80_0000;
static ZERO: Lanes = Lanes::splat(0);

impl Run<'_> {
    /// Fetches for the lanes of a mask.
    pub(super) fn fetch(&mut self, fetch: &Fetch, lanes: u64) -> Result<(), Fault> {
        let mut dst = fetch.dst;
        let mut values = vec![[0; 4]; 64];
        let mut one = ONE;
        match &fetch.kind {
            FetchKind::Bad(fault) => return Err(fault.clone()),
            FetchKind::SetGradients => return Ok(()),
            FetchKind::Vertex { element, offset, format, bytes, no_stride, semantic } => {
                let buffer = self.buffer(fetch.resource)?;
                let element_format = format.or(buffer.format);
                let element_format =
                    element_format.ok_or(Fault::NoResource { what: "format", number: fetch.resource })?;
                let format = element_format.format()?;
                one = format.kind.one();
                let offset = match offset {
                    0 => self.setup.vertex_offset,
                    1 => self.setup.instance_offset,
                    2 => 0,
                    value => return Err(Fault::Reserved { field: "FETCH_TYPE", value: *value }),
                };
                let bytes = if self.setup.has(Mistake::OffsetIgnored) { &0 } else { bytes };
                let stride = if *no_stride { 0 } else { buffer.stride };
                for (lane, value) in values.iter_mut().enumerate() {
                    let index = self.vector(fetch.src, lane)[*element as usize & 3].wrapping_add(offset);
                    let address = u64::from(index) * u64::from(stride) + u64::from(*bytes);
                    *value = buffer.element(&format, element_format.swap, address);
                }
                if let Some(number) = semantic {
                    let gpr = self.setup.semantics.get(number).copied();
                    dst.gpr = gpr.ok_or(Fault::NoSemantic { number: *number })?;
                }
            }
            FetchKind::Load(texture) => {
                let image = self.image(fetch.resource)?;
                one = one_of(image);
                for (lane, value) in values.iter_mut().enumerate() {
                    *value = load(image, texture, chosen(&texture.coordinates, self.vector(fetch.src, lane), 1));
                }
            }
            FetchKind::Sample { texture, compare, lod } => {
                let mut image = self.image(fetch.resource)?;
                let mut texture = *texture;
                let edged = self.setup.has(Mistake::NeverRepeats).then(|| Image { repeat: false, ..image.clone() });
                image = edged.as_ref().unwrap_or(image);
                if self.setup.has(Mistake::NotNormal) {
                    texture.normal = [false; 4];
                }
                one = one_of(image);
                let mut from = [const { Lanes::splat(0) }; 4];
                for lane in 0..LANES {
                    let vector = chosen(&texture.coordinates, self.vector(fetch.src, lane), ONE);
                    from.iter_mut().zip(vector).for_each(|(to, word)| to.0[lane] = word);
                }
                if let Some(n) = image.shape.layer().filter(|_| self.setup.has(Mistake::FirstLayer)) {
                    from[n] = Lanes::splat(0);
                }
                let at = image.nearest(&self.host, &from, texture.normal, texture.offsets);
                for (lane, value) in values.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 != 0) {
                    let texel = image.texel([0, 1, 2].map(|n| i64::from(at[n].0[lane])));
                    *value = texel.ok_or(Fault::Unsupported { what: "an image with fewer bytes than texels" })?;
                }
                if *compare {
                    // W has the level where the instruction wants one.
                    let reference = &from[if matches!(lod, Lod::Given | Lod::Bias) { 2 } else { 3 }];
                    self.compare(image, reference, &mut values);
                }
            }
            FetchKind::Size => {
                let image = self.image(fetch.resource)?;
                one = 1;
                values.fill([image.size[0], image.size[1], image.layers(), 1]);
            }
            FetchKind::Slopes(axis, coordinates) => {
                // A pixel that is not there has zeros.
                let there = |lane: usize| self.flow.lanes >> lane & 1 != 0;
                let vector = |lane| if there(lane) { self.vector(fetch.src, lane) } else { [0; 4] };
                let from: Vec<[u32; 4]> = (0..LANES).map(|lane| chosen(coordinates, vector(lane), ONE)).collect();
                // Of the first pixel of the row or column to the other one.
                let (bit, step) = if *axis == Axis::H { (2, 1) } else { (1, 2) };
                for n in 0..4 {
                    let all = element(&from, n);
                    let [first, other] =
                        [0, step].map(|step| Lanes(std::array::from_fn(|lane| all.0[lane & (!3 | bit) | step])));
                    let slopes = self.host.meaning("SLOPE", [&other, &first, &ZERO]);
                    values.iter_mut().zip(&slopes.0).for_each(|(value, slope)| value[n] = *slope);
                }
            }
        }
        let Some(gpr) = self.register(dst.gpr, dst.indexed) else { return Ok(()) };
        for (element, select) in fetch.selects.iter().enumerate() {
            let to = &mut self.gprs[gpr as usize * 4 + element];
            for (lane, (to, value)) in to.0.iter_mut().zip(&values).enumerate() {
                if lanes >> lane & 1 != 0 {
                    *to = match select {
                        Select::Element(n) => value[*n as usize & 3],
                        Select::Zero => 0,
                        Select::One => one,
                        Select::Masked => *to,
                    };
                }
            }
        }
        Ok(())
    }

    /// Puts what comparisons with texels give in their place.
    fn compare(&self, image: &Image, reference: &Lanes, texels: &mut [[u32; 4]]) {
        let texel = element(texels, 0);
        let truths = match image.compare.meaning() {
            Ok((name, true)) => self.host.meaning(name, [&texel, reference, &ZERO]),
            Ok((name, false)) => self.host.meaning(name, [reference, &texel, &ZERO]),
            Err(always) => Lanes::splat(if always { ONE } else { 0 }),
        };
        texels.iter_mut().zip(&truths.0).for_each(|(value, truth)| *value = [*truth; 4]);
    }

    fn vector(&self, from: Register, lane: usize) -> [u32; 4] {
        let gpr = self.register(from.gpr, from.indexed).unwrap_or(0);
        std::array::from_fn(|element| self.gpr(gpr, element as u32).0[lane])
    }

    fn buffer(&self, number: u32) -> Result<&Buffer, Fault> {
        match self.setup.resources.get(&number) {
            Some(Resource::Buffer(buffer)) => Ok(buffer),
            _ => Err(Fault::NoResource { what: "buffer", number }),
        }
    }

    fn image(&self, number: u32) -> Result<&Image, Fault> {
        match self.setup.resources.get(&number) {
            Some(Resource::Image(image)) => Ok(image),
            _ => Err(Fault::NoResource { what: "image", number }),
        }
    }
}

fn one_of(image: &Image) -> u32 {
    if matches!(image.format.kind, Kind::Uint | Kind::Sint) { 1 } else { ONE }
}

/// A vector through selects.
fn chosen(selects: &[Select; 4], from: [u32; 4], one: u32) -> [u32; 4] {
    selects.map(|select| match select {
        Select::Element(n) => from[n as usize & 3],
        Select::Zero | Select::Masked => 0,
        Select::One => one,
    })
}

/// The texel at whole coordinates; zeros beyond the edges and beyond the only level.
fn load(image: &Image, texture: &Texture, at: [u32; 4]) -> [u32; 4] {
    let mut place = [0; 3];
    let last = image.shape.layer().map_or(image.shape.dimensions(), |layer| layer + 1);
    for n in 0..last {
        let layer = image.shape.layer() == Some(n);
        let offset = if layer { 0 } else { texture.offsets[n] >> 1 };
        place[n] = i64::from(at[n] as i32) + i64::from(offset);
    }
    if at[3] != 0 { [0; 4] } else { image.texel(place).unwrap_or([0; 4]) }
}

/// Selects an element of vectors.
fn element(values: &[[u32; 4]], n: usize) -> Lanes {
    Lanes(std::array::from_fn(|lane| values[lane][n]))
}
