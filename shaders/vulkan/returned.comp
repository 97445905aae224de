// Atomics that give back what was there, in buffers and in shared memory, each on a word of its own.
// in 0.0 1024 u32 51
// inout 0.1 4096 u32 52
// out 0.2 16384
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint u[512]; int s[512]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
shared uint p[512];
shared int q[256];
// Words of a lane do not follow each other, so that each is a store of its own.
void put(uint n, uvec4 v) {
    for (uint m = 0; m < 4; m++) c[64 * (4 * n + m) + gl_LocalInvocationIndex] = v[m];
}
void main() {
    uint l = gl_LocalInvocationIndex, x = a[l];
    for (uint n = 0; n < 8; n++) p[64 * n + l] = a[(l + 64 * n) & 255] * 3u;
    for (uint n = 0; n < 4; n++) q[64 * n + l] = int(a[(l + 64 * n + 5) & 255]);
    barrier();
    uvec4 one = uvec4(atomicAdd(u[l], x), atomicMin(u[64 + l], x), atomicMax(u[128 + l], x), atomicAnd(u[192 + l], x));
    uvec4 two = uvec4(atomicOr(u[256 + l], x), atomicXor(u[320 + l], x), atomicExchange(u[384 + l], x), atomicCompSwap(u[448 + l], (l & 1) == 0 ? u[448 + l] : 5u, x));
    ivec4 three = ivec4(atomicMin(s[l], int(x)), atomicMax(s[64 + l], int(x)), atomicAdd(s[128 + l], -int(x)), atomicExchange(s[192 + l], int(l)));
    uvec4 four = uvec4(atomicAdd(p[l], x), atomicMin(p[64 + l], x), atomicMax(p[128 + l], x), atomicAnd(p[192 + l], x));
    uvec4 five = uvec4(atomicOr(p[256 + l], x), atomicXor(p[320 + l], x), atomicExchange(p[384 + l], x), atomicCompSwap(p[448 + l], (l & 2) == 0 ? p[448 + l] : 7u, x));
    ivec4 six = ivec4(atomicMin(q[l], int(x)), atomicMax(q[64 + l], int(x)), atomicAdd(q[128 + l], -int(x)), atomicExchange(q[192 + l], int(l)));
    barrier();
    uint n = 63 - l;
    uvec4 seven = uvec4(p[n] ^ p[64 + n], p[128 + n] + p[192 + n], p[256 + n] ^ p[320 + n], p[384 + n] - p[448 + n]);
    uvec4 eight = uvec4(q[n], q[64 + n], q[128 + n], q[192 + n]);
    put(0, one);
    put(1, two);
    put(2, uvec4(three));
    put(3, four);
    put(4, five);
    put(5, uvec4(six));
    put(6, seven);
    put(7, eight);
}
