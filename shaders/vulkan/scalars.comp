// What is the same for all lanes: scalar arithmetic, shifts, fields, counts, comparisons, loops, and tables that they index.
// in 0.0 256 u32 66
// uniform 0.1 256 u32 67
// push 12 0x12345678 0xfedcba98 0x80000001 5
// out 0.2 4096
// groups 4 1 1
// needs shader_int64
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) uniform U { uvec4 u[16]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform P { uint n, x, y, z, w; };
void main() {
    uint g = gl_WorkGroupID.x, l = gl_LocalInvocationIndex;
    uvec4 k = u[g * 3 + 1];
    uint s = x * k.x + (y >> (k.y & 31)) - (k.z << (g + 1));
    int t = int(y) >> int(g + 2);
    uint64_t X = packUint2x32(uvec2(x, y)), Y = packUint2x32(k.zw);
    uint64_t Z = (X << (k.x & 63)) ^ (Y >> (g + 5)) ^ uint64_t(int64_t(Y) >> 9) ^ (X & ~Y) ^ (X + Y) ^ (X - Y * 3ul);
    uint b = bitCount(k.x) + findMSB(k.y) * 3 + findLSB(z) + findMSB(t) * 5 + bitfieldReverse(k.w);
    uint m = min(k.x, k.y) ^ max(k.z, x) ^ uint(min(int(k.x), int(k.y))) ^ uint(max(int(k.z), int(x)));
    uint e = bitfieldExtract(k.x, int(g), 7) ^ uint(bitfieldExtract(int(k.y), 4, 9)) ^ bitfieldInsert(k.z, x, int(g * 4), 5) ^ (k.x & ~k.y) ^ (k.x | ~k.z) ^ ~(k.y ^ k.w);
    uint high, low, carry;
    umulExtended(k.x, y, high, low);
    uint sum = uaddCarry(k.x, k.y, carry);
    for (uint i = 0; i < n + g; i++) {
        s = s * 5u + u[i & 15u][i & 3u];
        if (s > 0xf0000000u) s ^= z;
        else if (int(s) < -1000) s += 77u;
    }
    int d = abs(int(k.x)) ^ (int(k.x) < int(k.y) ? 3 : 4) ^ (k.z == k.w ? 1 : 2) ^ (X != Y ? 8 : 0);
    uint v = a[l] + s;
    c[g * 256 + l] = v ^ uint(t);
    c[g * 256 + 64 + l] = (uint(Z) ^ uint(Z >> 32)) + (l == 3 ? b : m);
    c[g * 256 + 128 + l] = e + l * (high ^ sum ^ carry);
    c[g * 256 + 192 + l] = uint(d) + w + a[(l + g) & 63];
}
