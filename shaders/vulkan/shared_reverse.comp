// Shared memory across the waves of a group, with barriers.
// in 0.0 2048 u32 9
// out 0.1 2048
// groups 2 1 1
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[256];
void main() {
    uint l = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x;
    s[l] = a[i];
    barrier();
    uint v = s[255 - l];
    barrier();
    s[l] = v * 3;
    barrier();
    b[i] = s[l ^ 1];
}
