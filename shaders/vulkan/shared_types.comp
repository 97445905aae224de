// 64-bit values and atomics, halves of words and bytes in shared memory.
// in 0.0 2048 u32 42
// out 0.1 2048
// needs shader_int64 shader_shared_int64_atomics
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { u64vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { u64vec2 b[]; };
shared uint64_t s[128];
shared uint64_t sum, most;
shared uvec3 three[128];
void main() {
    uint l = gl_LocalInvocationIndex;
    if (l == 0) { sum = 0ul; most = 0ul; }
    s[l] = a[l].x;
    three[l] = uvec3(uint(a[l].y), l, l * l);
    barrier();
    atomicAdd(sum, a[l].y);
    atomicMax(most, s[127 - l]);
    barrier();
    b[l] = u64vec2(s[(l * 7) & 127] ^ sum, most + uint64_t(three[(l * 5) & 127].x) + uint64_t(three[l ^ 3].z));
}
