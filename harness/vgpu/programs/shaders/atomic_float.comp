// Sums of floats by atomics, in memory and in shared memory: small whole numbers, so that every order gives the same.
// needs shader_buffer_float32_atomic_add shader_shared_float32_atomic_add shader_buffer_float32_atomics
// in 0.0 4096 small 256
// inout 0.1 64
// groups 4 1 1
#version 460
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
shared float s[8];
void main() {
    uint l = gl_LocalInvocationIndex;
    float v = float(a[gl_GlobalInvocationID.x]) * 0.25 - 8.0;
    if (l < 8) s[l] = 0.0;
    barrier();
    atomicAdd(s[l & 7], v);
    atomicAdd(b[8 + (l & 7)], v);
    barrier();
    if (l < 8) atomicAdd(b[l], s[l]);
}
