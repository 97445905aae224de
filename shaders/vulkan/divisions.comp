// Integer division and remainder, signed and not, by lanes and by constants.
// in 0.0 1024 u32 44
// out 0.1 8192
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { ivec4 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex, x = a[i], y = a[255 - i] >> (i & 31) | 1u;
    int p = int(x), q = int(y | 1u);
    if (q == -1) q = 3;
    b[2 * i] = ivec4(x / y, x % y, p / q, p - p / q * q);
    b[2 * i + 1] = ivec4(x / 7u, x % 1000u, p / 10, (x >> 3) / 641u);
}
