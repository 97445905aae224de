// An array of a work-item with indices that only the run knows: it lies in scratch memory.
// in 0.0 1024 u32 16
// out 0.1 1024
// groups 2 1 1
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint t[96];
    for (uint n = 0; n < 96; n++) t[n] = n * 7 + i;
    uint v = a[i];
    for (uint n = 0; n < 64; n++) {
        uint at = (v >> (n & 15)) % 96;
        uint other = (v * (n + 1)) % 96;
        uint x = t[at];
        t[at] = t[other] + v;
        t[other] = x ^ n;
    }
    uint sum = 0;
    for (uint n = 0; n < 96; n++) sum = sum * 31 + t[n];
    b[i] = sum;
}
