// Structures in storage of both layouts, arrays in arrays, rows and columns.
// in 0.0 4096 u32 46
// uniform 0.1 512 u32 47
// out 0.2 4096
// push 2 3
#version 460
layout(local_size_x = 64) in;
struct Item { uvec3 v; uint w; uint more[3]; uvec2 pair; };
layout(std430, set = 0, binding = 0) readonly buffer A { Item items[]; };
layout(std140, row_major, set = 0, binding = 1) uniform U { mat3x4 m[4]; uint k[8]; };
layout(std430, set = 0, binding = 2) writeonly buffer O { Item o[]; };
layout(push_constant) uniform P { uint p, q; };
void main() {
    uint i = gl_LocalInvocationIndex;
    Item x = items[i];
    Item y;
    y.v = x.v.zxy + uvec3(k[i & 7], floatBitsToUint(m[i & 3][1][2]), p);
    y.w = x.w ^ x.more[i % 3];
    for (uint n = 0; n < 3; n++) y.more[n] = x.more[(n + q) % 3] + k[n];
    y.pair = x.pair.yx;
    o[i] = y;
}
