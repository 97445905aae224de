// Bytes in storage and in registers: base64, then products and shifts of signed bytes.
// needs shader_int8 storage_buffer8_bit_access
// in 0.0 768 u32 108
// out 0.1 1024
// out 0.2 256
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint8_t a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint8_t b[]; };
layout(set = 0, binding = 2) writeonly buffer C { int8_t c[]; };
uint8_t letter(uint v) { return uint8_t(v < 26 ? v + 65 : v < 52 ? v + 71 : v < 62 ? v - 4 : v == 62 ? 43 : 47); }
void main() {
    uint i = gl_LocalInvocationIndex;
    uint all = uint(a[i * 3]) << 16 | uint(a[i * 3 + 1]) << 8 | uint(a[i * 3 + 2]);
    for (uint n = 0; n < 4; n++) b[i * 4 + n] = letter(all >> (18 - 6 * n) & 63);
    int8_t x = int8_t(a[i]), y = int8_t(a[i + 256]);
    c[i] = int8_t(x * y + (x >> int8_t(3)) - max(x, y));
}
