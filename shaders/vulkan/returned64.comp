// The same of 64 bits.
// in 0.0 1024 u32 53
// inout 0.1 8192 u32 54
// out 0.2 8192
// needs shader_int64 shader_buffer_int64_atomics shader_shared_int64_atomics
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uvec2 a[]; };
layout(set = 0, binding = 1) buffer B { uint64_t u[512]; int64_t s[512]; };
layout(set = 0, binding = 2) writeonly buffer C { u64vec2 c[]; };
shared uint64_t p[512];
shared int64_t q[192];
void main() {
    uint l = gl_LocalInvocationIndex;
    uint64_t x = packUint2x32(a[l]), y = packUint2x32(a[(l + 9) & 127].yx);
    for (uint n = 0; n < 8; n++) p[64 * n + l] = y * uint64_t(n + 3);
    for (uint n = 0; n < 3; n++) q[64 * n + l] = int64_t(y) >> n;
    barrier();
    u64vec2 r[8];
    r[0] = u64vec2(atomicAdd(u[l], x), atomicMin(u[64 + l], x));
    r[1] = u64vec2(atomicMax(u[128 + l], x), atomicAnd(u[192 + l], x));
    r[2] = u64vec2(atomicOr(u[256 + l], x), atomicXor(u[320 + l], x));
    r[3] = u64vec2(atomicExchange(u[384 + l], x), atomicCompSwap(u[448 + l], (l & 1) == 0 ? u[448 + l] : x, y));
    r[4] = u64vec2(atomicMin(s[l], int64_t(x)), atomicMax(s[64 + l], int64_t(x)));
    r[5] = u64vec2(atomicAdd(p[l], x) ^ atomicMin(p[64 + l], x), atomicMax(p[128 + l], x) + atomicAnd(p[192 + l], x));
    r[6] = u64vec2(atomicOr(p[256 + l], x) ^ atomicXor(p[320 + l], x), atomicExchange(p[384 + l], x) + atomicCompSwap(p[448 + l], (l & 2) == 0 ? p[448 + l] : x, y));
    r[7] = u64vec2(atomicMin(q[l], int64_t(x)), atomicMax(q[64 + l], int64_t(x)));
    barrier();
    uint n = 63 - l;
    r[7] ^= u64vec2(p[n] + p[64 + n] + p[128 + n] + p[192 + n] + q[n], p[256 + n] ^ p[320 + n] ^ p[384 + n] ^ p[448 + n] ^ q[64 + n]);
    for (uint m = 0; m < 8; m++) c[64 * m + l] = r[m];
}
