// Halves in storage and in registers: polynomials by Horner's rule, step by step.
// needs shader_float16 storage_buffer16_bit_access
// in 0.0 512 f16 117
// out 0.1 512
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { f16vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { f16vec2 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    f16vec2 x = a[i];
    precise f16vec2 r = f16vec2(0.25hf, -0.5hf);
    for (int n = 0; n < 5; n++) {
        precise f16vec2 p = r * x;
        r = p + f16vec2(float16_t(n) * 0.125hf + 1.0hf);
    }
    b[i] = clamp(r, f16vec2(-100.0hf), f16vec2(100.0hf));
}
