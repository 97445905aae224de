// Texels written and read back through a storage texel buffer of format rgba16i.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, rgba16i) uniform iimageBuffer t;
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    uint x = a[i];
    ivec4 old = imageLoad(t, i);
    barrier();
    imageStore(t, 63 - i, old + ivec4(x & 255, -int(x >> 8 & 255), 1, -2));
}
