// Texels written and read back through a storage texel buffer of format rgba8.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, rgba8) uniform imageBuffer t;
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    uint x = a[i];
    vec4 old = imageLoad(t, i);
    barrier();
    imageStore(t, 63 - i, old + vec4(x & 3, x >> 2 & 1, 0, 1) * 0.25);
}
