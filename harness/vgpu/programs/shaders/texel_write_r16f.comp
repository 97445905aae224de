// Floats of 16 bits in a storage texel buffer of format r16f.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r16f) uniform imageBuffer t;
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    f16vec2 h = unpackFloat2x16(a[i] & 0x03ff03ffu | 0x3c003c00u);
    imageStore(t, 63 - i, vec4(f16vec4(h * 2.0hf, h.yx + 1.0hf)));
}
