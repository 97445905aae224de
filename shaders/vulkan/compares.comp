// Every comparison of integers of 32 and 64 bits and of floats, as masks, and what chooses by them.
// in 0.0 1024 u32 55
// in 0.1 1024 f32 56
// out 0.2 8192
// needs shader_int64 shader_float64
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer F { float f[]; };
layout(set = 0, binding = 2) writeonly buffer C { uvec4 c[]; };
uint bits(bool a, bool b, bool c, bool d, bool e, bool f) {
    return uint(a) | uint(b) << 1 | uint(c) << 2 | uint(d) << 3 | uint(e) << 4 | uint(f) << 5;
}
void main() {
    uint l = gl_LocalInvocationIndex;
    uint x = a[l], y = (l & 3) == 0 ? x : a[255 - l];
    int p = int(x), q = int(y);
    uint64_t X = packUint2x32(uvec2(x, y & 1u)), Y = (l & 7) == 1 ? X : packUint2x32(uvec2(y, x & 1u));
    int64_t P = int64_t(X) << 31, Q = int64_t(Y) << 31;
    float g = (l & 15) == 2 ? 0.0 / float(l - l) : f[l], h = (l & 3) == 1 ? g : f[255 - l];
    double G = double(g), H = double(h);
    uint r = bits(x < y, x <= y, x == y, x != y, x > y, x >= y) | bits(p < q, p <= q, p == q, p != q, p > q, p >= q) << 8;
    uint s = bits(X < Y, X <= Y, X == Y, X != Y, X > Y, X >= Y) | bits(P < Q, P <= Q, P == Q, P != Q, P > Q, P >= Q) << 8;
    uint t = bits(g < h, g <= h, g == h, g != h, g > h, g >= h) | bits(!(g < h), !(g <= h), !(g > h), !(g >= h), isnan(g), isinf(h)) << 8;
    uint u = bits(G < H, G <= H, G == H, G != H, G > H, G >= H) | bits(!(G < H), !(G <= H), !(G > H), !(G >= H), isnan(G), isinf(H)) << 8;
    c[2 * l] = uvec4(r, s, t, u);
    c[2 * l + 1] = uvec4(x < y ? x : 5u, p > q && x != 7u ? y : x, g < h ? l : y, G >= H ? x ^ y : 1u);
}
