// Subgroups of the size that the host asked for: a sum over the group by them, and how many there are.
// inout 0.0 1024 u32 164
// push 32
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint size; };
shared uint s[256];
void main() {
    uint l = gl_LocalInvocationIndex, v = b[l];
    s[l] = 0;
    barrier();
    uint before = subgroupExclusiveAdd(v);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) s[gl_SubgroupID] = before + v;
    barrier();
    for (uint n = 0; n < gl_SubgroupID; n++) before += s[n];
    uint wrong = uint(gl_SubgroupSize != size) | uint(gl_NumSubgroups * size != 256) << 1
        | uint(subgroupBallotBitCount(subgroupBallot(true)) != size) << 2;
    b[l] = before + wrong * 0x01010101u;
}
