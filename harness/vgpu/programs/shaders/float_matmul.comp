// A product of two matrices by tiles in shared memory. The numbers are small integers: every sum is exact, however it is made.
// in 0.0 16384 small 32
// in 0.1 16384 small 64
// out 0.2 16384
// groups 4 4 1
#version 460
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
shared float sa[16][16], sb[16][16];
void main() {
    uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
    float sum = 0.0;
    for (uint t = 0; t < 64; t += 16) {
        sa[l.y][l.x] = float(a[g.y * 64 + t + l.x]) - 16.0;
        sb[l.y][l.x] = float(b[(t + l.y) * 64 + g.x]) * 0.5;
        barrier();
        for (uint k = 0; k < 16; k++) sum += sa[l.y][k] * sb[k][l.x];
        barrier();
    }
    c[g.y * 64 + g.x] = sum;
}
