// Doubles: a logistic orbit, which magnifies every wrong bit, integer parts, conversions to 64-bit integers.
// needs shader_float64 shader_int64
// in 0.0 1024 u32 118
// out 0.1 2048
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { u64vec4 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    precise double x = double(a[i]) * 2.3283064365386963e-10LF;
    for (int n = 0; n < 60; n++) {
        precise double y = 1.0LF - x;
        precise double z = x * y;
        x = z * 3.9LF;
    }
    precise double big = x * 1e18LF;
    int64_t whole = int64_t(big);
    b[i] = u64vec4(doubleBitsToUint64(x), uint64_t(whole), doubleBitsToUint64(double(whole) * 0.5LF), uint64_t(x * 4294967295.0LF) << 1 | uint64_t(x > 0.5LF));
}
