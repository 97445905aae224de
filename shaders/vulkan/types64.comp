// 64-bit integers and doubles.
// in 0.0 1024 u32 15
// out 0.1 1024
// out 0.2 512
// needs shader_int64 shader_float64
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { u64vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { u64vec2 b[]; };
layout(set = 0, binding = 2) writeonly buffer C { double c[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint64_t x = a[i].x, y = a[i].y;
    b[i] = u64vec2(x * y + (x >> (y & 63ul)), (x / (y >> 40 | 1ul)) ^ uint64_t(int64_t(x) < int64_t(y) ? 1 : 2));
    precise double d = double(int64_t(x) >> 20) * 0.5 + double(uint(y));
    c[i] = d < 0.0 ? -d : d * 3.0;
}
