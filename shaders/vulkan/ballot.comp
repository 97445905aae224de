// Masks of lanes, counted in a way that does not depend on how many lanes a subgroup has.
// in 0.0 1024 u32 45
// out 0.1 1024
// needs subgroup_ballot subgroup_vote
#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
void main() {
    uint i = gl_LocalInvocationIndex, v = a[i] & 7, lane = gl_SubgroupInvocationID;
    uint wrong = 0;
    uint left = 8;
    // A loop over the values that are there: each pass takes those that the first lane has.
    while (left > 0) {
        uint first = subgroupBroadcastFirst(v);
        uvec4 same = subgroupBallot(v == first);
        if (v == first) {
            if (!subgroupBallotBitExtract(same, lane)) wrong += 1;
            if (!subgroupAllEqual(v)) wrong += 2;
            if (subgroupBallotFindLSB(same) > lane || subgroupBallotFindMSB(same) < lane) wrong += 4;
            if (subgroupBallotInclusiveBitCount(same) != subgroupBallotExclusiveBitCount(same) + 1) wrong += 8;
            break;
        }
        left--;
    }
    if (subgroupAny(left == 0)) wrong += 16;
    b[i] = wrong * 256 + v + 1;
}
