// Texels of a buffer, read through the unit that knows formats: float. The host chooses the format.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform samplerBuffer t;
layout(set = 0, binding = 1) writeonly buffer O { uint o[]; };
layout(push_constant) uniform P { uint scale; };
void main() {
    uint i = gl_LocalInvocationIndex;
    vec4 v = texelFetch(t, int(i));
    uint size = uint(textureSize(t));
    for (uint n = 0; n < 4; n++) o[i * 4 + n] = (scale == 0 ? floatBitsToUint(v[n]) : uint(int(round(v[n] * float(scale))))) ^ size << 24;
}
