// Division, remainder, products and shifts of 64-bit integers, signed and not, by what lanes have.
// needs shader_int64
// in 0.0 2048 u32 106
// out 0.1 6144
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { u64vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint64_t b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint64_t x = a[i].x, y = a[i].y >> (i & 63) | 1ul;
    int64_t p = int64_t(x), q = int64_t(a[i].y) >> int(i & 31) | 2l;
    b[6 * i] = x / y;
    b[6 * i + 1] = x % y;
    b[6 * i + 2] = uint64_t(p / q);
    b[6 * i + 3] = uint64_t(p - p / q * q);
    b[6 * i + 4] = x * y ^ uint64_t(p >> int(y & 63ul)) + (x << uint(y & 63ul));
    b[6 * i + 5] = uint64_t(min(p, q)) ^ max(x, y) + uint64_t(abs(p)) + uint64_t(sign(q));
}
