// A switch over what lanes differ in, early returns, breaks out of two loops.
// in 0.0 1024 u32 20
// out 0.1 1024
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
uint turn(uint v, uint n) {
    switch (v % 7) {
        case 0: return v * 3;
        case 1: v += n;
        case 2: v ^= 0x55; break;
        case 3: for (uint k = 0; k < n; k++) { if ((v >> k & 5) == 5) return k; v += k; } break;
        case 4: v = v >> 1 | v << 31; break;
        default: if ((v & 16) != 0) v = ~v; else v -= n;
    }
    return v;
}
void main() {
    uint i = gl_LocalInvocationIndex, v = a[i];
    for (uint n = 0; n < 12; n++) {
        for (uint m = 0; m < 3; m++) {
            v = turn(v, n + m);
            if (v % 11 == 3) break;
        }
        if (v % 13 == 5) { b[i] = v; return; }
    }
    b[i] = v ^ 1;
}
