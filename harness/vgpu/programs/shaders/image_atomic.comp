// Atomics on texels: sums and the like of all lanes at a few texels, turns of each lane at its own. The host says IMAGE, FORMAT, WORD
// and where the texel of a number is: PLACE.
#version 460
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, FORMAT) uniform IMAGE t;
layout(set = 0, binding = 1) writeonly buffer O { WORD o[]; };
layout(set = 0, binding = 2) readonly buffer A { uint a[]; };
layout(push_constant) uniform P { ivec4 from; uvec4 size, span; ivec4 less; vec4 over; uint alpha, exact; int level; uint seed; };
ivec4 place(uint n) {
    uint xy = size.x * size.y, xyz = xy * size.z;
    return ivec4(n % size.x, n / size.x % size.y, n / xy % size.z, n / xyz);
}
WORD wide(uint x) { return WORD(WIDE(x)); }
void main() {
    uint l = gl_GlobalInvocationID.x, x = a[l & 255] ^ l * 0x9e3779b9u;
    ivec4 p = place(x & 7); imageAtomicAdd(t, AT, wide(x >> 3));
    p = place(8 + (x & 7)); imageAtomicMin(t, AT, wide(x));
    p = place(16 + (x & 7)); imageAtomicMax(t, AT, wide(x));
    p = place(24 + (x & 7)); imageAtomicAnd(t, AT, wide(x | 0xff00ff0fu));
    p = place(32 + (x & 7)); imageAtomicOr(t, AT, wide(x & 0x10f0011u));
    p = place(40 + (x & 7)); imageAtomicXor(t, AT, wide(x));
    p = place(48 + l);
    WORD old = imageAtomicExchange(t, AT, wide(x));
    WORD first = imageAtomicCompSwap(t, AT, wide((l & 1) == 0 ? x : x + 1), wide(l));
    o[l * 8] = old;
    o[l * 8 + 1] = first;
    o[l * 8 + 2] = imageAtomicAdd(t, AT, wide(5));
    o[l * 8 + 3] = imageAtomicMax(t, AT, wide(9));
    o[l * 8 + 4] = imageAtomicMin(t, AT, wide(x >> 1));
    o[l * 8 + 5] = imageAtomicOr(t, AT, wide(x & 0x10f0011u));
    o[l * 8 + 6] = imageAtomicXor(t, AT, wide(x >> 2));
    o[l * 8 + 7] = imageAtomicAnd(t, AT, wide(x | 0xff00ff0fu));
}
