// Five descriptor sets, arrays of buffers in one of them.
// in 0.0 256 u32 1
// in 1.0[0] 256 u32 2
// in 1.0[1] 256 u32 3
// uniform 1.3 64 u32 4
// in 2.1 256 u32 5
// in 3.0 256 u32 6
// out 4.0 256
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 1, binding = 0) readonly buffer B { uint b[]; } bs[2];
layout(set = 1, binding = 3) uniform U { uvec4 u[4]; };
layout(set = 2, binding = 1) readonly buffer C { uint c[]; };
layout(set = 3, binding = 0) readonly buffer D { uint d[]; };
layout(set = 4, binding = 0) writeonly buffer O { uint o[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    o[i] = a[i] ^ (bs[0].b[i] + bs[1].b[63 - i]) ^ (c[i] * 3) ^ d[i] ^ u[i & 3][(i >> 2) & 3];
}
