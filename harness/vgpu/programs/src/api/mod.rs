//! Programs of what the host side of Vulkan does: rows of names, needs and functions.

mod binding;
mod copies;
mod dispatches;
mod events;
mod images;
mod memory;
mod pipelines;
mod queries;
mod recording;
mod sharing;
mod sync;
mod texels;
mod threads;

use crate::gpu::Gpu;
use crate::stop::Words;
use crate::unit::Bound;

/// A program.
pub struct Function {
    pub name: &'static str,
    /// Features without which it is left out.
    pub needs: &'static [&'static str],
    pub run: fn(&Gpu) -> Words,
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Function> {
    [
        binding::ALL,
        copies::ALL,
        dispatches::ALL,
        events::ALL,
        memory::ALL,
        pipelines::ALL,
        queries::ALL,
        recording::ALL,
        sharing::ALL,
        sync::ALL,
        texels::ALL,
        threads::ALL,
    ]
    .into_iter()
    .chain(images::ALL)
    .flatten()
}

/// How far results of functions may be from those of another device, all in `f32`; others are equal to the bit.
const WITHIN: &[(&str, f64)] = images::WITHIN;

/// How far those of a function may be.
pub fn bound(name: &str) -> Option<Bound> {
    let (_, far) = WITHIN.iter().find(|(bounded, _)| *bounded == name)?;
    Some(Bound { rule: "within".to_owned(), ty: "f32".to_owned(), far: *far })
}

/// One word for many: an FNV hash for every block of 1024 words, so that a difference is found near its place.
pub fn digest(words: &[u32]) -> Vec<u32> {
    words
        .chunks(1024)
        .map(|block| block.iter().fold(0x811c_9dc5, |hash, word| (hash ^ word).wrapping_mul(0x0100_0193)))
        .collect()
}

/// Words that look random.
pub fn noise(seed: u32, count: usize) -> Vec<u32> {
    let bytes = crate::unit::random("u32", seed, count * 4);
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}
