// Structures in the tight layout of scalars, with bytes and halves between words.
// needs scalar_block_layout storage_buffer8_bit_access storage_buffer16_bit_access shader_int8 shader_int16
// in 0.0 2816 u32 167
// out 0.1 2816
#version 460
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
struct Item { uint8_t a; uint16_t b; u32vec3 c; uint8_t d[3]; uint16_t e; u32vec2 f; u16vec3 g; };
layout(scalar, set = 0, binding = 0) readonly buffer A { Item items[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer O { Item o[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    Item x = items[i], y;
    y.a = x.d[i % 3];
    y.b = x.g.y;
    y.c = x.c.zxy + u32vec3(x.a);
    y.d[0] = x.a; y.d[1] = x.d[2]; y.d[2] = uint8_t(x.b);
    y.e = x.b;
    y.f = x.f.yx ^ u32vec2(x.e);
    y.g = x.g.zxy;
    o[i] = y;
}
