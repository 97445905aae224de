// Sums before and with each lane, least and most: checked against sums through shared memory, whatever the size of subgroups.
// needs subgroup_arithmetic
// in 0.0 1024 u32 121
// out 0.1 1024
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[256];
void main() {
    uint l = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID, v = a[l], first = gl_SubgroupID * gl_SubgroupSize, wrong = 0;
    s[l] = v;
    barrier();
    uint sum = 0, least = ~0u, most = 0, product = 1, every = ~0u, any = 0, flip = 0;
    for (uint n = first; n < l; n++) sum += s[n];
    wrong |= uint(subgroupExclusiveAdd(v) != sum);
    for (uint n = first; n <= l; n++) {
        least = min(least, s[n]);
        most = max(most, s[n]);
        product *= s[n] | 1;
        every &= s[n] | n;
        any |= s[n] & 0xf0f;
        flip ^= s[n];
    }
    wrong |= uint(subgroupInclusiveAdd(v) != sum + v) << 1;
    wrong |= uint(subgroupInclusiveMin(v) != least) << 2;
    wrong |= uint(subgroupInclusiveMax(v) != most) << 3;
    wrong |= uint(subgroupInclusiveMul(v | 1) != product) << 4;
    wrong |= uint(subgroupInclusiveAnd(v | l) != every) << 5;
    wrong |= uint(subgroupInclusiveOr(v & 0xf0f) != any) << 6;
    wrong |= uint(subgroupInclusiveXor(v) != flip) << 7;
    // Sums of floats that are exact.
    float f = float(v & 0xff), exact = 0.0;
    for (uint n = first; n < l; n++) exact += float(s[n] & 0xff);
    wrong |= uint(subgroupExclusiveAdd(f) != exact) << 8;
    // With half of the lanes gone.
    if ((l & 1) == 0) {
        uint half_ = 0;
        for (uint n = first; n < l; n += 2) half_ += s[n];
        wrong |= uint(subgroupExclusiveAdd(v) != half_) << 9;
    }
    b[l] = v * 16 + wrong * 0x10000001u;
}
