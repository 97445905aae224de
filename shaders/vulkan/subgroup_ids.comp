// Numbers of subgroups: each group has every one of them once, and they are those of the lanes.
// out 0.0 16
// groups 1 1 1
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) writeonly buffer O { uint o[]; };
shared uint wrong, seen, parts;
void main() {
    uint l = gl_LocalInvocationIndex;
    if (l == 0) { wrong = 0; seen = 0; parts = 0; }
    barrier();
    if (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID != l) atomicAdd(wrong, 1);
    if (gl_NumSubgroups * gl_SubgroupSize != 256) atomicAdd(wrong, 1000);
    if (gl_SubgroupInvocationID == 0) atomicAdd(seen, gl_SubgroupSize);
    if (subgroupElect()) atomicAdd(parts, gl_SubgroupSize);
    barrier();
    if (l == 0) { o[0] = wrong; o[1] = seen; o[2] = parts; }
}
