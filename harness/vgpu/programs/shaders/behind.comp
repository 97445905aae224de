// Reads and writes behind the end of buffers, which a robust device makes zero and drops.
// in 0.0 256 u32 165
// inout 0.1 1024 u32 166
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
    uint l = gl_LocalInvocationIndex;
    b[l] = a[l + 32] + 1;
    b[64 + l] = a[l * 0x01000000u + 64] + 2;
    b[1000 + l * 77777] = 5;
}
