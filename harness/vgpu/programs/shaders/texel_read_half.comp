// Texels of a buffer as floats of 16 bits, one, two, three and four components of them. The host chooses the format.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform samplerBuffer t;
layout(set = 0, binding = 1) writeonly buffer O { uint o[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    float16_t one = float16_t(texelFetch(t, int(i)).x);
    f16vec2 two = f16vec2(texelFetch(t, int(63 - i)).xy);
    f16vec3 three = f16vec3(texelFetch(t, int(i * 5 & 63)).xyz);
    f16vec4 four = f16vec4(texelFetch(t, int(i * 11 & 63)));
    // Sums of 16 bits, which do not know the floats of 32.
    four += f16vec4(three, one);
    o[i * 4] = packFloat2x16(f16vec2(one, three.z) * 2.0hf);
    o[i * 4 + 1] = packFloat2x16(two * 2.0hf);
    o[i * 4 + 2] = packFloat2x16(four.xy);
    o[i * 4 + 3] = packFloat2x16(four.zw);
}
