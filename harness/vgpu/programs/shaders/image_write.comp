// Texels of an image, written at a box of positions. What the image is and what is stored, the host says: IMAGE, VALUE.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform writeonly IMAGE t;
layout(push_constant) uniform P { ivec4 from; uvec4 size, span; ivec4 less; vec4 over; uint alpha, exact; int level; uint seed; };
uint mix32(uint x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
void main() {
    uint i = gl_GlobalInvocationID.x, xy = size.x * size.y, xyz = xy * size.z;
    if (i >= xyz * size.w) return;
    ivec4 p = from + ivec4(i % size.x, i / size.x % size.y, i / xy % size.z, i / xyz);
    uint n = i * 4 + seed;
    uvec4 k = uvec4(mix32(n), mix32(n + 1), mix32(n + 2), mix32(n + 3)) % (span + 1u);
    imageStore(t, AT, VALUE);
}
