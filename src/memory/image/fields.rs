//! The fields of a T# and of an S#: where each generation has them.
//!
//! A field may lie in two pieces, the lower one first. One that a generation lacks has none: it reads as 0. Descriptors of trees
//! ([`rays`](crate::memory::rays)) have their fields by the same means.

use crate::isa::Gen;

/// Bits of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The word that they are in.
    pub word: u8,
    /// The lowest of them.
    pub low: u8,
    /// How many there are; 0: none.
    pub count: u8,
}

/// A field on one generation.
pub(crate) type At = [Piece; 2];

const NONE: Piece = Piece { word: 0, low: 0, count: 0 };
pub(crate) const __: At = [NONE, NONE];

/// Bits `high:low` of a word.
pub(crate) const fn b(word: u8, high: u8, low: u8) -> At {
    [Piece { word, low, count: high - low + 1 }, NONE]
}

/// A field in two pieces: the lower bits and the upper ones.
pub(crate) const fn two(low: At, high: At) -> At {
    [low[0], high[0]]
}

pub(crate) const BASE: At = two(b(0, 31, 0), b(1, 7, 0));

/// A field of a descriptor of some words.
pub trait Fields: Copy + Sized + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// Its name in messages and cases.
    fn name(self) -> &'static str;

    /// Where it is on gfx6 to gfx8, gfx9, gfx10, gfx11 and gfx12.
    #[doc(hidden)]
    fn at(self) -> [[Piece; 2]; 5];

    /// The pieces that it lies in on a generation, the lower one first.
    #[must_use]
    fn pieces(self, generation: Gen) -> [Piece; 2] {
        pieces(self, generation)
    }

    /// How many bits it has on a generation.
    #[must_use]
    fn bits(self, generation: Gen) -> u32 {
        pieces(self, generation).iter().map(|piece| u32::from(piece.count)).sum()
    }

    /// Its value.
    #[must_use]
    fn get(self, words: &[u32], generation: Gen) -> u64 {
        let mut low = 0;
        pieces(self, generation).iter().fold(0, |value, piece| {
            let mask = (1u64 << piece.count) - 1;
            let part = (u64::from(words[usize::from(piece.word)]) >> piece.low & mask) << low;
            low += piece.count;
            value | part
        })
    }

    /// Sets it; bits that it does not have are lost.
    fn set(self, words: &mut [u32], generation: Gen, value: u64) {
        let mut rest = value;
        for piece in pieces(self, generation) {
            let mask = ((1u64 << piece.count) - 1) as u32;
            let word = &mut words[usize::from(piece.word)];
            *word = *word & !(mask << piece.low) | (rest as u32 & mask) << piece.low;
            rest >>= piece.count;
        }
    }
}

fn pieces(field: impl Fields, generation: Gen) -> At {
    let column = match generation {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => 0,
        Gen::Gfx9 => 1,
        Gen::Gfx10 => 2,
        Gen::Gfx11 => 3,
        Gen::Gfx12 => 4,
    };
    field.at()[column]
}

