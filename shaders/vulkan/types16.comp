// 16-bit integers and floats, in storage and in registers.
// without tahiti hawaii
// in 0.0 512 f16 12
// in 0.1 512 u32 13
// out 0.2 512
// out 0.3 512
// needs shader_float16 shader_int16 storage_buffer16_bit_access
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { f16vec2 a[]; };
layout(set = 0, binding = 1) readonly buffer B { u16vec2 b[]; };
layout(set = 0, binding = 2) writeonly buffer C { f16vec2 c[]; };
layout(set = 0, binding = 3) writeonly buffer D { u16vec2 d[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    f16vec2 v = a[2 * i], w = a[2 * i + 1];
    precise f16vec2 r = max(v * w, f16vec2(-1.0hf, 0.5hf)) + abs(w);
    c[2 * i] = r;
    c[2 * i + 1] = mix(v, w, lessThan(v, w));
    u16vec2 p = b[2 * i], q = b[2 * i + 1];
    d[2 * i] = p * q + (p >> u16vec2(3)) - min(p, q);
    d[2 * i + 1] = u16vec2(i16vec2(p) >> i16vec2(2)) ^ (q << u16vec2(1));
}
