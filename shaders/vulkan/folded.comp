// What compilers fold into one instruction: shifts and sums, three operands, fields, medians, packed norms.
// in 0.0 1024 u32 64
// in 0.1 1024 f32 65
// out 0.2 16384
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer F { float f[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
// Words of a lane do not follow each other, so that each is a store of its own.
void put(uint n, uvec4 v) {
    for (uint m = 0; m < 4; m++) c[128 * (4 * n + m) + gl_LocalInvocationIndex] = v[m];
}
void main() {
    uint l = gl_LocalInvocationIndex, x = a[l], y = a[255 - l], z = a[(l + 64) & 255];
    int p = int(x), q = int(y), r = int(z);
    put(0, uvec4((x << (y & 31)) + z, (x + y) << (z & 31), x + y + z, (x << (y & 31)) | z));
    put(1, uvec4((x & y) | z, x | y | z, x ^ y ^ z, (x & y) | (~x & z)));
    put(2, uvec4(min(min(x, y), z), max(max(p, q), r), max(min(max(x, y), z), min(x, y)), clamp(p, min(q, r), max(q, r))));
    put(3, uvec4((x >> 8) | (y << 24), (x & 0xffffffu) * (y & 0xffffffu) + z, ((p << 8) >> 8) * ((q << 8) >> 8), (x >> (y & 31)) | (z << 1 << (31 - (y & 31)))));
    put(4, uvec4(bitfieldExtract(p, 5, 11), bitfieldExtract(x, 3, 20), bitfieldInsert(x, y, int(z & 15), 13), bitfieldExtract(q, int(x & 15), int(y & 15))));
    put(5, uvec4(findMSB(p), findMSB(x), findLSB(y), bitCount(x) + z));
    float g = f[l] * 0.125, h = f[255 - l], i = f[(l + 64) & 255];
    put(6, floatBitsToUint(vec4(min(min(g, h), i), max(max(g, h), i), clamp(g, -0.5, 0.75), max(min(max(g, h), i), min(g, h)))));
    uint high, low;
    umulExtended(x, y, high, low);
    int hi, lo;
    imulExtended(p, q, hi, lo);
    put(7, uvec4(high, hi, x * 10u, p * -7 + q));
}
