// Sums, products, extremes and bits over clusters of lanes, and scans within them.
// in 0.0 512 u32 63
// in 0.1 512 small 50
// out 0.2 8192
// needs subgroup_clustered subgroup_arithmetic
#version 460
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) writeonly buffer C { uvec4 c[]; };
void main() {
    uint l = gl_LocalInvocationIndex, v = a[l];
    float f = float(b[l]) * 0.5;
    c[4 * l] = uvec4(subgroupClusteredAdd(v, 4), subgroupClusteredMul(v, 4), subgroupClusteredMin(v, 4), subgroupClusteredMax(int(v), 4));
    c[4 * l + 1] = uvec4(subgroupClusteredAnd(v, 2), subgroupClusteredOr(v, 4), subgroupClusteredXor(v, 4), subgroupClusteredMin(int(v), 2));
    c[4 * l + 2] = floatBitsToUint(vec4(subgroupClusteredAdd(f, 4), subgroupClusteredMin(f, 4), subgroupClusteredMax(f, 4), subgroupClusteredAdd(-f, 2)));
    c[4 * l + 3] = uvec4(subgroupClusteredMax(v, 2), subgroupClusteredMul(v | 1u, 2), subgroupClusteredAdd(int(v) >> 3, 4), floatBitsToUint(subgroupClusteredMul(f, 2)));
}
