// Halves one by one: sums, products, rounding, comparisons, extremes, conversions. Small numbers, so that no rounding is left to drivers.
// without tahiti hawaii
// in 0.0 1024 small 61
// out 0.1 8192
// needs shader_float16 shader_int16
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer C { uvec4 c[]; };
uint both(float16_t x, float16_t y) { return packFloat2x16(f16vec2(x, y)); }
uint bits(bool a, bool b, bool c, bool d) { return uint(a) | uint(b) << 1 | uint(c) << 2 | uint(d) << 3; }
void main() {
    uint l = gl_LocalInvocationIndex;
    float16_t x = float16_t(int(a[l]) - 30) * 0.25hf, y = float16_t(int(a[255 - l]) - 25) * 0.5hf;
    precise float16_t sum = x + y, product = x * y, difference = x - y;
    c[4 * l] = uvec4(both(sum, product), both(difference, fma(x, y, 1.5hf)), both(min(x, y), max(x, y)), both(clamp(x, -1.0hf, 2.0hf), abs(y)));
    c[4 * l + 1] = uvec4(both(floor(x), ceil(y)), both(trunc(x), roundEven(y)), both(fract(abs(x)), -y), both(min(min(x, y), 1.0hf), max(max(x, y), 0.5hf)));
    uint r = bits(x < y, x <= y, x == y, x != y) | bits(x > y, x >= y, isnan(x), isinf(y)) << 4 | bits(!(x < y), !(x <= y), !(x > y), !(x >= y)) << 8;
    c[4 * l + 2] = uvec4(r, uint(int(x)), uint(int(int16_t(y))) ^ uint(uint16_t(abs(x))) << 16, floatBitsToUint(float(x)));
    int e;
    float16_t m = frexp(y, e);
    c[4 * l + 3] = uvec4(both(m, ldexp(m, e - 1)), uint(e), both(float16_t(int16_t(a[l])), float16_t(uint16_t(a[l] * 3u))), both(float16_t(0.125 * float(a[l])), sqrt(float16_t(a[l] * a[l] & 1023u) * 0.0hf + 4.0hf)));
}
