// Bytes in storage, signed and not.
// in 0.0 256 u32 14
// out 0.1 256
// needs shader_int8 storage_buffer8_bit_access
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint8_t a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint8_t b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint8_t v = a[i], w = a[255 - i];
    int8_t s = int8_t(v);
    b[i] = uint8_t(v * w + uint8_t(s >> int8_t(1))) ^ (v > w ? uint8_t(0x55) : uint8_t(0xaa));
}
