// Atomics on the words of a storage texel buffer.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimageBuffer t;
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
void main() {
    uint l = gl_GlobalInvocationID.x, x = a[l & 63] + l;
    imageAtomicAdd(t, int(x & 7), 1);
    imageAtomicMax(t, 8 + int(x & 7), x);
    imageAtomicXor(t, 16 + int(x & 7), x);
    imageAtomicMin(t, 24 + int(x & 7), x);
    imageAtomicOr(t, 32 + int(l & 7), 1u << (x & 31));
    uint ticket = imageAtomicAdd(t, 40, 1);
    imageAtomicOr(t, 41 + int(ticket >> 5), 1u << (ticket & 31));
}
