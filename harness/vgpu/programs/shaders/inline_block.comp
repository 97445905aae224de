// A block of uniforms that lies in the descriptor set itself.
#version 460
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform U { uvec4 u[4]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
    uint l = gl_LocalInvocationIndex;
    b[l] = u[l & 3][l >> 2] * 3 + u[1].y;
}
