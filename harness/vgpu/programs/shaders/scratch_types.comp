// Scratch memory with doubles, pairs and vectors of three at indices that only the run knows.
// needs shader_float64
// in 0.0 512 u32 142
// out 0.1 2048
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex, v = a[i];
    double d[40];
    uvec3 t[40];
    uvec2 p[40];
    for (uint n = 0; n < 40; n++) { d[n] = double(n) * 0.5LF; t[n] = uvec3(n, i, n ^ i); p[n] = uvec2(n * n, v); }
    for (uint n = 0; n < 40; n++) {
        uint x = v % 40, y = (v >> 8) % 40;
        d[x] += d[y] * 2.0LF + 1.0LF;
        t[y] = t[x].zxy + uvec3(p[y], n);
        p[x] ^= t[y].xy;
        v = v * 0x19660du + 0x3c6ef35fu;
    }
    double sum = 0.0LF;
    uvec3 all = uvec3(0);
    for (uint n = 0; n < 40; n++) {
        sum = sum * 0.5LF + min(d[n], 1048576.0LF);
        all = all * 3 + t[n] + p[n].xyx;
    }
    b[i] = uvec4(all, uint(sum * 16.0LF));
}
