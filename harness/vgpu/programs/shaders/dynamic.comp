// Buffers whose places the host chooses when it binds them.
// push 1
#version 460
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[16]; };
layout(set = 0, binding = 1) uniform U { uvec4 u[4]; };
layout(set = 0, binding = 2) buffer B { uint b[16]; };
layout(push_constant) uniform P { uint k; };
void main() {
    uint l = gl_LocalInvocationIndex;
    b[l] = b[l] * 3 + a[l] * k + u[l >> 2][l & 3];
}
