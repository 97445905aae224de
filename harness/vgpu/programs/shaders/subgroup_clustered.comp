// Sums, least and most of clusters of 2, 4 and 8 lanes, which every subgroup has.
// needs subgroup_clustered subgroup_arithmetic
// in 0.0 1024 u32 122
// out 0.1 8192
#version 460
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint l = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID, v = a[l];
    b[2 * l] = uvec4(subgroupClusteredAdd(v, 2), subgroupClusteredMax(v, 4), subgroupClusteredMin(int(v), 8), subgroupClusteredXor(v, 8));
    b[2 * l + 1] = uvec4(subgroupClusteredAdd(v, 8), subgroupClusteredAnd(v | l, 4), subgroupClusteredOr(v & 0xff, 2), subgroupClusteredMul(v | 1, 4));
}
