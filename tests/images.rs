//! Image descriptors and samplers of any words do no harm: what is out of range has no address, and nothing panics or goes on for ever.
//!
//! What addresses are right is in `tests/tiling.rs`.

use wavediff::isa::{Arch, Target};
use wavediff::laws::Chance;
use wavediff::memory::image::fields::{Field, Fields};
use wavediff::memory::image::format::TexelFormat;
use wavediff::memory::image::sample::{Lod, Request};
use wavediff::memory::image::sampler::{Sampler, Unsupported};
use wavediff::memory::image::{At, Coordinates, Resource};

const PROCESSORS: [&str; 9] =
    ["gfx600", "gfx704", "gfx803", "gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"];

/// An error of a fetch.
#[derive(Debug)]
struct Refused;

impl From<Unsupported> for Refused {
    fn from(_: Unsupported) -> Refused {
        Refused
    }
}

#[test]
fn no_words_do_any_harm() {
    let mut chance = Chance::new(0x1a9e5);
    let (mut images, mut texels, mut samples) = (0, 0, 0);
    for round in 0..60_000 {
        let target = Target::new(Arch::find(PROCESSORS[round % PROCESSORS.len()]).expect("a processor"));
        let generation = target.generation();
        let mut words: [u32; 8] = std::array::from_fn(|_| chance.next_u64() as u32);
        // Most words are no image: some fields are made likely.
        Field::Type.set(&mut words, generation, 8 + chance.next_u64() % 8);
        if round % 3 > 0 {
            Field::Compressed.set(&mut words, generation, 0);
            Field::Mode.set(&mut words, generation, [0, 8, 27, 9, 24][chance.below(5)]);
            let format = ["8_8_8_8_unorm", "32_float", "bc1_unorm", "16_16_16_16_float"][chance.below(4)];
            let (number, num) = TexelFormat::numbers(format, &target).expect(format);
            Field::Format.set(&mut words, generation, number.into());
            Field::NumFormat.set(&mut words, generation, num.into());
        }
        let Ok(Some(resource)) = Resource::decode(&words, &target) else { continue };
        images += 1;
        let any = |chance: &mut Chance| match chance.below(3) {
            0 => chance.below(40) as u32,
            1 => chance.next_u64() as u32 & 0xffff,
            _ => chance.next_u64() as u32,
        };
        for _ in 0..4 {
            let [x, y] = [(); 2].map(|()| any(&mut chance));
            // Few images have more than one.
            let mut mostly_first = |most: usize| if chance.below(3) == 0 { chance.below(most) as u32 } else { 0 };
            let (z, sample, level) = (mostly_first(40), mostly_first(5), mostly_first(18));
            let found = resource.at(Coordinates { x, y, z, sample, level });
            texels += u32::from(found.is_some());
            let mut quick = [0];
            if resource.all_at([&[x], &[y], &[z]], &mut quick).is_some() {
                let slow = resource.at(Coordinates { x, y, z, sample: 0, level: 0 });
                assert_eq!(Some(quick[0]), slow.map(|at| at.address), "{words:x?} {x} {y} {z}");
            }
            let _ = resource.size(level);
        }
        let words: [u32; 4] = std::array::from_fn(|_| chance.next_u64() as u32);
        let Ok(sampler) = Sampler::decode(&words, &target) else { continue };
        let float = |chance: &mut Chance| match chance.below(4) {
            0 => f32::from_bits(chance.next_u64() as u32),
            1 => [f32::NAN, f32::INFINITY, -0.0, 1e30, f32::MAX][chance.below(5)],
            _ => chance.below(4000) as f32 / 1000.0 - 2.0,
        };
        let mut floats = || float(&mut chance);
        let request = Request {
            at: [floats(), floats(), floats(), floats()],
            lod: Lod::Gradients([[floats(), floats(), floats()], [floats(), floats(), floats()]]),
            bias: floats(),
            least: Some(floats()),
            offset: [31, -32, 7],
            reference: (round % 2 == 0).then(&mut floats),
            unnormalized: round % 5 == 0,
        };
        let mut fetch = |_: At, _: u32| Ok::<_, Refused>([0x5a; 16]);
        samples += u32::from(resource.sample(&sampler, &request, &mut fetch).is_ok());
        let explicit = Request { lod: Lod::Explicit(request.bias), ..request };
        samples += u32::from(resource.gather(&sampler, &explicit, round % 4, &mut fetch).is_ok());
    }
    assert!(images > 5000 && texels > 500 && samples > 1000, "{images} images, {texels} texels, {samples} samples");
}
