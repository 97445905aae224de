// Samples whose level four lanes find together: those of each four are a quad. For each lane the host gives `c`, then the level that
// comes of it, a reference, and steps in `e`. What the image is and how it is sampled, the host says too: IMAGE, SAMPLE.
#version 460
#extension GL_NV_compute_shader_derivatives : require
#extension GL_AMD_texture_gather_bias_lod : enable
#extension GL_ARB_sparse_texture_clamp : enable
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable
layout(local_size_x = 64) in;
layout(derivative_group_linearNV) in;
layout(set = 0, binding = 0) uniform IMAGE t;
layout(set = 0, binding = 1) writeonly buffer O { uvec4 o[]; };
layout(set = 0, binding = 2) readonly buffer Given { vec4 coordinates[]; };
layout(push_constant) uniform P { ivec4 from; uvec4 size, span; ivec4 less; vec4 over; uint alpha, exact; int level; uint seed; };
// Steps in 16 bits, which they are computed in.
#define X (f16vec2(e.z * 0.5, 0) * 2.0hf)
#define Y (f16vec2(0, e.w * 0.5) * 2.0hf)
// Component `n` of four texels at the level L, in the order of gathers.
#define SIZE vec2(max(textureSize(t, 0) >> clamp(int(round(L)), 0, textureQueryLevels(t) - 1), ivec2(1)))
#define TEXEL(n, x, y, more) textureLod(t, c.xy + (vec2(x, y) * 0.5 + more) / SIZE, L)[n]
#define FOUR(n, more) VEC(TEXEL(n, -1, 1, more), TEXEL(n, 1, 1, more), TEXEL(n, 1, -1, more), TEXEL(n, -1, -1, more))
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 c = coordinates[i * 2], e = coordinates[i * 2 + 1];
    VEC v = SAMPLE;
    o[i] = WORDS;
}
