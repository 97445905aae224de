//! What the machines' books leave open, and what is done here.
//!
//! Each line is a decision that another source may overturn; the code that follows it names the topic. `wavediff explain` lists them, so
//! that a difference from a real card can be traced to a guess.

/// One open question and its answer here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is open.
    pub topic: &'static str,
    /// What is done.
    pub choice: &'static str,
    /// Why.
    pub why: &'static str,
}

pub(crate) const fn choice(topic: &'static str, choice: &'static str, why: &'static str) -> Choice {
    Choice { topic, choice, why }
}

/// All of them.
#[rustfmt::skip]
pub const CHOICES: &[Choice] = &[
    // Buffers.
    choice("soffset in byte range checks", "num_records is reduced by soffset, not below zero", "the manuals of gfx6-8 and RDNA3, and what LLVM's and MLIR's authors say of the check; LLVM's guide calls it excluded"),
    choice("soffset beyond num_records on gfx6/7", "out of range; `Descriptor::soffset_wraps` passes instead", "the bug is real (LLVM D21326) but code must avoid it"),
    choice("gfx9 records: offset beyond stride", "in range", "not settled; the index alone is documented"),
    choice("voffset + instruction offset", "the address wraps at 32 bits, and so does the check, but for swizzled buffers on gfx6-8", "LLVM reports that the check of scratch, which is swizzled, fails there; ACO folds offsets of negative bases into all other accesses on every generation"),
    choice("stride*index + offset", "the product is cut to 32 bits, the sum is not", "a sum beyond 32 bits is out of range in every byte check"),
    choice("raw mode with an index (gfx10+)", "the address has stride*index, the check has not", "the check of OOB_SELECT 3 names the offset alone"),
    choice("swizzle where nothing is an index (gfx9+)", "without an index register and lane numbers, an access is linear", "RADV's constants: ACO takes s_getpc_b64 for base, stride and swizzle, on gfx12 with the sign of the upper range spread over all of them, and is right on cards"),
    choice("swizzled element size on gfx9/10", "4 bytes", "the field is gone; drivers set none"),
    choice("swizzled access across an element", "each dword has its own address; a dword is contiguous", "compilers split such accesses"),
    choice("reserved dst_sel 2 and 3", "0", "no source"),
    choice("range of format_x on a wider format", "the components the instruction moves are judged, the whole element is read or written", "PITFALLS BU3; packed formats are judged as one"),
    choice("typed access through a V# of format INVALID", "done, unless all four words are zero", "the format of the instruction counts"),
    choice("STRIDE_SCALE of gfx12, swizzle mode 2 of gfx11+", "refused", "factors unknown, value reserved"),
    choice("misaligned formatted access on gfx6, gfx10+", "low address bits are dropped", "inferred; drivers avoid it"),
    choice("misaligned atomics on gfx6", "low address bits of the dword are dropped", "as for every access of gfx6"),
    // Formats.
    choice("rounding of unorm and snorm loads", "to nearest even, from the exact quotient", "inferred; compare with 1 ulp"),
    choice("narrow integer stores", "clamp to the range", "not settled; the rule of D3D"),
    choice("f32 to 10- and 11-bit float stores", "round to nearest even; negative becomes 0, NaN stays NaN", "round mode open"),
    choice("f32 to f16 stores", "round to nearest even, overflow to infinity", "inferred"),
    choice("NaN in float formats", "payload bits stay where they fit, nothing is made quiet; a NaN never becomes infinity", "formats move bits"),
    choice("D16 format loads", "float results are cut to f16 (overflow to the largest number), integers keep 16 bits", "RDNA3 manual; other generations are assumed to do the same"),
    choice("stored components which no register supplies", "0", "the whole element is written"),
    choice("dst_sel that names one component twice, in stores", "the first register wins", "inverse swizzle is not defined for it"),
    choice("dst_sel that names a component the format lacks", "0", "as for typed loads"),
    choice("snorm_ogl, uscaled, sscaled stores", "refused", "read-only in the SI manual"),
    choice("2-bit alpha of snorm on gfx6-8", "read as unorm: 0, 1/3, 2/3, 1", "`treated as unsigned`; what drivers repair"),
    // LDS.
    choice("wide LDS access across the end", "gfx6-11: all of a load is 0 and a store is dropped; gfx12: dword by dword", "RDNA3 notes against RDNA4 text"),
    choice("misaligned LDS access on gfx6-8", "low address bits of the element's size are dropped (16 for 96 and 128 bits)", "alignment mode 0"),
    choice("misaligned LDS atomics", "gfx6-8 drop low address bits, gfx9+ fault", "natural alignment always required"),
    // Atomics.
    choice("denormals of memory f32 add", "flushed on gfx908 and gfx90a, kept elsewhere", "LLVM's features, against the RDNA3 manual"),
    choice("order of atomics inside a wave", "by lane", "not specified"),
    choice("ds_min_f32, ds_max_f32 of gfx6-10", "one data operand", "manual texts differ"),
    choice("operand order of float atomics", "data first, memory second: whose NaN survives a sum, who wins a tie", "the manual writes `src + tmp`"),
    choice("NaN of inf - inf in float atomics", "negative and quiet", "the default NaN of the vector unit on gfx11 and gfx12; the manual has both signs"),
    choice("denormals of float min, max, cmpswap", "MODE's input flag, in LDS and in memory; the result is an unflushed operand (cmpswap stores flushed data)", "RDNA3 manual; other generations are assumed to do the same"),
];

#[cfg(test)]
pub(crate) mod tests {
    use super::{CHOICES, Choice};

    /// Each topic stands there once, and nothing is left out.
    pub fn hold(choices: &[Choice]) {
        for (n, one) in choices.iter().enumerate() {
            assert!(!one.topic.is_empty() && !one.choice.is_empty() && !one.why.is_empty());
            assert!(choices[..n].iter().all(|other| other.topic != one.topic), "{}", one.topic);
        }
    }

    #[test]
    fn each_topic_once_and_complete() {
        hold(CHOICES);
    }
}
