//! What the books leave open about texels, and what is done here.

use crate::memory::choices::{Choice, choice};

/// All of them.
#[rustfmt::skip]
pub const CHOICES: &[Choice] = &[
    choice("weights of BC1 to BC5", "those of BC7's multiplier: 21 and 43, 9 to 55, 13 to 51 of 64", "measured on GCN1, GCN2 and RDNA2 (Giesen), BC1 on an RX 580 (Geldreich); inside D3D's tolerance, Khronos gives ideal values only"),
    choice("precision of BC1 to BC3", "rounded to nearest of 8 bits, then a unorm byte", "measured on the same cards; lavapipe's compiled code is up to 2/255 away from it and from Mesa's own util/format"),
    choice("precision of BC4 and BC5", "the sum of 14 bits over its largest value, correctly rounded", "measured; 13 of 16077 unsigned sums that cards round in the wrong direction by the last bit are rounded right"),
    choice("BC4 and BC5 snorm end points of -128", "are -127 before they are compared", "D3D's order, which cards follow; undefined in the Khronos specification"),
    choice("reserved modes of BC6 and BC7", "0 in all components, alpha of BC7 included", "Khronos allows either for that alpha; Mesa returns 0"),
    choice("sRGB loads", "the exact formula, correctly rounded to f32", "cards have a table of 256 values which is not published"),
    choice("sRGB stores", "the exact formula, rounded to nearest", "no storage format in any driver, read-only in the SI manual; RADV's clears on compute queues store linear colours through such descriptors"),
    choice("5_9_9_9 stores", "from gfx10.3: rounded to nearest with ties up, NaN and negative as 0", "RADV offers them from there; the rule is Vulkan's, that of the hardware is not known"),
    choice("stores of 4_4, 6_5_5, 32_32_32, depth and stencil", "refused", "read-only in the SI manual, no storage format in any driver"),
    choice("pairs of images up to gfx9", "those that gfx10 counts, SNORM_OGL beside SNORM on gfx6 and gfx7, 6_5_5_UNORM", "no list is published"),
    choice("UBNORM, UBINT, UBSCALED, UNORM_UINT", "refused", "not described"),
    choice("32_FLOAT_CLAMP loads", "bits as they are", "what is clamped is the reference of a comparison"),
    choice("stencil beside depth", "Y (X of 24_8) has the kind of the format, but in X24_8_32_FLOAT, where it is its bits", "drivers read the stencil through the uint format only"),
    choice("image atomics by format", "any storable format of 32 or 64 bits, as one value", "the RDNA3 manual; drivers use 32 and 32_32"),
];
