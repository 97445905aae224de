// SipHash-2-4: sums and rotations of 64 bits.
// needs shader_int64
// in 0.0 2048 u32 105
// out 0.1 512
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { u64vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint64_t b[]; };
uint64_t v0, v1, v2, v3;
uint64_t rotl(uint64_t x, int n) { return x << n | x >> (64 - n); }
void turn() {
    v0 += v1; v1 = rotl(v1, 13) ^ v0; v0 = rotl(v0, 32);
    v2 += v3; v3 = rotl(v3, 16) ^ v2;
    v0 += v3; v3 = rotl(v3, 21) ^ v0;
    v2 += v1; v1 = rotl(v1, 17) ^ v2; v2 = rotl(v2, 32);
}
void main() {
    uint i = gl_LocalInvocationIndex;
    uint64_t k0 = 0x0706050403020100ul + uint64_t(i), k1 = 0x0f0e0d0c0b0a0908ul;
    v0 = k0 ^ 0x736f6d6570736575ul; v1 = k1 ^ 0x646f72616e646f6dul;
    v2 = k0 ^ 0x6c7967656e657261ul; v3 = k1 ^ 0x7465646279746573ul;
    for (int n = 0; n < 4; n++) {
        uint64_t m = a[i][n];
        v3 ^= m; turn(); turn(); v0 ^= m;
    }
    v2 ^= 0xfful;
    turn(); turn(); turn(); turn();
    b[i] = v0 ^ v1 ^ v2 ^ v3;
}