macro_rules! fields {
    ($(#[$head:meta])* $fields:ident { $($(#[$doc:meta])* $name:ident $text:literal $at:expr;)* }) => {
        $(#[$head])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $fields { $($(#[$doc])* $name),* }

        impl Fields for $fields {
            const ALL: &[$fields] = &[$($fields::$name),*];

            fn name(self) -> &'static str {
                match self { $($fields::$name => $text),* }
            }

            fn at(self) -> [At; 5] {
                match self { $($fields::$name => $at),* }
            }
        }
    };
}
pub(crate) use fields;

#[rustfmt::skip]
fields! {
/// A field of an image descriptor.
Field {
    //                                      gfx6-8          gfx9            gfx10                           gfx11                           gfx12
    /// The address, in 256 bytes; its lowest bits are the swizzle of tiled images.
    Base        "base"        [BASE,           BASE,           BASE,                           BASE,                           BASE];
    /// The data format; from gfx10 on the unified format.
    Format      "format"      [b(1, 25, 20),   b(1, 25, 20),   b(1, 28, 20),                   b(1, 27, 20),                   b(1, 24, 17)];
    /// The numeric format.
    NumFormat   "num_format"  [b(1, 29, 26),   b(1, 29, 26),   __,                             __,                             __];
    /// The least level of detail of samples, with eight bits behind the point.
    MinLod      "min_lod"     [b(1, 19, 8),    b(1, 19, 8),    b(1, 19, 8),                    two(b(5, 31, 27), b(6, 6, 0)),  two(b(5, 31, 26), b(6, 6, 0))];
    /// Texels of a row of level 0, less one.
    Width       "width"       [b(2, 13, 0),    b(2, 13, 0),    two(b(1, 31, 30), b(2, 11, 0)), two(b(1, 31, 30), b(2, 11, 0)), two(b(1, 31, 30), b(2, 13, 0))];
    /// Rows of level 0, less one.
    Height      "height"      [b(2, 27, 14),   b(2, 27, 14),   b(2, 27, 14),                   b(2, 27, 14),                   b(2, 29, 14)];
    /// Where the components come from.
    DstSel      "dst_sel"     [b(3, 11, 0),    b(3, 11, 0),    b(3, 11, 0),                    b(3, 11, 0),                    b(3, 11, 0)];
    /// The first mip level of the view.
    BaseLevel   "base_level"  [b(3, 15, 12),   b(3, 15, 12),   b(3, 15, 12),                   b(3, 15, 12),                   b(1, 29, 25)];
    /// The last one; of images with samples the logarithm of their number.
    LastLevel   "last_level"  [b(3, 19, 16),   b(3, 19, 16),   b(3, 19, 16),                   b(3, 19, 16),                   b(3, 19, 15)];
    /// The tiling index, or from gfx9 on the swizzle mode.
    Mode        "mode"        [b(3, 24, 20),   b(3, 24, 20),   b(3, 24, 20),                   b(3, 24, 20),                   b(3, 24, 20)];
    /// All sizes are padded to powers of two: there are mip levels.
    Pow2Pad     "pow2_pad"    [b(3, 25, 25),   __,             __,                             __,                             __];
    /// The order of the components of border colours.
    BcSwizzle   "bc_swizzle"  [__,             b(4, 31, 29),   b(3, 27, 25),                   b(3, 27, 25),                   b(3, 27, 25)];
    /// What kind of image it is.
    Type        "type"        [b(3, 31, 28),   b(3, 31, 28),   b(3, 31, 28),                   b(3, 31, 28),                   b(3, 31, 28)];
    /// Slices less one; of arrays the layers less one, from gfx9 on the last layer of the view.
    Depth       "depth"       [b(4, 12, 0),    b(4, 12, 0),    b(4, 12, 0),                    b(4, 12, 0),                    b(4, 13, 0)];
    /// Texels from row to row, less one. From gfx10.3 on these are its upper bits: the lower ones are those of `depth`.
    Pitch       "pitch"       [b(4, 26, 13),   b(4, 28, 13),   b(4, 13, 13),                   b(4, 13, 13),                   b(4, 15, 14)];
    /// The first layer of the view.
    BaseArray   "base_array"  [b(5, 12, 0),    b(5, 12, 0),    b(4, 28, 16),                   b(4, 28, 16),                   b(4, 29, 16)];
    /// The last layer of the view.
    LastArray   "last_array"  [b(5, 25, 13),   __,             __,                             __,                             __];
    /// Levels of the whole image, less one.
    MaxMip      "max_mip"     [__,             b(5, 31, 28),   b(5, 7, 4),                     b(1, 19, 16),                   b(1, 16, 12)];
    /// 1: slices of one level of a volume, from `base_array` to `depth`.
    Slices      "slices"      [__,             __,             b(5, 3, 0),                     b(5, 3, 0),                     b(5, 4, 4)];
    /// From gfx8 on: there is metadata that says which blocks are compressed. (On gfx12 it means nothing to programs.)
    Compressed  "compressed"  [b(6, 21, 21),   b(6, 21, 21),   b(6, 21, 21),                   b(6, 21, 21),                   __];
}}

#[rustfmt::skip]
fields! {
/// A field of a sampler.
SamplerField {
    //                                        gfx6-8         gfx9           gfx10          gfx11          gfx12
    /// What becomes of coordinates outside.
    ClampX       "clamp_x"        [b(0, 2, 0),   b(0, 2, 0),   b(0, 2, 0),   b(0, 2, 0),   b(0, 2, 0)];
    /// Of rows.
    ClampY       "clamp_y"        [b(0, 5, 3),   b(0, 5, 3),   b(0, 5, 3),   b(0, 5, 3),   b(0, 5, 3)];
    /// Of slices.
    ClampZ       "clamp_z"        [b(0, 8, 6),   b(0, 8, 6),   b(0, 8, 6),   b(0, 8, 6),   b(0, 8, 6)];
    /// The logarithm of the most samples along the longer side of a footprint.
    MaxAniso     "max_aniso"      [b(0, 11, 9),  b(0, 11, 9),  b(0, 11, 9),  b(0, 11, 9),  b(0, 11, 9)];
    /// How the reference is compared with a texel.
    Compare      "compare"        [b(0, 14, 12), b(0, 14, 12), b(0, 14, 12), b(0, 14, 12), b(0, 14, 12)];
    /// Coordinates count texels.
    Unnormalized "unnormalized"   [b(0, 15, 15), b(0, 15, 15), b(0, 15, 15), b(0, 15, 15), b(0, 15, 15)];
    /// Coordinates are cut, not rounded, where one texel is taken.
    Truncate     "trunc_coord"    [b(0, 27, 27), b(0, 27, 27), b(0, 27, 27), b(0, 27, 27), b(0, 27, 27)];
    /// Faces of cubes are images of their own.
    NoCubeWrap   "no_cube_wrap"   [b(0, 28, 28), b(0, 28, 28), b(0, 28, 28), b(0, 28, 28), b(0, 28, 28)];
    /// 0 blends the texels, 1 takes their minimum, 2 their maximum.
    Reduce       "filter_mode"    [b(0, 30, 29), b(0, 30, 29), b(0, 30, 29), b(0, 30, 29), b(0, 30, 29)];
    /// The least level of detail, with eight bits behind the point.
    MinLod       "min_lod"        [b(1, 11, 0),  b(1, 11, 0),  b(1, 11, 0),  b(1, 11, 0),  b(1, 12, 0)];
    /// The greatest one.
    MaxLod       "max_lod"        [b(1, 23, 12), b(1, 23, 12), b(1, 23, 12), b(1, 23, 12), b(1, 25, 13)];
    /// Added to the level of detail: signed, with eight bits behind the point.
    LodBias      "lod_bias"       [b(2, 13, 0),  b(2, 13, 0),  b(2, 13, 0),  b(2, 13, 0),  b(2, 13, 0)];
    /// The filter of texels that are larger than pixels.
    Magnify      "mag"            [b(2, 21, 20), b(2, 21, 20), b(2, 21, 20), b(2, 21, 20), b(2, 21, 20)];
    /// The filter of texels that are smaller than pixels.
    Minify       "min"            [b(2, 23, 22), b(2, 23, 22), b(2, 23, 22), b(2, 23, 22), b(2, 23, 22)];
    /// The filter of slices.
    FilterZ      "filter_z"       [b(2, 25, 24), b(2, 25, 24), b(2, 25, 24), b(2, 25, 24), b(2, 25, 24)];
    /// The filter of mip levels.
    FilterMip    "mip"            [b(2, 27, 26), b(2, 27, 26), b(2, 27, 26), b(2, 27, 26), b(2, 27, 26)];
    /// Which border colour of the table it is.
    BorderIndex  "border_index"   [b(3, 11, 0),  b(3, 11, 0),  b(3, 11, 0),  b(3, 29, 18), b(3, 29, 18)];
    /// Which border colour it is.
    BorderType   "border"         [b(3, 31, 30), b(3, 31, 30), b(3, 31, 30), b(3, 31, 30), b(3, 31, 30)];
}}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold<F: Fields + std::fmt::Debug>() {
        for generation in Gen::ALL {
            let mut all = [0u32; 8];
            for field in F::ALL {
                let mut words = [0; 8];
                field.set(&mut words, generation, u64::MAX);
                assert_eq!(
                    field.get(&words, generation),
                    (1 << field.bits(generation)) - 1,
                    "{generation:?} {field:?}"
                );
                for (seen, new) in all.iter_mut().zip(words) {
                    assert_eq!(*seen & new, 0, "{generation:?} {field:?}");
                    *seen |= new;
                }
            }
        }
    }

    #[test]
    fn fields_overlap_nowhere_and_keep_what_is_put() {
        hold::<Field>();
        hold::<SamplerField>();
        hold::<crate::memory::rays::fields::TreeField>();
    }
}
