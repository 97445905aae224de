// A histogram: counts in shared memory by atomics, then added to those of the other groups.
// in 0.0 16384 u32 132
// inout 0.1 1024
// groups 16 1 1
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint s[256];
void main() {
    uint l = gl_LocalInvocationIndex, v = a[gl_GlobalInvocationID.x];
    s[l] = 0;
    barrier();
    atomicAdd(s[v & 255], 1);
    atomicAdd(s[v >> 24], 0x10000);
    barrier();
    if (s[l] != 0) atomicAdd(b[l], s[l]);
}
