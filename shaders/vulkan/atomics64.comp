// 64-bit atomics on a buffer.
// inout 0.0 128 u32 21
// needs shader_int64 shader_buffer_int64_atomics
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint64_t b[]; };
void main() {
    uint64_t l = uint64_t(gl_LocalInvocationIndex) * 0x100000001b3ul;
    atomicAdd(b[0], l);
    atomicMax(b[1], l << 40);
    atomicMin(b[2], l << 20);
    atomicXor(b[3], l * l);
    atomicOr(b[4], 1ul << gl_LocalInvocationIndex);
    atomicAnd(b[5], ~(1ul << gl_LocalInvocationIndex));
}
