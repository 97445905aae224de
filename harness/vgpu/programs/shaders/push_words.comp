// Push constants that the host changes in part.
// inout 0.0 256
// push 1 2 3 4 5 6 7 8
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uvec4 p, q; };
void main() {
    uint l = gl_LocalInvocationIndex;
    // Vulkan wants indices of push constants to be the same in all lanes.
    for (uint n = 0; n < 4; n++) {
        if ((l & 3) == n) b[l] = b[l] * 7 + p[n] * 3;
        if ((l >> 2 & 3) == n) b[l] += q[n];
    }
}
