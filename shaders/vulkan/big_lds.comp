// The most shared memory that a group may have, in vectors of four; strides that meet in one bank.
// in 0.0 32768 u32 41
// out 0.1 32768
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
shared uvec4 s[2048];
void main() {
    uint l = gl_LocalInvocationIndex;
    for (uint n = 0; n < 8; n++) s[(l * 8 + n) & 2047] = a[n * 256 + l];
    barrier();
    for (uint n = 0; n < 8; n++) b[n * 256 + l] = s[((l + n) * 33) & 2047].wzyx + uvec4(n);
}
