// Integers of 16 and 8 bits in registers: sums, products, shifts, extremes, comparisons, one by one.
// in 0.0 1024 u32 59
// out 0.1 8192
// needs shader_int16 shader_int8
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer C { uvec4 c[]; };
uint both(uint16_t x, uint16_t y) { return uint(x) | uint(y) << 16; }
uint both(int16_t x, int16_t y) { return both(uint16_t(x), uint16_t(y)); }
uint bits(bool a, bool b, bool c, bool d) { return uint(a) | uint(b) << 1 | uint(c) << 2 | uint(d) << 3; }
void main() {
    uint l = gl_LocalInvocationIndex, v = a[l], w = (l & 7) == 0 ? v : a[255 - l];
    uint16_t x = uint16_t(v), y = uint16_t(w), n = uint16_t(v >> 28);
    int16_t p = int16_t(v), q = int16_t(w), m = int16_t(n);
    c[4 * l] = uvec4(both(x + y, x - y), both(x * y, uint16_t(x * y + n)), both(x << n, x >> n), both(p >> m, p * q + m));
    c[4 * l + 1] = uvec4(both(min(x, y), max(x, y)), both(min(p, q), max(p, q)), both(clamp(x, n, y | n), min(min(x, y), n)), both(clamp(p, m, q | m), max(max(p, q), m)));
    uint r = bits(x < y, x <= y, x == y, x != y) | bits(x > y, x >= y, p < q, p <= q) << 4 | bits(p > q, p >= q, p == q, p != q) << 8;
    c[4 * l + 2] = uvec4(r, both(abs(p), int16_t(-q)), both(~x, x & y), both(x | y, x ^ y));
    int8_t s = int8_t(v >> 8), t = int8_t(w >> 8);
    uint8_t e = uint8_t(v >> 16), f = uint8_t(w >> 16);
    c[4 * l + 3] = uvec4(uint(int(s) * int(t)), uint(uint(e) * uint(f)), uint(int(int8_t(s + t))) ^ uint(uint8_t(e - f)), uint(uint16_t(v) / uint16_t(w | 1u)));
}
