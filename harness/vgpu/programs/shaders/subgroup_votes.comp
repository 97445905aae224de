// Votes and masks of lanes in divergent branches, loops that lanes leave at their time, elected lanes.
// needs subgroup_vote subgroup_ballot
// in 0.0 1024 small 9
// out 0.1 1024
#version 460
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
void main() {
    uint l = gl_LocalInvocationIndex, v = a[l], wrong = 0, loops = 0;
    uvec4 equal = gl_SubgroupEqMask, less = gl_SubgroupLtMask, most = gl_SubgroupGeMask;
    if (subgroupBallotBitCount(equal) != 1 || !subgroupBallotBitExtract(equal, gl_SubgroupInvocationID)) wrong |= 1;
    if (subgroupBallotBitCount(less) != gl_SubgroupInvocationID) wrong |= 2;
    if (any(notEqual((less | most) & subgroupBallot(true), subgroupBallot(true)))) wrong |= 4;
    if (subgroupInverseBallot(subgroupBallot((l & 5) == 1)) != ((l & 5) == 1)) wrong |= 8;
    for (uint n = 0; n < 9; n++) {
        if (n == v) {
            if (!subgroupAll(v == n) || !subgroupAllEqual(v)) wrong |= 16;
            break;
        }
        if (subgroupAny(v < n)) wrong |= 32;
        loops++;
    }
    if (!subgroupAny(true) || subgroupAny(loops != v)) wrong |= 64;
    if ((l & 3) != 0 && subgroupBallotBitCount(subgroupBallot(true)) != gl_SubgroupSize * 3 / 4) wrong |= 128;
    b[l] = loops | wrong << 8;
}
