//! The words of a T# lead where AMD's address library says.
//!
//! A T# is made of each image of the sample, field by field, and asked for the texel of the vector. The offsets are those of the tests beside;
//! what this one would notice is a field in the wrong place, a size of a level, a layer that is forgotten.

use crate::vectors::{lines, surface, unpacked};
use std::path::Path;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::memory::image::fields::{Field, Fields};
use wavediff::memory::image::format::TexelFormat;
use wavediff::memory::image::{Coordinates, Dim, Resource, chip};

/// One of each kind of descriptor, and of each chip that emulated memory is divided like.
const PROCESSORS: [&str; 8] = ["gfx600", "gfx704", "gfx803", "gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1200"];

/// A base address that no block reaches beyond.
const BASE: u64 = 0x40_0000_0000;

/// A format of so many bytes an element.
fn format_of(bytes: u32, block: u32) -> &'static str {
    match (bytes, block) {
        (8, 4) => "bc1_unorm",
        (_, 4) => "bc7_unorm",
        (1, _) => "8_uint",
        (2, _) => "16_uint",
        (4, _) => "32_uint",
        (12, _) => "32_32_32_uint",
        (8, _) => "32_32_uint",
        _ => "32_32_32_32_uint",
    }
}

#[test]
fn descriptors_lead_where_the_address_library_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/tiling/tiling.tsv.zst");
    let (mut compared, mut wrong) = (0, Vec::new());
    for name in PROCESSORS {
        let target = Target::new(Arch::find(name).expect(name));
        let generation = target.generation();
        lines(&unpacked(&path), |line| {
            let Some(own) = line.optional("pitch").filter(|_| line.text("chip") == chip(&target).name()) else {
                return;
            };
            let surface = surface(line, line.text("xor"));
            let (depth, samples) = (surface.depth, surface.samples);
            let dim = match line.text("resource") {
                "3D" => Dim::D3,
                "1D" if generation != Gen::Gfx9 => Dim::D1Array,
                _ if samples > 1 => Dim::MsaaArray,
                _ => Dim::D2Array,
            };
            let format = format_of(surface.bytes, surface.block);
            let Some((number, num)) = TexelFormat::numbers(format, &target) else { return };
            let mut words = [0; 8];
            let mut put = |field: Field, value: u32| field.set(&mut words, generation, value.into());
            put(Field::Format, number);
            put(Field::NumFormat, num);
            put(Field::Width, surface.width - 1);
            put(Field::Height, surface.height - 1);
            put(Field::Depth, depth - 1);
            put(Field::LastArray, if generation < Gen::Gfx9 { depth - 1 } else { 0 });
            put(Field::Mode, surface.mode);
            put(Field::Type, 8 + u32::from(dim.number()));
            put(Field::LastLevel, if samples > 1 { samples.ilog2() } else { surface.levels - 1 });
            put(Field::MaxMip, if samples > 1 { samples.ilog2() } else { surface.levels - 1 });
            put(Field::Pow2Pad, u32::from(surface.pow2pad && generation < Gen::Gfx9));
            if generation <= Gen::Gfx9 {
                // Of gfx9 the sample has none: there it follows from the rest.
                let Some(pitch) = own.parse::<u32>().ok() else { return };
                put(Field::Pitch, pitch - 1);
            }
            Field::Base.set(&mut words, generation, BASE >> 8 | u64::from(surface.swizzle));
            let resource = match Resource::decode(&words, &target) {
                Ok(Some(resource)) => resource,
                other => return wrong.push(format!("{name} {}: {:?}", line.1.join(" "), other.map(|_| ()))),
            };
            let [x, y, z, sample, level] = ["x", "y", "z", "sample", "mip"].map(|n| line.n(n));
            let block = surface.block;
            let at = Coordinates { x: x * block, y: y * block, z, sample, level };
            let want = BASE + line.text("offset").parse::<u64>().expect("a number");
            let got = resource.at(at).map(|at| at.address);
            compared += 1;
            if got != Some(want) {
                wrong.push(format!("{name} {}: {got:x?} and {want:x}", line.1.join(" ")));
            }
        });
    }
    let first: Vec<&String> = wrong.iter().take(12).collect();
    assert!(wrong.is_empty(), "{} of {compared}: {first:#?}", wrong.len());
    assert!(compared > 2000, "only {compared}");
}
