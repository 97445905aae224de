// Inclusive sums by doubling steps, with shared vectors of two words.
// in 0.0 512 u32 6
// out 0.1 512
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uvec2 s[128];
void main() {
    uint l = gl_LocalInvocationIndex;
    s[l] = uvec2(a[l], l);
    for (uint n = 1; n < 128; n <<= 1) {
        barrier();
        uvec2 v = l >= n ? s[l - n] : uvec2(0);
        barrier();
        s[l] += v;
    }
    b[l] = s[l].x ^ s[l].y;
}
