// Every number of a work-item in a grid of three dimensions.
// out 0.0 36864
// groups 3 2 4
#version 460
layout(local_size_x = 4, local_size_y = 8, local_size_z = 2) in;
layout(set = 0, binding = 0) writeonly buffer O { uvec4 o[]; };
void main() {
    uvec3 g = gl_GlobalInvocationID, n = gl_NumWorkGroups * gl_WorkGroupSize;
    uint i = (g.z * n.y + g.y) * n.x + g.x;
    o[i] = uvec4(gl_LocalInvocationIndex, gl_WorkGroupID.x | gl_WorkGroupID.y << 8 | gl_WorkGroupID.z << 16,
                 gl_LocalInvocationID.x | gl_LocalInvocationID.y << 8 | gl_LocalInvocationID.z << 16,
                 gl_NumWorkGroups.x | gl_NumWorkGroups.y << 8 | gl_NumWorkGroups.z << 16);
}
