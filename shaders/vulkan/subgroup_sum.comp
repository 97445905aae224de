// Sums of a group through its subgroups, whatever their size.
// in 0.0 1024 u32 10
// out 0.1 32
// needs subgroup_arithmetic subgroup_ballot subgroup_vote
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[8];
void main() {
    uint l = gl_LocalInvocationIndex, v = a[l];
    if (l < 8) s[l] = l == 2 ? 0xffffffffu : 0;
    barrier();
    uint sum = subgroupAdd(v), most = subgroupMax(v), least = subgroupMin(v);
    uint odd = subgroupBallotBitCount(subgroupBallot((v & 1) != 0));
    uint flip = subgroupXor(v);
    uint prefix = subgroupExclusiveAdd(1);
    if (subgroupElect()) {
        atomicAdd(s[0], sum);
        atomicMax(s[1], most);
        atomicMin(s[2], least);
        atomicAdd(s[3], odd);
        atomicXor(s[4], flip);
    }
    // In a whole subgroup the number of lanes before is the number of the lane.
    if (prefix != gl_SubgroupInvocationID) atomicAdd(s[5], 1);
    if (subgroupAll(v != 0xdeadbeef)) atomicAdd(s[6], 1);
    barrier();
    if (l < 8) b[l] = s[l];
}
