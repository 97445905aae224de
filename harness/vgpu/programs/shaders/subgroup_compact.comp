// Numbers that pass a test, moved together: places within a subgroup from ballots, between them from shared memory.
// needs subgroup_ballot
// in 0.0 4096 u32 125
// out 0.1 4100
#version 460
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 1024) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint count; uint b[]; };
shared uint parts[1024];
void main() {
    uint l = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID, v = a[l];
    bool pass = v % 3 == 1;
    uvec4 mask = subgroupBallot(pass);
    parts[l] = 0;
    barrier();
    if (subgroupElect()) parts[gl_SubgroupID] = subgroupBallotBitCount(mask);
    barrier();
    uint before = 0, all = 0;
    for (uint n = 0; n < gl_NumSubgroups; n++) {
        if (n < gl_SubgroupID) before += parts[n];
        all += parts[n];
    }
    if (pass) b[before + subgroupBallotExclusiveBitCount(mask)] = v;
    if (l == 0) count = all;
}
