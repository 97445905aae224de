// A sum by a tree in shared memory: 1024 work-items in one group.
// in 0.0 8192 u32 5
// out 0.1 8
// groups 2 1 1
#version 460
layout(local_size_x = 1024) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[1024];
void main() {
    uint l = gl_LocalInvocationIndex;
    s[l] = a[gl_GlobalInvocationID.x];
    for (uint n = 512; n > 0; n >>= 1) {
        barrier();
        if (l < n) s[l] += s[l + n];
    }
    if (l == 0) b[gl_WorkGroupID.x] = s[0];
}
