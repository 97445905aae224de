// Texels whose components are alike, or zero, in a storage texel buffer of format rgba8ui.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, rgba8ui) uniform uimageBuffer t;
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    uint x = a[i] & 255u, y = a[i] >> 8u & 255u;
    if (i < 16) imageStore(t, i, uvec4(x));
    else if (i < 32) imageStore(t, i, uvec4(x, y, x, x));
    else if (i < 48) imageStore(t, i, uvec4(x, 0u, 0u, 0u));
    else imageStore(t, i, uvec4(y, y, x, y));
}
