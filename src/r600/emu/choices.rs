//! What the manual leaves open about R600 and R700, or says twice, and what is done here.
//!
//! As [`memory::choices`](crate::memory::choices): each line is a decision that another source may overturn.

use crate::memory::choices::{Choice, choice};

/// All of them.
#[rustfmt::skip]
pub const CHOICES: &[Choice] = &[
    // Control flow.
    choice("R600: opcodes of control flow", "those of chips and compilers; the manual's are another machine (`r600-manual`)", "LLVM, Mesa and two emulators agree"),
    choice("R600: pop of JUMP and ELSE", "only if the jump is taken; ELSE then turns over what the last push had", "160 and 95 compiled programs break otherwise; the prose pops always and first, table 3-7 when all fail"),
    choice("R600: pops and pixels that have left a loop", "a pop restores active and inactive-branch only", "110 compiled programs break otherwise; 3.6.2 has a pop overwrite the state"),
    choice("R600: ALU_PUSH_BEFORE", "one push, before the clause, whether or not it sets a predicate", "table 3-7 and compilers; chapter 7 has a push before each PRED_SET"),
    choice("R600: ALU_ELSE_AFTER", "push before, else after", "chapter 7; 3.7.7 pops before the else and table 3-7 has no else"),
    choice("R600: pixels that ALU_BREAK and ALU_CONTINUE take out", "those that the clause turned off", "table 3-7 (masked); chapter 7 says unmasked"),
    choice("R600: COND of POP", "applied to the state that was popped; POP never jumps", "3.7.2; table 3-7 jumps"),
    choice("R600: COND of value 2 and 3", "the boolean is one, the boolean is zero", "table 3-4 prints `is one` twice, 3.6.3 has zero"),
    choice("R600: WHOLE_QUAD_MODE and VALID_PIXEL_MODE at once", "as WHOLE_QUAD_MODE", "the manual forbids it"),
    choice("R600: pixels that a clause in whole-quad mode adds", "execute, write registers, and return to what they were; their predicates have no say", "3.6.2: the mask is not affected"),
    choice("R600: LOOP_BREAK and LOOP_CONTINUE that jump", "what was pushed inside of the loop is popped, POP_COUNT is ignored", "table 3-7 and LLVM; 3.7.3 pops POP_COUNT"),
    choice("R600: end of a loop without pixels of its own", "all that entered and did not break go on", "3.7.3"),
    choice("R600: aL outside of loops", "0", "3.7.3 calls it not defined"),
    choice("R600: pixels of a conditional CALL", "those that pass execute the subroutine; RETURN restores the others", "chapter 7: only they perform it"),
    choice("R600: conditional RETURN", "returns if the boolean says so", "table 3-7: if all active pixels pass"),
    choice("R600: END_OF_PROGRAM with entries on the stack", "the program ends", "the manual forbids it"),
    choice("R600: KILL that leaves no valid pixel", "pops POP_COUNT and jumps", "chapter 7 names the jump only; the field is there"),
    choice("R600: KILL instructions outside of pixel shaders", "ALU: ignored, control flow: an error", "chapter 7 ignores the former and forbids the latter"),
    // ALU.
    choice("R600: unit of the last instruction of a group", "the vector unit of its element if that is free", "247 compiled programs break otherwise; `Setup::last_is_trans` has the other rule"),
    choice("R600: PV and PS of units that did nothing", "what they were", "page 171 has both preserved and undefined"),
    choice("R600: PV, PS, AR at the start of a clause", "0", "not defined"),
    choice("R600: result of MOVA, MOVA_FLOOR, MOVA_INT", "goes to AR only", "4.9.3: what goes to PV, PS and registers is not defined"),
    choice("R600: MOVA beyond -256 to 255", "-256", "the pseudo-code; the text has a clamp"),
    choice("R600: AR and the groups behind MOVA", "seen by the next group", "compilers use it there; 4.6.4 names a delay of two"),
    choice("R600: registers that the program does not have", "read as register 0 and not written, with an index or without", "4.6.3 says so of those with an index"),
    choice("R600: registers of a clause in the next one", "keep their value", "not defined"),
    choice("R600: constants beyond a constant buffer", "0", "as DirectX 10 has it; the manual knows only the locked lines (7FFFFFFF)"),
    choice("R600: constants of lines that are not locked", "an error", "4.6.3: not defined"),
    choice("R600: cache constants relative to aL with lines that aL moved", "by aL modulo 16", "the lines have moved by aL / 16"),
    choice("R600: negation and absolute value of integer sources", "ignored", "4.7: not meaningful; compilers leave bits there"),
    choice("R600: factor and clamp of integer results", "ignored", "4.9: not valid"),
    choice("R600: clamp of NaN and -0", "+0", "as DirectX 10 has it"),
    choice("R600: denormals", "flushed by arithmetic and comparisons on both sides; MOV, CND*, MIN and MAX give an operand as it is", "the manual refers to a paper that is not public; LLVM knows the chips without denormals"),
    choice("R600: rounding, MULADD, DOT4", "to nearest even; product and sum each rounded, DOT4 from x to w", "as above; compiled programs with exact values agree"),
    choice("R600: zero times infinity", "MUL, MULADD and DOT4: +0, their _IEEE forms: NaN", "the manual says it of MUL; the others follow from their names"),
    choice("R600: MAX_DX10 and MIN_DX10 of a NaN", "the other operand", "LLVM selects them for it; the pseudo-code is that of MAX"),
    choice("R600: transcendental functions", "correctly rounded; SIN and COS of R600 by the product with 1/(2 pi), of R700 by turns", "no bits are public; values of programs agree within their tolerances"),
    choice("R600: LOG_CLAMPED", "only -infinity is made finite", "the pseudo-code"),
    choice("R600: shift counts above 31", "by their low five bits", "Mesa deletes `& 31` before shifts; the manual has zero, or the sign"),
    choice("R600: FLT_TO_INT of what does not fit", "the low bits; 0 of infinities and NaN", "the manual, without its missing `not`"),
    choice("R600: FLT_TO_UINT of what does not fit", "the nearest that fits, 0 of NaN", "not in the manual; DirectX 10"),
    choice("R600: RECIP_UINT and RECIP_INT", "2^32 (2^31) over the number without its fraction; of 0 the largest", "a fraction of integers; corrected by all programs that use it"),
    choice("R600: SUB_INT", "the first less the second", "LLVM; the page has it the other way"),
    choice("R600: what PRED_SET leaves", "0.0 where the pixel goes on, 1.0 where not", "the manual; no compiler reads it"),
    choice("R600: PRED_SET_POP that does not go on", "the first less the second", "the page prints `Result = Result`"),
    choice("R600: CUBE", "coordinates and faces as GCN's: z before y before x on ties", "the formula is not printed; two emulators differ from each other and from OpenGL"),
    choice("R600: FOG_MERGE", "refused", "not described"),
    // Exports and buffers.
    choice("R600: exports of pixels that are inactive or killed", "nothing", "what a render target keeps is the host's"),
    choice("R600: writes to streams, rings, scratch of pixels that were killed", "dropped", "not stated"),
    choice("R600: ARRAY_SIZE", "one less than the number of elements; 0 is no limit for streams and rings", "its range is 1 to 4096; Mesa writes 0 for the ring of an ES"),
    choice("R600: addresses of streams and rings", "ARRAY_BASE in words, plus the index times (ELEM_SIZE + 1)", "the first sentence of 3.4.2 and the rings of Mesa's geometry shaders; its equation multiplies the base too"),
    choice("R600: words of streams and rings", "those of COMP_MASK, whatever ELEM_SIZE says", "compilers write 0 and 3 for the same four words"),
    choice("R600: ring and scratch buffers", "one for each lane; the reduction buffer is one for all, written by the lowest lane first", "their addressing is the host's"),
    // Fetches.
    choice("R600: vertex fetches beyond a buffer", "the whole element is 0", "as DirectX 10 has it"),
    choice("R600: elements that the format lacks", "0; of images 0, 0, 0, 1", "compilers name all four"),
    choice("R600: select of one for integer formats", "the integer 1", "as later machines; compilers use it so"),
    choice("R600: nearest texel", "the floor of the coordinate times the size, by the floats of the ALU; saturated to 32 bits before it is clamped or repeated", "the fixed point of the hardware is not public"),
    choice("R600: levels of detail", "there is one: SAMPLE* reads it whatever the level, LD beyond it gives 0", "mipmaps are not emulated"),
    choice("R600: layers of arrays", "the nearest even of the coordinate, clamped", "compilers round before"),
    choice("R600: LD beyond an image", "0 in all elements", "as DirectX 10 has it"),
    choice("R600: reference of SAMPLE_C_L and SAMPLE_C_LB", "Z, since W has the level", "Mesa's code; the manual compares W"),
    choice("R600: slopes (GET_GRADIENTS)", "the difference inside of the row or column of the quad; pixels that are not there have zeros", "as later machines; pixels are in the order of quads"),
    choice("R600: fetches of pixels that do not execute", "nothing, and nothing wrong with them", "not stated"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn each_topic_once_and_complete() {
        crate::memory::choices::tests::hold(super::CHOICES);
    }
}
