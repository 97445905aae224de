// Atomics on buffers and on shared memory whose results do not depend on the order.
// in 0.0 1024 small 64
// inout 0.1 512 u32 8
// groups 1 1 1
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint s[64];
void main() {
    uint l = gl_LocalInvocationIndex;
    if (l < 64) s[l] = 0;
    barrier();
    atomicAdd(s[a[l]], l);
    atomicMax(b[64 + (l & 7)], l * 0x1000193);
    atomicMin(b[72 + (l & 7)], l * 0x1000193);
    atomicAnd(b[80 + (l & 7)], ~(1u << (l & 31)));
    atomicOr(b[88 + (l & 7)], 1u << (l & 31));
    atomicXor(b[96 + (l & 7)], l * 77);
    atomicMax(b[104], a[l]);
    barrier();
    if (l < 64) atomicAdd(b[l], s[l]);
    if (l == 0) {
        b[110] = atomicExchange(b[111], 5);
        b[112] = atomicCompSwap(b[111], 5, 6);
        b[113] = atomicCompSwap(b[111], 5, 7);
    }
}
