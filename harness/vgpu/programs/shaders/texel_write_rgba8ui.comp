// Texels written and read back through a storage texel buffer of format rgba8ui.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, rgba8ui) uniform uimageBuffer t;
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    uint x = a[i];
    uvec4 old = imageLoad(t, i);
    barrier();
    imageStore(t, 63 - i, old + uvec4(x & 15, x >> 4 & 15, 1, 2));
}
