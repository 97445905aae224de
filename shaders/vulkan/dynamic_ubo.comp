// Uniform buffers and vectors at an index of the lane and at one of the group; loads of every width.
// uniform 0.0 1024 u32 19
// in 0.1 1024 small 64
// out 0.2 4096
// groups 4 1 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform U { uvec4 u[64]; };
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer O { uvec4 o[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 mine = u[a[i]], ours = u[gl_WorkGroupID.x * 9];
    uvec4 near = uvec4(u[gl_WorkGroupID.x].xyz, u[3][gl_WorkGroupID.x]);
    o[i] = mine + ours * 3 + near;
}
