// Two halves, or two 16-bit integers, at a time.
// without tahiti hawaii
// in 0.0 2048 small 61
// out 0.1 8192
// needs shader_float16 shader_int16
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uvec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer C { uvec4 c[]; };
void main() {
    uint l = gl_LocalInvocationIndex;
    ivec2 g = ivec2(a[l]), h = ivec2(a[255 - l]);
    f16vec2 x = f16vec2(g - 30) * 0.25hf, y = f16vec2(h - 25) * 0.5hf;
    precise f16vec2 sum = x + y, product = x * y, other = x.yx - y, mixed = x.xx * y.yx;
    c[4 * l] = uvec4(packFloat2x16(sum), packFloat2x16(product), packFloat2x16(other), packFloat2x16(mixed));
    c[4 * l + 1] = uvec4(packFloat2x16(fma(x, y, x.yx)), packFloat2x16(min(x, y)), packFloat2x16(max(-x, y)), packFloat2x16(clamp(x * y, f16vec2(0), f16vec2(1))));
    i16vec2 p = i16vec2(g * 1103), q = i16vec2(h * 717);
    u16vec2 u = u16vec2(p), v = u16vec2(q), n = u16vec2(h) & u16vec2(15);
    c[4 * l + 2] = uvec4(packUint2x16(u + v), packUint2x16(u - v.yx), packUint2x16(u * v), packUint2x16(u * v + n));
    c[4 * l + 3] = uvec4(packUint2x16(u << n), packUint2x16(u >> n), packInt2x16(p >> i16vec2(n)), packUint2x16(min(u, v)) ^ packUint2x16(max(u, v.yx)) ^ packInt2x16(min(p, q)) * 3u ^ packInt2x16(max(p, q.yx)) * 5u);
}
