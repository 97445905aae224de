// A group of 1024 lanes that meets at a hundred barriers, each time reading what another wave wrote.
// in 0.0 4096 u32 133
// out 0.1 4096
#version 460
layout(local_size_x = 1024) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[1024];
void main() {
    uint l = gl_LocalInvocationIndex, v = a[l];
    for (uint n = 0; n < 50; n++) {
        s[(l * 37 + n * 64) & 1023] = v;
        barrier();
        v = v * 5 + s[(l + n * 191) & 1023];
        barrier();
    }
    b[l] = v;
}
