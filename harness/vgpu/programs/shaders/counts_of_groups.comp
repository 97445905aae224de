// Writes the arguments of indirect dispatches.
// inout 0.0 256
#version 460
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
    uint l = gl_LocalInvocationIndex;
    b[l * 4] = l % 3 + 1;
    b[l * 4 + 1] = l / 3 % 3;
    b[l * 4 + 2] = 1 + (l & 1);
    b[l * 4 + 3] = 0xffffffff;
}
