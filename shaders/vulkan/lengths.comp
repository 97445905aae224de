// The lengths of arrays, which are those of the descriptors.
// in 0.0 1000 u32 27
// out 0.1 1024
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    b[i] = i < a.length() ? a[i] : a.length() + b.length();
}
