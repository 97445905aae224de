// Random numbers: PCG with a state of 64 bits kept in two words, so that only carries and extended products are needed.
// out 0.0 4096
// push 2026 8 64
// groups 4 1 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer O { uvec4 o[]; };
layout(push_constant) uniform P { uint seed, round, rest; };
uvec2 step(uvec2 s) {
    const uvec2 m = uvec2(0x4c957f2d, 0x5851f42d), c = uvec2(0xf767814f, 0x14057b7e);
    uint high, low, carry;
    umulExtended(s.x, m.x, high, low);
    high += s.x * m.y + s.y * m.x;
    low = uaddCarry(low, c.x, carry);
    return uvec2(low, high + c.y + carry);
}
uint turned(uvec2 s) {
    uvec2 x = uvec2(s.x >> 18 | s.y << 14, s.y >> 18) ^ s;
    uint v = x.x >> 27 | x.y << 5, by = s.y >> 27;
    return v >> by | v << (-by & 31);
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec2 s = step(uvec2(seed + i, i * 77));
    uvec4 all = uvec4(0);
    for (uint n = 0; n < round * rest; n++) {
        s = step(s);
        all = all.yzwx ^ uvec4(turned(s), 0, n, 0);
    }
    o[i] = all;
}
