// Lanes that turn in a circle, in clusters of eight, through the instruction of SPIR-V.
// needs shader_subgroup_rotate_clustered
// in 0.0 1024 u32 123
// out 0.1 1024
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
const uint subgroup = 3, eight = 8;
spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [6026, 61], id = 4431)
uint turned(uint scope, uint v, uint by, uint cluster);
void main() {
    uint l = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID, v = a[l];
    b[l] = turned(subgroup, v, 3, eight) ^ turned(subgroup, l, 5, eight) << 8;
}
