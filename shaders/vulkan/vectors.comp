// Loads and stores of all widths in buffers and in shared memory, at addresses that lanes choose.
// in 0.0 4096 u32 62
// out 0.1 16384
// needs shader_int16 shader_int8 storage_buffer16_bit_access storage_buffer8_bit_access
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { uint a1[]; };
layout(set = 0, binding = 0, std430) readonly buffer A2 { uvec2 a2[]; };
layout(set = 0, binding = 0, std430) readonly buffer A4 { uvec4 a4[]; };
layout(set = 0, binding = 0, std430) readonly buffer A3 { uint x, y, z; } a3[1];
layout(set = 0, binding = 0, std430) readonly buffer AH { uint16_t ah[]; };
layout(set = 0, binding = 0, std430) readonly buffer AB { int8_t ab[]; };
layout(set = 0, binding = 1, std430) writeonly buffer C1 { uint c1[]; };
layout(set = 0, binding = 1, std430) writeonly buffer C2 { uvec2 c2[]; };
layout(set = 0, binding = 1, std430) writeonly buffer C4 { uvec4 c4[]; };
layout(set = 0, binding = 1, std430) writeonly buffer CH { uint16_t ch[]; };
layout(set = 0, binding = 1, std430) writeonly buffer CB { uint8_t cb[]; };
shared uvec4 s4[64];
shared uvec3 s3[64];
shared uvec2 s2[128];
shared uint s1[128];
shared float f2[256];
void main() {
    uint l = gl_LocalInvocationIndex, n = a1[l] & 63u;
    s4[l] = a4[n];
    s3[l] = a4[n ^ 1u].xyz;
    s2[l] = a2[n * 3u & 127u];
    s2[64 + l] = a2[n];
    s1[l] = a1[n + 64];
    s1[64 + l] = a1[n + 128];
    f2[l] = 1.0; f2[l + 64] = 2.0; f2[l + 128] = float(l); f2[l + 192] = float(n);
    barrier();
    uint m = (l * 11u + 3u) & 63u;
    c4[l] = s4[m];
    c2[128 + l] = s2[m] + s2[64 + m];
    c1[512 + l] = s1[m] ^ s1[64 + m];
    c1[640 + l] = s3[m].x + s3[m].y * 3u + s3[m].z * 5u;
    c1[768 + l] = floatBitsToUint(f2[m] + f2[64 + m] + f2[128 + m] - f2[192 + m]);
    ch[1792 + l] = ah[n * 5u & 1023u];
    ch[1856 + l] = uint16_t(int(int16_t(ah[n])) >> 2);
    cb[3840 + l] = uint8_t(ab[n * 7u]);
    cb[3904 + l] = uint8_t(int(ab[n]) >> 1);
    c1[1024 + l] = uint(int(ab[n + 1])) + uint(ah[n + 1]);
    c4[512 + l] = uvec4(a2[n], a1[n], a1[n + 1]);
    c1[3000 + l] = a4[n].w;
}
