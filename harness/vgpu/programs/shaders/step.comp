// One step of a chain: each word becomes another, which depends on its neighbour. Used by the programs of command buffers.
// inout 0.0 1024 u32 161
// push 3
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint k; };
void main() {
    uint l = gl_LocalInvocationIndex;
    for (uint n = l; n < 256; n += 64) b[n] = b[n] * 5 + k + n;
}
