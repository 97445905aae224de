// Subgroup operations on 64-bit and 16-bit integers, bytes and doubles: in clusters of four, and from the first lane.
// needs subgroup_clustered subgroup_ballot shader_subgroup_extended_types shader_int64 shader_int16 shader_int8 shader_float64
// in 0.0 1024 u32 124
// out 0.1 4096
#version 460
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { u32vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { u64vec4 b[]; };
void main() {
    uint l = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    uint64_t v = uint64_t(a[l].x) << 32 | uint64_t(a[l].y);
    uint16_t h = uint16_t(a[l].x);
    int8_t q = int8_t(a[l].y);
    double d = double(a[l].x & 0xffff) * 0.5LF;
    uint64_t sum = subgroupClusteredAdd(v, 4), most = subgroupClusteredMax(v, 4);
    uint small = uint(subgroupClusteredAdd(h, 4)) << 16 | uint(uint8_t(subgroupClusteredMin(q, 4)));
    double exact = subgroupClusteredAdd(d, 4);
    uint64_t same = subgroupBroadcastFirst(v) == subgroupShuffle(v, 0) ? 1ul : 0ul;
    b[l] = u64vec4(sum ^ same, most, uint64_t(small), doubleBitsToUint64(exact));
}
