// More sets, push constants and numbers than there are user registers: sets are found through a table.
// in 0.0 256 u32 1
// in 1.0 256 u32 2
// in 2.0 256 u32 3
// in 3.0 256 u32 4
// in 4.0 256 u32 5
// in 5.0 256 u32 6
// in 6.0 256 u32 7
// out 7.0 256
// push 1 2 3 4 5 6 7 8 9 10 11 12
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer B0 { uint b0[]; };
layout(set = 1, binding = 0) readonly buffer B1 { uint b1[]; };
layout(set = 2, binding = 0) readonly buffer B2 { uint b2[]; };
layout(set = 3, binding = 0) readonly buffer B3 { uint b3[]; };
layout(set = 4, binding = 0) readonly buffer B4 { uint b4[]; };
layout(set = 5, binding = 0) readonly buffer B5 { uint b5[]; };
layout(set = 6, binding = 0) readonly buffer B6 { uint b6[]; };
layout(set = 7, binding = 0) writeonly buffer O { uint o[]; };
layout(push_constant) uniform P { uint p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint v = b0[i] * p0 + b1[i] * p1 + b2[i] * p2 + b3[i] * p3 + b4[i] * p4 + b5[i] * p5 + b6[i] * p6;
    o[i] = v ^ (p7 + p8 * i + p9) ^ (p10 << 16) ^ (p11 << 24) ^ (gl_NumWorkGroups.x + gl_WorkGroupID.y);
}
