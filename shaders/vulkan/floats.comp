// Conversions, rounding, bits of floats, comparisons, minimum and maximum.
// How numbers that no half holds are rounded is left to drivers.
// in 0.0 1024 f32 23
// out 0.1 8192
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    float x = a[i], y = a[255 - i];
    int e;
    float m = frexp(x, e);
    b[2 * i] = uvec4(int(x), uint(abs(y)), floatBitsToUint(floor(x)), floatBitsToUint(roundEven(y)));
    b[2 * i + 1] = uvec4(floatBitsToUint(min(x, y)), packHalf2x16(floor(vec2(x, y))), floatBitsToUint(ldexp(m, e + 2)), e ^ int(x < y) ^ int(isnan(x)));
}
