//! What the books leave open about ray tracing, and what is done here.

use crate::memory::choices::{Choice, choice};

/// All of them.
#[rustfmt::skip]
pub const CHOICES: &[Choice] = &[
    choice("rounding of rays and boxes, rays and triangles", "single operations in f32, in the order of GPURT's software path; matrices and turns of boxes fused", "the hardware's is not published (it is said to leave no gaps between triangles): compare with a tolerance"),
    choice("degenerate triangles, coordinates that are no number", "missed", "as in RADV's emulation; GPURT's gives a fraction of zeros, which programs take for a miss as well"),
    choice("ray extent against triangles", "does not count: what lies behind it is hit", "GPURT's software path; drivers compare the distance by themselves"),
    choice("numerators of a triangle that is missed", "coordinates stay, distance is infinity by 1", "GPURT's software path"),
    choice("coordinates of triangles and rays that are no number, in registers", "0x7fc00000", "which NaN the hardware's sums give is not published"),
    choice("triangle_id in return mode 0", "the whole word behind the corners", "the manuals say triangle_id, GPURT calls that word so; one byte of it would be another reading"),
    choice("barycentric source 3 in the triangle id", "0", "three coordinates have numbers 0 to 2"),
    choice("nodes behind the size of the tree", "boxes and triangles are missed, nothing is fetched", "`used to enforce bounds checking`; zeros, as of images, would be another reading"),
    choice("a node that begins inside the tree and ends outside", "fetched", "the size counts units of 64 bytes and nodes have one or two"),
    choice("descriptors of trees with another TYPE than 8", "refused", "the hardware checks nothing and says nothing of it"),
    choice("addresses of nodes beyond 48 bits", "the lower 48 count", "GPURT: of the address in a pointer 42 bits are used"),
    choice("ray_dir and ray_inv_dir with A16 on gfx11 and gfx12", "a register for each component: inverse direction low, direction high", "what LLVM emits; the RDNA3 manual has direction low and inverse high, the RDNA4 manual the pairs of gfx10.3"),
    choice("box heuristic 3", "as 0", "reserved; GPURT takes the closest"),
    choice("disabling of culling by pointers and triangles", "no side of such a triangle is culled", "RADV relies on the bit in pointers; GPURT's software path looks at neither"),
    choice("flip winding of a triangle id", "turns a triangle over as the flag of a pointer does; both together cancel", "named in GPURT, whose software path does not look at it"),
    choice("gfx12 without pointer_flags", "triangles of 64 bytes return coordinates with their own signs and are never procedural; compressed ones say what they are, and nothing is culled", "`do not use pointer flags or features supported by pointer flags`"),
    choice("unused upper bits of 64-bit pointers on gfx11 and gfx12", "not part of the address, whether pointer_flags is set or not", "the address ends at bit 53"),
    choice("flags of boxes of f16", "none: the node has no place for them", "GPURT's software path"),
    choice("sorting triangles first", "kinds 0 to 3, of uncompressed image_bvh8 0 and 1; pairs (kind 1) before single ones", "RDNA4 manual; the pairs are GPURT's"),
    choice("image_bvh8, boxes around the same node", "of those one behind the other the first counts", "GPURT's software path"),
    choice("bit 24 of the exponents of a node of eight", "its boxes are not sorted", "named disableBoxSort in GPURT, whose software path does not look at it"),
    choice("image_bvh_dual with two instances", "ten times 0xffffffff", "GPURT: not expected"),
    choice("registers of an instance without a meaning", "0xffffffff", "GPURT fills them with a mark"),
    choice("an instance that is culled", "the ray stays and the next node is 0xffffffff", "GPURT's software path for nodes of 64 bytes; for packed ones it goes on to the boxes"),
    choice("masks of the boxes of a packed instance", "count", "GPURT leaves them out because they are those of the instance"),
    choice("corners of compressed triangles as unorm16", "refused", "the bit is named in GPURT, the layout is not"),
    choice("turns of oriented boxes beyond 103", "refused", "the table of GPURT ends there"),
    choice("return mode 0 of compressed triangles", "as 1", "no source has another layout for them"),
    choice("1 / direction of image_bvh8 and image_bvh_dual", "the correctly rounded quotient", "the instruction has no operand for it; the precision of hardware is not published"),
    // Stacks.
    choice("order of ds_bvh_stack_rtn", "data 3, 2, 1 are pushed and data 0 is returned; what was visited ends it", "GPURT's prototype, and what RADV and tinybvh rely on: the nearest box is first; the manuals' text pushes 0, 1, 2 and returns 3"),
    choice("ds_bvh_stack_rtn when the last node is not among the data", "nothing is pushed", "GPURT's prototype; RADV pops so, with a last node of 0xfffffffe"),
    choice("ds_bvh_stack_rtn on an empty stack", "0xfffffffe, and the register stays", "GPURT's prototype, RADV; the manual's text has no such case"),
    choice("index of the stack of gfx11", "18 bits, which stop at the end; its size is in the offset alone", "GPURT, LLPC and RADV; the manual's table has 16 bits and the size in bits 17:16"),
    choice("words of a stack", "128 bytes apart; the shader adds four bytes for each of 32 lanes", "LLPC, RADV"),
    choice("a stack that leaves LDS", "words outside read 0 and lose what is written", "as every access of LDS"),
    choice("ds_bvh_stack_push4 of gfx12", "the rules of push8, for four", "GPURT has an emulation of push8 alone; tinybvh uses push4 with the word of gfx12"),
    choice("a pair that push8_pop2 pops", "comes as both triangles where bit 8 of the offset asks for it", "GPURT always; the manual has a flag for it"),
    choice("ds_bvh_stack of gfx12 with size 0", "holds nothing: what is pushed is lost", "five bits of size; that none means 32 would be another reading"),
    choice("popped words of gfx12", "stay in LDS", "GPURT's software path; the manual's text clears them"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn each_topic_once_and_complete() {
        crate::memory::choices::tests::hold(super::CHOICES);
    }
}
