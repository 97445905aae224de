//! What the books leave open about images and their samples, and what is done here. Those about texels are in
//! [`format`](mod@super::format).

use crate::memory::choices::{Choice, choice};

/// All of them.
#[rustfmt::skip]
pub const CHOICES: &[Choice] = &[
    // Descriptors.
    choice("pipes and banks of images", "gfx6-8: the tile tables of tahiti, bonaire and polaris10; gfx9 to gfx11: GB_ADDR_CONFIG 0", "a virtual card may choose; real ones differ from product to product"),
    choice("compressed images (DCC, HTILE) up to gfx11", "refused", "who reads past the metadata reads something else than hardware"),
    choice("COMPRESSION_EN of gfx12", "ignored", "compression belongs to pages there; drivers set it nearly always"),
    choice("dimension of the instruction against TYPE (gfx10+)", "the instruction says how many coordinates there are, TYPE what they mean", "drivers keep them alike, but for views of slices"),
    choice("DA against TYPE (up to gfx9)", "DA says whether there is a coordinate for the layer, TYPE whether it counts", "drivers keep them alike"),
    choice("coordinates out of range", "loads give zeros, or the ones of dst_sel; stores and atomics do nothing", "what Vulkan's robust images rely on"),
    choice("image_get_resinfo of a level that is not there", "0, 0, 0 and the number of levels", "not described"),
    choice("registers that a list of gfx10 is too short for", "those behind the last one that it names", "assemblers write all; on gfx11 it is so"),
    choice("DMASK 0", "nothing is fetched and one register is 0", "the RDNA3 manual; other generations are assumed to do the same"),
    choice("image_load_pck, image_store_pck", "registers are the words of the element; one of 8 or 16 bits is extended", "the manuals say `packed data` and `without conversion`"),
    choice("samples of image_msaa_load", "the four from the multiple of four below the sample of the address", "the manuals name four samples of one component"),
    choice("components of stores without a register, of buffers too", "zeros; from gfx12 on the first that has one", "Mesa leaves such components out; no book says it of gfx12"),
    choice("image_gather4h", "refused", "which texels those of a row are is not published"),
    // Samples.
    choice("product of coordinate and size", "rounded to f32", "not published; lavapipe does the same"),
    choice("fixed point of coordinates", "256ths, to nearest, ties to even, for one texel as for two, unless TRUNC_COORD cuts", "vkd3d-proton's measurements on AMD cards; RADV reports 8 bits"),
    choice("weights of filters", "exact products, summed exactly and rounded once", "final precision is not published: compare with 2/256 of the range"),
    choice("level of detail", "256ths, to nearest, ties to even; the logarithm of the longer gradient, exact", "RADV reports 8 bits; the approximation of hardware is not published"),
    choice("nearest mip level", "a half and more goes up", "the Vulkan formula is one of two allowed"),
    choice("samples along the longer side (anisotropy)", "one", "the number and places of hardware's are not published"),
    choice("levels of gathers", "the nearest one", "as a filter without blending of levels"),
    choice("corners of cubes", "the mean of the three texels around; of integers the one on the face", "Vulkan recommends the mean; integers have none"),
    choice("integers under a blending filter", "the first texel of the footprint", "drivers filter no integers"),
    choice("gathers of integers on gfx6-8", "half a texel late", "drivers take half a texel away first (Mesa)"),
    choice("comparison of depths", "reference against component X of the texel; the outcome is in all components", "drivers ask for X only"),
    choice("BORDER_COLOR_TYPE 3", "refused", "the table's address is in a register that programs cannot read"),
    choice("filters in min and max mode", "over the texels of the footprint that have a weight", "not described"),
    choice("image_get_lod", "X is the level after bounds and the filter of levels, Y what was asked for", "the RDNA3 manual in other words"),
    choice("coarse derivatives (image_sample_cd)", "as the gradients of image_sample_d", "not described"),
    choice("implicit derivatives", "of the second and third lane of a quad against the first, active or not", "coarse ones, which Vulkan allows"),
    choice("LOD warning (LWE)", "never", "nothing is clamped by residency"),
];

#[cfg(test)]
mod tests {
    use crate::memory::choices::tests::hold;

    #[test]
    fn each_topic_once_and_complete() {
        hold(super::CHOICES);
        hold(super::super::format::CHOICES);
    }
}
