// Exchange between neighbours: within four lanes, which every subgroup has.
// in 0.0 512 u32 11
// out 0.1 4096
// needs subgroup_quad subgroup_shuffle subgroup_shuffle_relative
#version 460
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint l = gl_LocalInvocationIndex, v = a[l], lane = gl_SubgroupInvocationID;
    uvec4 one = uvec4(subgroupQuadSwapHorizontal(v), subgroupQuadSwapVertical(v), subgroupQuadSwapDiagonal(v), subgroupQuadBroadcast(v, 2));
    uint other = subgroupShuffle(v, lane ^ (v & 3));
    uint turned = subgroupShuffleXor(v, 1);
    b[2 * l] = one;
    b[2 * l + 1] = uvec4(other, turned, one.x + one.y + one.z + v, subgroupShuffle(l, (lane & ~3u) | ((lane * 5) & 3)));
}
