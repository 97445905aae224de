// Conversions between floats and integers of all widths, exact where they can be.
// in 0.0 1024 u32 57
// in 0.1 1024 f32 58
// out 0.2 16384
// needs shader_int64 shader_float64
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer F { float f[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
// Words of a lane do not follow each other, so that each is a store of its own.
void put(uint n, uvec4 v) {
    for (uint m = 0; m < 4; m++) c[128 * (4 * n + m) + gl_LocalInvocationIndex] = v[m];
}
void main() {
    uint l = gl_LocalInvocationIndex, x = a[l];
    float g = f[l] * 1000.0;
    double d = double(g) + double(x);
    put(0, floatBitsToUint(vec4(x & 0xff, x >> 8 & 0xff, x >> 16 & 0xff, x >> 24)));
    put(1, uvec4(floatBitsToUint(float(x)), floatBitsToUint(float(int(x))), uint(abs(g)), int(g)));
    put(2, uvec4(unpackDouble2x32(double(x)), unpackDouble2x32(double(int(x)))));
    put(3, uvec4(uint(d), int(d - 3e9LF), floatBitsToUint(float(d)), floatBitsToUint(fract(g))));
    // Below 2^24: beyond, Mesa 25's CPU device leaves doubles unrounded where the host has no AVX-512.
    double r = d * 0.0009765625LF;
    put(4, uvec4(unpackDouble2x32(fract(d)), unpackDouble2x32(ceil(r) + roundEven(r) * 2.0LF)));
    int e;
    double m = frexp(d, e);
    put(5, uvec4(unpackDouble2x32(m), unpackDouble2x32(ldexp(m, e - 5))));
    put(6, uvec4(e, floatBitsToUint(ceil(g)), floatBitsToUint(trunc(g)), floatBitsToUint(sign(g) * 3.0)));
    put(7, uvec4(floatBitsToUint(unpackHalf2x16(x & 0x7bff3bff)), uint(int(x) << 16 >> 16), uint(int(x) << 20 >> 24)));
}
