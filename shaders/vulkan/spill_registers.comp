// More values alive than there are registers: the compiler spills.
// in 0.0 65536 u32 18
// out 0.1 1024
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
void main() {
    uint l = gl_LocalInvocationIndex;
    uvec4 v[96];
    for (uint n = 0; n < 96; n++) v[n] = a[(l * 13 + n * 41) & 4095];
    barrier();
    uint sum = 0;
    for (uint r = 0; r < 2; r++) {
        for (uint n = 0; n < 96; n++) {
            uvec4 x = v[(n * 5 + 1) % 96] ^ v[n];
            v[n] = x * 3 + sum;
            sum += x.x + (x.y ^ x.z) + x.w;
        }
    }
    for (uint n = 0; n < 96; n++) sum = sum * 33 + v[n].x + v[n].y + v[n].z + v[n].w;
    b[l] = sum;
}
