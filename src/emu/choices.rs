//! What the machines' books leave open about executing code, and what the emulator does. Those about memory are in
//! [`memory::choices`](crate::memory::choices).

use crate::memory::choices::{Choice, choice};

/// All of them.
#[rustfmt::skip]
pub const CHOICES: &[Choice] = &[
    // Floats.
    choice("rcp, rsq, sqrt, exp, log, sin, cos of f32 and f16", "gfx11 and gfx12: the bits of the silicon; before: correctly rounded", "the bits of a gfx1100 and a gfx1201 are public and agree; gfx1101 to gfx1153 and gfx1200 are taken to have them too. Of older cards none are; `isa --coverage` gives the bound of each"),
    choice("rcp, rsq, sqrt of f64", "correctly rounded", "the machines give 24 good bits or so, gfx11 and gfx12 known ones, which are not computed here"),
    choice("output modifier that overflows behind a transcendental function", "gfx12: infinity in every rounding (f16: but for FP16_OVFL); before: as the mode says", "measured on a gfx1201 for exp, log, rcp and their scalar forms; gfx11 has the same unit, of which it is not known"),
    choice("order of zeros in min and max on gfx6-8", "-0 is less than +0", "as measured on later cards; the SI manual has both"),
    choice("med3 with a NaN", "the minimum of all three", "measured on gfx12; compilers assume other results before"),
    choice("f16 denormals of v_mad_mix", "flushed, sources and results, whatever MODE says", "a comment in Mesa's ACO; LLVM uses it where f16 denormals are kept"),
    choice("v_mad_f16 and denormals", "as the mode says", "compilers use it with flushing only"),
    choice("v_cvt_pk_u8_f32", "the fraction is cut off", "AMD's pseudo-code, against one measurement that follows the rounding mode"),
    choice("v_cvt_pknorm rounding", "to nearest even", "measured values exclude truncation only"),
    choice("v_cvt_pkrtz with denormal results", "as the mode says", "not stated"),
    choice("v_mullit_f32 products on gfx10 and later", "zero times anything is zero", "as on gfx6 and gfx7"),
    choice("v_trig_preop_f64 from bit 1120 of 2/pi on", "+0", "LLVM's constant folding, which calls it the behaviour of hardware; AMD's pseudo-code has the bits up to 1201"),
    choice("v_lshl_add_u64 with a count above 4", "as a count of 0", "the CDNA3 manual names counts 0 to 4; others could use the lowest three or six bits"),
    choice("v_pack_b32_f16 and signalling NaNs", "made quiet as by any float operation", "LLVM calls it a float operation that flushes denormals; it could be a copy of bits"),
    choice("clamp on v_cvt_pkrtz_f16_f32", "ignored", "the manuals give clamp to float results, this one is packed; it could clamp each half to [0, 1]"),
    choice("s_bfe with a width above the operand's", "as the full width", "the manuals' masks; a width field of seven bits could as well wrap"),
    choice("denormals of v_dot2c_f32_f16 and v_dot2_f32_f16 before gfx11", "flushed, operands and results", "as gfx90a is documented to; ROCm's notes can be read as if other CDNA kept them"),
    choice("VCC of v_div_scale on gfx6", "as on later cards", "known to be unusable there, not what it holds"),
    choice("v_fract on gfx6", "as on later cards", "its fault is known, its values are not"),
    choice("v_div_fixup and a denormal quotient", "never flushed, in any format or mode", "measured for f32 on gfx1100 and gfx1201; f16, f64 and older cards are taken to do the same"),
    choice("float dot products before gfx11", "a chain of fused operations, first product first", "no measurement is public"),
    choice("FP16_OVFL and dot products into f16 (v_dot2_f16_f16)", "overflow gives the largest number", "the RDNA3 manual says so of every f16 result of the vector ALU; dot products were measured to ignore the rest of MODE"),
    choice("FP16_OVFL and matrix products into f16", "overflow gives an infinity", "as all of MODE without effect, as measured; whether with this bit set is not known, nor why it should differ from the dot products"),
    choice("sums of v_mfma of floats", "gfx908: some products and the accumulator exactly; gfx90a: pairs of f32 without subnormals; gfx940: cut to the largest exponent", "MMA-Sim (arXiv 2511.10909), whose authors compare it with MI100, MI250X and MI300X; their tests do not tell zeros of either sign apart, nor NaNs"),
    choice("NaNs out of v_mfma and v_smfmac", "0x7fc00000, and 0x7ff8000000000000", "which one nobody published; operands could be quieted as elsewhere"),
    choice("zeros out of v_mfma of gfx908 and gfx940", "+0, but of f32 and f64, which are chains of fused multiply-adds", "an adder of integers knows no other; nobody published it"),
    choice("sums of v_smfmac and v_swmmac", "what is there of A and the same elements of B, added as by a dense product of half the depth", "no measurement is public; hardware could keep zeros in the places of what is not there"),
    choice("the two indices of a pair of v_smfmac and v_swmmac", "the lower bits are those of the lower element", "AMD's calculator names the four bits, its comments their order; indices that are equal or fall are taken as they are"),
    choice("CBSZ with more blocks than there are", "as the bits of lanes have it", "AMD's calculator takes no more than there are"),
    choice("sticky float exceptions", "kept where the program reads them", "the conditions are those of the RDNA3 manual; a program that never looks runs on kernels that do not see them"),
    choice("saturation of v_qsad and v_mqsad fields", "each field by itself", "not measured"),
    choice("SCC of s_max with equal operands", "1", "the newer pseudo-code; older manuals print a strict comparison"),
    choice("scalar floats of gfx1100 (s_add_f32 ...)", "illegal, but with the feature salu-float (`mattr: +salu-float`, `--mattr=+salu-float`)", "manuals and compilers give them to gfx1150 and later; one recorded case of a gfx1100 runs s_fmamk_f32"),
    choice("lanes that DPP cuts from a compare before gfx11", "their bit is 0, whatever the mask held", "the RDNA3 manual says so of its own compares; older manuals are silent about the mask"),
    choice("fields that an instruction does not use", "they hold anything, reserved operand codes too", "no manual says it of all fields; ACO leaves 0x80 in the address of buffer instructions that have none"),
    choice("op_sel of v_mul_lo_u16, 16-bit shifts, minimum and maximum on gfx10", "selects halves, and keeps the other half of the result", "ACO uses it; LLVM 19 neither takes nor prints it"),
    // State.
    choice("address of the code of a RADV shader", "0x200000, where its upper half is zero", "ACO takes s_getpc_b64 as the first two words of a descriptor of its constants; what bits above the address mean there (a stride, a swizzle) no source says"),
    choice("null as the destination of a scalar instruction", "it executes and SCC changes", "the RDNA3 manual says both"),
    choice("scalar sources out of range", "s0 before gfx10, 0 from then on", "the manuals"),
    choice("a 64-bit source that is a word of LDS (src_lds_direct)", "the upper word is 0", "not stated; compilers use it for 32 bits only"),
    choice("s_memtime, s_memrealtime, SHADER_CYCLES", "a clock that moves on whenever it is read", "no machine's time"),
    choice("s_sendmsg_rtn", "0, but for the clock", "no driver answers"),
    choice("s_trap without a handler", "a trap in the outcome with its number", "hardware goes on; a tester wants to know"),
    // Memory instructions.
    choice("scratch of flat instructions on gfx7 and gfx8", "the size in FLAT_SCRATCH_LO is not checked", "not needed by compilers"),
    choice("offset of s_scratch_load", "the scalar offset counts 64 bytes", "from memory of the Vega manual"),
    choice("ds_append and ds_consume", "the offset; before gfx12 M0 is added where it may be a pointer, a multiple of 4 inside the group's LDS", "AMD's manuals add M0[31:16], those of RDNA4 and CDNA4 nothing; LLVM passes a pointer in M0, ACO anything (-1 up to gfx8) and counts on the offset alone. ACO's code runs in drivers, so that hardware probably adds nothing; this rule lets both compilers' programs work"),
    choice("immediate offset of loads to LDS", "part of the LDS address, but for MUBUF before gfx9", "LLVM's guide; the SI manual has none"),
    choice("flat atomics in scratch", "32 bits work, 64 bits fault", "undefined"),
    choice("two-address exchange at one address", "one exchange, its result twice", "the manual's one access"),
];
