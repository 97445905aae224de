// Halves of words: each lane sorts 16 of them, signed and unsigned, in registers of 16 bits.
// needs shader_int16 storage_buffer16_bit_access
// in 0.0 2048 u32 107
// out 0.1 2048
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { int16_t a[]; };
layout(set = 0, binding = 1) writeonly buffer B { int16_t b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    int16_t v[16];
    for (uint n = 0; n < 16; n++) v[n] = a[i * 16 + n];
    for (uint n = 0; n < 16; n++) {
        for (uint m = n & 1; m + 1 < 16; m += 2) {
            bool swap = (i & 1) == 0 ? v[m] > v[m + 1] : uint16_t(v[m]) > uint16_t(v[m + 1]);
            int16_t low = swap ? v[m + 1] : v[m];
            v[m + 1] = swap ? v[m] : v[m + 1];
            v[m] = low;
        }
    }
    for (uint n = 0; n < 16; n++) b[i * 16 + n] = v[n];
}
