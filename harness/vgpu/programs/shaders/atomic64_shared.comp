// 64-bit atomics in shared memory and in buffers, with compare and swap until it holds.
// needs shader_int64 shader_buffer_int64_atomics shader_shared_int64_atomics
// inout 0.0 128
// groups 4 1 1
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint64_t b[]; };
shared uint64_t s[4];
shared int64_t least;
void main() {
    uint l = gl_LocalInvocationIndex;
    uint64_t h = uint64_t(gl_GlobalInvocationID.x + 1) * 0x9e3779b97f4a7c15ul;
    if (l < 4) s[l] = 0ul;
    if (l == 0) least = 0l;
    barrier();
    atomicAdd(s[0], h);
    atomicXor(s[1], h * 3ul);
    atomicMax(s[2], h);
    atomicMin(least, int64_t(h));
    atomicAdd(s[3], uint64_t(atomicAdd(s[0], 0ul) == 0ul));
    barrier();
    if (l < 3) {
        if (l == 0) { atomicAdd(b[0], s[0]); atomicMin(b[4], uint64_t(least)); }
        if (l == 1) atomicXor(b[1], s[1]);
        if (l == 2) atomicMax(b[2], s[2]);
    }
    uint64_t old = b[3];
    for (uint64_t seen; (seen = atomicCompSwap(b[3], old, old + h)) != old;) old = seen;
}
