// Sixty thousand groups of one lane; every one marks its bit.
// inout 0.0 8192
// groups 60000 1 1
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { uint n = gl_WorkGroupID.x; atomicXor(b[n >> 5], 1u << (n & 31)); }
