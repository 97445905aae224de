//! Images: copies, clears, loads and stores, atomics, sizes, samples and gathers, over formats and dimensions.
//!
//! A program goes through rows of formats and rows of shapes or modes. The words of each pair follow a word with its number, so
//! that a difference is found near its place. Shaders are texts with macros (`IMAGE`, `READ`, ...) that a row fills in.

pub mod atomics;
pub mod clears;
pub mod copies;
pub mod loads;
pub mod quads;
pub mod samples;
pub mod sizes;
pub mod texel;
pub mod views;

use super::{Function, digest};
use crate::gpu::formats::Format;
use crate::gpu::image::{Dim, Shape};

/// All of them.
pub const ALL: [&[Function]; 8] =
    [atomics::ALL, clears::ALL, copies::ALL, loads::ALL, quads::ALL, samples::ALL, sizes::ALL, views::ALL];

/// Programs whose results Vulkan lets be apart, and how far: curves, blocks between whose ends devices interpolate with more or
/// fewer bits (two steps of 255; of 127, and where a curve is steep, more), and weights of 8 bits.
pub const WITHIN: &[(&str, f64)] = &[
    ("image_fetch_curves", 0.002),
    ("image_fetch_blocks_near", 0.011),
    ("image_fetch_blocks_steep", 0.02),
    ("image_linear_1d", 0.006),
    ("image_linear_2d", 0.006),
    ("image_linear_layers", 0.006),
    ("image_linear_3d", 0.006),
    ("image_linear_cube", 0.006),
];

/// Dimension, size, levels, layers.
type Sized = (Dim, [u32; 3], u32, u32);

fn shape((dim, size, levels, layers): Sized, format: &'static Format) -> Shape {
    Shape::new(dim, format, size, levels, layers)
}

/// What stands for a pair that a device does not have.
const LACKS: u32 = 0x1ac1_1ac1;

/// The words of pairs.
#[derive(Default)]
struct Results {
    words: Vec<u32>,
    pairs: u32,
}

impl Results {
    /// Words as they are, behind the number of the pair.
    fn all(&mut self, words: &[u32]) {
        self.words.push(0xc0de_0000 | self.pairs);
        self.words.extend(words);
        self.pairs += 1;
    }

    /// Hashes of words.
    fn add(&mut self, words: &[u32]) {
        self.all(&digest(words));
    }
}
